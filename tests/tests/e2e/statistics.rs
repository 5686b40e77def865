//! Columns with statistics, and the order and units of a table.

use nanobench_tests::Fixture;

#[test]
fn flags_add_columns_sort_rows_and_set_the_unit_of_times() {
    let fixture = Fixture::of("simple");
    let flags = "-v --max-time 2ms --stats --subtract-loop --sort name --units us --multiples-of fixed";
    let run = fixture.nanobench(flags).run();
    run.exits(0).prints("overheads: empty loop ").prints("scaled: 1.00 is ").prints("net/op");
    let table = run.stdout();
    for title in ["mean", "sd", "min", "max", "median, 95 %", "ops", "elapsed", "count", "scale"] {
        assert!(table.contains(&format!("  {title}")), "{title}\n{run}");
    }
    let place = |name: &str| table.find(&format!("\n    {name} ")).unwrap_or_else(|| panic!("{name}\n{run}"));
    let places = ["add_up", "each", "each_u32", "fixed", "join", "paused"].map(place);
    assert!(places.is_sorted(), "{places:?}\n{run}");
    let fixed = table[place("fixed")..].trim_start().lines().next().unwrap();
    assert!(fixed.contains(" us "), "{run}");
    let saved = fixture.nanobench("baseline show last --stats").run();
    saved.exits(0).prints("median, 95 %").prints("executables").never_says("overheads");
}

#[test]
fn several_processes_are_sampled_and_called_for_the_first_time() {
    let flags = "--exact --samples 4 --launches 2 --first-call --load cpu --format json --samples-in-json";
    let fixture = Fixture::of("simple");
    let run = fixture.nanobench(&format!("{flags} simple::first::join --save-baseline loaded")).run();
    let document: serde_json::Value = serde_json::from_str(&run.exits(0).stdout()).unwrap();
    let join = &document["benchmarks"][0];
    assert_eq!(join["launches"], 2, "{run}");
    assert_eq!((&join["samples"], &join["first_call"]["processes"]), (&8.into(), &2.into()), "{run}");
    assert!(join["first_call"]["median"].as_f64().is_some_and(|time| time > 0.0), "{run}");
    let launches = join["raw"]["launches"].as_array().unwrap();
    assert!(launches.iter().all(|launch| launch["samples"].as_array().unwrap().len() == 4), "{run}");
    assert_eq!((&join["raw"]["plan"]["samples"], &document["context"]["load"]), (&4.into(), &"cpu".into()));
    fixture.nanobench("baseline show last").run().exits(2).says("last");
    let quiet = fixture.nanobench("--exact simple::first::join --samples 4 --save-baseline quiet").run();
    quiet.exits(0).never_says("change");
    let compared = fixture.nanobench("report loaded --baseline quiet").run();
    compared.exits(0).prints("load on another core cpu, before none");
}
