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
fn another_unit_removes_results_and_another_title_starts_a_table() {
    let output = Shared::default();
    let mut bench = Bench::new();
    bench.output(output.clone()).relative(true);
    bench.add(result("a", &[(10, 20.0)]));
    bench.title("second");
    let second = Settings { title: "second".into(), relative: true, ..result("b", &[]).settings };
    bench
        .add(BenchResult { settings: Settings { name: "b".into(), ..second }, ..result("b", &[(10, 10.0)]) });
    assert_eq!(bench.results()[1].relative(), Some(2.0));
    assert_eq!(output.0.borrow().matches("|:----------\n").count(), 2);
    bench.unit("op");
    assert_eq!(bench.results().len(), 2);
    bench.unit("byte");
    assert_eq!(bench.results().len(), 0);
}

#[test]
fn relative_makes_the_next_run_the_baseline() {
    let mut bench = Bench::new();
    bench.output(io::sink());
    let add = |bench: &mut Bench, time: f64| {
        let of_run = result("a", &[(10, time)]);
        let settings = Settings { relative: bench.settings.relative, ..of_run.settings };
        bench.add(BenchResult { settings, ..of_run });
    };
    add(&mut bench, 1.0);
    for time in [40.0, 20.0] {
        add(bench.relative(true), time);
        add(&mut bench, 10.0);
    }
    add(bench.relative(false), 10.0);
    let relative: Vec<Option<f64>> = bench.results().iter().map(BenchResult::relative).collect();
    assert_eq!(relative, [None, Some(1.0), Some(4.0), Some(1.0), Some(2.0), None]);
}

#[test]
fn the_table_is_that_of_the_reference() {
    let mut table = markdown::Markdown::default();
    let mut first = result("x += x", &[(1_000_000, 1.5), (1_000_000, 1.5)]);
    first.settings.batch = 0.1;
    let mut second = result("a|b`c\u{1b}", &[(10, 1_500.0), (10, 2_000.0), (10, 4_000.0)]);
    second.settings.batch = 0.1;
    let expected = "
|               ns/op |                op/s |    err% |     total | benchmark
|--------------------:|--------------------:|--------:|----------:|:----------
|               15.00 |       66,666,666.67 |    0.0% |      0.00 | `x += x`
|           20,000.00 |           50,000.00 |   33.3% |      0.00 | :wavy_dash: `a\\|b'c\\u{1b}` (Unstable with ~10.0 iters. Increase `min_epoch_iterations` to e.g. 100)
";
    assert_eq!(table.row(&first) + &table.row(&second), expected);
    let mut compared = result("half", &[(10, 3_000_000.0)]);
    compared.settings =
        Settings { relative: true, time_unit: (1e-3, "ms".into()), unit: "byte".into(), ..compared.settings };
    compared.settings.complexity_n = Some(1_000.0);
    compared.relative = Some(0.5);
    compared.counters = [None, Some(2_000.0), None, Some(3_000.0), Some(100.0), Some(5.0)];
    let expected = "
| relative | complexityN |             ms/byte |              byte/s |    err% |       ins/byte |       cyc/byte |    IPC |      bra/byte |   miss% |     total | benchmark
|---------:|------------:|--------------------:|--------------------:|--------:|---------------:|---------------:|-------:|--------------:|--------:|----------:|:----------
|    50.0% |       1,000 |                3.00 |              333.33 |    0.0% |       3,000.00 |       2,000.00 |  1.500 |        100.00 |    5.0% |      0.03 | `half`
";
    assert_eq!(table.row(&compared), expected);
}

#[test]
fn columns_can_be_hidden_and_added() {
    let heads = |bench: &mut Bench| {
        let settings = Settings { context: vec![("threads".into(), "4".into())], ..bench.settings.clone() };
        let lines = markdown::Markdown::default()
            .row(&BenchResult { settings, ..result("a", &[(1, 1_000.0), (1, 2_000.0), (1, 4_500.0)]) });
        let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        let [head, row] = [1, 3].map(|line| cells(lines.lines().nth(line).unwrap()));
        head.into_iter().zip(row).filter(|(head, _)| !head.is_empty()).collect::<Vec<_>>()
    };
    let names = |cells: Vec<(String, String)>| cells.into_iter().map(|(head, _)| head).collect::<Vec<_>>();
    let mut bench = Bench::new();
    bench.hide_column(Column::Total).hide_column(Column::Error).show_column(Column::Total);
    assert_eq!(names(heads(&mut bench)), ["ns/op", "op/s", "total", "benchmark"]);
    bench.context_column("threads").context_column("absent").context_column("threads");
    bench
        .show_column(Column::StandardDeviation)
        .hide_column(Column::Total)
        .hide_column(Column::UnitPerSecond);
    let cells = heads(&mut bench);
    let texts: Vec<(&str, &str)> = cells.iter().map(|(head, cell)| (head.as_str(), cell.as_str())).collect();
    // The mean is 2,500, and the deviations are 1,500, 500 and 2,000.
    let expected = [("absent", "-"), ("threads", "4"), ("ns/op", "2,000.00"), ("sd ns/op", "1,802.78")];
    assert_eq!(texts[..4], expected);
    bench.clear_context_columns().hide_column(Column::StandardDeviation).subtract_loop(true);
    assert_eq!(names(heads(&mut bench)), ["ns/op", "net ns/op", "benchmark"]);
}

