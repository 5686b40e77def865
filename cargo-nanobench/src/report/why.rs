//! The reasons of a change in the machine code, in words.

use crate::baseline::{BaselineRef, OtherSide};
use crate::code::{ChangedFunction, CodeChange, CodeMatch, Exception, Place, is_in_standard_library};
use crate::instructions::{CallCounts, CountedFunction};
use crate::style::{HEADING, paint};
use nanobench::report::{change, counted, escape};

/// The smallest difference between counts of instructions that is shown.
const MIN_DIFFERENCE: f64 = 0.5;
/// The largest difference between the instructions of two calls of a function that do the same work,
/// as a share.
const SAME_WORK: f64 = 0.02;
/// The largest change of the time per instruction that isn't reported, as a share. Different
/// instructions take different times.
const SAME_TIME: f64 = 0.1;
/// The smallest number of instructions whose time is reported. If there are fewer, the loop takes
/// most of the time.
const MIN_INSTRUCTIONS: f64 = 20.0;

/// Returns the reasons in one line, if any are known, with the function of the user that changed most, or
/// else the nearest of all: `a::parse grew from 210 to 260 bytes; a::split_at is no longer inlined there`.
pub(crate) fn short(functions: &[ChangedFunction]) -> Option<String> {
    let nearest = functions.first()?;
    let is_reached_alike = |other: &&ChangedFunction| other.distance.is_some() == nearest.distance.is_some();
    // Users know less of the standard library than of their own functions.
    let is_own = |function: &&ChangedFunction| !function.name.as_deref().is_some_and(is_in_standard_library);
    let own = functions.iter().filter(is_reached_alike).filter(is_own);
    // Of several that changed as much, the nearest.
    let difference =
        |function: &&ChangedFunction| function.instructions[0].abs_diff(function.instructions[1]);
    let told = own.rev().max_by_key(difference).unwrap_or(nearest);
    let most = told.changes.first().map(|change| "; ".to_owned() + &reason(change, &Words::pronouns()));
    let more = match functions.len() - 1 {
        0 => String::new(),
        1 => "; 1 other function differs, too".to_owned(),
        more => format!("; {more} other functions differ, too"),
    };
    Some(format!("{} {}{}{more}", name(told), size(told), most.unwrap_or_default()))
}

/// The name of the timed loop, with what is inlined into it.
const BENCHMARK: &str = "the benchmark itself";

/// Returns the name of a function, or of the timed loop.
pub(super) fn name(function: &ChangedFunction) -> String {
    function.name.as_deref().map_or_else(|| BENCHMARK.to_owned(), escape)
}

/// Returns the change of a function's size.
fn size(function: &ChangedFunction) -> String {
    let [before, now] = function.sizes;
    if before != now {
        let verb = if now > before { "grew" } else { "shrank" };
        format!("{verb} from {before} to {now} bytes")
    } else if function.has_same_code() {
        "has the same code".to_owned()
    } else {
        format!("has different code of the same size, {}", counted(now as usize, "byte"))
    }
}

/// The words for a function in the description of its changes.
struct Words {
    it: String,
    its: String,
    there: String,
}

impl Words {
    /// Returns those below or behind its name.
    fn pronouns() -> Words {
        Words { it: "it".to_owned(), its: "its".to_owned(), there: "there".to_owned() }
    }

    /// Returns those where nothing in front of them names the function.
    fn naming(function: &ChangedFunction) -> Words {
        let it = name(function);
        let its = if function.name.is_some() { format!("{it}'s") } else { "the benchmark's".to_owned() };
        Words { its, there: format!("in {it}"), it }
    }
}

/// Returns a change of a function in words.
fn reason(change: &CodeChange, Words { it, its, there }: &Words) -> String {
    match change {
        CodeChange::Allocates => format!("{it} allocates now"),
        CodeChange::NoLongerAllocates => format!("{it} no longer allocates"),
        CodeChange::NoLongerInlined(callee) => format!("{} is no longer inlined {there}", escape(callee)),
        CodeChange::NowInlined(callee) => format!("{} is inlined {there} now", escape(callee)),
        CodeChange::Calls(callee) => format!("{it} calls {} now", escape(callee)),
        CodeChange::NoLongerCalls(callee) => format!("{it} no longer calls {}", escape(callee)),
        CodeChange::MoreBoundsChecks => format!("{it} has more bounds checks"),
        CodeChange::FewerBoundsChecks => format!("{it} has fewer bounds checks"),
        CodeChange::MoreIndirectCalls => format!("{it} has more indirect calls"),
        CodeChange::FewerIndirectCalls => format!("{it} has fewer indirect calls"),
        CodeChange::NoLongerVectorised => format!("{it} is no longer vectorised"),
        CodeChange::NowVectorised => format!("{it} is vectorised now"),
        CodeChange::MoreDivisions => format!("{it} has more divisions"),
        CodeChange::FewerDivisions => format!("{it} has fewer divisions"),
        CodeChange::MoreAtomics => format!("{it} has more atomic instructions"),
        CodeChange::FewerAtomics => format!("{it} has fewer atomic instructions"),
        CodeChange::OtherData(Some(data)) => format!("{its} data {} differ", escape(data)),
        CodeChange::OtherData(None) => format!("{its} data differ"),
    }
}

