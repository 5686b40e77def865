//! The things outside of an executable that code gets at, judged by the functions of the C library
//! that it calls.

use std::ops::BitOrAssign;

/// The things outside of an executable that code may get at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Access {
    /// It opens libraries or starts programs.
    pub(crate) runs_files: bool,
    pub(crate) reads_files: bool,
    pub(crate) reads_variables: bool,
}

/// The functions that run code of other files.
const RUN_FILES: [&str; 15] = [
    "dlmopen",
    "dlopen",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execveat",
    "execvp",
    "execvpe",
    "fexecve",
    "popen",
    "posix_spawn",
    "posix_spawnp",
    "system",
];

/// The functions that open files or describe them.
const READ_FILES: [&str; 37] = [
    "__fxstatat",
    "__fxstatat64",
    "__lxstat",
    "__lxstat64",
    "__open64_2",
    "__open_2",
    "__openat64_2",
    "__openat_2",
    "__readlink_chk",
    "__realpath_chk",
    "__xstat",
    "__xstat64",
    "access",
    "faccessat",
    "fopen",
    "fopen64",
    "freopen",
    "freopen64",
    "fstatat",
    "fstatat64",
    "glob",
    "glob64",
    "lstat",
    "lstat64",
    "open",
    "open64",
    "openat",
    "openat64",
    "opendir",
    "readlink",
    "readlinkat",
    "realpath",
    "scandir",
    "scandir64",
    "stat",
    "stat64",
    "statx",
];

/// The functions that read variables of the environment, and the static with all of them.
const READ_VARIABLES: [&str; 5] = ["__environ", "_environ", "environ", "getenv", "secure_getenv"];

/// The libraries whose functions are known by name. Their versioned symbols name them.
const KNOWN_LIBRARIES: [&str; 8] =
    ["ld-linux", "libc.", "libdl.", "libgcc_s.", "libm.", "libpthread.", "librt.", "libstdc++."];

/// The classes of the C++ library that open files.
const FILE_STREAMS: [&str; 3] = ["basic_filebuf", "basic_fstream", "basic_ifstream"];

impl Access {
    /// Anything, as nothing is known.
    pub(crate) const UNKNOWN: Access = Access { runs_files: true, reads_files: true, reads_variables: true };

    /// Returns the access that a function of this name has. None unless it is one of the C library,
    /// which may be part of the executable.
    pub(super) fn of_function(name: &str) -> Access {
        Access {
            runs_files: RUN_FILES.contains(&name),
            reads_files: READ_FILES.contains(&name) || FILE_STREAMS.iter().any(|class| name.contains(class)),
            reads_variables: READ_VARIABLES.contains(&name),
        }
    }

    /// Returns the access that a function of a `library` has. Symbols without a version don't name
    /// their library: these of the C library are weak, and have other names.
    pub(super) fn of_import(name: &str, library: Option<&str>) -> Access {
        let is_known = |library: &str| KNOWN_LIBRARIES.iter().any(|known| library.starts_with(known));
        if library.is_some_and(|library| !is_known(library)) {
            return Access::UNKNOWN;
        }
        Access::of_function(name)
    }
}

impl BitOrAssign for Access {
    fn bitor_assign(&mut self, other: Access) {
        self.runs_files |= other.runs_files;
        self.reads_files |= other.reads_files;
        self.reads_variables |= other.reads_variables;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_c_library_are_known_by_name() {
        let none = Access::default();
        assert_eq!(Access::of_import("memcpy", Some("libc.so.6")), none);
        assert!(Access::of_import("open64", Some("libc.so.6")).reads_files);
        assert!(Access::of_import("__xstat64", Some("libc.so.6")).reads_files, "glibc before 2.33");
        assert!(Access::of_import("__open64_2", Some("libc.so.6")).reads_files, "fortified");
        assert!(Access::of_import("execle", Some("libc.so.6")).runs_files);
        assert!(Access::of_import("dlopen", Some("libdl.so.2")).runs_files);
        assert_eq!(Access::of_import("getenv", None), Access { reads_variables: true, ..none });
        assert_eq!(Access::of_import("inflate", Some("libz.so.1")), Access::UNKNOWN);
        let stream = "_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode";
        assert_eq!(Access::of_import(stream, Some("libstdc++.so.6")), Access { reads_files: true, ..none });
    }
}
