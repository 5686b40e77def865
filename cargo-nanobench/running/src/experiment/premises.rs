//! The premises of a comparison: what a verdict rests on besides the code and the data of the two
//! executables. Whatever spares a benchmark a run, or says that nothing changed, asks them.
//!
//! A benchmark has those that its code can get at ([`Access`]), so a function that computes has
//! hardly any.

use crate::code::{Access, Exception};
use serde::Serialize;
use std::fmt::{self, Display};

/// Something outside of the two executables, and what is known about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Premise {
    pub subject: Subject,
    #[serde(flatten)]
    pub state: State,
}

/// The subject of a premise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The packages outside of the repository that it is built from.
    Packages,
    /// The libraries that the loader loads for the executable.
    Libraries,
    /// The programs that the benchmark may start, and the libraries that it may open.
    Programs,
    /// The files whose names are in the executable.
    NamedFiles,
    /// All other files of the project: the code may put names together.
    OtherFiles,
    /// The names of files in folders, and the contents of those that git doesn't track.
    Folders,
    /// The variables of the environment that are named in the executable.
    Variables,
    /// The variables that every program reads.
    VariablesOfAll,
    /// The path of the tree, which a call of the system takes time to follow.
    Path,
    /// What other calls of the system lead to: servers, shared memory.
    System,
}

/// What is known about the subject on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", content = "detail", rename_all = "snake_case")]
pub enum State {
    Equal,
    /// These differ, and each side gets its own when it runs.
    Separate(Vec<String>),
    /// These differ or may differ, and when both sides run, they get the same.
    Shared(Vec<String>),
    /// Nobody knows, for this reason.
    Unknown(Unknown),
}

/// The reason why nobody knows whether something is equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unknown {
    /// A run didn't note it, or couldn't find it in time.
    NotNoted,
    /// There are too many files to look at, or git lacks the commit of a side.
    NoCommit,
    /// The benchmark calls the system for it.
    Calls,
}

impl Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unknown::NotNoted => "a run didn't note it",
            Unknown::NoCommit => "git can't tell which files have changed",
            Unknown::Calls => "it calls the system for more than files and variables",
        })
    }
}

impl Display for Premise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (subject, ..) = self.subject.words();
        match &self.state {
            State::Equal => write!(f, "{subject}: equal"),
            State::Separate(names) => write!(f, "{subject}: each side has its own {}", names.join(", ")),
            State::Shared(names) => write!(f, "{subject}: both sides get the new {}", names.join(", ")),
            State::Unknown(reason) => write!(f, "{subject}: unknown, as {reason}"),
        }
    }
}

/// The premises of a comparison of one benchmark.
#[derive(Debug, Clone, Copy, Default)]
pub struct Premises<'a> {
    /// Those of a benchmark that can get at anything.
    all: &'a [Premise],
    /// `None` until its code was read.
    access: Option<Access>,
}

impl<'a> Premises<'a> {
    /// Creates the premises of a benchmark whose code was not read yet.
    pub fn new(all: &'a [Premise]) -> Premises<'a> {
        Premises { all, access: None }
    }

    /// Returns those of a benchmark with this access.
    pub(super) fn of(self, access: Access) -> Premises<'a> {
        Premises { access: Some(access), ..self }
    }

    /// Returns whether a benchmark could get at anything that differs or, if that counts, is unknown.
    pub(super) fn may_differ(self, counts_unknown: bool) -> bool {
        self.all.iter().any(|premise| match premise.state {
            State::Equal => false,
            State::Separate(_) | State::Shared(_) => true,
            State::Unknown(_) => counts_unknown,
        })
    }

    /// Returns those of a benchmark whose code was read.
    pub(super) fn known(self) -> Vec<Premise> {
        self.access.map_or_else(Vec::new, |_| self.iter().cloned().collect())
    }

