//! Tags and their values.

use crate::bench::result::{BenchResult, Measure};
use crate::report::{escape, without_formula};
use crate::stats;

/// The entry of each layer that is being rendered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) results: &'a [BenchResult],
    pub(super) result: Option<usize>,
    pub(super) epoch: Option<usize>,
}

impl<'a> Place<'a> {
    /// Returns the result that tags refer to.
    #[inline]
    pub(super) fn result(&self) -> Result<&'a BenchResult, String> {
        match (self.result, self.results) {
            (Some(result), results) => Ok(&results[result]),
            (None, [only]) => Ok(only),
            (None, results) => Err(format!(
                "outside of `{{{{#result}}}}`, this needs a single result, but there are {}",
                results.len()
            )),
        }
    }

    /// Returns the result whose settings tags refer to: outside of `{{#result}}`, the last one, as
    /// in C++.
    #[inline]
    fn settings_of(&self) -> Result<&'a BenchResult, String> {
        match self.results {
            [_, .., last] if self.result.is_none() => Ok(last),
            _ => self.result(),
        }
    }

    /// Returns the index of the entry of the innermost layer, and the number of its entries.
    #[inline]
    pub(super) fn entry(&self) -> (usize, usize) {
        match (self.epoch, self.result()) {
            (Some(epoch), Ok(result)) => (epoch, result.epochs()),
            _ => (self.result.unwrap_or(0), self.results.len()),
        }
    }
}

/// A tag that a value replaces.
#[derive(Debug)]
pub(super) enum Tag<'t> {
    /// A setting of the result, or a text that is computed from all of its epochs.
    Setting(fn(&BenchResult) -> String),
    /// A measure of the epoch.
    Epoch(Scaled),
    /// `context(key)`
    Context(&'t str),
    /// A figure over all epochs: `median(elapsed)`.
    Of(fn(&BenchResult, Measure) -> f64, Scaled),
    /// `sumProduct(first, second)`
    SumProduct(Scaled, Scaled),
    /// An escaped value: `json(name)`.
    Escaped(fn(&str) -> String, Box<Tag<'t>>),
}

/// A measure in a unit: `elapsed` is in seconds, and `elapsedms` in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scaled {
    measure: Measure,
    factor: f64,
}

impl Scaled {
    #[inline]
    fn from_name(name: &str) -> Option<Scaled> {
        let factor = match name.strip_prefix("elapsed") {
            Some("ms") => 1e3,
            Some("us") => 1e6,
            Some("ns") => 1e9,
            _ => return Measure::from_name(name).map(|measure| Scaled { measure, factor: 1.0 }),
        };
        Some(Scaled { measure: Measure::Elapsed, factor })
    }
}

impl<'t> Tag<'t> {
    /// Parses the text between the braces. The error describes what is wrong with it.
    #[inline]
    pub(super) fn parse(text: &'t str, is_in_measurement: bool) -> Result<Tag<'t>, String> {
        let Some((function, argument)) = call(text)? else { return field(text, is_in_measurement) };
        let escape: fn(&str) -> String = match function {
            "json" => json_text,
            "csv" => csv_text,
            "html" => html_text,
            _ => return computed(function, argument),
        };
        // Escapes are not applied to each other.
        let escaped = match call(argument)? {
            Some((function, argument)) => computed(function, argument),
            None => field(argument, is_in_measurement),
        };
        Ok(Tag::Escaped(escape, Box::new(escaped?)))
    }

    /// Returns the value. The error describes why it has none.
    #[inline]
    pub(super) fn value(&self, place: &Place<'_>) -> Result<String, String> {
        Ok(match self {
            Tag::Setting(setting) => setting(place.settings_of()?),
            Tag::Epoch(Scaled { measure, factor }) => {
                let result = place.result()?;
                let value = place.epoch.and_then(|epoch| result.value(epoch, *measure));
                number(value.unwrap_or(0.0) * factor)
            }
            Tag::Context(key) => {
                let value = place.result()?.context(key);
                value.ok_or_else(|| format!("there is no context `{key}`"))?.to_owned()
            }
            Tag::Of(figure, Scaled { measure, factor }) => number(figure(place.result()?, *measure) * factor),
            Tag::SumProduct(first, second) => {
                let sum = place.result()?.sum_product(first.measure, second.measure);
                number(sum * first.factor * second.factor)
            }
            Tag::Escaped(escape, tag) => escape(&tag.value(place)?),
        })
    }
}

/// Splits `function(argument)`. `None` for a plain name.
#[inline]
fn call(tag: &str) -> Result<Option<(&str, &str)>, String> {
    let Some((function, rest)) = tag.split_once('(') else { return Ok(None) };
    let argument = rest.strip_suffix(')').ok_or_else(|| format!("`{tag}` has no `)` at its end"))?;
    Ok(Some((function.trim(), argument.trim())))
}

/// Parses a plain tag.
#[inline]
fn field(name: &str, is_in_measurement: bool) -> Result<Tag<'_>, String> {
    if let Some(measure) = Scaled::from_name(name) {
        return if is_in_measurement {
            Ok(Tag::Epoch(measure))
        } else {
            Err(format!("`{name}` must be within `{{{{#measurement}}}}`, or in `median({name})`"))
        };
    }
    Ok(Tag::Setting(match name {
        "title" => |result| result.title().to_owned(),
        "name" => |result| result.name().to_owned(),
        "unit" => |result| result.unit().to_owned(),
        "batch" => |result| number(result.batch()),
        "complexityN" => |result| number(result.complexity_n().unwrap_or(-1.0)),
        "epochs" => |result| result.settings.epochs.to_string(),
        "clockResolution" => |result| number(result.clock_resolution),
        "clockResolutionMultiple" => |result| result.settings.clock_resolution_multiple.to_string(),
        "maxEpochTime" => |result| number(result.settings.max_epoch_time.as_secs_f64()),
        "minEpochTime" => |result| number(result.settings.min_epoch_time.as_secs_f64()),
        "minEpochIterations" => |result| result.settings.min_epoch_iterations.to_string(),
        "epochIterations" => |result| result.settings.epoch_iterations.to_string(),
        "warmup" => |result| result.settings.warmup.to_string(),
        "relative" => |result| result.settings.relative.to_string(),
        "values" => values,
        "loops" => loops,
        _ => return Err(format!("there is no tag `{name}`")),
    }))
}

