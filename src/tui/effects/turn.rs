//! Reading what was said around a line of a session, and the lines around one of a file.
//!
//! Not its job: what counts as a turn (see [`crate::session::conversation`]).

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::clock::local_day;
use crate::memory::Store;
use crate::memory::names::is_markdown;
use crate::project::Choice;
use crate::project::origin::{Whereabouts, gone, whereabouts};
use crate::recall::find::Finder;
use crate::secret::redacted;
use crate::session::conversation::{self, Turn};
use crate::session::window::{Bounds, line_saying};
use crate::session::{UseKind, Window, memory_uses};
use crate::text::{brief, count, folded_words};
use crate::tui::effect::TurnQuestion;
use crate::tui::layer::turn::{CallLine, Speaker, Stretch, TurnLine};

/// Lines of a file shown on each side.
const AROUND: usize = 1_000;
/// The same beside a list.
const GLANCE: usize = 20;
/// Characters from which on a text is cut.
const MOST: usize = 20_000;
/// The same for the turn that is asked for.
const MOST_WANTED: usize = 200_000;

/// Fields of a tool's input that say what a call is about, the most telling first.
const TELLING: [&str; 9] =
    ["command", "file_path", "notebook_path", "path", "pattern", "query", "url", "description", "prompt"];

/// The stretch around a turn. `kept_days`: how long Claude Code keeps sessions.
pub(super) fn read(choice: &Choice, question: &TurnQuestion, kept_days: u32) -> Result<Stretch, String> {
    // A source may also be a file of the store: a daily log, another memory.
    if question.path.is_none() && is_markdown(&question.session) {
        return of_file(&question.store, question);
    }
    let path = match &question.path {
        Some(path) => path.clone(),
        None => match whereabouts(choice, &question.session) {
            Whereabouts::Here(path) | Whereabouts::Elsewhere(path) => path,
            Whereabouts::Gone => {
                let quote = question.quote.as_ref().map(|quote| format!("\n\nIt said: “{quote}”")).unwrap_or_default();
                return Err(format!("Its {}.{quote}", gone(&question.session, kept_days)));
            }
        },
    };
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let (line, note) = meant(&path, question).map_err(failed)?;
    let bounds = if question.is_glance { Bounds::GLANCE } else { Bounds::SCREEN };
    let window = Window::read(&path, line, bounds, &|| false).map_err(failed)?;
    let Some(at) = window.at(line) else {
        return Err(format!("{} has no turn at line {line}; it may have been rewritten", path.display()));
    };
    let mut note = note;
    let is_there = |turn: &Turn| {
        question.quote.as_ref().is_none_or(|quote| folded_words(&turn.text).contains(&folded_words(quote)))
    };
    let is_passing = question.is_glance || question.seek.is_some();
    let moved = match (&question.quote, is_passing, window.turns.get(at).is_some_and(is_there)) {
        // Transcripts are rewritten: the words count, not the line.
        (Some(quote), false, false) => {
            let found = line_saying(&path, quote, &|| false).map_err(failed)?;
            if found.is_none() {
                note = Some(format!("The words it was made of are not in this session any more; this is line {line}."));
            }
            found.filter(|found| *found != line)
        }
        _ => None,
    };
    let (window, line) = match moved {
        Some(found) => {
            note = Some(format!("The session was rewritten: the words stand in line {found} now, not {line}."));
            (Window::read(&path, found, bounds, &|| false).map_err(failed)?, found)
        }
        None => (window, line),
    };
    let wanted = window.at(line);
    let is_damaged = window.damage.unreadable + window.damage.too_long;
    if is_damaged > 0 {
        let lines =
            count(usize::try_from(is_damaged).unwrap_or(usize::MAX), "line here is damaged", "lines here are damaged");
        note.get_or_insert(format!("{lines} and left out."));
    }
    // Whose files they are goes without saying.
    let checkout = choice.checkout.as_ref().map(|path| format!("{}/", path.display())).unwrap_or_default();
    let mut thread = None;
    let turns = window.turns.iter().enumerate().map(|(number, turn)| {
        let mut shown = turn_line(turn, if wanted == Some(number) { MOST_WANTED } else { MOST }, &checkout);
        if let Some(own) = turn.thread.filter(|_| !turn.sidechain) {
            shown.begins = thread.is_some_and(|before| before != own);
            thread = Some(own);
        }
        shown
    });
    let turns = turns.collect();
    let said = wanted.and_then(|at| window.turns.iter().skip(at).chain(&window.turns).find_map(|turn| turn.at));
    let title = title(&project(choice, &path), &path, said);
    Ok(Stretch { title, turns, lines: window.lines, total: window.total, wanted: line, note })
}

/// The line that is meant: the one that is named; else where the memory was written, by a call that names its file.
fn meant(path: &Path, question: &TurnQuestion) -> std::io::Result<(u64, Option<String>)> {
    if let (Some((text, is_down)), Some(line)) = (&question.seek, question.line) {
        let found = Finder::literal(text).ok().and_then(|finder| finder.next_line(path, line, *is_down));
        return Ok((found.unwrap_or(line), None));
    }
    if let Some(line) = question.line {
        return Ok((line.max(1), None));
    }
    let Some(file) = &question.wrote else {
        // Who opens a whole session looks for no turn in it.
        let note =
            question.path.is_none().then(|| "The session is known, the turn is not. This is its beginning.".to_owned());
        return Ok((1, note));
    };
    let found = memory_uses(path, (0, 0), &|| false)?;
    let tail = format!("/{file}");
    let written = found.uses.iter().rev().find(|one| one.kind == UseKind::Written && one.path.ends_with(&tail));
    Ok(match written {
        Some(one) => (one.line, None),
        None => (
            1,
            Some(format!("The session is known, the turn is not: no call in it wrote {file}. This is its beginning.")),
        ),
    })
}

