//! Where a memory comes from, as questions for the sessions: what the history recorded, else the session that its file names.

use super::State;
use crate::memory::names::is_markdown;
use crate::tui::effect::TurnQuestion;

impl State {
    /// The turns that the memory under the cursor comes from, the latest first, each once. Where none was recorded: the session
    /// its file names, at the call that wrote the file.
    #[must_use]
    pub fn sources(&self) -> Vec<TurnQuestion> {
        let Some(memory) = self.target() else { return Vec::new() };
        let store = self.store_root().to_owned();
        let mut found: Vec<TurnQuestion> = Vec::new();
        let landed = self.history.iter().filter(|entry| entry.undone_by.is_none()).flat_map(|entry| &entry.files);
        for source in
            landed.filter(|changed| changed.file == memory.file).flat_map(|changed| &changed.rationale.sources)
        {
            // A source without a session is a sentence of the engine's; another file of the store has no turns.
            let Some(session) = source.session.clone().filter(|session| !is_markdown(session)) else { continue };
            let (line, quote) = (source.line, source.quote.clone());
            let question = TurnQuestion { store: store.clone(), session, line, quote, ..TurnQuestion::default() };
            if !found.contains(&question) {
                found.push(question);
            }
        }
        if let Some(session) = memory.origin_session.clone().filter(|_| found.is_empty()) {
            let wrote = Some(memory.file.clone());
            found.push(TurnQuestion { store, session, wrote, ..TurnQuestion::default() });
        }
        found
    }
}
