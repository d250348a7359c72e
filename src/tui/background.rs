//! Whether the terminal's background is dark or light: asked of the terminal, or told by `COLORFGBG`.
//!
//! The answer comes in the same stream as the keys, at any time or never. So nobody waits for it: a [`Sieve`] in front of
//! the keys takes it out whenever it comes, and gives every other key on unchanged. Not its job: what is made of it
//! (`theme`).

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::theme::Background;

/// Asks for the background's colour (OSC 11).
pub(super) const QUESTION: &[u8] = b"\x1b]11;?\x1b\\";

/// An answer is never longer than this.
const LONGEST: usize = 40;

/// Whether a terminal of this name can be asked. The others would show the question.
pub(super) fn can_be_asked(term: Option<&str>) -> bool {
    !matches!(term, None | Some("dumb" | "linux" | "cons25" | "vt52" | "emacs"))
}

/// What `COLORFGBG` says: `15;0`, the last number is the background's.
pub(super) fn of_variable(value: &str) -> Option<Background> {
    match value.rsplit(';').next()?.trim().parse::<u8>().ok()? {
        0..=6 | 8 => Some(Background::Dark),
        7 | 9..=15 => Some(Background::Light),
        _ => None,
    }
}

/// What an answer says: `rgb:1e1e/1e1e/2e2e`, one to four hexadecimal digits a part.
fn of_colour(text: &str) -> Option<Background> {
    let parts = text.strip_prefix("rgb:").or_else(|| text.strip_prefix("rgba:"))?;
    let part = |text: &str| {
        let digits = u32::try_from(text.len()).ok().filter(|digits| (1..=4).contains(digits))?;
        let most = 16_u32.pow(digits) - 1;
        Some(f64::from(u32::from_str_radix(text, 16).ok()?) / f64::from(most))
    };
    let colour: Vec<f64> = parts.split('/').map(part).collect::<Option<_>>()?;
    let [red, green, blue, ..] = colour.as_slice() else { return None };
    let light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    Some(if light > 0.5 { Background::Light } else { Background::Dark })
}

/// What came through.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Sieved {
    /// The events that are a person's, in their order.
    pub(super) events: Vec<Event>,
    /// Whether this was the end of an answer.
    pub(super) is_answer: bool,
    /// What it says.
    pub(super) background: Option<Background>,
}

impl Sieved {
    fn of(events: Vec<Event>) -> Self {
        Self { events, ..Self::default() }
    }
}

/// Takes one answer out of a stream of keys. The reader of keys knows no such answers and takes it for `Alt-]`, `1`, `1`, …
#[derive(Debug)]
pub(super) struct Sieve {
    is_waiting: bool,
    held: Vec<Event>,
    text: String,
}

impl Sieve {
    /// A sieve; one that waits for nothing lets everything pass.
    pub(super) fn new(is_waiting: bool) -> Self {
        Self { is_waiting, held: Vec::new(), text: String::new() }
    }

    /// Whether keys are held that may be the beginning of an answer. Without others soon, they are a person's.
    pub(super) fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    /// Takes an event.
    pub(super) fn take(&mut self, event: Event) -> Sieved {
        if !self.is_waiting {
            return Sieved::of(vec![event]);
        }
        let bytes = match &event {
            Event::Key(key) if key.kind == KeyEventKind::Press => bytes_of(key),
            _ => None,
        };
        let Some(bytes) = bytes else {
            let mut events = self.let_go();
            events.push(event);
            return Sieved::of(events);
        };
        let text = format!("{}{bytes}", self.text);
        match progress(&text) {
            Progress::Begun => {
                self.text = text;
                self.held.push(event);
                Sieved::default()
            }
            Progress::Whole(background) => {
                *self = Self::new(false);
                Sieved { events: Vec::new(), is_answer: true, background }
            }
            Progress::No if self.held.is_empty() => Sieved::of(vec![event]),
            Progress::No => {
                let before = self.let_go();
                let after = self.take(event);
                Sieved { events: before.into_iter().chain(after.events).collect(), ..after }
            }
        }
    }

    /// Gives up what is held.
    pub(super) fn let_go(&mut self) -> Vec<Event> {
        self.text.clear();
        std::mem::take(&mut self.held)
    }
}

/// The bytes that a key was made of, as far as an answer can hold them.
fn bytes_of(key: &KeyEvent) -> Option<String> {
    let text = match key.code {
        KeyCode::Esc => return Some("\u{1b}".to_owned()),
        KeyCode::Char(character) => character,
        _ => return None,
    };
    match key.modifiers - KeyModifiers::SHIFT {
        KeyModifiers::NONE => Some(text.to_string()),
        KeyModifiers::ALT => Some(format!("\u{1b}{text}")),
        // The bell that ends an answer.
        KeyModifiers::CONTROL if text == 'g' => Some("\u{7}".to_owned()),
        _ => None,
    }
}

