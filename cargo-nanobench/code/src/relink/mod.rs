//! Layouts: executables of the same code, linked with their functions in another order.
//!
//! While cargo builds, this program stands in for the last step of the C compiler that rustc calls
//! as linker (`interception` of `cargo`). It passes each command on (`stand_in`), and for executables with
//! benchmarks also links all objects into one, with the functions still in sections of their own
//! (`link_command`). That object is kept beside the executable (`link_inputs`); one more link of
//! it makes a layout. With it, the facts are kept that only the link knows (`linked_data`), so that
//! machine code can be compared: the places of `constants`, by the linker's map, and
//! `outside_references`. No flag and no variable that cargo knows is changed,
//! so nothing is built anew.

mod constants;
mod error;
mod filler;
mod functions;
mod layouts;
mod link_command;
mod link_files;
mod link_inputs;
mod linked_data;
mod linker;
mod linker_map;
mod object_references;
mod options;
mod outside_references;
mod stand_in;

pub use error::LayoutError;
pub use layouts::{Layouts, RunningLinks};
use link_inputs::LinkInputs;
#[cfg(test)]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use link_inputs::keep_linked_data;
pub use link_inputs::{LazyLinkedData, file_of, kept_file, linked_data_of};
pub use stand_in::{is_stand_in, link};

/// Returns an order of the functions of both sides if both have these link inputs, which are the
/// bytes of a kept file. For the fuzz target `link_inputs`.
#[doc(hidden)]
pub fn orders_of_kept(
    kept: &[u8],
    executable: &crate::fingerprint::Fingerprint,
) -> Result<[Vec<String>; 2], LayoutError> {
    let (_, object) = link_inputs::parse(std::path::Path::new("kept"), kept, executable)?;
    let functions = functions::Functions::parse([&object, &object]).map_err(LayoutError::Functions)?;
    let orders = functions.orders(&mut nanobench::Rng::with_seed(1));
    Ok(orders.map(|order| order.into_iter().map(str::to_owned).collect()))
}
