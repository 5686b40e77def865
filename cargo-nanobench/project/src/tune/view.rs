//! The settings as a table and as JSON.

use super::Setting;
use nanobench::report::{counted, escape};
use serde::Serialize;
use std::fmt::Write as _;

/// The version of the JSON document. New fields don't change it; changed and removed ones do.
const FORMAT: u64 = 1;

/// Settings of one kind with the same values.
struct Group<'a> {
    first: &'a Setting,
    number: usize,
}

/// Returns the table for people.
pub fn table(settings: &[Setting]) -> String {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for setting in settings {
        let is_like = |group: &Group<'_>| {
            (group.first.name, &group.first.now, &group.first.wanted)
                == (setting.name, &setting.now, &setting.wanted)
        };
        match groups.iter_mut().find(|group| is_like(group)) {
            Some(group) => group.number += 1,
            None => groups.push(Group { first: setting, number: 1 }),
        }
    }
    let lines: Vec<[String; 4]> = groups.iter().map(line).collect();
    let titles = ["setting", "now", "tuned", ""].map(str::to_owned);
    let all = [titles].into_iter().chain(lines).collect::<Vec<_>>();
    let width = |column: usize| all.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let [names, now, tuned] = [0, 1, 2].map(width);
    let mut text = String::new();
    for [name, is, will_be, of] in &all {
        let line = format!("  {name:<names$}  {is:<now$}  {will_be:<tuned$}  {of}");
        _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn line(group: &Group<'_>) -> [String; 4] {
    let Setting { name, key, now, wanted, .. } = group.first;
    let of = if group.number > 1 { counted(group.number, "file") } else { escape(key) };
    [(*name).to_owned(), escape(now), escape(wanted), of]
}

#[derive(Debug, Serialize)]
struct Document<'a> {
    format: u64,
    /// `tune --apply` has changed settings, and `--restore` would restore them.
    is_applied: bool,
    settings: Vec<Entry<'a>>,
    isolated_cores: &'a [usize],
}

#[derive(Debug, Serialize)]
struct Entry<'a> {
    name: &'a str,
    key: &'a str,
    now: &'a str,
    tuned: &'a str,
    is_writable: bool,
}

/// Returns the JSON document.
pub fn json<'a>(
    settings: &'a [Setting],
    isolated_cores: &'a [usize],
    is_applied: bool,
) -> serde_json::Result<String> {
    let entry = |Setting { name, key, now, wanted, is_writable }: &'a Setting| Entry {
        name,
        key,
        now,
        tuned: wanted,
        is_writable: *is_writable,
    };
    let settings = settings.iter().map(entry).collect();
    serde_json::to_string_pretty(&Document { format: FORMAT, is_applied, settings, isolated_cores })
}
