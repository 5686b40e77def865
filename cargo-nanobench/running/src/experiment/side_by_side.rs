//! The paired runs of a suite: each benchmark compared with the same benchmark in the executable of
//! its baseline.

mod deadlines;
mod rounds;
#[cfg(test)]
mod tests;

use self::deadlines::Deadlines;
use self::rounds::Rounds;
use super::baseline_code::BaselineCode;
use super::comparison::NotPaired;
use super::own_samples::OwnSamples;
use super::paired::{KeptRun, OwnFacts, PairedBenchmark, PairedRun, Shared, Side, is_slow};
use super::policy::ComparisonPolicy;
use super::progress::{Progress, Unpaired};
use super::renames::code_of;
use super::rows::Rows;
use super::suite::Harness;
use super::suspects::{self, Selection, Suspect};
use crate::cargo::Executable;
use crate::code::BenchmarkCode;
use crate::deadline;
use crate::relink::{LayoutError, Layouts};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use verdicts::Effort;

/// The time by which benchmarks with other code are decided at the latest, if the requested time is
/// shorter. It only counts on a busy machine, where a verdict is worth more than the delay.
const MIN_TIME_OF_CHANGED: Duration = Duration::from_secs(2);

/// The least share of the time in which a benchmark can be decided, should the others need less.
const MIN_SHARE: Duration = Duration::from_millis(80);

/// The paired runs of an earlier command that go on.
#[derive(Debug)]
pub struct EarlierRuns {
    /// All of them by the ids of their benchmarks, also those that are decided: they have a part of the
    /// error.
    pub runs: BTreeMap<String, KeptRun>,
    /// The number of others that have a part of it, of which nothing is known any more.
    pub gone: usize,
    /// The time for which they go on.
    pub time: Duration,
}

/// The layouts of pairs of executables, baseline first, or why they can't be made.
type PairLayouts<'e> = HashMap<[&'e Path; 2], Result<Arc<Layouts>, Arc<LayoutError>>>;

/// The paired runs of a suite.
#[derive(Debug)]
pub(super) struct SideBySide<'a> {
    policy: &'a ComparisonPolicy,
    codes: BaselineCode,
    /// The paired runs of an earlier command that go on.
    earlier: Option<&'a EarlierRuns>,
    /// Their share of the command's error.
    error_share: f64,
    /// The logarithm of the change that the figures of all benchmarks share.
    shift: f64,
}

