//! The loop: the one place where everything arrives, and the only one that draws.
//!
//! In this order, so that ending always gets through and frames come last: signals, keys, results of effects and news of
//! runs, the watcher, the clock of a live run, the frame. Nothing here ticks while nothing moves.

mod hand_over;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::Event;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, sleep_until};

use super::background;
use super::effect::Effect;
use super::effects::World;
use super::effects::runner::{Report, Runner};
use super::event::AppEvent;
use super::keys::Input;
use super::signals::{HANG_UP, SignalEvent, Signals, exit_status};
use super::state::{Start, State};
use super::terminal::{Screen, gone, is_gone};
use super::theme::Meaning;
use super::watch::{self, Watch, WatchEvent};
use super::{Options, update, view};
use crate::clock::Clock;
use crate::environment::Environment;
use crate::state::StateDir;

/// At most this often a frame is drawn: 30 times a second.
const FRAME: Duration = Duration::from_millis(33);
/// How often the journals are read while a run is live, in case the watcher says nothing.
const POLL: Duration = Duration::from_millis(250);
/// How often the clock on the screen moves while a run is live.
const SECOND: Duration = Duration::from_secs(1);
/// So long nobody has to touch anything before an unsaved text is kept, in case the program ends.
const PAUSE: Duration = Duration::from_secs(2);
/// Who never pauses has it kept so often.
const LONGEST: Duration = Duration::from_secs(10);
/// How long the end waits for a deed under way.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs the screen until it is left; the exit code.
pub(super) async fn run(options: Options) -> io::Result<u8> {
    let no_color = options.environment.variable("NO_COLOR").is_some();
    let mut signals = Signals::listen()?;
    let variable = |name: &str| options.environment.variable(name);
    let background = variable("COLORFGBG").and_then(background::of_variable);
    let asks = background.is_none() && !no_color && background::can_be_asked(variable("TERM"));
    let mut screen = Screen::enter(options.config.mouse, asks)?;
    let size = crossterm::terminal::size().unwrap_or((80, 24));
    let start = Start {
        choice: options.choice.clone(),
        config: options.config.clone(),
        config_file: options.config_file.clone(),
        home: options.environment.home(),
        engine_flag: options.engine_flag.clone(),
        no_color,
        background,
        demo: options.demo,
        now: options.clock.now(),
        size,
    };
    let state = State::new(start);
    let world = World::new(&options);
    let (runner, reports) = Runner::new(Arc::new(world));
    let mut app = App {
        clock: options.clock,
        environment: options.environment,
        files: options.state,
        state,
        runner,
        watcher: None,
        end: None,
        keep_at: None,
        keep_by: None,
        wants_frame: true,
    };
    let (watch_sender, watch_events) = unbounded_channel();
    app.watch(&watch_sender);
    for effect in update::start() {
        app.carry_out(effect, &mut screen, &mut signals).await?;
    }
    let ended = app.run(&mut screen, &mut signals, reports, watch_events, &watch_sender).await;
    drop(screen);
    match ended {
        // A frame that failed because the terminal vanished: that, not the frame, is why the program ends.
        Err(_) if is_gone() => Ok(exit_status(HANG_UP)),
        ended => ended,
    }
}

/// The loop's own things.
struct App {
    clock: Clock,
    environment: Environment,
    files: StateDir,
    state: State,
    runner: Runner,
    watcher: Option<Watch>,
    /// The exit code, once the program is to end.
    end: Option<u8>,
    /// When an unsaved text is kept: once nobody touched anything for a while, and at the latest.
    keep_at: Option<Instant>,
    keep_by: Option<Instant>,
    wants_frame: bool,
}

