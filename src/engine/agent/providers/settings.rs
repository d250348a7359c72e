//! What a provider needs to know, from the configuration and the environment. Nothing is asked over a network here.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::config::{Config, ModelConfig};
use crate::engine::{EngineError, Word};
use crate::environment::Environment;
use crate::net::client::proxy;
use crate::net::credential::{KeySource, Secret, Told};

/// How a connection may take to come about.
const CONNECT: u64 = 10;
/// How long a server may be silent; its pings count as life.
const IDLE: u64 = 75;
/// What Ollama holds when nobody told it otherwise. It cuts what is longer without a word.
const OLLAMA_CONTEXT: u64 = 4_096;

/// Which protocol is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Wire {
    /// The Messages API.
    Anthropic,
    /// Chat completions.
    OpenAi,
}

impl Wire {
    /// The engine's word.
    pub(in crate::engine) const fn word(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
        }
    }

    fn of(word: &str) -> Option<Self> {
        [Self::Anthropic, Self::OpenAi].into_iter().find(|wire| wire.word() == word)
    }
}

/// The settings of one model.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Settings {
    pub(super) wire: Wire,
    pub(in crate::engine) model: String,
    /// Without a slash at its end.
    pub(super) base_url: String,
    pub(in crate::engine) key: KeySource,
    pub(super) headers: crate::config::Headers,
    /// `None`: by none.
    pub(super) proxy: Option<String>,
    pub(in crate::engine) max_tokens: u64,
    pub(in crate::engine) context_tokens: u64,
    pub(super) connect: Duration,
    pub(super) first_byte: Duration,
    pub(super) idle: Duration,
}

impl Settings {
    /// The settings of the engine that a word names, `anthropic` or `openai:some-model`; `None`: it names another engine.
    ///
    /// # Errors
    /// When no model is named, or the key has no place where one is needed.
    pub(in crate::engine) fn of(
        word: &str,
        config: &Config,
        environment: &Environment,
    ) -> Result<Option<Self>, EngineError> {
        let word = Word::parse(word);
        let name = word.name;
        let Some((wire, section)) = Wire::of(name).zip(config.models.of(name)) else { return Ok(None) };
        let Some(model) = word.model().or(section.model.as_deref()) else {
            return Err(EngineError::Failed(format!(
                "the engine {name} needs a model: name it as models.{name}.model in config.yaml, or as --engine \
                 {name}:MODEL"
            )));
        };
        let usual = match wire {
            Wire::Anthropic => "https://api.anthropic.com",
            Wire::OpenAi => "https://api.openai.com/v1",
        };
        let base_url = section.base_url.as_deref().unwrap_or(usual).trim_end_matches('/');
        let base_url =
            if wire == Wire::Anthropic { base_url.strip_suffix("/v1").unwrap_or(base_url) } else { base_url };
        if base_url.contains(['?', '#']) || crate::net::client::authority(base_url).contains('@') {
            return Err(EngineError::Failed(format!(
                "models.{name}.base_url in config.yaml holds a user name, a password or a query; it is only an address. A \
                 key belongs into api_key_env, api_key_file or api_key_command, anything else into headers"
            )));
        }
        let variable = match wire {
            Wire::Anthropic => "ANTHROPIC_API_KEY",
            Wire::OpenAi => "OPENAI_API_KEY",
        };
        let key = key(section, variable, environment)?;
        let has_own =
            ["authorization", "x-api-key", "api-key"].iter().any(|name| section.headers.0.contains_key(*name));
        if key == KeySource::Nowhere && !has_own && section.base_url.is_none() {
            return Err(EngineError::Failed(format!(
                "the engine {name} needs a key: set {variable}, or name api_key_file or api_key_command under \
                 models.{name} in config.yaml"
            )));
        }
        let context = section.context_tokens.unwrap_or_else(|| window(wire, base_url));
        // An answer that may fill the window would leave no room for the question.
        let max_tokens = section.max_tokens.unwrap_or(16_000).min(context / 4).max(1);
        let idle = section.idle_seconds.unwrap_or(IDLE);
        // A server on this machine may load the model first, and read a long prompt for minutes before it says a word.
        let first_byte = if wire == Wire::OpenAi || section.base_url.is_some() { idle.saturating_mul(8) } else { idle };
        Ok(Some(Self {
            wire,
            model: model.to_owned(),
            base_url: base_url.to_owned(),
            key,
            headers: section.headers.clone(),
            proxy: proxy(section.proxy.as_deref(), base_url, environment),
            max_tokens,
            context_tokens: context,
            connect: Duration::from_secs(section.connect_seconds.unwrap_or(CONNECT)),
            first_byte: Duration::from_secs(first_byte),
            idle: Duration::from_secs(idle),
        }))
    }

    /// Where requests go.
    pub(in crate::engine) fn address(&self) -> String {
        match self.wire {
            Wire::Anthropic => format!("{}/v1/messages", self.base_url),
            Wire::OpenAi => format!("{}/chat/completions", self.base_url),
        }
    }

    /// What tells who is asked, and as whom, from any other settings. For a digest only: the key is in it.
    pub(in crate::engine) fn traits(&self) -> Vec<Vec<u8>> {
        let headers = self.headers.0.iter().flat_map(|(name, value)| [name, value]);
        let words = [&self.model, &self.base_url].into_iter().chain(headers).map(|word| word.clone().into_bytes());
        words.chain(self.key.traits()).collect()
    }

