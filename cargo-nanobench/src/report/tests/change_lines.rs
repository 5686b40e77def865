//! The lines about changes.

use super::*;
use crate::code::{ChangedFunction, CodeChange};

#[test]
fn a_long_line_about_a_change_breaks_between_its_parts() {
    let mut rows = rows_compared();
    rows.truncate(1);
    let paired = rows[0].comparison.as_mut().unwrap().paired.as_mut().unwrap();
    paired.differs_in = Some("my_crate::join".to_owned());
    let report = report(true, &rows, RunOutcome::default());
    let at = |width| anstream::adapter::strip_str(&changes(&report, width)[0]).to_string();
    let whole = "slower  my-crate::first::concat   100 ns -> 120 ns   +20.0 % (0.0 .. +40.0, 95 % CI)   \
                 different machine code in my_crate::join";
    assert_eq!(at(None), whole);
    assert_eq!(at(Some(whole.len())), whole);
    let expected = "slower  my-crate::first::concat   100 ns -> 120 ns   +20.0 % (0.0 .. +40.0, 95 % CI)
  different machine code in my_crate::join";
    assert_eq!(at(Some(whole.len() - 1)), expected);
    let expected = "slower  my-crate::first::concat
  100 ns -> 120 ns
  +20.0 % (0.0 .. +40.0, 95 % CI)
  different machine code in my_crate::join";
    assert_eq!(at(Some(30)), expected);
}

#[test]
fn a_reason_that_several_changes_share_is_told_once() {
    let mut rows = rows_compared();
    rows.truncate(2);
    let changed = |row: &mut Row, name: &str| {
        let paired = row.comparison.as_mut().unwrap().paired.as_mut().unwrap();
        paired.differs_in = Some(name.to_owned());
        paired.changed_functions = vec![ChangedFunction::fixture(name, [10, 20], Vec::new())];
    };
    let of = |rows: &[Row]| {
        let report = report(true, rows, RunOutcome::default());
        let below = anstream::adapter::strip_str(&changes(&report, None).join("\n")).to_string();
        (table(&report.header, rows, options(false)), below)
    };
    rows.iter_mut().for_each(|row| changed(row, "my_crate::join"));
    let (text, below) = of(&rows);
    assert_eq!(text.matches("why:").count(), 1, "{text}");
    assert_eq!(below.matches("my_crate::join").count(), 1, "{below}");
    assert_eq!(below.lines().last(), Some("all 2: different machine code in my_crate::join"));
    changed(&mut rows[1], "my_crate::split");
    let (text, below) = of(&rows);
    assert_eq!(text.matches("why:").count(), 2, "{text}");
    assert!(below.lines().all(|line| line.contains("different machine code in")), "{below}");
    assert!(
        of(&rows[..1]).1.ends_with("different machine code in my_crate::join"),
        "one line for one change"
    );
}

/// Returns a row that is compared with 100 ns, and whose code differs in this function.
fn differing(name: &str, now: u64, function: Option<&str>) -> Row {
    let verdict = if now > 100 { Verdict::Slower } else { Verdict::Faster };
    let mut comparison = side_by_side(verdict, now, 0.0, None);
    let paired = comparison.paired.as_mut().unwrap();
    paired.differs_in = function.map(str::to_owned);
    paired.changed_functions =
        vec![ChangedFunction::fixture(function.unwrap_or_default(), [10, 20], Vec::new())];
    paired.changed_functions[0].name = function.map(str::to_owned);
    row(name, &[now; 5], Some(comparison))
}

