//! Reads and writes JSON, a page of orders from the API of a shop, with `serde_json`.

use std::hint::black_box;
use std::sync::LazyLock;

use nanobench::nanobench;
use serde::{Deserialize, Serialize};
use serde_json::{Result, Value};

const TEXT: &str = include_str!("../data/orders.json");

/// Created at first use. This is not timed, as each benchmark runs once to warm up.
static PAGE: LazyLock<Page> =
    LazyLock::new(|| serde_json::from_str(TEXT).expect("data/orders.json is a page"));

/// Parses into structs.
#[nanobench]
fn parse_into_structs() -> Result<Page> {
    serde_json::from_str(black_box(TEXT))
}

/// Parses into a tree of values, for documents of unknown structure.
#[nanobench]
fn parse_into_value() -> Result<Value> {
    serde_json::from_str(black_box(TEXT))
}

/// Writes the structs on one line.
#[nanobench]
fn write() -> Result<String> {
    serde_json::to_string(black_box(&*PAGE))
}

/// Writes the structs with indentation.
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
