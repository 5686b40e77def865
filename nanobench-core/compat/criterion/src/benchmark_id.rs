//! Ids of benchmarks.

use std::fmt::Display;

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BenchmarkId {
    pub(crate) function_name: Option<String>,
    pub(crate) parameter: Option<String>,
}

impl BenchmarkId {
    pub fn new<S: Into<String>, P: Display>(function_name: S, parameter: P) -> BenchmarkId {
        BenchmarkId { function_name: Some(function_name.into()), parameter: Some(parameter.to_string()) }
    }

    pub fn from_parameter<P: Display>(parameter: P) -> BenchmarkId {
        BenchmarkId { function_name: None, parameter: Some(parameter.to_string()) }
    }

    /// Returns the text that criterion prints and filters select by.
    pub(crate) fn full_id(&self, group: &str) -> String {
        let parts = [&self.function_name, &self.parameter];
        parts.into_iter().flatten().fold(group.to_owned(), |id, part| id + "/" + part)
    }
}

mod private {
    pub trait Sealed {}

    impl Sealed for super::BenchmarkId {}
    impl<S: Into<String>> Sealed for S {}
}

pub trait IntoBenchmarkId: private::Sealed {
    fn into_benchmark_id(self) -> BenchmarkId;
}

impl IntoBenchmarkId for BenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId {
        self
    }
}

impl<S: Into<String>> IntoBenchmarkId for S {
    fn into_benchmark_id(self) -> BenchmarkId {
        let function_name = self.into();
        assert!(!function_name.is_empty(), "the name of a function must not be empty");
        BenchmarkId { function_name: Some(function_name), parameter: None }
    }
}
