//! A random system call fails, or kills the tool. Whatever happens, what is saved stays whole: the
//! old state or the new one.
//!
//! `NANOBENCH_FAULT_SECONDS` is the time for it, and `NANOBENCH_FAULT_SEED` repeats the faults of a
//! seed, which every failure prints.
#![cfg(target_os = "linux")]

use nanobench_tests::{Fixture, Outcome, copy_with_times, repository};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Errors that a file system returns: EIO, EACCES, EXDEV, EMFILE, ENOSPC, EROFS, EDQUOT.
const ERRORS: [u32; 7] = [5, 13, 18, 24, 28, 30, 122];
/// Runs as brief as possible.
const BRIEF: &str = "--min-time 1ms --max-time 2ms outside";

/// A command with the states of the store that it may leave.
struct Change {
    arguments: String,
    /// The names that it may create, replace or remove.
    touches: &'static [&'static str],
}

fn changes() -> Vec<Change> {
    let change = |arguments: &str, touches| Change { arguments: arguments.to_owned(), touches };
    vec![
        change(&format!("--save-baseline main {BRIEF}"), &["main", "main~1", "last"]),
        change(BRIEF, &["last"]),
        change("baseline export main exported.tar.gz", &[]),
        change("baseline import kept.tar.gz --name main --use-executables", &["main", "main~1"]),
        change("baseline import kept.tar.gz --name new", &["new"]),
        change("baseline remove main", &["main"]),
        change("baseline rename main renamed", &["main", "main~1", "renamed", "renamed~1"]),
        change("baseline prune --keep 1", &["main", "main~1", "other"]),
    ]
}

#[test]
fn a_failing_system_call_never_damages_the_store() {
    let number = |name: &str| std::env::var(name).ok().map(|value| value.parse().expect(name));
    let seed = number("NANOBENCH_FAULT_SEED").unwrap_or_else(|| u64::from(std::process::id()));
    let limit = Duration::from_secs(number("NANOBENCH_FAULT_SECONDS").unwrap_or(3));
    let faults = Faults::new();
    let mut random = nanobench::Rng::with_seed(seed);
    println!("NANOBENCH_FAULT_SEED={seed}");
    let with_calls = |change| (faults.calls_of(&change), change);
    let changes: Vec<(u64, Change)> = changes().into_iter().map(with_calls).collect();
    let (start, mut outcomes) = (Instant::now(), BTreeMap::<&str, u32>::new());
    while start.elapsed() < limit {
        let (calls, change) = &changes[random.next_u64() as usize % changes.len()];
        let call = 1 + random.next_u64() % calls;
        let fault = match random.next_u64() % 10 {
            0..4 => format!("kill:{call}"),
            4 => format!("full:{call}"),
            _ => format!("{}:{call}", ERRORS[random.next_u64() as usize % ERRORS.len()]),
        };
        let outcome = match faults.strike(change, &fault) {
            None => "killed",
            Some(0) => "succeeded nevertheless",
            Some(_) => "failed",
        };
        *outcomes.entry(outcome).or_default() += 1;
    }
    println!("{outcomes:?}");
}

/// A fixture with a store, to which everything is put back after each fault.
struct Faults {
    fixture: Fixture,
    library: PathBuf,
    saved: PathBuf,
    /// The state that is put back.
    before: State,
}

impl Faults {
    fn new() -> Faults {
        let fixture = Fixture::of("tally");
        let library = fixture.files().join("libfaults.so");
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.args(["--edition", "2024", "-O", "--crate-type", "cdylib", "-C", "panic=abort", "-o"]);
        let compiled = rustc.arg(&library).arg(repository().join("tests/faults/preload.rs")).output();
        let compiled = compiled.expect("rustc starts");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        for name in ["main", "main", "other"] {
            fixture.nanobench(&format!("--save-baseline {name} {BRIEF}")).run().exits(0);
        }
        fixture.nanobench("baseline export other kept.tar.gz").run().exits(0);
        let saved = fixture.files().join("saved");
        copy_with_times(&fixture.stored(""), &saved).expect("the store can be copied");
        let mut faults = Faults { fixture, library, saved, before: State::new() };
        faults.before = faults.store();
        faults
    }

    /// Puts the store back as it was.
    fn restore(&self) {
        fs::remove_dir_all(self.fixture.stored("")).expect("the store can be removed");
        copy_with_times(&self.saved, &self.fixture.stored("")).expect("the store can be copied");
        // There may be none.
        let _ = fs::remove_file(self.fixture.path("exported.tar.gz"));
    }

