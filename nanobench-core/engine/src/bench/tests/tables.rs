//! Tests of the table and of the text.

use super::*;

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
