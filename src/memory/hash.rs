//! Content hashes: how we know that a file is still the one that was read. Not its job: reading it.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// The SHA-256 of a file's bytes, written as 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Twelve digits tell contents apart in a failed test; sixty-four bury it.
        self.0.iter().take(6).try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A text that is not 64 hex digits.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not a SHA-256 in hex")]
pub struct NotAHash(String);

impl FromStr for ContentHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let wrong = || NotAHash(text.to_owned());
        let digits: Vec<u8> = text
            .chars()
            .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect::<Option<_>>()
            .ok_or_else(wrong)?;
        let bytes: Vec<u8> =
            digits.chunks_exact(2).filter_map(|pair| Some(pair.first()? * 16 + pair.get(1)?)).collect();
        if digits.len() != 64 {
            return Err(wrong());
        }
        bytes.try_into().map(Self).map_err(|_| wrong())
    }
}

impl serde::Serialize for ContentHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for ContentHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
