//! Who an engine's word asks, and as whom: one digest of all that decides it.
//!
//! Model, address, headers, where the key comes from, and the key itself where it can be read without running anything; of
//! the `claude` command its model and the command. It
//! tells one configuration from another and gives nothing away. Not its job: what is done with it (`crate::run`).

use sha2::{Digest, Sha256};

use super::Word;
use super::agent::providers::Settings;
use crate::config::Config;
use crate::environment::Environment;

/// The digest, in hexadecimal. A configuration that is not complete has one of its own.
#[must_use]
pub fn account(word: &str, config: &Config, environment: &Environment) -> String {
    let Word { name, .. } = Word::parse(word);
    let traits = match Settings::of(word, config, environment) {
        Ok(Some(settings)) => settings.traits(),
        Ok(None) if name == "claude" => command(Word::parse(word).model(), config),
        Ok(None) => vec![word.as_bytes().to_vec()],
        Err(error) => vec![b"incomplete".to_vec(), error.to_string().into_bytes()],
    };
    let mut digest = Sha256::new();
    for part in std::iter::once(name.as_bytes().to_vec()).chain(traits) {
        // With its length before it, so that no two lists of parts are the same bytes.
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Who answers when the `claude` command is asked: the model that is named, and the command.
fn command(model: Option<&str>, config: &Config) -> Vec<Vec<u8>> {
    let model = model.or(config.models.claude.model.as_deref()).unwrap_or_default();
    let words = std::iter::once(model).chain(config.claude_command.iter().map(String::as_str));
    words.map(|word| word.as_bytes().to_vec()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::path::Path;

    use super::*;
    use crate::config::ModelConfig;

    #[test]
    fn another_model_address_key_or_place_of_the_key_is_another_account_and_nothing_else_is() {
        let dir = tempfile::tempdir().unwrap();
        let key = dir.path().join("key");
        std::fs::write(&key, "one\n").unwrap();
        let of = |word: &str, section: &ModelConfig, held: &str| {
            let mut config = Config::default();
            config.models.openai = section.clone();
            account(word, &config, &Environment::of(Path::new("/"), &[("OPENAI_API_KEY", held)]))
        };
        let section = ModelConfig { model: Some("m".to_owned()), ..ModelConfig::default() };
        let first = of("openai", &section, "one");
        assert!(first.len() == 64 && !first.contains("one"));
        assert_eq!(first, of("openai:m", &section, "one"));
        let patient = ModelConfig { idle_seconds: Some(5), ..section.clone() };
        assert_eq!(first, of("openai", &patient, "one"));
        let file = |path: &Path| ModelConfig { api_key_file: Some(path.display().to_string()), ..section.clone() };
        let there = of("openai", &file(&key), "one");
        std::fs::write(&key, "two\n").unwrap();
        let elsewhere = ModelConfig { base_url: Some("http://127.0.0.1:1".to_owned()), ..section.clone() };
        let asked = ModelConfig { api_key_command: vec!["/bin/false".to_owned()], ..section.clone() };
        let mut all = vec![
            first,
            there,
            of("openai", &section, "two"),
            of("openai", &section, ""),
            of("openai:n", &section, "one"),
            of("openai", &elsewhere, "one"),
            of("openai", &asked, "one"),
            of("openai", &file(&key), "one"),
            of("script:a", &section, "one"),
            of("script:b", &section, "one"),
        ];
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn another_model_or_command_of_claude_is_another_account() {
        let of = |word: &str, model: Option<&str>, command: &[&str]| {
            let mut config = Config::default();
            config.models.claude.model = model.map(str::to_owned);
            config.claude_command = command.iter().map(|part| (*part).to_owned()).collect();
            account(word, &config, &Environment::of(Path::new("/"), &[]))
        };
        assert_eq!(of("claude", Some("m"), &[]), of("claude:m", Some("n"), &[]));
        let mut all = vec![
            of("claude", None, &[]),
            of("claude", Some("m"), &[]),
            of("claude:n", Some("m"), &[]),
            of("claude", None, &["/opt/claude"]),
            of("claude", None, &["/opt/claude", "--verbose"]),
        ];
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
