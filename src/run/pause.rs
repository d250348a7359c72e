//! Pauses: an engine that refused is not asked again automatically before the time it named, or one that grows.
//!
//! One small file an engine, for all stores, because the account is one: `paused/<engine>.json`. By hand an engine can be
//! asked at any time for a run: when it answers, its pause is over, and when it refuses again, the pause stays as long as it
//! was. For a selection it is not asked meanwhile, because the ranking answers as well. A pause is also over once the configuration asks another model or server, or with another key. Not its job: telling a
//! refusal (see [`super::refusal`]).

use std::fs;
use std::io;
use std::path::PathBuf;

use chrono::{DateTime, Local, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::files;
use super::refusal::{self, Refusal};
use crate::config::Config;
use crate::engine::{Word, account};
use crate::environment::Environment;
use crate::state::StateDir;

/// The pause after a first refusal that names no time; each further one in a row doubles it.
const FIRST: TimeDelta = TimeDelta::hours(1);
/// What a person has to put right is not put right within the hour.
const FIRST_FOR_A_PERSON: TimeDelta = TimeDelta::hours(6);
/// No pause of our own is longer.
const LONGEST: TimeDelta = TimeDelta::hours(24);

/// A pause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// The engine's name.
    pub engine: String,
    /// Why.
    pub refusal: Refusal,
    /// Since when.
    pub since: DateTime<Utc>,
    /// Automatic runs go on then.
    pub until: DateTime<Utc>,
    /// Refusals in a row.
    pub refusals: u32,
    /// The engine's own words, cut, without credentials.
    pub said: String,
    /// The word it was asked by, with its model: `openai:some-model`.
    #[serde(default)]
    pub word: String,
    /// The digest of who was asked, and as whom ([`crate::engine::account`]). `None`: noted before there were any.
    #[serde(default)]
    pub account: Option<String>,
}

impl Pause {
    /// One sentence: until when, why, and what to do where waiting does not help. Words of the engine that are a sentence
    /// are given; a limit they say themselves.
    #[must_use]
    pub fn words(&self) -> String {
        let until = self.until.with_timezone(&Local).format("%Y-%m-%d %H:%M");
        let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
        let is_sentence = self.said.split_whitespace().filter(is_word).count() >= SENTENCE;
        let (wrong, engine, said) = (self.refusal.words(), &self.engine, &self.said);
        let why = match self.refusal {
            _ if !is_sentence => format!("{wrong}, says {engine}"),
            Refusal::Limit => format!("{engine} refuses: {said:?}"),
            Refusal::Credentials | Refusal::Billing => format!("{wrong}; {engine} refuses: {said:?}"),
        };
        let next = self.refusal.next(engine).map(|next| format!("; {next}")).unwrap_or_default();
        format!("paused until {until}: {why}{next}")
    }

    /// Whether it is in force. One that would last longer than any we make is of a clock that was set back since, and over;
    /// so is one of another account.
    fn holds(&self, account: &str, now: DateTime<Utc>) -> bool {
        let is_sane = self.since <= now + super::lock::JITTER;
        is_sane && self.until > now && self.account.as_ref().is_none_or(|asked| asked == account)
    }
}

/// So many words of an engine's say why it refuses; "429" alone does not.
const SENTENCE: usize = 3;

/// Whom an engine's word asks, under a configuration.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The engine's word.
    pub word: &'a str,
    /// The configuration.
    pub config: &'a Config,
    /// The variables that keys may be in.
    pub environment: &'a Environment,
}

impl Asked<'_> {
    pub(super) fn account(&self) -> String {
        account(self.word, self.config, self.environment)
    }
}

/// Where the pauses lie.
pub(super) fn dir(state: &StateDir) -> PathBuf {
    state.root().join("paused")
}

fn file(state: &StateDir, engine: &str) -> PathBuf {
    dir(state).join(file_name(engine))
}

/// What a file about an engine is called.
pub(super) fn file_name(engine: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    format!("{}.json", engine.chars().map(plain).take(40).collect::<String>())
}

/// The pause of the engine that is asked, if it has one now.
#[must_use]
pub fn of(state: &StateDir, asked: Asked<'_>, now: DateTime<Utc>) -> Option<Pause> {
    let pause: Pause = files::read_known(&file(state, Word::parse(asked.word).name))?;
    pause.holds(&asked.account(), now).then_some(pause)
}

