//! The parameter of benchmarks that prepare something. Its loops are compiled where the benchmark is known.

use crate::__private::lasting;
use crate::amounts::{AsCountUInt, CounterSet, Sealed as _};
use crate::counter::{Counter, IntoCounter};
use nanobench_engine::__private::{self as engine, Calls, ThroughputUnit};
use std::fmt;
use std::marker::PhantomData;

/// Measures what a benchmark passes to it.
///
/// `C` is what the benchmark has set so far.
#[must_use = "nothing is measured before one of the `bench` methods is called"]
pub struct Bencher<'a, 'b, C = BencherConfig> {
    context: &'a mut Context<'b>,
    config: C,
}

/// The way to make inputs, and to count them.
#[derive(Debug)]
pub struct BencherConfig<G = Nothing, N = Nothing> {
    gen_input: G,
    count_input: N,
}

/// Nothing was set.
#[derive(Debug, Clone, Copy)]
pub struct Nothing;

/// The harness's side of a benchmark, which its `Bencher` refers to.
pub struct Context<'b> {
    take_samples: &'b mut dyn FnMut(Calls<'_>),
    counters: CounterSet,
}

impl<'b> Context<'b> {
    pub(crate) fn new(take_samples: &'b mut dyn FnMut(Calls<'_>)) -> Context<'b> {
        Context { take_samples, counters: CounterSet::default() }
    }

    pub(crate) fn bencher(&mut self) -> Bencher<'_, 'b> {
        let config = BencherConfig { gen_input: Nothing, count_input: Nothing };
        Bencher { context: self, config }
    }

    fn local(&mut self, counted: &mut dyn FnMut(&mut engine::Bencher) -> Totals) {
        let counters = &self.counters;
        (self.take_samples)(Calls::Local(&mut |bencher| counted(lasting(bencher)).report(counters, bencher)));
    }

    fn shared(&mut self, counted: &(dyn Fn(&mut engine::Bencher) -> Totals + Sync)) {
        let counters = &self.counters;
        (self.take_samples)(Calls::Shared(&|bencher| counted(lasting(bencher)).report(counters, bencher)));
    }
}

/// The sums of the counters of inputs.
#[derive(Default)]
pub struct Totals {
    inputs: u64,
    sums: Vec<(ThroughputUnit, u64)>,
}

impl Totals {
    fn add<C: IntoCounter>(&mut self, counter: C) {
        let Some(unit) = C::Counter::UNIT else { return };
        let count = counter.into_counter().count();
        match self.sums.iter_mut().find(|(other, _)| *other == unit) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => self.sums.push((unit, count)),
        }
    }

    /// Reports the means over the inputs, and counters of other units.
    fn report(self, counters: &CounterSet, bencher: &mut engine::Bencher) {
        if !bencher.needs_throughput() {
            return;
        }
        let has_sum = |unit| self.sums.iter().any(|(other, _)| *other == unit);
        for &(unit, count) in counters.0.iter().filter(|(unit, _)| !has_sum(*unit)) {
            bencher.add_throughput(unit, count);
        }
        for (unit, sum) in &self.sums {
            bencher.add_throughput(*unit, sum / self.inputs.max(1));
        }
    }
}

/// Counters of an input.
pub trait CountInput<I> {
    /// Adds the counters of an input.
    fn count(&self, input: &I, totals: &mut Totals);
}

impl<I> CountInput<I> for Nothing {
    #[inline(always)]
    fn count(&self, _: &I, _: &mut Totals) {}
}

/// A counter beside others.
#[derive(Debug)]
pub struct Also<P, F>(P, F);

impl<I, P: CountInput<I>, C: IntoCounter, F: Fn(&I) -> C> CountInput<I> for Also<P, F> {
    fn count(&self, input: &I, totals: &mut Totals) {
        self.0.count(input, totals);
        totals.add((self.1)(input));
    }
}

/// Inputs that are numbers, as counters of this kind.
#[derive(Debug)]
pub struct As<P, C>(P, PhantomData<fn() -> C>);

impl<I: AsCountUInt, P: CountInput<I>, C: Counter> CountInput<I> for As<P, C> {
    fn count(&self, input: &I, totals: &mut Totals) {
        self.0.count(input, totals);
        totals.add(C::of_number(input.as_max_uint()));
    }
}

impl<C> fmt::Debug for Bencher<'_, '_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bencher").finish_non_exhaustive()
    }
}

impl<'a, 'b> Bencher<'a, 'b> {
    /// Measures a function. Its results are dropped outside of the timing.
    pub fn bench<O, B>(self, benched: B)
    where
        B: Fn() -> O + Sync,
    {
        self.context.shared(&|bencher| {
            bencher.call(|_| benched());
            Totals::default()
        });
    }

