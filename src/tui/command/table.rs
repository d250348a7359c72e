//! The table of commands.

use super::when::*;
use super::{Command, CommandSpec, Place};
use crate::tui::state::State;

const DASHBOARD: &[Place] = &[Place::Dashboard, Place::Marked];
/// Where something can be opened.
const OPENING: &[Place] = &[
    Place::Dashboard,
    Place::Marked,
    Place::Triage,
    Place::Reading,
    Place::Run,
    Place::Runs,
    Place::Inbox,
    Place::History,
    Place::Health,
    Place::Projects,
    Place::Settings,
    Place::List,
];
const MOVING: &[Place] = &[
    Place::Dashboard,
    Place::Marked,
    Place::Triage,
    Place::Reading,
    Place::Run,
    Place::Runs,
    Place::Inbox,
    Place::Review,
    Place::History,
    Place::Health,
    Place::Projects,
    Place::Settings,
    Place::List,
];
const CLOSING: &[Place] = &[
    Place::Dashboard,
    Place::Marked,
    Place::Triage,
    Place::Reading,
    Place::Run,
    Place::Runs,
    Place::Inbox,
    Place::Review,
    Place::History,
    Place::Health,
    Place::Projects,
    Place::Settings,
    Place::Edit,
    Place::List,
];
const REVIEW: &[Place] = &[Place::Review];
const MEMORY: &[Place] = &[Place::Dashboard, Place::Marked, Place::Triage, Place::Reading];
const TRIAGE: &[Place] = &[Place::Triage];
const JUDGED: &[Place] = &[Place::Triage, Place::Marked];

const fn spec(
    command: Command,
    name: &'static str,
    places: &'static [Place],
    keys: &'static [&'static str],
    verb: &'static str,
    sentence: &'static str,
    when: fn(&State) -> bool,
) -> CommandSpec {
    CommandSpec { command, name, places, keys, verb, sentence, when }
}

