//! The options for the amount of work of a call, or of one operation of its `count`: `bytes`,
//! `chars` and `items`.

use crate::callable::{self, Beside, CallableParameter};
use crate::errors::{Errors, error};
use crate::hygiene::at;
use crate::input_options::Supplier;
use crate::key_value::{KeyValue, set_twice};
use crate::number::Number;
use crate::option_spec::OptionSpec;
use crate::tokens::copy;
use crate::values::bare;
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprClosure, Ident, Pat, Type};

/// The values of these options.
#[derive(Default)]
pub(crate) struct Throughput(Vec<KeyValue<Amount>>);

/// An amount of work.
enum Amount {
    /// A checked number, for all inputs.
    Literal(Number),
    /// An expression of any integer type, for all inputs.
    Constant(Expr),
    /// A closure over a reference to the input.
    Measured(ExprClosure),
}

impl Throughput {
    /// Adds the option `key`.
    pub(crate) fn add(&mut self, option: &OptionSpec, key: Ident, value: Expr) -> syn::Result<()> {
        if self.0.iter().any(|option| option.key == key) {
            return Err(set_twice(&key));
        }
        let amount = match bare(&value) {
            Expr::Closure(closure) => {
                check(&key, closure)?;
                Amount::Measured(copy(closure))
            }
            Expr::Lit(_) | Expr::Unary(_) => Amount::Literal(Number::of_any_type(&value, option)?),
            _ => Amount::Constant(value),
        };
        self.0.push(KeyValue { key, value: amount });
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that closures have inputs. `suppliers` are the options that supply them.
    pub(crate) fn check(&self, suppliers: &[(Supplier, &Ident)], errors: &mut Errors) {
        for KeyValue { key, value } in &self.0 {
            let Amount::Measured(closure) = value else { continue };
            if closure.inputs.len() <= suppliers.len() {
                continue;
            }
            if let [first, ..] = suppliers {
                let problem = format!("the closure of `{key}` has more parameters than there are inputs");
                let inputs: Vec<&str> = suppliers.iter().map(|(supplier, _)| supplier.input()).collect();
                let fix = match inputs.len() {
                    1 => format!("write one parameter, for {}", first.0.input()),
                    _ => format!("write parameters for {}, in this order", inputs.join(", ")),
                };
                errors.at(&closure.inputs, problem, fix);
            } else {
                let problem = format!("`{key}` measures the input of a call, and there is none");
                let fix = format!(
                    "write a number, `{key} = 1_024`, or add an input: `setup = || ..`, `args = [..]`"
                );
                errors.at(&closure.inputs, problem, fix);
            }
        }
    }

    /// Returns the field of `Settings` with the units.
    pub(crate) fn units(&self, private: &TokenStream) -> Option<TokenStream> {
        let units = self.0.iter().map(|option| unit(&option.key, private));
        (!self.is_empty()).then(|| quote!(throughput: &[#(#units),*],))
    }

    /// Returns the statements that pass the amounts to the bencher. `beside` are the variables of
    /// the inputs beside the first.
    pub(crate) fn statements(
        &self,
        bencher: &Ident,
        input: Option<&TokenStream>,
        beside: &[Ident],
        private: &TokenStream,
    ) -> TokenStream {
        let statements = self.0.iter().map(|KeyValue { key, value }| {
            let unit = unit(key, private);
            // The compiler reports a wrong type at the value, not at the attribute.
            let amount = match (value, input) {
                (Amount::Measured(closure), Some(input)) => {
                    let beside: Vec<Beside> = beside.iter().cloned().map(Beside::Reference).collect();
                    let bound = callable::bind_beside(&Expr::Closure(copy(closure)), 1, &beside);
                    let arguments = match callable::parameter(&bound) {
                        // This direct call coerces a `&String` to a `&str` parameter.
                        CallableParameter::TypedReference => quote!((&(), |()| (#bound)(#input))),
                        _ => quote!((#input, #bound)),
                    };
                    at(closure.body.span(), quote!(#private::amount #arguments))
                }
                (Amount::Literal(number), _) => number.to_token_stream(),
                (Amount::Constant(number), _) => {
                    at(number.span(), quote!(#private::amount(&(), |()| #number)))
                }
                (Amount::Measured(_), None) => unreachable!("`check` reports a closure without an input"),
            };
            quote!(#bencher.add_throughput(#unit, #amount);)
        });
        quote!(#(#statements)*)
    }
}

fn unit(key: &Ident, private: &TokenStream) -> TokenStream {
    let unit = match key.to_string().as_str() {
        "bytes" => quote!(Byte),
        "chars" => quote!(Char),
        _ => quote!(Item),
    };
    quote!(#private::ThroughputUnit::#unit)
}

/// Checks that a closure takes references to inputs.
fn check(key: &Ident, closure: &ExprClosure) -> syn::Result<()> {
    let called_with =
        if closure.inputs.len() > 1 { "references to the inputs" } else { "a reference to the input" };
    let problem = format!("`{key}` is called with {called_with}");
    if closure.inputs.is_empty() {
        return Err(error(closure, problem, format_args!("write `{key} = |input| ..`, or a number")));
    }
    for input in &closure.inputs {
        match input {
            Pat::Type(input) if !matches!(*input.ty, Type::Reference(_) | Type::Infer(_)) => {
                return Err(error(&input.ty, problem, "write `&` before this type"));
            }
            _ => {}
        }
    }
    Ok(())
}
