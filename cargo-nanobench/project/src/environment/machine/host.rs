//! Checks of a process's host: kernel settings, containers, virtual machines and power.

use super::super::check::Finding;
use super::SystemFiles;
use super::processor::cpu_flags;
use nanobench::report::time;
use std::path::Path;

/// Checks whether each process has its own memory layout.
pub(super) fn aslr(system: &SystemFiles) -> Option<Finding> {
    Some(match system.line("proc/sys/kernel/randomize_va_space")?.as_str() {
        "0" => Finding::note(
            "off",
            "every launch has the same memory layout, which may cause small differences by itself",
        ),
        _ => Finding::note(
            "on",
            "figures differ a little between launches; comparisons average over several; leave it on",
        ),
    })
}

/// Checks how late a sleep may end.
pub(super) fn timer_slack(system: &SystemFiles) -> Option<Finding> {
    let slack = system.line("proc/self/timerslack_ns")?.parse::<f64>().ok()?;
    Some(Finding::note(time(slack), "a sleep may take that much longer; nothing else is affected"))
}

/// Checks for a virtual machine, which shares its cores with other machines.
pub(super) fn virtual_machine(system: &SystemFiles) -> Option<Finding> {
    const KINDS: [&str; 8] =
        ["KVM", "QEMU", "VMware", "VirtualBox", "Virtual Machine", "HVM", "Google", "EC2"];
    let flagged = cpu_flags(system).map(|flags| flags.split(' ').any(|flag| flag == "hypervisor"));
    let product = system.line("sys/class/dmi/id/product_name");
    let kind = system.line("sys/hypervisor/type").or(product);
    let named = kind.as_ref().map(|kind| KINDS.iter().any(|known| kind.contains(known)));
    Some(match (flagged, named) {
        (None, None) => return None,
        (Some(false) | None, Some(false) | None) => Finding::ok("none"),
        _ => Finding::warning(
            kind.filter(|_| named == Some(true)).unwrap_or_else(|| "yes".to_owned()),
            "other virtual machines share its cores, caches and clock; compare side by side (--against, --baseline), not across hours",
        ),
    })
}

/// Checks for a container with a limit on processor time.
pub(super) fn container(system: &SystemFiles) -> Option<Finding> {
    const MARKS: [&str; 4] = ["docker", "kubepods", "containerd", "lxc"];
    if let Some(cores) = quota(system) {
        return Some(Finding::warning(
            format!("limited to {cores:.1} cores"),
            "a process that has used its share is paused for the rest of each 100 ms; raise or remove the limit",
        ));
    }
    let cgroup = system.text("proc/1/cgroup");
    let is_one = system.exists(".dockerenv")
        || system.exists("run/.containerenv")
        || cgroup.as_ref().is_some_and(|cgroup| MARKS.iter().any(|mark| cgroup.contains(mark)));
    Some(match (is_one, cgroup) {
        (true, _) => Finding::note(
            "yes, without a limit",
            "it has no overhead; programs outside it share the machine, but aren't visible here",
        ),
        (false, Some(_)) => Finding::ok("none"),
        (false, None) => return None,
    })
}

/// Returns the smallest limit of the control groups, in cores.
pub(super) fn quota(system: &SystemFiles) -> Option<f64> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|&number| number > 0.0);
    let of_group = |group: &String| {
        if let Some(line) = system.line(&format!("{group}/cpu.max")) {
            let (quota, period) = line.split_once(' ')?;
            return Some(number(quota)? / number(period)?);
        }
        let microseconds = |file| number(&system.line(&format!("{group}/cpu.cfs_{file}_us"))?);
        Some(microseconds("quota")? / microseconds("period")?)
    };
    control_groups(system).iter().filter_map(of_group).reduce(f64::min)
}

/// Returns how often the control groups were paused because their time was used up. `None` without a
/// limit.
pub(super) fn pauses(system: &SystemFiles) -> Option<u64> {
    quota(system)?;
    let of_group = |group: &String| {
        let text = system.text(&format!("{group}/cpu.stat"))?;
        text.lines().find_map(|line| line.strip_prefix("nr_throttled "))?.trim().parse::<u64>().ok()
    };
    control_groups(system).iter().filter_map(of_group).reduce(|one, other| one + other)
}

/// Returns the folders of this process's control groups for processor time, and of those above them. In
/// a container, only the topmost one may exist.
fn control_groups(system: &SystemFiles) -> Vec<String> {
    let own = system.text("proc/self/cgroup").unwrap_or_default();
    let group = own.lines().find_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        // Version 2 has one hierarchy, without a name.
        (controllers.is_empty() || controllers.split(',').any(|controller| controller == "cpu"))
            .then_some(path)
    });
    let paths = Path::new(group.unwrap_or("/")).ancestors();
    paths
        .flat_map(|path| {
            let path = path.strip_prefix("/").unwrap_or(path).display();
            ["sys/fs/cgroup", "sys/fs/cgroup/cpu"].map(|root| format!("{root}/{path}"))
        })
        .collect()
}

