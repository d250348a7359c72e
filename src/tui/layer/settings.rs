//! The settings: every key of the configuration and what else decides, with its value, where that is from, what is
//! accepted and what it decides.
//!
//! Rows are worked out from the state; only what is typed is kept here.

use crate::config::{CATALOG, Known};
use crate::persons_file::PersonsFile;
use crate::project::settings::Decided;
use crate::tui::command::COMMANDS;
use crate::tui::keymap::Chord;
use crate::tui::state::{ListFilter, ListState, State};

/// The settings.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Which one is selected.
    pub list: ListState,
    /// The words that every row shown has.
    pub filter: ListFilter,
    /// The file as it was read last.
    pub file: Option<PersonsFile>,
    /// Why the file does not count: the settings before hold.
    pub broken: Option<String>,
    /// The value that is typed.
    pub editing: Option<Typed>,
    /// Whether the file is being written.
    pub is_writing: bool,
    /// Whether a change is being taken back.
    pub is_undoing: bool,
}

/// A change of the file, which can be taken back as long as the file is what it made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The setting.
    pub name: String,
    /// What the file held before; `None`: it was not there.
    pub before: Option<Vec<u8>>,
    /// What it held after.
    pub after: Option<Vec<u8>>,
}

/// A value that is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The way to its key.
    pub path: Vec<String>,
    /// So far.
    pub text: String,
    /// The values to choose from, where there are only a few.
    pub choices: &'static [&'static str],
    /// Why it was not taken.
    pub refused: Option<String>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingRow {
    /// Its full name.
    pub name: String,
    /// What it is.
    pub value: String,
    /// Where that is from: `default`, `config.yaml:4`, `settings.json, autoDreamEnabled`.
    pub from: String,
    /// What it decides.
    pub says: String,
    /// What it accepts, and where it is written when not in our configuration.
    pub accepted: String,
    /// From when on a change counts.
    pub counts: &'static str,
    /// What else there is to know: what overrules it, what is wrong with it.
    pub note: Option<String>,
    /// The way to it in our configuration; `None`: it is decided elsewhere.
    pub path: Option<Vec<String>>,
    /// The values to choose from, where there are only a few.
    pub choices: &'static [&'static str],
    /// The line of the configuration that sets it.
    pub line: Option<usize>,
}

const AT_ONCE: &str = "A change counts at once.";
const NEXT_RUN: &str = "A change counts for the next run; one that is going on keeps what it started with.";
const ELSEWHERE: &str = "Read at the start: start dreamtop again after a change.";

/// The settings that the filter shows.
#[must_use]
pub fn shown(layer: &Settings, state: &State) -> Vec<SettingRow> {
    let has = |row: &SettingRow| layer.filter.admits(&format!("{} {} {} {}", row.name, row.value, row.from, row.says));
    rows(state).into_iter().filter(has).collect()
}

/// All settings, those that people change first: how it looks, when it dreams and what it keeps; what Claude Code's settings
/// and variables decide; which program and which model; the keys.
#[must_use]
pub fn rows(state: &State) -> Vec<SettingRow> {
    let is_technical = |known: &&Known| matches!(known.path.first(), Some(&("claude_command" | "bash" | "models")));
    let is_look = |known: &&Known| matches!(known.path, ["theme" | "mouse" | "cursor"]);
    let (technical, own): (Vec<_>, Vec<_>) = CATALOG.iter().partition(is_technical);
    let (looks, own): (Vec<_>, Vec<_>) = own.into_iter().partition(is_look);
    let of = |known: Vec<&'static Known>| known.into_iter().map(|known| of_catalog(known, state)).collect::<Vec<_>>();
    let (looks, own, technical) = (of(looks), of(own), of(technical));
    let first = looks.into_iter().chain(own).chain([of_views(state)]);
    first.chain(of_claude(state)).chain(technical).chain(of_keys(state)).collect()
}

