//! The embedded engine's dreams over the sample and over made-up sessions, through the library. Extraction by itself is in
//! `extraction/`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

#[path = "common/bench.rs"]
mod bench;

use std::fs;

use dreamtop::engine::{EngineEvent, JobKind, SessionSource};

use tokio_util::sync::CancellationToken;

use bench::{Bench, copy_tree, sample, sample_sessions};

#[test]
fn the_same_input_gives_the_same_bytes() {
    let run = || {
        let bench = Bench::new();
        copy_tree(&sample("acme-api").join("memory"), &bench.copy());
        bench.dream(sample_sessions("acme-api"));
        bench.files()
    };
    assert_eq!(run(), run());
}

#[test]
fn a_second_dream_over_its_own_result_changes_nothing() {
    for project in ["acme-api", "harbor-ios", "notes-cli"] {
        let bench = Bench::new();
        copy_tree(&sample(project).join("memory"), &bench.copy());
        bench.dream(sample_sessions(project));
        let once = bench.files();
        let verdict = bench.dream(sample_sessions(project));
        assert_eq!(bench.files(), once, "{project}");
        assert_eq!(verdict.rationales.len(), 0, "{project}: {:?}", verdict.rationales);
    }
}

#[test]
fn a_dream_goes_through_its_four_phases_and_tells_what_it_does() {
    let bench = Bench::new();
    copy_tree(&sample("acme-api").join("memory"), &bench.copy());
    let (verdict, events) =
        bench.try_run(&bench.job(JobKind::Dream, sample_sessions("acme-api")), CancellationToken::new());
    assert!(verdict.unwrap().worked);
    let phases: Vec<&str> = events
        .iter()
        .filter_map(|event| if let EngineEvent::Phase(phase) = event { Some(phase.word()) } else { None })
        .collect();
    assert_eq!(phases, ["orient", "gather", "consolidate", "prune"]);
    assert!(
        matches!(events.last(), Some(EngineEvent::Text(text)) if text.starts_with("Reviewed 6 sessions, ")),
        "{events:?}"
    );
    let tools: Vec<(&str, &str)> = events
        .iter()
        .filter_map(|event| match event {
            EngineEvent::Tool { name, target, allowed: true } => Some((name.as_str(), target.as_str())),
            _ => None,
        })
        .collect();
    assert!(tools.contains(&("Read", "session 3f2a9c1e")), "{tools:?}");
    assert!(tools.iter().any(|(name, _)| *name == "Delete"), "{tools:?}");
    assert!(tools.iter().all(|(_, target)| !target.contains(env!("CARGO_MANIFEST_DIR"))), "{tools:?}");
}

#[test]
fn near_duplicates_become_one_and_nothing_is_lost() {
    let bench = Bench::new();
    bench.memory(
        "feedback_db.md",
        "feedback",
        "2026-09-01T09:00:00.000Z",
        "Real database",
        "Integration tests must always connect to a real database, never to mocks.\n\n**Why:** Mocks passed, the migration broke production, and nobody had seen it.",
    );
    bench.memory(
        "feedback_no_mocks.md",
        "feedback",
        "2026-10-01T09:00:00.000Z",
        "No mocks",
        "Integration tests must always connect to a real database and never to mocks.\n\n**How to apply:** Use the compose file in ci.",
    );
    bench.memory(
        "feedback_other.md",
        "feedback",
        "2026-10-01T09:00:00.000Z",
        "Other",
        "See [[feedback_no_mocks]] before adding a test.",
    );
    bench.index("- [Db](feedback_db.md) — real\n- [No mocks](feedback_no_mocks.md) — none\n- [Other](feedback_other.md) — other\nhand-written line\n");
    let verdict = bench.dream(vec![]);
    assert_eq!(bench.topics(), ["feedback_db.md", "feedback_other.md"]);
    assert_eq!(verdict.rationales["feedback_no_mocks.md"].reason, "merged into feedback_db.md");
    let kept = bench.read("feedback_db.md");
    assert!(
        kept.contains("**Why:** Mocks passed")
            && kept.contains("**How to apply:** Use the compose file")
            && kept.contains("2026-10-01"),
        "{kept}"
    );
    assert!(bench.read("feedback_other.md").contains("[[feedback_db]]"));
    assert_eq!(
        bench.read("MEMORY.md"),
        "- [Db](feedback_db.md) — real\n- [Other](feedback_other.md) — other\nhand-written line\n"
    );
}

