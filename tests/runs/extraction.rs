//! Extractions from order to end.

use super::site::*;

#[test]
fn fc_056_extracting_twice_without_anything_new_asks_the_engine_once() {
    let site = Site::new();
    let transcript = site.session("s1", 1);
    let task = Task::Extract { transcript: transcript.clone(), again: false };
    let view = site.run(&site.order(task.clone(), &site.script(&remember())));
    assert_eq!((view.outcome, view.notice.as_deref()), (Some(Outcome::Done), Some("Saved 1 memory")), "{view:?}");
    let again = site.run(&site.order(task.clone(), "script:nowhere.jsonl"));
    assert_eq!(again.outcome, Some(Outcome::Skipped), "{}", again.reason);
    assert!(again.reason.contains("nothing new"), "{}", again.reason);
    site.say(&transcript, "s1", "and one thing more", 0);
    let more = site.run(&site.order(task, &site.script(&[json!({"tool": "Glob", "input": {"pattern": "*.md"}})])));
    assert_eq!((more.outcome, more.notice), (Some(Outcome::Done), None), "{}", more.reason);
}

#[test]
fn a_failed_or_dry_extraction_leaves_the_cursor_where_it_was() {
    let site = Site::new();
    let task = Task::Extract { transcript: site.session("s1", 1), again: false };
    let failed = site.run(&site.order(task.clone(), &site.script(&[json!({"error": "overloaded"})])));
    assert_eq!(failed.outcome, Some(Outcome::Failed));
    let dry = Order { dry_run: true, ..site.order(task.clone(), &site.script(&remember())) };
    assert_eq!(site.run(&dry).changes.len(), 2);
    let view = site.run(&site.order(task, &site.script(&remember())));
    assert_eq!(view.outcome, Some(Outcome::Done), "{}", view.reason);
}

#[test]
fn a_trigger_during_an_extraction_is_answered_by_one_trailing_run() {
    let site = Arc::new(Site::new());
    let transcript = site.session("s1", 1);
    let task = Task::Extract { transcript: transcript.clone(), again: false };
    let mut script = vec![json!({"delay_ms": 300})];
    script.extend(remember());
    let engine = site.script(&script);
    let first = {
        let (site, order) = (Arc::clone(&site), site.order(task.clone(), &engine));
        std::thread::spawn(move || site.run(&order))
    };
    let started = Instant::now();
    while !site.journalled().iter().any(RunView::is_live) {
        assert!(started.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(10));
    }
    site.say(&transcript, "s1", "and one thing more", 0);
    let second = site.run(&site.order(task, &engine));
    assert_eq!(second.outcome, Some(Outcome::Skipped));
    assert!(second.reason.contains("will look once more"), "{}", second.reason);
    assert_eq!(first.join().unwrap().outcome, Some(Outcome::Done));
    let done = site.journalled().into_iter().filter(|run| run.outcome == Some(Outcome::Done)).count();
    assert_eq!(done, 2);
}
