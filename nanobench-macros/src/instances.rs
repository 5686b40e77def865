//! The instances of a generic function: its types × its constants.

use crate::elision::has_elided_lifetime;
use crate::errors::Errors;
use crate::hygiene::local;
use crate::key_value::KeyValue;
use crate::options::Options;
use crate::parameters::has_impl;
use crate::rows::{MAX_CONSTS, Rows};
use crate::tokens::{compact_text, copy, find_ident};
use crate::values::{bare, unwrapped, unwrapped_type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::parse::Parse;
use syn::spanned::Spanned as _;
use syn::{Expr, GenericParam, Signature, Type};

/// The generic parameters of a function, and their values.
pub(crate) struct Instances {
    /// In the order of the function.
    parameters: Vec<Parameter>,
    /// The type parameters of each row. Without such parameters, one empty row.
    types: Vec<Vec<Type>>,
    /// The const parameters of each row. Without such parameters, one empty row.
    consts: Vec<Vec<Expr>>,
    /// The constant array or slice that has these.
    list_of_consts: Option<Expr>,
}

/// A generic parameter.
struct Parameter {
    name: Ident,
    /// The type of a const parameter.
    ty: Option<Type>,
}

/// Returns the instances of a generic function.
pub(crate) fn check(signature: &Signature, rows: &Rows, errors: &mut Errors) -> Option<Instances> {
    let parameters: Vec<Parameter> = signature.generics.params.iter().filter_map(parameter).collect();
    let count =
        |constants: bool| parameters.iter().filter(|parameter| parameter.ty.is_some() == constants).count();
    let (types, consts) = (count(false), count(true));
    check_presence(types, rows.types.as_ref(), &TYPES, signature, errors);
    check_presence(consts, rows.consts.as_ref(), &CONSTS, signature, errors);
    if let (true, Some(clause)) = (signature.generics.params.is_empty(), &signature.generics.where_clause) {
        errors.at(
            clause,
            "a `where` clause has no effect on a function without generic parameters",
            "remove it",
        );
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
        list_of_consts: rows.list_of_consts.as_ref().map(copy),
    })
}

fn parameter(parameter: &GenericParam) -> Option<Parameter> {
    match parameter {
        GenericParam::Lifetime(_) => None,
        GenericParam::Type(parameter) => Some(Parameter { name: parameter.ident.clone(), ty: None }),
        GenericParam::Const(parameter) => {
            Some(Parameter { name: parameter.ident.clone(), ty: Some(copy(&parameter.ty)) })
        }
    }
}

/// `types` or `consts`.
struct GenericOption {
    name: &'static str,
    parameter: &'static str,
    syntax: &'static str,
    example: &'static str,
    /// Another fix for a parameter without values.
    alternative: &'static str,
}

const TYPES: GenericOption = GenericOption {
    name: "types",
    parameter: "type parameter",
    syntax: "fn f<T>()",
    example: "types = [u32, u64]",
    alternative: "; for an input whose type has no name, write `input: impl Trait`",
};
const CONSTS: GenericOption = GenericOption {
    name: "consts",
    parameter: "const parameter",
    syntax: "fn f<const N: usize>()",
    example: "consts = [16, 64]",
    alternative: "",
};

/// Checks that the option is set if and only if the function has such parameters.
fn check_presence<T>(
    parameters: usize,
    values: Option<&KeyValue<T>>,
    option: &GenericOption,
    signature: &Signature,
    errors: &mut Errors,
) {
    let GenericOption { name, parameter, syntax, example, alternative } = option;
    match values {
        None if parameters > 0 => errors.at(
            &signature.generics,
            format_args!("the {parameter} of this benchmark has no values"),
            format_args!("add e.g. `{example}` to the attribute, for a row each{alternative}"),
        ),
        Some(values) if parameters == 0 => errors.at(
            &values.key,
            format_args!("`{name}` sets a {parameter}, and the function has none"),
            format_args!("add one, `{syntax}`, or remove `{name}`"),
        ),
        _ => {}
    }
}

fn check_type(ty: &Type, errors: &mut Errors) {
    if has_impl(ty.to_token_stream()) || matches!(ty, Type::Infer(_)) {
        errors.at(ty, "expected a concrete type", "write the type itself");
    } else if has_elided_lifetime(ty) {
        errors.at(ty, "this reference has no lifetime", "write `&'static`");
    }
}

/// Returns the values of each row, one for each parameter.
fn split<T: Parse + ToTokens>(
    rows: Option<&KeyValue<Vec<T>>>,
    parameters: usize,
    option: &GenericOption,
    elements: fn(&T) -> Option<Vec<T>>,
    errors: &mut Errors,
) -> Vec<Vec<T>> {
    let Some(KeyValue { value: rows, .. }) = rows else { return vec![Vec::new()] };
    let (mut split, mut seen) = (Vec::new(), Vec::new());
    for row in rows {
        let text = compact_text(row);
        if seen.contains(&text) {
            errors.at(row, "this is listed twice", "remove one of them");
        }
        seen.push(text);
        if parameters <= 1 {
            split.push(vec![copy(row)]);
            continue;
        }
        match elements(row) {
            Some(values) if values.len() == parameters => split.push(values),
            _ => errors.at(
                row,
                format_args!("each row needs {parameters} values, one for each {}", option.parameter),
                format_args!("write tuples: `{} = [(.., ..), (.., ..)]`", option.name),
            ),
        }
    }
    split
}

