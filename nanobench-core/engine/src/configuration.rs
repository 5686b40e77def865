//! `NANOBENCH_CONFIG`: default settings from the environment, for `Bench` and `main!`.

use crate::measure::Plan;
use crate::model::SamplingOptions;
use std::sync::OnceLock;
use std::time::Duration;

const VARIABLE: &str = "NANOBENCH_CONFIG";
/// The units of durations, in seconds.
const UNITS: [(&str, f64); 4] = [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0)];

/// The settings that the environment has.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Configuration {
    /// Number of samples: `epochs`.
    pub epochs: Option<u64>,
    /// Shortest time of a sample: `minEpochTime`.
    pub min_epoch_time: Option<Duration>,
    /// Longest time of a sample: `maxEpochTime`.
    pub max_epoch_time: Option<Duration>,
    /// Smallest number of iterations of a sample: `minEpochIterations`.
    pub min_epoch_iterations: Option<u64>,
    /// Exact number of iterations of a sample, or 0: `epochIterations`.
    pub epoch_iterations: Option<u64>,
    /// Number of iterations before the first sample: `warmup`.
    pub warmup: Option<u64>,
    /// Shortest time of a sample in steps of the clock: `clockResolutionMultiple`.
    pub clock_resolution_multiple: Option<u64>,
}

impl Configuration {
    /// Returns the settings of the environment. The first call reads them, and prints one line for
    /// each mistake.
    #[inline]
    pub fn from_environment() -> Configuration {
        static FROM_ENVIRONMENT: OnceLock<Configuration> = OnceLock::new();
        *FROM_ENVIRONMENT.get_or_init(|| {
            let text = std::env::var_os(VARIABLE).unwrap_or_default();
            let (configuration, mistakes) = Configuration::parse(&text.to_string_lossy());
            for mistake in mistakes {
                eprintln!("nanobench: {VARIABLE}: {mistake}");
            }
            configuration
        })
    }

    /// Parses `key=value` pairs, separated by commas. Also returns a description of each pair that
    /// is wrong, and ignores it.
    #[inline]
    pub fn parse(text: &str) -> (Configuration, Vec<String>) {
        let mut configuration = Configuration::default();
        let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
        let mistakes = pairs.filter_map(|pair| configuration.apply(pair).err()).collect();
        (configuration, mistakes)
    }

    #[inline]
    fn apply(&mut self, pair: &str) -> Result<(), String> {
        let Some((key, value)) = pair.split_once('=') else {
            return Err(format!("`{}` has no `=`", crate::report::escape(pair)));
        };
        let (key, value) = (key.trim(), value.trim());
        let wrong = |what: &str| {
            let [key, value] = [key, value].map(crate::report::escape);
            format!("`{key}={value}`: {what}")
        };
        let number = || value.parse::<u64>().map_err(|_| wrong("expected a whole number"));
        let time = || {
            duration(value)
                .ok_or_else(|| wrong("expected a number with a unit, such as `5ms` (ns, us, ms or s)"))
        };
        match key {
            "epochs" => self.epochs = Some(number()?.max(1)),
            "minEpochTime" => self.min_epoch_time = Some(time()?),
            "maxEpochTime" => self.max_epoch_time = Some(time()?),
            "minEpochIterations" => self.min_epoch_iterations = Some(number()?.max(1)),
            "epochIterations" => self.epoch_iterations = Some(number()?),
            "warmup" => self.warmup = Some(number()?),
            "clockResolutionMultiple" => self.clock_resolution_multiple = Some(number()?),
            _ => {
                return Err(wrong(
                    "unknown key; use epochs, minEpochTime, maxEpochTime, minEpochIterations, \
                     epochIterations, warmup or clockResolutionMultiple",
                ));
            }
        }
        Ok(())
    }

