//! The groups of criterion 0.3, which are made before they run.

use crate::criterion::{accepted_settings, accepted_settings_of_groups, run};
use crate::measurement::{Measurement, WallTime};
use crate::{Bencher, BenchmarkId, Criterion, PlotConfiguration, SamplingMode, Throughput};
use nanobench_engine::__private::in_order::PassedRow;
use std::fmt::Debug;
use std::panic::Location;
use std::time::Duration;

/// A function of a group.
struct Routine<T, M> {
    name: String,
    location: &'static Location<'static>,
    pass: Box<Pass<T, M>>,
}

/// Passes a function to the engine with one of its inputs.
type Pass<T, M> = dyn FnMut(&PassedRow<'_>, &M, &T);

impl<T: 'static, M: Measurement> Routine<T, M> {
    #[track_caller]
    fn new<F>(name: String, mut function: F) -> Routine<T, M>
    where
        F: FnMut(&mut Bencher<'_, M>, &T) + 'static,
    {
        let pass = Box::new(move |row: &PassedRow<'_>, measurement: &M, input: &T| {
            run(row, measurement, |bencher| function(bencher, input));
        });
        Routine { name, location: Location::caller(), pass }
    }

    /// Passes the function, with this `label` of its input. The name of the group is left out if it
    /// is repeated.
    fn pass(
        &mut self,
        (group, is_only): (&str, bool),
        (input, label): (&T, Option<String>),
        throughput: Option<Throughput>,
        criterion: &mut Criterion<M>,
    ) {
        let function_name = (!is_only || self.name != group).then(|| self.name.clone());
        let id = BenchmarkId { function_name, parameter: label }.full_id(group);
        let amounts = throughput.as_ref().map(Throughput::amounts).unwrap_or_default();
        let row = PassedRow { id: &id, group: Some(group), location: self.location, throughput: &amounts };
        criterion.pass(&row, |row, measurement| (self.pass)(row, measurement, input));
    }
}

pub trait BenchmarkDefinition<M: Measurement = WallTime>: Sized {
    #[doc(hidden)]
    fn run(self, group_id: &str, c: &mut Criterion<M>);
}

pub struct Benchmark<M: Measurement = WallTime> {
    routines: Vec<Routine<(), M>>,
    throughput: Option<Throughput>,
}

impl<M: Measurement> Benchmark<M> {
    accepted_settings!(self: Self);
    accepted_settings_of_groups!(self: Self);

    #[track_caller]
    pub fn new<S, F>(id: S, f: F) -> Benchmark<M>
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>) + 'static,
    {
        Benchmark { routines: Vec::new(), throughput: None }.with_function(id, f)
    }

    #[track_caller]
    pub fn with_function<S, F>(mut self, id: S, mut f: F) -> Benchmark<M>
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>) + 'static,
    {
        self.routines.push(Routine::new(id.into(), move |bencher, ()| f(bencher)));
        self
    }

    pub fn throughput(mut self, throughput: Throughput) -> Benchmark<M> {
        self.throughput = Some(throughput);
        self
    }
}

impl<M: Measurement> BenchmarkDefinition<M> for Benchmark<M> {
    fn run(self, group_id: &str, c: &mut Criterion<M>) {
        let is_only = self.routines.len() == 1;
        for mut routine in self.routines {
            routine.pass((group_id, is_only), (&(), None), self.throughput.clone(), c);
        }
    }
}

/// Returns the throughput of an input.
type ThroughputOf<T> = dyn Fn(&T) -> Throughput;

pub struct ParameterizedBenchmark<T: Debug, M: Measurement = WallTime> {
    inputs: Vec<T>,
    routines: Vec<Routine<T, M>>,
    throughput: Option<Box<ThroughputOf<T>>>,
}

impl<T: Debug + 'static, M: Measurement> ParameterizedBenchmark<T, M> {
    accepted_settings!(self: Self);
    accepted_settings_of_groups!(self: Self);

    #[track_caller]
    pub fn new<S, F, I>(id: S, f: F, parameters: I) -> ParameterizedBenchmark<T, M>
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>, &T) + 'static,
        I: IntoIterator<Item = T>,
    {
        let inputs = parameters.into_iter().collect();
        ParameterizedBenchmark { inputs, routines: Vec::new(), throughput: None }.with_function(id, f)
    }

    #[track_caller]
    pub fn with_function<S, F>(mut self, id: S, f: F) -> ParameterizedBenchmark<T, M>
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>, &T) + 'static,
    {
        self.routines.push(Routine::new(id.into(), f));
        self
    }

    pub(crate) fn with_functions(functions: Vec<Fun<T, M>>, input: T) -> ParameterizedBenchmark<T, M> {
        let routines = functions.into_iter().map(|function| function.0).collect();
        ParameterizedBenchmark { inputs: vec![input], routines, throughput: None }
    }

    pub fn throughput<F>(mut self, throughput: F) -> ParameterizedBenchmark<T, M>
    where
        F: Fn(&T) -> Throughput + 'static,
    {
        self.throughput = Some(Box::new(throughput));
        self
    }
}

impl<T: Debug + 'static, M: Measurement> BenchmarkDefinition<M> for ParameterizedBenchmark<T, M> {
    fn run(self, group_id: &str, c: &mut Criterion<M>) {
        let is_only = self.routines.len() == 1;
        for mut routine in self.routines {
            for input in &self.inputs {
                let label = (self.inputs.len() > 1).then(|| format!("{input:?}"));
                let throughput = self.throughput.as_ref().map(|throughput| throughput(input));
                routine.pass((group_id, is_only), (input, label), throughput, c);
            }
        }
    }
}

/// A function of `Criterion::bench_functions`.
pub struct Fun<I: Debug, M: Measurement + 'static = WallTime>(Routine<I, M>);

impl<I: Debug + 'static, M: Measurement> Fun<I, M> {
    #[track_caller]
    pub fn new<F>(name: &str, f: F) -> Fun<I, M>
    where
        F: FnMut(&mut Bencher<'_, M>, &I) + 'static,
    {
        Fun(Routine::new(name.to_owned(), f))
    }
}
