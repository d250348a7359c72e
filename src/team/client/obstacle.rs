//! Why an entry does not travel as it is: names that are one file somewhere, credentials, what the server refused.
//!
//! One place for both directions, and for whoever only tells how an entry stands. Not its job: which entries differ.

use std::collections::{BTreeMap, BTreeSet};

use super::local::Local;
use super::record::Record;
use crate::secret;
use crate::team::key;
use crate::team::sum::Sum;

/// The names that a server has, by the form in which two are compared.
pub(super) struct Names<'a>(BTreeMap<String, BTreeSet<&'a str>>);

impl<'a> Names<'a> {
    /// These names.
    pub(super) fn of(keys: impl Iterator<Item = &'a String>) -> Self {
        let mut names: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for name in keys {
            names.entry(key::folded(name)).or_default().insert(name);
        }
        Self(names)
    }

    /// Those that are one file on some systems, each group by itself.
    pub(super) fn groups(&self) -> impl Iterator<Item = &BTreeSet<&'a str>> {
        self.0.values()
    }

    /// Another one that differs from this one in letter case or Unicode form only.
    fn twin(&self, key: &str) -> Option<&'a str> {
        self.0.get(&key::folded(key))?.iter().find(|name| **name != key).copied()
    }
}

/// What is said of a name that differs from another one so little; `advice`: what helps.
pub(super) fn twins(other: &str, advice: &str) -> String {
    format!("{other} differs from it in letter case only, and some systems keep one of them: {advice}")
}

/// What is said of a text with a credential in it; `whose`: of which version or file the line is, or nothing.
pub(super) fn credential_in(text: &[u8], whose: &str) -> Option<String> {
    let hit = secret::scan(text).into_iter().next()?;
    Some(format!("line {}{whose} holds what looks like a credential ({})", hit.line, hit.rule))
}

/// What is said of a name with a credential in it.
pub(super) fn credential_in_name(key: &str) -> Option<&'static str> {
    secret::in_name(key).map(|_| "its name holds what looks like a credential")
}

/// Why an entry that was changed here is not sent; `names`: those of the server.
pub(super) fn obstacle(record: &Record, local: &Local, names: &Names<'_>, key: &str, text: &[u8]) -> Option<String> {
    let credential = credential_in_name(key).map(str::to_owned).or_else(|| credential_in(text, ""));
    if let Some(words) = credential {
        return Some(format!("{words}; it is not sent"));
    }
    if let Some(blocked) = record.blocked.get(key)
        && blocked.sum == Sum::of(text)
    {
        return Some(blocked.reason.clone());
    }
    let there = names.twin(key).map(|other| {
        twins(
            other,
            &format!("name it as that one, or take that one from the team with `dreamtop team delete {other}`"),
        )
    });
    there.or_else(|| local.twin(key).map(|other| twins(other, "rename one of them")))
}
