//! What a tool is given, and how it is read.

use serde_json::{Map, Value};

/// What a tool is given.
pub(super) type Arguments = Map<String, Value>;

/// An argument that has to say something.
pub(super) fn text<'a>(arguments: &'a Arguments, name: &str) -> Result<&'a str, String> {
    match arguments.get(name) {
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(text),
        Some(Value::String(_)) => Err(format!("{name} is empty")),
        Some(_) => Err(format!("{name} is not a text")),
        None => Err(format!("{name} is missing")),
    }
}
