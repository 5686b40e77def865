//! A harness that breaks the protocol fails with a reason, within `--timeout`, and takes nothing
//! else with it.
#![cfg(unix)]

use nanobench_tests::{Fixture, Outcome, left_running_for};

/// Runs the harness with this fault, such as `sample:none`.
fn run(fault: &str, arguments: &str) -> Outcome {
    run_within("2s", fault, arguments)
}

fn run_within(timeout: &str, fault: &str, arguments: &str) -> Outcome {
    let fixture = Fixture::of("misbehaving");
    let call = fixture.nanobench(&format!("--timeout {timeout} --max-time 20ms {arguments}"));
    let run = call.env("E2E_FAULT", fault).env("E2E_PROTOCOL", protocol()).run();
    assert_eq!(left_running_for(&fixture.files()), Vec::<String>::new(), "{fault}\n{run}");
    run
}

/// Returns the version of the protocol, which the fixture has to speak.
fn protocol() -> String {
    nanobench::protocol::VERSION.to_string()
}

/// Expects a failed row with each of these texts.
#[track_caller]
fn fails(fault: &str, texts: &[&str]) {
    let run = run(fault, "");
    let row = run.exits(1).row("polite");
    assert!(texts.iter().all(|text| row.contains(text)), "{fault}: expected {texts:?} in {row:?}\n{run}");
    run.never_says("NaN").never_says(" inf").never_says("\x1b");
}

#[test]
fn without_a_fault_it_is_measured() {
    let run = run("none at all", "");
    assert!(run.exits(0).row("polite").contains("/s"), "{run}");
}

#[test]
fn endless_bytes_without_a_line_break_are_cut_off() {
    for kind in ["calibrate", "sample"] {
        let run = run_within("100s", &format!("{kind}:flood"), "");
        let row = run.exits(1).row("polite");
        assert!(row.contains("failed: ") && row.contains("64 MiB"), "{kind}: {row:?}\n{run}");
    }
    for kind in ["hello", "list"] {
        run_within("100s", &format!("{kind}:flood"), "").fails_with(1, "64 MiB");
    }
}

#[test]
fn a_reply_that_arrives_byte_by_byte_does_not_outlast_the_timeout() {
    for kind in ["calibrate", "sample"] {
        fails(&format!("{kind}:drip"), &["stopped after its timeout of 2 s"]);
    }
    for kind in ["hello", "list"] {
        run(&format!("{kind}:drip"), "").fails_with(1, "stopped after its timeout of 2 s");
    }
}

#[test]
fn a_process_that_a_signal_has_stopped_does_not_outlast_the_timeout() {
    fails("sample:stop", &["stopped after its timeout of 2 s"]);
}

#[test]
fn ctrl_c_ends_a_reply_that_arrives_byte_by_byte() {
    let fixture = Fixture::of("misbehaving");
    let call = fixture.nanobench("").env("E2E_FAULT", "sample:drip").env("E2E_PROTOCOL", protocol());
    let mut running = call.start();
    running.wait_until("a byte was sent", |_| fixture.left("dripped") > 0);
    running.interrupt();
    running.finish().exits(130);
    assert_eq!(left_running_for(&fixture.files()), Vec::<String>::new());
}

#[test]
fn replies_that_do_not_fit_the_request_are_refused() {
    fails("sample:none", &["failed: ", "0 samples instead of "]);
    fails("sample:iterations=0", &["failed: ", "0 iterations"]);
    fails("sample:iterations=18446744073709551615", &["failed: ", "iterations"]);
    fails("sample:round=77", &["failed: ", "round"]);
    for kind in ["calibrate", "sample"] {
        fails(&format!("{kind}:other"), &["failed: ", "unexpected reply", "counts"]);
    }
    for kind in ["hello", "list"] {
        run(&format!("{kind}:other"), "").fails_with(1, "unexpected reply");
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    for bad in ["NaN", "1e999", "-1e999", "null", "\"many\"", "1e308"] {
        fails(&format!("sample:elapsed={bad}"), &["failed: "]);
        fails(&format!("sample:segment_cost={bad}"), &["failed: "]);
    }
    fails("sample:elapsed=-5", &["failed: "]);
    fails("sample:elapsed=18446744073709551615", &["failed: "]);
    for field in ["count", "iterations", "max_kept_results"] {
        for bad in ["0", "-1"] {
            fails(&format!("calibrate:{field}={bad}"), &["failed: "]);
        }
    }
    for field in ["iteration_ticks", "iteration_wall_time", "segment_cost"] {
        for bad in ["NaN", "1e300"] {
            fails(&format!("calibrate:{field}={bad}"), &["failed: "]);
        }
    }
    for field in ["frequency", "resolution", "read_cost", "plain_segment", "empty_loop", "unroll"] {
        for bad in ["NaN", "-1e300", "1e300"] {
            run(&format!("list:{field}={bad}"), "").fails_with(1, "the harness sent an invalid reply");
        }
    }
    run("list:frequency=0", "").fails_with(1, "frequency");
    run("list:unroll=0", "").fails_with(1, "unroll");
}

#[test]
fn a_harness_that_hangs_up_has_died() {
    for fault in ["sample:close", "sample:half", "calibrate:close"] {
        fails(fault, &["died: "]);
    }
    run("list:close", "").fails_with(1, "died");
}

#[test]
fn a_line_that_is_no_message_is_quoted_without_raw_bytes() {
    fails("sample:text", &["failed: the harness sent an invalid reply"]);
}

#[test]
fn an_excessive_reply_is_an_error() {
    run_within("100s", "list:many", "").fails_with(1, "64 MiB");
    let run = run_within("100s", "sample:many", "");
    assert!(
        run.exits(1).row("polite").contains("failed: the harness sent an invalid reply: 200000 samples"),
        "{run}"
    );
}

#[test]
fn descendants_that_hold_the_output_open_are_not_waited_for() {
    let run = run("sample:late", "");
    assert!(run.exits(0).row("polite").contains("/s"), "{run}");
}

#[cfg(target_os = "linux")]
#[test]
fn descendants_outside_of_the_process_group_end_with_the_run() {
    let run = run("sample:stray", "");
    assert!(run.exits(0).row("polite").contains("/s"), "{run}");
}
