//! Concurrent runs, busy machines and full disks.

use nanobench_tests::{Fixture, held_up, says_it_waits};
use std::fs;

#[test]
fn a_second_run_waits_for_the_first_and_says_so() {
    let fixture = Fixture::of("gate");
    let first = held_up(&fixture, "");
    let mut second = fixture.nanobench("later").start();
    second.wait_until("it says that it waits", |second| says_it_waits(&second.stderr_so_far()));
    fs::write(fixture.files().join("go"), "").unwrap();
    first.finish().exits(0).row("waits");
    second.finish().exits(0).row("later");
}

#[test]
fn runs_in_different_target_directories_do_not_wait() {
    let fixture = Fixture::of("gate");
    let _first = held_up(&fixture, "");
    let run = fixture.nanobench("--target-dir elsewhere later").run();
    run.exits(0).row("later");
    assert!(!says_it_waits(&run.stderr()), "{run}");
}

#[test]
fn a_listing_does_not_wait() {
    let fixture = Fixture::of("gate");
    let _first = held_up(&fixture, "");
    fixture.nanobench("--list later").run().exits(0).lists(&["gate::gate::later"]);
}

#[test]
fn waiting_for_a_quiet_machine_ends_in_figures_whatever_comes_of_it() {
    let fixture = Fixture::of("tally");
    let run = fixture.nanobench("--wait-quiet 1s outside").run();
    run.exits(0).row("outside");
    run.says_one_of(&["quiet after ", "still busy after 1 s (--wait-quiet): ", "doesn't report its load"]);
    fixture.nanobench("--wait-quiet never outside").run().fails_with(2, "never");
}

#[test]
fn a_store_that_cannot_be_written_is_an_error_before_the_measuring() {
    let fixture = Fixture::of("tally");
    fixture.write("target/nanobench", "a file where the store belongs");
    for arguments in ["outside", "--save-baseline main outside"] {
        fixture.nanobench(arguments).run().fails_with(5, "nanobench");
    }
    assert_eq!(fixture.left("outside"), 0, "it measured first");
}

/// A file system of 64 kB, mounted if permissions allow it.
#[cfg(target_os = "linux")]
struct FullDisk(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl FullDisk {
    fn mount(folder: std::path::PathBuf) -> Option<Self> {
        fs::create_dir_all(&folder).expect("a folder to mount on");
        let mount = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(&folder)
            .output();
        mount.is_ok_and(|output| output.status.success()).then_some(Self(folder))
    }
}

#[cfg(target_os = "linux")]
impl Drop for FullDisk {
    fn drop(&mut self) {
        let unmounted = std::process::Command::new("umount").arg(&self.0).status();
        if !unmounted.is_ok_and(|status| status.success()) {
            eprintln!("{} stays mounted", self.0.display());
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_before_the_measuring() {
    let fixture = Fixture::of("tally");
    let Some(_disk) = FullDisk::mount(fixture.path("target/nanobench")) else {
        eprintln!("skipped: this user may not mount a file system");
        return;
    };
    let run = fixture.nanobench("--save-baseline main outside").run();
    run.fails_with(5, "target/nanobench");
    assert_eq!(fixture.left("outside"), 0, "it measured first\n{run}");
    assert!(!fixture.stored("baselines/main").exists(), "half a baseline is left\n{run}");
}
