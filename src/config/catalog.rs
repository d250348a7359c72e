//! What each key of the configuration decides, what it accepts, and what it is now.
//!
//! Not its job: reading them (see `parse`) and `keys`, whose names are the screen's commands.

use super::{Apply, Budget, Config};

/// What a key accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// `true` or `false`.
    Switch,
    /// A whole number from this one on.
    Number(u64),
    /// One of these words.
    Words(&'static [&'static str]),
    /// An engine.
    Engine,
}

impl Accepted {
    /// In words.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Switch => "true, false".to_owned(),
            Self::Number(least) => format!("a whole number, {least} or more"),
            Self::Words(words) => words.join(", "),
            Self::Engine => "embedded, script:FILE".to_owned(),
        }
    }

    /// The values to choose from, where there are only a few.
    #[must_use]
    pub const fn choices(self) -> &'static [&'static str] {
        match self {
            Self::Switch => &["true", "false"],
            Self::Words(words) => words,
            Self::Number(_) | Self::Engine => &[],
        }
    }
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The way to it: `["dream", "min_hours"]`.
    pub path: &'static [&'static str],
    /// What it accepts.
    pub accepted: Accepted,
    /// What it decides, in one sentence.
    pub says: &'static str,
    /// Its value in a configuration, as it is written in the file.
    pub value: fn(&Config) -> String,
}

impl Known {
    /// Its full name: `dream.min_hours`.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.join(".")
    }
}

const fn known(
    path: &'static [&'static str],
    accepted: Accepted,
    says: &'static str,
    value: fn(&Config) -> String,
) -> Known {
    Known { path, accepted, says, value }
}

const APPLY: Accepted = Accepted::Words(&["auto", "ask"]);
/// The themes there are.
pub(super) const THEMES: [&str; 5] = ["auto", "dark", "light", "contrast", "mono"];
/// Where the cursor may be.
pub(super) const CURSORS: [&str; 2] = ["hidden", "shown"];
const ONE: Accepted = Accepted::Number(1);
const ANY: Accepted = Accepted::Number(0);
const SWITCH: Accepted = Accepted::Switch;

/// Every key but those of `keys`, in the order they are shown.
#[rustfmt::skip]
pub const CATALOG: &[Known] = &[
    known(&["engine"], Accepted::Engine, "What thinks in runs: rules without a model, or a file of recorded turns.", |c| c.engine.clone()),
    known(&["dream", "enabled"], SWITCH, "Whether dreams start by themselves; Claude Code's autoDreamEnabled, when set, wins.", |c| c.dream.enabled.to_string()),
    known(&["dream", "min_hours"], ANY, "Hours since the last dream before another starts by itself.", |c| c.dream.min_hours.to_string()),
    known(&["dream", "min_sessions"], ANY, "Sessions with new turns of yours before another starts by itself.", |c| c.dream.min_sessions.to_string()),
    known(&["dream", "apply"], APPLY, "Whether what a dream wants lands at once where no guard holds it, or all of it waits in the inbox.", |c| apply(c.dream.apply)),
    known(&["dream", "on_network"], SWITCH, "Whether dreams start by themselves on network file systems, where no lock is certain.", |c| c.dream.on_network.to_string()),
    known(&["dream", "budget", "seconds"], ONE, "Seconds a dream may take.", |c| c.dream.budget.seconds.to_string()),
    known(&["dream", "budget", "tokens"], ONE, "Tokens a dream may use.", |c| c.dream.budget.tokens.to_string()),
    known(&["dream", "budget", "runs_a_day"], ANY, "Dreams that start by themselves on one day, all stores together.", |c| c.dream.budget.runs_a_day.to_string()),
    known(&["dream", "budget", "tokens_a_day"], ANY, "Tokens of all dreams of a day, after which none starts by itself.", |c| c.dream.budget.tokens_a_day.to_string()),
    known(&["extract", "every_turns"], ONE, "Every how many turns a session is looked through for memories.", |c| c.extract.every_turns.to_string()),
    known(&["extract", "apply"], APPLY, "Whether what an extraction wants lands at once where no guard holds it, or all of it waits in the inbox.", |c| apply(c.extract.apply)),
    known(&["extract", "budget", "seconds"], ONE, "Seconds an extraction may take.", |c| budget(c).seconds.to_string()),
    known(&["extract", "budget", "tokens"], ONE, "Tokens an extraction may use.", |c| budget(c).tokens.to_string()),
    known(&["extract", "budget", "runs_a_day"], ANY, "Extractions that start by themselves on one day, all stores together.", |c| budget(c).runs_a_day.to_string()),
    known(&["extract", "budget", "tokens_a_day"], ANY, "Tokens of all extractions of a day, after which none starts by itself.", |c| budget(c).tokens_a_day.to_string()),
    known(&["shelf_life", "user"], ONE, "Days after which a user memory is stale.", |c| c.shelf_life.user.to_string()),
    known(&["shelf_life", "feedback"], ONE, "Days after which a feedback memory is stale.", |c| c.shelf_life.feedback.to_string()),
    known(&["shelf_life", "project"], ONE, "Days after which a project memory is stale.", |c| c.shelf_life.project.to_string()),
    known(&["shelf_life", "reference"], ONE, "Days after which a reference memory is stale.", |c| c.shelf_life.reference.to_string()),
    known(&["theme"], Accepted::Words(&THEMES), "How the screen looks; auto goes by the terminal's background. NO_COLOR, when set, wins.", |c| c.theme.clone()),
    known(&["mouse"], SWITCH, "Whether clicks and the wheel are taken; off leaves selecting text to the terminal.", |c| c.mouse.to_string()),
    known(&["cursor"], Accepted::Words(&CURSORS), "The terminal's cursor always stands at the selected row; shown, for screen readers and magnifiers that follow only what they see.", |c| c.cursor.clone()),
];

fn apply(apply: Apply) -> String {
    match apply {
        Apply::Auto => "auto".to_owned(),
        Apply::Ask => "ask".to_owned(),
    }
}

fn budget(config: &Config) -> Budget {
    config.extract.budget
}
