//! Expands the attributes: the item itself, and what it registers.

use crate::function::{self, Function, Module};
use crate::options::{Options, Target};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Error, Expr, Type};

/// The largest number of constants in `consts = PATH`: each is compiled, and the number isn't known here.
const MAX_CONSTS: usize = 20;

pub(crate) fn bench(options: TokenStream, item: TokenStream) -> TokenStream {
    let parsed = Options::parse(options, Target::Function)
        .and_then(|options| Ok(Benchmark { options, function: syn::parse2(item.clone())? }))
        .and_then(|benchmark| benchmark.check().map(|()| benchmark));
    match parsed {
        Ok(benchmark) => benchmark.expand(),
        Err(error) => [item, error.into_compile_error()].into_iter().collect(),
    }
}

pub(crate) fn bench_group(options: TokenStream, item: TokenStream) -> TokenStream {
    let parsed = Options::parse(options, Target::Module)
        .and_then(|options| Ok((options, syn::parse2::<Module>(item.clone())?)));
    let (options, Module { attributes, name }) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return [item, error.into_compile_error()].into_iter().collect(),
    };
    let private = &options.private;
    let group = format_ident!("NANOBENCH_GROUP_{}", name.unraw());
    let conditions = function::conditions(&attributes);
    // `module_path!` keeps the `r#` of a raw name.
    let end = format!("::{name}");
    let shown = option(options.name.as_ref(), private);
    let settings = options.settings(function::has(&attributes, "ignore"), &TokenStream::new());
    quote! {
        #item

        #conditions
        #[doc(hidden)]
        #[allow(non_upper_case_globals)]
        static #group: #private::Group = #private::Group {
            module_path: #private::core::concat!(#private::core::module_path!(), #end),
            name: #shown,
            ignored: false,
            settings: #settings,
        };

        #conditions
        #private::inventory::submit! { #private::RegisteredGroup(&#group) }
    }
}

