//! Field cases of files and indexes as they were met.

use std::fs;

use dreamtop::memory::index::{Limit, NewEntry};
use dreamtop::memory::{Draft, Field, INDEX_FILE, Kind, ProblemCode, Shape, Topic};

use crate::growth::{TIMES, in_proportion};
use crate::help::{changed_lines, check, fix, now, of_code, scan, store, strict};

const AWKWARD: [&str; 9] = [
    "Deploy order: api, then \"web\" #2",
    "- starts like a list",
    "'single' and \\ backslash",
    "yes",
    "2026-04-09",
    "null",
    "@at `tick` %percent &anchor *alias !tag {a: b} [c]",
    "ends with a colon:",
    "зміни 日本語 🏳️‍🌈 e\u{301} \u{202E}rtl",
];

#[test]
fn fc_001_a_description_with_colon_quotes_and_hash_is_kept_by_every_strict_reader() {
    for description in AWKWARD {
        let draft = Draft {
            name: "deploy order".into(),
            description: description.into(),
            kind: Kind::Project,
            body: "Body.".into(),
            origin_session: None,
            modified: now(),
        };
        let bytes = draft.to_bytes();
        assert_eq!(strict(&bytes)["description"].as_str(), Some(description));
        let topic = Topic::read(bytes.clone());
        assert_eq!(topic.frontmatter.description.as_deref(), Some(description));
        assert!(topic.frontmatter.problems.is_empty());
        // Loading and saving it again changes no byte, neither whole nor field by field.
        assert_eq!(topic.with(Field::Description, description).unwrap().bytes, bytes);
        assert_eq!(topic.with(Field::Name, "deploy-order").unwrap().bytes, bytes);
        assert_eq!(topic.with(Field::Type, "project").unwrap().bytes, bytes);
        assert_eq!(topic.with_body(&topic.body()).bytes, bytes);
    }
}

#[test]
fn fc_001_setting_an_awkward_description_in_an_old_file_changes_one_line() {
    let before = b"---\nname: Deploys\ndescription: old\ntype: project\n---\n\nBody\n";
    for description in AWKWARD {
        let after = Topic::read(before.to_vec()).with(Field::Description, description).unwrap();
        assert_eq!(strict(&after.bytes)["description"].as_str(), Some(description));
        assert_eq!(changed_lines(before, &after.bytes), [3]);
        assert_eq!(after.with(Field::Description, description).unwrap().bytes, after.bytes);
    }
}

#[test]
fn fc_002_a_file_that_yaml_refuses_is_listed_flagged_and_readable() {
    let odd = "---\nname: b\ndescription: Order: a, then b\ntype: project\n---\n\nThe body.\n";
    let directory = store(&[
        ("a.md", "---\nname: a\ndescription: fine\ntype: user\n---\nA\n"),
        ("b.md", odd),
        ("c.md", "---\nname: c\ndescription: fine\ntype: user\n---\nC\n"),
    ]);
    let snapshot = scan(directory.path());
    assert_eq!(
        (snapshot.memories.len(), snapshot.memories.iter().filter(|one| !one.problems.is_empty()).count()),
        (3, 1)
    );
    let memory = snapshot.memory("b.md").unwrap();
    assert_eq!((memory.name.as_str(), memory.kind), ("b", Some(Kind::Project)));
    assert_eq!(memory.description, "Order: a, then b");
    assert_eq!(memory.problems[0].code, ProblemCode::FrontmatterUnreadable);
    assert_eq!(memory.problems[0].line, Some(3));
    assert_eq!(snapshot.store.topic("b.md").unwrap().body(), "The body.\n");
    assert_eq!(fs::read_to_string(directory.path().join("b.md")).unwrap(), odd, "looking rewrites nothing");
}

