//! Identities of targets, functions and benchmarks in a workspace.

use crate::cargo::{Executable, Kind};
use nanobench::model::RowId;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt::{self, Display};

/// Identity of a target: unique in a workspace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TargetId {
    /// Name of the package.
    pub package: String,
    pub kind: Kind,
    /// Name of the target.
    pub name: String,
}

impl TargetId {
    /// Returns the target's part of an id, behind the package: `first`, `lib`, `bin::tool`.
    pub fn within_package(&self) -> String {
        let name = &self.name;
        match self.kind {
            // Without its kind, it would read as the kind of another target.
            Kind::Bench if matches!(name.as_str(), "lib" | "bin" | "bench" | "test" | "example") => {
                format!("bench::{name}")
            }
            Kind::Bench => name.clone(),
            Kind::Lib => "lib".to_owned(),
            Kind::Bin | Kind::Test | Kind::Example => format!("{}::{name}", self.kind.as_str()),
        }
    }
}

impl From<&Executable> for TargetId {
    fn from(executable: &Executable) -> Self {
        let (package, name) = (executable.package.name.clone(), executable.target.clone());
        Self { package, kind: executable.kind, name }
    }
}

impl Display for TargetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.package, self.within_package())
    }
}

/// Identity of a marked function, which all of its rows share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId {
    target: TargetId,
    modules: String,
    name: String,
}

impl Display for FunctionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.modules.is_empty() { "" } else { "::" };
        write!(f, "{}::{}{separator}{}", self.target, self.modules, self.name)
    }
}

/// Identity of a benchmark, unique in a workspace: `my-crate::first::sort/1000/cold`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BenchmarkId {
    pub target: TargetId,
    pub row: RowId,
}

impl BenchmarkId {
    /// Returns the identity of its function.
    pub fn function(&self) -> FunctionId {
        let RowId { modules, function, .. } = &self.row;
        FunctionId { target: self.target.clone(), modules: modules.clone(), name: function.clone() }
    }

    /// Returns the id of the same row of another function.
    pub fn with_function(&self, function: &str) -> BenchmarkId {
        let row = RowId { function: function.to_owned(), ..self.row.clone() };
        BenchmarkId { target: self.target.clone(), row }
    }

    /// Returns the id of the row without its run conditions: `walk/10` of `walk/10/cold/threads=2`.
    pub fn without_conditions(&self) -> BenchmarkId {
        let row = RowId { conditions: Default::default(), ..self.row.clone() };
        BenchmarkId { target: self.target.clone(), row }
    }
}

impl Display for BenchmarkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.target, self.row)
    }
}

impl Serialize for BenchmarkId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::id;

    #[test]
    fn targets_have_different_ids() {
        let text = |kind, name: &str| {
            TargetId { package: "my-crate".to_owned(), kind, name: name.to_owned() }.to_string()
        };
        assert_eq!(text(Kind::Bench, "first"), "my-crate::first");
        assert_eq!(text(Kind::Bench, "lib"), "my-crate::bench::lib");
        assert_eq!(text(Kind::Lib, "first"), "my-crate::lib");
        assert_eq!(text(Kind::Bin, "first"), "my-crate::bin::first");
        assert_eq!(text(Kind::Test, "first"), "my-crate::test::first");
        assert_eq!(text(Kind::Example, "first"), "my-crate::example::first");
    }

    #[test]
    fn functions_have_the_ids_of_their_rows() {
        let labels = |labels: &[&str], number| {
            let labels = labels.iter().map(|&label| label.to_owned()).collect();
            let BenchmarkId { target, row } = id("my-crate::first::a::sort");
            BenchmarkId { target, row: RowId { labels, number, ..row } }
        };
        assert_eq!(labels(&["a"], Some(2)).to_string(), "my-crate::first::a::sort/a#2");
        assert_eq!(labels(&["a"], Some(2)).function().to_string(), "my-crate::first::a::sort");
        assert_eq!(id("my-crate::first::sort/10").function().to_string(), "my-crate::first::sort");
    }
}