#[test]
fn a_later_value_supersedes_and_what_is_less_sure_stays() {
    let bench = Bench::new();
    bench.memory(
        "project_cut_old.md",
        "project",
        "2026-11-10T09:00:00.000Z",
        "Cut",
        "The release branch for the mobile app is cut on 2026-12-09.",
    );
    bench.memory(
        "project_cut_new.md",
        "project",
        "2026-11-20T09:00:00.000Z",
        "Cut",
        "The release branch for the mobile app is cut on 2026-12-16.",
    );
    bench.memory(
        "project_sprint_14.md",
        "project",
        "2026-11-10T09:00:00.000Z",
        "Sprint 14",
        "Sprint 14 ends on 2026-12-03.",
    );
    bench.memory(
        "project_sprint_15.md",
        "project",
        "2026-11-20T09:00:00.000Z",
        "Sprint 15",
        "Sprint 15 ends on 2026-12-17.",
    );
    let verdict = bench.dream(vec![]);
    assert_eq!(bench.topics(), ["project_cut_new.md", "project_sprint_14.md", "project_sprint_15.md"]);
    assert_eq!(verdict.rationales["project_cut_old.md"].reason, "superseded by project_cut_new.md");
    assert!(
        bench
            .read("project_cut_new.md")
            .contains("**Before 2026-11-20:** The release branch for the mobile app is cut on 2026-12-09.")
    );
}

#[test]
fn passed_deadlines_expire_after_their_shelf_life_and_not_before() {
    let bench = Bench::new();
    bench.memory("project_old.md", "project", "2026-09-20T09:00:00.000Z", "Old", "Merges are frozen until 2026-10-01.");
    bench.memory(
        "project_recent.md",
        "project",
        "2026-11-01T09:00:00.000Z",
        "Recent",
        "The demo for the board is due on 2026-11-20.",
    );
    bench.memory(
        "project_history.md",
        "project",
        "2026-11-01T09:00:00.000Z",
        "History",
        "The service was rewritten in Rust on 2025-03-01.",
    );
    bench.memory(
        "feedback_old.md",
        "feedback",
        "2026-09-20T09:00:00.000Z",
        "Feedback",
        "Use the report due until 2026-10-01 as the model.",
    );
    let verdict = bench.dream(vec![]);
    assert_eq!(bench.topics(), ["feedback_old.md", "project_history.md", "project_recent.md"]);
    assert!(verdict.rationales["project_old.md"].reason.starts_with("expired"));
}

#[test]
fn the_configured_shelf_life_decides_when_a_deadline_expires() {
    for (days, kept) in [(9, 0), (10, 1), (60, 1)] {
        let mut bench = Bench::new();
        bench.shelf_life.project = days;
        let said = "The demo for the board is due on 2026-11-20.";
        bench.memory("project_demo.md", "project", "2026-11-01T09:00:00.000Z", "Demo", said);
        bench.dream(vec![]);
        assert_eq!(bench.topics().len(), kept, "{days} days");
        // What is over is not stored from a session either.
        let bench = Bench { shelf_life: bench.shelf_life, ..Bench::new() };
        bench.extract(vec![bench.session("s", &[said])]);
        assert_eq!(bench.topics().len(), kept, "{days} days");
    }
}

#[test]
fn relative_dates_are_resolved_against_the_day_of_the_claim() {
    let bench = Bench::new();
    bench.memory(
        "project_beta.md",
        "project",
        "2026-11-26T12:00:00.000Z",
        "Beta starts next week",
        "The beta starts next week.\n\n```\nnext week\n```",
    );
    bench.index("- [Beta](project_beta.md) — Beta starts next week\n");
    bench.dream(vec![]);
    let text = bench.read("project_beta.md");
    assert!(
        text.contains("The beta starts 2026-11-30 to 2026-12-06 (\"next week\", said 2026-11-26).")
            && text.contains("```\nnext week\n```"),
        "{text}"
    );
    assert_eq!(bench.read("MEMORY.md"), "- [Beta](project_beta.md) — Beta starts 2026-11-30 to 2026-12-06\n");
}

