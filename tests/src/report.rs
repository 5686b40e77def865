//! The document of `--format json`. The names of its fields stand here and nowhere else in the tests.

use serde_json::Value;

/// The whole document.
pub struct Report(Value);

/// What it says of one benchmark.
pub struct Row(Value);

/// What it says of one benchmark beside its baseline.
pub struct Compared(Value);

/// How well a complexity fits.
#[derive(Debug)]
pub struct Fit(Value);

/// What was asked of the allocator, by an operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allocations {
    /// New blocks.
    pub allocations: f64,
    /// Blocks given back.
    pub deallocations: f64,
    /// Blocks grown or shrunk.
    pub reallocations: f64,
    /// Bytes of new blocks, and by which others grew.
    pub bytes: f64,
    /// At a time, by a call.
    pub peak: f64,
}

impl Report {
    pub(crate) fn new(document: Value) -> Self {
        Self(document)
    }

    /// The ids of all benchmarks, in the document's order.
    pub fn ids(&self) -> Vec<&str> {
        self.benchmarks().iter().map(|row| row["id"].as_str().expect("an id is a text")).collect()
    }

    /// What it says of the benchmark with this id.
    #[track_caller]
    pub fn row(&self, id: &str) -> Row {
        let row = self.benchmarks().iter().find(|row| row["id"] == id);
        Row(row.unwrap_or_else(|| panic!("no benchmark has the id {id}: {:#}", self.0)).clone())
    }

    /// What it was compared with.
    pub fn baseline(&self) -> Option<&str> {
        self.0["baseline"].as_str()
    }

    /// The same run beside further baselines.
    #[track_caller]
    pub fn others(&self) -> Vec<Report> {
        let others = self.0["other_baselines"]
            .as_array()
            .unwrap_or_else(|| panic!("no list of other baselines: {:#}", self.0));
        others.iter().cloned().map(Report).collect()
    }

    /// The kind and the id of each benchmark that a gate held back; `None` without a gate.
    #[track_caller]
    pub fn held_back(&self) -> Option<Vec<(String, String)>> {
        let gate = self.0.get("gate").filter(|gate| !gate.is_null())?;
        let failures = gate["failures"].as_array().unwrap_or_else(|| panic!("no failures: {gate:#}"));
        assert_eq!(gate["passed"], failures.is_empty(), "{gate:#}");
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("no text: {gate:#}")).to_owned();
        Some(failures.iter().map(|failure| (text(&failure["kind"]), text(&failure["id"]))).collect())
    }

    /// The commit that the other build was made of; `None` where there was none.
    pub fn against(&self) -> Option<&str> {
        self.0["against"].as_str()
    }

    /// Why the user's own curve is not among the fits of a function; `function` is its id without the case.
    #[track_caller]
    pub fn unfitted(&self, function: &str) -> &str {
        let all = self.0["complexity"].as_array().expect("complexities are a list");
        let of_function = all.iter().find(|complexity| complexity["function"] == function);
        let reason = of_function.and_then(|complexity| complexity["unfitted"]["reason"].as_str());
        reason.unwrap_or_else(|| panic!("{function} has all fits: {all:#?}"))
    }

    /// The fits of a function's complexity, best first; `function` is its id without the case.
    #[track_caller]
    pub fn fits(&self, function: &str) -> Vec<Fit> {
        let all = self.0["complexity"].as_array().unwrap_or_else(|| panic!("no complexities: {:#}", self.0));
        let of_function = all.iter().find(|fitted| fitted["function"] == function);
        let fits =
            of_function.unwrap_or_else(|| panic!("no complexity of {function}: {all:#?}"))["fits"].as_array();
        fits.expect("a list of fits").iter().cloned().map(Fit).collect()
    }

    /// The run's own context.
    #[track_caller]
    pub fn context(&self, key: &str) -> Option<&str> {
        self.0["context"].get(key)?.as_str()
    }

    /// The warnings and hints.
    #[track_caller]
    pub fn warnings(&self) -> Vec<&str> {
        texts(&self.0["warnings"])
    }

    fn benchmarks(&self) -> &[Value] {
        self.0["benchmarks"].as_array().unwrap_or_else(|| panic!("no list of benchmarks: {:#}", self.0))
    }
}

