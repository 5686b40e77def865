//! What `cargo nanobench baseline` says, as text.
//!
//! Whatever comes from a stored file is escaped: it may have been written by anyone.

use crate::baseline::{Baseline, Listed, Saved, StoredBenchmark, age, short_commit, summary};
use crate::environment::{Commit, Environment};
use indicatif::HumanBytes;
use jiff::Zoned;
use nanobench::report::{self, counted, escape};
use nanobench::summary::Summary;
use std::fmt::Write as _;

const GAP: &str = "  ";

/// A line for each baseline, as seen at `now`.
pub(super) fn list(listed: &[Listed], now: &Zoned) -> String {
    if listed.is_empty() {
        return "There is no baseline yet. Save one: cargo nanobench --save-baseline NAME\n".to_owned();
    }
    let name_width = width(listed.iter().map(|listed| escape(&listed.name)).chain(["name".to_owned()]));
    let head = cells("saved", "commit", "benchmarks", "size");
    let row = |listed: &Listed| match &listed.baseline {
        Ok(baseline) => {
            let commit = baseline.environment.commit.as_ref().map(short_commit).unwrap_or_default();
            let (age, count) = (age(baseline.created, now), baseline.benchmarks.len().to_string());
            cells(&age, &commit, &count, &HumanBytes(listed.size).to_string())
        }
        Err(error) => error.to_string().lines().next().unwrap_or_default().to_owned(),
    };
    let rows = listed.iter().map(|listed| (escape(&listed.name), row(listed)));
    let lines = [("name".to_owned(), head)].into_iter().chain(rows);
    lines.map(|(name, row)| format!("{name:<name_width$}{GAP}{row}\n")).collect()
}

/// The cells of a list after the name.
fn cells(age: &str, commit: &str, benchmarks: &str, size: &str) -> String {
    format!("{age:<11}{GAP}{commit:<13}{GAP}{benchmarks:>10}{GAP}{size:>10}")
}

/// All that is known of a baseline, as seen at `now`.
pub(super) fn show(name: &str, saved: &Saved, now: &Zoned) -> String {
    let baseline = &saved.baseline;
    let created = baseline.created.to_zoned(now.time_zone().clone()).strftime("%F %R");
    let tool = escape(&baseline.tool);
    let mut text = format!(
        "{}: saved {} ({created}) by cargo-nanobench {tool}\n\n",
        escape(name),
        age(baseline.created, now)
    );
    for (label, value) in environment(&baseline.environment) {
        let _ = writeln!(text, "{GAP}{label:<12}{GAP}{}", escape(&value));
    }
    let _ = writeln!(text, "{GAP}{:<12}{GAP}{}\n", "executables", executables(saved));
    text + &benchmarks(baseline)
}

/// What was removed, so that a slip of the hand is noticed.
pub(super) fn removed(removed: &Listed, now: &Zoned) -> String {
    let what = match &removed.baseline {
        Ok(baseline) => summary(baseline, now),
        Err(_) => "it couldn't be read".to_owned(),
    };
    format!("Removed baseline `{}` ({what}, {}).\n", escape(&removed.name), HumanBytes(removed.size))
}

/// What is known of an environment, a label each.
fn environment(environment: &Environment) -> Vec<(&'static str, String)> {
    let Environment { cpu, cores, os, arch, rustc, target, profile, features, rustflags, commit, .. } =
        environment;
    let context: Vec<String> =
        environment.context.iter().map(|pair| format!("{}={}", pair.key, pair.value)).collect();
    let joined = |words: &[String]| (!words.is_empty()).then(|| words.join(" "));
    let lines = [
        ("cpu", cpu.clone()),
        ("cores", cores.map(|cores| cores.to_string())),
        ("system", os.clone()),
        ("arch", arch.clone()),
        ("rustc", rustc.as_ref().map(|rustc| rustc.version.clone())),
        ("target", target.clone()),
        ("profile", profile.clone()),
        ("features", joined(features)),
        ("rustflags", joined(rustflags)),
        ("commit", commit.as_ref().map(describe_commit)),
        ("nanobench", environment.nanobench_core.clone()),
        ("context", joined(&context)),
    ];
    lines.into_iter().filter_map(|(label, value)| Some((label, value?))).collect()
}

fn describe_commit(commit: &Commit) -> String {
    let Commit { hash, branch, dirty } = commit;
    let branch = branch.as_ref().map(|branch| format!("on {branch}"));
    let dirty = dirty.then(|| "with uncommitted changes".to_owned());
    [Some(hash.clone()), branch, dirty].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn executables(saved: &Saved) -> String {
    let executables = &saved.baseline.executables;
    let lost: Vec<String> = executables
        .iter()
        .filter(|executable| saved.executable(executable).is_none())
        .map(|executable| escape(&executable.file.to_string()))
        .collect();
    let kept = executables.len() - lost.len();
    if lost.is_empty() {
        format!("{kept} kept")
    } else {
        format!("{kept} kept, missing or changed: {}", lost.join(", "))
    }
}

/// A line for each benchmark.
fn benchmarks(baseline: &Baseline) -> String {
    let Baseline { benchmarks, .. } = baseline;
    let id_width = width(benchmarks.iter().map(|benchmark| escape(&benchmark.id)));
    let mut text = String::new();
    for benchmark in benchmarks {
        let _ = writeln!(text, "{GAP}{:<id_width$}{GAP}{}", escape(&benchmark.id), figures(benchmark));
    }
    text + &format!("\n{}.\n", counted(benchmarks.len(), "benchmark"))
}

fn figures(benchmark: &StoredBenchmark) -> String {
    match Summary::of(&benchmark.measurement) {
        None => "no samples".to_owned(),
        Some(summary) if summary.below_resolution => "below resolution".to_owned(),
        Some(summary) => {
            let samples = counted(usize::try_from(summary.samples).unwrap_or(usize::MAX), "sample");
            format!(
                "{:>10} per {}, err {:>6}, {samples}",
                report::time(summary.median),
                escape(benchmark.benchmark.unit.as_deref().unwrap_or("operation")),
                report::percent(summary.err)
            )
        }
    }
}

fn width(texts: impl Iterator<Item = String>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
