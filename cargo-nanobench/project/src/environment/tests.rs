//! Tests of the environment.

use super::*;
use std::fs;

#[test]
fn rustc_is_parsed() {
    let text = "rustc 1.95.0 (59807616e 2026-04-14)\nbinary: rustc\ncommit-hash: 59807616e1\n\
                commit-date: 2026-04-14\nhost: x86_64-unknown-linux-gnu\nrelease: 1.95.0\n";
    let rustc = Rustc::parse(text).unwrap();
    assert_eq!(rustc.version, "rustc 1.95.0 (59807616e 2026-04-14)");
    assert_eq!(rustc.host.as_deref(), Some("x86_64-unknown-linux-gnu"));
    assert_eq!(rustc.commit.as_deref(), Some("59807616e1"));
    let packaged = Rustc::parse("rustc 1.89.0\ncommit-hash: unknown\n").unwrap();
    assert_eq!((packaged.host, packaged.commit), (None, None));
    assert_eq!(Rustc::parse("sccache 1.0\n"), None);
    assert_eq!(Rustc::parse(""), None);
}

#[test]
fn checkout_is_parsed() {
    let clean =
        "# branch.oid 3f2a91c0\0# branch.head main\0# branch.upstream origin/main\0# branch.ab +0 -0\0";
    let commit = |dirty| Checkout { hash: "3f2a91c0".to_owned(), branch: Some("main".to_owned()), dirty };
    assert_eq!(Checkout::parse(clean), Some(commit(false)));
    let files = "1 .M N... 100644 100644 100644 1a 1a a b.rs\0u UU N... 100644 100644 100644 100644 1a 2a 3a c\0\
                 1 .M SC.. 160000 160000 160000 1a 1a part\0";
    assert_eq!(Checkout::parse(&format!("{clean}{files}")), Some(commit(true)));
    let detached = Checkout::parse("# branch.oid 3f2a91c0\0# branch.head (detached)\0").unwrap();
    assert_eq!(detached.branch, None);
    assert_eq!(Checkout::parse("# branch.oid (initial)\0# branch.head main\0"), None);
    assert_eq!(Checkout::parse(""), None);
}

#[test]
fn a_repository_has_a_checkout() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"];
        output(Command::new("git").args(identity).args(arguments).current_dir(folder.path()))
    };
    if git(&["init", "-q", "-b", "trunk"]).is_err() {
        return; // There is no git on this machine.
    }
    let file = folder.path().join("a.txt");
    fs::write(&file, "one").unwrap();
    assert_eq!(Checkout::query(folder.path()), Ok(None));
    git(&["add", "."]).unwrap();
    git(&["commit", "-q", "-m", "first"]).unwrap();
    let hash = git(&["rev-parse", "HEAD"]).unwrap().trim().to_owned();
    fs::write(folder.path().join("untracked"), "").unwrap();
    let clean = Checkout { hash, branch: Some("trunk".to_owned()), dirty: false };
    assert_eq!(Checkout::query(folder.path()), Ok(Some(clean.clone())));
    fs::write(&file, "other").unwrap();
    let dirty = Checkout::query(folder.path()).unwrap().unwrap();
    assert_eq!(dirty, Checkout { dirty: true, ..clean });
}

#[test]
fn git_fails_in_a_repository_only() {
    if output(Command::new("git").arg("--version")).is_err() {
        return; // There is no git on this machine.
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Checkout::query(folder.path()), Ok(None));
    fs::write(folder.path().join(".git"), "no repository").unwrap();
    let member = folder.path().join("member");
    fs::create_dir(&member).unwrap();
    let error = Checkout::query(&member).unwrap_err();
    assert!(error.to_string().contains("gitfile"), "{error}");
}

#[test]
fn an_environment_survives_a_round_trip_through_json() {
    let folder = tempfile::tempdir().unwrap();
    let environment = Environment {
        profile: Some("bench".to_owned()),
        profile_settings: Some(vec!["lto=fat".to_owned()]),
        features: vec!["simd".to_owned()],
        context: vec![KeyValue { key: "rack".to_owned(), value: "7".to_owned() }],
        ..Environment::probe(
            folder.path(),
            Some("rustc 1.95.0 (59807616e 2026-04-14)\nhost: x86_64-unknown-linux-gnu"),
        )
    };
    assert!(environment.target.is_some());
    assert!(environment.rustc.as_ref().is_some_and(|rustc| rustc.version.starts_with("rustc ")));
    assert!(environment.cores.is_some_and(|cores| cores > 0));
    let json = serde_json::to_string(&environment).unwrap();
    assert_eq!(serde_json::from_str::<Environment>(&json).unwrap(), environment);
}

#[test]
fn missing_and_unknown_fields_are_accepted() {
    let environment: Environment = serde_json::from_str(r#"{"cores": 2, "moon": {"phase": 3}}"#).unwrap();
    assert_eq!(environment, Environment { cores: Some(2), ..Environment::default() });
}
