//! The points of `docs/formats.md` that have no field case of their own.

use std::fs;

use dreamtop::health::{Finding, Severity};
use dreamtop::memory::{Draft, Field, Frontmatter, INDEX_FILE, Kind, ProblemCode, Shape, Topic};

use crate::help::{changed_lines, check, fix, now, of_code, scan, store, strict};

#[test]
fn fc_003_a_continuation_at_the_margin_drops_no_field_and_marks_the_row() {
    for (block, line) in [
        ("name: fine\ndescription: first line\nsecond line\ntype: feedback", 4),
        ("description: first line\nsecond line\ntype: feedback", 3),
        ("description: first\nsecond: with a colon: twice\ntype: feedback", 3),
    ] {
        let bytes = format!("---\n{block}\n---\n\nRule.\n\n**Why:** x\n");
        let directory = store(&[("feedback_quiet.md", &bytes), ("user_a.md", "---\nname: a\ntype: user\n---\nA\n")]);
        let snapshot = scan(directory.path());
        let memory = snapshot.memory("feedback_quiet.md").unwrap();
        assert_eq!(memory.name, if block.starts_with("name") { "fine" } else { "feedback_quiet" });
        assert_eq!((memory.kind, memory.type_word.as_deref()), (Some(Kind::Feedback), Some("feedback")));
        assert!(memory.description.starts_with("first"));
        assert_eq!(memory.problems.len(), 1);
        assert_eq!(memory.problems[0].code, ProblemCode::FrontmatterUnreadable);
        assert!(
            memory.problems[0].line.is_some_and(|at| at == line || at + 1 == line || at == line + 1),
            "{:?}",
            memory.problems
        );
        assert!(snapshot.memory("user_a.md").unwrap().problems.is_empty(), "other files are unaffected");
        assert_eq!(fs::read_to_string(directory.path().join("feedback_quiet.md")).unwrap(), bytes);
    }
}

#[test]
fn fc_004_two_blocks_show_the_real_description_and_two_edits_leave_one_merged_block() {
    for (head, newline) in [("", "\n"), ("\u{FEFF}", "\r\n")] {
        for gap in ["", "\n", "\n\n"] {
            let text = format!(
                "{head}---\nid: x-1\n---\n{gap}---\nname: real\ndescription: the real one\ntype: user\n---\n\nBody\n"
            )
            .replace('\n', newline);
            let directory = store(&[("user_a.md", &text)]);
            let snapshot = scan(directory.path());
            let memory = snapshot.memory("user_a.md").unwrap();
            assert_eq!((memory.name.as_str(), memory.description.as_str()), ("real", "the real one"));
            assert_eq!(
                memory.problems.iter().map(|one| one.code).collect::<Vec<_>>(),
                [ProblemCode::FrontmatterTwoBlocks]
            );
            let once = snapshot.store.topic("user_a.md").unwrap().with(Field::Description, "another").unwrap();
            let twice = once.with(Field::Name, "renamed").unwrap();
            let expected =
                format!("{head}---\nid: x-1\nname: renamed\ndescription: \"another\"\ntype: user\n---\n\nBody\n");
            assert_eq!(String::from_utf8(twice.bytes).unwrap(), expected.replace('\n', newline));
            // A new body alone unites them too.
            let body = Topic::read(text.clone().into_bytes()).with_body("Other\n");
            assert!(body.frontmatter.problems.is_empty() && body.body() == "Other\n");
            assert_eq!(body.frontmatter.others, [("id".to_owned(), "x-1".to_owned())]);
        }
    }
}

#[test]
fn a_stub_is_offered_what_its_index_line_says_and_repaired_once() {
    let stub = "---\nname: \"\"\nmetadata: \n  node_type: memory\n  originSessionId: s-1\n---\n\nReal databases.\n\n**Why:** x\n";
    let index = "- [Testing](feedback_testing.md) — real databases: no \"mocks\" #2\n";
    let directory = store(&[(INDEX_FILE, index), ("feedback_testing.md", stub)]);
    let findings = check(&directory);
    assert_eq!(
        findings.iter().map(|one| (one.code, one.fixable)).collect::<Vec<_>>(),
        [(ProblemCode::FrontmatterStub, true)]
    );
    assert_eq!(fix(&directory), 1);
    let bytes = fs::read(directory.path().join("feedback_testing.md")).unwrap();
    let yaml = strict(&bytes);
    assert_eq!(yaml["name"].as_str(), Some("feedback-testing"));
    assert_eq!(yaml["description"].as_str(), Some("real databases: no \"mocks\" #2"));
    assert_eq!(yaml["metadata"]["originSessionId"].as_str(), Some("s-1"));
    assert!(bytes.ends_with(b"---\n\nReal databases.\n\n**Why:** x\n"));
    assert_eq!(fs::read_to_string(directory.path().join(INDEX_FILE)).unwrap(), index);
    assert_eq!(check(&directory), []);
    assert_eq!(fix(&directory), 0, "a second run finds nothing");
}

