//! How busy the machine was with other things, from what the system counts all the time: nothing runs beside a benchmark
//! to find out. Known on Linux; elsewhere there are no readings.

use super::finding::Finding;
use nanobench::report::{counted, percent};
use std::fs;

/// Share of all cores' time that others may take. More and a benchmark shares its core, or its cache and its clock.
const OTHERS: f64 = 0.15;
/// Share of the time that a hypervisor may give to other machines.
const STOLEN: f64 = 0.02;
/// Share of the time in which some thread may wait for a core.
const WAITING: f64 = 0.10;
/// A load from fewer ticks of the system (10 ms of a core) says nothing.
const LEAST_TICKS: u64 = 20;

/// What the system has counted since it started. In ticks, of all cores together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reading {
    cores: usize,
    all: u64,
    busy: u64,
    stolen: u64,
    /// Of `busy`, what this process took, and those of its children that have ended.
    own: u64,
    /// How long some thread waited for a core, in us. Kernels can be without this.
    waiting: Option<u64>,
    /// Since some point in time, in us.
    at: u64,
}

/// What happened between two readings, as shares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Load {
    cores: usize,
    /// Of all cores' time, what others took.
    others: f64,
    /// Of all cores' time, what the hypervisor gave to other machines.
    stolen: f64,
    /// Of the time, in how much some thread waited for a core.
    waiting: Option<f64>,
}

impl Reading {
    /// What is counted now. Children that still run are taken for others.
    pub(crate) fn now() -> Option<Reading> {
        let read = |path| fs::read_to_string(path).ok();
        let counted = Reading::parse(&read("/proc/stat")?, &read("/proc/self/stat")?)?;
        let waiting = read("/proc/pressure/cpu").and_then(|text| waiting(&text));
        let at = (read("/proc/uptime")?.split(' ').next()?.parse::<f64>().ok()? * 1e6) as u64;
        Some(Reading { waiting, at, ..counted })
    }

    fn parse(stat: &str, own: &str) -> Option<Reading> {
        let all_cores = stat.lines().next()?.strip_prefix("cpu ")?;
        let is_core = |line: &&str| line.strip_prefix("cpu").is_some_and(|rest| !rest.starts_with(' '));
        // user, nice, system, idle, iowait, irq, softirq, steal; what guests took is in `user` already.
        let ticks: Vec<u64> = all_cores.split_whitespace().take(8).map_while(|n| n.parse().ok()).collect();
        let [_, _, _, idle, io_wait, _, _, stolen] = ticks[..] else { return None };
        let all = ticks.iter().sum();
        // The name of a program may hold spaces and brackets. utime, stime, cutime and cstime are fields 14 to 17.
        let fields = own.rsplit_once(") ")?.1.split(' ').skip(11).take(4);
        let own = fields.map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
        let cores = stat.lines().filter(is_core).count();
        Some(Reading { cores, all, busy: all - idle - io_wait - stolen, stolen, own, waiting: None, at: 0 })
    }

    /// What happened from this reading to a later one. `None` where that is too short to tell.
    pub(crate) fn until(&self, later: &Reading) -> Option<Load> {
        let all = later.all.checked_sub(self.all).filter(|&all| all >= LEAST_TICKS)?;
        let share = |ticks: u64| ticks as f64 / all as f64;
        let busy = later.busy.saturating_sub(self.busy);
        let others = busy.saturating_sub(later.own.saturating_sub(self.own));
        let waited = self.waiting.zip(later.waiting).map(|(before, after)| after.saturating_sub(before));
        let time = later.at.saturating_sub(self.at).max(1) as f64;
        Some(Load {
            cores: later.cores,
            others: share(others),
            stolen: share(later.stolen.saturating_sub(self.stolen)),
            waiting: waited.map(|waited| (waited as f64 / time).min(1.0)),
        })
    }
}

/// The `total` of the line `some`, in us.
fn waiting(pressure: &str) -> Option<u64> {
    let some = pressure.lines().find_map(|line| line.strip_prefix("some "))?;
    some.split(' ').find_map(|field| field.strip_prefix("total="))?.parse().ok()
}

