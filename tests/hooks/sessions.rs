//! How sessions go: they end, crash, are resumed, forked and compacted, and work in linked work trees.

use std::fs;

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::drive::{Desk, copy_of};

const RULE: &str = "Remember: integration tests must hit a real database, never mocks.";

#[test]
fn a_sessions_end_reads_what_fewer_turns_than_usual_left() {
    let desk = Desk::within();
    desk.configure("extract:\n  every_turns: 5\n");
    let session = desk.session();
    session.turn(RULE, "Understood.");
    desk.settle();
    assert!(desk.memories().is_empty());
    session.hook("SessionEnd", json!({"reason": "prompt_input_exit"}));
    desk.settle();
    assert_eq!(desk.extractions(), ["hook turns", "session-end ran"]);
    assert_eq!(desk.memories().len(), 1);
    session.hook("SessionEnd", json!({"reason": "other"}));
    assert_eq!(desk.extractions().last().map(String::as_str), Some("session-end turns"));
}

#[test]
fn a_session_that_ended_before_its_first_line_says_so() {
    let desk = Desk::within();
    desk.session().hook("SessionEnd", json!({"reason": "prompt_input_exit"}));
    let reasons: Vec<String> = desk.records().into_iter().map(|record| record.reason).collect();
    assert_eq!(reasons, ["turns: this session has no transcript yet; what is said in it is read once there is one"]);
}

#[test]
fn a_session_that_crashed_is_caught_up_with_when_the_next_one_starts_and_a_running_one_is_not() {
    let desk = Desk::within();
    let crashed = desk.session();
    crashed.hook("SessionStart", json!({"source": "startup"}));
    crashed.says(RULE);
    // Claude Code says which sessions run: the one that crashed is not among them, another one is.
    let running = desk.session();
    running.hook("SessionStart", json!({"source": "startup"}));
    running.says("Remember: never push to main.");
    let own = std::process::id();
    let birth = dreamtop::process::birth(own).unwrap();
    let started = birth.split('@').next().unwrap();
    let entry =
        json!({"pid": own, "sessionId": running.id, "cwd": running.dir, "procStart": started, "status": "busy"});
    desk.machine.write(&format!("claude/sessions/{own}.json"), entry.to_string());
    desk.later(TimeDelta::hours(2));
    desk.session().hook("SessionStart", json!({"source": "startup"}));
    desk.settle();
    assert_eq!(desk.extractions(), ["catch-up ran"]);
    assert!(desk.memories().len() == 1 && desk.memories()[0].1.contains("real database"), "{:?}", desk.memories());
    desk.later(TimeDelta::hours(2));
    desk.session().hook("SessionStart", json!({"source": "startup"}));
    desk.settle();
    assert_eq!(desk.extractions(), ["catch-up ran"], "what was caught up with is done with");
}

#[test]
fn sessions_of_before_the_hooks_start_nothing() {
    let desk = Desk::within();
    for _ in 0..4 {
        desk.session().says(RULE);
    }
    desk.later(TimeDelta::days(2));
    desk.session().hook("SessionStart", json!({"source": "startup"}));
    desk.settle();
    assert!(desk.records().is_empty() && desk.runs().is_empty());
}

#[test]
fn a_resumed_session_goes_on_where_it_was_read_to() {
    let desk = Desk::within();
    let session = desk.session();
    session.turn(RULE, "Understood.");
    desk.settle();
    session.hook("SessionEnd", json!({"reason": "other"}));
    desk.later(TimeDelta::days(1));
    session.hook("SessionStart", json!({"source": "resume"}));
    session.turn("please go on with the build", "Done.");
    desk.settle();
    assert_eq!(desk.extractions(), ["hook ran", "session-end turns", "hook ran"]);
    assert_eq!(desk.memories().len(), 1);
    // An older version resumes into a file of its own, with the old turns in it.
    let copied = desk.session();
    copy_of(&session, &copied, false);
    remove_all(&desk);
    copied.turn("please run the linter", "Done.");
    desk.settle();
    assert!(desk.memories().is_empty(), "a turn that was read where it was said is not read again");
}

#[test]
fn a_fork_is_read_from_where_it_leaves_the_session_it_comes_from() {
    let desk = Desk::within();
    let session = desk.session();
    session.turn(RULE, "Understood.");
    session.turn("please go on with the build", "Done.");
    desk.settle();
    remove_all(&desk);
    let fork = desk.session();
    copy_of(&session, &fork, true);
    fork.hook("SessionStart", json!({"source": "fork"}));
    fork.turn("Remember: Ada owns the billing service.", "Ok.");
    desk.settle();
    let memories = desk.memories();
    assert!(
        memories.len() == 1 && memories[0].1.contains("billing"),
        "what a person removed does not come back: {memories:?}"
    );
}

fn remove_all(desk: &Desk) {
    for (file, _) in desk.memories() {
        fs::remove_file(desk.store().join(file)).unwrap();
    }
    fs::write(desk.store().join("MEMORY.md"), "# Memory Index\n").unwrap();
}

#[test]
fn a_compacted_session_is_read_on_and_its_summary_is_not_the_person() {
    let desk = Desk::within();
    let session = desk.session();
    session.turn("please look at the tests", "Done.");
    desk.settle();
    session.append(&json!({"type": "system", "subtype": "compact_boundary", "uuid": "b", "sessionId": session.id}));
    let mut summary =
        session.line("user", "user", &json!("This session is being continued. Remember: always deploy on Fridays."));
    summary["isCompactSummary"] = json!(true);
    session.append(&summary);
    session.hook("SessionStart", json!({"source": "compact"}));
    session.turn(RULE, "Understood.");
    desk.settle();
    let memories = desk.memories();
    assert!(memories.len() == 1 && memories[0].1.contains("real database"), "{memories:?}");
}

