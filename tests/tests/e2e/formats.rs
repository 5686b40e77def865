//! `--output`, `--format json-lines`, `--output github` and `report`, on a fixture. The texts of the formats
//! are tested in the tool.

use nanobench_tests::Fixture;

#[test]
fn a_run_writes_several_reports_and_saved_ones_can_be_reported() {
    let fixture = Fixture::to_edit("simple");
    let outputs = "--output csv=reports/run.csv --output junit=run.xml --output criterion=criterion";
    let run = fixture
        .nanobench(&format!("--max-time 1ms --save-baseline main --format json-lines {outputs}"))
        .run();
    let lines = run.exits(0).lines();
    assert!(lines.iter().all(|line| line.starts_with("{\"event\":\"")), "{run}");
    assert!(lines.len() > 2 && lines[lines.len() - 1].starts_with("{\"event\":\"end\""), "{run}");
    let csv = fixture.text("reports/run.csv");
    assert_eq!(csv.lines().count() - 1, lines.len() - 2, "a line for each benchmark: {csv}");
    assert!(fixture.text("run.xml").starts_with("<?xml"));
    let folders = std::fs::read_dir(fixture.path("criterion")).unwrap();
    assert!(
        folders.map(|folder| folder.unwrap().path().join("main/estimates.json")).all(|file| file.is_file())
    );

    let report = fixture.nanobench("report main --baseline last --format csv").run();
    assert_eq!(report.exits(0).lines().len(), csv.lines().count(), "{report}");
    fixture.nanobench("report").run().exits(0).prints("benchmark");
    let github = fixture
        .nanobench("report main --output github")
        .env("GITHUB_STEP_SUMMARY", fixture.path("summary.md"));
    github.run().exits(0);
    assert!(fixture.text("summary.md").starts_with("### Benchmarks"));
    fixture.nanobench("report nothing").run().fails_with(2, "nothing");
}

#[test]
fn an_output_that_cannot_be_written_is_noticed_before_anything_runs() {
    let fixture = Fixture::of("tally");
    let run = fixture.nanobench("outside --output csv=Cargo.toml/run.csv").run();
    run.fails_with(5, "cannot write Cargo.toml/run.csv");
    let run = fixture.nanobench("outside --output csv=run --output json=run").run();
    run.fails_with(5, "cannot write run: it is the file of another output, too");
    assert_eq!(fixture.left("outside"), 0);
}
