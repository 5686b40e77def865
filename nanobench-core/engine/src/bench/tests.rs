mod tables;

use super::result::Epoch;
use super::*;
use crate::configuration::Configuration;
use crate::measure::Engine;
use crate::model::{KeyValue, Measurement};
use crate::time::{Clock, scripted};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

/// A result with these iterations and times in ns.
pub(super) fn result(name: &str, epochs: &[(u64, f64)]) -> BenchResult {
    let epoch = |&(iterations, time): &(u64, f64)| Epoch { iterations, elapsed: time / 1e9 };
    BenchResult {
        settings: Settings { name: name.to_owned(), ..Settings::default() },
        measurement: Measurement { count: 1, unroll: 1, ..Measurement::default() },
        epochs: epochs.iter().map(epoch).collect(),
        counters: [None; 6],
        clock_resolution: 2e-8,
        limit: None,
        relative: None,
        count_step: None,
        unreadable: Vec::new(),
    }
}

/// A writer that shares its text.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<String>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().push_str(std::str::from_utf8(bytes).unwrap());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn measured(settings: Settings, time: u64) -> (BenchResult, u64) {
    measured_by(settings, |_| time)
}

/// Measures a closure of which each call, by its number, takes a time in ns. Returns the number of
/// calls, too.
fn measured_by(settings: Settings, time: impl Fn(u64) -> u64) -> (BenchResult, u64) {
    scripted::set_read_cost(0);
    let calls = Cell::new(0);
    let mut benchmark = |bencher: &mut Bencher| {
        bencher.call(|_| {
            calls.set(calls.get() + 1);
            scripted::advance(time(calls.get()));
        });
    };
    let engine = Engine::with_clock(Clock::Scripted);
    let settings = Settings { counters: [false; 6], ..settings };
    (measuring::measure(&engine, &settings, Count::None, &mut benchmark), calls.get())
}

#[test]
fn epochs_are_as_many_and_as_long_as_the_settings_say() {
    let (result, _) = measured(Settings::default(), 100);
    assert_eq!((result.epochs(), result.median(Measure::Elapsed)), (11, 1e-7));
    let iterations = result.values(Measure::Iterations);
    assert!(iterations.iter().all(|n| (9_000.0..12_500.0).contains(n)), "1 ms and up to a fifth: {result:?}");
    let short = Settings { min_epoch_time: Duration::ZERO, epochs: 3, ..Settings::default() };
    let (result, _) = measured(Settings { clock_resolution_multiple: 500, ..short.clone() }, 100);
    let iterations = result.values(Measure::Iterations);
    assert!(iterations.len() == 3 && iterations[0] < 10.0, "500 x 1 ns: {result:?}");
    let (result, _) = measured(Settings { min_epoch_iterations: 700, ..short.clone() }, 100);
    assert!(result.minimum(Measure::Iterations) >= 700.0 && result.maximum(Measure::Iterations) <= 840.0);
    let (result, _) = measured(Settings { epoch_iterations: 70, ..short.clone() }, 100);
    assert_eq!(result.values(Measure::Iterations), [70.0; 3]);
    let (result, _) = measured(Settings { max_epoch_time: Duration::from_micros(1), ..short }, 100);
    assert!(result.maximum(Measure::Iterations) <= 12.0, "{result:?}");
}

#[test]
fn epochs_keep_to_their_limits_if_calls_were_slower_or_faster_during_the_calibration() {
    let times = |time: &dyn Fn(u64) -> u64| {
        let (result, _) = measured_by(Settings::default(), time);
        let of = |measure| result.values(measure).into_iter();
        of(Measure::Iterations).zip(of(Measure::Elapsed)).map(|(n, time)| n * time).collect::<Vec<_>>()
    };
    let slower = times(&|call| if call < 230 { 3_000 } else { 100 });
    let faster = times(&|call| if call < 2_300 { 100 } else { 30_000 });
    for times in [slower, faster] {
        assert!(times.len() == 11 && times.iter().all(|time| (1e-3..0.1).contains(time)), "{times:?}");
    }
    let limit = Settings { max_epoch_time: Duration::from_micros(500), ..Settings::default() };
    let (result, _) = measured(limit, 100);
    assert!(result.maximum(Measure::Iterations) <= 5_000.0, "with the additional ones: {result:?}");
}

#[test]
fn an_exact_number_of_iterations_is_that_of_the_calls() {
    let exact = Settings { epochs: 3, epoch_iterations: 100, ..Settings::default() };
    for (warmup, expected) in [(0, 300), (7, 307)] {
        let (result, calls) = measured(Settings { warmup, ..exact.clone() }, 100);
        assert_eq!((calls, result.values(Measure::Iterations)), (expected, vec![100.0; 3]));
        assert_eq!(result.median(Measure::Elapsed), 1e-7);
    }
    // The counters of the system count in the epochs.
    let mut bench = Bench::new();
    bench.output(io::sink()).epochs(3).epoch_iterations(10);
    let (mut inputs, mut made) = ((0..30).collect::<Vec<u32>>(), 0);
    bench.run("pop", || inputs.pop().expect("an input for each call"));
    bench.setup(|| made += 1).run("setup", |()| vec![1]);
    assert_eq!((inputs.len(), made), (0, 30));
    let is_unix = cfg!(all(unix, target_pointer_width = "64"));
    assert!(bench.results().iter().all(|result| result.has(Measure::PageFaults) == is_unix), "{bench:?}");
}

