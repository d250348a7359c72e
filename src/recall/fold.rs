//! Text made comparable: compatibility forms, case and the accents of Latin letters do not count.
//!
//! Not its job: words (see [`super::query`]) and where they occur (see [`super::count`]).

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The folded text. ASCII comes back as it is: whoever searches it looks at both cases, which costs less than a copy.
pub(super) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(folded(text)) }
}

/// The folded text with small letters, ASCII too.
pub(super) fn lower(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { folded(text) }
}

fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            c if c.is_ascii() => out.push(c.to_ascii_lowercase()),
            // Dashes and quotes are the usual reason why a text is not ASCII.
            '\u{2010}'..='\u{2015}' => out.push('-'),
            '\u{2018}' | '\u{2019}' => out.push('\''),
            'ß' => out.push_str("ss"),
            // Accents of Latin letters go; those of other scripts make another letter.
            '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => {
                out.extend(character.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase));
            }
            // A combining accent after a Latin letter, as macOS writes them.
            '\u{300}'..='\u{36F}' if out.ends_with(|c: char| c.is_ascii_alphabetic()) => {}
            'ё' | 'Ё' => out.push('е'),
            // Letters and ideographs that have no compatibility form.
            '\u{370}'..='\u{52F}' => out.extend(character.to_lowercase()),
            '\u{3040}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' => out.push(character),
            _ => out.extend(character.nfkc().flat_map(char::to_lowercase)),
        }
    }
    out
}

/// Whether a character belongs to a script that is written without spaces, or whose words carry their particles with them.
pub(super) fn is_dense(character: char) -> bool {
    matches!(character,
        '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}' | '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_width_and_accents_do_not_count() {
        assert_eq!(lower("Déploiement ＡＰＩ ﬁle"), "deploiement api file");
        assert_eq!(lower("Größe — Straße"), "grosse - strasse");
        assert_eq!(lower("De\u{301}pot"), "depot");
        assert_eq!(lower("Ёлка ПОДБОР"), "елка подбор");
        assert_eq!(lower("ﾃｽﾄ 予約サイト"), "テスト 予約サイト");
        assert_eq!(fold("Plain ASCII"), "Plain ASCII");
    }

    #[test]
    fn scripts_without_spaces_are_known() {
        assert!("日かカ한ไ".chars().all(is_dense));
        assert!(!"aяש1".chars().any(is_dense));
    }
}
