//! Where things are, from the terminal's size and the focus alone.
//!
//! One function for drawing, scrolling and the mouse, so that a click always meets what is seen there.

use ratatui::layout::Rect;

use super::state::{Pane, State};

/// The size from which all panes are shown at once.
pub const FULL: (u16, u16) = (60, 16);
/// The size from which more than one line is drawn.
pub const LEAST: (u16, u16) = (20, 5);
/// The width from which the three panes stand side by side.
const WIDE: u16 = 110;

/// How much of the dashboard there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// One line of text, or nothing.
    Line,
    /// One pane at a time.
    One,
    /// Index over memories, and the preview beside them.
    Two,
    /// All three side by side.
    Three,
}

/// Where the parts of the dashboard are. A part that is not shown is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Areas {
    /// How much there is room for.
    pub scale: Scale,
    /// The title bar.
    pub title: Rect,
    /// The index pane, borders included.
    pub index: Rect,
    /// The memory list, borders included.
    pub memories: Rect,
    /// The preview, borders included.
    pub preview: Rect,
    /// The status line.
    pub status: Rect,
}

/// The areas of a state.
#[must_use]
pub fn areas(state: &State) -> Areas {
    split(state.area, state.focus)
}

/// The areas of a terminal of this size.
#[must_use]
pub fn split(area: Rect, focus: Pane) -> Areas {
    let none = Rect { width: 0, height: 0, ..area };
    let scale = if area.width < LEAST.0 || area.height < LEAST.1 {
        Scale::Line
    } else if area.width < FULL.0 || area.height < FULL.1 {
        Scale::One
    } else if area.width < WIDE {
        Scale::Two
    } else {
        Scale::Three
    };
    let mut areas = Areas { scale, title: none, index: none, memories: none, preview: none, status: none };
    if scale == Scale::Line {
        areas.title = Rect { height: area.height.min(1), ..area };
        return areas;
    }
    areas.title = Rect { height: 1, ..area };
    areas.status = Rect { y: area.y + area.height - 1, height: 1, ..area };
    let body = Rect { y: area.y + 1, height: area.height - 2, ..area };
    match scale {
        Scale::Line => {}
        Scale::One => match focus {
            Pane::Index => areas.index = body,
            Pane::Memories | Pane::Pill => areas.memories = body,
            Pane::Preview => areas.preview = body,
        },
        Scale::Two => {
            let left = (body.width * 11 / 20).max(30);
            let top = (body.height * 3 / 10).max(5);
            areas.index = Rect { width: left, height: top, ..body };
            areas.memories = Rect { y: body.y + top, width: left, height: body.height - top, ..body };
            areas.preview = Rect { x: body.x + left, width: body.width - left, ..body };
        }
        Scale::Three => {
            let index = body.width * 28 / 100;
            let memories = body.width * 38 / 100;
            areas.index = Rect { width: index, ..body };
            areas.memories = Rect { x: body.x + index, width: memories, ..body };
            areas.preview = Rect { x: body.x + index + memories, width: body.width - index - memories, ..body };
        }
    }
    areas
}

/// What is inside a pane's border.
#[must_use]
pub const fn inside(pane: Rect) -> Rect {
    Rect {
        x: pane.x.saturating_add(1),
        y: pane.y.saturating_add(1),
        width: pane.width.saturating_sub(2),
        height: pane.height.saturating_sub(2),
    }
}

/// A dialog's area: `width` × `height` in the middle, as much of it as there is room for.
#[must_use]
pub fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

/// The area of a large dialog: everything between title and bottom line, as wide as lines can be read (slivers of the
/// dashboard at its sides would only distract); all of it on a small screen.
#[must_use]
pub fn large(area: Rect) -> Rect {
    if area.width < FULL.0 || area.height < FULL.1 {
        return area;
    }
    centred(area, area.width.min(LARGE), area.height - 2)
}

/// A list and what is selected in it: side by side, or one over the other where that would be too narrow. One column or
/// row between them stays free for a line.
#[must_use]
pub fn halves(area: Rect) -> (Rect, Rect) {
    if area.width >= 76 {
        let left = (area.width * 2 / 5).clamp(30, 72);
        let right = Rect { x: area.x + left + 1, width: area.width - left - 1, ..area };
        return (Rect { width: left, ..area }, right);
    }
    let top = (area.height * 2 / 5).max(1).min(area.height);
    let below = (top + 1).min(area.height);
    (Rect { height: top, ..area }, Rect { y: area.y + below, height: area.height - below, ..area })
}

/// Where the parts of the control room are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The heading of the table.
    pub heading: Rect,
    /// Its rows.
    pub table: Rect,
    /// The events of the run under the cursor; empty where there is no room.
    pub tail: Rect,
    /// A year of dreams beside them, where there is room.
    pub year: Option<Rect>,
}

/// The parts of the control room on a terminal of this size: most of it is the table's.
#[must_use]
pub fn room(area: Rect) -> Room {
    let inner = inside(large(area));
    let heading = Rect { height: inner.height.min(1), ..inner };
    let below = Rect { y: inner.y + heading.height, height: inner.height - heading.height, ..inner };
    if below.height < 9 {
        return Room { heading, table: below, tail: Rect { height: 0, ..below }, year: None };
    }
    let has_year = inner.width >= YEAR + 50 && below.height >= 24;
    let rows = (below.height / 3).clamp(3, 14).max(if has_year { YEAR_ROWS } else { 0 });
    let tail = Rect { y: below.bottom() - rows, height: rows, ..below };
    let table = Rect { height: below.height - rows - 1, ..below };
    if !has_year {
        return Room { heading, table, tail, year: None };
    }
    let year = Rect { x: tail.right() - YEAR, width: YEAR, ..tail };
    Room { heading, table, tail: Rect { width: tail.width - YEAR - 2, ..tail }, year: Some(year) }
}

/// Columns and rows of a year of dreams.
const YEAR: u16 = 57;
const YEAR_ROWS: u16 = 11;

/// Where the pill is, while there is one: right before the engine's name.
#[must_use]
pub fn pill(state: &State) -> Option<Rect> {
    let areas = areas(state);
    if areas.scale == Scale::Line {
        return None;
    }
    let engine = text_columns(&state.engine) + 2;
    let title = text_columns(&state.choice.title).min(PILL_LEAVES);
    let room = areas.title.width.saturating_sub(engine).saturating_sub(PILL_FROM + title + 1);
    let width = text_columns(&state.pill()?.text).min(room);
    let x = (areas.title.x + areas.title.width).saturating_sub(engine + width);
    (width > 0).then_some(Rect { x, width, ..areas.title })
}

/// Columns the program's name keeps for itself, whatever the pill says.
const PILL_FROM: u16 = 12;
/// Columns of the project's title that the pill leaves, too.
const PILL_LEAVES: u16 = 14;
/// No dialog is wider.
const LARGE: u16 = 160;

fn text_columns(text: &str) -> u16 {
    u16::try_from(crate::text::width(text)).unwrap_or(u16::MAX)
}
