//! Setting Claude Code up to call us, and taking that back: a plan of files first, that a person can look at, then the
//! files.
//!
//! What we wrote is on record in our state directory, with a copy of what was there: when nobody changed the settings since,
//! taking it back gives them back byte for byte. Not its job: asking, and showing the plan (`crate::cli`).

pub mod commands;
pub mod health;
pub mod hooks;
mod record;
mod reverse;
pub mod settings;

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::memory::ContentHash;
use crate::persons_file::{self, PersonsFile, WriteError};
use crate::secret::redacted;
use crate::state::StateDir;
use record::Record;

/// The name of the plugin folder's plugin, in whichever marketplace it is offered.
pub const PLUGIN: &str = "dreamtop";

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The person's, for every project: `settings.json` in Claude Code's directory.
    User,
    /// The project's, shared with whoever works on it: `.claude/settings.json`.
    Project,
    /// The person's for this project: `.claude/settings.local.json`.
    Local,
}

impl Scope {
    /// All, the widest first.
    pub const ALL: [Self; 3] = [Self::User, Self::Project, Self::Local];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

/// Where things are put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Whose settings they are.
    pub scope: Scope,
    /// The settings file.
    pub settings: PathBuf,
    /// Where slash commands lie; `None`: there is no directory for them that is the person's and the project's.
    pub commands: Option<PathBuf>,
    /// The checkout that nothing may be written outside of; `None`: the person's own files may be linked to anywhere.
    pub checkout: Option<PathBuf>,
}

impl Place {
    /// The place of a scope. `claude` is Claude Code's directory, `project` the checkout.
    #[must_use]
    pub fn of(scope: Scope, claude: &Path, project: &Path) -> Self {
        let inside = project.join(".claude");
        let (settings, commands) = match scope {
            Scope::User => (claude.join("settings.json"), Some(claude.join("commands"))),
            Scope::Project => (inside.join("settings.json"), Some(inside.join("commands"))),
            Scope::Local => (inside.join("settings.local.json"), None),
        };
        let checkout = (scope != Scope::User).then(|| project.to_owned());
        Self { scope, settings, commands, checkout }
    }

    /// Reads a file of this place.
    fn read(&self, path: &Path) -> Result<PersonsFile, InstallError> {
        let file = PersonsFile::read(path)?;
        let (Some(checkout), Some(target)) = (&self.checkout, file.target()) else { return Ok(file) };
        let is_inside = checkout.canonicalize().is_ok_and(|checkout| target.starts_with(checkout));
        if is_inside { Ok(file) } else { Err(InstallError::LeadsOut { path: path.to_owned(), target }) }
    }
}

/// One file of a plan.
#[derive(Clone, Debug)]
pub struct FileChange {
    /// The file as it is.
    pub file: PersonsFile,
    /// What it becomes; `None`: it goes.
    pub after: Option<Vec<u8>>,
}

/// What would be done.
#[derive(Clone, Debug)]
pub struct Plan {
    place: Place,
    /// The files that change, in this order.
    pub changes: Vec<FileChange>,
    /// What is left as it is although it could be expected to change, in words.
    pub notices: Vec<String>,
    /// What will be on record; `None`: nothing any more.
    record: Option<Record>,
    /// The settings before us, for a copy.
    original: Option<Vec<u8>>,
    /// Directories that go when nothing is left in them, the innermost first.
    emptied: Vec<PathBuf>,
    /// Whether the copy of the settings before us goes: they are what it is.
    drops_copy: bool,
}

/// Why nothing is done.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// The settings cannot be edited.
    #[error("{path}: {source}; put it right, or add the hooks by hand (docs/hooks.md shows them)")]
    NotEditable {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: settings::NotEditable,
    },
    /// A link in a project, which may come from anybody, leads out of it.
    #[error(
        "{} lies at {}, outside of the project: a link on the way there leads out; nothing is written through it. Put a file \
         or directory of the project in its place, or take another --scope",
        path.display(), target.display()
    )]
    LeadsOut {
        /// Which file.
        path: PathBuf,
        /// Where it really lies.
        target: PathBuf,
    },
    /// A file cannot be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// A file changed meanwhile.
    #[error("{0}")]
    Write(#[from] WriteError),
}

