#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use chrono::{DateTime, TimeDelta, Utc};

use super::*;
use crate::clock::local_day;
use crate::config::Money;
use crate::memory::{LOCK_FILE, Store};
use crate::project::Decision;
use crate::project::Settings;
use crate::project::settings::Decided;
use crate::run::pause::{self, Asked, Refused};
use crate::run::refusal::Refusal;
use crate::run::schedule::Cursor;
use crate::run::{halt, spent};

struct Site {
    dir: tempfile::TempDir,
    choice: Choice,
    config: Config,
    state: StateDir,
}

fn now() -> DateTime<Utc> {
    "2026-04-09T12:00:00Z".parse().unwrap()
}

fn site() -> Site {
    let dir = tempfile::tempdir().unwrap();
    let (store, sessions) = (dir.path().join("memory"), dir.path().join("sessions"));
    fs::create_dir_all(&store).unwrap();
    fs::create_dir_all(&sessions).unwrap();
    let settings = Settings {
        auto_memory: Decided { value: true, by: "default".into() },
        auto_dream: None,
        memory_directory: None,
        remote: false,
        bare: None,
        notices: Vec::new(),
    };
    let choice = Choice {
        store: Store::at(store),
        decision: Decision::Flag,
        checkout: None,
        title: "acme".into(),
        sessions: vec![sessions],
        home: None,
        settings,
        notices: Vec::new(),
    };
    let state = StateDir::at(dir.path().join("state"));
    Site { dir, choice, config: Config::default(), state }
}

impl Site {
    fn put(&self, path: &Path, content: &str, age_hours: i64) {
        fs::write(path, content).unwrap();
        let file = fs::OpenOptions::new().write(true).open(path).unwrap();
        file.set_modified(SystemTime::from(now() - TimeDelta::hours(age_hours))).unwrap();
    }

    fn last_success(&self, hours_ago: i64) {
        self.put(&self.choice.store.path(LOCK_FILE), "", hours_ago);
    }

    fn session(&self, id: &str, said_hours_ago: i64, entrypoint: &str, sidechain: bool) {
        let at = (now() - TimeDelta::hours(said_hours_ago)).to_rfc3339();
        let line = serde_json::json!({
            "type": "user", "uuid": format!("u-{id}"), "sessionId": id, "timestamp": at, "entrypoint": entrypoint,
            "isSidechain": sidechain, "cwd": "/work/acme", "message": {"role": "user", "content": "please remember this"},
        });
        self.put(&self.choice.sessions[0].join(format!("{id}.jsonl")), &format!("{line}\n"), 0);
    }

    fn gates_at(&self, now: DateTime<Utc>, current: Option<&str>, look: Look) -> GateReport {
        evaluate(&self.choice, &self.config, &self.state, &Clock::Fixed(now), &Environment::default(), current, look)
    }

    fn dream(&self, look: Look) -> Vec<(Option<bool>, String)> {
        let gates = self.gates_at(now(), None, look).dream;
        let names: Vec<_> = gates.iter().map(|gate| gate.gate).collect();
        assert_eq!(names, ["enabled", "time", "throttle", "sessions", "lock"]);
        gates.into_iter().map(|gate| (gate.passed, gate.short)).collect()
    }
}

fn open(short: &str) -> (Option<bool>, String) {
    (Some(true), short.to_owned())
}
fn shut(short: &str) -> (Option<bool>, String) {
    (Some(false), short.to_owned())
}
fn unseen() -> (Option<bool>, String) {
    (None, "–".to_owned())
}

#[test]
fn a_trigger_stops_at_the_first_closed_gate_and_a_report_looks_at_all() {
    let site = site();
    site.last_success(20);
    assert_eq!(site.dream(Look::Trigger), [open("on"), shut("20h"), unseen(), unseen(), unseen()]);
    assert_eq!(site.dream(Look::Report), [open("on"), shut("20h"), open("open"), shut("0/5 sessions"), open("free")]);
}

#[test]
fn only_sessions_in_which_a_person_said_something_new_count() {
    let site = site();
    site.last_success(31);
    for id in ["a", "b", "c"] {
        site.session(id, 2, "cli", false);
    }
    site.session("old-but-touched", 40, "cli", false);
    site.session("headless", 2, "sdk-cli", false);
    site.session("side", 2, "cli", true);
    assert_eq!(site.dream(Look::Report), [open("on"), open("31h"), open("open"), shut("3/5 sessions"), open("free")]);
    let current = site.gates_at(now(), Some("a"), Look::Report).dream;
    assert_eq!(current[3].short, "2/5 sessions");
}

#[test]
fn fc_045_an_old_session_with_new_activity_counts_wherever_the_turn_is() {
    let site = site();
    site.last_success(24);
    site.session("long", 240, "cli", false);
    let path = site.choice.sessions[0].join("long.jsonl");
    let old = fs::read_to_string(&path).unwrap();
    let new = old.replace(&(now() - TimeDelta::hours(240)).to_rfc3339(), &(now() - TimeDelta::hours(1)).to_rfc3339());
    let new = new.replace("u-long", "u-new");
    let filler = format!(
        "{{\"type\":\"progress\",\"text\":\"{}\",\"timestamp\":\"2026-04-09T11:59:00Z\"}}\n",
        "x".repeat(1_000)
    );
    site.put(&path, &format!("{old}{new}{}", filler.repeat(600)), 0);
    assert_eq!(site.dream(Look::Report)[3].1, "1/5 sessions");
    site.put(&path, &format!("{old}{}", filler.repeat(600)), 0);
    assert_eq!(site.dream(Look::Report)[3].1, "0/5 sessions");
}

