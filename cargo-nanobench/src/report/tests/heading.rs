//! The lines above the tables.

use super::*;

#[test]
fn the_heading_names_machine_clock_and_empty_loop() {
    let heading = |verbose, width| {
        let lines = header(false).heading(verbose, width);
        assert_eq!(lines.len(), 1, "{lines:?}");
        anstream::adapter::strip_str(&lines[0]).to_string()
    };
    let all = heading(false, None);
    let expected = "A CPU, 2 cores, clock tsc (resolution 20.0 ns, read 25.4 ns), empty loop 0.345 ns";
    assert!(all.starts_with("nanobench ") && all.ends_with(expected), "{all}");
    assert_eq!(heading(false, Some(all.len())), all);
    let narrow = heading(false, Some(all.len() - 1));
    assert!(narrow.ends_with("  A CPU, 2 cores, clock tsc"), "{narrow}");
    assert_eq!(heading(true, Some(80)), all);
}

#[test]
fn the_heading_names_the_other_build() {
    let mut header = header(true);
    let with = header.compared_with.as_mut().unwrap();
    with.description = "3f2a91c (built before)".to_owned();
    with.method = ComparisonMethod::Revision { commit: "3f2a91c".repeat(5) };
    assert_eq!(
        header.comparison(),
        ["main is 3f2a91c (built before), run side by side with the working tree"]
    );
    header.compared_with.as_mut().unwrap().only_counts = true;
    assert_eq!(
        header.comparison(),
        ["main is 3f2a91c (built before), compared with the working tree by the instructions of a call"]
    );
    header.compared_with.as_mut().unwrap().only_counts = false;
    header.compared_with.as_mut().unwrap().name = "3f2a91c".to_owned();
    assert_eq!(header.comparison(), ["3f2a91c (built before), run side by side with the working tree"]);
    let text = document(header, &rows_compared(), None);
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["against"], "3f2a91c".repeat(5));
}

#[test]
fn the_heading_tells_that_no_code_differs() {
    let mut header = header(true);
    header.compared_with.as_mut().unwrap().same_code = true;
    assert!(header.comparison()[0].ends_with("): identical code"));
    header.compared_with.as_mut().unwrap().method = ComparisonMethod::Revision { commit: String::new() };
    assert!(header.comparison()[0].ends_with("compared with the working tree: identical code"));
}

#[test]
fn a_heading_without_changes_has_no_explanation_of_changes() {
    let mut header = header(true);
    let with = header.compared_with.as_mut().unwrap();
    with.differences = vec!["profile dev, before bench".to_owned()];
    with.method = ComparisonMethod::LastRun(LastRun::Identical);
    let expected = [
        "identical code since main (2 h ago, 3f2a91c, 5 benchmarks)",
        "main was built or measured differently: profile dev, before bench",
    ];
    assert_eq!(header.comparison(), expected);
    header.compared_with.as_mut().unwrap().method = ComparisonMethod::LastRun(LastRun::SideBySide);
    assert!(header.comparison()[1].contains("may explain some changes: profile dev"));
}