/// What installing does: hooks in the settings, and the slash commands. `program` is what a shell calls us by, with these
/// `options`; settings that others share name neither.
///
/// # Errors
/// When the settings cannot be read, or not be edited without harm.
pub fn install(state: &StateDir, place: Place, program: &str, options: &[String]) -> Result<Plan, InstallError> {
    let file = place.read(&place.settings)?;
    let text = text_of(&file)?;
    let known = Record::read(state, &place.settings);
    let recorded = known.as_ref().map(Record::command);
    // Who names no options keeps those that are there, in the hooks and in the commands.
    let kept = if options.is_empty() { settings::options(&text, recorded) } else { Vec::new() };
    let (asked, options) = (options, if options.is_empty() { kept.as_slice() } else { options });
    let command = match place.scope {
        Scope::Project => hooks::SHARED_COMMAND.to_owned(),
        Scope::User | Scope::Local => hooks::command(program, options),
    };
    let edited = renewed(state, &file, known.as_ref(), &command)
        .map_or_else(|| settings::with_hooks(&text, &command, recorded), Ok)
        .map_err(|source| not_editable(&file, source))?;
    let original = original(state, &file, &text, known.as_ref())?;
    let mut record = Record::of(&place, command, edited.as_bytes(), original.as_deref());
    let mut changes = Vec::new();
    let mut notices = Vec::new();
    if place.scope == Scope::Project && !asked.is_empty() {
        notices.push(format!(
            "{} is not written into hooks that others share: each goes by their own configuration",
            asked.join(" ")
        ));
    }
    if place.scope != Scope::Project && !kept.is_empty() {
        notices.push(format!(
            "the hooks go on calling dreamtop with {}, as they do now; `dreamtop uninstall` first takes that out",
            redacted(&kept.join(" "))
        ));
    }
    notices.extend(settings::by_hand(&text, recorded).into_iter().map(|command| {
        format!(
            "a hook there seems to call dreamtop already: {}; with this each event would be answered twice, so take one out",
            redacted(&command)
        )
    }));
    for (path, content) in commands::files(&place, program, options) {
        let file = place.read(&path)?;
        let is_ours = known.as_ref().is_some_and(|known| known.wrote(&file)) || commands::is_ours(&path, &file.text());
        if file.bytes.is_some() && !is_ours && file.bytes.as_deref() != Some(content.as_bytes()) {
            notices.push(format!("{} is somebody else's command and stays as it is", path.display()));
            continue;
        }
        record.add(&path, content.as_bytes());
        record.will_make(&path, known.as_ref());
        add(&mut changes, file, Some(content.into_bytes()));
    }
    record.will_make(&place.settings, known.as_ref());
    // The settings first: where they cannot be written nothing else is.
    let mut all = Vec::new();
    add(&mut all, file, Some(edited.into_bytes()));
    all.extend(changes);
    Ok(Plan { place, changes: all, notices, record: Some(record), original, emptied: Vec::new(), drops_copy: false })
}

/// Settings that another version wrote and nobody changed since, as this one writes them: another shape is brought up to date.
/// `None`: this version wrote them, somebody changed them, or what was there before us is not known.
fn renewed(state: &StateDir, file: &PersonsFile, known: Option<&Record>, command: &str) -> Option<String> {
    let before = known
        .filter(|known| known.is_of_another_version() && known.is_as_left(file))?
        .original(state)?
        .unwrap_or_default();
    settings::with_hooks(&String::from_utf8(before).ok()?, command, None).ok()
}

/// What uninstalling does: our hooks and commands go, and what somebody else made of them stays.
///
/// # Errors
/// When the settings cannot be read, or not be edited without harm.
pub fn uninstall(state: &StateDir, place: Place) -> Result<Plan, InstallError> {
    let file = place.read(&place.settings)?;
    let known = Record::read(state, &place.settings);
    let recorded = known.as_ref().map(Record::command);
    let untouched = known.as_ref().filter(|known| known.is_as_left(&file));
    // Byte for byte what it was, also when it was not there.
    let given_back = untouched.and_then(|known| known.original(state));
    let is_given_back = given_back.is_some();
    let after = match given_back {
        Some(original) => original,
        None => {
            let text = text_of(&file)?;
            let edited = settings::without_hooks(&text, recorded).map_err(|source| not_editable(&file, source))?;
            let merged = known.as_ref().and_then(|known| known.taken_back(state, &text, &edited));
            file.bytes.is_some().then(|| merged.unwrap_or(edited).into_bytes())
        }
    };
    let mut changes = Vec::new();
    let mut notices = Vec::new();
    add(&mut changes, file, after);
    for (path, _) in commands::files(&place, "dreamtop", &[]) {
        let file = place.read(&path)?;
        let is_ours = known.as_ref().is_some_and(|known| known.wrote(&file)) || commands::is_ours(&path, &file.text());
        if is_ours {
            add(&mut changes, file, None);
        } else if file.bytes.is_some() && known.as_ref().is_some_and(|known| known.has(&path)) {
            notices.push(format!("{} was changed since it was installed and stays", path.display()));
        }
    }
    // What is given back byte for byte needs no copy; one of settings that were edited since may be wanted.
    let copy = known.as_ref().and_then(|known| known.copy(state));
    if let Some(copy) = copy.filter(|_| !is_given_back) {
        notices.push(format!(
            "a copy of the settings as they were before dreamtop stays in {}, with whatever keys they held; remove it when you need it no more",
            copy.display()
        ));
    }
    let takes_commands = changes.iter().any(|change| change.file.path.parent() == place.commands.as_deref());
    let emptied = match known {
        Some(known) => known.made().to_vec(),
        // Without a record nobody knows who made the directory; with our commands gone and nothing else in it, it says nothing.
        None => place.commands.clone().filter(|_| takes_commands).into_iter().collect(),
    };
    Ok(Plan { place, changes, notices, record: None, original: None, emptied, drops_copy: is_given_back })
}

