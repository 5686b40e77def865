//! A generic function and what it is run with: types × constants.

use crate::borrows::borrows;
use crate::errors::Errors;
use crate::names::local;
use crate::options::{Given, Options};
use crate::parameters::has_impl;
use crate::rows::Rows;
use crate::values::{bare, unwrapped, unwrapped_type};
use crate::written;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::{Expr, GenericParam, Signature, Type};

/// A function's generic parameters, and the values of each in each instance.
pub(crate) struct Instances {
    /// In the function's order.
    parameters: Vec<Parameter>,
    /// Of each row, the types of all type parameters; one empty row without such parameters.
    types: Vec<Vec<Type>>,
    /// Of each row, the values of all const parameters; one empty row without such parameters.
    consts: Vec<Vec<Expr>>,
}

/// A generic parameter.
struct Parameter {
    name: Ident,
    /// Of a constant.
    ty: Option<Type>,
}

/// The instances of a generic function; none of one that is not generic.
pub(crate) fn check(signature: &Signature, rows: &Rows, errors: &mut Errors) -> Option<Instances> {
    check_lifetimes(signature, errors);
    let parameters: Vec<Parameter> = signature.generics.params.iter().filter_map(parameter).collect();
    let number_of =
        |constants: bool| parameters.iter().filter(|parameter| parameter.ty.is_some() == constants).count();
    let (types, consts) = (number_of(false), number_of(true));
    check_presence(types, rows.types.as_ref(), &TYPES, signature, errors);
    check_presence(consts, rows.consts.as_ref(), &CONSTS, signature, errors);
    if let (true, Some(clause)) = (parameters.is_empty(), &signature.generics.where_clause) {
        errors.at(clause, "the function is not generic, so a `where` bounds nothing", "leave it out");
    }
    if parameters.is_empty() {
        return None;
    }
    for ty in rows.types.iter().flat_map(|types| &types.value) {
        check_type(ty, errors);
    }
    Some(Instances {
        parameters,
        types: split(rows.types.as_ref(), types, &TYPES, elements_of_type, errors),
        consts: split(rows.consts.as_ref(), consts, &CONSTS, elements_of_value, errors),
    })
}

fn parameter(parameter: &GenericParam) -> Option<Parameter> {
    match parameter {
        GenericParam::Lifetime(_) => None,
        GenericParam::Type(parameter) => Some(Parameter { name: parameter.ident.clone(), ty: None }),
        GenericParam::Const(parameter) => {
            Some(Parameter { name: parameter.ident.clone(), ty: Some(parameter.ty.clone()) })
        }
    }
}

fn check_lifetimes(signature: &Signature, errors: &mut Errors) {
    let is_lifetime = |parameter: &&GenericParam| matches!(parameter, GenericParam::Lifetime(_));
    if let Some(lifetime) = signature.generics.params.iter().find(is_lifetime) {
        errors.at(
            lifetime,
            "a benchmark has no lifetime parameters",
            "leave it out: a reference needs none, and `'_` stands for it in other types",
        );
    }
}

/// An option that gives the values of a kind of parameters.
struct Kind {
    option: &'static str,
    one: &'static str,
    written: &'static str,
    example: &'static str,
}

const TYPES: Kind =
    Kind { option: "types", one: "type parameter", written: "fn f<T>()", example: "types = [u32, u64]" };
const CONSTS: Kind = Kind {
    option: "consts",
    one: "const parameter",
    written: "fn f<const N: usize>()",
    example: "consts = [16, 64]",
};

/// There are values where there are parameters, and only there.
fn check_presence<T>(
    parameters: usize,
    given: Option<&Given<T>>,
    kind: &Kind,
    signature: &Signature,
    errors: &mut Errors,
) {
    let Kind { option, one, written, example } = kind;
    match given {
        None if parameters > 0 => errors.at(
            &signature.generics,
            format_args!("nothing says what the {one} of this benchmark is to be"),
            format_args!("add `{example}` to the attribute: a row for each"),
        ),
        Some(given) if parameters == 0 => errors.at(
            &given.key,
            format_args!("`{option}` are what a {one} stands for, and the function has none"),
            format_args!("add one, `{written}`, or leave this out"),
        ),
        _ => {}
    }
}

fn check_type(ty: &Type, errors: &mut Errors) {
    if has_impl(ty.to_token_stream()) || matches!(ty, Type::Infer(_)) {
        errors.at(ty, "this stands for many types", "write one");
    } else if borrows(ty) {
        errors.at(ty, "nothing says how long this reference lives", "write `&'static`");
    }
}

/// The values of each row; as many as there are parameters.
fn split<T: Clone + ToTokens>(
    given: Option<&Given<Vec<T>>>,
    parameters: usize,
    kind: &Kind,
    elements: fn(&T) -> Option<Vec<T>>,
    errors: &mut Errors,
) -> Vec<Vec<T>> {
    let Some(Given { value: given, .. }) = given else { return vec![Vec::new()] };
    let (mut rows, mut seen) = (Vec::new(), Vec::new());
    for row in given {
        let text = written::compact(row);
        if seen.contains(&text) {
            errors.at(row, "this stands in the list already", "leave it out");
        }
        seen.push(text);
        if parameters <= 1 {
            rows.push(vec![row.clone()]);
            continue;
        }
        match elements(row) {
            Some(values) if values.len() == parameters => rows.push(values),
            _ => errors.at(
                row,
                format_args!("the function has {parameters} {}s, and each row one value for each", kind.one),
                format_args!("write {parameters} in parentheses: `{} = [(.., ..), (.., ..)]`", kind.option),
            ),
        }
    }
    rows
}

