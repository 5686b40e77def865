//! `surface.txt` names every public item of divan, and each that is served or accepted is used here. Flags
//! and variables are those of a test of the whole product.

extern crate nanobench_divan as divan;

use divan::counter::{BytesCount, BytesFormat, CharsCount, Counter, CyclesCount, IntoCounter, ItemsCount};
use divan::{AllocProfiler, Bencher, Divan};
use std::alloc::{GlobalAlloc, System};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::time::Duration;

/// Lists names, each with code that uses the item.
macro_rules! uses {
    ($($name:literal => $code:expr;)*) => {
        /// The names, of code that compiles.
        const USED: &[&str] = &[$($name),*];

        #[expect(
            dead_code, unused_must_use, path_statements, clippy::no_effect,
            reason = "it only has to compile"
        )]
        fn used() {
            $({ $code; })*
        }
    };
}

fn bencher<'a, 'b>() -> Bencher<'a, 'b> {
    unreachable!("nothing calls the code that uses the items")
}

fn is<T: ?Sized>(_: impl FnOnce(&T)) {}
fn both<T: GlobalAlloc + Debug + Default>() {}
fn shown<T: Debug>() {}
fn made<T: Default + Debug>() {}
fn from<T: From<u8> + From<u64> + From<usize>>() {}

fn into<C: IntoCounter<Counter = ItemsCount>>(counter: C) -> impl Counter {
    counter.into_counter()
}

