//! The options that give a function several rows: `args`, `types` and `consts`.

use crate::errors::{Errors, error};
use crate::key_value::{KeyValue, once};
use crate::tokens::{compact_text, copy};
use crate::values::{bare, elements, empty_list, unwrapped, unwrapped_type};
use proc_macro2::TokenStream;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Ident, Lit, Token, Type, bracketed, parse_quote, token};

/// The number of different sizes needed to fit a complexity.
const MIN_SIZES: usize = 3;

/// The values of these options.
#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) args: Option<KeyValue<Expr>>,
    pub(crate) types: Option<KeyValue<Vec<Type>>>,
    pub(crate) consts: Option<KeyValue<Vec<Expr>>>,
    /// The constant array or slice that has them, if it is named. `consts` has as many as it may have.
    pub(crate) list_of_consts: Option<Expr>,
    /// Makes the label of an argument.
    pub(crate) label: Option<KeyValue<Expr>>,
    /// Makes the number of units of an operation from an argument.
    pub(crate) batch: Option<KeyValue<Expr>>,
    /// Makes the name of an operation from an argument.
    pub(crate) unit: Option<KeyValue<Expr>>,
    /// Makes the size for `complexity` from an argument.
    pub(crate) size: Option<KeyValue<Expr>>,
}

/// The largest number of constants in a named list: each is compiled, and the number isn't known here.
pub(crate) const MAX_CONSTS: usize = 20;

