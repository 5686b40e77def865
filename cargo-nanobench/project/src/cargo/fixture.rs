//! Packages for unit tests, as `cargo metadata` describes them.

use cargo_metadata::{Package, Target};
use serde_json::{Value, json};

/// Creates a package `name` in `/w/name`.
pub(super) fn package(name: &str, targets: &[Target], features: &Value, dependencies: &Value) -> Package {
    let package = json!({
        "name": name,
        "version": "0.1.0",
        "id": format!("path+file:///w/{name}#0.1.0"),
        "dependencies": dependencies,
        "targets": targets,
        "features": features,
        "manifest_path": format!("/w/{name}/Cargo.toml"),
    });
    serde_json::from_value(package).unwrap()
}

/// Creates a target in `/w/x/name.rs`.
pub(super) fn target(kind: &str, name: &str) -> Target {
    let target = json!({ "name": name, "kind": [kind], "src_path": format!("/w/x/{name}.rs") });
    serde_json::from_value(target).unwrap()
}

/// Creates a dependency on the member `name`. `fields` replaces or adds fields.
pub(super) fn dependency(name: &str, fields: &Value) -> Value {
    let mut dependency = json!({
        "name": name,
        "req": "*",
        "kind": null,
        "optional": false,
        "uses_default_features": true,
        "features": [],
        "path": format!("/w/{name}"),
    });
    for (field, value) in fields.as_object().unwrap() {
        dependency[field] = value.clone();
    }
    dependency
}