    fn iter(self) -> impl Iterator<Item = &'a Premise> {
        self.all
            .iter()
            .filter(move |premise| self.access.is_none_or(|access| premise.subject.is_within(access)))
    }

    /// Returns whether everything is known to be the same on both sides.
    pub(super) fn are_equal(self) -> bool {
        self.iter().all(|premise| premise.state == State::Equal)
    }

    /// Returns those that keep both sides from running side by side: neither would get its own.
    pub(super) fn shared(self) -> Vec<Premise> {
        self.iter().filter(|premise| matches!(premise.state, State::Shared(_))).cloned().collect()
    }

    /// Returns the packages that both sides share, if any.
    pub(super) fn shared_packages(self) -> Option<Vec<String>> {
        self.shared().into_iter().find_map(|premise| match premise {
            Premise { subject: Subject::Packages, state: State::Shared(names) } => Some(names),
            _ => None,
        })
    }

    /// Returns the reason if both sides of a benchmark whose code was read may read something new, and nobody
    /// knows.
    pub(super) fn unknown_inputs(self) -> Option<Unknown> {
        self.access?;
        self.iter().find_map(|premise| match premise.state {
            State::Unknown(reason @ Unknown::NoCommit) => Some(reason),
            _ => None,
        })
    }

    /// Returns whether a benchmark whose code was read may get at something new that nobody knows: what it
    /// calls the system for, or files where nobody looks.
    pub(super) fn reach_unknown(self) -> bool {
        self.access.is_some_and(|it| it.reads_files || it.runs_files || it.lists_folders)
            || self.access.is_some() && self.iter().any(|it| matches!(it.state, State::Unknown(_)))
    }

    /// Returns whether the two sides have paths that may take different times to follow.
    pub(super) fn has_other_path(self) -> bool {
        let is_other = |premise: &Premise| premise.subject == Subject::Path && premise.state != State::Equal;
        self.access.is_some() && self.iter().any(is_other)
    }

    /// Returns what may explain a change although the code is the same.
    pub(super) fn exception(self) -> Option<Exception> {
        // A path explains little.
        let is_other = |premise: &&Premise| {
            matches!(premise.state, State::Separate(_)) && premise.subject != Subject::Path
        };
        let (.., exception) = self.iter().find(is_other)?.subject.words();
        Some(exception)
    }
}

impl Premise {
    pub fn new(subject: Subject, state: State) -> Premise {
        Premise { subject, state }
    }
}

impl State {
    /// Returns the state if these differ, of which both sides get the same.
    pub fn shared(names: Vec<String>) -> State {
        if names.is_empty() { State::Equal } else { State::Shared(names) }
    }

    /// Returns the state if these differ, of which each side gets its own.
    pub fn separate(names: Vec<String>) -> State {
        if names.is_empty() { State::Equal } else { State::Separate(names) }
    }
}

impl Subject {
    /// Returns whether a benchmark with this access can get at it.
    fn is_within(self, access: Access) -> bool {
        match self {
            Subject::Packages | Subject::Libraries | Subject::VariablesOfAll => true,
            Subject::Programs => access.runs_files,
            // Programs read files, too.
            Subject::NamedFiles | Subject::OtherFiles => access.reads_files || access.runs_files,
            Subject::Folders => access.lists_folders,
            Subject::Variables => access.reads_variables,
            Subject::Path => access.reads_files || access.asks_for_folder,
            Subject::System => access.calls_others,
        }
    }

    /// Returns its name, the verb for what a benchmark does with it, and the exception if it differs.
    fn words(self) -> (&'static str, &'static str, Exception) {
        use Exception::{Files, Libraries, Programs, Variables};
        match self {
            Subject::Packages => ("packages outside of the repository", "load", Libraries),
            Subject::Libraries => ("libraries", "load", Libraries),
            Subject::Programs => ("programs", "run", Programs),
            Subject::NamedFiles => ("named files", "read", Files),
            Subject::OtherFiles => ("other files", "read", Files),
            Subject::Folders => ("folders", "list", Files),
            Subject::Variables => ("variables", "read", Variables),
            Subject::VariablesOfAll => ("variables that all programs read", "read", Variables),
            Subject::Path => ("path of the tree", "read", Files),
            Subject::System => ("other calls of the system", "read", Files),
        }
    }

    fn verb(self) -> &'static str {
        self.words().1
    }
}

/// Returns what both sides would get although it differs, three names at most of each kind: `run the new cli
/// and read the new a.txt`. `article`: what stands before the names.
pub(super) fn uses(premises: &[Premise], article: &str) -> String {
    let mut verbs: Vec<&str> = premises.iter().map(|premise| premise.subject.verb()).collect();
    verbs.dedup();
    let use_of = |verb: &str| {
        let names = names(premises.iter().filter(|premise| premise.subject.verb() == verb));
        let (first, others) = names.split_at(names.len().min(3));
        let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        format!("{verb} {article}{}{more}", first.join(", "))
    };
    verbs.into_iter().map(use_of).collect::<Vec<_>>().join(" and ")
}

/// Returns the end of a sentence about what both sides would get.
pub(super) fn have_changed(premises: &[Premise]) -> &'static str {
    if names(premises.iter()).len() == 1 { "has changed since" } else { "have changed since" }
}

/// Returns what these premises name, each once.
fn names<'a>(premises: impl Iterator<Item = &'a Premise>) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    for premise in premises {
        let known = all.clone();
        let names = match &premise.state {
            State::Separate(names) | State::Shared(names) => &names[..],
            State::Equal | State::Unknown(_) => &[],
        };
        all.extend(names.iter().map(String::as_str).filter(|name| !known.contains(name)));
    }
    all
}
