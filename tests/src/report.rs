//! The document of `--format json`. The names of its fields stand here and nowhere else in the tests.

use serde_json::Value;

/// The whole document.
pub struct Report(Value);

/// What it says of one benchmark.
pub struct Row(Value);

/// What it says of one benchmark beside its baseline.
pub struct Compared(Value);

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

    /// The verdict's word.
    #[track_caller]
    pub fn verdict(&self) -> &str {
        self.0["verdict"].as_str().unwrap_or_else(|| panic!("no verdict: {:#}", self.0))
    }
}

#[track_caller]
fn number(value: &Value, pointer: &str) -> f64 {
    let number = value.pointer(pointer).and_then(Value::as_f64);
    number.unwrap_or_else(|| panic!("no number at {pointer}: {value:#}"))
}
