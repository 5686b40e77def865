//! The way into the harness: by the arguments of the process, or by code.

use crate::__private as private;
use crate::amounts::CounterSet;
use crate::counter::{BytesCount, BytesFormat, CharsCount, CyclesCount, IntoCounter, ItemsCount};
use nanobench_engine::__private::{self as engine, Registered, Settings, TimedCode, without_effect};
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::Duration;

/// Settings and arguments for a run of all benchmarks.
#[derive(Debug, Default, Clone)]
#[must_use = "nothing runs before `main` or another of these methods is called"]
pub struct Divan {
    /// Arguments of the harness.
    arguments: Vec<String>,
    has_arguments: bool,
    threads: Option<Vec<usize>>,
    counters: CounterSet,
    sample_count: Option<u32>,
    sample_size: Option<u32>,
    max_time: Option<Duration>,
}

/// The task of a run, which overrides its arguments.
#[derive(Debug, Clone, Copy)]
enum Action {
    OfArguments,
    Bench,
    Test,
    List,
}

/// The flags with a value that only divan has. Each has a variable, `DIVAN_SORT`.
const OPTIONS: [&str; 14] = [
    "sort",
    "sortr",
    "timer",
    "sample-count",
    "sample-size",
    "threads",
    "min-time",
    "max-time",
    "skip-ext-time",
    "items-count",
    "bytes-count",
    "bytes-format",
    "chars-count",
    "cycles-count",
];
const HELP: &str = "This executable takes the arguments of divan and of the standard test harness.
A FILTER is a part of the paths, or a regular expression without groups and classes.
Flags for the timer, the order and the unit of bytes have no effect.
Baselines, comparisons and the rest: cargo nanobench --help";

static THREADS: OnceLock<Vec<usize>> = OnceLock::new();
static COUNTERS: OnceLock<CounterSet> = OnceLock::new();

/// Runs the benchmarks.
impl Divan {
    /// Does what the arguments select.
    #[inline]
    pub fn main(&self) {
        self.run(Action::OfArguments);
    }

    /// Measures the benchmarks.
    #[inline]
    pub fn run_benches(&self) {
        self.run(Action::Bench);
    }

    /// Runs each benchmark once.
    #[inline]
    pub fn test_benches(&self) {
        self.run(Action::Test);
    }

    /// Lists the benchmarks.
    #[inline]
    pub fn list_benches(&self) {
        self.run(Action::List);
    }

    /// Enters the harness. It is inlined into the crate with the benchmarks, which has the marker and the
    /// engine's timed code then.
    #[inline]
    fn run(&self, action: Action) {
        let (timed_code, is_unoptimized) = (TimedCode::of_this_crate(), engine::is_unoptimized());
        let arguments = self.begin(action);
        leave(engine::run("\u{1}nanobench:main\u{2}", timed_code, is_unoptimized, arguments));
    }

    /// Installs the settings. Returns the arguments of the harness.
    fn begin(&self, action: Action) -> Vec<String> {
        let has = |flag: &str| self.arguments.iter().any(|argument| argument == flag);
        let mut arguments = self.arguments.clone();
        let is_bench = match action {
            // Cargo adds `--bench`.
            Action::OfArguments => has("--bench") && !has("--test") || !self.has_arguments,
            Action::Bench => true,
            Action::Test | Action::List => false,
        };
        arguments.retain(|argument| argument != "--bench");
        arguments.extend(is_bench.then(|| "--bench".to_owned()));
        if let Action::List = action {
            arguments.push("--list".to_owned());
        }
        _ = COUNTERS.set(self.counters.clone());
        _ = THREADS.set(self.threads.clone().unwrap_or_default());
        let threads: fn() -> Vec<usize> = || private::threads(THREADS.get().cloned().unwrap_or_default());
        engine::override_settings(Settings {
            threads: self.threads.as_ref().map(|_| threads),
            samples: self.sample_count.and_then(private::sample_count),
            iterations: self.sample_size.and_then(private::sample_size),
            max_time: self.max_time.and_then(private::max_time),
            amounts: Some(|| COUNTERS.get().cloned().unwrap_or_default().0),
            ..Settings::DEFAULT
        });
        arguments
    }
}

/// Ends the process after a failure. Inlined into a `main` of the user, it would be code of the user.
#[inline(never)]
fn leave(code: u8) {
    if code != 0 {
        std::process::exit(i32::from(code));
    }
}

