//! What the comparison of two executables rests on outside of them, beside a saved run or another
//! revision.

use crate::baseline::{
    self, InputName, NamedInputs, OutsideFile, contain, generated_files, is_for_all_programs, variables,
};
use crate::cargo::Executable;
use crate::code::{self, IS_MACHINE_CODE_COMPARED, LoadedSections};
use crate::environment::ChangedFile;
use crate::experiment::{Premise, State, Subject, Unknown};
use crate::fingerprint::Fingerprint;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// An executable of a saved run, and the one that has its benchmarks now.
pub(super) struct SavedPair<'a> {
    pub(super) before: &'a baseline::Executable,
    pub(super) now: &'a baseline::Executable,
    /// The copy of the saved one, if it can run here.
    pub(super) copy: Option<&'a Path>,
    pub(super) harness: &'a Executable,
}

impl SavedPair<'_> {
    /// Returns the premises of the benchmarks of these executables. `root`: the workspace's. `changed_data`:
    /// the data files that have changed since; `None` if that is unknown.
    pub(super) fn premises(&self, root: &Path, changed_data: Option<&[ChangedFile]>) -> Vec<Premise> {
        let mut premises = vec![Premise::new(Subject::Libraries, self.libraries())];
        let changed = self.before.outside_files.iter().filter_map(OutsideFile::changed);
        let (loaded, opened): (Vec<&Path>, Vec<&Path>) =
            changed.partition(|file| self.copy.is_some_and(|copy| loads(copy, file)));
        let shared = |files: Vec<&Path>| State::shared(files.into_iter().map(name_text).collect());
        premises.push(Premise::new(Subject::Libraries, shared(loaded)));
        premises.push(Premise::new(Subject::Programs, shared(opened)));
        let inputs = self.changed_inputs(root);
        for subject in [Subject::NamedFiles, Subject::Variables, Subject::VariablesOfAll] {
            let of_subject = |inputs: &Vec<InputName>| {
                let names = inputs.iter().filter(|name| subject_of(name) == subject);
                State::shared(names.map(InputName::to_string).collect())
            };
            let state = inputs.as_ref().map_or(State::Unknown(Unknown::NotNoted), of_subject);
            premises.push(Premise::new(subject, state));
        }
        premises.extend(self.data(changed_data));
        premises.push(Premise::new(Subject::System, State::Unknown(Unknown::Calls)));
        once(premises)
    }

    /// Returns the premises that are about data files.
    fn data(&self, changed: Option<&[ChangedFile]>) -> Vec<Premise> {
        // Elsewhere, nobody knows if a benchmark reads any that its executable doesn't name.
        let counts_unnamed = IS_MACHINE_CODE_COMPARED || self.before.hash == self.now.hash;
        let Some(changed) = changed else {
            let unknown = |subject| Premise::new(subject, State::Unknown(Unknown::NoCommit));
            let subjects = [Subject::OtherFiles, Subject::Folders].into_iter();
            return subjects.filter(|_| counts_unnamed).map(unknown).collect();
        };
        let (unnamed, others): (Vec<&ChangedFile>, Vec<&ChangedFile>) =
            changed.iter().partition(|changed| counts_unnamed && changed.may_be_unnamed());
        // A benchmark that lists a folder also gets the names of files that its executable doesn't have.
        let listed = changed.iter().filter(|it| it.is_other_listing || !it.may_be_unnamed());
        let folders: BTreeSet<&str> = listed.map(|it| folder_of(&it.file)).collect();
        let folder_text = |folder: &str| match folder {
            "" => "workspace's folder".to_owned(),
            folder => format!("folder {folder}"),
        };
        let files = |files: Vec<&ChangedFile>| files.into_iter().map(|it| it.file.clone()).collect();
        let shared = |subject, names| Premise::new(subject, State::shared(names));
        vec![
            shared(Subject::NamedFiles, files(self.named(others))),
            shared(Subject::OtherFiles, files(unnamed)),
            shared(Subject::Folders, folders.into_iter().map(folder_text).collect()),
        ]
    }

    /// Returns the files whose names are in one of the executables.
    fn named<'c>(&self, files: Vec<&'c ChangedFile>) -> Vec<&'c ChangedFile> {
        if files.is_empty() {
            return files;
        }
        let paths = [self.copy, Some(&*self.harness.path)].into_iter().flatten();
        let executables: Vec<Vec<u8>> = paths.map(|path| fs::read(path).unwrap_or_default()).collect();
        let data = executables.iter().flat_map(|bytes| LoadedSections::new(bytes).data);
        let data: Vec<&[u8]> = data.collect();
        files.into_iter().filter(|it| contain(&data, name_of(&it.file))).collect()
    }

    /// Compares the libraries of the workspace, which each side has its own copies of, and the names of all
    /// libraries.
    fn libraries(&self) -> State {
        let SavedPair { before, now, .. } = self;
        let different = before.libraries.iter().filter(|library| !now.libraries.contains(library));
        let different: Vec<String> = different.map(|library| library.file.clone().into()).collect();
        let have_other_names = IS_MACHINE_CODE_COMPARED
            && before.hash != now.hash
            && self.copy.is_some_and(|copy| !code::loads_same_libraries([copy, &self.harness.path]));
        match different.is_empty() && (have_other_names || before.libraries.len() != now.libraries.len()) {
            true => State::Separate(vec!["other libraries".to_owned()]),
            false => State::separate(different),
        }
    }

    /// Returns what both executables name, and what has changed since. `None` if that wasn't noted.
    fn changed_inputs(&self, root: &Path) -> Option<Vec<InputName>> {
        let known = self.now.inputs.clone().filter(|_| self.before.hash == self.now.hash);
        let find = || {
            let bytes = fs::read(self.copy?).ok()?;
            Some(NamedInputs::find(&bytes, self.harness).describe(root))
        };
        let now = known.or_else(find)?;
        Some(baseline::changed_inputs(self.before.inputs.as_ref()?, &now))
    }
}

