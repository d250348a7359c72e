//! `MEMORY.md`: its entries, what of it is loaded, and edits of single lines.
//!
//! Limits as Claude Code measures them: 200 lines and 25,000 bytes of what is left after frontmatter and block HTML
//! comments are stripped; cut at the line, then at the last newline under the byte limit. Hand-written lines are
//! never touched. Not its job: whether a target exists (see [`super::store`]).

mod arrange;
mod edit;
mod link;
mod parse;
pub(crate) mod shorten;
mod target;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::links::stem;

pub(super) use link::targets;
pub(super) use parse::read as read_in;
pub use shorten::Shortened;

/// Lines of the index that are loaded into a session.
pub const MAX_LINES: usize = 200;
/// Bytes of the index that are loaded into a session.
pub const MAX_BYTES: usize = 25_000;
/// An index line longer than this many characters should move its text into the topic file.
pub const LONG_LINE: usize = 200;
/// New entries are kept under this many characters.
pub const ENTRY_CHARACTERS: usize = 150;

/// An index, understood.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// The bytes as read.
    pub bytes: Vec<u8>,
    /// Every line, in order.
    pub lines: Vec<Line>,
    /// What is loaded.
    pub measure: Measure,
}

/// One line of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its bytes in the file, without the line ending.
    pub range: Range<usize>,
    /// Its text, damaged UTF-8 replaced.
    pub text: String,
    /// The links on it, in order; usually none or one. Links in fences, comments and code that is no file name do not count.
    pub entries: Vec<Entry>,
    /// Whether a session sees it. Lines of frontmatter and comments are neither loaded nor cut: `None`.
    pub loaded: Option<bool>,
}

/// A pointer from the index to a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The link's text.
    pub title: String,
    /// The target as a path inside the store: `./`, percent escapes, anchors and `sub/../` resolved, `/` separated. Wiki
    /// links keep their word here and are resolved by the store.
    pub target: String,
    /// The target as written.
    pub raw_target: String,
    /// What stands after the link, without the dash.
    pub hook: String,
    /// Whether it is a `[[wiki link]]`.
    pub wiki: bool,
    /// Whether it is only a file's name in the middle of prose: the file counts as reached, but the line is no entry.
    pub mention: bool,
    /// The bytes of the link in the file.
    pub span: Range<usize>,
    /// The bytes of the target.
    pub target_span: Range<usize>,
    /// The bytes of the hook; empty, where it would stand, when there is none.
    pub hook_span: Range<usize>,
}

/// Which limit cuts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The 200 lines.
    Lines,
    /// The 25,000 bytes.
    Bytes,
}

/// How big an index is, and what of it is loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// Lines after stripping.
    pub lines: usize,
    /// Bytes after stripping.
    pub bytes: usize,
    /// Lines that are loaded.
    pub loaded_lines: usize,
    /// Bytes that are loaded.
    pub loaded_bytes: usize,
    /// Which limit cut, if one did.
    pub binds: Option<Limit>,
    /// The targets of entries that are not loaded, in order.
    pub cut: Vec<String>,
}

/// An entry to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// The file, relative to the store.
    pub file: String,
    /// The link's text.
    pub title: String,
    /// One line on what the memory says.
    pub hook: String,
}

impl Index {
    /// Understands the bytes of an index.
    #[must_use]
    pub fn read(bytes: Vec<u8>) -> Self {
        parse::read(bytes, "")
    }

    /// Understands the bytes that an edit made of this index: the same as [`Index::read`] gives, without looking at the lines
    /// again that stayed as they were.
    #[must_use]
    pub fn edited(self, bytes: Vec<u8>) -> Self {
        parse::read_edited(self, bytes)
    }

    /// All entries with the number of their line (from 1) and whether it is loaded.
    pub fn entries(&self) -> impl Iterator<Item = (usize, &Entry, bool)> {
        self.lines
            .iter()
            .enumerate()
            .flat_map(|(at, line)| line.entries.iter().map(move |entry| (at + 1, entry, line.loaded.unwrap_or(true))))
    }

