//! What each key of the configuration decides, what it accepts, and what it is now.
//!
//! Not its job: reading them (see `parse`) and `keys`, whose names are the screen's commands.

use super::{Apply, Budget, Config, Money, ShellPolicy};

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
    /// Any text; what kind.
    Text(&'static str),
}

impl Accepted {
    /// In words.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Switch => "true, false".to_owned(),
            Self::Number(least) => format!("a whole number, {least} or more"),
            Self::Words(words) => words.join(", "),
            Self::Engine => ENGINES.to_owned(),
            Self::Text(what) => what.to_owned(),
        }
    }

    /// The values to choose from, where there are only a few.
    #[must_use]
    pub const fn choices(self) -> &'static [&'static str] {
        match self {
            Self::Switch => &["true", "false"],
            Self::Words(words) => words,
            Self::Number(_) | Self::Engine | Self::Text(_) => &[],
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
/// The words for an engine.
pub(super) const ENGINES: &str =
    "embedded, anthropic, openai, claude (these three also with the model, anthropic:MODEL), script:FILE";

/// What an amount of money looks like.
pub(super) const AN_AMOUNT: &str = "an amount in USD, like 2 or 0.25";
/// What names a repository.
pub(super) const REPOSITORY: &str = "a repository, owner/name";
/// The themes there are.
pub(super) const THEMES: [&str; 5] = ["auto", "dark", "light", "contrast", "mono"];
/// Where the cursor may be.
pub(super) const CURSORS: [&str; 2] = ["hidden", "shown"];
const ONE: Accepted = Accepted::Number(1);
const ANY: Accepted = Accepted::Number(0);
const SWITCH: Accepted = Accepted::Switch;
const MODEL: Accepted = Accepted::Text("a model's name, as the server knows it");
const URL: Accepted = Accepted::Text("http://… or https://…, without the path of the request");
const VARIABLE: Accepted = Accepted::Text("a variable's name");
const FILE: Accepted = Accepted::Text("a file");
const COMMAND: Accepted = Accepted::Text("a program and its arguments: pass show key");
const PRICE: Accepted = Accepted::Text("the price of a million tokens, like 3 or 0.25");
const AMOUNT: Accepted = Accepted::Text(AN_AMOUNT);
const PROXY: Accepted = Accepted::Text("an URL, or none; without it HTTPS_PROXY and HTTP_PROXY hold");

/// Every key but those of `keys` and `headers`, in the order they are shown. What is empty is not set: the
/// engine's own default holds.
#[rustfmt::skip]
pub const CATALOG: &[Known] = &[
    known(&["engine"], Accepted::Engine, "What thinks in runs: rules without a model, a model, or a file of recorded turns.", |c| c.engine.clone()),
    known(&["claude_command"], Accepted::Text("a program, and its first arguments"), "Which program the engine claude starts; not set, claude from the path.", |c| c.claude_command.join(" ")),
    known(&["bash"], Accepted::Words(&["sandboxed", "anywhere", "off"]), "Whether a model may run commands that only read: in a sandbox, also where there is none, or not.", shell),
    known(&["models", "anthropic", "model"], MODEL, "The model that is asked over the Messages API.", |c| text(c.models.anthropic.model.as_deref())),
    known(&["models", "anthropic", "base_url"], URL, "Where its server is.", |c| text(c.models.anthropic.base_url.as_deref())),
    known(&["models", "anthropic", "api_key_env"], VARIABLE, "Which variable holds the key.", |c| text(c.models.anthropic.api_key_env.as_deref())),
    known(&["models", "anthropic", "api_key_file"], FILE, "Which file holds the key.", |c| text(c.models.anthropic.api_key_file.as_deref())),
    known(&["models", "anthropic", "api_key_command"], COMMAND, "Which command prints the key.", |c| c.models.anthropic.api_key_command.join(" ")),
    known(&["models", "anthropic", "proxy"], PROXY, "Through which proxy it is asked.", |c| text(c.models.anthropic.proxy.as_deref())),
    known(&["models", "anthropic", "max_tokens"], ONE, "Tokens one answer may take.", |c| number(c.models.anthropic.max_tokens)),
    known(&["models", "anthropic", "context_tokens"], ONE, "Tokens the model can hold at once.", |c| number(c.models.anthropic.context_tokens)),
    known(&["models", "anthropic", "connect_seconds"], ONE, "Seconds a connection may take to come about.", |c| number(c.models.anthropic.connect_seconds)),
    known(&["models", "anthropic", "idle_seconds"], ONE, "Seconds the server may be silent.", |c| number(c.models.anthropic.idle_seconds)),
    known(&["models", "anthropic", "prices", "input"], PRICE, "What a million tokens read cost.", |c| money(c.models.anthropic.prices.map(|prices| Money(prices.input)))),
    known(&["models", "anthropic", "prices", "output"], PRICE, "What a million tokens written cost.", |c| money(c.models.anthropic.prices.map(|prices| Money(prices.output)))),
    known(&["models", "anthropic", "prices", "cache_read"], PRICE, "What a million tokens read from the cache cost.", |c| money(c.models.anthropic.prices.map(|prices| Money(prices.cache_read)))),
    known(&["models", "anthropic", "prices", "cache_write"], PRICE, "What a million tokens written to the cache cost.", |c| money(c.models.anthropic.prices.map(|prices| Money(prices.cache_write)))),
    known(&["models", "openai", "model"], MODEL, "The model that is asked over chat completions.", |c| text(c.models.openai.model.as_deref())),
    known(&["models", "openai", "base_url"], URL, "Where its server is.", |c| text(c.models.openai.base_url.as_deref())),
    known(&["models", "openai", "api_key_env"], VARIABLE, "Which variable holds the key.", |c| text(c.models.openai.api_key_env.as_deref())),
    known(&["models", "openai", "api_key_file"], FILE, "Which file holds the key.", |c| text(c.models.openai.api_key_file.as_deref())),
    known(&["models", "openai", "api_key_command"], COMMAND, "Which command prints the key.", |c| c.models.openai.api_key_command.join(" ")),
    known(&["models", "openai", "proxy"], PROXY, "Through which proxy it is asked.", |c| text(c.models.openai.proxy.as_deref())),
    known(&["models", "openai", "max_tokens"], ONE, "Tokens one answer may take.", |c| number(c.models.openai.max_tokens)),
    known(&["models", "openai", "context_tokens"], ONE, "Tokens the model can hold at once.", |c| number(c.models.openai.context_tokens)),
    known(&["models", "openai", "connect_seconds"], ONE, "Seconds a connection may take to come about.", |c| number(c.models.openai.connect_seconds)),
    known(&["models", "openai", "idle_seconds"], ONE, "Seconds the server may be silent.", |c| number(c.models.openai.idle_seconds)),
    known(&["models", "openai", "prices", "input"], PRICE, "What a million tokens read cost.", |c| money(c.models.openai.prices.map(|prices| Money(prices.input)))),
    known(&["models", "openai", "prices", "output"], PRICE, "What a million tokens written cost.", |c| money(c.models.openai.prices.map(|prices| Money(prices.output)))),
    known(&["models", "openai", "prices", "cache_read"], PRICE, "What a million tokens read from the cache cost.", |c| money(c.models.openai.prices.map(|prices| Money(prices.cache_read)))),
    known(&["models", "openai", "prices", "cache_write"], PRICE, "What a million tokens written to the cache cost.", |c| money(c.models.openai.prices.map(|prices| Money(prices.cache_write)))),
    known(&["models", "claude", "model"], MODEL, "The model that the claude command is told to use; not set, its own choice.", |c| text(c.models.claude.model.as_deref())),
    known(&["models", "claude", "idle_seconds"], ONE, "Seconds the claude command may be silent.", |c| number(c.models.claude.idle_seconds)),
    known(&["dream", "enabled"], SWITCH, "Whether dreams start by themselves; Claude Code's autoDreamEnabled, when set, wins.", |c| c.dream.enabled.to_string()),
    known(&["dream", "min_hours"], ANY, "Hours since the last dream before another starts by itself.", |c| c.dream.min_hours.to_string()),
    known(&["dream", "min_sessions"], ANY, "Sessions with new turns of yours before another starts by itself.", |c| c.dream.min_sessions.to_string()),
    known(&["dream", "apply"], APPLY, "Whether what a dream wants lands at once where no guard holds it, or all of it waits in the inbox.", |c| apply(c.dream.apply)),
    known(&["dream", "on_network"], SWITCH, "Whether dreams start by themselves on network file systems, where no lock is certain.", |c| c.dream.on_network.to_string()),
    known(&["dream", "budget", "seconds"], ONE, "Seconds a dream may take.", |c| c.dream.budget.seconds.to_string()),
    known(&["dream", "budget", "tokens"], ONE, "Tokens a dream may use.", |c| c.dream.budget.tokens.to_string()),
    known(&["dream", "budget", "runs_a_day"], ANY, "Dreams that start by themselves on one day, all stores together.", |c| c.dream.budget.runs_a_day.to_string()),
    known(&["dream", "budget", "tokens_a_day"], ANY, "Tokens of all dreams of a day, after which none starts by itself.", |c| c.dream.budget.tokens_a_day.to_string()),
    known(&["dream", "budget", "usd"], AMOUNT, "What a dream may cost in USD, by the prices that are set; not set, no cap.", |c| money(c.dream.budget.usd)),
    known(&["dream", "budget", "usd_a_day"], AMOUNT, "What all dreams of a day may cost in USD, after which none starts by itself; not set, no cap.", |c| money(c.dream.budget.usd_a_day)),
    known(&["extract", "every_turns"], ONE, "Every how many turns a session is looked through for memories.", |c| c.extract.every_turns.to_string()),
    known(&["extract", "programs"], SWITCH, "Whether sessions in which a program talks (claude -p, the SDKs) count like a person's.", |c| c.extract.programs.to_string()),
    known(&["extract", "apply"], APPLY, "Whether what an extraction wants lands at once where no guard holds it, or all of it waits in the inbox.", |c| apply(c.extract.apply)),
    known(&["extract", "budget", "seconds"], ONE, "Seconds an extraction may take.", |c| budget(c).seconds.to_string()),
    known(&["extract", "budget", "tokens"], ONE, "Tokens an extraction may use.", |c| budget(c).tokens.to_string()),
    known(&["extract", "budget", "runs_a_day"], ANY, "Extractions that start by themselves on one day, all stores together.", |c| budget(c).runs_a_day.to_string()),
    known(&["extract", "budget", "tokens_a_day"], ANY, "Tokens of all extractions of a day, after which none starts by itself.", |c| budget(c).tokens_a_day.to_string()),
    known(&["extract", "budget", "usd"], AMOUNT, "What an extraction may cost in USD, by the prices that are set; not set, no cap.", |c| money(budget(c).usd)),
    known(&["extract", "budget", "usd_a_day"], AMOUNT, "What all extractions of a day may cost in USD, after which none starts by itself; not set, no cap.", |c| money(budget(c).usd_a_day)),
    known(&["recall", "enabled"], SWITCH, "Whether prompts in Claude Code are given the memories they call for, once its hooks are installed.", |c| c.recall.enabled.to_string()),
    known(&["recall", "model"], SWITCH, "Whether the engine's model chooses them at each prompt, which costs each time; off, the ranking does.", |c| c.recall.model.to_string()),
    known(&["recall", "milliseconds"], ONE, "Milliseconds the ranking may keep a prompt waiting before it goes on without memories.", |c| c.recall.milliseconds.to_string()),
    known(&["recall", "model_seconds"], ONE, "Seconds a model may take to choose memories before the ranking answers instead.", |c| c.recall.model_seconds.to_string()),
    known(&["team", "url"], Accepted::Text("https://…, without the path of the request"), "Where the server of your team is; not set, nothing is shared.", |c| text(c.team.url.as_deref())),
    known(&["team", "repository"], Accepted::Text(REPOSITORY), "Which repository's memories are shared, where the checkout names no other.", |c| text(c.team.repository.as_deref())),
    known(&["team", "token_env"], VARIABLE, "Which variable holds the token; not set, DREAMTOP_TEAM_TOKEN.", |c| text(c.team.token_env.as_deref())),
    known(&["team", "token_file"], FILE, "Which file holds the token.", |c| text(c.team.token_file.as_deref())),
    known(&["team", "token_command"], COMMAND, "Which command prints the token.", |c| c.team.token_command.join(" ")),
    known(&["team", "sync"], Accepted::Words(&["off", "after-landing"]), "Whether team memories are exchanged only when you say so, or also a little after they changed here.", |c| c.team.sync.word().to_owned()),
    known(&["team", "proxy"], PROXY, "Through which proxy the server is asked.", |c| text(c.team.proxy.as_deref())),
    known(&["team", "insecure"], SWITCH, "Whether http:// may lead to another machine; anybody on the way reads all of it then.", |c| c.team.insecure.to_string()),
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

fn shell(config: &Config) -> String {
    match config.bash {
        ShellPolicy::Sandboxed => "sandboxed".to_owned(),
        ShellPolicy::Anywhere => "anywhere".to_owned(),
        ShellPolicy::Off => "off".to_owned(),
    }
}

fn text(value: Option<&str>) -> String {
    value.unwrap_or_default().to_owned()
}

fn number(value: Option<u64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn money(amount: Option<Money>) -> String {
    amount.map(Money::plain).unwrap_or_default()
}

fn budget(config: &Config) -> Budget {
    config.extract.budget
}
