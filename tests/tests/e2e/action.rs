//! The scripts of the action for GitHub, with a repository, a tool and an API that are made for the
//! test. `against` runs one of them with the real tool.
#![cfg(unix)]

mod api;
mod install;

use api::Api;
use nanobench_tests::git;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Texts that would be code in a script, or markup, a mention or a link in a comment.
const HOSTILE: &str = "</code><script>$(touch pwned)`touch pwned`';touch pwned;'\" @user #1 ::error::x";

/// Returns a script of the action, with only these variables and those of the system.
fn script(name: &str, folder: &Path, variables: &[(&str, &str)]) -> Command {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../action").join(name);
    let mut command = Command::new("bash");
    command.arg(script).current_dir(folder).env_clear();
    for name in ["PATH", "HOME"] {
        command.env(name, std::env::var_os(name).unwrap_or_default());
    }
    command.envs(variables.iter().copied());
    command
}

fn run(mut command: Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Runs `action/comment` for the pull request 7.
fn comment(api: &Api, folder: &Path, name: &str) -> String {
    let event = json!({"pull_request": {"number": 7, "title": HOSTILE}});
    fs::write(folder.join("event.json"), event.to_string()).expect("a file");
    let variables = [
        ("GITHUB_EVENT_PATH", "event.json"),
        ("GITHUB_API_URL", &api.url),
        ("GITHUB_SERVER_URL", "https://github.test"),
        ("GITHUB_REPOSITORY", "owner/name"),
        ("GITHUB_RUN_ID", "5"),
        ("GITHUB_WORKFLOW", "CI"),
        ("GITHUB_JOB", "bench"),
        ("AUTHOR", "github-actions[bot]"),
        ("TOKEN", "secret"),
        ("NAME", name),
        ("FOLDER", &folder.to_string_lossy()),
    ];
    let output = run(script("comment", folder, &variables));
    assert!(output.status.success(), "{output:?}");
    assert!(!folder.join("pwned").exists());
    String::from_utf8(output.stderr).expect("text")
}

/// Returns whether a program that the script needs is missing, and prints that.
fn lacks_programs() -> bool {
    let is_missing = |program: &&str| Command::new(program).arg("--version").output().is_err();
    let missing = ["bash", "jq", "curl", "git"].into_iter().find(is_missing);
    missing.inspect(|program| eprintln!("SKIPPED: there is no {program}")).is_some()
}

#[test]
fn a_comment_is_written_once_and_then_updated() {
    if lacks_programs() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let api = Api::start(150, 200);
    let report = |text: &str| fs::write(folder.path().join("report.md"), text).unwrap();

    report("### Benchmarks: 1 slower\n");
    assert_eq!(comment(&api, folder.path(), ""), "");
    let first = api.comments()[150].clone();
    let body = first["body"].as_str().unwrap();
    assert!(body.contains("\n### Benchmarks: 1 slower\n"), "{body}");
    assert!(body.contains("(https://github.test/owner/name/actions/runs/5)"), "{body}");

    // Anyone can copy the first line of the comment, and then change their own.
    api.edit(3, body);
    report("### Benchmarks: 2 slower\n");
    comment(&api, folder.path(), "");
    let comments = api.comments();
    assert_eq!(comments.len(), 151);
    assert!(comments[150]["body"].as_str().unwrap().contains("2 slower"));
    assert_eq!(comments[3]["body"], *body);

    comment(&api, folder.path(), HOSTILE);
    comment(&api, folder.path(), HOSTILE);
    assert_eq!(api.comments().len(), 152, "one for each name");
    let body = api.comments()[151]["body"].as_str().unwrap().to_owned();
    let name = body.lines().nth(1).unwrap();
    let escaped = HOSTILE.chars().map(|c| format!("&#{};", u32::from(c))).collect::<String>();
    assert_eq!(name, format!("<code>{escaped}</code>"));
    assert!(!body.contains("@user") && !body.contains("script"), "{body}");

    report(&"a line of a long report\n".repeat(10_000));
    comment(&api, folder.path(), "");
    let body = api.comments()[150]["body"].as_str().unwrap().to_owned();
    assert!((60_000..65_536).contains(&body.len()) && body.ends_with("\na line of a long report\n"));
    let link = "[the summary of this run](https://github.test/owner/name/actions/runs/5)";
    assert!(body.lines().nth(1).unwrap().contains(link), "{body:.300}");

    fs::remove_file(folder.path().join("report.md")).unwrap();
    comment(&api, folder.path(), "");
    assert!(api.comments()[150]["body"].as_str().unwrap().contains("### Benchmarks: the run failed"));
}

#[test]
fn a_token_that_may_not_comment_fails_nothing() {
    if lacks_programs() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (status, expected) in [(403, "::notice "), (500, "::warning ")] {
        let api = Api::start(0, status);
        let said = comment(&api, folder.path(), "");
        assert!(said.starts_with(expected) && said.lines().count() == 1, "{said}");
        assert!(api.comments().is_empty());
    }
}

/// A clone of a repository in which a branch left `main` at a commit.
struct Clone {
    folder: TempDir,
    base: String,
}

impl Clone {
    fn new() -> Clone {
        let folder = tempfile::tempdir().expect("a folder");
        let origin = folder.path().join("origin");
        fs::create_dir(&origin).expect("a folder");
        git(&origin, "init --quiet --initial-branch main");
        let commit = |name: &str| git(&origin, &format!("commit --quiet --allow-empty --message {name}"));
        commit("first");
        git(&origin, "branch old");
        commit("base");
        let base = git(&origin, "rev-parse HEAD");
        git(&origin, "branch work");
        commit("later");
        git(&origin, "checkout --quiet work");
        commit("change");
        // As GitHub allows it.
        git(&origin, "config uploadpack.allowAnySHA1InWant true");
        let tool = folder.path().join("tool");
        let noted = "printf '%s\\n' \"$@\" >\"$RUNNER_TEMP/arguments\"\nprintf %s \"$NANOBENCH_CACHE\" >\"$RUNNER_TEMP/cache\"";
        fs::write(&tool, format!("#!/bin/sh\n{noted}\nexit 3\n")).expect("a file");
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).expect("permissions");
        Clone { folder, base }
    }

    /// Clones the branch with these options, and returns the arguments of the tool.
    fn compare(&self, options: &str, variables: &[(&str, &str)]) -> Vec<String> {
        let output = self.run(options, variables);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let outputs = fs::read_to_string(self.folder.path().join("outputs")).expect("outputs");
        assert!(outputs.starts_with("folder=/") && outputs.ends_with("\nexit-code=3\n"), "{outputs}");
        let arguments = fs::read_to_string(self.folder.path().join("arguments")).expect("arguments");
        arguments.lines().map(str::to_owned).collect()
    }

    /// Clones the branch with these options, and compares it.
    fn run(&self, options: &str, variables: &[(&str, &str)]) -> Output {
        let folder = self.folder.path();
        let clone = folder.join("clone");
        let _ = fs::remove_dir_all(&clone);
        let origin = folder.join("origin");
        git(folder, &format!("clone --quiet --branch work {options} file://{} clone", origin.display()));
        let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let (tool, temp, outputs) = (path("tool"), path(""), path("outputs"));
        let empty = ["AGAINST", "FAIL_ON", "FAIL_ABOVE", "ARGUMENTS", "BEFORE"].map(|name| (name, ""));
        let given = [
            ("TOOL", &*tool),
            ("RUNNER_TEMP", &temp),
            ("GITHUB_OUTPUT", &outputs),
            ("DEFAULT_BRANCH", "main"),
        ];
        let variables: Vec<(&str, &str)> = empty.iter().chain(&given).chain(variables).copied().collect();
        let output = run(script("compare", &clone, &variables));
        assert!(!clone.join("pwned").exists());
        output
    }
}

