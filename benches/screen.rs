//! The screen's own costs: a key to its frame, the start to the first frame beside `less`, and what idling takes.
//!
//! `cargo bench --bench screen`, all three; `-- keys`, `-- start` or `-- idle` one of them. `DREAMTOP_BENCH_SECONDS` sets how
//! long idling is watched (60). Keys are timed in process: the event is taken in, and the frame is worked out, compared with
//! the one before and encoded for a terminal that throws it away; what a key asks of the disk happens on other threads in
//! the program and outside the clock here, and the frames its answers make are timed apart. Asserts nothing, for machines
//! differ.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::indexing_slicing)]

mod timing;

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::io::{Read, Sink, sink};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use dreamtop::clock::Clock;
use dreamtop::config::Config;
use dreamtop::environment::Environment;
use dreamtop::project::{self, Request};
use dreamtop::state::StateDir;
use dreamtop::tui::effect::Effect;
use dreamtop::tui::effects::{World, perform};
use dreamtop::tui::event::AppEvent;
use dreamtop::tui::state::{Start, State};
use dreamtop::tui::{Options, update, view};
use portable_pty::{Child, CommandBuilder, NativePtySystem, PtySize, PtySystem};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use timing::median;

const COLUMNS: u16 = 120;
const ROWS: u16 = 40;
const MEMORIES: usize = 10_000;
const STORES: usize = 1_000;
const KEYS: usize = 1_000;

fn main() {
    // Cargo adds `--bench`.
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let wants = |word: &str| asked.is_empty() || asked.iter().any(|other| other == word);
    if wants("keys") {
        keys();
    }
    if wants("start") {
        start();
    }
    if wants("idle") {
        idle();
    }
}

// ---- a key to its frame

fn keys() {
    let dir = tempfile::tempdir().expect("a temp directory");
    let root = fs::canonicalize(dir.path()).expect("it is there");
    lay_out(&root.join("memory"), MEMORIES, 0);
    let mut desk = Desk::open(&root);
    println!("a key to its frame, {MEMORIES} memories in the list, {COLUMNS}×{ROWS}, {KEYS} keys");
    println!("{:>18}  {:>6}  {:>10}  {:>10}  {:>10}", "keys", "count", "p50", "p99", "longest");
    let mut all = Vec::new();
    let mut by_part: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for (part, word) in session(KEYS) {
        let took = desk.press(word);
        all.push(took);
        by_part.entry(part).or_default().push(took);
    }
    for (part, times) in &mut by_part {
        print(part, times);
    }
    print("all", &mut all);
    print("frames of answers", &mut desk.answers);
    let p99 = percentile(&all, 99);
    let word = if p99 <= Duration::from_millis(8) { "met" } else { "missed" };
    println!("the goal of 8 ms at p99 is {word}: {p99:.2?}");
}

fn print(part: &str, times: &mut [Duration]) {
    times.sort();
    let (p50, p99, most) = (percentile(times, 50), percentile(times, 99), percentile(times, 100));
    println!("{part:>18}  {:>6}  {p50:>10.1?}  {p99:>10.1?}  {most:>10.1?}", times.len());
}

/// Of sorted times.
fn percentile(times: &[Duration], percent: usize) -> Duration {
    let at = (times.len() * percent).div_ceil(100).clamp(1, times.len().max(1));
    times.get(at - 1).copied().unwrap_or_default()
}

/// What a person does, as parts of a session over and over until there are enough keys: moving, filtering, opening and
/// closing, ordering, triage, marking.
fn session(keys: usize) -> impl Iterator<Item = (&'static str, &'static str)> {
    const PARTS: [(&str, &str); 6] = [
        ("move", "j j j j ctrl-d ctrl-d G k k g j j j j j j ctrl-d j j j j"),
        ("filter", "/ r e l e a s e backspace backspace n esc / 4 2 enter j j esc"),
        ("open and close", "enter j j ctrl-d esc ? j esc c j esc H esc : s o r esc R esc"),
        ("sort", "s s s s"),
        ("triage", "t space y space d u esc esc"),
        ("mark", "space j space j space j esc"),
    ];
    let once = || PARTS.iter().flat_map(|(part, keys)| keys.split(' ').map(move |key| (*part, key)));
    std::iter::repeat_with(once).flatten().take(keys)
}

