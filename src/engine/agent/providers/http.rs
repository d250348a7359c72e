//! The one way out: a request, its stream of events, and asking again.
//!
//! A request that is dropped closes its connection, so that a cancelled run sends and reads nothing more. Not its job: what
//! stands in requests and events (the two wire formats).

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use reqwest::Client;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::assembly::Assembly;
use super::failure::{self, Failure};
use super::meter::{Meter, Sizes};
use super::retry::{self, Patience};
use super::settings::{Settings, headers};
use super::sse::Parser;
use crate::engine::{EngineError, EngineEvent, EventSender, Tokens};
use crate::net::advice::{Advice, chance};
use crate::net::client::client;
use crate::net::credential::Secret;
use crate::net::failure::of_transport;

/// A connection is used again within this time.
const IDLE: Duration = Duration::from_secs(90);

/// An error body is read up to here.
const ERROR_BODY: usize = 64 * 1024;

/// So often a server is asked again that does not run.
const REFUSED_RETRIES: u32 = 1;

/// A connection to one model.
pub(super) struct Http {
    client: Client,
    settings: Settings,
    key: Option<Secret>,
    headers: HeaderMap,
    /// Whether it was told that what the server uses is estimated.
    is_estimating: AtomicBool,
    /// What one question may use before it is asked no second time.
    allowed: u64,
}

