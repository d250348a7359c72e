//! `ls`, `show`, `check`, `gates`.

use std::fs;

use crate::common::{Machine, picture};

#[test]
fn ls_lists_every_memory_of_the_sample_with_the_documented_fields() {
    let machine = Machine::with_sample();
    let (code, listing) = machine.json("acme-api", &["ls"]);
    assert_eq!(code, 0);
    assert_eq!(listing["store"], machine.sample_store("acme-api").to_str().expect("UTF-8"));
    assert_eq!(listing["project"], machine.path("checkouts/acme-api").to_str().expect("UTF-8"));
    let memories = listing["memories"].as_array().expect("memories");
    let on_disk = fs::read_dir(machine.sample_store("acme-api")).expect("a store").flatten();
    let on_disk = on_disk.filter(|entry| entry.file_name().to_string_lossy().ends_with(".md")).count() - 1;
    assert_eq!(memories.len(), on_disk, "all topic files, and the index is none of them");
    for field in [
        "file",
        "name",
        "description",
        "type",
        "age_days",
        "age_source",
        "freshness",
        "indexed",
        "loaded",
        "bytes",
        "problems",
    ] {
        assert!(memories.iter().all(|memory| memory.get(field).is_some()), "every row has {field}");
    }
    let freeze = memories.iter().find(|memory| memory["file"] == "project_merge_freeze.md").expect("the freeze");
    assert_eq!(freeze["type"], "project");
    assert_eq!(freeze["freshness"], "stale");
    let index = &listing["index"];
    assert!(index["lines"].as_u64() > Some(10) && index["cut"].as_array().is_some_and(Vec::is_empty));
}

