//! The table of `cargo nanobench costs sizes`, and its other forms.

use nanobench_costs::sizes::Size;
use serde::Serialize;
use std::fmt::Write as _;

/// The version of the JSON document. New fields don't change it; changed and removed ones do.
const FORMAT: u64 = 1;

/// The titles of the columns. All figures are bytes.
const TITLES: [&str; 4] = ["value", "bytes", "on the heap", "per element"];

/// A size, in the documents.
#[derive(Debug, Serialize)]
struct Entry {
    name: &'static str,
    bytes: usize,
    heap_bytes: usize,
    elements: Option<usize>,
    heap_bytes_per_element: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Document {
    format: u64,
    target: &'static str,
    sizes: Vec<Entry>,
}

/// Returns the table for people. `-` is in place of nothing.
pub(crate) fn table(sizes: &[Size]) -> String {
    let names = sizes.iter().map(|size| size.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut line = |[name, value, heap, element]: [&str; 4]| {
        let [_, values, heaps, elements] = TITLES.map(str::len);
        _ = writeln!(text, "{name:<names$}  {value:>values$}  {heap:>heaps$}  {element:>elements$}");
    };
    line(TITLES);
    for size in sizes {
        line(cells(size).each_ref().map(String::as_str));
    }
    text
}

/// Returns the table in Markdown.
pub(crate) fn markdown(sizes: &[Size]) -> String {
    let mut text = format!("| {} |\n|---|--:|--:|--:|\n", TITLES.join(" | "));
    for size in sizes {
        let [name, value, heap, element] = cells(size);
        _ = writeln!(text, "| `{name}` | {value} | {heap} | {element} |");
    }
    text
}

fn cells(size: &Size) -> [String; 4] {
    let none = || "-".to_owned();
    let heap = if size.heap == 0 { none() } else { size.heap.to_string() };
    let element = size.per_element().filter(|bytes| *bytes > 0.0);
    let element = element.map_or_else(none, |bytes| format!("{bytes:.1}"));
    [size.name.to_owned(), size.value.to_string(), heap, element]
}

/// Returns the JSON document.
pub(crate) fn json(sizes: &[Size]) -> serde_json::Result<String> {
    let sizes = sizes.iter().map(entry).collect();
    serde_json::to_string_pretty(&Document { format: FORMAT, target: nanobench_costs::TARGET, sizes })
}

/// Returns the sizes as CSV, with a heading.
pub(crate) fn csv(sizes: &[Size]) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    sizes.iter().try_for_each(|size| writer.serialize(entry(size)))?;
    let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn entry(size: &Size) -> Entry {
    Entry {
        name: size.name,
        bytes: size.value,
        heap_bytes: size.heap,
        elements: size.elements,
        heap_bytes_per_element: size.per_element(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [Size; 2] = [
        Size { name: "Box<u64>", value: 8, heap: 8, elements: None },
        Size { name: "Vec<u64>, \"empty\"", value: 24, heap: 0, elements: Some(0) },
    ];

    #[test]
    fn every_form_has_every_size() {
        assert_eq!(
            table(&SIZES),
            "value              bytes  on the heap  per element\n".to_owned()
                + "Box<u64>               8            8            -\n"
                + "Vec<u64>, \"empty\"     24            -            -\n"
        );
        let lines = csv(&SIZES).unwrap();
        assert_eq!(lines.lines().nth(2), Some("\"Vec<u64>, \"\"empty\"\"\",24,0,0,"));
        assert!(json(&SIZES).unwrap().contains("\"heap_bytes\": 8"));
        assert_eq!(markdown(&SIZES).lines().nth(2), Some("| `Box<u64>` | 8 | 8 | - |"));
    }

    #[test]
    fn the_sizes_are_those_of_the_standard_library() {
        let sizes = nanobench_costs::sizes::sizes();
        let of = |name: &str| {
            let size = sizes.iter().find(|size| size.name == name).expect("a size of this name");
            (size.value, size.heap)
        };
        let word = size_of::<usize>();
        assert_eq!(of("Option<Box<u64>>"), (word, 8));
        assert_eq!(of("Option<Box<u64>>, None"), (word, 0));
        assert_eq!(of("Vec<u64>, 1000 collected"), (3 * word, 8_000));
        assert_eq!(of("HashMap<u64, u64>, empty").1, 0);
        assert!(of("HashMap<u64, u64>, 1000").1 > 16_000);
        assert_eq!(of("Arc<u64>"), (word, 2 * word + 8));
    }
}
