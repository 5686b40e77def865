//! Each of the built-in benchmarks executes instructions for each operation, so that none can
//! become empty unseen. Valgrind's callgrind counts them, so the result does not depend on time.

use nanobench::measure::SampleRequest;
use nanobench::model::{BenchmarkSpec, RunConditions};
use nanobench::protocol::{self, Hello, List, Reply, Request, SampleBenchmark};
use nanobench_tests::product;
use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The function of the harness within which instructions are counted. It runs one sample. Valgrind
/// shows its name mangled or with a hash, depending on the compiler.
const COUNTED: [&str; 2] = ["*run_with_warm_caches", "*run_with_warm_caches::h????????????????"];

/// Benchmarks whose set-up takes many seconds under valgrind. Smaller ones run the same code.
const LARGE: [&str; 6] = ["MiB", "1000000", "16777216", "100 000", "100000", "1048576"];

/// Areas whose work is done by other threads or by the operating system, which no compiler removes.
const NOT_COUNTED: [&str; 2] = ["threads", "system"];

#[test]
#[ignore = "takes 15 s; .ci/run does it on request"]
fn every_row_executes_instructions_for_each_operation() {
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("SKIPPED: valgrind is not installed, so the instructions of `costs` are not counted");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut harness = Harness::start(folder.path());
    let rows: Vec<(u64, BenchmarkSpec)> = harness.list();
    let (loops, _) = rows.iter().find(|(_, row)| row.takes_count).expect("a row with a loop");
    let samples: Vec<Sample> = rows.iter().filter(|(_, row)| is_counted(row)).map(Sample::of).collect();
    assert!(samples.len() > 80, "{} rows", samples.len());
    harness.take(&Sample { index: *loops, iterations: 1, count: 0, ..Sample::default() });
    for sample in &samples {
        harness.take(sample);
    }
    let differences = harness.differences();
    let (empty, differences) = differences.split_first().expect("the first one");
    assert_eq!(differences.len(), samples.len());
    let mut without = Vec::new();
    for (sample, instructions) in samples.iter().zip(differences) {
        // A function with a loop was called once in each sample.
        let calls = if sample.count > 1 { 0 } else { *empty };
        let each = (instructions - calls) as f64 / (sample.count * sample.batch) as f64;
        println!("{each:9.2} instructions: {}", sample.id);
        if each < 1.0 {
            without.push(format!("{}: {each:.2} instructions for each operation", sample.id));
        }
    }
    assert!(without.is_empty(), "{}", without.join("\n"));
}

fn is_counted(row: &BenchmarkSpec) -> bool {
    let id = row.id.to_string();
    row.id.conditions == RunConditions::default()
        && !NOT_COUNTED.contains(&row.id.modules.as_str())
        && !LARGE.iter().any(|size| id.contains(size))
}

/// A sample of a benchmark. It is taken again with twice the calls or twice the count.
#[derive(Debug, Default)]
struct Sample {
    id: String,
    index: u64,
    iterations: u64,
    count: u64,
    /// The number of operations in a call.
    batch: u64,
}

impl Sample {
    fn of((index, row): &(u64, BenchmarkSpec)) -> Self {
        let count = if row.takes_count { 64 } else { 1 };
        let batch = row.batch.unwrap_or(1);
        Self { id: row.id.to_string(), index: *index, iterations: 1, count, batch }
    }

    fn twice(&self) -> Self {
        let (iterations, count) = if self.count > 1 {
            (self.iterations, 2 * self.count)
        } else {
            (2 * self.iterations, self.count)
        };
        Self { id: self.id.clone(), iterations, count, ..*self }
    }
}

const CONNECTED: &str = "the harness still runs";

/// The tool as the harness of its own benchmarks, under callgrind.
struct Harness<'a> {
    folder: &'a Path,
    process: Child,
    channel: protocol::Channel,
}

impl<'a> Harness<'a> {
    fn start(folder: &'a Path) -> Self {
        let socket = folder.join("socket");
        let listener = UnixListener::bind(&socket).expect("a socket");
        let process = Command::new("valgrind")
            .args(["--tool=callgrind", "--collect-atstart=no", "--quiet"])
            .args(COUNTED.map(|name| format!("--toggle-collect={name}")))
            .args(COUNTED.map(|name| format!("--dump-after={name}")))
            .arg(format!("--callgrind-out-file={}", folder.join("counts").display()))
            .arg(product())
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

    fn request(&mut self, request: Request) -> Reply {
        self.channel.send(&request).expect(CONNECTED);
        self.channel.receive().expect(CONNECTED).expect(CONNECTED)
    }

    fn list(&mut self) -> Vec<(u64, BenchmarkSpec)> {
        match self.request(Request::List(List::default())) {
            Reply::Listing(listing) => (0..).zip(listing.benchmarks).collect(),
            other => panic!("{other:?}"),
        }
    }

    /// Takes a sample, and one of twice as much.
    fn take(&mut self, sample: &Sample) {
        // The first one sets up what is kept for the benchmark.
        self.take_once(sample);
        self.take_once(sample);
        self.take_once(&sample.twice());
    }

    fn take_once(&mut self, sample: &Sample) {
        let request = SampleRequest {
            samples: 1,
            iterations: sample.iterations,
            exact_iterations: true,
            count: sample.count,
            max_kept_results: 1,
            round: 0,
            seed: 0,
            measure_waiting: false,
        };
        let reply = self.request(Request::Sample(SampleBenchmark { benchmark: sample.index, request }));
        assert!(matches!(reply, Reply::Samples(_)), "{}: {reply:?}", sample.id);
    }

    /// Ends the process, and returns the instructions that twice as much needs beyond each sample.
    fn differences(mut self) -> Vec<i64> {
        self.channel.stream().finish_sending().expect(CONNECTED);
        self.process.wait().expect("a child");
        let counts: Vec<i64> = (1..).map_while(|number| self.dump(number)).collect();
        counts.chunks(3).map(|counts| counts[2] - counts[1]).collect()
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
