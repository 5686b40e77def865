//! Benchmarks that exist but don't run, builds that don't find the crate, and words of other tools:
//! each is told the way.

use nanobench_tests::{Fixture, own_version, repository};

const BENCHMARK: &str = "#[nanobench::nanobench]\nfn told() -> u64 {\n    1\n}\n";

/// Returns a package with a library and these files. `manifest` follows the lines of its name, and
/// `{core}` in it is the path of nanobench-core.
pub(crate) fn package(manifest: &str, files: &[(&str, &str)]) -> Fixture {
    let fixture = Fixture::empty();
    let manifest = manifest.replace("{core}", &repository().join("nanobench-core").to_string_lossy());
    fixture.write(
        "Cargo.toml",
        format!(
            "[package]\nname = \"way\"\n{}\nedition = \"2024\"\n{manifest}\n\
             [profile.bench]\nopt-level = 1\ndebug = false\n",
            own_version()
        ),
    );
    fixture.write("src/lib.rs", "");
    for (path, text) in files {
        fixture.write(path, text);
    }
    fixture.lock_versions();
    fixture
}

pub(crate) const DEPENDENCY: &str = "\n[dev-dependencies]\nnanobench-core = { path = '{core}' }\n";

#[test]
fn benchmarks_of_integration_tests_and_examples_name_their_flags() {
    let fixture = package(DEPENDENCY, &[("tests/checks.rs", BENCHMARK)]);
    let run = fixture.nanobench("").run();
    run.fails_with(4, "test `checks` of `way` mentions nanobench: add --test checks")
        .never_says("write the first one");
    fixture.nanobench("--list --test checks").run().exits(0).lists(&["way::test::checks::told"]);
    let mentions = [("tests/checks.rs", "// As nanobench does.\n#[test]\nfn passes() {}\n")];
    package(DEPENDENCY, &mentions).nanobench("").run().exits(4).never_says("--test checks");
    let run = Fixture::of("targets").nanobench("--list --bin tool of_the_example").run();
    run.fails_with(4, "add --example shown").never_says("--test checks");
}

#[test]
fn names_that_are_keywords_are_shown_without_their_mark() {
    let module =
        format!("{BENCHMARK}mod r#match {{\n    #[nanobench::nanobench]\n    fn r#loop() {{}}\n}}\n");
    let fixture = package(DEPENDENCY, &[("benches/async.rs", &module), ("benches/try.rs", BENCHMARK)]);
    let ids = ["way::async::told", "way::async::match::loop", "way::try::told"];
    fixture.nanobench("--list").run().exits(0).lists(&ids);
    for filter in ["match", "match::loop", "--exact way::async::match::loop"] {
        fixture.nanobench(&format!("--list {filter}")).run().exits(0).lists(&ids[1..2]);
    }
    let run = fixture.nanobench("--samples 3").run();
    run.exits(0).row("loop");
}

#[test]
fn benchmarks_of_other_targets_are_named_while_others_run() {
    let mentions = "// As nanobench does.\n#[test]\nfn passes() {}\n";
    let files = [
        ("benches/first.rs", BENCHMARK),
        ("examples/shown.rs", mentions),
        ("tests/checks.rs", BENCHMARK),
        ("tests/passing.rs", mentions),
    ];
    const HINT: &str = "test `checks` of `way` mentions nanobench: add --test checks";
    let fixture = package(DEPENDENCY, &files);
    fixture.nanobench("--samples 3 -q").run().exits(0).never_says(HINT);
    fixture.nanobench("--samples 3").run().exits(0).never_says(HINT);
    fixture.nanobench("--samples 3 --no-compare").run().exits(0).says(HINT).never_says("more target");
    fixture.nanobench("--list").run().exits(0).says(HINT);
    for arguments in ["--list told", "--list --benches", "--list --test checks", "--list -q"] {
        fixture.nanobench(arguments).run().exits(0).never_says(HINT);
    }
    fixture.write("tests/more/main.rs", "mod parts;\n");
    fixture.nanobench("--list").run().exits(0).says(HINT).never_says("more target");
    fixture.write("tests/more/parts.rs", BENCHMARK);
    fixture.nanobench("--list").run().exits(0).says("(and 1 more target)");
}

