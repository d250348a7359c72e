//! Quotes that an engine gives as a person's words, held against the transcripts: what nobody typed is no quote.
//!
//! Not its job: what a change without a quote may do (the guards of `crate::change` say).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::convert::Infallible;
use std::sync::LazyLock;

use super::prepare::Plan;
use crate::change::Rationale;
use crate::engine::SessionSource;
use crate::lanes;
use crate::memory::Store;
use crate::memory::names::is_markdown;
use crate::session::HumanTurn;
use crate::session::human::standing_turns;
use crate::text::folded_words;

/// The rationales with only those quotes that stand in a human turn of the session they name. A source that is a file of
/// the store keeps its quote when the file has it.
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
    let said: HashMap<String, Vec<String>> = named.into_iter().zip(read.unwrap_or_default()).collect();
    for source in checked.values_mut().flat_map(|rationale| &mut rationale.sources) {
        let Some(quote) = source.quote.as_deref().map(folded_words) else { continue };
        let texts = source.session.as_ref().and_then(|session| said.get(session));
        if !texts.is_some_and(|texts| texts.iter().any(|text| text.contains(&quote))) {
            source.quote = None;
        }
    }
    checked
}

/// What the person typed in a session, folded; the text of a file of the store. A session may be called by its file or, in a
/// file that was copied, by the name that its lines have.
fn texts_of(
    plan: &Plan,
    store: &Store,
    session: &str,
    copied: &LazyLock<Copied, impl FnOnce() -> Copied>,
) -> Vec<String> {
    match plan.sessions.iter().find(|source| source.id == session) {
        Some(source) => turns_of(source).into_iter().map(|turn| folded_words(&turn.text)).collect(),
        None if is_markdown(session) => {
            store.bytes(session).map(|bytes| vec![folded_words(&String::from_utf8_lossy(&bytes))]).unwrap_or_default()
        }
        None => copied.get(session).cloned().unwrap_or_default(),
    }
}

/// What was typed, folded, by the session that the lines name.
type Copied = HashMap<String, Vec<String>>;

fn copied(plan: &Plan) -> Copied {
    let mut all = Copied::new();
    for source in &plan.sessions {
        for turn in turns_of(source).into_iter().filter(|turn| turn.session != source.id) {
            all.entry(turn.session).or_default().push(folded_words(&turn.text));
        }
    }
    all
}

fn turns_of(source: &SessionSource) -> Vec<HumanTurn> {
    standing_turns(&source.path, (0, 0), source.speakers, &|| false).map(|found| found.turns).unwrap_or_default()
}
