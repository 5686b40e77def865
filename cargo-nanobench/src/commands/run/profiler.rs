//! The profiler of a benchmark.

use crate::interrupt;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::{Child, Command};

/// The argument that is replaced by the id of the benchmark's process.
const PROCESS_ID: &str = "{pid}";
/// Profilers that attach to a process: the program, and its commands that take `-p PID`.
const ATTACHING: [(&str, &[&str]); 2] = [("perf", &["record", "stat", "top"]), ("samply", &["record"])];

/// The profiler of a benchmark.
#[derive(Debug, PartialEq)]
pub(in crate::commands) enum Profiler {
    None,
    /// This command runs beside the process, in which `{pid}` is its id.
    Attached(Vec<OsString>),
    /// This command runs the process.
    Around(Vec<OsString>),
}

impl Profiler {
    /// Returns the profiler with this command, which is empty for none.
    pub(in crate::commands) fn of_command(command: &[OsString]) -> Profiler {
        let [program, arguments @ ..] = command else { return Profiler::None };
        let name = Path::new(program).file_stem().unwrap_or_default();
        let takes = |commands: &[&str]| {
            arguments.first().is_some_and(|first| commands.iter().any(|command| first == command))
        };
        let attaches = ATTACHING.iter().any(|(program, commands)| name == *program && takes(commands));
        let names_process = |argument: &OsString| {
            [PROCESS_ID, "-p", "--pid"].iter().any(|word| argument == word)
                || argument.to_string_lossy().contains(PROCESS_ID)
        };
        if arguments.iter().any(names_process) {
            Profiler::Attached(command.to_vec())
        } else if attaches {
            let (start, rest) = command.split_at(2);
            let attach = ["-p", PROCESS_ID].map(OsString::from);
            Profiler::Attached([start, &attach, rest].concat())
        } else {
            Profiler::Around(command.to_vec())
        }
    }
}

/// A profiler that runs beside the benchmark's process.
#[derive(Debug)]
pub(super) struct RunningProfiler(Child);

impl RunningProfiler {
    /// Attaches a profiler to a process.
    pub(super) fn start(command: &[OsString], process: u32) -> io::Result<RunningProfiler> {
        let id = process.to_string();
        let replaced = |argument: &OsString| -> OsString {
            argument.to_str().map_or_else(|| argument.clone(), |text| text.replace(PROCESS_ID, &id).into())
        };
        let program = command.first().map_or(OsStr::new(""), OsString::as_os_str);
        Command::new(program).args(command.iter().skip(1).map(replaced)).spawn().map(RunningProfiler)
    }

    /// Returns whether it has ended.
    pub(super) fn has_ended(&mut self) -> bool {
        !matches!(self.0.try_wait(), Ok(None))
    }

    /// Waits for its end, after that of the benchmark's process. Returns whether it succeeded, or
    /// was ended by Ctrl-C.
    pub(super) fn finish(mut self) -> bool {
        self.0.wait().is_ok_and(|status| status.success()) || interrupt::requested()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(command: &str) -> Profiler {
        Profiler::of_command(&words(command))
    }

    fn words(command: &str) -> Vec<OsString> {
        command.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn profilers_attach_if_they_can() {
        assert_eq!(of(""), Profiler::None);
        assert_eq!(of("perf record -g"), Profiler::Attached(words("perf record -p {pid} -g")));
        assert_eq!(
            of("/usr/bin/samply record"),
            Profiler::Attached(words("/usr/bin/samply record -p {pid}"))
        );
        assert_eq!(of("strace -p {pid}"), Profiler::Attached(words("strace -p {pid}")));
        assert_eq!(of("perf report"), Profiler::Around(words("perf report")));
        assert_eq!(of("valgrind --tool=callgrind"), Profiler::Around(words("valgrind --tool=callgrind")));
    }
}
