//! The stream of keys, read on a thread of its own.
//!
//! When a terminal goes away, crossterm's reader never comes back from reading it: it takes "nothing" and "input/output
//! error" for "try again" (crossterm issue 793). On the loop's thread that would be the end of signals, too, and a program
//! nobody can reach would keep a processor busy for ever. Here it only costs this thread, which ends with the process.
//! Not its job: noticing that the terminal is gone ([`super::terminal::gone`]).

use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crossterm::event::{Event, EventStream};
use futures_util::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

/// How long the end of reading is waited for. Only a reader on a dead terminal takes longer, and that one takes for ever.
const PATIENCE: Duration = Duration::from_millis(500);

/// A running reader. It stops when dropped: from then on another program can have the terminal.
pub(super) struct Keys {
    events: UnboundedReceiver<io::Result<Event>>,
    stop: CancellationToken,
    stopped: Receiver<()>,
}

impl Keys {
    /// Starts reading.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(super) fn start() -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let (sender, events) = unbounded_channel();
        let (end, stopped) = channel();
        let stop = CancellationToken::new();
        let asked = stop.clone();
        std::thread::Builder::new().name("keys".to_owned()).spawn(move || {
            runtime.block_on(pass_on(&sender, &asked));
            let _ = end.send(());
        })?;
        Ok(Self { events, stop, stopped })
    }

    /// The next key, mouse, paste or resize event; `None` when there will be no more.
    pub(super) async fn next(&mut self) -> Option<io::Result<Event>> {
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
async fn pass_on(events: &UnboundedSender<io::Result<Event>>, stop: &CancellationToken) {
    let mut stream = EventStream::new();
    loop {
        let event = tokio::select! {
            biased;
            () = stop.cancelled() => return,
            event = stream.next() => event,
        };
        let Some(event) = event else { return };
        if events.send(event).is_err() {
            return;
        }
    }
}
