//! A run as a page for browsers: one file with its data, its style and its script.
//!
//! The data is the JSON document with what plots need besides it. The script renders it, so that
//! a page of many benchmarks opens at once: the plots of a benchmark are drawn when it is opened.

mod data;
#[cfg(test)]
mod tests;

use super::Report;
use crate::output::escape_invisible;
use std::path::Path;

/// The page. Its data, style and script take the places of the words between `@`s.
const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
/// The parts of the script, in the order in which they build on each other.
const SCRIPT: [&str; 7] = [
    include_str!("html/text.js"),
    include_str!("html/plot.js"),
    include_str!("html/samples.js"),
    include_str!("html/series.js"),
    include_str!("html/benchmark.js"),
    include_str!("html/overview.js"),
    include_str!("html/page.js"),
];

/// Returns the page of a run. The source of benchmarks is read from the workspace.
pub(crate) fn html(report: &Report, workspace: &Path) -> Result<String, serde_json::Error> {
    let data = serde_json::to_string(&data::page(report, workspace))?;
    // The script is strict as a whole, and its names are its own.
    let script = format!("\"use strict\";\n{{\n{}}}\n", SCRIPT.join("\n"));
    // The data comes last: it may contain anything.
    Ok(PAGE
        .replace("@style@", STYLE)
        .replace("@script@", &script)
        .replace("@data@", &within_script(&escape_invisible(&data))))
}

/// Escapes JSON for a `<script>` element: no text in it can end the element or begin a comment.
/// `<` only occurs in strings.
fn within_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}
