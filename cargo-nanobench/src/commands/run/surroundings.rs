//! The surroundings of the executables of a run: what their benchmarks may read, and the files whose
//! code they run. They are found as early as possible.

use super::source::Source;
use crate::baseline::{Input, NamedInputs, OutsideFile};
use crate::cargo::{self, CargoOptions, Executable};
use crate::environment::DataFiles;
use crate::fingerprint::Fingerprint;
use crate::session::SessionOptions;
use crate::warnings::warn;
use crate::{background, code};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// The limit for the time that a run waits for the list of files after the build.
const LISTING_TIME: Duration = Duration::from_secs(15);
/// The limit for the bytes of the executables of the last build that are read early.
const MAX_EARLY_BYTES: u64 = 8 << 20;

/// The surroundings of executables, as far as they were looked for.
#[derive(Default)]
pub(super) struct FoundSurroundings {
    /// The data files and some executables of the last build, until they were received.
    listing: Option<Receiver<(Option<DataFiles>, Vec<ReadExecutable>)>>,
    data_files: Option<DataFiles>,
    /// The build may have written data files since they were found.
    has_built: bool,
    early: Vec<ReadExecutable>,
    of_executables: HashMap<PathBuf, Surroundings>,
}

/// An executable that was read.
struct ReadExecutable {
    executable: Executable,
    bytes: Vec<u8>,
    /// Its fingerprint, if there was time to compute it.
    hash: Option<Fingerprint>,
    /// The folders with files that it may run.
    output_folders: Vec<PathBuf>,
    inputs: NamedInputs,
}

/// The surroundings of an executable, as far as it tells them.
pub(super) struct Surroundings {
    /// The fingerprint of its file, if it was computed.
    pub(super) hash: Option<Fingerprint>,
    pub(super) inputs: Vec<Input>,
    /// The files outside of it whose code it runs, besides those that its benchmarks open.
    pub(super) files_to_run: Vec<PathBuf>,
}

impl ReadExecutable {
    fn new(executable: Executable, target: &Path) -> ReadExecutable {
        let bytes = fs::read(&executable.path).unwrap_or_default();
        let output_folders = cargo::named_folders(&executable.path, &bytes, target);
        let inputs = NamedInputs::find(&bytes, &executable);
        ReadExecutable { executable, bytes, hash: None, output_folders, inputs }
    }

    /// Reads as many executables as the limit allows.
    fn early(executables: Vec<Executable>, target: &Path) -> Vec<ReadExecutable> {
        let mut left = MAX_EARLY_BYTES;
        let executables = executables.into_iter().filter_map(|executable| {
            left = left.checked_sub(executable.path.metadata().ok()?.len())?;
            let read = ReadExecutable::new(executable, target);
            let hash = (!read.bytes.is_empty()).then(|| Fingerprint::of(&read.bytes));
            Some(ReadExecutable { hash, ..read })
        });
        executables.collect()
    }
}

impl FoundSurroundings {
    /// Starts to find the data files of a project while it is built, and to read the executables of the
    /// last build. The built-in benchmarks have none.
    pub(super) fn start(source: &Source, cargo: &CargoOptions) -> FoundSurroundings {
        let Some(project) = source.project() else { return FoundSurroundings::default() };
        let (root, target) = (project.root().to_owned(), project.target_directory().to_owned());
        let executables = project.last_executables(cargo).to_vec();
        let (sender, receiver) = mpsc::channel();
        let list = move || {
            // On a busy machine, a thread in the background may not be done in time.
            let data_files = DataFiles::find(&root, &target);
            background::enter();
            let early = ReadExecutable::early(executables, &target);
            // Nobody may be waiting any more.
            drop(sender.send((data_files, early)));
        };
        thread::spawn(list);
        FoundSurroundings { listing: Some(receiver), ..FoundSurroundings::default() }
    }

    /// Finds the surroundings of an executable, which is read once for all of them. Waits for the data
    /// files first, within limits.
    pub(super) fn find(&mut self, source: &Source, executable: &Executable) {
        self.receive_listing();
        let early = self.early.iter().position(|early| early.executable == *executable);
        let ReadExecutable { bytes, hash, output_folders, inputs, .. } = match early {
            Some(place) => self.early.swap_remove(place),
            None => {
                self.has_built = true;
                ReadExecutable::new(executable.clone(), source.target_directory())
            }
        };
        let inputs = source.project().map_or_else(Vec::new, |project| inputs.describe(project.root()));
        let named_files = |folder: &PathBuf| cargo::named_files_in(folder, &bytes);
        let mut files_to_run: Vec<PathBuf> = output_folders.iter().flat_map(named_files).collect();
        files_to_run.extend(executable.programs().map(Path::to_owned));
        let (folders, roots) = (executable.library_folders(), source.own_folders(executable));
        files_to_run.extend(code::foreign_libraries(&executable.path, &folders, &roots));
        self.of_executables.insert(executable.path.clone(), Surroundings { hash, inputs, files_to_run });
    }

    fn receive_listing(&mut self) {
        let Some(listing) = self.listing.take() else { return };
        match listing.recv_timeout(LISTING_TIME) {
            Ok((data_files, early)) => (self.data_files, self.early) = (data_files, early),
            Err(_) => warn(
                "benchmarks that read files run even if their code is the same: \
                 listing the files of the workspace takes too long",
            ),
        }
    }

    /// Returns the data files of the project after the build, if they are known.
    pub(super) fn take_data_files(&mut self, source: &Source) -> Option<DataFiles> {
        let data_files = self.data_files.take()?;
        match source.project().filter(|_| self.has_built) {
            Some(project) => DataFiles::find(project.root(), project.target_directory()),
            None => Some(data_files),
        }
    }

    /// Returns a fingerprint of all that is known to decide which benchmarks a program lists. `None` if
    /// a part of it is unknown. The data files are those from before the build: a listing that rests on
    /// newer ones is not found again.
    pub(super) fn of_listing(
        &self,
        source: &Source,
        executable: &Executable,
        session_options: &SessionOptions,
    ) -> Option<Fingerprint> {
        if !executable.passes_in_order() {
            return None;
        }
        let (root, data_files) = (source.project()?.root(), self.data_files.as_ref()?);
        let Surroundings { inputs, files_to_run, hash } = self.of(executable)?;
        let hash = hash.clone().or_else(|| Fingerprint::from_file(&executable.path).ok())?;
        let outside_files = OutsideFile::all(files_to_run);
        let all = format!("{root:?} {hash} {inputs:?} {outside_files:?} {data_files:?} {session_options:?}");
        Some(Fingerprint::of(all.as_bytes()))
    }

    /// Returns the surroundings of an executable. `None` if they weren't looked for.
    pub(super) fn of(&self, executable: &Executable) -> Option<&Surroundings> {
        self.of_executables.get(&executable.path)
    }
}
