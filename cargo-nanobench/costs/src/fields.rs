//! Reading and writing fields.
//!
//! Each time, the field tells at which of two places the next one is. So the figure is a latency,
//! and the compiler can't keep the fields in registers.

use nanobench::nanobench;
use std::cell::Cell;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Reading a field of one of two structs. Like the next six: each field tells which struct is next.
#[nanobench(name = "read a field")]
fn read(count: u64) -> usize {
    let objects = two(|object| object);
    follow(count, |place| objects[place].next)
}

/// Reading it through one of two references, which are read first.
#[nanobench(name = "read a field through a reference")]
fn read_reference(count: u64) -> usize {
    let objects = two(|object| object);
    let objects = black_box(objects.each_ref());
    follow(count, |place| objects[place].next)
}

/// Reading it through one of two boxes.
#[nanobench(name = "read a field in a Box")]
fn read_box(count: u64) -> usize {
    let objects = two(Box::new);
    follow(count, |place| objects[place].next)
}

/// Reading it through one of two `Arc`s.
#[nanobench(name = "read a field in an Arc")]
fn read_arc(count: u64) -> usize {
    let objects = two(Arc::new);
    follow(count, |place| objects[place].next)
}

/// Reading it in a static. It is an atomic with `Relaxed`, which is an ordinary load: the compiler
/// knows the value of a static that can't change.
#[nanobench(name = "read a field of a static")]
fn read_static(count: u64) -> usize {
    follow(count, |place| STATIC[place].next.load(Ordering::Relaxed))
}

/// Reading it in a thread-local that is initialised by a constant.
#[nanobench(name = "read a field of a thread-local")]
fn read_thread_local(count: u64) -> usize {
    follow(count, |place| LOCAL.with(|objects| objects[place].get()))
}

/// Reading an atomic with `SeqCst`: an ordinary load on x86-64.
#[nanobench(name = "read an atomic field")]
fn read_atomic(count: u64) -> usize {
    let objects = two(Shared::new);
    let objects = black_box(&objects);
    follow(count, |place| objects[place].next.load(Ordering::SeqCst))
}

/// Reading a field of one of two structs as above, and writing it. So do the next six.
#[nanobench(name = "write a field")]
fn write(count: u64) -> usize {
    let (mut objects, zero) = (two(|object| object), black_box(0));
    follow(count, |place| update(&mut objects[place], zero))
}

/// Reading and writing it through one of two references.
#[nanobench(name = "write a field through a reference")]
fn write_reference(count: u64) -> usize {
    let (mut objects, zero) = (two(|object| object), black_box(0));
    let objects = black_box(objects.each_mut());
    follow(count, |place| update(objects[place], zero))
}

/// Reading and writing it through one of two boxes.
#[nanobench(name = "write a field in a Box")]
fn write_box(count: u64) -> usize {
    let (mut objects, zero) = (two(Box::new), black_box(0));
    follow(count, |place| update(&mut objects[place], zero))
}

/// Reading and writing it through one of two `Arc`s, as an atomic with `Relaxed`: others may have
/// it, too.
#[nanobench(name = "write a field in an Arc")]
fn write_arc(count: u64) -> usize {
    let (objects, zero) = (two(|object| Arc::new(Shared::new(object))), black_box(0));
    follow(count, |place| objects[place].update(zero, Ordering::Relaxed))
}

/// Reading and writing it in a static, as an atomic with `Relaxed`.
#[nanobench(name = "write a field of a static")]
fn write_static(count: u64) -> usize {
    let zero = black_box(0);
    follow(count, |place| STATIC[place].update(zero, Ordering::Relaxed))
}

/// Reading and writing it in a thread-local that is initialised by a constant.
#[nanobench(name = "write a field of a thread-local")]
fn write_thread_local(count: u64) -> usize {
    let zero = black_box(0);
    follow(count, |place| {
        LOCAL.with(|objects| {
            let next = objects[place].get() ^ zero;
            objects[place].set(next);
            next
        })
    })
}

/// Reading and writing an atomic with `SeqCst`, after which later loads have to wait for the store.
#[nanobench(name = "write an atomic field")]
fn write_atomic(count: u64) -> usize {
    let (objects, zero) = (two(Shared::new), black_box(0));
    let objects = black_box(&objects);
    follow(count, |place| objects[place].update(zero, Ordering::SeqCst))
}

/// A struct whose field is the place of the other one.
struct Object {
    next: usize,
}

struct Shared {
    next: AtomicUsize,
}

static STATIC: [Shared; 2] = [Shared { next: AtomicUsize::new(1) }, Shared { next: AtomicUsize::new(0) }];

thread_local! { static LOCAL: [Cell<usize>; 2] = const { [Cell::new(1), Cell::new(0)] } }

impl Shared {
    fn new(object: Object) -> Self {
        Self { next: AtomicUsize::new(object.next) }
    }

    fn update(&self, zero: usize, ordering: Ordering) -> usize {
        let next = self.next.load(Ordering::Relaxed) ^ zero;
        self.next.store(next, ordering);
        next
    }
}

/// Makes two values that lead to each other.
fn two<T>(make: impl Fn(Object) -> T) -> [T; 2] {
    black_box([1, 0].map(|next| make(Object { next })))
}

/// Goes from one place to the next, `count` times.
#[inline(always)]
fn follow(count: u64, mut next: impl FnMut(usize) -> usize) -> usize {
    (0..count).fold(0, |place, _| next(place & 1))
}

/// Writes a field that is read. The compiler doesn't know that `zero` changes nothing.
fn update(object: &mut Object, zero: usize) -> usize {
    object.next ^= zero;
    object.next
}
