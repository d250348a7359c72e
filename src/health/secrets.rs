//! Credentials in what the store holds: rule and place, never the value, in no finding whatever it is about.
//!
//! Not its job: telling what is a credential (see [`crate::secret`]) and keeping new ones out (the change door does).

use serde::Serializer;

use super::Finding;
use crate::memory::{ProblemCode, Snapshot};
use crate::secret;

/// How many credentials of one file are reported.
const MOST: usize = 20;

/// The credentials anywhere in a file, its frontmatter included.
pub(super) fn in_file(file: &str, whole: &[u8]) -> Vec<Finding> {
    let told = |hit: &secret::SecretHit| {
        let message = format!(
            "credential: {} at line {}; take the value out and revoke it, then `purge` what the history keeps",
            hit.rule, hit.line
        );
        finding(file, Some(hit.line), message)
    };
    secret::scan(whole).iter().take(MOST).map(told).collect()
}

/// The credentials in the names of files.
pub(super) fn in_names(snapshot: &Snapshot) -> Vec<Finding> {
    let files =
        snapshot.memories.iter().map(|memory| &memory.file).chain(snapshot.others.iter().map(|other| &other.file));
    let told = |file: &String| {
        let message = format!("credential: {} in the name of the file; give it another name", secret::in_name(file)?);
        Some(finding(file, None, message))
    };
    files.filter_map(told).collect()
}

fn finding(file: &str, line: Option<usize>, message: String) -> Finding {
    Finding::new(ProblemCode::Secret, file, line, message)
}

/// Takes credentials out of what findings of any kind quote.
pub(super) fn redact(findings: &mut [Finding]) {
    for finding in findings {
        finding.message = secret::redacted(&finding.message);
        finding.evidence = finding.evidence.as_deref().map(secret::redacted);
        finding.quote = finding.quote.as_deref().map(secret::redacted);
    }
}

/// A file's name on its way out.
#[expect(clippy::ptr_arg, reason = "it is what serde hands over")]
pub(super) fn without<S: Serializer>(file: &String, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&secret::redacted_name(file))
}
