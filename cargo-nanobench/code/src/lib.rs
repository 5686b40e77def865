//! The machine code of benchmark executables: [`code`] compares, explains and lists it, and [`relink`]
//! links it in other layouts.

#![expect(missing_docs, reason = "fields and variants whose names say it all have no documentation")]

pub mod code;
pub mod relink;

use project::{affinity, cargo, fingerprint, new_file, regular_file, scratch};
