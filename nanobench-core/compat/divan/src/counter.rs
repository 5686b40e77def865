//! Counters, from which the throughput of a benchmark follows.

use crate::amounts::{AsCountUInt, CountUInt, Sealed};
use nanobench_engine::__private::ThroughputUnit;
use std::any::Any;

/// A number that each iteration processes.
pub trait Counter: Sized + Any + Sealed {}

/// A value that is a counter, or a number of items.
pub trait IntoCounter {
    /// The counter that it becomes.
    type Counter: Counter;

    /// Returns the counter.
    fn into_counter(self) -> Self::Counter;
}

impl<C: Counter> IntoCounter for C {
    type Counter = C;

    fn into_counter(self) -> C {
        self
    }
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl CountUInt for $number {
            fn into_max_uint(self) -> u64 {
                self as u64
            }
        }

        impl AsCountUInt for $number {
            fn as_max_uint(&self) -> u64 {
                *self as u64
            }
        }

        impl IntoCounter for $number {
            type Counter = ItemsCount;

            fn into_counter(self) -> ItemsCount {
                ItemsCount::new(self)
            }
        }
    )* };
}
numbers!(u8 u16 u32 u64 usize);

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident: $unit:expr;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name {
            count: u64,
        }

        impl Sealed for $name {
            const UNIT: Option<ThroughputUnit> = $unit;

            fn of_number(count: u64) -> Self {
                $name { count }
            }

            fn count(&self) -> u64 {
                self.count
            }
        }

        impl Counter for $name {}

        impl<C: AsCountUInt> From<C> for $name {
            fn from(count: C) -> Self {
                $name { count: count.as_max_uint() }
            }
        }

        impl $name {
            /// Counts this number.
            pub fn new<N: CountUInt>(count: N) -> Self {
                $name { count: count.into_max_uint() }
            }
        }
    )* };
}
counters! {
    /// A number of bytes.
    BytesCount: Some(ThroughputUnit::Byte);
    /// A number of characters.
    CharsCount: Some(ThroughputUnit::Char);
    /// A number of cycles. Reports don't show it.
    CyclesCount: None;
    /// A number of items.
    ItemsCount: Some(ThroughputUnit::Item);
}

macro_rules! bytes_of {
    ($($number:ident)*) => { $(
        #[doc = concat!("Counts the bytes of `n` times a `", stringify!($number), "`.")]
        pub const fn $number(n: usize) -> Self {
            Self::of_many::<$number>(n)
        }
    )* };
}

impl BytesCount {
    /// Counts the bytes of a `T`.
    pub const fn of<T>() -> Self {
        BytesCount { count: size_of::<T>() as u64 }
    }

    /// Counts the bytes of `n` times a `T`.
    ///
    /// # Panics
    /// If the number is over 64 bits.
    pub const fn of_many<T>(n: usize) -> Self {
        match (size_of::<T>() as u64).checked_mul(n as u64) {
            Some(count) => BytesCount { count },
            None => panic!("the number of bytes is too large"),
        }
    }

    /// Counts the bytes of a value, without what it refers to.
    pub fn of_val<T: ?Sized>(val: &T) -> Self {
        BytesCount { count: size_of_val(val) as u64 }
    }

    /// Counts the bytes of all items.
    pub fn of_iter<T, I: IntoIterator<Item = T>>(iter: I) -> Self {
        Self::of_many::<T>(iter.into_iter().count())
    }

    /// Counts the bytes of a text.
    pub fn of_str<S: ?Sized + AsRef<str>>(s: &S) -> Self {
        Self::of_val(s.as_ref())
    }

    /// Counts the bytes of a slice.
    pub fn of_slice<T, S: ?Sized + AsRef<[T]>>(s: &S) -> Self {
        Self::of_val(s.as_ref())
    }

    bytes_of!(f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize);
}

impl CharsCount {
    /// Counts the characters of a text.
    pub fn of_str<S: ?Sized + AsRef<str>>(s: &S) -> Self {
        CharsCount { count: s.as_ref().chars().count() as u64 }
    }
}

impl ItemsCount {
    /// Counts the items.
    pub fn of_iter<T, I: IntoIterator<Item = T>>(iter: I) -> Self {
        ItemsCount { count: iter.into_iter().count() as u64 }
    }
}

/// The multiples in which bytes are shown. Reports choose by the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum BytesFormat {
    /// Thousands: KB, MB.
    #[default]
    Decimal,
    /// 1,024 each: KiB, MiB.
    Binary,
}
