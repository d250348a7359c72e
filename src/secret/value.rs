//! Judging a value: made by a machine or chosen as a password, or a word, a path, a name, a placeholder.

/// Shannon entropy in bits per byte.
pub(super) fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let total = bytes.len() as f64;
    let shares = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / total);
    shares.map(|share| -share * share.log2()).sum()
}

fn has(secret: &[u8], test: fn(&u8) -> bool) -> bool {
    secret.iter().any(test)
}

fn holds(secret: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(secret, part).is_some()
}

/// Letters and digits both, and not a slug of words.
pub(super) fn is_mixed(secret: &[u8]) -> bool {
    has(secret, u8::is_ascii_digit)
        && has(secret, u8::is_ascii_alphabetic)
        && (has(secret, u8::is_ascii_uppercase) || !is_slug(secret))
}

/// Words joined by dashes, dots or underscores: `feedback-testing-2`, `v1.2.3-rc1`.
fn is_slug(secret: &[u8]) -> bool {
    let parts: Vec<&[u8]> = secret.split(|byte| b"-_.".contains(byte)).collect();
    let is_word = |part: &&[u8]| {
        part.len() <= 12
            && (part.iter().all(u8::is_ascii_lowercase)
                || part.iter().filter(|byte| byte.is_ascii_digit()).count() <= 4)
    };
    let is_uuid = parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && parts.iter().all(|part| part.iter().all(u8::is_ascii_hexdigit));
    parts.len() > 1 && !is_uuid && parts.iter().all(is_word)
}

/// Whether a value stands for a credential rather than being one.
pub(super) fn is_placeholder(secret: &[u8]) -> bool {
    const WORDS: [&[u8]; 18] = [
        b"example",
        b"placeholder",
        b"changeme",
        b"change-me",
        b"your",
        b"password",
        b"passwd",
        b"redacted",
        b"removed",
        b"xxxx",
        b"****",
        b"....",
        b"dummy",
        b"secret",
        b"${",
        b"1234567",
        b"abcdef",
        b"replace",
    ];
    let lower = secret.to_ascii_lowercase();
    let is_reference = lower.first().is_some_and(|first| b"$%<{[*#&".contains(first));
    is_reference || WORDS.iter().any(|word| holds(&lower, word))
}

/// Whether a value beside a telling word looks made by a machine or chosen as a password: not a word, a path, a name, a
/// number or a call.
pub(super) fn is_chosen(secret: &[u8]) -> bool {
    let secret = secret.trim_ascii_end();
    let secret = secret.strip_suffix(b".").or_else(|| secret.strip_suffix(b":")).unwrap_or(secret);
    let special = secret.iter().any(|byte| b"!@#%^*&+?~$".contains(byte));
    // Three kinds of characters without a digit are a password too.
    let is_odd = special && has(secret, u8::is_ascii_lowercase) && has(secret, u8::is_ascii_uppercase);
    const REFERENCES: [&[u8]; 9] =
        [b"process.env", b"os.environ", b"getenv", b"env.", b"secrets.", b"vault:", b"op://", b"arn:", b"ref+"];
    const HASHES: [&[u8]; 8] =
        [b"sha256:", b"sha1:", b"sha512-", b"sha256-", b"sha384-", b"sha512:", b"md5:", b"sha256/"];
    const ENDINGS: [&[u8]; 16] = [
        b".md", b".rs", b".ts", b".js", b".py", b".go", b".json", b".yaml", b".yml", b".toml", b".env", b".pem",
        b".key", b".txt", b".java", b".tsx",
    ];
    secret.len() >= 8
        && (is_mixed(secret) || is_odd)
        && !is_placeholder(secret)
        && !is_slug(secret)
        && !is_path(secret)
        && !is_identifier(secret)
        && !HASHES.iter().any(|start| secret.starts_with(start))
        && !ENDINGS.iter().any(|end| secret.ends_with(end))
        && !REFERENCES.iter().any(|part| holds(secret, part))
}

/// A name of a program: `getAccessToken2`, `CacheKeyV2`. A capital inside and at most two digits, at the end.
fn is_identifier(secret: &[u8]) -> bool {
    let letters = secret.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let has_capital = secret.windows(2).take(letters.saturating_sub(1)).any(|pair| {
        pair.first().is_some_and(u8::is_ascii_lowercase) && pair.last().is_some_and(u8::is_ascii_uppercase)
    });
    has_capital && secret.len() - letters <= 2 && secret.iter().skip(letters).all(u8::is_ascii_digit)
}

/// `/srv/app/keys2`, `./a/b`, `https://…`: parts that are short or words.
fn is_path(secret: &[u8]) -> bool {
    let begins = [&b"/"[..], b"./", b"../", b"~/"].iter().any(|start| secret.starts_with(start));
    let is_name = |part: &[u8]| part.len() <= 20 || is_slug(part) || !has(part, u8::is_ascii_digit);
    holds(secret, b"://") || begins && secret.split(|byte| *byte == b'/').all(is_name)
}

/// A word of a sentence that mixes letters and digits so that nobody would say it: at least three changes between them,
/// `k7f2x9`, not `sha256sum` or `argon2id`.
pub(super) fn is_unspeakable(secret: &[u8]) -> bool {
    let letters_or_digits: Vec<bool> =
        secret.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::is_ascii_digit).collect();
    let changes = letters_or_digits.windows(2).filter(|pair| pair.first() != pair.last()).count();
    changes >= 3 && is_chosen(secret)
}

/// Several words and perhaps a number, joined by one mark: a passphrase as people make them.
pub(super) fn is_passphrase(secret: &[u8]) -> bool {
    let parts: Vec<&[u8]> = secret.split(|byte| b"-_.".contains(byte)).collect();
    let is_word = |part: &&[u8]| {
        let letters = part.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        letters >= 3 && part.len() - letters <= 4 && part.iter().skip(letters).all(u8::is_ascii_digit)
    };
    parts.len() >= 4 && parts.iter().all(is_word) && !is_placeholder(secret)
}