    fn run(&self, arguments: &str, fault: &str) -> Outcome {
        let run = self.fixture.nanobench(arguments).env("LD_PRELOAD", &self.library);
        run.env("NANOBENCH_FAULT", fault).run()
    }

    /// Returns the number of system calls of a command that may fail.
    fn calls_of(&self, change: &Change) -> u64 {
        let counted = self.fixture.files().join("counted");
        let _ = fs::remove_file(&counted);
        self.run(&change.arguments, &format!("count:{}", counted.display())).exits(0);
        self.restore();
        let calls = counted.metadata().expect("the calls were counted").len();
        assert!(calls > 0, "{} makes no system call", change.arguments);
        calls
    }

    /// Runs a command with a fault, and then looks at what it leaves. Returns its exit code.
    fn strike(&self, change: &Change, fault: &str) -> Option<i32> {
        let before = &self.before;
        let run = self.run(&change.arguments, fault);
        let context = format!("NANOBENCH_FAULT={fault}, {run}");
        assert!(!run.stderr().contains("panicked at"), "{context}");
        match run.code() {
            // SIGKILL.
            None => assert!(fault.starts_with("kill:"), "{context}"),
            Some(0) => {}
            // 101: sources that can't be read seem to have changed, so that cargo should have built them
            // again.
            Some(code @ (1..=6 | 101)) => {
                let explains = run.stderr().contains("error: ") || run.stdout().contains("failed");
                assert!(explains, "code {code} without a reason: {context}");
            }
            Some(_) => panic!("an unknown exit code: {context}"),
        }
        let after = self.store();
        for (name, content) in before {
            let may_change = change.touches.contains(&name.as_str());
            let is_same = after.get(name) == Some(content);
            assert!(is_same || may_change, "`{name}` changed: {context}");
        }
        for name in after.keys().filter(|name| !before.contains_key(*name)) {
            assert!(change.touches.contains(&name.as_str()), "`{name}` is new: {context}");
        }
        self.assert_nothing_lost(change, &after, &context);
        self.assert_goes_on(&context);
        self.restore();
        run.code()
    }

    /// A result that was replaced is kept under another name, unless it was to be removed.
    fn assert_nothing_lost(&self, change: &Change, after: &State, context: &str) {
        let before = &self.before;
        let removes = ["remove", "prune"].iter().any(|word| change.arguments.contains(word));
        let is_kept = after.values().any(|content| *content == before["main"]);
        assert!(removes || is_kept, "`main` is lost: {context}");
        let archive = self.fixture.path("exported.tar.gz");
        if archive.exists() {
            let import = self.fixture.nanobench("baseline import exported.tar.gz --name probe").run();
            assert_eq!(import.code(), Some(0), "half an archive is left: {context}\n{import}");
            self.fixture.nanobench("baseline remove probe").run().exits(0);
        }
    }

    /// A following run works, and tidies up what an earlier one has left.
    fn assert_goes_on(&self, context: &str) {
        let next = self.fixture.nanobench(&format!("--save-baseline main {BRIEF}")).run();
        assert_eq!(next.code(), Some(0), "the next run fails: {context}\n{next}");
        let shown = self.fixture.nanobench("baseline show main").run();
        shown.exits(0).prints("1 kept").never_says("missing");
        let left = hidden(&self.fixture.stored(""));
        assert_eq!(left, Vec::<PathBuf>::new(), "the next run leaves these: {context}");
    }

    /// Returns the baselines that the tool lists, and the last run. All must be readable, with
    /// their executables.
    fn store(&self) -> State {
        let listed = self.fixture.nanobench("baseline list --format json").run();
        let list: serde_json::Value = serde_json::from_str(&listed.exits(0).stdout()).expect("JSON");
        let names = list["baselines"].as_array().expect("a list").iter().map(|entry| {
            assert!(entry["error"].is_null(), "{listed}");
            entry["name"].as_str().expect("a name")
        });
        let state: State = names.chain(["last"]).map(|name| (name.to_owned(), self.content(name))).collect();
        for (name, content) in &state {
            if self.before.get(name) != Some(content) {
                let shown = self.fixture.nanobench(&format!("baseline show {name}")).run();
                shown.exits(0).prints("1 kept").never_says("missing or changed");
            }
        }
        state
    }

    fn content(&self, name: &str) -> Vec<u8> {
        fs::read(self.fixture.baseline(name)).expect("a listed baseline has its record")
    }
}

/// The names of the store with the contents of their files.
type State = BTreeMap<String, Vec<u8>>;

/// Returns the hidden files and folders below a folder.
fn hidden(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            found.push(path);
        } else if path.is_dir() {
            found.extend(hidden(&path));
        }
    }
    found
}
