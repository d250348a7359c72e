//! The one way out: a request, its stream of events, and asking again.
//!
//! A request that is dropped closes its connection, so that a cancelled run sends and reads nothing more. Not its job: what
//! stands in requests and events (the two wire formats).

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::Client;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;

use super::failure::{self, Failure};
use super::key::Secret;
use super::retry::{self, Advice, Patience};
use super::settings::{Settings, headers};
use super::sse::{Event, Parser};
use crate::engine::{EngineError, EngineEvent, EventSender, Tokens};

/// An error body is read up to here.
const ERROR_BODY: usize = 64 * 1024;

/// So often a server is asked again that does not run.
const REFUSED_RETRIES: u32 = 1;

/// What a stream of events adds up to.
pub(super) trait Assembly: Default + Send {
    /// Takes an event; true when it was the last one.
    fn take(&mut self, event: &Event) -> Result<bool, Failure>;

    /// What the answer has cost so far.
    fn usage(&self) -> Tokens;

    /// Whether nothing is missing when the stream ends here, without a last event.
    fn is_whole(&self) -> bool {
        false
    }
}

/// A connection to one model.
pub(super) struct Http {
    client: Client,
    settings: Settings,
    key: Option<Secret>,
    headers: HeaderMap,
}

impl Http {
    /// Makes ready to ask. Nothing is sent yet.
    ///
    /// # Errors
    /// When the key cannot be had, or proxy, address or headers are none.
    pub(super) async fn open(settings: &Settings) -> Result<Self, EngineError> {
        let key = settings.key.read().await?;
        static RING: OnceLock<()> = OnceLock::new();
        RING.get_or_init(|| {
            // Somebody else's choice, made before, serves as well.
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let failed =
            |error: &dyn std::fmt::Display| EngineError::Failed(format!("cannot ask {}: {error}", settings.base_url));
        let mut builder = Client::builder()
            .http1_only()
            .redirect(Policy::none())
            .connect_timeout(settings.connect)
            .user_agent(concat!("dreamtop/", env!("CARGO_PKG_VERSION")))
            .no_proxy();
        if let Some(proxy) = &settings.proxy {
            builder = builder.proxy(reqwest::Proxy::all(proxy).map_err(|error| failed(&error))?);
        }
        let is_plain = |url: &str| !url.starts_with("https:");
        if is_plain(&settings.base_url) && settings.proxy.as_deref().is_none_or(is_plain) {
            // Nothing is encrypted, so that a machine without certificates of its own is as good as any.
            let nobody = rustls::ClientConfig::builder().with_root_certificates(rustls::RootCertStore::empty());
            builder = builder.tls_backend_preconfigured(nobody.with_no_client_auth());
        }
        let client = builder.build().map_err(|error| failed(&failure::root(&error)))?;
        let mut map = HeaderMap::new();
        for (name, value) in headers(settings, key.as_ref()) {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| failed(&error))?;
            let mut value = HeaderValue::from_str(&value).map_err(|error| failed(&error))?;
            value.set_sensitive(true);
            map.insert(name, value);
        }
        Ok(Self { client, settings: settings.clone(), key, headers: map })
    }

    /// Asks until there is a whole answer, or no use in asking again. Each wait is told.
    pub(super) async fn ask<A: Assembly>(
        &self,
        body: &[u8],
        patience: &Patience,
        events: &EventSender,
    ) -> Result<A, EngineError> {
        let (mut attempt, mut waited) = (0, Duration::ZERO);
        loop {
            let mut assembly = A::default();
            let Err(failure) = self.once(body, &mut assembly).await else { return Ok(assembly) };
            let words = self.key.as_ref().map_or_else(|| failure.words.clone(), |key| key.scrubbed(&failure.words));
            if assembly.usage() != Tokens::default() {
                // It was paid for, whatever came of it.
                events.send(EngineEvent::Usage(assembly.usage()));
            }
            attempt += 1;
            let of = if failure.is_refused { patience.retries.min(REFUSED_RETRIES) } else { patience.retries };
            let patience = &Patience { retries: of, ..*patience };
            let wait = retry::delay(patience, attempt, waited, failure.wait, retry::chance());
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

    async fn once<A: Assembly>(&self, body: &[u8], assembly: &mut A) -> Result<(), Failure> {
        let settings = &self.settings;
        let place = &settings.base_url;
        let proxy = settings.proxy.as_deref();
        let transport = |error: &reqwest::Error| failure::of_transport(error, place, proxy, settings.connect);
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
                if assembly.is_whole() {
                    return Ok(());
                }
                if has_spoken && !is_stream {
                    return Err(is_none());
                }
                return Err(Failure::passing(format!("the answer of {place} was cut off before its end")));
            };
            let events = parser
                .take(&piece)
                .map_err(|_| Failure::lasting(format!("{place} sends an event that does not end")))?;
            has_spoken |= !piece.trim_ascii().is_empty();
            is_stream |= !events.is_empty();
            for event in events {
                if assembly.take(&event)? {
                    return Ok(());
                }
            }
        }
    }
}

fn silent(place: &str, limit: Duration) -> Failure {
    Failure::passing(format!("{place} was silent for {} s", limit.as_secs()))
}
