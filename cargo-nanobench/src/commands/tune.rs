//! `cargo nanobench tune`: shows settings of the machine that make figures steadier. Changes them
//! only on request.

use super::error::Error;
use crate::cli::{Format, TuneArgs};
use crate::exit::Exit;
use crate::tune::{self, Setting, Tuner};
use crate::warnings::warn;
use crate::{output, tune::processes};
use nanobench::report::counted;
use std::io;
use std::path::Path;

/// Shows, changes or restores the settings.
pub(super) fn run(args: &TuneArgs) -> Result<Exit, Error> {
    let system = tune::system(&args.root, args.scheme);
    let tuner = Tuner::new(&*system, &args.root);
    if args.restore {
        let text = if tuner.restore()? { "The settings are restored.\n" } else { "Nothing was changed.\n" };
        output::print_rows(text)?;
    } else if args.apply {
        if let Some(effect) = tune::lasting_effect(&system.settings()) {
            output::note(effect);
        }
        output::print_rows(&applied(&tuner.apply()?))?;
    } else {
        let (settings, cores) = (system.settings(), processes::isolated_cores(&args.root));
        match args.format {
            Format::Table => output::print_rows(&shown(&settings, &cores, tuner.is_applied()))?,
            Format::Json => {
                let document = tune::json(&settings, &cores, tuner.is_applied()).map_err(io::Error::from)?;
                output::print_json(&document)?;
            }
        }
    }
    Ok(Exit::Success)
}

/// Restores the settings that a killed run has left.
pub(super) fn recover() {
    let root = Path::new("/");
    let system = tune::system(root, None);
    match Tuner::new(&*system, root).recover() {
        Ok(true) => warn("the settings that a killed run with --tuned has left are restored"),
        Ok(false) => {}
        Err(error) => warn(error),
    }
}

fn applied(changed: &[Setting]) -> String {
    match changed.len() {
        0 => "There is nothing to change.\n".to_owned(),
        number => format!(
            "{} changed, until the system starts again. To undo it: sudo cargo nanobench tune --restore\n",
            counted(number, "setting")
        ),
    }
}

fn shown(settings: &[Setting], isolated_cores: &[usize], is_applied: bool) -> String {
    let mut text = match settings {
        [] => "This system has no settings to change: virtual machines and containers often hide them.\n"
            .to_owned(),
        settings => tune::table(settings),
    };
    let cores: Vec<String> = isolated_cores.iter().map(ToString::to_string).collect();
    let cores = if cores.is_empty() {
        "there are none (kernel parameter isolcpus)".to_owned()
    } else {
        cores.join(", ")
    };
    text += &format!(
        "\nFor benchmark processes alone, a run with --tuned\n  \
         turns the randomisation of memory layouts (ASLR) off, except in paired runs\n  \
         samples benchmarks with one thread on isolated cores: {cores}\n\n"
    );
    let is_different = |setting: &&Setting| setting.now != setting.wanted;
    let allowed = settings.iter().filter(is_different).all(|setting| setting.is_writable);
    text += match (is_applied, settings.iter().any(|setting| is_different(&setting))) {
        (true, _) => "The settings are tuned. To restore them: sudo cargo nanobench tune --restore\n",
        (false, true) if allowed => {
            "Nothing was changed. To change the settings, add --apply, or run benchmarks with --tuned\n"
        }
        (false, true) => {
            "Nothing was changed. To change the settings, an administrator is needed: add --apply, with sudo\n"
        }
        (false, false) => "There is nothing to change.\n",
    };
    text
}