#[test]
fn a_path_with_a_tilde_the_shell_left_alone_is_under_the_home() {
    let machine = Machine::new();
    machine.write("home/notes/user_a.md", "---\nname: a\ndescription: d\ntype: user\n---\n\nA.\n");
    let answer = machine.run(&["--memory-dir=~/notes", "ls"]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    assert!(answer.out().contains("user_a.md"), "{}", answer.out());
}

#[test]
fn ls_all_lists_each_store_of_the_claude_home_once() {
    let machine = Machine::with_sample();
    let answer = machine.run(&["--json", "ls", "--all"]);
    let listing = answer.json();
    let mut projects: Vec<_> =
        listing["stores"].as_array().expect("stores").iter().map(|store| store["project"].clone()).collect();
    projects.sort_by_key(ToString::to_string);
    let expected: Vec<_> = ["acme-api", "harbor-ios", "notes-cli"]
        .map(|name| machine.path(&format!("checkouts/{name}")).to_string_lossy().into_owned())
        .to_vec();
    assert_eq!(projects, expected, "the real paths come from inside the transcripts");
}

#[test]
fn fc_002_a_memory_with_damaged_frontmatter_is_listed_and_flagged_with_file_and_line() {
    let machine = Machine::new();
    machine.write("m/MEMORY.md", "- [a](a.md) — x\n- [b](b.md) — y\n- [c](c.md) — z\n");
    machine.write("m/a.md", "---\nname: a\ndescription: fine\ntype: user\n---\n\nA.\n");
    machine.write("m/b.md", "---\nname: b\ndescription: Order: a, then b\ntype: user\n---\n\nThe body of b.\n");
    machine.write("m/c.md", "---\nname: c\ndescription: fine\ntype: user\n---\n\nC.\n");
    let before = picture(&machine.path("m"));
    let answer = machine.run(&["--memory-dir", "m", "ls"]);
    assert!(answer.out().contains("3 memories, 1 with a problem"), "{}", answer.out());
    let words = answer.out();
    let rows: Vec<&str> = words.lines().collect();
    let odd = rows.iter().position(|row| row.starts_with("user      b.md")).unwrap();
    assert!(rows[odd + 1].contains("⚠ line 3: frontmatter-unreadable"), "right under the file's own row: {words}");
    let shown = machine.run(&["--memory-dir", "m", "--json", "show", "b"]).json();
    assert_eq!(shown["description"], "Order: a, then b");
    assert_eq!(shown["body"].as_str().map(str::trim), Some("The body of b."));
    assert_eq!(picture(&machine.path("m")), before, "nothing is rewritten");
}

#[test]
fn fc_014_check_finds_drift_in_both_directions_and_fix_leaves_nothing_to_fix() {
    for (files, lines, orphans, dangling) in [(10, 9, 1, 0), (4, 5, 0, 1)] {
        let machine = Machine::new();
        for number in 0..files {
            machine.write(
                &format!("m/user_{number}.md"),
                format!("---\nname: n{number}\ndescription: \"d {number}\"\ntype: user\n---\n\nFact {number}.\n"),
            );
        }
        let index: String = (0..lines).map(|n| format!("- [N {n}](user_{n}.md) — hook {n}\n")).collect();
        let index = format!("# Mine\n\nA hand-written line.\n\n{index}");
        machine.write("m/MEMORY.md", &index);
        let count = |report: &serde_json::Value, code: &str| {
            report["findings"].as_array().expect("findings").iter().filter(|finding| finding["code"] == code).count()
        };
        let check = machine.run(&["--memory-dir", "m", "--json", "check"]);
        assert_eq!(check.code(), 1);
        assert_eq!((count(&check.json(), "orphan"), count(&check.json(), "index-dangling")), (orphans, dangling));
        let preview = machine.run(&["--memory-dir", "m", "--json", "check", "--fix", "--dry-run"]);
        assert_eq!(preview.json()["fixed"].as_array().map(Vec::len), Some(1));
        assert_eq!(
            fs::read_to_string(machine.path("m/MEMORY.md")).expect("the index"),
            index,
            "a preview changes nothing"
        );
        let fixed = machine.run(&["--memory-dir", "m", "check", "--fix"]);
        assert!(fixed.out().contains("take it back with `dreamtop undo "), "{}", fixed.out());
        let after = fs::read_to_string(machine.path("m/MEMORY.md")).expect("the index");
        for line in index.lines().filter(|line| !line.contains("user_4.md") || files > 4) {
            assert!(after.lines().any(|kept| kept == line), "{line:?} is kept in {after:?}");
        }
        let again = machine.run(&["--memory-dir", "m", "--json", "check", "--fix"]).json();
        assert_eq!(again["fixed"].as_array().map(Vec::len), Some(0), "a second run finds nothing");
        assert_eq!((count(&again, "orphan"), count(&again, "index-dangling")), (0, 0));
    }
}

#[test]
fn fc_010_lines_below_the_line_limit_are_named_as_not_loaded() {
    let machine = Machine::new();
    let mut index = String::new();
    for number in 1..=231 {
        machine.write(
            &format!("m/user_{number}.md"),
            format!("---\nname: n{number}\ndescription: \"d\"\ntype: user\n---\n\nFact.\n"),
        );
        index.push_str(&format!("- [N {number}](user_{number}.md) — h\n"));
    }
    machine.write("m/MEMORY.md", &index);
    let listing = machine.run(&["--memory-dir", "m", "--json", "ls"]).json();
    let cut: Vec<_> =
        listing["index"]["cut"].as_array().expect("cut").iter().filter_map(|file| file.as_str()).collect();
    let expected: Vec<_> = (201..=231).map(|number| format!("user_{number}.md")).collect();
    assert_eq!(cut, expected);
    // Adding one more says so at once, not at the next start.
    let added =
        machine.run(&["--memory-dir", "m", "new", "One more", "--type", "reference", "-d", "It lands below the cut"]);
    assert!(added.out().contains("past the load limit"), "{}{}", added.out(), added.err());
}

#[test]
fn gates_report_each_gate_in_order_with_its_figure() {
    let machine = Machine::with_sample();
    let (_, report) = machine.json("acme-api", &["gates"]);
    let gates: Vec<_> = report["dream"]
        .as_array()
        .expect("gates")
        .iter()
        .map(|gate| gate["gate"].as_str().expect("a name").to_owned())
        .collect();
    assert_eq!(gates, ["enabled", "time", "throttle", "sessions", "lock"]);
    assert!(
        report["dream"].as_array().expect("gates").iter().all(|gate| !gate["detail"].as_str().unwrap_or("").is_empty())
    );
    assert!(!report["extract"].as_array().expect("gates").is_empty());
}

#[test]
fn nothing_in_a_file_reaches_a_terminal_unescaped() {
    let machine = Machine::new();
    machine.write(
        "m/user_x.md",
        "---\nname: \"a\\e[2Jb\"\ndescription: \"x\\u202Ey\\u0007\"\ntype: user\n---\n\nBody \u{1b}]52;c;aGk=\u{7} and \u{9b}31m.\n",
    );
    for arguments in [
        ["--memory-dir", "m", "ls"].as_slice(),
        &["--memory-dir", "m", "show", "user_x"],
        &["--memory-dir", "m", "--json", "show", "user_x"],
        &["--memory-dir", "m", "check"],
    ] {
        let answer = machine.run(arguments);
        for (stream, text) in [("out", answer.out()), ("err", answer.err())] {
            let bad = text.chars().find(|c| *c != '\n' && dreamtop::text::is_unsafe(*c));
            assert_eq!(bad, None, "{arguments:?} std{stream}: {text:?}");
        }
    }
}

#[test]
fn looking_changes_no_byte_and_no_time() {
    let machine = Machine::with_sample();
    let before = picture(&machine.path("claude"));
    for arguments in
        [["ls"].as_slice(), &["show", "user_review_style"], &["check"], &["gates"], &["runs"], &["history"], &["inbox"]]
    {
        machine.json("acme-api", arguments);
    }
    assert_eq!(picture(&machine.path("claude")), before);
}

#[test]
fn many_dated_files_written_together_do_not_make_an_undated_one_of_unknown_age() {
    let machine = Machine::new();
    machine.write("m/user_role.md", "---\nname: role\ndescription: \"a role\"\ntype: user\n---\n\nBackend.\n");
    for number in 0..20 {
        machine.write(
            &format!("m/project_{number}.md"),
            format!(
                "---\nname: p{number}\ndescription: \"p\"\nmetadata: \n  node_type: memory\n  type: project\n  \
                 modified: 2026-11-30T08:00:00.000Z\n---\n\nFact {number}.\n"
            ),
        );
    }
    let listing = machine.run(&["--memory-dir", "m", "--json", "ls"]).json();
    let role = listing["memories"].as_array().expect("memories").iter().find(|memory| memory["file"] == "user_role.md");
    assert_eq!(role.expect("the role")["age_source"], "mtime");
}

#[test]
fn show_source_prints_the_very_turn_with_the_answers_around_it_and_no_controls() {
    let machine = Machine::with_sample();
    let checkout = machine.path("checkouts/acme-api");
    let slug = dreamtop::project::slug(&checkout.to_string_lossy());
    let said = "Remember: I always want the release notes in English, never in German.";
    let lines = [
        r#"{"type":"assistant","uuid":"a0","timestamp":"2026-11-30T08:00:00.000Z","message":{"id":"m0","content":[{"type":"text","text":"Which \u001b[31mlanguage?"}]}}"#.to_owned(),
        format!(
            r#"{{"type":"user","uuid":"u1","parentUuid":"a0","cwd":"{}","timestamp":"2026-11-30T08:01:00.000Z","message":{{"content":"{said}"}}}}"#,
            checkout.display()
        ),
        r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","content":[{"type":"text","text":"Noted."}]}}"#.to_owned(),
        r#"{"type":"assistant","uuid":"a2","parentUuid":"a1","message":{"id":"m1","content":[{"type":"tool_use","id":"c","name":"Grep","input":{"pattern":"notes"}}]}}"#.to_owned(),
    ];
    let transcript = machine.write(&format!("claude/projects/{slug}/spoken.jsonl"), lines.join("\n") + "\n");
    let (code, run) = machine.json("acme-api", &["extract", "--transcript", transcript.to_str().expect("UTF-8")]);
    assert_eq!((code, &run["outcome"]), (0, &"done".into()), "{run:#}");
    let changes = run["changes"].as_array().expect("changes");
    let file = changes.iter().find_map(|change| change["file"].as_str().filter(|file| *file != "MEMORY.md"));
    let file = file.expect("a memory");

    let (code, shown) = machine.json("acme-api", &["show", file, "--source"]);
    assert_eq!(code, 0, "{shown:#}");
    let spoken = &shown["turns"][0];
    assert_eq!((&spoken["session"], &spoken["line"]), (&"spoken".into(), &2.into()), "{shown:#}");
    assert_eq!(spoken["turn"]["text"], said);
    assert_eq!((&spoken["after"]["text"], &spoken["after"]["calls"][0]["tool"]), (&"Noted.".into(), &"Grep".into()));
    let people = machine.run(&["--project", checkout.to_str().expect("UTF-8"), "show", file, "--source"]).out();
    assert!(people.contains(said) && people.contains("language?") && people.contains("→ Grep"), "{people}");
    assert!(!people.contains('\u{1b}'), "{people:?}");

    std::fs::remove_file(&transcript).expect("removed");
    let (code, shown) = machine.json("acme-api", &["show", file, "--source"]);
    let missing = shown["turns"][0]["missing"].as_str().unwrap_or_default();
    assert!(code == 1 && missing.contains("no longer on disk") && missing.contains("after 30 days"), "{shown:#}");
    assert!(shown["turns"][0]["turn"].is_null());
}

/// The session that the sample's memory of the merge freeze names; it is not among the sample's.
const FREEZE_SESSION: &str = "0e7a963c-5bd1-4f24-86ef-c2d8139b47a0";

#[test]
fn show_source_of_a_memory_nobody_recorded_a_source_of_guesses_nothing() {
    let machine = Machine::with_sample();
    let (code, shown) = machine.json("acme-api", &["show", "project_merge_freeze.md", "--source"]);
    let turns = shown["turns"].as_array().expect("turns");
    let why = turns.iter().filter_map(|turn| turn["missing"].as_str()).collect::<Vec<_>>().join(" ");
    let says_why = why
        == format!(
            "session {FREEZE_SESSION} is no longer on disk: Claude Code sweeps sessions after 30 days \
                                   (cleanupPeriodDays), or it was never on this machine"
        );
    assert!(code == 1 && says_why && turns.iter().all(|turn| turn["turn"].is_null()), "{shown:#}");
    let (code, shown) = machine.json("acme-api", &["show", "project_merge_freeze.md"]);
    assert_eq!((code, shown.get("turns")), (0, None));
}

#[test]
fn doctor_names_the_keys_that_cannot_be_with_their_line_and_the_manual_has_every_key() {
    let machine = Machine::with_sample();
    let config = machine.write("odd.yaml", "mouse: false\nkeys:\n  new: e\n  fly: x\n");
    let answer = machine.run(&["--config", config.to_str().unwrap(), "--json", "doctor"]);
    let checks = answer.json()["checks"].as_array().unwrap().clone();
    let told: Vec<&str> =
        checks.iter().filter(|check| check["check"] == "keys").filter_map(|check| check["message"].as_str()).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("odd.yaml:3: keys: e already means new; edit has to do without it"), "{told:?}");
    assert!(told[1].contains("odd.yaml:4: keys: there is no command \"fly\""), "{told:?}");
    let next: Vec<&str> =
        checks.iter().filter(|check| check["check"] == "keys").filter_map(|check| check["next"].as_str()).collect();
    assert!(next[0].contains("give one of the two another key") && next[1].contains("take the line out"), "{next:?}");
    let manual = machine.run(&["man"]).out();
    for words in [".SH KEYS", ".SS In triage", "\\fBctrl\\-s\\fR  save", "\\fBspace\\fR  mark"] {
        assert!(manual.contains(words), "{words} in {manual}");
    }
}

