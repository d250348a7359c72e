//! Indexes: what an edit or a repair leaves alone, and what counts as a pointer.

use std::fs;

use dreamtop::change::verbs;
use dreamtop::memory::index::NewEntry;
use dreamtop::memory::{INDEX_FILE, Index, ProblemCode};

use crate::help::{check, fix, of_code, scan, store};

const USER: &str = "---\nname: n\ndescription: d\ntype: user\n---\n\nBody\n";

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

#[test]
fn fc_015_removing_a_memory_takes_its_line_and_no_other_byte_and_adding_it_back_restores_the_place() {
    for (index, without) in [
        (
            "# I\n\n- [A](user_a.md) — a\n- [B](user_b.md) — b\n- [C](user_c.md) — c\n",
            "# I\n\n- [A](user_a.md) — a\n- [C](user_c.md) — c\n",
        ),
        ("- [B](user_b.md) — b\r\nby hand\r\n- [A](user_a.md)", "by hand\r\n- [A](user_a.md)"),
        ("- [A](user_a.md)\n- [B](user_b.md)", "- [A](user_a.md)"),
        (
            "| f | w |\n|---|---|\n| [A](user_a.md) | a |\n| [B](user_b.md) | b |\n",
            "| f | w |\n|---|---|\n| [A](user_a.md) | a |\n",
        ),
        ("See [the plan](user_b.md) first.\n", "See the plan first.\n"),
        ("- [B](user_b.md) — b\n  - detail by hand\n", "- B — b\n  - detail by hand\n"),
    ] {
        let directory = store(&[(INDEX_FILE, index), ("user_a.md", USER), ("user_b.md", USER), ("user_c.md", USER)]);
        let snapshot = scan(directory.path());
        let set = verbs::remove(&snapshot, &["user_b.md".to_owned()]).unwrap();
        let change = set.index.unwrap();
        assert_eq!(String::from_utf8(change.content).unwrap(), without);
        assert_eq!(String::from_utf8(change.base).unwrap(), index, "what undo puts back");
        assert_eq!(set.changes[0].base.as_deref(), Some(USER.as_bytes()));
    }
}

#[test]
fn fc_016_adding_what_is_missing_keeps_every_hand_written_line_and_its_order() {
    let mut index = "# Memory\n\nHow this is kept: by hand, mostly.\n\n## Feedback\n\n".to_owned();
    for n in 1..=40 {
        index.push_str(&format!("- [Topic {n}](feedback_{n}.md) — says {n}\n"));
        if n == 10 || n == 25 {
            index.push_str("\n> an inline note, kept\n\n");
        }
    }
    index.push_str("\n## Elsewhere\n\n| a | table |\n|---|---|\n\n```\n- [Example](not_there.md)\n```\n<!-- a comment -->\n\nThe end, no newline");
    for ending in ["\n", "\r\n"] {
        let index = index.replace('\n', ending);
        let directory = store(&[(INDEX_FILE, &index)]);
        for n in 1..=44 {
            let topic =
                format!("---\nname: topic {n}\ndescription: says {n}\ntype: feedback\n---\n\nx\n\n**Why:** y\n");
            fs::write(directory.path().join(format!("feedback_{n}.md")), topic).unwrap();
        }
        assert_eq!(fix(&directory), 4);
        let after = fs::read_to_string(directory.path().join(INDEX_FILE)).unwrap();
        let added: Vec<&str> = lines(&after).into_iter().filter(|line| !lines(&index).contains(line)).collect();
        assert_eq!(added, [41, 42, 43, 44].map(|n| format!("- [topic {n}](feedback_{n}.md) — says {n}")));
        let kept: String = after.split_inclusive('\n').filter(|line| !added.contains(&line.trim_end())).collect();
        assert_eq!(kept, index, "every other byte, in order");
        assert_eq!(check(&directory), []);
    }
}

#[test]
fn fc_016_an_index_without_its_files_is_never_shrunk() {
    for index in ["# I\n\n- [A](a.md)\n- [B](b.md)\nnote\n", "- [A](a.md)", "| [A](a.md) | x |\n"] {
        let directory = store(&[(INDEX_FILE, index)]);
        assert_eq!(fix(&directory), 0);
        assert_eq!(fs::read_to_string(directory.path().join(INDEX_FILE)).unwrap(), index);
        assert!(check(&directory).iter().all(|one| one.code == ProblemCode::IndexDangling && !one.fixable));
    }
}

