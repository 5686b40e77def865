//! The list of the selected benchmarks: their ids, with their descriptions on request, or a JSON
//! document.

use crate::benchmark_id::BenchmarkId;
use crate::experiment::Benchmark;
use nanobench::report::escape;
use serde::Serialize;
use textwrap::{Options, WordSplitter};

/// The indentation of the lines about a function.
const INDENT: &str = "    ";

/// Returns the ids, one on each line.
pub(crate) fn ids(benchmarks: &[Benchmark]) -> String {
    benchmarks.iter().map(id_line).collect()
}

/// Returns the ids, and below those of each function the first paragraph of its doc comment, its
/// group and its tags. `width`: the width of the terminal, if there is one.
pub(crate) fn described(benchmarks: &[Benchmark], width: Option<usize>) -> String {
    let functions = benchmarks.chunk_by(|a, b| a.id.function() == b.id.function());
    let text = |rows: &[Benchmark]| {
        let lines = [first_paragraph(&rows[0].spec.description), properties(&rows[0])];
        let lines = lines.iter().filter(|line| !line.is_empty()).map(|line| indented(line, width));
        ids(rows) + &lines.collect::<String>()
    };
    functions.map(text).collect()
}

/// Returns a JSON document.
pub(crate) fn json(benchmarks: &[Benchmark]) -> serde_json::Result<String> {
    let listed = |benchmark: &'_ Benchmark| {
        let spec = &benchmark.spec;
        Listed {
            id: benchmark.id.clone(),
            group: spec.group.clone(),
            tags: spec.tags.clone().unwrap_or_default(),
            description: spec.description.clone(),
            file: spec.file.clone(),
            line: spec.line,
            ignored: spec.ignored,
        }
    };
    let document = Document { format: 1, benchmarks: benchmarks.iter().map(listed).collect() };
    serde_json::to_string_pretty(&document).map(|text| text + "\n")
}

/// Users read these fields: changing or removing one raises the format.
#[derive(Debug, Serialize)]
struct Document {
    format: u64,
    benchmarks: Vec<Listed>,
}

#[derive(Debug, Serialize)]
struct Listed {
    id: BenchmarkId,
    group: Option<String>,
    tags: Vec<String>,
    /// The whole doc comment.
    description: String,
    file: String,
    line: u32,
    ignored: bool,
}

fn id_line(benchmark: &Benchmark) -> String {
    escape(&benchmark.id.to_string()) + "\n"
}

/// Returns the first paragraph of a text, on one line.
fn first_paragraph(text: &str) -> String {
    let lines = text.lines().map(str::trim).skip_while(|line| line.is_empty());
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    escape(&lines.join(" "))
}

/// Returns the group and tags of a benchmark, and the reason why it doesn't run unless it is named.
fn properties(benchmark: &Benchmark) -> String {
    let spec = &benchmark.spec;
    let tags = spec.tags.as_deref().filter(|tags| !tags.is_empty());
    let properties = [
        spec.group.as_ref().map(|group| format!("group: {group}")),
        tags.map(|tags| format!("tags: {}", tags.join(", "))),
        spec.ignored.then(|| "ignored: runs only if it is named".to_owned()),
    ];
    escape(&properties.into_iter().flatten().collect::<Vec<_>>().join("; "))
}

/// Returns lines of words. Languages without spaces have long words, which are broken anywhere.
fn indented(text: &str, width: Option<usize>) -> String {
    let options = Options::new(width.unwrap_or(usize::MAX))
        .initial_indent(INDENT)
        .subsequent_indent(INDENT)
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(text, options) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use nanobench::model::BenchmarkSpec;
    use project::fixtures::id;

    fn benchmark(text: &str, description: &str, group: Option<&str>, tags: &[&str]) -> Benchmark {
        let BenchmarkId { target, row } = id(text);
        let spec = BenchmarkSpec {
            id: row,
            description: description.to_owned(),
            group: group.map(str::to_owned),
            tags: Some(tags.iter().map(|&tag| tag.to_owned()).collect()),
            ignored: text.contains("slow"),
            ..BenchmarkSpec::default()
        };
        Benchmark::new(&target, 0, &spec)
    }

    fn all() -> Vec<Benchmark> {
        let sorts = "\n Sorts shuffled numbers\n with the standard library.\n\nMore \u{1b}about it.";
        vec![
            benchmark("a::first::sort/10", sorts, Some("sorting"), &["io", "cpu"]),
            benchmark("a::first::sort/100", sorts, Some("sorting"), &["io", "cpu"]),
            benchmark("a::first::slow", "", None, &[]),
            benchmark("a::first::plain", "", None, &[]),
        ]
    }

    #[test]
    fn each_function_is_described_below_its_rows() {
        let expected = "a::first::sort/10\na::first::sort/100\n    \
             Sorts shuffled numbers with the standard library.\n    group: sorting; tags: io, cpu\n\
             a::first::slow\n    ignored: runs only if it is named\na::first::plain\n";
        assert_eq!(described(&all(), None), expected);
        assert_eq!(ids(&all()).lines().count(), 4);
    }

    #[test]
    fn descriptions_are_wrapped_at_the_width_of_the_terminal() {
        let text = described(&all()[..1], Some(30));
        assert!(text.contains("\n    Sorts shuffled numbers\n    with the standard library.\n"), "{text}");
        let chinese = benchmark("a::first::sort", &"排序".repeat(30), None, &[]);
        let text = described(&[chinese], Some(40));
        assert!(text.lines().all(|line| textwrap::core::display_width(line) <= 40), "{text}");
        assert_eq!(text.matches("排序").count(), 30, "{text}");
    }

    #[test]
    fn the_document_has_the_whole_description() {
        let document: serde_json::Value = serde_json::from_str(&json(&all()).unwrap()).unwrap();
        let first = &document["benchmarks"][0];
        assert_eq!((&document["format"], &first["id"]), (&1.into(), &"a::first::sort/10".into()));
        assert_eq!(first["tags"], serde_json::json!(["io", "cpu"]));
        assert!(first["description"].as_str().unwrap().ends_with("More \u{1b}about it."));
        assert_eq!(document["benchmarks"][2]["ignored"], true);
    }
}
