//! The built-in benchmarks of `cargo nanobench costs`.

use nanobench_tests::Fixture;

const AREAS: &str = "calls arithmetic branches simd memory copying allocation collections strings errors \
    sync threads futures system";

#[test]
fn the_list_has_every_area_and_a_description_of_each_row() {
    let list = Fixture::empty().nanobench("costs --list").run();
    let lines = list.exits(0).lines();
    let headings: Vec<&str> = lines
        .iter()
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split(':').next())
        .collect();
    let headings: Vec<&str> = headings.into_iter().filter(|heading| !heading.is_empty()).collect();
    assert_eq!(headings.join(" "), AREAS);
    let rows =
        lines.iter().enumerate().filter(|(_, line)| line.starts_with("  ") && !line.starts_with("   "));
    for (index, row) in rows {
        let description = &lines[index + 1];
        assert!(description.starts_with("      ") && description.trim().ends_with('.'), "{row}\n{list}");
    }
}

#[test]
fn words_select_rows() {
    let fixture = Fixture::empty();
    let list = fixture.nanobench("costs Mutex --list").run();
    list.exits(0).prints("Mutex, lock and unlock").never_says("recursive");
    fixture.nanobench("costs memry").run().fails_with(4, "the areas are: calls, ");
}

#[test]
fn runs_are_saved_and_compared_without_a_project() {
    let fixture = Fixture::empty();
    let costs = |flags: &str| {
        fixture
            .nanobench(&format!("costs calls --samples 3 --sample-time 10us --target-dir kept {flags}"))
            .run()
    };
    let run = costs("--save-baseline before");
    assert!(run.exits(0).has_row("recursive"), "{run}");
    run.prints("scaled").prints("Saved as baseline `before`");
    costs("--baseline before").exits(0).prints("same executable");
}
