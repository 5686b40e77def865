//! Reads runs that were stored in format 1, by turning their text into that of format 2.
//!
//! Format 1 stored an id as one text, with labels and run conditions joined by `/`. A label that
//! contains a `/` is split there. That is harmless, as ids are equal if the texts of their labels
//! are.

use crate::benchmark_id::TargetId;
use crate::cargo::Kind;
use nanobench::json::{self, Json as _, Value};
use nanobench::model::{CacheState, RowId, RunConditions};

/// Rewrites a document of format 1 as one of format 2. Returns `None` for a document of another
/// shape.
pub(super) fn from_format_1(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let identities = identities(&mut json::parse(text).ok()?)?;
    let mut document = json::parse(text).ok()?;
    for (benchmark, identity) in array(&mut document, "benchmarks")?.iter_mut().zip(&identities) {
        upgrade(benchmark, identity, &identities)?;
    }
    set(&mut document, "format", Value::Unsigned(2));
    Some(document.to_string())
}

/// Identity of a stored benchmark.
struct Identity {
    target: TargetId,
    /// The row's id in format 1.
    path: String,
    row: RowId,
}

/// Returns the identities of all benchmarks of a document.
fn identities(document: &mut Value<'_>) -> Option<Vec<Identity>> {
    let targets: Vec<(String, TargetId)> =
        array(document, "executables")?.iter_mut().filter_map(target_of_executable).collect();
    let identity = |benchmark: &mut Value<'_>| {
        let (file, id) = (string(benchmark, "executable")?, string(benchmark, "id")?);
        let spec = benchmark.get_mut("benchmark")?;
        let path = string(spec, "path")?;
        let known = targets.iter().find(|(known, _)| *known == file);
        // The executable may be gone.
        let target = known.map_or_else(|| target_of_id(&id, &path), |(_, target)| target.clone());
        Some(Identity { target, row: row(&path, spec), path })
    };
    array(document, "benchmarks")?.iter_mut().map(identity).collect()
}

fn target_of_executable(executable: &mut Value<'_>) -> Option<(String, TargetId)> {
    let kind = kind(&string(executable, "kind")?)?;
    let (package, name) = (string(executable, "package")?, string(executable, "target")?);
    Some((string(executable, "file")?, TargetId { package, kind, name }))
}

fn kind(word: &str) -> Option<Kind> {
    [Kind::Lib, Kind::Bin, Kind::Bench, Kind::Test, Kind::Example]
        .into_iter()
        .find(|kind| kind.as_str() == word)
}

/// Returns the target that an id names before the path: `package::first`, `package::lib`,
/// `package::bin::tool`.
fn target_of_id(id: &str, path: &str) -> TargetId {
    let before = id.strip_suffix(path).unwrap_or(id).trim_end_matches("::");
    let (package, target) = before.split_once("::").unwrap_or((before, ""));
    let (kind, name) = match target.split_once("::") {
        Some((word, name)) => (kind(word).unwrap_or(Kind::Bench), name),
        None if target == "lib" => (Kind::Lib, package),
        None => (Kind::Bench, target),
    };
    TargetId { package: package.to_owned(), kind, name: name.to_owned() }
}

/// Returns the id of a row, from its path and the fields of `spec`.
fn row(path: &str, spec: &mut Value<'_>) -> RowId {
    let case = string(spec, "case").unwrap_or_default();
    let function =
        path.strip_suffix(&case).filter(|_| !case.is_empty()).map_or(path, |path| path.trim_end_matches('/'));
    let (modules, function) = function.rsplit_once("::").unwrap_or(("", function));
    let mut labels: Vec<String> = case.split('/').filter(|_| !case.is_empty()).map(str::to_owned).collect();
    let conditions = take_conditions(&mut labels, spec);
    RowId { modules: modules.to_owned(), function: function.to_owned(), labels, number: None, conditions }
}

/// Removes the run conditions of `spec` from the end of the labels and returns them. Labels without
/// them are unchanged, so that the text of the id stays the same.
fn take_conditions(labels: &mut Vec<String>, spec: &mut Value<'_>) -> RunConditions {
    let threads = number(spec, "threads");
    let size = number(spec, "wipe_size");
    let is_cold = string(spec, "cache").is_some_and(|cache| cache == CacheState::Cold.word());
    let cache = if is_cold { CacheState::Cold } else { CacheState::Warm };
    // The id contains the size only if the user requested one.
    for wipe_size in [None, size] {
        let conditions = RunConditions { cache, wipe_size, threads };
        let text = conditions.to_string();
        let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty()).collect();
        let rest = labels.len().wrapping_sub(parts.len());
        if labels.get(rest..).is_some_and(|end| end == parts) {
            labels.truncate(rest);
            return conditions;
        }
    }
    RunConditions::default()
}

