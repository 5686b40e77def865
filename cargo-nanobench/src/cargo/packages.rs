//! Which packages, by cargo's rules: `-p`, `--workspace`, `--exclude`, or what the manifest stands for.

use cargo_metadata::Package;
use glob::Pattern;

use super::{Error, Project};
use crate::suggest;

/// The packages that the flags select.
#[derive(Debug)]
pub(super) struct Packages<'a> {
    pub(super) selected: Vec<&'a Package>,
    pub(super) warnings: Vec<String>,
}

/// Selects packages as cargo does. As in cargo, `--workspace` outweighs `-p`.
pub(super) fn select<'a>(project: &'a Project, flags: &clap_cargo::Workspace) -> Result<Packages<'a>, Error> {
    let members = project.members();
    let everything = flags.workspace || flags.all;
    if !flags.exclude.is_empty() && !everything {
        return Err(Error::ExcludeAlone);
    }
    let mut packages = Packages { selected: Vec::new(), warnings: Vec::new() };
    packages.selected = if everything {
        let mut excluded: Vec<&Package> = Vec::new();
        for text in &flags.exclude {
            let found = matches(&members, text)?;
            if found.is_empty() {
                let root = project.root().display();
                packages.warnings.push(format!("excluded package `{text}` is not in the workspace {root}"));
            }
            excluded.extend(found);
        }
        members.into_iter().filter(|member| !excluded.iter().any(|package| package.id == member.id)).collect()
    } else if flags.package.is_empty() {
        project.default_members()
    } else {
        let mut selected = Vec::new();
        for text in &flags.package {
            selected.extend(known(&members, text)?);
        }
        members.into_iter().filter(|member| selected.iter().any(|package| package.id == member.id)).collect()
    };
    Ok(packages)
}

/// The one package that a command changes: `-p`, or the manifest's. `None` in the root of a virtual workspace.
pub(crate) fn single<'a>(project: &'a Project, spec: Option<&str>) -> Result<Option<&'a Package>, Error> {
    let Some(spec) = spec else {
        return Ok(match project.default_members()[..] {
            [package] => Some(package),
            _ => None,
        });
    };
    match known(&project.members(), spec)?[..] {
        [package] => Ok(Some(package)),
        ref several => Err(Error::AmbiguousPackage {
            spec: spec.to_owned(),
            names: several.iter().map(|p| p.name.to_string()).collect(),
        }),
    }
}

/// The names of all members.
pub(crate) fn names(project: &Project) -> Vec<String> {
    project.members().iter().map(|package| package.name.to_string()).collect()
}

/// The packages that a spec or pattern means: at least one.
fn known<'a>(members: &[&'a Package], text: &str) -> Result<Vec<&'a Package>, Error> {
    let found = matches(members, text)?;
    if found.is_empty() {
        let names = members.iter().map(|package| package.name.as_str());
        return Err(Error::UnknownPackage { spec: text.to_owned(), hint: suggest::hint(text, names) });
    }
    Ok(found)
}

fn matches<'a>(members: &[&'a Package], text: &str) -> Result<Vec<&'a Package>, Error> {
    let spec = Spec::parse(text)?;
    let matching =
        |member: &&&Package| spec.matches(&member.name, &member.version.to_string(), &member.id.repr);
    Ok(members.iter().filter(matching).copied().collect())
}

/// A package as it is written after `-p`.
#[derive(Debug)]
enum Spec {
    /// `sort-*`
    Glob(Pattern),
    /// `path+file:///home/me/sort#0.1.0`, `file:///home/me/sort`
    Url { address: String, fragment: Option<String> },
    /// `sort`, `sort@0.1`
    Name { name: String, version: Option<String> },
}

impl Spec {
    fn parse(text: &str) -> Result<Self, Error> {
        if text.contains("://") {
            let (address, fragment) = match text.split_once('#') {
                Some((address, fragment)) => (address, Some(fragment.to_owned())),
                None => (text, None),
            };
            return Ok(Self::Url { address: without_kind(address).to_owned(), fragment });
        }
        if text.contains(['*', '?', '[', ']']) {
            return pattern(text).map(Self::Glob);
        }
        let (name, version) = match text.split_once(['@', ':']) {
            Some((name, version)) => (name, Some(version.to_owned())),
            None => (text, None),
        };
        Ok(Self::Name { name: name.to_owned(), version })
    }

    fn matches(&self, name: &str, version: &str, id: &str) -> bool {
        match self {
            Self::Glob(pattern) => pattern.matches(name),
            Self::Name { name: wanted, version: None } => wanted == name,
            Self::Name { name: wanted, version: Some(part) } => wanted == name && is_version(part, version),
            Self::Url { address, fragment } => {
                let own_address = id.split_once('#').map_or(id, |(address, _)| address);
                without_kind(own_address).trim_end_matches('/') == address.trim_end_matches('/')
                    && fragment.as_deref().is_none_or(|fragment| match fragment.split_once(['@', ':']) {
                        Some((wanted, part)) => wanted == name && is_version(part, version),
                        None => fragment == name || is_version(fragment, version),
                    })
            }
        }
    }
}

/// A pattern with `*`, `?` or `[..]`, as cargo takes them.
pub(super) fn pattern(text: &str) -> Result<Pattern, Error> {
    Pattern::new(text).map_err(|error| Error::Pattern { text: text.to_owned(), message: error.msg })
}

/// `path+file://..` and `file://..` are the same place.
fn without_kind(address: &str) -> &str {
    match address.split_once('+') {
        Some((kind, rest)) if !kind.contains("://") => rest,
        _ => address,
    }
}

/// Whether `part` is `version`, or the first numbers of it.
fn is_version(part: &str, version: &str) -> bool {
    version == part || version.strip_prefix(part).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "path+file:///home/me/code/sort#0.1.12";

    fn matches(spec: &str) -> bool {
        Spec::parse(spec).unwrap().matches("sort-fast", "0.1.12", ID)
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
        for spec in ["sort-*", "*", "sort?fast", "[rs]ort-fast"] {
            assert!(matches(spec), "{spec}");
        }
        assert!(!matches("fast-*"));
        assert!(matches!(Spec::parse("[a"), Err(Error::Pattern { .. })));
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
