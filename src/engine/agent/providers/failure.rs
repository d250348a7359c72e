//! What went wrong with a request, in words, and whether it may pass by itself.
//!
//! The words keep what the engine of runs looks for (`crate::run` tells limits, credentials and bills apart by them). Not
//! its job: waiting (see [`super::retry`]).

use std::time::Duration;

use crate::net::failure::{Transport, said};

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

impl From<Transport> for Failure {
    fn from(transport: Transport) -> Self {
        let Transport { words, is_passing, is_refused } = transport;
        Self { words, is_transient: is_passing, wait: None, is_refused }
    }
}

/// Whether a status is one that passes.
pub(super) fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500 | 502 | 503 | 504 | 529)
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
    let words = if is_overflow(&said) {
        format!("{words}; set context_tokens in config.yaml to what the model really holds, or use a larger one")
    } else {
        words
    };
    let words = match wait.filter(|_| status == 429) {
        Some(wait) => format!("{words}; retry after {} s", wait.as_secs().max(1)),
        None => words,
    };
    Failure { words, is_transient: is_passing(status), wait, is_refused: false }
}

/// Whether a server says that a question is longer than its model holds.
fn is_overflow(said: &str) -> bool {
    let said = said.to_ascii_lowercase();
    [
        "prompt is too long",
        "context length",
        "context window",
        "context size",
        "context_length_exceeded",
        "maximum context",
    ]
    .iter()
    .any(|sign| said.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_is_too_long_is_answered_with_the_key_that_helps() {
        for said in [
            "prompt is too long: 210000 tokens > 200000 maximum",
            "This model's maximum context length is 8192 tokens.",
            "the request exceeds the available context size, try increasing it",
        ] {
            assert!(of_status(400, said, "m", None).words.contains("context_tokens"), "{said}");
        }
        assert!(!of_status(400, "messages: too many", "m", None).words.contains("context_tokens"));
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
