//! `cargo nanobench doctor`: what disturbs measurements here, what that costs, what to do about it. Changes nothing.

use crate::cli::{DoctorArgs, Format};
use crate::doctor::{self, Noise};
use crate::environment::Environment;
use crate::environment::load::Reading;
use crate::environment::machine::{self, System};
use crate::exit::Exit;
use crate::{interrupt, output};
use nanobench::report::{counted, escape};
use std::io;
use std::thread;
use std::time::Duration;

/// How long the machine's load is looked at, before anything of ours runs.
const LOOK: Duration = Duration::from_millis(500);

/// Why nothing could be said.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("cannot write to stdout: {0}")]
    Output(#[from] io::Error),
}

/// Looks, measures, and tells.
pub(crate) fn run(args: &DoctorArgs) -> Result<Exit, Error> {
    interrupt::watch();
    let load = Reading::now().and_then(|before| {
        thread::sleep(LOOK);
        before.until(&Reading::now()?)
    });
    let findings = machine::findings(&System::here(), load.as_ref());
    if !args.common.quiet {
        anstream::eprintln!("measuring the noise of this machine for {} s...", Noise::takes().as_secs());
    }
    let Some(noise) = Noise::measure() else { return Ok(Exit::Interrupted) };
    let Environment { cpu, cores, .. } = Environment::of_machine();
    match args.format {
        Format::Table => {
            let cpu = cpu.as_deref().map(escape);
            let reports: Vec<String> =
                cpu.into_iter().chain(cores.map(|cores| counted(cores, "core"))).collect();
            let heading = format!("nanobench {}  {}\n\n", env!("CARGO_PKG_VERSION"), reports.join(", "));
            output::print(&(heading + &doctor::table(&findings, &noise)))?;
        }
        Format::Json => {
            let document = doctor::json(cpu.as_deref(), cores, &findings, &noise).map_err(io::Error::from)?;
            output::print_json(&document)?;
        }
    }
    Ok(Exit::Done)
}
