//! The name Claude Code gives a project's folder. One-way: never turned back into a path.

use unicode_normalization::UnicodeNormalization;

/// How many characters of a long name are kept before the hash.
pub(super) const LONGEST: usize = 200;

/// Every character outside `[A-Za-z0-9]` becomes `-` (one for each UTF-16 unit, as JavaScript counts); over 200
/// characters: the first 200 (a hash follows on disk, which differs between programs: match such names by prefix with
/// [`matches`]).
#[must_use]
pub fn slug(path: &str) -> String {
    full_slug(path).chars().take(LONGEST).collect()
}

fn full_slug(path: &str) -> String {
    let mut name = String::with_capacity(path.len());
    for character in path.chars() {
        if character.is_ascii_alphanumeric() {
            name.push(character);
        } else {
            name.extend(std::iter::repeat_n('-', character.len_utf16()));
        }
    }
    name
}

/// Whether a folder name is the slug of a path: equal, drive letters compared without case, long ones by prefix.
///
/// A path counts in its composed and in its decomposed Unicode form, because file systems differ in what they give back.
#[must_use]
pub fn matches(folder: &str, path: &str) -> bool {
    fits(folder, path)
        || (!path.is_ascii()
            && (fits(folder, &path.nfc().collect::<String>()) || fits(folder, &path.nfd().collect::<String>())))
}

fn fits(folder: &str, path: &str) -> bool {
    let expected = full_slug(path);
    let (folder, expected) = match (drive_letter(path), folder.chars().next()) {
        (Some(letter), Some(first)) if letter.eq_ignore_ascii_case(&first) => {
            (folder.chars().skip(1).collect::<String>(), expected.chars().skip(1).collect::<String>())
        }
        _ => (folder.to_owned(), expected),
    };
    if folder == expected {
        return true;
    }
    // The name is ASCII now, so its length in bytes is its length in characters.
    let kept: String = full_slug(path).chars().take(LONGEST).skip(full_slug(path).len() - expected.len()).collect();
    full_slug(path).len() > LONGEST
        && folder.strip_prefix(&kept).is_some_and(|rest| {
            let hash = rest.strip_prefix('-').unwrap_or(rest);
            (rest.is_empty() || rest.starts_with('-')) && hash.chars().all(|c| c.is_ascii_alphanumeric())
        })
}

/// The drive letter of a Windows path.
fn drive_letter(path: &str) -> Option<char> {
    let mut characters = path.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic)?;
    (characters.next() == Some(':')).then_some(letter)
}
