//! What went wrong with a request, in words, and whether it may pass by itself.
//!
//! The words keep what the engine of runs looks for (`crate::run` tells limits, credentials and bills apart by them). Not
//! its job: waiting (see [`super::retry`]).

use std::error::Error;
use std::time::Duration;

use serde_json::Value;

/// A failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// One sentence, without the key.
    pub(super) words: String,
    /// Whether the same request may succeed a little later.
    pub(super) is_transient: bool,
    /// How long the server wants to be left alone.
    pub(super) wait: Option<Duration>,
    /// Whether nobody listens there: a server that does not run will not come within seconds.
    pub(super) is_refused: bool,
}

impl Failure {
    /// One that stays.
    pub(super) fn lasting(words: impl Into<String>) -> Self {
        Self { words: words.into(), is_transient: false, wait: None, is_refused: false }
    }

    /// One that may pass.
    pub(super) fn passing(words: impl Into<String>) -> Self {
        Self { words: words.into(), is_transient: true, wait: None, is_refused: false }
    }
}

/// Whether a status is one that passes.
pub(super) fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500 | 502 | 503 | 504 | 529)
}

/// What a body with an error says: its type and message, whatever its exact form.
pub(super) fn said(body: &str) -> String {
    let value: Value = serde_json::from_str(body.trim()).unwrap_or(Value::Null);
    let error = value.get("error").unwrap_or(&value);
    let text = |key: &str| error.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let kind = text("type").or_else(|| text("code"));
    let words = match (kind, text("message").or_else(|| error.as_str()).or_else(|| text("detail"))) {
        (Some(kind), Some(message)) => format!("{kind}: {message}"),
        (None, Some(message)) => message.to_owned(),
        (Some(kind), None) => kind.to_owned(),
        (None, None) => body.trim().to_owned(),
    };
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(300).collect();
    crate::secret::redacted(&crate::text::visible(&short))
}

/// A refusal of the server's, by its status.
pub(super) fn of_status(status: u16, body: &str, model: &str, wait: Option<Duration>) -> Failure {
    let said = said(body);
    let told = if said.is_empty() { String::new() } else { format!(": {said}") };
    let words = match status {
        401 => format!("the key is not accepted (401 unauthorized{told})"),
        402 => format!("402 payment required{told}"),
        403 => format!("403 permission error{told}"),
        404 => format!("404: there is no such address or model{told}; the model asked for is {model:?}"),
        413 => format!("413: the request is too large{told}"),
        429 => format!("429 too many requests{told}"),
        529 => format!("529: the server is overloaded{told}"),
        300..=399 => format!("{status}: the server sends elsewhere, which is not followed; put base_url right"),
        _ => format!("the server answered {status}{told}"),
    };
    let words = match wait.filter(|_| status == 429) {
        Some(wait) => format!("{words}; retry after {} s", wait.as_secs().max(1)),
        None => words,
    };
    Failure { words, is_transient: is_passing(status), wait, is_refused: false }
}

/// A connection that did not come about, or broke; `proxy` is what it goes by.
pub(super) fn of_transport(error: &reqwest::Error, place: &str, proxy: Option<&str>, connect: Duration) -> Failure {
    if error.is_builder() {
        return Failure::lasting(format!("cannot ask {place}: {}", root(error)));
    }
    if tls(error) {
        return Failure::lasting(format!(
            "no secure connection to {place}: {}; is it really an https server, with a certificate this machine trusts?",
            root(error)
        ));
    }
    let proxy = proxy.map(host);
    if error.is_connect() && error.is_timeout() {
        let by = proxy.map(|proxy| format!(" by the proxy {proxy}")).unwrap_or_default();
        return Failure::passing(format!("{place} could not be reached{by} within {} s", connect.as_secs()));
    }
    if error.is_connect() {
        let words = match proxy {
            None => format!("cannot reach {place}: {}", root(error)),
            // It is the proxy that was called, not the server.
            Some(proxy) if is_refused(error) => {
                format!("cannot reach the proxy {proxy}, by which {place} is asked: {}", root(error))
            }
            Some(proxy) => format!("cannot reach {place} by the proxy {proxy}: {}", root(error)),
        };
        let failure = Failure::passing(words);
        return Failure { is_refused: is_refused(error), ..failure };
    }
    Failure::passing(format!("the connection to {place} broke: {}", root(error)))
}

/// Host and port of an address, without what it may hold of credentials.
fn host(address: &str) -> String {
    let Ok(url) = reqwest::Url::parse(address) else { return "that is set".to_owned() };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}", url.scheme(), url.host_str().unwrap_or_default())
}

/// The deepest reason; the outer ones only say that there is one.
pub(super) fn root(error: &reqwest::Error) -> String {
    let mut at: &dyn Error = error;
    while let Some(source) = at.source() {
        at = source;
    }
    at.to_string()
}

/// Whether somebody said that nobody listens there.
fn is_refused(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|io| io.kind() == std::io::ErrorKind::ConnectionRefused) || error.source().is_some_and(is_refused)
}

/// Whether it was the encryption that failed. What an I/O error wraps is not among its sources.
fn tls(error: &(dyn Error + 'static)) -> bool {
    let wrapped = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    error.is::<rustls::Error>() || wrapped.is_some_and(|inner| tls(inner)) || error.source().is_some_and(tls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_read_in_the_forms_servers_write_them() {
        for (body, words) in [
            (
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                "overloaded_error: Overloaded",
            ),
            (
                r#"{"error":{"message":"no such model","type":null,"code":"model_not_found"}}"#,
                "model_not_found: no such model",
            ),
            (r#"{"error":"model 'x' not found"}"#, "model 'x' not found"),
            (r#"{"detail":"Not Found"}"#, "Not Found"),
            ("<html>\n bad\tgateway</html>", "<html> bad gateway</html>"),
            ("", ""),
        ] {
            assert_eq!(said(body), words);
        }
    }

    #[test]
    fn statuses_that_pass_are_told_from_those_that_stay() {
        for status in [408, 409, 429, 500, 502, 503, 504, 529] {
            assert!(of_status(status, "", "m", None).is_transient, "{status}");
        }
        for status in [400, 401, 402, 403, 404, 413, 422, 301] {
            assert!(!of_status(status, "", "m", None).is_transient, "{status}");
        }
        let limited = of_status(429, "", "m", Some(Duration::from_secs(3_600)));
        assert_eq!(limited.words, "429 too many requests; retry after 3600 s");
    }
}