/// Returns the line above an explanation.
pub(crate) fn heading(id: &str, other_side: &OtherSide) -> String {
    format!("{}, compared with {}\n", paint(HEADING, &escape(id)), other_side_name(other_side))
}

/// Returns the name of the other side: `the last run`, `the previous run`, `main`, `HEAD (3f2a91c)`.
pub(crate) fn other_side_name(other_side: &OtherSide) -> String {
    let short = |commit: &str| commit.get(..7).unwrap_or(commit).to_owned();
    match other_side {
        OtherSide::Baseline { name, .. } => match name.parse() {
            Ok(run @ (BaselineRef::Last | BaselineRef::BeforeLast)) => run.to_string(),
            _ => escape(name),
        },
        OtherSide::Revision { name, commit } if commit.starts_with(name) => short(commit),
        OtherSide::Revision { name, commit } => format!("{} ({})", escape(name), short(commit)),
    }
}

/// Returns the sentence that puts it together: `+11.8 %: 37 more instructions a call (+9.0 %), all
/// in a::parse; allocations the same (callgrind)`. Empty if nothing is known. `time`: the measured
/// change, as a share.
pub(crate) fn sentence(
    time: Option<f64>,
    counts: Option<&[CallCounts; 2]>,
    changed: &[ChangedFunction],
) -> String {
    let measured = time.map(change);
    let Some(counts) = counts else {
        let reason = time.and(short(changed));
        return measured.zip(reason).map_or_else(String::new, |(time, reason)| format!("{time}: {reason}\n"));
    };
    let measured = measured.map_or_else(String::new, |time| time + ": ");
    let of_one = time.and_then(|time| time_per_instruction(time, counts)).unwrap_or_default();
    format!("{measured}{}{of_one} ({})\n", of_call(counts, changed), counts[0].step.name())
}

/// Returns a part of the sentence about the time that an instruction takes on average, if that
/// changed: then the instructions explain only a part of the change.
fn time_per_instruction(time: f64, [before, now]: &[CallCounts; 2]) -> Option<String> {
    let by = (1.0 + time) * before.instructions / now.instructions - 1.0;
    let is_known = before.instructions >= MIN_INSTRUCTIONS && now.instructions >= MIN_INSTRUCTIONS;
    let is_opposite = time * (now.instructions / before.instructions - 1.0) < 0.0;
    let why = if is_opposite { ", so what they wait for outweighs their number" } else { "" };
    (is_known && by.abs() >= SAME_TIME).then(|| format!("; time per instruction: {}{why}", change(by)))
}

/// Returns the exact counts of one call: `37 more instructions a call (+9.0 %), all in a::parse;
/// allocations the same`.
fn of_call([before, now]: &[CallCounts; 2], changed: &[ChangedFunction]) -> String {
    let more = now.instructions - before.instructions;
    let by = change(more / before.instructions.max(1.0));
    let with_count = if now.count == 1 { String::new() } else { format!(" with a count of {}", now.count) };
    let instructions = if more.abs() < MIN_DIFFERENCE {
        format!("the same number of instructions a call{with_count}, {:.0}", now.instructions)
    } else {
        let word = if more > 0.0 { "more" } else { "fewer" };
        let place = place([before, now], more).map(|place| format!(", {place}")).unwrap_or_default();
        format!("{:.0} {word} instructions a call{with_count} ({by}){place}", more.abs())
    };
    let grown = most_grown([before, now], more).map(|(function, _)| function);
    let is_grown = |changed: &&ChangedFunction| match (grown, &changed.name) {
        (Some(CountedFunction::Named(grown)), Some(name)) => grown == name,
        (grown, name) => grown == Some(&CountedFunction::Benchmark) && name.is_none(),
    };
    let told = changed.iter().find(is_grown).or(changed.first());
    let most = told.and_then(|told| Some(reason(told.changes.first()?, &Words::naming(told))));
    let reason = most.map(|reason| format!("; {reason}")).unwrap_or_default();
    let allocations = if before.allocations == now.allocations {
        "allocations the same".to_owned()
    } else {
        format!("allocations: {} instead of {}", now.allocations, before.allocations)
    };
    let reallocations = if before.reallocations == now.reallocations {
        String::new()
    } else {
        format!(", reallocations: {} instead of {}", now.reallocations, before.reallocations)
    };
    format!("{instructions}{reason}; {allocations}{reallocations}")
}

/// Returns the function that executes most of the further instructions, with their number.
fn most_grown([before, now]: [&CallCounts; 2], more: f64) -> Option<(&CountedFunction, f64)> {
    let of = |counts: &CallCounts, function: &CountedFunction| {
        let own = counts.functions.iter().filter(|count| count.function == *function);
        own.map(|count| count.instructions).sum::<f64>()
    };
    let functions = before.functions.iter().chain(&now.functions).map(|count| &count.function);
    let growth = |function: &CountedFunction| (of(now, function) - of(before, function)) * more.signum();
    functions.map(|function| (function, growth(function))).max_by(|(_, a), (_, b)| a.total_cmp(b))
}

