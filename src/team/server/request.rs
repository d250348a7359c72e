//! What a request says: its query, its preconditions, its entries. Read strictly, each fault with its own answer.
//!
//! Not its job: getting the body (see [`super::body`]).

use std::collections::BTreeMap;
use std::fmt;

use axum::extract::{FromRequestParts, Query};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, IF_MATCH, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use super::failure::Refused;
use super::options::Limits;
use super::store::Precondition;
use crate::team::key;
use crate::team::repository::Repository;
use crate::team::sum::Sum;
use crate::team::wire::Details;

/// The most tags that a header is looked at for.
const TAGS: usize = 16;

/// The query of a request.
pub(super) struct Asked(Vec<(String, String)>);

/// 400 when it is no query.
impl<S: Sync> FromRequestParts<S> for Asked {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refused> {
        let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri)
            .map_err(|_| Refused::bad("bad_query", "the query cannot be read"))?;
        Ok(Self(pairs))
    }
}

impl Asked {
    /// A value; said twice it would be one thing to us and another to a proxy.
    ///
    /// # Errors
    /// 400.
    pub(super) fn value(&self, name: &str) -> Result<Option<&str>, Refused> {
        let mut values = self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(Refused::bad("bad_query", format!("{name} may be given only once"))),
            (value, None) => Ok(value),
        }
    }

    /// A number.
    ///
    /// # Errors
    /// 400.
    pub(super) fn number(&self, name: &str) -> Result<Option<u64>, Refused> {
        let parse = |text: &str| text.parse().map_err(|_| Refused::bad("bad_query", format!("{name} is a number")));
        self.value(name)?.map(parse).transpose()
    }

    /// The repository.
    ///
    /// # Errors
    /// 400.
    pub(super) fn repository(&self) -> Result<Repository, Refused> {
        let text = self.value("repo")?.ok_or_else(|| Refused::bad("bad_repo", "?repo=owner%2Fname is needed"))?;
        text.parse().map_err(|error| Refused::bad("bad_repo", error))
    }

    /// The key of an entry.
    ///
    /// # Errors
    /// 400.
    pub(super) fn key(&self) -> Result<&str, Refused> {
        let text = self.value("key")?.ok_or_else(|| Refused::bad("bad_key", "?key=NAME.md is needed"))?;
        key::check(text).map_err(|error| Refused::bad("bad_key", format!("{}: {error}", shown(text))))?;
        Ok(text)
    }
}

/// A key in a message: at most a line of it.
fn shown(key: &str) -> String {
    format!("{:?}", key.chars().take(100).collect::<String>())
}

/// The tags of a header; `*` is one. A header that is no text has none that would match.
fn tags(headers: &HeaderMap, name: &HeaderName) -> Option<Vec<String>> {
    let mut values = headers.get_all(name).iter().peekable();
    values.peek()?;
    let texts = values.map(|value| value.to_str().unwrap_or_default());
    Some(texts.flat_map(|text| text.split(',')).map(|tag| tag.trim().to_owned()).take(TAGS + 1).collect())
}

/// Whether the caller has this state already.
pub(super) fn has_already(headers: &HeaderMap, sum: &Sum) -> bool {
    let tags = tags(headers, &IF_NONE_MATCH).unwrap_or_default();
    tags.iter().any(|tag| tag == "*" || Sum::from_etag(tag).as_ref() == Some(sum))
}

/// What the caller of a write thinks is there.
///
/// # Errors
/// 428 without it, 400 when it says nothing that can be checked.
pub(super) fn precondition(headers: &HeaderMap) -> Result<Precondition, Refused> {
    match (tags(headers, &IF_MATCH), tags(headers, &IF_NONE_MATCH)) {
        (None, None) => Err(needs_precondition(
            "a write needs If-Match with the checksum it is based on, or If-None-Match: * for the first one",
        )),
        (None, Some(tags)) if tags == ["*"] => Ok(Precondition::Absent),
        (Some(tags), None) => Ok(Precondition::Matches(known_sums(&tags)?)),
        (None, Some(_)) => Err(Refused::bad("bad_precondition", "a write takes If-None-Match: * only")),
        (Some(_), Some(_)) => {
            Err(Refused::bad("bad_precondition", "If-Match and If-None-Match cannot both be asked for"))
        }
    }
}

/// The sums of one entry that the caller would have replaced or deleted.
///
/// # Errors
/// 428 without it, 400 when it says nothing that can be checked.
pub(super) fn matches(headers: &HeaderMap) -> Result<Vec<Sum>, Refused> {
    let needed = || needs_precondition("this needs If-Match with the checksum of the entry");
    known_sums(&tags(headers, &IF_MATCH).ok_or_else(needed)?)
}

fn needs_precondition(message: &str) -> Refused {
    Refused::new(StatusCode::PRECONDITION_REQUIRED, "precondition_required", message)
}