impl Http {
    /// Makes ready to ask. Nothing is sent yet.
    ///
    /// # Errors
    /// When the key cannot be had, or proxy, address or headers are none.
    pub(super) async fn open(settings: &Settings) -> Result<Self, EngineError> {
        let key = settings.key.read().await.map_err(|error| EngineError::Failed(error.to_string()))?;
        let failed =
            |error: &dyn std::fmt::Display| EngineError::Failed(format!("cannot ask {}: {error}", settings.base_url));
        let client = client(&settings.base_url, settings.proxy.as_deref(), settings.connect, IDLE);
        let client = client.map_err(|error| failed(&error))?;
        let mut map = HeaderMap::new();
        for (name, value) in headers(settings, key.as_ref()) {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| failed(&error))?;
            let mut value = HeaderValue::from_str(&value).map_err(|error| failed(&error))?;
            value.set_sensitive(true);
            map.insert(name, value);
        }
        Ok(Self {
            client,
            settings: settings.clone(),
            key,
            headers: map,
            is_estimating: AtomicBool::new(false),
            allowed: u64::MAX,
        })
    }

    /// How many tokens a question may use before it is asked no second time.
    pub(super) fn allow(&mut self, tokens: u64) {
        self.allowed = tokens;
    }

    /// Asks until there is a whole answer, or no use in asking again; with what all tries cost, which is told as it becomes
    /// known. Each wait is told.
    pub(super) async fn ask<A: Assembly>(
        &self,
        body: &[u8],
        patience: &Patience,
        events: &EventSender,
    ) -> Result<(A, Tokens), EngineError> {
        let (mut attempt, mut waited) = (0, Duration::ZERO);
        let sizes = Sizes { sent: body.len(), max_tokens: self.settings.max_tokens };
        let mut meter = Meter::new(events, &self.settings.base_url, sizes, &self.is_estimating);
        loop {
            let mut assembly = A::default();
            let result = self.once(body, &mut assembly, &mut meter).await;
            // It was paid for, whatever came of it.
            meter.settle(result.is_ok());
            let Err(failure) = result else { return Ok((assembly, meter.all())) };
            let words = self.key.as_ref().map_or_else(|| failure.words.clone(), |key| key.scrubbed(&failure.words));
            if meter.all().counted() > self.allowed {
                return Err(EngineError::Failed(format!(
                    "{words}; it is not asked again, because the run's tokens are used up (budget.tokens in config.yaml sets \
                     them)"
                )));
            }
            attempt += 1;
            let of = if failure.is_refused { patience.retries.min(REFUSED_RETRIES) } else { patience.retries };
            let patience = &Patience { retries: of, ..*patience };
            let wait = retry::delay(patience, attempt, waited, failure.wait, chance());
            let Some(wait) = wait.filter(|_| failure.is_transient) else {
                let tries = if attempt > 1 { format!(" (asked {attempt} times)") } else { String::new() };
                return Err(EngineError::Failed(format!("{words}{tries}")));
            };
            let seconds = wait.as_secs_f64();
            events.send(EngineEvent::Notice(format!("{words}; asked again in {seconds:.1} s ({attempt} of {of})")));
            (patience.sleep)(wait).await;
            waited += wait;
        }
    }

    /// One try.
    async fn once<A: Assembly>(&self, body: &[u8], assembly: &mut A, meter: &mut Meter<'_>) -> Result<(), Failure> {
        let settings = &self.settings;
        let place = &settings.base_url;
        let proxy = settings.proxy.as_deref();
        let transport = |error: &reqwest::Error| Failure::from(of_transport(error, place, proxy, settings.connect));
        let request = self.client.post(settings.address()).headers(self.headers.clone()).body(body.to_vec());
        let mut response = tokio::time::timeout(settings.first_byte, request.send())
            .await
            .map_err(|_| silent(place, settings.first_byte))?
            .map_err(|error| transport(&error))?;
        let status = response.status().as_u16();
        if status != 200 {
            let header = |name: &str| response.headers().get(name)?.to_str().ok().map(str::to_owned);
            let advice = Advice::of(&header, chrono::Utc::now());
            let mut text = Vec::new();
            while text.len() < ERROR_BODY {
                match tokio::time::timeout(settings.idle, response.chunk()).await {
                    Ok(Ok(Some(piece))) => text.extend_from_slice(&piece),
                    _ => break,
                }
            }
            text.truncate(ERROR_BODY);
            let body = String::from_utf8_lossy(&text);
            let mut failure = failure::of_status(status, &body, &settings.model, advice.wait);
            failure.is_transient = advice.should_retry.unwrap_or(failure.is_transient);
            return Err(failure);
        }
        let kind = response.headers().get(reqwest::header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.map(|kind| kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
        let is_none = || {
            let kind = kind.as_deref().map(|kind| format!(" ({})", crate::text::visible(kind))).unwrap_or_default();
            Failure::lasting(format!("the answer of {place} is no event stream{kind}; is base_url right?"))
        };
        if kind.as_deref() == Some("text/html") {
            return Err(is_none());
        }
        // A server may name its stream otherwise, or not at all: then what it sends has to be one.
        let mut is_stream = kind.as_deref() == Some("text/event-stream");
        let mut has_spoken = false;
        let mut parser = Parser::default();
        loop {
            let piece = tokio::time::timeout(settings.idle, response.chunk())
                .await
                .map_err(|_| silent(place, settings.idle))?
                .map_err(|error| transport(&error))?;
            let Some(piece) = piece else {
                let is_last = parser.rest().map(|event| assembly.take(&event)).transpose()?;
                meter.look(assembly);
                if is_last == Some(true) || assembly.is_whole() {
                    return Ok(());
                }
                if has_spoken && !is_stream {
                    return Err(is_none());
                }
                return Err(Failure::passing(format!("the answer of {place} was cut off before its end")));
            };
            let heard = meter.hear(piece.len());
            if heard > settings.longest_answer() {
                return Err(Failure::lasting(format!(
                    "the answer of {place} does not end: {} MB for at most {} tokens",
                    heard / 1_000_000,
                    settings.max_tokens
                )));
            }
            let events = parser
                .take(&piece)
                .map_err(|_| Failure::lasting(format!("{place} sends an event that does not end")))?;
            has_spoken |= !piece.trim_ascii().is_empty();
            is_stream |= !events.is_empty();
            for event in events {
                let is_last = assembly.take(&event)?;
                meter.look(assembly);
                if is_last {
                    return Ok(());
                }
            }
        }
    }
}

fn silent(place: &str, limit: Duration) -> Failure {
    Failure::passing(format!("{place} was silent for {} s", limit.as_secs()))
}