#[test]
fn a_pull_request_is_compared_with_the_commit_at_which_it_left_its_target() {
    if lacks_programs() {
        return;
    }
    let clone = Clone::new();
    let against = format!("--against={}", clone.base);
    let target = [("GITHUB_BASE_REF", "main")];
    for depth in ["", "--depth 1"] {
        let arguments = clone.compare(depth, &target);
        assert_eq!(arguments[..4], ["nanobench", &against, "--output", "github"], "{depth}");
        assert_eq!(clone.compare(depth, &[])[1], against, "the previous commit {depth}");
    }
    let inputs = [
        ("AGAINST", HOSTILE),
        ("FAIL_ON", "slower,removed"),
        ("FAIL_ABOVE", "5%"),
        ("ARGUMENTS", "--bench\r\n\na b $(touch pwned)\n"),
    ];
    let arguments = clone.compare("", &inputs);
    assert_eq!(arguments[1], format!("--against={HOSTILE}"));
    let expected = ["--fail-on=slower,removed", "--fail-above=5%", "--bench", "a b $(touch pwned)"];
    assert_eq!(arguments[arguments.len() - 4..], expected);
}

#[test]
fn a_push_is_compared_with_what_was_there_before() {
    if lacks_programs() {
        return;
    }
    let clone = Clone::new();
    let old = git(&clone.folder.path().join("origin"), "rev-parse old");
    let none = "0".repeat(40);
    for depth in ["", "--depth 1", "--single-branch"] {
        let pushed = clone.compare(depth, &[("BEFORE", &old)]);
        assert_eq!(pushed[1], format!("--against={old}"), "{depth}");
        let created = |kind, name, default| {
            let variables = [
                ("BEFORE", &*none),
                ("GITHUB_REF_TYPE", kind),
                ("GITHUB_REF_NAME", name),
                ("DEFAULT_BRANCH", default),
            ];
            clone.compare(depth, &variables)[1].clone()
        };
        let against = format!("--against={}", clone.base);
        assert_eq!(created("branch", "work", "main"), against, "{depth}");
        // Not with itself.
        assert_eq!(created("tag", "v1", "work"), against, "the previous commit {depth}");
    }
    let gone = clone.run("", &[("BEFORE", &"1".repeat(40))]);
    assert_eq!(gone.status.code(), Some(2), "{gone:?}");
    assert!(String::from_utf8_lossy(&gone.stderr).contains("Set the input `against`"), "{gone:?}");
}

