//! `cargo nanobench doctor`: checks the machine, measures its noise and gives advice. Changes
//! nothing.

use super::error::Error;
use crate::cli::{DoctorArgs, Format};
use crate::doctor::{self, Noise};
use crate::environment::Environment;
use crate::environment::check::{Check, Finding};
use crate::environment::load::LoadCounters;
use crate::environment::machine::{self, SystemFiles};
use crate::exit::Exit;
use crate::{interrupt, output, revision, tune};
use indicatif::HumanBytes;
use nanobench::report::{counted, escape};
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The time over which the load is measured, before the noise.
const LOAD_TIME: Duration = Duration::from_millis(500);

/// Checks the machine, measures its noise and prints both.
pub(crate) fn run(args: &DoctorArgs) -> Result<Exit, Error> {
    interrupt::watch();
    let load = LoadCounters::read().and_then(|before| {
        thread::sleep(LOAD_TIME);
        before.load_until(&LoadCounters::read()?)
    });
    let mut checks = machine::checks(&SystemFiles::at_root(), load.as_ref());
    checks.push(Check::new("power scheme", tune::scheme(Path::new("/")).map(power_scheme)));
    checks.extend(revisions());
    if !args.terminal.quiet {
        let seconds = Noise::measuring_time().as_secs();
        output::note(&format!("measuring the noise of this machine for {seconds} s..."));
    }
    let Some(noise) = Noise::measure() else { return Ok(Exit::Interrupted) };
    let Environment { cpu, cores, .. } = Environment::this_machine();
    match args.format {
        Format::Table => {
            let cpu = cpu.as_deref().map(escape);
            let reports: Vec<String> =
                cpu.into_iter().chain(cores.map(|cores| counted(cores, "core"))).collect();
            let heading = format!("nanobench {}  {}\n\n", env!("CARGO_PKG_VERSION"), reports.join(", "));
            output::print(&(heading + &doctor::table(&checks, &noise, output::width())))?;
        }
        Format::Json => {
            let document = doctor::json(cpu.as_deref(), cores, &checks, &noise).map_err(io::Error::from)?;
            output::print_json(&document)?;
        }
    }
    Ok(Exit::Success)
}

fn power_scheme(name: &'static str) -> Finding {
    match name {
        "performance" => Finding::ok(name),
        _ => Finding::note(name, "run `sudo cargo nanobench tune --apply --scheme performance`"),
    }
}

/// Returns the size of the builds of other revisions, if there are any.
fn revisions() -> Option<Check> {
    let kept = revision::kept();
    let (number, size) = (counted(kept.len(), "build"), HumanBytes(revision::size(&kept)));
    let value = format!("{number} in {}, {size}", revision::root().display());
    let advice =
        "`cargo nanobench baseline prune` removes those of a workspace; you may delete the folder as well";
    (!kept.is_empty()).then(|| Check::new("other revisions", Some(Finding::note(value, advice))))
}
