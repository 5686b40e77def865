use nanobench::nanobench;

#[nanobench(context = "value")]
fn no_list() {}

#[nanobench(context())]
fn empty() {}

#[nanobench(context(key))]
fn no_value() {}

#[nanobench(context(key = SIZE))]
fn constant() {}

#[nanobench(context("key" = 5))]
fn text() {}

#[nanobench(context(key = 5, key = 6))]
fn twice() {}

#[nanobench(context(a = 5 b = 6))]
fn no_comma() {}

const SIZE: usize = 5;

fn main() {}