/// Every pause that is in force under a configuration, by the engine's name.
#[must_use]
pub fn all(state: &StateDir, config: &Config, environment: &Environment, now: DateTime<Utc>) -> Vec<Pause> {
    let entries = fs::read_dir(dir(state)).into_iter().flatten().flatten();
    let known = entries.filter_map(|entry| files::read_known::<Pause>(&entry.path()));
    let holds = |pause: &Pause| pause.holds(&account(&pause.word, config, environment), now);
    let mut pauses: Vec<Pause> = known.filter(holds).collect();
    pauses.sort_by(|a, b| a.engine.cmp(&b.engine));
    pauses
}

/// What an engine said when it refused.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refused<'a> {
    pub(super) what: Refusal,
    /// Its words, without credentials.
    pub(super) said: &'a str,
    /// Whether a person asked it, and no trigger.
    pub(super) by_hand: bool,
}

/// An engine refused: it is paused, until the time it names, else for a while that grows with each refusal in a row. What a
/// person tries neither makes it grow nor begins it anew.
///
/// # Errors
/// When the disk refuses.
pub(super) fn begin(state: &StateDir, asked: Asked<'_>, refused: Refused<'_>, now: DateTime<Utc>) -> io::Result<Pause> {
    let Refused { what, said, by_hand } = refused;
    let (engine, account) = (Word::parse(asked.word).name, asked.account());
    let path = file(state, engine);
    let before: Option<Pause> = files::read_known(&path);
    let before = before.filter(|before| before.account.as_ref().is_none_or(|asked| *asked == account));
    let in_a_row = before.as_ref().map_or(0, |before| before.refusals);
    let refusals = if by_hand { in_a_row.max(1) } else { in_a_row.saturating_add(1) };
    let standing = before.filter(|before| by_hand && before.refusal == what && before.holds(&account, now));
    let first = if what == Refusal::Limit { FIRST } else { FIRST_FOR_A_PERSON };
    let grown = first.checked_mul(1 << (refusals - 1).min(8)).unwrap_or(LONGEST).min(LONGEST);
    let (since, until) = standing.map_or((now, now + grown), |before| (before.since, before.until));
    let pause = Pause {
        engine: engine.to_owned(),
        refusal: what,
        since,
        until: refusal::resumes(said, now).unwrap_or(until),
        refusals,
        said: said.trim().chars().take(160).collect(),
        word: asked.word.to_owned(),
        account: Some(account),
    };
    files::write(&path, "pause", &pause)?;
    Ok(pause)
}

