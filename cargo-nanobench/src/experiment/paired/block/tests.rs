//! Blocks whose times are made by hand.

use super::*;

fn launch(times: &[u64]) -> Launch {
    let clock = ClockInfo { name: "os".into(), frequency: 1e9, resolution: 1.0, read_cost: 20.0 };
    let sample =
        |&time| Sample { iterations: 10, elapsed: 10 * time + 20, segments: 1, reference: 0, round: 0 };
    Launch { clock, segment_cost: 20.0, empty_loop: 0.5, samples: times.iter().map(sample).collect() }
}

#[test]
fn what_the_machine_does_to_all_is_in_no_ratio() {
    // It is three times slower in the second round.
    let sides = [[100, 300, 100], [200, 600, 200], [110, 330, 110], [190, 570, 190]];
    let block = block(sides.map(|times| launch(&times))).unwrap();
    let expected = [1.1_f64.ln(), 0.95_f64.ln(), 2.0_f64.ln(), (19.0_f64 / 11.0).ln()];
    for (found, expected) in block.changes.iter().chain(&block.aa_ratios).zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{block:?}");
    }
}

#[test]
fn ratios_are_of_the_same_round_and_of_those_beside_it() {
    // The middle of the ratios of the same round alone is 4, of all with all 2.
    assert_eq!(middle_change(&[1.0, 4.0, 1.0], &[4.0, 1.0, 8.0]), 0.0);
    let (a, b) = ([1.0, 1.1, 1.3, 0.9], [1.2, 1.0, 1.5, 1.1]);
    assert!((middle_change(&a, &b) + middle_change(&b, &a)).abs() < 1e-12, "the roles are exchangeable");
    assert_eq!(middle_change(&[2.0], &[6.0]), 3.0_f64.ln());
}

#[test]
fn the_fastest_sample_of_a_turn_counts() {
    let Launch { clock, segment_cost, samples, .. } = launch(&[130, 100]);
    // The second has more iterations, so that its whole time is the longer one.
    let longer = Sample { iterations: 20, elapsed: 20 * 100 + 20, round: 1, ..samples[1] };
    let turn = SampleBatch { segment_cost, samples: vec![samples[0], longer] };
    assert_eq!(fastest(turn, &clock), Some(longer));
    assert_eq!(fastest(SampleBatch { segment_cost, samples: Vec::new() }, &clock), None);
}

#[test]
fn what_went_wrong_in_the_baseline_is_said_to_be_there() {
    let said =
        |is_baseline| BlockError::from(RequestError::Panicked("there".into())).of(is_baseline).to_string();
    assert_eq!(said(false), "failed: there");
    assert_eq!(said(true), "in the baseline's executable: failed: there");
    assert_eq!(
        BlockError::Nothing.of(true).to_string(),
        BlockError::Nothing.to_string(),
        "no process did that"
    );
}

#[test]
fn nothing_is_not_compared() {
    assert!(matches!(block([[0], [1], [1], [1]].map(|times| launch(&times))), Err(BlockError::Nothing)));
}
