//! Remarks on what other libraries do and this one doesn't.

use crate::protocol::CHANNEL_VARIABLE;
use std::env;
use std::sync::{Mutex, PoisonError};

static MADE: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Prints a remark, once for each text, in a process that measures for no tool.
#[inline(never)]
pub fn remark(text: &str) {
    let is_measuring = env::args_os().any(|argument| argument == "--bench");
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if is_measuring && env::var_os(CHANNEL_VARIABLE).is_none() && !made.iter().any(|other| other == text) {
        eprintln!("nanobench: {text}");
        made.push(text.to_owned());
    }
}

/// Remarks that a setting has no counterpart.
#[inline(never)]
pub fn without_effect(setting: &str) {
    remark(&format!("accepted without effect: {setting}"));
}
