#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use proptest::prelude::*;

use super::*;
use crate::memory::ProblemCode;

const FLAT: &str =
    "---\nname: Testing policy\ndescription: real databases only\ntype: feedback\n---\n\nBody\n\n---\n\nMore\n";
const NESTED: &str = "---\nname: testing\ndescription: \"real: databases\"\nmetadata: \n  node_type: memory\n  type: feedback\n  weight: 3\n---\nBody\n";

fn codes(text: &str) -> Vec<ProblemCode> {
    read(text.as_bytes()).problems.into_iter().map(|problem| problem.code).collect()
}

fn set_text(text: &str, field: Field, value: &str) -> Result<String, EditError> {
    set(text.as_bytes(), field, value).map(|bytes| String::from_utf8(bytes).unwrap())
}

/// What any strict YAML reader sees at a path of keys.
fn strictly(bytes: &[u8], path: &[&str]) -> Option<String> {
    let frontmatter = read(bytes);
    let block = std::str::from_utf8(&bytes[frontmatter.block]).unwrap();
    let inner: String =
        block.lines().skip(1).take_while(|line| line.trim_end() != "---").map(|line| format!("{line}\n")).collect();
    let mut value: &serde_yaml::Value = &serde_yaml::from_str(&inner).unwrap();
    for key in path {
        value = value.get(key)?;
    }
    value.as_str().map(str::to_owned)
}

#[test]
fn both_shapes_are_read() {
    let flat = read(FLAT.as_bytes());
    assert_eq!(flat.shape, Shape::Flat);
    assert_eq!(flat.name.as_deref(), Some("Testing policy"));
    assert_eq!(flat.type_word.as_deref(), Some("feedback"));
    assert_eq!(&FLAT[flat.body..], "\nBody\n\n---\n\nMore\n", "later rules belong to the body");
    let nested = read(NESTED.as_bytes());
    assert_eq!(nested.shape, Shape::Nested);
    assert_eq!(nested.description.as_deref(), Some("real: databases"));
    assert_eq!(nested.type_word.as_deref(), Some("feedback"));
    assert_eq!(nested.others, [("metadata.weight".to_owned(), "3".to_owned())]);
    assert!(flat.problems.is_empty() && nested.problems.is_empty());
}

#[test]
fn every_scalar_is_text_as_written() {
    let text = "---\nname: 2026-04-09\ndescription: yes\nmetadata:\n  type: 1.10\n  modified: 2026-07-20T09:15:00.000Z\n  originSessionId: 0012\n---\n";
    let frontmatter = read(text.as_bytes());
    assert_eq!(frontmatter.name.as_deref(), Some("2026-04-09"));
    assert_eq!(frontmatter.description.as_deref(), Some("yes"));
    assert_eq!(frontmatter.type_word.as_deref(), Some("1.10"));
    assert_eq!(frontmatter.modified.as_deref(), Some("2026-07-20T09:15:00.000Z"));
    assert_eq!(frontmatter.origin_session.as_deref(), Some("0012"));
    assert!(frontmatter.problems.is_empty(), "{:?}", frontmatter.problems);
}

#[test]
fn keys_without_values_and_foreign_metadata_do_no_harm() {
    let text = "---\nname:\ndescription: d\ntags:\n- a\n- b\nmetadata:\ntype: user\n---\nB\n";
    let frontmatter = read(text.as_bytes());
    assert_eq!(frontmatter.type_word.as_deref(), Some("user"));
    assert_eq!(frontmatter.others, [("tags".to_owned(), "- a\n- b".to_owned())]);
    assert!(frontmatter.problems.is_empty(), "{:?}", frontmatter.problems);
    for metadata in ["[1, 2]", "word", "12", "true", "~", "-1.5"] {
        let text = format!("---\nname: n\nmetadata: {metadata}\n---\n");
        assert_eq!(read(text.as_bytes()).name.as_deref(), Some("n"), "{metadata}");
        assert!(codes(&text).is_empty(), "{metadata}");
    }
}

