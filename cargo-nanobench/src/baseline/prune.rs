//! The rule by which old baselines are removed.

use super::{BaselineRef, ListedBaseline};
use jiff::{Span, Timestamp, Zoned};
use std::cmp::Reverse;

/// A rule that removes the baselines that neither condition keeps. A missing condition keeps none.
/// The previous run is no baseline of the user: it is not counted, and only its age removes it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PruneRule {
    /// Keep this number of the newest baselines. An earlier version (`main~1`) counts as one.
    pub(crate) keep: Option<usize>,
    /// Keep baselines that are younger than this.
    pub(crate) older_than: Option<Span>,
}

impl PruneRule {
    /// Returns the baselines to remove, oldest first. Unreadable ones are kept, as their age is
    /// unknown.
    pub(crate) fn select<'a>(
        &self,
        listed: &'a [ListedBaseline],
        now: &Zoned,
    ) -> Result<Vec<&'a ListedBaseline>, jiff::Error> {
        let limit = self.older_than.map(|age| now.checked_sub(age)).transpose()?;
        let limit = limit.map(|limit| limit.timestamp());
        let created =
            |listed: &ListedBaseline| listed.baseline.as_ref().ok().map(|baseline| baseline.run.created);
        let mut by_age: Vec<_> =
            listed.iter().filter_map(|listed| Some((created(listed)?, listed))).collect();
        by_age.sort_by_key(|(created, listed)| (Reverse(*created), &listed.name));
        let mut rank = 0;
        let is_removed = |&(created, listed): &(Timestamp, &ListedBaseline)| {
            let is_old = limit.map(|limit| created < limit);
            if listed.name == BaselineRef::BeforeLast.name() {
                return is_old == Some(true);
            }
            rank += 1;
            rank > self.keep.unwrap_or(0) && is_old != Some(false)
        };
        let removed = by_age.into_iter().filter(is_removed);
        let mut selected: Vec<&ListedBaseline> = removed.map(|(_, listed)| listed).collect();
        selected.reverse();
        Ok(selected)
    }
}
