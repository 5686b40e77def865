//! Which baselines are old enough to go.

use super::{BaselineRef, Error, ListedBaseline, LockedStore};
use jiff::{Span, Zoned};
use std::cmp::Reverse;

/// What goes: what neither of the two keeps. Where one of them isn't asked for, it keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PruneRule {
    /// The so many newest stay. What a name had before (`main~1`) counts as one.
    pub(crate) keep: Option<usize>,
    /// What is younger stays.
    pub(crate) older_than: Option<Span>,
}

impl PruneRule {
    /// Those of a list that go, oldest first. What can't be read says no age, so it is never among them.
    pub(crate) fn select<'a>(
        &self,
        listed: &'a [ListedBaseline],
        now: &Zoned,
    ) -> Result<Vec<&'a ListedBaseline>, jiff::Error> {
        let before =
            self.older_than.map(|age| now.checked_sub(age)).transpose()?.map(|limit| limit.timestamp());
        let created =
            |listed: &ListedBaseline| listed.baseline.as_ref().ok().map(|baseline| baseline.created);
        let mut by_age: Vec<_> =
            listed.iter().filter_map(|listed| Some((created(listed)?, listed))).collect();
        by_age.sort_by_key(|(created, listed)| (Reverse(*created), &listed.name));
        let beyond = by_age.into_iter().skip(self.keep.unwrap_or(0));
        let old = beyond.filter(|(created, _)| before.is_none_or(|limit| *created < limit));
        let mut chosen: Vec<&ListedBaseline> = old.map(|(_, listed)| listed).collect();
        chosen.reverse();
        Ok(chosen)
    }
}

impl LockedStore<'_> {
    /// Removes those of a list.
    pub(crate) fn remove_all<'a>(
        &self,
        listed: impl IntoIterator<Item = &'a ListedBaseline>,
    ) -> Result<Vec<ListedBaseline>, Error> {
        let place = |listed: &ListedBaseline| Ok::<BaselineRef, Error>(listed.name.parse()?);
        listed.into_iter().map(|listed| self.remove(&place(listed)?)).collect()
    }
}
