//! `ls --all`, `stores` and `stores apply`.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Machine, contents, picture};

fn topic(text: &str) -> String {
    format!("---\nname: x\ndescription: \"{text}\"\ntype: project\n---\n\n{text}\n")
}

/// A project with a store under its name and one under the name with `_`, both with memories.
fn split() -> (Machine, PathBuf, PathBuf) {
    let machine = Machine::new();
    let app = machine.path("my-app");
    fs::create_dir_all(&app).expect("a project");
    let name = dreamtop::project::slug(&app.to_string_lossy());
    let other = name.replace("my-app", "my_app");
    let line = format!(r#"{{"type":"user","uuid":"1","cwd":"{}","message":{{"content":"hi"}}}}"#, app.display());
    machine.write(&format!("claude/projects/{name}/s.jsonl"), line + "\n");
    let folder = |name: &str| format!("claude/projects/{name}/memory");
    for (folder, files) in [
        (folder(&name), [("same.md", "Both say this."), ("clash.md", "The one."), ("mine.md", "Only here.")]),
        (folder(&other), [("same.md", "Both say this."), ("clash.md", "The other."), ("new.md", "See [c](clash.md).")]),
    ] {
        for (file, text) in files {
            machine.write(&format!("{folder}/{file}"), topic(text));
        }
    }
    machine.write(
        &format!("{}/MEMORY.md", folder(&name)),
        "# Index\n\n- [Same](same.md) — s\n- [Clash](clash.md) — c\n- [Mine](mine.md) — m\n",
    );
    machine.write(
        &format!("{}/MEMORY.md", folder(&other)),
        "# Index\n\nWritten by hand.\n\n- [Same](same.md) — s\n- [Other](clash.md) — o\n- [New](new.md) — n\n",
    );
    let (into, from) = (machine.path(&folder(&name)), machine.path(&folder(&other)));
    (machine, into, from)
}

fn proposals(machine: &Machine) -> Vec<Value> {
    machine.run(&["--json", "stores"]).json()["proposals"].as_array().expect("proposals").clone()
}

#[test]
fn fc_128_a_split_store_is_previewed_merged_once_and_can_be_taken_back() {
    let (machine, into, from) = split();
    let before = (picture(&into), picture(&from));
    let all = proposals(&machine);
    let [proposal] = all.as_slice() else { panic!("{all:?}") };
    let id = proposal["id"].as_str().expect("an id");
    assert_eq!((&proposal["kind"], &proposal["from"]), (&"merge".into(), &from.to_string_lossy().into()));
    assert_eq!(proposal["there"], serde_json::json!(["same.md"]));
    assert_eq!(
        proposal["creates"],
        serde_json::json!([
            { "from": "clash.md", "file": "clash_2.md", "clash": true },
            { "from": "new.md", "file": "new.md", "clash": false }
        ])
    );
    let people = machine.run(&["stores"]).out();
    assert!(people.contains("clash_2.md  (both kept") && people.contains(&format!("stores apply {id}")), "{people}");
    assert_eq!((picture(&into), picture(&from)), before, "a preview changes nothing");

    let answer = machine.run(&["--json", "stores", "apply", id]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    let read = |file: &str| fs::read_to_string(into.join(file)).expect("a file");
    assert!(read("clash.md").contains("The one.") && read("clash_2.md").contains("The other."));
    assert!(read("new.md").contains("[c](clash_2.md)"), "links follow: {}", read("new.md"));
    let index = read("MEMORY.md");
    for line in ["- [Mine](mine.md) — m", "Written by hand.", "[Other](clash_2.md)", "[New](new.md)"] {
        assert_eq!(index.matches(line).count(), 1, "{line} in {index}");
    }
    assert_eq!(picture(&from), before.1, "the source is left as it is");
    let time = |path: PathBuf| fs::metadata(path).and_then(|meta| meta.modified()).expect("a time");
    assert_eq!(time(into.join("clash_2.md")), time(from.join("clash.md")), "the claim keeps its age");

    assert!(proposals(&machine).is_empty());
    let landed = contents(&into);
    let again = machine.run(&["--json", "stores", "apply", id]);
    assert_eq!((again.code(), &again.json()["history"]), (0, &Value::Null));
    assert_eq!(contents(&into), landed, "a second time changes nothing");

    let undone = machine.run(&["--memory-dir", into.to_str().expect("UTF-8"), "undo"]);
    assert_eq!(undone.code(), 0, "{}", undone.err());
    assert_eq!(contents(&into), contents_of(&before.0));
    assert_eq!(proposals(&machine).len(), 1, "taken back, it is proposed again");
}

fn contents_of(
    picture: &std::collections::BTreeMap<PathBuf, (Vec<u8>, std::time::SystemTime)>,
) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
    picture.iter().map(|(path, (bytes, _))| (path.clone(), bytes.clone())).collect()
}

#[test]
fn fc_132_what_was_merged_and_then_removed_or_edited_does_not_come_again() {
    let (machine, into, _) = split();
    let id = proposals(&machine)[0]["id"].as_str().expect("an id").to_owned();
    machine.run(&["stores", "apply", &id]);
    fs::write(into.join("clash_2.md"), topic("Edited since.")).expect("written");
    machine.run(&["--memory-dir", into.to_str().expect("UTF-8"), "rm", "new.md"]);
    let landed = contents(&into);
    assert_eq!(machine.run(&["stores", "apply", &id]).code(), 0);
    assert_eq!(contents(&into), landed);
}

#[test]
fn a_secret_in_one_memory_is_set_aside_and_the_rest_is_merged() {
    let (machine, into, from) = split();
    let key = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
    fs::write(from.join("token.md"), topic(&format!("The token is {key}."))).expect("written");
    let id = proposals(&machine)[0]["id"].as_str().expect("an id").to_owned();
    let answer = machine.run(&["--json", "stores", "apply", &id]);
    assert_eq!(answer.code(), 3, "{}", answer.err());
    assert_eq!(answer.json()["held"][0]["file"], "token.md");
    assert!(!answer.out().contains(&key) && !into.join("token.md").exists() && into.join("new.md").exists());
    assert!(!fs::read_to_string(into.join("MEMORY.md")).expect("an index").contains("token.md"));
}

#[test]
fn an_unknown_proposal_is_not_found_and_changes_nothing() {
    let (machine, into, _) = split();
    let before = picture(&into);
    let answer = machine.run(&["stores", "apply", "merge-00000000"]);
    assert_eq!(answer.code(), 1);
    assert!(answer.err().contains("dreamtop stores"), "{}", answer.err());
    assert_eq!(picture(&into), before);
}

#[test]
fn fc_131_an_adopted_orphan_fills_the_new_projects_empty_store() {
    let machine = Machine::new();
    let (old, new) = (machine.path("old"), machine.path("new"));
    machine.write("new/.git/config", "[remote \"origin\"]\n\turl = https://github.com/me/app.git\n");
    machine.write("claude/.claude.json", format!(r#"{{"githubRepoPaths":{{"me/app":["{}"]}}}}"#, old.display()));
    let folder = |path: &PathBuf| format!("claude/projects/{}", dreamtop::project::slug(&path.to_string_lossy()));
    for path in [&old, &new] {
        let line = format!(r#"{{"type":"user","uuid":"1","cwd":"{}","message":{{"content":"hi"}}}}"#, path.display());
        machine.write(&format!("{}/s.jsonl", folder(path)), line + "\n");
    }
    machine.write(&format!("{}/memory/a.md", folder(&old)), topic("A fact."));
    let all = proposals(&machine);
    assert_eq!((all.len(), &all[0]["kind"]), (1, &"adopt".into()));
    assert!(all[0]["why"].as_str().expect("why").contains("the same remote"));
    let listing = machine.run(&["--json", "ls", "--all"]).json();
    let store = &listing["stores"][0];
    assert_eq!((&store["odd"][0]["code"], &store["kind"]), (&"orphan".into(), &"project".into()));
    assert_eq!(store["decided_by"], "the cwd in its transcripts");
    let answer = machine.run(&["stores", "apply", all[0]["id"].as_str().expect("an id")]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    let memory = machine.path(&folder(&new)).join("memory");
    assert!(fs::read_to_string(memory.join("MEMORY.md")).expect("an index").contains("(a.md)"));
    assert_eq!(fs::read(memory.join("a.md")).expect("a memory"), topic("A fact.").into_bytes());
    assert!(proposals(&machine).is_empty());
}

#[test]
fn fc_140_a_memory_whose_session_was_swept_says_so_and_sessions_about_to_go_are_counted() {
    let machine = Machine::new();
    let app = machine.path("app");
    fs::create_dir_all(&app).expect("a project");
    let folder = format!("claude/projects/{}", dreamtop::project::slug(&app.to_string_lossy()));
    let memory = "---\nname: a\ndescription: d\ntype: user\noriginSessionId: swept\n---\n\nA.\n";
    machine.write(&format!("{folder}/memory/a.md"), memory);
    let project = ["--project", app.to_str().expect("UTF-8")];
    let shown = machine.run(&[&project[..], &["show", "a"]].concat());
    assert!(shown.code() == 0 && shown.out().contains("source no longer on disk"), "{}", shown.out());
    let now: chrono::DateTime<chrono::Utc> = machine.now.parse().expect("an instant");
    for (session, days) in [("old", 28), ("young", 3)] {
        let at = now - chrono::TimeDelta::days(days);
        let line = format!(
            r#"{{"type":"user","uuid":"1","sessionId":"s","cwd":"{}","timestamp":"{}","message":{{"role":"user","content":"hi"}}}}"#,
            app.display(),
            at.to_rfc3339()
        );
        let path = machine.write(&format!("{folder}/{session}.jsonl"), line + "\n");
        fs::File::options().append(true).open(path).and_then(|file| file.set_modified(at.into())).expect("a time");
    }
    let gates = machine.run(&[&project[..], &["--json", "gates"]].concat()).json();
    assert_eq!(gates["expiring"], 1);
    let gates = machine.run(&[&project[..], &["gates"]].concat());
    assert!(gates.out().contains("1 session not dreamed over yet"), "{}", gates.out());
}

#[cfg(unix)]
#[test]
fn fc_141_a_claude_home_that_cannot_be_read_gives_the_real_reason() {
    let machine = Machine::new();
    machine.write("claude/projects", "a file in the place of the directory");
    let answer = machine.run(&["ls", "--all"]);
    assert_eq!(answer.code(), 5);
    assert!(answer.err().contains("projects") && !answer.err().contains("no Claude home"), "{}", answer.err());
    fs::remove_dir_all(machine.path("claude")).expect("removed");
    std::os::unix::fs::symlink("claude", machine.path("claude")).expect("a loop");
    let answer = machine.run(&["ls", "--all"]);
    assert!(answer.code() == 5 && !answer.err().contains("there is no"), "{}", answer.err());
}

#[cfg(unix)]
#[test]
fn fc_141_a_claude_home_on_another_disk_is_read_and_written_like_any_other() {
    let (machine, into, _) = split();
    fs::rename(machine.path("claude"), machine.path("disk2")).expect("moved");
    std::os::unix::fs::symlink(machine.path("disk2"), machine.path("claude")).expect("a link");
    let id = proposals(&machine)[0]["id"].as_str().expect("an id").to_owned();
    assert_eq!(machine.run(&["stores", "apply", &id]).code(), 0);
    assert!(into.join("new.md").exists());
}

#[test]
fn fc_125_a_session_in_a_shared_folder_counts_for_the_project_its_cwd_names() {
    let machine = Machine::new();
    let (one, other) = (machine.path("a_b"), machine.path("a.b"));
    let folder = format!("claude/projects/{}", dreamtop::project::slug(&one.to_string_lossy()));
    machine.write(&format!("{folder}/memory/a.md"), topic("A fact."));
    for (path, sessions) in [(&one, 2), (&other, 3)] {
        fs::create_dir_all(path).expect("a project");
        for number in 0..sessions {
            let line = format!(
                r#"{{"type":"user","uuid":"{sessions}-{number}","cwd":"{}","timestamp":"2026-11-29T09:00:00Z","message":{{"role":"user","content":"hi"}}}}"#,
                path.display()
            );
            machine.write(&format!("{folder}/{sessions}{number}.jsonl"), line + "\n");
        }
    }
    for (path, figure) in [(&one, "2/5"), (&other, "3/5")] {
        let answer = machine.run(&["--json", "--project", path.to_str().expect("UTF-8"), "gates"]);
        let sessions = answer.json()["dream"][3]["short"].as_str().expect("a figure").to_owned();
        assert!(sessions.starts_with(figure), "{sessions}");
        assert!(answer.err().contains("2 projects share the folder"), "{}", answer.err());
    }
    // Through the memory directory nobody has said which one is meant.
    let store = machine.path(&folder).join("memory");
    let gates = machine.run(&["--json", "--memory-dir", store.to_str().expect("UTF-8"), "gates"]).json();
    assert_eq!(gates["dream"][3]["short"], "0/5 sessions");
    let listing = machine.run(&["ls", "--all"]).out();
    assert!(listing.contains("shared-folder: 2 projects share this folder"), "{listing}");
}

/// A project whose store holds a memory of its own and one that another project's session wrote.
fn strayed() -> (Machine, PathBuf, PathBuf) {
    let machine = Machine::new();
    let folder = |name: &str| {
        let path = machine.path(name);
        fs::create_dir_all(&path).expect("a project");
        let folder = format!("claude/projects/{}", dreamtop::project::slug(&path.to_string_lossy()));
        let line = format!(r#"{{"type":"user","uuid":"1","cwd":"{}","message":{{"content":"hi"}}}}"#, path.display());
        machine.write(&format!("{folder}/{name}-session.jsonl"), line + "\n");
        format!("{folder}/memory")
    };
    let (wrong, right) = (folder("wrong"), folder("right"));
    for (file, session) in [("own.md", "wrong-session"), ("strayed.md", "right-session"), ("swept.md", "gone")] {
        let text = format!(
            "---\nname: x\ndescription: \"d\"\nmetadata:\n  type: project\n  originSessionId: {session}\n---\n\nFrom {session}.\n"
        );
        let path = machine.write(&format!("{wrong}/{file}"), text);
        let written = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_780_000_000);
        fs::File::options().write(true).open(path).and_then(|file| file.set_modified(written)).expect("a time");
    }
    let index =
        "# Index\n\nBy hand.\n\n- [Own](own.md) — o\n- [Strayed](strayed.md) — its own hook\n- [Swept](swept.md) — s\n";
    machine.write(&format!("{wrong}/MEMORY.md"), index);
    let (wrong, right) = (machine.path(&wrong), machine.path(&right));
    (machine, wrong, right)
}

#[test]
fn fc_130_a_move_to_the_project_whose_sessions_wrote_it_is_proposed_and_keeps_line_and_time() {
    let (machine, wrong, right) = strayed();
    let before = picture(&wrong);
    let all = proposals(&machine);
    let [proposal] = all.as_slice() else { panic!("{all:#?}") };
    let id = proposal["id"].as_str().expect("an id");
    assert_eq!((&proposal["kind"], &proposal["into"]), (&"move".into(), &right.to_string_lossy().into()));
    assert_eq!(proposal["creates"][0]["file"], "strayed.md");
    assert_eq!(proposal["index_lines"], serde_json::json!(["- [Strayed](strayed.md) — its own hook"]), "no other line");
    assert!(machine.run(&["stores"]).out().contains("they leave the first store, for the trash"));
    assert!(picture(&wrong) == before && !right.exists(), "a proposal changes nothing");

    let answer = machine.run(&["--json", "stores", "apply", id]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    let entry = answer.json()["history"].as_str().expect("a history entry").to_owned();
    assert!(!wrong.join("strayed.md").exists() && wrong.join("own.md").exists() && wrong.join("swept.md").exists());
    let (bytes, time) = before.get(&wrong.join("strayed.md")).expect("it was there");
    let landed = picture(&right);
    assert_eq!(landed.get(&right.join("strayed.md")), Some(&(bytes.clone(), *time)), "bytes and time are kept");
    let index = fs::read_to_string(right.join("MEMORY.md")).expect("an index");
    assert!(index.contains("- [Strayed](strayed.md) — its own hook") && !index.contains("By hand"), "{index}");
    let left = fs::read_to_string(wrong.join("MEMORY.md")).expect("an index");
    assert!(left.contains("By hand.") && left.contains("own.md") && !left.contains("strayed.md"), "{left}");
    assert!(proposals(&machine).is_empty());

    // Both halves are taken back from wherever one is, by the id alone.
    let out = answer.err();
    let removed = out.split("dreamtop undo ").nth(1).and_then(|rest| rest.split('`').next()).expect("an id").to_owned();
    for id in [removed, entry] {
        assert_eq!(machine.run(&["undo", &id]).code(), 0, "{id}");
    }
    assert_eq!(contents(&wrong), contents_of(&before));
    assert!(!right.join("strayed.md").exists());
}

#[test]
fn fc_130_memories_of_sessions_that_are_gone_or_whose_folder_projects_share_are_not_proposed() {
    let (machine, _, right) = strayed();
    assert_eq!(proposals(&machine).len(), 1);
    // The folder of the session becomes one of two projects: whose it is, is not known.
    let shared = right.parent().expect("a folder").file_name().expect("a name").to_string_lossy().into_owned();
    let twin = machine.path("right");
    let line = |path: &std::path::Path| {
        format!(r#"{{"type":"user","uuid":"2","cwd":"{}","message":{{"content":"hi"}}}}"#, path.display()) + "\n"
    };
    assert_eq!(dreamtop::project::slug(&twin.to_string_lossy()), shared);
    let alike = std::path::PathBuf::from(twin.to_string_lossy().replace('/', "-").replacen('-', "/", 1));
    machine.write(&format!("claude/projects/{shared}/second.jsonl"), line(&alike));
    assert!(proposals(&machine).is_empty(), "{:#?}", proposals(&machine));
}

#[test]
fn what_stores_apply_did_is_taken_back_by_its_id_alone() {
    let (machine, into, _) = split();
    let before = contents(&into);
    let id = proposals(&machine)[0]["id"].as_str().expect("an id").to_owned();
    let landed = machine.run(&["--json", "stores", "apply", &id]).json();
    let entry = landed["history"].as_str().expect("an entry");
    assert_ne!(contents(&into), before);
    let undone = machine.run(&["undo", entry]);
    assert_eq!(undone.code(), 0, "{}", undone.err());
    assert_eq!(contents(&into), before);
    let unknown = machine.run(&["undo", "20260101T000000-00000000"]);
    assert_eq!(unknown.code(), 1, "{}", unknown.err());
}
