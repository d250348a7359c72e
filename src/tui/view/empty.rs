//! What the panes say when there is nothing to show: why, and what to do next.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::pane;
use crate::tui::command::Command;
use crate::tui::event::StoreTrouble;
use crate::tui::state::{Pane, State, StoreView};
use crate::tui::theme::Meaning;

/// The index pane without an index.
pub(super) fn index(state: &State, area: Rect, frame: &mut Frame<'_>) {
    let text = match &state.store {
        StoreView::Loading => "Reading…".to_owned(),
        StoreView::Trouble(_) => String::new(),
        StoreView::Loaded(snapshot) if snapshot.has_index => "The index is empty.".to_owned(),
        StoreView::Loaded(_) => {
            "There is no MEMORY.md. It appears with the first memory; without it a session sees none of them."
                .to_owned()
        }
    };
    pane::text(&text, Meaning::Dim, area, state.theme, frame);
}

/// The memory list without memories.
pub(super) fn memories(state: &State, area: Rect, frame: &mut Frame<'_>) {
    let key = |command| state.keymap.shown(command);
    let (text, meaning) = match &state.store {
        StoreView::Loading => ("Reading…".to_owned(), Meaning::Dim),
        StoreView::Trouble(trouble) => (trouble_text(trouble, state), Meaning::Warn),
        StoreView::Loaded(_) if !state.memories.filter.is_empty() => {
            (format!("No memory matches. {} drops the filter.", key(Command::Close)), Meaning::Dim)
        }
        StoreView::Loaded(_) => (nothing_yet(state), Meaning::Dim),
    };
    pane::text(&text, meaning, area, state.theme, frame);
}

/// The preview without a memory.
pub(super) fn preview(state: &State, area: Rect, frame: &mut Frame<'_>) {
    let text = match &state.store {
        StoreView::Loading => "",
        StoreView::Trouble(_) => "Nothing to show.",
        StoreView::Loaded(snapshot) if snapshot.memories.is_empty() => {
            "A memory is one Markdown file with one fact: who you are, how you want to work, what is going on, where things are."
        }
        StoreView::Loaded(_) if state.focus == Pane::Index => "This line of the index leads to no memory.",
        StoreView::Loaded(_) => "No memory is selected.",
    };
    pane::text(text, Meaning::Dim, area, state.theme, frame);
}

fn nothing_yet(state: &State) -> String {
    let mut text = format!(
        "Nothing is remembered here yet.\n\n{} writes a memory, {} looks at other projects.",
        state.keymap.shown(Command::New),
        state.keymap.shown(Command::Projects)
    );
    let memory = &state.choice.settings.auto_memory;
    if !memory.value {
        text.push_str(&format!("\n\nAuto-memory is off: {}.", memory.by));
    }
    text
}

fn trouble_text(trouble: &StoreTrouble, state: &State) -> String {
    let projects = state.keymap.shown(Command::Projects);
    let (new, dream) = (state.keymap.shown(Command::New), state.keymap.shown(Command::Dream));
    match trouble {
        StoreTrouble::NoHome(path) => {
            let place = path.as_ref().map_or_else(String::new, |path| format!(" at {}", path.display()));
            format!(
                "There is no Claude home{place}, so nothing is remembered on this machine yet.\n\nClaude Code makes it with its first \
                 session. Name another one with --claude-dir DIR, a memory directory with --memory-dir DIR, or look around in the sample:\n\n\
                 dreamtop demo"
            )
        }
        StoreTrouble::Missing(path) => format!(
            "This project has no memory yet.\n\n{} appears with the first memory that Claude Code or an extraction saves.\n\n{new} \
             writes one now, {dream} looks for some in the project's sessions, {projects} looks at other projects.",
            path.display()
        ),
        StoreTrouble::Unreadable(words) => format!("{words}\n\n{projects} looks at other projects."),
    }
}
