//! A probe of each core's current speed: a neighbour on the same physical core can halve it.

use crate::affinity;
use crate::environment::machine;
use nanobench::Rng;
use std::hint::black_box;
use std::time::Instant;

/// Returns the core that is fastest at the moment, or a random one of several within 10 %: of the fastest
/// kind, and of `isolated` cores, if there are any. Returns `None` if processes can't be bound to a core.
pub(super) fn quietest_core(isolated: &[usize], rng: &mut Rng) -> Option<usize> {
    let available = affinity::available_cores();
    let mut cores = machine::fastest_cores(if isolated.is_empty() { &available } else { isolated });
    rng.shuffle(&mut cores);
    cores.truncate(8);
    let times: Vec<(usize, f64)> = cores.into_iter().filter_map(|core| Some((core, probe(core)?))).collect();
    let fastest = times.iter().map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
    times.iter().find(|(_, time)| *time <= fastest * 1.1).map(|(core, _)| *core)
}

/// Returns the median time of the work on `core`, in ns.
fn probe(core: usize) -> Option<f64> {
    affinity::while_on(core, || {
        let mut times = [(); 3].map(|()| time_work());
        times.sort_unstable_by(f64::total_cmp);
        times[1]
    })
}

/// Times about 10 us of independent instructions, which lose most to a neighbour.
fn time_work() -> f64 {
    let mut lanes = black_box([1_u64; 8]);
    let begin = Instant::now();
    for step in 0..4_000_u32 {
        for lane in &mut lanes {
            *lane = (*lane ^ u64::from(black_box(step))).wrapping_add(*lane >> 3);
        }
    }
    black_box(lanes);
    begin.elapsed().as_secs_f64() * 1e9
}
