//! The table of options: each option of the attribute, each key of the configuration file, and the names
//! of all counters.
//!
//! nanobench-engine and nanobench-macros are compiled side by side and share no crate, so both have
//! this file. The test `options` of the workspace compares the two, and the table with the pages of
//! the reference.

/// Passes the table to the macro `$use`.
///
/// A row of the attribute has the name of the option, the kind of its value, and the items that it may
/// stand on: a `module`, for all functions in it, or only a `function`. `file` means that a key of the
/// configuration file and a flag have the same name and meaning. Then come an example, and a noun phrase
/// for errors. `number(1)` is a `u64` of at least 1, and `amount(1)` such a number of any type.
macro_rules! option_table {
    ($use:ident) => {
        $use! {
            attribute {
                // They become code, or fields of `Entry`.
                code {
                    count: amount(1) [function, own, "count = 1_000"] "the number of operations in a call";
                    manual: flag() [function, own, "manual"] "the function measures its own time";
                    args: code() [function, own, "args = [100, 1_000]"] "the arguments, with a row for each";
                    label: code() [function, own, "label = |argument| argument.name"] "the label of an argument";
                    types: code() [function, own, "types = [u32, u64]"] "the types, with a row for each";
                    consts: code() [function, own, "consts = [16, 64]"] "the constants, with a row for each";
                    setup: code() [function, own, "setup = || vec![1, 2, 3]"] "the input of each call";
                    every: code() [function, own, "every = \"sample\""] "the time for which a value of `setup` is used";
                    reset: code() [function, own, "reset = || CACHE.clear()"] "code to run before each sample";
                    teardown: code() [function, own, "teardown = || CACHE.clear()"] "code to run after each sample";
                    fixture: code() [function, own, "fixture = dictionary"] "a value that benchmarks share";
                    unroll: code() [function, own, "unroll = 10"] "the number of calls in an iteration";
                    runtime: code() [function, own, "runtime = Runtime::new().unwrap()"] "the runtime of an `async fn`";
                    name: text() [function, own, "name = \"short keys\""] "a name";
                    bytes: amount(0) [function, own, "bytes = |input| input.len()"] "the number of bytes that an operation works on";
                    chars: amount(0) [function, own, "chars = |input| input.chars().count()"] "the number of characters that an operation works on";
                    items: amount(0) [function, own, "items = |input| input.len()"] "the number of items that an operation works on";
                    crate: code() [module, own, "crate = path::to::nanobench"] "the path of nanobench";
                }
                // Fields of `Settings`.
                settings {
                    was: text() [function, own, "was = \"former_name\""] "a former name";
                    unit: text() [module, own, "unit = \"byte\""] "a unit";
                    batch: amount(1) [module, own, "batch = 1_024"] "the number of units in an operation";
                    scale: amount(1) [function, own, "scale = 10"] "the number of times that the function repeats its body";
                    baseline: text() [module, own, "baseline = other_function"] "the path of the function to compare with";
                    group: text() [module, own, "group = \"sorting\""] "the name of a group";
                    tags: words() [module, own, "tags = [\"slow\", \"io\"]"] "tags to select by";
                    complexity: complexity() [module, own, "complexity"] "the complexity fit over the rows";
                    complexity_n: amount(1) [function, own, "complexity_n = |argument| argument.len()"] "the size of the input";
                    cache: caches() [module, file, "cache = \"cold\""] "the states of the caches";
                    threads: threads() [module, file, "threads = [1, 2, 4]"] "the numbers of threads, with a row for each";
                    ignore: condition() [module, own, "ignore = cfg!(miri)"] "the condition under which it is ignored";
                    between: function() [module, own, "between = other_work"] "code to run before each iteration";
                    counters: words() [module, file, "counters = [\"instructions\", \"cycles\"]"] "the counters to read";
                    context: pairs() [module, file, "context(key = \"value\")"] "notes to store with the results";
                    timeout: duration() [module, file, "timeout = \"10s\""] "the time after which the benchmark is stopped";
                    prime: flag() [module, own, "prime = false"] "false for no call before the first sample";
                    threshold: percentage(from 0) [module, file, "threshold = 2.0"] "the smallest change to report";
                }
                // Fields of `Settings` and of `SamplingOptions`.
                sampling {
                    samples: number(1) [module, file, "samples = 30"] "the number of samples";
                    precision: percentage(above 0) [module, file, "precision = 0.5"] "the precision at which sampling stops";
                    min_time: duration() [module, file, "min_time = \"20ms\""] "the shortest time for all samples";
                    max_time: duration() [module, file, "max_time = \"1s\""] "the longest time for all samples";
                    sample_time: duration() [module, file, "sample_time = \"1ms\""] "the length of a sample";
                    iterations: number(1) [module, file, "iterations = 1_000"] "the number of iterations in a sample";
                    warmup: number(0) [module, file, "warmup = 3"] "the number of calls before the first sample";
                }
            }
            // Other keys of the configuration file: alone, or with what comes closest in the attribute.
            run {
                [launches first_call load skip no_compare fail_on fail_above timer wait_quiet]
                [no_capture format output samples_in_json sort stats subtract_loop units no_warnings]
                [budget] "`max_time = \"1s\"`"
                [wipe_size] "`cache = \"cold\"`"
                [include_ignored] "`#[ignore]`"
                [same_within] "`threshold = 2.0`"
                [multiples_of] "`baseline = other`"
            }
            // The first two are of the operating system, the others of the processor.
            counters [
                "page-faults", "context-switches",
                "cycles", "instructions", "branches", "branch-misses", "cache-misses",
            ]
        }
    };
}
pub(crate) use option_table;
