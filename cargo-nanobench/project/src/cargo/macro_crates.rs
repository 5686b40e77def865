//! Crates of the workspace whose macros may write benchmarks. A target that uses one of them may have
//! benchmarks without a mention of nanobench.

use super::kind::Kind;
use super::suites;
use super::unresolved::LIBRARY;
use cargo_metadata::{DependencyKind, Package};

/// The members with a normal dependency on nanobench, on a library in its place, or on another one of them.
#[derive(Debug)]
pub(super) struct MacroCrates<'a>(Vec<&'a Package>);

impl<'a> MacroCrates<'a> {
    pub(super) fn find(members: &[&'a Package]) -> MacroCrates<'a> {
        let mut found = MacroCrates(Vec::new());
        loop {
            let is_new = |member: &&&Package| {
                let mut normal =
                    member.dependencies.iter().filter(|dependency| dependency.kind == DependencyKind::Normal);
                !found.has(&member.name)
                    && normal
                        .any(|it| it.name == LIBRARY || suites::is_runtime(&it.name) || found.has(&it.name))
            };
            let new: Vec<&Package> = members.iter().filter(is_new).copied().collect();
            if new.is_empty() {
                return found;
            }
            found.0.extend(new);
        }
    }

    /// Returns the names of these crates in the targets of a package: those that it depends on, and its
    /// own library.
    pub(super) fn names_in(&self, package: &Package) -> Vec<String> {
        let own = package.name.to_string();
        let dependencies =
            package.dependencies.iter().map(|dependency| (dependency.rename.clone(), &dependency.name));
        let all = dependencies.chain([(None, &own)]);
        let name = |(rename, name): (Option<String>, &String)| {
            let member = self.0.iter().find(|member| member.name.as_str() == name)?;
            let is_library = |target: &&_| Kind::from_target(target) == Some(Kind::Lib);
            let name = rename.or_else(|| Some(member.targets.iter().find(is_library)?.name.clone()))?;
            Some(name.replace('-', "_"))
        };
        all.filter_map(name).collect()
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|member| member.name.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::fixture::{dependency, package, target};
    use serde_json::json;

    #[test]
    fn macros_come_from_crates_with_a_normal_dependency_on_nanobench() {
        let named = |name: &str, dependencies: &[(&str, serde_json::Value)]| {
            let dependencies: Vec<_> =
                dependencies.iter().map(|(name, fields)| dependency(name, fields)).collect();
            package(name, &[target("lib", name)], &json!({}), &json!(dependencies))
        };
        let (normal, dev) = (|| json!({}), || json!({ "kind": "dev" }));
        let facade = named("fa-cade", &[("kit", normal())]);
        let kit = named("kit", &[(LIBRARY, normal())]);
        let tested =
            named("tested", &[(LIBRARY, dev()), ("kit", json!({ "kind": "dev", "rename": "my-kit" }))]);
        let user = named("user", &[("tested", normal()), ("fa-cade", dev())]);
        let all = [&facade, &kit, &tested, &user];
        let names = all.map(|member| MacroCrates::find(&all).names_in(member));
        let expected: [&[&str]; 4] = [&["kit", "fa_cade"], &["kit"], &["my_kit"], &["fa_cade"]];
        assert_eq!(names, expected);
    }
}
