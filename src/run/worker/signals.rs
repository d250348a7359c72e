//! The signals that kill a run. Not its job: what becomes of the run (see `drive`).

use std::io;
use std::time::Duration;

use tokio::runtime::Runtime;

/// The signals that kill a run.
pub(super) struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    quit: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hang_up: tokio::signal::unix::Signal,
    /// Whether there is a terminal that can hang up. Without one the signal means nothing to the run, and it goes on.
    #[cfg(unix)]
    has_terminal: bool,
}

impl Signals {
    /// Listens from now on; a signal that comes between two looks is not lost.
    #[cfg(unix)]
    pub(super) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            hang_up: signal(SignalKind::hangup())?,
            has_terminal: has_terminal(),
        })
    }

    #[cfg(not(unix))]
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(unix)]
    pub(super) async fn received(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "signal TERM",
            _ = self.interrupt.recv() => "signal INT",
            _ = self.quit.recv() => "signal QUIT",
            _ = self.hang_up.recv(), if self.has_terminal => "signal HUP, its terminal was closed",
        }
    }

    #[cfg(not(unix))]
    pub(super) async fn received(&mut self) -> &'static str {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        "signal INT"
    }

    /// One that came in meanwhile.
    pub(super) fn pending(&mut self, runtime: &Runtime) -> Option<&'static str> {
        runtime.block_on(async {
            tokio::select! {
                biased;
                signal = self.received() => Some(signal),
                () = tokio::time::sleep(Duration::from_millis(1)) => None,
            }
        })
    }
}

/// Whether a person sits before this process, and not only its journal.
pub(super) fn has_terminal() -> bool {
    use std::io::IsTerminal;
    io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal()
}
