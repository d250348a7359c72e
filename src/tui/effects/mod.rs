//! Carrying out effects, away from the loop.
//!
//! [`perform`] does one effect and blocks; [`runner::Runner`] gives effects to threads, one lane each, so that a rescan never
//! waits for a kill and two deeds never race. Not its job: the terminal (the loop), and deciding anything.

mod branch;
mod deed;
mod find;
mod launch;
mod opened;
mod pause;
mod preview;
mod recall;
mod rename;
pub mod runner;
mod runs;
mod scan;
mod settings;
mod team;
mod turn;
mod union;
mod unsaved;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use super::effect::Effect;
use super::event::AppEvent;
use super::layer::promote::Ground;
use crate::change::{Door, HistoryEntry, promote};
use crate::clock::Clock;
use crate::config::Config;
use crate::environment::Environment;
use crate::filter::views;
use crate::health::{Grounds, Learnt};
use crate::memory::{Snapshot, Store, Topic};
use crate::project::{Choice, ClaudeHome};
use crate::run::gates::{Look, evaluate};
use crate::run::halt::Halt;
use crate::run::journal::RunBook;
use crate::state::StateDir;

/// So many of a run's events are shown at most.
const TAIL: usize = 100;

/// What effects work with.
#[derive(Debug)]
pub struct World {
    config: Mutex<Config>,
    config_file: Option<PathBuf>,
    engine_flag: Option<String>,
    state: StateDir,
    clock: Clock,
    environment: Environment,
    executable: PathBuf,
    worker_arguments: Vec<String>,
    /// The store we started on: workers get the program's own arguments for it.
    first: PathBuf,
    snapshot: Mutex<Option<Arc<Snapshot>>>,
    book: Mutex<RunBook>,
    told_runs: AtomicBool,
    /// The pause that was told of last.
    told_halt: Mutex<Option<Halt>>,
    /// What this screen keeps its unsaved text under.
    own_id: String,
    /// What earlier looks at the store that is shown learnt.
    learnt: Mutex<LearntOf>,
    /// Where files led when they were opened.
    opened: opened::Opened,
    /// Which search counts.
    wanted: find::Wanted,
}

impl World {
    /// The world of these options.
    #[must_use]
    pub fn new(options: &super::Options) -> Self {
        Self {
            config: Mutex::new(options.config.clone()),
            config_file: options.config_file.clone(),
            engine_flag: options.engine_flag.clone(),
            state: options.state.clone(),
            clock: options.clock.clone(),
            environment: options.environment.clone(),
            executable: options.executable.clone(),
            worker_arguments: options.worker_arguments.clone(),
            first: options.choice.store.root().to_owned(),
            snapshot: Mutex::new(None),
            book: Mutex::new(RunBook::new(options.state.clone())),
            told_runs: AtomicBool::new(false),
            told_halt: Mutex::new(None),
            own_id: crate::lock_file::token(),
            learnt: Mutex::new(LearntOf::default()),
            opened: opened::Opened::default(),
            wanted: find::Wanted::default(),
        }
    }

