//! The things outside of an executable that code gets at, judged by the functions of the C library
//! that it calls.

use std::ops::BitOrAssign;

/// The things outside of an executable that code may get at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Access {
    /// It opens libraries or starts programs.
    pub runs_files: bool,
    pub reads_files: bool,
    pub lists_folders: bool,
    /// It asks for the current folder.
    pub asks_for_folder: bool,
    pub reads_variables: bool,
    /// It changes what later code of the process finds: variables, its folder, names of files.
    pub changes_surroundings: bool,
    /// It calls functions of the system that are not known to stay within the process. False if
    /// nothing is known.
    pub calls_others: bool,
}

/// The functions that run code of other files.
const RUN_FILES: &str = "\
    dlmopen dlopen execl execle execlp execv execve execveat execvp execvpe fexecve pidfd_spawn \
    pidfd_spawnp popen posix_spawn posix_spawnp system";

/// The functions that open files or describe them.
const READ_FILES: &str = "\
    __fxstatat __fxstatat64 __lxstat __lxstat64 __open64_2 __open_2 __openat64_2 __openat_2 \
    __readlink_chk __realpath_chk __xstat __xstat64 access faccessat fopen fopen64 freopen \
    freopen64 fstatat fstatat64 lstat lstat64 open open64 openat openat2 openat64 \
    open_by_handle_at readlink readlinkat realpath stat stat64 statx";

/// The functions that list folders.
const LIST_FOLDERS: &str =
    "fdopendir fts_open ftw ftw64 getdents64 glob glob64 nftw opendir scandir scandir64";

/// The functions that tell the current folder.
const ASK_FOR_FOLDER: &str = "__getcwd_chk get_current_dir_name getcwd getwd";

/// The functions that read variables of the environment, and the static with all of them.
const READ_VARIABLES: &str = "__environ _environ environ getenv secure_getenv";

/// The functions after which later code of the process finds something else.
const CHANGE_SURROUNDINGS: &str = "\
    chdir chroot clearenv fchdir link linkat mkdir mkdirat personality putenv rename renameat renameat2 \
    rmdir sched_setaffinity setenv setlocale setrlimit setrlimit64 symlink symlinkat umask unlink unlinkat \
    unsetenv";

/// The functions of the C library that read nothing from outside of the process, or only from what it
/// has opened, and the starts of such names.
const HARMLESS: &str = "\
    __assert_fail __errno_location __fdelt_chk __fprintf_chk __fread_chk __gmon_start__ \
    __isoc99_sscanf __libc_start_main __longjmp_chk __printf_chk __register_atfork \
    __snprintf_chk __sprintf_chk __tls_get_addr __vsnprintf_chk __xpg_strerror_r _exit abort \
    aligned_alloc atof atoi atol atoll bcmp bsearch bzero chdir chmod chroot copy_file_range \
    dirfd div dl_iterate_phdr drand48 exit fclose feof ferror fflush fgetc fgets fileno \
    flock fprintf fputc fputs fread fseek fseeko ftell fwrite getauxval getc getegid geteuid \
    getpagesize getpid getppid getrandom getrusage gettid gettimeofday getuid globfree \
    gmtime_r gnu_get_libc_version ioctl ldiv localtime_r madvise mktime mprotect mremap \
    munmap nanosleep pause pidfd_getpid pidfd_open poll posix_fallocate posix_madvise \
    posix_memalign prctl printf putc putchar puts qsort qsort_r raise rand rand_r random \
    recv recvmsg sbrk sem_destroy sem_init sem_post sem_wait send sendmsg snprintf \
    socketpair sprintf sysconf time tolower toupper uname usleep vfprintf vsnprintf";
const HARMLESS_STARTS: &str = "\
    _ITM_ _Unwind_ __ctype_ __cxa_ __isoc23_ __mem __sigsetjmp __stack_chk_ __str calloc clock_ \
    close dup epoll_ eventfd fchmod fcntl fork free fstat fsync ftruncate futimens is kill link \
    lseek malloc mem mkdir mmap pipe posix_spawn pread pthread_ pwrite read realloc rename rmdir \
    sched_ sendfile set sig splice str symlink unlink wait write";

/// The libraries whose functions are known by name. Their versioned symbols name them.
const KNOWN_LIBRARIES: &str = "ld-linux libc. libdl. libgcc_s. libm. libpthread. librt. libstdc++.";
/// Those whose functions stay within the process, apart from the ones listed above.
const HARMLESS_LIBRARIES: &str = "ld-linux libgcc_s. libm. libstdc++.";