#[test]
fn fc_016_an_index_that_holds_the_knowledge_itself_keeps_it() {
    let prose = "# What I know\n\nThe build wants a newer compiler.\n\n- Tea, not coffee.\n- Ports: 80, 443\n";
    let directory = store(&[(INDEX_FILE, prose), ("user_a.md", USER)]);
    assert_eq!(fix(&directory), 1);
    let after = fs::read_to_string(directory.path().join(INDEX_FILE)).unwrap();
    assert_eq!(after, format!("{prose}- [n](user_a.md) — d\n"));
}

#[test]
fn fc_018_pointers_in_every_form_resolve_and_examples_do_not_count() {
    for (index, file) in [
        ("| `old.md` | what |\n", "old.md"),
        ("| what | old.md | x |\n", "old.md"),
        ("- [x](%6Fld.md)\n", "old.md"),
        ("- [x](caf%C3%A9.md)\n", "café.md"),
        ("- [x](100%.md)\n", "100%.md"),
        ("- [x](my%20old%20notes.md#part%20two)\n", "my old notes.md"),
        ("- [x](<my old notes.md>)\n", "my old notes.md"),
        ("- [x](sub/./../sub/a.md)\n", "sub/a.md"),
        ("- [[user-role]]\n", "user_role.md"),
        ("- [[Role]]\n", "user_role.md"),
        ("- see [[n|the name]] too\n", "user_role.md"),
    ] {
        let directory = store(&[(INDEX_FILE, index), (file, USER)]);
        let snapshot = scan(directory.path());
        assert!(snapshot.memory(file).is_some_and(|memory| memory.indexed && memory.loaded), "{index}");
        assert!(of_code(&check(&directory), ProblemCode::IndexDangling).is_empty(), "{index}");
    }
    for example in [
        "~~~md\n- [x](gone.md)\n~~~\n",
        "````\n```\n- [x](gone.md)\n```\n````\n",
        "    ```\n    [x](gone.md)\n    ```\n",
        "Write it as `[x](gone.md)`.\n",
        "- [x](https://host.example/gone.md)\n",
        "- [[ -f gone.md ]]\n",
        "- [[planned-file]]\n",
        "<!--\n- [x](gone.md)\n-->\n",
    ] {
        let directory = store(&[(INDEX_FILE, &format!("- [U](user_a.md)\n{example}")), ("user_a.md", USER)]);
        assert_eq!(check(&directory), [], "{example}");
    }
}

#[test]
fn adding_and_dropping_entries_changes_no_other_line_of_any_form() {
    let index = "\u{FEFF}# I\r\n\r\n1. [A](a.md)\r\n2. **[B](b.md)** · two\r\n   - [C](c.md)\r\nprose `d.md`\r\n[[e]]";
    let read = Index::read(index.as_bytes().to_vec());
    let entry = NewEntry { file: "f.md".into(), title: "F".into(), hook: "f".into() };
    let with = read.with_entry(&entry);
    let text = String::from_utf8(with.clone()).unwrap();
    assert!(index.lines().all(|line| text.lines().any(|other| other == line)));
    assert_eq!(String::from_utf8(Index::read(with).without("f.md")).unwrap(), index);
}

#[test]
fn a_line_that_is_made_for_a_memory_has_nothing_in_it_that_nobody_sees() {
    let name = "quiet \u{202E}word\u{200B}s";
    let topic = format!("---\nname: \"{name}\"\ndescription: \"says \u{2066}it\"\ntype: user\n---\n\nBody\n");
    let directory = store(&[(INDEX_FILE, "- [B](user_b.md) — b\n"), ("user_a.md", &topic), ("user_b.md", USER)]);
    assert_eq!(fix(&directory), 1, "the orphan");
    let index = fs::read_to_string(directory.path().join(INDEX_FILE)).unwrap();
    assert_eq!(index, "- [B](user_b.md) — b\n- [quiet words](user_a.md) — says it\n");
}
