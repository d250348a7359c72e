//! What went wrong on the way to a server, in words, and what a server says in an error.
//!
//! Not its job: what a status means (whoever asked knows), and waiting.

use std::error::Error;
use std::time::Duration;

use serde_json::Value;

/// A connection that did not come about, or broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transport {
    /// One sentence.
    pub words: String,
    /// Whether the same request may succeed a little later.
    pub is_passing: bool,
    /// Whether nobody listens there: a server that does not run will not come within seconds.
    pub is_refused: bool,
}

impl Transport {
    fn lasting(words: String) -> Self {
        Self { words, is_passing: false, is_refused: false }
    }

    fn passing(words: String) -> Self {
        Self { words, is_passing: true, is_refused: false }
    }
}

/// What a body with an error says: its type and message, whatever its exact form.
#[must_use]
pub fn said(body: &str) -> String {
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

/// What an error of the connection to a place means; `proxy` is what it goes by, `connect` how long it was given to come
/// about.
#[must_use]
pub fn of_transport(error: &reqwest::Error, place: &str, proxy: Option<&str>, connect: Duration) -> Transport {
    if error.is_builder() {
        return Transport::lasting(format!("cannot ask {place}: {}", root(error)));
    }
    if tls(error) {
        return Transport::lasting(format!(
            "no secure connection to {place}: {}; is it really an https server, with a certificate this machine trusts?",
            root(error)
        ));
    }
    let proxy = proxy.map(host);
    if error.is_connect() && error.is_timeout() {
        let by = proxy.map(|proxy| format!(" by the proxy {proxy}")).unwrap_or_default();
        return Transport::passing(format!("{place} could not be reached{by} within {} s", connect.as_secs()));
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
        return Transport { is_refused: is_refused(error), ..Transport::passing(words) };
    }
    Transport::passing(format!("the connection to {place} broke: {}", root(error)))
}

/// Scheme, host and port of an address, without what it may hold of credentials.
fn host(address: &str) -> String {
    let Ok(url) = reqwest::Url::parse(address) else { return "that is set".to_owned() };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}", url.scheme(), url.host_str().unwrap_or_default())
}

/// The deepest reason; the outer ones only say that there is one.
#[must_use]
pub fn root(error: &reqwest::Error) -> String {
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
}