/// Returns the function that executes most of the further instructions: `all in a::parse`, or
/// `all in a::parse, which is called 3 times instead of once`.
fn place([before, now]: [&CallCounts; 2], more: f64) -> Option<String> {
    let (function, by) = most_grown([before, now], more)?;
    let name = match function {
        CountedFunction::Benchmark => BENCHMARK.to_owned(),
        CountedFunction::Named(name) => escape(name),
        CountedFunction::Nameless => return None,
    };
    let name = name + &often(function, [before, now]).unwrap_or_default();
    let share = by / more.abs();
    if (share - 1.0).abs() < 0.005 {
        Some(format!("all in {name}"))
    } else {
        Some(format!("{by:.0} of them in {name}")).filter(|_| share > 0.5 && share < 1.0)
    }
}

/// Returns how much more or less often a function is called, if each of its calls executes as many
/// instructions as before: the difference is then in its callers.
fn often(function: &CountedFunction, sides: [&CallCounts; 2]) -> Option<String> {
    let of = |counts: &CallCounts| {
        let own = || counts.functions.iter().filter(|count| count.function == *function);
        let calls: f64 = own().map(|count| count.calls).sum();
        (calls, own().map(|count| count.instructions).sum::<f64>() / calls)
    };
    let [(before, of_one_before), (now, of_one_now)] = sides.map(of);
    let is_same_work = (of_one_now / of_one_before - 1.0).abs() <= SAME_WORK;
    (is_same_work && (now - before).abs() > MIN_DIFFERENCE)
        .then(|| format!(", which is called {} instead of {}", times(now), times(before)))
}

/// Returns a number of calls: `once`, `3 times`.
fn times(number: f64) -> String {
    if (number - 1.0).abs() < 0.005 { "once".to_owned() } else { format!("{} times", decimal(number)) }
}

/// Returns a number without needless decimals.
fn decimal(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// Returns the functions that differ, with their places in the source and all of their changes, or a
/// line that tells what else may differ.
pub(crate) fn functions(
    changed: &[ChangedFunction],
    places: &[Option<Place>],
    found: &CodeMatch,
    other_side: &OtherSide,
) -> String {
    if changed.is_empty() {
        let advice = if other_side.is_last_run() {
            "the last run measured this code already; to compare with older code: --baseline NAME, or --against REV\n"
        } else {
            ""
        };
        return nothing(found) + advice;
    }
    let mut text = String::new();
    for (function, place) in changed.iter().zip(places) {
        let distance = match function.distance {
            Some(0) => String::new(),
            Some(distance) => format!(", {} away", counted(distance, "call")),
            None => ", reached from the set-up".to_owned(),
        };
        let [before, now] = function.instructions;
        let place = place.as_ref().map(|Place { file, line }| format!("  {}:{line}\n", escape(file)));
        text += &format!("\n{}{distance}: {}\n", paint(HEADING, &name(function)), size(function));
        text += &place.unwrap_or_default();
        if before != now {
            text += &format!("  {before} -> {now} instructions\n");
        }
        for change in &function.changes {
            text += &format!("  {}\n", reason(change, &Words::pronouns()));
        }
    }
    text
}

/// Returns the lines about what a verdict rests on besides the executables, if it isn't equal.
pub(crate) fn premises(premises: &[String]) -> String {
    let line = |premise: &String| format!("  {}\n", escape(premise));
    match premises {
        [] => String::new(),
        some => format!("\nnot known to be equal:\n{}", some.iter().map(line).collect::<String>()),
    }
}

/// Returns the line of a benchmark without a function that differs.
fn nothing(found: &CodeMatch) -> String {
    let text = match found {
        CodeMatch::Same => {
            "the code and its data are the same: a difference in time comes from the place of the code or of its data, from \
             other libraries or files, or from the environment"
        }
        CodeMatch::SameExcept(Exception::Preparation) | CodeMatch::Differs(_) => {
            "the timed code is the same, but not the code that prepares it"
        }
        CodeMatch::SameExcept(Exception::Startup) => {
            "the code is the same, but the program starts differently"
        }
        CodeMatch::SameExcept(Exception::Files) => "the code is the same, but it may read other files",
        CodeMatch::SameExcept(Exception::Libraries) => "the code is the same, but the libraries may differ",
        CodeMatch::SameExcept(Exception::Programs) => {
            "the code is the same, but programs that it may start differ"
        }
        CodeMatch::SameExcept(Exception::Variables) => {
            "the code is the same, but variables that it may read differ"
        }
        CodeMatch::Uncertain => "nothing is known to differ, but some data can't be compared",
        CodeMatch::Unknown => "the machine code can't be compared",
    };
    format!("{text}\n")
}

#[cfg(test)]
mod tests;
