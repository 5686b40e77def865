//! What a function is called with: helpers by whose types the compiler finds out what the user's own expressions are.

use std::fmt;

/// A value that a `T` can be had from: itself, or a reference to it.
pub trait ByValue<T> {
    /// One of its own.
    fn value(&self) -> T;
}

impl<T: Clone> ByValue<T> for T {
    fn value(&self) -> T {
        self.clone()
    }
}

impl<T: Clone> ByValue<T> for &'static T {
    fn value(&self) -> T {
        (*self).clone()
    }
}

/// An argument for a function that takes it by value.
pub fn value<T>(arg: &'static impl ByValue<T>) -> T {
    arg.value()
}

/// A `setup` that gets the argument by value.
pub fn supplied<A: Clone, I>(arg: &'static A, mut setup: impl FnMut(A) -> I) -> impl FnMut() -> I {
    move || setup(arg.clone())
}

/// A `setup` that gets a reference to the argument.
pub fn supplied_ref<A, I>(arg: &'static A, mut setup: impl FnMut(&'static A) -> I) -> impl FnMut() -> I {
    move || setup(arg)
}

/// What `bytes`, `chars` or `items` say of an input.
pub fn amount<I: ?Sized, N>(input: &I, measure: impl FnOnce(&I) -> N) -> u64
where
    N: TryInto<u64> + fmt::Display + Copy,
{
    let amount = measure(input);
    match amount.try_into() {
        Ok(amount) => amount,
        Err(_) => panic!("a throughput can't be of {amount}: it has to be a number from 0 to 2^64"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_had_by_value_from_itself_and_from_a_reference() {
        static TEXT: String = String::new();
        static REFERENCE: &String = &TEXT;
        assert_eq!(value::<String>(&TEXT), "");
        assert_eq!(value::<String>(&REFERENCE), "");
        let number: usize = value(&7);
        assert_eq!(number, 7);
        let text: &'static str = value(&"x");
        assert_eq!(text, "x");
    }

    #[test]
    fn a_setup_learns_the_type_of_its_argument() {
        let mut by_value = supplied(&3, |n| vec![0_u8; n]);
        assert_eq!((by_value().len(), by_value().len()), (3, 3));
        assert_eq!(supplied_ref(&"abc", |text| text.len())(), 3);
    }

    #[test]
    fn amounts_are_of_any_integer() {
        assert_eq!(amount(&[1, 2], |items| items.len()), 2);
        assert_eq!(amount("abc", |text| text.len() as i32), 3);
    }

    #[test]
    #[should_panic(expected = "can't be of -1")]
    fn there_is_no_negative_amount() {
        amount(&(), |()| -1);
    }
}
