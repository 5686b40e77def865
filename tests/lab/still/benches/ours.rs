use nanobench::nanobench;
use std::hint::black_box;
use still::Shape;

const TEXT: &str = "12 apples, 7 pears and 150 cherries fell into the 3 baskets of 2 neighbours";

fn numbers() -> Vec<u64> {
    still::table(1_000)
}

fn places() -> (Vec<u64>, Vec<usize>) {
    (still::table(1_000), (0..1_000).step_by(7).collect())
}

fn shapes() -> Vec<Box<dyn Shape>> {
    still::shapes(100)
}

#[nanobench]
fn words() -> usize {
    still::words(black_box(TEXT))
}

#[nanobench]
fn checksum() -> u32 {
    still::checksum(black_box(TEXT))
}

#[nanobench]
fn parse() -> u64 {
    still::parse(black_box(TEXT))
}

#[nanobench]
fn shout() -> String {
    still::shout(black_box(TEXT))
}

#[nanobench(args = [10, 1_000])]
fn table(n: usize) -> Vec<u64> {
    still::table(n)
}

#[nanobench(fixture = numbers, args = [10, 64])]
fn histogram(buckets: usize, numbers: &[u64]) -> Vec<u32> {
    still::histogram(numbers, buckets)
}

#[nanobench(fixture = numbers)]
fn smooth(numbers: &[u64]) -> u64 {
    still::smooth(numbers, 3)
}

#[nanobench(fixture = places)]
fn lookup((numbers, places): &(Vec<u64>, Vec<usize>)) -> u64 {
    still::lookup(numbers, places)
}

#[nanobench(fixture = shapes)]
fn area(shapes: &[Box<dyn Shape>]) -> f64 {
    still::area(shapes)
}

#[nanobench(setup = numbers)]
fn sort(numbers: &mut [u64]) {
    numbers.sort_by_key(|number| number % 1_009);
}
