//! `Measured`, the fourth phase of a run, which is then saved.

use super::build::Built;
use super::disturbance::wait_quiet;
use super::measure::Measurer;
use super::more::{self, Evidence, More};
use super::options::{MeasuringOptions, OutputOptions, RunOptions};
use super::planned::{Planned, RunToCompare};
use super::saving::Saving;
use super::{hints, measured_changes, print};
use crate::baseline::{LockedStore, Store};
use crate::cargo::Project;
use crate::commands::error::Error;
use crate::commands::outputs::Outputs;
use crate::exit::Exit;
use crate::experiment::{Row, SuiteRunner};
use crate::report::{Command, ComparedRun, Report};
use std::path::PathBuf;

/// A run that was measured.
pub(super) struct Measured<'a> {
    built: Built,
    saving: Option<Saving<'a>>,
    /// The evidence that another command may go on with.
    evidence: Option<Evidence<'a>>,
    compared: Vec<RunToCompare<'a>>,
    /// Their results.
    runs: Vec<ComparedRun>,
}

impl<'a> Planned<'a> {
    /// Takes the run through its last phases: measures, saves and reports it. `--list` ends it here.
    pub(super) fn complete(
        self,
        options: &RunOptions,
        project: Option<&Project>,
        store: &Store,
        lock: &LockedStore<'_>,
        outputs: Outputs,
    ) -> Result<Exit, Error> {
        if let Some(list) = options.list {
            return self.list(list);
        }
        // The next step is another run by the same command.
        let command = if project.is_some() { Command::default() } else { Command::Costs };
        let RunOptions { measuring, output, more, .. } = options;
        let measured = self.measure(measuring, output, more.as_ref(), command)?;
        let report = measured.save(project, store, lock)?;
        print::finish(output, &measuring.sampling, &report, outputs)?;
        let is_alone = report.runs.iter().all(|run| run.header.compared_with.is_none());
        if let Some(project) = project.filter(|_| is_alone && !report.is_interrupted()) {
            // Once: later runs are compared with this one.
            hints::tell_of_other_targets(&options.suite, project);
        }
        Ok(exit(&report))
    }

    /// Measures the suite, once for each of the runs.
    fn measure(
        self,
        options: &MeasuringOptions,
        output: &OutputOptions,
        more: Option<&'a More>,
        command: Command,
    ) -> Result<Measured<'a>, Error> {
        let Planned { mut built, mut saving, runs: compared, first } = self;
        let keeps_evidence = compared[0].policy.keeps_evidence;
        let evidence = keeps_evidence.then(|| Evidence::start(more, &first, &built.suite)).transpose()?;
        if let Some(saving) = &mut saving {
            saving.keep_unmeasured(compared[0].figures_to_keep, &first, &built)?;
        }
        wait_quiet(options.wait_quiet, output.is_quiet);
        let earlier = more.map(More::earlier);
        let samples_planned_by = output.has_raw_samples.then_some(options.sampling);
        let mut first = Some(first);
        let mut runs: Vec<ComparedRun> = Vec::new();
        for run in &compared {
            let plan = first.take().unwrap_or_else(|| run.plan(&built));
            let header = run.header(&built, &plan, samples_planned_by);
            print::announce(output, &header, runs.last())?;
            let runner = SuiteRunner {
                sampling: options.sampling,
                policy: run.policy,
                launches: options.launches,
                earlier: earlier.as_ref(),
                // The comparisons divide the error of the command.
                error_share: 1.0 / compared.len() as f64,
            };
            let measurer = Measurer { options, output, scale_to: built.scale_to.as_ref(), command };
            runs.push(measurer.measure(&mut built.suite, header, run.missing.clone(), &runner, plan));
        }
        Ok(Measured { built, saving, evidence, compared, runs })
    }
}

impl Measured<'_> {
    /// Saves the run if it is to be saved, and what later commands need to know of its comparisons.
    fn save(self, project: Option<&Project>, store: &Store, lock: &LockedStore<'_>) -> Result<Report, Error> {
        let Measured { mut built, saving, evidence, compared, mut runs } = self;
        check_not_replaced(&built)?;
        if let Some(saving) = saving {
            saving.save(&mut built, &mut runs)?;
        }
        measured_changes::keep(store, lock, &built.suite, &compared, &runs);
        let RunToCompare { other_side, policy, .. } = &compared[0];
        more::keep(lock, evidence, other_side.as_ref(), policy.is_requested(), &runs[0])?;
        let workspace = project.map_or_else(PathBuf::new, |project| project.root().to_owned());
        Ok(Report { runs, scale_to: built.scale_to, workspace })
    }
}

/// Returns an error if a file that processes, copies or layouts were made of is no longer the one that was
/// built for this run.
fn check_not_replaced(built: &Built) -> Result<(), Error> {
    let mut executables = built.suite.harnesses.iter().map(|harness| &harness.executable);
    match executables.find(|executable| executable.is_replaced()) {
        Some(replaced) => Err(Error::Replaced(replaced.path.clone())),
        None => Ok(()),
    }
}

/// Returns the exit code for the most severe result among the runs.
fn exit(report: &Report) -> Exit {
    let any = |property: fn(&ComparedRun) -> bool| report.runs.iter().any(property);
    if report.is_interrupted() {
        Exit::Interrupted
    } else if any(|run| run.outcome.unlisted_executables > 0 || run.rows.iter().any(Row::failed)) {
        Exit::BenchmarkFailed
    } else if any(ComparedRun::fails_gate) {
        Exit::GateFailed
    } else {
        Exit::Success
    }
}