/// Checks for a battery as the power supply.
pub(super) fn power(system: &SystemFiles) -> Option<Finding> {
    const SUPPLIES: &str = "sys/class/power_supply";
    if !system.exists(SUPPLIES) {
        return None;
    }
    let read = |supply: &str, file: &str| system.line(&format!("{SUPPLIES}/{supply}/{file}"));
    // The batteries of mice and headsets have the scope `Device`.
    let discharges = |supply: &String| {
        read(supply, "type").as_deref() == Some("Battery")
            && read(supply, "status").as_deref() == Some("Discharging")
            && read(supply, "scope").as_deref() != Some("Device")
    };
    let is_on_battery = system.names(SUPPLIES).iter().any(discharges);
    Some(if is_on_battery {
        Finding::warning("battery", "processors save power on a battery; plug in the machine")
    } else {
        Finding::ok("mains")
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
        (check.status, check.value)
    }

    #[test]
    fn kernel_settings_are_noted() {
        assert_eq!(
            run(aslr, &[("proc/sys/kernel/randomize_va_space", "2\n")]),
            (Status::Note, "on".to_owned())
        );
        assert_eq!(run(aslr, &[("proc/sys/kernel/randomize_va_space", "0\n")]).1, "off");
        assert_eq!(run(timer_slack, &[("proc/self/timerslack_ns", "50000\n")]).1, "50.0 us");
        assert_eq!((run(aslr, &[]).0, run(timer_slack, &[]).0), (Status::Unknown, Status::Unknown));
    }

    #[test]
    fn virtual_machines_are_known_by_flag_or_name() {
        let product = |name| ("sys/class/dmi/id/product_name", name);
        let flags = |flags| ("proc/cpuinfo", flags);
        assert_eq!(
            run(virtual_machine, &[flags("flags : fpu hypervisor\n")]),
            (Status::Warning, "yes".to_owned())
        );
        assert_eq!(
            run(virtual_machine, &[flags("flags : fpu\n"), product("ThinkPad")]),
            (Status::Ok, "none".to_owned())
        );
        assert_eq!(run(virtual_machine, &[product("KVM")]), (Status::Warning, "KVM".to_owned()));
        assert_eq!(run(virtual_machine, &[]).0, Status::Unknown);
    }

    #[test]
    fn a_container_with_a_limit_is_a_warning() {
        let max = |value| ("sys/fs/cgroup/cpu.max", value);
        let outside = ("proc/1/cgroup", "0::/init.scope\n");
        assert_eq!(run(container, &[outside, max("150000 100000\n")]).1, "limited to 1.5 cores");
        assert_eq!(run(container, &[outside, max("max 100000\n")]), (Status::Ok, "none".to_owned()));
        let older =
            [("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1"), ("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000")];
        assert_eq!(run(container, &[older[0], older[1], (".dockerenv", "")]).0, Status::Note);
    }

    #[test]
    fn quotas_of_all_groups_count_and_so_do_their_pauses() {
        let pauses = |files: &[(&str, &str)]| {
            let (_temp, system) = with(files);
            (quota(&system), pauses(&system))
        };
        let second = [
            ("proc/self/cgroup", "0::/slice/unit\n"),
            ("sys/fs/cgroup/slice/cpu.max", "50000 100000\n"),
            (
                "sys/fs/cgroup/slice/cpu.stat",
                "usage_usec 1\nnr_periods 9\nnr_throttled 7\nthrottled_usec 3\n",
            ),
            ("sys/fs/cgroup/slice/unit/cpu.max", "max 100000\n"),
            ("sys/fs/cgroup/slice/unit/cpu.stat", "usage_usec 1\nnr_throttled 1\n"),
        ];
        assert_eq!(pauses(&second), (Some(0.5), Some(8)));
        assert_eq!(pauses(&[second[0], second[3], second[4]]), (None, None), "no limit");
        let first = [
            ("proc/self/cgroup", "5:memory:/docker/x\n4:cpu,cpuacct:/docker/x\n0::/other\n"),
            ("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n"),
            ("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/cpu/cpu.stat", "nr_periods 9\nnr_throttled 4\nthrottled_time 3\n"),
        ];
        assert_eq!(pauses(&first), (Some(2.0), Some(4)));
    }

    #[test]
    fn containers_without_a_limit_are_noted() {
        assert_eq!(run(container, &[("proc/1/cgroup", "4:cpu:/kubepods/x\n")]).0, Status::Note);
        assert_eq!(run(container, &[]).0, Status::Unknown);
    }

    #[test]
    fn a_battery_counts_while_it_discharges() {
        let battery = ("sys/class/power_supply/BAT0/type", "Battery\n");
        let status = |status| ("sys/class/power_supply/BAT0/status", status);
        assert_eq!(run(power, &[battery, status("Discharging\n")]).0, Status::Warning);
        assert_eq!(run(power, &[battery, status("Full\n")]).0, Status::Ok);
        let mouse = ("sys/class/power_supply/BAT0/scope", "Device\n");
        assert_eq!(run(power, &[battery, status("Discharging\n"), mouse]).0, Status::Ok);
        assert_eq!(run(power, &[]).0, Status::Unknown);
    }
}