#[test]
fn a_file_that_begins_with_a_rule_has_no_block() {
    for text in [
        "---\n\nProse first.\n\n---\n",
        "---",
        "---\n",
        "----\nname: x\n---\n",
        "\n---\nname: x\n---\n",
        "-- -\n",
        "---\n- a list\n---\n",
        "",
    ] {
        let frontmatter = read(text.as_bytes());
        assert_eq!((frontmatter.shape, frontmatter.body), (Shape::Bare, 0), "{text:?}");
        assert!(frontmatter.problems.is_empty());
    }
}

#[test]
fn an_unclosed_block_is_flagged_and_all_of_it_stays_visible() {
    let text = "---\nname: n\ntype: user\n\nThe body.\n";
    let frontmatter = read(text.as_bytes());
    assert_eq!(frontmatter.name.as_deref(), Some("n"));
    assert_eq!(frontmatter.body, 0);
    assert_eq!(codes(text), [ProblemCode::FrontmatterUnreadable]);
    assert!(matches!(set_text(text, Field::Name, "m"), Err(EditError::Damaged(_))));
}

#[test]
fn what_yaml_refuses_is_rescued_and_flagged_with_its_line() {
    let colon = read(b"---\nname: n\ndescription: Order: api, then web\ntype: project\n---\nBody\n");
    assert_eq!(colon.description.as_deref(), Some("Order: api, then web"));
    assert_eq!(colon.type_word.as_deref(), Some("project"));
    let problem = &colon.problems[0];
    assert_eq!((problem.code, problem.line), (ProblemCode::FrontmatterUnreadable, Some(3)));
    for (written, meant) in
        [("\"quoted\" and more", "\"quoted\" and more"), ("`tick` first", "`tick` first"), ("'it''s': x", "'it''s': x")]
    {
        let text = format!("---\nname: n\ndescription: {written}\n---\n");
        assert_eq!(read(text.as_bytes()).description.as_deref(), Some(meant));
        assert_eq!(codes(&text), [ProblemCode::FrontmatterUnreadable], "{written}");
    }
}

#[test]
fn a_damaged_block_never_hides_other_fields() {
    let text = "---\nname: n\ndescription: first line\nsecond line\ntype: feedback\n---\nBody\n";
    let frontmatter = read(text.as_bytes());
    assert_eq!(frontmatter.type_word.as_deref(), Some("feedback"));
    assert_eq!(codes(text), [ProblemCode::FrontmatterUnreadable]);
    assert_eq!(set_text(text, Field::Name, "m"), Err(EditError::Damaged("line 4 belongs to no field".into())));
    let twice = "---\nname: a\nname: b\ntype: user\n---\n";
    assert_eq!(codes(twice), [ProblemCode::FrontmatterUnreadable]);
    assert_eq!(read(twice.as_bytes()).name.as_deref(), Some("a"));
    let invalid = b"---\nname: n\ndescription: caf\xE9\n---\nBody\n";
    assert_eq!(read(invalid).description.as_deref(), Some("caf\u{FFFD}"));
    assert_eq!(read(invalid).problems[0].line, Some(3));
}

#[test]
fn two_blocks_are_both_read_and_flagged() {
    let text = "---\npermalink: x-1\n---\n\n---\nname: real\ndescription: the real one\ntype: user\n---\nBody\n";
    let frontmatter = read(text.as_bytes());
    assert_eq!(frontmatter.name.as_deref(), Some("real"));
    assert_eq!(frontmatter.description.as_deref(), Some("the real one"));
    assert_eq!(&text[frontmatter.body..], "Body\n");
    assert_eq!(frontmatter.others.len(), 1);
    assert_eq!(codes(text), [ProblemCode::FrontmatterTwoBlocks]);
    let one = "---\npermalink: x-1\nname: m\ndescription: the real one\ntype: user\n---\nBody\n";
    assert_eq!(set_text(text, Field::Name, "m").unwrap(), one);
    // A rule at the head of the body is no second block.
    assert!(codes("---\nname: n\n---\n---\nNote: this is prose\n\n---\nmore\n").is_empty());
}