#[test]
fn ls_filter_lists_what_the_filter_line_of_the_screen_would() {
    let machine = Machine::with_sample();
    let files = |arguments: &[&str]| -> Vec<String> {
        let (code, listing) = machine.json("acme-api", &[&["ls"], arguments].concat());
        let memories = listing["memories"].as_array().expect("memories");
        assert_eq!(code, i32::from(memories.is_empty()), "{arguments:?}");
        memories.iter().map(|memory| memory["file"].as_str().expect("a file").to_owned()).collect()
    };
    let badges = |arguments: &[&str]| -> std::collections::BTreeMap<String, String> {
        let (_, listing) = machine.json("acme-api", &[&["ls"], arguments].concat());
        let word = |value: &serde_json::Value| value.as_str().expect("a word").to_owned();
        let memories = listing["memories"].as_array().expect("memories").clone();
        memories.iter().map(|memory| (word(&memory["file"]), word(&memory["freshness"]))).collect()
    };
    assert_eq!(badges(&[]), badges(&["--sort", "need"]), "a memory has one badge, however it is listed");
    assert_eq!(badges(&[])["feedback_retry_backoff.md"], "stale");
    let all = files(&[]);
    let users = files(&["--filter", "type:user"]);
    assert!(!users.is_empty() && users.iter().all(|file| file.starts_with("user_")), "{users:?}");
    assert_eq!(files(&["--filter", "-type:user"]).len(), all.len() - users.len());
    assert_eq!(files(&["--filter", "path-gone type:feedback fresh"]), Vec::<String>::new(), "evidence makes stale");
    assert!(files(&["--filter", "path-gone"]).contains(&"feedback_retry_backoff.md".to_owned()));
    assert_eq!(files(&["--filter", "has:conflict"]).len(), 2);
    assert_eq!(
        files(&["--filter", "\"real Postgres, never\" databse -stale"]),
        ["feedback_no_database_mocks.md", "feedback_testing_real_database.md"]
    );
    assert_eq!(files(&["--filter", "\"Postgres, never a mocked database layer\""]), ["feedback_no_database_mocks.md"]);
    assert_eq!(files(&["--filter", "no such thing at all"]), Vec::<String>::new());
    assert_eq!(files(&["--view", "mine"]), users);
    let old = files(&["--filter", "older:100d", "--sort", "age"]);
    assert_eq!(old.first().map(String::as_str), Some("project_deploy_day.md"), "{old:?}");
}

