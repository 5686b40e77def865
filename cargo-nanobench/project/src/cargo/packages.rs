//! Selection of packages by cargo's rules: `-p`, `--workspace`, `--exclude`, or the manifest's own.

use super::options::PackageOptions;
use super::{Error, Project};
use crate::suggest;
use cargo_metadata::Package;
use glob::Pattern;

/// Selects packages as cargo does: `--workspace` takes precedence over `-p`.
pub(super) fn select<'a>(
    project: &'a Project,
    flags: &PackageOptions,
) -> Result<(Vec<&'a Package>, Vec<String>), Error> {
    let members = project.members();
    if !flags.exclude.is_empty() && !flags.workspace {
        return Err(Error::ExcludeAlone);
    }
    let mut warnings = Vec::new();
    let selected = if flags.workspace {
        let mut excluded: Vec<&Package> = Vec::new();
        for spec in &flags.exclude {
            let matching = matching(&members, spec)?;
            if matching.is_empty() {
                let root = project.root().display();
                warnings.push(format!("excluded package `{spec}` is not in the workspace {root}"));
            }
            excluded.extend(matching);
        }
        members.into_iter().filter(|member| !excluded.iter().any(|package| package.id == member.id)).collect()
    } else if flags.package.is_empty() {
        project.default_members()
    } else {
        let mut selected = Vec::new();
        for spec in &flags.package {
            selected.extend(at_least_one(&members, spec)?);
        }
        members.into_iter().filter(|member| selected.iter().any(|package| package.id == member.id)).collect()
    };
    Ok((selected, warnings))
}

/// Returns the one package that a command changes: `-p`, or the manifest's. `None` in the root of a
/// virtual workspace.
pub fn single<'a>(project: &'a Project, spec: Option<&str>) -> Result<Option<&'a Package>, Error> {
    let Some(spec) = spec else {
        return Ok(match project.default_members()[..] {
            [package] => Some(package),
            _ => None,
        });
    };
    match at_least_one(&project.members(), spec)?[..] {
        [package] => Ok(Some(package)),
        ref several => Err(Error::AmbiguousPackage {
            spec: spec.to_owned(),
            names: several.iter().map(|package| package.name.to_string()).collect(),
        }),
    }
}

/// Returns the names of the selected packages.
pub fn selected_names(project: &Project, flags: &PackageOptions) -> Result<Vec<String>, Error> {
    let (selected, _) = select(project, flags)?;
    Ok(selected.into_iter().map(|package| package.name.to_string()).collect())
}

/// Returns the names of all members.
pub fn names(project: &Project) -> Vec<String> {
    project.members().iter().map(|package| package.name.to_string()).collect()
}

/// Returns the packages that match a spec or pattern. Fails if there is none.
fn at_least_one<'a>(members: &[&'a Package], spec: &str) -> Result<Vec<&'a Package>, Error> {
    let matching = matching(members, spec)?;
    if matching.is_empty() {
        let names = members.iter().map(|package| package.name.as_str());
        return Err(Error::UnknownPackage { spec: spec.to_owned(), hint: suggest::hint(spec, names) });
    }
    Ok(matching)
}

fn matching<'a>(members: &[&'a Package], spec: &str) -> Result<Vec<&'a Package>, Error> {
    let members = members.iter().copied();
    if spec.contains("://") || !spec.contains(['*', '?', '[', ']']) {
        let is_match =
            |member: &&Package| matches(spec, &member.name, &member.version.to_string(), &member.id.repr);
        return Ok(members.filter(is_match).collect());
    }
    let pattern = pattern(spec)?;
    Ok(members.filter(|member| pattern.matches(&member.name)).collect())
}

/// Parses a pattern with `*`, `?` or `[..]`, in cargo's syntax.
pub(super) fn pattern(text: &str) -> Result<Pattern, Error> {
    Pattern::new(text).map_err(|error| Error::Pattern { text: text.to_owned(), message: error.msg })
}

/// Returns whether a package id spec means this package: `sort`, `sort@0.1`,
/// `file:///home/me/sort`, `path+file:///w/sort#0.1.0`.
fn matches(spec: &str, name: &str, version: &str, id: &str) -> bool {
    let is_version =
        |part: &str| version == part || version.strip_prefix(part).is_some_and(|rest| rest.starts_with('.'));
    let is_name = |spec: &str| match spec.split_once(['@', ':']) {
        Some((own, part)) => own == name && is_version(part),
        None => spec == name,
    };
    if !spec.contains("://") {
        return is_name(spec);
    }
    let (address, fragment) = spec.split_once('#').map_or((spec, None), |(left, right)| (left, Some(right)));
    let own_address = id.split_once('#').map_or(id, |(address, _)| address);
    without_kind(address) == without_kind(own_address)
        && fragment.is_none_or(|fragment| is_name(fragment) || is_version(fragment))
}

/// Strips the kind of source and a final slash: `path+file:///a/` and `file:///a` mean the same
/// place.
fn without_kind(address: &str) -> &str {
    let address = match address.split_once('+') {
        Some((kind, rest)) if !kind.contains("://") => rest,
        _ => address,
    };
    address.trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ID: &str = "path+file:///home/me/code/sort#0.1.12";

    fn matches(spec: &str) -> bool {
        super::matches(spec, "sort-fast", "0.1.12", ID)
    }

    #[test]
    fn names_and_versions() {
        for spec in ["sort-fast", "sort-fast@0.1.12", "sort-fast@0.1", "sort-fast@0", "sort-fast:0.1.12"] {
            assert!(matches(spec), "{spec}");
        }
        for spec in ["sort", "sort_fast", "sort-fast@0.1.1", "sort-fast@0.2", "sort-fast@", "Sort-fast", ""] {
            assert!(!matches(spec), "{spec}");
        }
    }

    #[test]
    fn patterns() {
        let package = crate::cargo::fixture::package("sort-fast", &[], &json!({}), &json!([]));
        let matches = |spec| matching(&[&package], spec).map(|packages| !packages.is_empty());
        for spec in ["sort-*", "*", "sort?fast", "[rs]ort-fast"] {
            assert!(matches(spec).unwrap(), "{spec}");
        }
        assert!(!matches("fast-*").unwrap());
        assert!(matches!(matches("[a"), Err(Error::Pattern { .. })));
    }

    #[test]
    fn addresses() {
        for spec in [
            ID,
            "path+file:///home/me/code/sort",
            "file:///home/me/code/sort",
            "file:///home/me/code/sort/#sort-fast",
            "file:///home/me/code/sort#sort-fast@0.1",
        ] {
            assert!(matches(spec), "{spec}");
        }
        for spec in
            ["file:///home/me/code", "file:///home/me/code/sort#0.2.0", "file:///home/me/code/sort#other@0.1"]
        {
            assert!(!matches(spec), "{spec}");
        }
    }
}