#[test]
fn stubs_and_cut_values_are_flagged() {
    assert_eq!(codes("---\nname: \"\"\nmetadata:\n  node_type: memory\n---\nBody\n"), [ProblemCode::FrontmatterStub]);
    let cut = "---\nname: n\ndescription: fixes bug #42 in api\ntype: user # by hand\n---\n";
    assert_eq!(read(cut.as_bytes()).description.as_deref(), Some("fixes bug #42 in api"));
    assert_eq!(read(cut.as_bytes()).type_word.as_deref(), Some("user"));
    assert_eq!(codes(cut), [ProblemCode::FrontmatterCut]);
    // Saying the same value again repairs it.
    let repaired = set_text(cut, Field::Description, "fixes bug #42 in api").unwrap();
    assert!(codes(&repaired).is_empty());
    assert_eq!(strictly(repaired.as_bytes(), &["description"]).as_deref(), Some("fixes bug #42 in api"));
}

#[test]
fn a_block_made_to_exhaust_a_reader_is_refused_and_rescued() {
    let bomb: String = (1..30).map(|n| format!("k{n}: &k{n} [*k{0}, *k{0}, *k{0}, *k{0}]\n", n - 1)).collect();
    let deep = format!("deep: {}{}\n", "[".repeat(20_000), "]".repeat(20_000));
    for extra in [format!("k0: &k0 x\n{bomb}"), deep] {
        let text = format!("---\nname: kept\n{extra}---\nBody\n");
        assert_eq!(read(text.as_bytes()).name.as_deref(), Some("kept"));
    }
    let keys: String = (0..50_000).map(|n| format!("k{n}: v\n")).collect();
    assert_eq!(read(format!("---\n{keys}name: kept\n---\n").as_bytes()).others.len(), 50_000);
}

#[test]
fn a_block_of_open_brackets_goes_to_no_reader_whose_time_grows_with_their_square() {
    // Without the limit this test takes minutes, not a moment.
    for open in ["[", "{", "[{"] {
        let text = format!("---\ntype: user\nname: {}\n---\n\nBody\n", open.repeat(100_000));
        let read = read(text.as_bytes());
        assert_eq!(read.type_word.as_deref(), Some("user"));
        assert!(read.problems.iter().any(|problem| problem.message.contains("more than 100 brackets")));
    }
    let closed = format!("---\ndescription: x\ntags: [{}]\n---\n", "[a], ".repeat(500));
    assert_eq!(codes(&closed), []);
}

#[test]
fn an_edit_changes_one_line_and_keeps_the_style() {
    assert_eq!(set_text(NESTED, Field::Type, "user").unwrap(), NESTED.replace("  type: feedback", "  type: user"),);
    assert_eq!(
        set_text(FLAT, Field::Description, "a \"b\" # c: d").unwrap(),
        FLAT.replace("real databases only", "\"a \\\"b\\\" # c: d\""),
    );
    let commented = "---\nname: 'n' # why\ndescription:   d\n---\n";
    assert_eq!(set_text(commented, Field::Name, "m").unwrap(), commented.replace("'n'", "\"m\""));
    assert_eq!(set_text(commented, Field::Description, "e").unwrap(), commented.replace("   d", "   \"e\""));
    let flow = "---\nname: n\nmetadata: {node_type: memory, \"type\": feedback, originSessionId: s1}\n---\n";
    assert_eq!(set_text(flow, Field::Type, "user").unwrap(), flow.replace("feedback", "user"));
    assert_eq!(
        set_text(flow, Field::Modified, "2026-01-02").unwrap(),
        flow.replace("s1}", "s1, modified: \"2026-01-02\"}")
    );
    assert_eq!(set_text(flow, Field::Type, "feedback").unwrap(), flow);
}

