//! The ways in which a row of a function runs: with warm or cold caches, on how many threads. Each is a row of its own.

use crate::harness::guarded::quietly;
use crate::model::{CacheState, CacheStates, RunConditions};
use crate::protocol::{Conditions, List};
use crate::registry::MAX_THREADS;

/// What is asked for the benchmarks, beside what they say themselves.
#[derive(Debug, Default)]
pub(in crate::harness) struct RequestedConditions {
    /// For all, whatever they say.
    all: ConditionSpec,
    /// For those that say nothing.
    usual: ConditionSpec,
}

impl RequestedConditions {
    /// Caches as they are, for who only looks whether it works.
    pub(in crate::harness) fn warm() -> RequestedConditions {
        RequestedConditions {
            all: ConditionSpec { cache: Some(CacheStates::Warm), ..ConditionSpec::default() },
            ..RequestedConditions::default()
        }
    }

    /// What a parent asks for. The error says what makes no sense.
    pub(in crate::harness) fn of(list: &List) -> Result<RequestedConditions, String> {
        let wanted = |conditions: &Option<Conditions>| {
            conditions.as_ref().map_or_else(|| Ok(ConditionSpec::default()), ConditionSpec::of)
        };
        Ok(RequestedConditions { all: wanted(&list.conditions)?, usual: wanted(&list.usual)? })
    }

    /// The ways in which a row runs whose function asks for these caches and threads itself, unless it can't run on several
    /// threads for the reason `alone`. The error says which are asked for and can't be.
    pub(super) fn conditions(
        &self,
        own_cache: Option<CacheStates>,
        own_threads: Option<fn() -> Vec<usize>>,
        alone: Option<&str>,
    ) -> Result<Vec<RunConditions>, String> {
        let (all, usual) = (&self.all, &self.usual);
        let cache = all.cache().or(own_cache).or(usual.cache());
        let sizes: Vec<Option<u64>> = match all.wipe_sizes.as_ref().or(usual.wipe_sizes.as_ref()) {
            Some(sizes) => sizes.iter().copied().map(Some).collect(),
            None => vec![None],
        };
        let warm = RunConditions::default();
        let cold =
            sizes.into_iter().map(|wipe_size| RunConditions { cache: CacheState::Cold, wipe_size, ..warm });
        let caches: Vec<RunConditions> = match cache {
            None | Some(CacheStates::Warm) => vec![warm],
            Some(CacheStates::Cold) => cold.collect(),
            Some(CacheStates::Both) => [warm].into_iter().chain(cold).collect(),
        };
        // What is usual goes for those that can run on several threads.
        let usual_threads = usual.threads.as_ref().filter(|_| own_threads.is_none() && alone.is_none());
        let threads: Vec<Option<u64>> = match (all.threads.as_ref().or(usual_threads), own_threads, alone) {
            (None, None, _) => vec![None],
            (_, _, Some(why)) => return Err(why.to_owned()),
            (Some(threads), _, None) => threads.iter().copied().map(Some).collect(),
            (None, Some(own), None) => {
                let threads = quietly(own).map_err(|panic| format!("its `threads` {panic}"))?;
                threads.into_iter().map(|threads| Some(threads as u64)).collect()
            }
        };
        let mut all: Vec<RunConditions> = Vec::new();
        for caches in caches {
            for &threads in &threads {
                let conditions = RunConditions { threads, ..caches };
                // Conditions that are requested twice are one row.
                if !all.contains(&conditions) {
                    all.push(conditions);
                }
            }
        }
        Ok(all)
    }
}

/// Conditions that make sense.
#[derive(Debug, Default)]
struct ConditionSpec {
    cache: Option<CacheStates>,
    /// In bytes; as much as the machine needs without.
    wipe_sizes: Option<Vec<u64>>,
    threads: Option<Vec<u64>>,
}

impl ConditionSpec {
    /// The error says what makes no sense.
    fn of(conditions: &Conditions) -> Result<ConditionSpec, String> {
        let threads = conditions.threads.clone();
        if threads.iter().flatten().any(|threads| !(1..=MAX_THREADS as u64).contains(threads)) {
            return Err(format!("a benchmark runs on 1 to {MAX_THREADS} threads at once"));
        }
        Ok(ConditionSpec { cache: conditions.cache, wipe_sizes: conditions.wipe_sizes.clone(), threads })
    }

