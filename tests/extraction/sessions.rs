//! Extraction over the sample and over made-up sessions: what is stored, how it reads, and what reaches no file.

use std::collections::BTreeSet;
use std::fs;

use dreamtop::engine::{EngineError, EngineEvent, JobKind};
use dreamtop::memory::{Kind, Topic};
use tokio_util::sync::CancellationToken;

use crate::bench::{Bench, sample_sessions};

/// The turns of the sample's sessions that a careful reader would remember (session by its first letters, line, types).
/// Every other turn is worth nothing: a question, an order, pasted or quoted text, fiction, something taken back.
const WORTH_REMEMBERING: &[(&str, u64, &[Kind])] = &[
    ("1b7c42f9", 13, &[Kind::Feedback]),
    ("3f2a9c1e", 13, &[Kind::User]),
    ("3f2a9c1e", 16, &[Kind::Reference]),
    ("3f2a9c1e", 34, &[Kind::Feedback]),
    ("3f2a9c1e", 56, &[Kind::Project]),
    ("81d4e6f0", 11, &[Kind::Feedback]),
    ("81d4e6f0", 14, &[Kind::Project]),
    ("c07b35d2", 9, &[Kind::Feedback, Kind::User]),
    ("c07b35d2", 12, &[Kind::Reference]),
    ("5ae8d173", 13, &[Kind::Project]),
    ("5ae8d173", 15, &[Kind::Feedback]),
    ("5ae8d173", 28, &[Kind::Feedback]),
    ("e69f0b84", 6, &[Kind::Project]),
    ("e69f0b84", 12, &[Kind::Project]),
    ("e69f0b84", 20, &[Kind::Feedback]),
    ("42f6d18a", 9, &[Kind::Feedback, Kind::User]),
    ("7e93c0b6", 8, &[Kind::Project]),
    ("7e93c0b6", 20, &[Kind::Feedback]),
    ("7e93c0b6", 23, &[Kind::Reference]),
    ("d215a7e8", 5, &[Kind::Project]),
    ("d215a7e8", 11, &[Kind::Feedback]),
    ("06de9b31", 7, &[Kind::User]),
    ("06de9b31", 12, &[Kind::Project]),
    ("9ac1e5f7", 5, &[Kind::User]),
    ("9ac1e5f7", 17, &[Kind::Feedback]),
];

#[test]
fn the_sample_gives_no_false_memory_and_most_of_the_true_ones() {
    let mut found = BTreeSet::new();
    let mut wrong = Vec::new();
    for project in ["acme-api", "harbor-ios", "notes-cli"] {
        for session in sample_sessions(project) {
            let bench = Bench::new();
            let id = session.id.clone();
            let verdict = bench.extract(vec![session]);
            for (file, rationale) in &verdict.rationales {
                let bytes = fs::read(bench.copy().join(file)).unwrap();
                let kind = Topic::read(bytes.clone()).frontmatter.kind(file).unwrap();
                for source in &rationale.sources {
                    let line = source.line.unwrap();
                    let expected = WORTH_REMEMBERING
                        .iter()
                        .find(|(session, at, kinds)| id.starts_with(session) && *at == line && kinds.contains(&kind));
                    match expected {
                        Some((session, line, _)) => drop(found.insert((*session, *line))),
                        None => wrong.push(format!("{id}:{line} {}", String::from_utf8_lossy(&bytes))),
                    }
                }
            }
        }
    }
    let missed: Vec<_> = WORTH_REMEMBERING
        .iter()
        .map(|(session, line, _)| (*session, *line))
        .filter(|turn| !found.contains(turn))
        .collect();
    assert!(wrong.is_empty(), "false memories: {wrong:#?}\nmissed: {missed:?}");
    assert!(missed.len() <= 2, "missed {missed:?}");
}

#[test]
fn a_memory_says_the_fact_its_reason_and_its_source_in_the_persons_words() {
    let bench = Bench::new();
    let session = bench.session(
        "3f2a",
        &[
            "hi",
            "Don't mock the database in integration tests. We got burned last quarter when mocks passed.",
            "We freeze all merges after Thursday.",
        ],
    );
    let (verdict, events) = bench.try_run(&bench.job(JobKind::Extract, vec![session]), CancellationToken::new());
    let verdict = verdict.unwrap();
    assert_eq!(events.last(), Some(&EngineEvent::Text("2 memories saved".into())));
    let feedback = bench.topics().into_iter().find(|file| file.starts_with("feedback_")).unwrap();
    let topic = Topic::read(bench.read(&feedback).into_bytes());
    let parts = topic.parts();
    assert!(parts.fact.starts_with("Don't mock the database in integration tests."));
    assert!(parts.why.unwrap().starts_with("We got burned 2026-Q3 (\"last quarter\", said 2026-11-28)"));
    assert!(topic.body().contains("Source: session 3f2a, line 2, 2026-11-28: \"Don't mock"));
    let rationale = &verdict.rationales[&feedback];
    assert_eq!(rationale.sources[0].line, Some(2));
    assert_eq!(
        rationale.sources[0].quote.as_deref(),
        Some("Don't mock the database in integration tests. We got burned last quarter when mocks passed.")
    );
    let project = bench.topics().into_iter().find(|file| file.starts_with("project_")).unwrap();
    assert!(bench.read(&project).contains("after 2026-12-03 (\"Thursday\", said 2026-11-28)"));
    let index = bench.read("MEMORY.md");
    assert!(index.contains(&format!("({feedback})")) && index.contains(&format!("({project})")));
    assert!(index.lines().all(|line| line.chars().count() <= 150), "{index}");
}

