//! The projects of the Claude home: what each remembers, what is stale, when it last dreamed.
//!
//! Rows are worked out from the state; here is only how they are looked at.

use std::cmp::Reverse;

use chrono::{DateTime, Utc};

use crate::project::Project;
use crate::tui::state::{ListFilter, ListState, State};

/// The order of the projects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProjectSort {
    /// The most stale memories first.
    #[default]
    Stale,
    /// By name.
    Name,
    /// The largest store first.
    Size,
    /// The latest dream first.
    Dream,
}

impl ProjectSort {
    /// The next one.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Stale => Self::Name,
            Self::Name => Self::Size,
            Self::Size => Self::Dream,
            Self::Dream => Self::Stale,
        }
    }

    /// The words after "by".
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Stale => "stale memories",
            Self::Name => "name",
            Self::Size => "size",
            Self::Dream => "last dream",
        }
    }
}

/// The projects.
#[derive(Clone, Debug, Default)]
pub struct Projects {
    /// Which one is selected.
    pub list: ListState,
    /// Its folder, which the cursor follows.
    pub folder: Option<String>,
    /// The order.
    pub sort: ProjectSort,
    /// The words that every row shown has.
    pub filter: ListFilter,
}

/// What a look into a store says of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProjectFacts {
    /// Memories in it.
    pub memories: usize,
    /// How many of them are stale, as the list of memories counts them.
    pub stale: usize,
    /// Bytes of memories and index.
    pub bytes: u64,
    /// When it was last consolidated, by anyone.
    pub last_dream: Option<DateTime<Utc>>,
}

/// The projects that match the filter, in order; what was not looked at yet comes after what was.
#[must_use]
pub fn rows<'a>(layer: &Projects, state: &'a State) -> Vec<&'a Project> {
    let matches = |project: &&Project| {
        let path = project.path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        layer.filter.admits(&format!("{} {} {path}", project.title(), project.folder))
    };
    let mut rows: Vec<&Project> = state.projects.iter().filter(matches).collect();
    let facts = |project: &Project| state.project_facts.get(project.store.root()).copied();
    let name = |project: &Project| (project.title().to_lowercase(), project.folder.clone());
    match layer.sort {
        ProjectSort::Name => rows.sort_by_cached_key(|project| name(project)),
        ProjectSort::Stale => rows.sort_by_cached_key(|project| {
            (Reverse(facts(project).map(|facts| (facts.stale, facts.memories))), !project.has_store, name(project))
        }),
        ProjectSort::Size => {
            rows.sort_by_cached_key(|project| (Reverse(facts(project).map(|facts| facts.bytes)), name(project)));
        }
        ProjectSort::Dream => rows
            .sort_by_cached_key(|project| (Reverse(facts(project).and_then(|facts| facts.last_dream)), name(project))),
    }
    rows
}
