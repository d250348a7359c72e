//! Values that are alike in several sections: a line of text, an address, a proxy, a program, an amount.

use serde_yaml::Value;

use super::models::MONEY;
use super::section::{Problem, Section, scalar};

/// A proxy's address, or that there is to be none.
pub(super) fn proxy(section: &Section<'_>, into: &mut Option<String>) -> Result<(), Problem> {
    if section.value("proxy").and_then(Value::as_str) == Some("none") {
        *into = Some("none".to_owned());
        return Ok(());
    }
    url(section, "proxy", "http://…, https://…, or none", into)
}

/// One line of text that is not empty.
pub(super) fn text(section: &Section<'_>, key: &str, accepted: &str, into: &mut Option<String>) -> Result<(), Problem> {
    let Some(value) = section.value(key) else { return Ok(()) };
    match scalar(value).filter(|text| !text.trim().is_empty()) {
        Some(text) => *into = Some(text.trim().to_owned()),
        None => return Err(section.bad(key, value, accepted)),
    }
    Ok(())
}

/// The address of a server.
pub(super) fn url(section: &Section<'_>, key: &str, accepted: &str, into: &mut Option<String>) -> Result<(), Problem> {
    text(section, key, accepted, into)?;
    let is_url = |text: &String| text.starts_with("http://") || text.starts_with("https://");
    match (section.value(key), &into) {
        (Some(_), Some(text)) if is_url(text) => Ok(()),
        (Some(value), _) => Err(section.bad(key, value, accepted)),
        (None, _) => Ok(()),
    }
}

/// A program and its arguments: a list of words, or one line that is cut at its blanks.
pub(super) fn command(section: &Section<'_>, key: &str, like: &str, into: &mut Vec<String>) -> Result<(), Problem> {
    let Some(value) = section.value(key) else { return Ok(()) };
    let words: Option<Vec<String>> = match value {
        // As a shell cuts it, quotes and all, and without a shell.
        Value::String(line) => shlex::split(line),
        Value::Sequence(words) => words.iter().map(scalar).collect(),
        _ => None,
    };
    let accepted = format!("a program and its arguments: {like}");
    *into = words.filter(|words| !words.is_empty()).ok_or_else(|| section.bad(key, value, &accepted))?;
    Ok(())
}

/// A decimal number in millionths; prices are added up exactly.
pub(super) fn millionths(written: &str) -> Option<u64> {
    let (whole, rest) = written.split_once('.').unwrap_or((written, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || rest.len() > 6 || !is_digits(whole) || !is_digits(rest) {
        return None;
    }
    let rest: u64 = format!("{rest:0<6}").parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(MONEY)?.checked_add(rest)
}
