//! Names: what a title becomes on disk, and names that differ in form or letter case only.

use std::collections::HashSet;
use std::fs;

use dreamtop::change::verbs;
use dreamtop::memory::names::{file_name, folded, is_markdown};
use dreamtop::memory::{Draft, INDEX_FILE, Index, Kind, ProblemCode};

use crate::help::{check, fix, now, of_code, scan, store};

/// Whether a file may be called so on Linux, macOS and Windows.
fn is_legal_everywhere(file: &str) -> bool {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com1", "lpt1"];
    let stem = file.split('.').next().unwrap_or_default().to_lowercase();
    let is_sign = |c: char| c.is_control() || matches!(c, '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*');
    !file.chars().any(is_sign) && !file.ends_with(['.', ' ']) && !DEVICES.contains(&stem.as_str()) && file.len() <= 255
}

#[test]
fn fc_137_any_title_becomes_a_name_that_is_legal_on_all_three_systems_and_distinct() {
    let long = "日".repeat(200);
    let titles = [
        "con",
        "CON",
        "nul.txt",
        "a:b?",
        "..",
        ".",
        "/",
        "\\",
        "../../etc/passwd",
        "ends in a dot.",
        "ends in a blank ",
        "ends in a dot",
        "a\tb",
        "a\u{0}b",
        "<|>",
        "*",
        "日",
        &long,
        "e\u{301}te\u{301}",
        "\u{e9}t\u{e9}",
        "🦀",
        "🦀🦀",
        "",
        "   ",
        "aux.md",
        "x\u{202E}y",
    ];
    for kind in Kind::ALL {
        let directory = store(&[]);
        let mut seen = HashSet::new();
        for title in titles {
            let snapshot = scan(directory.path());
            let draft = Draft {
                name: title.to_owned(),
                description: format!("says {title}"),
                kind,
                body: "Body".into(),
                origin_session: None,
                modified: now(),
            };
            let set = verbs::create(&snapshot, &draft);
            let change = &set.changes[0];
            assert!(is_legal_everywhere(&change.file) && is_markdown(&change.file), "{}", change.file);
            assert!(seen.insert(folded(&change.file)), "{title:?} shares {}", change.file);
            // The door checks names for itself; here the bytes are only put where it would put them.
            fs::write(directory.path().join(&change.file), change.content.as_ref().unwrap()).unwrap();
            fs::write(directory.path().join(INDEX_FILE), set.index.unwrap().content).unwrap();
        }
        let snapshot = scan(directory.path());
        assert_eq!(snapshot.memories.len(), titles.len());
        // The title stands in full in the index line, also where the name is only its letters.
        for title in ["a:b?", "..", "../../etc/passwd", &long] {
            assert!(snapshot.index.entries().any(|(_, entry, _)| entry.title == title), "{title}");
        }
        let name = |title: &str| snapshot.memories.iter().any(|memory| memory.name == title);
        assert!(name(&long) && name("con"), "a name is kept in full inside");
    }
}

#[test]
fn fc_137_a_name_that_is_taken_in_another_case_or_form_is_not_given_again() {
    let taken = |name: &str| name == folded("user_cafe\u{301}.md") || name == "user_con.md";
    assert_eq!(file_name(Kind::User, "CAF\u{c9}", &taken), "user_caf\u{e9}_2.md");
    assert_eq!(file_name(Kind::User, "Con", &taken), "user_con_2.md");
    assert_eq!(file_name(Kind::User, "cafe", &taken), "user_cafe.md");
}

#[test]
fn fc_135_a_link_in_the_other_unicode_form_is_one_entry_and_not_dangling() {
    for (on_disk, linked) in [
        ("user_cafe\u{301}.md", "user_caf\u{e9}.md"),
        ("user_caf\u{e9}.md", "user_cafe\u{301}.md"),
        ("user_\u{1100}\u{1161}.md", "user_\u{ac00}.md"),
    ] {
        let directory = store(&[
            (INDEX_FILE, &format!("- [C]({linked}) — c\n")),
            (on_disk, "---\ndescription: d\ntype: user\n---\nx\n"),
        ]);
        let snapshot = scan(directory.path());
        let memory = snapshot.memory(on_disk).unwrap();
        assert!(memory.indexed && memory.loaded, "no rename by itself, and the link counts");
        let findings = check(&directory);
        assert!(
            of_code(&findings, ProblemCode::IndexDangling).is_empty()
                && of_code(&findings, ProblemCode::Orphan).is_empty()
        );
        // Adding it again makes no second entry for what is linked already.
        assert_eq!(fix(&directory), 1);
        let index = Index::read(fs::read(directory.path().join(INDEX_FILE)).unwrap());
        assert_eq!(index.entries().map(|(_, entry, _)| entry.target.clone()).collect::<Vec<_>>(), [on_disk]);
        assert_eq!(check(&directory), []);
        assert!(directory.path().join(on_disk).exists());
    }
}

#[test]
fn fc_136_a_link_in_another_letter_case_opens_and_is_flagged_with_a_fix() {
    for (on_disk, linked) in
        [("user_role.md", "User_Role.md"), ("User_Role.MD", "user_role.md"), ("sub/user_rolle.md", "Sub/User_Rolle.md")]
    {
        let index = format!("# I\n\n- [R](./{linked}#a) — who\n- by hand\n");
        let directory = store(&[(INDEX_FILE, &index), (on_disk, "---\ndescription: d\ntype: user\n---\nx\n")]);
        let findings = check(&directory);
        assert_eq!(
            findings.iter().map(|one| (one.code, one.fixable)).collect::<Vec<_>>(),
            [(ProblemCode::CaseMismatch, true)]
        );
        let snapshot = scan(directory.path());
        assert!(snapshot.memory(on_disk).unwrap().loaded);
        assert_eq!(snapshot.find(linked).map(|memory| memory.file.as_str()), Some(on_disk));
        assert_eq!(fix(&directory), 1);
        let after = fs::read_to_string(directory.path().join(INDEX_FILE)).unwrap();
        assert_eq!(after, index.replace(linked, on_disk));
        assert_eq!(check(&directory), []);
    }
}

#[test]
fn a_memory_is_one_whatever_the_letter_case_of_its_ending() {
    let directory = store(&[
        (INDEX_FILE, "- [A](a.MD)\n- B.Md says b\n- `c.mD`\n"),
        ("a.MD", "---\ndescription: d\ntype: user\n---\nx\n"),
        ("B.Md", "---\ndescription: d\ntype: user\n---\nx\n"),
        ("c.mD", "---\ndescription: d\ntype: user\n---\nx\n"),
        ("d.mdx", "no memory"),
    ]);
    let snapshot = scan(directory.path());
    assert_eq!(snapshot.memories.iter().filter(|memory| memory.indexed).count(), 3);
    assert_eq!(snapshot.others.iter().map(|other| other.file.as_str()).collect::<Vec<_>>(), ["d.mdx"]);
    assert_eq!(check(&directory), []);
}
