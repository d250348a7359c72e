//! What is said while memory is off is never read later: not by the next turn, not by catching up, not by a dream. What was
//! said before and what is said after is.

use std::fs;

use chrono::TimeDelta;
use serde_json::json;

use crate::drive::{Desk, Session, copy_of};

const BEFORE: &str = "Always export icons as SVG.";
const PRIVATE: &str = "Priya owns the billing service.";
const AFTER: &str = "Questions about the schema go to #data-platform.";

fn stored(desk: &Desk) -> Vec<&'static str> {
    let marks = ["SVG", "Priya", "data-platform"];
    marks.into_iter().filter(|mark| desk.memories().iter().any(|(_, text)| text.contains(mark))).collect()
}

fn turn(desk: &Desk, session: &Session<'_>, words: &str) {
    session.turn(words, "Understood.");
    desk.settle();
    desk.later(TimeDelta::minutes(10));
}

/// By every way: the next start, a dream, by hand from the start, a fork.
fn read_all(desk: &Desk, session: &Session<'_>) {
    desk.session().hook("SessionStart", json!({"source": "startup"}));
    desk.settle();
    desk.later(TimeDelta::days(2));
    let transcript = session.transcript.to_string_lossy().into_owned();
    desk.json(&["extract", "--again", "--transcript", &transcript]);
    for is_fork in [true, false] {
        let copy = desk.session();
        copy_of(session, &copy, is_fork);
        let transcript = copy.transcript.to_string_lossy().into_owned();
        desk.json(&["extract", "--again", "--transcript", &transcript]);
    }
    desk.json(&["dream", "--force"]);
}

fn pause(desk: &Desk, arguments: &[&str]) {
    let (code, _) = desk.json(&[&["pause"], arguments].concat());
    assert_eq!(code, 0);
}

#[test]
fn words_of_a_pause_in_the_middle_of_a_session_stay_unsaid_and_those_around_it_do_not() {
    let desk = Desk::within();
    let session = desk.session();
    turn(&desk, &session, BEFORE);
    pause(&desk, &[]);
    desk.later(TimeDelta::minutes(1));
    turn(&desk, &session, PRIVATE);
    pause(&desk, &["--off"]);
    assert_eq!(desk.extractions(), ["hook ran", "hook turns"]);
    desk.later(TimeDelta::minutes(1));
    session.stop("Understood.");
    desk.settle();
    assert_eq!(stored(&desk), ["SVG"], "the next end of a turn");
    turn(&desk, &session, AFTER);
    assert_eq!(stored(&desk), ["SVG", "data-platform"]);
    read_all(&desk, &session);
    assert_eq!(stored(&desk), ["SVG", "data-platform"]);
}

#[test]
fn words_of_a_pause_that_ended_by_itself_stay_unsaid_also_where_no_hook_heard_them() {
    let desk = Desk::within();
    let session = desk.session();
    session.hook("SessionStart", json!({"source": "startup"}));
    pause(&desk, &["2h"]);
    desk.later(TimeDelta::hours(1));
    // It crashes before its turn ends.
    session.says(PRIVATE);
    desk.later(TimeDelta::hours(2));
    read_all(&desk, &session);
    assert_eq!(stored(&desk), [""; 0]);
    let next = desk.session();
    turn(&desk, &next, AFTER);
    assert_eq!(stored(&desk), ["data-platform"]);
}

#[test]
fn a_pause_that_was_begun_again_before_it_ended_is_one() {
    let desk = Desk::within();
    let session = desk.session();
    pause(&desk, &["3d"]);
    desk.later(TimeDelta::minutes(5));
    session.says(PRIVATE);
    desk.later(TimeDelta::minutes(5));
    pause(&desk, &["1h"]);
    desk.later(TimeDelta::hours(3));
    session.says(AFTER);
    desk.later(TimeDelta::minutes(5));
    read_all(&desk, &session);
    assert_eq!(stored(&desk), ["data-platform"]);
}

#[test]
fn what_was_said_before_a_pause_and_not_read_yet_is_read_after_it() {
    let desk = Desk::within();
    desk.configure("extract:\n  every_turns: 3\n");
    let session = desk.session();
    turn(&desk, &session, BEFORE);
    pause(&desk, &[]);
    desk.later(TimeDelta::minutes(1));
    turn(&desk, &session, PRIVATE);
    pause(&desk, &["--off"]);
    desk.later(TimeDelta::minutes(1));
    turn(&desk, &session, AFTER);
    assert_eq!(stored(&desk), [""; 0], "two turns count");
    turn(&desk, &session, "thanks, that is all");
    assert_eq!(stored(&desk), ["SVG", "data-platform"]);
}

#[test]
fn a_clock_that_stands_still_or_was_set_back_during_a_pause_gives_no_word_away() {
    for jump in [TimeDelta::zero(), TimeDelta::hours(-5)] {
        let desk = Desk::within();
        let session = desk.session();
        turn(&desk, &session, BEFORE);
        pause(&desk, &[]);
        desk.later(jump);
        session.turn(PRIVATE, "Understood.");
        pause(&desk, &["--off"]);
        session.turn(AFTER, "Understood.");
        desk.settle();
        assert_eq!(stored(&desk), ["SVG", "data-platform"], "{jump}");
        desk.later(TimeDelta::hours(6));
        read_all(&desk, &session);
        assert_eq!(stored(&desk), ["SVG", "data-platform"], "{jump}");
    }
}

#[test]
fn words_said_in_a_project_while_its_settings_switch_memory_off_stay_unsaid_and_other_projects_go_on() {
    let desk = Desk::within();
    let session = desk.session();
    turn(&desk, &session, BEFORE);
    let settings = desk.project("acme").join(".claude/settings.json");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(&settings, r#"{"autoMemoryEnabled": false}"#).unwrap();
    turn(&desk, &session, PRIVATE);
    let other = desk.session_in(&desk.project("other"));
    turn(&desk, &other, PRIVATE);
    let there = fs::read_dir(desk.store_of(&desk.project("other"))).unwrap().count();
    assert_eq!(there, 2, "a memory and its index");
    fs::remove_file(&settings).unwrap();
    turn(&desk, &session, AFTER);
    assert_eq!(stored(&desk), ["SVG", "data-platform"]);
    session.hook("SessionEnd", json!({"reason": "exit"}));
    desk.settle();
    read_all(&desk, &session);
    assert_eq!(stored(&desk), ["SVG", "data-platform"]);
    let kept = fs::read_to_string(desk.state().store(&desk.store()).join("quiet.json")).unwrap();
    assert!(kept.contains("dreamtop/quiet/1") && !kept.contains("Priya") && !kept.contains("billing"), "{kept}");
}

#[test]
fn a_yes_after_a_pause_takes_nothing_from_what_was_talked_about_in_it() {
    let desk = Desk::within();
    let session = desk.session();
    turn(&desk, &session, BEFORE);
    pause(&desk, &[]);
    desk.later(TimeDelta::minutes(1));
    session.turn("how about the docs?", "I could always ask Priya before I touch the billing service.");
    desk.later(TimeDelta::minutes(1));
    pause(&desk, &["--off"]);
    desk.later(TimeDelta::minutes(1));
    turn(&desk, &session, "yes, always do that");
    assert_eq!(stored(&desk), ["SVG"], "{:?}", desk.memories());
}
