//! Numbers of any type, for settings.

/// A number of any primitive type, which settings convert to a floating-point number.
pub trait Number {
    /// Returns the nearest floating-point number.
    fn to_f64(self) -> f64;
}

macro_rules! numbers {
    ($($type:ty)*) => { $(
        impl Number for $type {
            #[inline]
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    )* };
}
numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);