/// Rewrites a benchmark and its reference to a baseline among `all`.
fn upgrade<'a>(benchmark: &mut Value<'a>, identity: &'a Identity, all: &'a [Identity]) -> Option<()> {
    let Identity { target: TargetId { package, kind, name }, row, .. } = identity;
    let target = [("package", &**package), ("kind", kind.as_str()), ("name", name)];
    let target = target.map(|(key, value)| (key.into(), Value::Text(value.into())));
    set(benchmark, "target", Value::Object(target.into()));
    let launches = benchmark.get_mut("measurement").and_then(|measurement| array(measurement, "launches"));
    for launch in launches.into_iter().flatten() {
        rename(launch, "nothing", "empty_loop");
    }
    let spec = benchmark.get_mut("benchmark")?;
    let baseline = string(spec, "baseline");
    let baseline = baseline
        .and_then(|path| all.iter().find(|other| other.path == path && other.target == identity.target));
    set(spec, "baseline", baseline.map_or(Value::Null, |other| other.row.to_json()));
    set(spec, "id", row.to_json());
    rename(spec, "function", "rust_name");
    if let Some(complexity) = spec.get_mut("complexity").filter(|complexity| **complexity != Value::Null) {
        let label = size_label(&row.labels, complexity.get_mut("n")?);
        set(complexity, "label", Value::Unsigned(label as u64));
    }
    Some(())
}

/// Returns the index of the innermost label that equals the row's size, or the number of labels if
/// there is none.
fn size_label(labels: &[String], size: &mut Value<'_>) -> usize {
    let size = f64::from_json(size.clone()).ok();
    // A second row of the same label has a number behind it: `100#2`.
    let number = |label: &String| label.split('#').next()?.replace('_', "").parse::<f64>().ok();
    labels.iter().rposition(|label| size.is_some() && number(label) == size).unwrap_or(labels.len())
}

fn array<'v, 'a>(value: &'v mut Value<'a>, name: &str) -> Option<&'v mut Vec<Value<'a>>> {
    match value.get_mut(name)? {
        Value::Array(values) => Some(values),
        _ => None,
    }
}

fn string(value: &mut Value<'_>, name: &str) -> Option<String> {
    String::from_json(value.get_mut(name)?.clone()).ok()
}

fn number(value: &mut Value<'_>, name: &str) -> Option<u64> {
    u64::from_json(value.get_mut(name)?.clone()).ok()
}

fn set<'a>(value: &mut Value<'a>, name: &'static str, new: Value<'a>) {
    if let Value::Object(members) = value {
        members.retain(|(key, _)| key != name);
        members.push((name.into(), new));
    }
}

fn rename(value: &mut Value<'_>, old: &str, new: &'static str) {
    let Value::Object(members) = value else { return };
    for (key, _) in members.iter_mut().filter(|(key, _)| key == old) {
        *key = new.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the row of a benchmark of format 1 with this path and these fields.
    fn row_of(path: &str, rest: &str) -> RowId {
        let json = format!("{{{rest}}}");
        row(path, &mut json::parse(&json).unwrap())
    }

    #[test]
    fn conditions_are_split_from_labels() {
        let row = row_of(
            "a::b::walk/Vec<std::string::String>/10/cold 32 KiB/threads=2",
            r#""case":"Vec<std::string::String>/10/cold 32 KiB/threads=2","cache":"cold","wipe_size":32768,"threads":2"#,
        );
        let conditions = RunConditions { cache: CacheState::Cold, wipe_size: Some(32768), threads: Some(2) };
        assert_eq!(
            (row.modules.as_str(), row.function.as_str(), row.conditions),
            ("a::b", "walk", conditions)
        );
        assert_eq!(row.labels, ["Vec<std::string::String>", "10"]);
        let row = row_of("walk/cold", r#""case":"cold","cache":"cold","wipe_size":33554432"#);
        assert_eq!(
            (row.labels.len(), row.conditions.wipe_size, row.conditions.cache),
            (0, None, CacheState::Cold)
        );
        assert_eq!(row_of("walk", "").to_string(), "walk");
    }

    #[test]
    fn texts_of_ids_are_unchanged() {
        for (path, rest) in [
            ("walk/cold#2", r#""case":"cold#2","cache":"cold","wipe_size":1"#),
            ("walk/a/b.txt#2/threads=4", r#""case":"a/b.txt#2/threads=4","threads":4"#),
            ("walk/cold/cold", r#""case":"cold/cold","cache":"cold","wipe_size":1"#),
            ("a::x / y/1", r#""case":"1","function":"f""#),
            ("a::x / y", r#""case":null"#),
        ] {
            assert_eq!(row_of(path, rest).to_string(), path);
        }
    }

    #[test]
    fn targets_without_executables_are_read_from_ids() {
        let text = |id: &str| target_of_id(id, "a::f").to_string();
        for id in ["p::first::a::f", "p::lib::a::f", "p::bin::tool::a::f", "p::bench::lib::a::f"] {
            assert_eq!(text(id) + "::a::f", id);
        }
    }

    #[test]
    fn size_is_the_innermost_equal_label() {
        let label = |labels: &[&str], n: f64| {
            let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
            size_label(&labels, &mut Value::Float(n))
        };
        assert_eq!(label(&["1000", "1000", "x"], 1000.0), 1);
        assert_eq!(label(&["100#2"], 100.0), 0);
        assert_eq!(label(&["SIZE"], 10.0), 1, "no label");
    }
}
