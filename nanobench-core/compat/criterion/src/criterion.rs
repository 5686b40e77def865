//! The state of a run, which hardly has any: the engine has it.

use crate::arguments;
use crate::measurement::{Measurement, WallTime};
use crate::profiler::Profiler;
use crate::{
    Bencher, BenchmarkDefinition, BenchmarkFilter, BenchmarkGroup, BenchmarkId, Fun, ParameterizedBenchmark,
    PlottingBackend,
};
use nanobench_engine::__private::in_order::{self, PassedRow};
use nanobench_engine::__private::{TimedCode, is_unoptimized, remark};
use std::collections::HashSet;
use std::fmt::Debug;
use std::panic::Location;
use std::path::Path;
use std::time::Duration;

pub struct Criterion<M: Measurement = WallTime> {
    measurement: M,
    filter: BenchmarkFilter,
    /// All ids so far.
    ids: HashSet<String>,
}

impl Default for Criterion {
    fn default() -> Criterion {
        // The tool looks for it in the executable.
        let marker = "\u{1}nanobench:in-order\u{2}";
        in_order::begin(marker, TimedCode::of_this_crate(), is_unoptimized(), arguments::of_process);
        Criterion { measurement: WallTime, filter: BenchmarkFilter::AcceptAll, ids: HashSet::new() }
    }
}

/// The measurements that `with_measurement` takes.
#[diagnostic::on_unimplemented(
    message = "nanobench measures the time only, so `{Self}` can't be the measurement",
    label = "has to be `WallTime`",
    note = "benchmarks with another measurement need criterion itself: keep them in a target of their own"
)]
pub trait IsTime {}

impl IsTime for WallTime {}

/// Settings without effect, which return what they are called on.
macro_rules! accepted_settings {
    ($self:ident: $builder:ty) => {
        pub fn sample_size($self: $builder, _n: usize) -> $builder {
            $self
        }

        pub fn warm_up_time($self: $builder, _dur: Duration) -> $builder {
            $self
        }

        pub fn measurement_time($self: $builder, _dur: Duration) -> $builder {
            $self
        }

        pub fn nresamples($self: $builder, _n: usize) -> $builder {
            $self
        }

        pub fn noise_threshold($self: $builder, _threshold: f64) -> $builder {
            $self
        }

        pub fn confidence_level($self: $builder, _cl: f64) -> $builder {
            $self
        }

        pub fn significance_level($self: $builder, _sl: f64) -> $builder {
            $self
        }
    };
}
/// The same, which only groups have.
macro_rules! accepted_settings_of_groups {
    ($self:ident: $builder:ty) => {
        pub fn plot_config($self: $builder, _new_config: PlotConfiguration) -> $builder {
            $self
        }

        pub fn sampling_mode($self: $builder, _new_mode: SamplingMode) -> $builder {
            $self
        }
    };
}
pub(crate) use {accepted_settings, accepted_settings_of_groups};

impl<M: Measurement> Criterion<M> {
    accepted_settings!(self: Self);

    /// Only [`WallTime`] can be measured.
    pub fn with_measurement<M2: Measurement + IsTime>(self, m: M2) -> Criterion<M2> {
        Criterion { measurement: m, filter: self.filter, ids: self.ids }
    }

