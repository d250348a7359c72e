//! Quotes that an engine gives as a person's words, held against the transcripts: what nobody typed is no quote.
//!
//! Not its job: what a change without a quote may do (the guards of `crate::change` say).

use std::collections::{BTreeMap, HashMap};

use super::prepare::Plan;
use crate::change::Rationale;
use crate::memory::Store;
use crate::memory::names::is_markdown;
use crate::session::human::human_turns;
use crate::text::folded_words;

/// The rationales with only those quotes that stand in a human turn of the session they name. A source that is a file of
/// the store keeps its quote when the file has it.
pub(super) fn only_spoken(
    plan: &Plan,
    store: &Store,
    rationales: &BTreeMap<String, Rationale>,
) -> BTreeMap<String, Rationale> {
    let mut said: HashMap<String, Vec<String>> = HashMap::new();
    let mut checked = rationales.clone();
    for source in checked.values_mut().flat_map(|rationale| &mut rationale.sources) {
        let Some(quote) = source.quote.as_deref().map(folded_words) else { continue };
        let Some(session) = &source.session else {
            source.quote = None;
            continue;
        };
        let texts = said.entry(session.clone()).or_insert_with(|| texts_of(plan, store, session));
        if !texts.iter().any(|text| text.contains(&quote)) {
            source.quote = None;
        }
    }
    checked
}

/// What the person typed in a session, folded; the text of a file of the store.
fn texts_of(plan: &Plan, store: &Store, session: &str) -> Vec<String> {
    match plan.sessions.iter().find(|source| source.id == session) {
        Some(source) => human_turns(&source.path, (0, 0), &|_| false, &|| false)
            .map(|turns| turns.turns.iter().map(|turn| folded_words(&turn.text)).collect())
            .unwrap_or_default(),
        None if is_markdown(session) => {
            store.bytes(session).map(|bytes| vec![folded_words(&String::from_utf8_lossy(&bytes))]).unwrap_or_default()
        }
        None => Vec::new(),
    }
}
