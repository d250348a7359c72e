//! Taking the terminal and giving it back, exactly once, on every way out.
//!
//! What was switched on is kept in one process-wide place, and [`restore`] takes it from there: return, `Drop`, a panic of
//! the thread that owns the screen, and signals all call it, and only the first call finds something to undo. At most the
//! background is asked for, and nobody waits for the answer: a terminal that gives none cannot hold up the start. Not its
//! job: what is drawn (`view`), what keys mean (`update`), and which signals there are ([`super::signals`]).

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::rc::Rc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, Once};
use std::thread::ThreadId;
use std::time::Duration;

use crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, execute, queue};
use ratatui::layout::Position;
use ratatui::{Frame, Terminal};

use super::background;
use super::caret::{self, Caret, WithCaret};
use super::doubtful;
use super::keys::{Input, Keys};
use super::sixteen;

const RAW: u8 = 1;
const ALTERNATE: u8 = 1 << 1;
const MOUSE: u8 = 1 << 2;
const PASTE: u8 = 1 << 3;
const CURSOR: u8 = 1 << 4;

/// What is switched on in the terminal right now.
static MODES: AtomicU8 = AtomicU8::new(0);

/// The thread that draws. A panic of any other thread leaves the screen alone.
static OWNER: Mutex<Option<ThreadId>> = Mutex::new(None);

/// How often a vanished terminal is looked for. The look is one `poll` of standard input; nothing is written.
const GONE_INTERVAL: Duration = Duration::from_secs(2);

/// The screen: ratatui's terminal, the stream of keys, and the modes around them.
pub(super) struct Screen {
    terminal: Terminal<WithCaret<FrameWriter>>,
    caret: Rc<Caret>,
    /// The rows of the last frame whose width is doubtful.
    doubtful: BTreeMap<u16, u64>,
    events: Option<Keys>,
    mouse: bool,
    stopped_ourselves: bool,
}

