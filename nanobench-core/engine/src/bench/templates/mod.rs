//! Templates in the language of `ankerl::nanobench`, which is inspired by mustache. Templates
//! written for the C++ library render unchanged.
//!
//! # Layers
//!
//! `{{#result}} .. {{/result}}` is repeated for each result. In it,
//! `{{#measurement}} .. {{/measurement}}` is repeated for each epoch. In either layer,
//! `{{#-first}} .. {{/-first}}` is for its first entry only, `{{^-first}} .. {{/-first}}` for all
//! others, and `-last` likewise.
//!
//! Outside of `{{#result}}`, the settings are those of the last result. All other tags need a
//! single result there.
//!
//! # Tags of a result
//!
//! - Settings: `title`, `name`, `unit`, `batch`, `complexityN` (-1 if not set), `epochs`,
//!   `clockResolution`, `clockResolutionMultiple`, `maxEpochTime`, `minEpochTime`,
//!   `minEpochIterations`, `epochIterations`, `warmup`, and `relative` (`true` or `false`). Times
//!   are in seconds.
//! - `context(key)`.
//! - `values` are the times of an operation in ten consecutive parts of the epochs, in seconds and
//!   with commas between them, and `loops` the operations in such a part. With fewer than ten
//!   epochs, there are up to five.
//! - `median(m)`, `average(m)`, `medianAbsolutePercentError(m)` (0.01 is 1 %),
//!   `standardDeviation(m)`, `sum(m)`, `minimum(m)`, `maximum(m)` and `sumProduct(m, m)`, where `m`
//!   is `elapsed`, `iterations`, `pagefaults`, `cpucycles`, `contextswitches`, `instructions`,
//!   `branchinstructions` or `branchmisses`. All but `iterations` are per iteration. Counters that
//!   can't be read are 0. `elapsed` is in seconds; `elapsedms`, `elapsedus` and `elapsedns` are in
//!   other units.
//!
//! In a measurement, the measures themselves are tags, too.
//!
//! # Escaping
//!
//! The value of a tag is inserted as it is, as in C++. `{{json(tag)}}`, `{{csv(tag)}}` and
//! `{{html(tag)}}` escape it: `{{json(name)}}`, `{{html(context(cpu))}}`. The templates here do.

mod parse;
mod tags;

use super::result::BenchResult;
use parse::{Node, Position, Section};
use std::fmt;
use std::io::{self, Write};
use tags::Place;

/// Comma-separated values: a line of figures for each result.
pub const CSV: &str = include_str!("csv.txt");
/// A JSON document with everything that was measured.
pub const JSON: &str = include_str!("json.txt");
/// A page with a box plot of the time of an operation, which needs no network.
pub const HTML_BOX_PLOT: &str = include_str!("box_plot.html");
/// A JSON document that Python's pyperf reads: up to ten times of an operation for each result.
pub const PYPERF: &str = include_str!("pyperf.txt");

/// A reason why a template can't be rendered.
#[derive(Debug)]
pub enum RenderError {
    /// The template is wrong.
    Template {
        /// Line of the mistake, from 1.
        line: usize,
        /// Its column in characters, from 1.
        column: usize,
        /// A description of the mistake.
        message: String,
    },
    /// The output can't be written.
    Output(io::Error),
}

impl fmt::Display for RenderError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderError::Template { line, column, message } => {
                write!(f, "template, line {line}, column {column}: {message}")
            }
            RenderError::Output(error) => write!(f, "can't write the output: {error}"),
        }
    }
}

impl std::error::Error for RenderError {}

/// A mistake in a template.
#[derive(Debug)]
struct Mistake {
    position: Position,
    message: String,
}

impl Mistake {
    #[inline]
    fn in_template(self, template: &str) -> RenderError {
        let (line, column) = self.position.in_text(template);
        RenderError::Template { line, column, message: crate::report::escape(&self.message) }
    }
}

/// Renders results by a template. Nothing is written if the template is wrong.
///
/// # Errors
/// Fails if the template is wrong, or if `out` can't be written.
#[inline]
pub fn render(template: &str, results: &[BenchResult], out: &mut dyn Write) -> Result<(), RenderError> {
    let in_template = |mistake: Mistake| mistake.in_template(template);
    let nodes = parse::parse(template).map_err(in_template)?;
    let mut text = Vec::new();
    render_nodes(&nodes, &Place { results, result: None, epoch: None }, &mut text).map_err(in_template)?;
    out.write_all(&text)?;
    Ok(())
}

/// Checks the tags and sections of a template before there are results. Only `context(key)`, and
/// tags outside of `{{#result}}`, depend on these.
#[doc(hidden)]
#[inline]
pub fn check(template: &str) -> Result<(), RenderError> {
    parse::parse(template).map_err(|mistake| mistake.in_template(template))?;
    Ok(())
}

#[inline]
fn render_nodes(nodes: &[Node<'_>], place: &Place<'_>, out: &mut Vec<u8>) -> Result<(), Mistake> {
    for node in nodes {
        match node {
            Node::Text(text) => out.extend_from_slice(text.as_bytes()),
            Node::Tag { tag, position } => {
                let value = tag.value(place);
                let value = value.map_err(|message| Mistake { position: *position, message })?;
                out.extend_from_slice(value.as_bytes());
            }
            Node::Section { section, inverted, position, body } => {
                render_section(*section, *inverted, *position, body, place, out)?;
            }
        }
    }
    Ok(())
}

#[inline]
fn render_section(
    section: Section,
    inverted: bool,
    position: Position,
    body: &[Node<'_>],
    place: &Place<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Mistake> {
    match section {
        Section::Result => {
            for result in 0..place.results.len() {
                render_nodes(body, &Place { result: Some(result), ..*place }, out)?;
            }
        }
        Section::Measurement => {
            let result = place.result().map_err(|message| Mistake { position, message })?;
            for epoch in 0..result.epochs() {
                render_nodes(body, &Place { epoch: Some(epoch), ..*place }, out)?;
            }
        }
        Section::First | Section::Last => {
            let (index, number) = place.entry();
            let is_it = if section == Section::First { index == 0 } else { index + 1 == number };
            if is_it != inverted {
                render_nodes(body, place, out)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
