//! What the comparison of two executables rests on outside of them, beside a saved run or another
//! revision.

use super::inputs::{ProjectInputs, generated_files};
use crate::baseline::{self, Input, InputName, OutsideFile, is_for_all_programs};
use crate::cargo::Executable;
use crate::code::{self, IS_MACHINE_CODE_COMPARED};
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
    /// Returns the premises of the benchmarks of these executables. `changed_data`: the tracked files that
    /// may be data and have changed since; `None` if that is unknown.
    pub(super) fn premises(
        &self,
        project: Option<&ProjectInputs>,
        changed_data: Option<&[InputName]>,
    ) -> Vec<Premise> {
        let mut premises = vec![Premise::new(Subject::Libraries, self.libraries())];
        let changed = self.before.outside_files.iter().filter_map(OutsideFile::changed);
        let (loaded, opened): (Vec<&Path>, Vec<&Path>) =
            changed.partition(|file| self.copy.is_some_and(|copy| loads(copy, file)));
        let shared = |files: Vec<&Path>| State::shared(files.into_iter().map(name_text).collect());
        premises.push(Premise::new(Subject::Libraries, shared(loaded)));
        premises.push(Premise::new(Subject::Programs, shared(opened)));
        let [before, now] = self.inputs(project);
        let inputs = before.zip(now);
        let are_listed = |what| {
            let is_listed = |inputs: &[Input]| !inputs.iter().any(|input| input.stands_for(what));
            inputs.as_ref().is_some_and(|(before, now)| is_listed(before) && is_listed(now))
        };
        let changed = inputs.as_ref().map(|(before, now)| baseline::changed_inputs(before, now));
        let of_subject = |subject| {
            let Some(changed) = &changed else { return State::Unknown(Unknown::NotNoted) };
            let is_listed = match subject {
                Subject::NamedFiles => are_listed("files"),
                Subject::Folders => are_listed("folders"),
                _ => true,
            };
            if !is_listed {
                return State::Unknown(Unknown::TooMany);
            }
            let names = changed.iter().filter(|name| subject_of(name) == Some(subject));
            State::shared(names.map(InputName::to_string).collect())
        };
        for subject in [Subject::NamedFiles, Subject::Folders, Subject::Variables, Subject::VariablesOfAll] {
            premises.push(Premise::new(subject, of_subject(subject)));
        }
        // Elsewhere, nobody knows if a benchmark reads any.
        if IS_MACHINE_CODE_COMPARED || self.before.hash == self.now.hash {
            let state = match changed_data {
                Some(files) => State::shared(files.iter().map(InputName::to_string).collect()),
                // The folders have all contents then.
                None if project.is_some_and(|project| !project.is_tracked()) => of_subject(Subject::Folders),
                None => State::Unknown(Unknown::NoCommit),
            };
            premises.push(Premise::new(Subject::OtherFiles, state));
        }
        premises.push(Premise::new(Subject::System, State::Unknown(Unknown::Calls)));
        once(premises)
    }

    /// Compares the libraries of the workspace, which each side has its own copies of, and the names of all
    /// libraries.
    fn libraries(&self) -> State {
        let SavedPair { before, now, .. } = self;
        let different = before.libraries.iter().filter(|library| !now.libraries.contains(library));
        let different: Vec<String> = different.map(|library| library.file.to_string()).collect();
        let have_other_names = IS_MACHINE_CODE_COMPARED
            && before.hash != now.hash
            && self.copy.is_some_and(|copy| !code::loads_same_libraries([copy, &self.harness.path]));
        match different.is_empty() && (have_other_names || before.libraries.len() != now.libraries.len()) {
            true => State::Separate(vec!["other libraries".to_owned()]),
            false => State::separate(different),
        }
    }

    /// Returns what its benchmarks may have read then, and what they may read now.
    fn inputs(&self, project: Option<&ProjectInputs>) -> [Option<Vec<Input>>; 2] {
        let known = self.now.inputs.clone().filter(|_| self.before.hash == self.now.hash);
        let find = || Some(project?.of(&fs::read(self.copy?).ok()?, self.harness));
        [self.before.inputs.clone(), known.or_else(find)]
    }
}

/// Returns whether an executable loads a library of this name by itself.
fn loads(executable: &Path, library: &Path) -> bool {
    code::loads_any_of(executable, &[Path::new(name(library))])
}

fn subject_of(input: &InputName) -> Option<Subject> {
    Some(match input {
        InputName::File(_) => Subject::NamedFiles,
        InputName::Folder(_) => Subject::Folders,
        InputName::Variable(name) if is_for_all_programs(name) => Subject::VariablesOfAll,
        InputName::Variable(_) => Subject::Variables,
        InputName::TooMany(_) => return None,
    })
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
        let variables = super::inputs::variables(self.executable).into_iter();
        variables.map(|(name, value)| (name, value.to_string_lossy().replace(&*root, ""))).collect()
    }

    /// Returns whether the executable contains the path of its tree.
    fn names_its_root(&self) -> bool {
        let bytes = fs::read(&self.executable.path).unwrap_or_default();
        let loaded = code::LoadedSections::new(&bytes);
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
