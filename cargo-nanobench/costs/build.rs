//! Marked functions register themselves in test builds only. Here they are the product.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=test");
    println!("cargo::rustc-env=NANOBENCH_COSTS_TARGET={}", env::var("TARGET").unwrap_or_default());
    println!("cargo::rustc-env=NANOBENCH_COSTS_RUSTC={}", compiler().unwrap_or_default().replace('\n', "; "));
}

/// Returns the description of the compiler that builds the benchmarks.
fn compiler() -> Option<String> {
    let output = Command::new(env::var_os("RUSTC")?).arg("-vV").output().ok()?;
    String::from_utf8(output.stdout).ok()
}
