//! Names and labels that mean something to a format: each format's own parser reads them back, or
//! finds them escaped.

use super::{report, text};
use crate::experiment::{Row, Sampling};
use crate::report::formats::FileFormat;
use crate::report::tests::{header, rows_compared};
use crate::report::{ComparedRun, RunOutcome, Template};
use nanobench::model::KeyValue;
use nanobench::report::escape;
use quick_xml::XmlVersion;
use quick_xml::events::Event;
use serde_json::Value;

/// Labels that programs may take for something else.
const LABELS: [&str; 16] = [
    "<script>alert(1)</script>",
    "a,b\"c",
    "::error::x",
    "]]>",
    "\x1b[2J\x1b]0;title\x07",
    "two\nlines\r\n::error file=a,line=1::x",
    "| a | *b* [c](http://d) `e` <!-- @f ~~g~~ __h__",
    "%0A::error::x%",
    "=HYPERLINK(\"http://a\")",
    "a' onload='x & &amp; \\ \u{202e}",
    "x ... bench: 1 ns/iter (+/- 0)",
    "</details></table><!--",
    "../../etc/passwd",
    "@user #1 owner/name#2 www.a.b https://a.b",
    "\u{0}\u{7f}\u{ffff}",
    "{{/result}}{{name}}{{#result}}",
];

/// The name of a baseline, which is a part of cells, titles and properties.
const BASELINE: &str = "a,b|c\"<i>*d* @e]]>%0A::error::x \x1b[2J\u{202e}";

/// Names a folder for the reports, in which `.ci/formats` finds them.
const FOLDER: &str = "NANOBENCH_HOSTILE_REPORTS";

/// Reads the ids of a report back.
type Reader = fn(&str) -> Vec<String>;

/// Returns the rows of a comparison with these labels, of which many are told first, and their ids.
fn rows() -> (Vec<Row>, Vec<String>) {
    let templates = rows_compared();
    // All verdicts with figures.
    let rows: Vec<Row> = (LABELS.iter().enumerate())
        .map(|(index, label)| {
            let mut row = templates[index % 7].clone();
            row.benchmark.id.row.labels = vec![(*label).to_owned()];
            row.benchmark.spec.file = format!("{label}.rs");
            row.benchmark.spec.group = Some((*label).to_owned());
            row
        })
        .collect();
    let ids = rows.iter().map(|row| row.benchmark.id.to_string()).collect();
    (rows, ids)
}

fn json_ids(text: &str, list: &str, key: &str) -> Vec<String> {
    let document: Value = serde_json::from_str(text).unwrap();
    let rows = document.pointer(list).unwrap().as_array().unwrap();
    rows.iter().map(|row| row.pointer(key).unwrap().as_str().unwrap().to_owned()).collect()
}

fn json_lines(text: &str) -> Vec<String> {
    let events = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.filter_map(|event| Some(event.get("id")?.as_str()?.to_owned())).collect()
}

fn json_keys(text: &str) -> Vec<String> {
    let document: Value = serde_json::from_str(text).unwrap();
    document.as_object().unwrap().keys().cloned().collect()
}

fn csv(text: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let titles = reader.headers().unwrap().clone();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert!(records.iter().all(|record| record.len() == titles.len()));
    records.iter().map(|record| record[0].to_owned()).collect()
}

fn junit(text: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut ids = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return ids,
            Event::Start(element) if element.name().as_ref() == "testcase" => {
                let attribute = |name: &str| {
                    let attribute = element.try_get_attribute(name).unwrap().unwrap();
                    let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                    value.unwrap().into_owned()
                };
                ids.push(format!("{}::{}", attribute("classname"), attribute("name")));
            }
            _ => {}
        }
    }
}

fn bencher(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["test", name, "...", "bench:", time, "ns/iter", "(+/-", deviation] = words[..] else {
            panic!("{line}")
        };
        assert!(time.replace(',', "").parse::<f64>().is_ok() && deviation.ends_with(')'), "{line}");
        name.to_owned()
    };
    text.lines().map(name).collect()
}

/// Decodes the names in code, and expects no other tags than those of the format itself.
fn markdown(text: &str) -> Vec<String> {
    let tags = ["<code>", "</code>", "<details>", "</details>", "<summary>", "</summary>", "<sub>", "</sub>"];
    let without_tags = tags.iter().fold(text.to_owned(), |text, tag| text.replace(tag, ""));
    assert!(!without_tags.contains(['<', '>', '@', '`', '[']), "{without_tags}");
    let all = text.split("<summary>All").nth(1).unwrap();
    let cells = all.lines().filter(|line| line.contains("<code>"));
    cells
        .map(|line| {
            assert_eq!(line.matches('|').count(), 7, "{line}");
            let code = line.split("<code>").nth(1).unwrap().split("</code>").next().unwrap();
            let mut pieces = code.split("&#");
            let mut decoded = pieces.next().unwrap().to_owned();
            for piece in pieces {
                let (number, rest) = piece.split_once(';').unwrap();
                decoded.push(char::from_u32(number.parse().unwrap()).unwrap());
                decoded += rest;
            }
            decoded
        })
        .collect()
}

