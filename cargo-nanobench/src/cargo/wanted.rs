//! What is to be built of a package.

use cargo_metadata::{Package, Target};

/// What to build of a package: at least one target.
#[derive(Debug, Clone)]
pub(super) struct Wanted<'a> {
    pub(super) package: &'a Package,
    pub(super) targets: Vec<&'a Target>,
}
