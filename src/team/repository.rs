//! Which repository a team's memories belong to: `owner/name`, as it stands in a request.
//!
//! Not its job: finding it out from a checkout.

use std::fmt;
use std::str::FromStr;

/// The longest owner and the longest name, in characters.
const LONGEST: usize = 100;

/// A repository's name, `owner/name`; two that differ in letter case only are the same.
#[derive(Clone, Debug)]
pub struct Repository(String);

/// A text that names no repository.
#[derive(Debug, thiserror::Error)]
#[error(
    "{0:?} is no repository: it has to be owner/name, each 1 to 100 letters, digits, dots, dashes or underscores, and not only dots"
)]
pub struct NotARepository(String);

impl Repository {
    /// The name as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name in the form in which two are compared.
    #[must_use]
    pub fn folded(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

impl FromStr for Repository {
    type Err = NotARepository;

    fn from_str(text: &str) -> Result<Self, NotARepository> {
        let is_part = |part: &str| {
            (1..=LONGEST).contains(&part.len())
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
                && part != "."
                && part != ".."
        };
        match text.split_once('/') {
            Some((owner, name)) if is_part(owner) && is_part(name) => Ok(Self(text.to_owned())),
            _ => Err(NotARepository(text.chars().take(2 * LONGEST).collect())),
        }
    }
}

impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq for Repository {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for Repository {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn two_plain_parts_are_a_repository_and_nothing_else_is() {
        for text in ["acme/app", "A.b-c_d/0", "a/.x"] {
            assert_eq!(text.parse::<Repository>().unwrap().as_str(), text);
        }
        assert_eq!("Acme/App".parse::<Repository>().unwrap(), "acme/app".parse().unwrap());
        let long = format!("{}/x", "a".repeat(101));
        for text in [
            "", "acme", "/app", "acme/", "a/b/c", "../app", "acme/..", "acme/.", "a b/c", "a/b\n", "a/ü", "a%2Fb",
            &long,
        ] {
            assert!(text.parse::<Repository>().is_err(), "{text:?}");
        }
    }
}