/// Reads the data of the page.
fn page(text: &str) -> Vec<String> {
    let data = text.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    json_ids(data, "/document/benchmarks", "/id")
}

/// Reads annotations as the runner does.
fn annotations(text: &str) -> Vec<String> {
    let id = |line: &str| {
        let (properties, data) = line.strip_prefix("::warning ").unwrap().split_once("::").unwrap();
        let unescaped = |text: &str| {
            let text = text.replace("%2C", ",").replace("%3A", ":");
            text.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
        };
        let keys: Vec<&str> = properties.split(',').map(|pair| pair.split_once('=').unwrap().0).collect();
        assert_eq!(keys, ["file", "line", "title"], "{line}");
        let data = unescaped(data);
        data.split_once(": slower").unwrap().0.to_owned()
    };
    text.lines().map(id).collect()
}

fn criterion(text: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for file in text.split("== ").skip(1) {
        let (path, document) = file.split_once('\n').unwrap();
        let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_/.".contains(c);
        assert!(
            path.chars().all(is_safe) && path.matches('/').count() == 2 && !path.contains(".."),
            "{path}"
        );
        let document: Value = serde_json::from_str(document).unwrap();
        ids.extend(document.get("full_id").map(|id| id.as_str().unwrap().to_owned()));
    }
    ids
}

#[test]
fn hostile_names_go_through_every_format() {
    let (rows, ids) = rows();
    let slower: Vec<String> = rows
        .iter()
        .filter(|row| row.benchmark.id.row.function == "concat")
        .map(|row| row.benchmark.id.to_string())
        .collect();
    let mut header = header(true);
    header.compared_with.as_mut().unwrap().name = BASELINE.to_owned();
    let report = report(ComparedRun { header, rows, outcome: RunOutcome::default() });
    let as_is = |ids: &[String]| ids.to_vec();
    let escaped = |ids: &[String]| ids.iter().map(|id| escape(id)).collect::<Vec<_>>();
    let sorted = |mut ids: Vec<String>| {
        ids.sort();
        ids
    };
    for (word, format, _) in FileFormat::ALL {
        let (read, expected): (Reader, Vec<String>) = match format {
            FileFormat::Json => (|text| json_ids(text, "/benchmarks", "/id"), as_is(&ids)),
            FileFormat::JsonLines => (json_lines, as_is(&ids)),
            FileFormat::Csv => (csv, escaped(&ids)),
            FileFormat::Markdown => (markdown, escaped(&ids)),
            FileFormat::Html => (page, as_is(&ids)),
            FileFormat::Junit => {
                (junit, escaped(&ids).iter().map(|id| id.replace('\u{ffff}', "\\u{ffff}")).collect())
            }
            FileFormat::Bencher => (bencher, escaped(&ids).iter().map(|id| id.replace(' ', "_")).collect()),
            FileFormat::BencherMetric => (json_keys, sorted(as_is(&ids))),
            FileFormat::GithubActionBenchmark => (|text| json_ids(text, "", "/name"), as_is(&ids)),
            FileFormat::GithubAnnotations => (annotations, escaped(&slower)),
            FileFormat::Pyperf => (|text| json_ids(text, "/benchmarks", "/metadata/name"), escaped(&ids)),
            FileFormat::Criterion => (criterion, escaped(&ids)),
        };
        let text = text(format, &report);
        let is_control = |c: char| c != '\n' && !nanobench::report::is_visible(c);
        assert!(!text.contains(is_control), "{word}: {text}");
        assert_eq!(read(&text), expected, "{word}: {text}");
        if let Some(folder) = std::env::var_os(FOLDER) {
            std::fs::write(std::path::Path::new(&folder).join(word), text).unwrap();
        }
    }
}

#[test]
fn texts_stay_within_their_line_of_a_template() {
    let (mut rows, _) = rows();
    for (row, label) in rows.iter_mut().zip(LABELS) {
        row.benchmark.spec.unit = Some(label.to_owned());
        row.benchmark.spec.context = Some(vec![KeyValue { key: "note".to_owned(), value: label.to_owned() }]);
    }
    let report = report(ComparedRun { header: header(true), rows, outcome: RunOutcome::default() });
    let file = tempfile::NamedTempFile::new().unwrap();
    let template = "{{#result}}{{title}}\t{{name}}\t{{unit}}\t{{context(note)}}\n{{/result}}";
    std::fs::write(&file, template).unwrap();
    let template = Template::load(file.path().to_str().unwrap()).unwrap();
    let text = String::from_utf8(template.render(&report, &Sampling::default()).unwrap()).unwrap();
    assert_eq!(text.lines().count(), LABELS.len(), "{text}");
    for (line, label) in text.lines().zip(LABELS) {
        let label = escape(label);
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, name, unit, note] = fields[..] else { panic!("{line}") };
        assert!(name.contains(&label), "{line}");
        assert_eq!([unit, note], [&label; 2]);
    }
}