/// A screen without a terminal, and the answers to what it asks of the disk.
struct Desk {
    state: State,
    world: World,
    terminal: Terminal<CrosstermBackend<Sink>>,
    answers: Vec<Duration>,
    is_checked: bool,
}

impl Desk {
    fn open(root: &Path) -> Self {
        let environment = Environment::of(root, &[("HOME", &root.to_string_lossy())]);
        let request = Request { memory_dir: Some(root.join("memory")), ..Request::default() };
        let choice = project::choose(&request, &environment).expect("the store is chosen");
        let clock = Clock::Fixed("2026-11-30T09:00:00Z".parse().expect("a date"));
        let options = Options {
            choice: choice.clone(),
            config: Config::default(),
            config_file: None,
            engine_flag: None,
            state: StateDir::at(root.join("state")),
            clock: clock.clone(),
            environment,
            executable: root.join("no-such-program"),
            demo: false,
            worker_arguments: Vec::new(),
        };
        let start = Start {
            choice,
            config: Config::default(),
            config_file: None,
            home: None,
            engine_flag: None,
            background: None,
            no_color: false,
            demo: false,
            now: clock.now(),
            size: (COLUMNS, ROWS),
        };
        let state = State::new(start);
        let world = World::new(&options);
        let viewport = Viewport::Fixed(Rect::new(0, 0, COLUMNS, ROWS));
        let terminal = Terminal::with_options(CrosstermBackend::new(sink()), TerminalOptions { viewport });
        let mut desk =
            Self { state, world, terminal: terminal.expect("a terminal"), answers: Vec::new(), is_checked: false };
        desk.answer(update::start());
        desk.answers.clear();
        desk
    }

    /// One key: how long until its frame is ready to be written. Answers to what it asked for come after that.
    fn press(&mut self, word: &str) -> Duration {
        let event = AppEvent::Key(key(word));
        let start = Instant::now();
        let effects = update::update(&mut self.state, event);
        self.draw();
        let took = start.elapsed();
        self.answer(effects);
        took
    }

    fn draw(&mut self) {
        let (state, terminal) = (&self.state, &mut self.terminal);
        terminal.draw(|frame| view::draw(state, frame)).expect("a frame");
    }

    fn answer(&mut self, effects: Vec<Effect>) {
        let mut waiting: VecDeque<Effect> = effects.into();
        while let Some(effect) = waiting.pop_front() {
            // Findings are looked for once: in the program that goes on beside the keys, here it would only make them wait.
            if effect == Effect::Check && std::mem::replace(&mut self.is_checked, true) {
                continue;
            }
            let shown = self.state.choice.clone();
            for event in perform(&self.world, &shown, effect) {
                let start = Instant::now();
                waiting.extend(update::update(&mut self.state, event));
                self.draw();
                self.answers.push(start.elapsed());
            }
        }
    }
}

fn key(word: &str) -> KeyEvent {
    let (modifiers, rest) = match word.strip_prefix("ctrl-") {
        Some(rest) => (KeyModifiers::CONTROL, rest),
        None => (KeyModifiers::NONE, word),
    };
    let code = match rest {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "space" => KeyCode::Char(' '),
        "backspace" => KeyCode::Backspace,
        other => KeyCode::Char(other.chars().next().expect("a key")),
    };
    KeyEvent::new(code, modifiers)
}

// ---- the start