impl Row {
    /// Whether it was measured.
    #[track_caller]
    pub fn is_ok(&self) -> bool {
        match self.0["status"].as_str() {
            Some("ok" | "below resolution") => true,
            Some("failed") => false,
            _ => panic!("not a status: {:#}", self.0),
        }
    }

    /// The fewest and the most iterations of a sample.
    #[track_caller]
    pub fn iterations(&self) -> (u64, u64) {
        let number = |key: &str| self.0["iterations"][key].as_u64();
        let numbers = number("min").zip(number("max"));
        numbers.unwrap_or_else(|| panic!("no iterations: {:#}", self.0))
    }

    /// Its doc comment.
    #[track_caller]
    pub fn description(&self) -> &str {
        self.0["description"].as_str().unwrap_or_else(|| panic!("no description: {:#}", self.0))
    }

    /// How many samples there are.
    #[track_caller]
    pub fn samples(&self) -> u64 {
        self.0["samples"].as_u64().unwrap_or_else(|| panic!("no number of samples: {:#}", self.0))
    }

    /// The median, in nanoseconds per operation.
    #[track_caller]
    pub fn median(&self) -> f64 {
        number(&self.0, "/time/median")
    }

    /// Why it was not measured.
    #[track_caller]
    pub fn error(&self) -> &str {
        self.0["error"].as_str().unwrap_or_else(|| panic!("no error: {:#}", self.0))
    }

    /// What tells it from the other rows of its function.
    pub fn case(&self) -> Option<&str> {
        self.0["case"].as_str()
    }

    /// What an operation is one of.
    #[track_caller]
    pub fn unit(&self) -> &str {
        self.0["unit"].as_str().unwrap_or_else(|| panic!("no unit: {:#}", self.0))
    }

    /// How many of its unit it does where others do one.
    #[track_caller]
    pub fn batch(&self) -> f64 {
        number(&self.0, "/batch")
    }

    /// The count that the function got.
    #[track_caller]
    pub fn count(&self) -> f64 {
        number(&self.0, "/count")
    }

    /// The units that it has a throughput of, with the amount of an operation and that of a second.
    #[track_caller]
    pub fn throughput(&self) -> Vec<(String, f64, f64)> {
        let all = self.0["throughput"].as_array().unwrap_or_else(|| panic!("no throughput: {:#}", self.0));
        let unit = |value: &Value| value["unit"].as_str().expect("a unit is a text").to_owned();
        all.iter().map(|one| (unit(one), number(one, "/amount"), number(one, "/per_second"))).collect()
    }

    /// Beside its baseline of the same run: that one's id, 100 % x baseline / this, and what this lies between.
    #[track_caller]
    pub fn in_run(&self) -> Option<(&str, f64, (f64, f64))> {
        let found = self.0.get("relation").filter(|found| !found.is_null())?;
        let baseline = found["baseline"].as_str().expect("a baseline's id is a text");
        Some((
            baseline,
            number(found, "/relative"),
            (number(found, "/interval/0"), number(found, "/interval/1")),
        ))
    }

    /// Why it is beside no baseline of its run, though it names one.
    pub fn unpaired(&self) -> Option<&str> {
        self.0["relation_error"].as_str()
    }

    /// As a multiple of the benchmark of `--scale-to`.
    #[track_caller]
    pub fn scaled(&self) -> f64 {
        number(&self.0, "/scaled")
    }

    /// `warm` or `cold`.
    pub fn cache(&self) -> Option<&str> {
        self.0["cache"].as_str()
    }

    /// How many bytes were written to empty the caches.
    #[track_caller]
    pub fn wipe_size(&self) -> f64 {
        number(&self.0, "/wipe_size")
    }

