//! Quotes that an engine gives as a person's words, held against the transcripts: what nobody typed is no quote.
//!
//! Not its job: what a change without a quote may do (the guards of `crate::change` say).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::convert::Infallible;
use std::path::Path;
use std::sync::LazyLock;

use chrono::{DateTime, NaiveDate, Utc};

use super::prepare::Plan;
use crate::change::Rationale;
use crate::engine::SessionSource;
use crate::lanes;
use crate::memory::Store;
use crate::memory::names::is_markdown;
use crate::session::HumanTurn;
use crate::session::human::human_turns;
use crate::text::folded_words;

/// A text in which a quote may stand.
#[derive(Clone)]
struct Text {
    folded: String,
    line: u64,
    at: Option<DateTime<Utc>>,
}

/// The rationales with only those quotes that stand in a human turn of the session they name, each with the time of that turn.
/// A source that is a file of the store keeps its quote when the file has it.
pub(super) fn only_spoken(
    plan: &Plan,
    store: &Store,
    rationales: &BTreeMap<String, Rationale>,
) -> BTreeMap<String, Rationale> {
    let mut checked = rationales.clone();
    let sources = checked.values().flat_map(|rationale| &rationale.sources);
    let named: BTreeSet<&str> =
        sources.filter(|source| source.quote.is_some()).filter_map(|source| source.session.as_deref()).collect();
    let named: Vec<String> = named.into_iter().map(str::to_owned).collect();
    // Read only when a session is named that none of the files is called by.
    let copied = LazyLock::new(|| copied(plan));
    let read = lanes::each(&named, |session| Ok::<_, Infallible>(texts_of(plan, store, session, &copied)));
    let said: HashMap<String, Vec<Text>> = named.into_iter().zip(read.unwrap_or_default()).collect();
    for source in checked.values_mut().flat_map(|rationale| &mut rationale.sources) {
        let Some(quote) = source.quote.as_deref().map(folded_words) else { continue };
        let texts = source.session.as_ref().and_then(|session| said.get(session));
        let holding = texts.into_iter().flatten().filter(|text| text.folded.contains(&quote));
        let found = holding.min_by_key(|text| source.line.map_or(0, |line| line.abs_diff(text.line)));
        source.said = found.and_then(|text| text.at);
        if found.is_none() {
            source.quote = None;
        }
    }
    checked
}

/// What the person typed in a session; the text of a file of the store. A session may be called by its file or, in a file that
/// was copied, by the name that its lines have.
fn texts_of(
    plan: &Plan,
    store: &Store,
    session: &str,
    copied: &LazyLock<Copied, impl FnOnce() -> Copied>,
) -> Vec<Text> {
    match plan.sessions.iter().find(|source| source.id == session) {
        Some(source) => turns_of(source).iter().map(typed).collect(),
        None if is_markdown(session) => {
            let text = |bytes: Vec<u8>| folded_words(&String::from_utf8_lossy(&bytes));
            let day = Path::new(session).file_stem().and_then(|stem| stem.to_str()?.parse::<NaiveDate>().ok());
            let at = day.and_then(|day| Some(day.and_hms_opt(12, 0, 0)?.and_utc()));
            store.bytes(session).map(|bytes| vec![Text { folded: text(bytes), line: 1, at }]).unwrap_or_default()
        }
        None => copied.get(session).cloned().unwrap_or_default(),
    }
}

fn typed(turn: &HumanTurn) -> Text {
    Text { folded: folded_words(&turn.text), line: turn.line, at: turn.at }
}

/// What was typed, by the session that the lines name.
type Copied = HashMap<String, Vec<Text>>;

fn copied(plan: &Plan) -> Copied {
    let mut all = Copied::new();
    for source in &plan.sessions {
        for turn in turns_of(source).into_iter().filter(|turn| turn.session != source.id) {
            all.entry(turn.session.clone()).or_default().push(typed(&turn));
        }
    }
    all
}

fn turns_of(source: &SessionSource) -> Vec<HumanTurn> {
    human_turns(&source.path, (0, 0), source.speakers, &|_| false, &|| false)
        .map(|found| found.turns)
        .unwrap_or_default()
}