impl App {
    async fn run(
        &mut self,
        screen: &mut Screen,
        signals: &mut Signals,
        mut reports: UnboundedReceiver<Report>,
        mut watch_events: UnboundedReceiver<WatchEvent>,
        watch_sender: &tokio::sync::mpsc::UnboundedSender<WatchEvent>,
    ) -> io::Result<u8> {
        let mut vanished = std::pin::pin!(gone());
        let mut frame_at = Instant::now();
        let mut second_at = Instant::now() + SECOND;
        let mut poll_at = Instant::now() + POLL;
        let mut watched = self.state.store_root().to_owned();
        while self.end.is_none() {
            let (is_running, is_lively) = (self.state.is_running(), self.state.is_lively());
            let event = tokio::select! {
                biased;
                signal = signals.next() => match signal {
                    SignalEvent::End(number) => {
                        self.end = Some(exit_status(number));
                        continue;
                    }
                    SignalEvent::Suspend => {
                        self.carry_out(Effect::Suspend, screen, signals).await?;
                        continue;
                    }
                    SignalEvent::Continue => {
                        screen.continued()?;
                        self.measure();
                        continue;
                    }
                    SignalEvent::Resize => {
                        self.measure();
                        continue;
                    }
                },
                () = &mut vanished => {
                    self.end = Some(exit_status(HANG_UP));
                    continue;
                }
                event = screen.next_event() => match event {
                    Some(Ok(input)) => match app_event(input) {
                        Some(event) => event,
                        None => continue,
                    },
                    Some(Err(error)) => return Err(error),
                    None => return Ok(exit_status(HANG_UP)),
                },
                Some(report) = reports.recv() => {
                    self.runner.finished(&report);
                    for event in report.events {
                        self.take(event, screen, signals).await?;
                    }
                    if watched != self.state.store_root() {
                        self.state.store_root().clone_into(&mut watched);
                        self.watch(watch_sender);
                    }
                    continue;
                }
                Some(event) = watch_events.recv() => match event {
                    WatchEvent::Store => AppEvent::StoreTouched,
                    WatchEvent::Runs => AppEvent::RunsTouched,
                    WatchEvent::Degraded(sentence) => AppEvent::WatchDegraded(sentence),
                },
                () = sleep_until(poll_at), if is_running => {
                    poll_at = Instant::now() + POLL;
                    AppEvent::RunsTouched
                }
                () = sleep_until(second_at), if is_lively => {
                    second_at = Instant::now() + SECOND;
                    AppEvent::Second
                }
                () = sleep_until(self.keep_at.unwrap_or(frame_at)), if self.keep_at.is_some() => {
                    (self.keep_at, self.keep_by) = (None, None);
                    AppEvent::Paused
                }
                () = sleep_until(frame_at), if self.wants_frame => {
                    self.wants_frame = false;
                    frame_at = Instant::now() + FRAME;
                    let caret = view::caret(&self.state);
                    screen.draw(self.state.shows_cursor(), caret, |frame| view::draw(&self.state, frame))?;
                    continue;
                }
            };
            self.take(event, screen, signals).await?;
        }
        self.finish(reports).await;
        Ok(self.end.unwrap_or(0))
    }

    /// Takes in an event and carries out what follows.
    async fn take(&mut self, event: AppEvent, screen: &mut Screen, signals: &mut Signals) -> io::Result<()> {
        let is_quiet = matches!(event, AppEvent::RunsTouched | AppEvent::StoreTouched | AppEvent::Paused);
        let is_touch = is_touch(&event);
        self.wants_frame = self.wants_frame || !is_quiet;
        let mut effects = update::update(&mut self.state, AppEvent::Time(self.clock.now()));
        effects.extend(update::update(&mut self.state, event));
        for effect in effects {
            self.carry_out(effect, screen, signals).await?;
        }
        if is_touch {
            self.keep_soon();
        }
        Ok(())
    }

    /// Has an unsaved text kept when the person pauses.
    fn keep_soon(&mut self) {
        if update::unsaved::may_be(&self.state) {
            let now = Instant::now();
            let latest = *self.keep_by.get_or_insert(now + LONGEST);
            self.keep_at = Some((now + PAUSE).min(latest));
        }
    }

    /// Takes the terminal's size: while another program had it, the news of a change went there. A whole frame follows.
    fn measure(&mut self) {
        self.wants_frame = true;
        if let Ok((width, height)) = crossterm::terminal::size() {
            for effect in update::update(&mut self.state, AppEvent::Resize(width, height)) {
                self.runner.submit(&self.state.choice, effect);
            }
        }
    }

