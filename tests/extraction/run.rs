//! One case through the embedded engine: a transcript and a store on disk, a job, and what is on disk afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dreamtop::clock::Clock;
use dreamtop::engine::embedded::Embedded;
use dreamtop::engine::{Engine, EventSender, Job, JobKind, RunContext, SessionSource};
use dreamtop::memory::{ShelfLife, Topic};
use tokio_util::sync::CancellationToken;

use crate::cases::Case;

/// A memory that the run wrote or changed.
pub struct Written {
    pub file: String,
    pub kind: String,
    /// Description and body without sources and pointers to what stood there before.
    pub says: String,
    /// The whole file.
    pub bytes: String,
    /// The quotes that go with it.
    pub quotes: Vec<String>,
}

/// What the person said, for quotes to be checked against.
pub fn said(case: &Case) -> Vec<&str> {
    case.turns.iter().filter_map(|turn| turn.user.as_deref()).collect()
}

/// The day on which the cases are said, a Wednesday.
const TODAY: &str = "2026-03-11";

/// Runs a case.
pub fn run(case: &Case, runtime: &tokio::runtime::Runtime) -> Vec<Written> {
    run_on(case, TODAY, runtime)
}

/// Runs a case whose turns were said on another day; a day has one session.
pub fn run_on(case: &Case, day: &str, runtime: &tokio::runtime::Runtime) -> Vec<Written> {
    let id = format!("5e551017-0000-4000-8000-0000{}", day.replace('-', ""));
    let directory = tempfile::tempdir().unwrap();
    let (copy, checkout) = (directory.path().join("copy"), directory.path().join("checkout"));
    fs::create_dir_all(&copy).unwrap();
    fs::create_dir_all(&checkout).unwrap();
    for (file, text) in &case.memories {
        fs::write(copy.join(file), text).unwrap();
        let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_767_600_000);
        fs::File::options().append(true).open(copy.join(file)).unwrap().set_modified(long_ago).unwrap();
    }
    if let Some(text) = &case.claude_md {
        fs::write(checkout.join("CLAUDE.md"), text).unwrap();
    }
    let transcript = directory.path().join(format!("{id}.jsonl"));
    fs::write(&transcript, lines(case, day, &id)).unwrap();
    let before = files(&copy);
    let session = SessionSource {
        id,
        path: transcript,
        from: (0, 0),
        since: None,
        speakers: dreamtop::session::Speakers::Persons,
    };
    let job =
        Job { kind: JobKind::Extract, sessions: vec![session], checkout: Some(checkout), unheard: Default::default() };
    let (events, _received) = EventSender::channel();
    let context = RunContext {
        working_copy: copy.clone(),
        reach: dreamtop::engine::agent::Reach::default(),
        events,
        cancel: CancellationToken::new(),
        clock: Clock::Fixed(format!("{day}T18:00:00Z").parse().unwrap()),
        shelf_life: ShelfLife::default(),
        token_budget: 0,
        money_budget: None,
        max_turns: None,
    };
    let verdict = runtime.block_on(Embedded.run(&job, &context)).unwrap();
    files(&copy)
        .into_iter()
        .filter(|(file, bytes)| file != "MEMORY.md" && before.get(file) != Some(bytes))
        .map(|(file, bytes)| {
            let topic = Topic::read(bytes.clone().into_bytes());
            let kind = topic.frontmatter.kind(&file).map_or_else(String::new, |kind| kind.word().to_owned());
            let body = topic.body();
            let kept = body.lines().filter(|line| !line.starts_with("Source: ") && !line.starts_with("**Before "));
            let description = topic.frontmatter.description.unwrap_or_default();
            let says = std::iter::once(description.as_str()).chain(kept).collect::<Vec<_>>().join("\n");
            let quotes = verdict.rationales.get(&file).map_or_else(Vec::new, |rationale| {
                rationale.sources.iter().filter_map(|source| source.quote.clone()).collect()
            });
            Written { file, kind, says, bytes, quotes }
        })
        .collect()
}

/// The transcript: a line a turn, a minute apart, from noon of that day on.
fn lines(case: &Case, day: &str, id: &str) -> String {
    let mut lines = String::new();
    for (minute, turn) in case.turns.iter().enumerate() {
        let (role, content) = match (&turn.user, &turn.assistant, &turn.tool) {
            (Some(text), None, None) => ("user", serde_json::json!(text)),
            (None, Some(text), None) => ("assistant", serde_json::json!([{"type": "text", "text": text}])),
            (None, None, Some(text)) => {
                ("user", serde_json::json!([{"type": "tool_result", "tool_use_id": "t1", "content": text}]))
            }
            _ => panic!("{}: turn {minute} is not exactly one of user, assistant, tool", case.name),
        };
        let line = serde_json::json!({
            "type": role, "uuid": format!("u{minute}"), "sessionId": id,
            "cwd": "/home/dev/project", "timestamp": format!("{day}T12:{minute:02}:00.000Z"),
            "message": {"role": role, "content": content},
        });
        lines.push_str(&format!("{line}\n"));
    }
    lines
}

fn files(directory: &Path) -> BTreeMap<String, String> {
    fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_file())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
        .collect()
}
