#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
use super::*;

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
}

fn fold(events: Vec<RunEvent>) -> RunView {
    let mut view = RunView::new("dream-x");
    for (seconds, event) in (0..).zip(events) {
        view.apply(&Stamped { at: at(seconds), event });
    }
    view
}

fn started() -> RunEvent {
    RunEvent::Started {
        run: "dream-x".into(),
        kind: JobKind::Dream,
        engine: "script".into(),
        store: "/s".into(),
        project: "acme".into(),
        pid: 7,
        birth: None,
        sessions: vec!["s1".into()],
        dry_run: false,
        trigger: "hand".into(),
        budget: None,
        place: crate::process::Place::here(),
        leads_group: false,
    }
}

fn ended(outcome: Outcome) -> RunEvent {
    RunEvent::Ended {
        outcome,
        reason: "because".into(),
        killed_by: None,
        changes: Vec::new(),
        held: Vec::new(),
        history: None,
        inbox: None,
        notice: None,
        ms: 9,
    }
}

#[test]
fn the_status_is_starting_until_a_file_is_touched_then_updating_then_ended() {
    let touched = |op| RunEvent::Touched { file: "a.md".into(), op };
    assert_eq!(fold(vec![started(), RunEvent::Text { text: "hm".into() }]).status, RunStatus::Starting);
    let view = fold(vec![started(), touched(TouchOp::Created), touched(TouchOp::Removed)]);
    assert_eq!(view.status, RunStatus::Updating);
    assert_eq!(view.touched, [("a.md".to_owned(), TouchOp::Removed)]);
    assert_eq!(fold(vec![started(), ended(Outcome::Done)]).status, RunStatus::Ended);
}

#[test]
fn where_a_run_is_is_said_by_its_phase_once_there_is_one_and_by_its_status_before() {
    let phase = |phase| RunEvent::Phase { phase };
    let touched = RunEvent::Touched { file: "a.md".into(), op: TouchOp::Created };
    let said = |events| {
        let view = fold(events);
        (view.word(), view.stage(), view.to_json()["status"].as_str().unwrap().to_owned())
    };
    let words = |word, stage: &str, status: &str| (word, stage.to_owned(), status.to_owned());
    assert_eq!(said(vec![started()]), words("starting", "starting", "starting"));
    assert_eq!(said(vec![started(), touched.clone()]), words("updating", "updating", "updating"));
    let gathers = vec![started(), phase(Phase::Orient), phase(Phase::Gather)];
    assert_eq!(said(gathers.clone()), words("gather", "2/4 gather", "starting"));
    let consolidates = [gathers, vec![touched, phase(Phase::Consolidate)]].concat();
    assert_eq!(said(consolidates.clone()), words("consolidate", "3/4 consolidate", "updating"));
    assert_eq!(fold([consolidates, vec![ended(Outcome::Done)]].concat()).word(), "done");
}

#[test]
fn nothing_but_another_end_changes_a_run_that_ended() {
    let view = fold(vec![started(), ended(Outcome::Done), RunEvent::Text { text: "late".into() }]);
    assert_eq!(view.text, None);
    assert_eq!(view.last, Some(at(1)));
}

#[test]
fn phase_times_run_up_to_the_next_phase_and_the_last_one_to_now_or_the_end() {
    let phase = |phase| RunEvent::Phase { phase };
    let mut view = fold(vec![started(), phase(Phase::Orient), phase(Phase::Gather)]);
    assert_eq!(view.phase_times(at(10)), [(Phase::Orient, 1_000), (Phase::Gather, 8_000)]);
    view.apply(&Stamped { at: at(4), event: ended(Outcome::Done) });
    assert_eq!(view.phase_times(at(10)), [(Phase::Orient, 1_000), (Phase::Gather, 2_000)]);
}

#[test]
fn the_tool_log_is_bounded_and_the_count_is_not() {
    let mut events = vec![started()];
    events.extend((0..300).map(|n| RunEvent::Tool { name: "Read".into(), target: n.to_string(), allowed: true }));
    let view = fold(events);
    assert_eq!((view.tool_calls, view.tools.len()), (300, TOOL_LOG));
    assert_eq!(view.tools.last().unwrap().target, "299");
}

#[test]
fn the_json_object_has_the_documented_keys() {
    let tokens = Tokens { input: 1, output: 2, cache_read: 3, cache_created: 4 };
    let json = fold(vec![started(), RunEvent::Usage { tokens, cost: None }, ended(Outcome::Held)]).to_json();
    assert_eq!(json["outcome"], "held");
    assert_eq!(json["status"], "ended");
    assert_eq!(json["kind"], "dream");
    assert_eq!(json["tokens"], json!({"input": 1, "output": 2, "cache_read": 3, "cache_created": 4}));
    for key in [
        "run",
        "engine",
        "store",
        "project",
        "reason",
        "sessions",
        "phases",
        "changes",
        "held",
        "ms",
        "pid",
        "started",
        "tool_calls",
        "touched",
        "notice",
        "history",
        "inbox",
        "dry_run",
    ] {
        assert!(json.get(key).is_some(), "{key}");
    }
}
