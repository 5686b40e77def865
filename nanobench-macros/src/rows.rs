//! The options that give a function several rows: `args`, `types` and `consts`.

use crate::errors::{Errors, error};
use crate::options::{Given, once};
use crate::values::{bare, elements, unwrapped, unwrapped_type};
use crate::written;
use proc_macro2::TokenStream;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Ident, Lit, Token, Type, bracketed, token};

/// A complexity needs so many sizes to be told from others.
const MIN_SIZES: usize = 3;

/// What was given of them.
#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) args: Option<Given<Expr>>,
    pub(crate) types: Option<Given<Vec<Type>>>,
    pub(crate) consts: Option<Given<Vec<Expr>>>,
}

impl Rows {
    /// Adds `args` or `consts`.
    pub(crate) fn add(&mut self, key: Ident, value: Expr) -> syn::Result<()> {
        if key == "args" {
            // They are given, even if they are wrong: the function's parameter has where to come from.
            let checked = check_args(&value);
            return once(&mut self.args, key, value).and(checked);
        }
        let (elements, checked) = match elements(&value) {
            Some(elements) if elements.is_empty() => (vec![], Err(empty(&value, "`consts = [16, 64]`"))),
            Some(elements) => (elements.into_iter().cloned().map(unwrapped).collect(), Ok(())),
            None => {
                let wrong = "`consts` are constants in brackets, as each of them is compiled for itself";
                (vec![], Err(error(&value, wrong, "write them one by one: `consts = [16, 64]`")))
            }
        };
        once(&mut self.consts, key, elements).and(checked)
    }

    /// Adds `types`.
    pub(crate) fn add_types(&mut self, key: Ident, input: ParseStream) -> syn::Result<()> {
        let (types, checked) = match types(input) {
            Ok(types) => (types, Ok(())),
            Err(error) => (vec![], Err(error)),
        };
        once(&mut self.types, key, types).and(checked)
    }

    /// For a curve, each row has a number.
    pub(crate) fn check_numbers(&self, complexity: &Ident, errors: &mut Errors) {
        let rows = match (&self.args, &self.consts) {
            (Some(args), _) => elements(&args.value),
            (None, Some(consts)) => Some(consts.value.iter().map(innermost).collect()),
            (None, None) => {
                let wrong = "`complexity` is how the time grows with a number, and there is one row only";
                errors.at(complexity, wrong, "add the numbers: `args = [100, 1_000, 10_000]`");
                return;
            }
        };
        let Some(rows) = rows else { return };
        let mut sizes: Vec<String> = rows.iter().map(|row| size(row)).collect();
        sizes.sort();
        sizes.dedup();
        if let Some(other) = rows.into_iter().find(|row| is_no_number(row)) {
            errors.at(
                other,
                "`complexity` is how the time grows with a number, and this is none",
                "give numbers, and make of them in `setup` what the function takes: `setup = |n| ..`",
            );
        } else if sizes.len() < MIN_SIZES {
            let wrong = format!("`complexity` needs three different sizes, and there are {}", sizes.len());
            let wrong = wrong.replace("are 1", "is 1");
            errors.at(complexity, wrong, "add some, best by factors: `args = [100, 1_000, 10_000]`");
        }
    }
}

/// Types in brackets.
fn types(input: ParseStream) -> syn::Result<Vec<Type>> {
    const INSTEAD: &str = "write e.g. `types = [u32, Vec<u64>]`";
    if !input.peek(token::Bracket) {
        return Err(input.error(format_args!("`types` are types in brackets\n{INSTEAD}")));
    }
    let list;
    let brackets = bracketed!(list in input);
    let types = Punctuated::<Type, Token![,]>::parse_terminated(&list);
    let Ok(types) = types else {
        let no_type = list.error(format_args!("this is no type\n{INSTEAD}"));
        // What is left would be a second error.
        list.parse::<TokenStream>()?;
        return Err(no_type);
    };
    if types.is_empty() {
        let wrong = format!("there is nothing in this list\n{INSTEAD}");
        return Err(syn::Error::new(brackets.span.join(), wrong));
    }
    Ok(types.into_iter().map(unwrapped_type).collect())
}

/// A row has the number of its last constant.
fn innermost(value: &Expr) -> &Expr {
    match bare(value) {
        Expr::Tuple(tuple) => tuple.elems.last().unwrap_or(value),
        _ => value,
    }
}

fn check_args(value: &Expr) -> syn::Result<()> {
    const INSTEAD: &str =
        "write what can be gone through: `args = [100, 1_000]`, `args = 1..=8`, `args = names()`";
    match bare(value) {
        Expr::Array(array) if array.elems.is_empty() => Err(empty(value, "`args = [100, 1_000]`")),
        Expr::Closure(_) => Err(error(value, "`args` are the arguments, and not what makes them", INSTEAD)),
        Expr::Lit(_) => Err(error(value, "`args` are several arguments, and this is one value", INSTEAD)),
        _ => Ok(()),
    }
}

fn empty(value: &Expr, example: &str) -> syn::Error {
    error(value, "there is nothing in this list", format_args!("write e.g. {example}"))
}

/// How a size reads; the same number the same, however it is written.
fn size(value: &Expr) -> String {
    match bare(value) {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_digits().to_owned(),
        value => written::compact(value),
    }
}

/// Whether it can be seen that this is no number.
fn is_no_number(value: &Expr) -> bool {
    match bare(value) {
        Expr::Lit(ExprLit { lit, .. }) => !matches!(lit, Lit::Int(_) | Lit::Float(_) | Lit::Byte(_)),
        Expr::Array(_) | Expr::Tuple(_) | Expr::Closure(_) => true,
        _ => false,
    }
}
