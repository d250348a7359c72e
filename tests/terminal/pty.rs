//! The real binary under a terminal of its own: what it writes, what the terminal shows, keys and signals for it.
//!
//! Every wait has a deadline and looks again and again; nothing sleeps for a fixed time and hopes.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, NativePtySystem, PtySize, PtySystem};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// How long anything may take before the test fails. Generous: machines that run tests are busy.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// Esc as a terminal sends it that tells it from the start of a longer sequence. The bare byte is Alt with the next key when
/// both are read at once, as they are on a busy machine.
pub const ESC: &str = "\u{1b}[27u";

/// How often a wait looks again.
const LOOK: Duration = Duration::from_millis(10);

/// A home with one store of three memories, and nothing else of anyone's.
pub struct Home {
    dir: TempDir,
}

impl Home {
    pub fn new() -> Self {
        let home = Self { dir: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(home.store()).unwrap();
        let memory = |file: &str, name: &str, kind: &str, body: &str| {
            let text = format!(
                "---\nname: {name}\ndescription: \"about {name}\"\nmetadata:\n  node_type: memory\n  type: {kind}\n---\n\n{body}\n"
            );
            std::fs::write(home.store().join(file), text).unwrap();
        };
        memory(
            "feedback_testing.md",
            "testing policy",
            "feedback",
            "Use real databases.\n\n**Why:** mocks lie.\n\n**How to apply:** always.",
        );
        memory(
            "project_freeze.md",
            "merge freeze",
            "project",
            "No merges.\n\n**Why:** release.\n\n**How to apply:** wait.",
        );
        memory("user_role.md", "backend role", "user", "They write Rust.");
        let index = "# Memory Index\n\n- [Testing](feedback_testing.md) — real databases\n- [Freeze](project_freeze.md) — no merges\n- [Role](user_role.md) — backend\n";
        std::fs::write(home.store().join("MEMORY.md"), index).unwrap();
        home
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn store(&self) -> PathBuf {
        self.dir.path().join("memory")
    }

    pub fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.store().join(file)).unwrap()
    }

    /// Every file of the store with its bytes and time.
    pub fn contents(&self) -> Vec<(PathBuf, Vec<u8>, std::time::SystemTime)> {
        let mut all: Vec<_> = std::fs::read_dir(self.store())
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                (path.clone(), std::fs::read(&path).unwrap(), path.metadata().unwrap().modified().unwrap())
            })
            .collect();
        all.sort();
        all
    }

    /// A program of a few lines for `EDITOR`.
    pub fn script(&self, name: &str, lines: &str) -> String {
        use std::os::unix::fs::PermissionsExt;
        let path = self.path().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// The binary on the store of this home.
    pub fn command(&self, arguments: &[&str]) -> CommandBuilder {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_dreamtop"));
        command.args(["--memory-dir", self.store().to_str().unwrap()]);
        command.args(arguments);
        self.environment(&mut command);
        command
    }

    /// A shell line in which `$DREAMTOP` is the binary and `$STORE` the store.
    pub fn shell(&self, line: &str) -> CommandBuilder {
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", line]);
        self.environment(&mut command);
        command.env("DREAMTOP", env!("CARGO_BIN_EXE_dreamtop"));
        command.env("STORE", self.store());
        command
    }

    fn environment(&self, command: &mut CommandBuilder) {
        command.env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap());
        command.env("HOME", self.path());
        command.env("XDG_STATE_HOME", self.path().join("state"));
        command.env("XDG_CONFIG_HOME", self.path().join("config"));
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.cwd(self.path());
    }
}

/// What came out of the terminal so far.
struct Seen {
    screen: vt100::Parser,
    bytes: Vec<u8>,
    closed: bool,
    /// The reader lets go of the terminal after the next bytes.
    let_go: bool,
}

/// A running program and its terminal.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    seen: Arc<Mutex<Seen>>,
}

