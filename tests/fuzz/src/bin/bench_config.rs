#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| nanobench_fuzz::bench_config(data));