/// Returns an element of a named list, or the first one in the place of those beyond its end.
fn element_of(list: &Expr, index: usize) -> Expr {
    parse_quote!(#list[if #index < #list.len() { #index } else { 0 }])
}

impl Rows {
    /// Adds `args` or `consts`.
    pub(crate) fn add(&mut self, key: Ident, value: Expr) -> syn::Result<()> {
        if key == "args" {
            // Invalid ones are kept, so that the function's parameter isn't reported as well.
            let checked = check_args(&value);
            return once(&mut self.args, key, value).and(checked);
        }
        let (elements, checked) = match elements(&value) {
            Some(elements) if elements.is_empty() => (vec![], Err(empty_list(&value, "consts = [16, 64]"))),
            Some(elements) => (elements.into_iter().map(copy).map(unwrapped).collect(), Ok(())),
            None if matches!(bare(&value), Expr::Path(_)) => {
                let elements = (0..MAX_CONSTS).map(|index| element_of(&value, index)).collect();
                self.list_of_consts = Some(value);
                (elements, Ok(()))
            }
            None => {
                let problem = "`consts` must be a list of constants: each is compiled separately";
                let fix = "write them one by one, `consts = [16, 64]`, or name a constant array";
                (vec![], Err(error(&value, problem, fix)))
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

    /// Adds an option that is called with the argument: `label`, `complexity_n`, or a closure for
    /// `batch` or `unit`.
    pub(crate) fn add_of_argument(&mut self, key: Ident, value: Expr) -> syn::Result<()> {
        let (option, example) = match key.to_string().as_str() {
            "label" => (&mut self.label, "label = |argument| argument.name"),
            "batch" => (&mut self.batch, "batch = |argument| argument.len()"),
            "unit" => (&mut self.unit, "unit = |argument| argument.unit"),
            // Without `args`, it is a number: `check_size` needs all options.
            _ => return once(&mut self.size, key, value),
        };
        let checked = check_of_argument(&key, &value, example);
        once(option, key, value).and(checked)
    }

    /// Removes the size of a function without arguments, which is a number.
    pub(crate) fn take_fixed_size(&mut self) -> Option<KeyValue<Expr>> {
        self.size.take_if(|size| self.args.is_none() && !matches!(bare(&size.value), Expr::Closure(_)))
    }

    /// Checks that options that are called with the argument have arguments.
    pub(crate) fn check_arguments(&self, errors: &mut Errors) {
        if self.args.is_some() {
            let example = "complexity_n = |argument| argument.len()";
            let size = self.size.as_ref().map(|size| check_of_argument(&size.key, &size.value, example));
            errors.check(size.unwrap_or(Ok(())));
            return;
        }
        let options = [
            (&self.label, "`name = \"..\"`"),
            (&self.batch, "a number: `batch = 1_024`"),
            (&self.unit, "a text: `unit = \"byte\"`"),
            (&self.size, "a number: `complexity_n = 1_000`"),
        ];
        for (option, alternative) in options {
            let Some(KeyValue { key, .. }) = option else { continue };
            let problem = format!("`{key}` gets an argument, and there are no `args`");
            let fix = format!("add `args = [..]`; for a function without arguments, write {alternative}");
            errors.at(key, problem, fix);
        }
    }

    /// Checks that `complexity` has a number in each row, and enough different ones.
    pub(crate) fn check_numbers(&self, complexity: &Ident, errors: &mut Errors) {
        let rows = match (&self.args, &self.consts) {
            (Some(args), _) => elements(&args.value),
            (None, Some(consts)) => Some(consts.value.iter().map(innermost).collect()),
            (None, None) => {
                let problem = "`complexity` needs rows with different numbers";
                let fix = "add the numbers: `args = [100, 1_000, 10_000]`; for a fit over several functions, \
                           give each of them its size: `complexity_n = 100`";
                errors.at(complexity, problem, fix);
                return;
            }
        };
        let Some(rows) = rows else { return };
        let is_computed = self.size.is_some();
        let mut sizes: Vec<String> = rows.iter().map(|row| size_text(row)).collect();
        sizes.sort();
        sizes.dedup();
        if let Some(other) = rows.into_iter().find(|row| !is_computed && is_not_a_number(row)) {
            errors.at(
                other,
                "`complexity` needs a number in each row",
                "write numbers, and make the input from them in `setup`: `setup = |n| ..`; \
                 or compute one from each argument: `complexity_n = |argument| argument.len()`",
            );
        } else if sizes.len() < MIN_SIZES {
            let problem =
                format!("`complexity` needs at least {MIN_SIZES} different numbers, found {}", sizes.len());
            errors.at(complexity, problem, "add more, ideally multiples: `args = [100, 1_000, 10_000]`");
        }
    }
}

/// Parses a list of types.
fn types(input: ParseStream) -> syn::Result<Vec<Type>> {
    const EXAMPLE: &str = "types = [u32, Vec<u64>]";
    if !input.peek(token::Bracket) {
        return Err(input.error(format_args!("`types` must be a list of types\nwrite e.g. `{EXAMPLE}`")));
    }
    let list;
    let brackets = bracketed!(list in input);
    let types = Punctuated::<Type, Token![,]>::parse_terminated(&list);
    let Ok(types) = types else {
        let no_type = list.error(format_args!("expected a type\nwrite e.g. `{EXAMPLE}`"));
        // Tokens left in the list would be reported as a second error.
        list.parse::<TokenStream>()?;
        return Err(no_type);
    };
    if types.is_empty() {
        let problem = format!("this list is empty\nwrite e.g. `{EXAMPLE}`");
        return Err(syn::Error::new(brackets.span.join(), problem));
    }
    Ok(types.into_iter().map(unwrapped_type).collect())
}

/// Returns the constant that counts for `complexity`: the last one of a row.
fn innermost(value: &Expr) -> &Expr {
    match bare(value) {
        Expr::Tuple(tuple) => tuple.elems.last().unwrap_or(value),
        _ => value,
    }
}

fn check_args(value: &Expr) -> syn::Result<()> {
    match bare(value) {
        Expr::Array(array) if array.elems.is_empty() => Err(empty_list(value, "args = [100, 1_000]")),
        Expr::Closure(_) | Expr::Lit(_) => {
            let fix = "write e.g. `args = [100, 1_000]`, `args = 1..=8` or `args = names()`";
            Err(error(value, "`args` must be a list, a range or an iterator of arguments", fix))
        }
        _ => Ok(()),
    }
}

fn check_of_argument(key: &Ident, value: &Expr, example: &str) -> syn::Result<()> {
    let problem = format!("`{key}` must be a closure that takes the argument, or the path of a function");
    match bare(value) {
        Expr::Path(_) => Ok(()),
        Expr::Closure(closure) if closure.inputs.len() == 1 => Ok(()),
        _ => Err(error(value, problem, format_args!("write e.g. `{example}`"))),
    }
}

/// Returns a size as text, the same for all spellings of a number.
fn size_text(value: &Expr) -> String {
    match bare(value) {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_digits().to_owned(),
        value => compact_text(value),
    }
}

/// Returns whether this is visibly not a number.
fn is_not_a_number(value: &Expr) -> bool {
    match bare(value) {
        Expr::Lit(ExprLit { lit, .. }) => !matches!(lit, Lit::Int(_) | Lit::Float(_) | Lit::Byte(_)),
        Expr::Array(_) | Expr::Tuple(_) | Expr::Closure(_) => true,
        _ => false,
    }
}
