//! The options of a run, resolved once from flags, `.config/nanobench.toml` and the environment.

use super::more::More;
use super::select::skipped;
use crate::baseline::{self, BaselineName, BaselineRef};
use crate::cargo::CargoOptions;
use crate::cli::{ConditionArgs, FileArgs, ReportFormat, RunArgs, SamplingArgs, SelectArgs, Unit, WipeSize};
use crate::commands::error::Error;
use crate::environment::machine;
use crate::experiment::{
    ComparisonPolicy, FailOn, Filter, GateOptions, Launches, PairedRuns, SameCode, Sampling,
};
use crate::load_beside::LoadBeside;
use crate::report::{FileFormat, RequestedColumns, SortKey, Template, TemplateError};
use crate::session::SessionOptions;
use crate::tune::processes;
use nanobench::model::KeyValue;
use nanobench::protocol::Conditions;
use nanobench::report::Units;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use verdicts::Rules;

/// The time after which a benchmark is stopped.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// The environment variable that makes identical executables run side by side, to check the
/// verdicts.
const COMPARE_IDENTICAL: &str = "NANOBENCH_COMPARE_IDENTICAL";

/// The growth of the average that `same` may hide, as a multiple of that of the typical time: the average
/// takes many more launches to know.
const AVERAGE_SHARE: f64 = 5.0;

/// The options of a run.
#[derive(Debug)]
pub(in crate::commands) struct RunOptions {
    pub(in crate::commands) suite: SuiteOptions,
    /// Flags select some of the benchmarks only.
    pub(in crate::commands) is_partial: bool,
    /// The list that replaces the run.
    pub(super) list: Option<List>,
    /// The last comparison, if it goes on.
    pub(in crate::commands) more: Option<More>,
    pub(super) baselines: BaselineOptions,
    /// The policy for comparing with a baseline that the user named.
    pub(in crate::commands) policy: ComparisonPolicy,
    pub(in crate::commands) measuring: MeasuringOptions,
    /// The machine is tuned for the time of the run.
    pub(super) tuned: bool,
    pub(in crate::commands) output: OutputOptions,
}

/// The benchmarks: what is built, what is selected of it, and how its processes run.
#[derive(Debug)]
pub(in crate::commands) struct SuiteOptions {
    pub(in crate::commands) cargo: CargoOptions,
    pub(in crate::commands) filter: Filter,
    pub(in crate::commands) session: SessionOptions,
}

#[derive(Debug)]
pub(in crate::commands) struct MeasuringOptions {
    pub(in crate::commands) sampling: Sampling,
    pub(super) launches: Launches,
    /// The load on another core.
    pub(super) beside: Option<LoadBeside>,
    /// The longest time to wait for a quiet machine.
    pub(super) wait_quiet: Option<Duration>,
    pub(super) gates: GateOptions,
}

/// The list that replaces a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct List {
    pub(super) form: Form,
    /// Only the benchmarks that a comparison would run.
    pub(super) is_of_changed: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    Ids,
    Described,
    Json,
}

/// The baselines to compare with and to save.
#[derive(Debug)]
pub(in crate::commands) struct BaselineOptions {
    pub(super) compare: Vec<BaselineRef>,
    /// Without a named baseline, the run is compared with the last one.
    pub(super) compares_with_last: bool,
    /// Only benchmarks run whose code may have changed.
    pub(super) only_changed: bool,
    pub(super) ignore_environment: bool,
    pub(super) save: Option<BaselineName>,
    pub(super) save_on_pass: Option<BaselineName>,
}

/// The report.
#[derive(Debug)]
pub(in crate::commands) struct OutputOptions {
    pub(super) format: ReportFormat,
    /// Replaces the format.
    pub(super) template: Option<Template>,
    pub(super) files: FileArgs,
    pub(in crate::commands) scale_to: Option<ScaleTo>,
    pub(super) units: Units,
    /// The order of the rows. `None` for that of the source.
    pub(super) sort: Option<SortKey>,
    pub(in crate::commands) columns: RequestedColumns,
    pub(super) has_raw_samples: bool,
    pub(super) context: Vec<KeyValue>,
    pub(super) is_quiet: bool,
    pub(super) is_verbose: bool,
}

