//! Measuring one benchmark in two builds, side by side: the launches of both alternate, so that what the machine does
//! meanwhile it does to both.

use crate::cargo::Executable;
use crate::session::{self, Session, Stopped, Treatment};
use nanobench::Rng;
use nanobench::measure::{Course, Plan, Taken};
use nanobench::model::{Launch, Measurement};
use std::time::Instant;

/// Launches of each side.
pub(super) const LAUNCHES: usize = 5;

/// Why there is no pair of figures.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoPair {
    #[error(transparent)]
    Session(#[from] session::Error),
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error("the other build has no such benchmark")]
    NoSuchBenchmark,
    #[error("it does another amount of work in the other build")]
    OtherCount,
}

/// One benchmark in two builds.
#[derive(Debug)]
pub(super) struct Pair<'a> {
    pub(super) baseline: &'a Executable,
    pub(super) candidate: &'a Executable,
    /// Path of the benchmark in both.
    pub(super) path: &'a str,
    pub(super) plan: Plan,
    /// What it gets as `count`, in both.
    pub(super) count: u64,
    pub(super) unroll: u64,
    /// Units in an operation, of the baseline and of the candidate.
    pub(super) batches: [Option<u64>; 2],
    pub(super) treatment: &'a Treatment,
}

impl Pair<'_> {
    /// Measures both in fresh processes, a launch each in turn, the first one at random. Stops early where `go_on`
    /// has seen enough of baseline and candidate.
    pub(super) fn measure(
        &self,
        go_on: impl Fn(&Measurement, &Measurement) -> bool,
    ) -> Result<(Measurement, Measurement), NoPair> {
        let [mut baseline, mut candidate] = self.batches.map(|batch| Measurement {
            count: self.count,
            unroll: self.unroll,
            batch,
            ..Measurement::default()
        });
        let mut rng = Rng::new();
        for _ in 0..LAUNCHES {
            let mut sides = [(self.baseline, &mut baseline), (self.candidate, &mut candidate)];
            rng.shuffle(&mut sides);
            for (executable, measurement) in sides {
                measurement.launches.push(self.launch(executable, rng.next_u64())?);
            }
            if !go_on(&baseline, &candidate) {
                break;
            }
        }
        Ok((baseline, candidate))
    }

    fn launch(&self, executable: &Executable, seed: u64) -> Result<Launch, NoPair> {
        let mut session = Session::start(executable, self.treatment)?;
        let listing = session.listing();
        let index = listing.benchmarks.iter().position(|benchmark| benchmark.path == self.path);
        let index = index.ok_or(NoPair::NoSuchBenchmark)? as u64;
        let (clock, nothing) = (listing.clock.clone(), listing.nothing);
        let (mut course, mut taken) = (Course::new(self.plan, Some(self.count)), Taken::default());
        let begin = Instant::now();
        while !course.is_done() {
            let left = self.treatment.timeout.saturating_sub(begin.elapsed());
            taken.add(course.step(&mut session.benchmark(index, left), seed)?);
        }
        if course.count() != Some(self.count) {
            return Err(NoPair::OtherCount);
        }
        Ok(Launch { clock, segment_cost: taken.segment_cost, nothing, samples: taken.samples })
    }
}
