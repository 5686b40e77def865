use super::{Check, check};
use nanobench::{Bench, BenchResult, Column, Measure, Rng, do_not_optimize_away, templates};
use std::cell::RefCell;
use std::hint::black_box;
use std::io::{self, Write};
use std::process::Command;
use std::rc::Rc;
use std::time::Duration;

#[test]
fn ankerl_nanobench() {
    check("ankerl::nanobench", CHECKS);
}

#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).unwrap()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns a quick `Bench` without output.
fn bench() -> Bench {
    let mut bench = Bench::new();
    bench.output(io::sink()).epochs(3).epoch_iterations(2).performance_counters(false);
    bench
}

/// Returns the result of a quick run with these settings.
fn result(set: impl FnOnce(&mut Bench) -> &mut Bench) -> BenchResult {
    let mut bench = bench();
    set(&mut bench);
    bench.run("name", work);
    bench.results()[0].clone()
}

/// Returns the printed lines of a quick run with these settings.
fn printed(set: impl FnOnce(&mut Bench) -> &mut Bench) -> String {
    let output = Shared::default();
    result(|bench| set(bench.output(output.clone())));
    output.text()
}

fn work() -> u64 {
    (0..1_000).map(black_box).sum()
}

/// Renders a quick run with these settings.
fn rendered(template: &str, set: impl FnOnce(&mut Bench) -> &mut Bench) -> String {
    let mut bench = bench();
    set(&mut bench);
    bench.run("name", work).run("other", work);
    let mut text = Vec::new();
    bench.render(template, &mut text).unwrap_or_else(|error| panic!("{template}: {error}"));
    String::from_utf8(text).unwrap()
}

/// Expects the value of a tag of each of two results, with these settings.
#[track_caller]
fn tag(tag: &str, expected: &str, set: impl FnOnce(&mut Bench) -> &mut Bench) {
    let template = format!("{{{{#result}}}}{{{{{tag}}}}},{{{{/result}}}}");
    assert_eq!(rendered(&template, set), format!("{expected},{expected},"));
}

/// Expects that a tag is computed in this way from the times of the three epochs, in ascending
/// order.
#[track_caller]
fn follows_from_epochs(tag: &str, of: impl Fn([f64; 3]) -> f64) {
    let epochs = "{{#measurement}}{{elapsed}} {{/measurement}}";
    let template = format!("{{{{#result}}}}{epochs}{{{{{tag}}}}};{{{{/result}}}}");
    let text = rendered(&template, |bench| bench);
    for result in text.split_terminator(';') {
        let numbers: Vec<f64> = result.split(' ').map(|number| number.parse().unwrap()).collect();
        let [mut epochs @ .., value] = <[f64; 4]>::try_from(numbers).unwrap();
        epochs.sort_by(f64::total_cmp);
        let expected = of(epochs);
        assert!(epochs[0] > 0.0 && (value - expected).abs() <= 1e-6 * expected, "{tag}: {result}");
    }
}

/// Expects that the tags of counters are 0 without counters, and otherwise those of the result.
#[track_caller]
fn are_counters(tags: &[(&str, Measure)]) {
    let mut bench = bench();
    bench.performance_counters(true).run("name", work);
    let result = &bench.results()[0];
    for (name, measure) in tags {
        tag(&format!("median({name})"), "0", |bench| bench);
        let mut text = Vec::new();
        bench.render(&format!("{{{{#result}}}}{{{{sum({name})}}}}{{{{/result}}}}"), &mut text).unwrap();
        let sum: f64 = String::from_utf8(text).unwrap().parse().unwrap();
        assert!((sum - result.sum(*measure)).abs() <= 1e-6 * sum, "{name}: {sum} of {result:?}");
    }
}

/// Runs the test below in its own process.
fn with_environment(variable: &str, value: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let test = "documents::ankerl::a_bench_of_its_own_process";
    command.args([test, "--exact", "--ignored", "--nocapture", "--test-threads=1"]).env(variable, value);
    command
}

