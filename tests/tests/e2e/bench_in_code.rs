//! `Bench` and the tool: templates for a whole run, results in a baseline, and endless benchmarks.

use nanobench::Bench;
use nanobench_tests::Fixture;
use std::io;

const JOIN: &str = "simple::first::join";

#[test]
fn a_run_is_rendered_by_the_shipped_templates() {
    let fixture = Fixture::of("simple");
    let run = fixture.nanobench("--template json join each --samples 5").run();
    let json: serde_json::Value = serde_json::from_str(&run.exits(0).stdout()).unwrap();
    let results = json["results"].as_array().unwrap();
    let names: Vec<&str> = results.iter().filter_map(|result| result["name"].as_str()).collect();
    assert_eq!(names, ["join", "each", "each_u32"], "{run}");
    assert_eq!((&results[0]["title"], &results[0]["epochs"]), (&"simple::first".into(), &5.into()), "{run}");
    assert_eq!(results[0]["measurements"].as_array().map(Vec::len), Some(5), "{run}");
    // The count of the function is part of the batch.
    assert!(results[1]["batch"].as_f64().unwrap() > 1.0, "{run}");
    let run = fixture.nanobench("--format pyperf join each --samples 5").run();
    let json: serde_json::Value = serde_json::from_str(&run.exits(0).stdout()).unwrap();
    assert_eq!(json["benchmarks"][0]["runs"][0]["values"].as_array().map(Vec::len), Some(5), "{run}");
    fixture.nanobench("--template pyperf join").run().fails_with(2, "for pyperf: --format pyperf");
    let run = fixture.nanobench("--template csv join each --samples 5").run();
    let lines = run.exits(0).lines();
    assert!(lines.len() == 4 && lines[1].starts_with(r#""simple::first";"join";"op";1;"#), "{run}");
    let run = fixture.nanobench("--template html join each --samples 5").run();
    assert!(run.exits(0).stdout().starts_with("<!DOCTYPE html>"), "{run}");
    assert!(run.stdout().contains(r#"{name: "join", unit: "op", times: ["#), "{run}");
}

#[test]
fn a_run_is_rendered_by_a_file_that_is_checked_first() {
    let fixture = Fixture::of("simple");
    let template =
        "{{#result}}{{title}} {{name}} {{epochs}} {{context(machine)}}{{^-last}}, {{/-last}}{{/result}}\n";
    fixture.write("mine.txt", template);
    let run = fixture.nanobench("--template mine.txt join fixed --samples 3 --context machine=idle").run();
    assert_eq!(run.exits(0).stdout(), "simple::first join 3 idle, simple::first fixed 3 idle\n");
    fixture.write("mine.txt", "one\ntwo {{nome}}");
    let run = fixture.nanobench("--template mine.txt --save-baseline main").run();
    run.fails_with(2, "`mine.txt`: template, line 2, column 5: there is no tag `nome`");
    assert!(!fixture.baseline("main").exists(), "{run}");
    fixture.nanobench("--template absent.txt").run().fails_with(2, "cannot read the template `absent.txt`");
    fixture.nanobench("--template csv --format json").run().fails_with(2, "--format");
}

#[test]
fn a_failed_benchmark_is_an_error_beside_a_rendered_run() {
    let fixture = Fixture::of("failing");
    let run = fixture.nanobench("--template csv panics").run();
    assert_eq!(run.exits(1).lines().len(), 1, "{run}");
    run.says("failing::failing::panics").says("panicked");
}

#[cfg(unix)]
#[test]
fn an_endless_benchmark_ends_with_ctrl_c_and_is_not_the_last_run() {
    let fixture = Fixture::of("simple");
    let mut running = fixture.nanobench("profile join").start();
    running.wait_until("the benchmark runs", |running| {
        running.stderr_so_far().contains(&format!(" runs {JOIN} until Ctrl-C"))
    });
    running.interrupt();
    let run = running.finish();
    assert_eq!(run.exits(0).stdout(), "", "{run}");
    assert!(!fixture.baseline("last").exists(), "{run}");
    fixture.nanobench("profile nothing").run().fails_with(2, "nothing");
    fixture.nanobench("profile join --save-baseline a").run().fails_with(2, "--save-baseline");
}

#[cfg(unix)]
#[test]
fn a_profile_ends_with_its_profiler() {
    let fixture = Fixture::of("simple");
    let profile = |script| fixture.nanobench("profile join -- sh -c").arg(script).run();
    let run = profile("kill -0 {pid} && echo attached to {pid}");
    let is_attached =
        |line: &str| line.strip_prefix("attached to ").is_some_and(|id| id.parse::<u32>().is_ok());
    assert!(run.exits(0).stdout().lines().any(is_attached), "{run}");
    assert!(!fixture.baseline("last").exists(), "{run}");
    let run = profile("kill -0 {pid} && exit 3");
    assert!(run.exits_with_failure(), "{run}");
    run.says("the profiler failed");
    for profiler in ["no-such-profiler", "no-such-profiler -p {pid}"] {
        let run = fixture.nanobench(&format!("profile join -- {profiler}")).run();
        run.says("the profiler `no-such-profiler` is not installed, or not in PATH");
        assert!(run.exits_with_failure(), "{run}");
    }
}

#[test]
fn results_of_a_bench_are_baselines_that_can_be_compared() {
    let fixture = Fixture::of("simple");
    let mut bench = Bench::new();
    bench.output(io::sink()).epochs(5).epoch_iterations(1_000).title("Sums").context("cpu", "fast");
    for n in [1_u64, 10] {
        bench.complexity_n(n).run("sum", || (0..n * 1_000).map(std::hint::black_box).sum::<u64>());
    }
    bench.save(fixture.path("before.json")).unwrap();
    // A thousandfold time, which no disturbance hides.
    let text = fixture.text("before.json");
    let mut slower: serde_json::Value = serde_json::from_str(&text).unwrap();
    for sample in slower["results"][1]["measurement"]["launches"][0]["samples"].as_array_mut().unwrap() {
        sample["elapsed"] = (sample["elapsed"].as_u64().unwrap() * 1_000).into();
    }
    fixture.write("after.json", slower.to_string());
    fixture.nanobench("baseline import before.json --name before").run().exits(0).prints("2 benchmarks");
    fixture.nanobench("baseline import after.json --name after").run().exits(0);
    let run = fixture.nanobench("report after --baseline before --format json").run();
    let report = run.exits(0).json();
    let ids = report.ids();
    assert!(
        ids.len() == 2 && ids[0].ends_with("::Sums::sum/1") && ids[1].ends_with("::Sums::sum/10"),
        "{run}"
    );
    let verdicts = ids.iter().map(|id| report.row(id).comparison.unwrap().verdict);
    let verdicts: Vec<String> = verdicts.collect();
    assert!(verdicts[0] != "slower" && verdicts[1] == "slower", "{run}");
    fixture.write("broken.json", text.replace("\"iterations\":", "\"iteration\":"));
    fixture.nanobench("baseline import broken.json --name x").run().fails_with(5, "iterations");
    fixture.write("other.json", r#"{"results": []}"#);
    fixture
        .nanobench("baseline import other.json")
        .run()
        .fails_with(5, "not a file that `Bench::save` wrote");
    let newer = text.replace("\"bench_format\":1", "\"bench_format\":2");
    fixture.write("newer.json", newer);
    fixture.nanobench("baseline import newer.json --name x").run().fails_with(5, "update");
}
