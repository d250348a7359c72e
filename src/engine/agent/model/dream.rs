//! A dream by a model: what it is told at the beginning, and the sessions laid out for it to search.
//!
//! A session is laid out as what the person said and what they answered, a file each, so that what tools gave back, our own
//! prompts and credentials never reach the model. Not its job: the order of work (the prompt says it).

use std::fs;
use std::io::Write as _;
use std::path::Path;

use chrono::{DateTime, Local, Utc};
use tempfile::TempDir;

use super::talk;
use crate::engine::{EngineError, EngineEvent, Job, RunContext, SessionSource};
use crate::health::paths::{Checkout, gone};
use crate::memory::index::{MAX_BYTES, MAX_LINES};
use crate::memory::{Snapshot, Store};

use crate::session::human::standing_turns;
use crate::text::{bytes, count};

/// The list of what is stored, in bytes.
const MANIFEST: usize = 24_000;
/// So many logs, drifted memories and sessions are named.
const MOST: usize = 60;
/// A session is laid out up to here; what is older of it is left out.
const SESSION: usize = 4 * 1024 * 1024;

/// The beginning of a dream.
pub(in crate::engine::agent) struct Beginning {
    /// What the model is asked.
    pub(in crate::engine::agent) task: String,
    /// The sessions, as long as this is kept.
    _laid_out: TempDir,
    /// What had to be left out.
    pub(in crate::engine::agent) notes: Vec<String>,
}

/// A session laid out.
struct LaidOut {
    path: String,
    turns: usize,
    bytes: usize,
    first: Option<DateTime<Utc>>,
    last: Option<DateTime<Utc>>,
}

/// Lays out the sessions and says what there is.
///
/// # Errors
/// When the working copy cannot be read, or nothing can be laid out beside it.
pub(in crate::engine::agent) fn begin(job: &Job, context: &RunContext, room: usize) -> Result<Beginning, EngineError> {
    let snapshot = talk::scan(context)?;
    // Beside the working copy: gone with the run, whatever becomes of it.
    let beside = context.working_copy.parent().unwrap_or(&context.working_copy);
    let laid_out = tempfile::Builder::new().prefix("sessions-").tempdir_in(beside)?;
    let mut notes = Vec::new();
    let mut sessions = String::new();
    let total = job.sessions.len();
    for (at, session) in job.sessions.iter().enumerate() {
        if context.cancel.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        match lay_out(session, laid_out.path(), &mut notes) {
            Ok(Some(found)) if at < MOST => sessions.push_str(&line(session, &found)),
            Ok(_) => {}
            Err(error) => notes.push(format!("session {} was left out: {error}", session.id)),
        }
        context.events.send(EngineEvent::Progress {
            done: at as u64 + 1,
            total: total as u64,
            what: "sessions".to_owned(),
        });
    }
    if total > MOST {
        sessions.push_str(&format!("… and {} more beside them\n", total - MOST));
    }
    let measure = &snapshot.index.measure;
    let listed = |text: String, none: &str| if text.is_empty() { format!("{none}\n") } else { text };
    let logs: String = talk::daily_logs(&context.working_copy, MOST).iter().map(|log| format!("- {log}\n")).collect();
    let drifted = drifted(&snapshot, &Store::at(&context.working_copy), job.checkout.as_deref());
    let checkout =
        job.checkout.as_ref().map(|path| format!(" The project is at {}.", path.display())).unwrap_or_default();
    let task = format!(
        "{}{checkout}\n\n# The memories\n\nMEMORY.md has {} of {MAX_LINES} lines and {} of {MAX_BYTES} bytes.\n\n{}\n# Daily \
         logs\n\n{}\n# Memories that name what is gone\n\n{}\n# Sessions under review\n\n{}",
        talk::today(context),
        measure.lines,
        measure.bytes,
        talk::manifest(&snapshot, (room / 4).min(MANIFEST)),
        listed(logs, "(none)"),
        listed(drifted, "(none known)"),
        listed(sessions, "(none: only the memories themselves are to be looked at)"),
    );
    Ok(Beginning { task, _laid_out: laid_out, notes })
}

fn line(session: &SessionSource, found: &LaidOut) -> String {
    let day = |at: Option<DateTime<Utc>>| at.map(|at| at.with_timezone(&Local).format("%Y-%m-%d").to_string());
    let days = match (day(found.first), day(found.last)) {
        (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
        (Some(first), _) => first,
        _ => "no date".to_owned(),
    };
    let (turns, size) = (count(found.turns, "turn", "turns"), bytes(found.bytes as u64));
    format!("- session {}: {} ({days}, {turns}, {size})\n", session.id, found.path)
}

/// Writes what was said in a session into a file; nothing when nobody said anything.
fn lay_out(session: &SessionSource, dir: &Path, notes: &mut Vec<String>) -> Result<Option<LaidOut>, std::io::Error> {
    let found = standing_turns(&session.path, session.from, session.speakers, &|| false)?;
    let is_new = |at: Option<DateTime<Utc>>| session.since.is_none_or(|since| at.is_none_or(|at| at > since));
    let turns: Vec<_> = found.turns.into_iter().filter(|turn| is_new(turn.at)).collect();
    if turns.is_empty() {
        return Ok(None);
    }
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = session.id.chars().map(plain).take(80).collect();
    let path = dir.join(format!("{name}.txt"));
    let mut file = fs::File::create(&path)?;
    let (mut written, mut cut, mut before) = (0, 0, None);
    let mut texts = Vec::new();
    for turn in &turns {
        let answer = turn.after.as_deref().filter(|after| before != Some(*after));
        before = turn.after.as_deref();
        let (text, is_cut) = talk::turn(turn, answer);
        cut += usize::from(is_cut);
        texts.push(text);
    }
    // The latest word counts most.
    let mut room = SESSION;
    let fitting = texts.iter().rev().take_while(|text| {
        let fits = text.len() <= room;
        room = room.saturating_sub(text.len());
        fits
    });
    let dropped = texts.len() - fitting.count();
    for text in texts.iter().skip(dropped) {
        file.write_all(text.as_bytes())?;
        written += text.len();
    }
    if cut + dropped > 0 {
        notes.push(format!(
            "session {} is read in part: {} left out, {} cut in the middle",
            session.id,
            count(dropped, "turn", "turns"),
            count(cut, "long turn", "long turns")
        ));
    }
    let times = || turns.iter().filter_map(|turn| turn.at);
    Ok(Some(LaidOut {
        path: path.display().to_string(),
        turns: turns.len(),
        bytes: written,
        first: times().min(),
        last: times().max(),
    }))
}

/// Memories that cite paths which the checkout lacks.
fn drifted(snapshot: &Snapshot, store: &Store, checkout: Option<&Path>) -> String {
    let Some(checkout) = checkout.map(Checkout::at) else { return String::new() };
    let mut listed = String::new();
    for memory in &snapshot.memories {
        let body = store.topic(&memory.file).map(|topic| topic.body()).unwrap_or_default();
        let gone: Vec<String> = gone(&body, &checkout).into_iter().take(5).map(|cited| cited.path).collect();
        if !gone.is_empty() {
            listed.push_str(&format!("- {}: {}\n", memory.file, gone.join(", ")));
        }
        if listed.lines().count() >= MOST {
            break;
        }
    }
    crate::secret::redacted(&crate::text::without_hidden(&listed))
}