/// The benchmark of which all figures are shown as multiples.
#[derive(Debug)]
pub(in crate::commands) struct ScaleTo {
    pub(in crate::commands) name: String,
    pub(in crate::commands) if_absent: IfAbsent,
}

/// The reaction to a run without the benchmark of all multiples.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) enum IfAbsent {
    /// The flag names it, so it must exist.
    Fail,
    /// The one that the file names may be in a package that isn't run.
    Warn,
    /// Nobody asked for the column.
    Ignore,
}

impl RunOptions {
    /// Resolves the options. A flag overrides the file, with three exceptions: attributes rank
    /// between the two for sampling, caches, threads and thresholds; contexts are merged; and gates
    /// of flags and file are never mixed.
    ///
    /// `--bench` depends on the project: [`select_bench`](super::select::select_bench) adds it.
    pub(in crate::commands) fn resolve(flags: &RunArgs, file: &RunArgs) -> Result<RunOptions, Error> {
        let baselines = BaselineOptions::parse(flags)?;
        let cargo = flags.cargo.options();
        let launches = launches(&flags.sampling, &file.sampling);
        // A run with a load is compared with nothing, so it couldn't tell what has changed.
        let configured = file.conditions.load.filter(|_| !baselines.only_changed);
        let beside = flags.conditions.load.or(configured);
        let gates = flags.gate.or(&file.gate);
        Ok(RunOptions {
            is_partial: flags.select.is_partial() || cargo.is_partial(),
            list: None,
            policy: policy(flags, file, &gates, &baselines),
            baselines: BaselineOptions {
                compares_with_last: baselines.compares_with_last
                    && (!file.compare.no_compare || baselines.only_changed)
                    && beside.is_none(),
                ..baselines
            },
            more: None,
            measuring: MeasuringOptions {
                sampling: Sampling { flags: flags.sampling.options(), file: file.sampling.options() },
                launches,
                beside,
                wait_quiet: flags.process.wait_quiet.or(file.process.wait_quiet),
                gates,
            },
            tuned: flags.process.tuned,
            output: output(flags, file, launches, beside)?,
            suite: SuiteOptions {
                cargo,
                filter: filter(&flags.select, &file.select),
                session: session(flags, file, launches),
            },
        })
    }
}

impl SuiteOptions {
    /// Builds only the bench targets of these names, if there are any.
    pub(in crate::commands) fn build_only(&mut self, bench: &[String]) {
        self.cargo.targets.bench = bench.to_vec();
    }
}

impl OutputOptions {
    /// Returns whether stdout gets the table.
    pub(super) fn prints_table(&self) -> bool {
        self.format == ReportFormat::Table && self.template.is_none()
    }

    /// Returns whether stdout gets a JSON object for each row.
    pub(super) fn prints_lines(&self) -> bool {
        self.format == ReportFormat::File(FileFormat::JsonLines) && self.template.is_none()
    }
}

impl BaselineOptions {
    /// Parses the names on the command line.
    pub(super) fn parse(flags: &RunArgs) -> Result<BaselineOptions, baseline::Error> {
        let RunArgs { compare: flags, select, .. } = flags;
        let name = |name: &Option<String>| name.as_deref().map(str::parse).transpose();
        let mut compare: Vec<BaselineRef> = Vec::new();
        for name in &flags.baseline {
            let baseline = name.parse()?;
            if !compare.contains(&baseline) {
                compare.push(baseline);
            }
        }
        let (save, save_on_pass) = (name(&flags.save_baseline)?, name(&flags.save_on_pass)?);
        Ok(BaselineOptions {
            compare,
            compares_with_last: !flags.no_compare,
            only_changed: select.changed,
            ignore_environment: flags.ignore_environment,
            save,
            save_on_pass,
        })
    }

