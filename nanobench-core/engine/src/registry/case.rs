//! The code of a row.

use crate::measure::Bencher;
use std::fmt;

/// The code of a row: the benchmark, and the code that runs before and after each sample.
pub struct Case {
    work: Work,
    reset: Option<Box<dyn FnMut()>>,
    teardown: Option<Box<dyn FnMut()>>,
    batch: Option<u64>,
    unit: Option<String>,
}

enum Work {
    Single(Box<dyn FnMut(&mut Bencher)>),
    Shared(Box<dyn Fn(&mut Bencher) + Send + Sync>),
    Stateful(Box<dyn Stateful>),
    Scoped(Box<Prepare>),
}

/// Prepares a benchmark, and passes it on.
type Prepare = dyn Fn(&mut dyn FnMut(Calls<'_>));
/// Runs a sample.
type Run<'r> = dyn FnMut(&mut Bencher) + 'r;
/// Takes samples by the code that runs one.
type TakeSamples<'t> = dyn for<'r> FnMut(&'r mut Run<'r>) + 't;

/// The calls of a benchmark while the function that prepares them runs.
pub enum Calls<'c> {
    /// Calls on this thread only.
    Local(&'c mut dyn FnMut(&mut Bencher)),
    /// Calls that several threads can make at once.
    Shared(&'c (dyn Fn(&mut Bencher) + Sync)),
}

impl Case {
    /// Creates a case that runs on one thread. `run` passes the function to the bencher.
    pub fn new(run: impl FnMut(&mut Bencher) + 'static) -> Case {
        Case::with_work(Work::Single(Box::new(run)))
    }

    /// Creates a case that can run on several threads.
    pub fn shared(run: impl Fn(&mut Bencher) + Send + Sync + 'static) -> Case {
        Case::with_work(Work::Shared(Box::new(run)))
    }

    /// Creates a case with a state, which `setup` makes before the first call and `teardown` gets
    /// at the end of the process.
    pub fn stateful<S: 'static>(
        setup: impl FnMut() -> S + 'static,
        run: impl FnMut(&mut S, &mut Bencher) + 'static,
        teardown: impl FnMut(S) + 'static,
    ) -> Case {
        Case::with_work(Work::Stateful(Box::new(WithState { setup, run, teardown, state: None })))
    }

    /// Creates a case from a function that prepares a benchmark and passes it on. It runs once for several
    /// samples.
    pub fn scoped(prepare: impl Fn(&mut dyn FnMut(Calls<'_>)) + 'static) -> Case {
        Case::with_work(Work::Scoped(Box::new(prepare)))
    }

    fn with_work(work: Work) -> Case {
        Case { work, reset: None, teardown: None, batch: None, unit: None }
    }

    /// Adds code that runs before each sample, outside the timing.
    pub fn reset(self, reset: impl FnMut() + 'static) -> Case {
        Case { reset: Some(Box::new(reset)), ..self }
    }

    /// Adds code that runs after each sample, outside the timing.
    pub fn teardown(self, teardown: impl FnMut() + 'static) -> Case {
        Case { teardown: Some(Box::new(teardown)), ..self }
    }

    /// Sets the number of units of an operation in this row.
    pub fn batch(self, batch: u64) -> Case {
        Case { batch: Some(batch), ..self }
    }

    /// Sets the name of an operation in this row.
    pub fn unit(self, unit: String) -> Case {
        Case { unit: Some(unit), ..self }
    }

    /// Returns the number of units that [`Case::batch`] has set.
    pub(crate) fn units(&self) -> Option<u64> {
        self.batch
    }

    /// Returns the name that [`Case::unit`] has set.
    pub(crate) fn unit_name(&self) -> Option<&str> {
        self.unit.as_deref()
    }

    /// Returns the reason why it can't run on several threads at once, if it can't.
    pub(crate) fn single_thread_reason(&self) -> Option<&'static str> {
        match self.work {
            Work::Shared(_) | Work::Scoped(_) => None,
            Work::Single(_) => Some("its argument is not `Sync`, so threads can't share it"),
            Work::Stateful(_) => Some(
                "with `every = \"benchmark\"` one value of `setup` serves all calls, and threads can't share that: \
                 write `every = \"sample\"`, which gives each thread its own, or `fixture`, which all share",
            ),
        }
    }

    /// Passes the code that runs a sample, on several threads at once if it can, to `take_samples`.
    pub(crate) fn enter(&mut self, threads: Option<usize>, take_samples: &mut TakeSamples<'_>) {
        // Counts are those of one thread.
        let threads_of = |bencher: &Bencher| threads.filter(|_| !bencher.is_counting());
        let Work::Scoped(prepare) = &self.work else {
            return take_samples(&mut |bencher| self.run(bencher, threads_of(bencher)));
        };
        prepare(&mut |mut calls| {
            take_samples(&mut |bencher| match (&mut calls, threads_of(bencher)) {
                (Calls::Shared(run), Some(threads)) => bencher.run_on_threads(threads, run),
                (Calls::Shared(run), None) => run(bencher),
                (Calls::Local(run), _) => run(bencher),
            });
        });
    }

    /// Runs a sample, on several threads at once if it can.
    fn run(&mut self, bencher: &mut Bencher, threads: Option<usize>) {
        if let Some(reset) = &mut self.reset {
            reset();
        }
        match (&mut self.work, threads) {
            (Work::Shared(run), Some(threads)) => bencher.run_on_threads(threads, run),
            (Work::Shared(run), None) => run(bencher),
            (Work::Single(run), _) => run(bencher),
            (Work::Stateful(work), _) => work.run(bencher),
            (Work::Scoped(_), _) => {}
        }
        if let Some(teardown) = &mut self.teardown {
            teardown();
        }
    }

    /// Tears the state down, if there is one.
    pub(crate) fn tear_down(&mut self) {
        if let Work::Stateful(work) = &mut self.work {
            work.tear_down();
        }
    }
}

/// An argument from which a case is made.
///
/// `(&Argument(argument)).case(..)` resolves to [`SyncArg`] if threads can share the argument, and
/// to [`LocalArg`] otherwise.
#[derive(Debug)]
pub struct Argument<A: 'static>(pub &'static A);

/// An argument that threads can share.
pub trait SyncArg {
    /// Returns the case.
    fn case(&self, run: impl Fn(&mut Bencher) + Send + Sync + 'static) -> Case;
}

impl<A: Sync> SyncArg for Argument<A> {
    fn case(&self, run: impl Fn(&mut Bencher) + Send + Sync + 'static) -> Case {
        Case::shared(run)
    }
}

/// Any other argument.
pub trait LocalArg {
    /// Returns the case.
    fn case(&self, run: impl FnMut(&mut Bencher) + 'static) -> Case;
}

impl<A> LocalArg for &Argument<A> {
    fn case(&self, run: impl FnMut(&mut Bencher) + 'static) -> Case {
        Case::new(run)
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case").field("batch", &self.batch).finish_non_exhaustive()
    }
}

/// A benchmark with a state.
trait Stateful {
    fn run(&mut self, bencher: &mut Bencher);
    fn tear_down(&mut self);
}

struct WithState<S, M, R, T> {
    setup: M,
    run: R,
    teardown: T,
    state: Option<S>,
}

impl<S, M, R, T> Stateful for WithState<S, M, R, T>
where
    M: FnMut() -> S,
    R: FnMut(&mut S, &mut Bencher),
    T: FnMut(S),
{
    fn run(&mut self, bencher: &mut Bencher) {
        (self.run)(self.state.get_or_insert_with(&mut self.setup), bencher);
    }

    fn tear_down(&mut self) {
        if let Some(state) = self.state.take() {
            (self.teardown)(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Clock;
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[derive(Clone, Default)]
    struct Log(Rc<RefCell<Vec<&'static str>>>);

    impl Log {
        fn note(&self, what: &'static str) -> impl FnMut() + use<> {
            let log = self.clone();
            move || log.0.borrow_mut().push(what)
        }

        fn take(&self) -> Vec<&'static str> {
            self.0.take()
        }
    }

    fn bencher() -> Bencher {
        Bencher::new(Clock::Scripted, 2, 1, 1)
    }

    fn sample(case: &mut Case, threads: Option<usize>) {
        case.enter(threads, &mut |run| run(&mut bencher()));
    }

    #[test]
    fn a_function_prepares_several_samples_at_once() {
        let log = Log::default();
        let (prepare, call) = (RefCell::new(log.note("prepare")), RefCell::new(log.note("call")));
        let call = Rc::new(call);
        let mut case = Case::scoped(move |take_samples| {
            (prepare.borrow_mut())();
            take_samples(Calls::Local(&mut |bencher| bencher.call(|_| (call.borrow_mut())())));
        });
        let mut two_samples = |run: &mut dyn FnMut(&mut Bencher)| {
            run(&mut bencher());
            run(&mut bencher());
        };
        case.enter(Some(3), &mut two_samples);
        assert_eq!(log.take(), ["prepare", "call", "call", "call", "call"], "on one thread");
        assert_eq!(case.single_thread_reason(), None);
    }

    #[test]
    fn threads_share_what_their_function_prepares() {
        let mut case = Case::scoped(|take_samples| {
            let calls = AtomicU64::new(0);
            take_samples(Calls::Shared(&|bencher| bencher.call(|_| calls.fetch_add(1, Relaxed))));
            assert_eq!(calls.into_inner(), 3 * 2, "two calls on each of three threads");
        });
        sample(&mut case, Some(3));
    }

    #[test]
    fn each_sample_has_a_reset_and_a_teardown() {
        let log = Log::default();
        let mut call = log.note("call");
        let mut case = Case::new(move |bencher| bencher.call(|_| call()))
            .reset(log.note("reset"))
            .teardown(log.note("teardown"));
        sample(&mut case, None);
        assert_eq!(log.take(), ["reset", "call", "call", "teardown"]);
        case.tear_down();
        assert!(log.take().is_empty());
    }

    #[test]
    fn arguments_that_are_not_sync_run_on_one_thread() {
        let of_text = Argument(&"text").case(|bencher| bencher.call(|_| ()));
        static CELL: Argument<u8> = Argument(&5);
        assert_eq!(
            (
                of_text.single_thread_reason(),
                CELL.case(|bencher| bencher.call(|_| ())).single_thread_reason()
            ),
            (None, None)
        );
        let cell: &'static std::cell::Cell<u8> = Box::leak(Box::default());
        let reason = (&Argument(cell)).case(|bencher| bencher.call(|_| ())).single_thread_reason();
        assert!(reason.unwrap().contains("`Sync`"));
    }

    #[test]
    fn a_state_is_set_up_and_torn_down_once() {
        let log = Log::default();
        let (mut setup, mut call, mut teardown) = (log.note("setup"), log.note("call"), log.note("teardown"));
        let mut case = Case::stateful(
            move || {
                setup();
                0
            },
            move |calls, bencher| {
                bencher.call(|_| {
                    *calls += 1;
                    call();
                });
            },
            move |calls| {
                assert_eq!(calls, 4);
                teardown();
            },
        );
        case.tear_down();
        assert!(log.take().is_empty(), "there was no state");
        sample(&mut case, None);
        sample(&mut case, None);
        assert_eq!(log.take(), ["setup", "call", "call", "call", "call"]);
        case.tear_down();
        case.tear_down();
        assert_eq!(log.take(), ["teardown"]);
    }
}
