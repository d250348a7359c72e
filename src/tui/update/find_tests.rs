//! Filters, views, full text and sessions: what keys and news do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crossterm::event::KeyEvent;

use super::*;
use crate::filter::views::View;
use crate::memory::{Freshness, Kind};
use crate::recall::find::Voice;
use crate::tui::effect::{FindQuestion, TurnQuestion};
use crate::tui::fixture::*;
use crate::tui::layer::find::{Find, FindNews, FoundFile, FoundHit, FoundPlace, Stand};
use crate::tui::layer::turn::{CallLine, Speaker, Stretch, Turn, TurnLine};
use crate::tui::state::Sort;

fn names(state: &State) -> Vec<&str> {
    let snapshot = state.snapshot().unwrap();
    state.memories.rows.iter().map(|row| snapshot.memories[row.at].name.as_str()).collect()
}

fn filtered(line: &str) -> State {
    let mut state = state(120, 40, four());
    press(&mut state, &["/"]);
    typed(&mut state, line);
    state
}

#[test]
fn filter_words_keep_the_order_of_the_list_and_words_bring_the_best_match_first() {
    assert_eq!(names(&filtered("-type:reference")), ["merge freeze", "backend role", "testing policy"]);
    assert_eq!(names(&filtered("stale")), ["merge freeze"]);
    assert_eq!(names(&filtered("policy")), ["testing policy"]);
    assert!(screen(&filtered("stale")).contains("Memories 1/4 · 1 stale · by need"));
}

#[test]
fn a_value_that_is_not_known_is_said_with_what_is_and_hides_nothing() {
    let state = filtered("type:foo");
    assert_eq!(names(&state).len(), 4);
    assert!(screen(&state).contains("type:foo is not known; accepted: user feedback project reference other none"));
}

#[test]
fn the_tabulator_key_completes_filter_words_and_goes_round_among_several() {
    let mut state = filtered("ty");
    press(&mut state, &["tab"]);
    assert_eq!(state.memories.filter, "type:");
    typed(&mut state, "pr");
    press(&mut state, &["tab"]);
    assert_eq!((state.memories.filter.as_str(), names(&state)), ("type:project ", vec!["merge freeze"]));
    typed(&mut state, "s");
    press(&mut state, &["tab", "tab"]);
    assert_eq!(state.memories.filter, "type:project snoozed");
    assert!(screen(&state).contains("stale snoozed"));
    press(&mut state, &["tab"]);
    assert_eq!(state.memories.filter, "type:project stale");
}

#[test]
fn marks_that_are_filtered_for_follow_the_marks() {
    let mut state = state(120, 40, four());
    press(&mut state, &["space", "space", "/"]);
    typed(&mut state, "marked");
    press(&mut state, &["enter"]);
    assert_eq!(names(&state), ["merge freeze", "backend role"]);
    press(&mut state, &["g", "space"]);
    assert_eq!(names(&state), ["backend role"]);
}

#[test]
fn escape_brings_the_filter_back_that_held_before() {
    let mut state = filtered("stale");
    press(&mut state, &["enter", "/", "ctrl-u"]);
    typed(&mut state, "role");
    press(&mut state, &["esc"]);
    assert_eq!(state.memories.filter, "stale");
}

#[test]
fn a_view_sets_filter_and_order_and_the_ones_that_hold_are_saved_under_a_name() {
    let mut state = state(120, 40, four());
    press(&mut state, &["V", "4"]);
    assert_eq!((state.memories.filter.as_str(), state.memories.sort), ("type:user", Sort::Name));
    assert_eq!(names(&state), ["backend role"]);
    press(&mut state, &["/", "ctrl-u"]);
    typed(&mut state, "role ");
    press(&mut state, &["ctrl-s"]);
    typed(&mut state, "about me");
    let effects = press(&mut state, &["enter"]);
    let view = View { name: "about me".to_owned(), filter: "role".to_owned(), sort: "name".to_owned() };
    assert_eq!(effects, [Effect::SaveView(view.clone())]);
    update(&mut state, AppEvent::Views(Ok(vec![view])));
    press(&mut state, &["esc", "s", "V", "6"]);
    assert_eq!((state.memories.filter.as_str(), state.memories.sort), ("role", Sort::Name));
    press(&mut state, &["V"]);
    assert_eq!(press(&mut state, &["d", "y"]), [Effect::ForgetView("about me".to_owned())]);
    press(&mut state, &["k"]);
    assert_eq!((press(&mut state, &["d"]), told(&state)), (vec![], "The built-in views stay"));
}

