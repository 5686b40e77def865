//! The processor: how fast its clock is, who shares its cores, what counts on it.

use super::super::finding::Finding;
use super::System;
use std::collections::BTreeSet;

const CPUS: &str = "sys/devices/system/cpu";

/// What sets the clock of the cores.
pub(super) fn governor(system: &System) -> Finding {
    let name = "governor";
    let cores = system.names(CPUS);
    let governors: BTreeSet<String> = cores
        .iter()
        .filter_map(|core| system.line(&format!("{CPUS}/{core}/cpufreq/scaling_governor")))
        .collect();
    let all = governors.iter().cloned().collect::<Vec<_>>().join(", ");
    match &governors {
        none if none.is_empty() => Finding::not_known(name),
        all_of_them if all_of_them.iter().all(|governor| governor == "performance") => {
            Finding::fine(name, all)
        }
        _ => Finding::disturbs(
            name,
            all,
            "figures wander with the clock: sudo cpupower frequency-set -g performance",
        ),
    }
}

/// Clocks above what all cores can hold.
pub(super) fn turbo(system: &System) -> Finding {
    let name = "turbo";
    let (intel, others) = (format!("{CPUS}/intel_pstate/no_turbo"), format!("{CPUS}/cpufreq/boost"));
    let is_on = |path: &str, on: &str| system.line(path).map(|line| line == on);
    let off = |path: &str, value: &str| {
        Finding::disturbs(
            name,
            "on",
            format!(
                "the clock depends on temperature and on the other cores: echo {value} | sudo tee /{path}, and back after"
            ),
        )
    };
    match (is_on(&intel, "0"), is_on(&others, "1")) {
        (Some(true), _) => off(&intel, "1"),
        (_, Some(true)) => off(&others, "0"),
        (None, None) => Finding::not_known(name),
        _ => Finding::fine(name, "off"),
    }
}

/// Two threads on one core.
pub(super) fn smt(system: &System) -> Finding {
    let name = "SMT";
    match system.line(&format!("{CPUS}/smt/active")).as_deref() {
        Some("0") => Finding::fine(name, "off"),
        Some(_) => Finding::disturbs(
            name,
            "on",
            format!(
                "what runs on the other thread of a core takes a part of it: keep the machine idle, or echo off | \
                 sudo tee /{CPUS}/smt/control, and on after"
            ),
        ),
        None => Finding::not_known(name),
    }
}

/// The counter that samples are timed with.
pub(super) fn clock(system: &System) -> Finding {
    let name = "clock";
    let source = system.line("sys/devices/system/clocksource/clocksource0/current_clocksource");
    let flags = cpu_flags(system);
    match (source, flags) {
        (None, _) => Finding::not_known(name),
        (Some(source), Some(flags)) => {
            let has = |flag: &str| flags.split(' ').any(|other| other == flag);
            if has("constant_tsc") && has("nonstop_tsc") {
                Finding::fine(name, format!("invariant TSC, system {source}"))
            } else {
                Finding::disturbs(
                    name,
                    format!("TSC not invariant, system {source}"),
                    "it changes with the core's clock or stops: samples are timed with the system's clock, which takes longer to read",
                )
            }
        }
        // Processors without such flags count at a constant rate by design.
        (Some(source), None) => Finding::fine(name, format!("system {source}")),
    }
}

/// The flags that x86 processors say of themselves.
pub(super) fn cpu_flags(system: &System) -> Option<String> {
    let text = system.text("proc/cpuinfo")?;
    let line = text.lines().find(|line| line.starts_with("flags"))?;
    Some(line.split_once(": ")?.1.to_owned())
}