fn start() {
    let dir = tempfile::tempdir().expect("a temp directory");
    let root = fs::canonicalize(dir.path()).expect("it is there");
    for store in 0..STORES {
        let memory = root.join(format!(".claude/projects/-srv-project-{store:04}/memory"));
        lay_out(&memory, MEMORIES / STORES, store);
    }
    let one = root.join(".claude/projects/-srv-project-0000/memory");
    let large = root.join("large");
    lay_out(&large, MEMORIES, 0);
    println!("\nthe start to the first frame, {STORES} stores, {MEMORIES} memories; medians of 9");
    let dreamtop = |store: &Path| {
        let mut command = program(env!("CARGO_BIN_EXE_dreamtop"), &root);
        command.args(["--memory-dir".as_ref(), store.as_os_str()]);
        command
    };
    let less = || {
        let mut command = program("less", &root);
        command.arg(one.join("MEMORY.md"));
        command
    };
    let others = [("one store of ten", one.clone()), ("one store of all", large)];
    // Every frame begins with the program's name, also the first, before anything is read; what the list needs is timed
    // apart. less shows the text of the file, which begins with "# Memory Index".
    let until = |command: CommandBuilder, text: &str| Watched::start(command).until(text);
    let _ = (until(less(), "Memory"), until(dreamtop(&one), "dreamtop"));
    for (name, store) in others {
        let pairs: Vec<(Duration, Duration)> =
            (0..9).map(|_| (until(dreamtop(&store), "dreamtop"), until(less(), "Memory"))).collect();
        let full = median((0..3).map(|_| until(dreamtop(&store), "by need")));
        let (ours, theirs) = (median(pairs.iter().map(|pair| pair.0)), median(pairs.iter().map(|pair| pair.1)));
        let goal = theirs * 2 + Duration::from_millis(20);
        let word = if ours <= goal { "met" } else { "missed" };
        println!("{name:>18}  dreamtop {ours:>8.1?}  less {theirs:>8.1?}  goal 2 × less + 20 ms = {goal:.1?}: {word}");
        println!("{:>18}  with its memories listed {full:>8.1?}", "");
    }
}

// ---- idling

