#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use chrono::{TimeDelta, TimeZone, Utc};
use proptest::prelude::*;

use super::views::{self, View};
use super::*;
use crate::health::{Finding, RecallUse};
use crate::memory::{AgeSource, Claim, ContentHash, Memory, Shape, ShelfLife, StoreKind};
use crate::state::StateDir;

fn memory(file: &str, name: &str, description: &str, kind: Option<Kind>, age_days: u32) -> Memory {
    let at = Utc.with_ymd_and_hms(2026, 11, 30, 9, 0, 0).unwrap() - TimeDelta::days(i64::from(age_days));
    Memory {
        file: file.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
        kind,
        type_word: kind.map(|kind| kind.word().to_owned()),
        shape: Shape::Nested,
        origin_session: None,
        claim: Claim { at: Some(at), source: AgeSource::Modified },
        age_days: Some(age_days),
        freshness: ShelfLife::default().badge(kind, Some(age_days)),
        mtime: at,
        bytes: 10,
        hash: ContentHash::of(file.as_bytes()),
        indexed: true,
        loaded: true,
        snoozed_until: None,
        problems: Vec::new(),
        trace: Default::default(),
    }
}

fn store() -> Vec<Memory> {
    let mut odd = memory("notes/odd one.md", "odd", "nothing much", None, 5);
    odd.type_word = Some("Notiz".to_owned());
    odd.age_days = None;
    vec![
        memory("feedback_testing.md", "testing policy", "real databases, no mocks", Some(Kind::Feedback), 10),
        memory("project_freeze.md", "merge freeze", "no merges before the release", Some(Kind::Project), 47),
        memory("team/project_board.md", "Ingest Board", "where pipeline bugs live", Some(Kind::Reference), 80),
        memory("team/deep/user_role.md", "Café-Besitzer", "上海 office, wide characters", Some(Kind::User), 360),
        odd,
    ]
}

fn finding(code: ProblemCode, file: &str) -> Finding {
    Finding::new(code, file, None, "it is so".to_owned())
}

/// The files that a line means, in the order of the store.
fn found(line: &str) -> Vec<String> {
    let findings =
        [finding(ProblemCode::PathGone, "feedback_testing.md"), finding(ProblemCode::WhyMissing, "project_freeze.md")];
    let filter = Filter::parse(line);
    let matcher = Matcher::new(&filter);
    let kept = store().into_iter().filter(|memory| {
        let own: Vec<&Finding> = findings.iter().filter(|finding| finding.file == memory.file).collect();
        let facts = Facts::of(memory, &own, &RecallUse::default(), &ShelfLife::default());
        let subject = Subject { memory, facts: &facts, is_marked: memory.name == "odd", store: None };
        matcher.score(&subject).is_some()
    });
    kept.map(|memory| memory.name).collect()
}

#[test]
fn each_filter_word_means_what_it_says() {
    for (line, names) in [
        ("", &["testing policy", "merge freeze", "Ingest Board", "Café-Besitzer", "odd"][..]),
        ("type:feedback", &["testing policy"]),
        ("type:User", &["Café-Besitzer"]),
        ("type:other", &["odd"]),
        ("-type:user -type:project", &["testing policy", "Ingest Board", "odd"]),
        ("is:stale", &["testing policy", "merge freeze"]),
        ("stale", &["testing policy", "merge freeze"]),
        ("aging", &["Ingest Board", "Café-Besitzer"]),
        ("-stale -aging -type:other", &[]),
        ("in:team", &["Ingest Board", "Café-Besitzer"]),
        ("in:deep", &["Café-Besitzer"]),
        ("in:TEAM/deep/", &["Café-Besitzer"]),
        ("in:eep", &[]),
        ("in:\"notes\"", &["odd"]),
        ("has:evidence", &["testing policy"]),
        ("has:path-gone", &["testing policy"]),
        ("path-gone", &["testing policy"]),
        ("why-missing", &["merge freeze"]),
        ("has:finding", &["testing policy", "merge freeze"]),
        ("conflict", &[]),
        ("older:47d", &["Ingest Board", "Café-Besitzer"]),
        ("older:46", &["merge freeze", "Ingest Board", "Café-Besitzer"]),
        ("older:8w -older:51w", &["Ingest Board"]),
        ("newer:10d", &["testing policy"]),
        ("expires:14d", &["Ingest Board", "Café-Besitzer"]),
        ("expires:6d", &["Café-Besitzer"]),
        ("marked", &["odd"]),
        ("unused", &[]),
        ("\"no merges\"", &["merge freeze"]),
        ("\"No merges\"", &[]),
        ("\"café-b\"", &["Café-Besitzer"]),
        ("\"wide char\" in:team", &["Café-Besitzer"]),
        ("frz", &["merge freeze"]),
        ("上海", &["Café-Besitzer"]),
        ("merge -frz", &[]),
        ("tst policy", &["testing policy"]),
    ] {
        assert_eq!(found(line), names, "{line}");
    }
}

