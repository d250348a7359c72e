//! The stream of keys, read on a thread of its own.
//!
//! When a terminal goes away, crossterm's reader never comes back from reading it: it takes "nothing" and "input/output
//! error" for "try again" (crossterm issue 793). On the loop's thread that would be the end of signals, too, and a program
//! nobody can reach would keep a processor busy for ever. Here it only costs this thread, which ends with the process.
//! Not its job: noticing that the terminal is gone ([`super::terminal::gone`]).

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crossterm::event::{Event, EventStream};
use futures_util::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::background::Sieve;
use super::theme::Background;

/// How long the end of reading is waited for. Only a reader on a dead terminal takes longer, and that one takes for ever.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long keys are held that may be the beginning of the terminal's answer: an answer comes in one piece.
const HELD: Duration = Duration::from_millis(50);

/// How late an answer still decides how the screen looks. A later one is taken out of the keys all the same.
const DEADLINE: Duration = Duration::from_secs(1);

/// What comes from the terminal.
#[derive(Debug)]
pub(super) enum Input {
    /// A key, mouse, paste or resize event.
    Event(Event),
    /// What lies behind the text.
    Background(Background),
}

/// A running reader. It stops when dropped: from then on another program can have the terminal.
pub(super) struct Keys {
    events: UnboundedReceiver<io::Result<Input>>,
    stop: CancellationToken,
    stopped: Receiver<()>,
    /// When the terminal was asked for its background.
    asked: Option<Instant>,
    is_answered: Arc<AtomicBool>,
}

impl Keys {
    /// Starts reading; with `is_asked` an answer about the background is expected among the keys.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(super) fn start(is_asked: bool) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        let (sender, events) = unbounded_channel();
        let (end, stopped) = channel();
        let stop = CancellationToken::new();
        let until = stop.clone();
        let is_answered = Arc::new(AtomicBool::new(false));
        let answered = Arc::clone(&is_answered);
        std::thread::Builder::new().name("keys".to_owned()).spawn(move || {
            runtime.block_on(pass_on(&sender, &until, Sieve::new(is_asked), &answered));
            let _ = end.send(());
        })?;
        Ok(Self { events, stop, stopped, asked: is_asked.then(Instant::now), is_answered })
    }

    /// Whether the terminal was asked a moment ago and may still be about to answer.
    pub(super) fn owes_answer(&self) -> bool {
        self.asked.is_some_and(|at| at.elapsed() < DEADLINE) && !self.is_answered.load(Ordering::SeqCst)
    }

    /// The next event or answer; `None` when there will be no more.
    pub(super) async fn next(&mut self) -> Option<io::Result<Input>> {
        self.events.recv().await
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.stop.cancel();
        let _ = self.stopped.recv_timeout(PATIENCE);
    }
}

/// Passes events on until asked to stop. The stream is dropped here: one that merely is not polled still eats input.
async fn pass_on(
    inputs: &UnboundedSender<io::Result<Input>>,
    stop: &CancellationToken,
    mut sieve: Sieve,
    is_answered: &AtomicBool,
) {
    let mut stream = EventStream::new();
    let started = Instant::now();
    loop {
        let event = tokio::select! {
            biased;
            () = stop.cancelled() => return,
            event = stream.next() => event,
            () = tokio::time::sleep(HELD), if sieve.is_holding() => {
                if !send(inputs, sieve.let_go()) {
                    return;
                }
                continue;
            }
        };
        let Some(event) = event else { return };
        let goes_on = match event {
            Ok(event) => {
                let sieved = sieve.take(event);
                if sieved.is_answer {
                    is_answered.store(true, Ordering::SeqCst);
                }
                let background = sieved.background.filter(|_| started.elapsed() <= DEADLINE);
                let is_told = background.is_none_or(|it| inputs.send(Ok(Input::Background(it))).is_ok());
                is_told && send(inputs, sieved.events)
            }
            Err(error) => inputs.send(Err(error)).is_ok(),
        };
        if !goes_on {
            return;
        }
    }
}

/// Whether somebody still listens.
fn send(inputs: &UnboundedSender<io::Result<Input>>, events: Vec<Event>) -> bool {
    events.into_iter().all(|event| inputs.send(Ok(Input::Event(event))).is_ok())
}
