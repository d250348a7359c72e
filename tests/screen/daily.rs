//! What is made, taken back, refused and said from day to day: no key without an answer, no answer that misleads.

use std::fs;

use dreamtop::tui::event::AppEvent;
use dreamtop::tui::layer::Layer;

use super::stage::{Setting, Stage, usual};

fn notice(stage: &Stage) -> String {
    stage.state.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default()
}

fn select(stage: &mut Stage, name: &str) {
    stage.press(&["/"]).type_text(name).press(&["enter", "esc"]);
    assert_eq!(stage.state.memories.file.as_deref().map(|file| file.contains(name)), Some(true));
}

/// The form of a new memory with a name, a description and what is typed into the body.
fn new(stage: &mut Stage, name: &str, body: &str) {
    stage.press(&["n"]).type_text(name).press(&["tab"]).type_text("About it").press(&["tab", "tab"]).type_text(body);
}

#[test]
fn a_credential_in_a_new_memory_is_named_once_with_the_line_that_the_refusal_names() {
    for lines in [1, 4] {
        let mut stage = usual().open(120, 40);
        new(&mut stage, "tokens", "");
        for line in 1..lines {
            stage.type_text(&format!("Line {line} of it.")).press(&["enter"]);
        }
        stage.type_text(&format!("ghp_{}", "a1B2c3D4e5F6".repeat(3)));
        let screen = stage.screen();
        let at = screen.find("at line ").map(|at| screen[at..].split([';', ' ']).nth(2).unwrap().to_owned()).unwrap();
        assert!(!screen.contains(&format!("(line {at} of the file)")), "{screen}");
        stage.press(&["ctrl-s"]);
        assert!(stage.screen().contains(&format!("line {at}")), "{at}: {}", stage.screen());
        assert_eq!(at, (9 + lines).to_string(), "{screen}");
    }
}

#[test]
fn a_new_memory_that_the_filter_hides_is_shown_and_selected_and_the_filter_that_goes_is_named() {
    let mut stage = usual().open(120, 40);
    stage.press(&["/"]).type_text("freeze").press(&["enter"]);
    new(&mut stage, "auth style", "Bearer tokens only.");
    stage.press(&["ctrl-s"]);
    assert_eq!(stage.state.memories.file.as_deref(), Some("feedback_auth_style.md"), "{}", stage.screen());
    assert_eq!(stage.state.memories.filter, "");
    let told = notice(&stage);
    assert!(told.contains("Saved feedback_auth_style.md; its name in the file is auth-style"), "{told}");
    assert!(told.contains("the filter freeze hid it and is dropped"), "{told}");
    // One that it does not hide leaves the filter alone.
    stage.press(&["/"]).type_text("style").press(&["enter"]);
    new(&mut stage, "other style", "Basic.");
    stage.press(&["ctrl-s"]);
    assert_eq!(stage.state.memories.filter, "style");
    assert_eq!(stage.state.memories.file.as_deref(), Some("feedback_other_style.md"));
}

#[test]
fn a_promotion_is_taken_back_from_a_file_that_others_wrote_in_since_and_their_lines_stay() {
    let setting = usual();
    fs::write(setting.checkout().join("CLAUDE.md"), "# How we work\n\nRun make.\n").unwrap();
    let mut stage = setting.open(120, 40);
    let claude = stage.state.choice.checkout.clone().unwrap().join("CLAUDE.md");
    select(&mut stage, "testing");
    stage.press(&["P", "tab", "right", "ctrl-s"]);
    assert!(!stage.store().join("feedback_testing.md").exists(), "{}", stage.screen());
    let promoted = fs::read_to_string(&claude).unwrap();
    fs::write(&claude, format!("{}Use tabs.\n", promoted.replace("# How we work", "# How we all work"))).unwrap();
    stage.press(&["u"]);
    assert_eq!(
        fs::read_to_string(&claude).unwrap(),
        "# How we all work\n\nRun make.\nUse tabs.\n",
        "{}",
        notice(&stage)
    );
    assert!(stage.store().join("feedback_testing.md").exists());
    // Text that somebody changed is nobody's to take out.
    select(&mut stage, "testing");
    stage.press(&["P", "ctrl-s"]);
    let changed = fs::read_to_string(&claude).unwrap().replace("real database", "true database");
    fs::write(&claude, &changed).unwrap();
    stage.press(&["u"]);
    assert_eq!(fs::read_to_string(&claude).unwrap(), changed);
    assert!(stage.screen().contains("it was changed since"), "{}", stage.screen());
}

#[test]
fn a_rule_is_not_written_for_what_is_no_pattern_of_paths() {
    let mut stage = usual().open(120, 40);
    let rules = stage.state.choice.checkout.clone().unwrap().join(".claude/rules");
    select(&mut stage, "testing");
    stage.press(&["P", "right", "tab"]).type_text("src/**, [").press(&["ctrl-s"]);
    assert!(notice(&stage).contains("[ is no pattern of paths") && !rules.exists(), "{}", notice(&stage));
    stage.type_text("ab]").press(&["ctrl-s"]);
    assert!(fs::read_to_string(rules.join("testing-policy.md")).unwrap().contains("\"[ab]\""), "{}", stage.screen());
}