#[test]
fn fc_002_every_kind_of_broken_block_keeps_its_row_and_its_body() {
    let blocks = [
        "description: \"closed\" too early",
        "description: `tick`",
        "description: @at",
        "name: one\nname: two",
        "\tname: tabbed",
        "name: [unclosed",
        "name: &",
        "description: first\nsecond line at the margin",
        "name: \"never closed",
        "a: *nowhere",
        "%directive",
        "name: x\n...\nmore: y",
        "key: \u{0}",
    ];
    for block in blocks {
        let directory = store(&[("user_x.md", &format!("---\nname: keep\n{block}\n---\n\nThe body.\n"))]);
        let snapshot = scan(directory.path());
        let memory = snapshot.memory("user_x.md").unwrap();
        assert_eq!(memory.kind, Some(Kind::User), "{block}");
        assert!(!memory.problems.is_empty(), "{block}");
        assert!(snapshot.store.topic("user_x.md").unwrap().body().ends_with("The body.\n"), "{block}");
    }
}

#[test]
fn fc_005_both_shapes_are_read_and_an_edit_keeps_the_shape() {
    let flat = "---\nname: a\ndescription: one\ntype: feedback\n---\nA\n";
    let forms = [
        "---\ndescription: two\nname: b\nmetadata: \n  weight: 7 # mine\n  node_type: memory\n  type: feedback\n  originSessionId: s1\nzone: x\n---\n\nB\n",
        "---\nname: b\ndescription: two\nmetadata: {node_type: memory, type: feedback, originSessionId: s1, weight: 7}\n---\n\nB\n",
        "---\nname: b\ndescription: two\n\"metadata\":\n    \"type\": 'feedback'\n    originSessionId: s1\n---\nB\n",
    ];
    for nested in forms {
        let directory = store(&[("a.md", flat), ("b.md", nested)]);
        let snapshot = scan(directory.path());
        assert!(snapshot.memories.iter().all(|memory| memory.kind == Some(Kind::Feedback)));
        assert_eq!(snapshot.memory("a.md").unwrap().shape, Shape::Flat);
        assert_eq!(snapshot.memory("b.md").unwrap().shape, Shape::Nested);
        assert_eq!(snapshot.memory("b.md").unwrap().origin_session.as_deref(), Some("s1"));
        let topic = snapshot.store.topic("b.md").unwrap();
        let edited = topic.with(Field::Description, "three: new").unwrap();
        assert_eq!(String::from_utf8(edited.bytes).unwrap(), nested.replace("two", "\"three: new\""));
        let retyped = topic.with(Field::Type, "user").unwrap();
        assert_eq!(retyped.frontmatter.type_word.as_deref(), Some("user"));
        assert_eq!(changed_lines(nested.as_bytes(), &retyped.bytes).len(), 1);
    }
}

#[test]
fn fc_006_crlf_files_and_a_fence_at_the_end_of_the_file_are_read() {
    let crlf = "---\r\nname: a\r\ndescription: one\r\ntype: user\r\n---\r\n\r\nBody\r\n";
    let bare_end = "---\nname: b\ntype: user\n---";
    let directory = store(&[("a.md", crlf), ("b.md", bare_end)]);
    let snapshot = scan(directory.path());
    for memory in &snapshot.memories {
        assert_eq!(memory.kind, Some(Kind::User));
        assert!(memory.problems.is_empty());
    }
    let edited = snapshot.store.topic("a.md").unwrap().with(Field::Description, "two").unwrap();
    assert_eq!(changed_lines(crlf.as_bytes(), &edited.bytes), [3]);
    assert_eq!(String::from_utf8(edited.bytes).unwrap(), crlf.replace("one", "\"two\""));
    // A field that is added ends like its neighbours, also where the file ends on the fence.
    let added = snapshot.store.topic("a.md").unwrap().with(Field::OriginSession, "s1").unwrap();
    let text = String::from_utf8(added.bytes).unwrap();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    let added = snapshot.store.topic("b.md").unwrap().with(Field::Description, "d").unwrap();
    assert_eq!(String::from_utf8(added.bytes).unwrap(), "---\nname: b\ndescription: \"d\"\ntype: user\n---");
}