#[test]
fn the_index_is_brought_in_order_and_damaged_files_stay_as_they_are() {
    let bench = Bench::new();
    bench.memory("user_role.md", "user", "2026-11-01T09:00:00.000Z", "Role", "The user is a data scientist.");
    bench.memory(
        "reference_board.md",
        "reference",
        "2026-11-01T09:00:00.000Z",
        "The board",
        "Bugs are tracked in Linear.",
    );
    let damaged = b"---\nname: x: y: z\n  bad\n---\nyesterday it broke\n".to_vec();
    fs::write(bench.copy().join("project_damaged.md"), &damaged).unwrap();
    let long = "The user is a data scientist who looks at logs all day long and likes to see the distribution of values before anything else is discussed, with the median and the tails in one picture. It helps them.";
    bench.index(&format!("# Memory\n\nkeep me\n- [Gone](gone.md) — x\n- [Role](user_role.md) — {long}\n- [Role again](user_role.md) — twice\n- [Damaged](project_damaged.md) — d\n"));
    bench.dream(vec![]);
    let index = bench.read("MEMORY.md");
    assert!(index.starts_with("# Memory\n\nkeep me\n") && !index.contains("gone.md"), "{index}");
    assert_eq!(index.matches("user_role.md").count(), 1);
    assert!(index.contains("(reference_board.md)") && index.lines().all(|line| line.chars().count() <= 200), "{index}");
    assert!(bench.read("user_role.md").contains(long));
    assert_eq!(fs::read(bench.copy().join("project_damaged.md")).unwrap(), damaged);
}

#[test]
fn of_a_daily_log_only_the_lines_that_quote_the_person_count() {
    let bench = Bench::new();
    fs::create_dir_all(bench.copy().join("logs/2026/11")).unwrap();
    fs::write(
        bench.copy().join("logs/2026/11/2026-11-27.md"),
        "- 10:00 user: Priya owns the billing service.\n- 11:00 Never push to main.\n- 12:00 decided: we deploy on Tuesdays.\n",
    )
    .unwrap();
    let verdict = bench.dream(vec![]);
    let topics: Vec<String> = bench.topics().into_iter().filter(|file| !file.starts_with("logs/")).collect();
    assert_eq!(topics.len(), 1, "{topics:?}");
    assert!(topics[0].starts_with("project_"));
    assert_eq!(verdict.rationales[&topics[0]].sources[0].session.as_deref(), Some("logs/2026/11/2026-11-27.md"));
    let once = bench.files();
    bench.dream(vec![]);
    assert_eq!(bench.files(), once);
}

const BODIES: &[&str] = &[
    "Integration tests must always connect to a real database, never to mocks.",
    "Integration tests must always connect to a real database and never to mocks.",
    "Priya owns the billing service.",
    "Marco owns the billing service.",
    "The release branch for the app is cut on 2026-12-09.",
    "The release branch for the app is cut on 2026-12-16.",
    "The beta starts next week, said Priya yesterday.",
    "Merges are frozen until 2026-10-01.",
    "Have everything merged by Friday.",
    "Deploys moved to Tuesday; they no longer go out on Fridays. See [[project_m0]].",
    "Deploys go out on Fridays, at noon.",
    "集成测试必须连接真实数据库。",
    "",
];
const DATES: &[&str] = &["2026-09-01T12:00:00.000Z", "2026-10-15T12:00:00.000Z", "2026-11-20T12:00:00.000Z"];
const INDEX_LINES: &[&str] = &[
    "# Memory",
    "",
    "- [One](project_m0.md) — one",
    "- [Two](feedback_m1.md) — two",
    "- [Two again](feedback_m1.md)",
    "- [Gone](gone.md) — gone",
    "a line by hand, see [Three](project_m2.md)",
];

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(24))]

    #[test]
    fn any_dream_is_settled_after_one_night(
        memories in proptest::collection::vec((0..BODIES.len(), 0..DATES.len(), proptest::bool::ANY), 0..7),
        lines in proptest::collection::vec(0..INDEX_LINES.len(), 0..7),
        said in proptest::collection::vec(0..BODIES.len(), 0..4),
    ) {
        let bench = Bench::new();
        for (number, (body, date, is_project)) in memories.iter().enumerate() {
            let kind = if *is_project { "project" } else { "feedback" };
            bench.memory(&format!("{kind}_m{number}.md"), kind, DATES[*date], BODIES[*body], BODIES[*body]);
        }
        bench.index(&lines.iter().map(|line| format!("{}\n", INDEX_LINES[*line])).collect::<String>());
        let turns: Vec<&str> = said.iter().map(|body| BODIES[*body]).collect();
        let session = bench.session("s", &turns);
        bench.dream(vec![session.clone()]);
        let once = bench.files();
        let verdict = bench.dream(vec![session]);
        proptest::prop_assert_eq!(bench.files(), once);
        proptest::prop_assert_eq!(verdict.rationales.len(), 0);
    }
}