#[test]
fn a_shallow_clone_whose_history_is_out_of_reach_is_an_error() {
    if lacks_programs() {
        return;
    }
    let clone = Clone::new();
    let unreachable = [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "url./nowhere.insteadOf"),
        ("GIT_CONFIG_VALUE_0", "file://"),
        ("GITHUB_BASE_REF", "main"),
    ];
    let output = clone.run("--depth 1 --no-single-branch", &unreachable);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("`fetch-depth: 0`"), "{output:?}");
}

#[test]
fn a_checkout_of_another_user_is_trusted() {
    if lacks_programs() {
        return;
    }
    let clone = Clone::new();
    let home = clone.folder.path().to_str().expect("a path in UTF-8");
    let variables = [("HOME", home), ("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1"), ("GITHUB_BASE_REF", "main")];
    assert_eq!(clone.compare("", &variables)[1], format!("--against={}", clone.base));
}

#[test]
fn builds_are_cached_for_each_set_of_flags() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let keys = |flags: &str| {
        let path = folder.path().join("outputs");
        let _ = fs::remove_file(&path);
        let (action, outputs) = (root.to_string_lossy(), path.to_string_lossy());
        let variables =
            [("GITHUB_ACTION_PATH", &*action), ("GITHUB_OUTPUT", &*outputs), ("RUSTFLAGS", flags)];
        let output = run(script("key", folder.path(), &variables));
        assert!(output.status.success(), "{output:?}");
        fs::read_to_string(&path).expect("outputs")
    };
    let portable = keys("");
    let names: Vec<&str> = portable.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    assert_eq!(names, ["key", "target"]);
    assert_eq!(keys(""), portable);
    let native = keys("-C target-cpu=native");
    assert!(native.lines().zip(portable.lines()).all(|(one, other)| one != other), "{native}{portable}");
}

#[test]
fn the_folder_of_revisions_is_cached_unless_the_job_names_one() {
    if lacks_programs() {
        return;
    }
    let clone = Clone::new();
    let home = clone.folder.path().to_str().expect("a path in UTF-8");
    for (variables, expected) in [
        (&[("HOME", home)][..], format!("{home}/.nanobench")),
        (&[("NANOBENCH_CACHE", "/own")], "/own".to_owned()),
    ] {
        clone.compare("", variables);
        assert_eq!(fs::read_to_string(clone.folder.path().join("cache")).expect("a folder"), expected);
    }
    assert!(action().lines().any(|line| line.trim() == "~/.nanobench"));
}

fn action() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../action.yml")).expect("a file")
}

#[test]
fn inputs_are_no_part_of_a_script() {
    let comment = Path::new(env!("CARGO_MANIFEST_DIR")).join("../comment/action.yml");
    let actions = action() + &fs::read_to_string(comment).expect("a file");
    let scripts: Vec<&str> = actions.lines().filter(|line| line.trim_start().starts_with("run:")).collect();
    assert_eq!(scripts.len(), 4);
    for script in scripts {
        let path = script.trim_start().strip_prefix("run: bash \"$GITHUB_ACTION_PATH/");
        assert!(path.is_some_and(|path| path.trim_start_matches("../").starts_with("action/")), "{script}");
    }
}

#[test]
fn the_job_that_runs_code_has_no_token() {
    assert!(!action().contains("token"));
}

/// Returns a comment as the API lists it.
fn of_somebody(number: usize) -> Value {
    json!({"user": {"login": "somebody"}, "id": number, "body": HOSTILE})
}
