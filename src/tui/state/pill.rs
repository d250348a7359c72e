//! The pill of the title bar: what is going on, or what just ended.

use chrono::{DateTime, Utc};

use super::State;
use crate::engine::JobKind;
use crate::run::{Outcome, RunView};
use crate::text::count;
use crate::tui::theme::Meaning;

/// What the pill says after a run, until it is acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The run.
    pub run: String,
    /// How it ended; `None`: its process is gone without a word.
    pub outcome: Option<Outcome>,
    /// What to say.
    pub text: String,
}

/// A run that was just started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launching {
    /// Its id.
    pub run: String,
    /// Since when its first word is waited for.
    pub since: DateTime<Utc>,
}

/// What the pill says and how it is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pill {
    /// What.
    pub text: String,
    /// How.
    pub tone: Meaning,
}

impl State {
    /// The pill, while there is something to say.
    #[must_use]
    pub fn pill(&self) -> Option<Pill> {
        let live: Vec<&RunView> = self.runs.iter().map(AsRef::as_ref).filter(|run| run.is_live()).collect();
        let here = live.iter().find(|run| self.is_here(run)).copied();
        let elsewhere = |shown: usize| match live.len().saturating_sub(shown) {
            0 => String::new(),
            others => format!(" · +{others} elsewhere"),
        };
        // What is going on here, else what just ended, else what is going on elsewhere.
        if let Some(run) = here {
            let text = format!("{}{}", going_on(run, None, self), elsewhere(1));
            return Some(Pill { text, tone: Meaning::Accent });
        }
        if self.launching.is_some() {
            return Some(Pill { text: "○ starting a dream".to_owned(), tone: Meaning::Accent });
        }
        if let Some(ending) = &self.ending {
            let left = self.run(&ending.run).and_then(|run| self.decided_in_part(run));
            let text = left.map_or_else(
                || ending.text.clone(),
                |left| format!("{} {left}", crate::tui::sign::outcome(ending.outcome)),
            );
            return Some(Pill { text: format!("{text}{}", elsewhere(0)), tone: tone(ending.outcome) });
        }
        let run = live.first()?;
        let text = format!("{}{}", going_on(run, Some(&run.project), self), elsewhere(1));
        Some(Pill { text, tone: Meaning::Accent })
    }

    /// How many runs are live, of all projects.
    #[must_use]
    pub fn live_count(&self) -> usize {
        self.runs.iter().filter(|run| run.is_live()).count()
    }
}

const fn tone(outcome: Option<Outcome>) -> Meaning {
    match outcome {
        Some(Outcome::Done | Outcome::Skipped) => Meaning::Ok,
        Some(Outcome::Partial | Outcome::Held | Outcome::Killed) => Meaning::Warn,
        Some(Outcome::Failed) | None => Meaning::Bad,
    }
}

/// `● dreaming 2/4 gather 0:42 · 5 sessions · 3 files`; of another project ` in harbor-ios` before the figures, which are
/// what a narrow screen cuts.
fn going_on(run: &RunView, project: Option<&str>, state: &State) -> String {
    let mut text = match run.kind {
        JobKind::Dream => "● dreaming".to_owned(),
        JobKind::Extract => "● extracting".to_owned(),
    };
    let dots = if run.phases.is_empty() { " ·" } else { "" };
    text.push_str(&format!("{dots} {}", run.stage()));
    if let Some(started) = run.started {
        text.push_str(&format!(" {}", elapsed((state.now - started).num_seconds())));
    }
    if let Some(project) = project {
        text.push_str(&format!(" in {project}"));
    }
    if !run.sessions.is_empty() {
        text.push_str(&format!(" · {}", count(run.sessions.len(), "session", "sessions")));
    }
    if !run.touched.is_empty() {
        text.push_str(&format!(" · {}", count(run.touched.len(), "file", "files")));
    }
    text
}

/// `0:42`, `12:05`, `1:02:03`.
#[must_use]
pub fn elapsed(seconds: i64) -> String {
    let seconds = seconds.max(0);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}
