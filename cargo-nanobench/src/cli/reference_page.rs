//! Makes the page `docs/reference/command-line.md` from the help, except for its introduction.
//!
//! After a change of a flag, run this test with `NANOBENCH_UPDATE_PAGE=1` to write the page.

use super::Cli;
use crate::output;
use clap::{Arg, Command, CommandFactory as _};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The line below the introduction.
const MARK: &str = "<!-- Everything below is made from the help: see cli/reference_page.rs. -->\n";

#[test]
fn the_page_on_the_command_line_is_made_from_the_help() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/command-line.md");
    let page = fs::read_to_string(&path).unwrap();
    let (introduction, _) = page.split_once(MARK).unwrap();
    let made = format!("{introduction}{MARK}{}", reference());
    if std::env::var_os("NANOBENCH_UPDATE_PAGE").is_some() {
        fs::write(&path, &made).unwrap();
        return;
    }
    let change = page.lines().zip(made.lines()).find(|(old, new)| old != new);
    assert!(page == made, "to write the page, run this test with NANOBENCH_UPDATE_PAGE=1: {change:#?}");
}

/// Returns what the help says about all commands, as Markdown.
fn reference() -> String {
    let mut cli = Cli::command();
    cli.build();
    let run = cli.find_subcommand("run").unwrap();
    let mut page = String::new();
    for command in commands(&cli) {
        describe(&mut page, command, run, "##");
    }
    for part in super::help::long().split("\n\n") {
        let (title, lines) = part.split_once(":\n").unwrap();
        write!(page, "\n## {title}\n\n```text\n{lines}\n```\n").unwrap();
    }
    page
}

/// Returns the subcommands but `help`.
fn commands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| command.get_name() != "help")
}

/// Adds a command and its subcommands to the page.
fn describe(page: &mut String, command: &Command, run: &Command, level: &str) {
    let usage = command.clone().render_usage().to_string();
    let name = command.get_bin_name().unwrap().trim_start_matches("cargo nanobench ");
    let about = command.get_long_about().or(command.get_about()).unwrap().to_string();
    let about = output::wrapped(&markdown(&about), Some(100), "");
    let usage = usage.trim_start_matches("Usage: ").replace("\n       ", "\n");
    write!(page, "\n{level} {name}\n\n{about}\n\n```text\n{usage}\n```\n").unwrap();
    let hidden = ["help", "version", "all"];
    let args: Vec<&Arg> =
        command.get_arguments().filter(|arg| !hidden.contains(&arg.get_id().as_str())).collect();
    if name == "run" {
        let place = |title: &&str| (*title == RARE, args.iter().position(|arg| heading(arg) == *title));
        let mut headings: Vec<&str> = args.iter().map(|arg| heading(arg)).collect();
        headings.sort_by_key(place);
        headings.dedup();
        for title in headings {
            let args = args.iter().copied().filter(|arg| heading(arg) == title);
            write!(page, "\n### {title}\n{}", table(args)).unwrap();
        }
    } else {
        let is_of_run = |arg: &&Arg| run.get_arguments().any(|other| row(other) == row(arg));
        let (as_in_run, own): (Vec<&Arg>, Vec<&Arg>) = args.into_iter().partition(is_of_run);
        page.push_str(&table(own.into_iter()));
        let flags = as_in_run.iter().filter_map(|arg| arg.get_long()).filter(|flag| !COMMON.contains(flag));
        let flags: Vec<String> = flags.map(|flag| format!("`--{flag}`")).collect();
        if !flags.is_empty() {
            let text = format!("As in [`run`](#run): {}.", flags.join(", "));
            write!(page, "\n{}\n", output::wrapped(&text, Some(100), "")).unwrap();
        }
    }
    for subcommand in commands(command) {
        describe(page, subcommand, run, &format!("{level}#"));
    }
}

/// Flags of `run` that every command has, as the introduction says.
const COMMON: [&str; 8] =
    ["manifest-path", "config", "locked", "offline", "frozen", "quiet", "verbose", "color"];

/// The heading of flags that the help only names.
const RARE: &str = "For rare needs";

/// Returns the heading in the page.
fn heading(arg: &Arg) -> &str {
    if arg.is_hide_set() { RARE } else { arg.get_help_heading().unwrap_or("Arguments") }
}

/// Returns a table of flags and arguments, or nothing if there are none.
fn table<'a>(args: impl Iterator<Item = &'a Arg>) -> String {
    let rows: String = args.map(row).collect();
    if rows.is_empty() { rows } else { format!("\n| option | meaning |\n|---|---|\n{rows}") }
}

/// Returns the row of a flag or an argument.
fn row(arg: &Arg) -> String {
    let short = arg.get_short().filter(|_| arg.get_long().is_some());
    let short = short.map(|short| format!("`-{short}`, ")).unwrap_or_default();
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut text = markdown(&help);
    if arg.get_action().takes_values() {
        let defaults: Vec<String> =
            arg.get_default_values().iter().map(|value| format!("`{}`", value.display())).collect();
        if !defaults.is_empty() && !arg.is_hide_default_value_set() {
            write!(text, " Default: {}.", defaults.join(", ")).unwrap();
        }
        let values = arg.get_possible_values();
        for value in values.iter().filter(|value| !value.is_hide_set()) {
            let help = value.get_help().map(|help| format!(": {}", markdown(&help.to_string())));
            write!(text, "<br>`{}`{}", value.get_name(), help.unwrap_or_default()).unwrap();
        }
    }
    let cell = |text: &str| text.replace('|', "\\|");
    format!("| {short}`{}` | {} |\n", cell(&arg.to_string()), cell(&text))
}

/// Returns a text of the help as a paragraph of Markdown: sentences, and flags as code.
fn markdown(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let is_sentence = paragraph.ends_with(['.', ':', ']']);
        format!("{paragraph}{}", if is_sentence { "" } else { "." })
    });
    let text = paragraphs.collect::<Vec<_>>().join(" ").replace('\n', " ");
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(index, part)| if index % 2 == 1 { part.to_owned() } else { with_flags(part) });
    parts.collect::<Vec<_>>().join("`")
}

/// Puts the flags of a text into code.
fn with_flags(text: &str) -> String {
    let words = text.replace('<', "&lt;");
    let words = words.split(' ').map(|word| {
        let flag = word.trim_end_matches(['.', ',', ':', ';', ')']);
        let is_flag = flag.starts_with('-') && flag.contains(|c: char| c.is_ascii_lowercase());
        if is_flag { format!("`{flag}`{}", &word[flag.len()..]) } else { word.to_owned() }
    });
    words.collect::<Vec<_>>().join(" ")
}