    /// Takes in what came of an editor, once the terminal is ours again.
    fn take_back(&mut self, event: Option<AppEvent>) {
        self.measure();
        let effects = event.map(|event| update::update(&mut self.state, event)).unwrap_or_default();
        for effect in effects {
            self.runner.submit(&self.state.choice, effect);
        }
    }

    /// Effects on the terminal are done here, all others by the runner.
    async fn carry_out(&mut self, effect: Effect, screen: &mut Screen, signals: &mut Signals) -> io::Result<()> {
        match effect {
            Effect::Quit => self.end = Some(0),
            Effect::Suspend => {
                if !screen.suspend()? {
                    self.state.tell(Meaning::Text, "Nothing is here that could continue a stopped program");
                }
                self.measure();
            }
            Effect::CaptureMouse(on) => screen.set_mouse(on)?,
            Effect::Repaint => screen.forget_frame()?,
            Effect::Copy(text) => screen.write_aside(osc_52(&text).as_bytes())?,
            Effect::OpenExternalEditor(file) => {
                let event = self.edit_memory(file, screen, signals).await?;
                self.take_back(event);
            }
            Effect::EditSettings { line } => {
                self.edit_settings(line, screen, signals).await?;
                self.take_back(None);
            }
            effect => self.runner.submit(&self.state.choice, effect),
        }
        Ok(())
    }

    /// Watches the store that is shown, and the journals.
    fn watch(&mut self, sender: &tokio::sync::mpsc::UnboundedSender<WatchEvent>) {
        self.watcher = None;
        match watch::start(self.state.store_root(), &self.files.runs(), sender.clone()) {
            Ok(watcher) => self.watcher = Some(watcher),
            Err(error) => {
                let key = self.state.keymap.shown(super::command::Command::Reload);
                self.state.tell(Meaning::Warn, format!("Changes cannot be watched ({error}); {key} reads again"));
            }
        }
    }

    /// Lets deeds under way come to their end: a landing is never cut off by leaving.
    async fn finish(&mut self, mut reports: UnboundedReceiver<Report>) {
        let deadline = Instant::now() + PATIENCE;
        while self.runner.must_finish() {
            tokio::select! {
                report = reports.recv() => match report {
                    Some(report) => {
                        self.runner.finished(&report);
                        // What landed is no unsaved text any more. Nothing new is begun.
                        for event in report.events {
                            let _ = update::update(&mut self.state, event);
                        }
                    }
                    None => return,
                },
                () = sleep_until(deadline) => return,
            }
        }
    }
}

impl Drop for App {
    /// Every way out ends here: a signal, a terminal that vanished, an error, a panic. An unsaved text outlives them all, and
    /// what was kept of a text that is saved or dropped goes.
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = self.runner.keep_at_once(&self.state.choice, update::unsaved::current(&self.state));
    }
}

/// Whether the person did something, or something they did came back refused, with its text. The clock of a run and the
/// answers to questions are no reason to think that they still type.
const fn is_touch(event: &AppEvent) -> bool {
    matches!(event, AppEvent::Key(_) | AppEvent::Paste(_) | AppEvent::Mouse(_) | AppEvent::Done { .. })
}

fn app_event(input: Input) -> Option<AppEvent> {
    match input {
        Input::Background(background) => Some(AppEvent::Background(background)),
        Input::Event(Event::Key(key)) => Some(AppEvent::Key(key)),
        Input::Event(Event::Mouse(mouse)) => Some(AppEvent::Mouse(mouse)),
        Input::Event(Event::Paste(text)) => Some(AppEvent::Paste(text)),
        Input::Event(Event::Resize(width, height)) => Some(AppEvent::Resize(width, height)),
        Input::Event(Event::FocusGained | Event::FocusLost) => None,
    }
}

/// The sequence that asks a terminal to put a text on its clipboard.
fn osc_52(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = DIGITS.get((bits >> (18 - 6 * place) & 63) as usize).copied().unwrap_or(b'=');
            encoded.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    format!("\u{1b}]52;c;{encoded}\u{7}")
}

#[cfg(test)]
#[path = "app_tests.rs"]
mod tests;