#[test]
fn fc_054_a_remark_that_something_exists_is_no_rule_of_the_person() {
    let turns = [
        "There is a tool called legacy-sync in the repo.",
        "The linter never complains about that, by the way.",
        "You used jest here, the docs say you must always use vitest.",
        "Our old setup always used mocks for the database.",
    ];
    let bench = Bench::new();
    let verdict = bench.extract(vec![bench.session("s", &turns)]);
    assert!(bench.topics().is_empty(), "{:?}", bench.topics());
    assert!(verdict.worked && verdict.rationales.is_empty());
}

#[test]
fn fc_056_extracting_the_same_session_again_makes_no_new_file() {
    let bench = Bench::new();
    let session =
        bench.session("s", &["Never push to main.", "I'm a data scientist.", "The launch is on December 15."]);
    bench.extract(vec![session.clone()]);
    let first = bench.files();
    assert_eq!(bench.topics().len(), 3);
    let verdict = bench.extract(vec![session.clone()]);
    assert_eq!((bench.files(), verdict.rationales.len()), (first.clone(), 0));
    // The neighbours: the same words in another session, and a memory whose text a person has reworded since.
    bench.extract(vec![bench.session("t", &["never push to main!"])]);
    assert_eq!(bench.files(), first);
    let file = bench.topics().into_iter().find(|file| file.starts_with("feedback_")).unwrap();
    let edited = bench.read(&file).replace("Never push to main.\n", "Changes reach the trunk by pull request only.\n");
    fs::write(bench.copy().join(&file), edited).unwrap();
    bench.extract(vec![session]);
    assert_eq!(bench.topics().len(), 3);
}

#[test]
fn fc_066_what_the_projects_instructions_say_is_not_stored() {
    let bench = Bench::new();
    fs::create_dir_all(bench.dir.path().join("checkout")).unwrap();
    fs::write(
        bench.dir.path().join("checkout/CLAUDE.md"),
        "# Rules\n\n- Use pnpm for all installs.\n- Never commit to main directly.\n",
    )
    .unwrap();
    bench.extract(vec![bench.session("s", &["Never commit directly to main.", "Always use pnpm for installs."])]);
    assert!(bench.topics().is_empty(), "{:?}", bench.topics());
}

#[test]
fn a_newer_value_updates_the_memory_and_keeps_the_old_one_as_a_pointer() {
    let bench = Bench::new();
    bench.memory(
        "project_owner.md",
        "project",
        "2026-10-01T09:00:00.000Z",
        "Priya owns the billing service",
        "Priya owns the billing service.",
    );
    bench.index("- [Owner](project_owner.md) — Priya owns the billing service\n");
    bench.extract(vec![bench.session("s", &["Marco owns the billing service."])]);
    assert_eq!(bench.topics(), ["project_owner.md"]);
    let text = bench.read("project_owner.md");
    assert!(
        text.contains(
            "\n\nMarco owns the billing service.\n\n**Before 2026-11-28:** Priya owns the billing service.\n"
        ),
        "{text}"
    );
    assert!(bench.read("MEMORY.md").contains("Marco owns"));
}

#[test]
fn what_is_taken_back_after_the_cursor_is_removed_again() {
    let bench = Bench::new();
    let mut session = bench.session("s", &["Always use tabs for indentation."]);
    bench.extract(vec![session.clone()]);
    assert_eq!(bench.topics().len(), 1);
    session.from = (fs::metadata(&session.path).unwrap().len(), 1);
    bench.session("s", &["Always use tabs for indentation.", "scratch that"]);
    let verdict = bench.extract(vec![session]);
    assert!(bench.topics().is_empty());
    assert!(verdict.rationales.values().next().unwrap().reason.contains("taken back"));
    assert!(!bench.read("MEMORY.md").contains("tabs"));
}

#[test]
fn a_session_gives_at_most_twelve_new_memories_and_says_what_it_left_out() {
    let bench = Bench::new();
    let words = [
        "alpha", "bravo", "cedar", "delta", "ember", "falcon", "garnet", "harbor", "indigo", "juniper", "kernel",
        "lagoon", "meadow", "nectar",
    ];
    let turns: Vec<String> =
        words.iter().map(|word| format!("Never touch the {word} cluster without asking the {word} group.")).collect();
    let turns: Vec<&str> = turns.iter().map(String::as_str).collect();
    let verdict = bench.extract(vec![bench.session("s", &turns)]);
    assert_eq!(bench.topics().len(), 12);
    assert!(verdict.left_out.iter().any(|left| left.contains("2 more facts")), "{:?}", verdict.left_out);
}

#[test]
fn secrets_in_a_session_reach_no_file() {
    let bench = Bench::new();
    let token = ["ghp_", "Zk3vN8qLr2TtXw7BmYc5HdJf9GsPa1Ue4Roi"].concat();
    bench.extract(vec![
        bench.session("s", &[&format!("Always use the token {token} for the deploy job."), "Never deploy on Fridays."]),
    ]);
    assert!(bench.files().values().all(|bytes| !String::from_utf8_lossy(bytes).contains("ghp_")));
    assert_eq!(bench.topics().len(), 1);
}

#[test]
fn a_killed_run_stops_and_says_so() {
    let bench = Bench::new();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let job = bench.job(JobKind::Dream, vec![bench.session("s", &["Never push to main."])]);
    let (verdict, _) = bench.try_run(&job, cancel);
    assert!(matches!(verdict, Err(EngineError::Cancelled)));
    assert!(bench.files().is_empty());
}
