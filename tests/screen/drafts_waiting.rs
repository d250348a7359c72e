//! Text that was not saved when the screen ended: what waits at the next start, and what becomes of it, down to the disk.

use std::fs;

use dreamtop::change::Door;
use dreamtop::clock::Clock;
use dreamtop::state::StateDir;
use dreamtop::tui::event::AppEvent;
use dreamtop::tui::layer::Layer;

use crate::review::hold;
use crate::stage::{Stage, now, usual};
use crate::triage::pair;

const FREEZE: &str = "project_freeze.md";

fn text(stage: &Stage, file: &str) -> String {
    fs::read_to_string(stage.store().join(file)).unwrap_or_default()
}

fn notice(stage: &Stage) -> String {
    stage.state.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default()
}

/// The screen ends, a new one opens and takes up the draft that waits.
fn again(stage: Stage) -> Stage {
    let mut stage = stage.die().open(120, 40);
    assert_eq!(stage.state.drafts.waiting.len(), 1, "{}", stage.screen());
    stage.press(&["U", "enter"]);
    stage
}

fn body(stage: &Stage) -> String {
    match stage.state.layers.last() {
        Some(Layer::Edit(editor)) => editor.form.body_text(),
        _ => panic!("no editor is open: {}", stage.screen()),
    }
}

/// The editor on the merge of a pair, with words of one's own.
fn merging() -> Stage {
    let mut stage = pair().open(120, 40);
    stage.press(&["t"]);
    while !stage.state.triage().and_then(|triage| triage.card()).unwrap().contains("feedback") {
        stage.press(&["space"]);
    }
    stage.press(&["m"]).type_text("Agreed by all. ");
    assert!(body(&stage).contains("Agreed by all."), "{}", stage.screen());
    stage
}

#[test]
fn the_draft_of_a_merge_opens_whole_and_still_is_a_merge() {
    let stage = merging();
    let before = body(&stage);
    assert!(before.contains("docker compose") && before.contains("staging copy"), "{before}");
    let mut stage = again(stage);
    assert_eq!(body(&stage), before);
    assert!(!notice(&stage).contains("changed since"), "{}", notice(&stage));
    stage.press(&["ctrl-s"]);
    let names = ["feedback_database.md", "feedback_no_mocks.md"];
    let left: Vec<_> = names.iter().filter(|name| stage.store().join(name).exists()).collect();
    let [kept] = left.as_slice() else { panic!("{left:?}: {}", stage.screen()) };
    let merged = text(&stage, kept);
    for words in ["Agreed by all.", "docker compose", "staging copy"] {
        assert!(merged.contains(words), "{merged}");
    }
    let stage = stage.die().open(120, 40);
    assert!(stage.state.drafts.waiting.is_empty(), "it is saved");
}

#[test]
fn the_draft_of_a_merge_meets_what_others_wrote_meanwhile_and_a_partner_that_is_gone() {
    let stage = merging();
    let (kept, partner) = match stage.state.layers.last() {
        Some(Layer::Edit(editor)) => (editor.file.clone(), editor.union.as_ref().unwrap().partner.clone()),
        _ => panic!("{}", stage.screen()),
    };
    let path = stage.store().join(&kept);
    fs::write(&path, format!("{}\nSaid another program.\n", text(&stage, &kept))).unwrap();
    let stage = again(stage);
    assert!(notice(&stage).contains("changed since"), "{}", notice(&stage));
    for words in ["Agreed by all.", "docker compose", "staging copy", "Said another program."] {
        assert!(body(&stage).contains(words), "{}", body(&stage));
    }
    fs::remove_file(stage.store().join(partner)).unwrap();
    let stage = again(stage);
    for words in ["Agreed by all.", "docker compose", "staging copy", "Said another program."] {
        assert!(body(&stage).contains(words), "{}", body(&stage));
    }
}

/// A review of held changes with one's own words in the editor.
fn reviewing() -> Stage {
    let mut stage = usual().open(120, 40);
    hold(&mut stage);
    stage.press(&["r", "e"]).type_text("Mine. ");
    stage
}

#[test]
fn the_draft_of_a_proposal_opens_whole_in_its_review() {
    let stage = reviewing();
    let (before, disk) = (body(&stage), text(&stage, FREEZE));
    assert!(before.contains("Mine.") && before.contains("until the tag"), "{before}");
    let mut stage = again(stage);
    assert_eq!(body(&stage), before);
    assert!(!notice(&stage).contains("changed since"), "{}", notice(&stage));
    stage.press(&["ctrl-s"]);
    assert_eq!(text(&stage, FREEZE), disk, "it is a verdict, not a save");
    stage.press(&["enter"]);
    let landed = text(&stage, FREEZE);
    assert!(landed.contains("Mine.") && landed.contains("until the tag"), "{landed}");
}

#[test]
fn a_version_that_was_accepted_and_did_not_land_waits_too() {
    let mut stage = reviewing();
    stage.press(&["ctrl-s"]);
    assert!(notice(&stage).contains("accepted in your version"), "{}", notice(&stage));
    let mut stage = again(stage);
    assert!(notice(&stage).contains("Your versions are in the review"), "{}", notice(&stage));
    stage.press(&["enter"]);
    let landed = text(&stage, FREEZE);
    assert!(landed.contains("Mine.") && landed.contains("until the tag"), "{landed}");
    let stage = stage.die().open(120, 40);
    assert!(stage.state.drafts.waiting.is_empty(), "it landed");
}

