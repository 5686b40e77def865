//! Our flags as cargo's arguments. Arrays of arguments only: nothing here passes through a shell.

use std::path::PathBuf;
use std::process::Command;

use clap::ColorChoice;

use crate::cli::Common;

/// The cargo that called us, or the one in PATH.
pub(crate) fn program() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// The flags of every cargo call, except `--manifest-path`, which may not be UTF-8.
pub(crate) fn common(common: &Common) -> Vec<String> {
    let mut flags = Vec::new();
    for (given, flag) in
        [(common.locked, "--locked"), (common.offline, "--offline"), (common.frozen, "--frozen")]
    {
        if given {
            flags.push(flag.to_owned());
        }
    }
    for value in &common.config {
        flags.extend(["--config".to_owned(), value.clone()]);
    }
    for value in &common.unstable {
        flags.extend(["-Z".to_owned(), value.clone()]);
    }
    if common.color != ColorChoice::Auto {
        flags.extend(["--color".to_owned(), common.color.to_string()]);
    }
    flags
}

/// Makes the call start where it is to: where we were started, unless another tree is meant.
pub(super) fn place(common: &Common, command: &mut Command) {
    let Some(other_tree) = &common.other_tree else { return };
    command.current_dir(&other_tree.folder).envs(other_tree.set.iter().map(|(name, value)| (name, value)));
    for name in &other_tree.unset {
        command.env_remove(name);
    }
}
