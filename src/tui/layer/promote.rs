//! A memory on its way into CLAUDE.md or a rule: where to, the text, and what becomes of the memory.

use crossterm::event::{KeyCode, KeyEvent};
use tui_textarea::{TextArea, WrapMode};

use super::form::{area, input_line, insert_line, line_feed};
use crate::change::promote::{self, Place, Promotion, Target};
use crate::change::verdicts::Seen;
use crate::memory::Topic;

/// A field of the screen, in the order of the tabulator key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PromoteField {
    /// Which file.
    #[default]
    Into,
    /// For which paths a rule is.
    Paths,
    /// Whether the memory stays.
    Memory,
    /// The text.
    Text,
}

/// What is known of a memory and the files it could go to.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The memory.
    pub topic: Topic,
    /// The files.
    pub targets: Vec<Target>,
}

/// The screen.
#[derive(Clone, Debug)]
pub struct Promote {
    /// The memory, as it is seen.
    pub seen: Seen,
    /// Where it can go.
    pub targets: Vec<Target>,
    /// Which of them it goes to.
    pub at: usize,
    /// The path patterns of a rule, parted by commas.
    pub paths: TextArea<'static>,
    /// The text.
    pub text: TextArea<'static>,
    /// The text that was proposed.
    pub proposed: String,
    /// Whether the memory goes to the trash.
    pub is_removed: bool,
    /// The field that has the keys.
    pub focus: PromoteField,
    /// Whether it is under way.
    pub saving: bool,
    /// Whether to close with an edited text is being asked.
    pub asking: bool,
}

impl Promote {
    /// The screen on a memory; `None`: there is no file it could go to.
    #[must_use]
    pub fn of(file: &str, ground: &Ground) -> Option<Self> {
        if ground.targets.is_empty() {
            return None;
        }
        let proposed = promote::text(file, &ground.topic);
        let mut text = area(proposed.trim_end_matches('\n'));
        text.set_wrap_mode(WrapMode::WordOrGlyph);
        Some(Self {
            seen: Seen { file: file.to_owned(), hash: ground.topic.hash() },
            targets: ground.targets.clone(),
            at: 0,
            paths: area(""),
            text,
            proposed,
            is_removed: false,
            focus: PromoteField::Into,
            saving: false,
            asking: false,
        })
    }

    /// The file it goes to.
    #[must_use]
    pub fn target(&self) -> Option<&Target> {
        self.targets.get(self.at)
    }

    /// Whether a line for paths makes sense: a rule that does not exist yet.
    #[must_use]
    pub fn takes_paths(&self) -> bool {
        self.target().is_some_and(|target| target.place == Place::Rule && target.before.is_none())
    }

    /// The text as it stands there.
    #[must_use]
    pub fn text(&self) -> String {
        self.text.lines().join("\n")
    }

    /// Whether something was typed: another text, or paths.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.text().trim_end() != self.proposed.trim_end() || !self.paths.lines().concat().trim().is_empty()
    }

    /// Why the paths cannot be those of a rule.
    #[must_use]
    pub fn wrong_pattern(&self) -> Option<String> {
        self.takes_paths().then(|| promote::wrong_pattern(&promote::paths(&self.paths.lines().concat()))).flatten()
    }

    /// The file as it would be.
    #[must_use]
    pub fn content(&self) -> Option<Vec<u8>> {
        let target = self.target()?;
        let paths = promote::paths(&self.paths.lines().concat());
        Some(promote::content(target.place, target.before.as_deref(), &paths, &self.text()))
    }

    /// What was decided.
    #[must_use]
    pub fn promotion(&self) -> Option<Promotion> {
        let target = self.target()?;
        Some(Promotion {
            seen: self.seen.clone(),
            path: target.path.clone(),
            before: target.before.clone(),
            content: self.content()?,
            is_removed: self.is_removed,
        })
    }

    /// Takes a key.
    pub fn key(&mut self, key: &KeyEvent) {
        let key = &line_feed(key);
        match (self.focus, key.code) {
            (_, KeyCode::Tab) => self.step(1),
            (_, KeyCode::BackTab) => self.step(3),
            (PromoteField::Text, KeyCode::Up) if self.text.cursor().0 == 0 && key.modifiers.is_empty() => self.step(3),
            (PromoteField::Text, _) => {
                super::form::input_text(&mut self.text, key);
            }
            (_, KeyCode::Enter | KeyCode::Down) => self.step(1),
            (PromoteField::Into, KeyCode::Up) => {}
            (_, KeyCode::Up) => self.step(3),
            (PromoteField::Into, KeyCode::Right | KeyCode::Char(' ')) => self.at = (self.at + 1) % self.targets.len(),
            (PromoteField::Into, KeyCode::Left) => {
                self.at = (self.at + self.targets.len() - 1) % self.targets.len();
            }
            (PromoteField::Memory, KeyCode::Left | KeyCode::Right | KeyCode::Char(' ')) => {
                self.is_removed = !self.is_removed;
            }
            (PromoteField::Paths, _) => input_line(&mut self.paths, key),
            (PromoteField::Into | PromoteField::Memory, _) => {}
        }
    }

    /// Takes pasted text. False: a line would be too long, and nothing was taken.
    pub fn paste(&mut self, text: &str) -> bool {
        match self.focus {
            PromoteField::Paths => insert_line(&mut self.paths, text),
            PromoteField::Text => {
                self.text.insert_str(super::form::pasted(text));
                true
            }
            PromoteField::Into | PromoteField::Memory => true,
        }
    }

    fn step(&mut self, by: usize) {
        const ALL: [PromoteField; 4] =
            [PromoteField::Into, PromoteField::Paths, PromoteField::Memory, PromoteField::Text];
        let at = ALL.iter().position(|field| *field == self.focus).unwrap_or_default();
        let next = |steps: usize| ALL.get((at + steps * by) % ALL.len()).copied().unwrap_or_default();
        self.focus = next(1);
        if self.focus == PromoteField::Paths && !self.takes_paths() {
            self.focus = next(2);
        }
    }
}