#[test]
fn a_filter_or_bench_of_an_integration_test_names_its_flag() {
    let targets = |arguments: &str| Fixture::of("targets").nanobench(arguments).run();
    targets("--list of_the_test").fails_with(4, "add --test checks").never_says("--example");
    targets("--list --bench checks").fails_with(4, "add --test checks");
    targets("--list jion").exits(4).never_says("--test").never_says("--example");
}

#[test]
fn files_that_cargo_does_not_search_for_name_the_line_of_the_manifest() {
    for (key, path, table) in
        [("autobenches", "benches/first.rs", "[[bench]]"), ("autotests", "tests/first/main.rs", "[[test]]")]
    {
        let fixture = package(&format!("{key} = false\n{DEPENDENCY}"), &[(path, BENCHMARK)]);
        let run = fixture.nanobench("").run();
        run.fails_with(4, &format!("{path} of `way` has benchmarks, but isn't a target of cargo"))
            .says(&format!("remove `{key} = false`"))
            .says(&format!("add {table} with name = \"first\""))
            .never_says("write the first one");
    }
}

#[test]
fn a_file_that_belongs_to_no_target_is_named_while_others_run() {
    let module = "mod shared;\n".to_owned() + BENCHMARK;
    let files = [
        ("benches/first.rs", &*module),
        ("benches/shared.rs", BENCHMARK),
        ("benches/second.rs", BENCHMARK),
        ("benches/helper.rs", "// For #[nanobench] benchmarks.\n"),
    ];
    let target = "\n[[bench]]\nname = \"second\"\npath = \"benches/first.rs\"\n";
    let fixture = package(&format!("autobenches = false\n{DEPENDENCY}{target}"), &files);
    let told = "benches/second.rs of `way` has benchmarks, but isn't a target of cargo";
    let run = fixture.nanobench("--list").run();
    run.exits(0)
        .lists(&["way::second::told", "way::second::shared::told"])
        .says(told)
        .says("another name and path = \"benches/second.rs\"")
        .never_says("shared.rs")
        .never_says("more file");
    fixture.nanobench("").run().exits(0).says(told);
    for arguments in ["--list told", "--list --bench second", "--list --benches"] {
        fixture.nanobench(arguments).run().exits(0).never_says("second.rs");
    }
    fixture.write("benches/helper.rs", BENCHMARK);
    fixture.nanobench("--list").run().exits(0).says("benches/helper.rs of `way`").says("(and 1 more file)");
}

#[test]
fn a_main_of_its_own_needs_that_of_nanobench() {
    let files = [("benches/first.rs", &*format!("{BENCHMARK}\nfn main() {{ println!(\"{{}}\", told()); }}"))];
    let fixture = package(&format!("{DEPENDENCY}\n[[bench]]\nname = \"first\"\nharness = false"), &files);
    fixture.nanobench("").run().fails_with(4, "`harness = false`").says("nanobench::main!();");
}

#[test]
fn a_harness_that_was_switched_off_for_another_library_is_named() {
    let manifest = format!("{DEPENDENCY}\n[[bench]]\nname = \"first\"\nharness = false\n");
    let run = package(&manifest, &[("benches/first.rs", BENCHMARK)]).nanobench("").run();
    run.fails_with(101, "bench `first` of `way` has no `main`, but its Cargo.toml says `harness = false`")
        .says("E0601");
}

#[test]
fn required_features_name_their_flag() {
    let fixture = Fixture::of("features");
    let run = fixture.nanobench("--list --benches --no-default-features of_gated").run();
    run.exits(4);
    let run = Fixture::of("features").nanobench("-v --list").run();
    run.exits(0).says("add --features extra");
}

#[test]
fn other_packages_name_their_flag() {
    let run = Fixture::of("workspace").nanobench("-p plain").run();
    run.fails_with(4, "the package `left` mentions nanobench: add -p left").says("cargo nanobench init");
    let run = Fixture::of("workspace").nanobench("--list right::common").within("left").run();
    run.fails_with(4, "add -p right").never_says("add -p left");
}

#[test]
fn a_named_target_without_benchmarks_says_so() {
    let fixture = package(DEPENDENCY, &[("benches/other.rs", "fn main() {}")]);
    let run = fixture.nanobench("--bench other").run();
    run.fails_with(4, "bench `other` of `way`: it has no function with #[nanobench]");
}

