//! The fields of a memory while a person fills them in: name, description, type, body.
//!
//! Not its job: what becomes of them (the editor saves over a file, the form of a new memory makes one).

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::Style;
use tui_textarea::{CursorMove, TextArea, WrapMode};

use super::edit::Fields;
use crate::memory::Kind;
use crate::text::is_unsafe;

/// A field of the form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormField {
    /// The name.
    Name,
    /// The description.
    Description,
    /// The type.
    Type,
    /// The body.
    #[default]
    Body,
}

impl FormField {
    /// All of them, in the order of the tabulator key.
    pub const ALL: [Self; 4] = [Self::Name, Self::Description, Self::Type, Self::Body];

    /// Its word on the screen.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Type => "type",
            Self::Body => "body",
        }
    }
}

/// A field that is only shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locked {
    /// Which one.
    pub field: FormField,
    /// Why it cannot be set.
    pub why: String,
}

/// The fields.
#[derive(Clone)]
pub struct Form {
    /// The name, on one line.
    pub name: TextArea<'static>,
    /// The description, on one line.
    pub description: TextArea<'static>,
    /// The word for the type; empty: none.
    pub type_word: String,
    /// The body.
    pub body: TextArea<'static>,
    /// The field that has the keys.
    pub focus: FormField,
    /// The fields that are only shown; the keys go past them.
    pub locked: Vec<Locked>,
    /// Keys of the frontmatter that have no field here and stay as they are, with their values.
    pub others: Vec<(String, String)>,
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Form").field("focus", &self.focus).field("type_word", &self.type_word).finish_non_exhaustive()
    }
}

impl Form {
    /// A form with these texts.
    #[must_use]
    pub fn new(name: &str, description: &str, type_word: &str, body: &str) -> Self {
        let mut form = Self {
            name: area(&one_line(name)),
            description: area(&one_line(description)),
            type_word: type_word.to_owned(),
            body: area(body),
            focus: FormField::Body,
            locked: Vec::new(),
            others: Vec::new(),
        };
        form.name.move_cursor(CursorMove::End);
        form.description.move_cursor(CursorMove::End);
        form.body.set_wrap_mode(WrapMode::WordOrGlyph);
        form
    }

    /// The name as it stands there.
    #[must_use]
    pub fn name_text(&self) -> String {
        self.name.lines().concat()
    }

    /// The description as it stands there.
    #[must_use]
    pub fn description_text(&self) -> String {
        self.description.lines().concat()
    }

    /// The body as it stands there, with `\n` between lines.
    #[must_use]
    pub fn body_text(&self) -> String {
        self.body.lines().join("\n")
    }

    /// The texts as they stand there.
    #[must_use]
    pub fn fields(&self) -> Fields {
        Fields {
            name: self.name_text(),
            description: self.description_text(),
            type_word: self.type_word.clone(),
            body: self.body_text(),
            locked: self.locked.iter().map(|locked| locked.field).collect(),
        }
    }

    /// Puts other texts in place of these; undo in a field brings its own back.
    pub fn replace(&mut self, name: &str, description: &str, body: &str) {
        for (area, text) in [(&mut self.name, name), (&mut self.description, description), (&mut self.body, body)] {
            if area.lines().join("\n") != text {
                area.select_all();
                area.insert_str(text);
                area.move_cursor(CursorMove::Jump(0, 0));
            }
        }
    }

    /// Whether a field is only shown.
    #[must_use]
    pub fn is_locked(&self, field: FormField) -> bool {
        self.locked.iter().any(|locked| locked.field == field)
    }

    /// Puts the focus some fields on, past those that are only shown.
    fn step(&mut self, by: usize) {
        let at = FormField::ALL.iter().position(|field| *field == self.focus).unwrap_or_default();
        let next = (1..=FormField::ALL.len())
            .filter_map(|steps| FormField::ALL.get((at + steps * by) % FormField::ALL.len()).copied())
            .find(|field| !self.is_locked(*field));
        self.focus = next.unwrap_or_default();
    }

    /// Replaces the body.
    pub fn set_body(&mut self, body: &str) {
        self.body = area(body);
        self.body.set_wrap_mode(WrapMode::WordOrGlyph);
    }