#[test]
fn what_is_said_twice_in_a_session_takes_nothing_back_of_itself() {
    for text in [
        "Deploys moved to Tuesday; they no longer go out on Fridays.",
        "We no longer install packages with Yarn, we install them with pnpm.",
        "The merge freeze is lifted; merges are no longer frozen.",
    ] {
        let bench = Bench::new();
        let session = bench.session("s", &[text, "go on", text, &text.to_lowercase()]);
        bench.dream(vec![session.clone()]);
        let once = bench.files();
        bench.dream(vec![session]);
        assert_eq!(bench.files(), once, "{text:?}");
    }
}

#[test]
fn a_moved_date_updates_the_memory_and_the_memory_does_not_expire() {
    let bench = Bench { now: "2027-01-10T12:00:00Z".parse().unwrap(), ..Bench::new() };
    bench.memory(
        "project_launch.md",
        "project",
        "2026-11-01T09:00:00.000Z",
        "The launch is planned for December 12",
        "The launch is planned for December 12.",
    );
    bench.index("- [Launch](project_launch.md) — The launch is planned for December 12\n");
    let turn = "The launch moved from December 12 to January 15, 2027 because legal needs more time.";
    let session = bench.session("s", &[turn]);
    bench.dream(vec![session.clone()]);
    assert_eq!(bench.topics(), ["project_launch.md"]);
    let text = bench.read("project_launch.md");
    assert!(text.contains("to January 15, 2027.\n\n**Why:** Legal needs more time."), "{text}");
    assert!(text.contains("**Before 2026-11-28:** The launch is planned for December 12."), "{text}");
    let verdict = bench.dream(vec![session]);
    assert_eq!((bench.read("project_launch.md"), verdict.rationales.len()), (text, 0));
}

#[test]
fn what_has_a_newer_claim_of_a_later_date_does_not_expire() {
    let bench = Bench::new();
    let old = "2026-09-20T09:00:00.000Z";
    bench.memory(
        "project_a.md",
        "project",
        old,
        "Freeze",
        "Merges are frozen until 2026-10-01, said the release group.",
    );
    bench.memory(
        "project_b.md",
        "project",
        "2026-11-20T09:00:00.000Z",
        "Merges",
        "No merges, please, all of December: thaw on January 4, 2027.",
    );
    bench.memory("project_c.md", "project", old, "Audit", "The audit is due on October 1, 2026.");
    bench.memory("project_d.md", "project", old, "Umzug", "Der Umzug endet am 2. Oktober 2026, Frist der Vermieter.");
    let verdict = bench.dream(vec![]);
    assert_eq!(bench.topics(), ["project_a.md", "project_b.md"]);
    assert!(verdict.rationales["project_c.md"].reason.starts_with("expired: its last date, 2026-10-01"));
}

#[test]
fn a_fact_told_in_a_log_and_in_a_session_is_one_memory_with_both_sources() {
    let bench = Bench::new();
    fs::create_dir_all(bench.copy().join("logs/2026/11")).unwrap();
    fs::write(
        bench.copy().join("logs/2026/11/2026-11-28.md"),
        "- 10:00 user: Chargeback files come from the bank every Monday at 05:30 UTC, nothing before that is complete.\n",
    )
    .unwrap();
    let turn = "the chargeback files come from the bank every Monday at 05:30 UTC, and whatever is there before that is incomplete";
    let session = bench.session("s", &[turn]);
    bench.dream(vec![session.clone()]);
    let topics: Vec<String> = bench.topics().into_iter().filter(|file| !file.starts_with("logs/")).collect();
    assert_eq!(topics.len(), 1, "{topics:?}");
    let text = bench.read(&topics[0]);
    assert!(text.contains("Source: session logs/2026/11/2026-11-28.md, line 1"), "{text}");
    assert!(text.contains("Source: session s, line 1"), "{text}");
    let once = bench.files();
    assert_eq!(bench.dream(vec![session]).rationales.len(), 0);
    assert_eq!(bench.files(), once);
}

