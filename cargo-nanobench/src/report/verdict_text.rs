//! Comparisons in words.

use super::{answer_text, lost_work};
use crate::code::{ChangedFunction, Exception};
use crate::experiment::{Comparison, InstructionChange, LayoutFindings, PairedDetails, Reason, Row};
use nanobench::report::{change, escape};
use std::time::Duration;
use verdicts::{Agreement, Question, Verdict};

/// The text before the function whose machine code differs.
const OTHER_CODE: &str = "different machine code in";
/// The text before the function whose data differ.
const OTHER_DATA: &str = "different data in";

/// The remark on `unsure` if no reasonable time would decide it.
pub(super) const TOO_LONG: &str = ": would take too long";
/// The remark on `unsure` if the budget ran out before the first figure.
const TOO_EARLY: &str = ": too little time";

/// The words for a benchmark whose code and data are those of the baseline.
pub(super) const IDENTICAL: &str = "identical code";

/// Returns whether the verdict follows from identical code alone: nothing was measured side by side, and
/// stored figures may differ.
pub(super) fn is_identical(comparison: &Comparison) -> bool {
    let is_reason = matches!(comparison.reason, Some(Reason::SameExecutable | Reason::SameCode));
    is_reason && comparison.not_paired.is_none()
}

/// Returns the word of the verdict. `room`: the characters that there is room for.
pub(super) fn word(comparison: &Comparison, room: Option<usize>) -> String {
    let words = match comparison.verdict {
        _ if is_identical(comparison) => vec![IDENTICAL],
        Verdict::New if comparison.reason == Some(Reason::OtherUnit) => {
            vec!["unit changed: not compared", "unit changed"]
        }
        Verdict::Placement => vec!["same code, placed elsewhere", "placed elsewhere"],
        verdict => vec![verdict.told()],
    };
    fitting(room, words.into_iter().map(str::to_owned))
}

/// Returns the first of these texts, the longest first, that there is room for, or else the last one.
fn fitting(room: Option<usize>, texts: impl IntoIterator<Item = String>) -> String {
    let mut texts = texts.into_iter().peekable();
    let fits = |text: &String| room.is_none_or(|room| text.len() <= room);
    loop {
        match texts.next() {
            Some(text) if fits(&text) || texts.peek().is_none() => return text,
            Some(_) => {}
            None => return String::new(),
        }
    }
}

/// Returns the text behind the word of the verdict: ` (any change is under 0.4 %)` or `: needs about 3 s
/// more`. `room`: the characters that there is room for, behind the word.
pub(super) fn remark(comparison: &Comparison, room: Option<usize>) -> String {
    if is_identical(comparison) || comparison.reason == Some(Reason::OtherUnit) {
        return String::new();
    }
    let beyond_typical = answer_text::remark(comparison);
    match (comparison.reason, &comparison.not_paired) {
        // The line above the table explains it once for all rows.
        (None | Some(Reason::MeasuredEarlier), None) => {}
        (Some(reason @ (Reason::UncertainCode | Reason::SameCodeAtSamePlaces)), None)
            if comparison.verdict == Verdict::Unsure =>
        {
            return format!(": {}", reason_text(reason));
        }
        _ => {
            let reason = reason(comparison).map_or_else(String::new, |reason| format!(": {reason}"));
            return beyond_typical.or_else(|| bounds(comparison, room)).unwrap_or_default() + &reason;
        }
    }
    if let Some(beyond_typical) = beyond_typical {
        return beyond_typical;
    }
    let average = answer_text::average_apart(comparison).map(|by| format!("average {}", change(by)));
    if let Some(agreement) = agreement(comparison) {
        let short = average.as_ref().map(|average| format!(" ({average})")).unwrap_or_default();
        let all = [agreement].into_iter().chain(average).collect::<Vec<_>>().join(", ");
        return fitting(room, [format!(" ({all})"), short]);
    }
    if let Some(bounds) = average.map(|average| format!(" ({average})")).or_else(|| bounds(comparison, room))
    {
        return bounds;
    }
    match &comparison.paired {
        Some(paired) if comparison.verdict == Verdict::Unsure => {
            match (paired.time_to_decide, comparison.change) {
                (Some(more), _) => needs_more(more, room),
                (None, Some(_)) => TOO_LONG.to_owned(),
                // The budget ran out, or Ctrl-C came.
                (None, None) => TOO_EARLY.to_owned(),
            }
        }
        _ => String::new(),
    }
}

