//! Values that only the words beside them tell: assignments, flags, headers, addresses with a password, prose.
//!
//! Not its job: formats that tell themselves (see [`super::vendors`]); what makes a value look chosen (see [`super::value`]).

use super::value::{entropy, is_chosen, is_passphrase, is_placeholder, is_unspeakable};
use super::{Rule, rule};

const fn open(name: &'static str, keywords: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule { entropy: 2.3, is_closed: false, check: |secret, _| is_chosen(secret), ..rule(name, keywords, pattern) }
}

pub(super) const RULES: &[Rule] = &[
    Rule {
        check: |secret, _| !is_placeholder(secret),
        ..open(
            "url-password",
            &["://"],
            r#"[A-Za-z][A-Za-z0-9+.\-]{1,20}://[^\s/:@"'<>`]{0,64}:(?P<secret>[^\s/@"'<>`]{6,128})@[A-Za-z0-9\[]"#,
        )
    },
    Rule {
        entropy: 2.8,
        check: is_assigned,
        ..open(
            "assigned-secret",
            &[
                "pass",
                "pwd",
                "secret",
                "token",
                "api",
                "key",
                "auth",
                "credential",
                "clave",
                "contrase",
                "senha",
                "\u{5bc6}",
                "\u{30d1}",
            ],
            concat!(
                r#"(?i:(?P<word>password|passwd|passphrase|passwort|kennwort|mot\ de\ passe|contrase\xc3\xb1a|clave|senha|"#,
                // "password" in Chinese and Japanese, as bytes.
                r#"\xe5\xaf\x86\xe7\xa0\x81|\xe5\xaf\x86\xe7\xa2\xbc|\xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89|"#,
                r#"pwd|pass|secret|token|api[_\- ]?key|apikey|access[_\-]?key|auth[_\-]?key|private[_\-]?key|account[_\-]?key|"#,
                r#"encryption[_\-]?key|signing[_\-]?key|license[_\-]?key|master[_\-]?key|storage[_\-]?key|credentials?))"#,
                r#"(?P<tail>[A-Za-z0-9_\-]{0,24})["'`*]{0,3}"#,
                r#"(?:\s{0,3}(?::=|=>|=|:|\||\xef\xbc\x9a|\xe3\x81\xaf|\xe6\x98\xaf)\s{0,3}["'`*]{0,3}\s{0,2}(?i:bearer\s{1,3})?"#,
                r#"|\s{1,3}(?i:is|was|ist|lautet|est|es|to)\s{1,3}["'`*]{0,3}|>)"#,
                r#"(?P<secret>[^\s"'`<>,;|(){}\[\]\\]{8,200})"#,
            ),
        )
    },
    Rule {
        entropy: 2.8,
        check: |secret, _| is_unspeakable(secret),
        ..open(
            "spoken-password",
            &["pass", "kennwort", "contrase", "pwd", "login", "secret", "token"],
            r#"(?i:(?:password|passwd|passwort|kennwort|passphrase|pwd|mot\ de\ passe|contrase\xc3\xb1a|passcode|secret|token)\s{1,3})["'`*]{0,3}(?P<secret>[^\s"'`<>,;|(){}\[\]\\]{8,120})"#,
        )
    },
    Rule {
        check: |secret, _| is_passphrase(secret),
        ..open(
            "passphrase",
            &["passphrase", "password", "pass phrase", "passwort"],
            r#"(?i:(?:pass\ ?phrase|password|passwort))["'`*]{0,3}\s{0,3}(?:[:=]|(?i:is|was|ist|lautet))\s{1,3}["'`*]{0,3}(?P<secret>[A-Za-z0-9._\-]{16,120})"#,
        )
    },
    open(
        "command-line-password",
        &["--pass", "--token", "--secret", "--api", "--auth", "--pwd", "-u ", "--user", "sshpass"],
        concat!(
            r#"(?:--(?i:[a-z0-9\-]{0,16}(?:password|passwd|pass|token|secret|api-?key|auth-?key|pwd))[\s=]{1,3}|"#,
            r#"\bsshpass\s{1,3}-p\s{0,3}|(?:-u|--user|--proxy-user)[\s=]{1,3}["']?[^\s:"']{1,64}:)["'`]{0,2}"#,
            r#"(?P<secret>[^\s"'`<>,;|(){}\[\]\\]{8,200})"#,
        ),
    ),
    open(
        "netrc-password",
        &["login"],
        r#"(?i:login)\s{1,8}\S{1,100}\s{1,8}(?i:password)\s{1,8}["']?(?P<secret>[^\s"'`<>,;|]{8,200})"#,
    ),
    Rule {
        entropy: 3.2,
        check: |secret, _| !is_placeholder(secret) && (is_chosen(secret) || entropy(secret) > 4.0),
        ..open(
            "authorization-header",
            &["bearer", "basic", "authorization", "x-api-key", "x-auth-token", "private-token"],
            concat!(
                r#"(?:(?i:authorization)["']?\s{0,3}[:=]\s{0,3}["']?(?i:bearer|basic|token|apikey)\s{1,3}|(?i:bearer)\s{1,3}|"#,
                r#"(?i:x-api-key|x-auth-token|private-token)["']?\s{0,3}[:=]\s{0,3}["']?)(?P<secret>[A-Za-z0-9._~+/=\-]{20,400})"#,
            ),
        )
    },
];

/// An assignment whose name does not say that the value is about the credential, not it: a hash, an id, a place.
fn is_assigned(secret: &[u8], matched: &[u8]) -> bool {
    const ABOUT: [&[u8]; 22] = [
        b"hash",
        b"sha256",
        b"sha1",
        b"digest",
        b"checksum",
        b"fingerprint",
        b"version",
        b"path",
        b"file",
        b"url",
        b"uri",
        b"count",
        b"arn",
        b"_ref",
        b"_name",
        b"expir",
        b"limit",
        b"type",
        b"prefix",
        b"format",
        b"regex",
        b"pattern",
    ];
    let name_ends = matched.len().saturating_sub(secret.len());
    let name = matched.get(..name_ends).unwrap_or_default().to_ascii_lowercase();
    let is_about = ABOUT.iter().any(|word| memchr::memmem::find(&name, word).is_some());
    // A plain sentence ("the token is …") says a value only when it looks like no word at all.
    let is_sentence = name.ends_with(b" ") && !name.iter().any(|byte| b":=|>`\"'".contains(byte)) && name.is_ascii();
    !is_about && is_chosen(secret) && (!is_sentence || is_unspeakable(secret))
}