    /// Returns the names that the run may be saved as. `replaces_last`: it takes the place of the last run.
    pub(super) fn to_save(&self, replaces_last: bool) -> Vec<BaselineRef> {
        let named = self.save.iter().chain(&self.save_on_pass).cloned().map(BaselineRef::Named);
        replaces_last.then_some(BaselineRef::Last).into_iter().chain(named).collect()
    }
}

/// Returns the last unit of each kind.
fn units<'a>(chosen: impl Iterator<Item = &'a Unit>) -> Units {
    let mut units = Units::default();
    for unit in chosen {
        match *unit {
            Unit::Time(time) => units.time = time,
            Unit::Bytes(bytes) => units.bytes = bytes,
        }
    }
    units
}

/// Returns the values of the flag, or those of the file if there are none.
fn or<T: Clone>(flag: &[T], file: &[T]) -> Vec<T> {
    if flag.is_empty() { file.to_vec() } else { flag.to_vec() }
}

/// Returns the policy for comparing with a baseline that the user named.
fn policy(
    flags: &RunArgs,
    file: &RunArgs,
    gates: &GateOptions,
    baselines: &BaselineOptions,
) -> ComparisonPolicy {
    let (compare, configured, default) = (&flags.compare, &file.compare, Rules::default());
    let pairs_identical = std::env::var_os(COMPARE_IDENTICAL).is_some_and(|value| !value.is_empty());
    let audited = compare.include_unchanged.or(baselines.only_changed.then_some(0.0));
    let runs_all = audited.is_some_and(|share| share >= 1.0) || pairs_identical;
    let resolution = compare.same_within.or(configured.same_within).unwrap_or(default.resolution);
    ComparisonPolicy {
        threshold: compare.threshold,
        rules: Rules {
            threshold: configured.threshold.unwrap_or(default.threshold),
            resolution,
            average_resolution: AVERAGE_SHARE * resolution,
            max_passing: gates.fail_above,
            tests_threshold: configured.threshold.is_some(),
            ..default
        },
        paired_runs: paired_runs(runs_all, gates, baselines),
        same_code: same_code(runs_all, gates, baselines),
        audited,
        pairs_identical,
        counts_instructions: gates.counts_instructions(),
        keeps_evidence: true,
    }
}

fn session(flags: &RunArgs, file: &RunArgs, launches: Launches) -> SessionOptions {
    let (process, configured) = (&flags.process, &file.process);
    let isolated_cores = process.tuned.then(|| processes::isolated_cores(Path::new("/")));
    SessionOptions {
        timeout: process.timeout.or(configured.timeout).unwrap_or(DEFAULT_TIMEOUT),
        overrides_timeouts: process.timeout.is_some(),
        nocapture: process.no_capture || configured.no_capture,
        timer: process.timer.or(configured.timer),
        conditions: requested_conditions(&flags.conditions),
        default_conditions: requested_conditions(&file.conditions),
        ignores_allocations: false,
        // Launches show how figures vary with the layout.
        fixed_layout: process.tuned && launches.number == 1,
        isolated_cores: isolated_cores.unwrap_or_default(),
        one_at_a_time: flags.compare.one_at_a_time,
        wrapper: Vec::new(),
    }
}

fn output(
    flags: &RunArgs,
    file: &RunArgs,
    launches: Launches,
    beside: Option<LoadBeside>,
) -> Result<OutputOptions, TemplateError> {
    let (common, output, configured) = (flags.cargo.options().common, &flags.output, &file.output);
    let note =
        beside.map(|load| KeyValue { key: LoadBeside::CONTEXT.to_owned(), value: load.word().to_owned() });
    Ok(OutputOptions {
        format: output.format.or(configured.format).unwrap_or_default(),
        template: output.template.as_deref().map(Template::load).transpose()?,
        files: FileArgs { output: or(&output.files.output, &configured.files.output) },
        scale_to: scale_to(output.multiples_of.as_ref(), configured.multiples_of.as_ref()),
        units: units(configured.units.iter().chain(&output.units)),
        sort: output.sort.or(configured.sort),
        columns: RequestedColumns {
            statistics: output.stats || configured.stats,
            without_loop: output.subtract_loop || configured.subtract_loop,
            launches: launches.number > 1,
            first_call: launches.first_calls > 0,
            cycles: common.verbose > 0,
        },
        has_raw_samples: output.samples_in_json || configured.samples_in_json,
        context: merged(configured.context.iter().chain(&output.context).chain(&note)),
        is_quiet: common.quiet,
        is_verbose: common.verbose > 0,
    })
}