/// `acme-api · session 3f2a51c0 · 12 Nov 2026`: the day on which it was said; the file's own where no turn has a time.
pub(super) fn title(project: &str, path: &Path, said: Option<DateTime<Utc>>) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    // A sub-agent's transcript lies in a folder of its session's.
    let parts: Vec<String> = path.iter().rev().take(3).map(|part| part.to_string_lossy().into_owned()).collect();
    let session = match parts.as_slice() {
        [_, folder, session] if folder == "subagents" => format!("session {}, {stem}", brief(session)),
        _ => format!("session {}", brief(&stem)),
    };
    let written = || std::fs::metadata(path).and_then(|file| file.modified()).ok().map(crate::clock::file_time);
    let said = said.or_else(|| crate::session::latest(path).ok()?.at);
    let day = said.or_else(written).map(|at| format!(" · {}", local_day(at).format("%-d %b %Y"))).unwrap_or_default();
    let project = if project.is_empty() { String::new() } else { format!("{project} · ") };
    format!("{project}{session}{day}")
}

/// The title of the project that a transcript lies with; empty when nothing says.
pub(super) fn project(choice: &Choice, path: &Path) -> String {
    if choice.sessions.iter().any(|dir| path.starts_with(dir)) {
        return choice.title.clone();
    }
    let of_home = || {
        let home = choice.home.as_ref()?;
        let projects = home.projects_dir();
        let real = std::fs::canonicalize(&projects).unwrap_or_else(|_| projects.clone());
        let below = path.strip_prefix(&projects).or_else(|_| path.strip_prefix(&real)).ok()?;
        let folder = below.iter().next()?.to_string_lossy().into_owned();
        Some(home.with_path(home.folder(&folder)).title())
    };
    of_home().unwrap_or_default()
}

fn turn_line(turn: &Turn, most: usize, checkout: &str) -> TurnLine {
    let speaker = match turn.speaker {
        conversation::Speaker::Person => Speaker::Person,
        conversation::Speaker::Assistant => Speaker::Assistant,
        conversation::Speaker::Client => Speaker::Client,
    };
    let calls = turn.calls.iter().map(|call| {
        let input: Value = serde_json::from_str(&call.input).unwrap_or(Value::Null);
        CallLine {
            tool: call.tool.clone(),
            brief: redacted(&about(&input, &call.input, checkout)),
            input: cut(&redacted(&in_full(&input, &call.input)), MOST),
            result: call.result.as_deref().map(|text| cut(&redacted(text), MOST)),
            is_error: call.is_error == Some(true),
        }
    });
    TurnLine {
        number: turn.line,
        lines: turn.lines.clone(),
        speaker,
        at: turn.at,
        text: cut(&redacted(&turn.text), most),
        calls: calls.collect(),
        rewound: turn.rewound,
        sidechain: turn.sidechain,
        begins: false,
    }
}

/// What a call is about, on one line.
fn about(input: &Value, raw: &str, checkout: &str) -> String {
    let telling = TELLING.iter().find_map(|name| input.get(name)?.as_str());
    let text = telling.unwrap_or(raw);
    let text = if checkout.is_empty() { text.to_owned() } else { text.replace(checkout, "") };
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&line, 300)
}

/// All that a call was asked: one field after the other, texts as they are.
fn in_full(input: &Value, raw: &str) -> String {
    let Some(fields) = input.as_object() else { return raw.to_owned() };
    let field = |(name, value): (&String, &Value)| match value {
        Value::String(text) if text.contains('\n') => format!("{name}:\n{text}"),
        Value::String(text) => format!("{name}: {text}"),
        other => format!("{name}: {other}"),
    };
    fields.iter().map(field).collect::<Vec<_>>().join("\n")
}

fn cut(text: &str, most: usize) -> String {
    // Short in bytes is short in characters.
    if text.len() <= most {
        return text.to_owned();
    }
    let mut characters = text.chars();
    let beginning: String = characters.by_ref().take(most).collect();
    if characters.next().is_none() { beginning } else { format!("{beginning}…") }
}

fn of_file(store: &Path, question: &TurnQuestion) -> Result<Stretch, String> {
    // A name from a change set is data: it must not lead out of the store.
    if Path::new(&question.session).components().any(|part| !matches!(part, std::path::Component::Normal(_))) {
        return Err(format!("{} is no file of the store", question.session));
    }
    let path: PathBuf = Store::at(store).path(&question.session);
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let wanted = question.line.unwrap_or(1).max(1);
    let around = if question.is_glance { GLANCE } else { AROUND };
    let from = usize::try_from(wanted).unwrap_or(1).saturating_sub(around + 1);
    let mut turns = Vec::new();
    let reader = BufReader::new(crate::state::open_file(&path).map_err(failed)?);
    for (at, line) in reader.split(b'\n').enumerate().skip(from).take(2 * around + 1) {
        let text = redacted(&String::from_utf8_lossy(&line.map_err(failed)?));
        let number = at as u64 + 1;
        turns.push(TurnLine::said(number, Speaker::File, cut(&text, MOST)));
    }
    let lines = (turns.first().map_or(1, |turn| turn.number), turns.last().map_or(1, |turn| turn.number));
    Ok(Stretch { title: question.session.clone(), turns, lines, total: None, wanted, note: None })
}
