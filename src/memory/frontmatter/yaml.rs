//! The block through a strict YAML reader, every scalar as the text that is written.

use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Fields that may stand at top level or under `metadata`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Typed {
    /// `type`.
    pub(super) type_word: Option<String>,
    /// `originSessionId`.
    pub(super) origin_session: Option<String>,
    /// `modified`.
    pub(super) modified: Option<String>,
}

/// What a block says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Values {
    /// `name`.
    pub(super) name: Option<String>,
    /// `description`.
    pub(super) description: Option<String>,
    /// At top level.
    pub(super) top: Typed,
    /// Under `metadata`, when that is a mapping.
    pub(super) nested: Option<Typed>,
}

impl Values {
    /// What this says, else what `other` says.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            name: self.name.filter(|name| !name.is_empty()).or(other.name),
            description: self.description.or(other.description),
            top: self.top.or(other.top),
            nested: match (self.nested, other.nested) {
                (Some(first), Some(second)) => Some(first.or(second)),
                (first, second) => first.or(second),
            },
        }
    }
}

impl Typed {
    fn or(self, other: Self) -> Self {
        Self {
            type_word: self.type_word.or(other.type_word),
            origin_session: self.origin_session.or(other.origin_session),
            modified: self.modified.or(other.modified),
        }
    }

    /// The slot of a key.
    pub(super) fn slot(&mut self, key: &str) -> Option<&mut Option<String>> {
        match key {
            "type" => Some(&mut self.type_word),
            "originSessionId" => Some(&mut self.origin_session),
            "modified" => Some(&mut self.modified),
            _ => None,
        }
    }
}

/// Why YAML refuses a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// In the reader's words.
    pub(super) message: String,
    /// The line in the block, from 1.
    pub(super) line: Option<usize>,
}

/// How many brackets may be open at once. The reader's time grows with their square, and no block of ours has ten.
const MOST_OPEN: usize = 100;

/// Where too many brackets are open, counted as if none were quoted: what is turned away here is still read line by line.
fn too_deep(inner: &str) -> Option<Refusal> {
    let mut open = 0_usize;
    for (line, text) in (1..).zip(inner.lines()) {
        for byte in text.bytes() {
            match byte {
                b'[' | b'{' => open += 1,
                b']' | b'}' => open = open.saturating_sub(1),
                _ => {}
            }
            if open > MOST_OPEN {
                return Some(Refusal { message: "more than 100 brackets are open".to_owned(), line: Some(line) });
            }
        }
    }
    None
}

/// Reads a block's lines strictly.
pub(super) fn read(inner: &str) -> Result<Values, Refusal> {
    if let Some(refusal) = too_deep(inner) {
        return Err(refusal);
    }
    serde_yaml::from_str::<Option<Values>>(inner).map(Option::unwrap_or_default).map_err(|error| {
        let line = error.location().map(|location| location.line());
        let message = error.to_string();
        // The position is told apart; in the message it would count from the block's first line.
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        Refusal { message, line }
    })
}

/// Any scalar, as it is written.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Top;
        impl<'de> Visitor<'de> for Top {
            type Value = Values;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("keys with values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Values, A::Error> {
                let mut values = Values::default();
                let mut seen = HashSet::new();
                while let Some(Text(key)) = map.next_key()? {
                    match key.as_str() {
                        "name" => values.name = Some(map.next_value::<Text>()?.0),
                        "description" => values.description = Some(map.next_value::<Text>()?.0),
                        "metadata" => values.nested = map.next_value::<Nested>()?.0,
                        other => match values.top.slot(other) {
                            Some(slot) => *slot = Some(map.next_value::<Text>()?.0),
                            None => drop(map.next_value::<IgnoredAny>()?),
                        },
                    }
                    once(&mut seen, key)?;
                }
                Ok(values)
            }
        }
        deserializer.deserialize_map(Top)
    }
}

/// YAML forbids a key twice; the reader leaves that to us.
fn once<E: serde::de::Error>(seen: &mut HashSet<String>, key: String) -> Result<(), E> {
    match seen.replace(key) {
        Some(key) => Err(E::custom(format!("the key {key:?} stands there twice"))),
        None => Ok(()),
    }
}

/// `metadata`: a mapping, or something else that says nothing to us.
struct Nested(Option<Typed>);

impl<'de> Deserialize<'de> for Nested {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Inside;
        impl<'de> Visitor<'de> for Inside {
            type Value = Nested;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("keys with values under metadata")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Nested, A::Error> {
                let mut typed = Typed::default();
                let mut seen = HashSet::new();
                while let Some(Text(key)) = map.next_key()? {
                    match typed.slot(&key) {
                        Some(slot) => *slot = Some(map.next_value::<Text>()?.0),
                        None => drop(map.next_value::<IgnoredAny>()?),
                    }
                    once(&mut seen, key)?;
                }
                Ok(Nested(Some(typed)))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Nested, A::Error> {
                while items.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Nested(None))
            }

            fn visit_unit<E>(self) -> Result<Nested, E> {
                Ok(Nested(None))
            }

            fn visit_str<E>(self, _: &str) -> Result<Nested, E> {
                Ok(Nested(None))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Nested, E> {
                Ok(Nested(None))
            }

            fn visit_i64<E>(self, _: i64) -> Result<Nested, E> {
                Ok(Nested(None))
            }

            fn visit_u64<E>(self, _: u64) -> Result<Nested, E> {
                Ok(Nested(None))
            }

            fn visit_f64<E>(self, _: f64) -> Result<Nested, E> {
                Ok(Nested(None))
            }
        }
        deserializer.deserialize_any(Inside)
    }
}
