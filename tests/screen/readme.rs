//! The picture in the README is the real screen, on the sample, while a dream of it is going on.

use std::fs;
use std::path::Path;

use chrono::TimeDelta;
use dreamtop::engine::{JobKind, Phase};
use dreamtop::run::{RunEvent, RunView, Stamped, TouchOp};
use dreamtop::tui::event::AppEvent;

use crate::stage::{Setting, now};

const BEGIN: &str = "```text\n";
const END: &str = "```\n<!-- /screen -->";

/// A dream of the shown store, 42 seconds old.
pub fn going_on(store: &Path) -> RunView {
    let mut run = RunView::new("dream-20261130T085918-4f2a7c");
    let mut after =
        |seconds: i64, event: RunEvent| run.apply(&Stamped { at: now() - TimeDelta::seconds(42 - seconds), event });
    after(
        0,
        RunEvent::Started {
            run: "dream-20261130T085918-4f2a7c".to_owned(),
            kind: JobKind::Dream,
            engine: "embedded".to_owned(),
            store: store.to_string_lossy().into_owned(),
            project: "acme-api".to_owned(),
            pid: std::process::id(),
            birth: None,
            sessions: ["3f2a51c0", "f41e07a9", "0b7be1d2", "9c5a4f10", "71d2e8aa", "c03f96b4"]
                .map(str::to_owned)
                .to_vec(),
            dry_run: false,
            trigger: "screen".to_owned(),
            budget: None,
            place: dreamtop::process::Place::here(),
            leads_group: false,
        },
    );
    after(0, RunEvent::Phase { phase: Phase::Orient });
    after(9, RunEvent::Phase { phase: Phase::Gather });
    let text = "Two notes disagree about the deploy day; the later one names Tuesday. Looking for what was said.";
    after(21, RunEvent::Text { text: text.to_owned() });
    for (name, target) in [("Read", "project_deploy_day.md"), ("Grep", "Tuesday"), ("Edit", "project_deploy_day.md")] {
        after(24, RunEvent::Tool { name: name.to_owned(), target: target.to_owned(), allowed: true });
    }
    for file in ["project_deploy_day.md", "feedback_no_database_mocks.md", "MEMORY.md"] {
        after(30, RunEvent::Touched { file: file.to_owned(), op: TouchOp::Changed });
    }
    run
}

#[test]
fn the_picture_in_the_readme_is_the_real_screen() {
    let mut stage = Setting::sample().open(112, 27);
    let run = going_on(stage.store());
    stage.take(AppEvent::Runs(vec![std::sync::Arc::new(run)]));
    stage.press(&["j"]);
    let screen = stage.screen() + "\n";

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).expect("the README has a place for the picture");
    let (picture, after) = rest.split_once(END).expect("the README's picture ends");
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{screen}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(picture, screen, "refresh it with UPDATE_README=1 cargo test --test screen readme");
}
