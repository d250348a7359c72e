//! The name Claude Code gives a project's folder. One-way: never turned back into a path.
//!
//! Not its job: finding the folder (see [`super::home`]).

use unicode_normalization::UnicodeNormalization;

/// How many characters of a long name are kept before the hash.
pub(super) const LONGEST: usize = 200;

/// Every character outside `[A-Za-z0-9]` becomes `-` (one for each UTF-16 unit, as JavaScript counts); over 200
/// characters: the first 200 (a hash follows on disk, which differs between programs: match such names by prefix with
/// [`matches()`]).
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
    let in_form = |form: String| form != path && fits(folder, &form);
    fits(folder, path) || (!path.is_ascii() && (in_form(path.nfc().collect()) || in_form(path.nfd().collect())))
}

fn fits(folder: &str, path: &str) -> bool {
    let mut expected = full_slug(path);
    if let (Some(letter), Some(first)) = (drive_letter(path), folder.chars().next())
        && letter.eq_ignore_ascii_case(&first)
    {
        expected.replace_range(..1, &first.to_string());
    }
    // The expected name is ASCII, so a byte is a character.
    let is_cut = || {
        let (kept, rest) = expected.split_at_checked(LONGEST)?;
        let hash = folder.strip_prefix(kept)?;
        let is_hash = hash.is_empty() || hash.strip_prefix('-')?.chars().all(|c| c.is_ascii_alphanumeric());
        (!rest.is_empty() && is_hash).then_some(())
    };
    folder == expected || is_cut().is_some()
}

/// The drive letter of a Windows path.
pub(super) fn drive_letter(path: &str) -> Option<char> {
    let mut characters = path.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic)?;
    (characters.next() == Some(':')).then_some(letter)
}

/// A folder's name with what versions wrote differently made the same: the case of a drive letter, `_` kept or not.
pub(super) fn alike(folder: &str) -> String {
    let mut characters = folder.chars();
    let has_drive = characters.next().is_some_and(|c| c.is_ascii_alphabetic()) && characters.as_str().starts_with("--");
    let folder = folder.replace('_', "-");
    if !has_drive {
        return folder;
    }
    let mut characters = folder.chars();
    let letter = characters.next().map(|c| c.to_ascii_lowercase());
    letter.into_iter().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_ascii_letters_and_digits_becomes_a_dash() {
        assert_eq!(slug("/Users/me/my_app.v2"), "-Users-me-my-app-v2");
        assert_eq!(slug("/x/.y"), "-x--y");
        assert_eq!(slug("/srv/新聞"), "-srv---");
        assert_eq!(slug("/srv/🎉"), "-srv---");
        assert_eq!(slug(r"C:\work\app"), "C--work-app");
        assert_eq!(slug(""), "");
    }

    #[test]
    fn long_names_match_by_prefix_and_any_hash_but_nothing_else_does() {
        let path = format!("/srv/{}", "a".repeat(300));
        let kept = slug(&path);
        assert_eq!(kept.len(), 200);
        assert!(matches(&kept, &path) && matches(&format!("{kept}-1k2j3h"), &path));
        assert!(!matches(&format!("{kept}b"), &path) && !matches(&format!("{kept}-a-b"), &path));
        assert!(!matches(&kept, "/srv/a") && !matches("-srv-a-1k2j3h", "/srv/a"));
        let exact = format!("/{}", "b".repeat(199));
        assert!(matches(&slug(&exact), &exact) && !matches(&format!("{}-1k2j3h", slug(&exact)), &exact));
    }

    #[test]
    fn fc_129_a_drive_letter_matches_in_either_case_and_the_rest_does_not() {
        assert!(matches("c--work-app", r"C:\work\app") && matches("C--work-app", r"c:\work\app"));
        assert!(!matches("C--Work-app", r"c:\work\app") && !matches("d--work-app", r"c:\work\app"));
        assert!(!matches("-Srv-app", "/srv/app"));
    }

    #[test]
    fn composed_and_decomposed_forms_of_a_path_both_match() {
        let (composed, decomposed) = ("/srv/caf\u{E9}", "/srv/cafe\u{301}");
        for form in [composed, decomposed] {
            assert!(matches(&slug(composed), form) && matches(&slug(decomposed), form));
        }
    }
}
