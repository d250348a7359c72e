//! A server over HTTP: requests, statuses, limits. Certificates are verified; the token shows nowhere.
//!
//! Not its job: what is done about an answer, and asking again (see [`super::sync`]).

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_MATCH, IF_NONE_MATCH};
use reqwest::{Client, Method, RequestBuilder};
use serde::de::DeserializeOwned;
use tokio::runtime::Runtime;

use super::remote::{Changed, Fetched, On, Remote, RemoteError, Seen};
use super::settings::{Settings, TOKEN};
use crate::clock::Clock;
use crate::net::advice::Advice;
use crate::net::client::client;
use crate::net::credential::Secret;
use crate::net::failure::{of_transport, said};
use crate::team::sum::Sum;
use crate::team::wire::{Delta, Failure, PATH, Repo, Stored};

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(10);
/// A connection is used again within this time: shorter than any wait before another try, in which nobody notices here that
/// the server closed it.
const KEPT: Duration = Duration::from_millis(50);
/// How long a server may be silent.
const IDLE: Duration = Duration::from_secs(30);
/// How long an answer may take as a whole, also one that never falls silent.
const WHOLE: Duration = Duration::from_secs(900);
/// The most bytes that are read of an answer.
const ANSWER: usize = 256 * 1024 * 1024;
/// The most bytes that are read of an error.
const ERROR: usize = 64 * 1024;
/// Where our own servers take entries away.
const DELETE: &str = "/v1/team_memory";

/// A server over HTTP, for one repository.
pub struct HttpRemote {
    client: Client,
    runtime: Runtime,
    url: String,
    proxy: Option<String>,
    repository: String,
    token: Secret,
    headers: HeaderMap,
    clock: Clock,
    whole: Duration,
}

