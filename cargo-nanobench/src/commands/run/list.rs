//! `--list`: the selected benchmarks, or those of them that a comparison would run.

use super::build::build;
use super::hints;
use super::kept_listings::KeptListings;
use super::options::{Form, List, RunOptions};
use super::select::selected;
use crate::cargo::Project;
use crate::cli::{ReportFormat, RunArgs};
use crate::commands::error::{self, Error};
use crate::exit::Exit;
use crate::experiment::{Benchmark, Suite};
use crate::output;
use crate::report::{FileFormat, listing};
use crate::style::ERROR;
use std::io;

impl List {
    /// Returns the list that the flags request, if they do. `format` is that of the command line:
    /// the one in the workspace's file is for reports.
    pub(super) fn requested(flags: &RunArgs, is_verbose: bool) -> Result<Option<List>, Error> {
        let is_of_changed = flags.select.changed;
        if !flags.select.list {
            return Ok(None);
        }
        if !is_of_changed && (flags.against.is_some() || !flags.compare.baseline.is_empty()) {
            return Err(Error::ListComparison);
        }
        let form = match flags.output.format {
            None | Some(ReportFormat::Table) if is_verbose => Form::Described,
            None | Some(ReportFormat::Table) => Form::Ids,
            Some(ReportFormat::File(FileFormat::Json)) => Form::Json,
            Some(ReportFormat::File(_)) => return Err(Error::ListFormat),
        };
        Ok(Some(List { form, is_of_changed }))
    }

    /// Returns whether ignored benchmarks are listed, too: with a description, which marks them.
    pub(super) fn has_ignored(self) -> bool {
        matches!(self.form, Form::Described) && !self.is_of_changed
    }

    /// Prints the selected benchmarks.
    pub(super) fn print_selected(self, options: &RunOptions, project: &Project) -> Result<Exit, Error> {
        let mut suite = build(&options.suite, project)?;
        hints::tell_of_other_targets(&options.suite, project);
        suite.end_sessions();
        // The next run finds what is listed here, too.
        KeptListings::below(project.target_directory()).forget();
        self.print(&selected(options, Some(project), &suite, |_| false)?, &suite)
    }

    /// Prints these benchmarks of a suite.
    pub(super) fn print(self, benchmarks: &[Benchmark], suite: &Suite) -> Result<Exit, Error> {
        output::print(&match self.form {
            Form::Json => listing::json(benchmarks).map_err(io::Error::from)?,
            Form::Described => listing::described(benchmarks, output::width()),
            Form::Ids => listing::ids(benchmarks),
        })?;
        if self.is_of_changed && benchmarks.is_empty() {
            output::note("no selected benchmark has changed");
        }
        for executable in &suite.unlisted {
            output::report(ERROR, "error", &error::unlisted(executable));
        }
        Ok(if suite.unlisted.is_empty() { Exit::Success } else { Exit::BenchmarkFailed })
    }
}
