//! Samples for counters execute the instructions of the benchmark and nothing else that depends on
//! it: chains of a known length differ by exactly that, by valgrind's callgrind, and by the
//! processor's counter where it can be read.

use crate::callgrind::{Harness, is_installed};
use nanobench::measure::CountRequest;
use nanobench::protocol::{CountBenchmark, Reply, Request};
use nanobench_tests::Fixture;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

/// Returns a path in which valgrind can't be started, so that calls are executed step by step.
fn path_without_valgrind(fixture: &Fixture) -> OsString {
    fixture.write("bin/valgrind", "#!/bin/sh\nexit 1\n");
    let valgrind = fixture.path("bin/valgrind");
    fs::set_permissions(valgrind, fs::Permissions::from_mode(0o755)).expect("the fixture is writable");
    let before = std::env::var_os("PATH").unwrap_or_default();
    let folders = [fixture.path("bin")].into_iter().chain(std::env::split_paths(&before));
    std::env::join_paths(folders).expect("no folder has a colon in its name")
}

/// Returns the counter of instructions of a document, and of the benchmark with this id.
fn counted(document: &serde_json::Value, id: &str) -> f64 {
    let rows = document["benchmarks"].as_array().expect("a run has benchmarks");
    let row = rows.iter().find(|row| row["id"] == *id).expect(id);
    row["counters"]["instructions"].as_f64().unwrap_or_else(|| panic!("{row}"))
}

#[test]
#[cfg(target_arch = "x86_64")]
fn single_steps_count_the_same_each_time() {
    let fixture = Fixture::empty();
    let path = path_without_valgrind(&fixture);
    let count = || {
        let flags = "costs empty --counters instructions --samples 3 --sample-time 10us --no-compare \
            --target-dir kept --format json";
        let run = fixture.nanobench(flags).env("PATH", &path).run();
        let document: serde_json::Value = serde_json::from_str(&run.exits(0).stdout()).unwrap();
        (document["instructions_counted_by"].clone(), counted(&document, "rust::costs::calls::empty call"))
    };
    let first = count();
    if first.0 != "processor" {
        assert_eq!(first.0, "single steps");
        assert!(first.1 >= 1.0, "{first:?}");
        assert_eq!(first, count());
    }
}

/// Ten functions in assembly, and the number of instructions that each of them executes.
const FUNCTIONS: [(&str, u64); 10] = [
    ("nop", 1),
    (".rept 10; imul {x}, {x}; .endr", 10),
    (".rept 500; lea {x}, [{x} + {x}]; .endr", 500),
    ("mov {x:e}, 7; 2: dec {x}; jnz 2b", 1 + 2 * 7),
    ("mov {x:e}, 1000; 2: dec {x}; jnz 2b", 1 + 2 * 1_000),
    ("mov {x:e}, 5000; 2: nop; nop; dec {x}; jnz 2b", 1 + 4 * 5_000),
    ("mov {x:e}, 20; 2: mov {y:e}, 5; 3: dec {y}; jnz 3b; dec {x}; jnz 2b", 1 + 20 * (3 + 2 * 5)),
    ("call 2f; jmp 3f; 2: nop; ret; 3:", 4),
    ("xor {x:e}, {x:e}; jz 2f; nop; 2: push {x}; pop {x}", 4),
    ("mov {x:e}, 50; cvtsi2sd xmm0, {x}; 2: addsd xmm0, xmm0; dec {x}; jnz 2b", 2 + 3 * 50),
];