impl Terminal {
    pub fn start(command: CommandBuilder, columns: u16, rows: u16) -> Self {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = NativePtySystem::default().openpty(size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let seen = Arc::new(Mutex::new(Seen {
            screen: vt100::Parser::new(rows, columns, 0),
            bytes: Vec::new(),
            closed: false,
            let_go: false,
        }));
        let into = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut chunk = [0; 8192];
            // The end of a terminal is an error on Linux and an end elsewhere.
            while let Ok(read @ 1..) = reader.read(&mut chunk) {
                let mut seen = into.lock().unwrap();
                let new = chunk.get(..read).unwrap();
                seen.screen.process(new);
                seen.bytes.extend_from_slice(new);
                if seen.let_go {
                    break;
                }
            }
            drop(reader);
            into.lock().unwrap().closed = true;
        });
        Self { child, master: Some(pair.master), keys: Some(keys), seen }
    }

    /// The binary on a home's store, once it shows the memories.
    pub fn open(home: &Home, arguments: &[&str]) -> Self {
        let terminal = Self::start(home.command(arguments), 100, 30);
        terminal.wait_for("testing policy");
        terminal
    }

    pub fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.process_id().unwrap()).unwrap()).unwrap()
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    pub fn press(&mut self, keys: &str) {
        let writer = self.keys.as_mut().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.seen.lock().unwrap().screen.screen_mut().set_size(rows, columns);
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.master.as_ref().unwrap().resize(size).unwrap();
    }

    /// What the terminal shows.
    pub fn text(&self) -> String {
        self.seen.lock().unwrap().screen.screen().contents()
    }

    /// What was written to the terminal since the start.
    pub fn bytes(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap().bytes).into_owned()
    }

    /// A look at the terminal as it is.
    pub fn look<T>(&self, at: impl FnOnce(&vt100::Screen) -> T) -> T {
        at(self.seen.lock().unwrap().screen.screen())
    }

    pub fn wait_for(&self, text: &str) {
        self.wait_until(&format!("{text:?} on the screen"), |terminal| terminal.text().contains(text));
    }

    pub fn wait_gone(&self, text: &str) {
        self.wait_until(&format!("{text:?} off the screen"), |terminal| !terminal.text().contains(text));
    }

    pub fn wait_until(&self, what: &str, mut is_so: impl FnMut(&Self) -> bool) {
        let end = Instant::now() + DEADLINE;
        while !is_so(self) {
            assert!(Instant::now() < end, "waited for {what} in vain; the terminal shows\n{}", self.text());
            std::thread::sleep(LOOK);
        }
    }

    /// Waits until nothing was written for a while.
    pub fn settle(&self) {
        let (mut length, mut since) = (self.bytes().len(), Instant::now());
        self.wait_until("quiet", |terminal| {
            let now = terminal.bytes().len();
            if now != length {
                (length, since) = (now, Instant::now());
            }
            since.elapsed() > Duration::from_millis(300)
        });
    }

    /// The terminal vanishes. The thread that reads it holds it too, and lets go of it with the bytes of one last frame.
    pub fn hang_up(&mut self) {
        self.seen.lock().unwrap().let_go = true;
        self.press("?");
        self.wait_until("the reader to let go", |terminal| terminal.seen.lock().unwrap().closed);
        self.send_no_end();
        self.keys = None;
        self.master = None;
    }

    /// A writer that is dropped types a line feed and the terminal's character for the end, which the program would take for
    /// keys: they delete text in a form. Where there is no such character, it types nothing.
    fn send_no_end(&self) {
        use rustix::fs::{Mode, OFlags};
        use rustix::termios::{OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};
        let line = self.master.as_ref().unwrap().tty_name().unwrap();
        let line = rustix::fs::open(line, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        let mut modes = tcgetattr(&line).unwrap();
        modes.special_codes[SpecialCodeIndex::VEOF] = 0;
        tcsetattr(&line, OptionalActions::Now, &modes).unwrap();
    }

    /// Waits for the end; the exit code, and all that was written.
    pub fn end(mut self) -> (u32, String) {
        let end = Instant::now() + DEADLINE;
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.exit_code();
            }
            assert!(Instant::now() < end, "it does not end; the terminal shows\n{}", self.text());
            std::thread::sleep(LOOK);
        };
        self.keys = None;
        self.wait_until("the last bytes", |terminal| terminal.seen.lock().unwrap().closed);
        (code, self.bytes())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