#[test]
fn versions_of_a_review_that_is_over_become_drafts_of_their_files() {
    let mut stage = reviewing();
    stage.press(&["ctrl-s"]);
    let state = StateDir::at(stage.root().canonicalize().unwrap().join("state"));
    let entry = stage.state.inbox[0].id.clone();
    let door = Door::new(state, Clock::Fixed(now()));
    door.reject(&stage.state.choice.store, &entry, &[]).unwrap();
    let mut stage = again(stage);
    assert!(notice(&stage).contains("was decided on already"), "{}", notice(&stage));
    stage.press(&["U", "enter"]);
    assert!(body(&stage).contains("Mine. ") && body(&stage).contains("until the tag"), "{}", stage.screen());
    stage.press(&["ctrl-s"]);
    assert!(text(&stage, FREEZE).contains("Mine."));
}

#[test]
fn closing_a_review_with_words_of_ones_own_asks_and_so_does_another_verdict_on_them() {
    let mut stage = reviewing();
    stage.press(&["ctrl-s", "k"]);
    for leaving in ["esc", "q", "x", "a"] {
        stage.press(&[leaving]);
        assert!(stage.screen().contains("did not land: d drops it, esc goes on"), "{leaving}: {}", stage.screen());
        stage.press(&["esc"]);
        let Some(Layer::Review(review)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
        assert_eq!(review.versions(), [FREEZE]);
    }
    stage.press(&["esc", "d"]);
    assert!(!matches!(stage.state.layers.last(), Some(Layer::Review(_))), "{}", stage.screen());
    let stage = stage.die().open(120, 40);
    assert!(stage.state.drafts.waiting.is_empty(), "what was dropped does not wait");
}

#[test]
fn a_promotion_goes_where_it_was_to_go_after_a_crash_too() {
    let setting = usual();
    fs::write(setting.checkout().join("CLAUDE.md"), "# How we work\n").unwrap();
    let mut stage = setting.open(120, 40);
    let checkout = stage.state.choice.checkout.clone().unwrap();
    // Into CLAUDE.local.md, and the memory goes.
    stage.press(&["P", "right", "right", "tab", "right", "tab"]).type_text("Only for me. ");
    assert!(stage.screen().contains("CLAUDE.local.md"), "{}", stage.screen());
    let stage = again(stage);
    let Some(Layer::Promote(screen)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    assert!(screen.is_removed && screen.text().contains("Only for me."), "{}", screen.text());
    let memory = screen.seen.file.clone();
    let mut stage = stage;
    stage.press(&["ctrl-s"]);
    assert_eq!(fs::read_to_string(checkout.join("CLAUDE.md")).unwrap(), "# How we work\n");
    assert!(fs::read_to_string(checkout.join("CLAUDE.local.md")).unwrap().contains("Only for me."));
    assert!(!stage.store().join(memory).exists());
}

#[test]
fn what_cannot_be_done_in_triage_is_said_in_words_of_triage() {
    let mut stage = usual().open(120, 40);
    stage.press(&["t", "u"]);
    assert!(notice(&stage).contains("there is no verdict to take back"), "{}", notice(&stage));
    stage.press(&["m"]);
    assert!(notice(&stage).contains("no partner is proposed"), "{}", notice(&stage));
}

#[test]
fn a_fix_is_taken_back_in_health_where_it_was_made() {
    let mut stage = usual().open(120, 40);
    let index = text(&stage, "MEMORY.md");
    stage.press(&["c", "f", "y"]);
    assert_ne!(text(&stage, "MEMORY.md"), index, "{}", stage.screen());
    assert!(matches!(stage.state.layers.last(), Some(Layer::Health(_))));
    stage.press(&["u"]);
    if matches!(stage.state.layers.last(), Some(Layer::Confirm(_))) {
        stage.press(&["y"]);
    }
    assert_eq!(text(&stage, "MEMORY.md"), index, "{}", stage.screen());
}

#[test]
fn an_entry_of_the_history_that_grew_is_shown_as_it_is_now() {
    let mut stage = usual().open(120, 40);
    let change = |stage: &mut Stage, file: &str| {
        let path = stage.store().join(file);
        fs::write(&path, format!("{}\nMore.\n", fs::read_to_string(&path).unwrap())).unwrap();
        stage.take(AppEvent::StoreTouched);
    };
    change(&mut stage, FREEZE);
    stage.press(&["H"]);
    assert!(stage.screen().contains("replace project_freeze.md"), "{}", stage.screen());
    change(&mut stage, "user_role.md");
    assert!(stage.screen().matches("user_role.md").count() >= 2, "list and detail: {}", stage.screen());
}

#[test]
fn every_draft_that_waits_has_its_row_at_every_size() {
    for (width, height) in [(120, 40), (80, 24), (60, 16), (40, 10)] {
        let mut setting = usual();
        for name in ["alpha", "beta"] {
            let mut stage = setting.open(120, 40);
            stage.press(&["n"]).type_text(name);
            setting = stage.die();
        }
        let mut stage = setting.open(width, height);
        stage.press(&["U"]);
        let screen = stage.screen();
        assert!(screen.contains("2 unsaved drafts"), "{screen}");
        for name in ["the new memory alp", "the new memory bet"] {
            assert!(screen.contains(name), "{width}: {screen}");
        }
    }
}
