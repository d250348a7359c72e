//! Quotes that an engine gives as a person's words, held against the transcripts: what nobody typed is no quote, and neither is
//! what was said while memory was off, or what a person let go.
//!
//! Not its job: what a change without a quote may do (the guards of `crate::change` say).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::convert::Infallible;
use std::path::Path;
use std::sync::LazyLock;

use chrono::{DateTime, NaiveDate, Utc};

use super::prepare::Plan;
use crate::change::let_go::Gone;
use crate::change::{Rationale, Source};
use crate::engine::SessionSource;
use crate::lanes;
use crate::memory::Store;
use crate::memory::names::is_markdown;
use crate::session::HumanTurn;
use crate::text::folded_words;

/// Rationales, held against what was said.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// With only those quotes that stand in a human turn of the session they name and were not let go.
    pub(super) rationales: BTreeMap<String, Rationale>,
    /// The files all of whose quotes were let go.
    pub(super) let_go: BTreeSet<String>,
}

/// What was typed in one turn, or stands in a file of the store.
#[derive(Clone, Debug)]
struct Said {
    folded: String,
    line: Option<u64>,
    at: Option<DateTime<Utc>>,
    gone: Gone,
}

/// What becomes of a quote.
enum Quote {
    /// It was said then.
    Stands(Option<DateTime<Utc>>),
    /// A part of it was let go; the rest, and when it was said.
    Rest(String, Option<DateTime<Utc>>),
    LetGo,
    Nowhere,
}

/// Holds the quotes of rationales against the transcripts; each that stands gets the time of its turn. A source that is a file
/// of the store keeps its quote when the file has it.
pub(super) fn check(plan: &Plan, store: &Store, rationales: &BTreeMap<String, Rationale>) -> Checked {
    let mut checked = Checked { rationales: rationales.clone(), let_go: BTreeSet::new() };
    let sources = rationales.values().flat_map(|rationale| &rationale.sources);
    let named: BTreeSet<&str> =
        sources.filter(|source| source.quote.is_some()).filter_map(|source| source.session.as_deref()).collect();
    let named: Vec<String> = named.into_iter().map(str::to_owned).collect();
    // Read only when a session is named that none of the files is called by.
    let copied = LazyLock::new(|| copied(plan));
    let read = lanes::each(&named, |session| Ok::<_, Infallible>(said_in(plan, store, session, &copied)));
    let said: HashMap<String, Vec<Said>> = named.into_iter().zip(read.unwrap_or_default()).collect();
    for (file, rationale) in &mut checked.rationales {
        let mut is_let_go = false;
        for source in &mut rationale.sources {
            match weighed(source, &said, plan) {
                None => {}
                Some(Quote::Stands(at)) => source.said = at,
                Some(Quote::Rest(rest, at)) => (source.quote, source.said) = (Some(rest), at),
                Some(Quote::Nowhere) => source.quote = None,
                Some(Quote::LetGo) => {
                    source.quote = None;
                    is_let_go = true;
                }
            }
        }
        if is_let_go && rationale.sources.iter().all(|source| source.quote.is_none()) {
            checked.let_go.insert(file.clone());
        }
    }
    checked
}

fn weighed(source: &Source, said: &HashMap<String, Vec<Said>>, plan: &Plan) -> Option<Quote> {
    let (quote, session) = (source.quote.as_deref()?, source.session.as_deref());
    let folded = folded_words(quote);
    let there = session.and_then(|session| said.get(session)).map(Vec::as_slice).unwrap_or_default();
    let mut places = there.iter().filter(|said| said.folded.contains(&folded)).collect::<Vec<_>>();
    // The turn that is named, else one that has the words and still counts, the nearest first.
    let distance = |line: Option<u64>| line.zip(source.line).map_or(0, |(line, named)| line.abs_diff(named));
    places.sort_by_key(|said| (said.line != source.line, !said.gone.is_empty(), distance(said.line)));
    let Some(place) = places.first() else { return Some(Quote::Nowhere) };
    if session.is_some_and(|session| is_markdown(session) && plan.unheard.let_go.holds_of_log(session, quote)) {
        return Some(Quote::LetGo);
    }
    Some(match place.gone.rest_of(quote) {
        Some(rest) if rest == quote => Quote::Stands(place.at),
        Some(rest) => Quote::Rest(rest, place.at),
        None => Quote::LetGo,
    })
}

/// What the person typed in a session; the text of a file of the store. A session may be called by its file or, in a file that
/// was copied, by the name that its lines have.
fn said_in(plan: &Plan, store: &Store, session: &str, copied: &LazyLock<Copied, impl FnOnce() -> Copied>) -> Vec<Said> {
    match plan.sessions.iter().find(|source| source.id == session) {
        Some(source) => turns_of(plan, source).into_iter().map(|turn| said(plan, source, &turn)).collect(),
        None if is_markdown(session) => {
            let day = Path::new(session).file_stem().and_then(|stem| stem.to_str()?.parse::<NaiveDate>().ok());
            let at = day.and_then(|day| Some(day.and_hms_opt(12, 0, 0)?.and_utc()));
            let text = store.bytes(session).map(|bytes| folded_words(&String::from_utf8_lossy(&bytes)));
            text.map(|folded| vec![Said { folded, line: None, at, gone: Gone::default() }]).unwrap_or_default()
        }
        None => copied.get(session).cloned().unwrap_or_default(),
    }
}

/// What was typed, by the session that the lines name.
type Copied = HashMap<String, Vec<Said>>;

fn copied(plan: &Plan) -> Copied {
    let mut all = Copied::new();
    for source in &plan.sessions {
        for turn in turns_of(plan, source).into_iter().filter(|turn| turn.session != source.id) {
            let said = said(plan, source, &turn);
            all.entry(turn.session).or_default().push(said);
        }
    }
    all
}

fn said(plan: &Plan, source: &SessionSource, turn: &HumanTurn) -> Said {
    let gone = plan.unheard.let_go.of_turn(&source.id, turn);
    Said { folded: folded_words(&turn.text), line: Some(turn.line), at: turn.at, gone }
}

fn turns_of(plan: &Plan, source: &SessionSource) -> Vec<HumanTurn> {
    plan.unheard.turns(source, (0, 0), &|| false).map(|found| found.turns).unwrap_or_default()
}
