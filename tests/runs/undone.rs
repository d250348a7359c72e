//! A dream that is taken back gives the schedule back: what it read counts as new again, and nothing redoes it at once.

use super::site::*;
use dreamtop::change::Door;
use dreamtop::memory::Store;
use dreamtop::run::gates::{Gate, Look, evaluate};
use dreamtop::run::ledger::Ledger;
use dreamtop::run::undo::undo;

fn gate(site: &Site, name: &str, now: DateTime<Utc>) -> Gate {
    let order = site.dream("embedded");
    let report = evaluate(
        &order.choice,
        &order.config,
        &site.state,
        &Clock::Fixed(now),
        &Environment::default(),
        None,
        Look::Report,
    );
    report.dream.into_iter().find(|gate| gate.gate == name).unwrap()
}

fn take_back(site: &Site, what: &str, now: DateTime<Utc>) -> String {
    let door = Door::new(site.state.clone(), Clock::Fixed(now));
    undo(&door, &Store::at(site.store()), what).unwrap().history.unwrap()
}

fn swap(site: &Site, old: &str, new: &str) -> RunView {
    let edit =
        json!({"tool": "Edit", "input": {"file_path": "project_testing.md", "old_string": old, "new_string": new}});
    let engine = site.script(&[edit, because(), json!({"text": "done"})]);
    let view = site.run(&site.dream(&engine));
    assert_eq!(view.outcome, Some(Outcome::Done), "{view:?}");
    view
}

#[test]
fn an_undone_dream_gives_back_the_schedule_and_automatic_ones_wait_before_they_do_it_again() {
    let mut site = Site::new();
    let begun = site.now;
    site.session("s1", 2);
    let first = swap(&site, "a real database", "a real database, always");
    site.now = begun + TimeDelta::hours(30);
    site.session("s2", 1);
    let second = swap(&site, "always", "every day");
    let third_at = begun + TimeDelta::hours(61);
    assert_eq!(gate(&site, "time", third_at).short, "31h");

    let undone_at = begun + TimeDelta::hours(32);
    let entry = take_back(&site, &second.id, undone_at);
    assert_eq!(mtime(&site.lock()), begun, "other programs see it by the lock's time");
    assert_eq!(site.record(JobKind::Dream).last_success, Some(begun));
    let wait = gate(&site, "time", undone_at + TimeDelta::hours(1));
    assert_eq!((wait.passed, wait.short.as_str()), (Some(false), "undone 1h"), "{wait:?}");
    let said = dreamtop::run::why::sentence(&wait);
    assert!(said.contains("the last dream was taken back 1h ago") && said.contains("by hand"), "{said}");
    let open = gate(&site, "time", undone_at + TimeDelta::hours(24));
    assert_eq!((open.passed, open.short.as_str()), (Some(true), "56h"), "{open:?}");
    assert!(gate(&site, "sessions", undone_at).detail.starts_with("1/5 sessions"), "s2 counts as new again");
    let stats = Ledger::read(&site.state, third_at).unwrap().stats.dream;
    assert_eq!((stats.last_success, stats.all.done, stats.all.undone), (Some(begun), 2, 1));
    assert!(stats.all.sentences(0)[0].contains("2 done (1 taken back)"), "{:?}", stats.all.sentences(0));

    let again = take_back(&site, &entry, undone_at + TimeDelta::hours(1));
    assert_eq!(site.record(JobKind::Dream).last_success, Some(begun + TimeDelta::hours(30)));
    assert_eq!(mtime(&site.lock()), begun + TimeDelta::hours(30), "what is in force again counts again");
    assert_eq!(gate(&site, "time", third_at).short, "31h");
    assert_eq!(Ledger::read(&site.state, third_at).unwrap().stats.dream.all.undone, 0);

    take_back(&site, &again, undone_at + TimeDelta::hours(2));
    take_back(&site, &first.id, undone_at + TimeDelta::hours(2));
    assert_eq!(site.record(JobKind::Dream).last_success, None);
    assert!(!site.lock().exists(), "as before the first dream");
    assert!(gate(&site, "sessions", undone_at).detail.starts_with("2/5 sessions"));
}

#[test]
fn a_dream_of_another_program_after_ours_keeps_its_time_when_ours_is_taken_back() {
    let site = Site::new();
    site.session("s1", 2);
    let ours = swap(&site, "a real database", "a real database, always");
    site.put_lock(&dead_pid().to_string(), TimeDelta::hours(-3));
    take_back(&site, &ours.id, site.now + TimeDelta::hours(4));
    assert_eq!(mtime(&site.lock()), site.now + TimeDelta::hours(3));
}

#[test]
fn a_dream_by_hand_reads_what_the_undone_one_had_read_and_then_nothing_waits_any_more() {
    let mut site = Site::new();
    site.session("s1", 2);
    let first = swap(&site, "a real database", "a real database, always");
    take_back(&site, &first.id, site.now + TimeDelta::hours(1));
    site.now += TimeDelta::hours(2);
    let second = swap(&site, "a real database", "a real database, always");
    assert_eq!(second.sessions, ["s1"]);
    assert!(second.notices.iter().any(|notice| notice.contains("is read again")), "{:?}", second.notices);
    assert_eq!(gate(&site, "time", site.now + TimeDelta::hours(25)).passed, Some(true));
    assert_eq!(mtime(&site.lock()), site.now);
}

#[test]
fn what_an_earlier_undo_could_not_tell_is_told_by_the_next_one_that_is_asked_for() {
    let site = Site::new();
    site.session("s1", 2);
    let run = swap(&site, "a real database", "a real database, always");
    let door = Door::new(site.state.clone(), Clock::Fixed(site.now + TimeDelta::hours(1)));
    door.undo(&Store::at(site.store()), &run.id).unwrap();
    assert_eq!(site.record(JobKind::Dream).last_success, Some(site.now), "nobody told the schedule");
    let again = undo(&door, &Store::at(site.store()), &run.id).unwrap_err().to_string();
    assert!(again.contains("was taken back already"), "{again}");
    assert_eq!(site.record(JobKind::Dream).last_success, None);
    assert!(site.journalled()[0].undone_by.is_some());
    assert!(!site.lock().exists());
}
