//! Removal and renaming of baselines, apart from runs: the part of [`Store`] and [`LockedStore`]
//! for it.

use super::layout;
use super::pointer::Pointer;
use super::{BaselineName, BaselineRef, Error, ListedBaseline, LockedStore, Store};

impl Store {
    /// Removes a baseline, even if it can't be read. Fails for the last run. Waits for a run in
    /// progress, as [`Store::lock`] does.
    pub fn remove(
        &self,
        baseline: &BaselineRef,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<ListedBaseline, Error> {
        // Checked before the lock is taken, which would create the store's folder.
        self.require(baseline)?;
        if *baseline == BaselineRef::Last {
            return Err(Error::CannotRemoveLast { file: self.pointer_file(baseline) });
        }
        self.lock(interrupted)?.remove(baseline)
    }

    /// Renames a baseline together with its previous version, and returns the old and new names.
    /// Fails for the last run, and if the new name or its `~1` is taken.
    pub fn rename(
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
    fn remove(&self, baseline: &BaselineRef) -> Result<ListedBaseline, Error> {
        self.store.require(baseline)?;
        let removed = match self.store.pointer(baseline) {
            Ok(mut pointer) => {
                let removed = self.store.listed(baseline, &pointer);
                *pointer.get_mut(baseline) = None;
                self.write_pointer(baseline, &pointer)?;
                removed
            }
            Err(error) if !error.may_be_replaced() => return Err(error),
            Err(error) => {
                layout::remove(&self.store.pointer_file(baseline))?;
                Some(ListedBaseline { name: baseline.name(), size: 0, baseline: Err(error) })
            }
        };
        removed.ok_or_else(|| self.store.unknown(baseline))
    }

    /// Removes baselines of a list.
    pub fn remove_all<'a>(
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
        let mut pointer = self.store.pointer(from)?;
        let run = pointer.get_mut(from).take();
        let mut moved = vec![(from.clone(), new.clone())];
        if *from == new_earlier {
            pointer.run = run;
            self.write_pointer(&new, &pointer)?;
            return Ok(moved);
        }
        let mut renamed = Pointer { run, previous: None };
        if let BaselineRef::Named(name) = from {
            renamed.previous = pointer.previous.take();
            let earlier =
                renamed.previous.as_ref().map(|_| (BaselineRef::Earlier(name.clone()), new_earlier));
            moved.extend(earlier);
        }
        // If this is interrupted, the run has both names.
        self.write_pointer(&new, &renamed)?;
        self.write_pointer(from, &pointer)?;
        Ok(moved)
    }
}
