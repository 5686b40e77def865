use super::{Check, Features, check, number};
use nanobench::{Bench, BenchResult, BenchStyle, Column};
use nanobench_tests::repository;
use std::cell::RefCell;
use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::Duration;

#[test]
fn softwx_bench() {
    check("SoftWx Bench", CHECKS);
}

/// Returns a quick `Bench` without output.
fn bench() -> Bench {
    let mut bench = Bench::new();
    bench.output(io::sink()).epochs(2).epoch_iterations(3).performance_counters(false);
    bench
}

/// Returns a result of 2 epochs, of 3 iterations each, of 10 operations each.
fn result(name: &str) -> BenchResult {
    let mut bench = bench();
    bench.count(10).run_counted(name, |count| (0..count).map(std::hint::black_box).sum::<u64>());
    bench.results()[0].clone()
}

#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the text of a run.
fn printed(run: impl FnOnce(&mut Bench) -> &mut Bench) -> String {
    let output = Shared::default();
    run(bench().output(output.clone()).style(BenchStyle::Text));
    String::from_utf8(output.0.borrow().clone()).unwrap()
}

/// Expects that a function has figures, in a pass of the attribute.
fn is_measured(f: &Features, path: &str) {
    assert_eq!(f.row(path)["status"], "ok", "{}", f.row(path));
    assert!(number(&f.row(path)["time"]["median"]) > 0.0);
}

/// Returns the shortest sample in seconds.
fn shortest(f: &Features, path: &str) -> f64 {
    number(&f.row(path)["time"]["min"]) / 1e9
}