#[test]
fn an_unknown_value_keeps_nothing_out_and_names_what_is_accepted() {
    assert_eq!(found("type:foo").len(), 5);
    assert_eq!(found("-type:foo").len(), 5);
    let complaints = Filter::parse("type:foo frz older:soon").complaints();
    let told: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "type:foo is not known; accepted: user feedback project reference other none",
            "older:soon is not known; accepted: a number of days, weeks or years: 30d, 8w, 1y"
        ]
    );
}

#[test]
fn what_is_no_filter_is_a_word_and_never_an_error() {
    for line in ["foo:bar", "-", "--", "a\"b", "http://x", ":", "type", "Stale"] {
        let filter = Filter::parse(line);
        assert!(matches!(&filter.terms[..], [Term { test: Test::Word(_), .. }]), "{line}: {filter:?}");
        assert_eq!(filter.complaints(), []);
    }
    for line in ["", "  ", "type:", "-in:", "\"\"", "-\"", "type:\"\""] {
        assert_eq!(Filter::parse(line), Filter::default(), "{line}: half typed, so nothing yet");
    }
}

#[test]
fn letters_that_lie_apart_in_prose_are_no_match_and_a_word_of_it_is() {
    assert_eq!(found("pplb"), Vec::<String>::new());
    assert_eq!(found("pipeline"), ["Ingest Board"]);
    assert_eq!(found("pipline"), ["Ingest Board"], "a letter that was forgotten is forgiven");
}

#[test]
fn what_matched_is_marked_in_whole_clusters() {
    let marked = |line: &str, text: &str| -> Vec<String> {
        let filter = Filter::parse(line);
        Matcher::new(&filter).marks(text, false).into_iter().map(|mark| text[mark].to_owned()).collect()
    };
    assert_eq!(marked("frz", "merge freeze"), ["fr", "z"]);
    assert_eq!(marked("e", "e\u{301}tude"), ["e\u{301}"]);
    assert_eq!(marked("海公", "上海办公室"), ["海", "公"]);
    assert_eq!(marked("\"BOARD\"", "board"), Vec::<String>::new());
    assert_eq!(marked("\"board\"", "a Board, a board"), ["Board", "board"]);
    assert_eq!(marked("fr ze", "freeze"), ["fr", "ze"]);
    assert_eq!(marked("-fr stale", "freeze"), Vec::<String>::new());
}

#[test]
fn the_word_at_the_end_is_completed_and_candidates_go_round() {
    let lines = |line: &str| -> Vec<String> {
        let directories = ["deep dir".to_owned(), "archive".to_owned()];
        let completion = complete(line, &directories);
        (0..completion.candidates.len()).filter_map(|number| completion.line(number)).collect()
    };
    assert_eq!(lines("ty"), ["type:"]);
    assert_eq!(lines("frz -ty"), ["frz -type:"]);
    assert_eq!(lines("type:f"), ["type:feedback "]);
    assert_eq!(
        lines("type:"),
        ["type:user", "type:feedback", "type:project", "type:reference", "type:other", "type:none"]
    );
    assert_eq!(lines("s"), ["stale", "snoozed"]);
    assert_eq!(lines("has:frontmatter-t"), ["has:frontmatter-two-blocks "]);
    assert_eq!(lines("in:d"), Vec::<String>::new(), "a name with a blank needs its quotes first");
    assert_eq!(lines("in:\"d"), ["in:\"deep dir\" "]);
    assert_eq!(lines("in:a"), ["in:agent", "in:archive"]);
    assert_eq!(lines("zzz"), Vec::<String>::new());
    assert!(lines("x ").contains(&"x type:".to_owned()), "after a blank everything is offered");
}

