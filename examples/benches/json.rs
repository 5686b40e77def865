//! JSON: a page of orders as a shop's interface would return it, read and written with `serde_json`.

use std::hint::black_box;
use std::sync::LazyLock;

use nanobench::nanobench;
use serde::{Deserialize, Serialize};
use serde_json::{Result, Value};

const TEXT: &str = include_str!("../data/orders.json");

/// Made once, at first use: before anything is timed, as each benchmark runs once to warm up.
static PAGE: LazyLock<Page> =
    LazyLock::new(|| serde_json::from_str(TEXT).expect("data/orders.json is a page"));

/// Parses into structs.
#[nanobench]
fn parse_into_structs() -> Result<Page> {
    serde_json::from_str(black_box(TEXT))
}

/// Parses into a tree of maps and values, for documents of unknown form.
#[nanobench]
fn parse_into_value() -> Result<Value> {
    serde_json::from_str(black_box(TEXT))
}

/// Writes the structs in one line.
#[nanobench]
fn write() -> Result<String> {
    serde_json::to_string(black_box(&*PAGE))
}

/// Writes the structs indented.
#[nanobench]
fn write_pretty() -> Result<String> {
    serde_json::to_string_pretty(black_box(&*PAGE))
}

#[derive(Serialize, Deserialize)]
struct Page {
    total: u64,
    next: Option<String>,
    orders: Vec<Order>,
}

#[derive(Serialize, Deserialize)]
struct Order {
    id: u64,
    placed: String,
    customer: Customer,
    items: Vec<Item>,
    paid: bool,
    note: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Customer {
    name: String,
    email: String,
    country: String,
}

#[derive(Serialize, Deserialize)]
struct Item {
    article: String,
    quantity: u32,
    price: f64,
    tags: Vec<String>,
}
