//! Closures where no statement of the assembler can keep their state in registers.

use super::Bencher;

#[derive(Debug)]
pub(crate) struct State;

impl State {
    #[inline]
    pub(crate) fn new(_: bool) -> State {
        State
    }
}

impl Bencher {
    #[inline(always)]
    pub(crate) fn call_closure<T>(&mut self, function: &mut impl FnMut() -> T, _: &mut State) {
        self.call(|_| function());
    }
}