#[cfg(unix)]
#[test]
fn a_memory_that_cannot_be_written_where_it_leads_opens_no_form() {
    let setting = usual();
    let outside = setting.path("outside.txt");
    fs::write(&outside, "Words of another program.\n").unwrap();
    std::os::unix::fs::symlink(&outside, setting.store().join("project_link.md")).unwrap();
    let mut stage = setting.open(120, 40);
    select(&mut stage, "link");
    stage.press(&["e"]);
    assert!(stage.state.layers.is_empty(), "{}", stage.screen());
    assert!(notice(&stage).contains("leads to something other than a Markdown file"), "{}", notice(&stage));
}

#[test]
fn the_question_before_a_line_is_cut_names_one_answer_that_leaves_it() {
    let setting = usual();
    let hook = "frozen until the release, which they said would be on Thursday ".repeat(3);
    setting.file("MEMORY.md", format!("# Memory Index\n\n- [Freeze](project_freeze.md) — {hook}\n"));
    let mut stage = setting.open(120, 40);
    stage.press(&["I", "j", "j", "s"]);
    assert!(stage.screen().contains("n leave it"), "{}", stage.screen());
    stage.press(&["x"]);
    assert!(notice(&stage).contains("n: leave it"), "{}", notice(&stage));
    stage.press(&["n"]);
    assert!(!stage.screen().contains("The line would be:"), "{}", stage.screen());
}

#[test]
fn what_was_said_of_a_pasted_text_ends_where_there_is_a_place_for_it() {
    let mut stage = usual().open(120, 40);
    stage.take(AppEvent::Paste("words".to_owned()));
    assert!(stage.screen().contains("Pasted text has no place here"), "{}", stage.screen());
    stage.press(&["n"]);
    assert!(!stage.screen().contains("Pasted text has no place here"), "{}", stage.screen());
}

#[test]
fn a_line_of_the_index_that_leads_nowhere_offers_nothing_to_open() {
    let mut stage = usual().open(120, 40);
    stage.press(&["shift-tab", "g"]);
    assert!(!stage.screen().contains("Enter open"), "{}", stage.screen());
    stage.press(&["enter"]);
    assert!(notice(&stage).contains("this line of the index leads to no memory"), "{}", notice(&stage));
    stage.press(&["j", "j"]);
    assert!(stage.screen().contains("Enter open"), "{}", stage.screen());
}

#[test]
fn titles_count_what_a_filter_shows() {
    let mut stage = usual().open(120, 40);
    stage.press(&[",", "/"]).type_text("no setting has this").press(&["enter"]);
    assert!(stage.screen().contains("Settings 0/0"), "{}", stage.screen());
    let mut stage = usual().open(120, 40);
    stage.press(&["c"]);
    let all = stage.state.findings.len();
    stage.press(&["/"]).type_text("notes.md").press(&["enter"]);
    assert!(stage.screen().contains(&format!(" of {all} findings")), "{}", stage.screen());
}

#[test]
fn an_ending_that_is_typed_where_it_stands_already_stays_once() {
    let mut stage = usual().open(120, 40);
    select(&mut stage, "freeze");
    stage.press(&["N", "ctrl-u"]).type_text("x.md");
    match stage.state.layers.last() {
        Some(Layer::Rename(rename)) => assert_eq!(rename.line.lines().concat(), "x.md"),
        _ => panic!("{}", stage.screen()),
    }
    stage.press(&["enter"]);
    assert!(stage.store().join("x.md").exists());
}

#[test]
fn what_another_program_did_is_taken_back_by_its_title() {
    let mut stage = usual().open(120, 40);
    fs::remove_file(stage.store().join("notes.md")).unwrap();
    stage.take(AppEvent::StoreTouched);
    stage.press(&["u"]);
    let screen = stage.screen();
    assert!(screen.contains("Take back \"changed by another program") && !screen.contains("the foreign"), "{screen}");
}

#[test]
fn the_smallest_dashboard_keeps_the_keys_that_lead_on() {
    let mut stage = Setting::sample().open(40, 10);
    let screen = stage.screen();
    let footer = screen.lines().last().unwrap();
    assert!(footer.contains("t triage") && footer.contains("Enter open") && footer.contains("? help"), "{screen}");
    stage.press(&["t"]);
    assert!(stage.state.triage().is_some());
}

#[test]
fn the_sign_at_a_hit_stands_where_its_line_begins_also_when_the_hit_is_in_the_second_half() {
    let setting = usual();
    setting.memory(
        "project_long.md",
        "project",
        "long",
        "2026-11-29T10:00:00Z",
        "A sentence that goes on until its kestrel.",
    );
    let mut stage = setting.open(40, 12);
    stage.press(&["f"]).type_text("kestrel");
    let screen = stage.screen();
    let signs: Vec<&str> = screen.lines().filter(|line| line.contains('▸')).collect();
    assert!(signs.last().unwrap().contains("A sentence") && screen.contains("kestrel."), "{screen}");
}
