//! `/v1/export` and `/v1/import`: everything of an organisation as lines of JSON, and back.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Extension, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::mpsc;

use super::json;
use super::memory::secrets;
use crate::team::server::App;
use crate::team::server::body::Unread;
use crate::team::server::caller::Caller;
use crate::team::server::failure::Refused;
use crate::team::server::request;
use crate::team::server::store::{Dump, Note, Refusal};
use crate::team::server::token::Role;

/// The type of lines of JSON.
const LINES: &str = "application/x-ndjson";
/// Lines that wait for a slow client.
const WAITING: usize = 16;

/// `GET /v1/export`.
pub(super) async fn export(State(app): State<Arc<App>>, caller: Caller) -> Result<Response, Refused> {
    caller.has(Role::Admin)?;
    let now = app.now();
    let note = Note {
        organization: &caller.organization,
        repository: "",
        author: &caller.author,
        now: &now,
        action: "export",
        version: 0,
        details: "{}".to_owned(),
    };
    app.store.note(&note).await?;
    let (out, lines) = mpsc::channel::<Vec<u8>>(WAITING);
    let store = app.store.clone();
    let organization = caller.organization;
    tokio::spawn(async move {
        // The answer has begun: that something went wrong shows in the end that is missing.
        if let Err(error) = store.dump(Some(&organization), &now, &out).await {
            tracing::error!(error = %error, "an export broke off");
        }
    });
    let next = |mut lines: mpsc::Receiver<Vec<u8>>| async move {
        let line = lines.recv().await?;
        Some((Ok::<_, std::convert::Infallible>(Bytes::from(line)), lines))
    };
    Ok(([(CONTENT_TYPE, LINES)], Body::from_stream(stream::unfold(lines, next))).into_response())
}

/// `POST /v1/import`: into the caller's organisation, only repositories that are not there; no tokens.
pub(super) async fn import(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    Extension(body): Extension<Unread>,
) -> Result<Response, Refused> {
    caller.has(Role::Admin)?;
    request::is_of_type(&headers, LINES)?;
    let bytes = body.read(app.limits.import, app.limits.read).await?;
    let limits = app.limits.clone();
    let read = move || {
        let dump = Dump::read(bytes.as_slice()).map_err(|error| Refused::bad("bad_export", error))?;
        for (key, text) in dump.texts() {
            request::checked(key, text, &limits)?;
        }
        let (entries, largest) = dump.largest();
        if entries > limits.entries {
            return Err(Refusal::TooMany { max: limits.entries, received: entries }.into());
        }
        if largest > limits.repository_bytes {
            return Err(Refusal::TooLarge { max: limits.repository_bytes, received: largest }.into());
        }
        let findings = secrets(dump.texts());
        if findings.is_empty() { Ok(dump) } else { Err(Refused::secrets(findings)) }
    };
    let internal = |_| Refused::of_status(StatusCode::INTERNAL_SERVER_ERROR);
    let dump = tokio::task::spawn_blocking(read).await.map_err(internal)??;
    let (max, there) = (app.limits.repositories, app.store.repositories(&caller.organization).await?);
    if there.saturating_add(dump.count()) > max {
        return Err(Refusal::TooManyRepositories { max }.into());
    }
    let restored = app.store.restore(&dump, Some(&caller.organization), &caller.author, &app.now()).await?;
    Ok(json(&restored))
}
