//! The processes of a block.

use super::benchmark::{PROCESSES, PairedBenchmark, in_process};
use super::block_plan::BlockPlan;
use super::error::BlockError;
use super::waiting::{WaitObserver, Waits};
use crate::affinity;
use crate::cargo::Executable;
use crate::deadline::TimeLimit;
use crate::environment::machine;
use crate::session::{RemoteBenchmark, Session};
use nanobench::Rng;
use nanobench::measure::SampleRequest;
use nanobench::model::{ClockCalibration, ClockInfo, Sample};
use nanobench::protocol::List;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The processes of a block, which serve one benchmark or several.
#[derive(Debug)]
pub(crate) struct Launches {
    /// In the order of their start, which is random, and in which all further requests are sent. A process
    /// that is always the first at anything, such as allocating, is up to 1 % faster or slower in hash maps
    /// and sorting. 0 and 1 run the baseline, 2 and 3 the candidate.
    sessions: Vec<(usize, Session)>,
    starts: Starts,
    /// The times of the code before the benchmark in all processes so far, if the program passes it.
    pub(super) times_before: Vec<Duration>,
    /// The time of their start, divided among the benchmarks.
    pub(super) start_time: Duration,
    /// The core that all are bound to, once one benchmark is warmed up.
    pub(super) core: Option<usize>,
}

/// The means to start the processes of a block.
#[derive(Debug)]
struct Starts {
    executables: [Executable; PROCESSES],
    order: [usize; PROCESSES],
    paddings: [u64; PROCESSES / 2],
    /// The calibration of the clock to adopt.
    clock: ClockCalibration,
}

impl Launches {
    /// Starts the processes, as many [`at_once`] as may run, for these benchmarks of the same executables:
    /// none yet if they live one at a time. `clock`: the calibration of the clock to adopt; `begin`: the
    /// beginning of the preparations for the start.
    pub(super) fn start(
        benchmarks: &[&PairedBenchmark],
        clock: ClockCalibration,
        paths: &[PathBuf; PROCESSES],
        begin: Instant,
        rng: &mut Rng,
    ) -> Result<Launches, BlockError> {
        let benchmark = benchmarks[0];
        let executables: [Executable; PROCESSES] = std::array::from_fn(|i| Executable {
            path: paths[i].clone(),
            ..benchmark.side(i).executable.clone()
        });
        let mut order = [0, 1, 2, 3];
        rng.shuffle(&mut order);
        let paddings = [(); PROCESSES / 2].map(|()| padding(rng));
        let mut launches = Launches {
            sessions: Vec::with_capacity(PROCESSES),
            starts: Starts { executables, order, paddings, clock },
            times_before: Vec::with_capacity(PROCESSES),
            start_time: Duration::ZERO,
            core: None,
        };
        if !benchmark.session_options.one_at_a_time {
            order.chunks(at_once()).try_for_each(|group| launches.start_group(benchmarks, group))?;
        }
        launches.start_time = begin.elapsed() / u32::try_from(benchmarks.len()).unwrap_or(u32::MAX);
        Ok(launches)
    }

    /// Starts the processes of these numbers side by side.
    fn start_group(&mut self, benchmarks: &[&PairedBenchmark], group: &[usize]) -> Result<(), BlockError> {
        let Starts { executables, paddings, clock, .. } = &self.starts;
        let mut starting = Vec::with_capacity(PROCESSES);
        for &i in group {
            let session = Session::spawn(&executables[i], &benchmarks[0].session_options);
            starting.push((i, session.map_err(in_process(i))?));
        }
        let mut listing = Vec::with_capacity(PROCESSES);
        for (number, starting) in starting {
            let padding = Some(paddings[number % paddings.len()]);
            let list = List { padding, ..list(benchmarks, number, Some(clock)) };
            listing.push((number, starting.request_listing(list).map_err(in_process(number))?));
        }
        for (number, listing) in listing {
            let session = listing.receive_listing().map_err(in_process(number))?;
            self.times_before.push(session.time_before());
            self.sessions.push((number, session));
        }
        Ok(())
    }

    /// Returns the numbers of the processes in the order of their start.
    pub(super) fn order(&self) -> [usize; PROCESSES] {
        self.starts.order
    }

    /// Starts the process of this number, on the core of those before it.
    pub(super) fn start_alone(
        &mut self,
        benchmark: &PairedBenchmark,
        number: usize,
    ) -> Result<(), BlockError> {
        let begin = Instant::now();
        self.start_group(&[benchmark], &[number])?;
        self.start_time += begin.elapsed();
        self.bind();
        Ok(())
    }

    /// Ends all processes, and waits until they have exited.
    pub(super) fn end_and_wait(&mut self) {
        self.sessions.clear();
    }