    /// The index with an entry added where its neighbours are (same file-name prefix, else after the last entry, else
    /// at the end), in the form its neighbours have. Unchanged when the file is linked already.
    #[must_use]
    pub fn with_entry(&self, entry: &NewEntry) -> Vec<u8> {
        edit::with_entry(self, entry)
    }

    /// The index without the entries of a file: a line that is only that entry goes; on a line with other text the
    /// link becomes its title.
    #[must_use]
    pub fn without(&self, file: &str) -> Vec<u8> {
        edit::without(self, &|_, entry| edit::points_to(entry, file))
    }

    /// Like [`Index::without`], for the entries that `drop` picks by line (from 1) and entry.
    #[must_use]
    pub fn without_where(&self, drop: &dyn Fn(usize, &Entry) -> bool) -> Vec<u8> {
        edit::without(self, drop)
    }

    /// Whether a line (from 1) is nothing but entries: a bullet that begins with a link, or a row of a table.
    #[must_use]
    pub fn is_entry_line(&self, line: usize) -> bool {
        line.checked_sub(1).and_then(|at| self.lines.get(at)).is_some_and(|line| self.is_own_line(line))
    }

    /// The index with every link to `from` pointing to `to`.
    #[must_use]
    pub fn renamed(&self, from: &str, to: &str) -> Vec<u8> {
        self.renamed_where(&|_, entry| edit::points_to(entry, from).then(|| to.to_owned()))
    }

    /// The index with the links that `pick` names, by line (from 1) and entry, pointing to the file it gives.
    #[must_use]
    pub fn renamed_where(&self, pick: &dyn Fn(usize, &Entry) -> Option<String>) -> Vec<u8> {
        self.relinked(&|line, entry| {
            let to = pick(line, entry)?;
            Some(if entry.wiki { stem(&to).to_owned() } else { to })
        })
    }

    /// The index with the links that `pick` names, by line (from 1) and entry, leading to what it gives: a word for a wiki
    /// link, else a path from where the index lies. Anchors stay.
    pub(super) fn relinked(&self, pick: &dyn Fn(usize, &Entry) -> Option<String>) -> Vec<u8> {
        edit::relinked(self, pick)
    }

    /// The index with the block of a line (from 1: the line and what hangs below it) before the block above it, or after the
    /// one below, and the number the line has then; `None` at the end, and for a line of a comment or of frontmatter.
    #[must_use]
    pub fn moved(&self, line: usize, is_up: bool) -> Option<(Vec<u8>, usize)> {
        arrange::moved(self, line, is_up)
    }

    /// The index with the block of a line (from 1) before the first entry, and the number the line has then; `None` when it
    /// stands there already, or is no line that could.
    #[must_use]
    pub fn pinned(&self, line: usize) -> Option<(Vec<u8>, usize)> {
        arrange::pinned(self, line)
    }

    /// The index with another text in a line (from 1); line breaks and control characters become blanks.
    #[must_use]
    pub fn with_line(&self, line: usize, text: &str) -> Vec<u8> {
        arrange::with_line(self, line, text)
    }

    /// The index without a line (from 1).
    #[must_use]
    pub fn without_line(&self, line: usize) -> Vec<u8> {
        arrange::without_line(self, line)
    }

    /// The index with the hook of a line (from 1) cut, so that the line is under [`ENTRY_CHARACTERS`], with what has to go
    /// into the memory; `None` when there is nothing to cut: no entry, several, or a link that is long by itself.
    #[must_use]
    pub fn shortened(&self, line: usize) -> Option<Shortened> {
        shorten::shortened(self, line)
    }

    /// The index with the hook of a file's entry replaced; unchanged when it has none.
    #[must_use]
    pub fn with_hook(&self, file: &str, hook: &str) -> Vec<u8> {
        edit::with_hook(self, file, hook)
    }

    /// The index with the title of a file's entry replaced; unchanged when it has none, or a wiki link.
    #[must_use]
    pub fn with_title(&self, file: &str, title: &str) -> Vec<u8> {
        edit::with_title(self, file, title)
    }
}