fn from(state: &State, name: &str) -> (String, Option<usize>) {
    match state.setup.line(name) {
        Some(line) => (format!("{}:{line}", state.setup.file_name()), Some(line)),
        None => ("default".to_owned(), None),
    }
}

fn of_catalog(known: &Known, state: &State) -> SettingRow {
    let name = known.name();
    let setup = &state.setup;
    let (mut from, line) = from(state, &name);
    let mut value = (known.value)(&setup.config);
    let mut note = None;
    let written = format!("{value}, from {from}");
    // What is stronger than the configuration.
    let stronger = match name.as_str() {
        "engine" => setup.engine_flag.clone().map(|engine| (engine, "--engine".to_owned())),
        "theme" if setup.no_color => Some(("mono".to_owned(), "NO_COLOR".to_owned())),
        "mouse" if state.mouse != setup.config.mouse => Some((
            state.mouse.to_string(),
            format!("{}, for this session", state.keymap.shown(crate::tui::command::Command::Mouse)),
        )),
        "dream.enabled" => state.choice.settings.auto_dream.as_ref().map(|it| (it.value.to_string(), it.by.clone())),
        _ => None,
    };
    if let Some((stronger, by)) = stronger {
        note = Some(format!("{by} decides; the configuration says {written}."));
        (value, from) = (stronger, by);
    }
    if name == "theme" && value == "auto" {
        note = Some(format!("auto is {} here: {}.", state.theme.word(), state.background_words()));
    }
    let counts = match known.path.first() {
        Some(&("theme" | "mouse" | "cursor" | "shelf_life")) => AT_ONCE,
        _ => NEXT_RUN,
    };
    if value.is_empty() {
        value.push_str("not set");
    }
    SettingRow {
        value,
        from,
        says: known.says.to_owned(),
        accepted: known.accepted.words(),
        counts,
        note,
        path: Some(known.path.iter().map(|part| (*part).to_owned()).collect()),
        choices: known.accepted.choices(),
        line,
        name,
    }
}

/// The person's saved views: no key of the file, and looked for here all the same.
fn of_views(state: &State) -> SettingRow {
    let key = state.keymap.shown(crate::tui::command::Command::Views);
    SettingRow {
        name: "views".to_owned(),
        value: crate::text::count(state.views.len(), "view of your own", "views of your own"),
        from: "our state directory".to_owned(),
        says: "Filters with their order under a name.".to_owned(),
        accepted: format!("{key} on the dashboard saves the filter that holds, goes to one, forgets one"),
        counts: AT_ONCE,
        note: None,
        path: None,
        choices: &[],
        line: None,
    }
}

