//! End-to-end tests: the built `cargo nanobench`, and cargo, run on copies of the fixtures.
//!
//! They are one executable, so that it is linked once and the tests of all modules run in parallel.

mod action;
mod against;
mod against_incomplete;
mod attribute;
mod baseline_commands;
mod baseline_errors;
mod baselines;
mod bench_in_code;
#[cfg(target_os = "linux")]
mod callgrind;
mod cargo_flags;
mod cargo_test_and_bench;
mod combinations;
mod costs;
#[cfg(target_os = "linux")]
mod costs_instructions;
#[cfg(target_os = "linux")]
mod counted_instructions;
mod criterion_suites;
mod divan_suites;
mod docs;
mod doctor;
mod documents;
#[cfg(target_os = "linux")]
mod early_processes;
mod environment;
mod failures;
mod faults;
mod finding_the_way;
mod first_release;
mod formats;
mod gates;
mod hidden_changes;
mod hidden_regressions;
mod hostile_texts;
mod init;
mod inputs;
mod interrupt;
mod kept_metadata;
mod last_run;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod linking;
mod lost_work;
mod machine_code;
mod misbehaviour;
mod other_runs_and_disks;
mod output;
mod paired_runs;
mod premises;
mod renames;
mod sampling;
mod second_run;
mod selection;
mod statistics;
mod tidying;
mod timed_code;
mod tune;
mod unchanged_code;
mod unoptimized_loop;
mod written_benchmarks;