#[test]
fn benchmarks_of_another_tool_are_seen() {
    let files = [("benches/parse.rs", "use divan::Bencher;\nfn main() {}")];
    let manifest = format!("{DEPENDENCY}\n[[bench]]\nname = \"parse\"\nharness = false\n");
    let run = package(&manifest, &files).nanobench("").run();
    run.fails_with(
        4,
        "bench `parse` of `way` uses divan: to run it unchanged, see docs/moving/from-divan.md of cargo-nanobench",
    );
}

#[test]
fn an_unknown_bench_comes_first_and_is_no_target_of_another_harness() {
    let files = [("benches/mine.rs", BENCHMARK), ("benches/writeable.rs", "fn main() {}")];
    let fixture = package(DEPENDENCY, &files);
    let unknown =
        "error: no bench of the selected packages is named `zzz`\n  available: `mine`\n  of 1 benchmark, ";
    fixture.nanobench("--bench zzz").run().fails_with(4, unknown);
    let run = fixture.nanobench("--bench writeabel").run();
    run.fails_with(2, "no bench of the selected packages is named `writeabel`\n  did you mean `writeable`?");
}

#[test]
fn a_missing_dependency_is_named_below_the_errors_of_the_compiler() {
    let fixture = package("", &[("benches/first.rs", &format!("use nanobench::nanobench;\n{BENCHMARK}"))]);
    let run = fixture.nanobench("").run();
    run.fails_with(101, "`way` has no dev-dependency on nanobench-core")
        .says("cargo add --dev nanobench-core -p way")
        .says("E0432");
    let text = run.stderr();
    assert!(text.find("E0432") < text.find("cargo add --dev nanobench-core"), "{run}");
}

#[test]
fn a_renamed_dependency_gets_the_option_to_write() {
    let manifest = "\n[dev-dependencies]\nnb = { path = '{core}', package = 'nanobench-core' }\n";
    let text = "use nb::nanobench;\n\n#[nanobench]\nfn told() {}\n";
    let fixture = package(manifest, &[("benches/first.rs", text)]);
    let run = fixture.nanobench("--list").run();
    run.fails_with(101, "benches/first.rs:3 doesn't find `nanobench`, which is `nb` in Cargo.toml of `way`")
        .says("add to the attribute, or to that of a module around it: crate = nb");
    fixture.edit("benches/first.rs", "#[nanobench]", "#[nanobench(crate = nb)]");
    fixture.nanobench("--list").run().exits(0).lists(&["way::first::told"]);
    let module = "#[nb::nanobench(crate = nb)]\nmod all {\n    use nb::nanobench;\n\n    #[nanobench]\n    fn told() {}\n}\n";
    fixture.write("benches/first.rs", module);
    fixture.nanobench("--list").run().exits(0).lists(&["way::first::all::told"]);
}

#[test]
fn the_2015_edition_has_benchmarks() {
    let text = "extern crate nanobench;\n\nuse nanobench::nanobench;\n\nmod inner {\n    #[::nanobench::nanobench]\n    \
                fn deep() {}\n}\n\n#[nanobench(args = [1, 2], setup = |n| n + 1)]\nfn told(_: u64) {}\n";
    let fixture = package(DEPENDENCY, &[("benches/first.rs", text)]);
    fixture.edit("Cargo.toml", "edition = \"2024\"", "edition = \"2015\"");
    let ids = ["way::first::inner::deep", "way::first::told/1", "way::first::told/2"];
    fixture.nanobench("--list").run().exits(0).lists(&ids);
}

#[test]
fn an_attribute_that_is_not_imported_is_told_where_it_stands() {
    let attribute = "#[nanobench]\nfn first() {}\n";
    let several = attribute.to_owned() + "#[nanobench]\nfn second() {}\n";
    let run = package(DEPENDENCY, &[("benches/first.rs", &several)]).nanobench("").run();
    run.fails_with(101, "benches/first.rs:1 uses `#[nanobench]`, which its module doesn't import")
        .says("add to the module: use nanobench::nanobench;");
    let run = package(DEPENDENCY, &[("src/lib.rs", attribute)]).nanobench("").run();
    run.fails_with(101, "src/lib.rs:1 uses `nanobench` outside of #[cfg(test)]").never_says("doesn't import");
    let run = package("", &[("benches/first.rs", attribute)]).nanobench("").run();
    run.fails_with(101, "cargo add --dev nanobench-core -p way").never_says("doesn't import");
    let inner = format!(
        "use nanobench::nanobench;\n{attribute}\nmod inner {{\n    #[nanobench]\n    fn f() {{}}\n}}\n"
    );
    let run = package(DEPENDENCY, &[("benches/first.rs", &inner)]).nanobench("").run();
    run.fails_with(101, "benches/first.rs:6 uses `#[nanobench]`, which its module doesn't import");
}