/// Settings.
impl Divan {
    /// Takes the settings and filters of the arguments and of the variables `DIVAN_*`.
    pub fn from_args() -> Self {
        Self::default().config_with_args()
    }

    /// Takes the settings and filters of the arguments and of the variables `DIVAN_*`, too.
    pub fn config_with_args(mut self) -> Self {
        self.has_arguments = true;
        engine::own_main_runs();
        if std::env::args().any(|argument| ["--help", "-h"].contains(&argument.as_str())) {
            println!("{HELP}");
            std::process::exit(0);
        }
        if let Err(error) = self.read_variables().and_then(|()| self.read_arguments(std::env::args().skip(1)))
        {
            eprintln!("error: {error}");
            std::process::exit(2);
        }
        self
    }

    fn read_variables(&mut self) -> Result<(), String> {
        for option in OPTIONS {
            let name = format!("DIVAN_{}", option.replace('-', "_").to_uppercase());
            if let Ok(value) = std::env::var(&name) {
                self.set(option, &value).map_err(|()| format!("{name} can't be `{value}`"))?;
            }
        }
        Ok(())
    }

    fn read_arguments(&mut self, arguments: impl Iterator<Item = String>) -> Result<(), String> {
        let mut arguments = arguments.peekable();
        while let Some(argument) = arguments.next() {
            let (flag, attached) = match argument.split_once('=') {
                Some((flag, value)) => (flag, Some(value.to_owned())),
                None => (argument.as_str(), None),
            };
            let option = OPTIONS.into_iter().find(|option| flag.strip_prefix("--") == Some(*option));
            let Some(option) = option else {
                self.arguments.push(in_crate(&argument).to_owned());
                continue;
            };
            let is_optional = option == "skip-ext-time";
            let next = || arguments.next_if(|next| !is_optional || next.parse::<bool>().is_ok());
            let value = attached.or_else(next).or(is_optional.then(|| "true".to_owned()));
            let value = value.ok_or_else(|| format!("`{flag}` needs a value"))?;
            self.set(option, &value).map_err(|()| format!("`{flag}` can't be `{value}`"))?;
        }
        Ok(())
    }

    /// Sets an option of the command line.
    fn set(&mut self, option: &'static str, value: &str) -> Result<(), ()> {
        fn number<N: FromStr>(value: &str) -> Result<N, ()> {
            value.trim().parse().map_err(|_| ())
        }
        let duration = || Duration::try_from_secs_f64(number(value)?).map_err(|_| ());
        match option {
            "sample-count" => self.sample_count = Some(number(value)?),
            "sample-size" => self.sample_size = Some(number(value)?),
            "threads" => self.threads = Some(value.split(',').map(number).collect::<Result<_, ()>>()?),
            "max-time" => self.max_time = Some(duration()?),
            "items-count" => self.counters.set(ItemsCount::new(number::<u64>(value)?)),
            "bytes-count" => self.counters.set(BytesCount::new(number::<u64>(value)?)),
            "chars-count" => self.counters.set(CharsCount::new(number::<u64>(value)?)),
            "cycles-count" => self.counters.set(CyclesCount::new(number::<u64>(value)?)),
            other => {
                match other {
                    "min-time" => drop(duration()?),
                    "skip-ext-time" => drop(number::<bool>(value)?),
                    _ => {}
                }
                without_effect(option);
            }
        }
        Ok(())
    }

    fn with_argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Accepted without effect: tables are coloured on a terminal.
    pub fn color(self, yes: impl Into<Option<bool>>) -> Self {
        _ = yes.into();
        without_effect("Divan::color");
        self
    }

    /// Also runs ignored benchmarks.
    pub fn run_ignored(self) -> Self {
        self.with_argument("--include-ignored")
    }

    /// Runs only ignored benchmarks.
    pub fn run_only_ignored(self) -> Self {
        self.with_argument("--ignored")
    }

    /// Skips benchmarks with this text in their paths. It is not a regular expression here.
    pub fn skip_regex(self, filter: impl IntoRegex) -> Self {
        let filter = in_crate(&filter.into_text()).to_owned();
        self.with_argument("--skip").with_argument(filter)
    }

    /// Skips the benchmarks of this path.
    pub fn skip_exact(self, filter: impl Into<String>) -> Self {
        let filter = in_crate(&filter.into()).to_owned();
        self.with_argument("--skip-exact").with_argument(filter)
    }

