//! How the editor looks, and the two versions of a file that changed meanwhile.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{diff, footer, form, pane, union};
use crate::clock::local_day;
use crate::text::{fit, visible, width};
use crate::tui::command::Command;
use crate::tui::layer::edit::{Conflict, Editor};
use crate::tui::layout;
use crate::tui::page::wrap;
use crate::tui::state::State;
use crate::tui::theme::Meaning;
use crate::tui::update::edit::changed_on_disk;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Editor, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let title = match (layer.saving, layer.review.is_some()) {
        (false, _) if layer.union.is_some() => format!("What {} becomes (Alt-↑↓ scrolls the two)", layer.file),
        (true, _) => format!("Saving {}", layer.file),
        (false, true) => format!("Edit the proposal for {}", layer.file),
        (false, false) => title(&layer.file, state, usize::from(area.width.saturating_sub(4))),
    };
    if let Some(conflict) = &layer.conflict {
        return draw_conflict(layer, conflict, state, area, frame);
    }
    let inner = pane::dialog(area, &title, state, keys(layer.asking, state, area), frame);
    let banner = if layer.asking {
        Some((UNSAVED.to_owned(), Meaning::Warn))
    } else if changed_on_disk(state, layer) {
        Some(("The file changed on disk since you opened it: saving merges, or asks".to_owned(), Meaning::Warn))
    } else if let Some(text) = left_out(layer) {
        Some((text, Meaning::Warn))
    } else {
        locked(layer, state).map(|text| (text, Meaning::Warn))
    };
    let banner = banner.as_ref().map(|(text, meaning)| (text.as_str(), *meaning));
    let mut inner = draw_banner(banner, state, inner, frame);
    if let Some(originals) = &layer.union {
        inner = union::draw(layer, originals, state, inner, frame);
    }
    form::draw(&layer.form, &layer.lint, state, inner, frame);
}

/// What is edited, and which date the claim has after either save; less of it where there is less room.
fn title(file: &str, state: &State, room: usize) -> String {
    let key = |command| state.keymap.shown(command);
    let (keep, renew) = (key(Command::Save), key(Command::SaveAndRenew));
    let claim = state.snapshot().and_then(|snapshot| snapshot.memory(file)).map(|memory| memory.claim.at);
    let Some(claim) = claim else { return format!("Edit {file}") };
    let kept = claim.map_or_else(|| "of unknown age".to_owned(), |at| local_day(at).to_string());
    let today = local_day(state.now);
    let forms = [
        format!("Edit {file} · claim {kept}: {keep} keeps it, {renew} makes it {today}"),
        format!("Edit {file} · {keep}: claim {kept}, {renew}: {today}"),
        format!("{file} · {keep} {kept}, {renew} today"),
        format!("Edit {file}"),
    ];
    let [.., last] = &forms;
    forms.iter().find(|form| width(&visible(form)) <= room).unwrap_or(last).clone()
}

/// What of two memories that contradict each other the proposed text leaves out.
fn left_out(layer: &Editor) -> Option<String> {
    let originals = layer.union.as_ref()?;
    let (first, more) = originals.left_out.split_first()?;
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    Some(format!("They disagree: the newer claim stays, left out: {}{more}", visible(first)))
}

/// Why fields are only shown.
fn locked(layer: &Editor, state: &State) -> Option<String> {
    let first = layer.form.locked.first()?;
    let fields: Vec<&str> = layer.form.locked.iter().map(|locked| locked.field.word()).collect();
    let external = state.keymap.shown(Command::EditExternally);
    let (fields, why) = (fields.join(", "), visible(&first.why));
    Some(format!("Only shown: {fields} ({why}); the body is yours, {external} opens the whole file"))
}

/// The question before unsaved text is dropped.
pub(super) const UNSAVED: &str = "Unsaved changes: s saves, d drops them, esc goes on";

