#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use chrono::TimeZone;
use proptest::prelude::*;

use super::*;
use crate::memory::Shape;

fn topic(text: &str) -> Topic {
    Topic::read(text.as_bytes().to_vec())
}

fn draft() -> Draft {
    Draft {
        name: "Deploy order".into(),
        description: "Deploy order: api, then \"web\" #2".into(),
        kind: Kind::Project,
        body: "The API goes first.\n\n**Why:** clients.\n".into(),
        origin_session: Some("00000000-0000-4000-8000-000000000000".into()),
        modified: Utc.with_ymd_and_hms(2026, 7, 20, 9, 15, 0).unwrap(),
    }
}

#[test]
fn a_draft_is_written_in_the_nested_shape() {
    let text = String::from_utf8(draft().to_bytes()).unwrap();
    assert_eq!(
        text,
        "---\nname: deploy-order\ndescription: \"Deploy order: api, then \\\"web\\\" #2\"\nmetadata: \n  node_type: memory\n  \
         type: project\n  originSessionId: 00000000-0000-4000-8000-000000000000\n  modified: 2026-07-20T09:15:00.000Z\n---\n\n\
         The API goes first.\n\n**Why:** clients.\n"
    );
    let read = topic(&text);
    assert_eq!(read.frontmatter.shape, Shape::Nested);
    assert!(read.frontmatter.problems.is_empty());
    assert_eq!(read.frontmatter.description.as_deref(), Some(draft().description.as_str()));
}

#[test]
fn odd_drafts_still_make_valid_files() {
    let odd = Draft {
        name: "null".into(),
        description: "two\nlines \u{1b}[2J end".into(),
        origin_session: Some("yes".into()),
        body: "\n\nBody".into(),
        ..draft()
    };
    let read = Topic::read(odd.to_bytes());
    assert!(read.frontmatter.problems.is_empty(), "{:?}", read.frontmatter.problems);
    assert_eq!(read.frontmatter.name.as_deref(), Some("null"));
    assert_eq!(read.frontmatter.description.as_deref(), Some("two lines [2J end"));
    assert_eq!(read.frontmatter.origin_session.as_deref(), Some("yes"));
    assert!(String::from_utf8(odd.to_bytes()).unwrap().contains("name: \"null\"\n"));
    assert_eq!(read.body(), "Body\n");
}

#[test]
fn the_parts_of_a_body_are_found_in_the_forms_people_write() {
    let body = "**Rule:** no mocks.\n\n**Why:** a mock hid a bug\nlast quarter.\n\n**How to apply:** real database.";
    let parts = topic(body).parts();
    assert_eq!(parts.fact, "no mocks.");
    assert_eq!(parts.why.as_deref(), Some("a mock hid a bug\nlast quarter."));
    assert_eq!(parts.how_to_apply.as_deref(), Some("real database."));
    for why in ["**Why**: w", "- **Why:** w", "Why: w", "## Why\nw", "> **WHY：** w"] {
        let parts = super::parts(&format!("# Title\n\nfact\n\n{why}"));
        assert_eq!((parts.fact.as_str(), parts.why.as_deref()), ("fact", Some("w")), "{why}");
    }
    assert_eq!(super::parts("# Only a title").fact, "Only a title");
    assert_eq!(super::parts("Whyever not.\n```\n**Why:** in code\n```").why, None);
    assert_eq!(super::parts(""), BodyParts::default());
}

#[test]
fn the_body_is_what_follows_the_block_and_its_blank_lines() {
    assert_eq!(topic("---\r\nname: a\r\n---\r\n\r\nOne\r\nTwo\r\n").body(), "One\nTwo\n");
    assert_eq!(topic("\u{FEFF}Text").body(), "Text");
    assert_eq!(topic("---\nname: a\n---").body(), "");
    assert_eq!(Topic::read(b"caf\xE9\n".to_vec()).body(), "caf\u{FFFD}\n");
}

#[test]
fn a_new_body_keeps_endings_gap_and_equal_lines() {
    let edit = |text: &str, body: &str| String::from_utf8(topic(text).with_body(body).bytes).unwrap();
    assert_eq!(
        edit("---\r\nname: a\r\n---\r\n\r\nOne\r\nTwo", "One\nand\nTwo\n"),
        "---\r\nname: a\r\n---\r\n\r\nOne\r\nand\r\nTwo"
    );
    assert_eq!(edit("---\nname: a\n---", "New"), "---\nname: a\n---\n\nNew\n");
    assert_eq!(edit("---\nname: a\n---\n", "New\n"), "---\nname: a\n---\n\nNew\n");
    assert_eq!(edit("", "New"), "New\n");
    assert_eq!(edit("mixed\r\nendings\nhere\n", "mixed\nendings\nthere\n"), "mixed\r\nendings\nthere\n");
    let damaged = Topic::read(b"caf\xE9\nb\n".to_vec());
    let body = damaged.body().replace("b\n", "c\n");
    assert_eq!(damaged.with_body(&body).bytes, b"caf\xE9\nc\n");
}

#[test]
fn lines_nobody_touched_keep_the_endings_they_have_and_a_changed_line_keeps_its_own() {
    let edit = |text: &str, body: &str| String::from_utf8(topic(text).with_body(body).bytes).unwrap();
    let mixed = "body\r\nmore\nthird\r\nfourth\n";
    assert_eq!(edit(mixed, "Xbody\nmore\nthird\nfourth\n"), "Xbody\r\nmore\nthird\r\nfourth\n");
    assert_eq!(edit(mixed, "body\nmore!\nthird!\nfourth\n"), "body\r\nmore!\nthird!\r\nfourth\n");
    assert_eq!(edit(mixed, "body\nmore\nand\nthird\nfourth\n"), "body\r\nmore\nand\nthird\r\nfourth\n");
    assert_eq!(edit(mixed, "zero\nbody\nmore\nthird\nfourth\n"), "zero\r\nbody\r\nmore\nthird\r\nfourth\n");
    // Of equal lines, each is the one at its place.
    assert_eq!(edit("a\n\r\nb\n\nc\n", "A\nb\n\nC\n"), "A\nb\n\nC\n");
    // A carriage return before the ending is none of the text that an editor shows.
    assert_eq!(edit("x\r\r\nend", "x\nend!"), "x\r\r\nend!");
    assert_eq!(edit("x\r\r\nend", "x!\nend"), "x!\r\nend");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn saving_an_unchanged_body_changes_no_byte(
        head in prop::sample::select(vec!["", "\u{FEFF}", "---\nname: a\n---\n", "---\r\nname: a\r\n---\r\n\r\n", "\u{FEFF}---\nname: a\n---\n\n\n"]),
        body in prop::collection::vec(any::<u8>().prop_map(|byte| match byte { 0..=60 => b'\n', 61..=70 => b'\r', other => other }), 0..80),
    ) {
        let bytes = [head.as_bytes(), &body].concat();
        let topic = Topic::read(bytes.clone());
        prop_assert_eq!(topic.with_body(&topic.body()).bytes, bytes);
    }

    #[test]
    fn a_replaced_body_reads_back(old in "[a-c\n]{0,30}", new in "[a-d]([a-d\n]{0,30}[a-d])?") {
        let topic = topic(&format!("---\nname: a\n---\n\n{old}"));
        let edited = topic.with_body(&new).body();
        prop_assert_eq!(edited.trim_end(), new);
    }
}
