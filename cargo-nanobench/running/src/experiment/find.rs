//! Finding a benchmark by its name.

use super::selection::Filter;
use super::suite::Benchmark;
use crate::suggest;

/// Returns whether `word` is the id of a benchmark, or the part of it after some `::` that contains
/// at least the name.
fn is_called(benchmark: &Benchmark, word: &str) -> bool {
    benchmark.id.row.is_called(&benchmark.id.target.to_string(), word)
}

/// The error for a name that doesn't identify one benchmark.
#[derive(Debug, thiserror::Error)]
pub enum AmbiguousName {
    #[error("no benchmark is called `{name}`\n{hint}")]
    None { name: String, hint: String },
    #[error("several benchmarks are called `{name}`:{}", .ids.iter().map(|id| format!("\n{id}")).collect::<String>())]
    Several { name: String, ids: Vec<String> },
}

impl AmbiguousName {
    fn none(all: &[Benchmark], name: &str) -> AmbiguousName {
        let ids: Vec<String> = all.iter().map(|benchmark| benchmark.id.to_string()).collect();
        let hint = suggest::hint(name, ids.iter().map(String::as_str));
        AmbiguousName::None { name: name.to_owned(), hint }
    }

    fn several(called: &[&Benchmark], name: &str) -> AmbiguousName {
        let ids = called.iter().map(|benchmark| benchmark.id.to_string()).collect();
        AmbiguousName::Several { name: name.to_owned(), ids }
    }
}

/// Returns the benchmark whose id, path or name is `name`. If there are several, it has to be the
/// only selected one.
pub fn find_by_name<'a>(
    all: &'a [Benchmark],
    filter: &Filter,
    name: &str,
) -> Result<&'a Benchmark, AmbiguousName> {
    let called: Vec<&Benchmark> = all.iter().filter(|benchmark| is_called(benchmark, name)).collect();
    let selected: Vec<&Benchmark> =
        called.iter().filter(|benchmark| filter.selects(benchmark)).copied().collect();
    match (&called[..], &selected[..]) {
        (&[one], _) | (_, &[one]) => Ok(one),
        ([], _) => Err(AmbiguousName::none(all, name)),
        _ => Err(AmbiguousName::several(&called, name)),
    }
}

/// Returns a benchmark whose function, or one of whose rows, has this id, path or name. All rows of
/// a function have the same code.
pub fn find_function<'a>(all: &'a [Benchmark], name: &str) -> Result<&'a Benchmark, AmbiguousName> {
    let function = format!("::{name}");
    let is_function = |benchmark: &&Benchmark| format!("::{}", benchmark.id.function()).ends_with(&function);
    let mut rows: Vec<&Benchmark> = all.iter().filter(|benchmark| is_called(benchmark, name)).collect();
    if rows.is_empty() {
        rows = all.iter().filter(is_function).collect();
    }
    rows.dedup_by_key(|benchmark| benchmark.id.function());
    match &rows[..] {
        &[one] => Ok(one),
        [] => Err(AmbiguousName::none(all, name)),
        _ => Err(AmbiguousName::several(&rows, name)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::selection::BenchFilter;
    use super::*;
    use crate::benchmark_id::BenchmarkId;
    use nanobench::model::BenchmarkSpec;
    use project::fixtures::id;

    fn benchmark(text: &str, ignored: bool) -> Benchmark {
        let BenchmarkId { target, row } = id(text);
        Benchmark::new(&target, 0, &BenchmarkSpec { id: row, ignored, ..BenchmarkSpec::default() })
    }

    fn target(name: &str) -> BenchFilter {
        BenchFilter::Target(glob::Pattern::new(name).unwrap())
    }

    #[test]
    fn a_function_is_found_by_its_name_or_a_row() {
        let all = [
            benchmark("a::first::x::sort/1", false),
            benchmark("a::first::x::sort/2", false),
            benchmark("a::first::resort", false),
            benchmark("a::second::hash", true),
            benchmark("a::third::hash", false),
        ];
        let found = |name| find_function(&all, name).map(|found| found.id.to_string());
        assert_eq!(found("sort").unwrap(), "a::first::x::sort/1");
        assert_eq!(found("x::sort").unwrap(), "a::first::x::sort/1");
        assert_eq!(found("sort/2").unwrap(), "a::first::x::sort/2");
        assert!(found("hash").unwrap_err().to_string().contains("\na::third::hash"));
        assert!(found("srot").unwrap_err().to_string().contains("did you mean"));
    }

    #[test]
    fn a_benchmark_is_found_by_its_name() {
        let all = [
            benchmark("a::first::x::sort/1", false),
            benchmark("a::first::y::sort/1", false),
            benchmark("b::c::d", true),
        ];
        let of_all = |name| find_by_name(&all, &Filter::default(), name);
        assert_eq!(of_all("d").unwrap().id.to_string(), "b::c::d", "whether it is selected or not");
        assert_eq!(of_all("x::sort/1").unwrap().id.to_string(), "a::first::x::sort/1");
        assert!(of_all("sort/1").unwrap_err().to_string().contains("\na::first::y::sort/1"));
        assert!(of_all("srot/1").unwrap_err().to_string().contains("did you mean"));
    }

    #[test]
    fn among_several_of_a_name_the_selected_one_is_used() {
        let all = [
            benchmark("a::lib::sort", false),
            benchmark("a::first::sort", false),
            benchmark("a::second::sort", true),
            benchmark("a::second::hash", false),
        ];
        let of_bench = |bench: &str| {
            let filter = Filter { bench: vec![target(bench)], ..Filter::default() };
            find_by_name(&all, &filter, "sort")
                .map(|selected| selected.id.to_string())
                .map_err(|error| error.to_string())
        };
        assert_eq!(of_bench("first"), Ok("a::first::sort".to_owned()));
        let none = of_bench("second").unwrap_err();
        assert!(none.starts_with("several") && none.ends_with("\na::second::sort"), "{none}");
        let hidden = Filter { bench: vec![target("second")], ignored: true, ..Filter::default() };
        assert_eq!(find_by_name(&all, &hidden, "sort").unwrap().id.to_string(), "a::second::sort");
    }
}
