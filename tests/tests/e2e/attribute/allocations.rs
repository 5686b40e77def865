//! Counted allocations, which are exact.

use super::measured;
use nanobench_tests::{Allocations, Fixture};

const NONE: Allocations =
    Allocations { allocations: 0.0, deallocations: 0.0, reallocations: 0.0, bytes: 0.0, peak: 0.0 };

#[test]
fn allocations_are_exact() {
    let report = measured("allocations", "--max-time 2ms");
    let known = [
        ("one_vec", Allocations { allocations: 1.0, bytes: 80.0, peak: 80.0, ..NONE }),
        ("grown", Allocations { allocations: 1.0, reallocations: 1.0, bytes: 64.0, peak: 64.0, ..NONE }),
        (
            "one_after_the_other",
            Allocations { allocations: 2.0, deallocations: 2.0, bytes: 200.0, peak: 100.0, ..NONE },
        ),
        (
            "side_by_side",
            Allocations { allocations: 2.0, deallocations: 2.0, bytes: 200.0, peak: 200.0, ..NONE },
        ),
        ("nothing", NONE),
        ("counted", Allocations { allocations: 1.0, deallocations: 1.0, bytes: 8.0, peak: 8.0, ..NONE }),
        ("dropped", Allocations { deallocations: 1.0, ..NONE }),
        ("paused", Allocations { allocations: 1.0, bytes: 32.0, peak: 32.0, ..NONE }),
        ("batch", Allocations { allocations: 1.0, deallocations: 1.0, bytes: 8.0, peak: 8.0, ..NONE }),
        ("on_threads/threads=2", Allocations { allocations: 1.0, bytes: 24.0, peak: 24.0, ..NONE }),
    ];
    for (name, expected) in known {
        let found = report.row(&format!("allocations::allocations::{name}")).allocations;
        assert_eq!(found, Some(expected), "{name}");
    }
}

#[test]
fn the_counting_allocator_adds_columns() {
    let run = Fixture::of("allocations").nanobench("one_vec --max-time 2ms").run();
    run.exits(0).prints("allocs").prints("80 B");
    let run = Fixture::of("simple").nanobench("join --max-time 2ms").run();
    run.exits(0).never_says("allocs");
    assert_eq!(measured("simple", "join --max-time 2ms").row("simple::first::join").allocations, None);
}

#[test]
fn values_have_a_size_on_the_heap() {
    let run = Fixture::of("allocations").cargo("test --benches sizes_on_the_heap").run();
    run.exits(0).prints("sizes_on_the_heap ... ok");
}

#[test]
fn sizes_on_the_heap_need_the_allocator() {
    let run = Fixture::of("faults").cargo("test --benches sizes_need_the_allocator").run();
    run.exits(0).prints("sizes_need_the_allocator ... ok");
}
