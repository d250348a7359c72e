//! What holds for every request: how many at once and how often, one line in the log, counts, and JSON for every error.
//!
//! The log has no texts, no names of entries, no queries and no tokens; of a token its id.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::body::{Body, BodyDataStream, Bytes, HttpBody};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use tokio::sync::OwnedSemaphorePermit;

use super::App;
use super::body::{Unread, body_too_large};
use super::failure::Refused;
use super::room::Taken;
use super::routes::IMPORT;

/// How long and how much is read of a body that an error was the answer to.
const DRAIN: Duration = Duration::from_secs(2);
const DRAIN_BYTES: usize = 16 * 1024 * 1024;

/// The status in log and counts of a request whose client did not wait for the answer.
const GONE: u16 = 499;
/// Bytes that a connection takes of an answer at once.
const PIECE: usize = 16 * 1024;

/// What is found out about a request on its way, for the log.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen(Arc<OnceLock<String>>);

impl Seen {
    /// With which token it was asked.
    pub(super) fn token(&self, id: &str) {
        let _ = self.0.set(id.to_owned());
    }
}

/// Around everything else.
pub(super) async fn around(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = path.unwrap_or_else(|| "other".to_owned());
    let method = known(request.method());
    let address = address(&app, &request);
    let seen = Seen::default();
    request.extensions_mut().insert(seen.clone());
    // Whoever looks whether we live is always answered; it costs nothing.
    let is_probe = route == "/healthz";
    let place = Arc::clone(&app.places).try_acquire_owned();
    let has_place = place.is_ok();
    let mut underway = Underway::new(app, route.clone(), method, start, address, seen, place.ok());
    let response = match has_place {
        _ if is_probe => next.run(request).await,
        true => match address.map_or(Ok(()), |address| underway.app.rates.address(address)) {
            Ok(()) => next.run(request).await,
            Err(refused) => refused.into_response(),
        },
        false => Refused::unavailable("too many requests at once; try again").into_response(),
    };
    let most = if route == IMPORT { underway.app.limits.import } else { underway.app.limits.body };
    let mut response = in_json(response, most);
    underway.taken = response.extensions_mut().remove();
    underway.answered(response.status().as_u16(), response.body().size_hint().exact().unwrap_or_default());
    in_pieces(response, underway)
}

/// A request from its head until its answer is taken. However it ends, it is counted once, has its line in the log, and
/// gives its place back.
struct Underway {
    app: Arc<App>,
    route: String,
    method: &'static str,
    start: Instant,
    address: Option<IpAddr>,
    seen: Seen,
    is_answered: bool,
    /// Where its answer is.
    taken: Option<Taken>,
    _place: Option<OwnedSemaphorePermit>,
}

impl Underway {
    fn new(
        app: Arc<App>,
        route: String,
        method: &'static str,
        start: Instant,
        address: Option<IpAddr>,
        seen: Seen,
        place: Option<OwnedSemaphorePermit>,
    ) -> Self {
        app.metrics.at_work.fetch_add(1, Ordering::Relaxed);
        Self { app, route, method, start, address, seen, is_answered: false, taken: None, _place: place }
    }

    fn answered(&mut self, status: u16, bytes: u64) {
        self.is_answered = true;
        let took = self.start.elapsed();
        self.app.metrics.sent.fetch_add(bytes, Ordering::Relaxed);
        self.app.metrics.answered(&self.route, self.method, status, took);
        // Not "token": the log's own scanner would take the id behind that word for a secret.
        let caller = self.seen.0.get().map_or("", String::as_str);
        let address = self.address.map(|address| address.to_string()).unwrap_or_default();
        let milliseconds = took.as_secs_f64() * 1_000.0;
        let (method, route) = (self.method, &self.route);
        tracing::info!(method, route, status, milliseconds, bytes, caller, address, "answered");
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        if !self.is_answered {
            self.answered(GONE, 0);
        }
        self.app.metrics.at_work.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The body of an answer, with which its request stays under way until it is taken. It goes in pieces: a whole one would be
/// out of here, and into memory that nobody counts, the moment the connection asked for it.
fn in_pieces(response: Response, underway: Underway) -> Response {
    let (mut parts, body) = response.into_parts();
    if body.is_end_stream() {
        return Response::from_parts(parts, body);
    }
    if let Some(length) = body.size_hint().exact() {
        parts.headers.insert(CONTENT_LENGTH, length.into());
    }
    let next = |(mut frames, mut rest, underway): (BodyDataStream, Bytes, Underway)| async move {
        while rest.is_empty() {
            match frames.next().await? {
                Ok(frame) => rest = frame,
                Err(error) => return Some((Err(error), (frames, rest, underway))),
            }
        }
        let piece = rest.split_to(rest.len().min(PIECE));
        Some((Ok(piece), (frames, rest, underway)))
    };
    let pieces = stream::unfold((body.into_data_stream(), Bytes::new(), underway), next);
    Response::from_parts(parts, Body::from_stream(pieces))
}

/// The body is set apart, so that what no handler reads can be drained before the answer goes.
pub(super) async fn body_apart(request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let unread = Unread::new(&mut parts.headers, body);
    parts.extensions.insert(unread.clone());
    let response = next.run(Request::from_parts(parts, Body::empty())).await;
    if !response.status().is_success() {
        unread.drain(DRAIN_BYTES, DRAIN).await;
    }
    response
}

/// What a layer below refused in its own words gets ours; `most`: bytes of a body at this route.
fn in_json(response: Response, most: usize) -> Response {
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let is_json = |headers: &HeaderMap| headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if !is_error || is_json(response.headers()) {
        return response;
    }
    let allow = response.headers().get(axum::http::header::ALLOW).cloned();
    let refused =
        if status == StatusCode::PAYLOAD_TOO_LARGE { body_too_large(most) } else { Refused::of_status(status) };
    let mut ours = refused.into_response();
    if let Some(allow) = allow {
        ours.headers_mut().insert(axum::http::header::ALLOW, allow);
    }
    ours
}

/// A method as a label: those that mean something, so that nobody can make up any number of them.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::PUT => "PUT",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        _ => "OTHER",
    }
}

/// Where a request comes from. What a header says of it counts only behind a proxy that writes it, and then its last
/// word: the ones before are whatever the client wrote.
fn address(app: &App, request: &Request) -> Option<IpAddr> {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    if !app.is_behind_proxy {
        return peer;
    }
    let forwarded = request.headers().get_all("x-forwarded-for").iter().next_back();
    let last = forwarded.and_then(|text| text.to_str().ok()?.rsplit(',').next());
    last.and_then(|text| text.trim().parse().ok()).or(peer)
}