impl<'a> SideBySide<'a> {
    /// Creates the paired runs of a suite, none of which has begun. `codes`: the comparisons of code so
    /// far; `earlier`: the paired runs of an earlier command that go on; `error_share`: their share of the
    /// command's error.
    pub(super) fn new(
        policy: &'a ComparisonPolicy,
        codes: BaselineCode,
        earlier: Option<&'a EarlierRuns>,
        error_share: f64,
    ) -> SideBySide<'a> {
        SideBySide { policy, codes, earlier, error_share, shift: 0.0 }
    }

    /// Runs those benchmarks side by side that most probably changed, as many as the time allows:
    /// first those with other code, then, in what is left of the time, those whose code is the
    /// same. `time`: returns the time if this many benchmarks have other code, and as many others
    /// figures that stand out; `can_wait`: it may be longer for a change of a slow one.
    pub(super) fn run_changed(
        &mut self,
        benchmarks: &mut [Progress<'_>],
        harnesses: &mut [Harness],
        rows: &mut Rows<'_>,
        time: impl Fn(usize, usize) -> Duration,
        can_wait: bool,
    ) {
        let suspects: Vec<(usize, Suspect)> = benchmarks
            .iter()
            .enumerate()
            .filter_map(|(i, progress)| Some((i, progress.suspect()?)))
            .collect();
        let (places, suspects): (Vec<usize>, Vec<Suspect>) = suspects.into_iter().unzip();
        let Selection { changed, moved, shift } = suspects::select(&suspects);
        self.shift = shift;
        let deadline = deadline::after(time(changed.len(), moved.len()));
        let affordable = |selected: &[usize], time_of_one: Duration| -> Vec<usize> {
            let left = deadline.saturating_duration_since(Instant::now());
            let affordable = suspects::affordable(selected, &suspects, time_of_one, left);
            affordable.into_iter().map(|i| places[i]).collect()
        };
        // The time of a brief paired run until the first look if it shares its launches, and of a whole one.
        let [first_look, whole_run] = [10, 150].map(Duration::from_millis);
        let mut first = affordable(&changed, first_look);
        // One runs in any case.
        let has_none = first.is_empty();
        let is_worth_it = |&&i: &&usize| {
            !first.contains(&places[i]) && suspects[i].is_worth_waiting(shift, has_none, can_wait)
        };
        let patient = changed.iter().find(is_worth_it).map(|&i| places[i]);
        first.extend(patient);
        let is_late = |i: &&usize| !suspects[**i].has_other_code() && !first.contains(&places[**i]);
        changed
            .iter()
            .filter(is_late)
            .for_each(|&i| benchmarks[places[i]].omit_paired_run(Unpaired::OutOfTime));
        let second: Vec<usize> = moved.iter().map(|&i| places[i]).collect();
        self.omit_all_but(&[&first[..], &second].concat(), benchmarks, rows);
        let left = deadline.saturating_duration_since(Instant::now());
        let patient_deadline = deadline.max(Instant::now() + MIN_TIME_OF_CHANGED);
        let deadlines = Deadlines::shared(left, patient_deadline, can_wait);
        // Each of the two has a share of the error.
        let error_share = if second.is_empty() { self.error_share } else { self.error_share / 2.0 };
        self.run(&first, benchmarks, harnesses, rows, (Some(deadlines), error_share));
        let (second, late): (Vec<usize>, Vec<usize>) = {
            let affordable = affordable(&moved, whole_run);
            second.into_iter().partition(|i| affordable.contains(i))
        };
        late.into_iter().for_each(|i| benchmarks[i].omit_paired_run(Unpaired::OutOfTime));
        self.omit_all_but(&second, benchmarks, rows);
        self.run(&second, benchmarks, harnesses, rows, (Some(Deadlines::at(deadline)), error_share));
    }

    /// Decides against all other paired runs.
    fn omit_all_but(&self, kept: &[usize], benchmarks: &mut [Progress<'_>], rows: &mut Rows<'_>) {
        let omitted = benchmarks.iter_mut().enumerate().filter(|(i, _)| !kept.contains(i));
        omitted.for_each(|(_, progress)| progress.omit_paired_run(Unpaired::Omitted));
        rows.report_final(benchmarks, &(0..benchmarks.len()).collect::<Vec<_>>());
    }

    /// Runs all benchmarks side by side with their baseline. If there is no time for all, those
    /// whose own figures have changed most run.
    pub(super) fn run_all(
        &mut self,
        benchmarks: &mut [Progress<'_>],
        harnesses: &mut [Harness],
        rows: &mut Rows<'_>,
        deadline: Option<Instant>,
    ) {
        let mut all: Vec<usize> = (0..benchmarks.len()).collect();
        if deadline.is_some() {
            let changes: Vec<f64> =
                benchmarks.iter().map(|it| it.log_change().map_or(0.0, f64::abs)).collect();
            all.sort_by(|&a, &b| changes[b].total_cmp(&changes[a]));
        }
        self.run(&all, benchmarks, harnesses, rows, (deadline.map(Deadlines::at), self.error_share));
    }

    /// Runs those of these benchmarks that need it side by side with their baseline. `error_share`: the share
    /// of the command's error that they have.
    fn run(
        &mut self,
        selected: &[usize],
        benchmarks: &mut [Progress<'_>],
        harnesses: &mut [Harness],
        rows: &mut Rows<'_>,
        (deadlines, error_share): (Option<Deadlines>, f64),
    ) {
        let mut open = selected.to_vec();
        open.retain(|&i| benchmarks[i].is_suspected());
        if open.is_empty() {
            return;
        }
        // Nothing else should run meanwhile.
        harnesses.iter_mut().for_each(Harness::end_session);
        let harnesses = &*harnesses;
        let baselines = baseline_executables(&open, benchmarks, harnesses);
        for &i in open.iter().filter(|i| !baselines.contains_key(i)) {
            benchmarks[i].give_up_paired_run(NotPaired::ExecutableGone);
        }
        rows.report_final(benchmarks, &open);
        let ids: BTreeSet<String> = open.iter().map(|&i| benchmarks[i].benchmark.id.to_string()).collect();
        let earlier = self.earlier.iter().flat_map(|earlier| &earlier.runs);
        let others = earlier.filter(|(id, _)| !ids.contains(*id)).map(|(_, run)| run.hypotheses());
        let gone = self.earlier.map_or(0, |earlier| earlier.gone);
        let others = others.chain(std::iter::repeat_n(verdicts::nothing_known(), gone)).collect();
        // Without any sample, it has no count.
        let has_count = |i: &usize| benchmarks[*i].samples().and_then(OwnSamples::count).is_some();
        open.retain(|i| baselines.contains_key(i) && has_count(i));
        let layouts = self.layouts(&baselines, benchmarks, harnesses);
        // Each has the same share of the time that is left.
        let budget = deadlines.map(|deadlines| deadlines.share_of(open.len()).max(MIN_SHARE));
        for &i in &open {
            let run = self.paired_benchmark(&benchmarks[i], &baselines[&i], &layouts, budget, harnesses);
            if let Some(run) = run {
                benchmarks[i].run_side_by_side(PairedRun::new(run));
            }
        }
        let mut rounds = Rounds {
            benchmarks,
            rows,
            codes: &mut self.codes,
            harnesses,
            deadlines,
            others,
            error_rate: verdicts::ERROR_RATE * error_share,
            shared: Shared::new(),
            executables: HashMap::new(),
            begun: Vec::new(),
            waiting: Duration::ZERO,
        };
        rounds.run(&open);
    }

    /// Returns a benchmark with all that its run beside its baseline depends on. `None` if no sample was
    /// taken. `budget`: its share of the time, if that is limited.
    fn paired_benchmark(
        &mut self,
        progress: &Progress<'_>,
        baseline: &Executable,
        layouts: &PairLayouts<'_>,
        budget: Option<Duration>,
        harnesses: &[Harness],
    ) -> Option<PairedBenchmark> {
        let benchmark = &progress.benchmark;
        let Harness { executable: candidate, session_options, listing, .. } = &harnesses[benchmark.harness];
        let (known, samples) = (progress.baseline.known()?, progress.samples()?);
        let code = self.codes.compare(&known, benchmark, harnesses);
        let uses_layouts = self.policy.uses_layouts(|| code.clone(), self.own_change(progress));
        let layouts = layouts.get(&[&*baseline.path, &*candidate.path]).filter(|_| uses_layouts);
        let effort = self.policy.effort(|| code.clone());
        let suspect = progress.suspect_with(code);
        let own_time = || samples.iteration_time().unwrap_or_default();
        let iteration_time = suspect.as_ref().map_or_else(own_time, |suspect| suspect.iteration_time);
        let own = || OwnFacts {
            clock: listing.clock_calibration.clone(),
            change: suspect.and_then(|suspect| suspect.own_change(self.shift)),
            segment_cost: samples.launches.last().map(|launch| launch.segment_cost),
        };
        Some(PairedBenchmark {
            baseline: Side { executable: baseline.clone(), benchmark: known.spec.clone() },
            candidate: Side { executable: candidate.clone(), benchmark: benchmark.spec.clone() },
            layouts: layouts.cloned(),
            plan: samples.plan,
            count: samples.count()?,
            iteration_time,
            rules: progress.rules().with_precision(samples.plan.precision),
            effort,
            own: (effort == Effort::Brief || is_slow(iteration_time)).then(own),
            earlier: self.earlier.and_then(|earlier| earlier.runs.get(&benchmark.id.to_string())).cloned(),
            keeps_evidence: self.policy.keeps_evidence,
            budget,
            session_options: session_options.clone(),
        })
    }

    /// Returns the logarithm of a benchmark's change without the one that all benchmarks share.
    fn own_change(&self, progress: &Progress<'_>) -> Option<f64> {
        progress.suspect()?.change_beyond(self.shift)
    }

    /// Returns the layouts of each pair of executables with a benchmark that runs in layouts, or why
    /// they can't be made.
    fn layouts<'e>(
        &mut self,
        baselines: &'e HashMap<usize, Executable>,
        benchmarks: &[Progress<'_>],
        harnesses: &'e [Harness],
    ) -> PairLayouts<'e> {
        let mut pairs: BTreeMap<[&Path; 2], BTreeSet<BenchmarkCode>> = BTreeMap::new();
        for (&i, Executable { path: baseline, .. }) in baselines {
            let benchmark = &benchmarks[i].benchmark;
            let Some(known) = benchmarks[i].baseline.known() else { continue };
            let pair = [&**baseline, &*harnesses[benchmark.harness].executable.path];
            let own_change = self.own_change(&benchmarks[i]);
            let code = || self.codes.compare(&known, benchmark, harnesses);
            if self.policy.uses_layouts(code, own_change) {
                pairs.entry(pair).or_default().extend([known.spec, &benchmark.spec].map(code_of));
            }
        }
        let comparer = &mut self.codes.comparer;
        let mut layouts_of = |pair: [&Path; 2], codes: &BTreeSet<BenchmarkCode>| {
            if comparer.are_identical(pair[0], pair[1]) {
                return Err(LayoutError::Identical);
            }
            let layouts = Layouts::of(pair)?.compared_with(pair, |executable, layout| {
                comparer.difference_of_layout(executable, layout, codes)
            });
            layouts.map(Arc::new)
        };
        let layouts = pairs.iter().map(|(pair, codes)| (*pair, layouts_of(*pair, codes).map_err(Arc::new)));
        layouts.collect()
    }
}

/// Returns the executables that hold the baselines of these benchmarks. Those that can't run are
/// missing.
fn baseline_executables(
    open: &[usize],
    benchmarks: &[Progress<'_>],
    harnesses: &[Harness],
) -> HashMap<usize, Executable> {
    // Each is read once: by the index of the harness that replaces it and by its path, as a benchmark may
    // have been stored by an earlier run than its neighbour.
    let mut known: HashMap<(usize, &Path), Option<Executable>> = HashMap::new();
    let mut executable_of = |i: usize| {
        let harness = benchmarks[i].benchmark.harness;
        let baseline = benchmarks[i].baseline.known()?.executable?;
        let executable = || baseline.executable(&harnesses[harness].executable);
        known.entry((harness, baseline.path())).or_insert_with(executable).clone()
    };
    open.iter().filter_map(|&i| Some((i, executable_of(i)?))).collect()
}
