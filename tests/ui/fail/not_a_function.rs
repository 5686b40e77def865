#![allow(unused)]

use nanobench::nanobench;

#[nanobench]
struct Struct;

#[nanobench]
pub(crate) enum Enum {}

#[nanobench]
impl Struct {}

#[nanobench]
unsafe impl Send for Enum {}

#[nanobench]
pub trait Trait {}

#[nanobench]
mod module {}

#[nanobench]
static STATIC: fn() = main;

#[nanobench]
const CONST: u64 = 1;

#[nanobench]
type Alias = fn();

#[nanobench]
use std::fmt;

#[nanobench(count = 1)]
macro_rules! marked {
    () => {};
}

fn main() {}
