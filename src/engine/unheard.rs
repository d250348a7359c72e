//! What an engine does not get to hear: words said while memory was off, and what a person let go.
//!
//! Not its job: knowing of either (see [`crate::session::quiet`] and [`crate::change::let_go`]).

use std::io;

use super::SessionSource;
use crate::change::let_go::LetGo;
use crate::session::HumanTurn;
use crate::session::human::{HumanTurns, human_turns, standing_turns};
use crate::session::quiet::Quiet;

/// What of the sessions of a job does not count.
#[derive(Clone, Debug, Default)]
pub struct Unheard {
    /// What was let go: nothing is stored of it.
    pub let_go: LetGo,
    /// What was said while memory was off.
    pub quiet: Quiet,
}

impl Unheard {
    /// The turns of a session from a place on that stand and were not said while memory was off.
    ///
    /// # Errors
    /// As [`standing_turns`].
    pub fn turns(&self, session: &SessionSource, from: (u64, u64), stop: &dyn Fn() -> bool) -> io::Result<HumanTurns> {
        let mut found = standing_turns(&session.path, from, session.speakers, stop)?;
        found.turns = self.quiet.heard(found.turns).0;
        Ok(found)
    }

    /// Whether something in a session does not count, so that nobody may be given all of it. One that cannot be read may hold
    /// anything.
    #[must_use]
    pub fn is_in(&self, session: &SessionSource) -> bool {
        if self.let_go.is_empty() && self.quiet.is_empty() {
            return false;
        }
        let Ok(found) = human_turns(&session.path, (0, 0), session.speakers, &|_| false, &|| false) else {
            return true;
        };
        let (heard, left) = self.quiet.heard(found.turns);
        left > 0 || heard.iter().any(|turn| !self.let_go.of_turn(&session.id, turn).is_empty())
    }

    /// [`Unheard::turns`] without the sentences that were let go, for whoever cannot be trusted to leave them, and without turns
    /// of which nothing is left.
    ///
    /// # Errors
    /// As [`standing_turns`].
    pub fn turns_left(
        &self,
        session: &SessionSource,
        from: (u64, u64),
        stop: &dyn Fn() -> bool,
    ) -> io::Result<HumanTurns> {
        let mut found = self.turns(session, from, stop)?;
        let left = |turn: &mut HumanTurn| {
            let gone = self.let_go.of_turn(&session.id, turn);
            turn.text = gone.cut_from(&turn.text);
            !gone.is_all_of(&turn.text)
        };
        if !self.let_go.is_empty() {
            found.turns.retain_mut(left);
        }
        Ok(found)
    }
}
