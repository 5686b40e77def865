//! The machine code of both sides of a comparison, next to each other.

use super::assembly::{self, SourceFiles};
use super::why::name;
use crate::code::{ChangedFunction, Line, Sides};
use crate::style::{BAD, FAINT, GOOD, HEADING, paint};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::path::Path;

/// The lines around a difference that are shown.
const CONTEXT: usize = 3;
/// The width of a side if there is no terminal.
const SIDE: usize = 56;

/// Returns the machine code of both sides next to each other, around what differs, below the lines
/// of today's source if there is debug information.
pub(crate) fn side_by_side(
    function: &ChangedFunction,
    Sides { before, now }: &Sides,
    workspace: &Path,
    width: Option<usize>,
) -> String {
    let old_keys: Vec<String> = before.iter().map(Line::without_target).collect();
    let keys: Vec<String> = now.iter().map(|sourced| sourced.line.without_target()).collect();
    let operations = capture_diff_slices(Algorithm::Myers, &old_keys, &keys);
    let (mut files, mut last) = (SourceFiles::default(), None);
    let side = width.map_or(SIDE, |width| (width.saturating_sub(3) / 2).max(24));
    let mut text = format!("\n{}\n", paint(HEADING, &name(function)));
    for (i, group) in similar::group_diff_ops(operations, CONTEXT).iter().enumerate() {
        if i > 0 {
            text += &(paint(FAINT, "  ..") + "\n");
        }
        for operation in group {
            let is_same = matches!(operation, DiffOp::Equal { .. });
            let (old, new) = (&before[operation.old_range()], &now[operation.new_range()]);
            for line in 0..old.len().max(new.len()) {
                let place = new.get(line).and_then(|sourced| sourced.place.as_ref());
                if let Some(place) = place.filter(|place| last != Some(*place)) {
                    let source = files.line(place, Some(workspace));
                    text += &(paint(FAINT, &clipped(source, width.unwrap_or(usize::MAX))) + "\n");
                    last = Some(place);
                }
                let left = cell(old.get(line), side);
                let right = cell(new.get(line).map(|sourced| &sourced.line), side).trim_end().to_owned();
                text += &match is_same {
                    true => format!("{left} | {right}\n"),
                    false => format!("{} | {}\n", paint(BAD, &left), paint(GOOD, &right)),
                };
            }
        }
    }
    text
}

/// Returns a line of machine code, padded to this width.
fn cell(line: Option<&Line>, width: usize) -> String {
    let text = clipped(line.map(assembly::plain_line).unwrap_or_default(), width);
    format!("{text:<width$}")
}

/// Returns a text of at most this width. If it is longer, it ends with `…`.
fn clipped(text: String, width: usize) -> String {
    if text.chars().count() <= width {
        return text;
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}
