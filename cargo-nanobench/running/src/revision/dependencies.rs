//! Compiled dependencies that a revision's build shares with other builds.
//!
//! Cargo finds the files of a unit by a hash of everything but its sources, and then takes it for up to
//! date if it comes from a registry or from git. So it is offered only units from outside of the tree, which
//! have the same sources in each build: those that cargo has downloaded, and packages of another path,
//! which it checks by the times of their files. All others, such as members and vendored ones, stay in a
//! build directory that only one revision has.

use crate::cargo::{Unit, unit_hash};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// A finished build.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) units: Vec<Unit>,
    pub(super) build_directory: PathBuf,
    /// The top folder of its tree.
    pub(super) top: PathBuf,
}

impl Compiled {
    /// Removes the units of packages in the tree.
    pub(super) fn retain_foreign(&mut self) {
        let Ok(top) = self.top.canonicalize() else { return self.units.clear() };
        let here = env::current_dir().unwrap_or_default();
        let cargo_home = cargo_config2::cargo_home_with_cwd(&here).and_then(|home| home.canonicalize().ok());
        // CI services may have cargo's folder in the tree, to cache it.
        let is_of_cargo = |package: &Path| {
            let is_in =
                |folder: &str| cargo_home.as_ref().is_some_and(|home| package.starts_with(home.join(folder)));
            is_in("registry") || is_in("git")
        };
        let is_foreign = |package: PathBuf| !package.starts_with(&top) || is_of_cargo(&package);
        self.units.retain(|unit| unit.package.canonicalize().is_ok_and(is_foreign));
    }

    /// Adds the units to another build directory. Cargo compiles those that can't be copied.
    pub(super) fn share(&self, build_directory: &Path) {
        let mut profiles: HashMap<&Path, HashSet<&str>> = HashMap::new();
        for unit in &self.units {
            profiles.entry(&unit.profile).or_default().insert(&unit.hash);
        }
        for (profile, units) in profiles {
            copy_units(&self.build_directory.join(profile), &build_directory.join(profile), units);
        }
    }
}

/// Copies units from the folder of a profile to another, unless they are there. Their fingerprints go
/// last: without these, cargo compiles what an interrupted copy has left.
fn copy_units(from: &Path, to: &Path, mut units: HashSet<&str>) {
    for (name, _) in entries(&to.join(".fingerprint")) {
        unit_hash(&name).map(|hash| units.remove(hash));
    }
    for folder in ["deps", "build", ".fingerprint"] {
        for (name, path) in entries(&from.join(folder)) {
            let Some(hash) = unit_hash(&name).filter(|hash| units.contains(hash)) else { continue };
            // The compiler replaces libraries, and writes everything else in place.
            let is_replaced = folder == "deps" && path.extension().is_none_or(|extension| extension != "d");
            if copy(&path, &to.join(folder).join(&name), is_replaced).is_err() {
                units.remove(hash);
            }
        }
    }
}

/// Copies a file or folder with the times of the files, which cargo compares. A file may become another
/// link to the same one.
fn copy(from: &Path, to: &Path, may_link: bool) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        return entries(from).into_iter().try_for_each(|(name, path)| copy(&path, &to.join(name), false));
    }
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    // An interrupted copy has left half of it.
    let _ = fs::remove_file(to);
    if may_link && fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    fs::copy(from, to)?;
    // Windows asks for the right to write, which a copy of a read-only file lacks elsewhere.
    let file = fs::File::options().read(true).write(cfg!(windows)).open(to)?;
    file.set_modified(from.metadata()?.modified()?)
}

fn entries(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 4] = ["deps/liba-1.rlib", "deps/a-1.d", "build/a-1/out/x", ".fingerprint/a-1/lib-a"];

    /// Makes a build with a unit of a package in this folder, and a file of another one.
    fn compiled(top: &Path, package: &Path) -> Compiled {
        for file in FILES.iter().chain(&["deps/libb-2.rlib"]) {
            let path = top.join("target/release").join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        let unit = Unit { profile: "release".into(), hash: "1".to_owned(), package: package.to_owned() };
        Compiled { units: vec![unit], build_directory: top.join("target"), top: top.to_owned() }
    }

    #[test]
    fn units_are_shared_with_the_times_of_their_files() {
        let [here, there] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let release = there.path().join("release");
        compiled(here.path(), here.path()).share(there.path());
        for file in FILES {
            let [one, other] = [here.path().join("target/release"), release.clone()]
                .map(|folder| folder.join(file).metadata().unwrap().modified().unwrap());
            assert_eq!(one, other, "{file}");
        }
        assert!(!release.join("deps/libb-2.rlib").exists());
        fs::write(release.join("deps/a-1.d"), "written in place").unwrap();
        assert_eq!(fs::read(here.path().join("target/release/deps/a-1.d")).unwrap(), b"deps/a-1.d");
    }

    #[test]
    fn what_an_interrupted_copy_left_is_replaced_and_what_is_complete_stays() {
        let [here, there] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let library = there.path().join("release/deps/liba-1.rlib");
        fs::create_dir_all(library.parent().unwrap()).unwrap();
        for expected in ["deps/liba-1.rlib", "half"] {
            fs::write(&library, "half").unwrap();
            compiled(here.path(), here.path()).share(there.path());
            assert_eq!(fs::read_to_string(&library).unwrap(), expected);
            fs::remove_file(&library).unwrap();
        }
    }

    #[test]
    fn units_of_the_tree_are_not_foreign() {
        let [here, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let is_foreign = |package: &Path| {
            let mut compiled = compiled(here.path(), package);
            compiled.retain_foreign();
            !compiled.units.is_empty()
        };
        assert!(is_foreign(elsewhere.path()));
        assert!(!is_foreign(&here.path().join("target")), "in the tree");
        assert!(!is_foreign(&elsewhere.path().join("gone")));
    }
}
