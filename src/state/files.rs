//! Our small state files: one JSON object each, written whole, which says what it is and in which version.
//!
//! `{"format": "dreamtop/guard/1", …}`. A file without a format is of the time before formats and is read; one of a later
//! version is not: it counts as missing, and `doctor` names it. Not its job: where they lie and what they mean.

use std::io;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{read_file, write_atomic};

/// The version of every format we write.
const VERSION: u32 = 1;

/// The format's name in a file: `dreamtop/<what>/<version>`.
#[must_use]
pub(crate) fn format(what: &str) -> String {
    format!("dreamtop/{what}/{VERSION}")
}

/// What is in a file. Missing, damaged or of a later version: the default.
pub(crate) fn read<T: DeserializeOwned + Default>(path: &Path) -> T {
    read_known(path).unwrap_or_default()
}

/// What is in a file, if it is there and we know its form.
pub(crate) fn read_known<T: DeserializeOwned>(path: &Path) -> Option<T> {
    understood(&read_file(path).ok()?).ok()
}

/// What bytes say, or why they are not understood.
pub(crate) fn understood<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| format!("not JSON: {error}"))?;
    if !value.is_object() {
        return Err("not an object".to_owned());
    }
    if let Some(format) = value.get("format").and_then(Value::as_str) {
        let version = format.rsplit('/').next().and_then(|version| version.parse::<u32>().ok());
        if !format.starts_with("dreamtop/") || version.is_none_or(|version| version > VERSION) {
            return Err(format!("of a version of dreamtop that this one does not know ({format})"));
        }
    }
    serde_json::from_value(value).map_err(|error| error.to_string())
}

/// Whether bytes say that they are of a later version than ours.
pub(crate) fn is_later(bytes: &[u8]) -> bool {
    let value: Value = serde_json::from_slice(bytes).unwrap_or(Value::Null);
    let version = value.get("format").and_then(Value::as_str).and_then(|format| format.strip_prefix("dreamtop/"));
    version.and_then(|format| format.rsplit('/').next()?.parse::<u32>().ok()).is_some_and(|version| version > VERSION)
}

/// Writes a file whole, with its format.
pub(crate) fn write<T: Serialize>(path: &Path, what: &str, value: &T) -> io::Result<()> {
    let mut value = serde_json::to_value(value)?;
    if let Some(object) = value.as_object_mut() {
        object.insert("format".to_owned(), Value::String(format(what)));
    }
    write_atomic(path, &serde_json::to_vec(&value)?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use std::fs;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Thing {
        number: u32,
    }

    #[test]
    fn a_file_says_what_it_is_and_one_of_before_or_of_later_is_met() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("thing.json");
        write(&path, "thing", &Thing { number: 3 }).unwrap();
        assert!(fs::read_to_string(&path).unwrap().contains("\"format\":\"dreamtop/thing/1\""));
        assert_eq!(read::<Thing>(&path), Thing { number: 3 });
        for (text, number) in [
            ("{\"number\":4}", 4),
            ("{\"number\":5,\"format\":\"dreamtop/thing/2\"}", 0),
            ("{\"number\":6,\"format\":\"other/thing/1\"}", 0),
            ("{\"number\":", 0),
            ("[]", 0),
        ] {
            fs::write(&path, text).unwrap();
            assert_eq!(read::<Thing>(&path).number, number, "{text}");
        }
        let later = understood::<Thing>(b"{\"number\":5,\"format\":\"dreamtop/thing/2\"}").unwrap_err();
        assert!(later.contains("dreamtop/thing/2"), "{later}");
    }
}
