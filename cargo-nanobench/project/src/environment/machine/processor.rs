//! Checks of the processor: its clock, the sharing of its cores, and its counters.

use super::super::check::Finding;
use super::SystemFiles;
use std::collections::BTreeSet;

const CPUS: &str = "sys/devices/system/cpu";

/// Checks the policy that sets the clock of the cores.
pub(super) fn governor(system: &SystemFiles) -> Option<Finding> {
    let governor = |core: &String| system.line(&format!("{CPUS}/{core}/cpufreq/scaling_governor"));
    let governors: BTreeSet<String> = system.names(CPUS).iter().filter_map(governor).collect();
    if governors.is_empty() {
        return None;
    }
    let all = governors.into_iter().collect::<Vec<_>>().join(", ");
    Some(if all == "performance" {
        Finding::ok(all)
    } else {
        let advice = "figures vary with the clock; run `sudo cpupower frequency-set -g performance`";
        Finding::warning(all, advice)
    })
}

/// Checks for clocks above the rate that all cores can sustain.
pub(super) fn turbo(system: &SystemFiles) -> Option<Finding> {
    let (intel, others) = (format!("{CPUS}/intel_pstate/no_turbo"), format!("{CPUS}/cpufreq/boost"));
    let is_on = |path: &str, on: &str| system.line(path).map(|line| line == on);
    let (path, off) = match (is_on(&intel, "0"), is_on(&others, "1")) {
        (Some(true), _) => (&intel, "1"),
        (_, Some(true)) => (&others, "0"),
        (None, None) => return None,
        _ => return Some(Finding::ok("off")),
    };
    let advice = format!(
        "the clock depends on the temperature and on other cores; while measuring, run `echo {off} | sudo tee /{path}`"
    );
    Some(Finding::warning("on", advice))
}

/// Checks for two threads on one core.
pub(super) fn smt(system: &SystemFiles) -> Option<Finding> {
    if system.line(&format!("{CPUS}/smt/active"))? == "0" {
        return Some(Finding::ok("off"));
    }
    let advice = format!(
        "two threads share a core; keep the machine idle, or run `echo off | sudo tee /{CPUS}/smt/control` \
         while measuring"
    );
    Some(Finding::warning("on", advice))
}

/// Checks the counter that times samples.
pub(super) fn clock(system: &SystemFiles) -> Option<Finding> {
    let source = system.line("sys/devices/system/clocksource/clocksource0/current_clocksource")?;
    let Some(flags) = cpu_flags(system) else {
        // Processors without these flags count at a constant rate by design.
        return Some(Finding::ok(format!("system {source}")));
    };
    let has = |flag: &str| flags.split(' ').any(|other| other == flag);
    Some(if has("constant_tsc") && has("nonstop_tsc") {
        Finding::ok(format!("invariant TSC, system {source}"))
    } else {
        Finding::warning(
            format!("TSC not invariant, system {source}"),
            "it changes with the core's clock or stops; samples are timed with the system clock, which takes longer to read",
        )
    })
}

/// Returns the feature flags of an x86 processor.
pub(super) fn cpu_flags(system: &SystemFiles) -> Option<String> {
    let text = system.text("proc/cpuinfo")?;
    let line = text.lines().find(|line| line.starts_with("flags"))?;
    Some(line.split_once(": ")?.1.to_owned())
}

/// Checks for counters of instructions and cache misses.
pub(super) fn counters(system: &SystemFiles) -> Option<Finding> {
    const MAX_PARANOID: i64 = 2;
    let devices = system.names("sys/bus/event_source/devices");
    if devices.is_empty() {
        return None;
    }
    let is_processor = |device: &String| device.starts_with("cpu") || device.starts_with("armv");
    if !devices.iter().any(is_processor) {
        let advice = "most virtual machines have none; only instruction counts need them";
        return Some(Finding::note("none", advice));
    }
    let paranoid =
        system.line("proc/sys/kernel/perf_event_paranoid").and_then(|line| line.parse::<i64>().ok());
    Some(if paranoid.is_some_and(|paranoid| paranoid > MAX_PARANOID) {
        let advice =
            format!("to count instructions, run `sudo sysctl kernel.perf_event_paranoid={MAX_PARANOID}`");
        Finding::note("not allowed", advice)
    } else {
        Finding::ok("available")
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::check::{Check, Status};
    use super::super::system_files::tests::with;
    use super::*;

    fn run(check: fn(&SystemFiles) -> Option<Finding>, files: &[(&str, &str)]) -> (Status, String) {
        let (_temp, system) = with(files);
        let check = Check::new("", check(&system));
        assert_eq!(
            check.advice.is_some(),
            matches!(check.status, Status::Warning | Status::Note),
            "{check:?}"
        );
        (check.status, check.value)
    }

    #[test]
    fn the_governor_of_every_core_counts() {
        let core = |n| format!("sys/devices/system/cpu/cpu{n}/cpufreq/scaling_governor");
        let governors = |a, b| run(governor, &[(&core(0), a), (&core(1), b)]);
        assert_eq!(governors("performance\n", "performance\n"), (Status::Ok, "performance".to_owned()));
        assert_eq!(
            governors("performance\n", "powersave\n"),
            (Status::Warning, "performance, powersave".to_owned())
        );
        assert_eq!(run(governor, &[]).0, Status::Unknown);
    }

    #[test]
    fn turbo_has_two_files() {
        let intel = "sys/devices/system/cpu/intel_pstate/no_turbo";
        let others = "sys/devices/system/cpu/cpufreq/boost";
        for (path, value, state) in [
            (intel, "0", Status::Warning),
            (intel, "1", Status::Ok),
            (others, "1", Status::Warning),
            (others, "0", Status::Ok),
            ("none", "", Status::Unknown),
        ] {
            assert_eq!(run(turbo, &[(path, value)]).0, state, "{path} {value}");
        }
    }

    #[test]
    fn two_threads_on_a_core_are_a_warning() {
        let smt_is = |value| run(smt, &[("sys/devices/system/cpu/smt/active", value)]).0;
        assert_eq!((smt_is("0\n"), smt_is("1\n")), (Status::Ok, Status::Warning));
        assert_eq!(run(smt, &[]).0, Status::Unknown);
    }

    #[test]
    fn the_tsc_must_be_invariant() {
        let source = ("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
        let clock_is = |flags| run(clock, &[source, ("proc/cpuinfo", flags)]).0;
        assert_eq!(clock_is("flags\t\t: fpu constant_tsc nonstop_tsc\n"), Status::Ok);
        assert_eq!(clock_is("flags\t\t: fpu constant_tsc\n"), Status::Warning);
        assert_eq!(clock_is("Features\t: fp asimd\n"), Status::Ok, "no x86");
        assert_eq!(run(clock, &[]).0, Status::Unknown);
    }

    #[test]
    fn counters_may_be_missing_or_forbidden() {
        let device = |name: &str| format!("sys/bus/event_source/devices/{name}/type");
        let (software, cpu) = (device("software"), device("cpu_core"));
        let paranoid = |value| ("proc/sys/kernel/perf_event_paranoid", value);
        assert_eq!(run(counters, &[(&software, "1")]), (Status::Note, "none".to_owned()));
        assert_eq!(run(counters, &[(&cpu, "4"), paranoid("2")]).0, Status::Ok);
        assert_eq!(run(counters, &[(&cpu, "4"), paranoid("4")]).1, "not allowed");
        assert_eq!(run(counters, &[]).0, Status::Unknown);
    }
}
