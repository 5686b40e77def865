//! Calls that are expensive now and then.

use crate::kind::kinds;
use crate::{every, work};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

kinds! {
    rare_flush, rarer_flush, fresh_pages, growing_map, eviction, expiring_table, phases, heavier_tail, cache_sweep,
    short_sleep,
}

/// Writes out its buffer at every 2,000th call, in 1 ms.
#[inline(always)]
fn rare_flush<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    if CHANGED && every(2_000, &CALLS) {
        work(100_000);
    }
    work(100)
}

/// Writes out its buffer at every 20,000th call, in 8 ms.
#[inline(always)]
fn rarer_flush<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    if CHANGED && every(20_000, &CALLS) {
        work(800_000);
    }
    work(100)
}

/// Touches 2 MB of fresh pages at every 1,000th call.
#[inline(always)]
fn fresh_pages<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    if CHANGED && every(1_000, &CALLS) {
        // More than the C library ever keeps for the next time.
        let mut pages = vec![0_u8; 64 << 20];
        for byte in pages[..2 << 20].iter_mut().step_by(4_096) {
            *byte = 1;
        }
        black_box(&pages);
    }
    work(100)
}

/// Fills a map again and again, which grows each time instead of keeping its memory.
#[inline(always)]
fn growing_map<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    const MOST: usize = 50_000;
    thread_local!(static MAP: RefCell<HashMap<u64, u64>> = RefCell::new(HashMap::with_capacity(MOST)));
    MAP.with_borrow_mut(|map| {
        if map.len() == MOST {
            if CHANGED { *map = HashMap::new() } else { map.clear() }
        }
        map.insert(map.len() as u64, 1);
    });
    work(2)
}

/// Looks for the oldest of its entries at every 2,000th call, by sorting them.
#[inline(always)]
fn eviction<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    thread_local!(static ENTRIES: Vec<u64> = (0..20_000_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect());
    if CHANGED && every(2_000, &CALLS) {
        ENTRIES.with(|entries| {
            let mut sorted = entries.clone();
            sorted.sort_unstable();
            black_box(sorted);
        });
    }
    work(60)
}

/// Makes a table when it is first needed, and again every 5,000 calls.
#[inline(always)]
fn expiring_table<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    thread_local!(static TABLE: RefCell<Option<Vec<u64>>> = const { RefCell::new(None) });
    TABLE.with_borrow_mut(|table| {
        if CHANGED && every(5_000, &CALLS) {
            *table = None;
        }
        table.get_or_insert_with(|| (0..300).map(|_| work(100)).collect())[7]
    });
    work(20)
}

/// Takes twice as long in three of ten milliseconds.
#[inline(always)]
fn phases<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    thread_local!(static CALLS: Cell<u64> = const { Cell::new(0) });
    let call = CALLS.get();
    CALLS.set(call + 1);
    work(if CHANGED && call % 10_000 >= 7_000 { 200 } else { 100 })
}

/// Takes 20 us, but longer in one call of 40: twice as long, or with the change 13 times.
#[inline(always)]
fn heavier_tail<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    thread_local!(static RANDOM: Cell<u64> = Cell::new(crate::luck() | 1));
    let mut random = RANDOM.get();
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    RANDOM.set(random);
    let is_long = random.is_multiple_of(40);
    work(
        2_000
            * if !is_long {
                1
            } else if CHANGED {
                13
            } else {
                2
            },
    )
}

/// Sweeps 4 MB at every 300th call, besides walking 32 KB in each.
#[inline(always)]
fn cache_sweep<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    thread_local!(static MEMORY: Vec<u64> = vec![1; (4 << 20) / 8]);
    MEMORY.with(|memory| if CHANGED && every(300, &CALLS) { walk(memory) } else { walk(&memory[..4_096]) })
}

/// Adds numbers up, one after the other.
#[inline(never)]
fn walk(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0, |sum, number| black_box(sum) ^ number)
}

/// Sleeps for 300 us at every 1,000th call.
#[inline(always)]
fn short_sleep<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    if CHANGED && every(1_000, &CALLS) {
        std::thread::sleep(Duration::from_micros(300));
    }
    work(100)
}
