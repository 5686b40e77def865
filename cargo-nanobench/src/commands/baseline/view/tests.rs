//! The text output for baselines written by hand.

use super::*;
use crate::baseline::Store;
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

fn now() -> Zoned {
    "2026-11-21T12:00:00+00:00[UTC]".parse().unwrap()
}

/// A benchmark whose samples all take `ticks` ns for 1,000 iterations.
fn benchmark(function: &str, ticks: u64, samples: usize) -> Value {
    let column = |value: u64| vec![value; samples];
    json!({
        "target": {"package": "my-crate", "kind": "bench", "name": "first"},
        "executable": 0,
        "benchmark": {"id": {
            "modules": "", "function": function, "labels": [], "conditions": {"cache": "warm"}
        }, "description": "", "file": "b.rs", "line": 1, "ignored": false, "takes_count": false, "unroll": 1},
        "measurement": {"figures": {"count": 1, "unroll": 1, "launches": []}, "launches": [{
            "launch": {
                "clock": {"name": "os", "frequency": 1e9, "resolution": 1.0, "read_cost": 25.0},
                "segment_cost": 0.0,
                "empty_loop": 0.25,
                "samples": []
            },
            "samples": {
                "iterations": column(1000), "elapsed": column(ticks), "segments": column(1),
                "reference": column(9_000), "round": column(0)
            }
        }]}
    })
}

fn baseline(environment: Value, benchmarks: &[Value]) -> Value {
    json!({
        "format": 3,
        "tool": "0.1.0",
        "created": "2026-11-21T10:00:00Z",
        "environment": environment,
        "executables": [{
            "name": "first-1", "size": 5,
            "hash": "xxh3:99aa06d3014798d86001c324468d497f"
        }],
        "benchmarks": benchmarks,
    })
}

fn store(baselines: &[(&str, Value)]) -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    for (name, baseline) in baselines {
        let pointer = json!({"run": {"record": format!("{name}.json"), "blobs": []}, "previous": null});
        for (part, text) in [("names", pointer), ("runs", baseline.clone())] {
            let part = folder.path().join("nanobench").join(part);
            fs::create_dir_all(&part).unwrap();
            fs::write(part.join(format!("{name}.json")), text.to_string()).unwrap();
        }
    }
    let store = Store::open(folder.path(), folder.path());
    (folder, store)
}

fn show_one(baseline: Value) -> String {
    let (_folder, store) = store(&[("main", baseline)]);
    let saved = store.load(&"main".parse().unwrap()).unwrap();
    show("main", &saved, &now()) + &benchmarks(&saved.baseline)
}

#[test]
fn an_empty_list_says_how_to_save_one() {
    assert_eq!(
        list(&[], &now(), None),
        "No baseline exists yet. To save one: cargo nanobench --save-baseline NAME\n"
    );
}

#[test]
fn a_list_has_a_line_for_each_baseline_even_if_damaged() {
    let environment = json!({
        "commit": {"hash": "3f2a91c0d1e2", "branch": "main", "dirty": true},
        "cpu": "A Processor With A Very Long Name", "rustc": {"version": "rustc 1.95.0 (59807616e 2026-04-14)"}
    });
    let benchmarks = [benchmark("a", 21_400, 3), benchmark("b", 1_000, 3)];
    let newer = json!({"format": 7, "tool": "3.0.0"});
    let older = json!({"format": 1, "tool": "0.0.9"});
    let (_folder, store) = store(&[
        ("before-simd", baseline(json!({}), &benchmarks[..1])),
        ("broken", json!([])),
        ("main", baseline(environment, &benchmarks)),
        ("newer", newer),
        ("older", older),
    ]);
    let mut listed = store.list().unwrap();
    listed[2].size = 12_345_678;
    listed[0].size = 999;
    let expected = "\
name         saved             commit         machine                   rustc   benchmarks       size
before-simd  2026-11-21 10:00                                                            1      999 B
broken       baseline `broken` is damaged: invalid length 0, expected a baseline at line 1 column 2
main         2026-11-21 10:00  3f2a91c-dirty  A Processor With A Ver..  1.95.0           2  11.77 MiB
newer        baseline `newer` was written by cargo-nanobench 3.0.0, in a format that this version (0.1.0) can't read
older        baseline `older` was saved by an earlier version of cargo-nanobench, in a format that this version (0.1.0) can't read
";
    assert_eq!(list(&listed, &now(), None), expected);
    let narrow = |room| list(&listed, &now(), Some(room));
    for (room, has_commit) in [(70, true), (55, false)] {
        let lines = narrow(room);
        let has_cells = |line: &&str| line.starts_with("name") || line.contains("2026-");
        assert!(lines.lines().filter(has_cells).all(|line| line.len() <= room), "{room}\n{lines}");
        assert!(lines.contains("11.77 MiB") && lines.contains("3f2a91c") == has_commit, "{lines}");
    }
    assert_eq!(narrow(500), expected);
}

