//! Running commands joined by `|`: wired by us, held by time, size and the sandbox.
//!
//! Not its job: whether they may run; that was judged before the first began.

use std::io::{PipeReader, PipeWriter, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::lex::Sink;
use super::{Command, Reach, ShellPolicy, sandbox};
use crate::environment::RUN;

/// How often cancellation is asked for while a command prints nothing.
const TICK: Duration = Duration::from_millis(20);

/// The memory a command may take, in bytes.
#[cfg(target_os = "linux")]
const MAX_MEMORY: u64 = 1 << 30;
/// The processor time a command may take, in seconds.
#[cfg(target_os = "linux")]
const MAX_SECONDS: u64 = 10;

/// What is kept of what commands print.
pub(super) struct Kept {
    bytes: Vec<u8>,
    most: usize,
    cut: bool,
}

impl Kept {
    pub(super) fn new(most: usize) -> Self {
        Self { bytes: Vec::new(), most, cut: false }
    }

    /// Keeps what there is room for; whether there was room for all.
    fn add(&mut self, more: &[u8]) -> bool {
        let room = self.most.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(more.get(..room).unwrap_or(more));
        self.cut |= more.len() > room;
        !self.cut
    }

    /// As text, with a note when some of it was cut.
    pub(super) fn text(self) -> String {
        let mut text = String::from_utf8_lossy(&self.bytes).into_owned();
        if self.cut {
            text.push_str(&format!("\n… cut after {} bytes; ask for less at a time", self.most));
        }
        text
    }
}

/// Runs the commands; whether the last of them exited well.
///
/// # Errors
/// When they could not be started, took too long, or the run was cancelled: nothing of them lives then.
pub(super) fn run(
    commands: &[Command],
    directory: &Path,
    reach: &Reach,
    until: Instant,
    cancel: &CancellationToken,
    kept: &mut Kept,
) -> Result<bool, String> {
    let (reader, writer) = std::io::pipe().map_err(|error| format!("no pipe: {error}"))?;
    let started = match reach.policy {
        ShellPolicy::Anywhere if sandbox::unavailable().is_some() => start(commands, directory, writer),
        _ => {
            let readable: Vec<PathBuf> =
                std::iter::once(directory.to_owned()).chain(reach.roots.iter().cloned()).collect();
            sandbox::within(&readable, || start(commands, directory, writer))?
        }
    };
    let mut running = started?;
    let ended = collect(reader, until, cancel, kept);
    if ended.is_err() || kept.cut {
        running.kill();
    }
    let success = running.wait(until, cancel);
    ended.and(success)
}

/// The processes of a pipeline; killed when dropped, so that none outlives its call.
struct Running(Vec<Child>);

impl Running {
    fn kill(&mut self) {
        for child in &mut self.0 {
            crate::process::end_group(child.id());
            let _ = child.kill();
        }
    }

    /// Waits for all; whether the last exited well.
    fn wait(&mut self, until: Instant, cancel: &CancellationToken) -> Result<bool, String> {
        loop {
            let mut alive = false;
            for child in &mut self.0 {
                alive |= matches!(child.try_wait(), Ok(None));
            }
            if !alive {
                break;
            }
            if Instant::now() >= until || cancel.is_cancelled() {
                self.kill();
                return Err(took_too_long(cancel));
            }
            std::thread::sleep(TICK / 10);
        }
        let last = self.0.last_mut().and_then(|child| child.try_wait().ok().flatten());
        Ok(last.is_some_and(|status| status.success()))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
        for child in &mut self.0 {
            let _ = child.wait();
        }
    }
}

fn took_too_long(cancel: &CancellationToken) -> String {
    if cancel.is_cancelled() {
        "the run was killed".to_owned()
    } else {
        format!("it did not end within {} s and was killed; ask for less at a time", super::LIMIT.as_secs())
    }
}

/// Starts all commands, the output of each the input of the next.
fn start(commands: &[Command], directory: &Path, answer: PipeWriter) -> Result<Running, String> {
    let no_pipe = |error: std::io::Error| format!("no pipe: {error}");
    // Should this process die, whoever cleans up after its run finds by this what it had started.
    let room = directory.parent().unwrap_or(directory);
    let room = room.canonicalize().unwrap_or_else(|_| room.to_owned());
    let mut running = Running(Vec::with_capacity(commands.len()));
    let mut input: Option<PipeReader> = None;
    for (at, command) in commands.iter().enumerate() {
        let is_last = at + 1 == commands.len();
        let (next, onwards) = if is_last {
            (None, answer.try_clone().map_err(no_pipe)?)
        } else {
            let (reader, writer) = std::io::pipe().map_err(no_pipe)?;
            (Some(reader), writer)
        };
        let errors = match command.errors {
            Sink::Null => Stdio::null(),
            Sink::WithOutput if command.output == Sink::Null => Stdio::null(),
            Sink::WithOutput => Stdio::from(onwards.try_clone().map_err(no_pipe)?),
            Sink::On => Stdio::from(answer.try_clone().map_err(no_pipe)?),
        };
        let output = if command.output == Sink::Null { Stdio::null() } else { Stdio::from(onwards) };
        let mut process = Process::new(&command.program);
        if let Some(name) = command.program.file_name() {
            process.arg0(name);
        }
        process
            .args(&command.arguments)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("LANG", "C.UTF-8")
            .env("HOME", "/nonexistent")
            .env(RUN, &room)
            .current_dir(directory)
            .process_group(0)
            .stdin(input.take().map_or_else(Stdio::null, Stdio::from))
            .stdout(output)
            .stderr(errors);
        let child = process.spawn().map_err(|error| format!("cannot start {}: {error}", command.program.display()))?;
        limit(&child);
        running.0.push(child);
        input = next;
    }
    // The reader waits until nobody can write any more.
    drop(answer);
    Ok(running)
}

/// Holds a process to its share of memory and time; it may not make files either.
#[cfg(target_os = "linux")]
fn limit(child: &Child) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return };
    for (resource, most) in
        [(Resource::As, MAX_MEMORY), (Resource::Cpu, MAX_SECONDS), (Resource::Fsize, 0), (Resource::Core, 0)]
    {
        // One that has ended already needs no limit.
        let _ = prlimit(Some(pid), resource, Rlimit { current: Some(most), maximum: Some(most) });
    }
}

#[cfg(not(target_os = "linux"))]
fn limit(_child: &Child) {}

/// Reads until all outputs are closed, there is no more room, time is up or the run is cancelled.
fn collect(mut reader: PipeReader, until: Instant, cancel: &CancellationToken, kept: &mut Kept) -> Result<(), String> {
    let (sender, received) = mpsc::sync_channel::<Vec<u8>>(4);
    std::thread::spawn(move || {
        let mut buffer = vec![0; 16 * 1024];
        while let Ok(read) = reader.read(&mut buffer) {
            let Some(bytes) = buffer.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
            if sender.send(bytes.to_vec()).is_err() {
                break;
            }
        }
    });
    loop {
        if Instant::now() >= until || cancel.is_cancelled() {
            return Err(took_too_long(cancel));
        }
        match received.recv_timeout(TICK) {
            Ok(bytes) => {
                if !kept.add(&bytes) {
                    return Ok(());
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}
