#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| nanobench_fuzz::link_inputs(data));
