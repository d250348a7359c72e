//! Texts that are not saved yet: what is kept of them and for how long, and how they come back.

use std::fs;

use dreamtop::change::unsaved::{self, Form, Taken, Unsaved};
use dreamtop::state::StateDir;
use dreamtop::tui::effect::Effect;
use dreamtop::tui::event::AppEvent;
use dreamtop::tui::layer::Layer;

use crate::stage::{Stage, now, usual};

fn notice(stage: &Stage) -> String {
    stage.state.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default()
}

/// The files in which this screen keeps what is not saved.
fn kept(stage: &Stage) -> Vec<std::path::PathBuf> {
    let stores = fs::read_dir(stage.root().join("state/stores")).into_iter().flatten().flatten();
    stores
        .flat_map(|store| fs::read_dir(store.path().join("unsaved")).into_iter().flatten().flatten())
        .map(|file| file.path())
        .collect()
}

#[test]
fn what_was_kept_of_a_text_goes_as_soon_as_it_is_saved_or_dropped() {
    for end in [&["ctrl-s"][..], &["esc", "d"]] {
        let mut stage = usual().open(120, 40);
        stage.press(&["n"]).type_text("queue names").press(&["tab"]).type_text("plural").take(AppEvent::Paused);
        assert_eq!(kept(&stage).len(), 1);
        stage.press(end);
        assert!(stage.state.layers.is_empty(), "{}", stage.screen());
        assert_eq!(kept(&stage), Vec::<std::path::PathBuf>::new(), "{end:?}");
    }
}

#[test]
fn another_project_opens_only_once_what_is_written_here_is_saved_or_dropped() {
    let mut stage = usual().open(120, 40);
    let (here, mut other) = (stage.store().to_owned(), stage.state.choice.clone());
    other.store = dreamtop::memory::Store::at(stage.root().join("other"));
    stage.press(&["n"]).type_text("queue names").take(AppEvent::Paused);
    stage.take(AppEvent::Opened(Box::new(other.clone())));
    assert_eq!(stage.store(), here);
    assert!(notice(&stage).contains("save or drop what you wrote in the new memory queue names"), "{}", notice(&stage));
    assert_eq!(kept(&stage).len(), 1);
    // Nothing is left to lose: it opens, and what was kept goes where it was kept.
    stage.press(&["ctrl-u"]);
    for _ in 0..20 {
        stage.press(&["backspace"]);
    }
    stage.take(AppEvent::Opened(Box::new(other)));
    assert_ne!(stage.store(), here);
    assert!(stage.state.layers.is_empty(), "{}", stage.screen());
    assert_eq!(kept(&stage), Vec::<std::path::PathBuf>::new());
}

fn state(stage: &Stage) -> StateDir {
    StateDir::at(fs::canonicalize(stage.root()).unwrap().join("state"))
}

/// Leaves a draft as a screen does whose process is gone.
fn leave(stage: &mut Stage, text: &Unsaved) -> std::path::PathBuf {
    let path = unsaved::path(&state(stage), stage.store(), "earlier");
    unsaved::keep(&path, stage.store(), text, now()).unwrap();
    let mut record: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert!(record["owner"]["pid"].is_u64(), "{record}");
    record["owner"]["pid"] = 4_194_303.into();
    fs::write(&path, record.to_string()).unwrap();
    let shown = stage.state.choice.clone();
    stage.do_on(&shown, Effect::ReadUnsaved);
    path
}

#[test]
fn the_list_of_drafts_has_its_keys_in_the_help_and_drops_one_after_a_question() {
    let mut stage = usual().open(100, 40);
    let text = Unsaved { form: Form::New, name: "queue names".to_owned(), ..Unsaved::default() };
    let path = leave(&mut stage, &text);
    stage.press(&["U"]);
    assert!(
        stage.screen().contains("d drop") && stage.screen().contains("the new memory queue names"),
        "{}",
        stage.screen()
    );
    stage.press(&["?"]);
    let help = stage.screen();
    assert!(
        help.contains("Keys among the unsaved drafts") && help.contains("Drop the draft for good; asks."),
        "{help}"
    );
    assert!(help.contains("Open the draft, merged with what is there now."), "{help}");
    stage.press(&["esc", "delete"]);
    assert!(stage.screen().contains("once dropped, it is gone"), "{}", stage.screen());
    stage.press(&["n"]);
    assert!(path.exists());
    stage.press(&["d", "y"]);
    assert!(!path.exists() && stage.state.layers.is_empty(), "{}", stage.screen());
}

#[test]
fn a_draft_says_its_format_has_no_credential_and_one_that_cannot_be_read_is_named() {
    let mut stage = usual().open(100, 40);
    let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let taken = |base: &str| Taken { file: "a.md".to_owned(), base: base.to_owned(), content: "clean".to_owned() };
    let taken_over = vec![taken(&format!("the token is {token}")), taken("no secret")];
    let text = Unsaved { form: Form::Index, file: "MEMORY.md".to_owned(), taken_over, ..Unsaved::default() };
    let path = leave(&mut stage, &text);
    let kept = fs::read_to_string(&path).unwrap();
    assert!(kept.contains("\"format\":\"dreamtop/unsaved/1\"") && kept.contains("no secret"), "{kept}");
    assert!(!kept.contains(token) && kept.contains("\"is_redacted\":true"), "{kept}");

    let later = path.with_file_name("later.json");
    fs::write(&later, kept.replace("unsaved/1", "unsaved/9")).unwrap();
    let (waiting, unreadable) = unsaved::all_waiting(&state(&stage));
    assert_eq!((waiting.len(), &waiting[0].path), (1, &path));
    let [(named, why)] = &unreadable[..] else { panic!("{unreadable:?}") };
    assert!(*named == later && why.contains("dreamtop/unsaved/9"), "{why}");
}

#[test]
fn a_long_line_of_a_form_shows_its_beginning_until_the_cursor_is_in_it() {
    let setting = usual();
    let long = "Begins here, ".to_owned() + &"goes on and on, ".repeat(12) + "ends there";
    let text = format!("---\nname: long\ndescription: {long}\ntype: user\n---\n\n{long}\n");
    setting.file("user_long.md", &text);
    let mut stage = setting.open(80, 30);
    stage.press(&["/"]).type_text("user_long").press(&["enter", "e"]).type_text("Ours. ");
    fs::write(stage.store().join("user_long.md"), text.replace("ends there\n", "ends elsewhere\n")).unwrap();
    stage.press(&["ctrl-s"]);
    assert!(stage.screen().contains("Nothing was overwritten"), "{}", stage.screen());
    stage.press(&["m"]);
    let merged = stage.screen();
    assert!(matches!(stage.state.layers.last(), Some(Layer::Edit(editor)) if editor.is_merge), "{merged}");
    let row = |screen: &str, word: &str| screen.lines().find(|line| line.contains(word)).map(str::to_owned).unwrap();
    assert!(
        row(&merged, " description ").contains("Begins here,") && row(&merged, " description ").contains('…'),
        "{merged}"
    );
    assert!(merged.contains("│Ours. Begins here,"), "{merged}");
    // In it, the cursor is where it was left: at the end.
    stage.press(&["tab", "tab"]);
    assert!(row(&stage.screen(), "▸description ").contains("ends"), "{}", stage.screen());
}
