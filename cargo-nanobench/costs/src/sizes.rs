//! The sizes of values: the bytes of the value itself, and those it holds on the heap.

use nanobench::heap_size_of;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::error::Error;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Condvar, Mutex, RwLock, mpsc};
use std::time::{Duration, Instant};

/// The size of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// The type of the value, with its contents.
    pub name: &'static str,
    /// The bytes of the value itself, as on the stack.
    pub value: usize,
    /// The bytes on the heap: the requested sizes of all blocks. The allocator may use more.
    pub heap: usize,
    /// The number of elements of a collection.
    pub elements: Option<usize>,
}

impl Size {
    /// Returns the bytes on the heap for each element. `None` if there are no elements.
    pub fn per_element(&self) -> Option<f64> {
        let elements = self.elements.filter(|number| *number > 0)?;
        Some(self.heap as f64 / elements as f64)
    }
}

/// The number of elements in a filled collection.
const MANY: usize = 1_000;

/// Returns the sizes of values of the standard library.
///
/// # Panics
/// Panics if the global allocator is not a [`nanobench::Alloc`].
pub fn sizes() -> Vec<Size> {
    [plain(), pointers(), text(), collections(), sharing()].concat()
}

fn plain() -> Vec<Size> {
    vec![
        of("u64", || 1_u64),
        of("(u8, u64)", || (1_u8, 1_u64)),
        of("char", || 'a'),
        of("Option<u8>", || Some(1_u8)),
        of("Option<u64>", || Some(1_u64)),
        of("Option<NonZeroU64>", || NonZeroU64::new(1)),
        of("Option<char>", || Some('a')),
        of("Option<bool>", || Some(true)),
        of("Result<u64, ()>", || Ok::<u64, ()>(1)),
        of("Result<[u8; 1024], u8>, Err", || Err::<[u8; 1_024], u8>(1)),
        of("Duration", || Duration::from_secs(1)),
        of("Instant", Instant::now),
    ]
}

fn pointers() -> Vec<Size> {
    vec![
        of("&u64", || &1_u64),
        of("&str", || "text"),
        of("&[u64]", || &[1_u64][..]),
        of("&dyn Error", || &std::fmt::Error as &dyn Error),
        of("Box<u64>", || Box::new(1_u64)),
        of("Option<Box<u64>>", || Some(Box::new(1_u64))),
        of("Option<Box<u64>>, None", || None::<Box<u64>>),
        of("Box<dyn Error> of a text of 20 bytes", || Box::<dyn Error>::from("twenty bytes of text")),
        of("Rc<u64>", || Rc::new(1_u64)),
        of("Arc<u64>", || Arc::new(1_u64)),
        of("Arc<str> of 20 bytes", || Arc::<str>::from("twenty bytes of text")),
        of("fn() -> u64", || one as fn() -> u64),
        of("Box<dyn Fn() -> u64> with a captured u64", || {
            let captured = 1_u64;
            Box::new(move || captured) as Box<dyn Fn() -> u64>
        }),
    ]
}

fn text() -> Vec<Size> {
    vec![
        of("String, empty", String::new),
        of("String of 20 bytes", || "twenty bytes of text".to_owned()),
        of("String of 20 bytes, pushed one at a time", || {
            let mut text = String::new();
            "twenty bytes of text".chars().for_each(|c| text.push(c));
            text
        }),
        of("Box<str> of 20 bytes", || Box::<str>::from("twenty bytes of text")),
        of("Option<String>, None", || None::<String>),
        of("PathBuf of 20 bytes", || PathBuf::from("twenty bytes of text")),
    ]
}

fn collections() -> Vec<Size> {
    let numbers = |count: usize| 0..count as u64;
    let pairs = move |count: usize| numbers(count).map(|n| (n, n));
    vec![
        filled("Vec<u64>, empty", 0, Vec::<u64>::new),
        filled("Vec<u64>, 1 pushed", 1, || pushed(1)),
        filled("Vec<u64>, 1000 pushed", MANY, || pushed(MANY)),
        filled("Vec<u64>, 1000 collected", MANY, || numbers(MANY).collect::<Vec<_>>()),
        filled("Vec<Box<u64>>, 1000", MANY, || numbers(MANY).map(Box::new).collect::<Vec<_>>()),
        filled("Vec<String> of 20 bytes, 1000", MANY, || vec!["twenty bytes of text".to_owned(); MANY]),
        filled("VecDeque<u64>, 1000 pushed", MANY, || {
            let mut queue = VecDeque::new();
            numbers(MANY).for_each(|n| queue.push_back(n));
            queue
        }),
        filled("BinaryHeap<u64>, 1000 pushed", MANY, || {
            let mut heap = BinaryHeap::new();
            numbers(MANY).for_each(|n| heap.push(n));
            heap
        }),
        filled("LinkedList<u64>, 1000", MANY, || numbers(MANY).collect::<LinkedList<_>>()),
        filled("HashMap<u64, u64>, empty", 0, HashMap::<u64, u64>::new),
        filled("HashMap<u64, u64>, 1", 1, || pairs(1).collect::<HashMap<_, _>>()),
        filled("HashMap<u64, u64>, 1000", MANY, || pairs(MANY).collect::<HashMap<_, _>>()),
        filled("HashSet<u64>, 1000", MANY, || numbers(MANY).collect::<HashSet<_>>()),
        filled("BTreeMap<u64, u64>, empty", 0, BTreeMap::<u64, u64>::new),
        filled("BTreeMap<u64, u64>, 1", 1, || pairs(1).collect::<BTreeMap<_, _>>()),
        filled("BTreeMap<u64, u64>, 1000 inserted in order", MANY, || {
            let mut map = BTreeMap::new();
            pairs(MANY).for_each(|(key, value)| _ = map.insert(key, value));
            map
        }),
        filled("BTreeMap<u64, u64>, 1000 collected", MANY, || pairs(MANY).collect::<BTreeMap<_, _>>()),
    ]
}

fn sharing() -> Vec<Size> {
    vec![
        of("Cell<u64>", || Cell::new(1_u64)),
        of("RefCell<u64>", || RefCell::new(1_u64)),
        of("Mutex<u64>", || Mutex::new(1_u64)),
        of("RwLock<u64>", || RwLock::new(1_u64)),
        of("Condvar", Condvar::new),
        of("Arc<Mutex<u64>>", || Arc::new(Mutex::new(1_u64))),
        of("mpsc::channel::<u64>(), empty", mpsc::channel::<u64>),
        of("mpsc::sync_channel::<u64>(1000)", || mpsc::sync_channel::<u64>(MANY)),
    ]
}

fn of<T>(name: &'static str, make: impl FnOnce() -> T) -> Size {
    Size { name, value: size_of::<T>(), heap: heap_size_of(make), elements: None }
}

fn filled<T>(name: &'static str, elements: usize, make: impl FnOnce() -> T) -> Size {
    Size { elements: Some(elements), ..of(name, make) }
}

fn pushed(count: usize) -> Vec<u64> {
    let mut numbers = Vec::new();
    for n in 0..count as u64 {
        numbers.push(n);
    }
    numbers
}

fn one() -> u64 {
    1
}
