//! What a person does to memories: asking first where it deserves that, and telling what became of it.

use std::collections::BTreeSet;
use std::path::Path;

use super::{dashboard, edit, new, promote, rename, review, triage};
use crate::change::verbs::SaveKind;
use crate::change::verdicts::Seen;
use crate::change::{DoorError, HistoryEntry, Landing, Op, Origin, SnoozedBefore, count_waiting};
use crate::engine::JobKind;
use crate::memory::names::slug;
use crate::text::{count, visible};
use crate::tui::command::Command;
use crate::tui::effect::{Deed, Effect, Judgement};
use crate::tui::event::Outcome;
use crate::tui::layer::choose::{Asked, Choose};
use crate::tui::layer::confirm::Confirm;
use crate::tui::layer::{Layer, Message};
use crate::tui::state::{Launching, State};
use crate::tui::theme::Meaning;
use crate::tui::view::choose as choose_view;

/// What `undo` says of a store without a landing.
pub(super) const NOTHING_LANDED: &str = "Nothing has landed in this store that could be taken back";

/// Does a command that changes something, or asks whether to.
pub(super) fn command(state: &mut State, command: Command) -> Vec<Effect> {
    let file = state.target().map(|memory| memory.file.clone());
    match (command, file) {
        (Command::Edit, Some(file)) => vec![Effect::ReadTopic(file)],
        (Command::EditExternally, Some(file)) => vec![Effect::OpenExternalEditor(file)],
        (Command::CopyPath, Some(file)) => {
            let path = state.choice.store.path(&file).display().to_string();
            state.tell(Meaning::Text, format!("Copied {path}"));
            vec![Effect::Copy(path)]
        }
        (Command::StillTrue, Some(_)) => still_true(state),
        (Command::Delete, Some(_)) => ask_delete(state),
        (Command::Snooze, Some(_)) => choose(state, Asked::Snooze),
        (Command::Promote, Some(_)) => promote::open(state),
        (Command::Rename, Some(_)) => rename::open(state),
        (Command::Retype | Command::SetType, Some(_)) => choose(state, Asked::Retype),
        (Command::New, _) => new::open(state),
        (Command::Undo, _) => undo_last(state),
        (Command::Dream, _) => {
            let store = state.store_root().to_owned();
            ask_dream(state, &store)
        }
        _ => Vec::new(),
    }
}

/// The files a verb means and the marked ones it does not; `None`, said to the person, when all marks are hidden: the one
/// under the cursor is not what was marked.
fn meant(state: &mut State) -> Option<(Vec<String>, Vec<String>)> {
    let hidden = if state.layers.is_empty() { state.hidden_marks() } else { Vec::new() };
    if !hidden.is_empty() && !state.has_visible_marks() {
        let what = count(hidden.len(), "marked memory is", "marked memories are");
        let names = hidden.iter().map(|file| visible(file)).collect::<Vec<_>>().join(", ");
        state.tell(Meaning::Warn, format!("Nothing was done: {what} hidden by the filter: {names}"));
        return None;
    }
    Some((state.targets(), hidden))
}

fn still_true(state: &mut State) -> Vec<Effect> {
    let Some((files, hidden)) = meant(state) else { return Vec::new() };
    let deed = Effect::Do(Box::new(Deed::Judge { seen: state.seen(&files), judgement: Judgement::StillTrue }));
    if files.len() == 1 && hidden.is_empty() {
        return vec![deed];
    }
    state.layers.push(Layer::Confirm(Confirm {
        title: format!("Are these {} still true?", count(files.len(), "memory", "memories")),
        lines: files.into_iter().chain(choose_view::hidden(&hidden)).collect(),
        yes: "still true",
        effects: vec![deed],
    }));
    Vec::new()
}

fn ask_delete(state: &mut State) -> Vec<Effect> {
    let Some((files, hidden)) = meant(state) else { return Vec::new() };
    // What is seen now goes: a file that changes while the question stands is another one.
    let deed = Deed::Judge { seen: state.seen(&files), judgement: Judgement::Delete };
    state.layers.push(Layer::Confirm(Confirm {
        title: format!("Move {} to the trash?", count(files.len(), "memory", "memories")),
        lines: files.iter().cloned().chain(choose_view::hidden(&hidden)).collect(),
        yes: "delete",
        effects: vec![Effect::Do(Box::new(deed))],
    }));
    Vec::new()
}

