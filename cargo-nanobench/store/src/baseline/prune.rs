//! The rule by which old baselines and builds of revisions are removed.

use super::{BaselineRef, ListedBaseline};
use jiff::{Span, Timestamp, Zoned};
use std::cmp::Reverse;
use std::time::SystemTime;

/// A rule that removes the baselines that neither condition keeps. A missing condition keeps none.
/// The previous run is no baseline of the user: it is not counted, and only its age removes it.
#[derive(Debug, Clone, Copy, Default)]
pub struct PruneRule {
    /// Keep this number of the newest baselines. An earlier version (`main~1`) counts as one.
    pub keep: Option<usize>,
    /// Keep baselines that are younger than this.
    pub older_than: Option<Span>,
}

impl PruneRule {
    /// Returns the baselines to remove, oldest first. Unreadable ones are kept, as their age is
    /// unknown.
    pub fn select<'a>(
        &self,
        listed: &'a [ListedBaseline],
        now: &Zoned,
    ) -> Result<Vec<&'a ListedBaseline>, jiff::Error> {
        let limit = self.limit(now)?;
        let created =
            |listed: &ListedBaseline| listed.baseline.as_ref().ok().map(|baseline| baseline.created);
        let mut by_age: Vec<_> =
            listed.iter().filter_map(|listed| Some((created(listed)?, listed))).collect();
        by_age.sort_by_key(|(created, listed)| (Reverse(*created), &listed.name));
        let mut rank = 0;
        let is_removed = |&(created, listed): &(Timestamp, &ListedBaseline)| {
            if listed.name == BaselineRef::BeforeLast.name() {
                return limit.is_some_and(|limit| created < limit);
            }
            rank += 1;
            self.removes(rank, created, limit)
        };
        let removed = by_age.into_iter().filter(is_removed);
        let mut selected: Vec<&ListedBaseline> = removed.map(|(_, listed)| listed).collect();
        selected.reverse();
        Ok(selected)
    }

    /// Applies the rule to other things that have a time, and returns those to remove.
    pub fn select_others<T>(
        &self,
        newest_first: Vec<T>,
        time: impl Fn(&T) -> SystemTime,
        now: &Zoned,
    ) -> Result<Vec<T>, jiff::Error> {
        let limit = self.limit(now)?;
        let is_removed = |(i, other): &(usize, T)| {
            Timestamp::try_from(time(other)).is_ok_and(|time| self.removes(i + 1, time, limit))
        };
        Ok(newest_first.into_iter().enumerate().filter(is_removed).map(|(_, other)| other).collect())
    }

    fn limit(&self, now: &Zoned) -> Result<Option<Timestamp>, jiff::Error> {
        Ok(self.older_than.map(|age| now.checked_sub(age)).transpose()?.map(|limit| limit.timestamp()))
    }

    /// Returns whether neither condition keeps the nth newest of its kind, which is from this time.
    fn removes(&self, n: usize, time: Timestamp, limit: Option<Timestamp>) -> bool {
        n > self.keep.unwrap_or(0) && limit.is_none_or(|limit| time < limit)
    }
}