#[test]
fn values_over_several_lines_are_replaced_whole() {
    for value in ["|\n  one\n\n  # two\n", ">-\n  one\n  two\n", "\"one\n  two\"\n", "one\n  two\n"] {
        let text = format!("---\nname: n\ndescription: {value}type: user\n---\nBody\n");
        assert!(codes(&text).is_empty(), "{text}");
        assert_eq!(
            set_text(&text, Field::Description, "x").unwrap(),
            "---\nname: n\ndescription: \"x\"\ntype: user\n---\nBody\n"
        );
        assert_eq!(set_text(&text, Field::Type, "project").unwrap(), text.replace("type: user", "type: project"));
    }
}

#[test]
fn a_missing_field_goes_where_the_shape_wants_it() {
    let text = "---\nmetadata: \n  node_type: memory\n---\nBody\n";
    let text = set_text(text, Field::Modified, "2026-07-20T09:15:00.000Z").unwrap();
    let text = set_text(&text, Field::Description, "d").unwrap();
    let text = set_text(&text, Field::OriginSession, "00000000-0000-4000-8000-000000000000").unwrap();
    let text = set_text(&text, Field::Name, "n-n").unwrap();
    let text = set_text(&text, Field::Type, "user").unwrap();
    assert_eq!(
        text,
        "---\nname: n-n\ndescription: \"d\"\nmetadata: \n  node_type: memory\n  type: user\n  \
         modified: 2026-07-20T09:15:00.000Z\n  originSessionId: 00000000-0000-4000-8000-000000000000\n---\nBody\n"
            .replace("description: \"d\"\n", "")
            .replace("name: n-n\n", "name: n-n\ndescription: \"d\"\n")
    );
    let flat = set_text("---\r\nname: n\r\n---", Field::OriginSession, "yes").unwrap();
    assert_eq!(flat, "---\r\nname: n\r\noriginSessionId: \"yes\"\r\n---");
}

#[test]
fn a_file_without_a_block_gets_one_and_keeps_every_byte() {
    let text = "\u{FEFF}# Title\r\n\r\nText";
    let after = set_text(text, Field::Type, "user").unwrap();
    assert_eq!(
        after,
        "\u{FEFF}---\r\nmetadata: \r\n  node_type: memory\r\n  type: user\r\n---\r\n\r\n# Title\r\n\r\nText"
    );
    assert_eq!(set_text("", Field::Name, "one").unwrap(), "---\nname: one\nmetadata: \n  node_type: memory\n---\n");
}