/// Asks how long, or which type; the count is in the question.
fn choose(state: &mut State, asked: Asked) -> Vec<Effect> {
    if let Some((files, hidden)) = meant(state) {
        let seen = state.seen(&files);
        state.layers.push(Layer::Choose(Choose { asked, seen, hidden, days: None }));
    }
    Vec::new()
}

/// Takes back the newest thing that landed and was not taken back.
fn undo_last(state: &mut State) -> Vec<Effect> {
    let last = state.history.iter().find(|entry| entry.stands_whole());
    // A snooze is no landing; it is taken back as long as it is the latest thing done.
    if let Some((_, before)) = state.snoozed.take_if(|(at, _)| last.is_none_or(|entry| entry.at <= *at)) {
        return vec![Effect::Do(Box::new(Deed::Snooze(before)))];
    }
    // Neither is a rejection.
    if let Some((entry, _)) = state.dropped.pop_if(|(_, at)| last.is_none_or(|entry| entry.at < *at)) {
        let store = state.store_root().to_owned();
        return vec![Effect::Do(Box::new(Deed::WaitAgain { store, entry }))];
    }
    let Some(entry) = last.cloned() else {
        state.tell(Meaning::Text, NOTHING_LANDED);
        return Vec::new();
    };
    undo(state, &entry)
}

/// Takes an entry of the history back; asks when it was not the person's own doing.
pub(super) fn undo(state: &mut State, entry: &HistoryEntry) -> Vec<Effect> {
    let store = state.store_root().to_owned();
    let deed = Effect::Do(Box::new(Deed::Undo { store, entry: entry.id.clone() }));
    if matches!(entry.origin, Origin::Edit | Origin::Triage) {
        return vec![deed];
    }
    let confirm = Confirm {
        title: match entry.origin {
            // Their titles say it.
            Origin::Foreign | Origin::Undo => format!("Take back \"{}\"?", entry.title),
            origin => format!("Take back the {}: {}?", origin.word(), entry.title),
        },
        lines: entry.files.iter().map(|file| format!("{} {}", file.op.word(), file.file)).collect(),
        yes: "undo",
        effects: vec![deed],
    };
    state.layers.push(Layer::Confirm(confirm));
    Vec::new()
}

/// Starts a dream; asks first where nothing is new since the last one, as far as the gates tell. A store that was never
/// dreamt over has its memories to offer.
fn ask_dream(state: &mut State, store: &Path) -> Vec<Effect> {
    let short = |name| state.gates.dream.iter().find(|gate| gate.gate == name).map(|gate| gate.short.as_str());
    let has_nothing_new = short("sessions").is_some_and(|figure| figure.starts_with("0/"))
        && short("time").is_some_and(|figure| figure != "never");
    if !has_nothing_new || state.launching.is_some() {
        return dream(state, store);
    }
    let run = crate::run::launch::new_run_id(JobKind::Dream, state.now);
    state.layers.push(Layer::Confirm(Confirm {
        title: "Dream with nothing new?".to_owned(),
        lines: vec![
            "No session has anything new from a person since the last success.".to_owned(),
            "It would look at the memories alone, and cost what the engine costs.".to_owned(),
        ],
        yes: "dream",
        effects: vec![Effect::Dream { run, store: store.to_owned() }],
    }));
    Vec::new()
}

/// Starts a dream of a store.
pub(super) fn dream(state: &mut State, store: &Path) -> Vec<Effect> {
    if state.launching.is_some() {
        state.tell(Meaning::Dim, "A dream is starting already");
        return Vec::new();
    }
    let run = crate::run::launch::new_run_id(JobKind::Dream, state.now);
    launching(state, &run);
    vec![Effect::Dream { run, store: store.to_owned() }]
}

/// A dream is being started: until its first word comes, that is what is told.
pub(super) fn launching(state: &mut State, run: &str) {
    state.launching = Some(Launching { run: run.to_owned(), since: state.now });
    state.ending = None;
    state.started_here.push(run.to_owned());
}