#[test]
fn a_stub_whose_index_says_nothing_or_two_things_is_left_to_the_person() {
    let stub = "---\nname: \"\"\ntype: user\n---\nBody\n";
    for index in [
        "- [A](user_a.md)\n",
        "- [A](user_a.md) — one\n- [A](user_a.md) — two\n",
        "See `user_a.md`, it says: x.\n",
        "- [[user_a]] — by word\n",
    ] {
        let directory = store(&[(INDEX_FILE, index), ("user_a.md", stub)]);
        let findings = check(&directory);
        let stubs = of_code(&findings, ProblemCode::FrontmatterStub);
        assert_eq!((stubs.len(), stubs[0].fixable), (1, false), "{index}");
        fix(&directory);
        assert_eq!(fs::read_to_string(directory.path().join("user_a.md")).unwrap(), stub);
    }
}

#[test]
fn a_missing_description_is_noted_with_what_next_and_taken_from_its_one_index_line_once() {
    for block in [
        "name: a\ntype: user\n",
        "name: a\ndescription:\ntype: user\n",
        "name: a\ndescription: \"  \"\nmetadata:\n  node_type: memory\n  type: user\n",
    ] {
        let text = format!("---\n{block}---\n\nWrites Rust.\n");
        let index = "# Index\n\n- [A](user_a.md) — a language: \"Rust\" #1\n";
        let directory = store(&[(INDEX_FILE, index), ("user_a.md", &text)]);
        let findings = check(&directory);
        let one = &findings[0];
        assert_eq!((findings.len(), one.code, one.fixable), (1, ProblemCode::DescriptionMissing, true), "{block}");
        assert_eq!(one.severity, Severity::Note);
        assert!(one.message.contains("--description"), "{}", one.message);
        assert_eq!(fix(&directory), 1);
        let after = fs::read_to_string(directory.path().join("user_a.md")).unwrap();
        assert_eq!(strict(after.as_bytes())["description"].as_str(), Some("a language: \"Rust\" #1"));
        assert!(after.ends_with("---\n\nWrites Rust.\n"));
        assert_eq!(fs::read_to_string(directory.path().join(INDEX_FILE)).unwrap(), index);
        assert_eq!((check(&directory), fix(&directory)), (vec![], 0), "a second run finds nothing");
    }
}

#[test]
fn a_description_that_no_index_line_has_is_left_to_the_person_and_a_file_without_a_block_needs_none() {
    let text = "---\nname: a\ntype: user\n---\n\nWrites Rust.\n";
    for index in [
        "- [A](user_a.md)\n",
        "- [A](user_a.md) — Writes Rust\n",
        "- [A](user_a.md) — one\n- [A](user_a.md) — two\n",
        "See `user_a.md`, it says: x.\n",
    ] {
        let directory = store(&[(INDEX_FILE, index), ("user_a.md", text)]);
        let findings = check(&directory);
        let missing = of_code(&findings, ProblemCode::DescriptionMissing);
        assert_eq!((missing.len(), missing[0].fixable), (1, false), "{index}");
        fix(&directory);
        assert_eq!(fs::read_to_string(directory.path().join("user_a.md")).unwrap(), text);
    }
    // With the link in another letter case, or doubled, one run is enough.
    for index in ["- [A](User_A.md) — one\n", "- [A](user_a.md) — one\n- [A](user_a.md)\n"] {
        let directory = store(&[(INDEX_FILE, index), ("user_a.md", text)]);
        assert_eq!((fix(&directory), fix(&directory)), (2, 0), "{index}");
        assert_eq!(check(&directory), []);
    }
    // An orphan gets its line from the body: the next run must not take that for a description.
    let orphan = store(&[(INDEX_FILE, "# Index\n"), ("user_a.md", text)]);
    assert_eq!((fix(&orphan), fix(&orphan)), (1, 0));
    // Damaged blocks and stubs have findings of their own.
    for other in ["Writes Rust.\n", "---\nname: a\ntype: [user\n---\n\nx\n", "---\nname: \"\"\ntype: user\n---\nx\n"] {
        let directory = store(&[(INDEX_FILE, "- [A](user_a.md) — one\n"), ("user_a.md", other)]);
        assert_eq!(of_code(&check(&directory), ProblemCode::DescriptionMissing), Vec::<&Finding>::new(), "{other}");
    }
}

