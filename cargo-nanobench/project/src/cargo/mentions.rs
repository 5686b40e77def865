//! Searches the text of a target's sources for mentions of nanobench. Targets without one are not
//! built. A mention in a comment counts, so a target may be built needlessly.

use super::sources::{self, after_word, modules};
use cargo_metadata::{Package, Target};
use path_clean::PathClean as _;
use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::{fs, iter};

/// The text to search for.
const NAME: &str = "nanobench";

/// Returns whether a file of the target may have such a text. Files that are not known may.
fn may_have(package: &Package, target: &Target, is_mention: impl Fn(&str) -> bool) -> bool {
    sources::of(package, target).any(|source| source.text.is_none_or(|text| is_mention(&text)))
}

/// Returns whether a known file of the target has such a text.
fn has(package: &Package, target: &Target, is_mention: impl Fn(&str) -> bool) -> bool {
    sources::of(package, target).any(|source| source.text.is_some_and(|text| is_mention(&text)))
}

/// Returns whether the target's root file, or a file that may be a module of it, mentions nanobench or
/// one of these other crates.
pub(super) fn nanobench_or(others: &[String], package: &Package, target: &Target) -> bool {
    let has_word = |text: &str, word: &String| after_word(text, word).next().is_some();
    may_have(package, target, |text| text.contains(NAME) || others.iter().any(|name| has_word(text, name)))
}

/// Returns whether the root file of a target asks for features that only nightly compilers have.
pub(super) fn nightly_features(target: &Target) -> bool {
    fs::read_to_string(&target.src_path).is_ok_and(|text| text.contains("#![feature("))
}

/// Returns whether a file of the target has this text, or may include files that aren't known.
pub(super) fn text(package: &Package, target: &Target, searched: &str) -> bool {
    may_have(package, target, |text| text.contains(searched))
}

/// Returns whether a file of the target mentions nanobench outside of comments.
pub(super) fn nanobench_in_code(package: &Package, target: &Target) -> bool {
    may_have(package, target, is_in_code)
}

/// Returns whether a file of the target has a line that begins with the attribute.
pub(super) fn benchmark(package: &Package, target: &Target) -> bool {
    has(package, target, begins_line_with_attribute)
}

/// Returns whether a line of the file begins with the attribute.
pub(super) fn benchmark_in(file: &Path) -> bool {
    fs::read(file).is_ok_and(|text| begins_line_with_attribute(&String::from_utf8_lossy(&text)))
}

fn begins_line_with_attribute(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("#[nanobench"))
}

/// Returns whether a file may be a module of the target.
pub(super) fn may_include(package: &Package, target: &Target, file: &Path) -> bool {
    sources::of(package, target).any(|source| source.text.is_none() || source.path.clean() == file)
}

/// Returns whether a text mentions nanobench outside of the comments that end a line.
fn is_in_code(text: &str) -> bool {
    text.lines().any(|line| line.split("//").next().is_some_and(|code| code.contains(NAME)))
}

/// Returns whether a file of the target may use nanobench outside of tests.
pub(super) fn nanobench_outside_tests(package: &Package, target: &Target) -> bool {
    may_have(package, target, may_be_outside_tests)
}

/// Returns whether a text mentions nanobench before it mentions `cfg(test)`, or uses it in an item
/// that isn't within an inline module.
fn may_be_outside_tests(text: &str) -> bool {
    let before_tests = text.split("cfg(test)").next();
    before_tests.is_some_and(|text| text.contains(NAME)) || text.lines().any(is_use)
}

/// Returns the first file of the target with a line that uses nanobench and isn't limited to tests,
/// and the number of that line. Files count if they are modules without a condition.
pub(super) fn line_outside_tests(target: &Target) -> Option<(PathBuf, usize)> {
    let root = target.src_path.clone().into_std_path_buf();
    let folder = root.parent()?.to_owned();
    let (mut queue, mut seen) = (VecDeque::from([(root, folder)]), HashSet::new());
    while let Some((file, folder)) = queue.pop_front() {
        let text = fs::read_to_string(&file).ok().filter(|_| seen.insert(file.clone()));
        let Some(text) = text else { continue };
        if let Some(line) = first_line_outside_tests(&text) {
            return Some((file, line));
        }
        for name in unconditional_modules(&text) {
            let own = folder.join(name);
            queue.push_back((folder.join(format!("{name}.rs")), own.clone()));
            queue.push_back((own.join("mod.rs"), own));
        }
    }
    None
}