    /// Returns the processes for the samples of this benchmark.
    pub(super) fn processes_for(
        &mut self,
        benchmark: &PairedBenchmark,
    ) -> Result<Vec<Process<'_>>, BlockError> {
        let mut processes = Vec::with_capacity(PROCESSES);
        for (number, session) in &mut self.sessions {
            let index = benchmark.side(*number).index_in(session)?;
            let (number, observer) = (*number, WaitObserver::default());
            let taken = Taken { waited: Some(Vec::new()), ..Taken::default() };
            processes.push(Process { session, number, index, cpu_time_before: None, observer, taken });
        }
        Ok(processes)
    }

    /// Binds the processes to a core, unless they are bound already. Returns whether it did.
    pub(super) fn pin(&mut self, core: impl FnOnce() -> Option<usize>) -> bool {
        if self.core.is_some() {
            return false;
        }
        self.core = core();
        self.bind();
        self.core.is_some()
    }

    fn bind(&self) {
        for (core, (_, session)) in
            self.core.iter().flat_map(|core| self.sessions.iter().map(move |it| (core, it)))
        {
            affinity::pin(session.process_id(), *core);
        }
    }

    /// Ends the processes, side by side, without waiting for them.
    pub(crate) fn end(self) -> impl Iterator<Item = Session> {
        let mut sessions = self.sessions;
        sessions.iter_mut().for_each(|(_, session)| session.finish());
        sessions.iter_mut().for_each(|(_, session)| session.close());
        sessions.into_iter().map(|(_, session)| session)
    }
}

/// Returns the request to the process of this number that serves these benchmarks. `clock`: the calibration
/// of the clock to adopt, instead of its own.
pub(super) fn list(
    benchmarks: &[&PairedBenchmark],
    process: usize,
    clock: Option<&ClockCalibration>,
) -> List {
    let only = if let [only] = benchmarks { Some(only.side(process).benchmark.id.clone()) } else { None };
    List { only, clock_calibration: clock.cloned(), ..benchmarks[0].session_options.list() }
}

/// A process of a block, for one benchmark.
#[derive(Debug)]
pub(super) struct Process<'s> {
    pub(super) session: &'s mut Session,
    pub(super) number: usize,
    /// Index of the benchmark in the process's listing.
    pub(super) index: u64,
    /// The processor time before the samples, if it is known.
    cpu_time_before: Option<Duration>,
    pub(super) observer: WaitObserver,
    pub(super) taken: Taken,
}

/// The samples of a process of a block, with its waits.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) segment_cost: f64,
    /// The shortest empty loop that was timed beside the samples, if any was.
    pub(super) empty_loop: Option<f64>,
    pub(super) samples: Vec<Sample>,
    /// The time in ns of the calls before the samples of each turn.
    pub(super) warmups: Vec<f64>,
    /// The time in ns that each sample waited for other programs, if it is known of all.
    pub(super) waited: Option<Vec<u64>>,
    /// The waits for its turns.
    pub(super) waits: Waits,
    /// The processor time of the turns, if it is known.
    pub(super) cpu_time: Option<Duration>,
}

impl Process<'_> {
    /// Notes the beginning of the samples.
    pub(super) fn begin(&mut self) {
        self.cpu_time_before = self.session.process().total_cpu_time();
    }

    /// Returns what was taken.
    pub(super) fn end(self) -> Taken {
        let passed = |after: Duration| after.checked_sub(self.cpu_time_before?);
        let cpu_time = self.session.process().total_cpu_time().and_then(passed);
        Taken { waits: self.observer.waits, cpu_time, ..self.taken }
    }

    /// Returns the time that it was sampled so far.
    pub(super) fn sampled(&self, clock: &ClockInfo) -> Duration {
        let ticks: u64 = self.taken.samples.iter().map(|sample| sample.elapsed).sum();
        Duration::try_from_secs_f64(ticks as f64 / clock.frequency).unwrap_or_default()
    }

    /// Returns the benchmark in this process, for a request with a timeout of its own: a call of the own
    /// samples had all of it, too, and those of four processes take longer.
    pub(super) fn remote(&mut self, benchmark: &PairedBenchmark) -> RemoteBenchmark<'_> {
        self.session.benchmark(self.index, TimeLimit::new(benchmark.timeout(), Duration::ZERO))
    }
}

/// Returns a random padding of memory, of up to two pages in steps of an allocator. Without one, all
/// processes of a side have blocks at the same addresses within a page. If the time depends on them, that is
/// a change that recurs.
fn padding(rng: &mut Rng) -> u64 {
    u64::from((1 + rng.bounded(8_192 / 16)) * 16)
}

/// Returns the number of processes that start and warm up at the same time. Under a quota, all would use
/// up the time of those that are measured next.
fn at_once() -> usize {
    if machine::has_quota() { 1 } else { PROCESSES }
}

/// Makes the first calls in all processes at once, because they may take long and are not measured.
/// They pay for page faults, lazy initialisation and cold caches.
pub(super) fn warm_up(
    processes: &mut [Process<'_>],
    benchmark: &PairedBenchmark,
    plan: &BlockPlan,
    seed: u64,
) -> Result<(), BlockError> {
    if plan.warmup == 0 {
        return Ok(());
    }
    let request = SampleRequest {
        samples: 1,
        iterations: plan.warmup,
        exact_iterations: true,
        count: plan.count,
        max_kept_results: 1,
        round: 0,
        seed,
        measure_waiting: false,
    };
    for group in processes.chunks_mut(at_once()) {
        for process in &mut *group {
            let requested = process.remote(benchmark).request_samples(&request);
            requested.map_err(in_process(process.number))?;
        }
        for process in group {
            process.remote(benchmark).receive_samples().map_err(in_process(process.number))?;
        }
    }
    Ok(())
}
