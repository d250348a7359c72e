//! `demo`: the screen over a throw-away copy of the sample, with a slow dream already running and changes that wait, so
//! that there is something to watch, to kill and to review.

use std::fs;
use std::path::Path;

use super::context::Context;
use super::demo_held;
use super::output::Failure;
use super::sample::{Demo, lay_out};
use super::screen::{self, Screen};
use crate::config::on_one_line;
use crate::engine::JobKind;
use crate::project;
use crate::run::launch;
use crate::state::StateDir;

static SLOW_DREAM: &str = include_str!("../../assets/demo/slow-dream.jsonl");

/// The project the screen opens on, and the one whose slow dream is already running.
const OPEN_ON: &str = "acme-api";
const DREAMING: &str = "harbor-ios";

/// Copies the sample and opens the screen on it.
pub(super) fn open(context: &mut Context) -> Result<Screen, Failure> {
    screen::require_terminal("the demo is only for looking; scripts use the commands in `dreamtop --help`")?;
    let copy = tempfile::Builder::new().prefix("dreamtop-demo-").tempdir()?;
    let root = fs::canonicalize(copy.path())?;
    lay_out(&root, context.clock.now())?;
    // Only these variables decide where anything is read or written, so nothing of the person's own is touched.
    for (key, place) in
        [("HOME", "home"), ("CLAUDE_CONFIG_DIR", "claude"), ("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config")]
    {
        let place = root.join(place);
        fs::create_dir_all(&place)?;
        context.environment = context.environment.clone().with(key, &place.to_string_lossy());
    }
    context.state = StateDir::at(root.join("state").join("dreamtop"));
    // Workers started from the screen are told the project too, wherever the demo was started.
    let project = Some(root.join("checkouts").join(OPEN_ON));
    context.request = project::Request { project, ..project::Request::default() };
    context.global.engine = None;
    let mut choice = context.choose()?;
    if let Some(error) = &context.config_error {
        choice.notices.push(format!("{}; here the defaults hold", on_one_line(error)));
    }
    demo_held::put(context, &choice.store)?;
    start_slow_dream(context, &root)?;
    screen::on(context, choice, Some(Demo { copy }))
}

/// A scripted dream of a few minutes over another project, in a process of its own like any other.
fn start_slow_dream(context: &Context, root: &Path) -> Result<(), Failure> {
    let script = root.join("slow-dream.jsonl");
    fs::write(&script, SLOW_DREAM)?;
    let run = launch::new_run_id(JobKind::Dream, context.clock.now());
    let arguments: Vec<String> = [
        "--project",
        &root.join("checkouts").join(DREAMING).to_string_lossy(),
        "--engine",
        &format!("script:{}", script.display()),
        "--quiet",
        "dream",
        "--force",
        "--run",
        &run,
        "--trigger",
        "demo",
    ]
    .map(str::to_owned)
    .to_vec();
    launch::watched(&std::env::current_exe()?, &arguments, &context.environment)?;
    Ok(())
}
