//! Link targets: from what is written to a path inside the store, and back.

use crate::memory::names::is_markdown;
use crate::text::{is_unsafe, percent_decoded};

/// A written target as a path inside the store: anchors, percent escapes, `./` and `sub/../` resolved. `base` is the
/// directory of the file the link stands in, `""` or `sub/`. `None`: it points elsewhere, or to no Markdown file.
pub(crate) fn resolved(raw: &str, base: &str) -> Option<String> {
    let raw = raw.trim().trim_start_matches('<').trim_end_matches('>');
    let path = raw.split(['#', '?']).next().unwrap_or_default();
    let is_elsewhere = path.starts_with(['/', '\\', '~']) || path.contains(':') || path.contains('\0');
    if path.is_empty() || is_elsewhere {
        return None;
    }
    let path = unescaped(path);
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    let target = parts.join("/");
    is_markdown(&target).then_some(target)
}

/// Percent escapes read; what is no whole escape, or no UTF-8 after it, stays as written.
fn unescaped(path: &str) -> String {
    if !path.contains('%') {
        return path.to_owned();
    }
    String::from_utf8(percent_decoded(path.as_bytes())).unwrap_or_else(|_| path.to_owned())
}

/// A file as it is written in a link: what would end or break the link or its line is escaped, and what nobody sees;
/// letters of every script stay.
pub(super) fn written(file: &str) -> String {
    let mut out = String::with_capacity(file.len());
    for character in file.chars() {
        let breaks = matches!(character, ' ' | '(' | ')' | '<' | '>' | '%' | '#' | '?' | '\\' | ':' | '|');
        if breaks || is_unsafe(character) {
            let mut bytes = [0; 4];
            character.encode_utf8(&mut bytes).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
        } else {
            out.push(character);
        }
    }
    out
}

/// Whether a file can be named without a link's escapes: in a code span or a wiki link, on one line.
pub(super) fn is_plain(file: &str) -> bool {
    !file.chars().any(|c| is_unsafe(c) || matches!(c, '`' | '[' | ']' | '|' | '#'))
}

/// Whether something is a bare name of a Markdown file: one word, no signs that paths in prose or globs have.
pub(super) fn is_bare_name(text: &str) -> bool {
    is_markdown(text)
        && !text.chars().any(|c| {
            c.is_whitespace() || matches!(c, '*' | '<' | '>' | '{' | '}' | '[' | ']' | '(' | '`' | '|' | '$' | ':')
        })
}