#[test]
fn the_type_is_read_wherever_it_stands_and_falls_back_to_the_name_of_the_file() {
    let kind = |file: &str, block: &str| {
        let directory = store(&[(file, &format!("---\n{block}---\nB\n"))]);
        let snapshot = scan(directory.path());
        let memory = snapshot.memory(file).unwrap();
        (memory.kind, memory.type_word.clone(), memory.origin_session.clone())
    };
    let word = |word: &str| Some(word.to_owned());
    assert_eq!(kind("x.md", "type: user\noriginSessionId: s\n"), (Some(Kind::User), word("user"), word("s")));
    assert_eq!(
        kind("x.md", "metadata:\n  type: user\n  originSessionId: s\n"),
        (Some(Kind::User), word("user"), word("s"))
    );
    assert_eq!(
        kind("x.md", "type: user\nmetadata:\n  originSessionId: s\n"),
        (Some(Kind::User), word("user"), word("s"))
    );
    assert_eq!(kind("project_x.md", "name: x\n"), (Some(Kind::Project), None, None));
    assert_eq!(kind("reference-x.md", "type:\n"), (Some(Kind::Reference), None, None));
    assert_eq!(kind("project_x.md", "type: lesson\n"), (None, word("lesson"), None), "other words stay as they are");
    assert_eq!(kind("x.md", "name: x\n"), (None, None, None));
}

#[test]
fn ids_that_are_no_uuids_are_kept_as_written() {
    for id in ["current", "session-2026-04-09-a", "0012", "00000000-0000-4000-8000-000000000000", "yes", "日-1"] {
        for block in [
            format!("originSessionId: {id}\ntype: user\n"),
            format!("metadata:\n  type: user\n  originSessionId: {id}\n"),
        ] {
            let text = format!("---\n{block}---\nB\n");
            let topic = Topic::read(text.clone().into_bytes());
            assert_eq!(topic.frontmatter.origin_session.as_deref(), Some(id));
            let edited = topic.with(Field::Type, "project").unwrap();
            assert_eq!(edited.frontmatter.origin_session.as_deref(), Some(id));
            assert_eq!(changed_lines(text.as_bytes(), &edited.bytes).len(), 1);
        }
    }
}

#[test]
fn what_is_written_new_survives_the_normaliser() {
    let draft = Draft {
        name: "Deploy order: API first!".into(),
        description: "api: then web #2".into(),
        kind: Kind::Project,
        body: "Body".into(),
        origin_session: Some("current".into()),
        modified: now(),
    };
    let bytes = draft.to_bytes();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains("\nname: deploy-order-api-first\n"), "a kebab-case name is what it would make of it: {text}");
    assert!(text.contains("\ndescription: \"api: then web #2\"\n"), "quoted, so that nothing is cut");
    // Everything else stands under metadata, where it would be moved.
    let Frontmatter { shape, others, problems, .. } = Topic::read(bytes).frontmatter;
    assert_eq!((shape, others, problems), (Shape::Nested, vec![], vec![]));
    let top: Vec<&str> =
        text.lines().skip(1).take_while(|line| *line != "---").filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(top.len(), 3, "{top:?}");
}

#[test]
fn a_value_that_yaml_cuts_is_shown_whole_and_warned_of_and_other_edits_leave_it() {
    for value in ["fixes #42 and #43", "a\t# b", "日本 #1"] {
        let text = format!("---\nname: n\ndescription: {value}\ntype: user # by hand\n---\nB\n");
        let topic = Topic::read(text.clone().into_bytes());
        assert_eq!(topic.frontmatter.description.as_deref(), Some(value));
        assert_eq!(
            topic.frontmatter.problems.iter().map(|one| (one.code, one.line)).collect::<Vec<_>>(),
            [(ProblemCode::FrontmatterCut, Some(3))]
        );
        let edited = topic.with(Field::Name, "m").unwrap();
        assert_eq!(changed_lines(text.as_bytes(), &edited.bytes), [2]);
        assert_eq!(edited.frontmatter.description.as_deref(), Some(value));
    }
}

#[test]
fn a_store_past_what_recall_looks_through_says_so() {
    let directory = store(&[]);
    let mut index = String::new();
    for n in 0..201 {
        fs::write(directory.path().join(format!("user_{n}.md")), "---\nname: x\ndescription: d\ntype: user\n---\nB\n")
            .unwrap();
        index.push_str(&format!("[{n}](user_{n}.md) "));
        if n % 5 == 4 {
            index.push('\n');
        }
    }
    fs::write(directory.path().join(INDEX_FILE), index).unwrap();
    let findings = check(&directory);
    assert_eq!(
        findings.iter().map(|one| (one.file.as_str(), one.code)).collect::<Vec<_>>(),
        [(INDEX_FILE, ProblemCode::Large)]
    );
    fs::remove_file(directory.path().join("user_200.md")).unwrap();
    assert!(of_code(&check(&directory), ProblemCode::Large).is_empty());
}