/// `If-Match: *` would overwrite whatever is there, which is what the precondition is against.
fn known_sums(tags: &[String]) -> Result<Vec<Sum>, Refused> {
    if tags.iter().any(|tag| tag == "*") {
        return Err(Refused::bad("bad_precondition", "If-Match has to name a checksum, not *"));
    }
    if tags.len() > TAGS {
        return Err(Refused::bad("bad_precondition", format!("If-Match names at most {TAGS} checksums")));
    }
    let sums: Vec<Sum> = tags.iter().filter_map(|tag| Sum::from_etag(tag)).filter(Sum::is_ours).collect();
    if sums.is_empty() {
        return Err(Refused::bad("bad_precondition", "If-Match has to name a checksum: \"sha256:\" and 64 hex digits"));
    }
    Ok(sums)
}

/// Checks that a body is JSON in UTF-8, packed with gzip or not at all.
///
/// # Errors
/// 415.
pub(super) fn is_json(headers: &HeaderMap) -> Result<(), Refused> {
    is_of_type(headers, "application/json")
}

/// Checks that a body is of a type, in UTF-8, packed with gzip or not at all.
///
/// # Errors
/// 415.
pub(super) fn is_of_type(headers: &HeaderMap, wanted: &str) -> Result<(), Refused> {
    let wrong =
        |message: &str| Err(Refused::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message));
    let needed = format!("Content-Type: {wanted} is needed");
    // What is packed with gzip is unpacked as it is read, and lost this header on the way here.
    if headers.get_all(CONTENT_ENCODING).iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return wrong("Content-Encoding is gzip, or not given");
    }
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(Ok(text)), None) = (types.next().map(|value| value.to_str()), types.next()) else {
        return wrong(&needed);
    };
    let mut parts = text.split(';').map(str::trim);
    if !parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case(wanted)) {
        return wrong(&needed);
    }
    for part in parts {
        if let Some((name, value)) = part.split_once('=')
            && name.trim().eq_ignore_ascii_case("charset")
            && !value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
        {
            return wrong("the text has to be in UTF-8");
        }
    }
    Ok(())
}

/// The entries of a write, each with a right name and of a right size.
///
/// # Errors
/// 400 for what is no such JSON or has a wrong name, 413 for an entry that is too large.
pub(super) fn entries(body: &[u8], limits: &Limits) -> Result<BTreeMap<String, String>, Refused> {
    let text = std::str::from_utf8(body).map_err(|_| Refused::bad("bad_encoding", "the body is not UTF-8"))?;
    // A list of the same values would be read as well, by their places.
    if !text.trim_start().starts_with('{') {
        return Err(Refused::bad("bad_json", "not {\"entries\":{KEY:TEXT}}"));
    }
    let Sent { entries: Unique(entries) } = serde_json::from_str(text)
        .map_err(|error| Refused::bad("bad_json", format!("not {{\"entries\":{{KEY:TEXT}}}}: {}", place(&error))))?;
    for (key, text) in &entries {
        checked(key, text, limits)?;
    }
    Ok(entries)
}

/// Checks the name and the size of an entry.
///
/// # Errors
/// 400, 413.
pub(super) fn checked(key: &str, text: &str, limits: &Limits) -> Result<(), Refused> {
    key::check(key).map_err(|error| Refused::bad("bad_key", format!("{}: {error}", shown(key))))?;
    if text.contains('\0') {
        // PostgreSQL keeps no such text.
        return Err(Refused::bad("bad_entry", format!("{}: a text has no NUL in it", shown(key))));
    }
    if text.len() > limits.entry {
        return Err(Refused::too_large(
            "entry_too_large",
            format!("{}: an entry has at most {} bytes", shown(key), limits.entry),
            Details {
                error_code: Some("team_memory_entry_too_large".to_owned()),
                max_bytes: Some(limits.entry as u64),
                received_bytes: Some(text.len() as u64),
                key: Some(key.to_owned()),
                ..Details::default()
            },
        ));
    }
    Ok(())
}

/// Where JSON is wrong, without its words: an error may quote what it was about.
fn place(error: &serde_json::Error) -> String {
    let kind = match error.classify() {
        serde_json::error::Category::Data if error.to_string().contains(TWICE) => TWICE,
        serde_json::error::Category::Data => "something is of another type",
        serde_json::error::Category::Eof => "it ends too early",
        serde_json::error::Category::Syntax | serde_json::error::Category::Io => "it cannot be parsed",
    };
    format!("{kind} (line {}, column {})", error.line(), error.column())
}

const TWICE: &str = "a key stands there twice";

/// The body of a write.
#[derive(serde::Deserialize)]
struct Sent {
    entries: Unique,
}

/// A map whose keys are all different: of two texts for one key one would be lost unseen.
struct Unique(BTreeMap<String, String>);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Unique;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unique, A::Error> {
                let mut entries = BTreeMap::new();
                while let Some((key, text)) = map.next_entry()? {
                    if entries.insert(key, text).is_some() {
                        return Err(serde::de::Error::custom(TWICE));
                    }
                }
                Ok(Unique(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// A header that names the state of an answer.
pub(super) fn etag(sum: &Sum) -> (HeaderName, String) {
    (ETAG, sum.etag())
}
