//! The user's project and machine, and messages to the user: cargo, git, files, processes, the environment.
//! This is the lowest of the tool's crates, and knows benchmarks only by their names.

#![expect(missing_docs, reason = "fields and variants whose names say it all have no documentation")]

pub mod affinity;
pub mod background;
pub mod benchmark_id;
pub mod cargo;
pub mod deadline;
#[cfg(target_os = "linux")]
pub mod descendants;
pub mod doctor;
pub mod environment;
pub mod fingerprint;
#[doc(hidden)]
pub mod fixtures;
pub mod git;
pub mod init;
pub mod interrupt;
pub mod limits;
pub mod load_beside;
pub mod new_file;
pub mod output;
pub mod regular_file;
pub mod scratch;
pub mod style;
pub mod suggest;
pub mod tune;
pub mod warnings;