#[test]
fn fc_007_a_byte_order_mark_and_blanks_after_the_fence_hide_nothing() {
    let text = "\u{FEFF}---  \r\nname: a\r\ndescription: one\r\ntype: user\r\n--- \r\nBody\r\n";
    let topic = Topic::read(text.as_bytes().to_vec());
    assert_eq!(topic.frontmatter.description.as_deref(), Some("one"));
    let edited = topic.with(Field::Description, "two").unwrap();
    assert_eq!(String::from_utf8(edited.bytes).unwrap(), text.replace("one", "\"two\""));
}

#[test]
fn fc_010_lines_below_the_200th_are_named_and_one_more_is_seen_before_the_write() {
    let index: String = (1..=231).map(|n| format!("- [T{n}](project_t{n}.md) — x\n")).collect();
    let directory = store(&[(INDEX_FILE, &index)]);
    for n in 1..=231 {
        fs::write(directory.path().join(format!("project_t{n}.md")), "**Why:** x\n").unwrap();
    }
    let snapshot = scan(directory.path());
    let measure = &snapshot.index.measure;
    assert_eq!((measure.loaded_lines, measure.binds), (200, Some(Limit::Lines)));
    let below: Vec<String> = (201..=231).map(|n| format!("project_t{n}.md")).collect();
    assert_eq!(measure.cut, below);
    assert_eq!(snapshot.memories.iter().filter(|memory| memory.indexed && !memory.loaded).count(), 31);
    let findings = check(&directory);
    let over = of_code(&findings, ProblemCode::IndexOverLines);
    assert_eq!((over.len(), over[0].line), (1, Some(201)));
    assert!(over[0].message.contains("31 entries"), "{}", over[0].message);
    // What the index would become is known before anything is written.
    let entry = NewEntry { file: "project_new.md".into(), title: "New".into(), hook: "x".into() };
    let after = dreamtop::memory::Index::read(snapshot.index.with_entry(&entry));
    assert_eq!(after.measure.cut.last().map(String::as_str), Some("project_new.md"));
}

#[test]
fn fc_010_an_index_of_exactly_200_lines_is_loaded_whole() {
    for (lines, ending, cut) in [(200, "\n", 0), (200, "", 0), (201, "", 1)] {
        let index = (1..=lines).map(|n| format!("- [T]({n}.md)")).collect::<Vec<_>>().join("\n") + ending;
        let index = dreamtop::memory::Index::read(index.into_bytes());
        assert_eq!((index.measure.lines, index.measure.cut.len()), (lines, cut));
    }
}

#[test]
fn fc_011_the_byte_limit_cuts_first_when_lines_are_long_and_names_what_it_cut() {
    let index: String = (1..=120).map(|n| format!("{:<239}\n", format!("- [T{n}](t{n}.md): hook"))).collect();
    assert_eq!(index.len(), 28_800);
    let directory = store(&[(INDEX_FILE, &index)]);
    let snapshot = scan(directory.path());
    let measure = &snapshot.index.measure;
    assert_eq!((measure.loaded_lines, measure.loaded_bytes), (104, 24_960));
    assert_eq!((measure.lines, measure.bytes, measure.binds), (120, 28_800, Some(Limit::Bytes)));
    assert_eq!(measure.cut, (105..=120).map(|n| format!("t{n}.md")).collect::<Vec<_>>());
    let findings = check(&directory);
    let over = of_code(&findings, ProblemCode::IndexOverBytes);
    assert!(over[0].message.contains("16 entries from t105.md to t120.md"), "{}", over[0].message);
    assert!(of_code(&findings, ProblemCode::IndexOverLines).is_empty());
}

