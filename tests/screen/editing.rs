//! Editing from the screen, down to the bytes on the disk: the form, conflicts, names, promotion, the index, new memories.

use std::fs;

use dreamtop::tui::effect::{Deed, Effect};
use dreamtop::tui::event::AppEvent;
use dreamtop::tui::layer::Layer;

use super::arranging::with_long_line;
use super::stage::{Setting, Stage, usual};

/// The sizes people have.
pub const SIZES: [(u16, u16); 4] = [(60, 16), (80, 24), (120, 40), (200, 50)];

pub fn file(stage: &Stage, name: &str) -> String {
    fs::read_to_string(stage.store().join(name)).unwrap()
}

pub fn select(stage: &mut Stage, name: &str) {
    stage.press(&["/"]).type_text(name).press(&["enter", "esc"]);
    assert_eq!(stage.state.memories.file.as_deref().map(|file| file.contains(name)), Some(true));
}

pub fn notice(stage: &Stage) -> String {
    stage.state.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default()
}

/// A store with a memory in a shape that must survive: a byte-order mark, Windows line ends, keys nobody knows.
fn odd() -> Setting {
    let setting = usual();
    setting.file(
        "feedback_odd.md",
        "\u{feff}---\r\nname: odd\r\nscope: 'team'   # ours\r\ndescription: \"old words\"\r\nmetadata: \r\n  node_type: memory\r\n  type: feedback\r\n  \
         pinned: yes\r\n---\r\n\r\nFirst.  \r\nSecond.\r\n\r\n**Why:** so.\r\n\r\n**How to apply:** then.\r\n",
    );
    setting
}

#[test]
fn a_form_changes_the_lines_meant_and_no_other_byte_of_an_odd_file() {
    let mut stage = odd().open(100, 30);
    let before = file(&stage, "feedback_odd.md");
    select(&mut stage, "odd");
    stage
        .press(&["e", "shift-tab", "shift-tab"])
        .type_text(" and new ones")
        .press(&["tab", "tab"])
        .type_text("Zeroth. ");
    stage.press(&["ctrl-s"]);
    let expected = before.replace("old words", "old words and new ones").replace("First.", "Zeroth. First.");
    assert_eq!(file(&stage, "feedback_odd.md"), expected);
    assert!(notice(&stage).contains("keeps its age"), "{}", notice(&stage));
    stage.press(&["u"]);
    assert_eq!(file(&stage, "feedback_odd.md"), before);
}

#[test]
fn an_edit_of_one_line_leaves_every_other_line_its_ending() {
    for (before, after) in [
        ("body\r\nmore\nthird\r\nfourth\n", "Xbody\r\nmore\nthird\r\nfourth\n"),
        ("one\nx\r\r\nend", "Xone\nx\r\r\nend"),
    ] {
        for head in ["", "---\nname: endings\ndescription: d\ntype: user\n---\n\n"] {
            let setting = usual();
            setting.file("user_endings.md", format!("{head}{before}"));
            let mut stage = setting.open(100, 30);
            select(&mut stage, "endings");
            stage.press(&["e"]).type_text("X").press(&["ctrl-s"]);
            assert_eq!(file(&stage, "user_endings.md"), format!("{head}{after}"));
        }
    }
}

/// A memory with a file name of its own, keys nobody knows, and a line in the index.
fn own_name(head: &str) -> (Setting, String) {
    let setting = usual();
    let text = format!("---\nname: mem number 0\ndescription: \"says it\"\npinned: yes\n{head}---\n\nThe text.\n");
    setting.file("user_m0.md", &text).file("MEMORY.md", "# Index\n\n- [M0](user_m0.md) — says it\n");
    let open = fs::File::options().write(true).open(setting.store().join("user_m0.md")).unwrap();
    open.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_795_600_000)).unwrap();
    (setting, text)
}

