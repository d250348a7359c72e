//! `[[wiki links]]` between memories.

/// A wiki link in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WikiLink {
    /// The word between the brackets, before any `|`.
    pub word: String,
    /// The line it is on, from 1.
    pub line: usize,
}

/// All wiki links of a body, code fences and code spans left out.
#[must_use]
pub fn wiki_links(body: &str) -> Vec<WikiLink> {
    let _ = body;
    todo!()
}

/// The file a wiki word means among `(file, name)` pairs: by file stem, then by `name`, then with `-`/`_`/case folded
/// and an optional type prefix dropped.
#[must_use]
pub fn resolve<'a>(word: &str, memories: &[(&'a str, &str)]) -> Option<&'a str> {
    let _ = (word, memories);
    todo!()
}
