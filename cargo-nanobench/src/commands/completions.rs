//! `cargo nanobench completions` and `man`: what shells and `man` know of the command line.

use super::error::Error;
use crate::exit::Exit;
use crate::{cli, output};
use clap_complete::Shell;
use std::path::Path;
use std::{fs, io};

/// The name of the executable, which cargo's own script for zsh completes behind `cargo nanobench`.
const EXECUTABLE: &str = "cargo-nanobench";

/// Completes `cargo nanobench ..`, and leaves other commands to cargo's script.
const IN_CARGO_BASH: &str = r#"
_nanobench_in_cargo() {
    if [[ ${COMP_WORDS[1]-} == nanobench && $COMP_CWORD -gt 1 ]]; then
        COMP_WORDS=(cargo-nanobench "${COMP_WORDS[@]:2}")
        COMP_CWORD=$((COMP_CWORD - 1))
        _cargo__nanobench cargo-nanobench "$2" "$3"
    elif declare -F _cargo >/dev/null; then
        _cargo "$@"
    fi
}
complete -F _nanobench_in_cargo -o bashdefault -o default cargo
"#;

const IN_CARGO_FISH: &str = r#"
function __nanobench_in_cargo
    set -l words (commandline -opc) (commandline -ct)
    complete -C "cargo-nanobench $words[3..-1]"
end
complete -c cargo -n 'set -l words (commandline -opc); test "$words[2]" = nanobench' -f -a '(__nanobench_in_cargo)'
"#;

/// Prints the script for a shell.
pub(super) fn print(shell: Shell) -> io::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut cli::described(), EXECUTABLE, &mut script);
    let in_cargo = match shell {
        Shell::Bash => IN_CARGO_BASH,
        Shell::Fish => IN_CARGO_FISH,
        _ => "",
    };
    output::print_document(&(String::from_utf8_lossy(&script) + in_cargo))?;
    Ok(Exit::Success)
}

/// Writes a page for each subcommand to a folder.
pub(super) fn write_manual(folder: &Path) -> Result<Exit, Error> {
    let command = cli::described().name(EXECUTABLE);
    let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
    written.map_err(|source| Error::Folder { path: folder.to_owned(), source })?;
    Ok(Exit::Success)
}