#[test]
fn counters_that_cannot_be_read_are_named_once() {
    let output = Shared::default();
    let mut bench = Bench::new();
    bench.output(output.clone());
    let pair = |key: &str| KeyValue { key: key.into(), value: "no permission".into() };
    for _ in 0..2 {
        bench.add(BenchResult {
            unreadable: vec![pair("cycles"), pair("branches")],
            ..result("a", &[(1, 1.0)])
        });
    }
    let text = output.0.borrow();
    assert_eq!(text.matches("Note: can't read cycles, branches: no permission\n\n|").count(), 1, "{text}");
    assert_eq!(text.matches("Note:").count(), 1, "{text}");
}

#[test]
fn the_loop_over_the_count_is_subtracted_on_request_and_recognised() {
    let of = |time: f64| {
        let counted = result("a", &[(10, 1_000.0 * time)]);
        let settings = Settings { batch: 1_000.0, ..counted.settings };
        let measurement = Measurement { count: 1_000, ..counted.measurement };
        BenchResult { settings, measurement, count_step: Some(0.5e-9), ..counted }
    };
    let mut work = of(2.0);
    assert_eq!(work.to_string(), "Name= a\nNanosecs/Op= 2.000, Ops= 10,000, ElapsedMillisecs= 0.02");
    work.settings.hidden_columns.clear();
    let text = work.to_string();
    assert!(text.contains("Nanosecs/Op= 2.000, Net= 1.500, StdDev= 0.000, Ops= 10,000, "), "{text}");
    let empty = of(0.7);
    let remark = "a (like an empty loop over the count)\n";
    assert!(empty.to_string().starts_with(&format!("Name= {remark}")), "{empty}");
    let row = markdown::Markdown::default().row(&empty);
    assert!(row.ends_with("| `a` (like an empty loop over the count)\n"), "{row}");
    let nothing = BenchResult { limit: Some(4.1e-10), ..result("b", &[(1_000, 0.0)]) };
    let expected = "Name= b (like an empty closure)\n\
                    Nanosecs/Op= under 0.410, Ops= 1,000, ElapsedMillisecs= 0.00";
    assert_eq!(nothing.to_string(), expected);
}

#[test]
fn softwx_text_has_its_units() {
    let of = |time| result("String Concat", &[(1_000_000, time)]).to_string();
    assert_eq!(
        of(67.871),
        "Name= String Concat\nNanosecs/Op= 67.871, Ops= 1,000,000, ElapsedMillisecs= 67.87"
    );
    assert!(of(2_006_000.0).contains("Millisecs/Op= 2.006, "), "{}", of(2_006_000.0));
    assert!(of(2_006.0).contains("Microsecs/Op= 2.006, "));
    let debugged = softwx::text(&result("a\u{1b}", &[(1, 1.0)]), true);
    assert_eq!(debugged.lines().next(), Some("Name= a\\u{1b} (Debugger Attached)"));
}

#[test]
fn results_have_the_figures_of_softwx() {
    let mut result = result("a", &[(1_000, 2_000.0), (1_000, 4_000.0)]);
    result.settings.batch = 10.0;
    assert_eq!((result.iterations(), result.operations()), (2_000, 20_000.0));
    assert_eq!((result.elapsed(), result.elapsed_milliseconds()), (Duration::from_millis(6), 6.0));
    let close = |value: f64, expected: f64| assert!((value / expected - 1.0).abs() < 1e-12, "{value}");
    close(result.nanoseconds_per_operation(), 300.0);
    close(result.microseconds_per_operation(), 0.3);
    close(result.milliseconds_per_operation(), 3e-4);
    close(result.nanoseconds_per_iteration(), 3_000.0);
    close(result.microseconds_per_iteration(), 3.0);
    close(result.milliseconds_per_iteration(), 3e-3);
}

#[test]
fn the_text_style_prints_two_lines_for_each_result() {
    let output = Shared::default();
    let mut bench = Bench::new();
    bench.output.is_warned = true;
    bench.output(output.clone()).style(BenchStyle::Text);
    bench.add(result("a", &[(10, 20.0)]));
    bench.add(result("b", &[(10, 30.0)]));
    let expected = "Name= a\nNanosecs/Op= 20.000, Ops= 10, ElapsedMillisecs= 0.00\n\
                    Name= b\nNanosecs/Op= 30.000, Ops= 10, ElapsedMillisecs= 0.00\n";
    assert_eq!(*output.0.borrow(), expected);
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
