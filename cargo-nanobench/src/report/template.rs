//! A run rendered by a template in the language of nanobench-core's `Bench`: `--template`.

use super::Report;
use crate::experiment::{Row, Sampling};
use nanobench::model::{BenchmarkSpec, KeyValue};
use nanobench::report::escape;
use nanobench::stored::bench_result;
use nanobench::{BenchResult, RenderError, templates};
use std::borrow::Cow;
use std::fs;
use std::io;

/// The templates that need no file, by their names.
const SHIPPED: [(&str, &str); 3] =
    [("csv", templates::CSV), ("json", templates::JSON), ("html", templates::HTML_BOX_PLOT)];

/// A template whose tags and sections are checked.
#[derive(Debug)]
pub(crate) struct Template {
    name: String,
    text: Cow<'static, str>,
}

/// The reason why a template can't be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TemplateError {
    #[error("cannot read the template `{}`: {reason}\nname a file, or one of csv, json and html; for pyperf: --format pyperf", escape(.name))]
    Read { name: String, reason: io::Error },
    #[error("`{}`: {reason}\nthe tags are in docs/reference/bench.md", escape(.name))]
    Wrong { name: String, reason: RenderError },
}

impl Template {
    /// Loads a shipped template or a file.
    pub(crate) fn load(name: &str) -> Result<Template, TemplateError> {
        let shipped = SHIPPED.iter().find(|(known, _)| *known == name);
        let text = match shipped {
            Some((_, text)) => Cow::Borrowed(*text),
            None => fs::read_to_string(name)
                .map_err(|reason| TemplateError::Read { name: name.to_owned(), reason })?
                .into(),
        };
        let name = name.to_owned();
        match templates::check(&text) {
            Ok(()) => Ok(Template { name, text }),
            Err(reason) => Err(TemplateError::Wrong { name, reason }),
        }
    }

    /// Renders the rows of all runs. Failed ones have no results.
    pub(crate) fn render(&self, report: &Report, sampling: &Sampling) -> Result<Vec<u8>, TemplateError> {
        let results: Vec<BenchResult> = (report.runs.iter())
            .flat_map(|run| {
                let context = &run.header.environment.context;
                run.rows.iter().filter_map(move |row| result(row, context, sampling))
            })
            .collect();
        let mut rendered = Vec::new();
        templates::render(&self.text, &results, &mut rendered)
            .map_err(|reason| TemplateError::Wrong { name: self.name.clone(), reason })?;
        Ok(rendered)
    }
}

/// Returns a row as a result, with the context of the run behind that of the benchmark.
fn result(row: &Row, context: &[KeyValue], sampling: &Sampling) -> Option<BenchResult> {
    let (measurement, _) = row.measured()?;
    let benchmark = &row.benchmark;
    let all = benchmark.spec.context.iter().flatten().chain(context);
    let escaped = |KeyValue { key, value }: &KeyValue| KeyValue { key: key.clone(), value: escape(value) };
    let spec = BenchmarkSpec {
        unit: benchmark.spec.unit.as_deref().map(escape),
        context: Some(all.map(escaped).collect()),
        ..benchmark.spec.clone()
    };
    let title = format!("{}::{}", benchmark.package(), benchmark.group);
    let relative = row.relation.as_ref().map(|relation| relation.relative);
    let plan = sampling.plan(&benchmark.spec);
    Some(bench_result(escape(&title), escape(&benchmark.name()), &spec, &plan, relative, measurement.clone()))
}