    fn snapshot(&self) -> Option<Arc<Snapshot>> {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The configuration as it counts now.
    fn config(&self) -> Config {
        self.config.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Goes by a configuration from now on; gives it back as the file has it.
    fn follow(&self, config: Config) -> Config {
        let engine = self.engine_flag.clone().unwrap_or_else(|| config.engine.clone());
        *self.config.lock().unwrap_or_else(PoisonError::into_inner) = Config { engine, ..config.clone() };
        config
    }

    /// What findings about a store are held against.
    fn grounds(&self, choice: &Choice) -> Grounds {
        Grounds::of(choice, &self.environment, &self.state)
    }

    fn door(&self) -> Door {
        Door::new(self.state.clone(), self.clock.clone())
    }
}

/// What was learnt of one store; of another one nothing holds.
#[derive(Debug, Default)]
struct LearntOf(Option<(Store, Learnt)>);

impl LearntOf {
    fn entry_of(&mut self, store: &Store) -> &mut Learnt {
        if self.0.as_ref().is_none_or(|(known, _)| known != store) {
            self.0 = None;
        }
        &mut self.0.get_or_insert_with(|| (store.clone(), Learnt::default())).1
    }
}

/// A memory's file, or why it cannot be read.
fn topic(choice: &Choice, file: &str) -> Result<Box<Topic>, String> {
    let path = choice.store.path(file);
    choice.store.topic(file).map(Box::new).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Does one effect and tells what came of it. `choice` is what the screen showed when it was asked for: whatever is opened
/// meanwhile, a deed lands where the person saw it. Effects on the terminal are the loop's; they do nothing here.
#[must_use]
pub fn perform(world: &World, choice: &Choice, effect: Effect) -> Vec<AppEvent> {
    let store = choice.store.root().to_owned();
    let event = match effect {
        Effect::Recover => {
            let result = world.door().recover(&choice.store).map_err(|error| error.to_string());
            scan::note_foreign(world, choice);
            AppEvent::Recovered(result)
        }
        Effect::Rescan => scan::rescan(world, choice),
        // The last scan may be of the store that was shown before.
        Effect::Check => match world.snapshot().filter(|snapshot| snapshot.store == choice.store) {
            Some(snapshot) => {
                let grounds = world.grounds(choice);
                let mut learnt = world.learnt.lock().unwrap_or_else(PoisonError::into_inner);
                let learnt = learnt.entry_of(&choice.store);
                let findings = crate::health::check_again(&snapshot, &grounds, learnt);
                AppEvent::Checked { store, findings, used: grounds.recall.unwrap_or_default() }
            }
            None => return Vec::new(),
        },
        Effect::ReadBranch => AppEvent::Branch { store, branch: choice.checkout.as_deref().and_then(branch::of) },
        Effect::RefreshGates => {
            let report =
                evaluate(choice, &world.config(), &world.state, &world.clock, &world.environment, None, Look::Report);
            AppEvent::Gates { store, report }
        }
        Effect::Pause { ends } => AppEvent::Halted(pause::set(world, ends)),
        Effect::RefreshRuns => return runs::refresh(world),
        Effect::ReadPreview(question) => {
            let result = preview::read(&question);
            AppEvent::Previewed { question, result }
        }
        // A question about the store that was shown before has no answer any more.
        Effect::Recall(question) if question.store == store => {
            let result = recall::ask(world, choice, &question.prompt);
            AppEvent::Recalled { question, result }
        }
        Effect::Recall(_) => return Vec::new(),
        Effect::PreviewRename(question) => {
            let result = rename::preview(world, choice, &question);
            AppEvent::RenamePreviewed { question, result }
        }
        Effect::Lint(question) => {
            let linted = question.answer();
            AppEvent::Linted { question, linted }
        }
        Effect::ReadTopic(file) => {
            world.opened.note(&choice.store.path(&file));
            let can_write = world.door().can_write(&choice.store, &file).map_err(|error| error.to_string());
            let result = can_write.and_then(|()| topic(choice, &file));
            AppEvent::TopicRead { store, file, result }
        }
        Effect::ReadPromotion(file) => {
            let claude = choice.home.as_ref().map(ClaudeHome::base);
            let result = topic(choice, &file).map(|topic| {
                let targets = promote::targets(choice.checkout.as_deref(), claude, &file, &topic);
                Box::new(Ground { topic: *topic, targets })
            });
            AppEvent::PromotionRead { store, file, result }
        }
        Effect::ReadForIndex(file) => {
            let result = topic(choice, &file);
            AppEvent::IndexTopicRead { store, file, result }
        }
        Effect::ReadUnion { file, partner } => {
            let result = union::read(choice, &file, &partner);
            AppEvent::UnionRead { store, file, result }
        }
        Effect::Do(deed) => {
            let result = deed::perform(world, choice, &deed);
            AppEvent::Done { deed, result }
        }
        Effect::Dream { run, store } => {
            let result = launch::dream(world, choice, &store, &run);
            AppEvent::Launched { run, result }
        }
        Effect::Kill(run) => {
            let result = crate::run::kill::kill(&world.state, &run, &world.clock, "screen");
            AppEvent::Killed { run, result: result.map(Box::new).map_err(|error| error.to_string()) }
        }
        Effect::ReadReview { store, entry } => {
            let result = world.door().review(&Store::at(&store), &entry).map(Arc::new);
            AppEvent::Reviewed { store, entry, result }
        }
        Effect::ReadTurn(question) => {
            let result = turn::read(choice, &question, choice.kept_days(&world.environment)).map(Box::new);
            AppEvent::TurnRead { question, result }
        }
        Effect::Find(question) => {
            let mut all = Vec::new();
            find::search(world, choice, &question, &mut |event| all.push(event));
            return all;
        }
        Effect::StopFind(id) => {
            world.wanted.is_now(id);
            return Vec::new();
        }
        Effect::ReadTail(run) => {
            let events = crate::run::journal::tail(&world.state, &run, TAIL);
            AppEvent::Tail { run, events }
        }
        Effect::ReadStats => {
            let read = crate::run::ledger::Ledger::read(&world.state, world.clock.now());
            AppEvent::Stats(read.map(Box::new).map_err(|error| error.to_string()))
        }
        Effect::RefreshForeign => {
            AppEvent::Foreign(crate::run::foreign::foreign_dreams(choice, &world.state, world.clock.now()))
        }
        Effect::Explain(project) => {
            let other = project.zip(choice.home.as_ref());
            let other =
                other.map(|(project, home)| crate::project::root::choice_of(&project, home, &world.environment));
            let choice = other.as_ref().unwrap_or(choice);
            let report =
                evaluate(choice, &world.config(), &world.state, &world.clock, &world.environment, None, Look::Report);
            AppEvent::Explained { store: choice.store.root().to_owned(), report }
        }
        Effect::ReadInbox => {
            AppEvent::Inbox { store, result: world.door().inbox(&choice.store).map_err(|error| error.to_string()) }
        }
        Effect::ReadHistory => {
            let dropped = world.door().dropped(&choice.store);
            AppEvent::History { store, result: history(world, choice), dropped }
        }
        Effect::ReadRunDiff(question) => {
            let result = preview::run_diff(world, &question);
            AppEvent::RunDiff { question, result }
        }
        Effect::ReadImages(question) => {
            let result = preview::images(world, &question);
            AppEvent::Images { question, result }
        }
        Effect::ReadViews => AppEvent::Views(views::read(&world.state).map_err(|error| error.to_string())),
        Effect::SaveView(view) => {
            let name = view.name.clone();
            AppEvent::ViewSaved { name, result: views::save(&world.state, view).map_err(|error| error.to_string()) }
        }
        Effect::ForgetView(name) => {
            AppEvent::Views(views::forget(&world.state, &name).map_err(|error| error.to_string()))
        }
        Effect::KeepUnsaved { store, text } => match unsaved::keep(world, &store, text.as_deref()) {
            Ok(()) => return Vec::new(),
            Err(error) => AppEvent::NotKept(error),
        },
        Effect::ReadUnsaved => AppEvent::Unsaved { store, waiting: unsaved::waiting(world, choice) },
        Effect::DropUnsaved(path) => match crate::change::unsaved::discard(&path) {
            Ok(()) => AppEvent::Unsaved { store, waiting: unsaved::waiting(world, choice) },
            Err(error) => AppEvent::NotKept(format!("The draft is not dropped: {error}; remove that file yourself")),
        },
        Effect::PartUnsaved { whole, store: theirs, parts } => {
            match crate::change::unsaved::part(&world.state, &whole, &theirs, &parts) {
                Ok(()) => AppEvent::Unsaved { store, waiting: unsaved::waiting(world, choice) },
                Err(error) => AppEvent::NotKept(error.to_string()),
            }
        }
        Effect::ListProjects => AppEvent::Projects(scan::projects(choice)),
        Effect::SurveyProjects { now, then } => AppEvent::Surveyed { facts: scan::survey(world, choice, &now), then },
        Effect::SyncTeam { pull, push } => team::sync(world, choice, pull, push),
        Effect::SyncTeamIfDue => match team::sync_if_due(world, choice) {
            Some(event) => event,
            None => return Vec::new(),
        },
        Effect::HideEntry { file, is_hidden } => team::hide(world, choice, &file, is_hidden),
        Effect::ReadTeam => AppEvent::Team { store, result: team::read(world, choice) },
        Effect::OpenProject(project) => {
            let Some(home) = &choice.home else { return Vec::new() };
            let opened = crate::project::root::choice_of(&project, home, &world.environment);
            *world.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = None;
            AppEvent::Opened(Box::new(opened))
        }
        Effect::ReadSettings => AppEvent::Settings(settings::read(world)),
        Effect::ChangeSetting { file, path, value } => {
            let result = settings::change(world, &file, &path, value.as_deref());
            AppEvent::SettingChanged { name: path.join("."), result }
        }
        Effect::RestoreSettings { file, name, content } => {
            let result = settings::restore(world, file, content);
            AppEvent::SettingChanged { name, result }
        }
        Effect::Quit
        | Effect::Suspend
        | Effect::Repaint
        | Effect::CaptureMouse(_)
        | Effect::Copy(_)
        | Effect::OpenExternalEditor(_)
        | Effect::EditSettings { .. } => return Vec::new(),
    };
    vec![event]
}

/// What landed. Where none of it can be read, why.
fn history(world: &World, choice: &Choice) -> Result<Vec<HistoryEntry>, String> {
    let door = world.door();
    let entries = door.history(&choice.store).map_err(|error| error.to_string())?;
    match door.history_damage(&choice.store) {
        Ok(Some(damage)) if entries.is_empty() => Err(damage.sentence()),
        _ => Ok(entries),
    }
}