#[test]
fn control_characters_are_refused_by_name() {
    assert_eq!(set_text(FLAT, Field::Name, "a\u{1b}[2J"), Err(EditError::Unwritable(0x1b)));
    assert_eq!(set_text(FLAT, Field::Name, "a\u{9b}"), Err(EditError::Unwritable(0x9b)));
    let two_lines = set_text(FLAT, Field::Description, "one\n\ttwo").unwrap();
    assert_eq!(strictly(two_lines.as_bytes(), &["description"]).as_deref(), Some("one\n\ttwo"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_without_a_panic_and_with_ranges_inside(bytes in prop::collection::vec(any::<u8>(), 0..200), head in prop::sample::select(vec!["", "---\n", "---\nname: x\n", "\u{FEFF}---\r\nmetadata:\r\n  type: user\r\n---\r\n"])) {
        let mut all = head.as_bytes().to_vec();
        all.extend(bytes);
        let frontmatter = read(&all);
        prop_assert!(frontmatter.block.end <= frontmatter.body && frontmatter.body <= all.len());
        if let Ok(edited) = set(&all, Field::Description, "value: x") {
            prop_assert_eq!(read(&edited).description, Some("value: x".to_owned()));
        }
    }

    #[test]
    fn quoted_values_read_back_exactly(value in any::<String>()) {
        prop_assert_eq!(serde_yaml::from_str::<String>(&quoted(&value)).unwrap(), value);
    }

    #[test]
    fn an_edit_of_one_field_changes_only_its_lines_and_reads_back_strictly(
        file in file(),
        field in prop::sample::select(vec![Field::Name, Field::Description, Field::Type, Field::OriginSession, Field::Modified]),
        value in "[ -~éß日本🎉\u{301}\u{202e}]{0,24}",
    ) {
        let edited = set(file.as_bytes(), field, &value).unwrap();
        let text = std::str::from_utf8(&edited).unwrap();
        let after = read(&edited);
        let key = match field {
            Field::Name => "name", Field::Description => "description", Field::Type => "type",
            Field::OriginSession => "originSessionId", Field::Modified => "modified",
        };
        let paths: [&[&str]; 2] = [&[key], &["metadata", key]];
        prop_assert!(paths.iter().any(|path| strictly(&edited, path).as_deref() == Some(value.as_str())), "{text}");
        prop_assert!(after.problems.iter().all(|problem| problem.code == ProblemCode::FrontmatterStub));
        // Every other line is there, in order, byte for byte.
        let others = |text: &str| text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with(&format!("{key}:"))).map(str::to_owned).collect::<Vec<_>>();
        prop_assert_eq!(others(&file), others(text));
        // Saying it again changes nothing.
        prop_assert_eq!(set(&edited, field, &value).unwrap(), edited);
    }
}

/// Files as they occur: both shapes, any order, either line ending, marks, comments, foreign keys, rules in the body.
fn file() -> impl Strategy<Value = String> {
    let value = prop::sample::select(vec![
        "plain words",
        "\"quoted: \\\"x\\\"\"",
        "'single ''s'",
        "日本語",
        "word # comment",
        "",
    ]);
    let body = prop::sample::select(vec![
        "",
        "\nBody\n",
        "Body",
        "\n\n# H\n\n---\n\nname: not a field\n---\nEnd",
        "\n- a\n- b\n\n",
    ]);
    let extra = prop::sample::select(vec![
        "",
        "tags: [a, b]\n",
        "# a comment\n",
        "status: 'open'\n",
        "created: 2026-01-01\n",
        "list:\n  - x\n  - y\n",
        "note: |\n  name: no\n  # no\n",
    ]);
    let typed = prop::sample::select(vec![
        "type: feedback",
        "type: \"user\"",
        "originSessionId: s1",
        "modified: 2026-01-01",
        "node_type: memory",
        "weight: 3",
    ]);
    let typed = prop::collection::vec(typed, 0..4);
    (value.clone(), value, body, extra, typed, any::<[bool; 5]>()).prop_map(
        |(name, description, body, extra, typed, [nested, crlf, mark, trailing, order])| {
            let mut seen = std::collections::HashSet::new();
            let typed: Vec<&str> =
                typed.into_iter().filter(|line| seen.insert(line.split(':').next().map(str::to_owned))).collect();
            let (name, description) = (name.replace(" # comment", ""), description.replace(" # comment", ""));
            let mut keys = vec![format!("name: {name}\n"), format!("description: {description}\n")];
            if order {
                keys.reverse();
            }
            keys.push(extra.to_owned());
            let blank = if trailing { " " } else { "" };
            if nested {
                let lines: String = typed.iter().map(|line| format!("  {line}\n")).collect();
                keys.push(format!("metadata:{blank}\n{lines}"));
            } else {
                keys.extend(typed.iter().map(|line| format!("{line}\n")));
            }
            let text = format!("{}---{blank}\n{}---\n{body}", if mark { "\u{FEFF}" } else { "" }, keys.concat());
            if crlf { text.replace('\n', "\r\n") } else { text }
        },
    )
}
