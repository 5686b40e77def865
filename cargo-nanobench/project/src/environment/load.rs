//! The load of the machine by other programs, from counters that the system keeps anyway: nothing
//! runs beside a benchmark to find out. Available on Linux only.

use super::check::{Check, Finding};
use super::machine;
use nanobench::report::{counted, percent};
use std::{fmt, fs};

/// The share of all cores' time that other programs may take. Beyond it, they share the core, the
/// caches or the clock of a benchmark.
const MAX_OTHERS: f64 = 0.15;
/// The share of the time that a hypervisor may give to other machines.
const MAX_STOLEN: f64 = 0.02;
/// The share of the time in which a thread may wait for a core.
const MAX_WAITING: f64 = 0.10;
/// The time that other programs take, as a share of this program's own, from which a thread is
/// thought to wait for them. Below it, threads of a run wait for each other: a comparison links beside
/// the benchmarks that it measures.
const MIN_OTHERS_TO_OWN: f64 = 0.10;
/// The ticks of the system (10 ms of a core each) that a load needs at least.
const MIN_TICKS: u64 = 20;

/// Counters of the system since it started, in ticks of all cores together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadCounters {
    cores: usize,
    total: u64,
    busy: u64,
    stolen: u64,
    /// The part of `busy` of this process and its ended children.
    own: u64,
    /// The time in which a thread waited for a core, in us. Some kernels don't count it.
    waiting: Option<u64>,
    /// The number of times that a quota of processor time has paused this process, if there is one.
    pauses: Option<u64>,
    /// The time of reading, in us since the system started.
    time: u64,
}

/// The load between two readings of the counters, in shares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    pub(crate) cores: usize,
    /// The share of all cores' time that other programs took.
    pub(crate) others: f64,
    /// The share of all cores' time that this program took.
    pub(crate) own: f64,
    /// The share of all cores' time that the hypervisor gave to other machines.
    pub(crate) stolen: f64,
    /// The share of the time in which a thread waited for a core.
    pub(crate) waiting: Option<f64>,
    /// The number of times that a quota of processor time has paused this program.
    pub(crate) pauses: u64,
}

/// A part of the load that is too high for measurements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pressure {
    /// Other programs take this many of the cores.
    OtherPrograms { busy: f64, cores: usize },
    /// A hypervisor gives this share of the time to other machines.
    Stolen(f64),
    /// In this share of the time, a thread waits for a core.
    Waiting(f64),
    /// A quota of processor time has paused this program so many times.
    Paused(u64),
}

impl LoadCounters {
    /// Reads the counters. Children that still run count as other programs.
    pub fn read() -> Option<LoadCounters> {
        let text = |path| fs::read_to_string(path).ok();
        let counters = LoadCounters::parse(&text("/proc/stat")?, &text("/proc/self/stat")?)?;
        let waiting = text("/proc/pressure/cpu").and_then(|text| waiting(&text));
        let time = (text("/proc/uptime")?.split(' ').next()?.parse::<f64>().ok()? * 1e6) as u64;
        Some(LoadCounters { waiting, time, pauses: machine::pauses(), ..counters })
    }

    fn parse(stat: &str, own: &str) -> Option<LoadCounters> {
        let all_cores = stat.lines().next()?.strip_prefix("cpu ")?;
        let is_core = |line: &&str| line.strip_prefix("cpu").is_some_and(|rest| !rest.starts_with(' '));
        // user, nice, system, idle, iowait, irq, softirq, steal. `user` includes guests.
        let ticks: Vec<u64> = all_cores.split_whitespace().take(8).map_while(|n| n.parse().ok()).collect();
        let [_, _, _, idle, io_wait, _, _, stolen] = ticks[..] else { return None };
        let total: u64 = ticks.iter().sum();
        // The name of a program may contain spaces and parentheses. utime, stime, cutime and cstime
        // are fields 14 to 17.
        let fields = own.rsplit_once(") ")?.1.split(' ').skip(11).take(4);
        let own = fields.map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
        let cores = stat.lines().filter(is_core).count();
        Some(LoadCounters {
            cores,
            total,
            busy: total - idle - io_wait - stolen,
            stolen,
            own,
            waiting: None,
            pauses: None,
            time: 0,
        })
    }