    /// Measures a function on one thread.
    pub fn bench_local<O, B>(self, mut benched: B)
    where
        B: FnMut() -> O,
    {
        self.context.local(&mut |bencher| {
            bencher.call(|_| benched());
            Totals::default()
        });
    }

    /// Makes an input for each call, outside of the timing.
    pub fn with_inputs<G>(self, gen_input: G) -> Bencher<'a, 'b, BencherConfig<G>> {
        let config = BencherConfig { gen_input, count_input: Nothing };
        Bencher { context: self.context, config }
    }
}

impl<'a, 'b, G, N> Bencher<'a, 'b, BencherConfig<G, N>> {
    /// Counts what each call processes.
    pub fn counter<C: IntoCounter>(self, counter: C) -> Self {
        self.context.counters.set(counter);
        self
    }

    fn counting_by<M>(self, count_input: impl FnOnce(N) -> M) -> Bencher<'a, 'b, BencherConfig<G, M>> {
        let BencherConfig { gen_input, count_input: before } = self.config;
        let config = BencherConfig { gen_input, count_input: count_input(before) };
        Bencher { context: self.context, config }
    }
}

impl<'a, 'b, I, G, N> Bencher<'a, 'b, BencherConfig<G, N>>
where
    G: FnMut() -> I,
{
    /// Counts what a call processes by its input.
    pub fn input_counter<C, F>(self, make_counter: F) -> Bencher<'a, 'b, BencherConfig<G, Also<N, F>>>
    where
        F: Fn(&I) -> C + Sync + 'static,
        C: IntoCounter,
    {
        self.counting_by(|before| Also(before, make_counter))
    }

    /// Counts the inputs, which are numbers.
    pub fn count_inputs_as<C>(self) -> Bencher<'a, 'b, BencherConfig<G, As<N, C>>>
    where
        C: Counter,
        I: AsCountUInt,
    {
        self.counting_by(|before| As(before, PhantomData))
    }

    /// Measures a function of an input.
    pub fn bench_values<O, B>(self, benched: B)
    where
        B: Fn(I) -> O + Sync,
        G: Fn() -> I + Sync,
        N: CountInput<I> + Sync,
    {
        let BencherConfig { gen_input, count_input } = &self.config;
        self.context.shared(&|bencher| {
            counted(bencher, gen_input, count_input, |bencher, setup| {
                bencher.call_with(setup, |input, _| benched(input));
            })
        });
    }

    /// Measures a function of an input on one thread.
    pub fn bench_local_values<O, B>(self, mut benched: B)
    where
        B: FnMut(I) -> O,
        N: CountInput<I>,
    {
        let BencherConfig { mut gen_input, count_input } = self.config;
        self.context.local(&mut |bencher| {
            counted(bencher, &mut gen_input, &count_input, |bencher, setup| {
                bencher.call_with(setup, |input, _| benched(input));
            })
        });
    }

    /// Measures a function of a reference to an input, which is dropped outside of the timing.
    pub fn bench_refs<O, B>(self, benched: B)
    where
        B: Fn(&mut I) -> O + Sync,
        G: Fn() -> I + Sync,
        N: CountInput<I> + Sync,
    {
        let BencherConfig { gen_input, count_input } = &self.config;
        self.context.shared(&|bencher| {
            counted(bencher, gen_input, count_input, |bencher, setup| {
                bencher.call_with_mut(setup, |inputs, segment| {
                    segment.call(inputs, |input, _| benched(input));
                });
            })
        });
    }

    /// Measures a function of a reference to an input on one thread.
    pub fn bench_local_refs<O, B>(self, mut benched: B)
    where
        B: FnMut(&mut I) -> O,
        N: CountInput<I>,
    {
        let BencherConfig { mut gen_input, count_input } = self.config;
        self.context.local(&mut |bencher| {
            counted(bencher, &mut gen_input, &count_input, |bencher, setup| {
                bencher.call_with_mut(setup, |inputs, segment| {
                    segment.call(inputs, |input, _| benched(input));
                });
            })
        });
    }
}

/// Lets `calls` make inputs, and counts them if the throughput is requested.
#[inline(always)]
fn counted<I>(
    bencher: &mut engine::Bencher,
    mut gen_input: impl FnMut() -> I,
    count_input: &impl CountInput<I>,
    calls: impl FnOnce(&mut engine::Bencher, &mut dyn FnMut() -> I),
) -> Totals {
    let (is_counted, mut totals) = (bencher.needs_throughput(), Totals::default());
    let mut setup = || {
        let input = gen_input();
        if is_counted {
            totals.inputs += 1;
            count_input.count(&input, &mut totals);
        }
        input
    };
    calls(bencher, &mut setup);
    totals
}
