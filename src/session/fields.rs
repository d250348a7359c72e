//! JSON taken apart lazily: the fields of an object as raw text, so that what nobody asks for is never built.
//!
//! Tool results are most of a transcript's bytes; walking over them is much cheaper than making values of them.
//! Duplicate keys are all given, in order. Not its job: what a field means (see [`super::line`]).

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A value that was not looked into.
pub(super) type Raw<'a> = &'a RawValue;

/// The fields of an object, in order; `None` when the text is not an object.
pub(super) fn fields(text: &str) -> Option<Vec<(Cow<'_, str>, Raw<'_>)>> {
    let mut source = serde_json::Deserializer::from_str(text);
    let found = source.deserialize_map(FieldVisitor).ok()?;
    source.end().ok()?;
    Some(found)
}

/// The items of an array.
pub(super) fn items(value: Raw<'_>) -> Option<Vec<Raw<'_>>> {
    value.get().starts_with('[').then(|| serde_json::from_str(value.get()).ok()).flatten()
}

/// A string.
pub(super) fn string(value: Raw<'_>) -> Option<String> {
    value.get().starts_with('"').then(|| serde_json::from_str(value.get()).ok()).flatten()
}

/// `true`; anything else is not.
pub(super) fn boolean(value: Raw<'_>) -> bool {
    value.get() == "true"
}

struct FieldVisitor;

impl<'de> Visitor<'de> for FieldVisitor {
    type Value = Vec<(Cow<'de, str>, Raw<'de>)>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(key) = map.next_key::<Key<'de>>()? {
            found.push((key.0, map.next_value()?));
        }
        Ok(found)
    }
}

/// A key, borrowed when it has no escapes.
#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);
