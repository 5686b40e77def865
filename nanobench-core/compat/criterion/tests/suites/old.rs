//! A suite with the constructs that only criterion 0.3 has, and a `main` by hand.

#[macro_use]
extern crate nanobench_criterion;

extern crate nanobench_criterion as criterion;

use criterion::{
    Bencher, Benchmark, BenchmarkDefinition, Criterion, Fun, ParameterizedBenchmark, PlotConfiguration,
    SamplingMode, Throughput, black_box, runner,
};
use std::time::Duration;

fn fibonacci(n: u64) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}

fn by_loop(b: &mut Bencher, n: &u64) {
    b.iter(|| fibonacci(black_box(*n)));
}

fn functions(c: &mut Criterion) {
    assert!(!c.can_plot());
    let functions = vec![Fun::new("Loop", by_loop), Fun::new("Closure", |b, n| b.iter(|| n * 2))];
    c.bench_functions("Fibonacci", functions, 20);
    c.bench_function_over_inputs("over inputs", by_loop, [10, 20]);
}

fn definitions(c: &mut Criterion) {
    c.bench("alone", Benchmark::new("alone", |b| b.iter(|| 1)));
    c.bench(
        "several",
        Benchmark::new("one", |b| b.iter(|| 1))
            .with_function("two", |b| b.iter(|| 2))
            .sample_size(50)
            .warm_up_time(Duration::from_millis(1))
            .measurement_time(Duration::from_millis(1))
            .nresamples(2_000)
            .noise_threshold(0.1)
            .confidence_level(0.9)
            .significance_level(0.1)
            .plot_config(PlotConfiguration::default())
            .sampling_mode(SamplingMode::Flat)
            .throughput(Throughput::Bytes(8)),
    );
    let parameterized: ParameterizedBenchmark<u64> = ParameterizedBenchmark::new("loop", by_loop, vec![1, 2])
        .with_function("double", |b, n| b.iter(|| n * 2))
        .sample_size(50)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_millis(1))
        .nresamples(2_000)
        .noise_threshold(0.1)
        .confidence_level(0.9)
        .significance_level(0.1)
        .plot_config(PlotConfiguration::default())
        .sampling_mode(SamplingMode::Flat)
        .throughput(|n| Throughput::Elements(*n));
    run(c, "with parameters", parameterized);
}

fn run(c: &mut Criterion, group: &str, definition: impl BenchmarkDefinition) {
    c.bench(group, definition);
}

criterion_group!(old, functions, definitions);

fn main() {
    runner(&[&old]);
}
