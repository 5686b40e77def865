//! The public items of a crate that has the structure of criterion: one folder of modules.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::{File, ImplItem, Item, ItemImpl, ItemMacro, TraitItem, Type, UseTree, Visibility};

/// The modules of a crate, by name, and what its sources say of names.
struct Crate {
    modules: BTreeMap<String, File>,
    /// The public names, each with the path from the crate's root and the module that defines it.
    public: BTreeMap<String, (String, String)>,
    /// All types and traits that the crate defines, each with its module.
    defined: BTreeSet<(String, String)>,
}

/// Returns the public items of a crate with these sources: types with their methods and variants,
/// traits with theirs and with their implementations, functions and macros. Names that begin with
/// `__` are none.
pub(crate) fn items_of_crate(sources: &Path) -> BTreeSet<String> {
    let this = Crate::read(sources);
    let mut items = BTreeSet::new();
    for (module, file) in &this.modules {
        for item in &file.items {
            this.collect(module, item, &mut items);
        }
    }
    items.extend(this.public.values().map(|(path, _module)| path.clone()));
    items.retain(|item| !item.contains("__"));
    items
}

impl Crate {
    fn read(sources: &Path) -> Crate {
        let mut modules = BTreeMap::new();
        for file in fs::read_dir(sources).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                modules.insert(name, syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap());
            }
        }
        let mut this = Crate { modules, public: BTreeMap::new(), defined: BTreeSet::new() };
        this.find_names();
        this
    }

    fn find_names(&mut self) {
        let mut exported = Vec::new();
        for item in &self.modules["lib"].items {
            match item {
                Item::Use(import) if is_public(&import.vis) => leaves("lib", &import.tree, &mut exported),
                Item::Mod(module) if is_public(&module.vis) && module.ident != "__private" => {
                    let prefix = module.ident.to_string();
                    let items = self.modules[&prefix].items.iter();
                    for name in items.filter_map(public_name) {
                        self.public.insert(name.clone(), (format!("{prefix}::{name}"), prefix.clone()));
                    }
                }
                _ => exported.extend(public_name(item).map(|name| ("lib".to_owned(), name))),
            }
        }
        self.public.extend(exported.into_iter().map(|(module, name)| (name.clone(), (name, module))));
        for (module, file) in &self.modules {
            let names = file.items.iter().filter_map(|item| match item {
                Item::Struct(item) => Some(item.ident.to_string()),
                Item::Enum(item) => Some(item.ident.to_string()),
                Item::Trait(item) => Some(item.ident.to_string()),
                _ => None,
            });
            self.defined.extend(names.map(|name| (name, module.clone())));
        }
    }

    /// Adds the parts of an item: variants, methods, implementations.
    fn collect(&self, module: &str, item: &Item, items: &mut BTreeSet<String>) {
        match item {
            Item::Enum(item) => {
                if let Some((path, _)) = self.public.get(&item.ident.to_string()) {
                    items.extend(item.variants.iter().map(|variant| format!("{path}::{}", variant.ident)));
                }
            }
            Item::Trait(item) => {
                if let Some((path, _)) = self.public.get(&item.ident.to_string()) {
                    let names = item.items.iter().filter_map(|item| match item {
                        TraitItem::Fn(function) => Some(function.sig.ident.to_string()),
                        TraitItem::Type(kind) => Some(kind.ident.to_string()),
                        _ => None,
                    });
                    items.extend(names.map(|name| format!("{path}::{name}")));
                }
            }
            Item::Macro(item) if has_attribute(&item.attrs, "macro_export") => {
                items.extend(item.ident.as_ref().map(|name| format!("{name}!")));
            }
            Item::Impl(item) => self.collect_impl(module, item, items),
            _ => {}
        }
    }

    fn collect_impl(&self, module: &str, item: &ItemImpl, items: &mut BTreeSet<String>) {
        let (reference, path) = match &*item.self_ty {
            Type::Path(kind) => ("", &kind.path),
            Type::Reference(reference) => match &*reference.elem {
                Type::Path(kind) => ("&", &kind.path),
                _ => return,
            },
            _ => return,
        };
        let name = path.segments.last().unwrap().ident.to_string();
        // Another type of this name.
        let home = self.public.get(&name).map(|(_, home)| home);
        if home
            .is_some_and(|home| home != module && self.defined.contains(&(name.clone(), module.to_owned())))
        {
            return;
        }
        let Some((implemented, _)) = &item.trait_ else {
            if let Some((path, _)) = self.public.get(&name) {
                let names = item.items.iter().flat_map(|item| self.public_functions(item));
                items.extend(names.map(|name| format!("{path}::{name}")));
            }
            return;
        };
        let implemented = implemented.segments.last().unwrap().ident.to_string();
        let is_foreign = !self.defined.iter().any(|(other, _)| *other == name);
        if self.public.contains_key(&implemented) && (is_foreign || self.public.contains_key(&name)) {
            items.insert(format!("impl {implemented} for {reference}{name}"));
        }
    }

    /// Returns the names of the public functions that an item is or that its macro makes.
    fn public_functions(&self, item: &ImplItem) -> Vec<String> {
        match item {
            ImplItem::Fn(function) if is_public(&function.vis) => vec![function.sig.ident.to_string()],
            ImplItem::Macro(call) => {
                let name = &call.mac.path.segments.last().unwrap().ident;
                let items = self.modules.values().flat_map(|module| &module.items);
                let definition = items.filter_map(|item| match item {
                    Item::Macro(definition) if definition.ident.as_ref() == Some(name) => Some(definition),
                    _ => None,
                });
                let functions = definition.flat_map(made);
                functions.flat_map(|item| self.public_functions(&item)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Returns the functions that a macro makes in an `impl` block. Its variables are taken for names.
fn made(definition: &ItemMacro) -> Vec<ImplItem> {
    let body = definition.mac.tokens.clone().into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let body: TokenStream = body.last().unwrap().to_string().replace('$', "").parse().unwrap();
    let block: ItemImpl = syn::parse2(quoted(body)).expect("a macro of functions");
    block.items
}

fn quoted(body: TokenStream) -> TokenStream {
    let mut block: TokenStream = "impl Any".parse().unwrap();
    block.extend([TokenTree::Group(proc_macro2::Group::new(proc_macro2::Delimiter::Brace, body))]);
    block
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn has_attribute(attributes: &[syn::Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident(name))
}

/// Returns the name of an item that is public in its module.
fn public_name(item: &Item) -> Option<String> {
    let (visibility, name) = match item {
        Item::Struct(item) => (&item.vis, &item.ident),
        Item::Enum(item) => (&item.vis, &item.ident),
        Item::Trait(item) => (&item.vis, &item.ident),
        Item::Fn(item) => (&item.vis, &item.sig.ident),
        Item::Type(item) => (&item.vis, &item.ident),
        Item::Const(item) => (&item.vis, &item.ident),
        _ => return None,
    };
    is_public(visibility).then(|| name.to_string())
}

/// Adds the names that are imported, each with the module that it comes from.
fn leaves(module: &str, tree: &UseTree, names: &mut Vec<(String, String)>) {
    match tree {
        UseTree::Path(path) => leaves(&path.ident.to_string(), &path.tree, names),
        UseTree::Name(name) => names.push((module.to_owned(), name.ident.to_string())),
        UseTree::Rename(rename) => names.push((module.to_owned(), rename.rename.to_string())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(module, tree, names)),
        UseTree::Glob(_) => panic!("a glob hides names"),
    }
}

/// Returns the features of a manifest, with those that optional dependencies are.
pub(crate) fn features(manifest: &str) -> BTreeSet<String> {
    let (mut section, mut features) = ("", BTreeSet::new());
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']);
        } else if section == "features" && line.contains(" = ") {
            features.extend(line.split_once(" = ").map(|(name, _)| name.to_owned()));
        } else if line == "optional = true" {
            let name = section.rsplit('.').next().unwrap_or(section);
            if !manifest.contains(&format!("\"dep:{name}\"")) {
                features.insert(name.to_owned());
            }
        }
    }
    features.into_iter().map(|name| format!("feature {name}")).collect()
}

/// Returns the flags that a source text of criterion gives to clap.
pub(crate) fn flags(source: &str) -> BTreeSet<String> {
    let mut flags = BTreeSet::new();
    for (call, dashes) in [(".long(", "--"), (".short(", "-")] {
        for rest in source.split(call).skip(1) {
            let name: String = rest[1..].chars().take_while(|c| !matches!(c, '"' | '\'')).collect();
            flags.insert(format!("flag {dashes}{name}"));
        }
    }
    flags
}
