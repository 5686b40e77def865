//! The number of results and inputs that are kept between two readings of the clock: results until
//! they are dropped, inputs until they are used.

/// Time, in ns, for the results and inputs to keep at once: as many as take about this long to
/// compute, or to make and drop. The error of the calibrated segment cost is well below a
/// thousandth of this time.
const RESULTS_TIME: f64 = 5_000.0;
const INPUTS_TIME: f64 = 20_000.0;
/// Largest number of values, if they take almost no time.
const MAX_NUMBER: f64 = 512.0;
/// Largest number of bytes that the values may take without the memory that they own: half of a
/// first-level cache.
const MAX_SIZE: f64 = 16_384.0;
/// Shortest time, in ns, for values that take more bytes. The first calls after a reading of the
/// clock are up to 10 ns slower, because what ran before them has displaced their branches'
/// history, and the clock itself has an error of about as much.
const MIN_TIME: f64 = 1_000.0;
/// Largest number of bytes for values that take this time. A call that reads all of such a value
/// takes so long that few are kept; any other touches only a part of these bytes.
const MAX_SIZE_IN_MIN_TIME: f64 = 131_072.0;

// A program mostly frees a result before it makes the next one, which gets the same memory: the
// allocator has it at hand, and the first-level cache still holds it. With many results kept,
// neither is true.

/// Largest number of results that own memory, unless they take less than `MIN_OWNING_TIME`.
/// Allocators have at least this number of freed blocks of one size at hand: it is that of glibc's
/// thread cache.
const MAX_OWNING: f64 = 7.0;
/// Shortest time, in ns, for the results that own memory. Below it, the error of the segment cost
/// would be more than a hundredth.
const MIN_OWNING_TIME: f64 = 100.0;
/// Longest such time. A result of this time may be so large that no cache holds several.
const MAX_OWNING_TIME: f64 = 1_000.0;

/// Time, in ns, for the results of suites that were written for a library which keeps all results of a
/// sample: its samples take 100 to 200 steps of the clock.
const LASTING_TIME: f64 = 2_000.0;

/// The values of a call that are kept. Sizes are in bytes, without the memory that a value owns.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KeptValues {
    pub(super) input_size: usize,
    pub(super) result_size: usize,
    /// True if dropping a result runs code, most often to free memory.
    pub(super) results_own_memory: bool,
    /// True if as many results are kept as another library keeps.
    pub(super) results_last: bool,
}

impl KeptValues {
    /// Returns whether there are results or inputs that are kept.
    pub(super) fn are_kept(self) -> bool {
        self.results_own_memory || self.input_size > 0
    }

    /// Returns a number below this one, with which results that own memory may be faster.
    pub(super) fn fewer_than(self, number: u64) -> Option<u64> {
        let few = MAX_OWNING as u64;
        (self.results_own_memory && !self.results_last && number > few).then_some(few)
    }

    /// Returns the largest number of values to keep if a call takes `timed` ns, and making and
    /// dropping them `untimed` ns.
    pub(super) fn max_number(self, timed: f64, untimed: f64) -> u64 {
        let in_time = |time| time / timed.max(1.0);
        let results = if self.results_own_memory && self.results_last {
            in_time(LASTING_TIME)
        } else if self.results_own_memory {
            in_time(MIN_OWNING_TIME).max(MAX_OWNING).min(in_time(MAX_OWNING_TIME))
        } else {
            in_time(RESULTS_TIME)
        };
        let inputs = INPUTS_TIME / untimed.max(1.0);
        let size = ((self.input_size + self.result_size) as f64).max(1.0);
        let in_size = in_time(MIN_TIME).min(MAX_SIZE_IN_MIN_TIME / size).max(MAX_SIZE / size);
        results.min(inputs).min(in_size).clamp(1.0, MAX_NUMBER) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBER: KeptValues =
        KeptValues { input_size: 0, result_size: 8, results_own_memory: false, results_last: false };
    const VEC: KeptValues = KeptValues { result_size: 24, results_own_memory: true, ..NUMBER };

    #[test]
    fn many_plain_values_are_kept() {
        assert_eq!(NUMBER.max_number(0.3, 0.0), 512);
        assert_eq!(NUMBER.max_number(50.0, 0.0), 100);
        assert_eq!(NUMBER.max_number(50.0, 1_000.0), 20, "inputs take long");
        assert_eq!(NUMBER.max_number(9_000.0, 0.0), 1);
    }

    #[test]
    fn few_results_that_own_memory_are_kept() {
        let numbers = [1.0, 5.0, 25.0, 140.0, 300.0, 2_000.0].map(|timed| VEC.max_number(timed, 0.0));
        assert_eq!(numbers, [100, 20, 7, 7, 3, 1]);
        assert_eq!(VEC.max_number(25.0, 20_000.0), 1, "inputs take long");
        assert_eq!([7, 8].map(|number| VEC.fewer_than(number)), [None, Some(7)]);
        assert_eq!(NUMBER.fewer_than(100), None);
    }

    #[test]
    fn results_last_on_request() {
        let lasting = KeptValues { results_last: true, ..VEC };
        let numbers = [1.0, 5.0, 25.0, 140.0, 9_000.0].map(|timed| lasting.max_number(timed, 0.0));
        assert_eq!(numbers, [512, 400, 80, 14, 1]);
        assert_eq!(lasting.fewer_than(80), None);
        let numbers = KeptValues { results_last: true, ..NUMBER };
        assert_eq!(numbers.max_number(50.0, 0.0), NUMBER.max_number(50.0, 0.0), "they own no memory");
    }

    #[test]
    fn large_values_are_few() {
        let numbers = |size: usize| {
            let values = KeptValues { input_size: size - 8, ..NUMBER };
            [1.0, 20.0, 100.0, 500.0, 5_000.0].map(|timed| values.max_number(timed, 0.0))
        };
        assert_eq!(numbers(4 << 10), [32, 32, 10, 4, 1]);
        assert_eq!(numbers(64 << 10), [2, 2, 2, 2, 1]);
        assert_eq!(numbers(1 << 20), [1; 5]);
    }
}
