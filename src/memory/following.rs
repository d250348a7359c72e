//! Links that follow files which get another name, or go into another file: in an index and in memories alike.
//!
//! A link means what it means where it stands: a Markdown link is relative to the folder of its file, a wiki word is looked
//! up in the whole store. Its title, alias and anchor stay as written, and so does a word that still means the file. Not
//! its job: which files get another name, and writing anything.

use std::collections::HashMap;

use super::index::{Entry, Index, read_in};
use super::links::{Resolver, stem};
use super::names::{folded, is_markdown, without_extension};
use super::{INDEX_FILE, Snapshot};

/// What links mean before and after some files got another name.
#[derive(Debug)]
pub struct Following<'a> {
    renamed: Vec<(&'a str, &'a str)>,
    names: HashMap<&'a str, &'a str>,
    folded: HashMap<String, &'a str>,
    before: Resolver<'a>,
    after: Resolver<'a>,
}

/// The folder of a file, without the last `/`; empty for the store itself.
fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A file of the store as it is written in a file of `folder`: `../a.md` for `a.md` in `sub`.
fn relative(folder: &str, file: &str) -> String {
    let mut own: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let mut parts: Vec<&str> = file.split('/').collect();
    while parts.len() > 1 && own.first().is_some_and(|first| parts.first() == Some(first)) {
        own.remove(0);
        parts.remove(0);
    }
    "../".repeat(own.len()) + &parts.join("/")
}

impl<'a> Following<'a> {
    /// Over the `(file, name)` pairs of a store; `renamed` has the old and the new name of files. A new name that is another
    /// memory's is a merge: what led to the first leads to the second.
    pub fn new(memories: impl Iterator<Item = (&'a str, &'a str)>, renamed: &[(&'a str, &'a str)]) -> Self {
        let memories: Vec<(&str, &str)> = memories.collect();
        let names: HashMap<&str, &str> = memories.iter().copied().collect();
        let new_name = |file: &str| renamed.iter().find(|(from, _)| *from == file).map(|(_, to)| *to);
        let after = memories.iter().filter_map(|(file, name)| match new_name(file) {
            // What has no name of its own is called after its file.
            Some(to) => (!names.contains_key(to)).then_some((to, if *name == stem(file) { stem(to) } else { *name })),
            None => Some((*file, *name)),
        });
        Self {
            renamed: renamed.to_vec(),
            folded: memories.iter().map(|(file, _)| (folded(file), *file)).collect(),
            before: Resolver::new(memories.iter().copied()),
            after: Resolver::new(after),
            names,
        }
    }

    /// Over the memories of a snapshot.
    #[must_use]
    pub fn of(snapshot: &'a Snapshot, renamed: &[(&'a str, &'a str)]) -> Self {
        Self::new(snapshot.memories.iter().map(|memory| (memory.file.as_str(), memory.name.as_str())), renamed)
    }

