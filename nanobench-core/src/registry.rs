//! The marked functions of this executable.

use crate::measure::{Count, Run};
use crate::model::Benchmark;

/// What `#[nanobench]` writes down of a function.
#[derive(Debug)]
pub struct Entry {
    /// `module_path!()` where the function stands.
    pub module_path: &'static str,
    /// The function's own name.
    pub function: &'static str,
    /// `name = "..."`, shown instead of the function's name.
    pub name: Option<&'static str>,
    /// The doc comment.
    pub description: &'static str,
    /// `file!()` of the attribute.
    pub file: &'static str,
    /// `line!()` of the attribute.
    pub line: u32,
    /// Marked `#[ignore]`.
    pub ignored: bool,
    /// How the function gets its count.
    pub count: Count,
    /// Hands the function to the loop that fits its form.
    pub run: fn(&mut Run),
    /// How often the function's body stands in an iteration.
    pub unroll: u64,
    /// Runs before each sample, outside the timing.
    pub reset: Option<fn()>,
    /// Exactly so many samples.
    pub samples: Option<u64>,
    /// Length of a sample, in ns.
    pub sample_time: Option<u64>,
    /// Exactly so many iterations in a sample.
    pub iterations: Option<u64>,
    /// Calls before the first one that is looked at.
    pub warmup: Option<u64>,
    /// Whether there is such a call at all.
    pub prime: Option<bool>,
}

impl Entry {
    /// What goes without saying.
    pub const DEFAULT: Entry = Entry {
        module_path: "",
        function: "",
        name: None,
        description: "",
        file: "",
        line: 0,
        ignored: false,
        count: Count::None,
        run: |_| {},
        unroll: 1,
        reset: None,
        samples: None,
        sample_time: None,
        iterations: None,
        warmup: None,
        prime: None,
    };

    /// Carries an order out, after the reset routine where there is one.
    pub(crate) fn carry_out(&self, order: &mut Run) {
        if let Some(reset) = self.reset {
            reset();
        }
        (self.run)(order);
    }

    /// Module path below the crate's root and name.
    pub(crate) fn path(&self) -> String {
        let name = self.name.unwrap_or(self.function);
        match self.module_path.split_once("::") {
            Some((_crate, modules)) => format!("{modules}::{name}"),
            None => name.to_owned(),
        }
    }

    pub(crate) fn describe(&self) -> Benchmark {
        Benchmark {
            path: self.path(),
            description: self.description.to_owned(),
            file: self.file.to_owned(),
            line: self.line,
            ignored: self.ignored,
            counted: self.count != Count::None,
            count: match self.count {
                Count::Fixed(count) => Some(count),
                Count::None | Count::Auto => None,
            },
            unroll: self.unroll,
            samples: self.samples,
            sample_time: self.sample_time,
            iterations: self.iterations,
            warmup: if self.prime == Some(false) { Some(0) } else { self.warmup },
        }
    }
}

/// An entry on its way into the collection.
#[derive(Debug)]
pub struct Registered(pub &'static Entry);

inventory::collect!(Registered);

/// All entries, in the order of the source: by file, then by line.
pub(crate) fn entries() -> Vec<&'static Entry> {
    let mut entries: Vec<_> =
        inventory::iter::<Registered>.into_iter().map(|registered| registered.0).collect();
    // Functions that a macro writes share their line.
    entries.sort_by_key(|entry| (entry.file, entry.line, entry.path()));
    entries
}
