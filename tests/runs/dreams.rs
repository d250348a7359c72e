//! Dreams from order to end.

use super::site::*;

#[test]
fn a_scripted_dream_lands_moves_the_schedule_and_leaves_no_copy() {
    let site = Site::new();
    site.session("s1", 2);
    let engine = site.script(&[json!({"phase": "consolidate"}), improve(), because(), json!({"usage": {"output": 7}})]);
    let view = site.run(&site.dream(&engine));
    assert_eq!((view.outcome, view.reason.as_str()), (Some(Outcome::Done), "Improved 1 memory"));
    assert_eq!(view.notice.as_deref(), Some("Improved 1 memory"));
    assert_eq!(view.changes[0].file, "project_testing.md");
    assert_eq!(view.changes[0].sources[0].quote.as_deref(), Some("we never mock the database"));
    assert_eq!(view.touched, [("project_testing.md".to_owned(), TouchOp::Changed)]);
    assert_eq!((view.sessions.as_slice(), view.tokens.output, view.tool_calls), (&["s1".to_owned()][..], 7, 1));
    assert!(view.history.is_some());
    assert!(fs::read_to_string(site.store().join("project_testing.md")).unwrap().contains("*a real database*"));
    assert_eq!(mtime(&site.lock()), site.now);
    assert_eq!(site.record(JobKind::Dream).last_success, Some(site.now));
    assert_eq!(site.copies(), 0);
    assert_eq!(site.journalled(), [view]);
    assert_eq!(site.records(), ["auto_dream_fired", "auto_dream_completed"]);
}

#[test]
fn fc_046_a_run_that_did_no_work_leaves_lock_schedule_and_sessions_as_they_were() {
    let write = json!({"tool": "Write", "input": {"file_path": "new.md", "content": "x"}});
    for (what, script, outcome) in [
        ("polite", vec![json!({"text": "All memories look great!"})], Outcome::Failed),
        ("denied", vec![json!({"tool": "Bash", "input": {"command": "true"}})], Outcome::Failed),
        ("malformed", vec![json!({"tool": "Write", "input": {"path": 1}})], Outcome::Failed),
        ("fails after writing", vec![write.clone(), json!({"error": "overloaded"})], Outcome::Failed),
        (
            "too many tokens",
            vec![write, json!({"usage": {"input": 500_000}, }), json!({"text": "on"})],
            Outcome::Failed,
        ),
    ] {
        let site = Site::new();
        site.session("s1", 2);
        site.put_lock("", TimeDelta::hours(31));
        let before = site.picture();
        let engine = site.script(&script);
        let view = site.run(&site.dream(&engine));
        assert_eq!(view.outcome, Some(outcome), "{what}");
        assert!(!view.reason.is_empty() && view.notice.is_none() && view.changes.is_empty(), "{what}: {view:?}");
        assert_eq!(site.picture(), before, "{what}");
        assert_eq!(site.record(JobKind::Dream).last_success, None, "{what}");
        assert_eq!(site.record(JobKind::Dream).failures, 0, "{what}: what a person tried does not delay others");
        assert_eq!(site.copies(), 0, "{what}");
        assert_eq!(site.run(&site.dream(&engine)).sessions, ["s1"], "{what}: the session still counts");
    }
}

#[test]
fn a_dry_run_lists_what_would_land_and_leaves_no_trace_in_store_and_schedule() {
    let site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    let before = site.picture();
    let engine = site.script(&[improve(), because()]);
    let view = site.run(&Order { dry_run: true, ..site.dream(&engine) });
    assert_eq!(view.outcome, Some(Outcome::Done), "{}", view.reason);
    assert_eq!((view.changes.len(), view.changes[0].file.as_str()), (1, "project_testing.md"));
    assert_eq!((view.history, view.notice), (None, None));
    assert_eq!(site.picture(), before);
    assert_eq!(site.record(JobKind::Dream), Record::default());
}

#[test]
fn asking_first_holds_everything_and_still_counts_as_a_dream() {
    let site = Site::new();
    let engine = site.script(&[improve(), because()]);
    let mut order = site.dream(&engine);
    order.config.dream.apply = Apply::Ask;
    let view = site.run(&order);
    assert_eq!(view.outcome, Some(Outcome::Held), "{}", view.reason);
    assert!(view.inbox.is_some() && view.held.len() == 1 && view.notice.is_none());
    assert_eq!(fs::read_to_string(site.store().join("project_testing.md")).unwrap(), TOPIC);
    assert_eq!(mtime(&site.lock()), site.now);
}

