//! Text inside text: base64 and percent encoding, taken off so that the rules can look underneath.
//!
//! Only what decodes to plain text counts, so an image or a hash costs a look and nothing more. Not its job: finding
//! anything in what comes out.

use std::ops::Range;
use std::sync::LazyLock;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use regex::bytes::{Regex, RegexBuilder};

use super::view::View;
use crate::text::percent_decoded;

/// Shorter runs hold no credential.
const SHORTEST: usize = 24;
/// A run longer than this is data.
const LONGEST: usize = 64 * 1024;

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

fn build(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).unicode(false).build().ok()
}

static BASE64: LazyLock<Option<Regex>> = LazyLock::new(|| build(r"[A-Za-z0-9+/_\-]{24,}={0,2}"));
static PERCENT: LazyLock<Option<Regex>> = LazyLock::new(|| build(r"%[0-9A-Fa-f]{2}[A-Za-z0-9._~+/:=%\-]*"));

/// The runs of a text that hold other text, with what they hold.
pub(super) fn runs(view: &View<'_>) -> Vec<(Range<usize>, Vec<u8>)> {
    let text = view.bytes();
    let matches = BASE64.iter().flat_map(|run| run.find_iter(text)).filter(|run| run.len() <= LONGEST);
    let mut found: Vec<_> = matches.filter_map(|run| Some((run.range(), from_base64(run.as_bytes())?))).collect();
    if memchr::memchr(b'%', text).is_none() {
        return found;
    }
    let mut at = 0;
    while let Some(first) = PERCENT.as_ref().and_then(|run| run.find_at(text, at)) {
        // What stands before the first sign of a word belongs to it.
        let before = text.get(at..first.start()).unwrap_or_default();
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"._~+/:=-".contains(byte);
        let start = first.start() - before.iter().rev().take_while(is_part).count();
        let range = start..first.end();
        at = first.end();
        if (SHORTEST..=LONGEST).contains(&range.len()) {
            let text = percent_decoded(text.get(range.clone()).unwrap_or_default());
            found.push((range, text));
        }
    }
    found
}

fn from_base64(run: &[u8]) -> Option<Vec<u8>> {
    let engine = if run.iter().any(|byte| b"-_".contains(byte)) { &URL_SAFE } else { &STANDARD };
    let text = engine.decode(run).ok()?;
    // Plain text: what a secret is written in. Random bytes of this length never are.
    text.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7E)).then_some(text)
}
