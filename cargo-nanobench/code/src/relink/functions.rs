//! The functions of two executables, and orders in which most of them lie at the same places.

use nanobench::Rng;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::io;
use std::path::Path;

/// The functions of two executables.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Functions {
    /// Functions that both have, in the same size and alignment.
    common: Vec<[Function; 2]>,
    /// Functions that both have, in another size or alignment.
    changed: Vec<[Function; 2]>,
    /// All others of each side.
    other: [Vec<Function>; 2],
}

/// A function of one executable.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Function {
    symbol: String,
    size: u64,
    alignment: u64,
}

impl Functions {
    /// Reads the symbols of the objects that two executables are linked from.
    pub(super) fn read(objects: [&Path; 2]) -> io::Result<Functions> {
        let [one, other] = objects.map(std::fs::read);
        Functions::parse([&one?, &other?])
    }

    /// Reads the symbols of two objects.
    pub(super) fn parse(objects: [&[u8]; 2]) -> io::Result<Functions> {
        let [one, other] = objects.map(functions);
        Ok(Functions::matched([one?, other?]))
    }

    /// Matches functions by their names, or else by their names without hashes, which depend on the
    /// folder of a package: first those of the same size and alignment.
    fn matched(mut sides: [Vec<Function>; 2]) -> Functions {
        let name = |function: &Function| {
            // The compiler adds a suffix to a name that several of its units share.
            function.symbol.split(".llvm.").next().unwrap_or_default().to_owned()
        };
        let demangled = |function: &Function| format!("{:#}", rustc_demangle::demangle(&function.symbol));
        let shape = |function: &Function| (function.size, function.alignment);
        let mut common = match_by(&mut sides, |function| (name(function), shape(function)));
        common.extend(match_by(&mut sides, |function| (demangled(function), shape(function))));
        let mut changed = match_by(&mut sides, name);
        changed.extend(match_by(&mut sides, demangled));
        Functions { common, changed, other: sides }
    }

    /// Leaves out the functions that the linker drops. `linked`: the names of those that two layouts
    /// have. One that only one side has is no longer common to them.
    pub(super) fn retain(&mut self, linked: [&HashSet<String>; 2]) {
        let [is_in_one, is_in_other] = linked
            .map(|names| move |function: &Function| names.is_empty() || names.contains(&function.symbol));
        let [of_one, of_other] = &mut self.other;
        of_one.retain(is_in_one);
        of_other.retain(is_in_other);
        for pairs in [&mut self.common, &mut self.changed] {
            pairs.retain(|[one, other]| match (is_in_one(one), is_in_other(other)) {
                (true, false) => {
                    of_one.push(one.clone());
                    false
                }
                (false, true) => {
                    of_other.push(other.clone());
                    false
                }
                (are_linked, _) => are_linked,
            });
        }
    }

    /// Returns a random order of the functions of each side. Those that both sides have come first, in
    /// one order, so that they lie at the same places: an executable with a longer function would
    /// otherwise have everything behind it elsewhere.
    pub(super) fn orders(&self, rng: &mut Rng) -> [Vec<&str>; 2] {
        let mut orders = [Vec::new(), Vec::new()];
        for pairs in [&self.common, &self.changed] {
            let mut pairs: Vec<&[Function; 2]> = pairs.iter().collect();
            rng.shuffle(&mut pairs);
            for [one, other] in pairs {
                orders[0].push(&*one.symbol);
                orders[1].push(&*other.symbol);
            }
        }
        for (order, functions) in orders.iter_mut().zip(&self.other) {
            let mut functions: Vec<&Function> = functions.iter().collect();
            rng.shuffle(&mut functions);
            order.extend(functions.into_iter().map(|function| &*function.symbol));
        }
        orders
    }
}

/// Returns the names of the functions in an executable. Empty if it has no symbols.
pub(super) fn names(executable: &Path) -> io::Result<HashSet<String>> {
    let bytes = std::fs::read(executable)?;
    let file = object::File::parse(&*bytes).map_err(io::Error::other)?;
    let symbols = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
    Ok(symbols.filter_map(|symbol| symbol.name().ok().map(str::to_owned)).collect())
}

