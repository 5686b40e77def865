use super::{Check, check};
use nanobench::Stopwatch;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

#[test]
fn performance_counter() {
    check("PerformanceCounter", CHECKS);
}

/// Not a test of its own: the check of the first call runs it.
#[test]
#[ignore = "run by another test"]
fn a_first_stopwatch_of_its_own_process() {
    let before = Instant::now();
    let mut stopwatch = Stopwatch::start();
    stopwatch.stop();
    let whole = before.elapsed().as_secs_f64() * 1e9;
    // Readings are as long as the overhead, which is the median of 201, or longer.
    let overhead = stopwatch.ticks() as f64 * 1e9 / stopwatch.frequency() - stopwatch.elapsed_ns();
    let calibration = 100.0 * overhead;
    assert!(whole > 0.99 * stopwatch.elapsed_ns() + calibration, "{whole} ns with {stopwatch:?}");
}

const MS: Duration = Duration::from_millis(1);

const CHECKS: &[Check] = &[
    ("`Start()`", |_| {
        let mut stopwatch = Stopwatch::start();
        sleep(2 * MS);
        assert!(stopwatch.elapsed_duration() >= MS);
        stopwatch.restart();
        assert!(stopwatch.elapsed_ns() >= 0.0);
    }),
    ("`End()`, which returns ticks", |_| {
        let mut stopwatch = Stopwatch::start();
        sleep(MS);
        stopwatch.stop();
        let ticks = stopwatch.ticks();
        sleep(MS);
        assert!(ticks > 0 && stopwatch.ticks() == ticks);
    }),
    ("`TimeElapsed(unit)`", |_| {
        let mut stopwatch = Stopwatch::start();
        stopwatch.stop();
        assert_eq!(stopwatch.elapsed("ns"), Ok(stopwatch.elapsed_ns()));
    }),
    ("Units `S`, `MS`, `US`, `NS`, trimmed and in any case", |_| {
        let mut stopwatch = Stopwatch::start();
        sleep(MS);
        stopwatch.stop();
        let nanoseconds = stopwatch.elapsed_ns();
        for (unit, factor) in [(" S ", 1e9), ("MS", 1e6), ("\tuS", 1e3), ("Ns\n", 1.0)] {
            assert_eq!(stopwatch.elapsed(unit), Ok(nanoseconds / factor), "{unit:?}");
        }
    }),
    ("Another unit throws an exception", |_| {
        let error = |unit| Stopwatch::start().elapsed(unit).unwrap_err().to_string();
        for unit in ["min", "h", "days", ""] {
            assert!(error(unit).ends_with("use one of `s`, `ms`, `us`, `ns`"), "{}", error(unit));
        }
        assert!(error("mss").ends_with("did you mean `ms`?"), "{}", error("mss"));
    }),
    ("`Frequency`", |_| {
        let mut stopwatch = Stopwatch::start();
        sleep(MS);
        stopwatch.stop();
        // The elapsed time is shorter by the cost of a reading.
        let seconds = stopwatch.ticks() as f64 / stopwatch.frequency();
        let difference = seconds - stopwatch.elapsed_ns() / 1e9;
        assert!((0.0..1e-3).contains(&(difference + 1e-12)), "{difference}");
    }),
    ("The average cost of 100,000 calls is subtracted", |_| {
        // Many of the shortest times are nothing but the cost of a reading.
        let empty = |_| {
            let mut stopwatch = Stopwatch::start();
            stopwatch.stop();
            let ticks_ns = stopwatch.ticks() as f64 * 1e9 / stopwatch.frequency();
            stopwatch.elapsed_ns() <= ticks_ns
        };
        assert!((0..100).all(empty));
    }),
    ("The first call is ignored", |_| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let test = "documents::performance_counter::a_first_stopwatch_of_its_own_process";
        let run = command.args([test, "--exact", "--ignored"]).output().unwrap();
        let stdout = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && stdout.contains("1 passed"), "{stdout}");
    }),
    ("`High-resolution counter not supported`", |f| {
        f.run("plain --timer os --format json --max-time 1ms").exits(0).says("os");
    }),
    ("One part of a program, timed once", |_| {
        let stopwatch = Stopwatch::start();
        sleep(2 * MS);
        assert!(stopwatch.elapsed("ms").unwrap() >= 2.0 - 0.01);
    }),
];
