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
        Self::mount_of_size(folder, "64k")
    }

    fn mount_of_size(folder: std::path::PathBuf, size: &str) -> Option<Self> {
        fs::create_dir_all(&folder).expect("a folder to mount on");
        let mount = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
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
    assert!(!fixture.baseline("main").exists(), "half a baseline is left\n{run}");
}

/// Makes a folder of the store undeletable: gives it to another user if this one is root, or else
/// makes it read-only.
#[cfg(target_os = "linux")]
fn make_undeletable(folder: &std::path::Path) {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    fs::create_dir_all(folder).expect("a folder");
    fs::write(folder.join("file"), "").expect("a file in it");
    if chown(folder, Some(65534), Some(65534)).is_err() {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o555)).expect("its permissions");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_undeletable_in_the_store_is_in_the_way_of_a_run() {
    let fixture = Fixture::of("tally");
    let run = |arguments: &str| {
        let Some(invocation) = fixture.nanobench_unprivileged(arguments) else { return };
        invocation.run().exits(0);
    };
    run("--save-baseline main outside");
    run("--save-baseline main outside");
    for places in [
        &["last", "baselines/main", "earlier/main"][..],
        &["blobs/0123.libraries", "blobs/.left", "runs/left", "imports/left"],
    ] {
        places.iter().for_each(|place| make_undeletable(&fixture.stored(place)));
        run("outside");
        run("--save-baseline main outside");
        run("outside");
        run("--save-baseline main outside");
        fixture.nanobench("baseline show main~1").run().exits(0).row("tally::outside::outside");
    }
    run("baseline rename main~1 before");
    run("baseline remove main");
    run("baseline remove before");
    assert!(fixture.nanobench("baseline list").run().stdout().contains("No baseline"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_store_that_cannot_be_replaced_is_an_error_before_the_measuring() {
    let fixture = Fixture::of("tally");
    fixture.nanobench("outside").run().exits(0);
    let calls = fixture.left("outside");
    fs::remove_file(fixture.stored("names/last.json")).unwrap();
    fs::create_dir(fixture.stored("names/last.json")).unwrap();
    fixture.nanobench("outside").run().fails_with(5, "names/last.json").says("--target-dir DIR");
    assert_eq!(fixture.left("outside"), calls, "it measured first");
}

/// An overlay whose lower layer has the store, as in a container whose image has one.
#[cfg(target_os = "linux")]
struct Overlay {
    _layers: FullDisk,
    place: std::path::PathBuf,
}

#[cfg(target_os = "linux")]
impl Overlay {
    fn mount(place: std::path::PathBuf, layers: std::path::PathBuf) -> Option<Self> {
        let run = |command: &mut std::process::Command| command.status().is_ok_and(|status| status.success());
        let disk = FullDisk::mount_of_size(layers.clone(), "512m")?;
        let (lower, upper, work) = (layers.join("lower"), layers.join("upper"), layers.join("work"));
        for folder in [&upper, &work] {
            fs::create_dir(folder).ok()?;
        }
        run(std::process::Command::new("cp").arg("-a").args([&place, &lower])).then_some(())?;
        let options = format!(
            "lowerdir={},upperdir={},workdir={},redirect_dir=off",
            lower.display(),
            upper.display(),
            work.display()
        );
        let mut mount = std::process::Command::new("mount");
        mount.args(["-t", "overlay", "overlay", "-o", &options]).arg(&place);
        run(&mut mount).then_some(Self { _layers: disk, place })
    }
}

#[cfg(target_os = "linux")]
impl Drop for Overlay {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.place).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_store_in_the_lower_layer_of_an_overlay_is_replaced() {
    let fixture = Fixture::of("tally");
    fixture.nanobench("--save-baseline main outside").run().exits(0);
    fixture.nanobench("--save-baseline main outside").run().exits(0);
    let Some(_overlay) = Overlay::mount(fixture.path("target/nanobench"), fixture.files().join("layers"))
    else {
        eprintln!("skipped: this user may not mount an overlay");
        return;
    };
    fixture.nanobench("outside").run().exits(0).says("last run");
    fixture.nanobench("--save-baseline main outside").run().exits(0);
    fixture.nanobench("--baseline main~1 outside").run().exits(0).prints("95 % CI");
    fixture.nanobench("baseline rename main other").run().exits(0);
    fixture.nanobench("baseline remove other").run().exits(0);
    fixture.nanobench("baseline show other~1").run().exits(0);
}

#[test]
fn workspaces_that_share_a_target_directory_have_their_own_baselines() {
    let (first, second) = (Fixture::of("tally"), Fixture::of("compare"));
    let target = first.files().join("shared");
    let run = |fixture: &Fixture, arguments: &str| {
        let run = fixture.nanobench(arguments).env("CARGO_TARGET_DIR", &target).run();
        run.exits(0);
        run
    };
    run(&first, "--save-baseline main outside");
    run(&second, "--save-baseline main steady").never_says("main~1");
    run(&first, "baseline show main").row("tally::outside::outside");
    run(&second, "baseline show main").row("compare::work::steady");
    run(&first, "baseline show last").row("tally::outside::outside");
    run(&second, "baseline show last").row("compare::work::steady");
    run(&first, "outside").says("last run");
    run(&second, "--baseline main steady").prints("95 % CI");
    let list = run(&first, "baseline list");
    assert_eq!(list.lines().iter().filter(|line| line.starts_with("main")).count(), 1, "{list}");

    // The store of a version that noted no workspace is that of the first workspace to come, and
    // the one of a workspace that was moved.
    for note in [None, Some("/a/workspace/that/is/gone")] {
        let file = target.join("nanobench/workspace");
        fs::remove_file(&file).expect("the store says whose it is");
        if let Some(note) = note {
            fs::write(&file, note).expect("it can be written");
        }
        run(&first, "baseline show main").row("tally::outside::outside");
        run(&second, "baseline show main").row("compare::work::steady");
        run(&first, "outside").says("last run");
        assert_eq!(
            fs::read_to_string(&file).ok(),
            first.path("").canonicalize().ok().map(|path| path.display().to_string())
        );
    }
}
