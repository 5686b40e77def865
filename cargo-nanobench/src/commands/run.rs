//! `cargo nanobench [run]`: find, build, measure, compare, keep, report.

mod keeping;

use crate::baseline::{self, NameError, Saved, Staged, Store};
use crate::cargo::{self, PassedOver, Project, Reason};
use crate::cli::{Format, RunArgs, Select};
use crate::environment::{Environment, Probe};
use crate::exit::Exit;
use crate::experiment::{Filter, Found, NoMatch, Observer, Row, Solo, Suite, SuiteError};
use crate::report::{self, Closing, Facts, Progress, TableReport};
use crate::session::Treatment;
use crate::{interrupt, output};
use keeping::{Names, built, earlier, keep, missing, stored};
use std::io;
use std::time::Instant;

/// Why there was nothing to run, or nothing to say of it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Cargo(#[from] cargo::Error),
    #[error(transparent)]
    Baseline(#[from] baseline::Error),
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(transparent)]
    Suite(#[from] SuiteError),
    #[error(transparent)]
    NoMatch(#[from] NoMatch),
    #[error("no executable with benchmarks could be asked what it holds{}", broken(.0))]
    AllBroken(Vec<(String, String)>),
    #[error("there is no benchmark in the selected packages{}\n{FIRST_BENCHMARK}", lines(.0))]
    NoBenchmark(Vec<PassedOver>),
    #[error("cannot write the report to stdout: {0}\nthe run itself was saved")]
    Output(#[from] io::Error),
}

const FIRST_BENCHMARK: &str = "\
write the first one, for example in benches/first.rs:

    #[nanobench::nanobench]
    fn concat() -> String {
        [\"left\", \"right\"].concat()
    }

or let it be written, with the dev-dependency that it needs: cargo nanobench init";

/// A line for each target that mentions nanobench and still holds no benchmark.
fn lines(passed_over: &[PassedOver]) -> String {
    let telling = passed_over.iter().filter(|passed_over| passed_over.reason != Reason::NoMention);
    telling.map(|passed_over| format!("\n{passed_over}")).collect()
}

fn broken(executables: &[(String, String)]) -> String {
    executables.iter().map(|(id, why)| format!("\n{id} {}", nanobench::report::escape(why))).collect()
}

impl Error {
    /// How the run ends by it.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Error::Cargo(_) if interrupt::requested() => Exit::Interrupted,
            Error::Cargo(error) => error.exit(),
            Error::Baseline(error) => error.exit(),
            Error::Name(_) => Exit::Usage,
            Error::Suite(error) => error.exit(),
            Error::AllBroken(_) => Exit::BenchmarkFailed,
            Error::NoMatch(_) | Error::NoBenchmark(_) => Exit::NothingToRun,
            Error::Output(_) => Exit::Surroundings,
        }
    }
}

/// Runs the benchmarks that are asked for.
pub(crate) fn run(args: &RunArgs) -> Result<Exit, Error> {
    interrupt::watch();
    let names = Names::of(args)?;
    let project = Project::load(&args.cargo.common, args.cargo.target_dir())?;
    if args.select.list {
        return list(args, &project);
    }
    let store = Store::open(project.target_directory());
    let lock = store.lock(&interrupt::requested)?;
    let saved = names.to_compare(&store)?;
    let mut suite = build(args, &project)?;
    let missing = missing(&filter(&args.select), &suite, saved.as_ref());
    let selected = filter(&args.select).select(&suite.benchmarks)?;
    suite.narrow(selected);
    let staged = lock.stage(&built(&suite), &names.to_save(), suite.benchmarks.len())?;
    let facts = {
        let environment = environment(args, &project, &suite);
        let with = saved.as_ref().map(|saved| names.describe(saved, &environment));
        Facts::new(environment, &suite, with)
    };

    let started = Instant::now();
    let rows = measure(args, &facts, &mut suite, saved.as_ref(), &staged);
    let mut closing = Closing {
        elapsed: started.elapsed(),
        broken: suite.broken.len(),
        compared: saved.is_some(),
        missing,
        not_reached: interrupt::requested().then(|| suite.benchmarks.len() - rows.len()),
        ..Closing::default()
    };
    keep(staged, &facts, &rows, &names, &mut closing)?;
    conclude(args, &facts, &rows, &closing)?;
    Ok(ending(&rows, &closing))
}

/// Builds what is asked for and starts it.
fn build(args: &RunArgs, project: &Project) -> Result<Suite, Error> {
    let build = cargo::build(project, &args.cargo)?;
    for warning in &build.warnings {
        anstream::eprintln!("warning: {warning}");
    }
    if args.cargo.common.verbose > 0 {
        for passed_over in &build.passed_over {
            anstream::eprintln!("passed over: {passed_over}");
        }
    }
    if build.executables.is_empty() {
        return Err(Error::NoBenchmark(build.passed_over));
    }
    let suite = Suite::open(build.executables, treatment(args))?;
    if suite.benchmarks.is_empty() && !suite.broken.is_empty() {
        return Err(Error::AllBroken(suite.broken));
    }
    if suite.benchmarks.is_empty() {
        return Err(Error::NoBenchmark(build.passed_over));
    }
    Ok(suite)
}

fn treatment(args: &RunArgs) -> Treatment {
    let process = &args.process;
    Treatment { timeout: process.timeout, nocapture: process.nocapture, timer: process.timer }
}

fn filter(select: &Select) -> Filter {
    Filter {
        filters: select.filters.clone(),
        bench: select.bench.clone(),
        skip: select.skip.clone(),
        exact: select.exact,
        ignored: select.ignored,
        include_ignored: select.include_ignored,
    }
}

/// `--list`: an id a line.
fn list(args: &RunArgs, project: &Project) -> Result<Exit, Error> {
    let suite = build(args, project)?;
    for found in filter(&args.select).select(&suite.benchmarks)? {
        output::print(&(nanobench::report::escape(&found.id) + "\n"))?;
    }
    for (id, why) in &suite.broken {
        anstream::eprintln!("warning: {id} {}", nanobench::report::escape(why));
    }
    Ok(if suite.broken.is_empty() { Exit::Done } else { Exit::BenchmarkFailed })
}

fn environment(args: &RunArgs, project: &Project, suite: &Suite) -> Environment {
    Environment::probe(&Probe {
        workspace_root: project.root(),
        target: args.cargo.build.target.as_deref(),
        profile: args.cargo.profile(),
        features: &features(&args.cargo.features),
        nanobench_core: suite.harnesses.first().map(|harness| harness.version.as_str()),
    })
}

/// The features as they were asked for.
fn features(flags: &clap_cargo::Features) -> Vec<String> {
    let words =
        [(flags.all_features, "--all-features"), (flags.no_default_features, "--no-default-features")];
    let words = words.into_iter().filter(|(given, _)| *given).map(|(_, word)| word.to_owned());
    words.chain(flags.features.iter().cloned()).collect()
}

/// Measures all that is selected, and shows each row as it comes. Fewer rows where Ctrl-C came.
fn measure(
    args: &RunArgs,
    facts: &Facts,
    suite: &mut Suite,
    saved: Option<&Saved>,
    staged: &Staged<'_>,
) -> Vec<Row> {
    let selected = suite.benchmarks.clone();
    let mut table = (args.output.format == Format::Table)
        .then(|| TableReport::new(facts, &selected, args.cargo.common.verbose > 0));
    if table.is_some() {
        // What can't be printed is found out at the end of the run, with the rest.
        let _ = output::print(&(facts.heading().join("\n") + "\n\n"));
    }
    for warning in facts.warnings.iter().filter(|_| args.output.warns()) {
        anstream::eprintln!("warning: {warning}");
    }
    let progress = Progress::new(selected.len(), args.cargo.common.quiet);
    let solo = Solo { sampling: &args.sampling, treatment: treatment(args), comparing: saved.is_some() };
    let earlier = earlier(saved, suite);
    let stored = |found: &Found| saved.and_then(|saved| stored(saved, staged, &earlier, found));
    let rows = solo.run(suite, stored, &mut Screen { table: table.as_mut(), progress: &progress });
    if let Some(table) = &mut table {
        let broken: String = suite.broken.iter().map(|(id, why)| table.broken(id, why)).collect();
        progress.print(&broken);
    }
    rows
}

/// The progress line, and the table above it where there is one.
struct Screen<'a> {
    table: Option<&'a mut TableReport>,
    progress: &'a Progress,
}

impl Observer for Screen<'_> {
    fn running(&mut self, found: &Found) {
        self.progress.running(&found.id);
    }

    fn done(&mut self, row: &Row) {
        if let Some(table) = &mut self.table {
            self.progress.print(&table.row(row));
        }
        self.progress.one_more();
    }
}

fn conclude(args: &RunArgs, facts: &Facts, rows: &[Row], closing: &Closing) -> io::Result<()> {
    match args.output.format {
        Format::Table => {
            output::print(&format!("\n{}\n", report::summary(rows, closing).join("\n")))?;
            for doubt in report::doubts(rows).iter().filter(|_| args.output.warns()) {
                anstream::eprintln!("warning: {doubt}");
            }
        }
        Format::Json => output::print(&report::json(facts, rows, closing).map_err(io::Error::from)?)?,
    }
    Ok(())
}

fn ending(rows: &[Row], closing: &Closing) -> Exit {
    if closing.not_reached.is_some() {
        Exit::Interrupted
    } else if closing.broken > 0 || rows.iter().any(Row::failed) {
        Exit::BenchmarkFailed
    } else {
        Exit::Done
    }
}
