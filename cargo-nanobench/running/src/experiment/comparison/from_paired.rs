//! The comparison that a paired run yields: what its figures show, in the light of what is known
//! about the code.

use super::super::baseline_code::ComparedCode;
use super::super::paired::{PairedDetails, PairedOutcome};
use super::{Comparison, Reason, answers};
use crate::code::CodeMatch;
use nanobench::model::Measurement;
use nanobench::stats::Change;
use nanobench::summary::Summary;
use std::sync::Arc;
use verdicts::{Question, Verdict};

/// Largest change, as a share, that placement alone explains: twice or half the time. In one of six
/// placements, a text search was 42 % slower.
pub(in crate::experiment) const MAX_PLACEMENT_EFFECT: f64 = 1.0;

/// Largest change, as a share, that placement is taken to explain where nothing is known to differ,
/// but some data can't be compared, or where both sides are the same file.
const MAX_UNCERTAIN_PLACEMENT_EFFECT: f64 = 0.2;

/// The processor time, as a multiple of the baseline's, from which a call that takes less time may have
/// passed its work on to other threads. Work that is only divided among threads takes little more in total.
const MIN_PROCESSOR_RATIO: f64 = 1.5;

/// A verdict and its grounds.
type Judgement = (Verdict, Option<Reason>);

impl Comparison {
    /// Creates the comparison that a paired run yields. Calls `compare_code` if the run found a
    /// change.
    pub(in crate::experiment) fn from_paired(
        outcome: PairedOutcome,
        compare_code: impl FnOnce() -> ComparedCode,
    ) -> Comparison {
        let PairedOutcome { verdict: found, change, mut details, baseline, candidate } = outcome;
        let ComparedCode { code, changed_functions, are_identical } =
            if found.is_change() { compare_code() } else { ComparedCode::default() };
        // Placement has to explain all that was found, also a change in the other direction.
        let largest = answers::largest(Verdict::is_change, details.typical, change.as_ref(), Some(&details));
        let places = match details.layouts.is_some() {
            true => Places::Random,
            false if are_identical => Places::Same,
            false => Places::AsLinked,
        };
        let unoptimized = Reason::if_unoptimized(&baseline, &candidate);
        let passes_work_on = may_pass_work_on(&details).filter(|_| found == Verdict::Faster);
        let judgement = match largest {
            _ if unoptimized.is_some() => (Verdict::Unsure, unoptimized),
            _ if passes_work_on.is_some() => (Verdict::Unsure, passes_work_on),
            Some(change) => by_code(found, change.share(), &code, places),
            None => (found, exception_of(&code)),
        };
        if judgement.0 != found {
            details.replace_changes(judgement.0);
        }
        let below_resolution = Reason::if_below_resolution(&baseline, &candidate);
        let (verdict, reason) = by_limits(judgement, below_resolution, &details);
        let change = change.filter(|_| below_resolution.is_none());
        // It would be a percentage of an empty loop, too.
        if below_resolution.is_some() && details.question == Question::Typical && verdict.is_change() {
            details.average = None;
        }
        if let CodeMatch::Differs(function) = code {
            details.differs_in = function;
            details.changed_functions = changed_functions;
        }
        Comparison {
            baseline: baseline_figures(&baseline, &candidate, change.as_ref()),
            baseline_samples: Some(Arc::new(baseline)),
            change,
            verdict,
            reason,
            paired: Some(details),
            ..Comparison::default()
        }
    }
}

/// The places of code and data on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Places {
    AsLinked,
    /// Both sides ran the same file.
    Same,
    /// In layouts, functions lay at the same places on both sides, and data at random ones.
    Random,
}

/// Returns the verdict after what is known about the code, if the largest change found is this one.
fn by_code(found: Verdict, change: f64, code: &CodeMatch, places: Places) -> Judgement {
    let may_be_placement = |max: f64| change.ln_1p().abs() <= max.ln_1p();
    match (code, places) {
        // Whatever differs, it isn't the place.
        (CodeMatch::Same, Places::Random) => (found, Some(Reason::SameCodeAtSamePlaces)),
        (CodeMatch::Uncertain, Places::Random) => (found, Some(Reason::UncertainCode)),
        (CodeMatch::Same, Places::Same) => {
            let may_be_placement = may_be_placement(MAX_UNCERTAIN_PLACEMENT_EFFECT);
            let verdict = if may_be_placement { Verdict::Unsure } else { found };
            (verdict, Some(Reason::SameCodeAtSamePlaces))
        }
        (CodeMatch::Same, Places::AsLinked) if may_be_placement(MAX_PLACEMENT_EFFECT) => {
            (Verdict::Placement, None)
        }
        (CodeMatch::Same, Places::AsLinked) => (found, Some(Reason::SameCodeLargeChange)),
        (CodeMatch::Uncertain, _) if may_be_placement(MAX_UNCERTAIN_PLACEMENT_EFFECT) => {
            (Verdict::Unsure, Some(Reason::UncertainCode))
        }
        _ => (found, exception_of(code)),
    }
}

/// Returns the reason if calls of the candidate may leave to other threads what those of the baseline did.
fn may_pass_work_on(details: &PairedDetails) -> Option<Reason> {
    let takes_more = details.processor_ratio.is_some_and(|ratio| ratio >= MIN_PROCESSOR_RATIO);
    let is_busy = details.busy == [false, true];
    takes_more.then_some(Reason::MoreProcessorTime).or(is_busy.then_some(Reason::BusyCandidate))
}

/// Returns what else differs although the code is the same.
fn exception_of(code: &CodeMatch) -> Option<Reason> {
    if let CodeMatch::SameExcept(exception) = code { Some(Reason::SameCodeExcept(*exception)) } else { None }
}

/// Returns the verdict after what the samples can't show.
fn by_limits(
    (verdict, reason): Judgement,
    below_resolution: Option<Reason>,
    details: &PairedDetails,
) -> Judgement {
    match (verdict, details.busy) {
        // Its samples can't show the cost of these.
        (Verdict::Same, [false, true]) => (Verdict::Unsure, Some(Reason::BusyCandidate)),
        (Verdict::Same, [true, false]) => (Verdict::Unsure, Some(Reason::BusyBaseline)),
        // What is like an empty benchmark isn't known to be slower than anything.
        (Verdict::Slower, _)
            if below_resolution == Some(Reason::BelowResolution) && details.question == Question::Typical =>
        {
            (Verdict::Unsure, below_resolution)
        }
        _ => (verdict, reason.or(below_resolution)),
    }
}

/// Returns the figures of the baseline, as the change has them: it comes from pairs, and the medians of
/// the two sides mix faster and slower moments in different ways, so they would seem to contradict it.
fn baseline_figures(
    baseline: &Measurement,
    candidate: &Measurement,
    change: Option<&Change>,
) -> Option<Summary> {
    let figures = Summary::from_measurement(baseline)?;
    Some(match (change, Summary::from_measurement(candidate)) {
        (Some(change), Some(now)) => Summary { median: now.median / (1.0 + change.estimate), ..figures },
        _ => figures,
    })
}
