//! Every answer that is an error: a status and the documented JSON.

use std::fmt::Display;

use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::store::{Refusal, StoreError};
use crate::team::wire::{Details, Failure, Fault, SecretFound};

/// Seconds after which one that found no place asks again.
const SOON: u64 = 2;

/// An answer that is an error.
#[derive(Debug)]
pub(super) struct Refused {
    status: StatusCode,
    fault: Box<Fault>,
    header: Option<(HeaderName, String)>,
}

impl Refused {
    /// An error with a word for programs and a sentence for people.
    pub(super) fn new(status: StatusCode, code: &str, message: impl Display) -> Self {
        let fault = Fault { code: code.to_owned(), message: message.to_string(), ..Fault::default() };
        Self { status, fault: Box::new(fault), header: None }
    }

    fn with(mut self, header: HeaderName, value: impl Display) -> Self {
        self.header = Some((header, value.to_string()));
        self
    }

    fn with_details(mut self, details: Details) -> Self {
        self.fault.details = Some(details);
        self
    }

    /// 400.
    pub(super) fn bad(code: &str, message: impl Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// 401. One sentence for every reason: which one it is helps only who guesses.
    pub(super) fn unauthorized() -> Self {
        let message =
            "a token is needed: Authorization: Bearer TOKEN, one that exists, has not expired and is not revoked";
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", message).with(WWW_AUTHENTICATE, "Bearer realm=\"dreamtop\"")
    }

    /// 403.
    pub(super) fn forbidden(message: impl Display) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// 404.
    pub(super) fn missing(message: impl Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// 412.
    pub(super) fn stale() -> Self {
        let message = "it has changed since: read it again, and send what still differs";
        Self::new(StatusCode::PRECONDITION_FAILED, "precondition_failed", message)
    }

    /// 413.
    pub(super) fn too_large(code: &str, message: impl Display, details: Details) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, code, message).with_details(details)
    }

    /// 422. Where, and by which rule; never what.
    pub(super) fn secrets(findings: Vec<SecretFound>) -> Self {
        let message = "what looks like a secret is not kept here; nothing of this request was written";
        let mut refused = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "secret_detected", message);
        refused.fault.findings = findings;
        refused
    }

    /// 429, with the seconds to wait.
    pub(super) fn too_many_requests(seconds: u64) -> Self {
        let message = "too many requests; see Retry-After";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", message).with(RETRY_AFTER, seconds.max(1))
    }

    /// 503.
    pub(super) fn unavailable(message: impl Display) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message).with(RETRY_AFTER, SOON)
    }

    /// What a layer below answered with a bare status.
    pub(super) fn of_status(status: StatusCode) -> Self {
        let code = match status {
            StatusCode::NOT_FOUND => "not_found",
            StatusCode::METHOD_NOT_ALLOWED => "method_not_allowed",
            StatusCode::REQUEST_TIMEOUT => "timeout",
            StatusCode::PAYLOAD_TOO_LARGE => "body_too_large",
            StatusCode::UNSUPPORTED_MEDIA_TYPE => "unsupported_media_type",
            StatusCode::SERVICE_UNAVAILABLE => return Self::unavailable("it took too long; try again later"),
            status if status.is_client_error() => "bad_request",
            _ => "internal",
        };
        let message = status.canonical_reason().unwrap_or("error").to_lowercase();
        Self::new(status, code, message)
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        tracing::error!(error = %error, "the database failed");
        Self::unavailable("the database does not answer; try again later")
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Stale => Self::stale(),
            Refusal::Missing => Self::missing("there is no such entry"),
            Refusal::TooMany { max, received } => Self::too_large(
                "too_many_entries",
                format!("a repository has at most {max} entries here; this one would have {received}"),
                Details {
                    error_code: Some("team_memory_too_many_entries".to_owned()),
                    max_entries: Some(max as u64),
                    received_entries: Some(received as u64),
                    ..Details::default()
                },
            ),
            Refusal::TooLarge { max, received } => Self::too_large(
                "repository_too_large",
                format!("a repository has at most {max} bytes of text here; this one would have {received}"),
                Details {
                    error_code: Some("team_memory_repository_too_large".to_owned()),
                    max_bytes: Some(max),
                    received_bytes: Some(received),
                    ..Details::default()
                },
            ),
            Refusal::TooManyRepositories { max } => Self::new(
                StatusCode::FORBIDDEN,
                "too_many_repositories",
                format!("an organisation has at most {max} repositories here, and this would be one more"),
            ),
            Refusal::Collides(one, other) => {
                Self::bad("bad_key", format!("{one:?} and {other:?} are one file on some systems"))
            }
        }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let failure = Failure { error: *self.fault, extra_details: None };
        let body = serde_json::to_vec(&failure).unwrap_or_default();
        let mut response = (self.status, [(CONTENT_TYPE, "application/json")], body).into_response();
        if let Some((name, value)) = self.header
            && let Ok(value) = HeaderValue::from_str(&value)
        {
            response.headers_mut().insert(name, value);
        }
        response
    }
}