#[test]
fn a_linked_work_tree_and_a_directory_below_write_into_the_main_repositorys_memory() {
    let desk = Desk::within();
    let main = desk.project("acme");
    let tree = desk.machine.path("work/acme-fix");
    fs::create_dir_all(main.join(".git/worktrees/acme-fix")).unwrap();
    fs::write(main.join(".git/worktrees/acme-fix/commondir"), "../..\n").unwrap();
    fs::write(main.join(".git/worktrees/acme-fix/gitdir"), format!("{}\n", tree.join(".git").display())).unwrap();
    fs::write(main.join(".git/worktrees/acme-fix/HEAD"), "ref: refs/heads/fix\n").unwrap();
    fs::create_dir_all(&tree).unwrap();
    fs::write(tree.join(".git"), format!("gitdir: {}\n", main.join(".git/worktrees/acme-fix").display())).unwrap();
    desk.session_in(&tree).turn(RULE, "Understood.");
    desk.settle();
    desk.session_in(&main.join("src")).turn("Remember: Ada owns the billing service.", "Ok.");
    desk.settle();
    assert_eq!(desk.memories().len(), 2, "{:?}", desk.memories());
    assert!(!desk.store_of(&tree).exists());
}

#[test]
fn a_session_that_changes_into_another_repository_stays_with_the_project_it_began_in() {
    let desk = Desk::within();
    let other = desk.project("ledger");
    fs::create_dir_all(other.join(".git")).unwrap();
    fs::write(other.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    let session = desk.session();
    session.says(RULE);
    session.answers("Understood.");
    let mut stop = session.input("Stop", json!({"last_assistant_message": "Understood."}));
    stop["cwd"] = json!(other);
    desk.hook(&stop);
    desk.settle();
    assert_eq!(desk.memories().len(), 1);
    assert!(!desk.store_of(&other).exists());
}

#[test]
fn fc_045_a_dream_that_a_turn_starts_reads_an_old_session_with_new_turns_and_not_the_one_that_goes_on() {
    let desk = Desk::within();
    desk.remember("project_database.md", "project", "We test against a real database.");
    desk.configure("dream:\n  min_sessions: 1\nextract:\n  every_turns: 1000\n");
    let old = desk.session();
    old.says("please look at the tests");
    desk.later(TimeDelta::days(10));
    old.says("and the linter");
    let current = desk.session();
    current.turn("please go on with the build", "Done.");
    desk.settle();
    let dreams: Vec<_> = desk.runs().into_iter().filter(|run| run.id.starts_with("dream")).collect();
    assert_eq!(dreams.len(), 1, "{:?}", desk.records());
    assert_eq!(dreams[0].sessions, std::slice::from_ref(&old.id), "{dreams:?}");
}

/// The line, with the id of the one it answers.
fn below(mut line: Value, parent: &Value) -> Value {
    line["parentUuid"] = parent["uuid"].clone();
    line
}

#[test]
fn what_a_rewind_took_back_is_the_source_of_nothing_and_what_was_said_instead_is() {
    let desk = Desk::within();
    desk.configure("extract:\n  every_turns: 5\n");
    let session = desk.session();
    let user = |text: &str, parent: &Value| below(session.line("user", "user", &json!(text)), parent);
    let answer = |parent: &Value| {
        below(session.line("assistant", "assistant", &json!([{"type": "text", "text": "Noted."}])), parent)
    };
    let hello = user("Hello.", &json!({"uuid": null}));
    let hi = answer(&hello);
    let mondays = user("We always deploy on Mondays.", &hi);
    let noted = answer(&mondays);
    let thursdays = user("We always deploy on Thursdays.", &hi);
    let done = answer(&thursdays);
    for line in [&hello, &hi, &mondays, &noted, &thursdays, &done] {
        session.append(line);
    }
    session.hook("SessionEnd", json!({"reason": "prompt_input_exit"}));
    desk.settle();
    let memories = desk.memories();
    assert!(memories.len() == 1 && memories[0].1.contains("Thursdays"), "{memories:?}");
    assert!(!memories[0].1.contains("Mondays") && !desk.index().contains("Mondays"), "{memories:?}");
}

#[test]
fn what_forks_and_resumptions_copied_counts_once_for_a_dream_and_what_is_said_in_them_counts() {
    let desk = Desk::within();
    let counted = || {
        let (_, gates) = desk.json(&["gates"]);
        let gate = gates["dream"].as_array().unwrap().iter().find(|gate| gate["gate"] == "sessions").unwrap().clone();
        gate["detail"].as_str().unwrap().split(' ').next().unwrap().to_owned()
    };
    desk.remember("project_database.md", "project", "We test against a real database.");
    let first = desk.session();
    first.says("Please look at the tests.");
    first.answers("Done.");
    assert_eq!(counted(), "1/5");
    for number in 0..6 {
        copy_of(&first, &desk.session(), number % 2 == 0);
    }
    assert_eq!(counted(), "1/5", "not a word more was said");
    let fork = desk.session();
    copy_of(&first, &fork, true);
    fork.says("And at the linter.");
    assert_eq!(counted(), "2/5");
    first.says("And at the build.");
    assert_eq!(counted(), "2/5", "the session they come from goes on");
    fs::remove_file(&first.transcript).unwrap();
    assert_eq!(counted(), "2/5", "where it is gone, one of the copies has its words");
}
