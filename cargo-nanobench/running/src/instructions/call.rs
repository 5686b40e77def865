//! The executions of a call: differences of samples, in which everything else cancels out.

use super::Error;
use nanobench::model::Counts;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The place of an instruction in an executable or library: its file, and its address there.
pub(super) type Place = (Arc<Path>, u64);

/// The number of executions of each instruction.
pub(super) type Executions = BTreeMap<Place, u64>;

/// Number of executions of instructions in a call.
pub(super) type CallExecutions = BTreeMap<Place, f64>;

/// Returns the executions of a call, from those of all segments and the number of segments of each
/// sample. `iterations`: those of the first sample of the benchmark.
pub(super) fn of_call(
    segments: &[Executions],
    counts: &Counts,
    iterations: u64,
) -> Result<CallExecutions, Error> {
    let numbers: Vec<usize> =
        counts.counters.as_ref().ok_or(Error::Manual)?.iter().map(|of| of.value as usize).collect();
    let [of_segment, of_loop, of_once, of_twice] = numbers[..] else { return Err(Error::Marks) };
    if segments.len() != numbers.iter().sum::<usize>()
        || of_segment != 1
        || of_loop == 0
        || of_twice < of_once
    {
        return Err(Error::Marks);
    }
    let (segment, rest) = segments.split_at(of_segment);
    let (in_loop, rest) = rest.split_at(of_loop);
    let (once, twice) = rest.split_at(of_once);
    let further = iterations as f64;
    let mut call = CallExecutions::new();
    let mut add = |segments: &[Executions], factor: f64| {
        for (place, number) in segments.iter().flatten() {
            *call.entry(place.clone()).or_insert(0.0) += factor * *number as f64;
        }
    };
    add(twice, 1.0 / further);
    add(once, -1.0 / further);
    let new_segments = (of_twice - of_once) as f64 / further;
    add(segment, -new_segments);
    if of_loop == 1 {
        // An empty segment has one iteration, too. Those beyond it are of the loop alone.
        let loops = (1.0 - new_segments) / further;
        add(in_loop, -loops);
        add(segment, loops);
    }
    call.retain(|_, number| *number != 0.0);
    Ok(call)
}
