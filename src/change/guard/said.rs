//! What a memory says, sentence by sentence, as it is written: the body with its headings, and the description.
//!
//! Not its job: comparing sentences (see [`super::claim`]), and which of them are lost (see [`super::sentences`]).

use super::claim::Claim;
use super::sentences;
use crate::memory::frontmatter;
use crate::memory::likeness::without_said;
use crate::secret;

/// A sentence of a file.
pub(super) struct Said {
    pub(super) text: String,
    /// Whether it only goes with the claim: a heading, the description, a reason, how to apply it.
    pub(super) is_beside: bool,
}

impl Said {
    /// As a reason quotes it.
    pub(super) fn shown(&self) -> String {
        let clean = secret::redacted(self.text.trim());
        let visible = crate::text::visible(&clean);
        if visible.chars().count() <= 80 {
            return visible.into_owned();
        }
        visible.chars().take(79).chain(std::iter::once('…')).collect()
    }

    /// Whether it says nothing of anybody: no word of meaning, or a single one beside the claim or before a colon.
    pub(super) fn is_label(&self, claim: &Claim) -> bool {
        let leads = self.is_beside || self.text.trim_end().ends_with(':');
        claim.words().is_empty() || (leads && claim.words().len() < 2)
    }

    /// Whether it is a statement about the person, whatever the type of its file.
    pub(super) fn is_about_person(&self) -> bool {
        let folded = sentences::folded(&self.text);
        let first = folded.strip_prefix("the ").unwrap_or(&folded);
        ["user", "developer", "der nutzer", "el usuario", "l utilisateur", "用户"]
            .iter()
            .any(|person| first.strip_prefix(person).is_some_and(|rest| rest.is_empty() || !rest.starts_with('s')))
    }
}

/// The sentences of a file as they are written, its description's last. Of our own source lines and of the places that say
/// what a date stood for, only what is quoted.
pub(super) fn said_in(bytes: &[u8]) -> Vec<Said> {
    let read = frontmatter::read(bytes);
    let body = String::from_utf8_lossy(bytes.get(read.body..).unwrap_or_default()).into_owned();
    let mut said = Vec::new();
    for line in body.lines() {
        let line = super::instruction::said(line);
        let heading = line.trim_start().trim_start_matches('#');
        let is_heading = heading.len() < line.trim_start().len();
        let is_beside = is_heading || line.trim_start().starts_with("**");
        let line = without_said(if is_heading { heading } else { line });
        said.extend(sentences::raw(&line).into_iter().map(|text| Said { text, is_beside }));
    }
    // What stands beside a claim rests on it, so it is weighed after it.
    said.sort_by_key(|said| said.is_beside);
    let description = read.description.unwrap_or_default();
    said.extend(sentences::raw(&without_said(&description)).into_iter().map(|text| Said { text, is_beside: true }));
    said.retain(|said| !sentences::folded(&said.text).is_empty());
    said
}
