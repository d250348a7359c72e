//! The `models` section.

use super::kinds::{command, millionths, proxy, text, url};
use super::models::{ModelConfig, Models, Prices};
use super::section::{Problem, Section, scalar};

const MODELS: [&str; 3] = ["anthropic", "openai", "claude"];
/// The command has its own address, key and prices.
const CLAUDE: [&str; 2] = ["model", "idle_seconds"];
const MODEL: [&str; 12] = [
    "model",
    "base_url",
    "api_key_env",
    "api_key_file",
    "api_key_command",
    "headers",
    "proxy",
    "max_tokens",
    "context_tokens",
    "connect_seconds",
    "idle_seconds",
    "prices",
];
const PRICES: [&str; 4] = ["input", "output", "cache_read", "cache_write"];

/// Understands the section.
pub(super) fn models(section: &Section<'_>, models: &mut Models) -> Result<(), Problem> {
    section.known(&MODELS)?;
    for (name, into) in [("anthropic", &mut models.anthropic), ("openai", &mut models.openai)] {
        if let Some(section) = section.section(name)? {
            model(&section, into)?;
        }
    }
    if let Some(section) = section.section("claude")? {
        section.known(&CLAUDE)?;
        model(&section, &mut models.claude)?;
    }
    Ok(())
}

fn model(section: &Section<'_>, into: &mut ModelConfig) -> Result<(), Problem> {
    if section.value("api_key").is_some() {
        let message = format!(
            "{}.api_key: a key does not belong in this file; say where it is: api_key_env, api_key_file or api_key_command",
            section.path.join(".")
        );
        return Err(Problem { line: section.line("api_key"), message });
    }
    section.known(&MODEL)?;
    text(section, "model", "the model's name, as the server knows it", &mut into.model)?;
    url(section, "base_url", "http://… or https://…", &mut into.base_url)?;
    text(section, "api_key_env", "the name of a variable", &mut into.api_key_env)?;
    text(section, "api_key_file", "the path of a file", &mut into.api_key_file)?;
    command(section, "api_key_command", "`pass show key`, or [pass, show, key]", &mut into.api_key_command)?;
    headers(section, into)?;
    proxy(section, &mut into.proxy)?;
    for (key, into) in [
        ("max_tokens", &mut into.max_tokens),
        ("context_tokens", &mut into.context_tokens),
        ("connect_seconds", &mut into.connect_seconds),
        ("idle_seconds", &mut into.idle_seconds),
    ] {
        let mut number = 0;
        section.number(key, 1, &mut number)?;
        *into = (number > 0).then_some(number);
    }
    if let Some(prices) = section.section("prices")? {
        into.prices = Some(self::prices(&prices)?);
    }
    Ok(())
}

fn headers(section: &Section<'_>, into: &mut ModelConfig) -> Result<(), Problem> {
    let Some(headers) = section.section("headers")? else { return Ok(()) };
    for (name, value) in headers.map {
        let known = scalar(name).unwrap_or_default();
        let is_name =
            !known.is_empty() && known.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        let said = scalar(value).filter(|value| value.bytes().all(|byte| byte == b'\t' || (32..127).contains(&byte)));
        // The value may be a credential: it is not repeated.
        let wrong = |what: &str| headers.wrong(&known, what, "a header, `x-name: value`, in ASCII on one line");
        if !is_name {
            return Err(wrong("no name of a header (letters, digits, - and _)"));
        }
        let Some(said) = said else { return Err(wrong("a header whose value cannot be sent")) };
        into.headers.0.insert(known.to_ascii_lowercase(), said);
    }
    Ok(())
}

fn prices(section: &Section<'_>) -> Result<Prices, Problem> {
    section.known(&PRICES)?;
    let mut prices = Prices::default();
    let mut given = [false; 4];
    for ((key, into), given) in [
        ("input", &mut prices.input),
        ("output", &mut prices.output),
        ("cache_read", &mut prices.cache_read),
        ("cache_write", &mut prices.cache_write),
    ]
    .into_iter()
    .zip(&mut given)
    {
        let Some(value) = section.value(key) else { continue };
        *given = true;
        *into = scalar(value)
            .and_then(|written| millionths(&written))
            .ok_or_else(|| section.bad(key, value, "the price of a million tokens, like 3 or 0.25"))?;
    }
    // Rather shown too dear than as free.
    if let [_, _, false, _] = given {
        prices.cache_read = prices.input;
    }
    if let [_, _, _, false] = given {
        prices.cache_write = prices.input;
    }
    Ok(prices)
}
