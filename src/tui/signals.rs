//! The signals that concern the screen, as a stream of events.
//!
//! Not its job: what is done about them (the loop), and child processes (`crate::run`).

use std::io;

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignalEvent {
    /// End the program. The number of the signal, for the exit status.
    End(i32),
    /// Stop until continued (SIGTSTP from outside; Ctrl-Z itself arrives as a key).
    Suspend,
    /// Continued after a stop.
    Continue,
    /// The terminal has another size. Keys bring such news too, but only from the moment they are first read.
    Resize,
}

/// The exit status that tells a signal, as shells do: 128 and its number.
pub(super) const fn exit_status(signal: i32) -> u8 {
    // Signal numbers are small; a wrong one must still not look like success.
    if signal > 0 && signal < 64 { 128 + signal as u8 } else { 255 }
}

/// The number of SIGHUP: also what a terminal that vanished without a word counts as.
pub(super) const HANG_UP: i32 = 1;
const INTERRUPT: i32 = 2;
#[cfg(unix)]
const QUIT: i32 = 3;
#[cfg(unix)]
const TERMINATE: i32 = 15;

/// The stream. From its making on, these signals no longer have their default effect.
#[cfg(unix)]
pub(super) struct Signals {
    hang_up: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    quit: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    stop: tokio::signal::unix::Signal,
    go_on: tokio::signal::unix::Signal,
    window: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// Starts listening. Needs a tokio runtime.
    ///
    /// # Errors
    /// When the operating system refuses a handler.
    pub(super) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            terminate: signal(SignalKind::terminate())?,
            stop: signal(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?,
            go_on: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
            window: signal(SignalKind::window_change())?,
        })
    }

    /// The next signal. Safe to drop and ask again: no signal is lost by it.
    pub(super) async fn next(&mut self) -> SignalEvent {
        tokio::select! {
            biased;
            _ = self.terminate.recv() => SignalEvent::End(TERMINATE),
            _ = self.hang_up.recv() => SignalEvent::End(HANG_UP),
            _ = self.interrupt.recv() => SignalEvent::End(INTERRUPT),
            _ = self.quit.recv() => SignalEvent::End(QUIT),
            _ = self.stop.recv() => SignalEvent::Suspend,
            _ = self.go_on.recv() => SignalEvent::Continue,
            _ = self.window.recv() => SignalEvent::Resize,
        }
    }

    /// The next signal that ends us while another program has the terminal. Ctrl-C, Ctrl-\ and Ctrl-Z are typed at that
    /// program then and reach us only because we share its process group.
    pub(super) async fn next_while_released(&mut self) -> i32 {
        loop {
            match self.next().await {
                SignalEvent::End(number @ (HANG_UP | TERMINATE)) => return number,
                SignalEvent::End(_) | SignalEvent::Suspend | SignalEvent::Continue | SignalEvent::Resize => {}
            }
        }
    }
}

/// The stream, where there is only Ctrl-C.
#[cfg(not(unix))]
pub(super) struct Signals;

#[cfg(not(unix))]
impl Signals {
    /// Starts listening.
    ///
    /// # Errors
    /// Never.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    /// The next signal.
    pub(super) async fn next(&mut self) -> SignalEvent {
        match tokio::signal::ctrl_c().await {
            Ok(()) => SignalEvent::End(INTERRUPT),
            Err(_) => std::future::pending().await,
        }
    }

    /// The next signal that ends us while another program has the terminal: none.
    pub(super) async fn next_while_released(&mut self) -> i32 {
        std::future::pending().await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    #[test]
    fn the_exit_status_tells_the_signal() {
        assert_eq!([1, 2, 3, 15].map(exit_status), [129, 130, 131, 143]);
    }

    #[test]
    fn a_number_that_is_no_signal_never_looks_like_success() {
        assert_eq!([0, -1, 64, i32::MAX].map(exit_status), [255; 4]);
    }
}
