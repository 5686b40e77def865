//! Hides references from the optimiser without a trip through memory.

/// Returns the reference, of which the optimiser then knows neither the address, nor a slice's
/// length or a trait object's vtable, nor the contents.
///
/// `black_box` would store it and load it back. The halves of a reference to a slice are then
/// loaded and stored as one, and a benchmark that hides its input again gets them several cycles
/// later than from a program's registers.
#[inline(always)]
pub fn hidden<T: ?Sized>(reference: &T) -> &T {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    return in_registers(reference);
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    return *std::hint::black_box(&reference);
}

#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
#[inline(always)]
fn in_registers<T: ?Sized>(mut reference: &T) -> &T {
    use std::arch::asm;
    use std::mem::transmute_copy;

    // SAFETY: a reference is as large as one or two pointers, which keep its provenance. The
    // assembler gets no instruction, so they come back as they were.
    #[expect(unsafe_code, reason = "safe code hides values through memory only")]
    unsafe {
        if size_of::<&T>() == size_of::<*const ()>() {
            let mut address: *const () = transmute_copy(&reference);
            asm!("/* {0} */", inout(reg) address, options(nostack, preserves_flags));
            reference = transmute_copy(&address);
        } else if size_of::<&T>() == size_of::<[*const (); 2]>() {
            let [mut address, mut metadata]: [*const (); 2] = transmute_copy(&reference);
            asm!("/* {0} {1} */", inout(reg) address, inout(reg) metadata, options(nostack, preserves_flags));
            reference = transmute_copy(&[address, metadata]);
        }
    }
    reference
}

#[cfg(test)]
mod tests {
    use super::hidden;
    use std::fmt::Display;

    #[test]
    fn references_stay_what_they_are() {
        assert_eq!(hidden(&7), &7);
        assert_eq!(hidden("text"), "text");
        assert_eq!(hidden(&[1, 2, 3][1..]), &[2, 3]);
        assert_eq!(hidden::<dyn Display>(&1.5).to_string(), "1.5");
        let text: &'static str = hidden("text");
        assert_eq!(text.len(), 4);
    }
}