/// All commands, in the order of the footer and the help.
#[rustfmt::skip]
pub const COMMANDS: &[CommandSpec] = &[
    spec(Command::Open, "open", OPENING, &["enter"], "open", "Open what is selected: a memory in full, a run, a project.", opens),
    spec(Command::Kill, "kill", &[Place::Run, Place::Runs], &["x"], "kill", "Kill the run: before its changes land nothing has changed, after that undo takes them back.", run_is_live),
    spec(Command::Review, "review", &[Place::Run, Place::Runs, Place::Inbox], &["r"], "review", "Review what is held: reasons, sources, hunks.", has_held),
    spec(Command::Accept, "accept", &[Place::Inbox], &["a"], "accept", "Land the held change; on a heading: all, which asks.", has_inbox_row),
    spec(Command::Reject, "reject", &[Place::Inbox], &["d"], "reject", "Drop the held change; asks.", has_inbox_row),
    spec(Command::Land, "land", REVIEW, &["enter"], "land", "Land what is accepted; on a source: open its turn.", can_land),
    spec(Command::AcceptFile, "accept-file", REVIEW, &["a"], "accept", "Accept the file as proposed; again: undecided.", has_file),
    spec(Command::AcceptAll, "accept-all", REVIEW, &["A"], "all", "Accept every file that is not rejected.", has_file),
    spec(Command::RejectFile, "reject-file", REVIEW, &["x"], "reject", "Reject the file; again: undecided.", has_file),
    spec(Command::ToggleHunk, "toggle-hunk", REVIEW, &["space"], "hunk", "Take the hunk under the cursor, or leave it.", has_hunks),
    spec(Command::EditProposal, "edit-proposal", REVIEW, &["e"], "edit", "Edit the proposed text before it lands.", has_file),
    spec(Command::Sources, "sources", REVIEW, &["tab"], "sources", "To the sources, and back to the files.", has_sources),
    spec(Command::NextHunk, "next-hunk", REVIEW, &["l", "J", "right"], "", "To the next hunk.", has_hunks),
    spec(Command::PreviousHunk, "previous-hunk", REVIEW, &["h", "K", "left"], "", "To the hunk before.", has_hunks),
    spec(Command::Repair, "repair", &[Place::Health], &["f"], "fix", "Fix what is safe to fix; the rest stays listed.", has_fixable),
    spec(Command::Save, "save", &[Place::Edit], &["ctrl-s"], "save", "Save; the claim keeps its age.", can_save),
    spec(Command::SaveAndRenew, "save-and-renew", &[Place::Edit], &["ctrl-y"], "save, still true", "Save and confirm the claim: its age starts again.", can_save),
    spec(Command::Triage, "triage", &[Place::Dashboard], &["t"], "triage", "Judge one by one, most in need first; a filter narrows it.", has_store),
    spec(Command::StillTrue, "still-true", MEMORY, &["y"], "still true", "The claim still holds: its age starts again.", has_target),
    spec(Command::Edit, "edit", MEMORY, &["e"], "edit", "Edit the memory here.", has_target),
    spec(Command::Merge, "merge", TRIAGE, &["m"], "merge", "Make one of it and its partner; you see the text first.", has_partner),
    spec(Command::Filter, "filter", &[Place::Dashboard, Place::Marked, Place::Runs, Place::Projects], &["/"], "find", "Filter the memories, the runs or the projects by words they have.", can_filter),
    spec(Command::Dream, "dream", &[Place::Dashboard, Place::Marked, Place::Run, Place::Runs], &["D"], "dream", "Start a dream here; on a run: on the store of that run.", can_dream),
    spec(Command::RunDialog, "run", DASHBOARD, &["shift-down"], "watch", "Watch the run that is going on, or look at the last one.", has_run),
    spec(Command::Undo, "undo", &[Place::Dashboard, Place::Marked, Place::Triage, Place::Reading, Place::Run, Place::Runs, Place::Inbox, Place::Review, Place::History], &["u"], "undo", "Take back the last change, or the one selected.", can_undo),
    spec(Command::Delete, "delete", MEMORY, &["d", "delete"], "delete", "To the trash; asks first (not in triage), can be undone.", has_target),
    spec(Command::Snooze, "snooze", JUDGED, &["s"], "snooze", "Let it wait 7, 30, 90 days, or a number typed before.", has_target),
    spec(Command::Retype, "retype", JUDGED, &["t"], "retype", "Give it another type; the claim keeps its age.", has_target),
    spec(Command::Skip, "skip", TRIAGE, &["space"], "skip", "On to the next, without a verdict.", has_target),
    spec(Command::TriageMarked, "triage-marked", &[Place::Marked], &["T"], "triage", "Judge exactly the marked and visible ones, one after the other.", has_target),
    spec(Command::New, "new", DASHBOARD, &["n"], "new", "Write a new memory.", may_have_store),
    spec(Command::Close, "close", CLOSING, &["esc"], "close", "Close this; on the dashboard: drop filter and marks.", closable),
    spec(Command::Origin, "origin", &[Place::Reading], &["o"], "its run", "Go to the run, or the landing, that it is from.", has_origin),
    spec(Command::Year, "year", &[Place::Runs], &["y"], "year", "A year of dreams, day by day; again: the list.", always),
    spec(Command::Stats, "stats", &[Place::Runs], &["s"], "stats", "How often runs started, how they went; again: the list.", always),
    spec(Command::Palette, "palette", &[Place::Everywhere], &[":"], "commands", "Any command by its name.", always),
    spec(Command::Help, "help", &[Place::Everywhere], &["?"], "help", "All keys.", always),
    spec(Command::Sort, "sort", &[Place::Dashboard, Place::Projects], &["s"], "sort", "Another order: by need, age, name, type.", can_sort),
    spec(Command::Mark, "mark", DASHBOARD, &["space"], "mark", "Mark the memory; a verb then acts on all marked ones that are visible.", in_list),
    spec(Command::EditExternally, "edit-externally", MEMORY, &["E"], "$EDITOR", "Edit the memory in $EDITOR.", has_target),
    spec(Command::Runs, "runs", DASHBOARD, &["R"], "runs", "All runs of all projects, live and past.", always),
    spec(Command::Inbox, "inbox", DASHBOARD, &["i"], "inbox", "Changes that wait for you.", has_store),
    spec(Command::History, "history", DASHBOARD, &["H"], "history", "What landed in this store; any of it can be undone.", has_store),
    spec(Command::Projects, "projects", DASHBOARD, &["p"], "projects", "Look at another project.", always),
    spec(Command::Health, "health", DASHBOARD, &["c"], "health", "What is wrong with this store, with evidence.", has_store),
    spec(Command::Lens, "recall", DASHBOARD, &["r"], "recall", "Type a prompt and see which memories it would call back, and why.", has_store),
    spec(Command::Team, "team", DASHBOARD, &["S"], "team", "What this project shares with a team: which files, and what keeps one back.", always),
    spec(Command::Settings, "settings", DASHBOARD, &[","], "settings", "Every setting: its value, where that is from, what it decides; change it here.", always),
    spec(Command::ResetSetting, "reset-setting", &[Place::Settings], &["x", "delete"], "default", "Take the setting out of the configuration: the default holds.", always),
    spec(Command::EditSettings, "edit-settings", &[Place::Settings], &["E"], "$EDITOR", "Open the configuration in $EDITOR, at the line of the setting.", always),
    spec(Command::Why, "why", &[Place::Dashboard, Place::Marked, Place::Projects], &["w"], "why no dream", "Why no dream starts: each gate with its figure.", can_explain),
    spec(Command::CopyPath, "copy-path", MEMORY, &["Y"], "", "Copy the memory's path to the clipboard.", has_target),
    spec(Command::Reload, "reload", DASHBOARD, &["f5", "ctrl-l"], "", "Read everything again from the disk.", always),
    spec(Command::Mouse, "mouse", &[Place::Everywhere], &["M"], "", "Switch the mouse on or off; off lets the terminal select text.", always),
    spec(Command::NextPane, "next-pane", DASHBOARD, &["tab", "l", "right"], "", "The focus to the next pane.", always),
    spec(Command::PreviousPane, "previous-pane", DASHBOARD, &["shift-tab", "h", "left"], "", "The focus to the pane before.", always),
    spec(Command::Down, "down", MOVING, &["j", "down", "ctrl-n"], "", "One down.", always),
    spec(Command::Up, "up", MOVING, &["k", "up"], "", "One up.", always),
    spec(Command::HalfPageDown, "half-page-down", MOVING, &["ctrl-d", "pagedown"], "", "Half a page down.", always),
    spec(Command::HalfPageUp, "half-page-up", MOVING, &["ctrl-u", "pageup"], "", "Half a page up.", always),
    spec(Command::Top, "top", MOVING, &["g", "home"], "", "To the first.", always),
    spec(Command::Bottom, "bottom", MOVING, &["G", "end"], "", "To the last.", always),
    spec(Command::Suspend, "suspend", &[Place::Everywhere], &["ctrl-z"], "", "Stop the program; `fg` brings it back.", always),
    spec(Command::Leave, "leave", &[Place::Everywhere], &["q"], "quit", "Close this; from the dashboard: leave.", always),
    spec(Command::Quit, "quit", &[Place::Everywhere], &["Q", "ctrl-c"], "quit", "Leave from wherever you are; asks while a run that was started here goes on.", always),
];
