//! How two changed versions of an entry come together. Pure.
//!
//! Not its job: which of two that cannot be merged stays (see [`super::pull`]).

use super::decide::{Longer, longer};
use crate::change::index_edit::{IndexEdit, is_on_top, on_top};
use crate::change::{favouring, merged};
use crate::memory::{Field, INDEX_FILE, frontmatter};

/// What both sides had before.
pub(super) enum Base {
    /// Nothing.
    Nothing,
    /// This.
    Text(Vec<u8>),
    /// Something, and its text is lost.
    Lost,
}

impl Base {
    /// The text, as far as it is known.
    pub(super) fn text(&self) -> &[u8] {
        if let Self::Text(text) = self { text } else { &[] }
    }

    fn known(&self) -> Option<&[u8]> {
        (!matches!(self, Self::Lost)).then(|| self.text())
    }
}

/// How two changed versions meet.
pub(super) enum Met {
    /// The server's has ours in it.
    Take,
    /// Ours has the server's in it.
    Keep,
    /// Both in one.
    Merged(Vec<u8>),
    /// They touch the same lines.
    Apart {
        /// What is in the file where the team's counts.
        theirs: Vec<u8>,
        /// Both in one; ours counts where they meet.
        ours_wins: Vec<u8>,
        /// What is in the file where ours counts.
        ours: Vec<u8>,
        /// Both in one; the team's counts where they meet.
        theirs_wins: Vec<u8>,
    },
}

/// How ours and the server's version of an entry meet, where both sides changed it.
pub(super) fn meet(key: &str, base: &Base, ours: &[u8], theirs: &[u8]) -> Met {
    if let Some(known) = base.known() {
        match longer(ours, theirs) {
            Longer::Remote if is_all_new(known, ours, theirs) => return Met::Take,
            Longer::Local if is_all_new(known, theirs, ours) => return Met::Keep,
            _ => {}
        }
    }
    let base = base.text();
    let (dated, dated_theirs) = dated_alike(ours, theirs);
    if let Some(merged) = merged(base, &dated, &dated_theirs) {
        return Met::Merged(merged);
    }
    if key.rsplit('/').next() == Some(INDEX_FILE) {
        // Lines of an index stand for themselves: those of both sides, but for a line that both changed.
        let edit =
            |content: &[u8]| IndexEdit { base: base.to_vec(), content: content.to_vec(), taken_over: Vec::new() };
        let (edit, other) = (edit(ours), edit(theirs));
        let (on_theirs, on_ours) = (on_top(&edit, theirs), on_top(&other, ours));
        if is_on_top(&edit, theirs) && is_on_top(&other, ours) {
            return Met::Merged(on_theirs);
        }
        return Met::Apart {
            theirs: on_theirs.clone(),
            ours_wins: on_ours.clone(),
            ours: on_ours,
            theirs_wins: on_theirs,
        };
    }
    Met::Apart {
        ours_wins: favouring(base, &dated, &dated_theirs),
        theirs_wins: favouring(base, &dated_theirs, &dated),
        theirs: theirs.to_vec(),
        ours: ours.to_vec(),
    }
}

/// Both versions with the later of their dates: two edits of different lines differ in the date as well.
fn dated_alike(ours: &[u8], theirs: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let dates = (frontmatter::read(ours).modified, frontmatter::read(theirs).modified);
    if let (Some(one), Some(other)) = dates
        && one != other
    {
        let later = one.max(other);
        let with = |text| frontmatter::set(text, Field::Modified, &later);
        if let (Ok(ours), Ok(theirs)) = (with(ours), with(theirs)) {
            return (ours, theirs);
        }
    }
    (ours.to_vec(), theirs.to_vec())
}

/// Whether the longer of two versions has nothing more than the shorter one but what is new: a line that both had before is
/// one that the shorter one's side took away.
fn is_all_new(base: &[u8], shorter: &[u8], longer: &[u8]) -> bool {
    let whole_lines = shorter.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let is_at_an_end = whole_lines == shorter.len() || longer.get(shorter.len()) == Some(&b'\n');
    let more = longer.get(if is_at_an_end { shorter.len() } else { whole_lines }..).unwrap_or_default();
    let mut lines = more.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    lines.all(|line| !base.split(|byte| *byte == b'\n').any(|before| before == line))
}
