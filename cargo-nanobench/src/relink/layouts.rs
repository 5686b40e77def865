//! Layouts of two executables for their comparison.

use super::functions::Functions;
use super::{LayoutError, LinkInputs};
use nanobench::Rng;
use std::path::{Path, PathBuf};
use std::thread;

/// Layouts of a baseline and a candidate that are compared. The functions that are the same in both
/// lie at the same places in both, so that little but the difference of the code remains between
/// them.
#[derive(Debug)]
pub(crate) struct Layouts {
    inputs: [LinkInputs; 2],
    functions: Functions,
}

impl Layouts {
    /// Reads the link inputs and the functions of the baseline and the candidate.
    pub(crate) fn of(executables: [&Path; 2]) -> Result<Layouts, LayoutError> {
        let [one, other] = executables.map(LinkInputs::of);
        let inputs = [one?, other?];
        let [one, other] = inputs.each_ref().map(LinkInputs::object);
        let functions = Functions::read([&one, &other]).map_err(LayoutError::Functions)?;
        Ok(Layouts { inputs, functions })
    }

    /// Links both executables, in another order for each pair of paths, with the linker that built
    /// the second one here. All links run at the same time.
    pub(crate) fn link(&self, pairs: [[PathBuf; 2]; 2], rng: &mut Rng) -> Result<(), LayoutError> {
        let linker = &self.inputs[1].linker;
        let orders = pairs.map(|paths| (paths, self.functions.orders(rng)));
        thread::scope(|scope| {
            let links = orders.iter().flat_map(|(paths, orders)| {
                let sides = self.inputs.iter().zip(orders).zip(paths);
                sides.map(|((inputs, order), path)| scope.spawn(move || inputs.link(linker, order, path)))
            });
            let links: Vec<_> = links.collect();
            links.into_iter().try_for_each(|link| link.join().expect("a link doesn't panic"))
        })
    }
}
