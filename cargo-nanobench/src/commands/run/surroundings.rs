//! The surroundings of the executables of a run: what their benchmarks may read, and the files whose
//! code they run. They are found as early as possible.

use super::inputs::ProjectInputs;
use super::source::Source;
use crate::baseline::{self, Input};
use crate::cargo::Executable;
use crate::warnings::warn;
use crate::{background, code};
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// The limit for the time that a run waits for the list of files after the build.
const LISTING_TIME: Duration = Duration::from_secs(5);

/// The surroundings of executables, as far as they were looked for.
#[derive(Default)]
pub(super) struct FoundSurroundings {
    /// The list of files, until it was received.
    listing: Option<Receiver<ProjectInputs>>,
    project: Option<ProjectInputs>,
    of_executables: HashMap<PathBuf, Surroundings>,
}

/// The surroundings of an executable, as far as it tells them.
struct Surroundings {
    /// `None` if they weren't found.
    inputs: Option<Vec<Input>>,
    /// The files outside of it whose code it runs.
    files_to_run: Vec<PathBuf>,
}

impl FoundSurroundings {
    /// Starts to list the files of a project while it is built. The built-in benchmarks have none.
    pub(super) fn start(source: &Source) -> FoundSurroundings {
        let Some(project) = source.project() else { return FoundSurroundings::default() };
        let (root, target) = (project.root().to_owned(), project.target_directory().to_owned());
        let (sender, receiver) = mpsc::channel();
        let list = move || {
            background::enter();
            // Nobody may be waiting any more.
            drop(sender.send(ProjectInputs::list(root, &target)));
        };
        thread::spawn(list);
        FoundSurroundings { listing: Some(receiver), ..FoundSurroundings::default() }
    }

    /// Finds the surroundings of an executable, which is read once for all of them. Waits for the list
    /// of files first, within limits.
    pub(super) fn find(&mut self, source: &Source, executable: &Executable) {
        self.receive_listing();
        let bytes = fs::read(&executable.path).unwrap_or_default();
        let inputs = self.project.as_ref().filter(|_| !bytes.is_empty());
        let inputs = inputs.map(|project| project.of(&bytes, executable));
        let mut files_to_run = baseline::named_files(&executable.path, &bytes, source.target_directory());
        let (folders, roots) = (executable.library_folders(), source.own_folders(executable));
        files_to_run.extend(code::foreign_libraries(&executable.path, &folders, &roots));
        self.of_executables.insert(executable.path.clone(), Surroundings { inputs, files_to_run });
    }

    fn receive_listing(&mut self) {
        let Some(listing) = self.listing.take() else { return };
        self.project = listing.recv_timeout(LISTING_TIME).ok();
        if self.project.is_none() {
            warn(
                "changed files and variables that benchmarks read are not noticed: \
                 listing the files of the workspace takes too long",
            );
        }
    }

    /// Returns what the project has to offer, if that is known.
    pub(super) fn project(&self) -> Option<&ProjectInputs> {
        self.project.as_ref()
    }

    /// Returns the inputs of an executable. `None` if they weren't found.
    pub(super) fn inputs(&self, executable: &Executable) -> Option<&Vec<Input>> {
        self.of_executables.get(&executable.path)?.inputs.as_ref()
    }

    /// Returns the files outside of an executable whose code it runs, besides those that its benchmarks
    /// open.
    pub(super) fn files_to_run(&self, executable: &Executable) -> &[PathBuf] {
        self.of_executables.get(&executable.path).map_or(&[], |found| &found.files_to_run)
    }
}