#[test]
fn fc_013_the_index_limits_do_not_apply_to_topic_files() {
    let index = format!("- [Big](reference_big.md) — all of it\n\n{}", "prose of an index\n".repeat(1_277));
    let big =
        format!("---\nname: big\ndescription: d\ntype: reference\n---\n\n{}", "a line of the manual\n".repeat(14_300));
    assert!((22_900..23_200).contains(&index.len()) && big.len() > 300_000);
    let index: String = index.lines().collect::<Vec<_>>().chunks(8).map(|lines| lines.join(" ") + "\n").collect();
    let directory = store(&[(INDEX_FILE, &index), ("reference_big.md", &big)]);
    let findings = check(&directory);
    let codes: Vec<ProblemCode> = findings.iter().map(|finding| finding.code).collect();
    assert_eq!(
        codes.iter().filter(|code| **code != ProblemCode::IndexLineLong).collect::<Vec<_>>(),
        [&ProblemCode::Large]
    );
    let topic = scan(directory.path()).store.topic("reference_big.md").unwrap();
    assert_eq!(topic.bytes, big.as_bytes());
    assert_eq!(topic.body().lines().count(), 14_300);
}

#[test]
fn fc_014_files_without_a_line_and_lines_without_a_file_are_found_and_fixed_once() {
    let topic = |n: usize| {
        (
            format!("project_{n}.md"),
            format!("---\nname: topic {n}\ndescription: says {n}\ntype: project\n---\n\n**Why:** x\n"),
        )
    };
    for (files, lines) in [(10, 9), (4, 5)] {
        let directory = store(&[]);
        for (file, content) in (1..=files).map(topic) {
            fs::write(directory.path().join(file), content).unwrap();
        }
        let entries: String = (1..=lines).map(|n| format!("- [Topic {n}](project_{n}.md) — says {n}\n")).collect();
        let before = format!("# Index\n\nWritten by hand.\n\n{entries}\n## End\n");
        fs::write(directory.path().join(INDEX_FILE), &before).unwrap();

        let findings = check(&directory);
        let named = |code| {
            of_code(&findings, code).iter().map(|one| (one.file.clone(), one.evidence.clone())).collect::<Vec<_>>()
        };
        let (orphan, lost) = (named(ProblemCode::Orphan), named(ProblemCode::IndexDangling));
        if files > lines {
            assert_eq!((orphan, lost), (vec![("project_10.md".into(), Some("says 10".into()))], vec![]));
        } else {
            assert_eq!((orphan, lost), (vec![], vec![(INDEX_FILE.into(), Some("project_5.md".into()))]));
        }
        assert_eq!(findings.len(), 1);
        assert_eq!(fix(&directory), 1);
        let after = fs::read_to_string(directory.path().join(INDEX_FILE)).unwrap();
        let expected: String = (1..=files)
            .map(|n| format!("- [{}opic {n}](project_{n}.md) — says {n}\n", if n > lines { 't' } else { 'T' }))
            .collect();
        assert_eq!(after, format!("# Index\n\nWritten by hand.\n\n{expected}\n## End\n"), "no other line changes");
        assert_eq!(check(&directory), []);
        assert_eq!(fix(&directory), 0, "a second run finds nothing");
    }
}

#[test]
fn fc_018_examples_in_fences_are_no_links_and_tables_spaces_and_wiki_words_are() {
    let index = "# I\n\n```\n- [Example](example.md)\n```\n\n| file | what |\n|---|---|\n| old.md | gone |\n\n- [Spaced](my%20notes.md)\n- [Spaced too](your notes.md)\n- [[user-role]]\n";
    let directory = store(&[
        (INDEX_FILE, index),
        ("my notes.md", "---\ndescription: d\ntype: user\n---\nx"),
        ("your notes.md", "---\ndescription: d\ntype: user\n---\nx"),
        ("user_role.md", "x"),
    ]);
    let findings = check(&directory);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!((findings[0].code, findings[0].evidence.as_deref()), (ProblemCode::IndexDangling, Some("old.md")));
    assert!(scan(directory.path()).memories.iter().all(|memory| memory.indexed && memory.loaded));
}

