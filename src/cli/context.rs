//! What every command works with: where we are, when it is, which store is meant.

use std::path::{Path, PathBuf};

use super::args::{Global, Starter};
use super::output::{Failure, Output};
use crate::change::verdicts::Seen;
use crate::change::{ChangeSet, Consent, Door, DoorError, Landing};
use crate::clock::Clock;
use crate::config::Config;
use crate::environment::Environment;
use crate::health::Grounds;
use crate::memory::store::ScanOptions;
use crate::memory::{Memory, Snapshot, Store, StoreError, Topic};
use crate::project::{self, Choice, ClaudeHome, Request};
use crate::run::live::{self, Site};
use crate::run::worker::{Order, Task};
use crate::state::{StateDir, with_path};

/// The context of a command.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) environment: Environment,
    pub(super) clock: Clock,
    pub(super) config: Config,
    pub(super) state: StateDir,
    pub(super) output: Output,
    pub(super) request: Request,
    pub(super) global: Global,
    /// What is wrong with the configuration, where that is no reason to stop; the defaults hold then.
    pub(super) config_error: Option<String>,
}

impl Context {
    /// Reads environment, clock and configuration. With `lenient` a wrong configuration is noted and the defaults hold.
    pub(super) fn new(global: &Global, environment: Environment, lenient: bool) -> Result<Self, Failure> {
        let clock = Clock::from_environment(&environment).map_err(Failure::usage)?;
        let config = match (&global.config, environment.config_file()) {
            (Some(path), _) => Config::read(&environment.absolute(path), true),
            (None, Some(path)) => Config::read(&path, false),
            (None, None) => Ok(Config::default()),
        };
        let (config, config_error) = match config {
            Ok(config) => (config, None),
            Err(error) if lenient => (Config::default(), Some(error.to_string())),
            Err(error) => return Err(Failure::usage(error)),
        };
        let state = environment.state_dir().unwrap_or_else(|| std::env::temp_dir().join("dreamtop-state"));
        let absolute = |path: &Option<PathBuf>| path.as_ref().map(|path| environment.absolute(path));
        let request = Request {
            project: absolute(&global.project),
            memory_dir: absolute(&global.memory_dir),
            sessions: absolute(&global.sessions.clone().filter(|dir| !dir.as_os_str().is_empty())),
            claude_dir: absolute(&global.claude_dir),
        };
        let output = Output::new(global, &environment);
        let (state, global) = (StateDir::at(state), global.clone());
        Ok(Self { environment, clock, config, state, output, request, global, config_error })
    }

    /// Where the configuration is, or would be.
    pub(super) fn config_file(&self) -> Option<PathBuf> {
        let flag = self.global.config.as_ref().map(|path| self.environment.absolute(path));
        flag.or_else(|| self.environment.config_file())
    }

    /// The store that is meant.
    pub(super) fn choose(&self) -> Result<Choice, Failure> {
        let choice = project::choose(&self.request, &self.environment).map_err(Failure::usage)?;
        for notice in &choice.notices {
            self.output.notice(notice);
        }
        Ok(choice)
    }

    /// The Claude home, which must be there.
    pub(super) fn claude_home(&self) -> Result<ClaudeHome, Failure> {
        let base = self.request.claude_dir.clone().or_else(|| self.environment.claude_dir());
        let home = base.map(ClaudeHome::at).ok_or_else(|| Failure::usage(project::root::ChooseError::NoHome))?;
        match std::fs::metadata(home.base()) {
            Ok(metadata) if metadata.is_dir() => Ok(home),
            Ok(_) => Err(Failure::usage(format!("{} is a file, not a Claude home", home.base().display()))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Failure::not_found(format!(
                "there is no Claude home at {}; name one with --claude-dir, or look around with `dreamtop demo`",
                home.base().display()
            ))),
            // It is there, and the person has to know what keeps us out.
            Err(error) => Err(with_path(error, "cannot look at the Claude home", home.base()).into()),
        }
    }

    /// How scans judge.
    pub(super) fn scan_options(&self, store: &Store) -> ScanOptions {
        let confirmed = self.door().confirmed(store);
        ScanOptions { now: self.clock.now(), shelf_life: self.config.shelf_life, confirmed }
    }

    /// The store that is meant, read once; whatever a crash left half-done in it is finished first.
    pub(super) fn scan(&self) -> Result<(Choice, Snapshot), Failure> {
        let choice = self.choose()?;
        self.recover(&choice);
        let mut snapshot = choice.store.scan(&self.scan_options(&choice.store)).map_err(store_failure)?;
        self.door().mark_snoozed(&mut snapshot);
        Ok((choice, snapshot))
    }

    /// Finishes what a crash left half-done and says so; records what other programs changed since the last look.
    pub(super) fn recover(&self, choice: &Choice) {
        self.finish(&choice.store);
        // Looking must work where nothing can be written; then there is no history to miss it in either.
        if let Err(error) = self.door().note_foreign(&choice.store) {
            tracing::warn!("changes by other programs are not recorded: {error}");
        }
    }

    /// What findings about a store are held against.
    pub(super) fn grounds(&self, choice: &Choice) -> Grounds {
        Grounds::of(choice, &self.environment, &self.state)
    }

    /// Finishes what a crash left half-done in a store and says so.
    pub(super) fn finish(&self, store: &Store) {
        match self.door().recover(store) {
            Ok(sentences) => sentences.iter().for_each(|sentence| self.output.notice(sentence)),
            Err(error) => self.output.notice(&error.to_string()),
        }
    }

    /// The door to stores.
    pub(super) fn door(&self) -> Door {
        Door::new(self.state.clone(), self.clock.clone())
    }

