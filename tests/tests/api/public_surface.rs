//! The public items of nanobench-core on which users may rely, as `tests/public-surface.txt` lists
//! them.
//!
//! After an intended change, run this test with `NANOBENCH_UPDATE_SURFACE=1` to write the file, and
//! review the difference.

use quote::ToTokens;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, ImplItem, Item, ItemImpl, Type, UseTree, Visibility};

/// The crate whose items nanobench-core re-exports.
const ENGINE: &str = "nanobench_engine";

#[test]
fn the_public_surface_is_as_listed() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = tests.join("public-surface.txt");
    let surface = Surface::of_crate(&core().join("src"));
    if std::env::var_os("NANOBENCH_UPDATE_SURFACE").is_some() {
        fs::write(&list, &surface).unwrap();
    }
    let listed = fs::read_to_string(&list).unwrap();
    let missing: Vec<&str> =
        listed.lines().filter(|line| !surface.lines().any(|other| other == *line)).collect();
    let added: Vec<&str> =
        surface.lines().filter(|line| !listed.lines().any(|other| other == *line)).collect();
    assert!(
        missing.is_empty() && added.is_empty(),
        "the public surface has changed\n  removed: {missing:#?}\n  added: {added:#?}\n\
         if that is intended, run this test with NANOBENCH_UPDATE_SURFACE=1 and review tests/public-surface.txt"
    );
}

/// The lines of the list.
#[derive(Default)]
struct Surface {
    lines: BTreeSet<String>,
    /// Names of the public types, whose impls are listed, too.
    types: BTreeSet<String>,
}

impl Surface {
    /// Lists the items that a user of the crate can name and that its documentation shows.
    fn of_crate(source: &Path) -> String {
        let mut surface = Surface::default();
        surface.add_module(&source.join("lib.rs"), source);
        for file in rust_files(&engine()) {
            for item in items(&file) {
                if let Item::Impl(item) = item {
                    surface.add_impl(&item);
                }
            }
        }
        surface.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Adds the public items of the module in `file`, whose submodules are in `folder`.
    fn add_module(&mut self, file: &Path, folder: &Path) {
        for item in items(file) {
            match &item {
                Item::Mod(module) if is_shown(&module.vis, &module.attrs) => {
                    let name = module.ident.to_string();
                    self.lines.insert(format!("pub mod {name}"));
                    let (file, folder) = module_file(folder, &name);
                    self.add_module(&file, &folder);
                }
                Item::Use(import) if is_shown(&import.vis, &import.attrs) => {
                    for path in paths(&import.tree) {
                        self.add_reexport(folder, &path);
                    }
                }
                Item::Macro(item) if is_exported(&item.attrs) => {
                    let name = item.ident.as_ref().map(ToString::to_string).unwrap_or_default();
                    self.lines.insert(format!("macro {name}!"));
                }
                item => self.add_item(item),
            }
        }
    }

    /// Adds the item at `path`, which starts at the module of `folder` or is that of another crate.
    fn add_reexport(&mut self, folder: &Path, path: &[String]) {
        let [modules @ .., name] = path else { return };
        let (mut file, mut folder) = (PathBuf::new(), folder.to_owned());
        for module in modules {
            (file, folder) = match module.as_str() {
                ENGINE => (engine().join("lib.rs"), engine()),
                module => module_file(&folder, module),
            };
            if !file.exists() {
                self.lines.insert(format!("pub use {}", path.join("::")));
                return;
            }
        }
        for item in items(&file) {
            if let Item::Use(import) = &item {
                for path in paths(&import.tree).iter().filter(|path| path.last() == Some(name)) {
                    self.add_reexport(&folder, path);
                }
            } else if named(&item).as_ref() == Some(name) {
                if let Item::Mod(module) = &item {
                    if !matches!(module.vis, Visibility::Public(_)) {
                        continue;
                    }
                    let (file, folder) = module_file(&folder, name);
                    self.lines.insert(format!("pub mod {name}"));
                    self.add_module(&file, &folder);
                }
                self.add_item(&item);
            }
        }
    }

    fn add_item(&mut self, item: &Item) {
        match item {
            Item::Fn(item) if is_shown(&item.vis, &item.attrs) => {
                self.lines.insert(format!("pub {}", text(&item.sig)));
            }
            Item::Struct(item) if is_shown(&item.vis, &item.attrs) => {
                let name = item.ident.to_string();
                let fields = item.fields.iter().filter(|field| is_shown(&field.vis, &[]));
                let fields: Vec<String> = fields.map(|field| format!(" {{ {} }}", text(field))).collect();
                self.lines.insert(format!("pub struct {name}{}{}", text(&item.generics), fields.concat()));
                for derived in derives(&item.attrs) {
                    self.lines.insert(format!("derive {derived} for {name}"));
                }
                self.types.insert(name);
            }
            Item::Enum(item) if is_shown(&item.vis, &item.attrs) => {
                let variants = text(&item.variants);
                self.lines.insert(format!(
                    "pub enum {}{} {{ {variants} }}",
                    item.ident,
                    text(&item.generics)
                ));
                self.types.insert(item.ident.to_string());
            }
            Item::Trait(item) if is_shown(&item.vis, &item.attrs) => {
                self.lines.insert(format!("pub trait {}{}", item.ident, text(&item.generics)));
            }
            Item::Const(item) if is_shown(&item.vis, &item.attrs) => {
                self.lines.insert(format!("pub const {}: {}", item.ident, text(&item.ty)));
            }
            Item::Static(item) if is_shown(&item.vis, &item.attrs) => {
                self.lines.insert(format!("pub static {}: {}", item.ident, text(&item.ty)));
            }
            Item::Type(item) if is_shown(&item.vis, &item.attrs) => {
                self.lines.insert(format!(
                    "pub type {}{} = {}",
                    item.ident,
                    text(&item.generics),
                    text(&item.ty)
                ));
            }
            _ => {}
        }
    }

    /// Adds the public methods and the trait of an impl for a public type.
    fn add_impl(&mut self, item: &ItemImpl) {
        let Type::Path(path) = &*item.self_ty else { return };
        let name = path.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if !self.types.contains(&name) {
            return;
        }
        let of_type = text(&item.self_ty);
        if let Some((implemented, _)) = &item.trait_ {
            self.lines.insert(format!("impl{} {} for {of_type}", text(&item.generics), text(implemented)));
            return;
        }
        for method in &item.items {
            if let ImplItem::Fn(method) = method
                && is_shown(&method.vis, &method.attrs)
            {
                self.lines.insert(format!("{of_type}: pub {}", text(&method.sig)));
            }
        }
    }
}

/// Returns the folder of nanobench-core.
fn core() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../nanobench-core")
}