impl Screen {
    /// Takes the terminal: raw mode, alternate screen, bracketed paste, the mouse if wanted, no cursor. With `asks` it is
    /// asked for its background; the answer comes among the events, or never.
    ///
    /// # Errors
    /// When standard input or output is no terminal or refuses; whatever was switched on is off again then.
    pub(super) fn enter(mouse: bool, asks: bool) -> io::Result<Self> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "standard input and output must be a terminal"));
        }
        // crossterm's own NO_COLOR writes a bare reset for every colour, which takes the inverse of the selection with it.
        // The theme obeys NO_COLOR instead.
        crossterm::style::force_color_output(true);
        install_panic_hook();
        let caret = Rc::new(Caret::default());
        let entered = switch_on(mouse)
            .and_then(|()| Terminal::new(WithCaret::new(FrameWriter::default(), Rc::clone(&caret))))
            .and_then(|terminal| Ok((terminal, Keys::start(asks)?)));
        if asks && entered.is_ok() {
            let mut out = io::stdout();
            // A question that cannot be asked is none: the first frame will say what is wrong.
            let _ = out.write_all(background::QUESTION).and_then(|()| out.flush());
        }
        match entered {
            Ok((terminal, keys)) => Ok(Self {
                terminal,
                caret,
                doubtful: BTreeMap::new(),
                events: Some(keys),
                mouse,
                stopped_ourselves: false,
            }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    /// Draws a frame. It reaches the terminal in one write, between the marks of a synchronized update. The cursor goes
    /// where text is typed; where none is, to `selected`, else to what the frame shows as selected, hidden unless
    /// `shows_cursor`.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub(super) fn draw(
        &mut self,
        shows_cursor: bool,
        selected: Option<Position>,
        render: impl Fn(&mut Frame<'_>),
    ) -> io::Result<()> {
        let caret = Rc::clone(&self.caret);
        caret.is_shown.set(shows_cursor);
        let render = |frame: &mut Frame<'_>| {
            render(frame);
            caret.at.set(selected.or_else(|| caret::of(frame.buffer_mut())));
        };
        let doubtful = doubtful::rows(self.terminal.draw(render)?.buffer);
        // What a terminal made wider or narrower than we think is left behind where only the cells that differ are written.
        if doubtful::leave_debris(&self.doubtful, &doubtful) {
            self.forget_frame()?;
            self.terminal.draw(render)?;
        }
        self.doubtful = doubtful;
        Ok(())
    }

    /// The next key, mouse, paste or resize event, or the terminal's answer; `None` when there will be no more.
    pub(super) async fn next_event(&mut self) -> Option<io::Result<Input>> {
        match &mut self.events {
            Some(events) => events.next().await,
            None => None,
        }
    }

    /// Switches mouse capture on or off.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub(super) fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        if on == self.mouse {
            return Ok(());
        }
        self.mouse = on;
        if on {
            MODES.fetch_or(MOUSE, Ordering::SeqCst);
            execute!(io::stdout(), EnableMouseCapture)
        } else {
            MODES.fetch_and(!MOUSE, Ordering::SeqCst);
            execute!(io::stdout(), DisableMouseCapture)
        }
    }

    /// Writes bytes that are no part of a frame, such as an OSC 52 copy.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub(super) fn write_aside(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut out = io::stdout();
        out.write_all(bytes)?;
        out.flush()
    }

    /// Forgets what is on the terminal, so that the next frame paints every cell.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub(super) fn forget_frame(&mut self) -> io::Result<()> {
        // Not `Terminal::clear`: it asks the terminal where its cursor is and fails when no answer comes.
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }

    /// Gives the terminal to `work` and takes it back: the stream of keys is dropped first, because a stream that merely
    /// is not polled still eats input; what was typed ahead and not read by then is discarded.
    ///
    /// # Errors
    /// When the terminal cannot be taken back.
    pub(super) async fn released<T>(&mut self, work: impl Future<Output = T>) -> io::Result<T> {
        self.events = None;
        restore();
        let result = work.await;
        flush_input();
        self.take_back()?;
        Ok(result)
    }

    /// Stops the process as Ctrl-Z does in a shell, and takes the terminal back when it goes on. Returns false, and does
    /// nothing, when no shell is there that could continue it.
    ///
    /// # Errors
    /// When the terminal cannot be taken back.
    pub(super) fn suspend(&mut self) -> io::Result<bool> {
        if !can_be_continued() {
            return Ok(false);
        }
        self.events = None;
        restore();
        self.stopped_ourselves = true;
        stop_process_group();
        self.take_back()?;
        Ok(true)
    }

    /// After SIGCONT: whoever stopped us from outside gave us no chance to leave, and the shell may have changed the
    /// terminal's modes since. They are set again and everything is painted. Nothing is left to do after [`Self::suspend`].
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub(super) fn continued(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.stopped_ourselves) {
            return Ok(());
        }
        // crossterm takes a second `enable_raw_mode` for done, so it has to see the first one undone.
        let _ = disable_raw_mode();
        enable_raw_mode()?;
        let mut out = io::stdout();
        queue!(out, EnableBracketedPaste, cursor::Hide)?;
        if self.mouse {
            queue!(out, EnableMouseCapture)?;
        }
        out.flush()?;
        self.forget_frame()
    }

    fn take_back(&mut self) -> io::Result<()> {
        switch_on(self.mouse)?;
        self.forget_frame()?;
        self.events = Some(Keys::start(false)?);
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let is_owed = self.events.as_ref().is_some_and(Keys::owes_answer);
        self.events = None;
        if is_owed {
            await_answer();
        }
        restore();
    }
}

/// How long the end waits for an answer that the terminal still owes: it must not arrive at the shell.
const OWED: Duration = Duration::from_millis(100);

/// Lets an answer that is under way arrive, and discards it.
fn await_answer() {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let stdin = io::stdin();
        let mut descriptors = [PollFd::new(&stdin, PollFlags::IN)];
        let patience = Timespec { tv_sec: 0, tv_nsec: OWED.subsec_nanos().into() };
        let _ = poll(&mut descriptors, Some(&patience));
    }
    flush_input();
}

/// Waits until the terminal is gone without having said so by a signal (the child of a leader that ignores SIGHUP). Without
/// this, crossterm's reader would spin on the dead descriptor for ever.
pub(super) async fn gone() {
    loop {
        tokio::time::sleep(GONE_INTERVAL).await;
        if is_gone() {
            return;
        }
    }
}

/// Undoes whatever is switched on. Runs every step whatever becomes of the others; a second call finds nothing to do.
pub(super) fn restore() {
    let modes = MODES.swap(0, Ordering::SeqCst);
    if modes == 0 {
        return;
    }
    let mut out = io::stdout();
    if modes & PASTE != 0 {
        let _ = queue!(out, DisableBracketedPaste);
    }
    if modes & MOUSE != 0 {
        let _ = queue!(out, DisableMouseCapture);
    }
    if modes & ALTERNATE != 0 {
        let _ = queue!(out, LeaveAlternateScreen);
    }
    if modes & CURSOR != 0 {
        let _ = queue!(out, cursor::Show);
    }
    let _ = out.flush();
    if modes & RAW != 0 {
        let _ = disable_raw_mode();
    }
}

