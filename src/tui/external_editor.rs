//! Waiting for the person's own editor while the terminal is theirs.
//!
//! Not its job: choosing the editor and its private copy (see [`crate::editor`]), giving the terminal away and back
//! ([`super::terminal::Screen::released`]), and landing the result.

use std::path::Path;

use crate::editor::EditorCommand;

/// How waiting for the editor ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Waited {
    /// It exited well.
    Well,
    /// It did not: `exit status 1`, `signal 9`, or why it could not be started.
    Badly(String),
    /// We are asked to end meanwhile, by the signal of this number. The editor got it too, and has ended unless it is stubborn.
    Interrupted {
        /// The signal.
        signal: i32,
        /// Whether the editor has ended.
        is_over: bool,
    },
}

/// So long an editor that is asked to end may take to write what it has.
#[cfg(unix)]
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

/// Runs the editor on a file in the foreground and waits for it. Call it with the terminal released.
#[cfg(unix)]
pub(super) async fn run(command: &EditorCommand, file: &Path, signals: &mut super::signals::Signals) -> Waited {
    use rustix::process::{Pid, Signal, kill_process};

    let child = match std::process::Command::new(&command.program).args(&command.arguments).arg(file).spawn() {
        Ok(child) => child,
        Err(error) => return Waited::Badly(format!("{}: {error}", command.program.display())),
    };
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else {
        return Waited::Badly("a process id that cannot be waited for".to_owned());
    };
    let mut waiting = tokio::task::spawn_blocking(move || wait_for(pid));
    let ended = tokio::select! {
        ended = &mut waiting => ended,
        number = signals.next_while_released() => {
            let _ = kill_process(pid, if number == super::signals::HANG_UP { Signal::HUP } else { Signal::TERM });
            let is_over = tokio::time::timeout(PATIENCE, waiting).await.is_ok();
            return Waited::Interrupted { signal: number, is_over };
        }
    };
    // The Ctrl-C that ended the editor came to us as well and may still be on its way through the runtime.
    let settle = std::time::Duration::from_millis(20);
    if let Ok(number) = tokio::time::timeout(settle, signals.next_while_released()).await {
        return Waited::Interrupted { signal: number, is_over: true };
    }
    ended.unwrap_or_else(|error| Waited::Badly(error.to_string()))
}

/// Waits for a child's end. When it is stopped (Ctrl-Z in the editor) we stop with it, or the shell would never get the
/// terminal back; its `fg` continues both.
#[cfg(unix)]
fn wait_for(pid: rustix::process::Pid) -> Waited {
    use rustix::process::{Signal, WaitOptions, getpid, kill_process, waitpid};
    loop {
        match waitpid(Some(pid), WaitOptions::UNTRACED) {
            Ok(Some((_, status))) if status.stopped() => {
                let whom =
                    if super::terminal::can_be_continued() { (getpid(), Signal::STOP) } else { (pid, Signal::CONT) };
                let _ = kill_process(whom.0, whom.1);
            }
            Ok(Some((_, status))) => {
                return match (status.exit_status(), status.terminating_signal()) {
                    (Some(0), _) => Waited::Well,
                    (Some(code), _) => Waited::Badly(format!("exit status {code}")),
                    (None, Some(signal)) => Waited::Badly(format!("signal {signal}")),
                    (None, None) => Waited::Badly("no exit status".to_owned()),
                };
            }
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Waited::Badly(error.to_string()),
        }
    }
}

/// Runs the editor on a file in the foreground and waits for it. Call it with the terminal released.
#[cfg(not(unix))]
pub(super) async fn run(command: &EditorCommand, file: &Path, signals: &mut super::signals::Signals) -> Waited {
    let _ = signals;
    match tokio::process::Command::new(&command.program).args(&command.arguments).arg(file).status().await {
        Ok(status) if status.success() => Waited::Well,
        Ok(status) => Waited::Badly(status.to_string()),
        Err(error) => Waited::Badly(format!("{}: {error}", command.program.display())),
    }
}
