//! What runs for a row of a function.

use crate::measure::Bencher;
use std::fmt;

/// A row of a function: what runs, and around what.
pub struct Case {
    work: Work,
    reset: Option<Box<dyn FnMut()>>,
    teardown: Option<Box<dyn FnMut()>>,
    batch: Option<u64>,
}

enum Work {
    Single(Box<dyn FnMut(&mut Bencher)>),
    Shared(Box<dyn Fn(&mut Bencher) + Send + Sync>),
    Stateful(Box<dyn Stateful>),
}

impl Case {
    /// Hands the function to the loop that fits its form.
    pub fn new(run: impl FnMut(&mut Bencher) + 'static) -> Case {
        Case::of(Work::Single(Box::new(run)))
    }

    /// The same, on several threads where that is asked for.
    pub fn shared(run: impl Fn(&mut Bencher) + Send + Sync + 'static) -> Case {
        Case::of(Work::Shared(Box::new(run)))
    }

    /// The same with a value that is made before the first call of all, and is done with when the process is.
    pub fn stateful<S: 'static>(
        setup: impl FnMut() -> S + 'static,
        run: impl FnMut(&mut S, &mut Bencher) + 'static,
        teardown: impl FnMut(S) + 'static,
    ) -> Case {
        Case::of(Work::Stateful(Box::new(WithState { setup, run, teardown, state: None })))
    }

    fn of(work: Work) -> Case {
        Case { work, reset: None, teardown: None, batch: None }
    }

    /// Runs before each sample, outside the timing.
    pub fn reset(self, reset: impl FnMut() + 'static) -> Case {
        Case { reset: Some(Box::new(reset)), ..self }
    }

    /// Runs after each sample, outside the timing.
    pub fn teardown(self, teardown: impl FnMut() + 'static) -> Case {
        Case { teardown: Some(Box::new(teardown)), ..self }
    }

    /// How many units an operation does in this row, whatever it is in others.
    pub fn batch(self, batch: u64) -> Case {
        Case { batch: Some(batch), ..self }
    }

    /// What [`Case::batch`] says.
    pub(crate) fn units(&self) -> Option<u64> {
        self.batch
    }

    /// Why it can't run on several threads at once. `None` for what can.
    pub(crate) fn alone(&self) -> Option<&'static str> {
        match self.work {
            Work::Shared(_) => None,
            Work::Single(_) => Some("its argument is not `Sync`, so threads can't share it"),
            Work::Stateful(_) => Some(
                "with `every = \"benchmark\"` one value of `setup` serves all calls, and threads can't share that: \
                 write `every = \"sample\"`, which gives each thread its own, or `fixture`, which all share",
            ),
        }
    }

    /// Carries an order out, on so many threads at once.
    pub(crate) fn carry_out(&mut self, order: &mut Bencher, threads: Option<usize>) {
        if let Some(reset) = &mut self.reset {
            reset();
        }
        match (&mut self.work, threads) {
            (Work::Shared(run), Some(threads)) => order.run_on_threads(threads, run),
            (Work::Shared(run), None) => run(order),
            (Work::Single(run), _) => run(order),
            (Work::Stateful(work), _) => work.run(order),
        }
        if let Some(teardown) = &mut self.teardown {
            teardown();
        }
    }

    /// Is done with the state, where there is one.
    pub(crate) fn finish(&mut self) {
        if let Work::Stateful(work) = &mut self.work {
            work.finish();
        }
    }
}

/// The argument of a row that is on its way to be one. `(&Argument(argument)).case(..)` finds the first of the two traits that
/// fits: a row that threads may share where they may share the argument.
#[derive(Debug)]
pub struct Argument<A: 'static>(pub &'static A);

/// Of what threads may share.
pub trait SyncArg {
    /// The row.
    fn case(&self, run: impl Fn(&mut Bencher) + Send + Sync + 'static) -> Case;
}

impl<A: Sync> SyncArg for Argument<A> {
    fn case(&self, run: impl Fn(&mut Bencher) + Send + Sync + 'static) -> Case {
        Case::shared(run)
    }
}

/// Of anything else.
pub trait LocalArg {
    /// The row.
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

/// Work whose state outlives an order.
trait Stateful {
    fn run(&mut self, order: &mut Bencher);
    fn finish(&mut self);
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
    fn run(&mut self, order: &mut Bencher) {
        (self.run)(self.state.get_or_insert_with(&mut self.setup), order);
    }

    fn finish(&mut self) {
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

    #[derive(Clone, Default)]
    struct Log(Rc<RefCell<Vec<&'static str>>>);

    impl Log {
        fn note(&self, what: &'static str) -> impl FnMut() + use<> {
            let log = self.clone();
            move || log.0.borrow_mut().push(what)
        }

        fn taken(&self) -> Vec<&'static str> {
            self.0.take()
        }
    }

    fn order() -> Bencher {
        Bencher::new(Clock::Scripted, 2, 1, 1)
    }

    #[test]
    fn each_order_has_its_reset_and_its_teardown() {
        let log = Log::default();
        let mut call = log.note("call");
        let mut case = Case::new(move |run| run.call(|_| call()))
            .reset(log.note("reset"))
            .teardown(log.note("teardown"));
        case.carry_out(&mut order(), None);
        assert_eq!(log.taken(), ["reset", "call", "call", "teardown"]);
        case.finish();
        assert!(log.taken().is_empty());
    }

    #[test]
    fn what_threads_may_not_share_runs_alone() {
        let of_text = Argument(&"text").case(|run| run.call(|_| ()));
        static CELL: Argument<u8> = Argument(&5);
        assert_eq!((of_text.alone(), CELL.case(|run| run.call(|_| ())).alone()), (None, None));
        let cell: &'static std::cell::Cell<u8> = Box::leak(Box::default());
        let alone = (&Argument(cell)).case(|run| run.call(|_| ())).alone();
        assert!(alone.unwrap().contains("`Sync`"));
    }

    #[test]
    fn a_state_is_made_once_and_done_with_once() {
        let log = Log::default();
        let (mut setup, mut call, mut teardown) = (log.note("setup"), log.note("call"), log.note("teardown"));
        let mut case = Case::stateful(
            move || {
                setup();
                0
            },
            move |calls, run| {
                run.call(|_| {
                    *calls += 1;
                    call();
                });
            },
            move |calls| {
                assert_eq!(calls, 4);
                teardown();
            },
        );
        case.finish();
        assert!(log.taken().is_empty(), "nothing was made");
        case.carry_out(&mut order(), None);
        case.carry_out(&mut order(), None);
        assert_eq!(log.taken(), ["setup", "call", "call", "call", "call"]);
        case.finish();
        case.finish();
        assert_eq!(log.taken(), ["teardown"]);
    }
}