/// Returns the bounds of a `same`: ` (any change is under 0.4 %)`, or ` (typical under 0.4 %, average under
/// 7 %)` if the average may have grown by more than the first suggests. If there is no room for both, the
/// second is the one to know.
fn bounds(comparison: &Comparison, room: Option<usize>) -> Option<String> {
    let typical = format!("under {}", share(comparison.bound()?));
    Some(match comparison.bound_of_grown_average().map(average_under) {
        None => fitting(room, [format!(" (any change is {typical})"), format!(" ({typical})")]),
        Some(average) => fitting(room, [format!(" (typical {typical}, {average})"), format!(" ({average})")]),
    })
}

/// Returns the bound of an average, in whole percent: `average under 7 %`.
pub(super) fn average_under(bound: f64) -> String {
    // In floating point, 0.07 x 100 is more than 7.
    format!("average under {:.0} %", (bound * 100.0 - 1e-9).ceil())
}

/// Returns the verdict of a row: its word, and the [`remark`] behind it, for which there is `room`
/// altogether.
pub(super) fn of_row(row: &Row, comparison: &Comparison, room: Option<usize>) -> (String, String) {
    let word = word(comparison, room);
    let room = room.map(|room| room.saturating_sub(word.len()));
    match lost_work::of_change(row) {
        Some(loss) => (word, format!(": {loss}")),
        None if is_identical(comparison) => {
            let not = if row.is_not_run() { "not run" } else { "not compared" };
            (format!("{not}: {word}"), String::new())
        }
        None => (word, remark(comparison, room)),
    }
}

/// Returns the remark on `unsure` with the time that would decide it: `: needs about 3 s more`.
pub(super) fn needs_more(more: Duration, room: Option<usize>) -> String {
    let time = rounded_up(more.max(Duration::from_secs(1)));
    fitting(room, [format!(": needs about {time} more"), format!(": needs {time}")])
}

/// Returns the grounds of the verdict, if the figures alone don't show them.
pub(super) fn reason(comparison: &Comparison) -> Option<String> {
    let Some(error) = obstacle(comparison) else {
        let ratio = comparison.paired.as_ref().and_then(|paired| paired.processor_ratio);
        return Some(match (comparison.reason?, comparison.instructions, ratio) {
            (Reason::OnlyCounted, Some(counts), _) => instructions(&counts),
            (reason @ Reason::MoreProcessorTime, _, Some(ratio)) => {
                format!("{}, {ratio:.1} times the baseline's", reason_text(reason))
            }
            (reason, ..) => reason_text(reason).to_owned(),
        });
    };
    Some(match comparison.reason {
        None | Some(Reason::MeasuredEarlier | Reason::StoredFigures) => format!("not side by side: {error}"),
        Some(reason) => format!("{}; not side by side: {error}", reason_text(reason)),
    })
}

/// Returns the obstacle to a paired run, in one line: it may quote a panic.
pub(super) fn obstacle(comparison: &Comparison) -> Option<String> {
    comparison.not_paired.as_ref().map(|error| escape(&error.to_string().replace('\n', "; ")))
}

/// Returns the instructions of a call on both sides.
fn instructions(&InstructionChange { before, now, .. }: &InstructionChange) -> String {
    if before == now {
        format!("{now:.0} instructions a call, as before")
    } else {
        format!("{now:.0} instructions a call instead of {before:.0}")
    }
}