/// What Claude Code's settings and the environment decide here: shown, and changed there.
fn of_claude(state: &State) -> Vec<SettingRow> {
    let settings = &state.choice.settings;
    let row = |name: &str, value: String, from: String, says: &str, accepted: &str| SettingRow {
        name: name.to_owned(),
        value,
        from,
        says: says.to_owned(),
        accepted: accepted.to_owned(),
        counts: ELSEWHERE,
        note: None,
        path: None,
        choices: &[],
        line: None,
    };
    let switch = |decided: Option<&Decided<bool>>| match decided {
        Some(decided) => (decided.value.to_string(), decided.by.clone()),
        None => ("not set".to_owned(), "default".to_owned()),
    };
    let (memory, memory_by) = switch(Some(&settings.auto_memory));
    let (dream, dream_by) = switch(settings.auto_dream.as_ref());
    let (directory, directory_by) = match &settings.memory_directory {
        Some(decided) => (decided.value.display().to_string(), decided.by.clone()),
        None => ("not set".to_owned(), "default".to_owned()),
    };
    let home = state.choice.home.as_ref().map_or_else(|| "none".to_owned(), |home| state.setup.short(home.base()));
    let variable = |is_set: bool| if is_set { "set" } else { "not set" }.to_owned();
    let in_settings = "true or false, in Claude Code's settings.json";
    vec![
        row(
            "autoMemoryEnabled",
            memory,
            memory_by,
            "Whether memory is on at all; off, nothing is extracted and no dream starts by itself.",
            in_settings,
        ),
        row(
            "autoDreamEnabled",
            dream,
            dream_by,
            "Whether dreams start by themselves; when set, it wins over dream.enabled.",
            in_settings,
        ),
        row(
            "autoMemoryDirectory",
            directory,
            directory_by,
            "Where the memories of all projects lie, instead of one store a project.",
            "a directory, in your own or the machine's settings.json; what a repository says about it is ignored",
        ),
        row(
            "CLAUDE_CONFIG_DIR",
            home,
            "--claude-dir, else the variable, else ~/.claude".to_owned(),
            "Claude Code's directory, where projects, sessions and stores lie.",
            "a directory, in the environment",
        ),
        row(
            "CLAUDE_CODE_REMOTE",
            variable(settings.remote),
            "environment".to_owned(),
            "A remote session: no dream starts by itself.",
            "1, in the environment",
        ),
        row(
            "CLAUDE_CODE_SIMPLE",
            variable(settings.bare == Some("CLAUDE_CODE_SIMPLE")),
            "environment".to_owned(),
            "A bare session: memory is off.",
            "1, in the environment",
        ),
        row(
            "NO_COLOR",
            variable(state.setup.no_color),
            "environment".to_owned(),
            "No colours, whatever the theme; attributes and signs stay.",
            "anything, in the environment",
        ),
    ]
}

fn of_keys(state: &State) -> Vec<SettingRow> {
    let row = |spec: &crate::tui::command::CommandSpec| {
        let name = format!("keys.{}", spec.name);
        let (mut from, line) = from(state, &name);
        let keys: Vec<String> = state.keymap.keys(spec.command).iter().map(ToString::to_string).collect();
        let written = state.setup.config.keys.get(spec.name);
        if written.is_some_and(|words| Chord::parse(words).is_none()) {
            from = format!("default; {from} names no key");
        }
        SettingRow {
            value: if keys.is_empty() { "no key".to_owned() } else { keys.join(" · ") },
            from,
            says: spec.sentence.to_owned(),
            accepted: "a key: j, G, ctrl-d, shift-down, f5, space; keys that follow each other: g g".to_owned(),
            counts: AT_ONCE,
            note: complaint_about(state, spec.name),
            path: Some(vec!["keys".to_owned(), spec.name.to_owned()]),
            choices: &[],
            line,
            name,
        }
    };
    let known: Vec<SettingRow> = COMMANDS.iter().map(row).collect();
    of_no_command(state).into_iter().chain(known).collect()
}

/// Keys that the configuration gives to commands which do not exist.
fn of_no_command(state: &State) -> Vec<SettingRow> {
    let keys = state.setup.config.keys.iter();
    let unknown = keys.filter(|(name, _)| COMMANDS.iter().all(|spec| spec.name != name.as_str()));
    let row = |(name, words): (&String, &String)| {
        let setting = format!("keys.{name}");
        let (from, line) = from(state, &setting);
        SettingRow {
            name: setting,
            value: words.clone(),
            from,
            says: "No command has this name, so that it does nothing.".to_owned(),
            accepted: "the name of a command, as the settings below have them".to_owned(),
            counts: AT_ONCE,
            note: complaint_about(state, name),
            path: Some(vec!["keys".to_owned(), name.clone()]),
            choices: &[],
            line,
        }
    };
    unknown.map(row).collect()
}

/// What is wrong with a name of `keys`.
fn complaint_about(state: &State, name: &str) -> Option<String> {
    let mut complaints = state.setup.complaints.iter();
    complaints
        .find(|complaint| complaint.about.iter().any(|about| about == name))
        .map(|complaint| complaint.text.clone())
}
