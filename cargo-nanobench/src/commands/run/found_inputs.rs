//! The inputs of the executables of a run, which are found as early as possible.

use super::inputs::ProjectInputs;
use super::source::Source;
use crate::background;
use crate::baseline::Input;
use crate::cargo::Executable;
use crate::warnings::warn;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// The limit for the time that a run waits for the list of files after the build.
const LISTING_TIME: Duration = Duration::from_secs(5);

/// The inputs of executables, as far as they were looked for.
#[derive(Default)]
pub(super) struct FoundInputs {
    /// The list of files, until it was received.
    listing: Option<Receiver<ProjectInputs>>,
    project: Option<ProjectInputs>,
    of_executables: HashMap<PathBuf, Option<Vec<Input>>>,
}

impl FoundInputs {
    /// Starts to list the files of a project while it is built. The built-in benchmarks have none.
    pub(super) fn start(source: &Source) -> FoundInputs {
        let Some(project) = source.project() else { return FoundInputs::default() };
        let (root, target) = (project.root().to_owned(), project.target_directory().to_owned());
        let (sender, receiver) = mpsc::channel();
        let list = move || {
            background::enter();
            // Nobody may be waiting any more.
            drop(sender.send(ProjectInputs::list(root, &target)));
        };
        thread::spawn(list);
        FoundInputs { listing: Some(receiver), ..FoundInputs::default() }
    }

    /// Finds the inputs of an executable. Waits for the list first, within limits.
    pub(super) fn find(&mut self, executable: &Executable) {
        if let Some(listing) = self.listing.take() {
            self.project = listing.recv_timeout(LISTING_TIME).ok();
            if self.project.is_none() {
                warn(
                    "changed files and variables that benchmarks read are not noticed: \
                     listing the files of the workspace takes too long",
                );
            }
        }
        if let Some(project) = &self.project {
            let path = &executable.path;
            self.of_executables.entry(path.clone()).or_insert_with(|| project.of(path, executable));
        }
    }

    /// Returns what the project has to offer, if that is known.
    pub(super) fn project(&self) -> Option<&ProjectInputs> {
        self.project.as_ref()
    }

    /// Returns the inputs of an executable. `None` if they weren't found.
    pub(super) fn of(&self, executable: &Executable) -> Option<&Vec<Input>> {
        self.of_executables.get(&executable.path)?.as_ref()
    }
}
