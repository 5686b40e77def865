//! The subcommand under test. Cargo builds it before the end-to-end tests, because they are
//! integration tests of its package.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Returns the path of `cargo-nanobench`.
pub fn product() -> &'static Path {
    static PRODUCT: LazyLock<PathBuf> = LazyLock::new(|| {
        let test = env::current_exe().expect("the path of the test's executable");
        // The test is in `deps`, a folder beside the subcommand.
        let folder = test.parent().and_then(Path::parent).expect("a target directory");
        let product = folder.join("cargo-nanobench").with_extension(env::consts::EXE_EXTENSION);
        assert!(product.exists(), "{} is missing: is this a test of cargo-nanobench?", product.display());
        product
    });
    &PRODUCT
}

/// Returns the folder of `cargo-nanobench`. On the `PATH`, it makes `cargo nanobench` work as if
/// installed.
pub fn folder_of_the_product() -> &'static Path {
    product().parent().expect("an executable lies in a folder")
}
