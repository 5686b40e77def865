//! Thirteen other kinds of work, like those in `kinds`: a number in the executable's data says how
//! many per cent more each does. Units of work are alike, so that 1 % more of them take about 1 %
//! more time. Inputs have room for all of them.

use crate::chain::FACTOR;
use crate::kinds::more;
use crate::suite::{bytes, key};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// One piece of a text that consists of `UNITS` and more.
const OBJECT: &str = r#"{"id": 1048576, "name": "a \"quoted\" word", "tags": [true, null, -2.5e3]}, "#;
const SENTENCE: &str = "The cost of a café au lait in Zürich is 7,50 €, 価格は高い; so we drink tea 🍵. ";
const LINE: &str = "one two three four five six seven";
const UNITS: usize = 100;
/// Room for 100 % more.
const ROOM: usize = 2 * UNITS;

pub fn other_objects() -> String {
    OBJECT.repeat(ROOM)
}

/// Counts the tokens of a text like JSON, and adds up their lengths.
#[inline(never)]
pub fn other_tokenise(text: &str) -> (usize, usize) {
    let mut rest = &text.as_bytes()[..more(UNITS) * OBJECT.len()];
    let (mut tokens, mut length) = (0, 0);
    while let Some(&first) = rest.first() {
        let n = match first {
            b'"' => string_length(rest),
            b'-' | b'0'..=b'9' => run_length(rest, |b| matches!(b, b'-' | b'+' | b'.' | b'e' | b'0'..=b'9')),
            b'a'..=b'z' => run_length(rest, |b| b.is_ascii_lowercase()),
            _ => 1,
        };
        if !first.is_ascii_whitespace() {
            tokens += 1;
            length += n;
        }
        rest = &rest[n..];
    }
    (tokens, length)
}

fn run_length(text: &[u8], is_inside: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&b| !is_inside(b)).unwrap_or(text.len())
}