/// The keys of a form: its own, or the answers to its question.
pub(super) fn keys(is_asking: bool, state: &State, area: Rect) -> Line<'static> {
    if is_asking {
        return footer::of(&[("s", "save"), ("d", "drop"), ("Esc", "go on")], state);
    }
    footer::keys(state, area.width)
}

/// Draws a text above a form, at most over half of it, and returns what is left.
pub(super) fn draw_banner(banner: Option<(&str, Meaning)>, state: &State, area: Rect, frame: &mut Frame<'_>) -> Rect {
    let Some((text, meaning)) = banner.filter(|_| area.height > 1) else { return area };
    let most = usize::from(area.height / 2).max(1);
    let rows = wrap(text, usize::from(area.width).max(1));
    let high = u16::try_from(rows.len().min(most)).unwrap_or(1);
    for (text, row) in rows.into_iter().zip(area.rows().take(most)) {
        frame.render_widget(Line::styled(text, state.theme.style(meaning)), row);
    }
    Rect { y: area.y + high, height: area.height - high, ..area }
}

fn draw_conflict(layer: &Editor, conflict: &Conflict, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let title = format!("{} changed on disk while you edited it", layer.file);
    let both = conflict.merged.is_some().then_some(("m", "both"));
    let keys: Vec<_> = both
        .into_iter()
        .chain([("t", "take theirs"), ("o", "keep ours"), ("Tab", "next part"), ("Esc", "go on editing")])
        .collect();
    let inner = pane::dialog(area, &title, state, footer::of(&keys, state), frame);
    let lines = conflict_lines(layer, conflict, state, usize::from(inner.width));
    let latest = lines.len().saturating_sub(usize::from(inner.height));
    for (line, row) in lines.into_iter().skip(conflict.scroll.min(latest)).zip(inner.rows()) {
        frame.render_widget(line, row);
    }
}

/// The parts of the conflict view.
pub(in crate::tui) const PARTS: [&str; 3] = ["What changed on disk:", "What you changed:", "Both in one text:"];

/// The rows of the conflict view: what can be done, then both versions.
pub(in crate::tui) fn conflict_lines(
    layer: &Editor,
    conflict: &Conflict,
    state: &State,
    width: usize,
) -> Vec<Line<'static>> {
    let theme = state.theme;
    let say = |text: &str, meaning: Meaning| Line::styled(fit(text, width).into_owned(), theme.style(meaning));
    let base = Some(layer.opened.as_slice());
    let ours = layer.content().ok();
    let mut lines = vec![say("Nothing was overwritten. What now?", Meaning::Warn)];
    if conflict.merged.is_some() {
        lines.push(say("  m  go on with both in one text, places that disagree marked", Meaning::Text));
    }
    match conflict.theirs {
        Some(_) => {
            lines.push(say("  t  take theirs: Ctrl-U in a field brings your text back", Meaning::Text));
            lines.push(say("  o  keep ours: saved over theirs, which stays in the history", Meaning::Text));
        }
        None => {
            lines.push(say("  t  leave it removed: your changes are dropped", Meaning::Text));
            lines.push(say("  o  keep ours: saved as a new memory", Meaning::Text));
        }
    }
    lines.push(say("  esc  go on editing", Meaning::Text));
    lines.push(Line::default());
    let [theirs, own, both] = PARTS;
    lines.push(say(theirs, Meaning::Heading));
    lines.extend(diff::rows(base, conflict.theirs.as_deref(), width, theme));
    lines.push(Line::default());
    lines.push(say(own, Meaning::Heading));
    lines.extend(diff::rows(base, ours.as_deref(), width, theme));
    if let Some(merged) = &conflict.merged {
        lines.push(Line::default());
        lines.push(say(both, Meaning::Heading));
        lines.extend(merged.lines().map(|line| {
            let mark = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].iter().any(|mark| line.starts_with(mark));
            say(&format!("  {}", visible(line)), if mark { Meaning::Warn } else { Meaning::Text })
        }));
    }
    lines
}
