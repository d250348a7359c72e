//! `/healthz`, `/readyz`, `/metrics`: for whatever watches the server.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{CONTENT_TYPE, FORWARDED, VIA};
use axum::response::{IntoResponse, Response};
use serde_json::json as object;

use super::json;
use crate::team::server::App;
use crate::team::server::caller::Caller;
use crate::team::server::failure::Refused;
use crate::team::server::token::Role;

/// How long the database may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// `GET /healthz`: the process lives.
pub(super) async fn live() -> Response {
    json(&object!({ "status": "ok" }))
}

/// `GET /readyz`: it can serve.
pub(super) async fn ready(State(app): State<Arc<App>>) -> Result<Response, Refused> {
    if app.is_stopping.load(Ordering::Relaxed) {
        return Err(Refused::unavailable("it is stopping"));
    }
    match tokio::time::timeout(PATIENCE, app.store.answers()).await {
        Ok(Ok(())) => Ok(json(&object!({ "status": "ready" }))),
        _ => Err(Refused::unavailable("the database does not answer")),
    }
}

/// `GET /metrics`: for an administrator, or for whoever asks a server that only this machine can ask. A proxy on this
/// machine passes on what others ask.
pub(super) async fn metrics(State(app): State<Arc<App>>, request: Request) -> Result<Response, Refused> {
    let (mut parts, _) = request.into_parts();
    let headers = &parts.headers;
    let is_passed_on =
        headers.contains_key(FORWARDED) || headers.contains_key(VIA) || headers.contains_key("x-forwarded-for");
    if !app.is_loopback || app.is_behind_proxy || is_passed_on {
        Caller::from_request_parts(&mut parts, &app).await?.has(Role::Admin)?;
    }
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.text()).into_response())
}