#[test]
fn keeping_ours_after_the_file_went_brings_back_its_bytes_its_name_and_the_age_its_save_promised() {
    let nested = "metadata:\n  node_type: memory\n  type: user\n  modified: 2026-10-14T09:00:00.000Z\n";
    for (head, save) in [(nested, "ctrl-s"), (nested, "ctrl-y"), ("type: user\n", "ctrl-s"), ("type: user\n", "ctrl-y")]
    {
        for renamed in [false, true] {
            let (setting, before) = own_name(head);
            let mut stage = setting.open(100, 30);
            let index = file(&stage, "MEMORY.md");
            let path = stage.store().join("user_m0.md");
            let claimed = fs::metadata(&path).unwrap().modified().unwrap();
            select(&mut stage, "m0");
            stage.press(&["e"]).type_text("Ours. ");
            if renamed {
                fs::rename(&path, stage.store().join("user_other.md")).unwrap();
            } else {
                fs::remove_file(&path).unwrap();
            }
            stage.press(&[save, "o"]);
            let mut expected = before.replace("The text", "Ours. The text");
            if save == "ctrl-y" {
                expected = expected.replace("2026-10-14", "2026-11-30");
            }
            assert_eq!(file(&stage, "user_m0.md"), expected, "{head} {save}");
            assert_eq!(file(&stage, "MEMORY.md"), index);
            assert!(!stage.store().join("user_mem_number_0.md").exists());
            let told = if save == "ctrl-s" { "keeps its age" } else { "dated today" };
            assert!(notice(&stage).contains(told), "{}", notice(&stage));
            let is_kept = fs::metadata(&path).unwrap().modified().unwrap() == claimed;
            assert_eq!(is_kept, save == "ctrl-s", "{head} {save}");
        }
    }
}

#[test]
fn both_saves_do_to_the_claim_what_the_title_says() {
    for (save, date) in [("ctrl-s", "2026-10-14T09:00:00.000Z"), ("ctrl-y", "2026-11-30T09:00:00.000Z")] {
        let mut stage = usual().open(120, 40);
        select(&mut stage, "freeze");
        stage.press(&["e"]);
        assert!(
            stage.screen().contains("claim 2026-10-14: Ctrl-s keeps it, Ctrl-y makes it 2026-11-30"),
            "{}",
            stage.screen()
        );
        stage.type_text("Now. ").press(&[save]);
        assert!(file(&stage, "project_freeze.md").contains(&format!("modified: {date}")), "{save}");
    }
}

/// A memory whose block YAML cannot read, with a field that an edit of one line would swallow.
fn damaged() -> Setting {
    let setting = usual();
    let text = "---\nname: broken: one\nname: twice\ndescription: Order: api, then web\nstray line\ntype: project\n---\n\nThe API first.\n";
    setting.file("project_broken.md", text);
    // Its block has no date: the file's own time is the claim's.
    let at = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_795_600_000);
    let open = fs::File::options().write(true).open(setting.store().join("project_broken.md")).unwrap();
    open.set_modified(at).unwrap();
    setting
}

#[test]
fn a_block_that_cannot_be_read_is_shown_and_says_so_and_the_body_is_still_edited() {
    let mut stage = damaged().open(100, 30);
    let before = file(&stage, "project_broken.md");
    select(&mut stage, "broken");
    stage.press(&["e"]);
    assert!(stage.screen().contains("Only shown: name, description, type"), "{}", stage.screen());
    stage.press(&["tab"]).type_text("Always: ").press(&["ctrl-s"]);
    assert_eq!(file(&stage, "project_broken.md"), before.replace("The API", "Always: The API"));
}

#[test]
fn the_form_with_what_is_wrong_at_four_sizes() {
    for (width, height) in SIZES {
        let mut stage = usual().open(width, height);
        select(&mut stage, "freeze");
        stage.press(&["e"]).type_text("Next week \u{200b}it ends. <!-- hidden --> ");
        insta::assert_snapshot!(
            format!("the_form_says_what_is_wrong_with_the_text_at_{width}x{height}"),
            stage.screen()
        );
    }
}

#[test]
fn a_damaged_block_at_four_sizes() {
    for (width, height) in SIZES {
        let mut stage = damaged().open(width, height);
        select(&mut stage, "broken");
        stage.press(&["e"]);
        insta::assert_snapshot!(
            format!("fields_that_cannot_be_set_are_only_shown_at_{width}x{height}"),
            stage.screen()
        );
    }
}

