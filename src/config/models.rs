//! `models:`: how a model is reached, what it may take and what it costs. Not its job: reaching it (`crate::engine`).

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A whole unit of money, in the millionths that prices and costs are counted in.
pub(super) const MONEY: u64 = 1_000_000;

/// An amount of money in millionths of whatever unit the prices are in, so that sums are exact. In JSON a number of units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(pub u64);

impl Money {
    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// As it is written in the configuration: exact, and no longer than it has to be.
    #[must_use]
    pub fn plain(self) -> String {
        let written = format!("{}.{:06}", self.0 / MONEY, self.0 % MONEY);
        written.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    /// So many units; a part of a millionth counts as one.
    #[must_use]
    pub fn at_least(units: f64) -> Self {
        // A cast of what is out of range gives the nearest there is.
        Self((units * MONEY as f64).ceil() as u64)
    }

    /// Whether it is nothing.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Money {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / MONEY, self.0 % MONEY);
        // Cents are enough from a unit on; below it the figures that say something.
        if whole > 0 { write!(to, "{whole}.{:02}", rest / 10_000) } else { write!(to, "0.{:04}", rest / 100) }
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0 as f64 / MONEY as f64)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let units = f64::deserialize(deserializer)?;
        // A cast of what is out of range gives the nearest there is.
        Ok(Self((units * MONEY as f64).round() as u64))
    }
}

/// The section of each engine that asks a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Models {
    /// `models.anthropic`: the Messages API.
    pub anthropic: ModelConfig,
    /// `models.openai`: chat completions.
    pub openai: ModelConfig,
    /// `models.claude`: the `claude` command, which knows only `model` and `idle_seconds`.
    pub claude: ModelConfig,
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

impl Prices {
    /// What so many tokens cost; a part of a millionth counts as one.
    #[must_use]
    pub fn cost(&self, input: u64, output: u64, cache_read: u64, cache_write: u64) -> Money {
        let of = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
        let all = of(input, self.input)
            + of(output, self.output)
            + of(cache_read, self.cache_read)
            + of(cache_write, self.cache_write);
        Money(u64::try_from(all.div_ceil(u128::from(MONEY))).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn money_is_shown_with_the_figures_that_matter_and_kept_exactly() {
        let amounts = [0, 100, 4_200, 999_999, 1_000_000, 12_345_678].map(Money);
        assert_eq!(amounts.map(|amount| amount.to_string()), ["0.0000", "0.0001", "0.0042", "0.9999", "1.00", "12.34"]);
        for amount in amounts {
            let kept = serde_json::to_string(&amount).unwrap();
            assert_eq!(serde_json::from_str::<Money>(&kept).unwrap(), amount, "{kept}");
        }
    }

    #[test]
    fn a_run_costs_what_each_kind_of_token_costs_rounded_up() {
        let prices = Prices { input: 3_000_000, output: 15_000_000, cache_read: 300_000, cache_write: 3_750_000 };
        assert_eq!(prices.cost(1_000_000, 0, 0, 0), Money(3_000_000));
        assert_eq!(prices.cost(1_000, 100, 10_000, 1_000), Money(3_000 + 1_500 + 3_000 + 3_750));
        assert_eq!(prices.cost(0, 0, 1, 0), Money(1));
        assert_eq!(prices.cost(u64::MAX, u64::MAX, u64::MAX, u64::MAX), Money(u64::MAX));
    }

    #[test]
    fn header_values_are_not_shown() {
        let headers = Headers(BTreeMap::from([("x-token".to_owned(), "hush-hush".to_owned())]));
        assert_eq!(format!("{headers:?}"), "{\"x-token\"}");
    }
}