#[test]
fn a_store_of_its_own_answers_for_its_place() {
    let filter = Filter::parse("in:team");
    let memory = memory("a.md", "a", "", None, 1);
    let facts = Facts::of(&memory, &[], &RecallUse::default(), &ShelfLife::default());
    let held = |filter: &Filter, store: Option<&StoreKind>| {
        Matcher::new(filter).score(&Subject { memory: &memory, facts: &facts, is_marked: false, store }).is_some()
    };
    assert!(held(&filter, Some(&StoreKind::Team)) && !held(&filter, Some(&StoreKind::Project)) && !held(&filter, None));
    let agent = StoreKind::Agent("reviewer".to_owned());
    assert!(held(&Filter::parse("in:agent"), Some(&agent)) && held(&Filter::parse("in:Reviewer"), Some(&agent)));
    assert!(!held(&Filter::parse("in:other"), Some(&agent)));
}

#[test]
fn saved_views_are_kept_replaced_and_forgotten_and_the_built_in_ones_parse_without_complaint() {
    let dir = tempfile::tempdir().unwrap();
    let state = StateDir::at(dir.path().join("state"));
    let view =
        |name: &str, filter: &str| View { name: name.to_owned(), filter: filter.to_owned(), sort: "age".to_owned() };
    assert_eq!(views::read(&state).unwrap(), []);
    views::save(&state, view(" Release ", "frz")).unwrap();
    assert_eq!(views::save(&state, view("release", "-frz")).unwrap(), [view("release", "-frz")]);
    assert!(views::save(&state, view("Stale", "x")).unwrap_err().to_string().contains("built-in"));
    assert!(views::save(&state, view(" ", "x")).is_err());
    assert_eq!(views::forget(&state, "RELEASE").unwrap(), []);
    std::fs::write(dir.path().join("state/views.json"), "{").unwrap();
    assert!(views::read(&state).unwrap_err().to_string().contains("views.json"));
    assert!(views::save(&state, view("a", "b")).is_err(), "a damaged file is not written over");
    for view in views::built_in() {
        assert_eq!(Filter::parse(&view.filter).complaints(), [], "{}", view.name);
    }
}

/// Lines as people and cats type them.
fn line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "[a-z:\"/ -]{0,12}",
        prop::sample::select(vec![
            "type:",
            "is:",
            "in:",
            "has:",
            "older:",
            "-",
            "\"",
            " ",
            "stale",
            "path-gone",
            "user",
            "30d",
            "5y"
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_line_is_read_and_reads_the_same_when_it_is_written_again(line in line()) {
        let filter = Filter::parse(&line);
        prop_assert_eq!(Filter::parse(&filter.to_string()), filter);
    }

    #[test]
    fn the_pieces_of_a_line_are_its_pieces_in_order(line in line()) {
        let mut end = 0;
        for (place, _) in Filter::pieces(&line) {
            prop_assert!(place.start >= end && line.get(place.clone()).is_some());
            end = place.end;
        }
    }

    #[test]
    fn any_line_can_be_held_against_any_text_and_marks_are_cut_between_characters(line in line(), text in any::<String>()) {
        let filter = Filter::parse(&line);
        let matcher = Matcher::new(&filter);
        for mark in matcher.marks(&text, false).into_iter().chain(matcher.marks(&text, true)) {
            prop_assert!(!mark.is_empty() && text.get(mark).is_some());
        }
        let memory = memory("a/b.md", &text, &text, None, 3);
        let facts = Facts::of(&memory, &[], &RecallUse::default(), &ShelfLife::default());
        let _ = matcher.score(&Subject { memory: &memory, facts: &facts, is_marked: false, store: None });
        let completion = complete(&line, &["a".to_owned()]);
        for number in 0..completion.candidates.len() {
            prop_assert!(completion.line(number).is_some());
        }
    }
}

#[test]
fn a_word_typed_further_lets_nothing_through_that_was_kept_out_before() {
    let narrows = |after: &str, before: &str| Filter::parse(after).narrows(&Filter::parse(before));
    assert!(narrows("rel", "re") && narrows("type:user rel", "type:user r") && narrows("reL", "re"));
    assert!(!narrows("re", "rel") && !narrows("rex", "res") && !narrows("-rel", "-re") && !narrows("rel", "-re"));
    assert!(!narrows("type:user rel", "re") && !narrows("marked rel", "marked re") && !narrows("rel", ""));
}
