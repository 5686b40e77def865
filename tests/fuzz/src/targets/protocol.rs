//! The protocol: what the tool reads from a harness, and what a harness reads from the tool.

use nanobench::json::{self, Json};
use nanobench::measure::SampleBatch;
use nanobench::model::{BenchmarkSpec, ClockInfo, Launch, Measurement};
use nanobench::protocol::{Channel, Reply, Request, Stream};
use nanobench::report::{self, Units};
use nanobench::summary::Summary;
use running::session;
use std::fmt::Debug;
use std::io::Write as _;
use std::os::unix::net::UnixStream;

/// The first line is the tool's request, and the rest are the messages that a harness sends. Those
/// that the tool takes as replies have figures in all reports.
pub fn replies(data: &[u8]) {
    let (first, rest) = data.split_at(data.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1));
    let request = str::from_utf8(first).ok().and_then(|text| json::from_str::<Request>(text).ok());
    for reply in messages::<Reply>(rest) {
        super::assert_harmless(&report::escape(&format!("{reply:?}")));
        if session::check_reply(request.as_ref(), &reply).is_ok() {
            take(request.as_ref(), reply);
        }
    }
}

/// Computes and prints the figures of a reply.
fn take(request: Option<&Request>, reply: Reply) {
    match (request, reply) {
        (Some(Request::Sample(request)), Reply::Samples(batch)) => {
            let clock = ClockInfo {
                name: "tsc".to_owned(),
                frequency: 1e9,
                resolution: 1.0,
                read_cost: 10.0,
                ..ClockInfo::default()
            };
            let SampleBatch { segment_cost, empty_loop, samples, .. } = batch;
            let launch = Launch { clock, segment_cost, empty_loop: empty_loop.unwrap_or(0.0), samples };
            let count = request.request.count.max(1);
            let measurement =
                Measurement { count, unroll: 1, launches: vec![launch], ..Measurement::default() };
            let Some(summary) = Summary::from_measurement(&measurement) else { return };
            let cells = report::figure_cells(&BenchmarkSpec::default(), &summary, Units::default());
            super::assert_figures(&cells.join(" "));
        }
        (_, Reply::Calibrated(calibration)) => {
            assert!(calibration.sample_wall_time().is_finite(), "{calibration:?}");
            calibration.iteration_throughput(1);
        }
        (_, Reply::Listing(listing)) => {
            for spec in &listing.benchmarks {
                super::assert_harmless(&report::escape(&spec.id.to_string()));
            }
        }
        _ => {}
    }
}

/// The messages that the tool may send.
pub fn requests(data: &[u8]) {
    messages::<Request>(data);
}

/// Returns the messages in the bytes that the other end sends, up to the first line that isn't a
/// message. Checks that each is the same after it was written and read again.
fn messages<T: Json + PartialEq + Debug>(data: &[u8]) -> Vec<T> {
    // A socket takes ten times as long as the lines themselves.
    let through_socket = data.len().is_multiple_of(8);
    let messages: Vec<T> = if through_socket { received(data) } else { read(data) };
    for message in &messages {
        let text = json::to_string(message);
        assert!(!text.contains('\n'), "{text}");
        match json::from_str::<T>(&text) {
            Ok(again) => assert_eq!(again, *message),
            // A number that is not finite is written as null.
            Err(reason) => assert!(text.contains("null"), "{reason}: {text}"),
        }
    }
    messages
}

fn read<T: Json>(data: &[u8]) -> Vec<T> {
    let lines = data.split(|&byte| byte == b'\n');
    lines.map_while(|line| json::from_str::<T>(str::from_utf8(line).ok()?).ok()).collect()
}

fn received<T: Json>(data: &[u8]) -> Vec<T> {
    let (mut there, here) = UnixStream::pair().expect("a socket");
    // Bytes that don't fit in the socket's buffer would wait for ever.
    there.write_all(&data[..data.len().min(64 * 1024)]).expect("room in the socket");
    drop(there);
    let mut channel = Channel::new(Stream::Unix(here));
    std::iter::from_fn(|| channel.receive::<T>().ok().flatten()).collect()
}
