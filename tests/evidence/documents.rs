//! Memories that say what CLAUDE.md and rules say already, and those that say more.

use dreamtop::health::{self, Grounds};

use crate::help::{directory, scan, store};

const CLAUDE: &str = "# Acme\n\n- Integration tests must run against a real Postgres started by `make test-db`; never mock the database.\n\
                      - Keep functions under 40 lines.\n\nCommit messages are written in English, in the imperative.\n\n## Release\n\n\
                      Deploys happen on Tuesdays only. Ask Mira before a deploy.\n";

#[test]
fn what_claude_md_or_a_rules_file_says_is_found_also_in_other_words_and_what_adds_or_differs_is_not() {
    let checkout = directory(&[
        ("CLAUDE.md", CLAUDE),
        (
            ".claude/rules/style.md",
            "---\npaths: src/**\n---\n\nErrors carry a stable code string, declared in one enum.\n",
        ),
        ("AGENTS.md", "- Branches are deleted after the merge.\n"),
        (".claude/rules/deep/zh.md", "集成测试必须连接真实数据库。\n"),
    ]);
    let cases: &[(&str, Option<&str>)] = &[
        (
            "Never mock the database: integration tests must always run against a real Postgres started by `make test-db`.",
            Some("CLAUDE.md:3"),
        ),
        ("Write commit messages in English and in the imperative.", Some("CLAUDE.md:6")),
        ("Functions should be kept under 40 lines.", Some("CLAUDE.md:4")),
        ("Every error carries a stable code string declared in the enum.", Some(".claude/rules/style.md:5")),
        ("Merged branches are deleted after the merge.", Some("AGENTS.md:1")),
        ("集成测试必须连接真实数据库", Some(".claude/rules/deep/zh.md:1")),
        ("Functions should be kept under 60 lines.", None),
        ("Integration tests should mock the database.", None),
        ("Commit messages are written in German.", None),
        ("Deploys happen on Tuesdays only. Rollbacks are done by the one who deployed, within an hour.", None),
        ("Unit tests use fakes and run in under a second.", None),
        ("Mira owns billing.", None),
    ];
    let bodies: Vec<&str> = cases.iter().map(|(body, _)| *body).collect();
    let store = store("feedback", &bodies);
    let findings = health::check(&scan(store.path()), &Grounds::at(checkout.path()));
    for (number, (body, expected)) in cases.iter().enumerate() {
        let file = format!("feedback_{number:03}.md");
        let found = findings.iter().find(|one| one.file == file && one.code.word() == "in-claude-md");
        let place = found.map(|one| one.evidence.as_deref().unwrap().split(": ").next().unwrap());
        assert_eq!(place, *expected, "{body}");
    }
}

#[test]
fn what_a_person_says_in_all_projects_counts_and_a_missing_or_damaged_document_says_nothing() {
    let claude = directory(&[("CLAUDE.md", "Always answer in short sentences without greeting.\n")]);
    let store = store("user", &["Answer in short sentences, without greeting."]);
    let with = Grounds { claude_dir: Some(claude.path().to_owned()), ..Grounds::default() };
    let codes = |grounds: &Grounds| -> Vec<&str> {
        health::check(&scan(store.path()), grounds).iter().map(|one| one.code.word()).collect()
    };
    assert_eq!(codes(&with), ["in-claude-md"]);
    std::fs::write(claude.path().join("CLAUDE.md"), [0xFF, 0xFE, 0x00]).unwrap();
    assert_eq!(codes(&with), [] as [&str; 0]);
    assert_eq!(codes(&Grounds::default()), [] as [&str; 0]);
}