#[test]
fn the_throttle_lets_one_scan_through_each_ten_minutes_and_a_report_does_not_use_it_up() {
    let site = site();
    assert_eq!(site.dream(Look::Report)[2], open("open"));
    assert_eq!(site.dream(Look::Trigger), [open("on"), open("never"), open("open"), shut("0/5 sessions"), unseen()]);
    assert_eq!(site.dream(Look::Trigger)[2], shut("0m"));
    let later = site.gates_at(now() + TimeDelta::minutes(10), None, Look::Trigger).dream;
    assert_eq!(later[2].short, "10m");
    assert_eq!(later[2].passed, Some(true));
}

#[test]
fn failures_hold_automatic_dreams_back_for_a_while() {
    let site = site();
    let schedule = Schedule::of(&site.state, site.choice.store.root());
    schedule.failed(JobKind::Dream, now()).unwrap();
    let gate = &site.gates_at(now(), None, Look::Report).dream[2];
    assert_eq!(gate.passed, Some(false));
    assert!(gate.detail.contains("1 failure"), "{}", gate.detail);
    assert_eq!(site.gates_at(now() + TimeDelta::minutes(5), None, Look::Report).dream[2].passed, Some(true));
    let set_back = site.gates_at(now() - TimeDelta::days(2), None, Look::Report);
    assert_eq!(set_back.dream[2].passed, Some(true), "a clock set back does not block for days");
}

#[test]
fn automatic_runs_stop_for_the_day_when_its_tokens_or_runs_are_used_up_by_any_store() {
    let mut site = site();
    site.config.dream.budget.runs_a_day = 3;
    let budget = site.config.dream.budget;
    let throttle = |at| site.gates_at(at, None, Look::Report).dream[2].clone();
    let today = local_day(now());
    spent::begin(&site.state, JobKind::Dream, today, "a").unwrap();
    spent::tokens(&site.state, JobKind::Dream, today, "a", budget.tokens_a_day - 1, Money(0)).unwrap();
    spent::tokens(&site.state, JobKind::Extract, today, "x", budget.tokens_a_day, Money(0)).unwrap();
    assert_eq!(throttle(now()).passed, Some(true), "extraction has a budget of its own");
    spent::tokens(&site.state, JobKind::Dream, today, "a", 1, Money(0)).unwrap();
    assert!(throttle(now()).detail.contains("tokens are used up"), "{:?}", throttle(now()));
    assert_eq!((throttle(now()).passed, throttle(now()).short.as_str()), (Some(false), "used up"));
    let tomorrow = now() + TimeDelta::days(1);
    assert_eq!(throttle(tomorrow).passed, Some(true));
    for run in ["b", "c", "d"] {
        spent::begin(&site.state, JobKind::Dream, local_day(tomorrow), run).unwrap();
    }
    assert!(throttle(tomorrow).detail.contains("3 of 3"), "{:?}", throttle(tomorrow));
    assert_eq!(throttle(now()).passed, Some(false), "a clock that goes back to a used-up day finds it so");
}

#[test]
fn a_paused_engine_is_named_with_its_words_and_its_time_and_another_engine_is_not_held_back() {
    let mut site = site();
    site.config.engine = "script:x.jsonl".into();
    let environment = Environment::default();
    let asked = Asked { word: "script:x.jsonl", config: &site.config, environment: &environment };
    let refused = Refused { what: Refusal::Limit, said: "usage limit is reached", by_hand: false };
    pause::begin(&site.state, asked, refused, now()).unwrap();
    let gate = |site: &Site, at| site.gates_at(at, None, Look::Report).dream[2].clone();
    let closed = gate(&site, now());
    assert_eq!((closed.passed, closed.short.as_str()), (Some(false), "paused 60m"));
    assert!(closed.detail.contains("usage limit is reached") && closed.detail.contains("by hand"), "{closed:?}");
    assert_eq!(gate(&site, now() + TimeDelta::minutes(61)).passed, Some(true));
    site.session("a", 2, "cli", false);
    let turns = &site.gates_at(now(), None, Look::Report).extract[2];
    assert!(turns.passed == Some(false) && turns.detail.contains("paused until"), "{turns:?}");
    site.config.engine = "embedded".into();
    assert_eq!(gate(&site, now()).passed, Some(true));
}

