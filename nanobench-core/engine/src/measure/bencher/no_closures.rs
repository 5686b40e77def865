//! Closures where no statement of the assembler can keep their state in registers.

use super::Bencher;

#[derive(Debug, Default)]
pub(crate) struct SeenResults;

impl Bencher {
    #[inline(always)]
    pub(crate) fn call_closure<T>(&mut self, mut function: impl FnMut() -> T, _: &mut SeenResults) {
        self.call(|_| function());
    }
}