/// Returns the times of an operation in some consecutive parts, in seconds. pyperf takes none of 0,
/// and compares only results with the same number of values.
#[inline]
fn values(result: &BenchResult) -> String {
    let times = stats::medians_of_parts(&result.values(Measure::Elapsed));
    let times: Vec<String> = times.iter().map(|time| number((time / result.batch()).max(1e-15))).collect();
    times.join(", ")
}

/// Returns the number of operations in each of these parts, on average.
#[inline]
fn loops(result: &BenchResult) -> String {
    let parts = stats::medians_of_parts(&result.values(Measure::Elapsed)).len().max(1);
    ((result.operations() / parts as f64) as u64).max(1).to_string()
}

/// Parses a function of a result.
#[inline]
fn computed<'t>(function: &str, argument: &'t str) -> Result<Tag<'t>, String> {
    let measure = |name: &str| {
        let name = name.trim();
        Scaled::from_name(name).ok_or_else(|| format!("there is no measure `{name}`"))
    };
    let figure: fn(&BenchResult, Measure) -> f64 = match function {
        "context" => return Ok(Tag::Context(argument)),
        "sumProduct" => {
            let Some((first, second)) = argument.split_once(',') else {
                return Err("`sumProduct` takes two measures".to_owned());
            };
            return Ok(Tag::SumProduct(measure(first)?, measure(second)?));
        }
        "median" => BenchResult::median,
        "average" => BenchResult::average,
        // A fraction, whatever the unit.
        "medianAbsolutePercentError" => {
            let measure = Scaled { factor: 1.0, ..measure(argument)? };
            return Ok(Tag::Of(BenchResult::median_absolute_percent_error, measure));
        }
        "sum" => BenchResult::sum,
        "standardDeviation" => BenchResult::standard_deviation,
        "minimum" => BenchResult::minimum,
        "maximum" => BenchResult::maximum,
        _ => return Err(format!("there is no function `{function}`")),
    };
    Ok(Tag::Of(figure, measure(argument)?))
}

/// Formats a number so that it can be read back exactly, also by JSON.
#[inline]
fn number(value: f64) -> String {
    match value.abs() {
        _ if !value.is_finite() => "0".to_owned(),
        size if size != 0.0 && !(1e-4..1e15).contains(&size) => format!("{value:e}"),
        _ => value.to_string(),
    }
}

/// Returns a text as a JSON string with its quotes. `<` and `&` are escaped, too, so that it can
/// stand in a script of a page.
#[inline]
fn json_text(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out += &format!("\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Returns a text as a quoted field of a CSV file.
#[inline]
fn csv_text(text: &str) -> String {
    format!("\"{}\"", without_formula(text.replace('"', "\"\"")))
}

/// Returns a text for the content or a quoted attribute of an HTML element.
#[inline]
fn html_text(text: &str) -> String {
    let mut out = String::new();
    for c in escape(text).chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            _ => out.push(c),
        }
    }
    out
}