    /// What the limit of an answer is called: OpenAI's newer models refuse the name that everybody else knows.
    pub(super) fn limit_key(&self) -> &'static str {
        let is_openai = self.wire == Wire::OpenAi && self.base_url.starts_with("https://api.openai.com");
        if is_openai { "max_completion_tokens" } else { "max_tokens" }
    }

    /// More bytes than this make no answer of `max_tokens`, each token with an event of its own around it.
    pub(super) fn longest_answer(&self) -> usize {
        usize::try_from(self.max_tokens).unwrap_or(usize::MAX).saturating_mul(1_024).saturating_add(1024 * 1024)
    }

    /// Bytes of a request that the model has room for, its answer left out.
    pub(in crate::engine) fn room(&self) -> usize {
        let tokens = self.context_tokens.saturating_sub(self.max_tokens);
        usize::try_from(tokens.saturating_mul(7) / 2).unwrap_or(usize::MAX)
    }
}

/// About how many tokens so many bytes are.
#[must_use]
pub(in crate::engine) fn estimate(bytes: usize) -> u64 {
    (bytes as u64).saturating_mul(2).div_ceil(7)
}

/// What a model holds when nobody says.
fn window(wire: Wire, base_url: &str) -> u64 {
    match wire {
        Wire::Anthropic => 200_000,
        Wire::OpenAi if base_url.starts_with("https://api.openai.com") => 128_000,
        Wire::OpenAi if base_url.contains(":11434") => OLLAMA_CONTEXT,
        Wire::OpenAi => 32_768,
    }
}

fn key(section: &ModelConfig, usual: &str, environment: &Environment) -> Result<KeySource, EngineError> {
    let told = Told {
        command: ("api_key_command", &section.api_key_command),
        file: ("api_key_file", section.api_key_file.as_deref()),
        variable: ("api_key_env", section.api_key_env.as_deref()),
        usual,
    };
    KeySource::of(&told, environment).map_err(|error| EngineError::Failed(error.to_string()))
}

/// The headers that go with every request, the person's own last.
pub(super) fn headers(settings: &Settings, key: Option<&Secret>) -> BTreeMap<String, String> {
    let mut headers = BTreeMap::from([
        ("content-type".to_owned(), "application/json".to_owned()),
        ("accept".to_owned(), "text/event-stream".to_owned()),
    ]);
    if settings.wire == Wire::Anthropic {
        headers.insert("anthropic-version".to_owned(), "2023-06-01".to_owned());
    }
    if let Some(key) = key {
        match settings.wire {
            Wire::Anthropic => headers.insert("x-api-key".to_owned(), key.reveal().to_owned()),
            Wire::OpenAi => headers.insert("authorization".to_owned(), format!("Bearer {}", key.reveal())),
        };
    }
    headers.extend(settings.headers.0.clone());
    headers
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::path::Path;

    use super::*;

    fn config(section: ModelConfig) -> Config {
        let mut config = Config::default();
        config.models.anthropic = section.clone();
        config.models.openai = section;
        config
    }

    fn of(word: &str, section: ModelConfig, variables: &[(&str, &str)]) -> Result<Settings, String> {
        let environment = Environment::of(Path::new("/"), variables);
        Settings::of(word, &config(section), &environment).map(Option::unwrap).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_missing_is_named_and_a_server_of_ones_own_needs_no_key() {
        let no_model = of("anthropic", ModelConfig::default(), &[("ANTHROPIC_API_KEY", "k")]).unwrap_err();
        assert!(no_model.contains("models.anthropic.model") && no_model.contains("anthropic:MODEL"), "{no_model}");
        let no_key = of("openai:m", ModelConfig::default(), &[]).unwrap_err();
        assert!(no_key.contains("OPENAI_API_KEY") && no_key.contains("api_key_command"), "{no_key}");
        let own = ModelConfig { base_url: Some("http://127.0.0.1:8080/v1/".to_owned()), ..ModelConfig::default() };
        assert_eq!(of("openai:m", own.clone(), &[]).unwrap().address(), "http://127.0.0.1:8080/v1/chat/completions");
        assert_eq!(of("anthropic:m", own, &[]).unwrap().address(), "http://127.0.0.1:8080/v1/messages");
        let environment = Environment::of(Path::new("/"), &[]);
        assert!(Settings::of("embedded", &Config::default(), &environment).unwrap().is_none());
    }

    #[test]
    fn a_model_in_the_word_wins_and_the_window_is_what_the_server_really_holds() {
        let section = ModelConfig { model: Some("a".to_owned()), ..ModelConfig::default() };
        let got = of("anthropic:b", section.clone(), &[("ANTHROPIC_API_KEY", "k")]).unwrap();
        assert_eq!((got.model.as_str(), got.context_tokens, got.max_tokens), ("b", 200_000, 16_000));
        let ollama = ModelConfig { base_url: Some("http://localhost:11434/v1".to_owned()), ..section };
        let got = of("openai", ollama, &[]).unwrap();
        assert_eq!((got.context_tokens, got.max_tokens), (4_096, 1_024));
    }

    #[test]
    fn proxies_follow_the_configuration_then_the_environment_and_never_to_this_machine() {
        let variables = [("HTTPS_PROXY", "http://p:1"), ("no_proxy", "example.org, .corp"), ("OPENAI_API_KEY", "k")];
        let through = |url: Option<&str>, proxy: Option<&str>| {
            let section = ModelConfig {
                base_url: url.map(str::to_owned),
                proxy: proxy.map(str::to_owned),
                ..ModelConfig::default()
            };
            of("openai:m", section, &variables).unwrap().proxy
        };
        assert_eq!(through(None, None).as_deref(), Some("http://p:1"));
        assert_eq!(through(None, Some("http://q:2")).as_deref(), Some("http://q:2"));
        for url in [
            "http://a.net",
            "https://localhost:1",
            "https://[::1]:1",
            "https://127.0.0.1",
            "https://x.corp/v1",
            "https://example.org",
        ] {
            assert_eq!(through(Some(url), None), None, "{url}");
        }
        assert_eq!(through(None, Some("none")), None);
    }
}