#[test]
fn fc_047_what_could_not_be_done_is_named_and_the_rest_lands() {
    let site = Site::new();
    let bad =
        json!({"tool": "Edit", "input": {"file_path": "project_unknown.md", "old_string": "a", "new_string": "b"}});
    let view = site.run(&site.dream(&site.script(&[bad, improve(), because()])));
    assert_eq!(view.outcome, Some(Outcome::Partial));
    assert!(view.reason.contains("project_unknown.md") && view.changes.len() == 1, "{}", view.reason);
}

#[test]
fn an_engine_that_cannot_be_had_fails_in_words_and_is_journalled() {
    let site = Site::new();
    for (engine, expected) in [("script:nowhere.jsonl", "nowhere.jsonl"), ("gpt", "accepted: embedded")] {
        let view = site.run(&site.dream(engine));
        assert_eq!(view.outcome, Some(Outcome::Failed));
        assert!(view.reason.contains(expected), "{}", view.reason);
    }
    assert_eq!(site.journalled().len(), 2);
    assert!(!site.lock().exists());
}

#[test]
fn a_run_id_that_is_a_path_or_taken_is_refused_before_anything_is_touched() {
    let site = Site::new();
    let engine = site.script(&[improve()]);
    let with_id = |id: &str| {
        let order = Order { run: Some(id.to_owned()), ..site.dream(&engine) };
        let (clock, environment) = (Clock::Fixed(site.now), Environment::of(&site.dir, &[]));
        run_until(&order, &site.state, &clock, &environment, &CancellationToken::new(), IMPATIENT)
    };
    for id in ["..", ".", "", "../../x", "a/b", "/tmp/x", "é", &"x".repeat(200)] {
        assert!(with_id(id).unwrap_err().to_string().contains("no id for a run"), "{id:?}");
    }
    assert_eq!(with_id("dream-mine").unwrap().id, "dream-mine");
    assert!(with_id("dream-mine").unwrap_err().to_string().contains("already"));
    assert_eq!(site.journalled().len(), 1);
}

#[test]
fn no_credential_an_engine_speaks_of_reaches_journal_or_records() {
    let site = Site::new();
    let token = format!("ghp_{}", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5");
    let engine = site.script(&[
        json!({"text": format!("I found {token} in a session.")}),
        json!({"tool": "Grep", "input": {"pattern": token}}),
        improve(),
        json!({"tool": "Edit", "input": {"file_path": format!("{token}.md"), "old_string": "a", "new_string": "b"}}),
        json!({"rationale": {"file": "project_testing.md", "reason": token, "sources": [{"quote": token}]}}),
    ]);
    let view = site.run(&site.dream(&engine));
    assert!(view.tool_calls == 3 && !view.changes.is_empty(), "{view:?}");
    let mut written = fs::read_to_string(site.state.runs().join(format!("{}.jsonl", view.id))).unwrap();
    written += &fs::read_to_string(site.state.log().join("records.jsonl")).unwrap();
    assert!(written.contains("I found") && !written.contains(&token), "{written}");
}

#[test]
fn an_index_that_waits_takes_no_entry_of_a_file_that_lands_with_it() {
    let site = Site::new();
    site.session("s1", 1);
    for name in ["a", "b", "c"] {
        fs::write(site.store().join(format!("project_{name}.md")), TOPIC).unwrap();
    }
    let entries = "- [A](project_a.md) — a\n- [B](project_b.md) — b\n- [C](project_c.md) — c\n";
    fs::write(site.store().join("MEMORY.md"), format!("{INDEX}{entries}")).unwrap();
    let emptied = json!({"tool": "Write", "input": {"file_path": "MEMORY.md", "content": "# Memory Index\n"}});
    let [write, why] = remember();
    let view = site.run(&site.dream(&site.script(&[write, why, emptied])));
    assert_eq!(view.outcome, Some(Outcome::Partial), "{}", view.reason);
    assert!(view.held.iter().any(|held| held.file == "MEMORY.md"), "{view:?}");
    let index = fs::read_to_string(site.store().join("MEMORY.md")).unwrap();
    assert!(site.store().join("project_no_mocks.md").exists() && index.contains("(project_no_mocks.md)"), "{index}");
    assert!(index.starts_with(INDEX) && index.contains(entries), "the rest of the index is as it was: {index}");
}
