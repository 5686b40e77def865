use nanobench::nanobench;

#[nanobench(types = u8)]
fn bare<T>() {}

#[nanobench(types = [])]
fn empty<T>() {}

#[nanobench(types = [u8, 5])]
fn number<T>() {}

#[nanobench(types = [u8, _])]
fn inferred<T>() {}

#[nanobench(types = [impl Copy])]
fn any<T>() {}

#[nanobench(types = [&str])]
fn reference<T>() {}

#[nanobench(types = [u8, u16, u8])]
fn twice<T>() {}

#[nanobench(types = [u8, (u8, u8, u8)])]
fn pairs<A, B>() {}

fn main() {}
