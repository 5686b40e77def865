use nanobench::nanobench;
use semver::{Version, VersionReq};

#[nanobench(args = ["1.0.0", "1.2.3-alpha.1+build.5", "10.20.30"])]
fn version(text: &str) -> Version {
    text.parse().unwrap()
}

#[nanobench(args = ["*", "^1.2.3", ">=1.2.3, <1.8.0"])]
fn requirement(text: &str) -> VersionReq {
    text.parse().unwrap()
}

fn pair() -> (VersionReq, Version) {
    (">=1.2.3, <1.8.0".parse().unwrap(), "1.4.0".parse().unwrap())
}

#[nanobench(fixture = pair)]
fn matches((requirement, version): &(VersionReq, Version)) -> bool {
    requirement.matches(version)
}

#[nanobench(fixture = pair)]
fn print((requirement, version): &(VersionReq, Version)) -> String {
    format!("{requirement} {version}")
}

fn versions() -> Vec<Version> {
    (0..100).map(|k| Version::new(k * 7 % 5, k * 31 % 11, k)).collect()
}

#[nanobench(setup = versions)]
fn sort(versions: &mut [Version]) {
    versions.sort();
}