#[test]
fn each_key_of_the_environment_changes_its_setting() {
    let text = "epochs=2,minEpochTime=3ns,maxEpochTime=4ns,minEpochIterations=5,epochIterations=6,warmup=7,\
                clockResolutionMultiple=8";
    let (configuration, mistakes) = Configuration::parse(text);
    let expected = Settings {
        epochs: 2,
        min_epoch_time: Duration::from_nanos(3),
        max_epoch_time: Duration::from_nanos(4),
        min_epoch_iterations: 5,
        epoch_iterations: 6,
        warmup: 7,
        clock_resolution_multiple: 8,
        ..Settings::default()
    };
    assert_eq!((Settings::default().changed_by(&configuration), mistakes), (expected, vec![]));
}

#[test]
fn a_slow_closure_is_called_once_an_epoch() {
    let (result, calls) = measured(Settings { epochs: 4, ..Settings::default() }, 300_000_000);
    assert_eq!((result.epochs(), calls), (4, 4));
    let (result, calls) = measured(Settings { epochs: 4, warmup: 2, ..Settings::default() }, 300_000_000);
    assert_eq!((result.epochs(), calls), (4, 6));
}

#[test]
fn what_takes_no_time_is_below_resolution() {
    let (result, _) = measured(Settings { epoch_iterations: 100, ..Settings::default() }, 0);
    assert!(result.is_below_resolution(), "{result:?}");
}

#[test]
fn the_count_is_part_of_the_batch() {
    scripted::set_read_cost(0);
    let engine = Engine::with_clock(Clock::Scripted);
    let mut benchmark = |bencher: &mut Bencher| bencher.call(|count| scripted::advance(3 * count));
    let settings = Settings { batch: 2.0, counters: [false; 6], ..Settings::default() };
    let result = measuring::measure(&engine, &settings, Count::Fixed(50), &mut benchmark);
    assert_eq!(result.batch(), 100.0);
    assert!((result.time_per_operation() - 1.5e-9).abs() < 1e-15, "{result:?}");
    assert!(result.count_step.is_some());
}

#[test]
fn the_forms_of_runs_pass_on_what_they_promise() {
    let output = Shared::default();
    let mut bench = Bench::new();
    bench.output.is_warned = true;
    bench.output(output.clone()).epochs(1).epoch_iterations(2).performance_counters(false);
    let (mut inputs, mut counts) = (Vec::new(), Vec::new());
    let mut next = 0;
    bench
        .setup(|| {
            next += 1;
            next
        })
        .run("setup", |input| inputs.push(input))
        .count(9)
        .run_counted("counted", |count| counts.push(count))
        .run_controlled("controlled", |control| control.exclude(|| ()))
        .run_counted_controlled("both", |count, control| control.exclude(|| assert_eq!(count, 9)))
        .name("by name")
        .run_named(|| ());
    assert_eq!((inputs, counts), (vec![1, 2], vec![9, 9]));
    let names: Vec<&str> = bench.results().iter().map(BenchResult::name).collect();
    assert_eq!(names, ["setup", "counted", "controlled", "both", "by name"]);
    assert_eq!(output.0.borrow().lines().count(), 8, "{}", output.0.borrow());
}

#[test]
fn complexities_are_fitted_and_displayed() {
    let mut bench = Bench::new();
    for n in [10.0, 100.0, 1_000.0, 10_000.0] {
        let mut result = result("sort", &[(1, 5.0 * n)]);
        result.settings.complexity_n = Some(n);
        // It doesn't divide the times that are fitted.
        result.settings.batch = n;
        bench.results.push(result);
    }
    let fits = bench.complexity_big_o();
    assert_eq!((fits[0].name.as_str(), fits.len()), ("O(n)", 6));
    assert!((fits[0].constant - 5e-9).abs() < 1e-18);
    let text = fits.to_string();
    let expected = "\
|   coefficient |   err% | ankerl err% | complexity
|--------------:|-------:|------------:|------------
|    5.00000e-9 |   0.0% |        0.0% | O(n)
";
    assert!(text.starts_with(expected), "{text}");
    let own = bench.complexity_big_o_of("O(sqrt n)", f64::sqrt).unwrap();
    assert!(own.normalized_root_mean_square > 0.5 && own.to_string().contains(" * O(sqrt n), rms="), "{own}");
    assert_eq!(bench.complexity_big_o_of("O(-n)", |n| -n), None);
    bench.results.truncate(2);
    assert!(bench.complexity_big_o().is_empty());
    assert!(bench.complexity_big_o().to_string().contains("needs three different sizes"));
}