/// An answer, read whole.
struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl HttpRemote {
    /// Makes ready to ask. The token is read; nothing is sent yet.
    ///
    /// # Errors
    /// In words, when the token cannot be had, or the proxy's address is none.
    pub fn open(settings: &Settings, clock: &Clock) -> Result<Self, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("cannot ask {}: {error}", settings.url))?;
        let token = runtime.block_on(settings.key.read()).map_err(|error| error.to_string())?;
        let token = token.ok_or_else(|| {
            format!(
                "there is no token for {}: set the variable {TOKEN}, or name team.token_file or team.token_command in config.yaml",
                settings.url
            )
        })?;
        let client = client(&settings.url, settings.proxy.as_deref(), CONNECT, KEPT)
            .map_err(|error| format!("cannot ask {}: {error}", settings.url))?;
        let mut bearer = HeaderValue::from_str(&format!("Bearer {}", token.reveal()))
            .map_err(|_| "the token holds something that no header can carry".to_owned())?;
        bearer.set_sensitive(true);
        let headers = HeaderMap::from_iter([(AUTHORIZATION, bearer)]);
        let (url, repository) = (settings.url.clone(), settings.repository.as_str().to_owned());
        let proxy = settings.proxy.clone();
        Ok(Self { client, runtime, url, proxy, repository, token, headers, clock: clock.clone(), whole: WHOLE })
    }

    /// The token that goes with each request.
    #[must_use]
    pub fn token(&self) -> &Secret {
        &self.token
    }

    fn request(&self, method: Method, path: &str, parameters: &[(&str, &str)]) -> Result<RequestBuilder, RemoteError> {
        let wrong = || RemoteError::Wrong(format!("team.url is no address: {}", self.url));
        let mut url = reqwest::Url::parse(&format!("{}{path}", self.url)).map_err(|_| wrong())?;
        url.query_pairs_mut().append_pair("repo", &self.repository).extend_pairs(parameters);
        Ok(self.client.request(method, url).headers(self.headers.clone()))
    }

    /// Sends a request and reads its answer whole.
    fn send(&self, request: RequestBuilder) -> Result<Answer, RemoteError> {
        let late = |_| {
            RemoteError::Broken(format!("the answer of {} was not whole within {} s", self.url, self.whole.as_secs()))
        };
        self.runtime.block_on(async { tokio::time::timeout(self.whole, self.exchange(request)).await.map_err(late)? })
    }

    async fn exchange(&self, request: RequestBuilder) -> Result<Answer, RemoteError> {
        let silent = |_| RemoteError::Broken(format!("{} was silent for {} s", self.url, IDLE.as_secs()));
        let broken = |error: &reqwest::Error| {
            let failure = of_transport(error, &self.url, self.proxy.as_deref(), CONNECT);
            let words = self.token.scrubbed(&failure.words);
            if failure.is_passing { RemoteError::Broken(words) } else { RemoteError::Wrong(words) }
        };
        let mut response =
            tokio::time::timeout(IDLE, request.send()).await.map_err(silent)?.map_err(|error| broken(&error))?;
        let status = response.status().as_u16();
        let most = if response.status().is_success() { ANSWER } else { ERROR };
        let headers = response.headers().clone();
        let mut body = Vec::new();
        while let Some(piece) =
            tokio::time::timeout(IDLE, response.chunk()).await.map_err(silent)?.map_err(|error| broken(&error))?
        {
            body.extend_from_slice(&piece);
            if body.len() > most {
                return Err(RemoteError::Wrong(format!(
                    "the answer of {} is larger than {}",
                    self.url,
                    crate::text::bytes(most as u64)
                )));
            }
        }
        Ok(Answer { status, headers, body })
    }

    /// What an answer that is no success means.
    fn refused(&self, answer: &Answer) -> RemoteError {
        let text = String::from_utf8_lossy(&answer.body);
        let failure: Failure = serde_json::from_str(&text).unwrap_or_default();
        let told = self.token.scrubbed(&said(&text));
        let told = if told.is_empty() { String::new() } else { format!(": {told}") };
        let (status, url) = (answer.status, &self.url);
        match status {
            401 => RemoteError::Refused { status, words: format!("{url} does not take the token (401{told})") },
            // It is about how much there may be: no other token would help.
            403 if failure.error.code == "too_many_repositories" => {
                RemoteError::Wrong(format!("{url} has no room for another repository (403{told})"))
            }
            403 => {
                let words = format!("the token has no right to that on {} (403{told})", self.repository);
                RemoteError::Refused { status, words }
            }
            412 => RemoteError::Moved,
            413 => match failure.details() {
                Some(details)
                    if details.max_entries.is_some()
                        || details.error_code.as_deref() == Some("team_memory_too_many_entries") =>
                {
                    RemoteError::Full { max: details.max_entries }
                }
                details
                    if failure.error.code == "repository_too_large"
                        || details
                            .is_some_and(|it| it.error_code.as_deref() == Some("team_memory_repository_too_large")) =>
                {
                    RemoteError::NoRoom(format!("the repository on {url} has no room for it (413{told})"))
                }
                _ => RemoteError::TooLarge(format!("it is too large for {url} (413{told})")),
            },
            422 if !failure.error.findings.is_empty() => RemoteError::Secrets(failure.error.findings),
            429 | 503 => {
                let header = |name: &str| answer.headers.get(name)?.to_str().ok().map(str::to_owned);
                let wait = Advice::of(&header, self.clock.now()).wait;
                RemoteError::Busy { wait, words: format!("{url} is busy ({status}{told})") }
            }
            400 | 415 | 422 | 428 => RemoteError::Unfit(format!("{url} refused that ({status}{told})")),
            408 | 425 | 500..=599 => RemoteError::Broken(format!("{url} failed ({status}{told})")),
            300..=399 => RemoteError::Wrong(format!(
                "{url} sends elsewhere ({status}), which is not followed; put team.url right"
            )),
            _ => RemoteError::Wrong(format!("{url} refused that ({status}{told})")),
        }
    }

    fn understood<T: DeserializeOwned>(&self, answer: &Answer) -> Result<T, RemoteError> {
        serde_json::from_slice(&answer.body).map_err(|error| {
            let kind = answer.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("of no kind");
            let kind = crate::text::visible(kind).into_owned();
            RemoteError::Broken(format!("the answer of {} ({kind}) is not understood: {error}", self.url))
        })
    }

    fn changed(&self, answer: &Answer) -> Result<Changed, RemoteError> {
        if answer.status == 204 {
            return Ok(Changed { checksum: etag(answer), version: 0 });
        }
        let stored: Stored = self.understood(answer)?;
        Ok(Changed { checksum: stored.checksum.or_else(|| etag(answer)), version: stored.version })
    }
}