/// Tells what became of a deed. The editor hears of its own saves first.
pub(super) fn done(state: &mut State, deed: &Deed, result: Result<Outcome, DoorError>) -> Vec<Effect> {
    let succeeded = result.is_ok();
    if !succeeded {
        // The cursor stays with what nothing was said of.
        state.memories.judged.clear();
    }
    let still_waits = match &result {
        Ok(Outcome::Landed { landing, .. }) => Some(landing.held.iter().map(|held| held.file.clone()).collect()),
        Ok(_) => Some(BTreeSet::new()),
        Err(_) => None,
    };
    if matches!(deed, Deed::Create(_)) {
        new::saved(state, succeeded);
    }
    if matches!(deed, Deed::EditIndex(_)) && super::index::saved(state, result.as_ref().map(|_| ())) {
        return vec![Effect::Rescan];
    }
    if matches!(deed, Deed::Promote(_))
        && let Some(effects) = promote::done(state, result.as_ref().map(|_| ()))
    {
        return effects;
    }
    if let Deed::Rename { to, .. } = deed
        && rename::done(state, to, result.as_ref().err().map(ToString::to_string))
    {
        return vec![Effect::Rescan];
    }
    if !edit::saved(state, deed, &result) && !triage::done(state, deed, &result) {
        match result {
            Ok(Outcome::Landed { title, landing }) => {
                landed(state, deed, &title, &landing);
                if let Deed::Save { file, kind, .. } | Deed::Recreate { file, kind, .. } = deed {
                    triage::edited(state, file, *kind, &landing);
                }
            }
            Ok(Outcome::Snoozed(before)) => snoozed(state, deed, before),
            Ok(Outcome::Dropped(files)) => {
                let (undo, dropped) = (state.keymap.shown(Command::Undo), held_changes(files.len()));
                state.tell(Meaning::Ok, format!("Dropped {dropped} · {undo} takes it back"));
            }
            Ok(Outcome::Waiting(files)) => {
                let inbox = state.keymap.shown(Command::Inbox);
                let again = if files.len() == 1 { "waits again" } else { "wait again" };
                state.tell(Meaning::Ok, format!("{} {again}, in the inbox ({inbox})", held_changes(files.len())));
            }
            Err(error) => refused(state, &error),
        }
    }
    if succeeded {
        note_rejection(state, deed);
        // What a filter hid was not acted on, and stays marked.
        let is_done = |file: &String| match deed {
            Deed::Judge { seen, .. } => seen.iter().any(|seen| seen.file == *file),
            Deed::Snooze(wanted) => wanted.iter().any(|(seen, _)| seen.file == *file),
            _ => false,
        };
        state.memories.marked.retain(|file| !is_done(file));
    }
    let mut effects = vec![Effect::Rescan, Effect::ReadHistory, Effect::ReadInbox];
    match deed {
        Deed::Decide { store, entry, .. } => effects.extend(review::decided(state, store, entry, still_waits.as_ref())),
        // The runs say so themselves.
        Deed::Undo { .. } => effects.push(Effect::RefreshRuns),
        _ => {}
    }
    effects
}

fn held_changes(number: usize) -> String {
    count(number, "held change", "held changes")
}

/// Notes a rejection, which is no landing and can be taken back as well, until the disk tells of it.
fn note_rejection(state: &mut State, deed: &Deed) {
    let entry = match deed {
        Deed::Decide { store, entry, decision } if store == state.store_root() && !decision.rejected.is_empty() => {
            entry
        }
        Deed::Reject { entry, .. } => entry,
        _ => return,
    };
    state.dropped.push((entry.clone(), state.now));
}

/// Tells that memories wait, or do not any more; what was before is kept for `undo`.
fn snoozed(state: &mut State, deed: &Deed, before: SnoozedBefore) {
    let memories = count(before.len(), "memory", "memories");
    let until = match deed {
        Deed::Snooze(wanted) => wanted.iter().find_map(|(_, until)| *until),
        _ => None,
    };
    let memories = match before.as_slice() {
        [(one, _)] => visible(&one.file).into_owned(),
        _ => memories,
    };
    match until {
        Some(until) => {
            let undo = state.keymap.shown(Command::Undo);
            let day = crate::clock::local_day(until);
            state.tell(Meaning::Ok, format!("Snoozed {memories} until {day} · {undo} takes it back"));
            state.snoozed = Some((state.now, before));
        }
        None => state.tell(Meaning::Ok, format!("Not snoozed any more: {memories}")),
    }
}