/// Returns the names in the lines `mod name;` without an indent or an attribute above.
fn unconditional_modules(text: &str) -> impl Iterator<Item = &str> {
    let limits_all = text.lines().any(|line| line.starts_with("#![cfg"));
    let code = text.lines().filter(|line| !line.is_empty() && !line.starts_with("//"));
    let with_line_above = iter::once("").chain(code.clone()).zip(code);
    let declared = with_line_above.filter(move |(above, line)| {
        !limits_all
            && (line.starts_with("mod ") || line.starts_with("pub"))
            && !above.trim_end().ends_with(']')
    });
    declared.flat_map(|(_, line)| modules(line)).filter_map(|(name, is_inline)| (!is_inline).then_some(name))
}

/// Returns the number of the first line that uses nanobench, if no line before it may be a condition.
fn first_line_outside_tests(text: &str) -> Option<usize> {
    let mut unconditional = text.lines().take_while(|line| !may_be_condition(line));
    unconditional.position(|line| is_use(line.trim_start())).map(|index| index + 1)
}

/// Returns whether a line may exclude the lines after it from a build: with a condition or a test, or
/// because it begins a comment, a text, or the input of a macro, which may discard it.
fn may_be_condition(line: &str) -> bool {
    let quotes = line.replace("\\\"", "").replace("'\"'", "").matches('"').count();
    let begins_macro = ["! {", "!{", "!(", "!["].iter().any(|end| line.trim_end().ends_with(end));
    let is_condition = |word: &&str| line.contains(word);
    quotes % 2 == 1 || begins_macro || ["cfg", "#[test", "/*", "macro_rules!"].iter().any(is_condition)
}

/// Returns whether a file of the target may have the attribute in a module that doesn't import it.
pub(super) fn attribute_without_import(package: &Package, target: &Target) -> bool {
    has(package, target, may_lack_import)
}

/// Returns whether a text has the attribute outside of inline modules, or in one of them, without a
/// `use` there that may import it.
fn may_lack_import(text: &str) -> bool {
    // The lines outside of inline modules, and then those of each.
    let (mut modules, mut is_inside) = (vec![Vec::new()], false);
    for line in text.lines() {
        if line.starts_with('}') {
            is_inside = false;
        } else if opens_module(line) {
            is_inside = true;
            modules.push(Vec::new());
        }
        let current = if is_inside { modules.len() - 1 } else { 0 };
        modules[current].push(line.trim());
    }
    let has_attribute = |line: &&str| line.starts_with("#[nanobench]") || line.starts_with("#[nanobench(");
    let imports = |lines: &Vec<&str>| lines.iter().any(|line| may_import_attribute(line));
    let imports_outer = |lines: &Vec<&str>| lines.iter().any(|line| line.contains("use super::*"));
    modules.iter().any(|lines| {
        lines.iter().any(has_attribute) && !imports(lines) && !(imports_outer(lines) && imports(&modules[0]))
    })
}

/// Returns whether a line without an indent is the first of an inline module.
fn opens_module(line: &str) -> bool {
    !line.starts_with(char::is_whitespace) && line.contains("mod ") && line.trim_end().ends_with('{')
}

/// Returns whether a line may import the attribute: by name, with all of another module but the outer
/// one, or in lines that follow.
fn may_import_attribute(code: &str) -> bool {
    let Some((_, imported)) = code.split_once("use ") else { return code.starts_with("#[macro_use") };
    let imported = imported.strip_prefix("nanobench::").unwrap_or(imported);
    imported.contains("nanobench")
        || imported.contains("::*") && !imported.contains("super::*")
        || imported.ends_with('{')
        || imported == "*;"
}

/// Returns whether a line begins with a use of nanobench, without an indent.
fn is_use(line: &str) -> bool {
    ["#[nanobench", "use nanobench::"].iter().any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests;
