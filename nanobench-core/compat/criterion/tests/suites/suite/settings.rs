//! Settings of `Criterion` and of groups, ids and throughputs.

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::profiler::{ExternalProfiler, Profiler};
use criterion::{
    AxisScale, Baseline, BenchmarkFilter, BenchmarkGroup, BenchmarkId, Criterion, PlotConfiguration,
    PlottingBackend, SamplingMode, Throughput, criterion_group,
};
use std::path::Path;
use std::time::Duration;

fn of_criterion() -> Criterion {
    _ = [
        Baseline::Compare,
        Baseline::CompareLenient,
        Baseline::CompareStrict,
        Baseline::Save,
        Baseline::Discard,
    ];
    let mut profiler = ExternalProfiler;
    profiler.start_profiling("none", Path::new("."));
    profiler.stop_profiling("none", Path::new("."));
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_secs(60))
        .measurement_time(Duration::from_secs(60))
        .nresamples(2_000)
        .noise_threshold(0.1)
        .confidence_level(0.9)
        .significance_level(0.1)
        .with_plots()
        .plotting_backend(PlottingBackend::Gnuplot)
        .plotting_backend(PlottingBackend::Plotters)
        .plotting_backend(PlottingBackend::None)
        .without_plots()
        .with_output_color(true)
        .with_profiler(profiler)
        .profile_time(None)
        .profile_time(Some(Duration::from_secs(1)))
        .output_directory(Path::new("somewhere"))
        .save_baseline("saved".to_owned())
        .with_measurement(WallTime)
        .with_benchmark_filter(BenchmarkFilter::RejectAll)
        .with_benchmark_filter(BenchmarkFilter::AcceptAll)
}

#[cfg(not(feature = "criterion-0_3"))]
fn with_baseline(c: Criterion) -> Criterion {
    c.retain_baseline("kept".to_owned(), true)
}

#[cfg(feature = "criterion-0_3")]
fn with_baseline(c: Criterion) -> Criterion {
    c.retain_baseline("kept".to_owned())
}

fn of_group(c: &mut Criterion) {
    let mut group = c.benchmark_group("settings of a group");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_secs(60))
        .measurement_time(Duration::from_secs(60))
        .nresamples(2_000)
        .noise_threshold(0.1)
        .confidence_level(0.9)
        .significance_level(0.1)
        .sampling_mode(SamplingMode::Auto)
        .sampling_mode(SamplingMode::Linear)
        .sampling_mode(SamplingMode::Flat)
        .plot_config(PlotConfiguration::default().summary_scale(AxisScale::Linear))
        .plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic))
        .bench_function("last", |b| b.iter(|| ()));
    group.finish();
}

fn of_throughput(c: &mut Criterion) {
    let mut group = c.benchmark_group("throughput");
    let throughputs = [
        Throughput::Bits(80),
        Throughput::Bits(3),
        Throughput::Bytes(1024),
        Throughput::BytesDecimal(1000),
        Throughput::Elements(10),
        Throughput::ElementsAndBytes { elements: 10, bytes: 40 },
    ];
    for throughput in throughputs {
        let id = format!("{throughput:?}");
        group.throughput(throughput);
        group.bench_function(id, |b| b.iter(|| std::hint::black_box(0)));
    }
}

type Group<'a> = BenchmarkGroup<'a, WallTime>;

fn sum(group: &mut Group<'_>, size: usize) {
    let numbers = vec![1_u64; size];
    group.throughput(Throughput::Elements(size as u64));
    group.bench_with_input(BenchmarkId::new("sum", size), &numbers, |b, numbers| {
        b.iter(|| numbers.iter().sum::<u64>());
    });
    group.bench_with_input(
        BenchmarkId::from_parameter(format!("{size} numbers")),
        numbers.as_slice(),
        |b, n| {
            b.iter(|| n.iter().max().copied());
        },
    );
}

fn of_ids(c: &mut Criterion) {
    let mut group = c.benchmark_group("ids");
    for size in [10, 100] {
        sum(&mut group, size);
    }
    group.bench_with_input("only a text", "input", |b, text: &str| b.iter(|| text.len()));
    group.finish();
    c.bench_with_input(BenchmarkId::new("of an input", 20), &20_u64, |b, n| b.iter(|| n + 1));
    for group in ["twice", "twice"] {
        c.benchmark_group(group).bench_function("the same id", |b| b.iter(|| 7));
    }
}

/// The measurement's own methods are those of a stopwatch.
fn of_measurement(c: &mut Criterion) {
    let formatter: &dyn ValueFormatter = WallTime.formatter();
    _ = [formatter.format_value(1.0), formatter.format_throughput(&Throughput::Bytes(1), 1.0)];
    _ = [
        formatter.scale_values(1.0, &mut [1.0]),
        formatter.scale_throughputs(1.0, &Throughput::Bytes(1), &mut [1.0]),
        formatter.scale_for_machines(&mut [1.0]),
    ];
    c.bench_function("measurement", |b| {
        b.iter_custom(|iterations| {
            let mut time: <WallTime as Measurement>::Value = WallTime.zero();
            for _ in 0..iterations {
                let start: <WallTime as Measurement>::Intermediate = WallTime.start();
                std::hint::black_box(WallTime.to_f64(&time));
                time = WallTime.add(&time, &WallTime.end(start));
            }
            time
        });
    });
}

criterion_group! {
    name = settings;
    config = with_baseline(of_criterion());
    targets = of_group, of_throughput, of_ids, of_measurement
}