fn switch_on(mouse: bool) -> io::Result<()> {
    if let Ok(mut owner) = OWNER.lock() {
        *owner = Some(std::thread::current().id());
    }
    // Each mode is noted before it is written: one that got half-way has to be undone as well.
    MODES.fetch_or(RAW, Ordering::SeqCst);
    enable_raw_mode()?;
    let wanted = ALTERNATE | PASTE | CURSOR | if mouse { MOUSE } else { 0 };
    MODES.fetch_or(wanted, Ordering::SeqCst);
    let mut out = io::stdout();
    queue!(out, EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)?;
    if mouse {
        queue!(out, EnableMouseCapture)?;
    }
    out.flush()
}

/// Restores the terminal before the message of a panic is printed, so that it can be read. A panic of another thread is
/// logged and otherwise left to whoever joins that thread: the screen goes on.
fn install_panic_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if MODES.load(Ordering::SeqCst) == 0 {
                previous(panic);
                return;
            }
            let here = std::thread::current().id();
            let owned = match OWNER.try_lock() {
                Ok(owner) => *owner == Some(here),
                Err(_) => true,
            };
            if owned {
                restore();
                previous(panic);
            } else {
                tracing::error!("a background thread panicked: {panic}");
            }
        }));
    });
}

/// Whether the terminal is gone. One `poll` of standard input; nothing is written.
#[cfg(unix)]
pub(super) fn is_gone() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = io::stdin();
    let mut descriptors = [PollFd::new(&stdin, PollFlags::empty())];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    match poll(&mut descriptors, Some(&at_once)) {
        Ok(_) => descriptors
            .first()
            .is_some_and(|it| it.revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)),
        Err(_) => false,
    }
}

/// Whether the terminal is gone: nothing can say.
#[cfg(not(unix))]
pub(super) fn is_gone() -> bool {
    false
}

#[cfg(unix)]
fn flush_input() {
    let _ = rustix::termios::tcflush(io::stdin(), rustix::termios::QueueSelector::IFlush);
}

#[cfg(not(unix))]
fn flush_input() {}

/// Whether a shell with job control can continue us. In the process group of the session's leader nobody can: stopping
/// there (`xterm -e dreamtop`) would be for ever, which is why the kernel ignores Ctrl-Z in such a group too.
#[cfg(unix)]
pub(super) fn can_be_continued() -> bool {
    let group = rustix::process::getpgrp();
    rustix::process::getsid(None).is_ok_and(|session| session != group)
}

#[cfg(not(unix))]
pub(super) fn can_be_continued() -> bool {
    false
}

/// SIGSTOP, because SIGTSTP is handled and would only come back as an event; to the group, as the terminal does.
#[cfg(unix)]
fn stop_process_group() {
    let _ = rustix::process::kill_current_process_group(rustix::process::Signal::STOP);
}

#[cfg(not(unix))]
fn stop_process_group() {}

/// Collects what a frame writes and hands it to the terminal in one piece. Half a frame that never got flushed, because
/// drawing panicked, is dropped instead of painting over the restored screen.
#[derive(Default)]
struct FrameWriter {
    buffer: Vec<u8>,
}

const BEGIN_SYNCHRONIZED: &[u8] = b"\x1b[?2026h";
const END_SYNCHRONIZED: &[u8] = b"\x1b[?2026l";

impl Write for FrameWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.buffer.is_empty() {
            self.buffer.extend_from_slice(BEGIN_SYNCHRONIZED);
        }
        self.buffer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        // Once the terminal is given back, ratatui's own last words (it shows the cursor when dropped) are not for it.
        if MODES.load(Ordering::SeqCst) & ALTERNATE == 0 {
            self.buffer.clear();
            return Ok(());
        }
        self.buffer.extend_from_slice(END_SYNCHRONIZED);
        let mut out = io::stdout().lock();
        let written = out.write_all(&sixteen::plain(&self.buffer)).and_then(|()| out.flush());
        self.buffer.clear();
        written
    }
}

#[cfg(all(test, unix))]
#[path = "terminal_tests.rs"]
mod tests;
