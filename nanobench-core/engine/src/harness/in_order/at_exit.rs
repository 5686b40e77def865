//! A call at the end of the process: the `main` that passes benchmarks is the user's own.

/// Makes the process call [`end`](super::end) when it exits.
pub(super) fn register() {
    #[cfg(not(any(miri, target_family = "wasm")))]
    {
        use std::ffi::c_int;

        #[expect(
            unsafe_code,
            reason = "the standard library has no such call, and links the C library anyway"
        )]
        unsafe extern "C" {
            safe fn atexit(callback: extern "C" fn()) -> c_int;
        }

        extern "C" fn end() {
            super::end();
        }

        // It fails for lack of memory only. Then the tool gets no listing, and says so.
        _ = atexit(end);
    }
}