/// The classes of the C++ library that open files.
const FILE_STREAMS: &str = "basic_filebuf basic_fstream basic_ifstream";

/// The function for calls of the system by their number.
pub(super) const SYSTEM_CALL: &str = "syscall";

impl Access {
    /// Anything, as nothing is known.
    pub const UNKNOWN: Access = Access {
        runs_files: true,
        reads_files: true,
        lists_folders: true,
        asks_for_folder: true,
        reads_variables: true,
        changes_surroundings: true,
        calls_others: false,
    };

    /// Anything and more: calls of the system by an instruction, and functions of unknown libraries.
    pub(super) const BEYOND: Access = Access { calls_others: true, ..Access::UNKNOWN };

    /// Returns the access that a function of this name has. None unless it is one of the C library,
    /// which may be part of the executable.
    pub(super) fn of_function(name: &str) -> Access {
        Access {
            runs_files: is_among(RUN_FILES, name),
            reads_files: is_among(READ_FILES, name) || words(FILE_STREAMS).any(|class| name.contains(class)),
            lists_folders: is_among(LIST_FOLDERS, name),
            asks_for_folder: is_among(ASK_FOR_FOLDER, name),
            reads_variables: is_among(READ_VARIABLES, name),
            changes_surroundings: is_among(CHANGE_SURROUNDINGS, name),
            calls_others: false,
        }
    }

    /// Returns the access that a function of a `library` has. Symbols without a version don't name
    /// their library: these of the C library are weak, and have other names.
    pub(super) fn of_import(name: &str, library: Option<&str>) -> Access {
        let is_of = |libraries| {
            library.is_some_and(|library| words(libraries).any(|known| library.starts_with(known)))
        };
        if library.is_some() && !is_of(KNOWN_LIBRARIES) {
            return Access::BEYOND;
        }
        let known = Access::of_function(name);
        let is_harmless = name.is_empty()
            || known != Access::default()
            || is_of(HARMLESS_LIBRARIES)
            || is_among(HARMLESS, name)
            || words(HARMLESS_STARTS).any(|start| name.starts_with(start));
        Access { calls_others: !is_harmless, ..known }
    }
}

fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split_ascii_whitespace()
}

/// Returns whether a name is one of the words of a list.
pub(super) fn is_among(list: &str, name: &str) -> bool {
    words(list).any(|known| known == name)
}

impl BitOrAssign for Access {
    fn bitor_assign(&mut self, other: Access) {
        self.runs_files |= other.runs_files;
        self.reads_files |= other.reads_files;
        self.lists_folders |= other.lists_folders;
        self.asks_for_folder |= other.asks_for_folder;
        self.reads_variables |= other.reads_variables;
        self.changes_surroundings |= other.changes_surroundings;
        self.calls_others |= other.calls_others;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_c_library_are_known_by_name() {
        let none = Access::default();
        assert_eq!(Access::of_import("memcpy", Some("libc.so.6")), none);
        let of_rand = "__register_atfork";
        assert_eq!(Access::of_import(of_rand, Some("libc.so.6")), none, "for its generator of each thread");
        assert!(Access::of_import("open64", Some("libc.so.6")).reads_files);
        assert!(Access::of_import("__xstat64", Some("libc.so.6")).reads_files, "glibc before 2.33");
        assert!(Access::of_import("__open64_2", Some("libc.so.6")).reads_files, "fortified");
        assert!(Access::of_import("execle", Some("libc.so.6")).runs_files);
        assert!(Access::of_import("dlopen", Some("libdl.so.2")).runs_files);
        assert_eq!(Access::of_import("getenv", None), Access { reads_variables: true, ..none });
        assert!(Access::of_import("opendir", Some("libc.so.6")).lists_folders);
        for other in ["connect", "shm_open", "syscall", "io_uring_setup", "a_function_of_tomorrow"] {
            assert!(Access::of_import(other, Some("libc.so.6")).calls_others, "{other}");
        }
        assert!(Access::of_import("work", None).calls_others, "a library without versions");
        assert_eq!(Access::of_import("pow", Some("libm.so.6")), none);
        assert_eq!(Access::of_import("inflate", Some("libz.so.1")), Access::BEYOND);
        let stream = "_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode";
        assert_eq!(Access::of_import(stream, Some("libstdc++.so.6")), Access { reads_files: true, ..none });
    }
}
