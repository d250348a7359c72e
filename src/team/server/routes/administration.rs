//! `/v1/tokens` and `/v1/audit`: who may do what, and who did. For administrators, and within their organisation.

use std::sync::Arc;

use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json as object};

use super::json;
use crate::team::server::App;
use crate::team::server::body::Unread;
use crate::team::server::caller::Caller;
use crate::team::server::failure::Refused;
use crate::team::server::request::{self, Asked};
use crate::team::server::store::{Kept, Line};
use crate::team::server::token::{Minted, Role, Wanted};

/// The most lines in one answer.
const PAGE: u64 = 500;

/// `GET /v1/tokens`: never their texts.
pub(super) async fn tokens(State(app): State<Arc<App>>, caller: Caller) -> Result<Response, Refused> {
    caller.has(Role::Admin)?;
    let tokens = app.store.tokens(&caller.organization).await?;
    Ok(json(&object!({ "tokens": tokens.iter().map(row).collect::<Vec<_>>() })))
}

fn row(kept: &Kept) -> Value {
    object!({
        "id": kept.id, "label": kept.label, "role": kept.role, "repositories": kept.scope.as_str(),
        "created": kept.created, "expires": kept.expires, "revoked": kept.revoked,
    })
}

/// The body of a request for a token.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct New {
    label: String,
    role: String,
    #[serde(default)]
    repositories: Option<String>,
    #[serde(default)]
    expires: Option<String>,
}

/// `POST /v1/tokens`: the answer is the only place where its text ever stands.
pub(super) async fn new_token(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    Extension(body): Extension<Unread>,
) -> Result<Response, Refused> {
    caller.has(Role::Admin)?;
    request::is_json(&headers)?;
    let bytes = body.read(app.limits.body, app.limits.read).await?;
    let message = "a token is {\"label\", \"role\", \"repositories\", \"expires\"}, all of them texts";
    let new: New = serde_json::from_slice(&bytes).map_err(|_| Refused::bad("bad_json", message))?;
    let wanted = Wanted {
        organization: &caller.organization,
        label: &new.label,
        role: &new.role,
        repositories: new.repositories.as_deref(),
        expires: new.expires.as_deref(),
    };
    let minted = Minted::new();
    let kept = wanted.check(&minted, app.clock.now()).map_err(|error| Refused::bad("bad_token", error))?;
    app.store.keep_token(&kept, &caller.author).await?;
    let mut answer = row(&kept);
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("token".to_owned(), minted.text.into());
    }
    Ok((StatusCode::CREATED, json(&answer)).into_response())
}

/// `DELETE /v1/tokens/ID`.
pub(super) async fn revoke(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, Refused> {
    caller.has(Role::Admin)?;
    let is_revoked = app.store.revoke(&caller.organization, &id, &caller.author, &app.now()).await?;
    if !is_revoked {
        return Err(Refused::missing("there is no such token, or it is revoked already"));
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `GET /v1/audit[?repo=][&below=][&limit=]`.
pub(super) async fn audit(State(app): State<Arc<App>>, caller: Caller, asked: Asked) -> Result<Response, Refused> {
    caller.has(Role::Admin)?;
    let repository = asked.value("repo")?.map(|_| asked.repository()).transpose()?;
    let name = repository.map(|repository| repository.folded()).unwrap_or_default();
    let below = asked.value("below")?.unwrap_or_default();
    if !below.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(Refused::bad("bad_query", "below is the id of a line"));
    }
    let most = asked.number("limit")?.unwrap_or(PAGE).clamp(1, PAGE);
    let lines = app.store.audit(&caller.organization, &name, below, i64::try_from(most).unwrap_or(1)).await?;
    let next = lines.last().filter(|_| lines.len() as u64 == most).map(|line: &Line| line.id.clone());
    Ok(json(&object!({ "audit": lines, "below": next })))
}