    /// The memory that an entry led to, under its old name.
    #[must_use]
    pub fn meant(&self, entry: &Entry) -> Option<&'a str> {
        if entry.wiki {
            return self.before.resolve(&entry.target);
        }
        let exact = self.names.get_key_value(entry.target.as_str()).map(|(file, _)| *file);
        exact.or_else(|| self.folded.get(&folded(&entry.target)).copied())
    }

    /// The new name of a file, if it has one.
    fn new_name(&self, file: &str) -> Option<&'a str> {
        self.renamed.iter().find(|(from, _)| *from == file).map(|(_, to)| *to)
    }

    /// A text whose links follow. `was` is the file it stands in, `is` the one it will stand in: its own relative links
    /// keep what they lead to when the folder is another one.
    #[must_use]
    pub fn text(&self, bytes: Vec<u8>, was: &str, is: &str) -> Vec<u8> {
        let is_moved = folder(was) != folder(is);
        let index = read_in(bytes, folder(was));
        index.relinked(&|_, entry| {
            let file = self.meant(entry);
            let to = file.and_then(|file| self.new_name(file));
            if entry.wiki {
                return self.word(entry, file?, to?);
            }
            let is_link = index.bytes.get(entry.span.start) == Some(&b'[');
            match (to, file) {
                (Some(to), _) => Some(relative(folder(is), to)),
                (None, Some(file)) if is_moved && is_link => Some(relative(folder(is), file)),
                (None, None) if is_moved && is_link && entry.target == INDEX_FILE => {
                    Some(relative(folder(is), INDEX_FILE))
                }
                _ => None,
            }
        })
    }

    /// The store's index whose links follow.
    #[must_use]
    pub fn index(&self, index: &Index) -> Vec<u8> {
        self.text(index.bytes.clone(), INDEX_FILE, INDEX_FILE)
    }

    /// The word that means `to` as the word of an entry meant `file`: a name for a name, else a stem, else the path.
    fn word(&self, entry: &Entry, file: &str, to: &str) -> Option<String> {
        if self.after.resolve(&entry.target) == Some(to) {
            return None;
        }
        let old = without_extension(&entry.target);
        let name = self.names.get(to).copied().unwrap_or_default();
        let is_by_name = old != stem(file) && self.names.get(file) == Some(&old);
        let words = [if is_by_name { name } else { stem(to) }, stem(to), without_extension(to)];
        let word = words.into_iter().find(|word| !word.is_empty() && self.after.resolve(word) == Some(to));
        let word = word.unwrap_or_else(|| without_extension(to));
        let has_ending = is_markdown(&entry.target);
        Some(if has_ending { format!("{word}.md") } else { word.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed(text: &str, was: &str, is: &str, renamed: &[(&str, &str)]) -> String {
        let memories = [("a.md", "alpha"), ("b.md", "beta"), ("sub/c.md", "gamma"), ("sub/a.md", "inner")];
        let following = Following::new(memories.into_iter(), renamed);
        String::from_utf8_lossy(&following.text(text.as_bytes().to_vec(), was, is)).into_owned()
    }

    #[test]
    fn a_link_follows_from_where_it_stands_and_keeps_title_alias_and_anchor() {
        let renamed = [("a.md", "new/zed.md")];
        let text = "[x](../a.md) [y](<../a.md#Why> \"T\") [z](a.md) [[a#Why]] [[a|al]] [[a#S|al]] [[alpha]] [[a.md]]\n\n[ref]: ../a.md 'T'\n";
        assert_eq!(
            followed(text, "sub/c.md", "sub/c.md", &renamed),
            "[x](../new/zed.md) [y](<../new/zed.md#Why> \"T\") [z](a.md) [[zed#Why]] [[zed|al]] [[zed#S|al]] [[alpha]] [[zed.md]]\n\n[ref]: ../new/zed.md 'T'\n"
        );
        let merged = [("a.md", "b.md")];
        assert_eq!(
            followed("[[a#Top]] [[alpha]] [B](./a.md?x)\n", "b.md", "b.md", &merged),
            "[[b#Top]] [[beta]] [B](./b.md?x)\n"
        );
        // The one in the folder has the same stem: the word means the other one, and its own link leads to it.
        assert_eq!(
            followed("[[a]] [i](a.md)\n", "sub/c.md", "sub/c.md", &[("sub/a.md", "q.md")]),
            "[[a]] [i](../q.md)\n"
        );
    }

    #[test]
    fn a_memory_in_another_folder_keeps_what_its_own_links_lead_to() {
        let text = "[c](c.md) [a](../a.md) [me](me.md) [doc](docs/x.md) [i](../MEMORY.md)\n```\n[c](c.md)\n```\n";
        let memories = [("a.md", "alpha"), ("sub/c.md", "gamma"), ("sub/me.md", "me")];
        let following = Following::new(memories.into_iter(), &[("sub/me.md", "e.md")]);
        let moved = following.text(text.as_bytes().to_vec(), "sub/me.md", "e.md");
        assert_eq!(
            String::from_utf8_lossy(&moved),
            "[c](sub/c.md) [a](a.md) [me](e.md) [doc](docs/x.md) [i](MEMORY.md)\n```\n[c](c.md)\n```\n"
        );
    }
}