/// Takes those functions out of both sides that have the same key. Several of one key match in their
/// order.
fn match_by<K: Eq + Hash>(
    sides: &mut [Vec<Function>; 2],
    key: impl Fn(&Function) -> K,
) -> Vec<[Function; 2]> {
    let [one, other] = sides;
    let mut places: HashMap<K, Vec<usize>> = HashMap::new();
    for (place, function) in other.iter().enumerate().rev() {
        places.entry(key(function)).or_default().push(place);
    }
    let (mut matched, mut is_matched) = (Vec::new(), vec![false; other.len()]);
    one.retain(|function| {
        let Some(place) = places.get_mut(&key(function)).and_then(Vec::pop) else { return true };
        matched.push([function, &other[place]].map(Function::clone));
        is_matched[place] = true;
        false
    });
    let mut is_matched = is_matched.into_iter();
    other.retain(|_| !is_matched.next().unwrap_or_default());
    matched
}

/// Returns the functions of an object that the linker can move, in order. Functions that share a
/// section are one to it.
fn functions(object: &[u8]) -> io::Result<Vec<Function>> {
    let file = object::File::parse(object).map_err(io::Error::other)?;
    let symbols = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
    let mut first_symbols = HashMap::new();
    for symbol in symbols {
        if let (Some(section), Ok(name)) = (symbol.section_index(), symbol.name()) {
            first_symbols.entry(section).or_insert(name);
        }
    }
    let functions = file.sections().filter_map(|section| {
        let is_text = section.name().is_ok_and(|name| name.starts_with(".text."));
        let symbol = first_symbols.get(&section.index()).filter(|_| is_text)?;
        Some(Function { symbol: (*symbol).to_owned(), size: section.size(), alignment: section.align() })
    });
    Ok(functions.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn side(functions: &[(&str, u64)]) -> Vec<Function> {
        let function = |(symbol, size): &(&str, u64)| Function {
            symbol: (*symbol).to_owned(),
            size: *size,
            alignment: 16,
        };
        functions.iter().map(function).collect()
    }

    fn functions() -> Functions {
        Functions::matched([
            side(&[
                ("_ZN1a1f17h0000000000000001E", 10),
                ("g", 7),
                ("h", 3),
                ("loop", 5),
                ("old", 1),
                ("twice", 1),
                ("twice", 1),
            ]),
            side(&[
                ("g", 8),
                ("twice", 1),
                ("new", 4),
                ("loop", 6),
                ("h.llvm.1", 3),
                ("_ZN1a1f17h0000000000000002E", 10),
            ]),
        ])
    }

    fn name(symbol: &str) -> &str {
        &symbol.trim_end_matches(".llvm.1")[..1]
    }

    #[test]
    fn functions_of_one_name_come_in_one_order_and_those_of_one_size_first() {
        let functions = functions();
        assert_eq!((functions.common.len(), functions.changed.len()), (3, 2), "{functions:?}");
        let mut rng = Rng::with_seed(1);
        let mut seen = BTreeSet::new();
        for _ in 0..50 {
            let [one, other] = functions.orders(&mut rng);
            let matched = |order: &[&str]| order[..5].iter().map(|symbol| name(symbol)).collect::<String>();
            assert_eq!(matched(&one), matched(&other));
            assert_eq!((one.len(), other.len()), (7, 6));
            seen.insert(matched(&one)[..3].to_owned());
        }
        assert_eq!(seen.len(), 6, "all orders of three: {seen:?}");
    }

    #[test]
    fn functions_that_the_linker_drops_on_one_side_are_not_common() {
        let mut functions = functions();
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<HashSet<String>>();
        functions.retain([&names(&["g", "h", "twice"]), &names(&["g", "loop", "new"])]);
        assert_eq!((functions.common.len(), functions.changed.len()), (0, 1), "{functions:?}");
        let other =
            functions.other.map(|functions| functions.iter().map(|f| f.symbol.clone()).collect::<Vec<_>>());
        assert_eq!(other, [vec!["twice", "h", "twice"], vec!["new", "loop"]]);
        let mut unknown = self::functions();
        unknown.retain([&HashSet::new(), &HashSet::new()]);
        assert_eq!(unknown, self::functions());
    }
}
