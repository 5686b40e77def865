use super::{Check, check, number};

#[test]
fn hargreaves_on_microbenchmarks() {
    check("Hargreaves", CHECKS);
}

const PLAIN: &str = "documents::documents::plain";

const CHECKS: &[Check] = &[
    ("Three runs gave three different figures: repeat the test many times", |f| {
        let samples =
            |flags: &str| f.run(&format!("plain --format json {flags}")).exits(0).json().row(PLAIN).samples();
        assert!(samples("--precision 0.01 --max-time 60ms") > 10);
        assert!(samples("--max-time 1ms") >= 10);
    }),
    ("Something that executes too quickly drowns in the imprecision of the clock", |f| {
        assert!(number(&f.row("plain")["iterations"]["median"]) > 1.0);
    }),
    ("The average of the passes", |f| {
        f.run("plain --stats --samples 3").exits(0).prints("mean").prints("sd").prints("min").prints("max");
        let time = &f.row("plain")["time"];
        let [mean, min, max] = ["mean", "min", "max"].map(|name| number(&time[name]));
        assert!(min <= mean && mean <= max, "{time}");
    }),
    ("The standard deviation as a sanity check", |f| {
        let time = &f.row("plain")["time"];
        let [sd, mad, min, max] = ["sd", "mad", "min", "max"].map(|name| number(&time[name]));
        assert!(sd > 0.0 && sd <= max - min && mad <= max - min, "{time}");
        assert!(f.row("plain")["doubts"].is_array());
    }),
    ("A debugger turns the optimiser off", |f| {
        assert_eq!(f.measured()["environment"]["profile"], "bench");
    }),
    ("Unused results: the optimiser may remove the work", |f| assert_eq!(f.row("plain")["status"], "ok")),
    ("A loop may turn out empty", |f| {
        f.run("nothing --max-time 2ms").exits(0).prints("optimised away: not timed");
    }),
    ("Output outside of the timer block", |f| {
        assert!(number(&f.row("paused")["time"]["min"]) < 20e6, "{}", f.row("paused"));
    }),
    ("Warm and cold caches", |f| {
        assert_eq!(
            (&f.row("memory")["cache"], &f.row("memory/cold")["cache"]),
            (&"warm".into(), &"cold".into())
        );
        let run = f.run("plain --cache both --format json --samples 2");
        assert_eq!(run.exits(0).json().ids(), [PLAIN.to_owned(), format!("{PLAIN}/cold")]);
    }),
    ("A cache wipe buffer", |f| {
        let run = f.run("plain --wipe-size 32K --format json --samples 2");
        assert_eq!(run.exits(0).json().benchmarks[0].wipe_size, Some(32_768.0), "{run}");
    }),
    ("`cacheWipeSize` from small to large shows the caches", |f| {
        // The largest sizes take seconds to wipe.
        let run =
            f.run("nothing --skip MiB --skip GiB --wipe-size sweep --format json --samples 2 --iterations 1");
        let sizes: Vec<f64> = run.exits(0).json().benchmarks.iter().filter_map(|row| row.wipe_size).collect();
        assert!(sizes.len() > 4 && sizes.is_sorted(), "{sizes:?}");
    }),
    ("Caches depend on the size of the data", |f| {
        for size in [10, 100, 1_000] {
            assert_eq!(f.row(&format!("sizes/{size}"))["status"], "ok");
        }
    }),
    ("The instruction cache and the branch predictor", |f| {
        assert_eq!(f.row("memory/cold")["cache"], "cold");
    }),
    ("Other code between two calls", |f| {
        // It fails if the code didn't run, and the sleep of 5 ms in that code is not timed.
        let row = f.row("after_other_code");
        assert!(row["status"] == "ok" && number(&row["time"]["min"]) < 5e6, "{row}");
    }),
    ("Other cores contend for the cache", |f| {
        let run = f.run("plain --threads 1,2 --format json --samples 2");
        let threads: Vec<f64> = run.exits(0).json().benchmarks.iter().map(|row| row.threads).collect();
        assert_eq!(threads, [1.0, 2.0]);
        let run = f.run("plain --load cache --format json --samples 2");
        let document: serde_json::Value = serde_json::from_str(&run.exits(0).stdout()).unwrap();
        assert_eq!(document["context"]["load"], "cache", "{run}");
    }),
    ("You can prove anything with a benchmark", |f| {
        f.run("plain --save-baseline proof --samples 5").exits(0);
        let run = f.run("plain --baseline proof --format json --max-time 2ms");
        let comparison = run.exits(0).json().row(PLAIN).comparison.unwrap();
        assert!(!comparison.verdict.is_empty() && !comparison.sentence.is_empty(), "{run}");
    }),
];