    /// Returns the load between this reading and a later one, unless the time between them is too
    /// short.
    pub fn load_until(&self, later: &LoadCounters) -> Option<Load> {
        let total = later.total.checked_sub(self.total).filter(|&total| total >= MIN_TICKS)?;
        let share = |ticks: u64| ticks as f64 / total as f64;
        let busy = later.busy.saturating_sub(self.busy);
        let own = later.own.saturating_sub(self.own);
        let others = busy.saturating_sub(own);
        let waited = self.waiting.zip(later.waiting).map(|(before, after)| after.saturating_sub(before));
        let time = later.time.saturating_sub(self.time).max(1) as f64;
        Some(Load {
            cores: later.cores,
            others: share(others),
            own: share(own),
            stolen: share(later.stolen.saturating_sub(self.stolen)),
            waiting: waited.map(|waited| (waited as f64 / time).min(1.0)),
            pauses: later.pauses.unwrap_or(0).saturating_sub(self.pauses.unwrap_or(0)),
        })
    }
}

/// Returns the `total` of the line `some`, in us.
fn waiting(pressure: &str) -> Option<u64> {
    let some = pressure.lines().find_map(|line| line.strip_prefix("some "))?;
    some.split(' ').find_map(|field| field.strip_prefix("total="))?.parse().ok()
}

impl Load {
    /// Returns the parts of the load that are too high for measurements, the most telling first.
    pub fn pressures(&self) -> Vec<Pressure> {
        let busy = self.others * self.cores as f64;
        let others = Pressure::OtherPrograms { busy, cores: self.cores };
        let waits_for_others = self.others >= self.own * MIN_OTHERS_TO_OWN;
        let parts = [
            (self.pauses > 0).then_some(Pressure::Paused(self.pauses)),
            (self.others > MAX_OTHERS).then_some(others),
            (self.stolen > MAX_STOLEN).then_some(Pressure::Stolen(self.stolen)),
            self.waiting.filter(|&share| share > MAX_WAITING && waits_for_others).map(Pressure::Waiting),
        ];
        parts.into_iter().flatten().collect()
    }

    /// Returns a check for each part of the load.
    pub(super) fn checks(load: Option<&Load>) -> Vec<Check> {
        const ADVICE: &str = "close other programs, or let the run wait with `--wait-quiet 60s`";
        let part = |name, share: Option<f64>, description: &str, limit: f64, advice: &str| {
            let finding = share.map(|share| {
                let value = format!("{} {description}", percent(share));
                if share > limit { Finding::warning(value, advice) } else { Finding::ok(value) }
            });
            Check::new(name, finding)
        };
        vec![
            part("other programs", load.map(|load| load.others), "of all cores' time", MAX_OTHERS, ADVICE),
            part(
                "run queue",
                load.and_then(|load| load.waiting),
                "of the time, a thread waited for a core",
                MAX_WAITING,
                ADVICE,
            ),
            part(
                "steal",
                load.map(|load| load.stolen),
                "of the time went to other machines",
                MAX_STOLEN,
                "they share this machine's hardware; measure at another time, or on another machine",
            ),
        ]
    }
}

