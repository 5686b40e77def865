//! The attributes of `nanobench-divan`, which documents them.

mod expand;
mod function;
mod options;

use proc_macro::TokenStream;

/// Marks a function as a benchmark.
///
/// Options: `name`, `crate`, `args`, `consts`, `types`, `sample_count`, `sample_size`, `threads`, `counter`,
/// `counters`, `bytes_count`, `chars_count`, `cycles_count`, `items_count`, `min_time`, `max_time`,
/// `skip_ext_time` and `ignore`.
#[proc_macro_attribute]
pub fn bench(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::bench(options.into(), item.into()).into()
}

/// Sets options for all benchmarks in a module.
#[proc_macro_attribute]
pub fn bench_group(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::bench_group(options.into(), item.into()).into()
}
