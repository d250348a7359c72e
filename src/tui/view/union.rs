//! Two memories over or beside the text they would become. Not its job: the form of that text (see [`super::form`]).

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::memory::{Topic, freshness};
use crate::text::{fit, visible};
use crate::tui::layer::edit::{Editor, Originals};
use crate::tui::page::wrap;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// From this width on, the two stand beside the text.
const BESIDE: u16 = 100;

/// Draws the two and returns what is left for the text.
pub(super) fn draw(editor: &Editor, originals: &Originals, state: &State, area: Rect, frame: &mut Frame<'_>) -> Rect {
    let (one, other, rest) = areas(area);
    let scroll = originals.scroll;
    original("stays", &editor.file, &originals.keep, scroll, state, one, frame);
    original("goes to the trash", &originals.partner, &originals.gone, scroll, state, other, frame);
    let rule = if area.width >= BESIDE {
        Rect { x: rest.x - 1, width: 1, ..area }
    } else {
        Rect { y: rest.y - 1, height: 1, ..area }
    };
    let (sign, style) = if rule.width == 1 { ("│", Meaning::Border) } else { ("─", Meaning::Border) };
    for row in rule.rows() {
        frame.render_widget(Line::styled(sign.repeat(usize::from(row.width)), state.theme.style(style)), row);
    }
    rest
}

/// Where the two are, and what is left: beside each other over the text, or over each other beside it.
fn areas(area: Rect) -> (Rect, Rect, Rect) {
    if area.width >= BESIDE {
        let left = area.width * 2 / 5;
        let top = area.height / 2;
        let one = Rect { width: left, height: top, ..area };
        let other = Rect { y: area.y + top, width: left, height: area.height - top, ..area };
        return (one, other, Rect { x: area.x + left + 1, width: area.width - left - 1, ..area });
    }
    let high = (area.height / 3).max(1);
    let half = area.width / 2;
    let one = Rect { width: half.saturating_sub(1), height: high, ..area };
    let other = Rect { x: area.x + half, width: area.width - half, height: high, ..area };
    let below = (high + 1).min(area.height);
    (one, other, Rect { y: area.y + below, height: area.height - below, ..area })
}

/// `stays: feedback_a.md (12d)` and its text.
fn original(word: &str, file: &str, bytes: &[u8], scroll: usize, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let columns = usize::from(area.width);
    let age = state.snapshot().and_then(|snapshot| snapshot.memory(file)).map(|memory| memory.age_days);
    let age = age.map(|age| format!(" ({})", freshness::short_age(age))).unwrap_or_default();
    let heading = format!("{word}: {}{age}", visible(file));
    let mut rows = area.rows();
    if let Some(row) = rows.next() {
        let heading = fit(&heading, columns).into_owned();
        frame.render_widget(Line::styled(heading, state.theme.style(Meaning::Heading)), row);
    }
    let topic = Topic::read(bytes.to_vec());
    let description = topic.frontmatter.description.clone().unwrap_or_default();
    let text = format!("{description}\n\n{}", topic.body());
    let lines = text.lines().flat_map(|line| wrap(line, columns)).skip(scroll);
    for (line, row) in lines.zip(rows) {
        frame.render_widget(Line::styled(line, state.theme.style(Meaning::Dim)), row);
    }
}