    /// Sets the number of samples, if it is small. Otherwise, the precision decides.
    pub fn sample_count(mut self, count: u32) -> Self {
        self.sample_count = Some(count);
        self
    }

    /// Sets the number of iterations of a sample.
    pub fn sample_size(mut self, count: u32) -> Self {
        self.sample_size = Some(count);
        self
    }

    /// Sets the numbers of threads; 0 is for all cores.
    pub fn threads<T: IntoIterator<Item = usize>>(mut self, threads: T) -> Self {
        self.threads = Some(threads.into_iter().collect());
        self
    }

    /// Accepted without effect: it would only lengthen a run.
    pub fn min_time(self, time: Duration) -> Self {
        private::min_time(time);
        self
    }

    /// Sets the longest time of a benchmark, if that shortens a run.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.max_time = Some(time);
        self
    }

    /// Accepted without effect: times outside of the timing aren't limited.
    pub fn skip_ext_time(self, skip: bool) -> Self {
        private::skip_ext_time(skip);
        self
    }

    /// Sets what each iteration of all benchmarks processes.
    pub fn counter<C: IntoCounter>(mut self, counter: C) -> Self {
        self.counters.set(counter);
        self
    }

    /// Sets the number of items.
    pub fn items_count<C: Into<ItemsCount>>(self, count: C) -> Self {
        self.counter(count.into())
    }

    /// Sets the number of bytes.
    pub fn bytes_count<C: Into<BytesCount>>(self, count: C) -> Self {
        self.counter(count.into())
    }

    /// Accepted without effect: reports have their own multiples of bytes.
    pub fn bytes_format(self, _: BytesFormat) -> Self {
        without_effect("Divan::bytes_format");
        self
    }

    /// Sets the number of characters.
    pub fn chars_count<C: Into<CharsCount>>(self, count: C) -> Self {
        self.counter(count.into())
    }

    /// Accepted without effect: reports don't show cycles of this kind.
    pub fn cycles_count<C: Into<CyclesCount>>(self, count: C) -> Self {
        self.counter(count.into())
    }
}

/// A text in place of a regular expression.
#[diagnostic::on_unimplemented(
    message = "`skip_regex` takes a text here, not a `{Self}`",
    note = "filters are plain text: pass a `&str` or a `String`"
)]
pub trait IntoRegex {
    /// Returns the text.
    fn into_text(self) -> String;
}

impl IntoRegex for &str {
    fn into_text(self) -> String {
        self.to_owned()
    }
}

impl IntoRegex for String {
    fn into_text(self) -> String {
        self
    }
}

/// Returns a filter without the name of the crate, which divan's paths begin with.
fn in_crate(filter: &str) -> &str {
    let Some((name, rest)) = filter.split_once("::") else { return filter };
    let has_crate = |Registered(entry): &Registered| entry.module_path.split("::").next() == Some(name);
    if engine::inventory::iter::<Registered>.into_iter().any(has_crate) { rest } else { filter }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &str) -> Result<Divan, String> {
        let mut divan = Divan::default();
        divan.read_arguments(arguments.split_whitespace().map(str::to_owned)).map(|()| divan)
    }

    #[test]
    fn flags_of_divan_are_settings_and_others_go_to_the_harness() {
        let divan =
            read("text --sample-size 5 --skip other --threads=0,4 --skip-ext-time --bench --max-time .5");
        let divan = divan.unwrap();
        assert_eq!(divan.arguments, ["text", "--skip", "other", "--bench"]);
        assert_eq!((divan.sample_size, divan.threads), (Some(5), Some(vec![0, 4])));
        assert_eq!(divan.max_time, Some(Duration::from_millis(500)));
        assert_eq!(read("--skip-ext-time false a=b").unwrap().arguments, ["a=b"]);
    }

    #[test]
    fn values_are_checked() {
        let error = |arguments| read(arguments).unwrap_err();
        assert_eq!(error("--sample-count x"), "`--sample-count` can't be `x`");
        assert_eq!(error("--min-time=-1"), "`--min-time` can't be `-1`");
        assert_eq!(error("a --timer"), "`--timer` needs a value");
    }

    #[test]
    fn counters_of_a_unit_replace_each_other() {
        let divan = read("--items-count 5 --cycles-count 6").unwrap().items_count(7u8).bytes_count(8u8);
        let amounts = divan.counters.amounts();
        assert_eq!(amounts.iter().map(|(_, amount)| *amount).collect::<Vec<_>>(), [7, 8]);
    }
}