fn reason_text(reason: Reason) -> &'static str {
    match reason {
        Reason::BelowResolution => "below resolution",
        Reason::BaselineBelowResolution => "the baseline is below resolution",
        Reason::SingleSample => "1 sample",
        Reason::MeasuredEarlier => "measured earlier",
        Reason::StoredFigures => "from stored figures",
        Reason::SameExecutable | Reason::SameCode => IDENTICAL,
        Reason::ChangedElsewhere => "the same code, so something else changed",
        Reason::OtherCount => "the baseline had another `count`",
        Reason::OtherUnit => "the baseline has another unit or batch",
        Reason::DidNotRecur => "the change shows in some launches only",
        Reason::Unconfirmed => "interrupted before the change was measured again",
        Reason::WorkLost => "the optimiser removed its work, or did it in advance",
        Reason::OtherCode => "different machine code; not run side by side, for lack of time",
        Reason::UnoptimizedLoop => "timed code is not optimised",
        Reason::OtherFigure => "a different time; not run side by side, for lack of time",
        Reason::OnlyCounted => "not run side by side, as only instructions count",
        Reason::BusyCandidate => {
            "its threads or processes are busy between calls, unlike the baseline's, which may slow down \
             other work"
        }
        Reason::MoreProcessorTime => "with its other threads, a call takes more processor time",
        Reason::BusyBaseline => {
            "the baseline's threads or processes are busy between calls, unlike those of this run"
        }
        Reason::OtherPath => "the paths of the two trees differ in length, which may explain it",
        Reason::NotAsStored => {
            "the same side by side, but not as stored: something that it calls or reads may have changed"
        }
        Reason::SameCodeLargeChange => "same code, so its input or its placement differs",
        Reason::SameCodeAtSamePlaces => {
            "same code as far as known, at the same places: something else differs"
        }
        Reason::UncertainCode => "no difference in the code was found; some data can't be compared",
        Reason::SameCodeExcept(Exception::Preparation) => {
            "same timed code, but not the code that prepares it"
        }
        Reason::SameCodeExcept(Exception::Startup) => "same code, but the program starts differently",
        Reason::SameCodeExcept(Exception::Files) => "same code, but files that it may read differ",
        Reason::SameCodeExcept(Exception::Libraries) => "same code, but libraries that it loads may differ",
        Reason::SameCodeExcept(Exception::Programs) => "same code, but programs that it may start differ",
        Reason::SameCodeExcept(Exception::Variables) => "same code, but variables that it may read differ",
    }
}

/// Returns which side's threads or processes are busy while no call runs, unless that is the ground of
/// the verdict.
pub(super) fn busy_between_calls(comparison: &Comparison) -> Option<&'static str> {
    let is_ground = matches!(comparison.reason, Some(Reason::BusyCandidate | Reason::BusyBaseline));
    match comparison.paired.as_ref().filter(|_| !is_ground)?.busy {
        [false, false] => None,
        [false, true] => Some("its threads or processes run between calls, unlike the baseline's"),
        [true, false] => {
            Some("threads or processes that the baseline started run between calls; this run has none")
        }
        [true, true] => Some("its threads or processes run between calls, like the baseline's"),
    }
}

/// Returns the whole comparison as a sentence.
pub(super) fn sentence(comparison: &Comparison) -> String {
    clauses(comparison).join("; ")
}

