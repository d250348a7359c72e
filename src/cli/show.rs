//! `show`: one memory, whole.

use serde::Serialize;

use super::args::Show;
use super::context::{Context, find, read_topic};
use super::output::{Failure, Meaning};
use super::owes::Owes;
use super::row::Row;
use super::source::{self, Spoken};
use super::{exit, row};
use crate::health::recall_use::Used;
use crate::health::{self, Need};
use crate::memory::{freshness, names};
use crate::project::origin::{Whereabouts, whereabouts};

/// The JSON: the `ls` row plus body, origin and evidence.
#[derive(Debug, Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    row: Row<'a>,
    body: String,
    origin: Option<&'a str>,
    source: Option<&'static str>,
    evidence: Vec<health::Finding>,
    used: Used,
    need: Need,
    owes: Owes,
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<Vec<Spoken>>,
}

/// Shows. A name with the team's folder before it, as recall tells it, is the team's.
pub(super) fn run(context: &Context, arguments: &Show) -> Result<u8, Failure> {
    let (mut choice, mut snapshot) = context.scan()?;
    let mut name = arguments.file.as_str();
    if let Some(shared) = names::of_the_team(name) {
        let team = choice.store.team();
        if let Ok(read) = team.scan(&context.scan_options(&team)) {
            (choice.store, snapshot, name) = (team, read, shared);
        }
    }
    let memory = find(&snapshot, name)?;
    let topic = read_topic(&snapshot, &memory.file)?;
    let grounds = context.grounds(&choice);
    let evidence = health::check_memory(&snapshot, memory, &grounds);
    let recall = grounds.recall.unwrap_or_default();
    let origin = memory.origin_session.as_deref();
    let (source, said) = match origin.map(|id| whereabouts(&choice, id)) {
        Some(Whereabouts::Here(_)) => (Some("here"), String::new()),
        Some(Whereabouts::Elsewhere(path)) => (Some("elsewhere"), format!(", which lies in {}", path.display())),
        Some(Whereabouts::Gone) => (Some("gone"), " (source no longer on disk)".to_owned()),
        None => (None, String::new()),
    };
    let owes = Owes::of(context, &choice.store, &memory.file);
    let turns = arguments.source.then(|| source::of(context, &choice, &memory.file, origin)).transpose()?;
    let (used, need) = (recall.used(&memory.file), health::need(memory, evidence.iter()));
    let row = Row::in_light_of(memory, &evidence);
    let whole = Whole { row, body: topic.body(), origin, source, evidence, used, need, owes, turns };
    context.output.answer(&whole, |page| {
        row::print(page, &whole.row, choice.store.kind().has_types())?;
        let note = freshness::note(memory.age_days);
        if !note.is_empty() {
            page.line(page.paint(&note, Meaning::Dim))?;
        }
        page.line("")?;
        page.text(&whole.body, "")?;
        if let Some(origin) = whole.origin {
            page.line(page.paint(&format!("From session {origin}{said}"), Meaning::Dim))?;
        }
        if let Some(sentence) = recall.sentence(&memory.file, snapshot.scanned_at) {
            page.line(page.paint(&sentence, Meaning::Dim))?;
        }
        whole.owes.print(page)?;
        for finding in
            whole.evidence.iter().filter(|finding| !memory.problems.iter().any(|known| known.code == finding.code))
        {
            page.line(page.paint(&format!("⚠ {}: {}", finding.code, finding.message), Meaning::Warn))?;
        }
        whole.turns.as_deref().map_or(Ok(()), |turns| source::print(page, turns))
    })?;
    let is_found = whole.turns.is_none_or(|turns| turns.iter().any(Spoken::is_found));
    Ok(if is_found { exit::DONE } else { exit::FINDINGS })
}
