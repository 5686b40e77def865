//! The options that say how much a call works on: `bytes`, `chars` and `items`.

use crate::callable;
use crate::errors::{Errors, error};
use crate::names::at;
use crate::number::{Meaning, Number};
use crate::options::{Given, twice};
use crate::values::bare;
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprClosure, Ident, Pat, Type};

/// Each option and the unit that it counts.
const UNITS: [(&str, &str); 3] = [("bytes", "byte"), ("chars", "char"), ("items", "item")];

/// What was given of them.
#[derive(Default)]
pub(crate) struct Throughput(Vec<Given<Amount>>);

/// How much it is.
enum Amount {
    /// The same for all inputs, and known to be a good number.
    Literal(Number),
    /// The same for all inputs, of any integer type.
    Fixed(Expr),
    /// What a closure says of the input.
    Of(ExprClosure),
}

impl Throughput {
    /// Adds the option `key`.
    pub(crate) fn add(&mut self, key: Ident, value: Expr) -> syn::Result<()> {
        if self.0.iter().any(|given| given.key == key) {
            return Err(twice(&key));
        }
        let amount = match bare(&value) {
            Expr::Closure(closure) => {
                check(&key, closure)?;
                Amount::Of(closure.clone())
            }
            Expr::Lit(_) | Expr::Unary(_) => Amount::Literal(Number::of_any_type(&value, meaning(&key))?),
            _ => Amount::Fixed(value),
        };
        self.0.push(Given { key, value: amount });
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A closure needs what to look at.
    pub(crate) fn check(&self, has_input: bool, errors: &mut Errors) {
        if has_input {
            return;
        }
        for Given { key, value } in &self.0 {
            if let Amount::Of(closure) = value {
                let wrong = format!("`{key}` looks at the input of a call, and there is none");
                let instead = format!(
                    "write the number, `{key} = 1_024`, or add the input: `setup = || ..`, `args = [..]`"
                );
                errors.at(&closure.inputs, wrong, instead);
            }
        }
    }

    /// What they are counted in, for the field of `Settings`.
    pub(crate) fn units(&self) -> Option<TokenStream> {
        let units = self.0.iter().map(|given| unit(&given.key));
        (!self.is_empty()).then(|| quote!(throughput: &[#(#units),*],))
    }

    /// The statements that tell `run` how much it is.
    pub(crate) fn answers(
        &self,
        run: &Ident,
        input: Option<&TokenStream>,
        private: &TokenStream,
    ) -> TokenStream {
        let answers = self.0.iter().map(|Given { key, value }| {
            let unit = unit(key);
            // What is wrong with the value is said of it, and not of the attribute.
            let amount = match (value, input) {
                (Amount::Of(closure), Some(input)) => {
                    let asked = match callable::takes(&Expr::Closure(closure.clone())) {
                        // Called here, so that a `&String` becomes the `&str` that it takes.
                        callable::Takes::TypedReference => quote!((&(), |()| (#closure)(#input))),
                        _ => quote!((#input, #closure)),
                    };
                    at(closure.body.span(), quote!(#private::amount #asked))
                }
                (Amount::Literal(number), _) => number.to_token_stream(),
                (Amount::Fixed(number), _) => at(number.span(), quote!(#private::amount(&(), |()| #number))),
                (Amount::Of(_), None) => unreachable!("a closure without an input is an error"),
            };
            quote!(#run.add_throughput(#unit, #amount);)
        });
        quote!(#(#answers)*)
    }
}

fn unit(key: &Ident) -> &'static str {
    let found = UNITS.iter().find(|(option, _)| key == option);
    found.map_or("item", |(_, unit)| unit)
}

fn meaning(key: &Ident) -> &'static Meaning {
    const fn meaning(is: &'static str, example: &'static str) -> Meaning {
        Meaning { is, example, taken: "", least: 0 }
    }
    const BYTES: Meaning = meaning("`bytes` is how many bytes a call works on", "bytes = 1_024");
    const CHARS: Meaning = meaning("`chars` is how many characters a call works on", "chars = 1_024");
    const ITEMS: Meaning = meaning("`items` is how many items a call works on", "items = 1_024");
    match unit(key) {
        "byte" => &BYTES,
        "char" => &CHARS,
        _ => &ITEMS,
    }
}

/// A closure gets a reference to the input.
fn check(key: &Ident, closure: &ExprClosure) -> syn::Result<()> {
    if closure.inputs.len() != 1 {
        let wrong = format!("`{key}` is called with a reference to the input");
        let instead = format!("write one parameter, `{key} = |input| ..`, or the number as it is");
        return Err(match closure.inputs.is_empty() {
            true => error(closure, wrong, instead),
            false => error(&closure.inputs, wrong, instead),
        });
    }
    if let Some(Pat::Type(input)) = closure.inputs.first() {
        if !matches!(*input.ty, Type::Reference(_) | Type::Infer(_)) {
            let wrong = format!("`{key}` is called with a reference to the input");
            return Err(error(&input.ty, wrong, "put a `&` before this"));
        }
    }
    Ok(())
}
