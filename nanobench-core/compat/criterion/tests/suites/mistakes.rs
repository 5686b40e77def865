//! Suites that are wrong. The variable `MISTAKE` selects one.

use nanobench_criterion::{BenchmarkId, Criterion, Throughput, criterion_group};

fn main() {
    let c = &mut Criterion::default();
    match std::env::var("MISTAKE").unwrap_or_default().as_str() {
        "the same id twice" => {
            let mut group = c.benchmark_group("group");
            group.bench_function("a", |b| b.iter(|| 1)).bench_function("a", |b| b.iter(|| 2));
        }
        "the same id with another throughput" => {
            let mut group = c.benchmark_group("group");
            group.bench_function("a", |b| b.iter(|| 1));
            group.throughput(Throughput::Bytes(1)).bench_function("a", |b| b.iter(|| 2));
        }
        "the same id in a second group" => {
            for _ in 0..2 {
                c.benchmark_group("group").bench_function("a", |b| b.iter(|| 1));
            }
            c.bench_function("group/a", |b| b.iter(|| 1));
        }
        "no loop" => _ = c.bench_function("a", |_| {}),
        "no name of a group" => drop(c.benchmark_group("")),
        "no name of a function" => _ = c.benchmark_group("group").bench_function("", |b| b.iter(|| 1)),
        "no function of an input" => {
            c.bench_with_input(BenchmarkId::from_parameter(1), &1, |b, n| b.iter(|| n + 1));
        }
        "a benchmark in another one" => {
            c.bench_function("a", |b| {
                b.iter(|| {
                    Criterion::default().bench_function("b", |b| b.iter(|| 1));
                });
            });
        }
        "groups on two threads" => outer(),
        other => panic!("there is no mistake `{other}`"),
    }
}

criterion_group!(inner, nothing);
criterion_group!(outer, run_inner);

fn nothing(_: &mut Criterion) {}

fn run_inner(_: &mut Criterion) {
    std::thread::spawn(inner).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}
