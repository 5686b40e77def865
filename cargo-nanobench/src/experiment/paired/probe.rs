//! How fast each core runs just now: a neighbour on the same physical core can take half of it.

use crate::session::affinity;
use nanobench::Rng;
use std::hint::black_box;
use std::time::Instant;

/// Steps of the work that is timed: some 10 us of instructions that don't wait for each other, as those lose most.
const STEPS: u32 = 4_000;
const LANES: usize = 8;
/// The work is timed so often; the middle one counts.
const TIMES: usize = 3;
/// Cores that are tried, of those that there are.
const MOST_CORES: usize = 8;

/// Times that are no farther apart than this factor are the same.
const ALIKE: f64 = 1.1;

/// The core that is fastest now, one of them where several are. `None` where processes can't be bound to a core.
pub(super) fn quietest_core(rng: &mut Rng) -> Option<usize> {
    let mut cores = affinity::available();
    rng.shuffle(&mut cores);
    cores.truncate(MOST_CORES);
    let times: Vec<(usize, f64)> = cores.into_iter().filter_map(|core| Some((core, time(core)?))).collect();
    let least = times.iter().map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
    times.iter().find(|(_, time)| *time <= least * ALIKE).map(|(core, _)| *core)
}

/// How long the work takes on `core`, in ns.
fn time(core: usize) -> Option<f64> {
    affinity::while_on(core, || {
        let mut times = [(); TIMES].map(|()| once());
        times.sort_unstable_by(f64::total_cmp);
        times[TIMES / 2]
    })
}

fn once() -> f64 {
    let mut lanes = black_box([1_u64; LANES]);
    let begin = Instant::now();
    for step in 0..STEPS {
        for lane in &mut lanes {
            *lane = (*lane ^ u64::from(black_box(step))).wrapping_add(*lane >> 3);
        }
    }
    black_box(lanes);
    begin.elapsed().as_secs_f64() * 1e9
}