    /// Who says what is to be written to empty the caches wants to have them emptied.
    fn cache(&self) -> Option<CacheStates> {
        self.cache.or(self.wipe_sizes.as_ref().map(|_| CacheStates::Cold))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is asked for all, and what is usual.
    fn list(all: Conditions, usual: Conditions) -> List {
        List { conditions: Some(all), usual: Some(usual), ..List::default() }
    }

    fn cache(states: CacheStates) -> Conditions {
        Conditions { cache: Some(states), ..Conditions::default() }
    }

    fn threads(numbers: &[u64]) -> Conditions {
        Conditions { threads: Some(numbers.to_vec()), ..Conditions::default() }
    }

    fn wipe(sizes: &[u64]) -> Conditions {
        Conditions { wipe_sizes: Some(sizes.to_vec()), ..Conditions::default() }
    }

    fn labels(list: &List, cache: Option<CacheStates>, threads: Option<fn() -> Vec<usize>>) -> Vec<String> {
        let conditions = RequestedConditions::of(list).unwrap().conditions(cache, threads, None).unwrap();
        conditions.iter().map(RunConditions::to_string).collect()
    }

    #[test]
    fn each_combination_is_a_row() {
        let nothing = List::default();
        assert_eq!(labels(&nothing, None, None), [""]);
        assert_eq!(labels(&nothing, Some(CacheStates::Warm), None), [""]);
        assert_eq!(labels(&nothing, Some(CacheStates::Both), None), ["", "cold"]);
        assert_eq!(
            labels(&nothing, Some(CacheStates::Both), Some(|| vec![1, 2])),
            ["threads=1", "threads=2", "cold/threads=1", "cold/threads=2"]
        );
        assert_eq!(labels(&nothing, None, Some(|| vec![2, 1, 2])), ["threads=2", "threads=1"]);
    }

    #[test]
    fn what_is_asked_for_all_goes_before_what_one_says() {
        let usual = Conditions::default;
        let one = list(Conditions { threads: Some(vec![3]), ..cache(CacheStates::Warm) }, usual());
        assert_eq!(
            labels(&one, Some(CacheStates::Both), Some(|| panic!("nobody asks for them"))),
            ["threads=3"]
        );
        let sizes = wipe(&[1 << 15, 3 << 20, 100]);
        let cold = ["cold 32 KiB", "cold 3 MiB", "cold 100 B"];
        assert_eq!(labels(&list(sizes.clone(), usual()), Some(CacheStates::Warm), None), cold);
        let both = list(Conditions { cache: Some(CacheStates::Both), ..sizes }, usual());
        assert_eq!(labels(&both, None, None)[..2], ["", "cold 32 KiB"]);
    }

    #[test]
    fn what_is_usual_goes_behind_what_one_says() {
        let usual = |usual| list(Conditions::default(), usual);
        assert_eq!(labels(&usual(cache(CacheStates::Both)), None, None), ["", "cold"]);
        assert_eq!(labels(&usual(cache(CacheStates::Both)), Some(CacheStates::Warm), None), [""]);
        assert_eq!(labels(&usual(threads(&[1, 2])), None, None), ["threads=1", "threads=2"]);
        assert_eq!(labels(&usual(threads(&[1, 2])), None, Some(|| vec![4])), ["threads=4"]);
        assert_eq!(labels(&list(threads(&[3]), threads(&[1, 2])), None, None), ["threads=3"]);
        // A size is usual for all that is cold; it makes cold only what says nothing.
        assert_eq!(labels(&usual(wipe(&[1024])), None, None), ["cold 1 KiB"]);
        assert_eq!(labels(&usual(wipe(&[1024])), Some(CacheStates::Both), None), ["", "cold 1 KiB"]);
        assert_eq!(labels(&usual(wipe(&[1024])), Some(CacheStates::Warm), None), [""]);
        assert_eq!(labels(&list(cache(CacheStates::Warm), wipe(&[1024])), None, None), [""]);
        assert_eq!(labels(&list(wipe(&[2048]), wipe(&[1024])), None, None), ["cold 2 KiB"]);
    }

    #[test]
    fn what_can_t_be_shared_says_so_where_threads_are_asked_for() {
        let conditions = |list: &List, threads| {
            RequestedConditions::of(list).unwrap().conditions(None, threads, Some("it is mine"))
        };
        let nothing = List::default();
        assert_eq!(conditions(&nothing, None).unwrap(), [RunConditions::default()]);
        assert_eq!(conditions(&nothing, Some(|| vec![2])).unwrap_err(), "it is mine");
        assert_eq!(conditions(&list(threads(&[3]), Conditions::default()), None).unwrap_err(), "it is mine");
        let usual = list(Conditions::default(), threads(&[3]));
        assert_eq!(
            conditions(&usual, None).unwrap(),
            [RunConditions::default()],
            "nobody asked it of this one"
        );
    }

    #[test]
    fn threads_that_can_t_be_made_are_a_problem() {
        let asked = RequestedConditions::of(&List::default()).unwrap();
        let problem = asked.conditions(None, Some(|| panic!("no cores")), None).unwrap_err();
        assert!(problem.contains("`threads`") && problem.contains("no cores"), "{problem}");
    }

    #[test]
    fn what_makes_no_sense_is_an_error() {
        let error = |usual| RequestedConditions::of(&list(Conditions::default(), usual)).unwrap_err();
        assert!(error(threads(&[1, 0])).contains("1 to 1024 threads"));
    }
}
