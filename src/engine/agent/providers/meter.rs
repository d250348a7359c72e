//! What an answer costs, told as soon as it is known: a run that is killed, refused or out of time in the middle has used what
//! it used.
//!
//! What a server says is held against the bytes that went to and fro: where it says nothing, or what cannot be true, they are
//! estimated. Not its job: what becomes of it (`crate::run` counts it against budgets).

use std::sync::atomic::{AtomicBool, Ordering};

use super::assembly::Assembly;
use super::settings::estimate;
use crate::engine::{EngineEvent, EventSender, Tokens};

/// A server may make so many tokens of a byte that it was sent, and add so many of its own.
const MOST_A_BYTE: u64 = 2;
const MOST_ADDED: u64 = 10_000;
/// A server that says it read less than this share of what it was sent leaves out what it had read before.
const LEAST_READ: u64 = 50;
/// Less than this share of what its words make cannot be what it wrote.
const LEAST_WRITTEN: u64 = 8;

/// What there is to go by when a server says nothing to be believed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Bytes of the request.
    pub(super) sent: usize,
    /// Tokens that one answer may take.
    pub(super) max_tokens: u64,
}

/// The count of one question, all its tries together. Dropped in the middle it tells what the try has cost by then.
pub(super) struct Meter<'a> {
    events: &'a EventSender,
    /// Where it is asked, for words.
    place: &'a str,
    sizes: Sizes,
    /// Whether a person was told that figures are estimated.
    is_estimating: &'a AtomicBool,
    /// What the server says of this try, and how many bytes of text it wrote.
    said: Tokens,
    written: usize,
    /// Bytes of its answer.
    heard: usize,
    /// What of this try was told.
    told: Tokens,
    /// All that was told.
    all: Tokens,
}

impl<'a> Meter<'a> {
    /// A count that begins.
    pub(super) fn new(events: &'a EventSender, place: &'a str, sizes: Sizes, is_estimating: &'a AtomicBool) -> Self {
        let none = Tokens::default();
        Self { events, place, sizes, is_estimating, said: none, written: 0, heard: 0, told: none, all: none }
    }

    /// Bytes of the answer came. How many there are by now.
    pub(super) fn hear(&mut self, bytes: usize) -> usize {
        self.heard += bytes;
        self.heard
    }

    /// An event was understood. What the server says at once that it has read counts at once.
    pub(super) fn look<A: Assembly>(&mut self, assembly: &A) {
        (self.said, self.written) = (assembly.usage(), assembly.written());
        if let Some(begun) = assembly.begun().filter(|_| self.told == Tokens::default())
            && self.is_read(begun)
        {
            self.tell(begun);
        }
    }

    /// The try is over; `is_whole`: with a whole answer.
    pub(super) fn settle(&mut self, is_whole: bool) {
        let cost = self.cost(is_whole);
        self.tell(cost);
        (self.said, self.told) = (Tokens::default(), Tokens::default());
        (self.written, self.heard) = (0, 0);
    }

    /// What all tries cost, as far as they are over.
    pub(super) fn all(&self) -> Tokens {
        self.all
    }

    /// Tells what was not told yet.
    fn tell(&mut self, cost: Tokens) {
        let Tokens { input, output, cache_read, cache_created } = self.told;
        let more = Tokens {
            input: cost.input.saturating_sub(input),
            output: cost.output.saturating_sub(output),
            cache_read: cost.cache_read.saturating_sub(cache_read),
            cache_created: cost.cache_created.saturating_sub(cache_created),
        };
        if more != Tokens::default() {
            self.told += more;
            self.all += more;
            self.events.send(EngineEvent::Usage(more));
        }
    }

    /// What the try cost: as the server says where that can be true, else about as much as the bytes make.
    fn cost(&self, is_whole: bool) -> Tokens {
        if self.heard == 0 {
            return Tokens::default();
        }
        let (sent, written) = (estimate(self.sizes.sent), estimate(self.written));
        let mut cost = self.said;
        if !self.is_read(cost) {
            cost = Tokens { input: sent, output: cost.output, ..Tokens::default() };
        }
        if cost.output < written / LEAST_WRITTEN || (cost.output == 0 && written > 0) || !is_whole {
            cost.output = cost.output.max(written);
        }
        // Thoughts may count that are not sent: no more than the limit that was set.
        cost.output = cost.output.min(self.sizes.max_tokens.max(self.heard as u64));
        let is_doubted = cost != self.said;
        if read(cost) < sent / LEAST_READ {
            cost.cache_read = cost.cache_read.saturating_add(sent - read(cost));
        }
        if is_whole && is_doubted && !self.is_estimating.swap(true, Ordering::Relaxed) {
            let place = self.place;
            let what = if self.said == Tokens::default() {
                format!("{place} does not say how many tokens it uses")
            } else {
                format!(
                    "what {place} says of the tokens it uses cannot be true ({} read, {} written for {} bytes sent and {} of an answer)",
                    read(self.said),
                    self.said.output,
                    self.sizes.sent,
                    self.heard
                )
            };
            self.events.send(EngineEvent::Notice(format!("{what}; they are estimated from the bytes")));
        }
        cost
    }

