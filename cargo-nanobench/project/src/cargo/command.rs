//! Cargo commands and the flags that they share. Arguments are passed one by one: no shell is
//! involved.

use super::Error;
use super::options::{CargoOptions, CommonOptions};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Returns the cargo that started this process, or else the one in `PATH`.
pub fn program() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// Returns the flags of every cargo command, except `--manifest-path`, which may not be UTF-8.
pub fn common_flags(common: &CommonOptions) -> Vec<String> {
    let switches = [(common.locked, "--locked"), (common.offline, "--offline"), (common.frozen, "--frozen")];
    let switches = switches.into_iter().filter(|(given, _)| *given).map(|(_, flag)| flag.to_owned());
    let mut flags: Vec<String> = switches.collect();
    for (flag, values) in [("--config", &common.config), ("-Z", &common.unstable)] {
        flags.extend(values.iter().flat_map(|value| [flag.to_owned(), value.clone()]));
    }
    if let Some(color) = &common.color {
        flags.extend(["--color".to_owned(), color.clone()]);
    }
    flags
}

/// Adds the common flags, the working directory and the environment. Pipes stdout and lets stderr
/// through.
pub(super) fn configure(command: &mut Command, common: &CommonOptions) {
    command.args(common_flags(common));
    if let Some(path) = &common.manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    if let Some(tree) = &common.other_tree {
        command.current_dir(&tree.folder).envs(tree.set.iter().map(|(name, value)| (name, value)));
        for name in &tree.unset {
            command.env_remove(name);
        }
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
}

/// Adds the flags that decide which code is compiled, except `--features`, and all that
/// [`configure`] adds.
pub(super) fn configure_build(command: &mut Command, args: &CargoOptions) {
    for (given, flag) in [
        (args.features.all_features, "--all-features"),
        (args.features.no_default_features, "--no-default-features"),
        (args.common.quiet, "--quiet"),
    ] {
        command.args(given.then_some(flag));
    }
    command.args(args.target.as_ref().map(|target| format!("--target={target}")));
    configure(command, &args.common);
}

/// Runs a command and returns what it prints to stdout.
pub(super) fn stdout(mut command: Command) -> Result<String, Error> {
    let output = command.output().map_err(Error::start(&command))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(Error::from_status(output.status))
    }
}