#[test]
fn what_makes_automatic_runs_wait_is_said_as_itself_whichever_gate_is_closed_by_it() {
    let said = |site: &Site, begins: &str| {
        site.session("a", 2, "cli", false);
        let report = site.gates_at(now(), None, Look::Report);
        for (gate, name) in [(&report.dream[2], "throttle"), (&report.extract[2], "turns")] {
            assert_eq!((gate.gate, gate.passed), (name, Some(false)), "{begins}");
            let sentence = crate::run::why::sentence(gate);
            assert!(sentence.starts_with(begins) && sentence.contains(&gate.detail), "{sentence}");
        }
    };
    let halted = site();
    halt::begin(&halted.state, now(), Some(TimeDelta::hours(6))).unwrap();
    said(&halted, "Automatic runs wait: you paused everything until");
    let mut refused = site();
    refused.config.engine = "script:x.jsonl".into();
    let environment = Environment::default();
    let asked = Asked { word: "script:x.jsonl", config: &refused.config, environment: &environment };
    let why = Refused { what: Refusal::Limit, said: "usage limit is reached", by_hand: false };
    pause::begin(&refused.state, asked, why, now()).unwrap();
    said(&refused, "Automatic runs are paused until");
    let mut used_up = site();
    (used_up.config.dream.budget.runs_a_day, used_up.config.extract.budget.runs_a_day) = (0, 0);
    said(&used_up, "Automatic runs wait: ");
    let failed = site();
    let schedule = Schedule::of(&failed.state, failed.choice.store.root());
    [JobKind::Dream, JobKind::Extract].into_iter().for_each(|kind| schedule.failed(kind, now()).unwrap());
    said(&failed, "Automatic runs are waiting 5 min");
    // Their own reasons stay theirs.
    let fresh = site();
    schedule_scan(&fresh);
    let own = fresh.gates_at(now(), None, Look::Report).dream[2].clone();
    assert!(crate::run::why::sentence(&own).starts_with("Sessions were looked at a moment ago: "), "{own:?}");
}

fn schedule_scan(site: &Site) {
    Schedule::of(&site.state, site.choice.store.root()).scanned(now()).unwrap();
}

#[test]
fn whatever_switches_dreams_off_is_named() {
    let on = |value, by: &str| Some(Decided { value, by: by.to_owned() });
    let mut site = site();
    let detail = |site: &Site| site.gates_at(now(), None, Look::Report).dream[0].clone();
    site.config.dream.enabled = false;
    assert_eq!(detail(&site).detail, "off: config.yaml, dream.enabled");
    site.choice.settings.auto_dream = on(true, "settings.json, autoDreamEnabled");
    assert_eq!(
        (detail(&site).passed, detail(&site).detail),
        (Some(true), "on: settings.json, autoDreamEnabled".into())
    );
    site.choice.settings.auto_dream = on(false, "settings.json, autoDreamEnabled");
    assert_eq!(detail(&site).passed, Some(false));
    site.choice.settings.auto_dream = on(true, "x");
    site.choice.settings.remote = true;
    assert_eq!(detail(&site).detail, "off: CLAUDE_CODE_REMOTE");
    site.choice.settings.auto_memory = Decided { value: false, by: "CLAUDE_CODE_DISABLE_AUTO_MEMORY".into() };
    assert_eq!(detail(&site).detail, "off: CLAUDE_CODE_DISABLE_AUTO_MEMORY");
    assert_eq!(site.gates_at(now(), None, Look::Report).extract[1].passed, Some(false));
}

#[test]
fn extraction_gates_count_turns_after_the_cursor_and_see_what_the_session_saved_itself() {
    let site = site();
    let extract = |current| {
        let gates = site.gates_at(now(), current, Look::Report).extract;
        gates.into_iter().map(|gate| (gate.gate, gate.passed, gate.short)).collect::<Vec<_>>()
    };
    assert_eq!(extract(None)[2], ("turns", Some(false), "none".into()));
    site.session("a", 2, "cli", false);
    let expected = [("main-agent", "main"), ("enabled", "on"), ("turns", "1/1 turns"), ("already-saved", "none")];
    assert_eq!(extract(Some("a")), expected.map(|(gate, short)| (gate, Some(true), short.to_owned())));
    let path = site.choice.sessions[0].join("a.jsonl");
    let memory = site.choice.store.path("x.md");
    let write = serde_json::json!({"type": "assistant", "uuid": "w", "sessionId": "a", "timestamp": "2026-04-09T11:00:00Z",
        "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Write", "input": {"file_path": memory, "content": "x"}}]}});
    let text = fs::read_to_string(&path).unwrap() + &format!("{write}\n");
    fs::write(&path, &text).unwrap();
    assert_eq!(extract(Some("a"))[3], ("already-saved", Some(false), "saved".into()));
    let end = Cursor { offset: text.len() as u64, line: 2, uuid: None };
    Schedule::of(&site.state, site.choice.store.root()).move_cursor("a", &path, &end).unwrap();
    assert_eq!(extract(Some("a"))[2], ("turns", Some(false), "0/1 turns".into()));
    site.session("sub", 1, "cli", true);
    assert_eq!(extract(Some("sub"))[0], ("main-agent", Some(false), "sub-agent".into()));
}

#[test]
fn a_report_leaves_no_trace() {
    let site = site();
    site.session("a", 2, "cli", false);
    site.gates_at(now(), None, Look::Report);
    assert!(!site.dir.path().join("state").exists());
}
