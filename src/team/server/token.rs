//! Tokens: opaque random texts, of which only a digest is kept, and what each allows.
//!
//! A token is `dtt_`, its id, and 256 random bits. The id finds the row, so that the digest can be compared in constant
//! time. Not its job: writing them down (`super::store`).

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, SecondsFormat, Utc};
use globset::{GlobBuilder, GlobMatcher};
use sha2::{Digest, Sha256};

use super::store::Kept;
use crate::team::key;
use crate::team::repository::Repository;
use crate::text::is_unsafe;

const PREFIX: &str = "dtt_";
/// Hex digits of an id.
const ID: usize = 16;
/// Bytes of a secret.
const SECRET: usize = 32;

/// A new token: what its owner gets, once.
#[derive(Clone)]
pub(super) struct Minted {
    pub(super) id: String,
    pub(super) text: String,
    /// What is kept: the SHA-256 of the whole text, in hex.
    pub(super) digest: String,
}

impl Minted {
    pub(super) fn new() -> Self {
        let id = random_hex(ID / 2);
        let text = format!("{PREFIX}{id}_{}", URL_SAFE_NO_PAD.encode(random::<SECRET>()));
        let digest = digest(&text);
        Self { id, text, digest }
    }
}

/// The digest that is kept of a token.
pub(super) fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// The id in a token's text; `None`: this is no token of ours.
pub(super) fn id_of(text: &str) -> Option<&str> {
    let (id, secret) = text.strip_prefix(PREFIX)?.split_once('_')?;
    let is_id = id.len() == ID && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_id && secret.len() == 43).then_some(id)
}

/// Whether two digests are equal, in a time that does not tell where they differ.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    one.len() == other.len() && std::hint::black_box(pairs.fold(0, |different, (a, b)| different | (a ^ b))) == 0
}

/// Random bytes as hex digits.
pub(super) fn random_hex(bytes: usize) -> String {
    hex(random::<SECRET>().get(..bytes).unwrap_or_default())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Random bytes from the system, by way of the library that also makes the keys of TLS.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    while rustls::crypto::ring::default_provider().secure_random.fill(&mut bytes).is_err() {
        // A token that could be guessed is worse than none; the system has no more than a moment without randomness.
        std::thread::yield_now();
    }
    bytes
}

/// What a token allows; each includes the ones before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Reading repositories and their history.
    Read,
    /// Writing and deleting entries.
    Write,
    /// Everything in the organisation: tokens, audit, export, import.
    Admin,
}

/// A word that is no role.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no role: read, write or admin")]
pub struct NotARole(String);

impl FromStr for Role {
    type Err = NotARole;

    fn from_str(text: &str) -> Result<Self, NotARole> {
        match text {
            "read" => Ok(Self::Read),
            "write" => Ok(Self::Write),
            "admin" => Ok(Self::Admin),
            _ => Err(NotARole(text.chars().take(40).collect())),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        })
    }
}

/// Which repositories a token is for: `owner/name` with `*` and `?`, or `*` for all of an organisation.
#[derive(Clone, Debug)]
pub struct Scope {
    text: String,
    matcher: GlobMatcher,
}

/// A text that is no pattern of repositories.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no pattern of repositories: write owner/name, where * and ? stand for other letters, or * for all")]
pub struct NotAScope(String);

impl Scope {
    /// The pattern.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is for every repository.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.text == "*"
    }

    /// Whether it is for this one.
    #[must_use]
    pub fn holds(&self, repository: &Repository) -> bool {
        self.is_everything() || self.matcher.is_match(repository.folded())
    }
}

impl FromStr for Scope {
    type Err = NotAScope;

    fn from_str(text: &str) -> Result<Self, NotAScope> {
        let wrong = || NotAScope(text.chars().take(80).collect());
        let is_pattern = |part: &str| {
            (1..=100).contains(&part.len())
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-*?".contains(&byte))
        };
        let text = if text == "*/*" { "*" } else { text };
        let is_right =
            text == "*" || text.split_once('/').is_some_and(|(owner, name)| is_pattern(owner) && is_pattern(name));
        if !is_right {
            return Err(wrong());
        }
        let glob = GlobBuilder::new(&text.to_ascii_lowercase()).literal_separator(true).build();
        let matcher = glob.map_err(|_| wrong())?.compile_matcher();
        Ok(Self { text: text.to_owned(), matcher })
    }
}

