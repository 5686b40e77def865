//! A command, its clean environment and its process.

use crate::outcome::Outcome;
use crate::processes;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// Enough for the first build of all dependencies on a slow machine.
const LIMIT: Duration = Duration::from_secs(300);

/// A command that has not started yet.
pub struct Invocation {
    command: Command,
    files: PathBuf,
    /// The streams for stdout and stderr, if they aren't recorded.
    streams: (Option<Stdio>, Option<Stdio>),
}

impl Invocation {
    /// `build` is the build directory of everything that cargo builds.
    pub(crate) fn new(program: &Path, folder: &Path, files: &Path, build: &Path) -> Self {
        let mut command = Command::new(program);
        command.current_dir(folder).stdin(Stdio::null());
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_of_this_run(name)) {
            command.env_remove(name);
        }
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        command.env("CARGO", cargo).env("E2E_FILES", files);
        command.env("NANOBENCH_CACHE", files.with_file_name("cache"));
        command.env("CARGO_BUILD_BUILD_DIR", build);
        Self { command, files: files.to_owned(), streams: (None, None) }
    }

    /// Adds arguments, split at spaces.
    pub fn args(mut self, arguments: &str) -> Self {
        self.command.args(arguments.split_whitespace());
        self
    }

    /// Adds one argument, without splitting it.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs in this folder below the fixture instead.
    pub fn within(mut self, folder: impl AsRef<Path>) -> Self {
        let folder = self.command.get_current_dir().unwrap_or(Path::new("")).join(folder);
        self.command.current_dir(folder);
        self
    }

    /// Runs to the end.
    pub fn run(self) -> Outcome {
        self.start().finish()
    }

    /// Runs to the end, with these streams instead of those that the outcome reports.
    pub fn run_with_streams(mut self, stdout: Option<Stdio>, stderr: Option<Stdio>) -> Outcome {
        self.streams = (stdout, stderr);
        self.run()
    }

    /// Starts without waiting, in a separate process group.
    pub fn start(mut self) -> Running {
        let stdout = NamedTempFile::new().expect("a file for stdout");
        let stderr = NamedTempFile::new().expect("a file for stderr");
        let file = |file: &NamedTempFile| Stdio::from(file.reopen().expect("the streams' files open"));
        let streams = std::mem::take(&mut self.streams);
        self.command
            .stdout(streams.0.unwrap_or_else(|| file(&stdout)))
            .stderr(streams.1.unwrap_or_else(|| file(&stderr)));
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut self.command, 0);
        let child = self.command.spawn().unwrap_or_else(|error| panic!("{:?}: {error}", self.command));
        Running { child, stdout, stderr, command: self.command, files: self.files }
    }

    /// Runs to the end on a terminal. The stdout of the outcome is all that the terminal got.
    #[cfg(unix)]
    pub fn run_on_terminal(self) -> Outcome {
        self.run_on_terminal_of(160)
    }

    /// Runs to the end on a terminal with this number of columns.
    #[cfg(unix)]
    pub fn run_on_terminal_of(mut self, columns: u16) -> Outcome {
        self.command.env("TERM", "xterm-256color");
        let terminal = crate::terminal::Terminal::new(columns);
        let [stdin, stdout, stderr] = terminal.streams();
        let child = self.command.stdin(stdin).stdout(stdout).stderr(stderr).spawn();
        let mut child = child.unwrap_or_else(|error| panic!("{:?}: {error}", self.command));
        let text = describe(&self.command);
        // The command holds the terminal open: reading would never end.
        drop(self.command);
        let reading = terminal.read_to_end();
        let status = wait(&mut child, &self.files, &text);
        Outcome::new(text, status, reading.join().expect("the terminal can be read"), Vec::new())
    }
}

/// A command that was started. Dropping it ends it with all processes that it started.
pub struct Running {
    child: Child,
    stdout: NamedTempFile,
    stderr: NamedTempFile,
    command: Command,
    files: PathBuf,
}

impl Running {
    /// Returns the text that the command has written to stderr so far.
    pub fn stderr_so_far(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.stderr.path()).unwrap_or_default()).into_owned()
    }

    /// Waits until a condition holds. Panics if the command ends before that, or takes too long.
    pub fn wait_until(&mut self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            let ended = self.child.try_wait().expect("a child can be waited for");
            if ended.is_some() || start.elapsed() > LIMIT {
                panic!("{} never came to this: {what}\n{}", describe(&self.command), self.stderr_so_far());
            }
            sleep(Duration::from_millis(5));
        }
    }

    /// Sends SIGINT to this process alone, as `kill -INT` does.
    #[cfg(unix)]
    pub fn interrupt(&self) {
        let process = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(process, rustix::process::Signal::Int).expect("it is still there");
    }

    /// Ends this process alone, without any chance to clean up.
    pub fn kill(mut self) {
        self.child.kill().expect("it is still there");
        self.child.wait().expect("a child can be waited for");
    }

    /// Sends SIGINT to the whole process group, as Ctrl-C in a terminal does.
    #[cfg(unix)]
    pub fn interrupt_group(&self) {
        let process = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process_group(process, rustix::process::Signal::Int)
            .expect("it is still there");
    }

    /// Waits for the end.
    pub fn finish(mut self) -> Outcome {
        let text = describe(&self.command);
        let status = wait(&mut self.child, &self.files, &text);
        let read = |file: &NamedTempFile| fs::read(file.path()).expect("the streams' files can be read");
        Outcome::new(text, status, read(&self.stdout), read(&self.stderr))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            end(&mut self.child, &self.files);
        }
    }
}

/// Waits for the end of a child, up to [`LIMIT`].
fn wait(child: &mut Child, files: &Path, command: &str) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return status;
        }
        if start.elapsed() > LIMIT {
            end(child, files);
            panic!("{command} was ended after {LIMIT:?}");
        }
        sleep(Duration::from_millis(5));
    }
}

/// Kills a child and all processes that were started for its fixture.
fn end(child: &mut Child, files: &Path) {
    // Either may have ended already.
    let _ = child.kill();
    let _ = child.wait();
    processes::kill_started_for(files);
}

/// Returns the command line as a user would type it.
fn describe(command: &Command) -> String {
    let words = [command.get_program()].into_iter().chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    format!("`{}` in {}", words.join(" "), command.get_current_dir().unwrap_or(Path::new(".")).display())
}

/// Returns whether a variable was set by the test run's own cargo, or would make runs differ
/// between machines. Variables for the locations of cargo's home and registries are kept.
fn is_of_this_run(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let of_cargo = name == "CARGO" || name.starts_with("CARGO_");
    let kept = ["CARGO_HOME", "CARGO_HTTP_", "CARGO_NET_", "CARGO_SOURCE_", "CARGO_REGISTR"];
    let other =
        ["NANOBENCH_", "NEXTEST", "RUSTFLAGS", "RUSTDOCFLAGS", "RUST_BACKTRACE", "RUST_LOG", "RUST_TEST_"];
    let style =
        ["CI", "GITHUB_ACTIONS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "TERM", "COLUMNS"];
    (of_cargo && !kept.iter().any(|kept| name.starts_with(kept)))
        || other.iter().any(|prefix| name.starts_with(prefix))
        || style.contains(&name.as_ref())
}
