//! From the text of a template to its sections and tags.

use super::Mistake;
use super::tags::Tag;

/// A place in a template: the number of bytes before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Position(usize);

impl Position {
    /// Returns the line and the column in characters, both from 1.
    #[inline]
    pub(super) fn in_text(self, text: &str) -> (usize, usize) {
        let before = &text[..self.0];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// A part of a template.
#[derive(Debug)]
pub(super) enum Node<'t> {
    /// Text that is copied.
    Text(&'t str),
    Tag {
        tag: Tag<'t>,
        position: Position,
    },
    Section {
        section: Section,
        /// True if it starts with `^`.
        inverted: bool,
        position: Position,
        body: Vec<Node<'t>>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Result,
    Measurement,
    First,
    Last,
}

impl Section {
    #[inline]
    fn from_name(name: &str) -> Option<Section> {
        match name {
            "result" => Some(Section::Result),
            "measurement" => Some(Section::Measurement),
            "-first" => Some(Section::First),
            "-last" => Some(Section::Last),
            _ => None,
        }
    }

    #[inline]
    fn name(self) -> &'static str {
        match self {
            Section::Result => "result",
            Section::Measurement => "measurement",
            Section::First => "-first",
            Section::Last => "-last",
        }
    }

    /// Returns whether `{{/name}}` ends the section. The templates of the C++ library end `-last`
    /// with `{{/last}}`.
    #[inline]
    fn is_ended_by(self, name: &str) -> bool {
        name == self.name() || Some(name) == self.name().strip_prefix('-')
    }
}

/// A section that has no end yet.
struct Open<'t> {
    section: Section,
    inverted: bool,
    position: Position,
    /// The nodes before it, on its own level.
    before: Vec<Node<'t>>,
}

/// Parses a template, and checks its tags, and that its sections are balanced and within each other
/// as allowed.
#[inline]
pub(super) fn parse(template: &str) -> Result<Vec<Node<'_>>, Mistake> {
    let (mut open, mut nodes, mut at) = (Vec::<Open>::new(), Vec::new(), 0);
    while let Some(begin) = template[at..].find("{{").map(|found| at + found) {
        if begin > at {
            nodes.push(Node::Text(&template[at..begin]));
        }
        let position = Position(begin);
        let mistake = |message: String| Mistake { position, message };
        let Some(length) = template[begin + 2..].find("}}") else {
            return Err(mistake("`{{` has no `}}`".to_owned()));
        };
        let text = template[begin + 2..begin + 2 + length].trim();
        at = begin + 2 + length + 2;
        let marker = text.chars().next().filter(|c| "#^/".contains(*c));
        let Some(marker) = marker else {
            let is_in_measurement = open.iter().any(|open| open.section == Section::Measurement);
            let tag = Tag::parse(text, is_in_measurement).map_err(mistake)?;
            nodes.push(Node::Tag { tag, position });
            continue;
        };
        let name = text[1..].trim();
        if marker != '/' {
            let Some(section) = Section::from_name(name) else {
                return Err(mistake(format!("there is no section `{name}`")));
            };
            let inverted = marker == '^';
            check_place(section, inverted, &open).map_err(mistake)?;
            open.push(Open { section, inverted, position, before: std::mem::take(&mut nodes) });
            continue;
        }
        let Some(begun) = open.pop() else {
            return Err(mistake(format!("no section `{name}` is open here")));
        };
        if !begun.section.is_ended_by(name) {
            let expected = begun.section.name();
            return Err(mistake(format!("expected the end of `{expected}`, not of `{name}`")));
        }
        let Open { section, inverted, position, before } = begun;
        let body = std::mem::replace(&mut nodes, before);
        nodes.push(Node::Section { section, inverted, position, body });
    }
    if let Some(Open { section, position, .. }) = open.pop() {
        return Err(Mistake { position, message: format!("the section `{}` has no end", section.name()) });
    }
    if at < template.len() {
        nodes.push(Node::Text(&template[at..]));
    }
    Ok(nodes)
}

/// Checks that a section may begin within the open ones.
#[inline]
fn check_place(section: Section, inverted: bool, open: &[Open<'_>]) -> Result<(), String> {
    let is_open = |section| open.iter().any(|open| open.section == section);
    let name = section.name();
    match section {
        Section::Result | Section::Measurement if inverted => {
            Err(format!("`{name}` can't be inverted; only `-first` and `-last` can"))
        }
        Section::Result | Section::Measurement if is_open(section) => {
            Err(format!("`{name}` can't be within itself"))
        }
        Section::Result if is_open(Section::Measurement) => {
            Err("`result` can't be within `measurement`".to_owned())
        }
        Section::First | Section::Last if !is_open(Section::Result) && !is_open(Section::Measurement) => {
            Err(format!("`{name}` must be within `result` or `measurement`"))
        }
        // A limit on nesting, of which layers take at most two levels.
        Section::First | Section::Last if open.len() > 16 => {
            Err(format!("`{name}` is within too many sections"))
        }
        _ => Ok(()),
    }
}
