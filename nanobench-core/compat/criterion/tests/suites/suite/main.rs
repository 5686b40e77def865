//! A suite with the constructs that suites for criterion 0.4 to 0.8 use. The tests run it as a process.

// Crates that use it rename the dependency.
extern crate nanobench_criterion as criterion;

mod asynchronous;
mod generic;
mod loops;
mod settings;

use criterion::{Criterion, criterion_group, criterion_main};

/// A macro that makes groups with absolute paths, as some suites have.
macro_rules! groups {
    ($($group:ident => $id:literal,)+) => {$(
        fn $group(c: &mut ::criterion::Criterion) {
            c.bench_function($id, |b| b.iter(|| ::criterion::black_box(3) * 2));
        }
    )+

        ::criterion::criterion_group! {
            name = made_by_macro;
            config = ::criterion::Criterion::default()
                .significance_level(1e-4)
                .noise_threshold(0.05);
            targets = $($group,)+
        }
    };
}

groups! {
    zip => "zipdot i32 default zip",
    path => "std::vec::Vec<u8>/with::colons",
}

fn first(c: &mut Criterion) {
    c.bench_function("first", |b| b.iter(|| criterion::black_box(1) + 1));
}

/// A target that is a function with a generic argument.
fn of_type<T: Default + Clone + 'static>(c: &mut Criterion) {
    let size = size_of::<T>();
    c.bench_function(&format!("of size {size}"), |b| b.iter(|| vec![T::default(); 10]));
}

criterion_group!(in_parentheses, first, of_type::<u8>);
criterion_group! {in_braces, of_type::<u64>,}

criterion_main! {
    in_parentheses,
    in_braces,
    made_by_macro,
    loops::loops,
    settings::settings,
    generic::by_hand,
    asynchronous::benches,
}
