//! The cores of the processor: those of each kind, and those that share one.

use super::super::check::Finding;
use super::SystemFiles;
use std::cmp::Reverse;

const CPUS: &str = "sys/devices/system/cpu";

/// Returns the cores of each kind, the fastest kind first. Empty if all are alike, or if the system
/// doesn't tell.
fn kinds(system: &SystemFiles) -> Vec<Vec<usize>> {
    // Capacities also differ a little among cores of a kind, some of which have a higher clock.
    let intel = ["cpu_core", "cpu_atom"].map(|kind| system.line(&format!("sys/devices/{kind}/cpus")));
    let kinds: Vec<Vec<usize>> = if let [Some(large), Some(small)] = intel {
        vec![parse(&large), parse(&small)]
    } else {
        let capacity = |name: String| {
            let capacity = system.line(&format!("{CPUS}/{name}/cpu_capacity"))?;
            Some((Reverse(capacity.parse::<u64>().ok()?), name.strip_prefix("cpu")?.parse::<usize>().ok()?))
        };
        let mut capacities: Vec<_> = system.names(CPUS).into_iter().filter_map(capacity).collect();
        capacities.sort_unstable();
        let is_alike = |a: &(Reverse<u64>, usize), b: &(Reverse<u64>, usize)| a.0.0 * 9 <= b.0.0 * 10;
        let kinds = capacities.chunk_by(is_alike);
        kinds.map(|kind| kind.iter().map(|(_, core)| *core).collect()).collect()
    };
    if kinds.len() > 1 { kinds } else { Vec::new() }
}

/// Returns those of `cores` that are of the fastest kind among them, or all if the system doesn't tell.
pub(super) fn fastest(system: &SystemFiles, cores: &[usize]) -> Vec<usize> {
    let of_kind = |kind: Vec<usize>| cores.iter().copied().filter(|core| kind.contains(core)).collect();
    let mut kinds = kinds(system).into_iter().map(of_kind);
    kinds.find(|kind: &Vec<usize>| !kind.is_empty()).unwrap_or_else(|| cores.to_vec())
}

/// Returns the cores of the system's numbering that are threads of one core: this one, and its siblings.
pub(super) fn siblings(system: &SystemFiles, core: usize) -> Vec<usize> {
    let list = system.line(&format!("{CPUS}/cpu{core}/topology/thread_siblings_list"));
    list.map_or_else(|| vec![core], |list| parse(&list))
}

/// Returns whether some memory is farther from some cores (NUMA).
pub(super) fn has_memory_nodes(system: &SystemFiles) -> bool {
    system.exists("sys/devices/system/node/node1")
}

/// Checks for several kinds of cores.
pub(super) fn check(system: &SystemFiles) -> Option<Finding> {
    let kinds = kinds(system);
    if kinds.is_empty() {
        return system.exists(CPUS).then(|| Finding::ok("all alike"));
    }
    let numbers: Vec<String> = kinds.iter().map(|kind| kind.len().to_string()).collect();
    let advice = "comparisons use the fastest; bind other runs to one kind (`taskset`)";
    Some(Finding::note(
        format!("{} kinds: {} cores, fastest first", kinds.len(), numbers.join(" + ")),
        advice,
    ))
}

/// Returns the numbers of a list such as `0-3,8`.
pub fn parse(list: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.trim().parse::<usize>().ok()?..=last.trim().parse().ok()?)
    };
    list.split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::check::{Check, Status};
    use super::super::system_files::tests::with;
    use super::*;

    #[test]
    fn lists_have_ranges() {
        assert_eq!(parse("0-2,8\n"), [0, 1, 2, 8]);
        assert_eq!(parse("\n"), [0_usize; 0]);
    }

    #[test]
    fn the_fastest_kind_is_chosen_of_the_cores_that_may_be_used() {
        // A Core i5-13500: six large cores with two threads each, and eight small ones.
        let intel = [("sys/devices/cpu_core/cpus", "0-11\n"), ("sys/devices/cpu_atom/cpus", "12-19\n")];
        let (_temp, system) = with(&intel);
        assert_eq!(fastest(&system, &[13, 3, 11, 12]), [3, 11]);
        assert_eq!(fastest(&system, &[14, 13]), [14, 13]);
        let found = Check::new("", check(&system));
        assert_eq!((found.status, &*found.value), (Status::Note, "2 kinds: 12 + 8 cores, fastest first"));

        // A Snapdragon with one prime core.
        let capacities = ["325", "325", "800", "1024", "820"];
        let paths: Vec<String> = (0..5).map(|core| format!("{CPUS}/cpu{core}/cpu_capacity")).collect();
        let arm: Vec<(&str, &str)> = paths.iter().map(String::as_str).zip(capacities).collect();
        let (_temp, system) = with(&arm);
        assert_eq!(fastest(&system, &[0, 1, 2, 3]), [3]);
        assert_eq!(fastest(&system, &[1, 0, 2]), [2]);
        assert_eq!(kinds(&system), [vec![3], vec![4, 2], vec![0, 1]]);

        let (_temp, system) = with(&arm[..2]);
        assert_eq!(fastest(&system, &[1, 0]), [1, 0]);
        assert_eq!(Check::new("", check(&system)).value, "all alike");
        assert_eq!(Check::new("", check(&with(&[]).1)).status, Status::Unknown);
    }

    #[test]
    fn siblings_share_a_core() {
        let list = format!("{CPUS}/cpu1/topology/thread_siblings_list");
        let (_temp, system) = with(&[(&list, "1,5\n")]);
        assert_eq!((siblings(&system, 1), siblings(&system, 2)), (vec![1, 5], vec![2]));
        assert!(!has_memory_nodes(&system));
        assert!(has_memory_nodes(&with(&[("sys/devices/system/node/node1/cpulist", "8-15\n")]).1));
    }
}