#[test]
fn the_reason_of_a_removal_is_only_why_the_memory_went() {
    let bench = Bench::new();
    bench.memory(
        "project_old.md",
        "project",
        "2026-09-20T09:00:00.000Z",
        "Old",
        "Merges are frozen until next Friday.",
    );
    let verdict = bench.dream(vec![]);
    assert!(bench.topics().is_empty());
    let reason = &verdict.rationales["project_old.md"].reason;
    assert!(reason.starts_with("expired: ") && !reason.contains("absolute"), "{reason}");
}

#[test]
fn a_session_that_cannot_be_read_is_left_out_and_said_and_the_dream_goes_on() {
    let bench = Bench::new();
    copy_tree(&sample("acme-api").join("memory"), &bench.copy());
    let whole = bench.dream(sample_sessions("acme-api"));
    assert!(whole.left_out.is_empty() && !whole.rationales.is_empty(), "{whole:?}");
    let expected = bench.files();
    // A directory where the transcript was, and one that went meanwhile.
    let bench = Bench::new();
    copy_tree(&sample("acme-api").join("memory"), &bench.copy());
    let mut sessions = sample_sessions("acme-api");
    let folder = bench.copy().parent().unwrap().join("folder.jsonl");
    fs::create_dir(&folder).unwrap();
    let like = sessions[0].clone();
    sessions.insert(1, SessionSource { id: "folder".into(), path: folder.clone(), ..like });
    sessions.push(SessionSource { id: "vanished".into(), path: folder.with_file_name("none.jsonl"), ..like });
    let (verdict, events) = bench.try_run(&bench.job(JobKind::Dream, sessions), CancellationToken::new());
    let verdict = verdict.unwrap();
    assert!(verdict.worked);
    let said: Vec<&str> = verdict.left_out.iter().map(String::as_str).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("session vanished cannot be read: "), "{said:?}");
    assert!(said[1].starts_with("session folder cannot be read: "), "{said:?}");
    let is_said = |text: &str| events.iter().any(|event| matches!(event, EngineEvent::Text(said) if said == text));
    assert!(said.iter().all(|text| is_said(text)), "{events:?}");
    assert_eq!(bench.files(), expected);
    // An extraction has nothing else to read, and its cursor has to stay.
    let alone = vec![SessionSource { id: "folder".into(), path: folder, ..like }];
    assert!(bench.try_run(&bench.job(JobKind::Extract, alone), CancellationToken::new()).0.is_err());
}

#[test]
fn what_a_second_index_entry_says_besides_is_kept_in_the_memory_or_with_its_line() {
    let entry = "- [N](project_n.md) — the nightly job\n";
    for (second, index, moved) in [
        ("- [N again](project_n.md) — runs at two in the night\n", "", "runs at two in the night"),
        ("- [N again](project_n.md) — The nightly job\n", "", ""),
        ("- [N again](project_n.md)\n", "", ""),
        ("- [N again](project_n.md) — see also [[gone]]\n", "- [N again](project_n.md) — see also [[gone]]\n", ""),
        ("* **[N again](project_n.md)** — ask Ann\n", "", "ask Ann"),
    ] {
        let bench = Bench::new();
        let body = "The job runs each night.\n\n**Why:** load.\n\n**How to apply:** wait.";
        bench.memory("project_n.md", "project", "2026-11-01T09:00:00.000Z", "The job", body);
        bench.index(&format!("# Memory\n\n{entry}{second}"));
        bench.dream(Vec::new());
        assert_eq!(bench.read("MEMORY.md"), format!("# Memory\n\n{entry}{index}"), "{second}");
        let text = bench.read("project_n.md");
        assert!(text.contains(moved) && (!moved.is_empty() || text.ends_with("wait.\n")), "{second}: {text}");
        let once = bench.files();
        bench.dream(Vec::new());
        assert_eq!(bench.files(), once, "{second}: a second night changes nothing");
    }
}
