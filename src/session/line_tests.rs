#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use super::*;

fn parse(text: &str) -> Line {
    Line::parse(text.as_bytes()).expect("an object")
}

#[test]
fn every_field_is_optional_and_none_of_the_wrong_kind_costs_the_line() {
    let empty = parse("{}");
    assert_eq!((empty.kind.as_str(), empty.role, empty.content.len()), ("", Role::Other, 0));
    let odd = parse(
        r#"{"type":"user","uuid":12345678901234567890123,"timestamp":"soon","cwd":null,"isSidechain":"true","origin":"x","message":{"content":{"a":1}}}"#,
    );
    assert_eq!((odd.role, odd.uuid, odd.timestamp, odd.cwd), (Role::User, None, None, None));
    assert!(!odd.is_sidechain && odd.content.is_empty() && odd.origin.is_none());
    assert_eq!(parse(r#"{"type":"user","message":"hello"}"#).content, vec![]);
}

#[test]
fn the_envelope_is_understood() {
    let line = parse(
        r#"{"parentUuid":"p","isSidechain":true,"type":"assistant","uuid":"u","session_id":"old","sessionId":"s","timestamp":"2026-04-09T12:00:00.250Z","cwd":"/srv/app","gitBranch":"main","entrypoint":"cli","origin":{"kind":"human"},"message":{"id":"m","model":"x","stop_reason":null,"content":[{"type":"thinking","thinking":"","signature":"z"},"bare",{"type":"text","text":"hi"},{"type":"tool_use","id":"t","name":"Edit","input":{"n":123456789012345678901234567890}}]}}"#,
    );
    assert_eq!(line.session.as_deref(), Some("s"));
    assert_eq!(line.timestamp.unwrap().to_rfc3339(), "2026-04-09T12:00:00.250+00:00");
    assert_eq!((line.origin.as_deref(), line.is_sidechain), (Some("human"), true));
    assert_eq!(line.content[..3], [Block::Other, Block::Text("bare".into()), Block::Text("hi".into())]);
    assert!(matches!(&line.content[3], Block::ToolUse { name, input, .. } if name == "Edit" && input.is_object()));
}

#[test]
fn tool_results_give_their_text_in_every_form() {
    let text_of = |content: &str| {
        let line =
            format!(r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","content":{content}}}]}}}}"#);
        match parse(&line).content.remove(0) {
            Block::ToolResult { text, is_error, .. } => (text, is_error),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(text_of(r#""plain""#), ("plain".into(), false));
    assert_eq!(text_of(r#"[{"type":"text","text":"a"},{"type":"image"},"b"]"#), ("a\nb".into(), false));
    assert_eq!(text_of("null"), (String::new(), false));
    assert_eq!(text_of(r#""bad","is_error":true"#), ("bad".into(), true));
}

#[test]
fn lone_surrogates_are_replaced_and_pairs_and_escaped_backslashes_kept() {
    for (escaped, said) in [
        (r"\ud83c", "\u{FFFD}"),
        (r"\uDF89!", "\u{FFFD}!"),
        (r"\ud83c\udf89", "🎉"),
        (r"\ud83c\ud83c\udf89", "\u{FFFD}🎉"),
        (r"\ud83c\n", "\u{FFFD}\n"),
        (r"\\ud83c", r"\ud83c"),
        (r"\\\ud83c", "\\\u{FFFD}"),
        (r"\u0000é", "\0é"),
    ] {
        let line = parse(&format!(r#"{{"type":"user","message":{{"content":"{escaped}"}}}}"#));
        assert_eq!(line.content, vec![Block::Text(said.into())], "{escaped}");
    }
    assert!(matches!(without_lone_surrogates(br"\\ud83c \ud83c\udf89"), Cow::Borrowed(_)));
    assert_eq!(without_lone_surrogates(br"x\ud83"), br"x\ud83".as_slice());
}

#[test]
fn bytes_that_are_not_utf8_leave_the_rest_readable() {
    let line = Line::parse(b"{\"type\":\"user\",\"cwd\":\"/srv/\xFF\",\"message\":{\"content\":\"ok\"}}").unwrap();
    assert_eq!((line.cwd.as_deref(), line.content), (Some("/srv/\u{FFFD}"), vec![Block::Text("ok".into())]));
}

#[test]
fn what_is_no_object_is_no_line() {
    for text in ["", "null", "[1]", "\"x\"", "{", r#"{"a":1}{"b":2}"#, r#"{"a":}"#] {
        assert_eq!(Line::parse(text.as_bytes()), None, "{text}");
    }
    assert_eq!(parse("\u{FEFF}{\"type\":\"user\"}").kind, "user");
}

#[test]
fn titles_come_from_their_own_lines_and_deep_nesting_is_walked_over() {
    assert_eq!(parse(r#"{"type":"custom-title","customTitle":"Orders"}"#).title.as_deref(), Some("Orders"));
    assert_eq!(parse(r#"{"type":"last-prompt","lastPrompt":"go on","leafUuid":"x"}"#).title.as_deref(), Some("go on"));
    let deep = format!(r#"{{"type":"user","toolUseResult":{}{},"cwd":"/a"}}"#, "[".repeat(5_000), "]".repeat(5_000));
    assert_eq!(parse(&deep).cwd.as_deref(), Some("/a"));
}