#[test]
fn an_unknown_value_of_a_filter_and_an_unknown_view_are_usage_errors_that_name_what_is_known() {
    let machine = Machine::with_sample();
    let project = machine.path("checkouts/acme-api");
    let run =
        |arguments: &[&str]| machine.run(&[&["--project", project.to_str().expect("UTF-8"), "ls"], arguments].concat());
    let answer = run(&["--filter", "frz type:foo"]);
    assert_eq!((answer.code(), answer.out()), (2, String::new()));
    assert!(answer.err().contains("type:foo") && answer.err().contains("feedback"), "{}", answer.err());
    let answer = run(&["--view", "nope"]);
    assert!(answer.code() == 2 && answer.err().contains("about to expire"), "{}", answer.err());
    let answer = machine.run(&["ls", "--all", "--filter", "stale"]);
    assert!(answer.code() == 2 && answer.err().contains("without evidence"), "{}", answer.err());
    machine.write("state/dreamtop/views.json", r#"[{"name": "Boards", "filter": "type:reference", "sort": "name"}]"#);
    let answer = run(&["--view", "boards"]);
    assert!(answer.code() == 0 && answer.out().contains("reference_"), "{}{}", answer.out(), answer.err());
}

#[test]
fn ls_all_with_a_filter_leaves_out_stores_without_a_match() {
    let machine = Machine::new();
    for (folder, name) in [("-srv-one", "kestrel"), ("-srv-two", "heron")] {
        let text = format!("---\nname: {name}\ndescription: d\ntype: user\n---\n\nA.\n");
        machine.write(&format!("claude/projects/{folder}/memory/user_a.md"), &text);
        machine.write(&format!("claude/projects/{folder}/memory/team/user_b.md"), text);
    }
    let listing = machine.run(&["--json", "ls", "--all", "--filter", "kestrel"]).json();
    let stores = listing["stores"].as_array().expect("stores");
    assert!(
        !stores.is_empty() && stores.iter().all(|store| store["store"].as_str().expect("a path").contains("-srv-one")),
        "{listing:#}"
    );
    let listing = machine.run(&["--json", "ls", "--all", "--filter", "in:team heron"]).json();
    let stores = listing["stores"].as_array().expect("stores");
    assert!(stores.iter().all(|store| store["memories"].as_array().is_some_and(|all| all.len() == 1)), "{listing:#}");
    assert_eq!(machine.run(&["ls", "--all", "--filter", "ostrich"]).code(), 1);
}

#[test]
fn a_memory_of_the_team_is_shown_by_the_name_that_recall_gives_it() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    fs::create_dir_all(store.join("team")).unwrap();
    let text = "---\nname: ports\ndescription: d\ntype: project\n---\n\nThe staging gateway listens on port 8443.\n";
    fs::write(store.join("team/project_ports.md"), text).unwrap();
    let checkout = machine.path("checkouts/acme-api");
    let show = |name: &str| machine.run(&["--project", checkout.to_str().unwrap(), "show", name]);
    assert!(show("team/project_ports.md").out().contains("port 8443"), "{}", show("team/project_ports.md").err());
    assert_eq!(show("team/no_such.md").code(), 1);
    assert_eq!(show("project_ports.md").code(), 1, "the project's own has none of that name");
}
