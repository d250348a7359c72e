#![allow(clippy::unwrap_used, clippy::panic, clippy::needless_pass_by_value)]
use std::path::PathBuf;

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::engine::agent::Reach;
use crate::session::Speakers;

const MEMORY: &str = "---\nname: \"no-mocks\"\ndescription: \"no mocks\"\nmetadata:\n  node_type: memory\n  type: feedback\n---\n\nNo mocks.\n";

struct Bench {
    dir: tempfile::TempDir,
    evidence: Evidence,
}

fn said(line: usize, text: &str) -> String {
    let at = format!("2026-11-{:02}T10:00:00Z", 10 + line);
    json!({ "type": "user", "uuid": format!("u{line}"), "timestamp": at, "message": { "role": "user", "content": text } }).to_string()
}

fn bench(kind: JobKind) -> Bench {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("work")).unwrap();
    let session = |id: &str, turns: &[&str]| {
        let path = dir.path().join(format!("{id}.jsonl"));
        let lines: Vec<String> = turns.iter().enumerate().map(|(at, text)| said(at + 1, text)).collect();
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        SessionSource { id: id.to_owned(), path, from: (0, 0), since: None, speakers: Speakers::Persons }
    };
    let sessions = vec![
        session("first-session", &["Please never mock the database!", "yes", "never mock the database, I said"]),
        session("other-session", &["We deploy on Fridays."]),
        SessionSource {
            id: "gone-session".to_owned(),
            path: PathBuf::from("/nowhere"),
            from: (0, 0),
            since: None,
            speakers: Speakers::Persons,
        },
    ];
    let evidence = Evidence::of(&Job { kind, sessions, checkout: None, unheard: Default::default() });
    Bench { dir, evidence }
}

impl Bench {
    fn call(&self, name: &str, file: &str, content: &str, sources: Value) -> (Weighed, String) {
        let work = self.dir.path().join("work");
        let tools = Toolbox::new(&work, Reach::default(), CancellationToken::new()).unwrap();
        let input = json!({ "file_path": file, "content": content, "reason": " it  was\nsaid ", "sources": sources });
        let call = ToolCall::new("1", name, input);
        let outcome = tools.perform(&call);
        assert!(!outcome.is_error, "{outcome:?}");
        let weighed = self.evidence.weigh(&call, &tools, &outcome);
        (weighed, std::fs::read_to_string(work.join(file)).unwrap_or_default())
    }

    fn write(&self, sources: Value) -> (Weighed, String) {
        self.call("Write", "feedback_x.md", MEMORY, sources)
    }
}

fn source(session: &str, line: u64, quote: &str) -> Value {
    json!([{ "session": session, "line": line, "quote": quote }])
}

#[test]
fn a_true_quote_goes_with_the_change_and_its_day_and_session_into_the_file() {
    let (weighed, file) = bench(JobKind::Extract).write(source("first-session", 1, "never mock the  Database"));
    assert_eq!(weighed.rationale.reason, "it was said");
    let found = &weighed.rationale.sources[0];
    assert_eq!((found.session.as_deref(), found.line), (Some("first-session"), Some(1)));
    assert!(file.contains("first-session") && file.contains("2026-11-11T10:00:00.000Z"), "{file}");
    assert!(
        file.ends_with("Source: session first-session, line 1, 2026-11-11: \"never mock the Database\"\n"),
        "{file}"
    );
    assert_eq!(weighed.remarks, ["Session, date and source were entered in the file for you."]);
}

#[test]
fn a_quote_is_found_by_its_words_when_its_place_is_given_wrong() {
    let bench = bench(JobKind::Dream);
    for (session, line, at) in
        [("first-session", 3, 3), ("first-session", 2, 1), ("first-", 1, 1), ("other-session", 9, 3), ("nobody", 9, 3)]
    {
        let (weighed, _) = bench.write(source(session, line, "never mock the database"));
        let found = &weighed.rationale.sources[0];
        assert_eq!((found.session.as_deref(), found.line), (Some("first-session"), Some(at)), "{session} {line}");
    }
}

#[test]
fn a_quote_that_nobody_said_or_that_everybody_says_is_taken_out_and_the_model_told() {
    for quote in ["never ever use mocks", "yes", "…", "gone"] {
        let (weighed, file) = bench(JobKind::Extract).write(source("first-session", 2, quote));
        assert_eq!(weighed.rationale.sources[0].quote, None, "{quote}");
        assert!(weighed.remarks.iter().any(|remark| remark.contains("was taken out")), "{:?}", weighed.remarks);
        assert!(weighed.remarks.iter().any(|remark| remark.contains("held back")));
        assert_eq!(file, MEMORY, "nothing is entered");
    }
}

#[test]
fn sources_in_any_form_are_understood_or_left_alone() {
    let bench = bench(JobKind::Dream);
    let one = json!({ "session": "other-session", "line": "1", "quote": "we deploy on fridays" });
    assert_eq!(bench.write(one).0.rationale.sources[0].line, Some(1));
    for odd in [json!(null), json!("s1"), json!([1, "x", {}]), json!({ "quote": 7 }), json!([[[]]])] {
        assert_eq!(bench.write(odd).0.rationale.sources, []);
    }
    let log = bench.write(source("logs/2026/11/30.md", 4, "the outage was at noon")).0.rationale.sources;
    assert_eq!(log[0].quote.as_deref(), Some("the outage was at noon"), "of a file of the store the run itself looks");
}

#[test]
fn an_older_claim_takes_the_date_of_the_newer_word_and_a_damaged_file_is_left_alone() {
    let bench = bench(JobKind::Dream);
    let (_, file) = bench.write(source("first-session", 1, "never mock the database!"));
    assert!(!file.contains("Source: "), "a dream adds no line to a body");
    let (_, newer) =
        bench.call("Write", "feedback_x.md", &file, source("first-session", 3, "never mock the database, I said"));
    assert!(newer.contains("2026-11-13") && !newer.contains("2026-11-11"), "{newer}");
    let (_, damaged) = bench.call(
        "Write",
        "project_y.md",
        "---\nname: [x\n---\ntext\n",
        source("first-session", 1, "never mock the database"),
    );
    assert_eq!(damaged, "---\nname: [x\n---\ntext\n");
    let (weighed, _) = bench.call("Delete", "project_y.md", "", source("first-session", 1, "never mock the database"));
    assert_eq!(weighed.rationale.sources.len(), 1);
}

#[test]
fn reasons_and_sources_of_several_calls_add_up() {
    let mut rationale = Rationale::default();
    let bench = bench(JobKind::Extract);
    for quote in ["never mock the database!", "never mock the database!", "we deploy on fridays"] {
        bench.write(source("first-session", 1, quote)).0.add_to(&mut rationale);
    }
    assert_eq!((rationale.reason.as_str(), rationale.sources.len()), ("it was said", 2));
}
