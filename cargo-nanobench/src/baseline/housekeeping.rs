//! Removal and renaming of baselines, apart from runs: the part of [`Store`] and [`LockedStore`]
//! for it.

use super::{BaselineName, BaselineRef, Error, ListedBaseline, LockedStore, Store, moves};

impl Store {
    /// Removes a baseline, even if it can't be read. Fails for the last run. Waits for a run in
    /// progress, as [`Store::lock`] does.
    pub(crate) fn remove(
        &self,
        baseline: &BaselineRef,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<ListedBaseline, Error> {
        // Checked before the lock is taken, which would create the store's folder.
        self.require(baseline)?;
        if *baseline == BaselineRef::Last {
            return Err(Error::CannotRemoveLast { folder: baseline.folder(&self.root()) });
        }
        self.lock(interrupted)?.remove(baseline)
    }

    /// Renames a baseline together with its previous version, and returns the old and new names.
    /// Fails for the last run, and if the new name or its `~1` is taken.
    pub(crate) fn rename(
        &self,
        from: &BaselineRef,
        to: &BaselineName,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Vec<(BaselineRef, BaselineRef)>, Error> {
        self.require(from)?;
        if *from == BaselineRef::Last {
            return Err(Error::CannotRenameLast { new: BaselineRef::Named(to.clone()) });
        }
        self.lock(interrupted)?.rename(from, to)
    }
}

impl LockedStore<'_> {
    /// Removes a baseline, even if it can't be read.
    fn remove(&self, baseline: &BaselineRef) -> Result<ListedBaseline, Error> {
        self.store.require(baseline)?;
        let folder = baseline.folder(&self.store.root());
        let removed = self.store.listed(baseline.name(), Ok(baseline.clone()), folder.clone());
        moves::remove(&folder)?;
        Ok(removed)
    }

    /// Removes baselines of a list.
    pub(crate) fn remove_all<'a>(
        &self,
        listed: impl IntoIterator<Item = &'a ListedBaseline>,
    ) -> Result<Vec<ListedBaseline>, Error> {
        listed.into_iter().map(|listed| self.remove(&listed.name.parse()?)).collect()
    }

    fn rename(
        &self,
        from: &BaselineRef,
        to: &BaselineName,
    ) -> Result<Vec<(BaselineRef, BaselineRef)>, Error> {
        self.store.require(from)?;
        let (new, new_earlier) = (BaselineRef::Named(to.clone()), BaselineRef::Earlier(to.clone()));
        // `main~1` may become `main` again after that was removed.
        let is_taken = |baseline: &&BaselineRef| *baseline != from && self.store.contains(baseline);
        let taken = [&new, &new_earlier].into_iter().find(is_taken).or((new == *from).then_some(&new));
        if let Some(baseline) = taken {
            return Err(Error::NameTaken { baseline: baseline.clone() });
        }
        let mut moves = vec![(from.clone(), new)];
        if let BaselineRef::Named(name) = from {
            let earlier = BaselineRef::Earlier(name.clone());
            if self.store.contains(&earlier) {
                moves.push((earlier, new_earlier));
            }
        }
        // The previous version is moved first: if this is interrupted, the baseline still has its
        // name.
        for (from, to) in moves.iter().rev() {
            let root = self.store.root();
            moves::rename(&from.folder(&root), &to.folder(&root))?;
        }
        Ok(moves)
    }
}
