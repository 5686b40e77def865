//! Calls of a dynamic library of the workspace.

use nanobench::nanobench;

mod hidden {
    use super::nanobench;

    #[nanobench]
    fn library() -> u64 {
        lab_linked_library::linked()
    }
}

mod control {
    use super::nanobench;

    #[nanobench]
    fn library() -> u64 {
        lab_linked_library::control()
    }
}