fn elements_of_type(ty: &Type) -> Option<Vec<Type>> {
    match ty {
        Type::Tuple(tuple) => Some(tuple.elems.iter().cloned().map(unwrapped_type).collect()),
        Type::Group(group) => elements_of_type(&group.elem),
        _ => None,
    }
}

fn elements_of_value(value: &Expr) -> Option<Vec<Expr>> {
    match bare(value) {
        Expr::Tuple(tuple) => Some(tuple.elems.iter().cloned().map(unwrapped).collect()),
        _ => None,
    }
}

/// What is the same for all rows can't be said by what differs among them.
pub(crate) fn check_settings(signature: &Signature, options: &Options, errors: &mut Errors) {
    let names: Vec<Ident> =
        signature.generics.params.iter().filter_map(parameter).map(|parameter| parameter.name).collect();
    let count = options.count.iter().map(|count| (&count.key, count.value.to_token_stream()));
    for (key, value) in options.settings.for_all_rows().chain(count) {
        if let Some(name) = written::find_word(value, &names) {
            errors.at(
                &name,
                format_args!("`{key}` is one for all rows of a function, and `{name}` is another in each"),
                "write what is the same for all",
            );
        }
    }
}

impl Instances {
    /// What stands between the name of the function and its arguments.
    pub(crate) fn turbofish(&self) -> TokenStream {
        let arguments = self.parameters.iter().map(|Parameter { name, ty }| match ty {
            None => quote!(#name),
            Some(_) => quote!({ #name }),
        });
        quote!(::<#(#arguments),*>)
    }

    /// `row`, once for each instance, in a block where the names of the parameters are what they stand for.
    pub(crate) fn emit(&self, row: &TokenStream, private: &TokenStream) -> TokenStream {
        let of_types = self.types.iter().map(|types| {
            let of_consts = self.consts.iter().map(|consts| self.of_consts(consts, row, private));
            self.of_types(types, quote!(#(#of_consts)*), private)
        });
        quote!(#(#of_types)*)
    }

    fn names(&self, constants: bool) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(move |parameter| parameter.ty.is_some() == constants)
    }

    fn of_types(&self, types: &[Type], inner: TokenStream, private: &TokenStream) -> TokenStream {
        let (names, labels) = (self.names(false), types.iter().map(written::compact));
        let definitions = names.zip(types).map(|(Parameter { name, .. }, ty)| {
            let (outer, name) = (outer("NanobenchType", name), item(name));
            Definition { outer: quote!(type #outer = #ty;), inner: quote!(type #name = #outer;) }
        });
        let labels = labels.map(|label| quote!(#private::Label::of_type(#label)));
        within(definitions, labels, inner)
    }

    fn of_consts(&self, values: &[Expr], inner: &TokenStream, private: &TokenStream) -> TokenStream {
        let definitions = self.names(true).zip(values).map(|(Parameter { name, ty }, value)| {
            let (outer, name) = (outer("NANOBENCH_CONST_", name), item(name));
            Definition {
                outer: quote!(const #outer: #ty = #value;),
                inner: quote!(const #name: #ty = #outer;),
            }
        });
        let labels = self.names(true).zip(values).map(|(Parameter { name, .. }, _)| {
            let text = text(&quote!(&#name), private);
            quote!(#private::Label::of_const(&#name, #text))
        });
        within(definitions, labels, inner.clone())
    }
}

/// An item with the name of a parameter. What it stands for is said outside of the block where that name is known, as it
/// may be that of something else there.
struct Definition {
    outer: TokenStream,
    inner: TokenStream,
}

/// `inner` in a block with the definitions, and within the labels.
fn within(
    definitions: impl Iterator<Item = Definition>,
    labels: impl Iterator<Item = TokenStream>,
    inner: TokenStream,
) -> TokenStream {
    let (outer, names): (Vec<_>, Vec<_>) = definitions.map(|both| (both.outer, both.inner)).unzip();
    if outer.is_empty() {
        return inner;
    }
    let cases = local("nanobench_cases", Span::call_site());
    let labels: Vec<_> = labels.collect();
    let labelled =
        labels.into_iter().rfold(inner, |inner, label| quote!(#cases.within(#label, |#cases| { #inner });));
    quote!({ #(#outer)* { #(#names)* #labelled } })
}

/// The name of a parameter as that of an item of the expansion.
fn item(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(Span::mixed_site().located_at(name.span()));
    name
}

fn outer(prefix: &str, name: &Ident) -> Ident {
    local(&format!("{prefix}{}", name.unraw()), name.span())
}

/// How a value reads, for the label of a row.
pub(crate) fn text(reference: &TokenStream, private: &TokenStream) -> TokenStream {
    quote!({
        use #private::{ByDebug as _, ByDisplay as _, ByNothing as _};
        (&&&#private::Text(#reference)).text()
    })
}
