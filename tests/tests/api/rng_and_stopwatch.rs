//! The random numbers and the stopwatch, as users call them.

use nanobench::{Rng, Stopwatch};
use std::collections::HashSet;
use std::thread::sleep;
use std::time::Duration;

/// The numbers for these seeds by a separate program that follows ankerl::nanobench's description.
const REFERENCE: [(u64, [u64; 4]); 4] = [
    (
        0,
        [
            12_088_876_436_681_977_425,
            12_840_770_736_011_030_038,
            9_951_915_548_211_610_186,
            4_073_511_407_257_864_080,
        ],
    ),
    (
        1,
        [
            10_853_640_807_031_828_497,
            14_308_750_756_371_632_047,
            5_616_940_965_778_053_391,
            12_897_592_841_268_651_219,
        ],
    ),
    (
        123,
        [
            2_222_826_058_396_098_479,
            2_602_822_925_082_020_875,
            13_335_048_783_801_050_212,
            4_695_492_016_416_831_756,
        ],
    ),
    (
        u64::MAX,
        [
            10_608_883_410_893_818_214,
            2_550_530_561_741_854_473,
            5_107_516_944_770_996_833,
            7_405_043_763_784_336_238,
        ],
    ),
];

#[test]
fn random_numbers_follow_the_reference() {
    for (seed, expected) in REFERENCE {
        let mut rng = Rng::with_seed(seed);
        assert_eq!([(); 4].map(|()| rng.next_u64()), expected, "seed {seed}");
    }
}

#[test]
fn bounded_uniform_and_shuffled_values_follow_the_reference() {
    let mut rng = Rng::with_seed(123);
    assert_eq!([(); 8].map(|()| rng.bounded(1_000)), [906, 963, 488, 453, 708, 323, 876, 476]);
    let mut rng = Rng::with_seed(123);
    assert_eq!(
        [(); 3].map(|()| rng.uniform01()),
        [0.120_499_642_078_521_82, 0.141_099_313_498_449_95, 0.722_894_443_079_864_1]
    );
    let mut items: Vec<u64> = (0..10).collect();
    Rng::with_seed(123).shuffle(&mut items);
    assert_eq!(items, [5, 4, 6, 8, 3, 2, 0, 7, 1, 9]);
}

#[test]
fn a_clone_and_a_restored_state_continue_like_the_original() {
    let mut rng = Rng::with_seed(5);
    rng.next_u64();
    let mut copy = rng.clone();
    let mut restored = Rng::from_state(rng.state());
    let next = [(); 5].map(|()| rng.next_u64());
    assert_eq!([(); 5].map(|()| copy.next_u64()), next);
    assert_eq!([(); 5].map(|()| restored.next_u64()), next);
}

#[test]
fn without_a_seed_generators_differ() {
    let firsts: HashSet<u64> = (0..20).map(|_| Rng::new().next_u64()).collect();
    assert_eq!(firsts.len(), 20);
}

#[test]
fn numbers_stay_within_their_bounds() {
    let mut rng = Rng::with_seed(7);
    for _ in 0..10_000 {
        assert!(rng.bounded(10) < 10);
        assert!((0.0..1.0).contains(&rng.uniform01()));
    }
    assert_eq!(rng.bounded(0), 0);
    assert_eq!(rng.bounded(1), 0);
    let seen: HashSet<u32> = (0..1_000).map(|_| rng.bounded(10)).collect();
    assert_eq!(seen.len(), 10);
}

/// A sleep lasts at least as long as requested, even on a busy machine.
#[test]
fn a_stopwatch_returns_the_time_in_each_unit() {
    let watch = Stopwatch::start();
    sleep(Duration::from_millis(20));
    let least = [("s", 0.02), ("ms", 20.0), ("us", 20_000.0), ("ns", 20_000_000.0)];
    for (unit, least) in least {
        let elapsed = watch.elapsed(unit).unwrap();
        // The difference between its clock and the system's, and the calibrated overhead.
        assert!(elapsed >= 0.99 * least, "{elapsed} {unit}");
        assert!(elapsed < 3_000.0 * least, "{elapsed} {unit}");
    }
    assert!(watch.elapsed_ns() >= 0.99 * 20e6);
    assert!(watch.elapsed_duration() >= Duration::from_micros(19_800));
}

#[test]
fn a_stopwatch_never_goes_back() {
    let watch = Stopwatch::start();
    let (first, then) = (watch.elapsed_ns(), watch.elapsed_ns());
    assert!(first >= 0.0 && then >= first, "{first} and {then}");
}

#[test]
fn unknown_units_are_errors_that_list_the_known_ones() {
    let error = Stopwatch::start().elapsed("msec").unwrap_err().to_string();
    for part in ["msec", "`ms`", "s", "us", "ns"] {
        assert!(error.contains(part), "{error}");
    }
    for unit in ["", "h", "m s"] {
        assert!(Stopwatch::start().elapsed(unit).is_err(), "{unit:?}");
    }
    for unit in ["S", "NS", " Us\n"] {
        assert!(Stopwatch::start().elapsed(unit).is_ok(), "{unit:?}");
    }
}