/// An engine answered: its pause is over, and refusals count from one again.
pub(super) fn end(state: &StateDir, engine: &str) {
    let _ = fs::remove_file(file(state, engine));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use std::path::Path;

    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-30T12:00:00Z".parse().unwrap()
    }

    struct Site {
        _dir: tempfile::TempDir,
        state: StateDir,
        config: Config,
        environment: Environment,
    }

    impl Site {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let state = StateDir::at(dir.path().to_owned());
            let environment = Environment::of(Path::new("/"), &[("OPENAI_API_KEY", "first")]);
            Self { _dir: dir, state, config: Config::default(), environment }
        }

        fn asked<'a>(&'a self, word: &'a str) -> Asked<'a> {
            Asked { word, config: &self.config, environment: &self.environment }
        }

        fn begin(&self, word: &str, what: Refusal, said: &str, by_hand: bool, at: DateTime<Utc>) -> Pause {
            begin(&self.state, self.asked(word), Refused { what, said, by_hand }, at).unwrap()
        }

        fn of(&self, word: &str, at: DateTime<Utc>) -> Option<Pause> {
            of(&self.state, self.asked(word), at)
        }
    }

    #[test]
    fn pauses_grow_with_each_refusal_end_with_an_answer_and_follow_the_time_that_is_named() {
        let site = Site::new();
        let refuse = |said| site.begin("openai:m", Refusal::Limit, said, false, now());
        let hours: Vec<i64> = (0..6).map(|_| (refuse("limit reached").until - now()).num_hours()).collect();
        assert_eq!(hours, [1, 2, 4, 8, 16, 24]);
        assert_eq!(site.of("anthropic:m", now()), None, "another engine is not paused");
        assert_eq!(all(&site.state, &site.config, &site.environment, now()).len(), 1);
        end(&site.state, "openai");
        assert_eq!(site.of("openai:m", now()), None);
        assert_eq!(refuse("try again in 20 minutes").until, now() + TimeDelta::minutes(20));
        assert_eq!(site.of("openai:m", now() + TimeDelta::minutes(21)), None);
        let unpaid = site.begin("anthropic:m", Refusal::Billing, "no credit", false, now());
        assert_eq!(unpaid.until, now() + TimeDelta::hours(6));
    }

    #[test]
    fn what_a_person_tries_never_makes_a_pause_longer() {
        let site = Site::new();
        let refuse = |by_hand, at| site.begin("openai:m", Refusal::Credentials, "unauthorized", by_hand, at);
        let first = refuse(false, now());
        for minutes in 1..50 {
            let tried = refuse(true, now() + TimeDelta::minutes(minutes));
            assert_eq!((tried.since, tried.until, tried.refusals), (first.since, first.until, 1));
        }
        let over = first.until + TimeDelta::minutes(1);
        assert_eq!(refuse(true, over).until, over + TimeDelta::hours(6));
        assert_eq!(refuse(false, over).until, over + TimeDelta::hours(12), "an automatic try does");
        let named = site.begin("openai:m", Refusal::Limit, "limit reached, try again in 3 hours", true, over);
        assert_eq!(named.until, over + TimeDelta::hours(3), "the time that the engine names holds");
    }

    #[test]
    fn a_pause_ends_when_another_model_server_or_key_is_asked_and_holds_no_key() {
        let mut site = Site::new();
        let pause = site.begin("openai:m", Refusal::Credentials, "unauthorized", false, now());
        assert!(site.of("openai:m", now()).is_some());
        let written = fs::read_to_string(file(&site.state, "openai")).unwrap();
        assert!(!written.contains("first") && written.contains(&pause.account.unwrap()));
        assert_eq!(site.of("openai:n", now()), None);
        site.environment = Environment::of(Path::new("/"), &[("OPENAI_API_KEY", "second")]);
        assert_eq!(site.of("openai:m", now()), None);
        assert!(all(&site.state, &site.config, &site.environment, now()).is_empty());
        let again = site.begin("openai:m", Refusal::Credentials, "unauthorized", false, now());
        assert_eq!((again.refusals, again.until), (1, now() + TimeDelta::hours(6)), "another key starts from one");
        site.config.models.openai.base_url = Some("http://127.0.0.1:1/v1".to_owned());
        assert_eq!(site.of("openai:m", now()), None);
    }

    #[test]
    fn a_pause_says_a_thing_once_and_nothing_is_left_to_guess() {
        let site = Site::new();
        let words = |said: &str| site.begin("openai:m", Refusal::Limit, said, false, now()).words();
        let bare = words("429");
        assert!(bare.ends_with(": the usage limit is reached, says openai"), "{bare}");
        let said = words("You've hit your usage limit.");
        assert!(said.ends_with(": openai refuses: \"You've hit your usage limit.\""), "{said}");
        assert_eq!(said.matches("limit").count(), 1, "{said}");
        for (word, what, said, why) in [
            (
                "openai:m",
                Refusal::Credentials,
                "403 permission error: not for you",
                ": the credentials are not accepted; openai refuses: \"403 permission error: not for you\"; put its key right",
            ),
            (
                "openai:m",
                Refusal::Credentials,
                "401",
                ": the credentials are not accepted, says openai; put its key right",
            ),
            ("claude", Refusal::Credentials, "401", "; log in: start `claude` in a terminal and enter /login"),
            ("openai:m", Refusal::Billing, "402", ": the account has no credit, says openai; see to its account"),
        ] {
            let words = site.begin(word, what, said, false, now()).words();
            assert!(words.ends_with(why), "{words}");
        }
    }

    #[test]
    fn a_clock_that_was_set_back_ends_a_pause_instead_of_stretching_it() {
        let site = Site::new();
        site.begin("openai:m", Refusal::Limit, "limit reached", false, now());
        assert_eq!(site.of("openai:m", now() - TimeDelta::days(3)), None);
        assert!(site.of("openai:m", now() + TimeDelta::minutes(59)).is_some());
    }
}