#[test]
#[ignore = "needs valgrind; .ci/run does it on request"]
#[cfg(target_arch = "x86_64")]
fn instructions_of_ten_functions_are_those_of_callgrind_and_single_steps() {
    if !is_installed() {
        return;
    }
    let fixture = Fixture::to_edit("chain");
    let functions = FUNCTIONS.iter().enumerate().map(|(number, (code, _))| {
        format!(
            "#[nanobench]\nfn known_{number}() {{\n    // SAFETY: uses only these registers and the stack.\n    \
             unsafe {{ asm!(\"{code}\", \"/* {{x}} {{y}} */\", x = out(reg) _, y = out(reg) _, \
             out(\"xmm0\") _) }};\n}}\n\n"
        )
    });
    let empty = "#[nanobench]\nfn known_empty() {}\n\n";
    let functions = functions.collect::<String>() + empty + "#[nanobench]\nfn none()";
    fixture.edit("benches/chain.rs", "#[nanobench]\nfn none()", &functions);
    let with_valgrind = std::env::var_os("PATH").unwrap_or_default();
    let without = path_without_valgrind(&fixture);
    let count = |path: &OsString| {
        let flags = "known_ --counters instructions --format json --max-time 2ms --no-compare";
        let run = fixture.nanobench(flags).env("PATH", path).run();
        let document: serde_json::Value = serde_json::from_str(&run.exits(0).stdout()).unwrap();
        let of = |name: &str| counted(&document, &format!("chain::chain::known_{name}"));
        let empty = of("empty");
        let counts: Vec<f64> = (0..FUNCTIONS.len()).map(|number| of(&number.to_string()) - empty).collect();
        (document["instructions_counted_by"].as_str().unwrap_or_default().to_owned(), counts)
    };
    let runs = [&with_valgrind, &without, &with_valgrind, &without].map(count);
    println!("{runs:?}");
    for (by, counts) in runs {
        // Interrupts add a few to the processor's counter.
        let tolerance = if by == "processor" { 2.0 } else { 0.0 };
        for ((code, length), count) in FUNCTIONS.into_iter().zip(counts) {
            assert!((count - length as f64).abs() <= tolerance, "{code}: {count} by {by}");
        }
    }
}

/// Each benchmark, with the length of its chain.
const CHAINS: [(&str, i64); 3] = [("none", 0), ("hundred", 100), ("two_hundred", 200)];

const ITERATIONS: u64 = 1_000;

#[test]
#[ignore = "needs valgrind; .ci/run does it on request"]
fn counted_instructions_are_those_of_a_known_chain() {
    if !is_installed() {
        return;
    }
    let fixture = Fixture::of("chain");
    let arguments = "--counters instructions --format json --max-time 2ms --save-baseline chain";
    let run = fixture.nanobench(arguments).run();
    let document: serde_json::Value = serde_json::from_str(&run.exits(0).stdout()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut harness = Harness::start(folder.path(), &fixture.executables("chain")[0]);
    let listed = harness.list();
    let by_callgrind = CHAINS.map(|(name, _)| {
        let (index, _) = listed.iter().find(|(_, row)| row.id.function == name).expect(name);
        further_iterations(&mut harness, *index) as f64 / ITERATIONS as f64
    });
    let by_counter = CHAINS.map(|(name, _)| {
        let rows = document["benchmarks"].as_array().unwrap();
        let row = rows.iter().find(|row| row["id"] == format!("chain::chain::{name}")).expect(name);
        row["counters"]["instructions"].as_f64()
    });
    println!("by callgrind: {by_callgrind:?}, by the processor: {by_counter:?}");
    for ((name, length), instructions) in CHAINS.into_iter().zip(by_callgrind) {
        assert_eq!(instructions - by_callgrind[0], length as f64, "{name}: {by_callgrind:?}");
    }
    let [Some(none), Some(hundred), Some(two_hundred)] = by_counter else {
        eprintln!("SKIPPED: the processor's counter can't be read here");
        return;
    };
    // Interrupts add a few.
    assert!((hundred - none - 100.0).abs() < 2.0, "{by_counter:?}");
    assert!((two_hundred - none - 200.0).abs() < 2.0, "{by_counter:?}");
}

/// Returns the instructions of further iterations in a sample for counters.
fn further_iterations(harness: &mut Harness, benchmark: u64) -> i64 {
    let mut counted = |sample_iterations| {
        // A counter that valgrind provides, so that such samples are taken.
        let counters = vec!["page-faults".to_owned()];
        let request = CountRequest {
            iterations: 1,
            count: 1,
            samples: 1,
            sample_iterations,
            max_kept_results: 1,
            counters,
        };
        let reply = harness.request(Request::Count(CountBenchmark { benchmark, request }));
        assert!(matches!(reply, Reply::Counts(_)), "{reply:?}");
        harness.last_sample()
    };
    let once = counted(ITERATIONS);
    counted(2 * ITERATIONS) - once
}