#[test]
fn a_name_that_is_built_in_and_a_filter_that_is_empty_are_not_saved() {
    let mut state = filtered("freeze");
    press(&mut state, &["ctrl-s"]);
    typed(&mut state, "Stale");
    assert_eq!(press(&mut state, &["enter"]), []);
    assert!(told(&state).contains("built-in"));
    press(&mut state, &["esc", "esc", "esc", "V", "s"]);
    assert!(told(&state).contains("no filter to save"));
}

fn find(state: &State) -> &Find {
    match state.layers.last() {
        Some(Layer::Find(find)) => find,
        other => panic!("{other:?}"),
    }
}

fn asked(effects: &[Effect]) -> FindQuestion {
    let find = effects.iter().rev().find_map(|effect| match effect {
        Effect::Find(question) => Some(question.clone()),
        _ => None,
    });
    find.expect("a search")
}

fn type_and_ask(state: &mut State, text: &str) -> FindQuestion {
    let mut all = Vec::new();
    for character in text.chars() {
        all.extend(update(
            state,
            AppEvent::Key(KeyEvent::new(
                crossterm::event::KeyCode::Char(character),
                crossterm::event::KeyModifiers::NONE,
            )),
        ));
    }
    asked(&all)
}

fn hit(line: u64, text: &str) -> FoundHit {
    let at = text.find("freeze").unwrap();
    FoundHit { line, text: text.to_owned(), marks: std::iter::once(at..at + 6).collect(), voice: Voice::Person }
}

fn session(path: &str, hits: Vec<FoundHit>) -> FoundFile {
    let place = FoundPlace::Session(path.into());
    FoundFile { place, heading: format!("acme-api · {path}"), hits, has_more: false, copies: Vec::new() }
}

fn memory_file(file: &str, hits: Vec<FoundHit>) -> FoundFile {
    let place = FoundPlace::Memory { store: store_path(), file: file.to_owned() };
    FoundFile { place, heading: format!("acme-api · {file}"), hits, has_more: false, copies: Vec::new() }
}

fn done() -> FindNews {
    FindNews::Done { sessions: 3, skipped: Vec::new(), is_capped: false }
}

/// Two files with three hits.
fn found() -> State {
    let mut state = state(120, 40, four());
    press(&mut state, &["f"]);
    let id = type_and_ask(&mut state, "freeze").id;
    let files = vec![
        memory_file("project_freeze.md", vec![hit(4, "the freeze ends in May")]),
        session("/s/3f2a.jsonl", vec![hit(12, "no, the freeze ends in June"), hit(30, "freeze again")]),
    ];
    update(&mut state, AppEvent::Found { id, news: FindNews::Files(files) });
    update(&mut state, AppEvent::Found { id, news: done() });
    state
}

#[test]
fn every_letter_asks_with_a_higher_number_and_one_letter_is_not_looked_for() {
    let mut state = state(120, 40, four());
    let opened = press(&mut state, &["f", "f"]);
    assert!(matches!(opened[..], [Effect::StopFind(1)]), "{opened:?}");
    let first = type_and_ask(&mut state, "r");
    let second = type_and_ask(&mut state, "e");
    assert_eq!((first.pattern.as_str(), second.pattern.as_str()), ("fr", "fre"));
    assert!(second.id > first.id && second.sessions && !second.all && !second.is_regex);
    let toggled = asked(&press(&mut state, &["ctrl-a", "ctrl-s", "ctrl-r"]));
    assert!(toggled.all && !toggled.sessions && toggled.is_regex);
}

#[test]
fn hits_of_an_older_question_never_show() {
    let mut state = state(120, 40, four());
    press(&mut state, &["f"]);
    let old = type_and_ask(&mut state, "freez").id;
    let new = type_and_ask(&mut state, "e").id;
    let late = vec![session("/s/old.jsonl", vec![hit(1, "old freeze")])];
    update(&mut state, AppEvent::Found { id: old, news: FindNews::Files(late) });
    update(&mut state, AppEvent::Found { id: old, news: done() });
    assert!(find(&state).files.is_empty() && find(&state).is_going());
    update(
        &mut state,
        AppEvent::Found { id: new, news: FindNews::Files(vec![session("/s/new.jsonl", vec![hit(1, "a freeze")])]) },
    );
    assert_eq!(find(&state).length(), 1);
    // What was found for one text is not shown for the next.
    type_and_ask(&mut state, "s");
    assert_eq!(find(&state).length(), 0);
}

