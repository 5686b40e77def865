//! The chains again, in loops by hand: what the tools should find. Nothing is taken out.
//!
//! Prints a line for each form and length: its name, the median of its samples in ns, and in cycles
//! of the core. The speed of the core is taken from a chain of 30,000 cycles before and after each
//! sample.

use std::hint::black_box;
use std::time::Instant;
use work::{chain, fed};

/// A sample is about this long, in ns: long beside the clock.
const SAMPLE: f64 = 300_000.0;
const SAMPLES: usize = 41;
const REFERENCE_CYCLES: f64 = 30_000.0;
/// Inputs and outputs that are ready at a time stay in the first cache.
const BATCH: usize = 1_000;

fn main() {
    let mut loops: Vec<Loop> =
        [chains::<1>(), chains::<10>(), chains::<100>()].into_iter().flatten().collect();
    for _ in 0..SAMPLES {
        // One of each in turn: what disturbs the machine for some ms spoils a part of many, and not
        // all of one.
        loops.iter_mut().for_each(Loop::sample);
    }
    for Loop { form, k, times, cycles, .. } in loops {
        println!("{form} {k} {:.5} {:.5}", median(times), median(cycles));
    }
}

/// A hand-written loop, and its time so far.
struct Loop {
    form: &'static str,
    k: usize,
    /// Returns the time in ns for this number of passes.
    time_of: Box<dyn FnMut(u64) -> f64>,
    passes: u64,
    times: Vec<f64>,
    cycles: Vec<f64>,
}

impl Loop {
    fn new(form: &'static str, k: usize, mut time_of: impl FnMut(u64) -> f64 + 'static) -> Loop {
        let passes = enough(&mut time_of);
        Loop { form, k, time_of: Box::new(time_of), passes, times: Vec::new(), cycles: Vec::new() }
    }

    fn sample(&mut self) {
        let before = reference();
        let time = (self.time_of)(self.passes) / self.passes as f64;
        self.times.push(time);
        self.cycles.push(time / f64::midpoint(before, reference()));
    }
}

fn chains<const K: usize>() -> [Loop; 4] {
    [
        Loop::new("plain", K, timed(plain::<K>)),
        Loop::new("fresh", K, timed(fresh::<K>)),
        Loop::new("count", K, timed(count::<K>)),
        Loop::new("setup", K, batched(chain::<K>)),
    ]
}

#[inline(never)]
fn plain<const K: usize>(n: u64) {
    for _ in 0..n {
        black_box(fed::<K>());
    }
}

#[inline(never)]
fn fresh<const K: usize>(n: u64) {
    for _ in 0..n {
        black_box(chain::<K>(black_box(1)));
    }
}

#[inline(never)]
fn count<const K: usize>(n: u64) {
    black_box((0..n).fold(1, |x, _| chain::<K>(x)));
}

/// Returns the time of `n` passes of the loop, in ns.
fn timed(mut body: impl FnMut(u64)) -> impl FnMut(u64) -> f64 {
    move |n| {
        let start = Instant::now();
        body(n);
        nanoseconds(start)
    }
}

/// Returns the time of `n` passes whose inputs, and places for outputs, are made before the clock
/// starts.
fn batched(mut body: impl FnMut(u64) -> u64) -> impl FnMut(u64) -> f64 {
    let (mut inputs, mut outputs) = (vec![0; BATCH], vec![0; BATCH]);
    move |n| {
        let mut time = 0.0;
        for _ in 0..n.div_ceil(BATCH as u64) {
            inputs.fill(1);
            black_box(&mut inputs);
            let start = Instant::now();
            for (output, input) in outputs.iter_mut().zip(&inputs) {
                *output = body(*input);
            }
            black_box(&mut outputs);
            time += nanoseconds(start);
        }
        time * n as f64 / (n.div_ceil(BATCH as u64) * BATCH as u64) as f64
    }
}

/// Returns the number of passes of a sample. A length is believed if the shorter of two samples has
/// it.
fn enough(time_of: &mut impl FnMut(u64) -> f64) -> u64 {
    let mut n = 1_000;
    loop {
        let time = time_of(n).min(time_of(n));
        if time > SAMPLE / 2.0 {
            return n;
        }
        n *= 2;
    }
}

/// The length of a cycle just now, in ns.
fn reference() -> f64 {
    let start = Instant::now();
    let mut x = black_box(1);
    for _ in 0..10 {
        x = a_thousand(x);
    }
    black_box(x);
    nanoseconds(start) / REFERENCE_CYCLES
}

/// Not inlined: ten of it would push all else out of the instruction cache.
#[inline(never)]
fn a_thousand(x: u64) -> u64 {
    chain::<1_000>(x)
}

fn nanoseconds(start: Instant) -> f64 {
    start.elapsed().as_nanos() as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
