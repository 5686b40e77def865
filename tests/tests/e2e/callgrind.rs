//! Harnesses under valgrind's callgrind, which counts the instructions of their samples.

use nanobench::model::BenchmarkSpec;
use nanobench::protocol::{self, Hello, List, Reply, Request};
use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The function of the harness within which instructions are counted. It runs one sample. Valgrind
/// shows its name mangled or with a hash, depending on the compiler.
const COUNTED: [&str; 2] = ["*run_with_warm_caches", "*run_with_warm_caches::h????????????????"];

/// Returns whether there is valgrind. Says so if there is none.
pub(crate) fn is_installed() -> bool {
    let is_installed = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !is_installed {
        eprintln!("SKIPPED: valgrind is not installed, so no instructions are counted");
    }
    is_installed
}

const CONNECTED: &str = "the harness still runs";

/// An executable with benchmarks, under callgrind.
pub(crate) struct Harness<'a> {
    folder: &'a Path,
    process: Child,
    channel: protocol::Channel,
}

impl<'a> Harness<'a> {
    /// Starts an executable with `main!()`. The instructions of each sample are dumped to `folder`.
    pub(crate) fn start(folder: &'a Path, executable: &Path) -> Self {
        let socket = folder.join("socket");
        let listener = UnixListener::bind(&socket).expect("a socket");
        let process = Command::new("valgrind")
            .args(["--tool=callgrind", "--collect-atstart=no", "--quiet"])
            .args(COUNTED.map(|name| format!("--toggle-collect={name}")))
            .args(COUNTED.map(|name| format!("--dump-after={name}")))
            .arg(format!("--callgrind-out-file={}", folder.join("counts").display()))
            .arg(executable)
            .arg("--bench")
            .env(protocol::CHANNEL_VARIABLE, format!("unix:{}", socket.display()))
            .stdout(Stdio::null())
            .spawn()
            .expect("valgrind starts");
        let (stream, _) = listener.accept().expect("the harness connects");
        let mut channel = protocol::Channel::new(protocol::Stream::Unix(stream));
        channel
            .send(&Request::Hello(Hello { protocol: protocol::VERSION, version: String::new() }))
            .expect(CONNECTED);
        assert!(matches!(channel.receive().expect(CONNECTED), Some(Reply::Hello(_))));
        Self { folder, process, channel }
    }

    pub(crate) fn request(&mut self, request: Request) -> Reply {
        self.channel.send(&request).expect(CONNECTED);
        self.channel.receive().expect(CONNECTED).expect(CONNECTED)
    }

    /// Returns the benchmarks with their indices.
    pub(crate) fn list(&mut self) -> Vec<(u64, BenchmarkSpec)> {
        match self.request(Request::List(List::default())) {
            Reply::Listing(listing) => (0..).zip(listing.benchmarks).collect(),
            other => panic!("{other:?}"),
        }
    }

    /// Returns the instructions of the last sample so far.
    pub(crate) fn last_sample(&self) -> i64 {
        (1..).map_while(|number| self.dump(number)).last().expect("a sample")
    }

    /// Ends the process, and returns the instructions of each sample.
    pub(crate) fn finish(mut self) -> Vec<i64> {
        self.channel.stream().finish_sending().expect(CONNECTED);
        self.process.wait().expect("a child");
        (1..).map_while(|number| self.dump(number)).collect()
    }

    /// Returns the instructions in a dump. The last dump is that of the end of the process.
    fn dump(&self, number: usize) -> Option<i64> {
        let dump = fs::read_to_string(self.folder.join(format!("counts.{number}"))).ok()?;
        let total = dump.lines().find_map(|line| line.strip_prefix("totals: "));
        dump.contains("Trigger: --dump-after")
            .then(|| total.map_or(0, |count| count.parse().expect("a number")))
    }
}

impl Drop for Harness<'_> {
    fn drop(&mut self) {
        // It has ended unless the test fails.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