/// Whether instructions and cache misses can be counted.
pub(super) fn counters(system: &System) -> Finding {
    const ENOUGH: i64 = 2;
    let name = "hardware counters";
    let devices = system.names("sys/bus/event_source/devices");
    if devices.is_empty() {
        return Finding::not_known(name);
    }
    let is_processor = |device: &String| device.starts_with("cpu") || device.starts_with("armv");
    let paranoid =
        system.line("proc/sys/kernel/perf_event_paranoid").and_then(|line| line.parse::<i64>().ok());
    if !devices.iter().any(is_processor) {
        let usual = "virtual machines mostly have none; nothing but instruction counts needs them";
        return Finding::note(name, "none", usual);
    }
    match paranoid {
        Some(paranoid) if paranoid > ENOUGH => Finding::note(
            name,
            "not allowed",
            format!("to count instructions: sudo sysctl kernel.perf_event_paranoid={ENOUGH}"),
        ),
        _ => Finding::fine(name, "there"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::State;
    use super::super::system::tests::with;
    use super::*;

    fn found(check: fn(&System) -> Finding, files: &[(&str, &str)]) -> (State, String) {
        let (_temp, system) = with(files);
        let finding = check(&system);
        assert_eq!(
            finding.advice.is_some(),
            matches!(finding.state, State::Disturbs | State::Note),
            "{finding:?}"
        );
        (finding.state, finding.value)
    }

    #[test]
    fn the_governor_of_every_core_counts() {
        let core = |n| format!("sys/devices/system/cpu/cpu{n}/cpufreq/scaling_governor");
        let governors = |a, b| found(governor, &[(&core(0), a), (&core(1), b)]);
        assert_eq!(governors("performance\n", "performance\n"), (State::Fine, "performance".to_owned()));
        assert_eq!(
            governors("performance\n", "powersave\n"),
            (State::Disturbs, "performance, powersave".to_owned())
        );
        assert_eq!(found(governor, &[]).0, State::NotKnown);
    }

    #[test]
    fn turbo_is_said_in_two_ways() {
        let intel = "sys/devices/system/cpu/intel_pstate/no_turbo";
        let others = "sys/devices/system/cpu/cpufreq/boost";
        for (path, value, state) in [
            (intel, "0", State::Disturbs),
            (intel, "1", State::Fine),
            (others, "1", State::Disturbs),
            (others, "0", State::Fine),
            ("none", "", State::NotKnown),
        ] {
            assert_eq!(found(turbo, &[(path, value)]).0, state, "{path} {value}");
        }
    }

    #[test]
    fn two_threads_a_core_disturb() {
        let smt_is = |value| found(smt, &[("sys/devices/system/cpu/smt/active", value)]).0;
        assert_eq!((smt_is("0\n"), smt_is("1\n")), (State::Fine, State::Disturbs));
        assert_eq!(found(smt, &[]).0, State::NotKnown);
    }

    #[test]
    fn the_tsc_must_be_invariant() {
        let source = ("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
        let clock_is = |flags| found(clock, &[source, ("proc/cpuinfo", flags)]).0;
        assert_eq!(clock_is("flags\t\t: fpu constant_tsc nonstop_tsc\n"), State::Fine);
        assert_eq!(clock_is("flags\t\t: fpu constant_tsc\n"), State::Disturbs);
        assert_eq!(clock_is("Features\t: fp asimd\n"), State::Fine, "no x86");
        assert_eq!(found(clock, &[]).0, State::NotKnown);
    }

    #[test]
    fn counters_may_be_missing_or_forbidden() {
        let device = |name: &str| format!("sys/bus/event_source/devices/{name}/type");
        let (software, cpu) = (device("software"), device("cpu_core"));
        let paranoid = |value| ("proc/sys/kernel/perf_event_paranoid", value);
        assert_eq!(found(counters, &[(&software, "1")]), (State::Note, "none".to_owned()));
        assert_eq!(found(counters, &[(&cpu, "4"), paranoid("2")]).0, State::Fine);
        assert_eq!(found(counters, &[(&cpu, "4"), paranoid("4")]).1, "not allowed");
        assert_eq!(found(counters, &[]).0, State::NotKnown);
    }
}