    /// Returns the plan of a benchmark with these options, which override these settings, for a clock of
    /// this resolution, in ns.
    #[inline]
    pub fn plan(&self, options: SamplingOptions, clock_resolution: f64) -> Plan {
        let settings = SamplingOptions {
            samples: self.epochs,
            sample_time: self.sample_time(clock_resolution),
            iterations: self.epoch_iterations.filter(|&exact| exact > 0),
            warmup: self.warmup,
            ..SamplingOptions::default()
        };
        Plan::from(options.or(settings)).for_clock(clock_resolution)
    }

    /// Returns the length of a sample, in ns, if these settings limit it.
    #[inline]
    fn sample_time(&self, clock_resolution: f64) -> Option<u64> {
        let nanoseconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64() * 1e9);
        let by_clock = self.clock_resolution_multiple.map(|steps| clock_resolution * steps as f64);
        let (shortest, longest) = (nanoseconds(self.min_epoch_time), nanoseconds(self.max_epoch_time));
        shortest.or(longest).or(by_clock)?;
        let usual = Plan::default().for_clock(clock_resolution).sample_time;
        let at_least = usual.max(shortest.unwrap_or(0.0)).max(by_clock.unwrap_or(0.0));
        Some(at_least.min(longest.unwrap_or(f64::INFINITY)) as u64)
    }
}

/// Parses a number with a unit.
#[inline]
fn duration(text: &str) -> Option<Duration> {
    let (number, seconds) =
        UNITS.into_iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)))?;
    let number: f64 = number.trim().parse().ok()?;
    Duration::try_from_secs_f64(number * seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_set_their_fields() {
        let text = "epochs=51, minEpochTime=5ms,maxEpochTime = 1.5 s,warmup=3,,clockResolutionMultiple=7";
        let expected = Configuration {
            epochs: Some(51),
            min_epoch_time: Some(Duration::from_millis(5)),
            max_epoch_time: Some(Duration::from_millis(1_500)),
            warmup: Some(3),
            clock_resolution_multiple: Some(7),
            ..Configuration::default()
        };
        assert_eq!(Configuration::parse(text), (expected, vec![]));
        assert_eq!(Configuration::parse(""), (Configuration::default(), vec![]));
        let (least, _) = Configuration::parse("epochs=0,minEpochIterations=0,epochIterations=0,warmup=0");
        assert_eq!((least.epochs, least.min_epoch_iterations), (Some(1), Some(1)));
        assert_eq!((least.epoch_iterations, least.warmup), (Some(0), Some(0)));
    }

    #[test]
    fn each_mistake_is_one_line_and_the_other_pairs_count() {
        let text =
            "nonsense,epochs=x,minEpochTime=5,a\u{1b}b=1,warmup=2,maxEpochTime=-1s,maxEpochTime=1e300s";
        let (configuration, mistakes) = Configuration::parse(text);
        assert_eq!(mistakes.len(), 6, "{mistakes:?}");
        assert!(mistakes[0].contains("no `=`"), "{mistakes:?}");
        assert!(mistakes[2].contains("with a unit"), "{mistakes:?}");
        assert!(mistakes[3].starts_with("`a\\u{1b}b=1`: unknown key"), "{mistakes:?}");
        assert!(mistakes.iter().all(|line| !line.contains(['\n', '\u{1b}'])));
        assert_eq!(configuration, Configuration { warmup: Some(2), ..Configuration::default() });
    }

    #[test]
    fn plans_of_main_take_the_settings_that_they_have_a_counterpart_for() {
        let plan = |text: &str| Configuration::parse(text).0.plan(SamplingOptions::default(), 20.0);
        assert_eq!(plan(""), Plan::default());
        let set = plan("epochs=7,minEpochTime=3ms,warmup=2");
        assert_eq!((set.samples, set.sample_time, set.warmup, set.iterations), (Some(7), 3e6, 2, None));
        assert_eq!(plan("maxEpochTime=10us").sample_time, 1e4);
        assert_eq!(plan("clockResolutionMultiple=100000").sample_time, 2e6);
        assert_eq!(plan("epochIterations=9").iterations, Some(9));
    }
}
