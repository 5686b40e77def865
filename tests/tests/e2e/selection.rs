//! Selection of benchmarks by filters, and by cargo's own flags for packages and targets.

use nanobench_tests::Fixture;
use std::path::Path;

const LEFT: [&str; 3] = ["left::common::first", "left::common::only_left", "left::lib::benchmarks::private"];
const RIGHT: [&str; 2] = ["right::common::first", "right::common::only_right"];

/// Returns the ids that `--list` prints with these arguments, sorted.
fn listed(fixture: &str, arguments: &str) -> Vec<String> {
    listed_within(fixture, "", arguments)
}

/// Returns the sorted ids that `--list` prints in a folder of the fixture.
fn listed_within(fixture: &str, folder: impl AsRef<Path>, arguments: &str) -> Vec<String> {
    let run = Fixture::of(fixture).nanobench(&format!("--list {arguments}")).within(folder).run();
    let mut ids = run.exits(0).lines();
    ids.sort();
    ids
}

#[test]
fn list_prints_an_id_a_line_in_the_order_of_the_source() {
    Fixture::of("simple").nanobench("--list").run().exits(0).lists(&[
        "simple::first::join",
        "simple::first::add_up",
        "simple::first::each",
        "simple::first::each_u32",
        "simple::first::fixed",
        "simple::first::paused",
        "simple::first::both",
        "simple::first::another-name",
        "simple::first::inner::deep",
    ]);
}

#[test]
fn list_runs_nothing_and_stores_nothing() {
    let fixture = Fixture::of("tally");
    fixture.nanobench("--list").run().exits(0).prints("tally::outside::outside");
    assert_eq!(fixture.left("outside"), 0);
    assert!(!fixture.baseline("last").exists());
}

#[test]
fn run_is_the_subcommand_that_needs_no_name() {
    Fixture::of("simple").nanobench("run --list join").run().exits(0).lists(&["simple::first::join"]);
}

#[test]
fn a_filter_selects_by_a_part_of_the_id() {
    assert_eq!(listed("simple", "eac"), ["simple::first::each", "simple::first::each_u32"]);
}

#[test]
fn several_filters_select_the_matches_of_any() {
    assert_eq!(listed("simple", "join deep"), ["simple::first::inner::deep", "simple::first::join"]);
}

#[test]
fn a_filter_beside_others_that_matches_nothing_is_named() {
    let run = Fixture::of("simple").nanobench("--list join compare").run();
    run.exits(0)
        .lists(&["simple::first::join"])
        .says("no benchmark matches `compare`; `compare` is a filter here; did you mean")
        .says("report [NEW] --baseline OLD");
}

#[test]
fn exact_matches_whole_ids() {
    assert_eq!(listed("simple", "--exact simple::first::each"), ["simple::first::each"]);
    Fixture::of("simple")
        .nanobench("--list --exact simple::first::eac")
        .run()
        .fails_with(4, "simple::first::each");
}

#[test]
fn skip_leaves_out_matching_ids() {
    assert_eq!(
        listed("simple", "--skip each --skip another --skip up first::"),
        [
            "simple::first::both",
            "simple::first::fixed",
            "simple::first::inner::deep",
            "simple::first::join",
            "simple::first::paused",
        ]
    );
}

#[test]
fn exact_holds_for_skip_too() {
    assert_eq!(
        listed("simple", "--exact --skip simple::first::each simple::first::each simple::first::join"),
        ["simple::first::join"]
    );
}

#[test]
fn without_a_run_filters_are_checked() {
    let fixture = Fixture::of("simple");
    let run = fixture.nanobench("--no-run join").run();
    assert!(run.exits(0).stdout().is_empty(), "{run}");
    fixture.nanobench("--no-run simple::first::eac_").run().fails_with(4, "simple::first::each");
    fixture
        .nanobench("--no-run join nothing_like_it")
        .run()
        .exits(0)
        .says("no benchmark matches `nothing_like_it`");
    fixture.nanobench("--no-run --fail-on slower").run().exits(2);
}

#[test]
fn ignored_selects_the_ignored_alone() {
    assert_eq!(listed("simple", "--ignored"), ["simple::first::on_request"]);
    let run = Fixture::of("simple").nanobench("--ignored").run();
    run.exits(0).row("on_request");
    assert!(!run.has_row("join"), "{run}");
}

