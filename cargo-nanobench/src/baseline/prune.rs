//! Which baselines are old enough to go.

use super::{BaselineRef, Error, Listed, LockedStore};
use jiff::{Span, Zoned};
use std::cmp::Reverse;

/// What goes: what neither of the two keeps. Where one of them isn't asked for, it keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pruning {
    /// The so many newest stay. What a name had before (`main~1`) counts as one.
    pub(crate) keep: Option<usize>,
    /// What is younger stays.
    pub(crate) older_than: Option<Span>,
}

impl Pruning {
    /// Those of a list that go, oldest first. What can't be read says no age, so it is never among them.
    pub(crate) fn choose<'a>(
        &self,
        listed: &'a [Listed],
        now: &Zoned,
    ) -> Result<Vec<&'a Listed>, jiff::Error> {
        let before =
            self.older_than.map(|age| now.checked_sub(age)).transpose()?.map(|limit| limit.timestamp());
        let created = |listed: &Listed| listed.baseline.as_ref().ok().map(|baseline| baseline.created);
        let mut by_age: Vec<_> =
            listed.iter().filter_map(|listed| Some((created(listed)?, listed))).collect();
        by_age.sort_by_key(|(created, listed)| (Reverse(*created), &listed.name));
        let beyond = by_age.into_iter().skip(self.keep.unwrap_or(0));
        let old = beyond.filter(|(created, _)| before.is_none_or(|limit| *created < limit));
        let mut chosen: Vec<&Listed> = old.map(|(_, listed)| listed).collect();
        chosen.reverse();
        Ok(chosen)
    }
}

impl LockedStore<'_> {
    /// Removes those of a list.
    pub(crate) fn remove_all<'a>(
        &self,
        listed: impl IntoIterator<Item = &'a Listed>,
    ) -> Result<Vec<Listed>, Error> {
        let place = |listed: &Listed| Ok::<BaselineRef, Error>(listed.name.parse()?);
        listed.into_iter().map(|listed| self.remove(&place(listed)?)).collect()
    }
}