#[test]
fn changes_with_one_cause_are_told_together_the_most_first() {
    let of = |rows: &[Row]| {
        let lines = changes(&report(true, rows, RunOutcome::default()), None).join("\n");
        anstream::adapter::strip_str(&lines).to_string()
    };
    let (mix, split) = (Some("many::mix"), Some("many::split"));
    let mut rows: Vec<Row> = (0..4).map(|i| differing(&format!("s{i}"), 140, split)).collect();
    rows.extend((0..67).map(|i| differing(&format!("t{i}"), 278 + i % 6, mix)));
    rows.extend((0..5).map(|i| differing(&format!("u{i}"), 50, None)));
    rows.extend((0..3).map(|i| differing(&format!("v{i}"), 120 + i, Some("many::few"))));
    let mut busy = differing("busy", 50, None);
    busy.comparison.as_mut().unwrap().paired.as_mut().unwrap().busy = [true, true];
    rows.push(busy);
    assert_eq!(
        of(&rows),
        "67 slower, +178.0 to +183.0 %, through many::mix
4 slower, +40.0 %, through many::split
5 faster, -50.0 %, in their own code
slower  my-crate::first::v2   100 ns -> 122 ns   +22.0 % (+22.0 .. +22.0, 95 % CI)   different machine code in many::few
slower  my-crate::first::v1   100 ns -> 121 ns   +21.0 % (+21.0 .. +21.0, 95 % CI)   different machine code in many::few
slower  my-crate::first::v0   100 ns -> 120 ns   +20.0 % (+20.0 .. +20.0, 95 % CI)   different machine code in many::few
faster  my-crate::first::busy   100 ns -> 50.0 ns   -50.0 % (-50.0 .. -50.0, 95 % CI)"
    );
    assert_eq!(of(&rows[4..71]), "67 slower, +178.0 to +183.0 %, all through many::mix");
    let mut data = rows[..4].to_vec();
    for row in &mut data {
        let paired = row.comparison.as_mut().unwrap().paired.as_mut().unwrap();
        let data = vec![CodeChange::OtherData(None)];
        paired.changed_functions = vec![ChangedFunction::fixture("many::split", [10, 10], data)];
    }
    assert_eq!(of(&data), "4 slower, +40.0 %, all through data in many::split");
}

/// Returns a comparison with 100 ns, with this change of the average.
fn compared(verdict: Verdict, now: u64, average: Option<f64>) -> Comparison {
    let mut comparison = side_by_side(verdict, now, 0.0, None);
    let paired = comparison.paired.as_mut().unwrap();
    paired.average = average.map(|change| AverageChange {
        verdict,
        change: Change { estimate: change, interval: Interval { low: change, high: change } },
        p: 0.0,
        sampled: Duration::from_millis(45),
        longest_launch: Duration::from_millis(30),
        samples: [200; 2],
        interrupted: [0; 2],
        waited: [Duration::ZERO; 2],
        counts_waiting: false,
    });
    comparison
}

#[test]
fn changes_are_in_the_order_of_the_largest_figure_of_each_line() {
    let rows = [
        row("faster", &[100; 5], Some(compared(Verdict::Faster, 10, None))),
        row("little", &[100; 5], Some(compared(Verdict::Slower, 105, None))),
        row("flush", &[100; 5], Some(compared(Verdict::Slower, 101, Some(0.2)))),
        row("much", &[100; 5], Some(compared(Verdict::Slower, 150, None))),
        // The average is hardly larger, so the line doesn't show it.
        row("hidden", &[100; 5], Some(compared(Verdict::Slower, 104, Some(0.059)))),
        row("less", &[100; 5], Some(compared(Verdict::Slower, 103, Some(-0.5)))),
    ];
    let below = changes(&report(true, &rows, RunOutcome::default()), None);
    let place = |name: &str| below.iter().position(|line| line.contains(&format!("::{name} "))).unwrap();
    let order = ["much", "flush", "little", "hidden", "less", "faster"];
    assert_eq!(order.map(place), [0, 1, 2, 3, 4, 5], "{below:?}");
}

#[test]
fn an_average_that_fails_a_gate_is_beside_the_typical_time() {
    let rows = [row("a", &[106; 5], Some(compared(Verdict::Slower, 106, Some(0.072))))];
    let failure = |is_on_average| Failure {
        on: FailOn::Slower,
        id: rows[0].benchmark.id.clone(),
        change: Some(0.072),
        is_on_average,
        limit: Some(0.07),
        has_lost_all_work: false,
    };
    let line = |outcome| {
        let line = changes(&report(true, &rows, outcome), None).concat();
        anstream::adapter::strip_str(&line).to_string()
    };
    let of_gate = |failures| line(RunOutcome { gate: Some(failures), ..RunOutcome::default() });
    let expected = "slower  my-crate::first::a   100 ns -> 106 ns   +6.0 % (+6.0 .. +6.0, 95 % CI)";
    assert_eq!(of_gate(Vec::new()), expected);
    assert_eq!(of_gate(vec![failure(false)]), expected);
    let with_average = format!("{expected}; +7.2 % on average");
    assert_eq!(of_gate(vec![failure(true)]), with_average);
    let elsewhere = Failure { change: Some(0.538), ..failure(true) };
    assert_eq!(of_gate(vec![elsewhere]), expected, "of another baseline");
    let ending = Ending::HeldBack { name: "main".to_owned(), exists: true, failures: vec![failure(true)] };
    assert_eq!(line(RunOutcome { ending, ..RunOutcome::default() }), with_average);
}
