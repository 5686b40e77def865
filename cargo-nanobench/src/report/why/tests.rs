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
    let fewer = sentence(Some(0.11), Some(&[counts(1.0, 110.0), counts(1.0, 90.0)]), &[]);
    assert!(fewer.contains("time per instruction: +33.2 %, so what they wait for outweighs"), "{fewer}");
    let inlined = function([1, 2], vec![CodeChange::NoLongerInlined("a::split".into())]);
    let lost = "all in a::parse; a::split is no longer inlined in a::parse; allocations the same";
    assert!(sentence(None, Some(&more), &[inlined]).contains(lost));
    let caller = |change| [ChangedFunction::fixture("a::caller", [1, 2], vec![change])];
    let divisions = sentence(None, Some(&more), &caller(CodeChange::MoreDivisions));
    assert!(divisions.contains("all in a::parse; a::caller has more divisions; "), "{divisions}");
    let [nearer] = caller(CodeChange::MoreDivisions);
    let cause = function([1, 2], vec![CodeChange::Allocates]);
    let both = sentence(None, Some(&more), &[nearer, cause]);
    assert!(both.contains("all in a::parse; a::parse allocates now; "), "what executes them: {both}");
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
    let mut grown_most = ChangedFunction::fixture("a::deep", [8, 90], Vec::new());
    grown_most.instructions = [2, 30];
    assert!(short(&[two[0].clone(), grown_most]).unwrap().starts_with("a::deep grew from 8 to 90 bytes"));
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
