//! Checksums: `sha256:` and 64 hex digits of an entry's exact bytes, and one sum over all entries of a repository.
//!
//! A sum that a server sends is opaque: it is compared, never taken apart. Not its job: headers (see [`super::wire`]).

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::memory::ContentHash;

/// The longest sum that is taken for one, in bytes.
const LONGEST: usize = 512;

/// A checksum as it travels: `sha256:…`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sum(String);

/// A text that no entity tag can carry, and so is no checksum.
#[derive(Debug, thiserror::Error)]
#[error("a checksum that no header can carry")]
pub struct NotASum;

impl TryFrom<String> for Sum {
    type Error = NotASum;

    /// What is read of a server is named to it again, in a header: what fits into none is refused before it is remembered.
    fn try_from(text: String) -> Result<Self, NotASum> {
        if fits_a_header(&text) { Ok(Self(text)) } else { Err(NotASum) }
    }
}

impl From<Sum> for String {
    fn from(sum: Sum) -> Self {
        sum.0
    }
}

fn fits_a_header(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"')
}

impl Sum {
    /// The sum of an entry's text.
    #[must_use]
    pub fn of(text: &[u8]) -> Self {
        Self(format!("sha256:{}", ContentHash::of(text)))
    }

    /// The sum of a whole repository: over its sorted `key NUL sum LF`.
    #[must_use]
    pub fn of_all<'a>(entries: impl IntoIterator<Item = (&'a str, &'a Self)>) -> Self {
        let sorted: BTreeMap<&str, &Self> = entries.into_iter().collect();
        let mut bytes = Vec::new();
        for (key, sum) in sorted {
            bytes.extend_from_slice(key.as_bytes());
            bytes.push(0);
            bytes.extend_from_slice(sum.0.as_bytes());
            bytes.push(b'\n');
        }
        Self::of(&bytes)
    }

    /// What a database of ours holds, as it is.
    #[must_use]
    pub fn sent(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is one of ours: `sha256:` and 64 small hex digits.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        let digits = self.0.strip_prefix("sha256:").unwrap_or_default();
        digits.len() == 64 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    }

    /// The strong entity tag that names it.
    #[must_use]
    pub fn etag(&self) -> String {
        format!("\"{}\"", self.0)
    }

    /// What an entity tag names. Proxies make tags weak or add `-gzip` and the like to them; the sum is the same.
    #[must_use]
    pub fn from_etag(header: &str) -> Option<Self> {
        let tag = header.trim();
        let tag = tag.strip_prefix("W/").or_else(|| tag.strip_prefix("w/")).unwrap_or(tag);
        let tag = tag.trim_matches('"');
        let tag = ["-gzip", "-br", "-zstd", "-deflate", ";gzip", "--gzip"]
            .iter()
            .find_map(|suffix| tag.strip_suffix(suffix))
            .unwrap_or(tag)
            .trim_matches('"');
        fits_a_header(tag).then(|| Self(tag.to_owned()))
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_sum_of_a_repository_depends_on_keys_and_texts_and_not_on_their_order() {
        let (a, b) = (Sum::of(b"one"), Sum::of(b"two"));
        assert_eq!(a.as_str().len(), "sha256:".len() + 64);
        let sum = Sum::of_all([("a.md", &a), ("b.md", &b)]);
        assert_eq!(sum, Sum::of_all([("b.md", &b), ("a.md", &a)]));
        assert_ne!(sum, Sum::of_all([("a.md", &b), ("b.md", &a)]));
        assert_ne!(sum, Sum::of_all([("a.md", &a)]));
    }

    #[test]
    fn fc_090_a_tag_that_a_proxy_rewrote_names_the_same_sum() {
        let sum = Sum::of(b"x");
        for header in [
            sum.etag(),
            format!("W/{}", sum.etag()),
            format!("\"{sum}-gzip\""),
            format!("W/\"{sum}-br\""),
            format!("\"{sum}\"-gzip"),
        ] {
            assert_eq!(Sum::from_etag(&header).unwrap(), sum, "{header}");
        }
        assert_eq!(Sum::from_etag("\"\""), None);
    }
}
