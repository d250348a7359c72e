//! What can follow the keys that were pressed: a card over the bottom line, as long as the rest of a chord is waited for.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{footer, pane};
use crate::text::{fit, fit_padded, width};
use crate::tui::command::{self, CommandSpec};
use crate::tui::layout::centred;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Draws it over everything, at the bottom.
pub(super) fn draw(state: &State, area: Rect, frame: &mut Frame<'_>) {
    let place = command::place(state);
    let Some(pressed) = state.pressed.as_ref().filter(|pressed| pressed.place == place) else { return };
    let mut following: Vec<(String, &CommandSpec)> = state
        .keymap
        .following(place, &pressed.keys)
        .filter_map(|(rest, command)| Some((rest, command.spec()?)))
        .collect();
    following.sort_by(|one, other| one.0.cmp(&other.0));
    let keys = following.iter().map(|(rest, _)| width(rest)).max().unwrap_or(0);
    let high = u16::try_from(following.len()).unwrap_or(u16::MAX).saturating_add(2).min(area.height);
    let wide = centred(area, area.width.min(84), high);
    let card = Rect { y: area.bottom().saturating_sub(high + 1).max(area.y), ..wide };
    let title = format!("{} …", pressed.shown());
    let inner = pane::dialog(card, &title, state, footer::of(&[("Esc", "drop it")], state), frame);
    for ((rest, spec), row) in following.into_iter().zip(inner.rows()) {
        let is_possible = (spec.when)(state);
        let room = usize::from(inner.width).saturating_sub(keys + 3);
        let words = format!("{}: {}", spec.name, command::sentence(spec, place));
        let meaning = if is_possible { Meaning::Text } else { Meaning::Dim };
        let line = Line::from(vec![
            Span::styled(format!(" {} ", fit_padded(&rest, keys)), state.theme.style(Meaning::Key)),
            Span::styled(fit(&words, room).into_owned(), state.theme.style(meaning)),
        ]);
        frame.render_widget(line, row);
    }
}
