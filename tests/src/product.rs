//! The subcommand under test, built from this repository.

use crate::fixture::repository;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Returns the path of `cargo-nanobench`. The first call in a process builds it.
pub fn product() -> &'static Path {
    static PRODUCT: LazyLock<PathBuf> = LazyLock::new(|| {
        escargot::CargoBuild::new()
            .manifest_path(repository().join("Cargo.toml"))
            .package("cargo-nanobench")
            .bin("cargo-nanobench")
            .run()
            .unwrap_or_else(|error| panic!("cargo-nanobench doesn't build: {error}"))
            .path()
            .to_owned()
    });
    &PRODUCT
}

/// Returns the folder of `cargo-nanobench`. On the `PATH`, it makes `cargo nanobench` work as if
/// installed.
pub fn folder_of_the_product() -> &'static Path {
    product().parent().expect("an executable lies in a folder")
}
