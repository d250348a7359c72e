//! What a person says and no memory repeats: keys and passwords.
//!
//! Not its job: what may land at all (`crate::secret` and the guard over every change).

use crate::memory::likeness::patterns::Pattern;

/// A word for a secret with something right behind it that has letters and digits: no memory is worth the doubt, while what
/// lands by hand is only refused on better grounds ([`crate::secret`]).
static NAMED_SECRET: Pattern = Pattern::new(concat!(
    r"(?i)(?:\b(?:password|passwd|passphrase|pwd|passcode|api[ _-]?key|access[ _-]?key|token|secret|kennwort|passwort|contraseña|clave|mot de passe|senha)|密码|口令|パスワード)",
    r#"(?:\s+(?:is|ist|es|est|for \S+ is)\b)?[\s:=是は为"'`]+[^\s"'`]*(?:\d[^\s"'`]*[\p{L}!@#$%^&*-]|[\p{L}!@#$%^&*-][^\s"'`]*\d)[^\s"'`]*"#,
));

/// Keys and passwords never become memories, not even as a quote.
pub(super) fn has_secret(text: &str) -> bool {
    NAMED_SECRET.is_match(text) || !crate::secret::scan(text.as_bytes()).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_named_as_one_is_secret_and_talk_about_passwords_is_not() {
        assert!(NAMED_SECRET.is_whole());
        for text in [
            "log in as admin with password Trombone-99",
            "the api key is a1b2c3d4e5",
            "Passwort: Wiesel77",
            "密码是 abc12345",
        ] {
            assert!(has_secret(text), "{text:?}");
        }
        for text in ["passwords must have 12 characters", "rotate the token every 30 days", "das Passwort ist zu kurz"]
        {
            assert!(!has_secret(text), "{text:?}");
        }
    }
}