#[test]
fn an_attribute_outside_of_tests_is_told_where_it_stands() {
    let files = [("src/lib.rs", BENCHMARK), ("benches/first.rs", BENCHMARK)];
    let run = package(DEPENDENCY, &files).nanobench("").run();
    run.fails_with(101, "src/lib.rs:1 uses `nanobench` outside of #[cfg(test)]")
        .never_says("cargo add --dev");
    // Nothing but tests is built of a binary alone.
    let fixture = package(DEPENDENCY, &[("src/main.rs", &format!("fn main() {{}}\n\n{BENCHMARK}"))]);
    let run = fixture.nanobench("--list --bins").run();
    run.exits(0).says("warning: src/main.rs:3 uses `nanobench` outside of #[cfg(test)]");
    let inline = format!("fn main() {{}}\n\nmod inner {{\n{BENCHMARK}\n}}\n");
    let run = package(DEPENDENCY, &[("src/main.rs", &inline)]).nanobench("--list --bins").run();
    run.exits(0).says("warning: src/main.rs:4 uses `nanobench` outside of #[cfg(test)]");
    let main = "mod inner;\n\nfn main() {}\n";
    for (path, condition, is_told) in [
        ("src/inner.rs", "", true),
        ("src/inner/mod.rs", "", true),
        ("src/inner.rs", "#[cfg(test)]\n", false),
    ] {
        let main = format!("{condition}{main}");
        let fixture = package(DEPENDENCY, &[("src/main.rs", &main), (path, BENCHMARK)]);
        let run = fixture.nanobench("--list --bins").run();
        let warns = run.exits(0).stderr().contains(&format!("{path}:1 uses `nanobench` outside"));
        assert_eq!(warns, is_told, "{run}");
    }
    let inside = format!("#[cfg(test)]\nmod benchmarks {{\n{BENCHMARK}}}\n");
    let files = [("src/lib.rs", &*inside), ("benches/first.rs", BENCHMARK)];
    let run = package(DEPENDENCY, &files).nanobench("--list").run();
    run.exits(0).never_says("warning").lists(&["way::lib::benchmarks::told", "way::first::told"]);
}

#[test]
fn a_build_script_with_benchmarks_names_the_folder_for_them() {
    let script = format!("use nanobench::nanobench;\n{BENCHMARK}\nfn main() {{}}\n");
    let files = [("build.rs", &*script), ("benches/first.rs", BENCHMARK)];
    let run = package(DEPENDENCY, &files).nanobench("").run();
    run.fails_with(101, "a build script can't have benchmarks").says("benches/").never_says("cfg(test)");
}

#[test]
fn other_compile_errors_are_left_to_the_compiler() {
    let broken = format!("{BENCHMARK}\nfn broken() -> u64 {{ \"text\" }}");
    for manifest in [DEPENDENCY, ""] {
        let run = package(manifest, &[("src/lib.rs", &broken)]).nanobench("").run();
        run.exits(101).says("error[E");
        if !manifest.is_empty() {
            run.says("E0308").never_says("cfg(test)").never_says("cargo add");
        }
    }
}

#[test]
fn plain_cargo_bench_says_what_to_run_instead() {
    const LINE: &str = "run: cargo nanobench";
    let fixture = Fixture::of("tally");
    let run = fixture.cargo("bench --benches").run();
    let executables = run.exits(0).stdout().matches("test result:").count();
    assert!(run.stderr().matches(LINE).count() <= executables && run.stderr().contains(LINE), "{run}");
    assert!(!run.stdout().contains(LINE), "{run}");
    for arguments in ["test", "test --benches -- --list", "bench --benches -- --list"] {
        fixture.cargo(arguments).run().exits(0).never_says(LINE);
    }
    fixture.nanobench("--samples 3").run().exits(0).never_says(LINE);
    Fixture::of("own-main").cargo("bench --bench timing -- sum").run().exits(0).never_says(LINE);
}

