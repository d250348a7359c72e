//! `models:`: how a model is reached, what it may take and what it costs. Not its job: reaching it (`crate::engine`).

use std::collections::BTreeMap;
use std::fmt;

/// A whole unit of money, in the millionths that prices and costs are counted in.
pub(super) const MONEY: u64 = 1_000_000;

/// The section of each engine that asks a model over HTTP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Models {
    /// `models.anthropic`: the Messages API.
    pub anthropic: ModelConfig,
    /// `models.openai`: chat completions.
    pub openai: ModelConfig,
}

impl Models {
    /// The section of an engine, by its word; `None`: it asks no model over HTTP.
    #[must_use]
    pub fn of(&self, engine: &str) -> Option<&ModelConfig> {
        match engine {
            "anthropic" => Some(&self.anthropic),
            "openai" => Some(&self.openai),
            _ => None,
        }
    }
}

/// One such section. What is `None` is the engine's own default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelConfig {
    /// `model`: its name, as the server knows it.
    pub model: Option<String>,
    /// `base_url`: where the server is, without the path of the request.
    pub base_url: Option<String>,
    /// `api_key_env`: the variable that holds the key.
    pub api_key_env: Option<String>,
    /// `api_key_file`: the file that holds it.
    pub api_key_file: Option<String>,
    /// `api_key_command`: a program and its arguments, whose first line of output it is.
    pub api_key_command: Vec<String>,
    /// `headers`: sent with every request.
    pub headers: Headers,
    /// `proxy`: an URL; `none` goes by none. Without it `HTTPS_PROXY` and `HTTP_PROXY` hold.
    pub proxy: Option<String>,
    /// `max_tokens`: what one answer may take.
    pub max_tokens: Option<u64>,
    /// `context_tokens`: what the model can hold at once, its answer included.
    pub context_tokens: Option<u64>,
    /// `connect_seconds`: how long a connection may take to come about.
    pub connect_seconds: Option<u64>,
    /// `idle_seconds`: how long the server may be silent.
    pub idle_seconds: Option<u64>,
    /// `prices`.
    pub prices: Option<Prices>,
}

/// Header names and values. The values may be credentials and are never shown.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Headers(pub BTreeMap<String, String>);

impl fmt::Debug for Headers {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_set().entries(self.0.keys()).finish()
    }
}

/// What a million tokens cost, in millionths of a unit of money.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prices {
    /// Read by the model.
    pub input: u64,
    /// Written by it.
    pub output: u64,
    /// Read from the prompt cache.
    pub cache_read: u64,
    /// Put into the prompt cache.
    pub cache_write: u64,
}

/// An amount of money written for people: `0.0042`.
#[must_use]
pub fn money(millionths: u64) -> String {
    let (whole, rest) = (millionths / MONEY, millionths % MONEY);
    // Cents are enough from a unit on; below it the figures that say something.
    if whole > 0 { format!("{whole}.{:02}", rest / 10_000) } else { format!("0.{:04}", rest / 100) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn money_is_shown_with_the_figures_that_matter() {
        let amounts = [0, 100, 4_200, 999_999, 1_000_000, 12_345_678].map(money);
        assert_eq!(amounts, ["0.0000", "0.0001", "0.0042", "0.9999", "1.00", "12.34"].map(str::to_owned));
    }

    #[test]
    fn header_values_are_not_shown() {
        let headers = Headers(BTreeMap::from([("x-token".to_owned(), "hush-hush".to_owned())]));
        assert_eq!(format!("{headers:?}"), "{\"x-token\"}");
    }
}
