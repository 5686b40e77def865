//! Groups that are made by hand, with functions that are generic over the measurement.

use criterion::measurement::Measurement;
use criterion::{Bencher, BenchmarkFilter, BenchmarkGroup, BenchmarkId, Criterion};

fn of_group<M: Measurement>(group: &mut BenchmarkGroup<M>) {
    group.bench_function("of any measurement", |b| b.iter(|| 3));
}

fn of_criterion<M: Measurement + 'static>(c: &mut Criterion<M>) {
    c.bench_function("of a generic Criterion", double::<M>);
    let mut group = c.benchmark_group("generic");
    of_group(&mut group);
    group.bench_function("of a text", |b| b.iter(|| 3));
    group.bench_function(BenchmarkId::from_parameter(3), |b| b.iter(|| 3));
}

fn double<M: Measurement>(b: &mut Bencher<'_, M>) {
    b.iter(|| std::hint::black_box(3) * 2);
}

/// A suite that keeps its group.
struct Suite<'a, M: Measurement> {
    group: BenchmarkGroup<'a, M>,
}

impl<'a, M: Measurement> Suite<'a, M> {
    fn new(c: &'a mut Criterion<M>) -> Suite<'a, M> {
        Suite { group: c.benchmark_group("kept") }
    }

    fn add(&mut self, number: u64) -> &mut Self {
        self.group.bench_with_input(BenchmarkId::new("add", number), &number, |b, n| b.iter(|| n + 1));
        self
    }
}

pub(crate) fn by_hand() {
    let mut c = Criterion::default().configure_from_args();
    of_criterion(&mut c);
    Suite::new(&mut c).add(1).add(2);
    c = c.with_benchmark_filter(BenchmarkFilter::Exact("selected".to_owned()));
    c.bench_function("selected", |b| b.iter(|| 1));
    c.bench_function("not selected", |_| unreachable!("a filter in the code excludes it"));
    c = c.with_filter("^also ");
    c.bench_function("also selected", |b| b.iter(|| 1));
    c.bench_function("not also selected", |_| unreachable!("a filter in the code excludes it"));
    #[cfg(feature = "regex")]
    {
        let regex = regex::Regex::new("^(yet|and) another$").expect("it is a regular expression");
        c = c.with_benchmark_filter(BenchmarkFilter::Regex(regex));
        c.bench_function("yet another", |b| b.iter(|| 1));
        c.bench_function("not yet another", |_| unreachable!("a filter in the code excludes it"));
    }
    c.final_summary();
}
