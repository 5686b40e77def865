use super::*;
use std::time::Duration;

impl Pair {
    /// Returns a pair of usual launches without expensive calls. `change`: the logarithm of the ratio of
    /// their times.
    pub(crate) fn with_change(change: f64) -> Pair {
        Pair::with_times([0.0, change])
    }

    /// Returns a pair with these logarithms of the times of its launches.
    pub(crate) fn with_times(times: [f64; 2]) -> Pair {
        let average = AveragePair {
            typical: times.map(f64::exp),
            excess: [0.0; 2],
            expensive: [0.0; 2],
            waiting: [0.0; 2],
            iterations: 4,
            interrupted: [0; 2],
            waited: [Duration::ZERO; 2],
            samples: 20,
            is_long: false,
            sampled: Duration::from_millis(6),
        };
        Pair { change: Some(times[1] - times[0]), average, launches: times }
    }
}

/// Returns the files of a block that no other one has.
fn files(generation: u64) -> FilesOfBlock {
    FilesOfBlock { generation, are_spent: true, are_layouts: false }
}

/// Returns the evidence of blocks of two pairs each, with these logarithms of the times of launches.
fn evidence(pairs: &[[f64; 2]]) -> Evidence {
    let mut evidence = Evidence::new(Null::default());
    for (generation, pairs) in pairs.chunks(2).enumerate() {
        let pairs: Vec<Pair> = pairs.iter().map(|&times| Pair::with_times(times)).collect();
        evidence.add(&pairs, [0.0; 2], files(generation as u64));
    }
    evidence
}

#[test]
fn slow_launches_play_no_part_in_the_estimate_of_the_typical_time() {
    let pair = |i: usize| [0.0, 0.001 * (i % 3) as f64 + if i.is_multiple_of(4) { 0.4 } else { 0.0 }];
    let evidence = evidence(&(0..16).map(pair).collect::<Vec<_>>());
    assert!(evidence.estimate() <= 0.002, "{}", evidence.estimate());
    assert_eq!(evidence.launch_groups().unwrap().slow(), [0, 4]);
}

#[test]
fn all_pairs_count_if_most_have_a_slow_launch() {
    let pair = |i: usize| if i.is_multiple_of(4) { [0.0; 2] } else { [[0.4, 0.0], [0.0, 0.4]][i % 2] };
    let evidence = evidence(&(0..16).map(pair).collect::<Vec<_>>());
    assert_eq!(evidence.ordinary_changes().len(), 16);
}

#[test]
fn layouts_and_addresses_are_no_part_of_the_noise_of_launches() {
    let mut evidence = Evidence::new(Null::default());
    for i in 0..16_u64 {
        // The second layout is slower by another share each time, and the candidate by 1 %.
        let layout = 0.05 + 0.002 * i as f64;
        let noise = if i % 2 == 0 { 0.001 } else { -0.001 };
        let pairs = [0.01, 0.01 + noise].map(Pair::with_change);
        evidence.add(&pairs, [layout, layout + noise], FilesOfBlock { are_layouts: true, ..files(i) });
    }
    assert!(evidence.launch_noise().unwrap() <= 0.001);
    assert!((0.05..0.1).contains(&evidence.difference_of_layouts().unwrap()));
    assert_eq!(evidence.agreement(), Agreement { agreeing: 32, layouts: 32 });
    evidence.add(&[Pair::with_change(0.01); 2], [0.0; 2], files(16));
    assert_eq!(evidence.difference_of_layouts(), None, "one block has none");
}

#[test]
fn files_that_serve_many_blocks_count_once() {
    let evidence = |blocks_of_files: u64| {
        let mut evidence = Evidence::new(Null::default());
        for block in 0..24 {
            let generation = block / blocks_of_files;
            let files = FilesOfBlock { are_spent: (block + 1) % blocks_of_files == 0, ..files(generation) };
            evidence.add(&[0.03, 0.031].map(Pair::with_change), [0.0; 2], files);
        }
        evidence
    };
    let log_evidence = |blocks: u64| evidence(blocks).log_evidence(Question::Typical)[1];
    // Twelve clusters, and two.
    for (blocks, clusters) in [(4, 6), (24, 1)] {
        let by_clusters = evidence_of(&[0.03, 0.031].repeat(clusters)) + (1.0 - WEIGHT_OF_LARGE).ln();
        assert!((log_evidence(blocks) - by_clusters).abs() < 1e-12, "{blocks}");
    }
    assert_eq!((evidence(24).pairs(), evidence(24).agreement().layouts), (48, 2));
    assert!(evidence(24).interval().is_none() && evidence(4).interval().is_some());
}

/// Returns the logarithm of the evidence that these clusters are slower.
fn evidence_of(clusters: &[f64]) -> f64 {
    stats::log_evidence(clusters, 0.0, Bets::OnTypical)[1]
}

#[test]
fn a_null_above_zero_is_tested_and_an_expected_change_is_bet_on() {
    let log_evidence = |null: Null| {
        let mut evidence = Evidence::new(null);
        for generation in 0..8 {
            evidence.add(&[0.03, 0.04].map(Pair::with_change), [0.0; 2], files(generation));
        }
        evidence.log_evidence(Question::Typical)
    };
    let null = Null { change: 0.02, expected: None };
    let [faster, slower] = log_evidence(null);
    assert!(faster < 0.0 && slower > 5.0, "{faster}, {slower}");
    assert!(log_evidence(Null::default())[1] > slower, "more is known to be above 0");
    let [faster_than, slower_than] = log_evidence(Null { change: 0.05, expected: None });
    assert!(faster_than < 0.0 && slower_than < 0.0, "it is in between");
    let [other, expected] = log_evidence(Null { expected: Some(0.035), ..null });
    assert!(expected > slower + 1.0, "{expected}");
    assert_eq!(other.to_bits(), faster.to_bits(), "nobody bets on the other direction");
}

#[test]
fn the_evidence_says_what_the_change_is_within() {
    let evidence = evidence(&[[0.0, 0.01], [0.0, -0.01]].repeat(12));
    assert!(evidence.is_within([-0.02, 0.02]) && !evidence.is_within([-0.02, 0.0]));
    assert!(evidence.is_known_within(0.02) && !evidence.is_known_within(0.001));
    let Interval { low, high } = evidence.interval().unwrap();
    assert!(low < -0.005 && high > 0.005 && evidence.half_width() < 0.02, "{low} to {high}");
    assert_eq!(evidence.p(Question::Typical), 1.0);
}

#[test]
fn pairs_of_the_same_files_show_a_change_that_no_file_makes() {
    let log_evidence = |change: f64| {
        let mut evidence = Evidence::new(Null::default());
        for _ in 0..8 {
            let files = FilesOfBlock { are_spent: false, ..files(0) };
            evidence.add(&[change, change + 0.001].map(Pair::with_change), [0.0; 2], files);
        }
        evidence.log_evidence(Question::Typical)
    };
    let [faster, slower] = log_evidence(3.0_f64.ln());
    assert!(slower > 1_000_f64.ln() && faster <= 0.0, "{faster}, {slower}");
    assert!(log_evidence(1.9_f64.ln()).iter().all(|&log_evidence| log_evidence <= 0.0));
    assert!(log_evidence(-3.0_f64.ln())[0] > 1_000_f64.ln());
}
