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

/// What lies behind the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// Nearer to black.
    Dark,
    /// Nearer to white.
    Light,
}

/// How meanings look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Colours that can be read on dark and on light.
    Neutral,
    /// The bright colours, for a dark background.
    Dark,
    /// The deep colours, for a light background.
    Light,
    /// Nothing that steps back; what matters is bold or underlined, and few colours.
    Contrast,
    /// Attributes only.
    Mono,
}

impl Theme {
    /// The theme that the configuration's word, the background and `NO_COLOR` ask for.
    #[must_use]
    pub fn choose(word: &str, no_color: bool, background: Option<Background>) -> Self {
        match (word, background) {
            _ if no_color => Self::Mono,
            ("mono", _) => Self::Mono,
            ("contrast", _) => Self::Contrast,
            ("dark", _) => Self::Dark,
            ("light", _) => Self::Light,
            (_, Some(Background::Dark)) => Self::Dark,
            (_, Some(Background::Light)) => Self::Light,
            (_, None) => Self::Neutral,
        }
    }

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Dark => "dark",
            Self::Light => "light",
            Self::Contrast => "contrast",
            Self::Mono => "mono",
        }
    }

    /// How a meaning looks.
    #[must_use]
    pub const fn style(self, meaning: Meaning) -> Style {
        let style = Style::new().add_modifier(self.attributes(meaning));
        match self.colour(meaning) {
            Some(colour) => style.fg(colour),
            None => style,
        }
    }

    const fn attributes(self, meaning: Meaning) -> Modifier {
        match (self, meaning) {
            (Self::Contrast, Meaning::Selection) => Modifier::REVERSED.union(Modifier::BOLD),
            (Self::Contrast, Meaning::SelectionIdle | Meaning::Bad | Meaning::Match) => {
                Modifier::UNDERLINED.union(Modifier::BOLD)
            }
            (_, Meaning::Quote) => Modifier::BOLD.union(Modifier::UNDERLINED),
            (Self::Contrast, Meaning::Dim) => Modifier::empty(),
            (Self::Contrast, Meaning::Removed) => Modifier::CROSSED_OUT,
            (Self::Mono, Meaning::Removed) => Modifier::DIM,
            (_, Meaning::Text | Meaning::Ok | Meaning::Added | Meaning::Code | Meaning::Border | Meaning::Removed) => {
                Modifier::empty()
            }
            (_, Meaning::Dim) => Modifier::DIM,
            (
                _,
                Meaning::Accent | Meaning::FocusBorder | Meaning::Heading | Meaning::Key | Meaning::Bad | Meaning::Warn,
            ) => Modifier::BOLD,
            (_, Meaning::Selection) => Modifier::REVERSED,
            (_, Meaning::SelectionIdle | Meaning::Link | Meaning::Match) => Modifier::UNDERLINED,
        }
    }

    const fn colour(self, meaning: Meaning) -> Option<Color> {
        let (neutral, dark, light) = match meaning {
            Meaning::Accent | Meaning::FocusBorder | Meaning::Key => (Color::Cyan, Color::LightCyan, Color::Blue),
            Meaning::Heading | Meaning::Link => (Color::Blue, Color::LightBlue, Color::Blue),
            Meaning::Ok | Meaning::Added | Meaning::Quote => (Color::Green, Color::LightGreen, Color::Green),
            // Yellow cannot be read on white.
            Meaning::Warn => (Color::Yellow, Color::LightYellow, Color::Magenta),
            Meaning::Bad | Meaning::Removed => (Color::Red, Color::LightRed, Color::Red),
            Meaning::Code | Meaning::Match => (Color::Magenta, Color::LightMagenta, Color::Cyan),
            Meaning::Border => (Color::DarkGray, Color::DarkGray, Color::DarkGray),
            Meaning::Text | Meaning::Dim | Meaning::Selection | Meaning::SelectionIdle => return None,
        };
        match (self, meaning) {
            (Self::Neutral, _) => Some(neutral),
            (Self::Dark, _) => Some(dark),
            (Self::Light, _) => Some(light),
            (Self::Contrast, Meaning::Bad | Meaning::Removed | Meaning::Added) => Some(neutral),
            (Self::Contrast | Self::Mono, _) => None,
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

    fn every() -> impl Iterator<Item = (Theme, Meaning)> {
        let themes = [Theme::Neutral, Theme::Dark, Theme::Light, Theme::Contrast, Theme::Mono];
        themes.into_iter().flat_map(|theme| ALL.into_iter().map(move |meaning| (theme, meaning)))
    }

    #[test]
    fn in_every_theme_what_is_selected_focused_or_matched_differs_by_more_than_a_colour() {
        for (theme, meaning) in every() {
            let attributes = |meaning| theme.style(meaning).add_modifier;
            let is_set_off = matches!(
                meaning,
                Meaning::Selection
                    | Meaning::SelectionIdle
                    | Meaning::Match
                    | Meaning::Key
                    | Meaning::Bad
                    | Meaning::Warn
            );
            assert!(!is_set_off || attributes(meaning) != attributes(Meaning::Text), "{theme:?} {meaning:?}");
        }
        let dims =
            ALL.into_iter().filter(|meaning| Theme::Contrast.style(*meaning).add_modifier.contains(Modifier::DIM));
        assert_eq!(dims.count(), 0, "with high contrast nothing steps back");
    }

    #[test]
    fn no_meaning_is_white_or_black_or_outside_the_sixteen_colours() {
        for (theme, meaning) in every() {
            let style = theme.style(meaning);
            for colour in [style.fg, style.bg].into_iter().flatten() {
                assert!(
                    !matches!(colour, Color::White | Color::Black | Color::Gray | Color::Rgb(..) | Color::Indexed(_)),
                    "{theme:?} {meaning:?} is {colour:?}"
                );
            }
        }
    }

    #[test]
    fn the_mono_theme_has_no_colour_and_still_tells_the_selection_and_the_focus_apart() {
        for meaning in ALL {
            let style = Theme::Mono.style(meaning);
            assert_eq!((style.fg, style.bg), (None, None), "{meaning:?}");
        }
        assert_ne!(Theme::Mono.style(Meaning::Selection), Theme::Mono.style(Meaning::Text));
        assert_ne!(Theme::Mono.style(Meaning::FocusBorder), Theme::Mono.style(Meaning::Border));
    }

    #[test]
    fn no_color_wins_over_the_configured_theme_and_that_over_the_background() {
        let (dark, light) = (Some(Background::Dark), Some(Background::Light));
        assert_eq!(Theme::choose("dark", true, light), Theme::Mono);
        assert_eq!(Theme::choose("mono", false, dark), Theme::Mono);
        assert_eq!(Theme::choose("dark", false, light), Theme::Dark);
        assert_eq!(Theme::choose("contrast", false, light), Theme::Contrast);
        let auto = [dark, light, None].map(|background| Theme::choose("auto", false, background));
        assert_eq!(auto, [Theme::Dark, Theme::Light, Theme::Neutral]);
    }
}
