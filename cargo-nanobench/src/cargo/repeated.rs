//! The last build's command, run again while `cargo metadata` finds out what this run has to build.
//!
//! Usually this run needs the same command, and everything is up to date. The messages are then
//! those of its build. Otherwise, nothing of this attempt is used or shown: it ends when cargo
//! prints that it compiles, downloads or waits, and the build starts as usual, with its progress on
//! the terminal.

use super::messages::{self, BuildMessages};
use super::options::CargoOptions;
use super::{command, termination};
use crate::{output, regular_file};
use process_wrap::std::CommandWrap;
use serde::{Deserialize, Serialize};
use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufRead as _, BufReader, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// The file in the target directory. All workspaces and options share it: the last build counts.
const FILE: &str = "nanobench/last-build.json";
/// The limit for its size, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// The width of the word before each of cargo's own messages, which is aligned to the right.
const WORD_WIDTH: usize = 12;

/// The command of a build that succeeded.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LastBuild {
    /// A hash of the folder in which cargo starts and of the user's options. Other options may
    /// forbid what this command does: `--offline`, `--locked`.
    key: u64,
    arguments: Vec<String>,
}

impl LastBuild {
    /// Describes a command for these options. `None` if an argument is not UTF-8, or if cargo works
    /// on another tree.
    pub(super) fn new(args: &CargoOptions, command: &Command) -> Option<LastBuild> {
        let arguments = command.get_args().map(|argument| argument.to_str().map(str::to_owned));
        Some(LastBuild { key: key(args)?, arguments: arguments.collect::<Option<_>>()? })
    }

    /// Reads the last build for the same options in the same folder.
    fn load(args: &CargoOptions) -> Option<LastBuild> {
        let text = regular_file::read(&likely_target_directory(args)?.join(FILE), MAX_BYTES).ok()?;
        let last: LastBuild = serde_json::from_slice(&text).ok()?;
        (key(args)? == last.key).then_some(last)
    }

    /// Keeps the command. If that fails, the next build starts later.
    pub(super) fn keep(&self, target_directory: &Path) {
        if let Ok(text) = serde_json::to_vec(self) {
            let file = target_directory.join(FILE);
            // To write into a pipe would wait for its reader.
            let _ = fs::remove_file(&file);
            let _ = fs::write(file, text);
        }
    }
}

/// A repeated build in which everything was up to date.
#[derive(Debug)]
pub(super) struct Repeated {
    pub(super) build: LastBuild,
    messages: BuildMessages,
    stderr: String,
}

impl Repeated {
    /// Repeats the last build for these options. `None` if there is none, or if something has to be
    /// done in it.
    pub(super) fn run(args: &CargoOptions) -> Option<Repeated> {
        // Cargo would compile silently.
        if args.common.quiet || env::var_os("CARGO_TERM_QUIET").is_some() {
            return None;
        }
        let build = LastBuild::load(args)?;
        let mut command = Command::new(command::program());
        command.args(&build.arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if io::stderr().is_terminal() && env::var_os("CARGO_TERM_COLOR").is_none() {
            command.env("CARGO_TERM_COLOR", "always");
        }
        let (messages, stderr) = run(command)?;
        Some(Repeated { build, messages, stderr })
    }

    /// Prints what cargo has printed, and returns the messages.
    pub(super) fn show(self) -> BuildMessages {
        output::pass_on(&self.stderr);
        self.messages
    }
}

/// Runs a build until it has something to do. Returns its messages and stderr if it had nothing to
/// do.
fn run(command: Command) -> Option<(BuildMessages, String)> {
    let mut command = CommandWrap::from(command);
    // It is ended together with all that it has started.
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::std::JobObject);
    let mut child = command.spawn().ok()?;
    let (stdout, stderr) = (child.stdout().take()?, child.stderr().take()?);
    thread::scope(|scope| {
        let _guard = termination::terminate_on_interrupt(child.id(), scope);
        let messages = scope.spawn(|| messages::collect(stdout));
        let mut printed = String::new();
        for line in BufReader::new(stderr).lines() {
            let Some(line) = line.ok().filter(|line| !is_work(line)) else {
                let _ = child.kill();
                return None;
            };
            printed += &line;
            printed.push('\n');
        }
        let succeeds = child.wait().is_ok_and(|status| status.success());
        let messages = messages.join().ok()?.ok()?;
        (succeeds && messages.is_fresh()).then_some((messages, printed))
    })
}

