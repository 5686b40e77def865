//! Removing and renaming: what changes which baselines there are, without a run.

use super::{BaselineName, BaselineRef, Error, ListedBaseline, LockedStore, Store, layout};

impl Store {
    /// Removes the baseline in this place, readable or not; not the last run. Waits for a run in progress, as [`Store::lock`] does.
    pub(crate) fn remove(
        &self,
        place: &BaselineRef,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<ListedBaseline, Error> {
        // Asked before the lock is taken, which would create a folder to find nothing in.
        self.known(place)?;
        if *place == BaselineRef::Last {
            return Err(Error::CannotRemoveLast { folder: place.folder(self.root()) });
        }
        self.lock(interrupted)?.remove(place)
    }

    /// Gives a baseline another name, which nothing may have, neither as it is nor for what was there before. What was
    /// before the baseline goes with it. Returns the new places. The last run keeps its own.
    pub(crate) fn rename(
        &self,
        from: &BaselineRef,
        to: &BaselineName,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Vec<(BaselineRef, BaselineRef)>, Error> {
        self.known(from)?;
        if *from == BaselineRef::Last {
            return Err(Error::CannotRenameLast { wanted: BaselineRef::Named(to.clone()) });
        }
        self.lock(interrupted)?.rename(from, to)
    }
}

impl LockedStore<'_> {
    /// Removes the baseline in this place, readable or not.
    pub(crate) fn remove(&self, place: &BaselineRef) -> Result<ListedBaseline, Error> {
        self.store.known(place)?;
        let folder = place.folder(self.store.root());
        let removed = self.store.listed(place.name(), Ok(place.clone()), folder.clone());
        layout::remove(&folder)?;
        Ok(removed)
    }

    fn rename(
        &self,
        from: &BaselineRef,
        to: &BaselineName,
    ) -> Result<Vec<(BaselineRef, BaselineRef)>, Error> {
        self.store.known(from)?;
        let (new, new_earlier) = (BaselineRef::Named(to.clone()), BaselineRef::Earlier(to.clone()));
        // `main~1` may become `main` again, where that is gone.
        let in_the_way =
            [&new, &new_earlier].into_iter().find(|&place| place != from && self.store.contains(place));
        let in_the_way = in_the_way.or((new == *from).then_some(&new));
        if let Some(place) = in_the_way {
            return Err(Error::NameTaken { place: place.clone() });
        }
        let mut moves = vec![(from.clone(), new)];
        if let BaselineRef::Named(name) = from {
            let earlier = BaselineRef::Earlier(name.clone());
            if self.store.contains(&earlier) {
                moves.push((earlier, new_earlier));
            }
        }
        // The earlier one first: where this is cut short, what is left behind has its name still.
        for (from, to) in moves.iter().rev() {
            layout::rename(&from.folder(self.store.root()), &to.folder(self.store.root()))?;
        }
        Ok(moves)
    }
}
