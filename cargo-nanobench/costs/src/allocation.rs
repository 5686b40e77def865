//! Memory from the allocator, which is the system's.

#![expect(clippy::vec_box, reason = "the boxes are what is freed")]

use nanobench::nanobench;
use std::hint::black_box;
use std::thread;

/// Allocating and freeing one number.
#[nanobench(name = "Box.new and drop", cache = "both")]
fn boxed(count: u64) {
    for n in 0..count {
        black_box(Box::new(n));
    }
}

/// Allocating and freeing that many bytes, which are not written.
#[nanobench(name = "allocate and free bytes", args = [64, 1 << 10, 64 << 10, 1 << 20])]
fn allocate(size: usize) {
    drop(black_box(Vec::<u8>::with_capacity(size)));
}

/// Allocating that many zeroed bytes and writing to each page, then freeing them.
#[nanobench(name = "allocate, touch and free bytes", args = [64 << 10, 1 << 20, 16 << 20])]
fn allocate_and_touch(size: usize) {
    let mut bytes = vec![0_u8; size];
    for page in bytes.chunks_mut(4_096) {
        page[0] = 1;
    }
    black_box(bytes);
}

/// One element of a `Vec` that grows from nothing to 1000 elements.
#[nanobench(name = "Vec.push while it grows to 1000", batch = 1_000)]
fn growing_vec() -> Vec<u64> {
    let mut numbers = Vec::new();
    for n in 0..1_000 {
        numbers.push(n);
    }
    numbers
}

/// Freeing a block of 64 bytes that this thread has allocated.
#[nanobench(name = "free a Box of this thread", setup = boxes, batch = BOXES)]
fn free(boxes: Vec<Box<[u8; 64]>>) {
    drop(boxes);
}

/// Freeing a block of 64 bytes that another thread has allocated.
#[nanobench(name = "free a Box of another thread", setup = boxes_of_another_thread, batch = BOXES)]
fn free_remote(boxes: Vec<Box<[u8; 64]>>) {
    drop(boxes);
}

const BOXES: usize = 1_000;

fn boxes() -> Vec<Box<[u8; 64]>> {
    (0..BOXES).map(|n| Box::new([n as u8; 64])).collect()
}

fn boxes_of_another_thread() -> Vec<Box<[u8; 64]>> {
    thread::spawn(boxes).join().expect("allocating doesn't panic")
}
