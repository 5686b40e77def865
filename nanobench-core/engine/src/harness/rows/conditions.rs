//! The run conditions of a function's rows: warm or cold caches, and numbers of threads.

use crate::harness::guarded::quietly;
use crate::model::{CacheState, CacheStates, RunConditions};
use crate::protocol::{Conditions, List};
use crate::registry::MAX_THREADS;

/// The run conditions that the parent requests.
#[derive(Debug, Default)]
pub(in crate::harness) struct RequestedConditions {
    /// Conditions that override those of the functions.
    all: Conditions,
    /// Conditions of functions without their own.
    default: Conditions,
}

impl RequestedConditions {
    /// Returns warm caches for all functions, for smoke tests.
    pub(in crate::harness) fn warm() -> RequestedConditions {
        let all = Conditions { cache: Some(CacheStates::Warm), ..Conditions::default() };
        RequestedConditions { all, default: Conditions::default() }
    }

    /// Reads the request of a parent. The error describes an invalid condition.
    pub(in crate::harness) fn from_request(list: &List) -> Result<RequestedConditions, String> {
        let List { conditions: all, default_conditions: default, .. } = list;
        let is_valid = |threads: &u64| (1..=MAX_THREADS as u64).contains(threads);
        let are_valid =
            |numbers: &Option<Vec<u64>>| numbers.as_deref().unwrap_or_default().iter().all(is_valid);
        if !are_valid(&all.threads) || !are_valid(&default.threads) {
            return Err(format!("a benchmark runs on 1 to {MAX_THREADS} threads at once"));
        }
        Ok(RequestedConditions { all: all.clone(), default: default.clone() })
    }