    /// Puts the cursor on a line of a field, from 0.
    pub fn go_to(&mut self, field: FormField, line: usize) {
        self.focus = field;
        if field == FormField::Body {
            self.body.move_cursor(CursorMove::Jump(u16::try_from(line).unwrap_or(u16::MAX), 0));
        }
    }

    /// The type, if it is one of the four.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        Kind::from_word(&self.type_word)
    }

    /// Takes a key as text or movement. Returns false for a key the form has no use for.
    pub fn key(&mut self, key: &KeyEvent) -> bool {
        let key = &line_feed(key);
        match (self.focus, key.code) {
            (_, KeyCode::Tab) => self.step(1),
            (_, KeyCode::BackTab) => self.step(3),
            (FormField::Name | FormField::Description | FormField::Type, KeyCode::Enter | KeyCode::Down) => {
                self.step(1);
            }
            (FormField::Name, KeyCode::Up) => {}
            (FormField::Description | FormField::Type, KeyCode::Up) => self.step(3),
            (FormField::Body, KeyCode::Up) if self.body.cursor().0 == 0 && key.modifiers.is_empty() => self.step(3),
            (FormField::Type, _) => return self.type_key(key),
            (FormField::Name, _) => input_line(&mut self.name, key),
            (FormField::Description, _) => input_line(&mut self.description, key),
            (FormField::Body, _) => {
                input_text(&mut self.body, key);
            }
        }
        true
    }

    fn type_key(&mut self, key: &KeyEvent) -> bool {
        let at = self.kind().and_then(|kind| Kind::ALL.iter().position(|known| *known == kind));
        let last = Kind::ALL.len() - 1;
        let next = match key.code {
            KeyCode::Right | KeyCode::Char(' ') => at.map_or(0, |at| if at == last { 0 } else { at + 1 }),
            KeyCode::Left => at.map_or(last, |at| if at == 0 { last } else { at - 1 }),
            KeyCode::Char(letter) => {
                match Kind::ALL.iter().position(|kind| kind.word().starts_with(letter.to_ascii_lowercase())) {
                    Some(at) => at,
                    None => return false,
                }
            }
            _ => return false,
        };
        if let Some(kind) = Kind::ALL.get(next) {
            self.type_word = kind.word().to_owned();
        }
        true
    }

    /// Takes pasted text into the field that has the keys; what cannot stand in a memory is left out. False: a line would be
    /// too long, and nothing was taken.
    pub fn paste(&mut self, text: &str) -> bool {
        let text = pasted(text);
        match self.focus {
            FormField::Name => insert_line(&mut self.name, &text),
            FormField::Description => insert_line(&mut self.description, &text),
            FormField::Body => {
                self.body.insert_str(&text);
                true
            }
            FormField::Type => true,
        }
    }
}

/// A text area without a cursor of its own: the terminal's stands there, for input methods and screen readers.
pub(in crate::tui) fn area(text: &str) -> TextArea<'static> {
    let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line).to_owned());
    let mut area = TextArea::new(lines.collect());
    area.set_cursor_style(Style::new());
    area.set_cursor_line_style(Style::new());
    area
}

/// Pasted text without what cannot stand in a memory, lines ended by `\n`.
pub(super) fn pasted(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .chars()
        .filter(|character| matches!(character, '\n' | '\t') || !is_unsafe(*character))
        .collect()
}

pub(in crate::tui) fn one_line(text: &str) -> String {
    text.split(['\n', '\r']).collect::<Vec<_>>().join(" ")
}

/// A line feed, which a terminal without bracketed paste sends between pasted lines, is the enter key: the text area would
/// take it for the key that deletes what stands before the cursor.
pub(super) fn line_feed(key: &KeyEvent) -> KeyEvent {
    if key.code == KeyCode::Char('j') && key.modifiers == KeyModifiers::CONTROL {
        return KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
    }
    *key
}

/// A key in a text. A text that was put in place of another is two steps to the field, out and in; to a person it is one, so
/// an undo does not stop where nothing is left.
pub(in crate::tui) fn input_text(area: &mut TextArea<'static>, key: &KeyEvent) {
    let was_blank = area.is_empty();
    let is_undo = key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('u');
    area.input(*key);
    if is_undo && !was_blank && area.is_empty() {
        area.undo();
    }
}

