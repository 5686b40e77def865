//! Tests of the store on a real disk, and their fixture.

mod archives;
mod damage;
mod format;
mod invalid_archives;
mod merging;
mod moving;
mod previous_run;
mod run_order;
mod saving;

use super::stored_measurement::StoredMeasurement;
use super::*;
use crate::earlier_comparison::{EarlierComparison, Ratios};
use crate::environment::{Checkout, Environment};
use machine_code::code::TimedLoop;
use nanobench::model::{BenchmarkSpec, ClockInfo, Launch, Measurement, Sample};
use project::fixtures::{id, row_id};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Returns the path of an executable that would run in comparisons.
fn runnable_executable(saved: &LoadedBaseline, executable: &Executable) -> Option<PathBuf> {
    saved.runnable_copy(executable)?.into_intact()
}

/// Returns a run of these executables, to be saved under these names.
fn to_save(paths: Vec<PathBuf>, names: &[BaselineRef], benchmarks: usize) -> RunToSave {
    let executables = paths.into_iter().map(|path| BuiltExecutable { path, ..BuiltExecutable::default() });
    let (executables, names) = (executables.collect(), names.to_vec());
    RunToSave { names, executables, benchmarks, ..RunToSave::default() }
}

/// A target directory with two executables in it.
struct Fixture {
    folder: TempDir,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deps")).unwrap();
        fs::write(folder.path().join("deps/first-1"), "first").unwrap();
        fs::write(folder.path().join("deps/second-2"), "second!").unwrap();
        Fixture { folder }
    }

    fn target(&self) -> &Path {
        self.folder.path()
    }

    fn store(&self) -> Store {
        Store::open(self.target(), self.target())
    }

    fn root(&self) -> PathBuf {
        self.target().join("nanobench")
    }

    /// Returns the record of a saved run.
    fn json(&self, name: &str) -> PathBuf {
        let reference = name.parse().unwrap();
        let pointer = self.store().pointer(&reference).unwrap();
        self.root().join("runs").join(&pointer.get(&reference).expect(name).record)
    }

    fn built(&self) -> Vec<PathBuf> {
        ["first-1", "second-2"].map(|file| self.target().join("deps").join(file)).to_vec()
    }

    /// Returns a run of the built executables, to be saved under these names.
    fn to_save(&self, names: &[BaselineRef], benchmarks: usize) -> RunToSave {
        to_save(self.built(), names, benchmarks)
    }

    fn save(&self, names: &[BaselineRef], benchmarks: usize) -> Result<(), Error> {
        let store = self.store();
        let lock = store.lock(&|| false)?;
        let staged = lock.stage(self.to_save(names, benchmarks), &[])?;
        let benchmarks = (0..benchmarks).map(|i| benchmark(&format!("b{i}"), Some(0)));
        staged.commit(environment(), benchmarks.collect(), None)
    }

    /// Writes the record of a run, which gets a name if it has none.
    fn plant(&self, name: &str, text: &str) {
        let file = self.root().join("names").join(format!("{name}.json"));
        if !file.exists() {
            let pointer =
                format!(r#"{{"run": {{"record": "of {name}.json", "blobs": []}}, "previous": null}}"#);
            ["names", "runs"].iter().for_each(|folder| fs::create_dir_all(self.root().join(folder)).unwrap());
            fs::write(file, pointer).unwrap();
        }
        let path = name.parse::<BaselineRef>().map(|_| self.json(name));
        fs::write(path.unwrap_or_else(|_| self.root().join("runs/unnamed.json")), text).unwrap();
    }

    /// Returns the copy of an executable that was saved under a name.
    fn copy(&self, name: &str, index: usize) -> PathBuf {
        let saved = self.store().load(&name.parse().unwrap()).unwrap();
        saved.copy_path(&saved.baseline.executables[index])
    }

    /// Returns the number of executables in the store.
    fn number_of_executables(&self) -> usize {
        let is_executable = |file: &&String| file.starts_with("blobs/") && !file.contains('.');
        self.files().iter().filter(is_executable).count()
    }

    /// Returns the paths of all files and folders of the store except the lock.
    fn files(&self) -> Vec<String> {
        fn walk(folder: &Path, root: &Path, files: &mut Vec<String>) {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                files.push(path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"));
                walk(&path, root, files);
            }
        }
        let mut files = Vec::new();
        walk(&self.root(), &self.root(), &mut files);
        files.retain(|file| !["lock", "workspace", "names", "runs", "blobs", "imports"].contains(&&**file));
        files.sort();
        files
    }
}

fn named(name: &str) -> BaselineRef {
    BaselineRef::Named(name.parse().unwrap())
}

fn environment() -> Environment {
    let commit = Checkout { hash: "3f2a91c0d1e2".to_owned(), branch: Some("main".to_owned()), dirty: false };
    Environment { commit: Some(commit), cores: Some(2), ..Environment::default() }
}

fn comparison() -> EarlierComparison {
    EarlierComparison {
        baseline: "main".to_owned(),
        sentence: "slower by 4 %".to_owned(),
        change: Some(0.04),
        interval: Some([0.03, 0.05]),
        launch_noise: Some(0.003),
        ratios: Ratios { changes: vec![0.041, 0.039], aa: vec![-0.001, 0.001] },
    }
}

pub(super) fn benchmark(function: &str, executable: Option<usize>) -> StoredBenchmark {
    let sample = |round: u64| Sample {
        iterations: 1000 + round,
        elapsed: 21_400 + round,
        segments: 1,
        reference: 9_000 + round,
        round,
    };
    let launch = |samples: u64| Launch {
        clock: ClockInfo {
            name: "os".to_owned(),
            frequency: 1e9,
            resolution: 1.0,
            read_cost: 25.5,
            ..ClockInfo::default()
        },
        segment_cost: 21.5,
        empty_loop: 0.25,
        samples: (0..samples).map(sample).collect(),
    };
    StoredBenchmark {
        target: id("my-crate::first::f").target,
        executable,
        earlier_run: None,
        timed_loop: Some(TimedLoop::Work),
        comparison: Some(comparison()),
        benchmark: BenchmarkSpec {
            id: row_id(function),
            description: "Two strings.".to_owned(),
            file: "benches/first.rs".to_owned(),
            line: 5,
            ignored: false,
            takes_count: false,
            unroll: 1,
            ..BenchmarkSpec::default()
        },
        measurement: StoredMeasurement::from(Measurement {
            count: 1,
            unroll: 1,
            launches: vec![launch(31), launch(0), launch(1)],
            ..Measurement::default()
        }),
    }
}
