//! One dream over 1,000 memories and 500 new sessions of 200 MB, and over a tenth of both, beside reading the same bytes.
//!
//! `cargo bench --bench dream` prints, for each size: seconds, MB/s, how many times as long as `cat` of the same files took,
//! the processor time and the peak of the resident memory of the process that dreams; and how the processor time grew.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Bytes of one session.
const SESSION: usize = 400 * 1024;

/// Words that the invented memories and turns are made of.
const SUBJECTS: [&str; 20] = [
    "billing",
    "search",
    "login",
    "export",
    "mailer",
    "archive",
    "scanner",
    "gateway",
    "planner",
    "catalogue",
    "ledger",
    "importer",
    "renderer",
    "scheduler",
    "inventory",
    "checkout",
    "printer",
    "uploader",
    "monitor",
    "translator",
];
const VERBS: [&str; 10] =
    ["validates", "stores", "rejects", "splits", "sorts", "mirrors", "compresses", "signs", "caches", "counts"];
const OBJECTS: [&str; 25] = [
    "invoices",
    "labels",
    "tokens",
    "pictures",
    "addresses",
    "receipts",
    "schemas",
    "events",
    "queues",
    "tickets",
    "accounts",
    "parcels",
    "drafts",
    "reports",
    "prices",
    "sessions",
    "backups",
    "uploads",
    "messages",
    "tables",
    "documents",
    "batches",
    "forms",
    "orders",
    "payments",
];

fn main() {
    // `cargo test --benches` runs this with `--test`: it only has to start then.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let mut before = None;
    for (memories, sessions) in [(100, 50), (1_000, 500)] {
        let dir = tempfile::tempdir().expect("a temp directory");
        let place = build(dir.path(), memories, sessions);
        let (bytes, cat) = cat(&place);
        let Dreamed { took, processor, peak, reviewed } = dream(dir.path(), &place);
        let megabytes = bytes as f64 / 1e6;
        println!(
            "{memories} memories, {reviewed} sessions, {megabytes:.0} MB: {:.2} s, {:.0} MB/s, {:.1} x cat ({:.3} s), {processor:.2} s of processor time, peak {:.0} MB resident",
            took.as_secs_f64(),
            megabytes / took.as_secs_f64(),
            took.as_secs_f64() / cat.as_secs_f64(),
            cat.as_secs_f64(),
            peak as f64 / 1e3,
        );
        if let Some((bytes_before, processor_before)) = before.replace((megabytes, processor)) {
            println!(
                "{:.1} times the bytes took {:.1} times the processor time",
                megabytes / bytes_before,
                processor / processor_before,
            );
        }
    }
}

/// Where things lie.
struct Place {
    checkout: PathBuf,
    project: PathBuf,
}

fn build(root: &Path, memories: usize, sessions: usize) -> Place {
    let root = fs::canonicalize(root).unwrap();
    let checkout = root.join("checkout");
    fs::create_dir_all(&checkout).unwrap();
    let project = root.join("claude/projects").join(dreamtop::project::slug(&checkout.to_string_lossy()));
    let store = project.join("memory");
    fs::create_dir_all(&store).unwrap();
    let mut index = String::from("# Memory Index\n\n");
    for number in 0..memories {
        let kind = ["user", "feedback", "project", "reference"][number % 4];
        let file = format!("{kind}_note_{number}.md");
        let fact = fact(number);
        let text = format!(
            "---\nname: note-{number}\ndescription: \"{fact}\"\nmetadata:\n  node_type: memory\n  type: {kind}\n  modified: 2026-{:02}-{:02}T12:00:00.000Z\n---\n\n{fact}.\n\n**Why:** {}.\n\n**How to apply:** {}.\n",
            number % 6 + 5,
            number % 28 + 1,
            self::fact(number * 7 + 3),
            self::fact(number * 11 + 5),
        );
        fs::write(store.join(&file), text).unwrap();
        index.push_str(&format!("- [Note {number}]({file}) — {fact}\n"));
    }
    fs::write(store.join("MEMORY.md"), index).unwrap();
    for number in 0..sessions {
        session(&project, &checkout, number);
    }
    Place { checkout, project }
}