fn conflict(width: u16, height: u16) -> Stage {
    let mut stage = usual().open(width, height);
    select(&mut stage, "testing");
    stage.press(&["e"]).type_text("Ours. ");
    let theirs =
        file(&stage, "feedback_testing.md").replace("never mocks", "never fakes").replace("make test", "make check");
    fs::write(stage.store().join("feedback_testing.md"), theirs).unwrap();
    stage.press(&["ctrl-s"]);
    stage
}

#[test]
fn the_conflict_view_at_four_sizes() {
    for (width, height) in SIZES {
        let mut stage = conflict(width, height);
        insta::assert_snapshot!(format!("a_conflict_shows_theirs_ours_and_both_at_{width}x{height}"), stage.screen());
        stage.press(&["tab", "tab", "tab"]);
        assert!(stage.screen().contains("Both in one text:"), "{}", stage.screen());
    }
}

#[test]
fn fc_019_taking_theirs_loses_nothing_for_undo_brings_ones_own_text_back() {
    let mut stage = conflict(100, 30);
    stage.press(&["t"]);
    assert!(!stage.screen().contains("Ours.") && stage.screen().contains("never fakes"), "{}", stage.screen());
    stage.press(&["ctrl-u"]);
    assert!(stage.screen().contains("Ours.") && !stage.screen().contains("never fakes"), "{}", stage.screen());
}

#[test]
fn fc_103_what_an_editor_left_is_not_lost_when_another_version_or_a_guard_is_met() {
    let mut stage = usual().open(100, 30);
    let base = file(&stage, "feedback_testing.md");
    let ours = base.replace("never mocks", "never ever mocks");
    fs::write(stage.store().join("feedback_testing.md"), base.replace("never mocks", "never fakes")).unwrap();
    let closed = |content: &str| AppEvent::EditorClosed {
        file: "feedback_testing.md".to_owned(),
        base: base.clone().into_bytes(),
        result: Ok(Some(content.as_bytes().to_vec())),
    };
    stage.take(closed(&ours));
    assert!(
        stage.screen().contains("Nothing was overwritten") && stage.screen().contains("never ever mocks"),
        "{}",
        stage.screen()
    );
    stage.press(&["o"]);
    assert_eq!(file(&stage, "feedback_testing.md"), ours);

    let secret = format!("{}A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8", "ghp_");
    let mut stage = usual().open(100, 30);
    stage.take(closed(&base.replace("never mocks", &secret)));
    assert_eq!(file(&stage, "feedback_testing.md"), base);
    assert!(stage.screen().contains("credential"), "{}", stage.screen());
    stage.press(&["esc"]);
    assert!(stage.screen().contains(&secret), "{}", stage.screen());
}

#[test]
fn a_new_memory_at_four_sizes() {
    for (width, height) in SIZES {
        let mut stage = usual().open(width, height);
        stage.press(&["n"]);
        insta::assert_snapshot!(format!("a_new_memory_starts_on_its_skeleton_at_{width}x{height}"), stage.screen());
    }
}

#[test]
fn no_hint_and_no_unfilled_part_of_a_skeleton_is_saved() {
    for (kind, body, expected) in [
        ("f", "Rule.", "Rule.\n"),
        ("p", "", "In one line\n"),
        ("u", "They like tea.", "They like tea.\n"),
        ("r", "", "In one line\n"),
    ] {
        let mut stage = usual().open(100, 30);
        stage.press(&["n"]).type_text("a thing").press(&["tab"]).type_text("In one line").press(&["tab", kind, "tab"]);
        stage.type_text(body).press(&["ctrl-s"]);
        let made = stage.state.memories.file.clone().unwrap();
        let text = file(&stage, &made);
        assert!(text.ends_with(&format!("\n---\n\n{expected}")), "{text}");
    }
}