/// The one file, else how many.
fn named(seen: &[Seen], count: String) -> String {
    match seen {
        [one] => visible(&one.file).into_owned(),
        _ => count,
    }
}

fn landed(state: &mut State, deed: &Deed, title: &str, landing: &Landing) {
    let topics = landing.landed.iter().filter(|landed| landed.file != crate::memory::INDEX_FILE).count();
    let memories = count(topics, "memory", "memories");
    let undo = state.keymap.shown(Command::Undo);
    let mut text = match deed {
        Deed::Judge { judgement: Judgement::Delete, .. } => {
            let gone =
                landing.landed.iter().filter(|landed| landed.op == Op::Remove).map(|landed| landed.file.as_str());
            match gone.collect::<Vec<_>>().as_slice() {
                [one] => format!("Moved {} to the trash · {undo} takes it back", visible(one)),
                _ => format!("Moved {memories} to the trash · {undo} takes it back"),
            }
        }
        Deed::Judge { seen, judgement: Judgement::StillTrue } => {
            format!("Still true, dated today: {} · {undo} takes it back", named(seen, memories))
        }
        Deed::Judge { judgement: Judgement::Retype(_), .. } if topics == 0 => "They have that type already".to_owned(),
        Deed::Judge { seen, judgement: Judgement::Retype(kind) } => {
            format!("Of type {} now: {} · {undo} takes it back", kind.word(), named(seen, memories))
        }
        Deed::Judge { judgement: Judgement::Merge(union), .. } => {
            format!("Merged {} into {} · {undo} takes it back", union.partner, union.keep)
        }
        Deed::Snooze(_) => format!("Snoozed {memories}"),
        Deed::Create(draft) => {
            let name = slug(&draft.name);
            let made = landing.landed.iter().find(|landed| landed.op == Op::Create);
            let saved = made.map_or_else(|| format!("Saved {memories}"), |made| format!("Saved {}", made.file));
            if name == draft.name { saved } else { format!("{saved}; its name in the file is {name}") }
        }
        Deed::Save { kind, file, .. } | Deed::Recreate { kind, file, .. } => match kind {
            SaveKind::KeepAge => format!("Saved {file}; the claim keeps its age"),
            SaveKind::Renew => format!("Saved {file}; the claim is dated today"),
        },
        Deed::Promote(promotion) => {
            let memory = if promotion.is_removed { "the memory went to the trash" } else { "the memory stays" };
            let checkout = state.choice.checkout.as_deref();
            let path = Path::new(&promotion.path);
            let path = checkout.and_then(|checkout| path.strip_prefix(checkout).ok()).unwrap_or(path);
            format!("It is in {} now; {memory} · {undo} takes it back", visible(&path.to_string_lossy()))
        }
        Deed::EditIndex(edit) if edit.taken_over.is_empty() => format!("The index is arranged · {undo} takes it back"),
        Deed::EditIndex(_) => format!("The index is arranged, {memories} took text over · {undo} takes it back"),
        Deed::Rename { from, to } => {
            let (from, to) = (visible(from), visible(to));
            let others = topics.saturating_sub(2);
            let links = if others > 0 {
                format!("; links follow in {}", count(others, "memory", "memories"))
            } else {
                String::new()
            };
            format!("{from} is now {to}{links} · {undo} takes it back")
        }
        Deed::Undo { .. } => {
            let history = state.keymap.shown(Command::History);
            format!("Took back: {title} · it stays in the history ({history}), where {undo} brings it back")
        }
        Deed::Decide { .. } | Deed::Accept { .. } if landing.landed.is_empty() && !landing.held.is_empty() => {
            "Nothing landed".to_owned()
        }
        Deed::Decide { .. } if landing.landed.is_empty() => {
            "Nothing landed: it is there already, or its lines wait with their files".to_owned()
        }
        Deed::Decide { decision, .. } if !decision.rejected.is_empty() => {
            let dropped = held_changes(decision.rejected.len());
            format!("Landed {memories}, dropped {dropped} · {undo} takes back the drop, then the landing")
        }
        Deed::Decide { .. } => format!("Landed {memories} · {undo} takes it back"),
        Deed::Accept { .. } => format!("Accepted: {memories}"),
        Deed::Reject { .. } | Deed::WaitAgain { .. } => format!("Dropped {memories}"),
        Deed::Repair if landing.landed.is_empty() => "Nothing was repaired".to_owned(),
        // Most of it is in the index, which is no memory: the title says what was repaired.
        Deed::Repair => format!("{} · {undo} takes it back", title.replacen("repair", "Repaired", 1)),
    };
    if landing.landed.iter().any(|landed| landed.merged) {
        text.push_str(" · merged with a change made meanwhile");
    }
    if !landing.along.is_empty() {
        let files: Vec<&str> = landing.along.iter().map(|along| along.file.as_str()).collect();
        text.push_str(&format!(" · decided on as the other half: {}", files.join(", ")));
    }
    let mut tone = Meaning::Ok;
    if let Deed::Save { content, .. } | Deed::Recreate { content, .. } = deed
        && let Some(damage) = crate::memory::frontmatter::read(content).problems.first()
    {
        text.push_str(&format!(" · {}", damage.message));
        tone = Meaning::Warn;
    }
    if !landing.held.is_empty() {
        let files: Vec<&str> = landing.held.iter().map(|held| held.file.as_str()).collect();
        let is_of_inbox = matches!(deed, Deed::Decide { .. } | Deed::Accept { .. });
        let verb = if is_of_inbox { "still in the inbox" } else { "left alone" };
        text.push_str(&format!(" · {verb}: {}", files.join(", ")));
        tone = Meaning::Warn;
        if is_of_inbox {
            say_what_waits(state, landing);
        }
    }
    if !landing.newly_cut.is_empty() {
        text.push_str(&format!(" · now past the index limit: {}", landing.newly_cut.join(", ")));
        tone = Meaning::Warn;
    }
    if let (Deed::Create(_), Some(made)) = (deed, landing.landed.iter().find(|landed| landed.op == Op::Create)) {
        dashboard::await_file(state, &made.file);
    }
    state.tell(tone, text);
}