/// Does what a plan says, all of it or nothing. A copy of the settings is kept first; its path is the answer.
///
/// # Errors
/// When a file changed since the plan was made, or cannot be written; what was written before is taken back then.
pub fn carry_out(state: &StateDir, plan: &Plan) -> Result<Option<PathBuf>, InstallError> {
    for change in &plan.changes {
        change.file.check()?;
    }
    let kept = match &plan.record {
        Some(record) => record.keep(state, plan.original.as_deref())?,
        None => None,
    };
    let mut done: Vec<(PersonsFile, &FileChange)> = Vec::new();
    for change in &plan.changes {
        match put(plan.place.scope, &change.file, change.after.as_deref()) {
            Ok(now) => done.push((now, change)),
            Err(error) => {
                for (now, change) in done.into_iter().rev() {
                    // One that somebody changed in this moment is theirs.
                    let _ = put(plan.place.scope, &now, change.file.bytes.as_deref());
                }
                remove_empty(plan.record.as_ref().map(Record::made).unwrap_or_default());
                return Err(error.into());
            }
        }
    }
    remove_empty(&plan.emptied);
    match &plan.record {
        Some(record) => record.write(state)?,
        None => Record::forget(state, &plan.place.settings, plan.drops_copy)?,
    }
    Ok(kept)
}

/// Takes away what writes that were cut off left beside the files of a place: it may hold what the settings do.
pub fn sweep(place: &Place) {
    let in_commands = place.commands.iter().flat_map(|directory| persons_file::left_in(directory));
    for left in persons_file::left_beside(&place.settings).into_iter().chain(in_commands) {
        let _ = std::fs::remove_file(left);
    }
}

/// Gives a file other bytes, or none; the file as it is then.
fn put(scope: Scope, file: &PersonsFile, bytes: Option<&[u8]>) -> Result<PersonsFile, WriteError> {
    match bytes {
        Some(bytes) if scope == Scope::Project => file.replace_shared(bytes),
        Some(bytes) => file.replace(bytes),
        None => file.remove().map(|()| PersonsFile { path: file.path.clone(), bytes: None }),
    }
}

/// One in which something lies stays.
fn remove_empty(directories: &[PathBuf]) {
    for directory in directories {
        let _ = std::fs::remove_dir(directory);
    }
}

/// The commands in the settings of a place that call us.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Installed {
    /// Those of ours.
    pub ours: Vec<String>,
    /// Those that somebody wrote who has a shell do more.
    pub by_hand: Vec<String>,
    /// Whether nobody touched ours, and this version writes them in another shape.
    pub is_outdated: bool,
}

impl Installed {
    /// Whether nothing there calls us.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ours.is_empty() && self.by_hand.is_empty()
    }
}

/// The commands in the settings of a place that call us.
///
/// # Errors
/// When the settings cannot be read, or hold what [`install`] would refuse.
pub fn installed(state: &StateDir, place: &Place) -> Result<Installed, InstallError> {
    let known = Record::read(state, &place.settings);
    let recorded = known.as_ref().map(Record::command);
    let file = PersonsFile::read(&place.settings)?;
    let text = text_of(&file)?;
    settings::with_hooks(&text, "dreamtop hook", recorded).map_err(|source| not_editable(&file, source))?;
    let ours = settings::installed(&text, recorded);
    let fresh = recorded.and_then(|command| renewed(state, &file, known.as_ref(), command));
    let is_outdated = fresh.is_some_and(|fresh| fresh != text);
    Ok(Installed { ours, by_hand: settings::by_hand(&text, recorded), is_outdated })
}

fn add(changes: &mut Vec<FileChange>, file: PersonsFile, after: Option<Vec<u8>>) {
    if file.bytes != after {
        changes.push(FileChange { file, after });
    }
}

/// What the settings were before us: now, or when we first came, if nobody changed them since.
fn original(
    state: &StateDir,
    file: &PersonsFile,
    text: &str,
    known: Option<&Record>,
) -> Result<Option<Vec<u8>>, InstallError> {
    let recorded = known.map(Record::command);
    match known.filter(|known| known.is_as_left(file)).and_then(|known| known.original(state)) {
        Some(original) => Ok(original),
        None if settings::installed(text, recorded).is_empty() => Ok(file.bytes.clone()),
        None => {
            let without = settings::without_hooks(text, recorded).map_err(|source| not_editable(file, source))?;
            Ok(Some(without.into_bytes()))
        }
    }
}

/// Settings are Unicode; anything else would be spoiled by being written again.
fn text_of(file: &PersonsFile) -> Result<String, InstallError> {
    String::from_utf8(file.bytes.clone().unwrap_or_default())
        .map_err(|_| not_editable(file, settings::NotEditable::Odd("it is not UTF-8".to_owned())))
}

fn not_editable(file: &PersonsFile, source: settings::NotEditable) -> InstallError {
    InstallError::NotEditable { path: file.path.clone(), source }
}

fn hash(bytes: &[u8]) -> String {
    ContentHash::of(bytes).to_string()
}