impl fmt::Display for Pressure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Pressure::OtherPrograms { busy, cores } => {
                write!(f, "other programs use {busy:.1} of {}", counted(cores, "core"))
            }
            Pressure::Stolen(share) => {
                write!(f, "the hypervisor gives {} of the time to other machines", percent(share))
            }
            Pressure::Paused(times) => {
                let time = if times == 1 { "once".to_owned() } else { format!("{times} times") };
                write!(f, "the limit of processor time (CPU quota) paused this program {time}")
            }
            Pressure::Waiting(share) => {
                write!(f, "threads wait for a core {} of the time", percent(share))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::load;

    const STAT: &str = "cpu  100 5 45 800 30 3 7 10 50 0\ncpu0 50 5 20 400 15 3 7 5 25 0\n\
                        cpu1 50 0 25 400 15 0 0 5 25 0\nintr 1\n";
    const OWN: &str = "17 (a (b) c) S 1 17 17 0 -1 4194304 100 0 0 0 11 12 13 14 20 0 1 0 5 1 1\n";

    #[test]
    fn counters_are_parsed() {
        let counters = LoadCounters::parse(STAT, OWN).unwrap();
        assert_eq!((counters.cores, counters.total, counters.busy), (2, 1_000, 160), "user includes guests");
        assert_eq!((counters.stolen, counters.own), (10, 50));
        assert_eq!(
            waiting("some avg10=0.00 avg60=0.00 avg300=0.00 total=1234\nfull avg10=0 total=9\n"),
            Some(1_234)
        );
        assert_eq!(LoadCounters::parse("cpu  1 2\n", OWN), None);
        assert_eq!(LoadCounters::parse(STAT, "17 (a"), None);
        assert_eq!((waiting(""), LoadCounters::parse("", "")), (None, None));
    }

    #[test]
    fn time_of_this_process_is_not_load() {
        let before = LoadCounters {
            cores: 2,
            total: 0,
            busy: 0,
            stolen: 0,
            own: 0,
            waiting: Some(0),
            pauses: Some(3),
            time: 0,
        };
        let after = LoadCounters {
            total: 200,
            busy: 150,
            stolen: 4,
            own: 100,
            waiting: Some(250_000),
            pauses: Some(5),
            time: 1_000_000,
            ..before
        };
        let load = before.load_until(&after).unwrap();
        assert_eq!((load.others, load.own, load.stolen, load.waiting), (0.25, 0.5, 0.02, Some(0.25)));
        assert_eq!(load.pauses, 2);
        assert_eq!(before.load_until(&LoadCounters { total: 19, ..after }), None, "too short");
        assert_eq!(after.load_until(&before), None);
    }

    #[test]
    fn only_high_loads_are_pressures() {
        assert_eq!(load(0.05).pressures(), []);
        assert_eq!(load(0.5).pressures(), [Pressure::OtherPrograms { busy: 1.0, cores: 2 }]);
        let load = Load { stolen: 0.1, waiting: Some(0.4), ..load(0.0) };
        assert_eq!(load.pressures(), [Pressure::Stolen(0.1), Pressure::Waiting(0.4)]);
        assert!(load.pressures()[1].to_string().contains("40.0 %"));
        assert_eq!(Load { waiting: None, stolen: 0.0, ..load }.pressures(), []);
        let paused = Load { pauses: 12, ..load }.pressures()[0].to_string();
        assert_eq!(paused, "the limit of processor time (CPU quota) paused this program 12 times");
    }

    #[test]
    fn threads_of_a_run_that_wait_for_each_other_are_no_pressure() {
        let linking = Load { own: 0.6, waiting: Some(0.4), ..load(0.01) };
        assert_eq!(linking.pressures(), []);
        assert_eq!(Load { others: 0.1, ..linking }.pressures(), [Pressure::Waiting(0.4)]);
    }

    #[test]
    fn each_part_is_a_check() {
        let words = |load: Option<Load>| -> Vec<&str> {
            Load::checks(load.as_ref()).iter().map(|check| check.status.word()).collect()
        };
        assert_eq!(words(Some(load(0.5))), ["warning", "ok", "ok"]);
        assert_eq!(words(Some(Load { waiting: None, ..load(0.0) })), ["ok", "unknown", "ok"]);
        assert_eq!(words(None), ["unknown"; 3]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_counters() {
        let counters = LoadCounters::read().unwrap();
        assert!(counters.cores > 0 && counters.total > counters.busy, "{counters:?}");
    }
}