fn idle() {
    let seconds = std::env::var("DREAMTOP_BENCH_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    println!("\nidling for {seconds} s after everything was read");
    for count in [300, MEMORIES] {
        let dir = tempfile::tempdir().expect("a temp directory");
        let root = fs::canonicalize(dir.path()).expect("it is there");
        lay_out(&root.join("memory"), count, 0);
        let mut command = program(env!("CARGO_BIN_EXE_dreamtop"), &root);
        command.args(["--memory-dir".as_ref(), root.join("memory").as_os_str()]);
        let watched = Watched::start(command);
        let pid = watched.child.process_id().expect("a process");
        settle(&watched, pid);
        let (before, written) = (processor_time(pid), watched.bytes.load(Ordering::SeqCst));
        std::thread::sleep(Duration::from_secs(seconds));
        let used = processor_time(pid).saturating_sub(before);
        let bytes = watched.bytes.load(Ordering::SeqCst) - written;
        let word = if used <= Duration::from_millis(50) && bytes == 0 { "met" } else { "missed" };
        println!(
            "{count:>18} memories  {used:>8.0?} of processor time  {bytes} bytes to the terminal  goal 50 ms, 0 bytes: {word}"
        );
    }
}

/// Until nothing was written and hardly any time used for two seconds.
fn settle(watched: &Watched, pid: u32) {
    let end = Instant::now() + Duration::from_secs(120);
    while Instant::now() < end {
        let (before, written) = (processor_time(pid), watched.bytes.load(Ordering::SeqCst));
        std::thread::sleep(Duration::from_secs(2));
        let is_quiet = processor_time(pid).saturating_sub(before) <= Duration::from_millis(10);
        if is_quiet && written > 0 && written == watched.bytes.load(Ordering::SeqCst) {
            return;
        }
    }
}

/// User and system time of a process with all its threads, from `/proc`, in ticks of 10 ms.
fn processor_time(pid: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after_name = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let fields: Vec<&str> = after_name.split(' ').collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    Duration::from_millis((ticks(11) + ticks(12)) * 10)
}

// ---- programs under a terminal

fn program(name: &str, home: &Path) -> CommandBuilder {
    let mut command = CommandBuilder::new(name);
    command.env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("HOME", home);
    command.env("XDG_STATE_HOME", home.join("state"));
    command.env("TERM", "xterm-256color");
    command.env("LANG", "C.UTF-8");
    command.cwd(home);
    command
}

/// A program under a terminal of its own; it is killed when dropped.
struct Watched {
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn portable_pty::MasterPty + Send>,
    started: Instant,
    seen: Arc<Mutex<Vec<u8>>>,
    bytes: Arc<AtomicUsize>,
}

impl Watched {
    fn start(command: CommandBuilder) -> Self {
        let size = PtySize { rows: ROWS, cols: COLUMNS, pixel_width: 0, pixel_height: 0 };
        let pair = NativePtySystem::default().openpty(size).expect("a terminal");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let (seen, bytes) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicUsize::new(0)));
        let into = (Arc::clone(&seen), Arc::clone(&bytes));
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        std::thread::spawn(move || {
            let mut chunk = [0; 65_536];
            while let Ok(read @ 1..) = reader.read(&mut chunk) {
                into.1.fetch_add(read, Ordering::SeqCst);
                if let Ok(mut seen) = into.0.lock() {
                    seen.extend_from_slice(&chunk[..read]);
                }
            }
        });
        Self { child, _master: pair.master, started, seen, bytes }
    }

    /// How long after its start the program had written this.
    fn until(&self, text: &str) -> Duration {
        let end = self.started + Duration::from_secs(30);
        while Instant::now() < end {
            if self.seen.lock().is_ok_and(|seen| String::from_utf8_lossy(&seen).contains(text)) {
                return self.started.elapsed();
            }
            std::thread::sleep(Duration::from_micros(100));
        }
        self.started.elapsed()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

// ---- a store

/// Words that memories are made of, so that no two say the same.
const WORDS: &str = "release freeze branch invoice ledger retry backoff cursor index shard tenant token webhook deploy \
                     rollback metric alert budget parser schema column migration replica queue worker cache session \
                     checkout basket courier parcel barcode scanner turbine valve sensor harbour crane pallet gasket";

/// A store of `count` memories of about 3 KB each, all in the index.
fn lay_out(store: &Path, count: usize, from: usize) {
    fs::create_dir_all(store).expect("the store is made");
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut index = String::from("# Memory Index\n\n");
    for number in 0..count {
        // A fixed sequence that looks random: the same store every time.
        let mut seed = (from * MEMORIES + number) as u64 + 0x2545_f491_4f6c_dd1d;
        let mut word = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            words[(seed % words.len() as u64) as usize]
        };
        let kind = ["user", "feedback", "project", "reference"][number % 4];
        let file = format!("{kind}_{number:05}.md");
        let name = format!("{} {} {number}", word(), word());
        let mut body = String::new();
        while body.len() < 2_700 {
            let line: Vec<&str> = (0..9).map(|_| word()).collect();
            body.push_str(&format!("The {} was measured {number} times.\n\n", line.join(" ")));
        }
        let text = format!(
            "---\nname: {name}\ndescription: \"{} of the {}\"\nmetadata: \n  node_type: memory\n  type: {kind}\n  modified: \
             2026-{:02}-{:02}T09:00:00.000Z\n---\n\n{body}**Why:** it came up.\n\n**How to apply:** look.\n",
            word(),
            word(),
            1 + number % 11,
            1 + number % 28
        );
        fs::write(store.join(&file), text).expect("a memory is written");
        index.push_str(&format!("- [{name}]({file}) — one of many\n"));
    }
    fs::write(store.join("MEMORY.md"), index).expect("the index is written");
}
