//! An order for a run over a store with its sessions beside it, everything else as it is by default.

use std::path::{Path, PathBuf};

use dreamtop::config::Config;
use dreamtop::memory::Store;
use dreamtop::project::settings::{Decided, Settings};
use dreamtop::project::{Choice, Decision};
use dreamtop::run::worker::{Order, Task};

/// The order.
pub fn order(store: PathBuf, sessions: &Path, task: Task, engine: &str, trigger: &str) -> Order {
    let settings = Settings {
        auto_memory: Decided { value: true, by: "default".into() },
        auto_dream: None,
        memory_directory: None,
        remote: false,
        bare: None,
        notices: Vec::new(),
    };
    let choice = Choice {
        store: Store::at(store),
        decision: Decision::Flag,
        checkout: None,
        title: "acme".into(),
        sessions: vec![sessions.to_owned()],
        home: None,
        settings,
        notices: Vec::new(),
    };
    Order {
        run: None,
        task,
        dry_run: false,
        engine: engine.to_owned(),
        trigger: trigger.to_owned(),
        choice,
        config: Config::default(),
        current_session: None,
        awaits: None,
        on_notice: None,
    }
}
