//! Layouts of two executables for their comparison.

use super::filler::Filler;
use super::functions::{self, Functions};
use super::link_inputs::RunningLink;
use super::{LayoutError, LinkInputs};
use crate::affinity;
use nanobench::Rng;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The names of both sides.
const SIDES: [&str; 2] = ["baseline", "candidate"];

/// Layouts of a baseline and a candidate that are compared. The functions that are the same in both
/// lie at the same places in both, so that little but the difference of the code remains between
/// them.
#[derive(Debug)]
pub struct Layouts {
    inputs: [LinkInputs; 2],
    functions: Functions,
}

impl Layouts {
    /// Reads the link inputs and the functions of the baseline and the candidate.
    pub fn of(executables: [&Path; 2]) -> Result<Layouts, LayoutError> {
        let [one, other] = executables.map(LinkInputs::of);
        let inputs = [one?, other?];
        let [one, other] = inputs.each_ref().map(LinkInputs::object);
        let functions = Functions::read([&one, &other]).map_err(LayoutError::Functions)?;
        Ok(Layouts { inputs, functions })
    }

    /// Compares a first layout of each side with its executable, as something else that is linked may
    /// have changed. Functions that the linker drops are left out from then on. `difference`: returns
    /// the function that differs in a layout from an executable.
    pub fn compared_with(
        mut self,
        executables: [&Path; 2],
        mut difference: impl FnMut(&Path, &Path) -> Option<String>,
    ) -> Result<Layouts, LayoutError> {
        let first = self.inputs.each_ref().map(LinkInputs::first_layout);
        let filler = self.filler(0, &mut Rng::with_seed(0))?;
        let sides = self.inputs.iter().zip(&first);
        let links = sides.map(|(inputs, path)| inputs.start_link(&self.inputs[1].linker, &[], &filler, path));
        RunningLinks(links.collect::<Result<_, LayoutError>>()?).finish()?;
        for (side, (executable, layout)) in SIDES.into_iter().zip(executables.into_iter().zip(&first)) {
            if let Some(function) = difference(executable, layout) {
                return Err(LayoutError::Differs { side, function });
            }
        }
        let [one, other] = first.each_ref().map(|layout| functions::names(layout));
        self.functions.retain([&one?, &other?]);
        first.iter().for_each(|layout| drop(fs::remove_file(layout)));
        Ok(self)
    }

    /// Starts to link both executables, in another order for each pair of paths, with the linker
    /// that built the second one here. All links run at the same time. Each takes about 30 ms for an
    /// executable of 2 MB.
    pub fn start_links(&self, pairs: [[PathBuf; 2]; 2], rng: &mut Rng) -> Result<RunningLinks, LayoutError> {
        let linker = &self.inputs[1].linker;
        let mut links = Vec::new();
        for paths in pairs {
            let orders = self.functions.orders(rng);
            let filler = self.filler(orders[0].len().max(orders[1].len()), rng)?;
            for ((inputs, order), path) in self.inputs.iter().zip(orders).zip(paths) {
                links.push(inputs.start_link(linker, &order, &filler, &path)?);
            }
        }
        Ok(RunningLinks(links))
    }

    /// Returns an object that moves data, and this number of functions, to random places.
    fn filler(&self, functions: usize, rng: &mut Rng) -> Result<Vec<u8>, LayoutError> {
        let object = Filler::random(functions, rng).object(self.inputs[0].architecture);
        Ok(object.map_err(io::Error::other)?)
    }
}

/// Links that run in the background. Dropping this value stops them.
#[derive(Debug)]
pub struct RunningLinks(Vec<RunningLink>);

impl RunningLinks {
    /// Leaves a core to others.
    pub fn avoid_core(&self, core: usize) {
        self.0.iter().for_each(|link| affinity::avoid_core(link.process(), core));
    }

    /// Returns whether any is not finished yet.
    pub fn are_running(&mut self) -> bool {
        self.0.iter_mut().any(RunningLink::is_running)
    }

    /// Waits until all executables are linked.
    pub fn finish(self) -> Result<(), LayoutError> {
        self.0.into_iter().try_for_each(RunningLink::finish)
    }
}