/// Returns the folder of the sources of the engine.
fn engine() -> PathBuf {
    core().join("engine/src")
}

/// Returns the items of a file that are not test code.
fn items(file: &Path) -> Vec<Item> {
    let source = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    syn::parse_file(&source).unwrap_or_else(|error| panic!("{}: {error}", file.display())).items
}

/// Returns the file of a module that is declared in the module of `folder`, and the folder of its
/// submodules.
fn module_file(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    let below = folder.join(name);
    let own = below.join("mod.rs");
    (if own.exists() { own } else { folder.join(format!("{name}.rs")) }, below)
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let files = files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files.chain(folders.iter().flat_map(|folder| rust_files(folder))).collect()
}

/// Returns all paths of a `use`.
fn paths(tree: &UseTree) -> Vec<Vec<String>> {
    match tree {
        UseTree::Path(path) => {
            let mut paths = paths(&path.tree);
            paths.iter_mut().for_each(|rest| rest.insert(0, path.ident.to_string()));
            paths.iter_mut().for_each(|path| path.retain(|segment| segment != "self" && segment != "crate"));
            paths
        }
        UseTree::Group(group) => group.items.iter().flat_map(paths).collect(),
        UseTree::Name(name) => vec![vec![name.ident.to_string()]],
        UseTree::Rename(name) => vec![vec![name.ident.to_string()]],
        UseTree::Glob(_) => panic!("a glob may re-export anything; name the items"),
    }
}

fn named(item: &Item) -> Option<String> {
    Some(match item {
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Mod(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Const(item) => item.ident.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// Returns whether an item is public and not hidden from the documentation.
fn is_shown(visibility: &Visibility, attributes: &[Attribute]) -> bool {
    // A list, unlike the text of a comment, which may contain the word.
    let is_hidden = |attribute: &Attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("doc") && list.is_ok_and(|list| list.tokens.to_string() == "hidden")
    };
    matches!(visibility, Visibility::Public(_)) && !attributes.iter().any(is_hidden)
}

fn is_exported(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("macro_export"))
}

fn derives(attributes: &[Attribute]) -> Vec<String> {
    let mut derives = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        let parsed = attribute.parse_nested_meta(|meta| {
            derives.push(text(&meta.path));
            Ok(())
        });
        parsed.expect("a list of traits");
    }
    derives
}

/// Returns the tokens with spaces as rustfmt has them, on one line.
fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    // Each pair is applied to the result of the ones before.
    let spacing = [
        (" :: ", "::"),
        (" < ", "<"),
        ("< ", "<"),
        (" > ", "> "),
        (" >", ">"),
        ("> (", ">("),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        ("[ ", "["),
        (" ]", "]"),
        (" : ", ": "),
        (" ; ", "; "),
        (" ,", ","),
        ("& ", "&"),
    ];
    for (from, to) in spacing {
        text = text.replace(from, to);
    }
    text.trim().trim_end_matches(',').to_owned()
}
