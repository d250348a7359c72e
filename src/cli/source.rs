//! `show --source`: the very turn a memory comes from, as the history and the transcript have it.
//!
//! The history says which line of which session a change came from. Nothing is looked for by likeness: where no source was
//! recorded, that is said.

use std::io;

use serde::Serialize;

use super::context::Context;
use super::landing;
use super::output::{Failure, Meaning, Page};
use crate::change::Source;
use crate::memory::names::is_markdown;
use crate::project::Choice;
use crate::project::origin::{NONE_RECORDED, Whereabouts, gone, whereabouts};
use crate::secret::redacted;
use crate::session::Conversation;
use crate::session::conversation::{Speaker, Turn};
use crate::text::folded_words;

/// One recorded source, with what stands there.
#[derive(Debug, Serialize)]
pub(super) struct Spoken {
    session: String,
    line: Option<u64>,
    quote: Option<String>,
    /// Why there is no turn.
    missing: Option<String>,
    /// The assistant's turn before it.
    before: Option<Turn>,
    turn: Option<Turn>,
    /// The assistant's turn after it.
    after: Option<Turn>,
}

impl Spoken {
    /// Whether the turn is there.
    pub(super) fn is_found(&self) -> bool {
        self.turn.is_some()
    }
}

/// What the history names as sources of a file, newest first, each once, with the turns.
pub(super) fn of(context: &Context, choice: &Choice, file: &str, origin: Option<&str>) -> Result<Vec<Spoken>, Failure> {
    let history = context.door().history(&choice.store).map_err(landing::failure)?;
    let mut sources: Vec<&Source> = Vec::new();
    for changed in history.iter().filter(|entry| entry.undone_by.is_none()).flat_map(|entry| &entry.files) {
        if changed.file == file {
            // A source without a session is a sentence of the engine's; another file of the store has no turns.
            let named = changed.rationale.sources.iter();
            let named = named.filter(|source| source.session.as_ref().is_some_and(|id| !is_markdown(id)));
            for source in named {
                if !sources.contains(&source) {
                    sources.push(source);
                }
            }
        }
    }
    let kept = choice.kept_days(&context.environment);
    if let Some(session) = origin.filter(|_| sources.is_empty()) {
        let why = match whereabouts(choice, session) {
            Whereabouts::Gone => gone(session, kept),
            Whereabouts::Here(path) | Whereabouts::Elsewhere(path) => format!(
                "no turn is recorded: the file names the session alone, which is {}; dreamtop's screen goes to the call that \
                 wrote it (O)",
                path.display()
            ),
        };
        return Ok(vec![without_turn(&Source { session: Some(session.to_owned()), ..Source::default() }, why)]);
    }
    Ok(sources.into_iter().map(|source| spoken(choice, source, kept)).collect())
}

/// A source of which no turn can be shown, and why.
fn without_turn(source: &Source, why: String) -> Spoken {
    Spoken {
        session: source.session.clone().unwrap_or_default(),
        line: source.line,
        quote: source.quote.clone(),
        missing: Some(why),
        before: None,
        turn: None,
        after: None,
    }
}

fn spoken(choice: &Choice, source: &Source, kept_days: u32) -> Spoken {
    let session = source.session.clone().unwrap_or_default();
    let missing = |why: String| without_turn(source, why);
    let path = match whereabouts(choice, &session) {
        Whereabouts::Here(path) | Whereabouts::Elsewhere(path) => path,
        Whereabouts::Gone => return missing(gone(&session, kept_days)),
    };
    let conversation = match Conversation::read(std::slice::from_ref(&path), &|| false) {
        Ok(conversation) => conversation,
        Err(error) => return missing(format!("cannot read {}: {error}", path.display())),
    };
    let Some(at) = turn_of(&conversation, source) else {
        return missing(format!("{} has no such turn any more", path.display()));
    };
    let turns = &conversation.turns;
    let is_answer = |turn: &&Turn| turn.speaker == Speaker::Assistant && !turn.sidechain;
    let before = turns.get(..at).and_then(|turns| turns.iter().rev().find(is_answer));
    let after = turns.get(at + 1..).and_then(|turns| turns.iter().find(is_answer));
    Spoken {
        missing: None,
        before: before.map(clean),
        turn: turns.get(at).map(clean),
        after: after.map(clean),
        ..missing(String::new())
    }
}

/// The turn at the line that was recorded, if the person's words stand there; else, since transcripts are rewritten, the
/// one turn of the person's that holds them.
fn turn_of(conversation: &Conversation, source: &Source) -> Option<usize> {
    let quote = source.quote.as_deref().map(folded_words).filter(|quote| !quote.is_empty());
    let says = |turn: &Turn| quote.as_ref().is_none_or(|quote| folded_words(&turn.text).contains(quote));
    let at_line = source.line.and_then(|line| conversation.at(0, line));
    if at_line.and_then(|at| conversation.turns.get(at)).is_some_and(says) {
        return at_line;
    }
    quote.as_ref()?;
    let mut holding =
        conversation.turns.iter().enumerate().filter(|(_, turn)| turn.speaker == Speaker::Person && says(turn));
    let (at, _) = holding.next()?;
    holding.next().is_none().then_some(at)
}

/// A turn without what looks like a secret.
fn clean(turn: &Turn) -> Turn {
    let mut turn = turn.clone();
    turn.text = redacted(&turn.text);
    for call in &mut turn.calls {
        call.input = redacted(&call.input);
    }
    turn
}

/// Prints them under the memory.
pub(super) fn print(page: &mut Page<'_>, all: &[Spoken]) -> io::Result<()> {
    if all.is_empty() {
        return page.line(page.paint(NONE_RECORDED, Meaning::Dim));
    }
    for spoken in all {
        page.line("")?;
        let line = spoken.line.map(|line| format!(", line {line}")).unwrap_or_default();
        page.line(page.paint(&format!("── session {}{line}", spoken.session), Meaning::Strong))?;
        if let Some(why) = &spoken.missing {
            page.line(page.paint(why, Meaning::Warn))?;
            if let Some(quote) = &spoken.quote {
                page.text(quote, "    ")?;
            }
        }
        let turns = [("assistant", &spoken.before), ("you", &spoken.turn), ("assistant", &spoken.after)];
        for (who, turn) in turns {
            if let Some(turn) = turn {
                print_turn(page, who, turn)?;
            }
        }
    }
    Ok(())
}

fn print_turn(page: &mut Page<'_>, who: &str, turn: &Turn) -> io::Result<()> {
    let who = if turn.speaker == Speaker::Assistant { "assistant" } else { who };
    let at = turn.at.map(|at| format!("  {}", at.format("%Y-%m-%d %H:%M UTC"))).unwrap_or_default();
    let rewound = if turn.rewound { "  (taken back by a rewind)" } else { "" };
    page.line(page.paint(&format!("{who}{at}{rewound}"), Meaning::Dim))?;
    page.text(&turn.text, "    ")?;
    for call in &turn.calls {
        let failed = if call.is_error == Some(true) { "  (failed)" } else { "" };
        page.line(
            page.paint(&format!("    → {} {}{failed}", call.tool, crate::text::fit(&call.input, 100)), Meaning::Dim),
        )?;
    }
    Ok(())
}