/// These programs link the line for the default harness, too.
#[test]
fn only_the_default_harness_is_told_what_to_run_instead() {
    Fixture::of("empty").nanobench("--bench").run().exits(2).never_says("not measured");
    let main = "fn main() {\n    nanobench::Bench::new().min_epoch_iterations(1).run(\"told\", || 1);\n}\n";
    let manifest = format!("{DEPENDENCY}\n[[bench]]\nname = \"first\"\nharness = false\n");
    let run = package(&manifest, &[("benches/first.rs", main)]).cargo("bench --bench first").run();
    run.exits(0).prints("told").never_says("not measured");
}

#[test]
fn flags_of_other_tools_name_the_flag_here() {
    for (typed, advice) in [
        ("--compare main", "did you mean `--baseline NAME`?"),
        ("--measurement-time 5", "did you mean `--max-time DURATION`?"),
        ("--measurement-time=5", "did you mean `--max-time DURATION`?"),
        ("--sample-size 100", "did you mean `--samples N`?"),
        ("--warm-up-time 3", "did you mean `--warmup N`?"),
        ("--profile-time 10", "did you mean `cargo nanobench profile ID`?"),
        ("--release", "omit it"),
        ("--save main", "did you mean `--save-baseline NAME`?"),
        ("--sample-count 10", "did you mean `--samples N`?"),
        ("--runs 10", "did you mean `--samples N`?"),
        ("--measurement_time 5", "did you mean `--max-time DURATION`?"),
        ("--output-format bencher", "did you mean `--format bencher`?"),
        ("--logfile out.txt", "`--output bencher=FILE`"),
        ("--save-to main", "did you mean `--save-baseline NAME`?"),
        ("--export-json out.json", "did you mean `--output json=FILE`?"),
        ("--build-only", "did you mean `--no-run`?"),
        ("--test", "cargo test --benches"),
        ("--load-baseline main", "cargo nanobench report NEW --baseline OLD"),
        ("run --noplot", "`--output html`"),
    ] {
        let run = Fixture::of("empty").nanobench(typed).run();
        run.fails_with(2, advice).never_says("similar argument");
    }
    // A number alone is seconds here, too.
    Fixture::of("simple").nanobench("--list --min-time 0.5 join").run().exits(0);
}

#[test]
fn flags_of_other_tools_are_not_in_the_help() {
    for help in ["-h", "--help"] {
        let run = Fixture::of("empty").nanobench(help).run();
        run.exits(0).never_says("--measurement-time").never_says("--release").never_says("--compare");
    }
}

#[test]
fn words_that_look_like_subcommands_name_the_command() {
    let simple = |arguments: &str| Fixture::of("simple").nanobench(arguments).run();
    simple("--html=page.html").fails_with(2, "it is now called `--output html` or `--output html=FILE`");
    simple("--scale-to join").fails_with(2, "`--multiples-of NAME`");
    simple("compare main").fails_with(4, "did you mean `cargo nanobench report [NEW] --baseline OLD`?");
    // A name behind a command is that of a baseline.
    simple("jion").fails_with(4, "simple::first::join");
    simple("compare jion").fails_with(4, "report [NEW] --baseline OLD").never_says("::join");
    simple("jion new").fails_with(4, "simple::first::join");
    simple("basline list").fails_with(4, "did you mean `cargo nanobench baseline`?");
    simple("--list join").exits(0).never_says("did you mean");
    let run = simple("baseline rm main");
    run.fails_with(2, "did you mean `cargo nanobench baseline remove NAME`?");
}

#[cfg(unix)]
#[test]
fn bash_completes_flags_behind_cargo() {
    let fixture = Fixture::of("simple");
    let script = fixture.nanobench("completions bash").run();
    let completed = |words: &str, last: &str| {
        let ask = format!(
            "{}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             _nanobench_in_cargo cargo {last} ''; echo \"${{COMPREPLY[@]}}\"",
            script.stdout()
        );
        let output = std::process::Command::new("bash").args(["-c", &ask]).output().expect("bash runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(completed("cargo nanobench --base", "--base").trim(), "--baseline");
    assert!(completed("cargo nanobench rep", "rep").contains("report"));
    let manual = fixture.path("man");
    fixture.nanobench(&format!("man {}", manual.display())).run().exits(0);
    assert!(manual.join("cargo-nanobench.1").is_file());
}
