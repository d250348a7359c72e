//! Verbs on what is marked: exactly those that are marked and visible.

use super::stage::usual;
use super::triage::listing;

#[test]
fn bulk_verbs_act_on_exactly_what_is_marked_and_visible_and_name_what_is_hidden() {
    for (keys, done) in [
        (&["y", "y"][..], "Still true, dated today: project_freeze.md"),
        (&["t", "r"], "Of type reference now: project_freeze.md"),
        (&["s", "3"], "Snoozed project_freeze.md"),
    ] {
        let mut stage = usual().open(120, 40);
        let before = listing(stage.store());
        stage.press(&["s", "s", "g", "space", "space", "/"]).type_text("freeze").press(&["enter", "space"]);
        let (visible, hidden) = (stage.state.visible_marks(), stage.state.hidden_marks());
        assert_eq!((visible.as_slice(), hidden.len()), (&["project_freeze.md".to_owned()][..], 2), "{hidden:?}");
        stage.press(&keys[..1]);
        let screen = stage.screen();
        for file in &hidden {
            assert!(screen.contains(file.as_str()), "{file} is named: {screen}");
        }
        assert!(screen.contains("not 2 memories, marked but hidden by the filter"), "{screen}");
        stage.press(&keys[1..]);
        assert!(stage.state.notice.as_ref().unwrap().text.starts_with(done), "{:?}", stage.state.notice);
        let changed: Vec<_> =
            stage.state.history.iter().flat_map(|entry| &entry.files).map(|file| file.file.clone()).collect();
        assert!(changed.iter().all(|file| *file == "project_freeze.md"), "{changed:?}");
        stage.press(&["u"]);
        assert_eq!(listing(stage.store()), before, "one undo");
        assert!(stage.state.snapshot().unwrap().memories.iter().all(|memory| memory.snoozed_until.is_none()));
    }
}

#[test]
fn a_verb_does_nothing_when_the_filter_hides_every_mark() {
    let mut stage = usual().open(120, 40);
    stage.press(&["s", "s", "g", "space", "/"]).type_text("freeze").press(&["enter"]);
    assert!(stage.state.visible_marks().is_empty());
    let before = listing(stage.store());
    stage.press(&["y"]);
    assert!(stage.state.layers.is_empty());
    assert_eq!(listing(stage.store()), before);
    assert!(stage.state.notice.as_ref().unwrap().text.starts_with("Nothing was done"), "{:?}", stage.state.notice);
}
