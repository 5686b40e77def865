//! What is kept of links while cargo builds, and what is linked again.

use nanobench_tests::{Fixture, Outcome};
use std::fs;
use std::path::PathBuf;

const CALLED: &str = "native::lib::benches::called";

/// Runs the package whose work is done by a static library, linked in one of two forms, with an unusual
/// temporary folder.
fn run_native(fixture: &Fixture, form: &str, arguments: &str) -> Outcome {
    let folder = fixture.files().join("a{b} c");
    fs::create_dir_all(&folder).expect("a temporary folder");
    fixture.nanobench(arguments).env("NATIVE_FORM", form).env("TMPDIR", folder).run()
}

#[test]
fn layouts_of_a_baseline_have_its_static_library() {
    let fixture = Fixture::to_edit("native");
    for form in ["static", "script"] {
        run_native(&fixture, form, "--save-baseline main").exits(0);
        fixture.edit("c/work.c", "ROUNDS 2000", "ROUNDS 40000");
        let run = run_native(&fixture, form, "--baseline main --format json");
        let called = run.compared(CALLED);
        assert_eq!(called.verdict, "slower", "{form}\n{run}");
        // A library that only a linker script names is not kept, so copies run instead of layouts.
        let has_layouts = called.sentence.contains("layouts differ by");
        assert_eq!(has_layouts, form == "static", "{form}: {}", called.sentence);
        fixture.edit("c/work.c", "ROUNDS 40000", "ROUNDS 2000");
    }
}

#[test]
fn a_build_script_sees_nothing_of_the_interception() {
    let fixture = Fixture::to_edit("native");
    let commands = || [fixture.nanobench("--samples 1 --no-compare"), fixture.cargo("bench --no-run")];
    for command in commands() {
        command.run().exits(0).says("Compiling native");
    }
    for command in commands() {
        command.run().exits(0).never_says("Compiling native");
    }
}

#[test]
fn layouts_that_differ_from_their_executable_do_not_run() {
    let fixture = Fixture::slowed_down("--save-baseline main");
    fixture.nanobench("--save-baseline next").run().exits(0);
    let [main, next] = ["main", "next"].map(|name| link_inputs(&fixture, name));
    let header = |bytes: &[u8]| bytes.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
    let [of_main, of_next] = [&main, &next].map(|path| fs::read(path).expect("link inputs"));
    let forged = [&of_main[..header(&of_main)], &of_next[header(&of_next)..]].concat();
    // Builds share the file.
    fs::remove_file(&main).expect("it is there");
    fs::write(&main, forged).expect("a file");
    let run = fixture.nanobench("--baseline main -v changing").run();
    run.exits(0).prints("slower").never_says("16 of 16 layouts agree");
    run.prints("layouts:").prints(" none: linked again, the baseline differs from its executable in ");
}

/// Returns the file with the link inputs of a baseline's only executable.
fn link_inputs(fixture: &Fixture, baseline: &str) -> PathBuf {
    let mut path = fixture.executables(baseline)[0].clone().into_os_string();
    path.push(".link");
    path.into()
}