#[test]
fn include_ignored_adds_the_ignored() {
    assert_eq!(
        listed("simple", "--include-ignored join request"),
        ["simple::first::join", "simple::first::on_request"]
    );
}

#[test]
fn bench_selects_the_target_of_this_name_or_a_part_of_the_id() {
    assert_eq!(listed("targets", "--bench speed"), ["targets::speed::of_the_bench"]);
    assert_eq!(listed("targets", "--bench other_speed"), ["targets::other_speed::of_the_other_bench"]);
    let both = ["targets::other_speed::of_the_other_bench", "targets::speed::of_the_bench"];
    assert_eq!(listed("targets", "--bench spee"), both);
    assert_eq!(listed("targets", "--bench *speed"), both);
    assert_eq!(listed("targets", "--bench speed --bench other_speed"), both);
    assert_eq!(listed("targets", "--bench private_twice"), ["targets::lib::benchmarks::private_twice"]);
}

#[test]
fn names_and_parts_can_be_mixed_in_bench() {
    assert_eq!(
        listed("targets", "--bench speed --bench twice"),
        ["targets::lib::benchmarks::private_twice", "targets::speed::of_the_bench"]
    );
}

#[test]
fn a_misspelled_bench_is_told_before_anything_is_built() {
    let run = Fixture::to_edit("targets").nanobench("--list --bench spead").run();
    run.fails_with(2, "no bench of the selected packages is named `spead`")
        .says("did you mean `speed`?")
        .never_says("Compiling");
    let run = Fixture::of("targets").nanobench("--list --bench nowhere").run();
    run.fails_with(4, "none is selected").says("no bench of the selected packages is named `nowhere`");
}

#[test]
fn bench_adds_to_other_target_flags_as_in_cargo() {
    assert_eq!(
        listed("targets", "--lib --bench speed"),
        ["targets::lib::benchmarks::private_twice", "targets::speed::of_the_bench"]
    );
}

#[test]
fn bench_builds_nothing_but_its_target() {
    let fixture = Fixture::to_edit("targets");
    fixture.write("benches/broken.rs", "use nanobench::nanobench;\nlet this be no Rust");
    fixture.nanobench("--list").run().fails_with(101, "broken.rs");
    let run = fixture.nanobench("--list --bench speed").run();
    run.exits(0).never_says("broken").lists(&["targets::speed::of_the_bench"]);
    let run = fixture.nanobench("--samples 3 --bench speed --bench other_speed").run();
    run.exits(0).row("of_the_bench");
    run.row("of_the_other_bench");
    fixture.nanobench("--list --bench broken").run().fails_with(101, "broken.rs");
    fixture.nanobench("asm of_the_bench").run().fails_with(101, "broken.rs");
    fixture.nanobench("asm of_the_bench --bench speed").run().exits(0).says("the timed loop");
    fixture.nanobench("asm of_the_bench --bench sped").run().fails_with(2, "did you mean `speed`?");
    fixture.nanobench("asm of_the_bench --bench speed --baseline last").run().fails_with(2, "--bench");
}

#[test]
fn all_targets_are_built_if_bench_is_a_part_or_figures_are_scaled() {
    let run =
        Fixture::of("targets").nanobench("--samples 3 --bench speed --multiples-of private_twice").run();
    run.exits(0).row("of_the_bench");
    run.row("private_twice");
    assert!(!run.has_row("of_the_other_bench"), "{run}");
}

#[test]
fn without_flags_lib_bins_and_benches_run() {
    assert_eq!(
        listed("targets", ""),
        [
            "targets::bin::tool::benchmarks::of_the_program",
            "targets::lib::benchmarks::private_twice",
            "targets::other_speed::of_the_other_bench",
            "targets::speed::of_the_bench",
        ]
    );
}

#[test]
fn lib_selects_the_library_even_when_it_says_bench_false() {
    assert_eq!(listed("targets", "--lib"), ["targets::lib::benchmarks::private_twice"]);
}

#[test]
fn bins_tests_and_examples_can_be_selected() {
    assert_eq!(listed("targets", "--bins"), ["targets::bin::tool::benchmarks::of_the_program"]);
    assert_eq!(listed("targets", "--bin tool"), ["targets::bin::tool::benchmarks::of_the_program"]);
    assert_eq!(listed("targets", "--test checks"), ["targets::test::checks::of_the_test"]);
    assert_eq!(listed("targets", "--example shown"), ["targets::example::shown::benchmarks::of_the_example"]);
}

