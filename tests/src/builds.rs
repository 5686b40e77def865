//! Build directories (cargo's `build.build-dir`), all of which begin with the same compiled
//! dependencies.
//!
//! Cargo lets only one command at a time use a build directory. So unedited copies of a fixture share
//! one, in which their executables are built once, and every other copy has one of its own.

use crate::fixture::{Fixture, copy_with_times};
use crate::invocation::Invocation;
use crate::product::folder_of_the_product;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The fixture with which the dependencies are built.
const SEED: &str = "simple";

/// A build directory that nobody else uses, or that unedited copies of a fixture share.
pub(crate) struct BuildDirectory {
    path: PathBuf,
    /// Held for as long as the directory has one user.
    _lock: Option<File>,
}

impl BuildDirectory {
    /// Returns the build directory of all unedited copies of a fixture.
    pub(crate) fn shared(fixture: &str) -> Self {
        let path = folder().join(fixture);
        let lock = lock_file(&path);
        lock.lock().expect("a lock");
        if fs::read_to_string(path.join("dependencies")).ok().as_ref() != Some(&SEEDS.stamp) {
            SEEDS.plant(&path).expect("compiled dependencies can be copied");
        }
        Self { path, _lock: None }
    }

    /// Returns a build directory that nobody else uses until this value is dropped.
    pub(crate) fn own() -> Self {
        let mut paths = (1..).map(|number| folder().join(format!("own-{number}")));
        let free = paths.find_map(|path| {
            let lock = lock_file(&path);
            lock.try_lock().ok().map(|()| (path, lock))
        });
        let (path, lock) = free.expect("there are many numbers");
        SEEDS.plant(&path).expect("compiled dependencies can be copied");
        Self { path, _lock: Some(lock) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns the folder of all build directories.
fn folder() -> PathBuf {
    folder_of_the_product().with_file_name("fixtures")
}

/// Opens the file whose lock is that of a build directory.
fn lock_file(directory: &Path) -> File {
    fs::create_dir_all(folder()).expect("a folder for builds");
    let file =
        File::options().create(true).truncate(false).write(true).open(directory.with_extension("lock"));
    file.expect("a file to lock")
}

/// The compiled dependencies, once for each process of tests.
static SEEDS: LazyLock<Seeds> = LazyLock::new(Seeds::build);

/// The dependencies of the fixtures, compiled for both profiles.
struct Seeds {
    /// The build directory of each profile, with the name of the profile's folder.
    seeds: [(PathBuf, &'static str); 2],
    /// Changes whenever one of them is compiled again.
    stamp: String,
}

impl Seeds {
    /// Builds both profiles at once, unless that is done.
    fn build() -> Self {
        let seeds = ["release", "debug"].map(|profile| (folder().join(format!("seed-{profile}")), profile));
        let lock = lock_file(&seeds[0].0);
        lock.lock().expect("a lock");
        let copy = Fixture::of(SEED);
        let by_tool = copy.nanobench_into(&seeds[0].0, "--list");
        // Cargo locks the target directory, too.
        let by_cargo = copy.cargo_into(&seeds[1].0, "test --benches --no-run --target-dir other");
        let running = [by_tool, by_cargo].map(Invocation::start);
        for command in running {
            command.finish().exits(0);
        }
        let mut times: Vec<String> =
            seeds.iter().flat_map(|(seed, profile)| times(&seed.join(profile))).collect();
        times.sort();
        Self { seeds, stamp: times.join("\n") }
    }

    /// Makes a build directory in which nothing but the dependencies is built.
    fn plant(&self, directory: &Path) -> io::Result<()> {
        if directory.exists() {
            fs::remove_dir_all(directory)?;
        }
        for (seed, profile) in &self.seeds {
            copy_units(&seed.join(profile), &directory.join(profile))?;
        }
        fs::write(directory.join("dependencies"), &self.stamp)
    }
}

/// Returns the names of the dependencies' units, with the times at which they were built.
fn times(profile: &Path) -> Vec<String> {
    let units = names(&profile.join(".fingerprint")).into_iter().filter(|name| !is_of_seed(name));
    let time = |unit: String| {
        let file = profile.join(".fingerprint").join(&unit).join("invoked.timestamp");
        let time = file.metadata().and_then(|file| file.modified());
        format!("{unit} {time:?}")
    };
    units.map(time).collect()
}

/// Copies the units of the dependencies, with the times of their files.
fn copy_units(from: &Path, to: &Path) -> io::Result<()> {
    let units = names(&from.join(".fingerprint"));
    let kept: HashSet<&str> =
        units.iter().filter(|name| !is_of_seed(name)).filter_map(|name| hash(name)).collect();
    for folder in ["deps", "build", ".fingerprint"] {
        fs::create_dir_all(to.join(folder))?;
        for name in names(&from.join(folder)) {
            if !hash(&name).is_some_and(|hash| kept.contains(hash)) {
                continue;
            }
            let [from, to] = [from, to].map(|profile| profile.join(folder).join(&name));
            // The compiler replaces libraries, and writes everything else in place.
            let is_replaced = folder == "deps" && from.extension() != Some(OsStr::new("d"));
            if !is_replaced || fs::hard_link(&from, &to).is_err() {
                copy_with_times(&from, &to)?;
            }
        }
    }
    Ok(())
}

/// Returns whether a unit is one of the fixture's own.
fn is_of_seed(unit: &str) -> bool {
    unit.strip_prefix(SEED).is_some_and(|rest| rest.starts_with('-'))
}

/// Returns the hash at the end of the name of a unit's file or folder.
fn hash(name: &str) -> Option<&str> {
    let (_, end) = name.rsplit_once('-')?;
    end.split('.').next()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}