/// Returns whether cargo reports in this line that it does more than look.
fn is_work(line: &str) -> bool {
    let line = anstream::adapter::strip_str(line).to_string();
    let Some((word, rest)) = line.split_at_checked(WORD_WIDTH) else { return false };
    let word = word.trim_start();
    let is_word = word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().all(char::is_alphabetic);
    is_word && rest.starts_with(' ') && !["Finished", "Executable"].contains(&word)
}

/// Returns the key of options in the current folder. `None` for another tree.
fn key(args: &CargoOptions) -> Option<u64> {
    if args.common.other_tree.is_some() {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    (env::current_dir().ok()?, args).hash(&mut hasher);
    Some(hasher.finish())
}

/// Returns the target directory, unless only cargo's configuration names it.
fn likely_target_directory(args: &CargoOptions) -> Option<PathBuf> {
    if let Some(folder) = &args.target_dir {
        return Some(folder.clone());
    }
    if let Some(folder) = env::var_os("CARGO_TARGET_DIR") {
        return Some(folder.into());
    }
    let start = args.common.manifest_path.as_ref().map_or(Path::new("."), |path| path);
    let start = std::path::absolute(start).ok()?;
    let root = start.ancestors().find(|folder| folder.join("Cargo.lock").is_file())?;
    Some(root.join("target"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::CommonOptions;

    #[test]
    fn a_build_with_work_is_told_by_the_words_of_cargo() {
        for line in [
            "   Compiling nano v0.0.0 (/w/nano)",
            "    Blocking waiting for file lock on build directory",
            "\x1b[1m\x1b[92m   Compiling\x1b[0m nano v0.0.0",
            "    Updating crates.io index",
        ] {
            assert!(is_work(line), "{line}");
        }
        for line in [
            "    Finished `bench` profile [optimized] target(s) in 0.01s",
            "\x1b[1m\x1b[92m  Executable\x1b[0m benches/many.rs (target/release/deps/many-0)",
            "warning: unused variable: `x`",
            "  --> src/lib.rs:1:9",
            "12345678901 | Some text",
            "   = note: `#[warn(unused_variables)]` on by default",
            "",
        ] {
            assert!(!is_work(line), "{line}");
        }
    }

    #[test]
    fn only_the_same_options_repeat_a_build() {
        let target = tempfile::tempdir().unwrap();
        fs::create_dir(target.path().join("nanobench")).unwrap();
        let args = CargoOptions { target_dir: Some(target.path().into()), ..CargoOptions::default() };
        assert_eq!(LastBuild::load(&args), None, "of no earlier run");
        let mut command = Command::new("cargo");
        command.args(["bench", "--no-run", "--bench", "a b"]);
        let build = LastBuild::new(&args, &command).unwrap();
        build.keep(target.path());
        assert_eq!(LastBuild::load(&args), Some(build));
        let common = CommonOptions { offline: true, ..CommonOptions::default() };
        assert_eq!(LastBuild::load(&CargoOptions { common, ..args.clone() }), None);
        fs::write(target.path().join(FILE), "{").unwrap();
        assert_eq!(LastBuild::load(&args), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_build_ends_where_its_work_begins() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]).stdout(Stdio::piped()).stderr(Stdio::piped());
            run(command)
        };
        let finished = "echo '    Finished x' >&2";
        assert_eq!(shell(finished).unwrap().1, "    Finished x\n");
        // A child would hold the pipes for an hour.
        assert!(shell(&format!("sleep 3600 & echo '   Compiling a v1' >&2; wait; {finished}")).is_none());
        assert!(shell(&format!("{finished}; exit 101")).is_none());
    }
}