/// A key for a field of one line: whatever would break the line is no text there.
pub(in crate::tui) fn input_line(line: &mut TextArea<'static>, key: &KeyEvent) {
    let breaks = key.code == KeyCode::Char('m') && key.modifiers.contains(KeyModifiers::CONTROL);
    let types = matches!(key.code, KeyCode::Char(_) | KeyCode::Tab)
        && !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    if !breaks && (!types || fits(line, 1)) {
        input_text(line, key);
    }
}

/// A field of one line takes so many bytes: the text area counts columns in 16 bits, and a tabulator is several.
pub const LONGEST_LINE: usize = 16_000;

/// What is said when a text would make a line too long.
pub(in crate::tui) const TOO_LONG: &str = "Nothing was pasted: a line takes 16 kB at most";

fn fits(line: &TextArea<'static>, more: usize) -> bool {
    line.lines().iter().map(String::len).sum::<usize>() + more <= LONGEST_LINE
}

/// Puts a text into a field of one line, if it fits there; whether it did.
pub(in crate::tui) fn insert_line(line: &mut TextArea<'static>, text: &str) -> bool {
    let does_fit = fits(line, text.len());
    if does_fit {
        line.insert_str(one_line(text));
    }
    does_fit
}

/// A body text as the form gives it back when nobody touched it: line ends are `\n`.
#[must_use]
pub fn normalised(body: &str) -> String {
    body.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn press(form: &mut Form, code: KeyCode) {
        form.key(&KeyEvent::new(code, KeyModifiers::NONE));
    }

    #[test]
    fn texts_come_back_as_they_went_in_until_somebody_types() {
        for body in ["", "a", "a\n", "a\n\n\nb\n\n", "統合\tテスト\n"] {
            assert_eq!(Form::new("n", "d", "user", body).body_text(), body);
        }
        assert_eq!(Form::new("n", "d", "user", "a\r\nb\r\n").body_text(), normalised("a\r\nb\r\n"));
    }

    #[test]
    fn tab_goes_round_and_enter_never_breaks_a_field_of_one_line() {
        let mut form = Form::new("name", "about", "user", "body");
        form.focus = FormField::Name;
        press(&mut form, KeyCode::Char('!'));
        press(&mut form, KeyCode::Enter);
        assert_eq!((form.name_text().as_str(), form.focus), ("name!", FormField::Description));
        for expected in [FormField::Type, FormField::Body, FormField::Name] {
            press(&mut form, KeyCode::Tab);
            assert_eq!(form.focus, expected);
        }
        press(&mut form, KeyCode::BackTab);
        assert_eq!(form.focus, FormField::Body);
    }

    #[test]
    fn the_type_goes_round_by_arrows_and_by_its_first_letter() {
        let mut form = Form::new("", "", "someday", "");
        form.focus = FormField::Type;
        press(&mut form, KeyCode::Right);
        assert_eq!(form.kind(), Some(Kind::User));
        press(&mut form, KeyCode::Left);
        assert_eq!(form.kind(), Some(Kind::Reference));
        press(&mut form, KeyCode::Char('p'));
        assert_eq!(form.kind(), Some(Kind::Project));
        press(&mut form, KeyCode::Char('z'));
        assert_eq!(form.kind(), Some(Kind::Project));
    }

    #[test]
    fn a_field_of_one_line_refuses_what_would_make_it_too_long_and_keeps_what_it_has() {
        let mut form = Form::new("", "about", "user", "");
        form.focus = FormField::Description;
        assert!(!form.paste(&"x".repeat(65_533)));
        assert_eq!(form.description_text(), "about");
        assert!(form.paste(&"\t".repeat(LONGEST_LINE - 5)));
        press(&mut form, KeyCode::Char('x'));
        assert_eq!(form.description_text().len(), LONGEST_LINE);
        press(&mut form, KeyCode::Backspace);
        press(&mut form, KeyCode::Char('x'));
        assert!(form.description_text().ends_with('x'));
    }

    #[test]
    fn pasted_text_stays_on_one_line_where_there_is_one_and_brings_no_controls() {
        let mut form = Form::new("", "", "user", "");
        form.focus = FormField::Description;
        form.paste("two\r\nlines\u{1b}[2J");
        assert_eq!(form.description_text(), "two lines[2J");
        form.focus = FormField::Body;
        form.paste("a\r\nb\rc\u{202e}");
        assert_eq!(form.body_text(), "a\nb\nc");
    }
}
