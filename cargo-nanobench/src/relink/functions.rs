//! The functions of two executables, and orders in which most of them lie at the same places.

use nanobench::Rng;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind};
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// The symbols of the functions of two executables.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Functions {
    /// Functions that both have, in the same size and alignment.
    common: Vec<[String; 2]>,
    /// All others of each side.
    other: [Vec<String>; 2],
}

/// A function of one executable.
#[derive(Debug)]
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
    /// folder of a package.
    fn matched(mut sides: [Vec<Function>; 2]) -> Functions {
        let mut common = match_by(&mut sides, |function| {
            // The compiler adds a suffix to a name that several of its units share.
            function.symbol.split(".llvm.").next().unwrap_or_default().to_owned()
        });
        let demangled = |function: &Function| format!("{:#}", rustc_demangle::demangle(&function.symbol));
        common.extend(match_by(&mut sides, demangled));
        let other = sides.map(|functions| functions.into_iter().map(|function| function.symbol).collect());
        Functions { common, other }
    }

    /// Returns a random order of the functions of each side. Those that both sides have come first,
    /// in one order, so that they lie at the same places: an executable with a longer function
    /// would otherwise have everything behind it elsewhere.
    pub(super) fn orders(&self, rng: &mut Rng) -> [Vec<&str>; 2] {
        let mut common: Vec<&[String; 2]> = self.common.iter().collect();
        rng.shuffle(&mut common);
        [0, 1].map(|side| {
            let mut other: Vec<&str> = self.other[side].iter().map(String::as_str).collect();
            rng.shuffle(&mut other);
            common.iter().map(|symbols| symbols[side].as_str()).chain(other).collect()
        })
    }
}

/// Takes those functions out of both sides that have the same key, size and alignment.
fn match_by(sides: &mut [Vec<Function>; 2], key: impl Fn(&Function) -> String) -> Vec<[String; 2]> {
    let [one, other] = sides;
    let shape = |function: &Function| (key(function), function.size, function.alignment);
    // Several functions may have the same shape. They match in their order.
    let mut places: HashMap<_, Vec<usize>> = HashMap::new();
    for (place, function) in other.iter().enumerate().rev() {
        places.entry(shape(function)).or_default().push(place);
    }
    let (mut common, mut is_matched) = (Vec::new(), vec![false; other.len()]);
    one.retain(|function| {
        let Some(place) = places.get_mut(&shape(function)).and_then(Vec::pop) else { return true };
        common.push([function, &other[place]].map(|function| function.symbol.clone()));
        is_matched[place] = true;
        false
    });
    let mut is_matched = is_matched.into_iter();
    other.retain(|_| !is_matched.next().unwrap_or_default());
    common
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

    fn side(functions: &[(&str, u64)]) -> Vec<Function> {
        let function = |(symbol, size): &(&str, u64)| Function {
            symbol: (*symbol).to_owned(),
            size: *size,
            alignment: 16,
        };
        functions.iter().map(function).collect()
    }

    #[test]
    fn functions_of_one_name_and_size_lie_at_the_same_places() {
        let functions = Functions::matched([
            side(&[("_ZN1a1f17h0000000000000001E", 10), ("g", 7), ("h", 3), ("twice", 1), ("twice", 1)]),
            side(&[("g", 8), ("twice", 1), ("new", 4), ("h.llvm.1", 3), ("_ZN1a1f17h0000000000000002E", 10)]),
        ]);
        assert_eq!(functions.common.len(), 3, "{functions:?}");
        let mut rng = Rng::with_seed(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..50 {
            let [one, other] = functions.orders(&mut rng);
            let name = |symbol: &&str| symbol.trim_end_matches(".llvm.1")[..1].to_owned();
            let common = |order: &[&str]| order[..3].iter().map(name).collect::<Vec<_>>();
            assert_eq!(common(&one), common(&other));
            assert_eq!((one.len(), other.len()), (5, 5));
            seen.insert(common(&one).concat());
        }
        assert_eq!(seen.len(), 6, "all orders of three: {seen:?}");
    }
}
