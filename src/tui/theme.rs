//! Colours by meaning.
//!
//! A widget asks for what it wants to say, never for a colour. Only the 16 colours that every terminal lets its owner
//! choose are used, and of those neither white nor black, so that light and dark backgrounds both stay readable. No
//! meaning rests on colour alone: each has an attribute or a sign beside it. Not its job: where things are drawn.

use ratatui::style::{Color, Modifier, Style};

/// What a piece of the screen says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Ordinary text.
    #[default]
    Text,
    /// Text that steps back: ages, hints, what is not loaded.
    Dim,
    /// What stands out without being good or bad: a name, a figure.
    Accent,
    /// The border of a pane without focus.
    Border,
    /// The border of the pane that has the focus.
    FocusBorder,
    /// The selected row of the focused pane.
    Selection,
    /// The selected row of a pane without focus.
    SelectionIdle,
    /// Good: done, fresh, open.
    Ok,
    /// Wants a look: aging, a warning.
    Warn,
    /// Wrong: stale, failed, refused.
    Bad,
    /// A line that was added.
    Added,
    /// A line that was removed.
    Removed,
    /// A heading.
    Heading,
    /// Code.
    Code,
    /// A link or a path.
    Link,
    /// A key in footer and help.
    Key,
    /// The characters a filter matched.
    Match,
    /// Words that somebody quotes.
    Quote,
}

/// How meanings look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    coloured: bool,
}

impl Theme {
    /// The theme with colours.
    pub const COLOURED: Self = Self { coloured: true };

    /// The theme of attributes only, for `NO_COLOR` and `theme: mono`.
    pub const MONO: Self = Self { coloured: false };

    /// The theme that the configuration's word and `NO_COLOR` ask for. `dark` and `light` are both served by the
    /// terminal's own 16 colours.
    #[must_use]
    pub fn choose(word: &str, no_color: bool) -> Self {
        if no_color || word == "mono" { Self::MONO } else { Self::COLOURED }
    }

    /// How a meaning looks.
    #[must_use]
    pub const fn style(self, meaning: Meaning) -> Style {
        let plain = Style::new();
        let attributes = match meaning {
            Meaning::Text | Meaning::Ok | Meaning::Added | Meaning::Code | Meaning::Border => plain,
            Meaning::Dim => plain.add_modifier(Modifier::DIM),
            Meaning::Accent | Meaning::FocusBorder | Meaning::Heading | Meaning::Key | Meaning::Bad | Meaning::Warn => {
                plain.add_modifier(Modifier::BOLD)
            }
            Meaning::Quote => plain.add_modifier(Modifier::BOLD).add_modifier(Modifier::UNDERLINED),
            Meaning::Selection => plain.add_modifier(Modifier::REVERSED),
            Meaning::SelectionIdle | Meaning::Link | Meaning::Match => plain.add_modifier(Modifier::UNDERLINED),
            Meaning::Removed => plain.add_modifier(Modifier::DIM),
        };
        if !self.coloured {
            return attributes;
        }
        match meaning {
            Meaning::Accent | Meaning::FocusBorder | Meaning::Key => attributes.fg(Color::Cyan),
            Meaning::Heading | Meaning::Link => attributes.fg(Color::Blue),
            Meaning::Ok | Meaning::Added | Meaning::Quote => attributes.fg(Color::Green),
            Meaning::Warn => attributes.fg(Color::Yellow),
            Meaning::Bad => attributes.fg(Color::Red),
            Meaning::Removed => plain.fg(Color::Red),
            Meaning::Code | Meaning::Match => attributes.fg(Color::Magenta),
            Meaning::Border => attributes.fg(Color::DarkGray),
            Meaning::Text | Meaning::Dim | Meaning::Selection | Meaning::SelectionIdle => attributes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Meaning; 18] = [
        Meaning::Text,
        Meaning::Dim,
        Meaning::Accent,
        Meaning::Border,
        Meaning::FocusBorder,
        Meaning::Selection,
        Meaning::SelectionIdle,
        Meaning::Ok,
        Meaning::Warn,
        Meaning::Bad,
        Meaning::Added,
        Meaning::Removed,
        Meaning::Heading,
        Meaning::Code,
        Meaning::Link,
        Meaning::Key,
        Meaning::Match,
        Meaning::Quote,
    ];

    #[test]
    fn no_meaning_is_white_or_black_or_outside_the_sixteen_colours() {
        for meaning in ALL {
            let style = Theme::COLOURED.style(meaning);
            for colour in [style.fg, style.bg].into_iter().flatten() {
                assert!(
                    !matches!(colour, Color::White | Color::Black | Color::Gray | Color::Rgb(..) | Color::Indexed(_)),
                    "{meaning:?} is {colour:?}"
                );
            }
        }
    }

    #[test]
    fn the_mono_theme_has_no_colour_and_still_tells_the_selection_and_the_focus_apart() {
        for meaning in ALL {
            let style = Theme::MONO.style(meaning);
            assert_eq!((style.fg, style.bg), (None, None), "{meaning:?}");
        }
        assert_ne!(Theme::MONO.style(Meaning::Selection), Theme::MONO.style(Meaning::Text));
        assert_ne!(Theme::MONO.style(Meaning::FocusBorder), Theme::MONO.style(Meaning::Border));
    }

    #[test]
    fn no_color_wins_over_the_configured_theme() {
        assert_eq!(Theme::choose("dark", true), Theme::MONO);
        assert_eq!(Theme::choose("mono", false), Theme::MONO);
        assert_eq!(Theme::choose("auto", false), Theme::COLOURED);
    }
}