fn stdout(mut command: Command) -> String {
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// Not a test of its own: the checks of environment variables run it.
#[test]
#[ignore = "run by other tests"]
fn a_bench_of_its_own_process() {
    let mut bench = Bench::new();
    bench.performance_counters(false).max_epoch_time(Duration::from_micros(1)).run("x += x", work);
    println!("epochs: {}", bench.results()[0].epochs());
}

const MS: Duration = Duration::from_millis(1);

const CHECKS: &[Check] = &[
    ("`run(name, op)`", |_| {
        assert_eq!(result(|bench| bench).name(), "name");
        let mut state = 1_u64;
        let mut bench = bench();
        bench.run("name", || {
            state = state.wrapping_mul(3);
            state
        });
        assert_eq!(state, 729, "each of six calls");
    }),
    ("`run(op)`", |_| {
        assert_eq!(bench().name("mine").run_named(work).results()[0].name(), "mine");
    }),
    ("`title`", |_| {
        let text = printed(|bench| bench.title("one").run("a", work).title("two"));
        assert!(text.contains("| one\n") && text.contains("| two\n"), "{text}");
    }),
    ("`title()`", |_| assert_eq!(result(|bench| bench.title("one")).title(), "one")),
    ("`name`", |_| assert!(printed(|bench| bench).contains("`name`"))),
    ("`context`, `clearContext`", |_| {
        let result = result(|bench| bench.context("a", "1").clear_context().context("b", "2"));
        assert_eq!((result.context("a"), result.context("b")), (None, Some("2")));
    }),
    ("`batch(T)`", |_| {
        assert_eq!(result(|bench| bench.batch("four".len())).batch(), 4.0);
        assert_eq!(result(|bench| bench.batch(1.5_f32)).batch(), 1.5);
    }),
    ("`unit`", |_| {
        let mut bench = bench();
        bench.run("a", work).unit("byte").run("b", work);
        assert_eq!((bench.results().len(), bench.results()[0].unit()), (1, "byte"));
    }),
    ("`timeUnit(1ms, \"ms\")`", |_| assert!(printed(|bench| bench.time_unit(MS, "ms")).contains("ms/op |"))),
    ("`output(&stream)`, `output(nullptr)`", |_| {
        let text = printed(|bench| bench);
        assert!(text.contains("`name`") && printed(|bench| bench.output(io::sink())).is_empty());
    }),
    ("`clockResolutionMultiple`", |_| {
        tag("clockResolutionMultiple", "7", |bench| bench.clock_resolution_multiple(7));
    }),
    ("`epochs`", |_| assert_eq!(result(|bench| bench.epochs(5)).epochs(), 5)),
    ("`minEpochTime`, `maxEpochTime`", |_| {
        let of = |set: fn(&mut Bench) -> &mut Bench| result(|bench| set(bench.epoch_iterations(0)));
        let short = of(|bench| bench.max_epoch_time(MS / 100));
        let long = of(|bench| bench.min_epoch_time(20 * MS));
        assert!(long.median(Measure::Iterations) >= 3.0 * short.median(Measure::Iterations));
        tag("minEpochTime", "0.002", |bench| bench.min_epoch_time(2 * MS));
        tag("maxEpochTime", "0.003", |bench| bench.max_epoch_time(3 * MS));
    }),
    ("`minEpochIterations`", |_| {
        let result =
            result(|bench| bench.epoch_iterations(0).max_epoch_time(Duration::ZERO).min_epoch_iterations(50));
        assert!(result.minimum(Measure::Iterations) >= 50.0);
    }),
    ("`epochIterations`", |_| {
        assert_eq!(result(|bench| bench.epoch_iterations(9)).values(Measure::Iterations), [9.0; 3]);
        let mut inputs: Vec<u32> = (0..30).collect();
        let mut bench = bench();
        bench.epoch_iterations(10).performance_counters(true);
        bench.run("pop", || inputs.pop().expect("an input for each call"));
        assert!(inputs.is_empty(), "{inputs:?}");
    }),
    ("0-20 % more iterations at random", |_| {
        let result = result(|bench| {
            bench.epochs(20).epoch_iterations(0).max_epoch_time(Duration::ZERO).min_epoch_iterations(1_000)
        });
        assert!(result.minimum(Measure::Iterations) < result.maximum(Measure::Iterations), "{result:?}");
        assert!(result.maximum(Measure::Iterations) <= 1_200.0);
    }),
    ("`warmup`", |_| {
        let calls = |warmup| {
            let mut calls = 0;
            bench().epochs(1).epoch_iterations(1).warmup(warmup).run("a", || calls += 1);
            calls
        };
        assert_eq!((calls(30), calls(0)), (31, 1));
    }),
    ("`relative`", |_| {
        let mut bench = bench();
        bench.relative(true).run("a", work).run("b", work);
        assert_eq!(bench.results()[0].relative(), Some(1.0));
        assert!(bench.results()[1].relative().is_some_and(|relative| relative > 0.0));
        tag("relative", "true", |bench| bench.relative(true));
        tag("relative", "false", |bench| bench);
    }),
    ("`performanceCounters`", |_| {
        assert!(!result(|bench| bench).has(Measure::PageFaults));
        let counted = result(|bench| bench.performance_counters(true));
        assert!(counted.has(Measure::PageFaults) || !cfg!(target_os = "linux"), "{counted:?}");
        let has_cycles = counted.has(Measure::CpuCycles);
        let text = printed(|bench| bench.performance_counters(true));
        assert_eq!(text.contains("Note: can't read "), !has_cycles, "{text}");
    }),
    ("`hideColumn`, `showColumn`", |_| {
        let text = printed(|bench| {
            bench.hide_column(Column::Total).hide_column(Column::Error).show_column(Column::Error)
        });
        assert!(!text.contains(" total |") && text.contains(" err% |"), "{text}");
    }),
    ("`contextColumn`, `clearContextColumns`", |_| {
        let text = printed(|bench| bench.context("threads", "4").context_column("threads"));
        assert!(text.contains("|  threads |") && text.contains("|        4 |"), "{text}");
        let text = printed(|bench| bench.context_column("threads").clear_context_columns());
        assert!(!text.contains("threads"), "{text}");
    }),
    ("`compare()` with counters", |_| {
        let output = Shared::default();
        let mut bench = bench();
        bench.output(output.clone()).performance_counters(true).hide_column(Column::Total);
        bench.compare().with("a", work).with("b", work).run();
        let all = bench.results().iter().all(|result| result.has(Measure::PageFaults));
        assert!(all || !cfg!(target_os = "linux"), "{bench:?}");
        assert!(!output.text().contains("total"), "{}", output.text());
        assert_eq!(output.text().contains("ins/op"), bench.results()[0].has(Measure::Instructions));
    }),
    ("`results`", |_| assert_eq!(bench().run("a", work).run("b", work).results().len(), 2)),
    ("`doNotOptimizeAway`", |_| {
        assert_eq!(do_not_optimize_away(3), 3);
        bench().do_not_optimize_away(3);
    }),
    ("`setup(op).run(..)` of newer versions, once per epoch", |_| {
        let (mut made, mut inputs) = (0, Vec::new());
        let make = || {
            made += 1;
            made
        };
        bench().setup(make).run("a", |input| inputs.push(input));
        assert!(inputs.len() >= 6 && inputs.iter().copied().eq(1..=made), "{inputs:?}");
    }),
    ("`complexityN`", |f| {
        assert_eq!(result(|bench| bench.complexity_n(8_u64)).complexity_n(), Some(8.0));
        assert_eq!(
            (f.row("growth::small")["n"].as_f64(), f.row("growth::medium")["n"].as_f64()),
            (Some(100.0), Some(1_000.0))
        );
        let fitted = &f.measured()["complexity"][0];
        assert_eq!(
            (&fitted["function"], &fitted["scope"]),
            (&"documents::documents::growth".into(), &"group".into())
        );
        let names: Vec<_> = fitted["fits"].as_array().unwrap().iter().map(|fit| &fit["name"]).collect();
        assert!(names.len() == 7 && names.contains(&&"O(n + 5)".into()), "{fitted}");
    }),
    ("`complexityBigO()`", |_| {
        let mut bench = bench();
        for n in [10_u32, 100, 1_000] {
            bench.batch(n).complexity_n(n).run("a", work);
        }
        let table = bench.complexity_big_o().to_string();
        assert!(table.starts_with("|   coefficient |   err% | ankerl err% | complexity\n"), "{table}");
        for name in ["O(1)", "O(n)", "O(log n)", "O(n log n)", "O(n^2)", "O(n^3)"] {
            assert!(table.contains(&format!("| {name}\n")), "{table}");
        }
        assert!(Bench::new().complexity_big_o().to_string().contains("three different sizes"));
    }),
    ("`complexityBigO(name, op)`", |_| {
        let mut bench = bench();
        for n in [10_u32, 100, 1_000] {
            bench.complexity_n(n).run("a", work);
        }
        let fit = bench.complexity_big_o_of("O(log log n)", |n| n.log2().log2()).unwrap();
        assert!(fit.to_string().contains(" * O(log log n), rms="), "{fit}");
    }),
    ("`render`", |_| {
        let error = bench().render("{{#result}}\n {{nome}}{{/result}}", &mut io::sink()).unwrap_err();
        assert_eq!(error.to_string(), "template, line 2, column 2: there is no tag `nome`");
    }),
    ("The Markdown table", |_| {
        let text = printed(|bench| bench.relative(true));
        let head = text.lines().find(|line| line.contains("benchmark")).unwrap();
        let columns: Vec<&str> = head.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(columns, ["relative", "ns/op", "op/s", "err%", "total", "benchmark"]);
    }),
    ("`:wavy_dash:` marks unstable rows", |_| {
        // Each call takes ten times as long as the one before, up to a second one.
        let output = Shared::default();
        let mut steps = [100_u64, 100_000].into_iter().cycle();
        let unstable = || (0..steps.next().unwrap()).map(black_box).sum::<u64>();
        bench().output(output.clone()).epochs(10).epoch_iterations(1).run("a", unstable);
        assert!(output.text().contains(":wavy_dash: `a` (Unstable with ~1.0 iters."), "{}", output.text());
    }),
    ("Warnings about frequency scaling, turbo and debug builds", |_| {
        let warned = printed(|bench| bench).contains("Warning, results might be unstable");
        assert!(warned || !cfg!(debug_assertions));
    }),
    ("Chained calls", |_| {
        assert_eq!(bench().title("a").unit("b").batch(2).run("c", work).results().len(), 1);
    }),
    ("`Rng()` with a random seed", |_| assert_ne!(Rng::new().next_u64(), Rng::new().next_u64())),
    ("`Rng(seed)`", |_| assert_eq!(Rng::with_seed(1).next_u64(), Rng::with_seed(1).next_u64())),
    ("RomuDuoJr, seeded by splitMix64 and ten rounds", |_| {
        assert_eq!(Rng::with_seed(123).next_u64(), 2_222_826_058_396_098_479);
    }),
    ("Copying is an error; `copy()`", |_| {
        let mut rng = Rng::with_seed(1);
        assert_eq!(rng.clone().next_u64(), rng.next_u64());
    }),
    ("`operator()`", |_| assert_eq!(Rng::with_seed(1).next(), Some(Rng::with_seed(1).next_u64()))),
    ("`bounded`", |_| {
        let mut rng = Rng::with_seed(1);
        assert!((0..1_000).all(|_| rng.bounded(3) < 3));
    }),
    ("`uniform01`", |_| {
        let mut rng = Rng::with_seed(1);
        assert!((0..1_000).all(|_| (0.0..1.0).contains(&rng.uniform01())));
    }),
    ("`shuffle`", |_| {
        let mut cards: Vec<u32> = (0..100).collect();
        Rng::with_seed(1).shuffle(&mut cards);
        assert!(!cards.is_sorted());
        cards.sort_unstable();
        assert_eq!(cards, (0..100).collect::<Vec<_>>());
    }),
    ("`state`", |_| {
        let mut rng = Rng::with_seed(1);
        rng.next_u64();
        assert_eq!(Rng::from_state(rng.state()).next_u64(), rng.next_u64());
    }),
    ("A generator for `<random>`", |f| {
        assert_eq!(f.row("random/1")["status"], "ok", "{}", f.row("random/1"));
    }),
    ("`{{#result}}`, `{{/result}}`", |_| {
        assert_eq!(rendered("[{{#result}}{{name}} {{/result}}]", |bench| bench), "[name other ]");
    }),
    ("`{{#measurement}}`, `{{/measurement}}`", |_| {
        let template = "{{#result}}{{#measurement}}{{iterations}} {{/measurement}}{{/result}}";
        assert_eq!(rendered(template, |bench| bench), "2 2 2 2 2 2 ");
    }),
    ("`{{#-first}}`, `{{^-first}}`, `{{/-first}}`", |_| {
        let template = "{{#result}}{{#-first}}1{{/-first}}{{^-first}}2{{/-first}}{{/result}}";
        assert_eq!(rendered(template, |bench| bench), "12");
    }),
    ("`{{#-last}}`, `{{^-last}}`, `{{/-last}}`", |_| {
        let template = "{{#result}}{{#measurement}}{{#-last}}1{{/-last}}{{^-last}}2{{/-last}}{{/measurement}}{{/result}}";
        assert_eq!(rendered(template, |bench| bench), "221221");
        assert_eq!(rendered("{{#result}}{{^-last}}1{{/last}}{{/result}}", |bench| bench), "1");
    }),
    ("Outside of `{{#result}}`, settings are those of the last result", |_| {
        assert_eq!(rendered("{{name}} {{epochs}}", |bench| bench), "other 3");
    }),
    ("`title`, `name`, `unit`, `batch`, `complexityN`, `epochs`", |_| {
        tag("title", "t", |bench| bench.title("t"));
        assert_eq!(rendered("{{#result}}{{name}}{{/result}}", |bench| bench), "nameother");
        tag("unit", "byte", |bench| bench.unit("byte"));
        tag("batch", "2.5", |bench| bench.batch(2.5));
        tag("complexityN", "-1", |bench| bench);
        tag("complexityN", "10", |bench| bench.complexity_n(10));
        tag("epochs", "3", |bench| bench);
    }),
    ("`clockResolution`, `clockResolutionMultiple`", |_| {
        let resolution = rendered("{{#result}}{{clockResolution}};{{/result}}", |bench| bench);
        assert!(resolution.split_terminator(';').all(|text| text.parse::<f64>().unwrap() > 0.0));
        tag("clockResolutionMultiple", "1000", |bench| bench);
    }),
    ("`maxEpochTime`, `minEpochTime`, `minEpochIterations`, `epochIterations`, `warmup`", |_| {
        tag("maxEpochTime", "0.1", |bench| bench);
        tag("minEpochTime", "0.001", |bench| bench);
        tag("minEpochIterations", "1", |bench| bench);
        tag("epochIterations", "2", |bench| bench);
        tag("warmup", "4", |bench| bench.warmup(4));
    }),
    ("`context(name)`", |_| {
        tag("context(a)", "1", |bench| bench.context("a", "1"));
        let mut bench = bench();
        let error = bench.run("a", work).render("{{context(a)}}", &mut io::sink()).unwrap_err();
        assert!(error.to_string().ends_with("there is no context `a`"), "{error}");
    }),
    ("`median`, `average`, `medianAbsolutePercentError`", |_| {
        follows_from_epochs("median(elapsed)", |[_, median, _]| median);
        follows_from_epochs("average(elapsed)", |epochs| epochs.iter().sum::<f64>() / 3.0);
        follows_from_epochs("medianAbsolutePercentError(elapsed)", |[least, median, most]| {
            ((median - least) / least).min((most - median) / most)
        });
        tag("median(iterations)", "2", |bench| bench);
    }),
    ("`sum`, `minimum`, `maximum`, `sumProduct`", |_| {
        tag("sum(iterations)", "6", |bench| bench);
        tag("sumProduct(iterations, iterations)", "12", |bench| bench);
        follows_from_epochs("minimum(elapsed)", |[least, ..]| least);
        follows_from_epochs("maximum(elapsed)", |[.., most]| most);
    }),
    ("`elapsed`, `iterations`", |_| {
        follows_from_epochs("sum(elapsed)", |epochs| epochs.iter().sum());
        follows_from_epochs("sum(iterations)", |_| 6.0);
    }),
    ("`pagefaults`, `cpucycles`, `contextswitches`", |_| {
        are_counters(&[
            ("pagefaults", Measure::PageFaults),
            ("cpucycles", Measure::CpuCycles),
            ("contextswitches", Measure::ContextSwitches),
        ]);
    }),
    ("`instructions`, `branchinstructions`, `branchmisses`", |_| {
        are_counters(&[
            ("instructions", Measure::Instructions),
            ("branchinstructions", Measure::BranchInstructions),
            ("branchmisses", Measure::BranchMisses),
        ]);
    }),
    ("Values are inserted as they are", |_| {
        for (of_title, expected) in [
            ("title", "a<\"b"),
            ("csv(title)", "\"a<\"\"b\""),
            ("html(title)", "a&lt;&quot;b"),
            ("json(title)", "\"a\\u003c\\\"b\""),
        ] {
            tag(of_title, expected, |bench| bench.title("a<\"b"));
        }
    }),
    ("`templates::csv()`", |_| assert_eq!(rendered(templates::CSV, |bench| bench).lines().count(), 3)),
    ("`templates::json()`", |_| {
        let json: serde_json::Value =
            serde_json::from_str(&rendered(templates::JSON, |bench| bench)).unwrap();
        assert_eq!(json["results"][1]["measurements"][2]["iterations"], 2);
    }),
    ("`templates::htmlBoxplot()`", |_| {
        let page = rendered(templates::HTML_BOX_PLOT, |bench| bench);
        assert!(page.contains("median: ${inUnit(middle)}"), "on hover: {page}");
        let addresses = page.matches("http").count();
        assert_eq!(addresses, page.matches("http://www.w3.org/2000/svg").count(), "only names of namespaces");
        let page = rendered(templates::HTML_BOX_PLOT, |bench| bench.batch(4));
        assert_eq!(page.matches(" / 4").count(), 6, "times of an operation: {page}");
    }),
    ("`templates::pyperf()`", |_| {
        let json: serde_json::Value =
            serde_json::from_str(&rendered(templates::PYPERF, |bench| bench)).unwrap();
        assert_eq!(json["benchmarks"][0]["runs"][0]["values"].as_array().map(Vec::len), Some(3));
        // Two iterations of four operations in each.
        let json = rendered(templates::PYPERF, |bench| bench.epochs(20).batch(4));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let benchmark = &json["benchmarks"][1];
        assert_eq!(benchmark["runs"][0]["values"].as_array().map(Vec::len), Some(10));
        assert_eq!(benchmark["metadata"]["loops"], 2 * 2 * 4);
    }),
    ("`NANOBENCH_ENDLESS`", |_| {
        use std::io::{BufRead as _, BufReader};
        use std::process::Stdio;
        let mut command = with_environment("NANOBENCH_ENDLESS", "x += x");
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let line = BufReader::new(child.stderr.take().unwrap()).lines().next().unwrap().unwrap();
        assert_eq!(line, "NANOBENCH_ENDLESS set: running 'x += x' endlessly");
        child.kill().unwrap();
        child.wait().unwrap();
    }),
    ("`pyperf system tune` hampers perf in endless mode", |f| {
        let root = tempfile::tempdir().unwrap();
        let kernel = root.path().join("proc/sys/kernel");
        std::fs::create_dir_all(&kernel).unwrap();
        std::fs::write(kernel.join("perf_event_max_sample_rate"), "100000").unwrap();
        let tune = f.fixture.nanobench("tune --root").arg(root.path()).run();
        tune.exits(0).prints("There is nothing to change.");
    }),
    ("`NANOBENCH_SUPPRESS_WARNINGS`", |f| {
        let is_warned = |value| {
            stdout(with_environment("NANOBENCH_SUPPRESS_WARNINGS", value)).contains("Warning, results")
        };
        assert!(!is_warned("1") && (is_warned("0") || !cfg!(debug_assertions)));
        let silent = f.fixture.nanobench("nothing --samples 2").env("NANOBENCH_SUPPRESS_WARNINGS", "1");
        silent.run().exits(0).never_says("warning: ");
        f.run("nothing --samples 2 --no-warnings").exits(0).never_says("warning: ");
    }),
    ("`NANOBENCH_CONFIG`", |_| {
        assert!(
            stdout(with_environment("NANOBENCH_CONFIG", "epochs=4,minEpochTime=1us")).contains("epochs: 4\n")
        );
    }),
];