#[test]
fn benches_selects_every_bench_target_and_no_test_or_example() {
    let ids = listed("targets", "--benches");
    for id in ["targets::other_speed::of_the_other_bench", "targets::speed::of_the_bench"] {
        assert!(ids.iter().any(|listed| listed == id), "{id} is not in {ids:#?}");
    }
    assert!(!ids.iter().any(|id| id.contains("::test::") || id.contains("::example::")), "{ids:#?}");
}

#[test]
fn all_targets_selects_everything() {
    assert_eq!(
        listed("targets", "--all-targets"),
        [
            "targets::bin::tool::benchmarks::of_the_program",
            "targets::example::shown::benchmarks::of_the_example",
            "targets::lib::benchmarks::private_twice",
            "targets::other_speed::of_the_other_bench",
            "targets::speed::of_the_bench",
            "targets::test::checks::of_the_test",
        ]
    );
}

#[test]
fn a_virtual_workspace_runs_every_member_with_ids_of_their_own() {
    assert_eq!(listed("workspace", ""), [&LEFT[..], &RIGHT[..]].concat());
}

#[test]
fn a_members_folder_selects_that_member() {
    assert_eq!(listed_within("workspace", "left", ""), LEFT);
    assert_eq!(listed_within("workspace", "right/benches", ""), RIGHT);
}

#[test]
fn workspace_selects_all_from_a_members_folder() {
    assert_eq!(listed_within("workspace", "right", "--workspace"), [&LEFT[..], &RIGHT[..]].concat());
}

#[test]
fn package_selects_by_name_from_anywhere() {
    assert_eq!(listed("workspace", "-p left"), LEFT);
    assert_eq!(listed_within("workspace", "left", "--package right"), RIGHT);
    assert_eq!(listed("workspace", "-p left -p right"), [&LEFT[..], &RIGHT[..]].concat());
}

#[test]
fn exclude_leaves_a_member_out() {
    assert_eq!(listed("workspace", "--workspace --exclude left"), RIGHT);
}

#[test]
fn manifest_path_selects_as_its_folder_does() {
    assert_eq!(listed("workspace", "--manifest-path left/Cargo.toml"), LEFT);
}

#[test]
fn bench_finds_a_target_of_the_same_name_in_each_package() {
    assert_eq!(listed("workspace", "--bench common"), [&LEFT[..2], &RIGHT[..]].concat());
}

#[test]
fn another_tools_target_is_never_started() {
    let fixture = Fixture::of("workspace");
    let run = fixture.nanobench("").run();
    run.exits(0).row("only_right");
    assert!(!fixture.files().join("I-WAS-STARTED").exists(), "a foreign program was started\n{run}");
}

#[test]
fn targets_without_benchmarks_print_nothing() {
    let run = Fixture::of("workspace").nanobench("--no-warnings").run();
    run.exits(0)
        .prints("only_left")
        .never_says("warning")
        .never_says("foreign")
        .never_says("another_tool")
        .never_says("plain");
}

#[test]
fn no_match_names_the_nearest() {
    Fixture::of("simple").nanobench("jion").run().fails_with(4, "simple::first::join");
    Fixture::of("simple").nanobench("--bench frist").run().fails_with(2, "did you mean `first`?");
}

#[test]
fn no_benchmark_at_all_says_how_to_write_the_first_one() {
    let run = Fixture::of("empty").nanobench("").run();
    run.fails_with(4, "#[nanobench").says("cargo nanobench init");
}

#[test]
fn a_harness_without_benchmarks_is_no_benchmark_at_all() {
    let fixture = Fixture::to_edit("own-main");
    for attribute in ["#[nanobench]", "#[nanobench(threads = numbers())]"] {
        fixture.edit("benches/timing.rs", attribute, "");
    }
    fixture.write("benches/columns.rs", "fn main() {}");
    fixture.nanobench("").run().fails_with(4, "#[nanobench");
}

#[test]
fn only_ignored_benchmarks_are_no_match_that_says_so() {
    Fixture::of("simple").nanobench("on_reques").run().fails_with(4, "ignore").says("--include-ignored");
}