uses! {
    "main" => divan::main as fn();
    "black_box" => divan::black_box(5);
    "black_box_drop" => divan::black_box_drop(String::new());
    "prelude" => { use divan::prelude::*; is::<(Bencher<'_, '_>, Divan, AllocProfiler)>(|_| black_box_drop(black_box(1))) };
    "bench" => { #[divan::bench] fn f() {} };
    "bench_group" => { #[divan::bench_group] mod m {} };
    "AllocProfiler" => is::<AllocProfiler>(|_| ());
    "AllocProfiler::system" => { const A: AllocProfiler = AllocProfiler::system(); A };
    "AllocProfiler::new" => { const A: AllocProfiler<System> = AllocProfiler::new(System); A };
    "AllocProfiler: GlobalAlloc + Debug + Default" => both::<AllocProfiler<System>>();
    "Bencher" => bencher();
    "Bencher: Debug" => shown::<Bencher<'_, '_>>();
    "Bencher::bench" => bencher().bench(|| 5);
    "Bencher::bench_local" => { let mut n = 0; bencher().bench_local(|| n += 1) };
    "Bencher::with_inputs" => bencher().with_inputs(|| 5);
    "Bencher::counter" => bencher().counter(5usize).bench(|| 5);
    "Bencher::input_counter" => bencher().with_inputs(|| 5u8).input_counter(|n| *n).counter(BytesCount::u8(1)).bench_values(|n| n);
    "Bencher::count_inputs_as" => bencher().with_inputs(|| 5u8).count_inputs_as::<CharsCount>().bench_refs(|n| *n);
    "Bencher::bench_values" => bencher().with_inputs(String::new).bench_values(|text| text);
    "Bencher::bench_local_values" => { let mut n = 0; bencher().with_inputs(|| 5).bench_local_values(|m| n += m) };
    "Bencher::bench_refs" => bencher().with_inputs(String::new).bench_refs(|text| text.len());
    "Bencher::bench_local_refs" => { let mut n = 0; bencher().with_inputs(|| 5).bench_local_refs(|m| n += *m) };
    "Divan: Default + Debug" => made::<Divan>();
    "Divan::main" => Divan::default().main();
    "Divan::run_benches" => Divan::default().run_benches();
    "Divan::test_benches" => Divan::default().test_benches();
    "Divan::list_benches" => Divan::default().list_benches();
    "Divan::from_args" => Divan::from_args();
    "Divan::config_with_args" => Divan::default().config_with_args();
    "Divan::color" => Divan::default().color(true).color(None);
    "Divan::run_ignored" => Divan::default().run_ignored();
    "Divan::run_only_ignored" => Divan::default().run_only_ignored();
    "Divan::skip_regex" => Divan::default().skip_regex("text").skip_regex(String::new());
    "Divan::skip_exact" => Divan::default().skip_exact("text").skip_exact(String::new());
    "Divan::sample_count" => Divan::default().sample_count(5);
    "Divan::sample_size" => Divan::default().sample_size(5);
    "Divan::threads" => Divan::default().threads([1, 2]);
    "Divan::min_time" => Divan::default().min_time(Duration::ZERO);
    "Divan::max_time" => Divan::default().max_time(Duration::ZERO);
    "Divan::skip_ext_time" => Divan::default().skip_ext_time(true);
    "Divan::counter" => Divan::default().counter(5u16).counter(CharsCount::new(5u8));
    "Divan::items_count" => Divan::default().items_count(5u32);
    "Divan::bytes_count" => Divan::default().bytes_count(BytesCount::of::<u64>());
    "Divan::bytes_format" => Divan::default().bytes_format(BytesFormat::default());
    "Divan::chars_count" => Divan::default().chars_count(5usize);
    "Divan::cycles_count" => Divan::default().cycles_count(5u64);
    "counter" => { use divan::counter::*; is::<ItemsCount>(|_| ()) };
    "counter::Counter" => is::<dyn Fn(&dyn Debug) -> ItemsCount>(|_| { fn counter<C: Counter>() {} counter::<ItemsCount>() });
    "counter::IntoCounter" => into(ItemsCount::new(1u8));
    "counter::IntoCounter::Counter" => is::<<u8 as IntoCounter>::Counter>(|_| ());
    "counter::IntoCounter::into_counter" => 5u8.into_counter();
    "counter::BytesCount" => is::<BytesCount>(|count| { let copy = *count; assert!(copy >= *count) });
    "counter::BytesCount: From" => from::<BytesCount>();
    "counter::BytesCount::new" => BytesCount::new(5u32);
    "counter::BytesCount::of" => BytesCount::of::<String>();
    "counter::BytesCount::of_many" => { const C: BytesCount = BytesCount::of_many::<u16>(4); C };
    "counter::BytesCount::of_val" => BytesCount::of_val("text");
    "counter::BytesCount::of_iter" => BytesCount::of_iter::<u8, _>([1, 2]);
    "counter::BytesCount::of_str" => BytesCount::of_str(&String::new());
    "counter::BytesCount::of_slice" => BytesCount::of_slice(&vec![1, 2]);
    "counter::BytesCount::f32" => BytesCount::f32(1);
    "counter::BytesCount::f64" => BytesCount::f64(1);
    "counter::BytesCount::i8" => BytesCount::i8(1);
    "counter::BytesCount::u8" => BytesCount::u8(1);
    "counter::BytesCount::i16" => BytesCount::i16(1);
    "counter::BytesCount::u16" => BytesCount::u16(1);
    "counter::BytesCount::i32" => BytesCount::i32(1);
    "counter::BytesCount::u32" => BytesCount::u32(1);
    "counter::BytesCount::i64" => BytesCount::i64(1);
    "counter::BytesCount::u64" => BytesCount::u64(1);
    "counter::BytesCount::i128" => BytesCount::i128(1);
    "counter::BytesCount::u128" => BytesCount::u128(1);
    "counter::BytesCount::isize" => BytesCount::isize(1);
    "counter::BytesCount::usize" => BytesCount::usize(1);
    "counter::CharsCount" => is::<CharsCount>(|_| ());
    "counter::CharsCount: From" => from::<CharsCount>();
    "counter::CharsCount::new" => CharsCount::new(5usize);
    "counter::CharsCount::of_str" => CharsCount::of_str("text");
    "counter::CyclesCount" => is::<CyclesCount>(|_| ());
    "counter::CyclesCount: From" => from::<CyclesCount>();
    "counter::CyclesCount::new" => CyclesCount::new(5u64);
    "counter::ItemsCount" => is::<ItemsCount>(|_| ());
    "counter::ItemsCount: From" => from::<ItemsCount>();
    "counter::ItemsCount::new" => ItemsCount::new(5u8);
    "counter::ItemsCount::of_iter" => ItemsCount::of_iter(["a"].iter());
    "counter::BytesFormat::Decimal" => BytesFormat::Decimal;
    "counter::BytesFormat::Binary" => BytesFormat::Binary;
    "option name" => { #[divan::bench(name = "n")] fn f() {} #[divan::bench_group(name = "n")] mod m {} };
    "option crate" => { #[divan::bench(crate = ::divan)] fn f() {} #[divan::bench_group(crate = divan)] mod m {} };
    "option sample_count" => { #[divan::bench(sample_count = 5)] fn f() {} #[divan::bench_group(sample_count = 5)] mod m {} };
    "option sample_size" => { #[divan::bench(sample_size = 5)] fn f() {} #[divan::bench_group(sample_size = 5)] mod m {} };
    "option threads" => { #[divan::bench(threads)] fn f() {} #[divan::bench_group(threads = [1, 4])] mod m {} };
    "option counter" => { #[divan::bench(counter = 5usize)] fn f() {} #[divan::bench_group(counter = 5u8)] mod m {} };
    "option counters" => { #[divan::bench(counters = [5usize])] fn f() {} #[divan::bench_group(counters = [])] mod m {} };
    "option bytes_count" => { #[divan::bench(bytes_count = 5u8)] fn f() {} #[divan::bench_group(bytes_count = 5u8)] mod m {} };
    "option chars_count" => { #[divan::bench(chars_count = 5u8)] fn f() {} #[divan::bench_group(chars_count = 5u8)] mod m {} };
    "option cycles_count" => { #[divan::bench(cycles_count = 5u8)] fn f() {} #[divan::bench_group(cycles_count = 5u8)] mod m {} };
    "option items_count" => { #[divan::bench(items_count = 5u8)] fn f() {} #[divan::bench_group(items_count = 5u8)] mod m {} };
    "option min_time" => { #[divan::bench(min_time = 1)] fn f() {} #[divan::bench_group(min_time = 0.1)] mod m {} };
    "option max_time" => { #[divan::bench(max_time = 1)] fn f() {} #[divan::bench_group(max_time = 0.1)] mod m {} };
    "option skip_ext_time" => { #[divan::bench(skip_ext_time)] fn f() {} #[divan::bench_group(skip_ext_time = true)] mod m {} };
    "option ignore" => { #[divan::bench(ignore)] fn f() {} #[divan::bench_group(ignore = 1 > 2)] mod m {} };
    "option args" => { #[divan::bench(args = [1])] fn f(_: u8) {} };
    "option consts" => { #[divan::bench(consts = [1])] fn f<const N: u8>() {} };
    "option types" => { #[divan::bench(types = [u8])] fn f<T>() {} };
    "attribute ignore" => { #[divan::bench] #[ignore] fn f() {} };
}

/// Returns the items of the table with one of these states.
fn items(states: &[&str]) -> impl Iterator<Item = &'static str> {
    let lines = include_str!("surface.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let items = lines.map(|line| line.split_once(' ').expect("a state and an item"));
    items.filter(|(state, _)| states.contains(state)).map(|(_, item)| item)
}

#[test]
fn the_table_names_what_compiles() {
    let is_code = |item: &&str| !["--", "DIVAN_", "feature "].iter().any(|start| item.starts_with(start));
    let table: BTreeSet<&str> = items(&["served", "accepted"]).filter(is_code).collect();
    let used: BTreeSet<&str> = USED.iter().copied().collect();
    assert_eq!(table, used);
    let all: Vec<&str> = items(&["served", "accepted", "refused"]).collect();
    let different: BTreeSet<&&str> = all.iter().collect();
    assert_eq!(all.len(), different.len(), "each is named once");
}

#[test]
fn the_table_names_the_features() {
    let manifest = include_str!("../Cargo.toml");
    let (_, features) = manifest.split_once("[features]\n").expect("the manifest has features");
    let features = features.lines().take_while(|line| !line.is_empty());
    let names: BTreeSet<&str> = features.filter_map(|line| Some(line.split_once(" =")?.0)).collect();
    let table: BTreeSet<&str> =
        items(&["accepted"]).filter_map(|item| item.strip_prefix("feature ")).collect();
    assert_eq!(names, table);
}