#[test]
fn escape_first_stops_a_search_and_then_puts_it_away_and_the_key_brings_it_back() {
    let mut state = state(120, 40, four());
    press(&mut state, &["f"]);
    let id = type_and_ask(&mut state, "freeze").id;
    let files = vec![session("/s/a.jsonl", vec![hit(1, "a freeze")])];
    update(&mut state, AppEvent::Found { id, news: FindNews::Files(files) });
    let effects = press(&mut state, &["esc"]);
    assert!(matches!(effects[..], [Effect::StopFind(stopped)] if stopped > id), "{effects:?}");
    assert_eq!((&find(&state).stand, find(&state).length()), (&Stand::Stopped, 1), "what was found stays");
    update(&mut state, AppEvent::Found { id, news: done() });
    assert_eq!(find(&state).stand, Stand::Stopped);
    press(&mut state, &["esc"]);
    assert!(state.layers.is_empty());
    let again = asked(&press(&mut state, &["f"]));
    assert_eq!(again.pattern, "freeze");
}

#[test]
fn the_place_of_the_selected_hit_is_asked_for_once_and_a_late_one_is_dropped() {
    let mut state = found();
    let preview = |state: &State| find(state).preview.clone().unwrap();
    assert_eq!(preview(&state).0.session, "project_freeze.md");
    let effects = press(&mut state, &["down"]);
    let [Effect::ReadTurn(question)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((question.line, question.is_glance), (Some(12), true));
    let late = TurnQuestion { line: Some(4), ..question.clone() };
    update(&mut state, AppEvent::TurnRead { question: late, result: Err("late".to_owned()) });
    assert!(preview(&state).1.is_none());
    update(&mut state, AppEvent::TurnRead { question: question.clone(), result: Ok(Box::new(stretch(10..15))) });
    assert!(preview(&state).1.is_some());
    assert_eq!(press(&mut state, &["ctrl-e"]), [], "a key that is none asks for nothing");
}

#[test]
fn enter_opens_a_memory_in_full_and_a_session_at_its_turn_over_the_search() {
    let mut state = found();
    press(&mut state, &["enter"]);
    assert!(matches!(state.layers[..], [Layer::Find(_), Layer::Reading(_)]));
    assert_eq!(state.target().unwrap().file, "project_freeze.md");
    press(&mut state, &["esc", "down", "down"]);
    let effects = press(&mut state, &["enter"]);
    let [Effect::ReadTurn(question)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((question.line, question.path.as_deref()), (Some(30), Some("/s/3f2a.jsonl".as_ref())));
    press(&mut state, &["esc"]);
    assert_eq!(find(&state).selected, 2);
}

#[test]
fn copies_are_named_with_the_file_that_was_found_first() {
    let mut state = found();
    let id = find(&state).id;
    let copies = FoundFile {
        hits: Vec::new(),
        copies: vec!["web".to_owned(), "ios".to_owned()],
        ..memory_file("project_freeze.md", vec![])
    };
    update(&mut state, AppEvent::Found { id, news: FindNews::Files(vec![copies]) });
    assert_eq!((find(&state).files.len(), find(&state).length()), (2, 3));
    assert!(screen(&state).contains("3 places: web, ios"), "{}", screen(&state));
}

#[test]
fn a_pattern_that_is_none_and_hits_without_end_are_said() {
    let mut state = found();
    let id = find(&state).id;
    update(
        &mut state,
        AppEvent::Found { id, news: FindNews::Failed("the pattern is not a regular expression".to_owned()) },
    );
    assert!(screen(&state).contains("not a regular expression"));
    update(&mut state, AppEvent::Found { id, news: FindNews::Done { sessions: 9, skipped: vec![], is_capped: true } });
    assert!(screen(&state).contains("there are more"));
}

/// Turns of one line each, the assistant's with a call.
fn stretch(lines: std::ops::Range<u64>) -> Stretch {
    let turn = |number: u64| {
        let speaker = if number.is_multiple_of(2) { Speaker::Person } else { Speaker::Assistant };
        let mut turn = TurnLine::said(number, speaker, format!("turn {number} says something"));
        if number % 2 == 1 {
            let (tool, brief) = ("Bash".to_owned(), format!("make {number}"));
            turn.calls = vec![CallLine {
                tool,
                brief,
                input: format!("command: make {number}"),
                result: Some("hidden pearl".to_owned()),
                is_error: false,
            }];
        }
        turn
    };
    let wanted = lines.start + (lines.end - lines.start) / 2;
    Stretch {
        title: "acme-api · session 3f2a51c0".to_owned(),
        turns: lines.clone().map(turn).collect(),
        lines: (lines.start, lines.end - 1),
        total: Some(1_000),
        wanted,
        note: None,
    }
}

fn viewer(state: &State) -> &Turn {
    match state.layers.last() {
        Some(Layer::Turn(turn)) => turn,
        other => panic!("{other:?}"),
    }
}

/// A session of a thousand lines, read around line 20 of 10 to 30.
fn looking() -> State {
    let mut state = state(80, 24, four());
    let question = TurnQuestion { session: "3f2a51c0".to_owned(), line: Some(20), ..TurnQuestion::default() };
    state.layers.push(Layer::Turn(Box::new(Turn::of(&question))));
    update(&mut state, AppEvent::TurnRead { question, result: Ok(Box::new(stretch(10..31))) });
    state
}

fn under_cursor(state: &State) -> (u64, &str) {
    let row = &viewer(state).rows[viewer(state).cursor];
    (row.line, row.text.as_str())
}

#[test]
fn a_session_opens_at_the_turn_with_calls_on_one_line_and_unfolds_them() {
    let mut state = looking();
    assert_eq!(under_cursor(&state), (20, "person, line 20"));
    assert!(screen(&state).contains("+ Bash make 21") && !screen(&state).contains("hidden pearl"));
    press(&mut state, &["j", "j", "j", "j", "j"]);
    assert_eq!(under_cursor(&state), (21, "+ Bash make 21"));
    press(&mut state, &["enter"]);
    assert_eq!(under_cursor(&state), (21, "− Bash make 21"));
    assert!(screen(&state).contains("hidden pearl"));
    press(&mut state, &["space"]);
    assert!(!screen(&state).contains("hidden pearl"));
}

#[test]
fn the_next_and_the_last_thing_the_person_said_are_one_key_away() {
    let mut state = looking();
    press(&mut state, &["J"]);
    assert_eq!(under_cursor(&state).0, 22);
    press(&mut state, &["K", "K"]);
    assert_eq!(under_cursor(&state).0, 18);
}

#[test]
fn a_search_goes_from_match_to_match_unfolds_what_holds_one_and_leaves_the_stretch_for_the_next() {
    let mut state = looking();
    press(&mut state, &["/"]);
    typed(&mut state, "turn 2");
    press(&mut state, &["enter"]);
    assert_eq!(under_cursor(&state), (20, "turn 20 says something"));
    press(&mut state, &["n"]);
    assert_eq!(under_cursor(&state).0, 21);
    press(&mut state, &["N"]);
    assert_eq!(under_cursor(&state).0, 20);
    let effects = press(&mut state, &["N"]);
    let [Effect::ReadTurn(question)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((question.line, question.seek.clone()), (Some(10), Some(("turn 2".to_owned(), false))));
    // Nothing above: the cursor stays.
    let result = Ok(Box::new(Stretch { wanted: 10, ..stretch(1..20) }));
    update(&mut state, AppEvent::TurnRead { question: question.clone(), result });
    assert!(told(&state).contains("No match further above"));
    assert_eq!(under_cursor(&state).0, 20);
    press(&mut state, &["g", "/"]);
    typed(&mut state, "pearl");
    assert_eq!(under_cursor(&state), (11, "hidden pearl"));
    assert!(!screen(&state).contains("− Bash make 13"), "only what is gone to is unfolded");
    press(&mut state, &["enter", "n"]);
    assert_eq!(under_cursor(&state), (13, "hidden pearl"));
    press(&mut state, &["N"]);
    assert_eq!(under_cursor(&state), (11, "hidden pearl"));
    let mut effects = Vec::new();
    for _ in 0..30 {
        effects = press(&mut state, &["n"]);
        if !effects.is_empty() {
            break;
        }
    }
    let [Effect::ReadTurn(question)] = effects.as_slice() else { panic!("{effects:?}") };
    let result = Ok(Box::new(Stretch { wanted: 501, ..stretch(490..510) }));
    update(&mut state, AppEvent::TurnRead { question: question.clone(), result });
    assert_eq!(under_cursor(&state), (501, "hidden pearl"));
}

#[test]
fn a_word_that_is_not_near_is_looked_for_in_the_rest_of_the_session_when_it_is_asked_for() {
    let mut state = looking();
    press(&mut state, &["/"]);
    typed(&mut state, "turn 505");
    let effects = press(&mut state, &["enter"]);
    let [Effect::ReadTurn(question)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(question.seek, Some(("turn 505".to_owned(), true)));
    let result = Ok(Box::new(Stretch { wanted: 505, ..stretch(490..510) }));
    update(&mut state, AppEvent::TurnRead { question: question.clone(), result });
    assert_eq!(under_cursor(&state).0, 505);
}

#[test]
fn at_the_edge_of_what_was_read_the_session_goes_on_and_the_cursor_stays() {
    let mut state = looking();
    let effects = press(&mut state, &["G"]);
    let [Effect::ReadTurn(question)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(question.line, Some(1_000));
    let mut state = looking();
    let mut effects = Vec::new();
    while effects.is_empty() {
        effects = press(&mut state, &["j"]);
    }
    let stands = under_cursor(&state).0;
    let [Effect::ReadTurn(question)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((stands, question.line), (30, Some(30)));
    update(
        &mut state,
        AppEvent::TurnRead {
            question: question.clone(),
            result: Ok(Box::new(Stretch { wanted: 30, ..stretch(20..50) })),
        },
    );
    assert_eq!(under_cursor(&state).0, 30);
    press(&mut state, &["j"]);
    assert_eq!(under_cursor(&state).0, 31);
}

#[test]
fn a_stretch_nobody_asks_for_any_more_is_dropped() {
    let mut state = looking();
    let question = TurnQuestion { session: "3f2a51c0".to_owned(), line: Some(99), ..TurnQuestion::default() };
    update(&mut state, AppEvent::TurnRead { question, result: Ok(Box::new(stretch(90..110))) });
    assert_eq!(under_cursor(&state).0, 20);
}

#[test]
fn the_source_of_a_memory_is_the_recorded_turn_else_the_session_that_its_file_names() {
    let mut state = state(80, 24, four());
    let effects = press(&mut state, &["O"]);
    let [Effect::ReadTurn(question)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((question.line, question.wrote.as_deref()), (None, Some("project_freeze.md")));
    press(&mut state, &["q"]);
    let mut nothing = memory("a.md", "a", Kind::User, 1, Freshness::Fresh);
    nothing.origin_session = None;
    scanned(&mut state, vec![nothing]);
    assert_eq!(press(&mut state, &["O"]), []);
    assert!(told(&state).contains("no session is recorded"), "{}", told(&state));
}

fn click(state: &mut State, column: u16, row: u16) -> Vec<Effect> {
    let kind = crossterm::event::MouseEventKind::Down(crossterm::event::MouseButton::Left);
    let modifiers = crossterm::event::KeyModifiers::NONE;
    update(state, AppEvent::Mouse(crossterm::event::MouseEvent { kind, column, row, modifiers }))
}

#[test]
fn a_click_selects_a_hit_and_a_second_one_goes_there() {
    let mut state = found();
    let area = crate::tui::view::find::list_area(&state);
    click(&mut state, area.x + 4, area.y + 4);
    assert_eq!(find(&state).selected, 2);
    assert_eq!(click(&mut state, area.x + 4, area.y + 2), [], "a heading is no hit");
    let effects = click(&mut state, area.x + 4, area.y + 4);
    assert!(matches!(effects[..], [Effect::ReadTurn(_)]), "{effects:?}");
}

#[test]
fn a_click_takes_the_cursor_of_a_session_and_unfolds_a_call() {
    let mut state = looking();
    let at = viewer(&state).rows.iter().position(|row| row.text.starts_with("+ Bash make 21")).unwrap()
        - viewer(&state).scroll;
    let row = u16::try_from(at).unwrap() + 2;
    click(&mut state, 10, row);
    assert_eq!(under_cursor(&state).1, "+ Bash make 21");
    click(&mut state, 10, row);
    assert!(screen(&state).contains("hidden pearl"));
}

#[test]
fn the_footer_of_a_memory_offers_no_turns_and_no_calls() {
    let mut state = looking();
    assert!(screen(&state).contains("Enter unfold") && screen(&state).contains("J next person"), "{}", screen(&state));
    let question = TurnQuestion { session: "project_freeze.md".to_owned(), line: Some(1), ..TurnQuestion::default() };
    state.layers.push(Layer::Turn(Box::new(Turn::of(&question))));
    let turns = vec![TurnLine::said(1, Speaker::File, "Merges are frozen.".to_owned())];
    let file = Stretch { turns, lines: (1, 1), total: Some(1), wanted: 1, ..Stretch::default() };
    update(&mut state, AppEvent::TurnRead { question, result: Ok(Box::new(file)) });
    let text = screen(&state);
    assert!(text.contains("Merges are frozen.") && text.contains("Esc close"), "{text}");
    assert!(!text.contains("unfold") && !text.contains("next person"), "{text}");
}