/// Returns whether an executable loads a library of this name by itself.
fn loads(executable: &Path, library: &Path) -> bool {
    code::loads_any_of(executable, &[Path::new(name(library))])
}

fn subject_of(input: &InputName) -> Subject {
    match input {
        InputName::File(_) => Subject::NamedFiles,
        InputName::Variable(name) if is_for_all_programs(name) => Subject::VariablesOfAll,
        InputName::Variable(_) => Subject::Variables,
    }
}

/// Returns the name of a file, without its folders.
fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn folder_of(path: &str) -> &str {
    path[..path.len() - name_of(path).len()].trim_end_matches('/')
}

/// A tree with a build of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tree<'a> {
    pub(super) executable: &'a Executable,
    /// The folder of the workspace.
    pub(super) root: &'a Path,
}

/// Returns the premises of the benchmarks of two builds: each runs in its own tree. `shared_files`: the
/// files that both would run. `packages`: those outside of the repository that both are built from.
/// `has_same_files`: the tracked files are the same. `untracked`: those that only the second one has.
pub(super) fn of_builds(
    trees: [Tree<'_>; 2],
    shared_files: &[PathBuf],
    packages: &[PathBuf],
    has_same_files: bool,
    untracked: &[String],
) -> Vec<Premise> {
    let separate = |subject, names| Premise::new(subject, State::separate(names));
    let other_files = if has_same_files { Vec::new() } else { vec!["tracked files".to_owned()] };
    let shared = shared_files.iter().map(|file| name_text(file)).collect();
    let packages = packages.iter().map(|folder| folder.display().to_string()).collect();
    let mut premises = vec![
        Premise::new(Subject::Packages, State::shared(packages)),
        separate(Subject::Libraries, differing(trees.map(|tree| tree.libraries()))),
        Premise::new(Subject::Programs, State::shared(shared)),
        separate(Subject::Programs, differing(trees.map(|tree| tree.programs()))),
        separate(Subject::NamedFiles, differing(trees.map(|tree| tree.generated_files()))),
        separate(Subject::OtherFiles, other_files),
        separate(Subject::Folders, untracked.to_vec()),
        Premise::new(Subject::System, State::Unknown(Unknown::Calls)),
    ];
    let [there, here] = trees.map(|tree| tree.variables());
    for (subject, is_of_all) in [(Subject::Variables, false), (Subject::VariablesOfAll, true)] {
        let names = differing([&there, &here].map(Clone::clone));
        let names = names.into_iter().filter(|name| is_for_all_programs(name) == is_of_all).collect();
        premises.push(separate(subject, names));
    }
    premises.extend(trees.iter().any(Tree::names_its_root).then(|| path(trees.map(|tree| tree.root))));
    once(premises)
}

/// Leaves out what is equal of subjects of which something else isn't, or that were looked at before.
fn once(premises: Vec<Premise>) -> Vec<Premise> {
    let is_needed = |(at, premise): &(usize, Premise)| {
        let others = premises.iter().enumerate().filter(|(_, other)| other.subject == premise.subject);
        let mut others = others.filter(|(other_at, _)| other_at != at);
        premise.state != State::Equal
            || !others.any(|(other_at, other)| other.state != State::Equal || other_at < *at)
    };
    premises.clone().into_iter().enumerate().filter(is_needed).map(|(_, premise)| premise).collect()
}

/// Returns the premise that both paths take the same time to follow.
fn path(roots: [&Path; 2]) -> Premise {
    let [there, here] = roots.map(|root| (root.as_os_str().len(), root.components().count()));
    let text = || {
        format!(
            "a path of {} parts instead of {}, of {} bytes instead of {}",
            there.1, here.1, there.0, here.0
        )
    };
    Premise::new(Subject::Path, State::separate((there != here).then(text).into_iter().collect()))
}

/// Returns the names that are not the same on both sides.
fn differing<T: PartialEq>([one, other]: [BTreeMap<String, T>; 2]) -> Vec<String> {
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    names.into_iter().filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}

impl Tree<'_> {
    /// Returns the libraries that the executable loads, apart from those of the system.
    fn libraries(&self) -> BTreeMap<String, Option<Fingerprint>> {
        let libraries =
            code::foreign_libraries(&self.executable.path, &self.executable.library_folders(), &[]);
        libraries.into_iter().map(|path| (name_text(&path), Fingerprint::from_file(&path).ok())).collect()
    }

    /// Returns the programs of its package.
    fn programs(&self) -> BTreeMap<String, Option<Fingerprint>> {
        let programs = self.executable.programs();
        programs.map(|path| (name_text(path), Fingerprint::from_file(path).ok())).collect()
    }

    /// Returns the files that build scripts have made, and whose folders the executable names. Folders have
    /// names with a hash.
    fn generated_files(&self) -> BTreeMap<String, Option<Fingerprint>> {
        let bytes = fs::read(&self.executable.path).unwrap_or_default();
        let files = generated_files(&self.executable.path, &bytes);
        let name = |path: &Path| {
            let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            let at = parts.iter().rposition(|part| part == "out").unwrap_or(0);
            let unit = at.checked_sub(1).map_or("", |at| &parts[at]);
            let package = unit.rsplit_once('-').map_or(unit, |(package, _)| package);
            format!("{package}/{}", parts[at..].join("/"))
        };
        files.into_iter().map(|path| (name(&path), Fingerprint::of_path(&path))).collect()
    }

    /// Returns the variables that it gets, with the tree's path left out of their values.
    fn variables(&self) -> BTreeMap<String, String> {
        let root = self.root.to_string_lossy();
        let variables = variables(self.executable).into_iter();
        variables.map(|(name, value)| (name, value.to_string_lossy().replace(&*root, ""))).collect()
    }

    /// Returns whether the executable contains the path of its tree.
    fn names_its_root(&self) -> bool {
        let bytes = fs::read(&self.executable.path).unwrap_or_default();
        let loaded = LoadedSections::new(&bytes);
        let root = self.root.as_os_str().as_encoded_bytes();
        loaded.data.iter().any(|section| memchr::memmem::find(section, root).is_some())
    }
}

fn name(path: &Path) -> &std::ffi::OsStr {
    path.file_name().unwrap_or(path.as_os_str())
}

fn name_text(path: &Path) -> String {
    name(path).to_string_lossy().into_owned()
}