/// A sentence of its own for each number.
fn fact(number: usize) -> String {
    let pick = |words: &[&'static str], step: usize| words[(number / step + number) % words.len()];
    format!("The {} {} {} of area {number}", pick(&SUBJECTS, 3), pick(&VERBS, 20), pick(&OBJECTS, 7))
}

/// Mostly tool output, as real sessions are, with a person's turn now and then.
fn session(project: &Path, checkout: &Path, number: usize) {
    let id = format!("00000000-0000-4000-8000-{number:012}");
    let mut out = BufWriter::new(File::create(project.join(format!("{id}.jsonl"))).unwrap());
    let mut written = 0;
    let mut turn = 0;
    while written < SESSION {
        let at = format!("2026-11-{:02}T{:02}:{:02}:00.000Z", number % 28 + 1, turn / 60 % 24, turn % 60);
        let envelope = |kind: &str, content: serde_json::Value| {
            serde_json::json!({
                "type": kind, "uuid": format!("{id}-{turn}"), "parentUuid": null, "sessionId": id, "cwd": checkout, "version": "2.1.214",
                "isSidechain": false, "userType": "external", "timestamp": at, "message": { "role": kind, "content": content },
            })
        };
        let line = match turn % 8 {
            0 => envelope(
                "user",
                serde_json::json!(format!("Please look at how the code {}.", fact(number * 31 + turn))),
            ),
            4 if turn == 4 => envelope(
                "user",
                serde_json::json!(format!(
                    "Always check {} before merging, the last release broke on it.",
                    fact(number * 3 + turn)
                )),
            ),
            1 | 3 | 5 | 7 => envelope(
                "assistant",
                serde_json::json!([{ "type": "text", "text": format!("I looked at it. {}.", fact(turn)).repeat(12) }]),
            ),
            _ => envelope(
                "user",
                serde_json::json!([{ "type": "tool_result", "tool_use_id": "t1", "content": format!("{:>6}  let value = {};\n", turn, fact(turn)).repeat(40) }]),
            ),
        };
        let line = format!("{line}\n");
        out.write_all(line.as_bytes()).unwrap();
        written += line.len();
        turn += 1;
    }
}

/// How many bytes there are, and how long `cat` takes for them once they are in memory.
fn cat(place: &Place) -> (u64, Duration) {
    let files: Vec<PathBuf> = [place.project.clone(), place.project.join("memory")]
        .iter()
        .flat_map(|dir| fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()))
        .filter(|path| path.is_file())
        .collect();
    let bytes = files.iter().map(|file| fs::metadata(file).unwrap().len()).sum();
    let run = || {
        let started = Instant::now();
        let status = Command::new("cat").args(&files).stdout(Stdio::null()).status().expect("cat starts");
        assert!(status.success());
        started.elapsed()
    };
    run();
    (bytes, [run(), run(), run()].into_iter().min().unwrap())
}

/// One dream.
struct Dreamed {
    took: Duration,
    /// In seconds; 0 where the system does not say.
    processor: f64,
    /// The peak of its resident memory in kB.
    peak: u64,
    /// How many sessions it read.
    reviewed: usize,
}

fn dream(root: &Path, place: &Place) -> Dreamed {
    let started = Instant::now();
    let output = File::create(root.join("answer.json")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_dreamtop"))
        .args(["--json", "--project", place.checkout.to_str().unwrap(), "dream", "--force"])
        .env("HOME", root.join("home"))
        .env("CLAUDE_CONFIG_DIR", root.join("claude"))
        .env("XDG_STATE_HOME", root.join("state"))
        .env("XDG_CONFIG_HOME", root.join("config"))
        .env("DREAMTOP_NOW", "2026-11-30T09:00:00Z")
        .stdout(output)
        .spawn()
        .expect("the binary starts");
    let (mut peak, mut processor) = (0, 0.0);
    while child.try_wait().expect("a child").is_none() {
        peak = peak.max(resident(child.id()));
        processor = processor_time(child.id()).max(processor);
        std::thread::sleep(Duration::from_millis(5));
    }
    let took = started.elapsed();
    let answer: serde_json::Value = serde_json::from_slice(&fs::read(root.join("answer.json")).unwrap()).expect("JSON");
    for phase in answer["phases"].as_array().into_iter().flatten() {
        println!("  {} {} ms", phase["name"].as_str().unwrap_or_default(), phase["ms"]);
    }
    println!("  {}: {}", answer["outcome"].as_str().unwrap_or_default(), answer["reason"].as_str().unwrap_or_default());
    Dreamed { took, processor, peak, reviewed: answer["sessions"].as_array().map_or(0, Vec::len) }
}

/// The seconds of processor time that a process has used so far, for itself and in the system; 0 where the system does not say.
fn processor_time(pid: u32) -> f64 {
    /// Of these, a second has a hundred on every Linux.
    const TICKS: f64 = 100.0;
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name in parentheses may have blanks; what follows it begins with the third field.
    let fields = line.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS
}

/// The peak of a process's resident memory so far, in kB; 0 where the system does not say.
fn resident(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse().ok()).unwrap_or(0)
}