#[test]
fn the_fastest_result_comes_first() {
    let mut results = [result("slow", &[(1, 5.0)]), result("fast", &[(1, 2.0)])];
    results.sort_by(BenchResult::compare_to);
    assert_eq!(results[0].name(), "fast");
}

#[test]
fn compared_closures_are_measured_in_balanced_rounds() {
    scripted::set_read_cost(0);
    let engine = Engine::with_clock(Clock::Scripted);
    let mut bench = Bench::new();
    bench.output.is_warned = true;
    bench.output(io::sink()).epochs(19).epoch_iterations(5).performance_counters(false).relative(true);
    let order = Rc::new(RefCell::new(Vec::new()));
    let operation = |name: &'static str, time: u64| -> (String, compare::Operation<'static>) {
        let (order, mut samples) = (order.clone(), 0);
        let benchmark = move |bencher: &mut Bencher| {
            order.borrow_mut().push(name);
            // The machine is twice as slow in every other round.
            samples += 1;
            let factor = 1 + samples % 2;
            bencher.call(|_| scripted::advance(factor * time));
        };
        (name.to_owned(), Box::new(benchmark))
    };
    let mut operations = [operation("a", 100), operation("b", 200), operation("c", 100)];
    let compared = compare::run(&engine, &mut bench, &mut operations, &mut crate::Rng::with_seed(1));
    assert_eq!((compared[0].ratio, compared[1].ratio), (2.0, 1.0), "{compared:?}");
    let epochs = |result: &BenchResult| (result.epochs(), result.settings.epochs);
    assert_eq!(bench.results().iter().map(epochs).collect::<Vec<_>>(), [(20, 20); 3]);
    let order = order.borrow();
    let rounds: Vec<&[&str]> = order[order.len() - 60..].chunks(3).collect();
    for two in rounds.chunks(2) {
        assert!(two[0].iter().eq(two[1].iter().rev()), "{rounds:?}");
    }
}

#[test]
fn comparisons_are_said_in_words() {
    let compared = |ratio, interval| {
        ComparedTimes { name: "b".into(), baseline: "a".into(), ratio, interval }.to_string()
    };
    assert_eq!(compared(2.0, (1.9, 2.1)), "`b` takes 2.000 times as long as `a` (95 %: 1.900 to 2.100)");
    assert_eq!(compared(0.5, (0.4, 0.8)), "`b` is 2.000 times as fast as `a` (95 %: 1.250 to 2.500)");
    assert_eq!(compared(1.01, (0.99, 1.02)), "`b` and `a` can't be told apart: within 2.0 %");
}

/// Not a test of its own: the tests below run it in processes with other environments.
#[test]
#[ignore = "run by other tests"]
fn a_run_in_its_own_process() {
    let [mut other, mut bench] = [(); 2].map(|()| Bench::new());
    other.performance_counters(false).run("other", || ());
    bench.performance_counters(false).run("first", || ()).run("x += x", || std::hint::black_box(1) + 1);
    println!("epochs: {}", bench.results()[1].epochs());
}

fn in_its_own_process(variable: &str, value: &str) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    let (_, module) = module_path!().split_once("::").unwrap();
    let test = format!("{module}::a_run_in_its_own_process");
    command.args([&test, "--exact", "--ignored", "--nocapture", "--test-threads=1"]).env(variable, value);
    command
}

#[test]
fn the_environment_sets_defaults_and_silences_warnings() {
    let output =
        in_its_own_process("NANOBENCH_CONFIG", "epochs=3,maxEpochTime=1us,epoch=2").output().unwrap();
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(stdout.contains("epochs: 3\n"), "{stdout}");
    let warning = "Warning, results might be unstable";
    assert_eq!(stdout.matches(warning).count(), 1, "by both: {stdout}");
    let line = "nanobench: NANOBENCH_CONFIG: `epoch=2`: unknown key; ";
    assert_eq!(stderr.matches(line).count(), 1, "{stderr}");
    let output = in_its_own_process("NANOBENCH_SUPPRESS_WARNINGS", "1").output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(!stdout.contains("Warning") && stdout.contains("`x += x`"), "{stdout}");
}

#[test]
fn an_endless_benchmark_runs_until_it_is_ended() {
    use std::io::BufRead as _;
    let mut command = in_its_own_process("NANOBENCH_ENDLESS", "x += x");
    let mut child =
        command.stderr(std::process::Stdio::piped()).stdout(std::process::Stdio::null()).spawn().unwrap();
    let mut lines = io::BufReader::new(child.stderr.take().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    assert_eq!(line, "NANOBENCH_ENDLESS set: running 'x += x' endlessly");
    std::thread::sleep(Duration::from_millis(20));
    assert!(child.try_wait().unwrap().is_none(), "it has ended");
    child.kill().unwrap();
    child.wait().unwrap();
}