#[test]
fn fc_107_very_long_files_and_lines_are_read_whole_and_cost_no_more_than_their_length() {
    let head = "---\nname: long\ntype: user\n---\n\n";
    let of_lines = |count: usize| format!("{head}{}", "- a line with a [[link]] and `code`\n".repeat(count));
    let of_one_line = |count: usize| format!("{head}{}", "слово [x](y.md) ".repeat(count));
    let of_one_key = |count: usize| format!("---\nname: {}\n---\n", "x: ".repeat(count));
    let of_signs = |count: usize| format!("{}\n- [[link]] {}", "[".repeat(count), "`".repeat(count));
    let of_openings = |count: usize| "[a".repeat(count);
    let of_targets = |count: usize| "](".repeat(count);
    assert!(of_one_line(14_300).chars().count() > 200_000);
    for (what, file, size, text) in [
        ("many lines", "long.md", 70_000, &of_lines as &dyn Fn(usize) -> String),
        ("one long line", "long.md", 14_300, &of_one_line),
        ("one long key", "long.md", 70_000, &of_one_key),
        ("an index of signs", INDEX_FILE, 20_000, &of_signs),
        ("titles that never end", INDEX_FILE, 16_000, &of_openings),
        ("targets that never end", "long.md", 32_000, &of_targets),
    ] {
        let stores = [size / TIMES, size].map(|size| (size, store(&[(file, &text(size))])));
        in_proportion(what, size, |size| {
            let (_, directory) = stores.iter().find(|(of, _)| *of == size).unwrap();
            let snapshot = scan(directory.path());
            assert!(snapshot.memories.iter().all(|memory| memory.description.chars().count() <= 200));
        });
    }
    let topic = Topic::read(of_lines(70_000).into_bytes());
    assert_eq!(topic.body().lines().count(), 70_000);
    in_proportion("an edit of a body", 70_000, |size| {
        let topic = Topic::read(of_lines(size).into_bytes());
        let edited = topic.with_body(&topic.body().replacen("a line", "one line", 1));
        assert_eq!(edited.bytes.len(), topic.bytes.len() + 2);
    });
}

#[test]
fn work_out_of_proportion_is_noticed_and_other_work_is_not() {
    let turn = |count: usize| (0..count).fold(0_usize, |sum, at| std::hint::black_box(sum ^ at));
    in_proportion("linear", 400_000, |size| _ = turn(size));
    let square = std::panic::catch_unwind(|| {
        in_proportion("square", 3_000, |size| _ = turn(size * size));
    });
    assert!(square.is_err());
}

#[test]
fn fc_108_names_and_texts_of_any_script_are_read_and_written_whole() {
    let words = "Зміна 設定 🏳️‍🌈 👩‍💻 🇺🇦 한국어 각 e\u{301}\u{301} ไทย עברית";
    let draft = Draft {
        name: words.into(),
        description: words.repeat(20),
        kind: Kind::Reference,
        body: words.repeat(500),
        origin_session: None,
        modified: now(),
    };
    let file = draft.file_name(&|_| false);
    assert!(file.len() <= 100 && file.ends_with(".md"));
    let directory = store(&[]);
    fs::write(directory.path().join(&file), draft.to_bytes()).unwrap();
    fs::write(directory.path().join("без опису 🦀.md"), format!("# {}\n", words.repeat(50))).unwrap();
    let snapshot = scan(directory.path());
    assert_eq!(snapshot.memory(&file).unwrap().description, words.repeat(20));
    assert_eq!(snapshot.memory("без опису 🦀.md").unwrap().description.chars().count(), 200);
    let after = dreamtop::memory::Index::read(snapshot.index.with_entry(&NewEntry {
        file: "без опису 🦀.md".into(),
        title: words.into(),
        hook: words.repeat(20),
    }));
    assert_eq!(after.entries().next().unwrap().1.target, "без опису 🦀.md");
    assert!(after.lines[0].text.chars().count() <= 150);
}