/// Returns the paired runs of a requested comparison. `runs_all`: unchanged benchmarks run, too.
fn paired_runs(runs_all: bool, gates: &GateOptions, baselines: &BaselineOptions) -> PairedRuns {
    // A baseline is replaced only if nothing is slower.
    let ignores_times = gates.ignores_times() && !runs_all && baselines.save_on_pass.is_none();
    if ignores_times { PairedRuns::None } else { PairedRuns::All }
}

/// Returns the treatment of benchmarks whose code is their baseline's.
fn same_code(runs_all: bool, gates: &GateOptions, baselines: &BaselineOptions) -> SameCode {
    if gates.fail_on.contains(&FailOn::Placement) {
        SameCode::ComparedAsLinked
    } else if runs_all {
        SameCode::Compared
    } else if baselines.save.is_some() || baselines.save_on_pass.is_some() {
        SameCode::Measured
    } else {
        SameCode::NotRun
    }
}

fn filter(flags: &SelectArgs, file: &SelectArgs) -> Filter {
    Filter {
        filters: flags.filters.clone(),
        bench: Vec::new(),
        skip: skipped(&flags.skip, &file.skip),
        exact: flags.exact,
        ignores_case: false,
        ignored: flags.ignored,
        include_ignored: flags.include_ignored || (file.include_ignored && !flags.ignored),
    }
}

/// The number of processes for first calls, unless `--launches` sets one.
const FIRST_CALLS: u64 = 10;

fn launches(flags: &SamplingArgs, file: &SamplingArgs) -> Launches {
    let number = flags.launches.or(file.launches);
    let times_first_calls = flags.first_call || file.first_call;
    let first_calls = if times_first_calls { number.unwrap_or(FIRST_CALLS) } else { 0 };
    Launches { number: number.unwrap_or(1), first_calls }
}

fn scale_to(flag: Option<&String>, file: Option<&String>) -> Option<ScaleTo> {
    let scale_to = |if_absent| move |name: &String| ScaleTo { name: name.clone(), if_absent };
    flag.map(scale_to(IfAbsent::Fail)).or(file.map(scale_to(IfAbsent::Warn)))
}

/// Returns the conditions in the form of a request to the harness.
fn requested_conditions(args: &ConditionArgs) -> Conditions {
    let sizes = |size: &WipeSize| match *size {
        WipeSize::Bytes(bytes) => vec![bytes],
        WipeSize::Sweep => machine::cache_sweep(),
    };
    let sizes: BTreeSet<u64> = args.wipe_size.iter().flat_map(sizes).collect();
    let non_empty = |numbers: Vec<u64>| (!numbers.is_empty()).then_some(numbers);
    Conditions {
        cache: args.cache,
        wipe_sizes: non_empty(sizes.into_iter().collect()),
        threads: non_empty(args.threads.clone()),
        counters: (!args.counters.is_empty()).then(|| args.counters.clone()),
    }
}

/// Returns the pairs, each key with its last value only.
fn merged<'a>(pairs: impl Iterator<Item = &'a KeyValue>) -> Vec<KeyValue> {
    let mut merged: Vec<KeyValue> = Vec::new();
    for pair in pairs {
        merged.retain(|other| other.key != pair.key);
        merged.push(pair.clone());
    }
    merged
}

#[cfg(test)]
mod tests;
