//! What lies around a process: the kernel's settings, a container, a virtual machine, a battery.

use super::super::finding::Finding;
use super::System;
use super::processor::cpu_flags;
use nanobench::report::time;

/// Whether each process gets its own layout.
pub(super) fn aslr(system: &System) -> Finding {
    let name = "ASLR";
    match system.line("proc/sys/kernel/randomize_va_space").as_deref() {
        None => Finding::not_known(name),
        Some("0") => Finding::note(
            name,
            "off",
            "every launch has the same layout, and with it the same luck: small differences may be the layout's",
        ),
        Some(_) => Finding::note(
            name,
            "on",
            "figures differ a little from launch to launch; comparisons take several of each side. Leave it on",
        ),
    }
}

/// How late sleeps may end.
pub(super) fn timer_slack(system: &System) -> Finding {
    let name = "timer slack";
    let slack = system.line("proc/self/timerslack_ns").and_then(|line| line.parse::<f64>().ok());
    slack.map_or_else(
        || Finding::not_known(name),
        |slack| {
            Finding::note(name, time(slack), "what sleeps may sleep that much longer; nothing else notices")
        },
    )
}

/// A machine that shares its cores with others.
pub(super) fn virtual_machine(system: &System) -> Finding {
    const KINDS: [&str; 8] =
        ["KVM", "QEMU", "VMware", "VirtualBox", "Virtual Machine", "HVM", "Google", "EC2"];
    let name = "virtual machine";
    let flagged = cpu_flags(system).map(|flags| flags.split(' ').any(|flag| flag == "hypervisor"));
    let product = system.line("sys/class/dmi/id/product_name");
    let kind = system.line("sys/hypervisor/type").or(product);
    let named = kind.as_ref().map(|kind| KINDS.iter().any(|known| kind.contains(known)));
    match (flagged, named) {
        (None, None) => Finding::not_known(name),
        (Some(false) | None, Some(false) | None) => Finding::fine(name, "none"),
        _ => Finding::disturbs(
            name,
            kind.filter(|_| named == Some(true)).unwrap_or_else(|| "yes".to_owned()),
            "its neighbours share cores, caches and clock: compare side by side (--against, --baseline), not across hours",
        ),
    }
}

/// A container, and a limit to the time that it gets.
pub(super) fn container(system: &System) -> Finding {
    const MARKS: [&str; 4] = ["docker", "kubepods", "containerd", "lxc"];
    let name = "container";
    if let Some(cores) = quota(system) {
        return Finding::disturbs(
            name,
            format!("limited to {cores:.1} cores"),
            "who has used its share stands still for the rest of 100 ms: raise the limit, or leave it out",
        );
    }
    let cgroup = system.text("proc/1/cgroup");
    let is_one = system.exists(".dockerenv")
        || system.exists("run/.containerenv")
        || cgroup.as_ref().is_some_and(|cgroup| MARKS.iter().any(|mark| cgroup.contains(mark)));
    match (is_one, cgroup) {
        (true, _) => Finding::note(
            name,
            "yes, without a limit",
            "costs nothing by itself; what runs outside of it isn't seen here, but shares the machine",
        ),
        (false, Some(_)) => Finding::fine(name, "none"),
        (false, None) => Finding::not_known(name),
    }
}

/// How many cores' time a control group gets.
fn quota(system: &System) -> Option<f64> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|&number| number > 0.0);
    if let Some(line) = system.line("sys/fs/cgroup/cpu.max") {
        let (quota, period) = line.split_once(' ')?;
        return Some(number(quota)? / number(period)?);
    }
    let of = |file| number(&system.line(&format!("sys/fs/cgroup/cpu/cpu.cfs_{file}_us"))?);
    Some(of("quota")? / of("period")?)
}

/// Whether it runs on a battery.
pub(super) fn power(system: &System) -> Finding {
    const SUPPLIES: &str = "sys/class/power_supply";
    let name = "power";
    if !system.exists(SUPPLIES) {
        return Finding::not_known(name);
    }
    let read = |supply: &str, file: &str| system.line(&format!("{SUPPLIES}/{supply}/{file}"));
    // Mice and headsets have batteries, too; theirs are not the system's.
    let discharges = |supply: &String| {
        read(supply, "type").as_deref() == Some("Battery")
            && read(supply, "status").as_deref() == Some("Discharging")
            && read(supply, "scope").as_deref() != Some("Device")
    };
    if system.names(SUPPLIES).iter().any(discharges) {
        return Finding::disturbs(name, "battery", "processors save power on a battery: plug it in");
    }
    Finding::fine(name, "mains")
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::State;
    use super::super::system::tests::with;
    use super::*;

    fn found(check: fn(&System) -> Finding, files: &[(&str, &str)]) -> (State, String) {
        let (_temp, system) = with(files);
        let finding = check(&system);
        (finding.state, finding.value)
    }

    #[test]
    fn kernel_settings_are_noted() {
        assert_eq!(
            found(aslr, &[("proc/sys/kernel/randomize_va_space", "2\n")]),
            (State::Note, "on".to_owned())
        );
        assert_eq!(found(aslr, &[("proc/sys/kernel/randomize_va_space", "0\n")]).1, "off");
        assert_eq!(found(timer_slack, &[("proc/self/timerslack_ns", "50000\n")]).1, "50.0 us");
        assert_eq!((found(aslr, &[]).0, found(timer_slack, &[]).0), (State::NotKnown, State::NotKnown));
    }

    #[test]
    fn virtual_machines_are_known_by_flag_or_name() {
        let product = |name| ("sys/class/dmi/id/product_name", name);
        let flags = |flags| ("proc/cpuinfo", flags);
        assert_eq!(
            found(virtual_machine, &[flags("flags : fpu hypervisor\n")]),
            (State::Disturbs, "yes".to_owned())
        );
        assert_eq!(
            found(virtual_machine, &[flags("flags : fpu\n"), product("ThinkPad")]),
            (State::Fine, "none".to_owned())
        );
        assert_eq!(found(virtual_machine, &[product("KVM")]), (State::Disturbs, "KVM".to_owned()));
        assert_eq!(found(virtual_machine, &[]).0, State::NotKnown);
    }

    #[test]
    fn limits_of_containers_are_what_disturbs() {
        let max = |value| ("sys/fs/cgroup/cpu.max", value);
        let outside = ("proc/1/cgroup", "0::/init.scope\n");
        assert_eq!(found(container, &[outside, max("150000 100000\n")]).1, "limited to 1.5 cores");
        assert_eq!(found(container, &[outside, max("max 100000\n")]), (State::Fine, "none".to_owned()));
        let older =
            [("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1"), ("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000")];
        assert_eq!(found(container, &[older[0], older[1], (".dockerenv", "")]).0, State::Note);
        assert_eq!(found(container, &[("proc/1/cgroup", "4:cpu:/kubepods/x\n")]).0, State::Note);
        assert_eq!(found(container, &[]).0, State::NotKnown);
    }

    #[test]
    fn a_battery_counts_while_it_discharges() {
        let battery = ("sys/class/power_supply/BAT0/type", "Battery\n");
        let status = |status| ("sys/class/power_supply/BAT0/status", status);
        assert_eq!(found(power, &[battery, status("Discharging\n")]).0, State::Disturbs);
        assert_eq!(found(power, &[battery, status("Full\n")]).0, State::Fine);
        let mouse = ("sys/class/power_supply/BAT0/scope", "Device\n");
        assert_eq!(found(power, &[battery, status("Discharging\n"), mouse]).0, State::Fine);
        assert_eq!(found(power, &[]).0, State::NotKnown);
    }
}
