//! How a memory looks on its way into CLAUDE.md or a rule: the file, the text, and what stands before it there.

use std::path::Path;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{edit, footer, form, pane};
use crate::change::promote::Target;
use crate::text::{count, fit, visible, width};
use crate::tui::command::Command;
use crate::tui::layer::promote::{Promote, PromoteField};
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Columns of the labels.
const LABELS: u16 = 9;
/// Lines of the file that are shown before the text.
const BEFORE: usize = 3;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Promote, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let verb = if layer.saving { "Promoting" } else { "Promote" };
    let title = format!("{verb} {} to what every session is told", visible(&layer.seen.file));
    let save = state.keymap.shown(Command::Save);
    let keys: &[(&str, &str)] = if layer.asking {
        &[("d", "drop"), ("Esc", "go on")]
    } else {
        &[(&save, "promote"), ("Tab", "next field"), ("←→", "choose"), ("Esc", "leave it")]
    };
    let keys = footer::of(keys, state);
    let inner = pane::dialog(area, &title, state, keys, frame);
    let banner = layer.asking.then_some(("The text was edited: d drops it, esc goes on", Meaning::Warn));
    let inner = edit::draw_banner(banner, state, inner, frame);
    let Some(target) = layer.target() else { return };
    let mut rows = inner.rows();
    let mut used = 0;
    let mut row = |used: &mut u16| {
        *used += 1;
        rows.next()
    };
    if let Some(place) = row(&mut used) {
        let place = label("into", layer.focus == PromoteField::Into, state, place, frame);
        let words = layer.targets.iter().map(|target| target.place.word());
        frame.render_widget(
            Line::from(pane::choices(
                words,
                Some(layer.at),
                layer.focus == PromoteField::Into,
                usize::from(place.width),
                state,
            )),
            place,
        );
    }
    if let Some(place) = row(&mut used) {
        let place = label("", false, state, place, frame);
        said(target.place.sentence(), Meaning::Dim, state, place, frame);
    }
    if let Some(place) = row(&mut used) {
        let place = label("file", false, state, place, frame);
        said(&file(target, state, usize::from(place.width)), Meaning::Text, state, place, frame);
    }
    if layer.takes_paths()
        && let Some(place) = row(&mut used)
    {
        let focused = layer.focus == PromoteField::Paths;
        let place = label("paths", focused, state, place, frame);
        if layer.paths.is_empty() && !focused {
            said("all (or patterns, parted by commas: src/api/**, *.sql)", Meaning::Dim, state, place, frame);
        } else {
            form::text_area(&layer.paths, focused, place, frame);
        }
    }
    if let Some(place) = row(&mut used) {
        let focused = layer.focus == PromoteField::Memory;
        let place = label("memory", focused, state, place, frame);
        frame.render_widget(
            Line::from(pane::choices(
                ["stays", "to the trash"].into_iter(),
                Some(layer.is_removed.into()),
                focused,
                usize::from(place.width),
                state,
            )),
            place,
        );
    }
    if let Some(place) = row(&mut used) {
        let words = "── what is written ";
        let rule = format!("{words}{}", "─".repeat(usize::from(place.width).saturating_sub(width(words))));
        let meaning = if layer.focus == PromoteField::Text { Meaning::FocusBorder } else { Meaning::Border };
        said(&rule, meaning, state, place, frame);
    }
    let context = context(layer, target);
    let shown = if inner.height.saturating_sub(used) >= 8 { context.len() } else { 0 };
    for line in context.iter().skip(context.len() - shown) {
        if let Some(place) = row(&mut used) {
            said(line, Meaning::Dim, state, place, frame);
        }
    }
    let used = used.min(inner.height);
    let rest = Rect { y: inner.y + used, height: inner.height - used, ..inner };
    form::text_area(&layer.text, layer.focus == PromoteField::Text, rest, frame);
}

/// Draws a label and returns what is left of its row.
fn label(word: &str, focused: bool, state: &State, row: Rect, frame: &mut Frame<'_>) -> Rect {
    let (mark, meaning) = if focused { ("▸", Meaning::Accent) } else { (" ", Meaning::Dim) };
    frame.render_widget(Line::styled(format!("{mark}{word}"), state.theme.style(meaning)), row);
    let left = LABELS.min(row.width);
    Rect { x: row.x + left, width: row.width - left, ..row }
}

fn said(text: &str, meaning: Meaning, state: &State, row: Rect, frame: &mut Frame<'_>) {
    let text = fit(text, usize::from(row.width)).into_owned();
    frame.render_widget(Line::styled(text, state.theme.style(meaning)), row);
}

/// The path, its beginning cut where it does not fit, and whether it is there.
fn file(target: &Target, state: &State, columns: usize) -> String {
    let there = match &target.before {
        Some(before) => {
            let lines = before.iter().filter(|byte| **byte == b'\n').count();
            format!(" ({}; the text goes to its end)", count(lines, "line", "lines"))
        }
        None => " (new)".to_owned(),
    };
    // In the project its own name is enough of the way to it.
    let project = state.choice.checkout.as_deref().and_then(Path::parent);
    let path = Path::new(&target.path);
    let path = project.and_then(|project| path.strip_prefix(project).ok()).unwrap_or(path).to_string_lossy();
    format!("{}{there}", pane::tail(&visible(&path), columns.saturating_sub(width(&there))))
}

/// What stands before the text in the file: its last lines, or the block of a new rule.
fn context(layer: &Promote, target: &Target) -> Vec<String> {
    let content = layer.content().unwrap_or_default();
    let text = layer.text();
    let length = text.trim_end().lines().count();
    let whole = String::from_utf8_lossy(&content).into_owned();
    let lines: Vec<&str> = whole.lines().collect();
    let before = lines.get(..lines.len().saturating_sub(length)).unwrap_or_default();
    let most = if target.before.is_some() { BEFORE } else { before.len() };
    before.iter().skip(before.len().saturating_sub(most)).map(|line| visible(line).into_owned()).collect()
}