/// What was accepted and could not land: too important for a line that a key wipes away.
fn say_what_waits(state: &mut State, landing: &Landing) {
    let mut text = String::new();
    for held in &landing.held {
        let reasons: Vec<&str> = held.reasons.iter().map(|reason| reason.message.as_str()).collect();
        text.push_str(&format!("{}: {}\n", held.file, reasons.join("; ")));
    }
    text.push_str("\nEditing one in the review brings both versions together; rejecting it drops what was proposed.");
    let held = count_waiting(landing.held.iter().map(|held| held.file.as_str()));
    let title = count(held, "change still waits", "changes still wait");
    state.layers.push(Layer::Message(Message { title, text, scroll: 0 }));
}

/// A refusal is too important for a line that a key wipes away.
fn refused(state: &mut State, error: &DoorError) {
    let title = match error {
        DoorError::Conflict { .. } => "The file changed meanwhile",
        DoorError::Refused { .. } | DoorError::ReadOnly { .. } => "Not written",
        // Without a number of the system it is ours that will not.
        DoorError::Io { source, .. } if source.raw_os_error().is_none() => "Not possible",
        DoorError::Io { .. } => "The disk refused",
        DoorError::Unknown { .. } | DoorError::CannotUndo(_) => "Not possible",
    };
    // Who is in the screen need not go to a shell for it.
    let text = error.to_string().replace("`dreamtop history`", &state.keymap.shown(Command::History));
    state.layers.push(Layer::Message(Message { title: title.to_owned(), text, scroll: 0 }));
}

/// The external editor came back: what it left is saved, and the claim keeps its age.
pub(super) fn editor_closed(
    state: &mut State,
    file: String,
    base: Vec<u8>,
    result: Result<Option<Vec<u8>>, String>,
) -> Vec<Effect> {
    match result {
        Ok(Some(content)) => {
            let (kind, origin) = (SaveKind::KeepAge, triage::origin(state));
            vec![Effect::Do(Box::new(Deed::Save { file, base, content, kind, origin }))]
        }
        Ok(None) => {
            state.tell(Meaning::Dim, format!("{file} is unchanged"));
            Vec::new()
        }
        Err(error) => {
            let message = Message { title: "The editor".to_owned(), text: error, scroll: 0 };
            state.layers.push(Layer::Message(message));
            Vec::new()
        }
    }
}