/// What the entity tag of an answer names. A proxy may have rewritten it, so that a sum in the body comes first.
fn etag(answer: &Answer) -> Option<Sum> {
    Sum::from_etag(answer.headers.get(ETAG)?.to_str().ok()?)
}

impl Remote for HttpRemote {
    fn get(&self, known: Option<&Sum>, hashes: bool) -> Result<Fetched, RemoteError> {
        let parameters: &[(&str, &str)] = if hashes { &[("view", "hashes")] } else { &[] };
        let mut request = self.request(Method::GET, PATH, parameters)?;
        if let Some(known) = known {
            request = request.header(IF_NONE_MATCH, known.etag());
        }
        let answer = self.send(request)?;
        match answer.status {
            200 => {
                let repo: Repo = self.understood(&answer)?;
                let texts = repo.content.as_ref().and_then(|content| content.entries.clone());
                let sums = repo.sums().cloned();
                let checksum = repo.checksum.or_else(|| etag(&answer));
                Ok(Fetched::Here(Seen { checksum, version: repo.version, sums, texts }))
            }
            304 => Ok(Fetched::Unchanged),
            404 => Ok(Fetched::Nothing),
            _ => Err(self.refused(&answer)),
        }
    }

    fn put(&self, on: On<'_>, entries: &BTreeMap<String, String>) -> Result<Changed, RemoteError> {
        let body = serde_json::to_vec(&Delta { entries: entries.clone() })
            .map_err(|error| RemoteError::Wrong(error.to_string()))?;
        let request = self.request(Method::PUT, PATH, &[])?.header(CONTENT_TYPE, "application/json").body(body);
        let answer = self.send(match on {
            On::This(sum) => request.header(IF_MATCH, sum.etag()),
            On::Nothing => request.header(IF_NONE_MATCH, "*"),
        })?;
        if answer.status == 200 { self.changed(&answer) } else { Err(self.refused(&answer)) }
    }

    fn delete(&self, key: &str, sum: &Sum) -> Result<Changed, RemoteError> {
        let request = self.request(Method::DELETE, DELETE, &[("key", key)])?.header(IF_MATCH, sum.etag());
        let answer = self.send(request)?;
        match answer.status {
            200 | 204 => self.changed(&answer),
            404 | 405 => Err(RemoteError::Wrong(format!(
                "{} knows no such entry, or is no server of dreamtop's, and others have no way to take one away",
                self.url
            ))),
            _ => Err(self.refused(&answer)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::path::Path;

    use super::*;
    use crate::config::TeamConfig;
    use crate::environment::Environment;

    #[test]
    fn an_answer_that_drips_for_ever_ends_all_the_same() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n");
            // Never silent, and never done: until the other side hangs up.
            while stream.write_all(b" ").is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let config = TeamConfig { url: Some(url), repository: Some("acme/app".to_owned()), ..TeamConfig::default() };
        let settings = Settings::of(&config, &Environment::of(Path::new("/"), &[(TOKEN, "t")]), None).unwrap();
        let mut remote = HttpRemote::open(&settings, &Clock::System).unwrap();
        remote.whole = Duration::from_millis(200);
        let error = remote.get(None, false).unwrap_err();
        assert!(matches!(&error, RemoteError::Broken(words) if words.contains("was not whole")), "{error}");
    }
}