#[test]
fn a_long_text_is_looked_at_by_an_effect_and_never_by_a_key() {
    let setting = usual();
    let long = "word ".repeat(40_000);
    setting.memory("user_long.md", "user", "long", "2026-11-01T09:00:00.000Z", &long);
    let mut stage = setting.open(80, 24);
    select(&mut stage, "long");
    stage.press(&["e"]);
    let is_large = |stage: &Stage| match stage.state.layers.last() {
        Some(Layer::Edit(editor)) => editor.lint.findings.iter().any(|finding| finding.code.word() == "large"),
        _ => false,
    };
    assert!(is_large(&stage), "{}", stage.screen());
    // While one state is looked at, keys ask for nothing more; the newest state follows with the answer.
    let key =
        |stage: &mut Stage| dreamtop::tui::update::update(&mut stage.state, AppEvent::Key(super::stage::key("x")));
    let first = key(&mut stage);
    let [Effect::Lint(question)] = &first[..] else { panic!("{} effects", first.len()) };
    assert!(key(&mut stage).is_empty() && key(&mut stage).is_empty());
    let linted = question.answer();
    let next = dreamtop::tui::update::update(&mut stage.state, AppEvent::Linted { question: question.clone(), linted });
    let [Effect::Lint(newest)] = &next[..] else { panic!("{} effects", next.len()) };
    assert!(newest.state > question.state && newest.fields.body.starts_with("xxx"));
}

#[test]
fn the_next_finding_is_gone_to_and_said() {
    let mut stage = usual().open(100, 30);
    select(&mut stage, "freeze");
    stage.press(&["e", "down", "down"]).type_text("Next week.").press(&["f8"]);
    assert!(notice(&stage).starts_with("date-relative: "), "{}", notice(&stage));
}

#[test]
fn the_editor_warns_before_the_index_line_of_a_description_grows_too_long() {
    let setting = usual();
    setting.memory("user_long.md", "user", "long", "2026-11-01T09:00:00.000Z", "Text.");
    setting.file("MEMORY.md", "# Index\n- [Long](user_long.md) — long, in one line\n");
    let mut stage = setting.open(100, 30);
    select(&mut stage, "long");
    stage.press(&["e", "shift-tab", "shift-tab"]).type_text(&" and more".repeat(14));
    assert!(stage.screen().contains("index-line-long: its line 2 of the index would have"), "{}", stage.screen());
}

#[test]
fn a_deed_of_the_editor_is_one_save() {
    let mut stage = usual().open(100, 30);
    select(&mut stage, "freeze");
    stage.press(&["e"]).type_text("x");
    let effects = dreamtop::tui::update::update(&mut stage.state, AppEvent::Key(super::stage::key("ctrl-s")));
    assert!(matches!(&effects[..], [Effect::Do(deed)] if matches!(deed.as_ref(), Deed::Save { .. })), "{effects:?}");
    let again = dreamtop::tui::update::update(&mut stage.state, AppEvent::Key(super::stage::key("ctrl-s")));
    assert!(again.is_empty(), "a save under way is not started twice: {again:?}");
}

#[test]
fn a_conflict_of_the_index_and_a_shortening_draw_at_every_odd_size() {
    let mut stage = with_long_line().open(100, 30);
    select(&mut stage, "freeze");
    stage.press(&["I", "s"]);
    let mut other = conflict(100, 30);
    for (width, height) in [(0, 0), (1, 1), (10, 3), (20, 5), (46, 44), (300, 5), (60, 16), (23, 7)] {
        for stage in [&mut stage, &mut other] {
            stage.resize(width, height);
            stage.screen();
        }
    }
}

#[test]
fn what_the_external_editor_left_of_a_block_that_cannot_be_read_is_said() {
    let mut stage = usual().open(160, 40);
    let base = file(&stage, "feedback_testing.md");
    let content = base.replace("name: testing-policy", "name: [a: b");
    assert_ne!(content, base);
    stage.take(AppEvent::EditorClosed {
        file: "feedback_testing.md".to_owned(),
        base: base.into_bytes(),
        result: Ok(Some(content.clone().into_bytes())),
    });
    assert_eq!(file(&stage, "feedback_testing.md"), content, "it is saved as it was left");
    let told = stage.state.notice.clone().unwrap().text;
    assert!(told.contains("Saved feedback_testing.md") && told.contains("YAML"), "{told}");
}
