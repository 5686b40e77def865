//! Groups of benchmarks.

use crate::benchmark_id::IntoBenchmarkId;
use crate::criterion::{accepted_settings, accepted_settings_of_groups, run};
use crate::measurement::Measurement;
use crate::{Bencher, BenchmarkId, Criterion, PlotConfiguration, SamplingMode, Throughput};
use nanobench_engine::__private::in_order::PassedRow;
use std::panic::Location;
use std::time::Duration;

pub struct BenchmarkGroup<'a, M: Measurement> {
    criterion: &'a mut Criterion<M>,
    name: String,
    throughput: Option<Throughput>,
    /// The benchmarks so far whose ids were new. As in criterion, a benchmark may have the
    /// same id as one of another group or throughput.
    benchmarks: Vec<(BenchmarkId, Option<Throughput>)>,
}

impl<'a, M: Measurement> BenchmarkGroup<'a, M> {
    accepted_settings!(self: &mut Self);
    accepted_settings_of_groups!(self: &mut Self);

    pub(crate) fn new(criterion: &'a mut Criterion<M>, name: String) -> BenchmarkGroup<'a, M> {
        assert!(!name.is_empty(), "the name of a group must not be empty");
        BenchmarkGroup { criterion, name, throughput: None, benchmarks: Vec::new() }
    }

    pub fn throughput(&mut self, throughput: Throughput) -> &mut Self {
        self.throughput = Some(throughput);
        self
    }

    #[track_caller]
    pub fn bench_function<ID: IntoBenchmarkId, F>(&mut self, id: ID, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        self.pass(id.into_benchmark_id(), |row, measurement| run(row, measurement, &mut f))
    }

    #[track_caller]
    pub fn bench_with_input<ID: IntoBenchmarkId, F, I>(&mut self, id: ID, input: &I, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
        I: ?Sized,
    {
        self.pass(id.into_benchmark_id(), |row, measurement| {
            run(row, measurement, |bencher| f(bencher, input));
        })
    }

    #[track_caller]
    fn pass(&mut self, id: BenchmarkId, run: impl FnOnce(&PassedRow<'_>, &M)) -> &mut Self {
        let (full_id, key) = (id.full_id(&self.name), (id, self.throughput.clone()));
        assert!(!self.benchmarks.contains(&key), "two benchmarks of a group have the id `{full_id}`");
        let amounts = self.throughput.as_ref().map(Throughput::amounts).unwrap_or_default();
        let row = PassedRow {
            id: &full_id,
            group: Some(&self.name),
            location: Location::caller(),
            throughput: &amounts,
        };
        if self.criterion.pass(&row, run) {
            self.benchmarks.push(key);
        }
        self
    }

    pub fn finish(self) {}
}