    /// Returns the names of the counters to read for a function, which may have its own.
    pub(in crate::harness) fn counters(&self, own: Option<&'static [&'static str]>) -> Option<Vec<String>> {
        if let (None, Some(own)) = (&self.all.counters, own) {
            let mut names = Vec::new();
            for name in own {
                names.push((*name).to_owned());
            }
            return Some(names);
        }
        self.all.counters.as_ref().or(self.default.counters.as_ref()).cloned()
    }

    /// Returns the conditions of the rows of a case, whose function may have its own caches and
    /// threads. `single_threaded` is the reason if it can't run on several threads. The error
    /// describes a condition that can't be met.
    pub(in crate::harness) fn conditions(
        &self,
        own_cache: Option<CacheStates>,
        own_threads: Option<fn() -> Vec<usize>>,
        single_threaded: Option<&str>,
    ) -> Result<Vec<RunConditions>, String> {
        let (all, default) = (&self.all, &self.default);
        let cache = cache_states(all).or(own_cache).or(cache_states(default));
        let sizes = all.wipe_sizes.as_ref().or(default.wipe_sizes.as_ref());
        let warm = RunConditions::default();
        let mut caches = Vec::new();
        if cache != Some(CacheStates::Cold) {
            caches.push(warm);
        }
        if matches!(cache, Some(CacheStates::Cold | CacheStates::Both)) {
            let cold = |wipe_size| RunConditions { cache: CacheState::Cold, wipe_size, ..warm };
            match sizes {
                Some(sizes) => {
                    for size in sizes {
                        caches.push(cold(Some(*size)));
                    }
                }
                None => caches.push(cold(None)),
            }
        }
        // The default is for cases that can run on several threads.
        let default_threads =
            default.threads.as_ref().filter(|_| own_threads.is_none() && single_threaded.is_none());
        let mut threads = Vec::new();
        match (all.threads.as_ref().or(default_threads), own_threads, single_threaded) {
            (None, None, _) => threads.push(None),
            // One thread is what it has anyway.
            (Some(requested), _, Some(_)) if requested.iter().all(|number| *number == 1) => {
                threads.push(None);
            }
            (_, _, Some(reason)) => return Err(reason.to_owned()),
            (Some(requested), _, None) => {
                for number in requested {
                    threads.push(Some(*number));
                }
            }
            (None, Some(own), None) => {
                for number in quietly(own).map_err(|panic| format!("its `threads` {panic}"))? {
                    threads.push(Some(number as u64));
                }
                if threads.is_empty() {
                    threads.push(None);
                }
            }
        }
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

/// Returns the states of the caches. A wipe size without them means cold caches.
fn cache_states(conditions: &Conditions) -> Option<CacheStates> {
    conditions.cache.or(conditions.wipe_sizes.as_ref().map(|_| CacheStates::Cold))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a request with overriding and default conditions.
    fn list(conditions: Conditions, default_conditions: Conditions) -> List {
        List { conditions, default_conditions, ..List::default() }
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
        let conditions =
            RequestedConditions::from_request(list).unwrap().conditions(cache, threads, None).unwrap();
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
    fn conditions_for_all_override_those_of_functions() {
        let one =
            list(Conditions { threads: Some(vec![3]), ..cache(CacheStates::Warm) }, Conditions::default());
        assert_eq!(
            labels(&one, Some(CacheStates::Both), Some(|| panic!("these are overridden"))),
            ["threads=3"]
        );
        let sizes = wipe(&[1 << 15, 3 << 20, 100]);
        let cold = ["cold 32 KiB", "cold 3 MiB", "cold 100 B"];
        assert_eq!(labels(&list(sizes.clone(), Conditions::default()), Some(CacheStates::Warm), None), cold);
        let both = list(Conditions { cache: Some(CacheStates::Both), ..sizes }, Conditions::default());
        assert_eq!(labels(&both, None, None)[..2], ["", "cold 32 KiB"]);
    }

    #[test]
    fn functions_override_default_conditions() {
        let by_default = |conditions| list(Conditions::default(), conditions);
        assert_eq!(labels(&by_default(cache(CacheStates::Both)), None, None), ["", "cold"]);
        assert_eq!(labels(&by_default(cache(CacheStates::Both)), Some(CacheStates::Warm), None), [""]);
        assert_eq!(labels(&by_default(threads(&[1, 2])), None, None), ["threads=1", "threads=2"]);
        assert_eq!(labels(&by_default(threads(&[1, 2])), None, Some(|| vec![4])), ["threads=4"]);
        assert_eq!(labels(&list(threads(&[3]), threads(&[1, 2])), None, None), ["threads=3"]);
        // A default size applies to all cold rows. It makes rows cold that have no cache state.
        assert_eq!(labels(&by_default(wipe(&[1024])), None, None), ["cold 1 KiB"]);
        assert_eq!(labels(&by_default(wipe(&[1024])), Some(CacheStates::Both), None), ["", "cold 1 KiB"]);
        assert_eq!(labels(&by_default(wipe(&[1024])), Some(CacheStates::Warm), None), [""]);
        assert_eq!(labels(&list(cache(CacheStates::Warm), wipe(&[1024])), None, None), [""]);
        assert_eq!(labels(&list(wipe(&[2048]), wipe(&[1024])), None, None), ["cold 2 KiB"]);
    }

    #[test]
    fn threads_need_a_case_that_can_be_shared() {
        let conditions = |list: &List, threads| {
            RequestedConditions::from_request(list).unwrap().conditions(None, threads, Some("it is mine"))
        };
        let nothing = List::default();
        assert_eq!(conditions(&nothing, None).unwrap(), [RunConditions::default()]);
        assert_eq!(conditions(&nothing, Some(|| vec![2])).unwrap_err(), "it is mine");
        assert_eq!(conditions(&list(threads(&[3]), Conditions::default()), None).unwrap_err(), "it is mine");
        let one = conditions(&list(threads(&[1]), Conditions::default()), None);
        assert_eq!(one.unwrap(), [RunConditions::default()], "it has one thread anyway");
        let by_default = list(Conditions::default(), threads(&[3]));
        assert_eq!(
            conditions(&by_default, None).unwrap(),
            [RunConditions::default()],
            "a default is for cases that can be shared"
        );
    }

    #[test]
    fn a_panic_in_threads_is_a_problem() {
        let requested = RequestedConditions::from_request(&List::default()).unwrap();
        let problem = requested.conditions(None, Some(|| panic!("no cores")), None).unwrap_err();
        assert!(problem.contains("`threads`") && problem.contains("no cores"), "{problem}");
    }

    #[test]
    fn invalid_conditions_are_errors() {
        let error =
            |default| RequestedConditions::from_request(&list(Conditions::default(), default)).unwrap_err();
        assert!(error(threads(&[1, 0])).contains("1 to 1024 threads"));
    }
}