/// With both quotation marks.
fn string_length(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

pub fn other_bytes() -> Vec<u8> {
    bytes(48 * ROOM)
}

#[inline(never)]
pub fn other_base64(data: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(64 * ROOM);
    for group in data[..48 * more(UNITS)].chunks_exact(3) {
        let bits = group.iter().fold(0, |bits, &b| bits << 8 | u32::from(b));
        text.extend([18, 12, 6, 0].map(|shift| char::from(DIGITS[(bits >> shift & 63) as usize])));
    }
    text
}

/// The table of CRC-32, for `other_crc`.
pub fn other_crc_table() -> [u32; 256] {
    std::array::from_fn(|i| {
        (0..8).fold(i as u32, |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

#[inline(never)]
pub fn other_crc(table: &[u32; 256], data: &[u8]) -> u32 {
    !data[..48 * more(UNITS)].iter().fold(!0, |crc, &b| table[(crc as u8 ^ b) as usize] ^ crc >> 8)
}

pub fn other_tree() -> BTreeMap<u64, u64> {
    (0..10_000).map(|i| (key(i), i)).collect()
}

/// Many short ranges, each from another place.
#[inline(never)]
pub fn other_range(tree: &BTreeMap<u64, u64>) -> u64 {
    let ranges = (0..more(1_000) as u64).map(|i| tree.range(key(i).rotate_left(13)..).take(10));
    ranges.flatten().fold(0, |sum, (_, value)| sum.wrapping_add(*value))
}

/// Events by their time.
pub type Queue = BinaryHeap<Reverse<(u64, u32)>>;

pub fn other_queue() -> Queue {
    (0..256).map(|i| Reverse((key(u64::from(i)) >> 50, i))).collect()
}

/// Takes the next event, and lets it happen again later. The queue keeps its size.
#[inline(never)]
pub fn other_events(queue: &mut Queue) -> u64 {
    let mut now = 0;
    for _ in 0..more(500) {
        if let Some(Reverse((time, event))) = queue.pop() {
            queue.push(Reverse((time + 1 + ((time ^ u64::from(event)).wrapping_mul(FACTOR) >> 50), event)));
            now = time;
        }
    }
    now
}

/// For each byte, the states of an automaton that it leads to: `[a-z]+ [0-9]+ (au|am) [a-z]`.
pub fn other_automaton() -> [u64; 256] {
    std::array::from_fn(|b| {
        let b = b as u8;
        let classes: [fn(u8) -> bool; 8] = [
            |b| b.is_ascii_lowercase(),
            |b| b == b' ',
            |b| b.is_ascii_alphanumeric(),
            |b| b == b' ' || b == b',',
            |b| b == b'a',
            |b| b == b'u' || b == b'm',
            |b| b == b' ',
            |b| b.is_ascii_lowercase(),
        ];
        classes.iter().enumerate().fold(0, |states, (i, is_member)| states | u64::from(is_member(b)) << i)
    })
}

/// All states of the automaton at once, one bit each. Returns the number of matches.
#[inline(never)]
pub fn other_match(automaton: &[u64; 256], text: &str) -> usize {
    const REPEATED: u64 = 0b101;
    let text = &text.as_bytes()[..more(UNITS) * SENTENCE.len()];
    let (mut states, mut matches) = (0_u64, 0);
    for &b in text {
        states = (states << 1 | states & REPEATED | 1) & automaton[b as usize];
        matches += usize::from(states >> 7 & 1 == 1);
    }
    matches
}

pub fn other_text() -> String {
    SENTENCE.repeat(ROOM)
}

#[inline(never)]
pub fn other_utf8(text: &[u8]) -> usize {
    std::str::from_utf8(&text[..more(UNITS) * SENTENCE.len()]).map_or(0, str::len)
}

const SIZE: usize = 16;
pub type Vector = [f64; SIZE];

pub fn other_matrix() -> [Vector; SIZE] {
    std::array::from_fn(|row| std::array::from_fn(|column| ((row * 7 + column * 5) % 11 + 1) as f64))
}

/// Multiplies a vector by the matrix again and again. Returns the length of the last product.
#[inline(never)]
pub fn other_power(matrix: &[Vector; SIZE]) -> f64 {
    let dot = |a: &Vector, b: &Vector| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let (mut vector, mut length) = ([1.0; SIZE], 0.0);
    for _ in 0..more(UNITS) {
        let product: Vector = std::array::from_fn(|row| dot(&matrix[row], &vector));
        length = dot(&product, &product).sqrt();
        vector = product.map(|y| y / length);
    }
    length
}

/// Sieves one segment after the other, and counts primes.
#[inline(never)]
pub fn other_sieve() -> usize {
    const PRIMES: [usize; 10] = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31];
    const SEGMENT: usize = 256;
    let mut count = 0;
    for segment in 0..4 * more(UNITS) {
        let start = SEGMENT * segment;
        let mut is_composite = [false; SEGMENT];
        for prime in PRIMES {
            for multiple in (start.next_multiple_of(prime) - start..SEGMENT).step_by(prime) {
                is_composite[multiple] = true;
            }
        }
        count += is_composite.iter().skip(1).step_by(2).filter(|is_composite| !**is_composite).count();
    }
    count
}

/// Words of equal length.
pub fn other_words() -> Vec<String> {
    (0..ROOM as u64).map(|i| format!("{:012x}", key(i) >> 16)).collect()
}

/// The distance of Levenshtein of the word that is nearest.
#[inline(never)]
pub fn other_nearest(word: &str, words: &[String]) -> usize {
    words[..more(UNITS)].iter().map(|other| distance(word.as_bytes(), other.as_bytes())).min().unwrap_or(0)
}

fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// An instruction of a machine with four registers.
#[derive(Clone, Copy)]
pub enum Instruction {
    Load(usize, u64),
    Add(usize, usize),
    Multiply(usize, usize),
    Xor(usize, usize),
    ShiftRight(usize, u32),
    /// Counts a register down, and jumps unless it is zero.
    Loop(usize, usize),
}

/// A loop that computes a hash of its counter, which register 0 has at first.
pub fn other_program() -> Vec<Instruction> {
    use Instruction::*;
    vec![
        Load(1, 0),
        Load(3, FACTOR),
        Add(1, 0),
        Multiply(1, 3),
        Load(2, 0),
        Add(2, 1),
        ShiftRight(2, 29),
        Xor(1, 2),
        Loop(0, 2),
    ]
}

#[inline(never)]
pub fn other_interpret(program: &[Instruction]) -> u64 {
    let mut registers = [more(200) as u64, 0, 0, 0];
    let mut at = 0;
    while let Some(&instruction) = program.get(at) {
        at += 1;
        match instruction {
            Instruction::Load(to, n) => registers[to] = n,
            Instruction::Add(to, from) => registers[to] = registers[to].wrapping_add(registers[from]),
            Instruction::Multiply(to, from) => registers[to] = registers[to].wrapping_mul(registers[from]),
            Instruction::Xor(to, from) => registers[to] ^= registers[from],
            Instruction::ShiftRight(to, n) => registers[to] >>= n,
            Instruction::Loop(counter, to) => {
                registers[counter] -= 1;
                if registers[counter] != 0 {
                    at = to;
                }
            }
        }
    }
    registers[1]
}

pub fn other_lines() -> String {
    format!("{LINE}\n").repeat(ROOM)
}

/// Splits lines into words, and joins these in another way.
#[inline(never)]
pub fn other_join(text: &str) -> usize {
    text.lines()
        .take(more(UNITS))
        .map(|line| line.split(' ').rev().collect::<Vec<_>>().join("--").len())
        .sum()
}

pub trait Shape {
    fn area(&self) -> f64;
}

struct Circle(f64);
struct Rectangle(f64, f64);
struct Triangle(f64, f64, f64);

impl Shape for Circle {
    fn area(&self) -> f64 {
        self.0 * self.0 * std::f64::consts::PI
    }
}

impl Shape for Rectangle {
    fn area(&self) -> f64 {
        self.0 * self.1
    }
}

impl Shape for Triangle {
    fn area(&self) -> f64 {
        let half = (self.0 + self.1 + self.2) / 2.0;
        (half * (half - self.0) * (half - self.1) * (half - self.2)).sqrt()
    }
}

pub fn other_shapes() -> Vec<Box<dyn Shape>> {
    let shape = |i: usize| -> Box<dyn Shape> {
        match i % 4 {
            0 => Box::new(Circle(i as f64)),
            1 | 3 => Box::new(Rectangle(i as f64, 2.0)),
            _ => Box::new(Triangle(3.0, 4.0, 5.0)),
        }
    };
    (0..4 * ROOM).map(shape).collect()
}

#[inline(never)]
pub fn other_area(shapes: &[Box<dyn Shape>]) -> f64 {
    shapes[..4 * more(UNITS)].iter().map(|shape| shape.area()).sum()
}

/// Code like the rest that an unrelated edit adds: kept in the executable, and never called.
#[cfg(feature = "edit5")]
mod edit {
    use super::*;
    use std::fmt::Write as _;
    use std::hint::black_box;

    #[used]
    static UNRELATED: fn(&str) -> (BTreeMap<u64, u64>, Queue, String) = unrelated;

    fn unrelated(text: &str) -> (BTreeMap<u64, u64>, Queue, String) {
        let mut tree = other_tree();
        let queue =
            tree.range(text.len() as u64..).map(|(key, value)| Reverse((*key, *value as u32))).collect();
        tree.retain(|key, _| key & 1 == 0);
        let mut joined =
            text.lines().map(|line| line.split(' ').collect::<Vec<_>>().join("-")).collect::<String>();
        let _ =
            write!(joined, "{}, {:?}", distance(text.as_bytes(), joined.as_bytes()), other_tokenise(text));
        (black_box(tree), queue, joined)
    }
}
