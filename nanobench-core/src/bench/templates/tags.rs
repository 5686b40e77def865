//! The values of tags.

use crate::bench::result::{BenchResult, Measure};
use crate::report::escape;

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

    /// Returns the index of the entry of the innermost layer, and the number of its entries.
    #[inline]
    pub(super) fn entry(&self) -> (usize, usize) {
        match (self.epoch, self.result()) {
            (Some(epoch), Ok(result)) => (epoch, result.epochs()),
            _ => (self.result.unwrap_or(0), self.results.len()),
        }
    }
}

/// Returns the value of a tag. The error describes what is wrong with it.
#[inline]
pub(super) fn value(tag: &str, place: &Place<'_>) -> Result<String, String> {
    let Some((function, argument)) = call(tag)? else { return field(tag, place) };
    // The filters are not applied to each other.
    let filtered = || match call(argument)? {
        Some((function, argument)) => computed(function, argument, place),
        None => field(argument, place),
    };
    match function {
        "json" => Ok(json_text(&filtered()?)),
        "csv" => Ok(format!("\"{}\"", filtered()?.replace('"', "\"\""))),
        "html" => Ok(html_text(&filtered()?)),
        _ => computed(function, argument, place),
    }
}

/// Splits `function(argument)`. `None` for a plain name.
#[inline]
fn call(tag: &str) -> Result<Option<(&str, &str)>, String> {
    let Some((function, rest)) = tag.split_once('(') else { return Ok(None) };
    let argument = rest.strip_suffix(')').ok_or_else(|| format!("`{tag}` has no `)` at its end"))?;
    Ok(Some((function.trim(), argument.trim())))
}

/// Returns the value of a plain tag.
#[inline]
fn field(name: &str, place: &Place<'_>) -> Result<String, String> {
    let result = place.result()?;
    if let (Some(measure), Some(epoch)) = (Measure::from_name(name), place.epoch) {
        return Ok(number(result.value(epoch, measure).unwrap_or(0.0)));
    }
    let settings = &result.settings;
    Ok(match name {
        "title" => settings.title.clone(),
        "name" => settings.name.clone(),
        "unit" => settings.unit.clone(),
        "batch" => number(settings.batch),
        "complexityN" => number(settings.complexity_n.unwrap_or(-1.0)),
        "epochs" => settings.epochs.to_string(),
        "clockResolution" => number(result.clock_resolution),
        "clockResolutionMultiple" => settings.clock_resolution_multiple.to_string(),
        "maxEpochTime" => number(settings.max_epoch_time.as_secs_f64()),
        "minEpochTime" => number(settings.min_epoch_time.as_secs_f64()),
        "minEpochIterations" => settings.min_epoch_iterations.to_string(),
        "epochIterations" => settings.epoch_iterations.to_string(),
        "warmup" => settings.warmup.to_string(),
        "relative" => settings.relative.to_string(),
        _ if Measure::from_name(name).is_some() => {
            return Err(format!("`{name}` must be within `{{{{#measurement}}}}`, or in `median({name})`"));
        }
        _ => return Err(format!("there is no tag `{name}`")),
    })
}

/// Returns the value of a function of a result.
#[inline]
fn computed(function: &str, argument: &str, place: &Place<'_>) -> Result<String, String> {
    let result = place.result()?;
    let measure = |name: &str| {
        let name = name.trim();
        Measure::from_name(name).ok_or_else(|| format!("there is no measure `{name}`"))
    };
    let of_one = match function {
        "context" => {
            let value = result.context(argument);
            return value.map(str::to_owned).ok_or_else(|| format!("there is no context `{argument}`"));
        }
        "sumProduct" => {
            let Some((first, second)) = argument.split_once(',') else {
                return Err("`sumProduct` takes two measures".to_owned());
            };
            return Ok(number(result.sum_product(measure(first)?, measure(second)?)));
        }
        "median" => BenchResult::median,
        "average" => BenchResult::average,
        "medianAbsolutePercentError" => BenchResult::median_absolute_percent_error,
        "sum" => BenchResult::sum,
        "minimum" => BenchResult::minimum,
        "maximum" => BenchResult::maximum,
        _ => return Err(format!("there is no function `{function}`")),
    };
    Ok(number(of_one(result, measure(argument)?)))
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