/// A token that somebody wants.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Whose repositories it is for.
    pub organization: &'a str,
    /// What it is called: a person's or a machine's name.
    pub label: &'a str,
    /// `read`, `write` or `admin`.
    pub role: &'a str,
    /// Which repositories it is for; `None`: all.
    pub repositories: Option<&'a str>,
    /// RFC 3339; `None`: never.
    pub expires: Option<&'a str>,
}

impl Wanted<'_> {
    /// What is to be kept of it.
    ///
    /// # Errors
    /// With what is wrong with it, in a sentence.
    pub(super) fn check(&self, minted: &Minted, now: DateTime<Utc>) -> Result<Kept, String> {
        if !is_organization(self.organization) {
            return Err("an organisation has a name of letters, digits, dots, dashes and underscores".to_owned());
        }
        let is_label = (1..=100).contains(&self.label.chars().count())
            && !self.label.chars().any(|letter| is_unsafe(letter) || key::is_hidden(letter))
            && self.label.trim() == self.label;
        if !is_label {
            return Err(
                "a label has 1 to 100 characters, no blanks around it, and none that controls or cannot be seen"
                    .to_owned(),
            );
        }
        let role: Role = self.role.parse().map_err(|error: NotARole| error.to_string())?;
        let scope: Scope = self.repositories.unwrap_or("*").parse().map_err(|error: NotAScope| error.to_string())?;
        if role == Role::Admin && !scope.is_everything() {
            // Who makes tokens can make one for everything.
            return Err("an administrator is one of all repositories: leave the pattern out".to_owned());
        }
        let expires = match self.expires {
            None => String::new(),
            Some(text) => match DateTime::parse_from_rfc3339(text) {
                Ok(at) if at > now => at.with_timezone(&Utc).to_rfc3339_opts(SecondsFormat::Secs, true),
                Ok(_) => return Err("the token would have expired already".to_owned()),
                Err(_) => return Err("a token expires at an instant like 2027-01-31T00:00:00Z".to_owned()),
            },
        };
        let now = now.to_rfc3339_opts(SecondsFormat::Micros, true);
        Ok(Kept { expires, ..Kept::of(minted, self.organization, role, scope, self.label, &now) })
    }
}

/// An organisation's name is a plain word, as the parts of a repository's are.
fn is_organization(text: &str) -> bool {
    (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_token_is_known_by_its_id_and_its_digest_and_no_two_are_alike() {
        let (one, other) = (Minted::new(), Minted::new());
        assert_ne!(one.text, other.text);
        assert_eq!(id_of(&one.text), Some(one.id.as_str()));
        assert!(is_same(&digest(&one.text), &one.digest) && !is_same(&digest(&one.text), &other.digest));
        assert!(!is_same("", &one.digest) && is_same("", ""));
        for text in ["", "dtt_", "dtt_0123456789abcdef", "dtt_0123456789abcdef_", "tt_0123456789abcdef_x", "sk-ant-1"] {
            assert_eq!(id_of(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_scope_holds_what_its_pattern_says_in_any_letter_case() {
        let holds = |scope: &str, repository: &str| {
            scope.parse::<Scope>().unwrap().holds(&repository.parse::<Repository>().unwrap())
        };
        assert!(holds("*", "acme/app") && holds("acme/*", "ACME/App") && holds("Acme/app", "acme/app"));
        assert!(holds("*/docs", "acme/docs") && holds("acme/a?p", "acme/app"));
        assert!(!holds("acme/*", "acme2/app") && !holds("acme/app", "acme/app2"));
        for text in ["", "acme", "a*", "a/b/c", "acme/{a,b}", "acme/[a]", "**/x y", "a/b\n"] {
            assert!(text.parse::<Scope>().is_err(), "{text:?}");
        }
    }
}
