//! Work on slices by index.

/// Numbers in no order.
pub fn table(n: usize) -> Vec<u64> {
    let mut x = 1;
    (0..n).map(|_| step(&mut x)).collect()
}

fn step(x: &mut u64) -> u64 {
    *x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *x >> 33
}

pub fn histogram(v: &[u64], buckets: usize) -> Vec<u32> {
    let mut counts = vec![0; buckets];
    for i in 0..v.len() {
        let bucket = v[i] as usize % buckets;
        counts[bucket] += 1;
    }
    counts
}

pub fn smooth(v: &[u64], width: usize) -> u64 {
    assert!(width < v.len(), "the table has only {} entries", v.len());
    let mut best = 0;
    for i in 0..v.len() - width {
        let first = v[i];
        let last = v[i + width];
        best = best.max(weigh(first, last));
    }
    best
}

#[inline(never)]
fn weigh(first: u64, last: u64) -> u64 {
    first.abs_diff(last).checked_mul(3).expect("a small number") / 4
}

pub fn lookup(v: &[u64], at: &[usize]) -> u64 {
    let mut sum = 0;
    for &i in at {
        sum += v[i];
    }
    sum
}