    /// Lands what a person asked for. Of a large change it says which sessions are at work beside it, and looks at the
    /// files again when there are any.
    pub(super) fn land(&self, store: &Store, set: &ChangeSet, site: Option<&Site<'_>>) -> Result<Landing, DoorError> {
        let beside = site.map(|site| site.notices(set)).unwrap_or_default();
        beside.iter().for_each(|notice| self.output.notice(notice));
        let landing = self.door().land(store, set, Consent::Person)?;
        if !beside.is_empty() {
            let changed = live::changed_since(&self.door(), store, &landing);
            changed.iter().for_each(|notice| self.output.notice(notice));
        }
        Ok(landing)
    }

    /// The engine's word: the flag, else the configuration.
    pub(super) fn engine(&self) -> String {
        self.global_engine().map_or_else(|| self.config.engine.clone(), str::to_owned)
    }

    /// The engine that the command line names.
    pub(super) fn global_engine(&self) -> Option<&str> {
        self.global.engine.as_deref()
    }

    /// An order for a run of the given task. For a person who waits for it by an engine that can be had: one that cannot is
    /// a usage error now, not a failed run later. Where nobody reads what is printed here (`is_unattended`), whatever is wrong
    /// with the engine has to stand in the run's journal.
    pub(super) fn order(
        &self,
        task: Task,
        dry_run: bool,
        starter: &Starter,
        is_unattended: bool,
    ) -> Result<Order, Failure> {
        let engine = self.engine();
        if !is_unattended {
            crate::engine::by_name(&engine, &self.config, &self.environment).map_err(Failure::usage)?;
        }
        let choice = self.choose()?;
        Ok(Order {
            run: starter.run.clone(),
            task,
            dry_run,
            engine,
            trigger: starter.trigger.clone(),
            current_session: None,
            awaits: None,
            choice,
            config: self.config.clone(),
            on_notice: self.output.tells_notices(),
        })
    }

    /// The global options as arguments for a worker process, paths made absolute.
    pub(super) fn worker_arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        let paths = [
            ("--project", &self.request.project),
            ("--memory-dir", &self.request.memory_dir),
            ("--sessions", &self.request.sessions),
            ("--claude-dir", &self.request.claude_dir),
        ];
        for (flag, path) in paths {
            if let Some(path) = path {
                arguments.extend([flag.to_owned(), path.to_string_lossy().into_owned()]);
            }
        }
        arguments.extend(self.worker_settings());
        arguments
    }

    /// Those of them that do not say which store is meant.
    pub(super) fn worker_settings(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        if let Some(path) = &self.global.config {
            let path = self.environment.absolute(path).to_string_lossy().into_owned();
            arguments.extend(["--config".to_owned(), path]);
        }
        if let Some(engine) = &self.global.engine {
            // A worker and a hook begin in other directories.
            let script = engine.strip_prefix("script:").map(|file| self.environment.absolute(Path::new(file)));
            let word = script.map_or_else(|| engine.clone(), |file| format!("script:{}", file.display()));
            arguments.extend(["--engine".to_owned(), word]);
        }
        arguments
    }
}

/// A store that cannot be read: a missing one is "nothing found", anything else a failure.
pub(super) fn store_failure(error: StoreError) -> Failure {
    match error {
        StoreError::Missing(_) => Failure::not_found(error),
        StoreError::NotADirectory(_) => Failure::usage(error),
        StoreError::Unreadable { .. } => Failure::failed(error),
    }
}

/// The memory a word means, or a failure that names what is there.
pub(super) fn find<'a>(snapshot: &'a Snapshot, word: &str) -> Result<&'a Memory, Failure> {
    snapshot.find(word).ok_or_else(|| {
        let folded = crate::memory::names::folded(word);
        let alike = snapshot.memories.iter().filter(|memory| crate::memory::names::folded(&memory.name) == folded);
        let alike: Vec<_> = alike.map(|memory| crate::text::visible(&memory.file)).collect();
        if alike.len() > 1 {
            return Failure::usage(format!("{word:?} is the name of {}; name the file", alike.join(", ")));
        }
        // The words of a file's name without its type, or a part of its name.
        let close = snapshot.memories.iter().map(|memory| crate::memory::names::folded(&memory.file));
        let close: Vec<_> =
            close.zip(&snapshot.memories).filter(|(file, _)| !folded.is_empty() && file.contains(&folded)).collect();
        let hint = match close.as_slice() {
            [(_, memory)] => {
                let file = crate::text::visible(&memory.file).into_owned();
                format!("did you mean {}?", file.strip_suffix(".md").unwrap_or(&file))
            }
            _ => "`dreamtop ls` lists them".to_owned(),
        };
        Failure::not_found(format!("no memory is called {word:?} in {}; {hint}", snapshot.store.root().display()))
    })
}

/// The memories that words mean, each once, as the scan saw them.
pub(super) fn find_each(snapshot: &Snapshot, words: &[String]) -> Result<Vec<Seen>, Failure> {
    let mut found: Vec<Seen> = Vec::new();
    for word in words {
        let seen = Seen::from(find(snapshot, word)?);
        if !found.contains(&seen) {
            found.push(seen);
        }
    }
    Ok(found)
}

/// A memory's file, read with the care a scan takes: a named pipe is refused, never waited for.
pub(super) fn read_topic(snapshot: &Snapshot, file: &str) -> Result<Topic, Failure> {
    let path = snapshot.store.path(file);
    Ok(snapshot.store.topic(file).map_err(|error| with_path(error, "cannot read", &path))?)
}