    /// Whether what is said to be read can be what was sent.
    fn is_read(&self, said: Tokens) -> bool {
        let most = (self.sizes.sent as u64).saturating_mul(MOST_A_BYTE).saturating_add(MOST_ADDED);
        (1..=most).contains(&read(said))
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.settle(false);
    }
}

/// All that was read, from wherever.
fn read(tokens: Tokens) -> u64 {
    tokens.input.saturating_add(tokens.cache_read).saturating_add(tokens.cache_created)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::agent::providers::failure::Failure;
    use crate::engine::agent::providers::sse::Event;

    /// An answer that says what it is told to say.
    #[derive(Clone, Copy, Default)]
    struct Said {
        usage: Tokens,
        written: usize,
        is_begun: bool,
    }

    impl Assembly for Said {
        fn take(&mut self, _event: &Event) -> Result<bool, Failure> {
            Ok(false)
        }

        fn usage(&self) -> Tokens {
            self.usage
        }

        fn begun(&self) -> Option<Tokens> {
            self.is_begun.then_some(Tokens { output: 0, ..self.usage })
        }

        fn written(&self) -> usize {
            self.written
        }
    }

    /// What is told of one try of 7,000 bytes, with how it ends.
    fn told(said: Said, heard: usize, is_whole: Option<bool>) -> (Tokens, Vec<String>) {
        let (events, mut received) = EventSender::channel();
        let is_estimating = AtomicBool::new(false);
        let mut meter = Meter::new(&events, "http://there", Sizes { sent: 7_000, max_tokens: 1_000 }, &is_estimating);
        meter.hear(heard);
        meter.look(&said);
        if let Some(is_whole) = is_whole {
            meter.settle(is_whole);
        }
        drop(meter);
        let (mut all, mut notices) = (Tokens::default(), Vec::new());
        while let Ok(event) = received.try_recv() {
            match event {
                EngineEvent::Usage(more) => all += more,
                EngineEvent::Notice(text) => notices.push(text),
                _ => {}
            }
        }
        (all, notices)
    }

    fn tokens(input: u64, output: u64) -> Tokens {
        Tokens { input, output, ..Tokens::default() }
    }

    #[test]
    fn what_can_be_true_is_believed_and_everything_else_is_estimated_and_said() {
        let said = |usage, written| Said { usage, written, is_begun: true };
        for (name, said, expected, is_said) in [
            ("as it is", said(tokens(1_900, 20), 70), tokens(1_900, 20), false),
            ("nothing", said(tokens(0, 0), 70), tokens(2_000, 20), true),
            ("no input", said(tokens(0, 20), 70), tokens(2_000, 20), true),
            ("no output", said(tokens(1_900, 0), 70), tokens(1_900, 20), true),
            ("next to no output", said(tokens(1_900, 1), 3_500), tokens(1_900, 1_000), true),
            ("thoughts that are not sent", said(tokens(1_900, 990), 70), tokens(1_900, 990), false),
            ("absurd output", said(tokens(1_900, 10_u64.pow(18)), 70), tokens(1_900, 10_000), true),
            ("absurd input", said(tokens(u64::MAX, 20), 70), tokens(2_000, 20), true),
            (
                "what it had read before left out",
                said(tokens(10, 20), 70),
                Tokens { input: 10, output: 20, cache_read: 1_990, cache_created: 0 },
                false,
            ),
        ] {
            let (all, notices) = told(said, 10_000, Some(true));
            assert_eq!((all, notices.len()), (expected, usize::from(is_said)), "{name}: {notices:?}");
        }
    }

    #[test]
    fn what_was_used_counts_also_when_nobody_waits_for_the_end() {
        let said = Said { usage: tokens(1_900, 1), written: 350, is_begun: true };
        assert_eq!(told(said, 5_000, None).0, tokens(1_900, 100));
        assert_eq!(told(Said { usage: tokens(0, 0), ..said }, 5_000, None).0, tokens(2_000, 100));
        assert_eq!(told(Said::default(), 0, None).0, tokens(0, 0), "nobody answered");
        assert_eq!(told(Said { is_begun: false, ..said }, 5_000, Some(false)).0, tokens(1_900, 100));
    }
}