enum Progress {
    No,
    Begun,
    Whole(Option<Background>),
}

/// How far a text is on its way to an answer.
fn progress(text: &str) -> Progress {
    const START: &str = "\u{1b}]11;";
    if START.starts_with(text) {
        return Progress::Begun;
    }
    let Some(rest) = text.strip_prefix(START).filter(|_| text.len() <= LONGEST) else { return Progress::No };
    let end = rest.strip_suffix('\u{7}').or_else(|| rest.strip_suffix("\u{1b}\\"));
    if let Some(colour) = end {
        return Progress::Whole(of_colour(colour));
    }
    let colour = rest.strip_suffix('\u{1b}').unwrap_or(rest);
    if colour.chars().all(|c| c.is_ascii_hexdigit() || "rgba:/".contains(c)) { Progress::Begun } else { Progress::No }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(code, modifiers))
    }

    fn plain(text: &str) -> Vec<Event> {
        text.chars().map(|character| key(KeyCode::Char(character), KeyModifiers::NONE)).collect()
    }

    /// An answer as the reader of keys makes it.
    fn answer(colour: &str, has_bell: bool) -> Vec<Event> {
        let mut events = vec![key(KeyCode::Char(']'), KeyModifiers::ALT)];
        events.extend(plain("11;"));
        events.extend(plain(colour));
        events.push(match has_bell {
            true => key(KeyCode::Char('g'), KeyModifiers::CONTROL),
            false => key(KeyCode::Char('\\'), KeyModifiers::ALT),
        });
        events
    }

    fn through(sieve: &mut Sieve, events: Vec<Event>) -> Sieved {
        let mut all = Sieved::default();
        for event in events {
            let some = sieve.take(event);
            all.events.extend(some.events);
            all.background = all.background.or(some.background);
        }
        all
    }

    #[test]
    fn an_answer_is_taken_out_whenever_it_comes_and_typing_before_and_after_it_stays() {
        for has_bell in [false, true] {
            let mut sieve = Sieve::new(true);
            let events = [plain("jj"), answer("rgb:ffff/fafa/f0f0", has_bell), plain("q11;")].concat();
            let passed = through(&mut sieve, events);
            assert_eq!((passed.events, passed.background), (plain("jjq11;"), Some(Background::Light)));
        }
        let split =
            [vec![key(KeyCode::Esc, KeyModifiers::NONE)], plain("]11;rgb:00/00/00"), answer("", true).split_off(4)];
        assert_eq!(through(&mut Sieve::new(true), split.concat()).background, Some(Background::Dark));
    }

    #[test]
    fn keys_that_only_begin_like_an_answer_are_all_given_on_in_their_order() {
        let mut sieve = Sieve::new(true);
        let typed = [vec![key(KeyCode::Char(']'), KeyModifiers::ALT)], plain("1x"), plain("]11;rgb:")].concat();
        assert_eq!(through(&mut sieve, typed.clone()).events, typed);
        let alone = vec![key(KeyCode::Esc, KeyModifiers::NONE)];
        assert_eq!(through(&mut sieve, alone.clone()).events, []);
        assert!(sieve.is_holding());
        assert_eq!(sieve.let_go(), alone);
        let paste = Event::Paste("\u{1b}]11;rgb:0/0/0\u{7}".to_owned());
        assert_eq!(sieve.take(paste.clone()).events, [paste]);
    }

    #[test]
    fn whoever_asked_nothing_gets_every_key() {
        let events = answer("rgb:0/0/0", true);
        assert_eq!(through(&mut Sieve::new(false), events.clone()).events, events);
    }

    #[test]
    fn colours_and_the_variable_are_understood_and_nonsense_says_nothing() {
        for (colour, background) in [
            ("rgb:0000/0000/0000", Some(Background::Dark)),
            ("rgb:1e/1e/2e", Some(Background::Dark)),
            ("rgb:f/f/f", Some(Background::Light)),
            ("rgba:fdfd/f6f6/e3e3/ffff", Some(Background::Light)),
            ("rgb:", None),
            ("rgb:g/0/0", None),
            ("rgb:00000/0/0", None),
            ("#fff", None),
        ] {
            assert_eq!(of_colour(colour), background, "{colour}");
        }
        for (value, background) in [
            ("15;0", Some(Background::Dark)),
            ("0;15", Some(Background::Light)),
            ("0;default;15", Some(Background::Light)),
            ("12;8", Some(Background::Dark)),
            ("default;default", None),
            ("", None),
            ("0;99", None),
        ] {
            assert_eq!(of_variable(value), background, "{value}");
        }
    }
}