const CHECKS: &[Check] = &[
    ("`Time(name, Action)`", |f| {
        is_measured(f, "plain");
        assert_eq!(bench().run("a", || 1).results()[0].iterations(), 6);
    }),
    ("`Time(name, Action<TimeControl>)`", |f| {
        is_measured(f, "paused");
        assert_eq!(bench().run_controlled("a", |tc| tc.exclude(|| ())).results().len(), 1);
    }),
    ("`Time(name, Action<int>)`", |f| {
        is_measured(f, "counted");
        assert!(number(&f.row("counted")["count"]) > 1.0);
        let mut bench = bench();
        bench.run_counted("a", |count| (0..count).map(std::hint::black_box).sum::<u64>());
        assert!(bench.results()[0].batch() > 1.0);
    }),
    ("`Time(name, Action<int, TimeControl>)`", |f| {
        is_measured(f, "counted_and_paused");
        let mut bench = bench();
        bench.run_counted_controlled("a", |count, tc| tc.exclude(|| assert!(count > 0)));
        assert_eq!(bench.results().len(), 1);
    }),
    ("`Time(name, count, Action<int>)`", |f| {
        assert_eq!(f.row("fixed_count")["count"], 1_000);
        assert_eq!(result("a").batch(), 10.0);
    }),
    ("`Time(name, count, Action<int, TimeControl>)`", |f| {
        assert_eq!(f.row("fixed_count_and_paused")["count"], 1_000);
        let mut bench = bench();
        bench.count(7).run_counted_controlled("a", |count, _| assert_eq!(count, 7));
    }),
    // The sleep of 20 ms is not timed.
    ("`TimeControl.Pause`, `Resume`", |f| assert!(shortest(f, "paused") < 0.02)),
    ("`TimeControl.Reset`", |f| assert!(shortest(f, "begun_again") < 0.02)),
    ("Pausing costs nothing: its overhead is subtracted", |f| {
        let time = &f.row("paused")["time"];
        assert!(number(&time["raw_median"]) > number(&time["median"]), "{time}");
    }),
    ("Overhead of the call and of the loop is subtracted", |f| {
        f.run("counted --samples 2 --subtract-loop").exits(0).says("empty loop").prints("net/op");
        let time = &f.row("plain")["time"];
        assert!(number(&time["raw_median"]) >= number(&time["median"]), "{time}");
        let result = result("a");
        assert!(result.net_time_per_operation() < result.time_per_operation(), "{result:?}");
        let text = printed(|bench| bench.subtract_loop(true).run("a", || black_box("a").repeat(99)));
        assert!(text.contains("secs/Op= ") && text.contains(", Net= "), "{text}");
    }),
    ("An empty loop takes no time", |_| {
        // Without optimisation, nothing is certain.
        let text = printed(|bench| {
            bench.count(1_000).run_counted("a", |count| (0..count).for_each(|_| black_box(())))
        });
        assert!(text.contains("(like an empty loop over the count)") || cfg!(debug_assertions), "{text}");
    }),
    ("The target runs once before it is timed", |_| {
        let mut calls = 0;
        let mut bench = bench();
        bench.epochs(1).epoch_iterations(1).warmup(1).run("a", || calls += 1);
        assert!(calls >= 2, "{calls}");
    }),
    ("`CalculateGoodCount`", |f| assert!(number(&f.row("counted")["count"]) > 1.0)),
    ("`MinIterations`", |f| {
        let mut bench = Bench::new();
        bench.output(io::sink()).epochs(2).min_epoch_time(Duration::ZERO).min_epoch_iterations(700);
        assert!(bench.run("a", || 1).results()[0].iterations() >= 1_400);
        let run = f.run("plain --format json --samples 2 --iterations 5");
        assert_eq!(run.exits(0).json().row("documents::documents::plain").iterations.unwrap().max, 5);
    }),
    ("`MinMilliseconds`", |f| {
        // More samples than the least number, each of 0.25 ms.
        let run = f.run("plain --format json --min-time 50ms");
        assert!(run.exits(0).json().row("documents::documents::plain").samples() > 10, "{run}");
        let mut bench = bench();
        bench.min_epoch_time(Duration::from_millis(2)).run("a", || 1);
        let mut rendered = Vec::new();
        bench.render("{{minEpochTime}}", &mut rendered).unwrap();
        assert_eq!(rendered, b"0.002");
    }),
    ("`WriteToConsole = false`", |_| assert_eq!(bench().run("a", || 1).results().len(), 1)),
    ("`TimeResult.Name`, `Operations`, `Iterations`, `Elapsed`", |_| {
        let result = result("a");
        assert_eq!((result.name(), result.operations(), result.iterations()), ("a", 60.0, 6));
        assert_eq!(result.elapsed().as_secs_f64() > 0.0, result.elapsed_milliseconds() > 0.0);
    }),
    ("`ElapsedMilliseconds`", |_| {
        let result = result("a");
        let seconds = result.elapsed().as_secs_f64();
        assert!((result.elapsed_milliseconds() - seconds * 1e3).abs() < 1e-5);
    }),
    ("`NanosecondsPerOperation`, `Microseconds..`, `Milliseconds..`", |_| {
        let result = result("a");
        assert_eq!(result.nanoseconds_per_operation(), result.time_per_operation() * 1e9);
        assert_eq!(result.microseconds_per_operation(), result.time_per_operation() * 1e6);
        assert_eq!(result.milliseconds_per_operation(), result.time_per_operation() * 1e3);
    }),
    ("`NanosecondsPerIteration`, `Microseconds..`, `Milliseconds..`", |_| {
        let result = result("a");
        let ratio = |iteration: f64, operation: f64| assert!((iteration - 10.0 * operation).abs() < 1e-3);
        ratio(result.nanoseconds_per_iteration(), result.nanoseconds_per_operation());
        ratio(result.microseconds_per_iteration(), result.microseconds_per_operation());
        ratio(result.milliseconds_per_iteration(), result.milliseconds_per_operation());
    }),
    ("`CompareTo`", |f| {
        let mut results = [result("a"), result("b"), result("c")];
        results.sort_by(BenchResult::compare_to);
        assert!(results.is_sorted_by_key(BenchResult::time_per_operation));
        f.run("sizes --sort time --units us --samples 2").exits(0).prints(" us ");
    }),
    ("`ToString`: `Nanosecs/Op= .., Ops= .., ElapsedMillisecs= ..`", |_| {
        let text = printed(|bench| bench.run("a", || 1));
        let [.., name, figures] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
        assert!(name.starts_with("Name= a"), "{text}");
        assert!(figures.contains("secs/Op= ") && figures.contains(", Ops= 6, ElapsedMillisecs= "), "{text}");
        let work = || black_box("a").repeat(99);
        let text = printed(|bench| bench.show_column(Column::StandardDeviation).run("a", work));
        assert!(text.contains(", StdDev= "), "{text}");
    }),
    ("`(Debugger Attached)`", |_| {
        // Nothing is attached here, or the text says so.
        let attached = std::fs::read_to_string("/proc/self/status")
            .is_ok_and(|status| !status.contains("TracerPid:\t0"));
        assert_eq!(result("a").to_string().contains("(Debugger Attached)"), attached);
    }),
    ("The optimiser may remove the code", |f| {
        assert_eq!(f.row("nothing")["status"], "below resolution", "{}", f.row("nothing"));
    }),
    ("Wall-clock time varies from run to run", |f| {
        assert!(number(&f.row("plain")["err"]) >= 0.0);
        f.run("plain --samples 3").exits(0).says("err%");
    }),
    ("Below 100 ns, don't take the numbers too literally", |f| {
        f.run("nothing -v --samples 2").exits(0).says("overheads: empty loop ");
    }),
    ("For CPU time, use a profiler", |f| {
        if cfg!(unix) {
            let profiler =
                f.fixture.nanobench("profile plain -- sh -c").arg("kill -0 {pid} && echo found").run();
            profiler.exits(0).prints("found");
        }
    }),
    ("The examples: `Sleep`, `String Concat`, `Dictionary.Remove`, `Mod 13` and `Mod 2^4`", |_| {
        let examples = fs::read_to_string(repository().join("examples/benches/softwx.rs")).unwrap();
        for name in ["fn sleep(", "fn string_concat(", "fn dictionary_remove(", "mod 13", "mod 2^4"] {
            assert!(examples.contains(name), "{name}");
        }
    }),
    ("Sizes of objects", |f| is_measured(f, "object")),
];