/// Returns the whole comparison in words: the verdict, the change, and what else was found.
pub(super) fn clauses(comparison: &Comparison) -> Vec<String> {
    let mut clauses = vec![word(comparison, None) + &remark(comparison, None)];
    let Some(by) = comparison.change else { return clauses };
    let interval = by
        .known_interval()
        .map(|known| format!(" ({} to {} with 95 % confidence)", change(known.low), change(known.high)));
    let changed = format!("changed by {}{}", change(by.estimate), interval.unwrap_or_default());
    let Some(paired) = &comparison.paired else {
        clauses.push(format!("{changed} compared with stored figures"));
        return clauses;
    };
    clauses.push(format!("{changed}, {}", pairs(paired)));
    let launches = paired.slow_launches.as_ref();
    let more = [
        paired.launch_noise.map(|noise| format!("noise between processes {}", share(noise))),
        paired.average.as_ref().map(|found| format!("average {}", answer_text::average(found))),
        launches.map(|slow| format!("processes: {}", answer_text::slow_launches(slow))),
        busy_between_calls(comparison).map(|busy| format!("busy: {busy}")),
        comparison.layouts().map(|found| format!("layouts {}", difference_of_layouts(found))),
        differing_function(paired),
    ];
    clauses.extend(more.into_iter().flatten());
    clauses
}

/// Returns the number of pairs, and how they ran: `in 46 pairs of fresh processes side by side, in
/// several layouts, 2 of them sampled for longer`.
pub(super) fn pairs(paired: &PairedDetails) -> String {
    let long = match paired.long_pairs {
        0 => String::new(),
        long => format!(", {long} of them sampled for longer"),
    };
    let layouts = if paired.layouts.is_some() { ", in several layouts" } else { "" };
    format!("in {} pairs of fresh processes side by side{layouts}{long}", paired.pairs)
}

/// Returns the function that differs, if it has a name: `different machine code in a::parse`.
pub(super) fn differing_function(paired: &PairedDetails) -> Option<String> {
    let name = paired.differs_in.as_ref()?;
    Some(format!("{} {name}", if has_other_data(paired) { OTHER_DATA } else { OTHER_CODE }))
}

/// Returns whether only the data of the function that differs do.
pub(super) fn has_other_data(paired: &PairedDetails) -> bool {
    let mut functions = paired.changed_functions.iter();
    let nearest = functions.find(|function| function.name.is_some() && function.name == paired.differs_in);
    nearest.is_some_and(ChangedFunction::has_same_code)
}

/// Returns by how much layouts of the same code differ: `differ by 3.1 %`.
pub(super) fn difference_of_layouts(layouts: &LayoutFindings) -> String {
    format!("differ by {}", share(layouts.difference))
}

/// Returns by how much layouts differ, and how many show a change, or why there are none.
pub(super) fn layouts(comparison: &Comparison) -> Option<String> {
    let paired = comparison.paired.as_ref()?;
    match (&paired.layouts, &paired.no_layouts) {
        (Some(found), _) => {
            let agreement = found.agreement.as_ref().map(|found| format!("; {}", agree(found)));
            Some(difference_of_layouts(found) + &agreement.unwrap_or_default())
        }
        (None, Some(reason)) => Some(format!("none: {}", escape(&reason.to_string()))),
        (None, None) => None,
    }
}

/// Returns the number of layouts that show a change of the typical time, if the verdict is about that
/// and it was tested in several: `15 of 16 layouts agree`.
pub(super) fn agreement(comparison: &Comparison) -> Option<String> {
    let layouts = comparison.layouts().filter(|_| comparison.question() == Question::Typical)?;
    layouts.agreement.as_ref().map(agree)
}

fn agree(Agreement { agreeing, layouts }: &Agreement) -> String {
    format!("{agreeing} of {layouts} layouts agree")
}

/// Formats a share without a sign, rounded up so that it stays a bound.
pub(crate) fn share(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 0.1 { "0.1 %".to_owned() } else { format!("{:.1} %", (percent * 10.0).ceil() / 10.0) }
}

/// Formats a time in seconds or minutes, rounded up.
pub(super) fn rounded_up(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds <= 90.0 { format!("{} s", seconds.ceil()) } else { format!("{} min", (seconds / 60.0).ceil()) }
}

#[cfg(test)]
mod tests;
