//! Large changes while a session of the same project is at work: its file under `sessions/` is looked at, nothing waits for it.

use std::path::Path;

use serde_json::json;

use crate::common::Machine;

/// Says in the Claude home that this very process is a session of a project.
fn session_at(machine: &Machine, cwd: &Path, status: &str) {
    let pid = std::process::id();
    let born = dreamtop::process::birth(pid).expect("a birth");
    let start = born.split_once('@').map_or(born.as_str(), |(ticks, _)| ticks);
    let text =
        json!({"pid": pid, "procStart": start, "cwd": cwd, "status": status, "startedAt": 1_796_029_200_000_i64});
    machine.write(&format!("claude/sessions/{pid}.json"), text.to_string());
}

fn notices(run: &serde_json::Value) -> String {
    run["notices"].to_string()
}

#[test]
fn a_dream_that_changes_many_files_says_that_a_session_of_the_project_is_running() {
    let machine = Machine::with_sample();
    session_at(&machine, &machine.path("checkouts/acme-api"), "busy");
    let (code, run) = machine.json("acme-api", &["dream", "--force"]);
    assert_eq!((code, &run["outcome"]), (0, &json!("done")), "it lands all the same: {run:#}");
    let said = notices(&run);
    let pid = std::process::id();
    assert!(
        said.contains("a session of this project is running") && said.contains(&format!("PID {pid}, since")),
        "{said}"
    );
    assert!(!said.contains("right after it landed"), "nobody wrote meanwhile: {said}");
}

#[test]
fn sessions_of_other_projects_and_idle_ones_are_not_spoken_of() {
    for (project, status) in [("tidepool-web", "busy"), ("acme-api", "idle"), ("acme-api", "waiting")] {
        let machine = Machine::with_sample();
        session_at(&machine, &machine.path(&format!("checkouts/{project}")), status);
        let (_, run) = machine.json("acme-api", &["dream", "--force"]);
        assert!(!notices(&run).contains("is running"), "{project} {status}: {run:#}");
    }
}

#[test]
fn odd_files_about_processes_cost_nothing() {
    let machine = Machine::with_sample();
    for (name, text) in
        [("1.json", "{"), ("pid-7.json", "{\"session_id\":\"a\",\"cwd\":\"/\"}"), ("x.json", "[]"), ("y", "")]
    {
        machine.write(&format!("claude/sessions/{name}"), text);
    }
    let (code, run) = machine.json("acme-api", &["dream", "--force"]);
    assert_eq!((code, &run["outcome"]), (0, &json!("done")), "{run:#}");
    assert!(!notices(&run).contains("is running"), "{run:#}");
}

#[test]
fn a_repair_of_many_files_says_so_too_and_one_of_a_few_does_not() {
    for (number, is_said) in [(2, false), (6, true)] {
        let machine = Machine::with_sample();
        let store = machine.sample_store("acme-api");
        session_at(&machine, &machine.path("checkouts/acme-api"), "busy");
        let mut index = String::from("# Index\n\n");
        for at in 0..number {
            let file = format!("project_stub_{at}.md");
            std::fs::write(store.join(&file), "---\nname: \"\"\nmetadata:\n  node_type: memory\n---\n\nText.\n")
                .expect("written");
            index.push_str(&format!("- [Stub {at}]({file}) — what it says, number {at}\n"));
        }
        for entry in std::fs::read_dir(&store).expect("a store").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".md") && !name.starts_with("project_stub_") {
                std::fs::remove_file(entry.path()).expect("removed");
            }
        }
        std::fs::write(store.join("MEMORY.md"), index).expect("written");
        let checkout = machine.path("checkouts/acme-api");
        let answer = machine.run(&["--project", checkout.to_str().expect("UTF-8"), "check", "--fix"]);
        assert!(answer.out().contains("fixed: frontmatter-stub"), "{}{}", answer.out(), answer.err());
        assert_eq!(answer.err().contains("a session of this project is running"), is_said, "{}", answer.err());
    }
}
