//! A small library with some of everything whose code or data tells where it is written: panics
//! with a place, closures, trait objects, formatting, statics.

mod shapes;
mod tables;
mod text;

pub use shapes::{Shape, area, shapes};
pub use tables::{histogram, lookup, smooth, table};
pub use text::{checksum, parse, shout, words};

/// Derives other traits in each edit. No benchmark uses it.
#[derive(Clone)]
pub struct Unused {
    pub number: u64,
    pub letter: char,
}