/// Returns an optional value as an expression.
fn option(value: Option<&Expr>, private: &TokenStream) -> TokenStream {
    match value {
        Some(value) => quote!(#private::core::option::Option::Some(#value)),
        None => quote!(#private::core::option::Option::None),
    }
}

/// A function with its options.
struct Benchmark {
    options: Options,
    function: Function,
}

impl Benchmark {
    fn check(&self) -> syn::Result<()> {
        let (Options { args, consts, types, .. }, function) = (&self.options, &self.function);
        let name = &function.signature.ident;
        let problem = |message: &str| Err(Error::new(name.span(), message));
        match (function.signature.inputs.len(), args.is_some()) {
            (0, true) => return problem("`args` needs a parameter that takes the argument\nadd one"),
            (2.., false) => {
                return problem("a parameter after the `Bencher` needs `args`\nadd `args = [..]`");
            }
            (3.., true) => {
                return problem("a benchmark takes a `Bencher` and one argument\nremove the others");
            }
            _ => {}
        }
        match (types.is_some(), function.has_type_parameter()) {
            (true, false) => return problem("`types` needs a type parameter\nwrite e.g. `fn f<T>()`"),
            (false, true) => {
                return problem("the type parameter has no values\nadd e.g. `types = [u8, u16]`");
            }
            _ => {}
        }
        match (consts.is_some(), function.const_type().is_some()) {
            (true, false) => problem("`consts` needs a const parameter\nwrite e.g. `fn f<const N: usize>()`"),
            (false, true) => problem("the const parameter has no values\nadd e.g. `consts = [1, 2]`"),
            _ => Ok(()),
        }
    }

    fn expand(&self) -> TokenStream {
        let (Options { private, name, .. }, Function { attributes, tokens, signature, body }) =
            (&self.options, &self.function);
        if self.has_no_rows() {
            return quote!(#(#attributes)* #[allow(dead_code)] #tokens);
        }
        // The timed loop may be in another codegen unit, from which each iteration would be a call.
        let is_timed = self.options.args.is_some() || signature.inputs.is_empty();
        let inline = (is_timed && !function::has(attributes, "inline")).then(|| quote!(#[inline]));
        let conditions = function::conditions(attributes);
        let entry = format_ident!("NANOBENCH_ENTRY_{}", signature.ident.unraw());
        let function = signature.ident.unraw().to_string();
        let shown = option(name.as_ref(), private);
        let settings = self.options.settings(function::has(attributes, "ignore"), body);
        let place = self.place();
        let takes_input = self.options.args.is_some();
        let rows = self.rows();
        quote! {
            #(#attributes)*
            #inline
            #tokens

            #conditions
            #[doc(hidden)]
            #[allow(non_upper_case_globals, clippy::redundant_closure, clippy::redundant_closure_for_method_calls)]
            static #entry: #private::Entry = #private::Entry {
                module_path: #private::core::module_path!(),
                function: #function,
                name: #shown,
                file: #private::core::file!(),
                #place
                may_be_alike: true,
                takes_input: #takes_input,
                body: #rows,
                settings: &#settings,
                ..#private::Entry::DEFAULT
            };

            #conditions
            #private::inventory::submit! { #private::Registered(&#entry) }
        }
    }

    /// Returns whether a list of values is empty in the source.
    fn has_no_rows(&self) -> bool {
        let is_empty = |list: &Option<Expr>| matches!(list, Some(Expr::Array(list)) if list.elems.is_empty());
        let Options { args, consts, types, .. } = &self.options;
        is_empty(args) || is_empty(consts) || types.as_ref().is_some_and(Vec::is_empty)
    }

    /// Returns the fields with the place of the function's name, which a macro may have been given.
    fn place(&self) -> TokenStream {
        let span = self.function.signature.ident.span();
        let respanned = |mut token: TokenTree| {
            token.set_span(span);
            token
        };
        let private = self.options.krate.is_none().then(|| self.options.private.clone());
        let core: TokenStream = private.into_iter().flatten().map(respanned).collect();
        quote_spanned!(span=> line: #core::core::line!(), column: #core::core::column!(),)
    }

    /// Returns the field `body` of the entry.
    fn rows(&self) -> TokenStream {
        let private = &self.options.private;
        let Options { args, consts, types, .. } = &self.options;
        let (cases, bencher) = (local("cases"), local("bencher"));
        if let (None, None, None, true) = (args, consts, types, self.function.signature.inputs.is_empty()) {
            let call = self.call(None, None, &[]);
            return quote!(#private::Body::Plain(|#bencher| #private::lasting(#bencher).call(|_| #call)));
        }
        let types = match types {
            None => vec![None],
            Some(types) => types.iter().map(Some).collect(),
        };
        let rows = types.into_iter().map(|ty| {
            let rows = match consts {
                None => self.row(ty, None),
                Some(consts) => self.of_consts(ty, consts),
            };
            match ty {
                None => rows,
                Some(ty) => quote!(#cases.within(#private::type_label::<#ty>(), |#cases| { #rows });),
            }
        });
        quote!(#private::Body::Cases(|#cases| { #(#rows)* }))
    }

    /// Returns the code that adds the rows of each constant.
    fn of_consts(&self, ty: Option<&Type>, consts: &Expr) -> TokenStream {
        let (private, cases) = (&self.options.private, local("cases"));
        let const_type = self.function.const_type();
        let (number, is_known) = match consts {
            Expr::Array(list) => (list.elems.len(), true),
            _ => (MAX_CONSTS, false),
        };
        let rows = (0..number).map(|index| {
            // The first one is in the place of those beyond the end.
            let value = match is_known {
                true => quote!(__NANOBENCH_CONSTS[#index]),
                false => {
                    quote!(__NANOBENCH_CONSTS[if #index < __NANOBENCH_CONSTS.len() { #index } else { 0 }])
                }
            };
            let row = self.row(ty, Some(&value));
            let text = label_text(&quote!(&#value), private);
            let label = quote!(#private::Label::from_value(&#value, #text, 0));
            let row = quote!(#cases.within(#label, |#cases| { #row }););
            if is_known { row } else { quote!(if #index < __NANOBENCH_CONSTS.len() { #row }) }
        });
        let check = (!is_known).then(|| {
            let message = "`consts` of an expression can't have more than 20 values";
            let span = consts.span();
            quote_spanned!(span=> const _: () = #private::core::assert!(__NANOBENCH_CONSTS.len() <= #MAX_CONSTS, #message);)
        });
        quote! {{
            const __NANOBENCH_CONSTS: &[#const_type] = &#consts;
            #check
            #(#rows)*
        }}
    }

    /// Returns the code that adds the rows of a type and a constant.
    fn row(&self, ty: Option<&Type>, value: Option<&TokenStream>) -> TokenStream {
        let private = &self.options.private;
        let (cases, argument, index) = (local("cases"), local("argument"), local("index"));
        let Some(args) = &self.options.args else {
            let case = self.case(ty, value, None);
            return quote!(#cases.add(#case););
        };
        let case = self.case(ty, value, Some(&quote!(#private::pass(#argument))));
        let text = label_text(&quote!(#argument), private);
        let label = quote!(|#argument, #index| #private::Label::from_value(#argument, #text, #index));
        quote!(#cases.each(#args, #label, |#cases, #argument| #cases.add(#case));)
    }

    fn case(
        &self,
        ty: Option<&Type>,
        value: Option<&TokenStream>,
        argument: Option<&TokenStream>,
    ) -> TokenStream {
        let (private, bencher) = (&self.options.private, local("bencher"));
        let takes_bencher = self.function.signature.inputs.len() > usize::from(argument.is_some());
        let passed = takes_bencher.then(|| quote!(#bencher));
        let inputs: Vec<&TokenStream> = passed.iter().chain(argument).collect();
        let call = self.call(ty, value, &inputs);
        match takes_bencher {
            true => quote!(#private::prepared(move |#bencher| { #call; })),
            false => {
                quote!(#private::Case::shared(move |#bencher| #private::lasting(#bencher).call(|_| #call)))
            }
        }
    }

    fn call(&self, ty: Option<&Type>, value: Option<&TokenStream>, inputs: &[&TokenStream]) -> TokenStream {
        let name = &self.function.signature.ident;
        let mut generics: Vec<TokenStream> = Vec::new();
        generics.extend(ty.map(quote::ToTokens::to_token_stream));
        generics.extend(value.map(|value| quote!({ #value })));
        if !self.function.is_type_first() {
            generics.reverse();
        }
        let generics = (!generics.is_empty()).then(|| quote!(::<#(#generics),*>));
        quote!(#name #generics(#(#inputs),*))
    }
}

/// Returns the text of a value by its best trait.
fn label_text(reference: &TokenStream, private: &TokenStream) -> TokenStream {
    quote!({
        use #private::{DebugText as _, DisplayText as _, NoText as _};
        (&&&#private::Text(#reference)).text()
    })
}

/// Returns a variable that no expression of the user refers to.
fn local(name: &str) -> Ident {
    Ident::new(&format!("nanobench_{name}"), Span::mixed_site())
}
