//! Helpers that pass inputs to a function. Their types let the compiler infer those of the user's
//! expressions.

/// A `T` or a reference to one, which can be cloned as a `T`.
#[diagnostic::on_unimplemented(
    message = "arguments of type `{Self}` can't be cloned into a parameter of type `{T}`",
    label = "the arguments are `{Self}`",
    note = "change the parameter's type, or the arguments: `args = [String::from(\"a\")]` for a `String`, `args = [1.0]` for an `f64`",
    note = "for references into a tuple, take a reference to the tuple: `(a, b): &(String, u64)`"
)]
pub trait ByValue<T> {
    /// Returns a clone.
    fn value(&self) -> T;
}

impl<T: Clone> ByValue<T> for T {
    fn value(&self) -> T {
        self.clone()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone> ByValue<T> for &'static T {
    fn value(&self) -> T {
        (*self).clone()
    }
}

/// Returns an argument for a function that takes it by value.
pub fn value<T, A: ByValue<T>>(arg: &'static A) -> T {
    arg.value()
}

/// A reference that lives as long as the process.
#[diagnostic::on_unimplemented(
    message = "a value of `setup` of type `{Self}` doesn't live as long as the process",
    label = "`setup` makes a `{Self}`",
    note = "leave out `'static`, or take the value from `args` or `fixture`, whose values live as long as the process"
)]
pub trait StaticReference {
    /// The type behind the reference.
    type Target: ?Sized;

    /// Returns the reference.
    fn reference(&self) -> &'static Self::Target;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> StaticReference for &'static T {
    type Target = T;

    fn reference(&self) -> &'static T {
        self
    }
}

/// Returns a value of `setup` for a function that takes a `&'static` reference.
pub fn static_reference<R: StaticReference>(value: &R) -> &'static R::Target {
    value.reference()
}

/// Returns a `setup` that gets the argument by value.
pub fn supplied<A: Clone, I>(arg: &'static A, mut setup: impl FnMut(A) -> I) -> impl FnMut() -> I {
    move || setup(arg.clone())
}

/// Returns a `setup` that gets a reference to the argument.
pub fn supplied_ref<A, I>(arg: &'static A, mut setup: impl FnMut(&'static A) -> I) -> impl FnMut() -> I {
    move || setup(arg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_references_are_cloned() {
        static TEXT: String = String::new();
        static REFERENCE: &String = &TEXT;
        assert_eq!(value::<String, _>(&TEXT), "");
        assert_eq!(value::<String, _>(&REFERENCE), "");
        let number: usize = value(&7);
        assert_eq!(number, 7);
        let text: &'static str = value(&"x");
        assert_eq!(text, "x");
    }

    #[test]
    fn a_setup_infers_the_type_of_its_argument() {
        let mut by_value = supplied(&3, |n| vec![0_u8; n]);
        assert_eq!((by_value().len(), by_value().len()), (3, 3));
        assert_eq!(supplied_ref(&"abc", |text| text.len())(), 3);
    }
}
