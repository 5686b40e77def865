use super::{Check, Features, check, number};
use nanobench_tests::Outcome;
use object::{Object as _, ObjectSymbol as _};
use serde_json::Value;
use std::fs;

#[test]
fn measureit() {
    check("MeasureIt", CHECKS);
}

const AREA: &str = "documents::documents::area";
const CLONED: &str = "sum of (0, .. 4)";

/// Returns the ids that a run measured.
fn measured(run: &Outcome) -> Vec<String> {
    run.exits(0).json().ids().into_iter().map(str::to_owned).collect()
}

/// Returns the addresses of the functions with the timed loop.
fn timed_loops(f: &Features) -> Vec<u64> {
    f.run("plain --samples 2 --save-baseline loops").exits(0);
    let executable = fs::read(&f.fixture.executables("loops")[0]).unwrap();
    let file = object::File::parse(&*executable).unwrap();
    let is_loop = |symbol: &object::Symbol| symbol.name().is_ok_and(|name| name.contains("discard_results"));
    file.symbols().filter(is_loop).map(|symbol| symbol.address()).collect()
}

const CHECKS: &[Check] = &[
    ("`MeasureIt` runs all default benchmarks", |f| {
        let run = f.run("--list");
        let lines = run.exits(0).lines();
        assert!(lines.iter().any(|line| line.ends_with("::plain")), "{run}");
        assert!(!lines.iter().any(|line| line.ends_with("::private")), "{run}");
    }),
    ("`MeasureIt MethodCalls FieldAccess` runs areas", |f| {
        let run = f.run("calls plain --format json --samples 2");
        let area = ["public", "private"].map(|name| format!("{AREA}::{name}"));
        assert_eq!(measured(&run), [&["documents::documents::plain".to_owned()][..], &area].concat());
    }),
    ("An area is a method `MeasureXXX`", |f| assert_eq!(f.row("area::public")["group"], "calls")),
    ("A private area runs only if it is named", |f| {
        let private = format!("{AREA}::private");
        assert_eq!(measured(&f.run("private --format json --samples 2")), std::slice::from_ref(&private));
        let both = measured(&f.run("area --format json --samples 2"));
        assert_eq!(both, [format!("{AREA}::public"), private]);
    }),
    ("`timer1000.Measure(name, scale, delegate)`", |f| {
        assert_eq!(f.row(CLONED)["batch"], 5);
        assert_eq!(f.row("std::sort")["status"], "ok");
        let id = "documents::documents::std::sort";
        for filter in ["std::sort", "--exact documents::documents::std::sort"] {
            let run = f.run(&format!(
                "{filter} --multiples-of std::sort --format json --samples 2 --save-baseline sorted"
            ));
            assert_eq!(measured(&run), [id], "{run}");
        }
        f.run("std::sort --baseline sorted --format json --samples 2")
            .exits(0)
            .json()
            .row(id)
            .comparison
            .unwrap();
        f.run("report sorted --format csv").exits(0).prints(&format!("\n{id},ok,"));
        f.run("report sorted --output html").exits(0);
        assert!(fs::read_to_string(f.fixture.stored("report.html")).unwrap().contains(id));
    }),
    ("`/?` lists the areas", |f| {
        let run = f.run("area --list");
        assert!(run.exits(0).lines().contains(&format!("{AREA}::public")), "{run}");
        let run = f.run("--list -v");
        run.exits(0).prints("Sleeps for longer than it works").prints("group: calls");
        run.prints(&format!("{AREA}::private")).prints("ignored: runs only if it is named");
    }),
    ("`Median`, `Mean`, `StdDev`, `Min`, `Max`, `Samples`", |f| {
        let row = f.row("plain");
        let [median, mean, sd, min, max] =
            ["median", "mean", "sd", "min", "max"].map(|name| number(&row["time"][name]));
        assert!(min <= median && median <= max && min <= mean && mean <= max && sd >= 0.0, "{row}");
        assert!(number(&row["samples"]) > 1.0, "{row}");
        let run = f.run("plain --stats --samples 3");
        for title in ["mean", "sd", "min", "max", "samples"] {
            run.exits(0).prints(title);
        }
    }),
    ("`Scaled where EmptyStaticFunction = 1.0`", |f| {
        let run = f.run("plain counted --multiples-of plain --format json --samples 3");
        assert_eq!(run.exits(0).json().row("documents::documents::plain").scaled, Some(1.0), "{run}");
        let run = f.run("plain counted --multiples-of plain --format markdown --samples 3");
        run.exits(0).prints("::plain</code> | **1.00** |");
    }),
    ("`NOTHING`: the error of the harness", |f| {
        let run = f.run("nothing --max-time 2ms");
        run.exits(0).says("empty loop").prints("optimised away: not timed");
    }),
    ("`count=1000`", |f| assert_eq!(f.row("fixed_count")["count"], 1_000)),
    ("`Loop 1K times`: the cost of the loop over the count", |f| {
        f.run("counted -v --samples 2").exits(0).says("overheads: empty loop ").says(", count ");
    }),
    ("`scale`: the body is cloned ten times", |f| {
        assert_eq!((&f.row(CLONED)["unroll"], &f.row(CLONED)["batch"]), (&10.into(), &5.into()));
    }),
    ("Loop alignment moves small loops", |f| {
        assert_eq!(f.row("counted")["status"], "ok");
        if cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))) {
            let loops = timed_loops(f);
            assert!(loops.len() > 5, "{loops:?}");
            assert!(loops.iter().all(|address| address % 64 == 0), "{loops:x?}");
        }
    }),
    ("An empty benchmark is subtracted, which may give negative times", |f| {
        assert_eq!(f.row("nothing")["status"], "below resolution");
        assert!(number(&f.row("nothing")["resolution"]) > 0.0);
    }),
    ("`new MultiSampleCodeTimer(3, 1)`", |f| {
        let run = f.run("unprimed --format json");
        let row = run.exits(0).json().row("documents::documents::unprimed");
        assert_eq!((row.samples(), row.iterations.as_ref().unwrap().max), (3, 1), "{run}");
    }),
    ("`OnMeasure = logger.AddWithCount` connects a timer with the report", |f| {
        let listed = f.run("--list --include-ignored").exits(0).lines();
        let measured = f.measured()["benchmarks"].as_array().unwrap();
        let ids: Vec<&str> = measured.iter().filter_map(|row| row["id"].as_str()).collect();
        assert_eq!(listed, ids);
    }),
    ("`Prime = false`", |f| {
        let run = f.run("unprimed plain --format json --samples-in-json --samples 2");
        let document: Value = serde_json::from_str(&run.exits(0).stdout()).unwrap();
        let warmups = [0, 1].map(|row| &document["benchmarks"][row]["raw"]["plan"]["warmup"]);
        assert_eq!(warmups, [&Value::from(1), &0.into()], "{run}");
    }),
    ("A second delegate resets the state", |f| assert_eq!(f.row("resets")["status"], "ok")),
    ("State in a dictionary that grows", |f| {
        assert_eq!(f.row("grows")["status"], "ok", "{}", f.row("grows"));
    }),
    ("A report in HTML", |f| {
        let run = f.run("plain --template html --samples 3");
        assert!(run.exits(0).stdout().contains(r#"{name: "plain""#), "{run}");
        f.run("plain --output html --samples 3").exits(0);
        assert!(fs::read_to_string(f.fixture.stored("report.html")).unwrap().contains("plain"));
    }),
    ("`/edit` unpacks the source", |f| {
        let row = f.row("paused");
        assert_eq!(row["description"], "Sleeps for longer than it works, in a pause.");
        assert!(row["file"].as_str().unwrap().ends_with("documents.rs") && number(&row["line"]) > 1.0);
        f.run("costs recursive --source")
            .exits(0)
            .prints("use std::hint::black_box;")
            .prints("fn fibonacci(");
    }),
    ("`build.bat` rebuilds it", |f| {
        f.run("--list").exits(0).says("Finished `bench` profile");
    }),
    ("Looking at the machine code in a debugger", |f| {
        f.run("nothing --max-time 2ms").exits(0).prints("nothing").prints("optimised away: not timed");
        if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            f.run("asm plain").exits(0).prints("the timed loop");
        }
    }),
    ("First-time costs are excluded", |f| {
        let run = f.run("plain --warmup 0 --iterations 1 --samples 1 --format json");
        assert_eq!(run.exits(0).json().row("documents::documents::plain").samples(), 1);
        let run = f.run("plain --first-call --launches 2 --samples 2 --format json");
        let document: Value = serde_json::from_str(&run.exits(0).stdout()).unwrap();
        let plain = &document["benchmarks"][0];
        assert_eq!((&plain["first_call"]["processes"], &plain["launches"]), (&2.into(), &2.into()), "{run}");
    }),
    ("Median and mean that differ mean too much error", |f| {
        let doubts = &f.row("rarely_slow")["doubts"];
        let is_named = |doubt: &Value| doubt.as_str().unwrap() == "mean +180.0 % from the median";
        assert!(doubts.as_array().unwrap().iter().any(is_named), "{doubts}");
    }),
    ("Two standard deviations around the mean hold 95 % of the samples", |f| {
        f.run("plain --stats --samples 12").exits(0).prints("median, 95 %");
        let time = &f.row("plain")["time"];
        let [low, high] = [0, 1].map(|end| number(&time["interval"][end]));
        assert!(low <= number(&time["median"]) && number(&time["median"]) <= high, "{time}");
    }),
    ("Other programs should not run meanwhile", |f| {
        f.run("plain --wait-quiet 1ms --samples 2").exits(0).prints("plain");
    }),
    ("Samples of one process understate the variability", |f| {
        f.run("plain --save-baseline processes --samples 5").exits(0);
        let run = f.run("plain --baseline processes --format json --max-time 2ms");
        assert!(run.exits(0).json().row("documents::documents::plain").comparison.is_some(), "{run}");
    }),
    ("Power schemes: `/setHighPerformance`", |f| {
        // Without settings that it could change, as in most virtual machines.
        let nothing = tempfile::tempdir().unwrap();
        let tune = f.fixture.nanobench("tune --root").arg(nothing.path()).run();
        tune.exits(0).prints("--tuned").prints("There is nothing to change.");
        let tune = f.fixture.nanobench("tune --scheme performance --root").arg(nothing.path()).run();
        tune.exits(0).prints("There is nothing to change.");
    }),
    ("`/setBalenced`, `/setPowerSaver`", |f| {
        // `tests/e2e/tune.rs` has a machine with settings.
        let nothing = tempfile::tempdir().unwrap();
        for scheme in ["--apply --scheme balanced", "--apply --scheme saving"] {
            let tune = f.fixture.nanobench(&format!("tune {scheme} --root")).arg(nothing.path()).run();
            tune.exits(0).prints("There is nothing to change.");
        }
        let tune = f.fixture.nanobench("tune --restore --root").arg(nothing.path()).run();
        tune.exits(0).prints("Nothing was changed.");
    }),
    ("Costs depend on the machine and on versions", |f| {
        f.run("plain --save-baseline here --samples 3").exits(0);
        f.run("baseline export here here.tar.gz").exits(0);
        f.run("baseline import here.tar.gz --name there").exits(0).prints("1 benchmark");
    }),
    ("Built-in benchmarks of the runtime's primitives", |f| {
        f.run("costs calls fields --list").exits(0).prints("empty call").prints("read a field in a Box");
    }),
];