    pub fn with_profiler<P: Profiler + 'static>(self, _p: P) -> Criterion<M> {
        remark(
            "`with_profiler` has no effect: use `perf` or another profiler with `cargo nanobench profile`",
        );
        self
    }

    pub fn plotting_backend(self, _backend: PlottingBackend) -> Criterion<M> {
        self
    }

    pub fn with_plots(self) -> Criterion<M> {
        self
    }

    pub fn without_plots(self) -> Criterion<M> {
        self
    }

    pub fn can_plot(&self) -> bool {
        false
    }

    pub fn save_baseline(self, baseline: String) -> Criterion<M> {
        remark(&format!("`save_baseline` has no effect: run `cargo nanobench --save-baseline {baseline}`"));
        self
    }

    /// With the feature `criterion-0_3`, there is no `strict`.
    pub fn retain_baseline(
        self,
        baseline: String,
        #[cfg(not(feature = "criterion-0_3"))] _strict: bool,
    ) -> Criterion<M> {
        remark(&format!("`retain_baseline` has no effect: run `cargo nanobench --baseline {baseline}`"));
        self
    }

    pub fn with_filter<S: Into<String>>(self, filter: S) -> Criterion<M> {
        self.with_benchmark_filter(BenchmarkFilter::of_pattern(&filter.into()))
    }

    pub fn with_benchmark_filter(mut self, filter: BenchmarkFilter) -> Criterion<M> {
        self.filter = filter;
        self
    }

    pub fn with_output_color(self, _enabled: bool) -> Criterion<M> {
        self
    }

    pub fn output_directory(self, path: &Path) -> Criterion<M> {
        remark(&format!(
            "`output_directory` has no effect: run `cargo nanobench --output criterion={}`",
            path.display()
        ));
        self
    }

    pub fn profile_time(self, profile_time: Option<Duration>) -> Criterion<M> {
        if profile_time.is_some() {
            remark("`profile_time` has no effect: run `cargo nanobench profile`");
        }
        self
    }

    pub fn final_summary(&self) {}

    /// The arguments are the engine's. As in criterion since 0.5, they replace a filter in the code,
    /// even if there is none among them.
    pub fn configure_from_args(mut self) -> Criterion<M> {
        if cfg!(not(feature = "criterion-0_3")) {
            self.filter = BenchmarkFilter::AcceptAll;
        }
        self
    }

    pub fn benchmark_group<S: Into<String>>(&mut self, group_name: S) -> BenchmarkGroup<'_, M> {
        BenchmarkGroup::new(self, group_name.into())
    }

    #[track_caller]
    pub fn bench_function<F>(&mut self, id: &str, mut f: F) -> &mut Criterion<M>
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        assert!(!id.is_empty(), "the id of a benchmark must not be empty");
        let row = PassedRow { id, group: None, location: Location::caller(), throughput: &[] };
        self.pass(&row, |row, measurement| run(row, measurement, &mut f));
        self
    }

    #[track_caller]
    pub fn bench_with_input<F, I>(&mut self, id: BenchmarkId, input: &I, f: F) -> &mut Criterion<M>
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
    {
        let BenchmarkId { function_name, parameter } = id;
        let group = function_name.expect(
            "`bench_with_input` needs an id with the name of a function, unlike `BenchmarkId::from_parameter`",
        );
        let id = BenchmarkId { function_name: None, parameter };
        self.benchmark_group(group).bench_with_input(id, input, f);
        self
    }

    #[track_caller]
    pub fn bench_function_over_inputs<I, F>(&mut self, id: &str, f: F, inputs: I) -> &mut Criterion<M>
    where
        I: IntoIterator,
        I::Item: Debug + 'static,
        F: FnMut(&mut Bencher<'_, M>, &I::Item) + 'static,
    {
        self.bench(id, ParameterizedBenchmark::new(id, f, inputs))
    }

    pub fn bench_functions<I>(&mut self, id: &str, funs: Vec<Fun<I, M>>, input: I) -> &mut Criterion<M>
    where
        I: Debug + 'static,
    {
        self.bench(id, ParameterizedBenchmark::with_functions(funs, input))
    }

    pub fn bench<B: BenchmarkDefinition<M>>(&mut self, group_id: &str, benchmark: B) -> &mut Criterion<M> {
        benchmark.run(group_id, self);
        self
    }

    /// Lets `run` pass the row to the engine, unless a filter in the code excludes it. Returns
    /// whether its id is new.
    pub(crate) fn pass(&mut self, row: &PassedRow<'_>, run: impl FnOnce(&PassedRow<'_>, &M)) -> bool {
        if self.filter.accepts(row.id) {
            run(row, &self.measurement);
        }
        self.ids.insert(row.id.to_owned())
    }
}

/// Passes a row to the engine. Each benchmark has a copy of this function, so that the tool finds its
/// code.
pub(crate) fn run<M: Measurement>(
    row: &PassedRow<'_>,
    measurement: &M,
    mut benchmark: impl FnMut(&mut Bencher<'_, M>),
) {
    in_order::row(row, |engine| Bencher::run(engine, measurement, &mut benchmark));
}

#[doc(hidden)]
pub fn runner(benches: &[&dyn Fn()]) {
    for bench in benches {
        bench();
    }
    Criterion::default().configure_from_args().final_summary();
}
