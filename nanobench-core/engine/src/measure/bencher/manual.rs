//! Calls of functions with a clock of their own.

use super::{Bencher, Timing};
use std::hint::black_box;
use std::time::Duration;

/// The longest time of a sample, 100 days. The tool refuses samples of a few times as many ticks.
const LONGEST: Duration = Duration::from_secs(100 * 24 * 60 * 60);

impl Bencher {
    /// Calls `function` with the count. It returns its own time.
    #[inline(never)]
    pub fn call_manual(&mut self, mut function: impl FnMut(u64) -> Duration) {
        self.call_manual_with(|| (), |(), count| function(count));
    }

    /// Calls `function` with a fresh value of `setup` and the count. It returns its own time.
    #[inline(never)]
    pub fn call_manual_with<I>(
        &mut self,
        mut setup: impl FnMut() -> I,
        mut function: impl FnMut(I, u64) -> Duration,
    ) {
        let count = black_box(self.count);
        let mut elapsed = Duration::ZERO;
        for _ in 0..self.iterations {
            let input = black_box(setup());
            if let Some(hooks) = &mut self.hooks {
                hooks.prepare_iteration();
            }
            elapsed = elapsed.saturating_add(function(input, count));
        }
        self.take_time(elapsed);
    }

    /// Calls `function` with a reference to a fresh value of `setup` and the count. It returns its
    /// own time.
    #[inline(never)]
    pub fn call_manual_with_mut<I>(
        &mut self,
        setup: impl FnMut() -> I,
        mut function: impl FnMut(&mut I, u64) -> Duration,
    ) {
        self.call_manual_with(setup, |mut input, count| function(&mut input, count));
    }

    /// Calls `function` with the number of all iterations. It returns their time.
    #[inline(never)]
    pub fn call_custom(&mut self, function: impl FnOnce(u64) -> Duration) {
        let elapsed = function(self.iterations);
        self.take_time(elapsed);
    }

    /// Takes the time that the benchmark has measured.
    ///
    /// # Panics
    /// Panics if it is too long to be one.
    #[inline(never)]
    fn take_time(&mut self, elapsed: Duration) {
        assert!(elapsed < LONGEST, "the benchmark returned {elapsed:?} as the time of its calls");
        self.timing = Timing::Manual;
        self.elapsed += self.clock.ticks(elapsed).0;
    }
}