impl Load {
    /// What of it disturbs measurements, in words. `None` on a quiet machine.
    pub(crate) fn disturbance(&self) -> Option<String> {
        let busy = self.others * self.cores as f64;
        let parts = [
            (self.others > OTHERS)
                .then(|| format!("others keep {busy:.1} of {} busy", counted(self.cores, "core"))),
            (self.stolen > STOLEN)
                .then(|| format!("the hypervisor gives {} of the time to others", percent(self.stolen))),
            self.waiting
                .filter(|&waiting| waiting > WAITING)
                .map(|waiting| format!("threads wait for a core in {} of the time", percent(waiting))),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// All of it, each part by itself.
    pub(super) fn findings(load: Option<&Load>) -> Vec<Finding> {
        const WAIT: &str = "end what can be ended, or let a run wait: --wait-quiet 60s";
        let part = |name, share: Option<f64>, of: &str, limit: f64, advice: &str| {
            let value = |share| format!("{} {of}", percent(share));
            match share {
                None => Finding::not_known(name),
                Some(share) if share > limit => Finding::disturbs(name, value(share), advice),
                Some(share) => Finding::fine(name, value(share)),
            }
        };
        vec![
            part("other programs", load.map(|load| load.others), "of all cores' time", OTHERS, WAIT),
            part(
                "run queue",
                load.and_then(|load| load.waiting),
                "of the time some thread waited for a core",
                WAITING,
                WAIT,
            ),
            part(
                "steal",
                load.map(|load| load.stolen),
                "of the time went to other machines",
                STOLEN,
                "they share this one's hardware: take another hour, or another machine",
            ),
        ]
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Of two cores, where others take this share.
    pub(crate) fn load(others: f64) -> Load {
        Load { cores: 2, others, stolen: 0.0, waiting: Some(0.0) }
    }

    const STAT: &str = "cpu  100 5 45 800 30 3 7 10 50 0\ncpu0 50 5 20 400 15 3 7 5 25 0\n\
                        cpu1 50 0 25 400 15 0 0 5 25 0\nintr 1\n";
    const OWN: &str = "17 (a (b) c) S 1 17 17 0 -1 4194304 100 0 0 0 11 12 13 14 20 0 1 0 5 1 1\n";

    #[test]
    fn reads_what_the_kernel_counts() {
        let reading = Reading::parse(STAT, OWN).unwrap();
        assert_eq!((reading.cores, reading.all, reading.busy), (2, 1_000, 160), "guests are in user already");
        assert_eq!((reading.stolen, reading.own), (10, 50));
        assert_eq!(
            waiting("some avg10=0.00 avg60=0.00 avg300=0.00 total=1234\nfull avg10=0 total=9\n"),
            Some(1_234)
        );
        assert_eq!(Reading::parse("cpu  1 2\n", OWN), None);
        assert_eq!(Reading::parse(STAT, "17 (a"), None);
        assert_eq!((waiting(""), Reading::parse("", "")), (None, None));
    }

    #[test]
    fn what_we_take_ourselves_is_no_load() {
        let before = Reading { cores: 2, all: 0, busy: 0, stolen: 0, own: 0, waiting: Some(0), at: 0 };
        let after = Reading {
            all: 200,
            busy: 150,
            stolen: 4,
            own: 100,
            waiting: Some(250_000),
            at: 1_000_000,
            ..before
        };
        let load = before.until(&after).unwrap();
        assert_eq!((load.others, load.stolen, load.waiting), (0.25, 0.02, Some(0.25)));
        assert_eq!(before.until(&Reading { all: 19, ..after }), None, "too short");
        assert_eq!(after.until(&before), None);
    }

    #[test]
    fn says_what_disturbs_and_nothing_else() {
        assert_eq!(load(0.05).disturbance(), None);
        assert_eq!(load(0.5).disturbance().as_deref(), Some("others keep 1.0 of 2 cores busy"));
        let stolen = Load { stolen: 0.1, waiting: Some(0.4), ..load(0.0) }.disturbance().unwrap();
        assert!(stolen.contains("hypervisor") && stolen.contains("40.0 %"), "{stolen}");
        assert_eq!(Load { waiting: None, ..load(0.0) }.disturbance(), None);
    }

    #[test]
    fn each_part_is_a_finding() {
        let words = |load: Option<Load>| -> Vec<&str> {
            Load::findings(load.as_ref()).iter().map(|finding| finding.state.word()).collect()
        };
        assert_eq!(words(Some(load(0.5))), ["disturbs", "fine", "fine"]);
        assert_eq!(words(Some(Load { waiting: None, ..load(0.0) })), ["fine", "not known", "fine"]);
        assert_eq!(words(None), ["not known"; 3]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_can_be_read() {
        let reading = Reading::now().unwrap();
        assert!(reading.cores > 0 && reading.all > reading.busy, "{reading:?}");
    }
}