fn elements_of_type(ty: &Type) -> Option<Vec<Type>> {
    match ty {
        Type::Tuple(tuple) => Some(tuple.elems.iter().map(copy).map(unwrapped_type).collect()),
        Type::Group(group) => elements_of_type(&group.elem),
        _ => None,
    }
}

fn elements_of_value(value: &Expr) -> Option<Vec<Expr>> {
    match bare(value) {
        Expr::Tuple(tuple) => Some(tuple.elems.iter().map(copy).map(unwrapped).collect()),
        _ => None,
    }
}

/// Checks that options that apply to all rows don't depend on generic parameters.
pub(crate) fn check_settings(signature: &Signature, options: &Options, errors: &mut Errors) {
    let names: Vec<Ident> =
        signature.generics.params.iter().filter_map(parameter).map(|parameter| parameter.name).collect();
    let count = options.count.iter().map(|count| (&count.key, count.value.to_token_stream()));
    for (key, value) in options.settings.common_to_rows().chain(count) {
        if let Some(name) = find_ident(value, &names) {
            errors.at(
                &name,
                format_args!("`{key}` is the same for all rows and can't depend on `{name}`"),
                "write a value without generic parameters",
            );
        }
    }
}

impl Instances {
    /// Returns the generic arguments of a call.
    pub(crate) fn turbofish(&self) -> TokenStream {
        let arguments = self.parameters.iter().map(|Parameter { name, ty }| match ty {
            None => quote!(#name),
            Some(_) => quote!({ #name }),
        });
        quote!(::<#(#arguments),*>)
    }

    /// Returns `row` once for each instance, in a block that defines the generic parameters.
    pub(crate) fn emit(&self, row: &TokenStream, private: &TokenStream) -> TokenStream {
        let blocks = self.types.iter().map(|types| {
            let inner = self.consts.iter().enumerate().map(|(index, consts)| {
                let row = self.with_consts(consts, row, private);
                self.list_of_consts
                    .as_ref()
                    .map_or(row.clone(), |list| quote!(if #index < #list.len() { #row }))
            });
            self.with_types(types, quote!(#(#inner)*), private)
        });
        let check = self.list_of_consts.as_ref().map(|list| {
            let message = format!("`consts` needs 1 to {MAX_CONSTS} values");
            quote_spanned!(list.span()=> const _: () = #private::core::assert!(!#list.is_empty() && #list.len() <= #MAX_CONSTS, #message);)
        });
        quote!(#check #(#blocks)*)
    }

    fn parameters(&self, constants: bool) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(move |parameter| parameter.ty.is_some() == constants)
    }

    fn with_types(&self, types: &[Type], inner: TokenStream, private: &TokenStream) -> TokenStream {
        let labels = types.iter().map(compact_text);
        let definitions = self.parameters(false).zip(types).map(|(Parameter { name, .. }, ty)| {
            let (outer, name) = (outer("NanobenchType", name), item(name));
            (quote!(type #outer = #ty;), quote!(type #name = #outer;))
        });
        let labels = labels.map(|label| quote!(#private::Label::from_type(#label)));
        within(definitions, labels, inner)
    }

    fn with_consts(&self, values: &[Expr], inner: &TokenStream, private: &TokenStream) -> TokenStream {
        let definitions = self.parameters(true).zip(values).map(|(Parameter { name, ty }, value)| {
            let (outer, name) = (outer("NANOBENCH_CONST_", name), item(name));
            (quote!(const #outer: #ty = #value;), quote!(const #name: #ty = #outer;))
        });
        let labels = self.parameters(true).zip(values).map(|(Parameter { name, .. }, _)| {
            let text = label_text(&quote!(&#name), private);
            quote!(#private::Label::from_value(&#name, #text, 0))
        });
        within(definitions, labels, inner.clone())
    }
}

/// Returns `inner` in a block with the definitions, within the labels.
fn within(
    definitions: impl Iterator<Item = (TokenStream, TokenStream)>,
    labels: impl Iterator<Item = TokenStream>,
    inner: TokenStream,
) -> TokenStream {
    let (outer, names): (Vec<_>, Vec<_>) = definitions.unzip();
    if outer.is_empty() {
        return inner;
    }
    let cases = local("nanobench_cases", Span::call_site());
    let labels: Vec<_> = labels.collect();
    let labelled =
        labels.into_iter().rfold(inner, |inner, label| quote!(#cases.within(#label, |#cases| { #inner });));
    quote!({ #(#outer)* { #(#names)* #labelled } })
}

/// Returns the name of a parameter with the hygiene of the expansion.
fn item(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(Span::mixed_site().located_at(name.span()));
    name
}

fn outer(prefix: &str, name: &Ident) -> Ident {
    local(&format!("{prefix}{}", name.unraw()), name.span())
}

/// Returns an expression of the text of a value, for the label of a row.
pub(crate) fn label_text(reference: &TokenStream, private: &TokenStream) -> TokenStream {
    quote!({
        use #private::{DebugText as _, DisplayText as _, NoText as _};
        (&&&#private::Text(#reference)).text()
    })
}
