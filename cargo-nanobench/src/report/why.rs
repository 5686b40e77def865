//! The reasons of a change in the machine code, in words.

use crate::baseline::{BaselineRef, OtherSide};
use crate::code::{ChangedFunction, CodeChange, CodeMatch, Exception, Place};
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

/// Returns the reasons in one line, if any are known, with the nearest function of the user, or else the
/// nearest of all: `a::parse grew from 210 to 260 bytes; a::split_at is no longer inlined there`.
pub(crate) fn short(functions: &[ChangedFunction]) -> Option<String> {
    let nearest = functions.first()?;
    let is_reached_alike = |other: &&ChangedFunction| other.distance.is_some() == nearest.distance.is_some();
    let mut own =
        functions.iter().filter(is_reached_alike).filter(|function| !is_of_standard_library(function));
    let told = own.next().unwrap_or(nearest);
    let most = told.changes.first().map(|change| "; ".to_owned() + &reason(change, &Words::pronouns()));
    let more = match functions.len() - 1 {
        0 => String::new(),
        1 => "; 1 other function differs, too".to_owned(),
        more => format!("; {more} other functions differ, too"),
    };
    Some(format!("{} {}{}{more}", name(told), size(told), most.unwrap_or_default()))
}

/// Returns whether a function is one of the standard library, of which users know less than of their
/// own. Code of theirs may be inlined into it.
fn is_of_standard_library(function: &ChangedFunction) -> bool {
    let path = function.name.as_deref().unwrap_or_default();
    ["alloc::", "core::", "std::"].iter().any(|library| path.starts_with(library))
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
    (is_known && by.abs() >= SAME_TIME).then(|| format!("; time per instruction: {}", change(by)))
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
    let most = changed.first().and_then(|first| Some(reason(first.changes.first()?, &Words::naming(first))));
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

/// Returns the function that executes most of the further instructions: `all in a::parse`, or
/// `all in a::parse, which is called 3 times instead of once`.
fn place([before, now]: [&CallCounts; 2], more: f64) -> Option<String> {
    let of = |counts: &CallCounts, function: &CountedFunction| {
        let own = counts.functions.iter().filter(|count| count.function == *function);
        own.map(|count| count.instructions).sum::<f64>()
    };
    let functions = before.functions.iter().chain(&now.functions).map(|count| &count.function);
    let growth = |function: &CountedFunction| (of(now, function) - of(before, function)) * more.signum();
    let (function, by) =
        functions.map(|function| (function, growth(function))).max_by(|(_, a), (_, b)| a.total_cmp(b))?;
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

/// Returns the line of a benchmark without a function that differs.
fn nothing(found: &CodeMatch) -> String {
    let text = match found {
        CodeMatch::Same => {
            "the code and its data are the same: a difference in time comes from the place of the code or of its data, from \
             other libraries or files, or from the environment"
        }
        CodeMatch::SameExcept(Exception::Startup) => {
            "the code is the same, but the program starts differently"
        }
        CodeMatch::SameExcept(Exception::Files) => "the code is the same, but it may read other files",
        CodeMatch::SameExcept(Exception::Libraries) => "the code is the same, but the libraries may differ",
        CodeMatch::Differs(_) => "the timed code is the same, but not the code that prepares it",
        CodeMatch::Uncertain => "nothing is known to differ, but some data can't be compared",
        CodeMatch::Unknown => "the machine code can't be compared",
    };
    format!("{text}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions::{FunctionCount, Step};

    fn function(sizes: [u64; 2], changes: Vec<CodeChange>) -> ChangedFunction {
        ChangedFunction::fixture("a::parse", sizes, changes)
    }

    /// Returns the counts of a benchmark that calls a function this often.
    fn counts(calls: f64, of_one: f64) -> CallCounts {
        CallCounts {
            step: Step::SingleSteps,
            count: 1,
            instructions: 10.0 + calls * of_one,
            branches: 0.0,
            allocations: 0.0,
            reallocations: 0.0,
            uses_allocator: false,
            functions: vec![FunctionCount {
                function: CountedFunction::Named("a::parse".into()),
                calls,
                instructions: calls * of_one,
            }],
        }
    }

    #[test]
    fn the_measured_change_comes_first() {
        let more = [counts(1.0, 90.0), counts(1.0, 110.0)];
        let by_instructions = "+22.0 %: 20 more instructions a call (+20.0 %), all in a::parse; allocations the \
                               same (single steps)\n";
        assert_eq!(sentence(Some(0.22), Some(&more), &[]), by_instructions);
        let slow = "allocations the same; time per instruction: +150.0 % (single steps)\n";
        assert!(sentence(Some(2.0), Some(&more), &[]).ends_with(slow));
        let inlined = function([1, 2], vec![CodeChange::NoLongerInlined("a::split".into())]);
        let lost = "all in a::parse; a::split is no longer inlined in a::parse; allocations the same";
        assert!(sentence(None, Some(&more), &[inlined]).contains(lost));
        let caller = |change| [ChangedFunction::fixture("a::caller", [1, 2], vec![change])];
        let divisions = sentence(None, Some(&more), &caller(CodeChange::MoreDivisions));
        assert!(divisions.contains("all in a::parse; a::caller has more divisions; "), "{divisions}");
        let data = sentence(None, Some(&more), &caller(CodeChange::OtherData(None)));
        assert!(data.contains("; a::caller's data differ; "), "{data}");
        let few = [counts(1.0, 1.0), counts(1.0, 2.0)];
        assert!(!sentence(Some(2.0), Some(&few), &[]).contains("time per"), "the loop takes part of it");
        assert_eq!(sentence(Some(0.2), None, &[]), "");
        assert_eq!(sentence(None, None, &[function([1, 2], Vec::new())]), "", "the function follows");
        let grown = sentence(Some(0.2), None, &[function([1, 2], Vec::new())]);
        assert_eq!(grown, "+20.0 %: a::parse grew from 1 to 2 bytes\n");
    }

    #[test]
    fn the_other_side_is_named_as_typed() {
        let last = OtherSide::Baseline { name: "last".into(), created: jiff::Timestamp::UNIX_EPOCH };
        assert!(heading("a::b", &last).ends_with(", compared with the last run\n"));
        let commit = "6675360f9858db42df9666f305c9c15409697e78";
        let revision = |name: &str| OtherSide::Revision { name: name.into(), commit: commit.into() };
        assert!(heading("a", &revision("HEAD")).ends_with("compared with HEAD (6675360)\n"));
        assert!(heading("a", &revision("6675360f98")).ends_with("compared with 6675360\n"));
        let same = |other_side| functions(&[], &[], &CodeMatch::Same, &other_side);
        assert!(same(last).ends_with("--baseline NAME, or --against REV\n"));
        assert!(!same(revision("HEAD")).contains("--baseline"));
    }

    #[test]
    fn the_short_form_has_the_nearest_function_and_its_first_change() {
        assert_eq!(short(&[]), None);
        let inlined = vec![CodeChange::NoLongerInlined("a::split".into()), CodeChange::MoreDivisions];
        let grown = function([210, 260], inlined);
        let text = "a::parse grew from 210 to 260 bytes; a::split is no longer inlined there";
        assert_eq!(short(std::slice::from_ref(&grown)).as_deref(), Some(text));
        let two = [grown, function([8, 4], Vec::new())];
        assert_eq!(short(&two), Some(format!("{text}; 1 other function differs, too")));
        let mut of_library = function([8, 4], Vec::new());
        of_library.name = Some("std::thread::run".to_owned());
        assert!(short(std::slice::from_ref(&of_library)).unwrap().starts_with("std::thread::run shrank"));
        let mut of_set_up = function([8, 4], Vec::new());
        (of_set_up.name, of_set_up.distance) = (Some("a::fill".to_owned()), None);
        let text = |functions: [&ChangedFunction; 3]| short(&functions.map(Clone::clone)).unwrap();
        assert!(text([&of_library, &two[0], &of_set_up]).starts_with("a::parse grew"));
        assert!(text([&of_library, &of_library, &of_set_up]).starts_with("std::thread::run shrank"));
        let data = function([16, 16], vec![CodeChange::OtherData(Some("a::TABLE".into()))]);
        assert_eq!(short(&[data]).unwrap(), "a::parse has the same code; its data a::TABLE differ");
        let mut same_size = function([16, 16], Vec::new());
        same_size.name = None;
        assert_eq!(
            short(&[same_size]).unwrap(),
            "the benchmark itself has different code of the same size, 16 bytes"
        );
    }

    #[test]
    fn what_is_inlined_into_the_timed_loop_is_the_benchmark_itself() {
        let inlined = |instructions| {
            let function = FunctionCount { function: CountedFunction::Benchmark, calls: 1.0, instructions };
            CallCounts { instructions, functions: vec![function], ..counts(0.0, 0.0) }
        };
        let text = sentence(None, Some(&[inlined(10.0), inlined(36.0)]), &[]);
        assert!(
            text.starts_with("26 more instructions a call (+260.0 %), all in the benchmark itself; "),
            "{text}"
        );
    }

    #[test]
    fn a_function_that_is_called_more_often_is_a_reason() {
        let text = |now| sentence(None, Some(&[counts(1.0, 30.0), now]), &[]);
        let more = "60 more instructions a call (+150.0 %), all in a::parse, which is called 3 times \
                    instead of once; allocations the same (single steps)\n";
        assert_eq!(text(counts(3.0, 30.0)), more);
        let slower = "30 more instructions a call (+75.0 %), all in a::parse; allocations the same";
        assert!(text(counts(1.0, 60.0)).starts_with(slower));
        assert!(text(counts(2.0, 60.0)).contains("all in a::parse; "), "each call is slower, too");
        let of_many = text(CallCounts { count: 64, ..counts(1.0, 60.0) });
        assert!(of_many.starts_with("30 more instructions a call with a count of 64 (+75.0 %)"), "{of_many}");
    }

    #[test]
    fn hostile_names_are_escaped() {
        let hostile = function([1, 2], vec![CodeChange::Calls("\u{1b}[2J".into())]);
        assert!(short(&[hostile]).unwrap().ends_with("it calls \\u{1b}[2J now"));
    }
}