#[test]
fn show_prints_the_environment_and_a_line_for_each_benchmark() {
    let environment = json!({
        "cpu": "Xeon", "cores": 2, "os": "Debian GNU/Linux 12", "arch": "x86_64",
        "rustc": {"version": "rustc 1.95.0 (59807616e 2026-04-14)"},
        "target": "x86_64-unknown-linux-gnu", "profile": "bench", "features": ["simd", "std"], "rustflags": [],
        "commit": {"hash": "3f2a91c0d1e2", "branch": "main", "dirty": true}, "nanobench_core": "0.1.0"
    });
    let benchmarks = [
        benchmark("concat", 21_400_000, 31),
        benchmark("gone", 100, 3),
        benchmark("no", 100, 0),
        benchmark("sort", 21_400, 1),
    ];
    let expected = "\
main: saved 2 h ago (2026-11-21 10:00) by cargo-nanobench 0.1.0

  cpu           Xeon
  cores         2
  system        Debian GNU/Linux 12
  arch          x86_64
  rustc         rustc 1.95.0 (59807616e 2026-04-14)
  target        x86_64-unknown-linux-gnu
  profile       bench
  features      simd std
  commit        3f2a91c0d1e2, on main, with uncommitted changes
  nanobench     0.1.0
  executables   0 kept, missing or changed: first-1

  my-crate::first::concat     21.4 us per operation, err  0.0 %, 31 samples
  my-crate::first::gone    under 0.375 ns, like an empty benchmark
  my-crate::first::no      no samples
  my-crate::first::sort       21.4 ns per operation, err  0.0 %, 1 sample

4 benchmarks.
";
    assert_eq!(show_one(baseline(environment, &benchmarks)), expected);
}

#[test]
fn control_characters_of_stored_files_are_escaped() {
    let hostile = "\u{1b}]0;x\u{7}\r\n\u{202e}";
    let environment = json!({
        "cpu": hostile, "os": hostile, "arch": hostile, "rustc": {"version": hostile}, "target": hostile,
        "profile": hostile, "features": [hostile], "rustflags": [hostile], "nanobench_core": hostile,
        "commit": {"hash": hostile, "branch": hostile, "dirty": false}
    });
    let mut hostile_baseline = baseline(environment, &[benchmark(hostile, 100_000, 3)]);
    hostile_baseline["tool"] = hostile.into();
    hostile_baseline["executables"][0]["name"] = hostile.into();
    let (_folder, store) = store(&[
        ("main", hostile_baseline.clone()),
        ("newer", json!({"format": 4, "tool": hostile})),
        ("broken", json!({"format": hostile})),
    ]);
    let name = |name: &str| name.parse().unwrap();
    let texts = [
        show_one(hostile_baseline),
        list(&store.list().unwrap(), &now(), None),
        store.load(&name("newer")).unwrap_err().to_string(),
        store.load(&name("broken")).unwrap_err().to_string(),
        store.load(&name("mian")).unwrap_err().to_string(),
        removed(&store.remove(&name("main"), &|| false).unwrap(), &now()),
    ];
    for text in texts {
        assert!(!text.contains(['\u{1b}', '\u{7}', '\r', '\u{202e}']), "{text:?}");
        assert!(text.contains("\\u{1b}]0;x"), "{text:?}");
    }
}

#[test]
fn removed_baselines_are_described() {
    let (_folder, store) = store(&[("main", baseline(json!({}), &[])), ("broken", json!(1))]);
    let mut main = store.remove(&"main".parse().unwrap(), &|| false).unwrap();
    main.size = 2048;
    assert_eq!(removed(&main, &now()), "Removed baseline `main` (2 h ago, 0 benchmarks, 2.00 KiB).\n");
    let broken = store.remove(&"broken".parse().unwrap(), &|| false).unwrap();
    assert_eq!(removed(&broken, &now()), "Removed baseline `broken` (unreadable, 1 B).\n");
}

#[test]
fn the_launch_noise_of_a_comparison_stays_with_its_figures() {
    let mut compared = benchmark("a", 21_400, 3);
    let ratios = json!({"changes": [0.01], "aa": [0.004]});
    compared["paired_run"] =
        json!({"baseline": "main", "sentence": "unsure", "launch_noise": 0.0042, "ratios": ratios});
    let text = show_one(baseline(json!({}), &[compared, benchmark("b", 21_400, 3)]));
    let line = |name: &str| text.lines().find(|line| line.contains(&format!("::{name} "))).unwrap();
    assert!(line("a").ends_with("3 samples, noise between processes 0.5 %"), "{text}");
    assert!(line("b").ends_with("3 samples"), "{text}");
}