    /// On how many threads it ran at once.
    #[track_caller]
    pub fn threads(&self) -> f64 {
        number(&self.0, "/threads")
    }

    /// The option `group`.
    pub fn group(&self) -> Option<&str> {
        self.0["group"].as_str()
    }

    /// Its tags, those of its groups among them.
    #[track_caller]
    pub fn tags(&self) -> Vec<&str> {
        texts(&self.0["tags"])
    }

    /// What its context says of a key.
    #[track_caller]
    pub fn context(&self, key: &str) -> Option<&str> {
        self.0["context"].get(key)?.as_str()
    }

    /// What an operation asks of the allocator; `None` where nothing was counted.
    #[track_caller]
    pub fn allocations(&self) -> Option<Allocations> {
        let counted = self.0.get("allocations").filter(|counted| !counted.is_null())?;
        Some(Allocations {
            allocations: number(counted, "/allocations"),
            deallocations: number(counted, "/deallocations"),
            reallocations: number(counted, "/reallocations"),
            bytes: number(counted, "/bytes"),
            peak: number(counted, "/peak"),
        })
    }

    /// What a counter says of an operation; `None` where it was not read.
    pub fn counter(&self, name: &str) -> Option<f64> {
        self.0["counters"].get(name)?.as_f64()
    }

    /// Beside the baseline; `None` where nothing was compared.
    pub fn compared(&self) -> Option<Compared> {
        self.0.get("comparison").filter(|comparison| !comparison.is_null()).cloned().map(Compared)
    }
}

impl Compared {
    /// 100 % x baseline / now.
    #[track_caller]
    pub fn relative(&self) -> f64 {
        number(&self.0, "/relative")
    }

    /// 100 % x (now / baseline - 1).
    #[track_caller]
    pub fn change(&self) -> f64 {
        number(&self.0, "/change")
    }

    /// What the change lies between.
    #[track_caller]
    pub fn interval(&self) -> (f64, f64) {
        (number(&self.0, "/interval/0"), number(&self.0, "/interval/1"))
    }

    /// Whether both executables were run side by side.
    pub fn is_side_by_side(&self) -> bool {
        self.0["method"] == "side by side"
    }

    /// Pairs of fresh processes; `None` where it was not side by side.
    pub fn pairs(&self) -> Option<u64> {
        self.0["pairs"].as_u64()
    }

    /// What each side shows beside itself, in percent.
    #[track_caller]
    pub fn noise_floor(&self) -> f64 {
        number(&self.0, "/noise_floor")
    }

    /// All of it in words.
    #[track_caller]
    pub fn sentence(&self) -> &str {
        self.0["sentence"].as_str().unwrap_or_else(|| panic!("no sentence: {:#}", self.0))
    }

    /// The verdict's word.
    #[track_caller]
    pub fn verdict(&self) -> &str {
        self.0["verdict"].as_str().unwrap_or_else(|| panic!("no verdict: {:#}", self.0))
    }
}

impl Fit {
    /// As it is printed: `O(n log n)`.
    #[track_caller]
    pub fn name(&self) -> &str {
        self.0["name"].as_str().unwrap_or_else(|| panic!("no name: {:#}", self.0))
    }

    /// In nanoseconds.
    #[track_caller]
    pub fn coefficient(&self) -> f64 {
        number(&self.0, "/coefficient")
    }

    /// In percent.
    #[track_caller]
    pub fn err(&self) -> f64 {
        number(&self.0, "/err")
    }
}

#[track_caller]
fn texts(value: &Value) -> Vec<&str> {
    let all = value.as_array().unwrap_or_else(|| panic!("no list: {value:#}"));
    all.iter().map(|text| text.as_str().expect("a text")).collect()
}

#[track_caller]
fn number(value: &Value, pointer: &str) -> f64 {
    let number = value.pointer(pointer).and_then(Value::as_f64);
    number.unwrap_or_else(|| panic!("no number at {pointer}: {value:#}"))
}
