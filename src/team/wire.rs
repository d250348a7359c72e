//! What travels between a client and a server: the bodies of the team memory API, read leniently and written exactly.
//!
//! ```text
//! GET  /api/claude_code/team_memory?repo=owner%2Fname[&view=hashes]   If-None-Match: "SUM"
//! PUT  /api/claude_code/team_memory?repo=owner%2Fname                 If-Match: "SUM" | If-None-Match: *
//! ```
//!
//! Not its job: what either side does with them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::sum::Sum;

/// The path of the API.
pub const PATH: &str = "/api/claude_code/team_memory";
/// The most bytes of text that one entry has.
pub const ENTRY_BYTES: usize = 250_000;
/// The most bytes of text that a client puts into one request; a larger entry travels alone.
pub const BATCH_BYTES: usize = 200_000;
/// The most bytes of a request that a server reads: escapes can make a text twice as long and more.
pub const BODY_BYTES: usize = 2 * 1024 * 1024;

/// The answer to a GET.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Repo {
    /// The organisation.
    #[serde(default)]
    pub organization_id: String,
    /// `owner/name`.
    #[serde(default)]
    pub repo: String,
    /// Rises by one with each change.
    #[serde(default)]
    pub version: u64,
    /// When it changed last, RFC 3339.
    #[serde(default)]
    pub last_modified: String,
    /// The sum of everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<Sum>,
    /// The sum of each entry, with `view=hashes`; other servers have them in [`Content`] only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_checksums: Option<BTreeMap<String, Sum>>,
    /// The entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
}

impl Repo {
    /// The sums of the entries, wherever they are.
    #[must_use]
    pub fn sums(&self) -> Option<&BTreeMap<String, Sum>> {
        self.entry_checksums.as_ref().or_else(|| self.content.as_ref()?.entry_checksums.as_ref())
    }
}

/// The entries of a [`Repo`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// Text by key; left out with `view=hashes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<BTreeMap<String, String>>,
    /// Sum by key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_checksums: Option<BTreeMap<String, Sum>>,
}

/// The body of a PUT: the full new text of each entry that changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delta {
    /// Text by key.
    pub entries: BTreeMap<String, String>,
}

/// The answer to a PUT.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stored {
    /// The version that it made, or the one that was there.
    #[serde(default)]
    pub version: u64,
    /// The sum of everything now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<Sum>,
    /// When, RFC 3339.
    #[serde(default)]
    pub last_modified: String,
    /// The sums of the entries that were sent.
    #[serde(default)]
    pub entry_checksums: BTreeMap<String, Sum>,
}

/// The body of every answer that is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What is wrong.
    #[serde(default)]
    pub error: Fault,
    /// Some servers have the details here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra_details: Option<Details>,
}

impl Failure {
    /// The details, wherever they are.
    #[must_use]
    pub fn details(&self) -> Option<&Details> {
        self.error.details.as_ref().or(self.extra_details.as_ref())
    }
}

/// What is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// A word that programs can tell apart.
    #[serde(default)]
    pub code: String,
    /// A sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Details>,
    /// Where secrets were found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<SecretFound>,
}

/// Figures of a [`Fault`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    /// `team_memory_too_many_entries` and the like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// How many entries a repository may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_entries: Option<u64>,
    /// How many it would have had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub received_entries: Option<u64>,
    /// How many bytes there may be, where it is about bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// How many there were, or would have been.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub received_bytes: Option<u64>,
    /// The entry that is too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// Where a server found a secret; never the secret.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecretFound {
    /// The entry.
    pub key: String,
    /// The rule that found it.
    pub rule_id: String,
    /// The line, from 1.
    #[serde(default)]
    pub line: u64,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn sums_are_found_at_both_places_and_unknown_keys_pass() {
        let top = r#"{"organizationId":"o","repo":"a/b","version":3,"checksum":"sha256:1","entryChecksums":{"a.md":"sha256:2"},"new":[1]}"#;
        let inner = r#"{"version":3,"content":{"entryChecksums":{"a.md":"sha256:2"}}}"#;
        for text in [top, inner] {
            let repo: Repo = serde_json::from_str(text).unwrap();
            assert_eq!(repo.sums().unwrap()["a.md"], Sum::sent("sha256:2"));
        }
    }

    #[test]
    fn a_limit_is_read_from_details_and_from_extra_details() {
        let details = r#"{"error_code":"team_memory_too_many_entries","max_entries":7,"received_entries":9}"#;
        for text in [
            format!(r#"{{"error":{{"code":"too_large","details":{details}}}}}"#),
            format!(r#"{{"error":{{"code":"too_large"}},"extra_details":{details}}}"#),
        ] {
            let failure: Failure = serde_json::from_str(&text).unwrap();
            assert_eq!(failure.details().unwrap().max_entries, Some(7));
        }
    }
}
