//! An answer that is put together from the events of its stream, whichever protocol they are of.
//!
//! Not its job: asking (see [`super::http`]), and counting what an answer costs (see [`super::meter`]).

use super::failure::Failure;
use super::sse::Event;
use crate::engine::Tokens;

/// What a stream of events adds up to.
pub(super) trait Assembly: Default + Send {
    /// Takes an event; true when it was the last one.
    fn take(&mut self, event: &Event) -> Result<bool, Failure>;

    /// What the server says that the answer has cost so far.
    fn usage(&self) -> Tokens;

    /// What it said at its beginning that it has read, where it does so.
    fn begun(&self) -> Option<Tokens> {
        None
    }

    /// Bytes that the model has written so far: words, thoughts and calls, without what is around them.
    fn written(&self) -> usize;

    /// Whether nothing is missing when the stream ends here, without a last event.
    fn is_whole(&self) -> bool {
        false
    }
}
