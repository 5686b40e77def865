//! Files and processes of a killed run are removed by the next one.
#![cfg(unix)]

use nanobench_tests::{Fixture, left_running_for};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Returns the folders of runs below `folder` that nobody holds.
fn left_below(folder: &Path, depth: u32) -> Vec<PathBuf> {
    let mut left = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let lock = path.join("nanobench.lock");
        if File::options().write(true).open(lock).is_ok_and(|lock| lock.try_lock().is_ok()) {
            left.push(path);
        } else if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            left.extend(left_below(&path, depth - 1));
        }
    }
    left
}

/// Returns the folders of copies that killed runs have left beside the executables in the build
/// directory, and beside those in the target directory.
fn copies_left(fixture: &Fixture) -> Vec<PathBuf> {
    let mut left = left_below(fixture.build_directory(), 3);
    left.extend(left_below(&fixture.path("target"), 5));
    left
}

/// Returns all folders of runs in the folder for temporary files, which nobody else uses. They count
/// without a lock, too.
fn sockets_left(temporary: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(temporary).expect("the folder exists").map(|entry| entry.expect("an entry"));
    let is_of_a_run = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("nanobench-");
    entries.filter(is_of_a_run).map(|entry| entry.path()).collect()
}

#[test]
fn a_killed_run_leaves_nothing_after_the_next_one() {
    let fixture = Fixture::to_edit("compare");
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.edit("benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 40_000");
    let temporary = fixture.files();
    let mut killed = 0;
    let copies = loop {
        let blocks = fixture.path(format!("blocks-{killed}"));
        let call = fixture.nanobench("--same-within 0.0001 --baseline main");
        let mut running = call.env("NANOBENCH_BLOCKS", &blocks).env("TMPDIR", &temporary).start();
        running.wait_until("a block was measured", |_| blocks.exists());
        // Processes are started, and copies renewed, all the time, so there may be none at this moment.
        std::thread::sleep(std::time::Duration::from_millis(10 * killed));
        running.kill();
        killed += 1;
        // A run has one folder for sockets at a time, and two for the link inputs of both sides. It
        // deletes those of the run before.
        let (copies, sockets) = (copies_left(&fixture), sockets_left(&temporary));
        assert!(sockets.len() <= 3, "folders for sockets after {killed} killed runs: {sockets:?}");
        if !copies.is_empty() && !sockets.is_empty() {
            break copies;
        }
        assert!(killed < 30, "no killed run left both");
    };
    let run = fixture.nanobench("--baseline main").env("TMPDIR", &temporary).run();
    let still: Vec<_> = copies.iter().filter(|path| path.exists()).collect();
    assert!(still.is_empty(), "{still:?}\n{}", run.exits(0));
    assert_eq!(sockets_left(&temporary), Vec::<PathBuf>::new(), "{run}");
}

#[cfg(target_os = "linux")]
#[test]
fn processes_that_a_killed_run_has_left_end_with_the_next_one() {
    let fixture = Fixture::of("misbehaving");
    let call = |fault| {
        let call = fixture.nanobench("--max-time 20ms").env("E2E_FAULT", fault);
        call.env("E2E_PROTOCOL", nanobench::protocol::VERSION.to_string()).env("TMPDIR", fixture.files())
    };
    let mut running = call("sample:stray and drip").start();
    running.wait_until("the benchmark runs", |_| fixture.left("dripped") > 0);
    running.kill();
    call("none").run().exits(0);
    assert_eq!(left_running_for(&fixture.files()), Vec::<String>::new());
}
