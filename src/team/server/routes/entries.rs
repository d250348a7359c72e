//! `/v1/team_memory` and `/v1/history`: deleting an entry, what entries were, and erasing what must not be kept.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json as object;

use super::json;
use crate::team::key;
use crate::team::server::App;
use crate::team::server::caller::Caller;
use crate::team::server::failure::Refused;
use crate::team::server::request::{self, Asked};
use crate::team::server::store::{Delete, Page, Version};
use crate::team::server::token::Role;

/// The most versions in one answer.
const PAGE: u64 = 200;

/// `DELETE /v1/team_memory?repo=&key=` with `If-Match` of the entry's sum.
pub(super) async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    asked: Asked,
) -> Result<Response, Refused> {
    let repository = asked.repository()?;
    let path = asked.key()?;
    caller.may(Role::Write, &repository)?;
    let sums = request::matches(&headers)?;
    let now = app.now();
    let delete = Delete { act: caller.act(&repository, &now), path, sums: &sums, versions: app.limits.versions };
    let stored = app.store.delete(&delete).await??;
    app.metrics.changed();
    let etag = stored.checksum.as_ref().map(request::etag);
    Ok((StatusCode::OK, etag.map(|etag| [etag]), json(&stored)).into_response())
}

/// `GET /v1/history?repo=[&key=][&version=][&below=[&after=]][&limit=]`.
pub(super) async fn history(State(app): State<Arc<App>>, caller: Caller, asked: Asked) -> Result<Response, Refused> {
    let repository = asked.repository()?;
    caller.may(Role::Read, &repository)?;
    let path = if asked.value("key")?.is_some() { asked.key()? } else { "" };
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    if let Some(version) = asked.number("version")? {
        if path.is_empty() {
            return Err(Refused::bad("bad_query", "a version is one of a key: ?key=NAME.md is needed"));
        }
        let found = app.store.version(caller.place(&repository), path, number(version)).await?;
        return found.map(|version| json(&version)).ok_or_else(|| Refused::missing("there is no such version"));
    }
    let below = asked.number("below")?.map_or(i64::MAX, number);
    let most = number(asked.number("limit")?.unwrap_or(PAGE).clamp(1, PAGE));
    let after = asked.value("after")?.unwrap_or_default();
    if !after.is_empty() {
        key::check(after).map_err(|_| Refused::bad("bad_query", "after is the key of an entry"))?;
    }
    let page = Page { below, after, most };
    let versions = app.store.versions(caller.place(&repository), path, page).await?;
    // A page may end amid what came with one version of the repository: the next one begins there, behind that entry.
    let is_full = usize::try_from(most).is_ok_and(|most| versions.len() == most);
    let last = versions.last().map(Version::place).filter(|_| is_full);
    let (below, after) = last.map(|(version, key)| (version.saturating_add(1), key)).unzip();
    Ok(json(&object!({ "repo": repository.as_str(), "versions": versions, "below": below, "after": after })))
}

/// `DELETE /v1/history?repo=&key=&version=`: the text of a former version is gone for good.
pub(super) async fn erase(State(app): State<Arc<App>>, caller: Caller, asked: Asked) -> Result<Response, Refused> {
    let repository = asked.repository()?;
    let path = asked.key()?;
    caller.may(Role::Admin, &repository)?;
    let version = asked.number("version")?.and_then(|version| i64::try_from(version).ok());
    let version = version.ok_or_else(|| Refused::bad("bad_query", "?version=NUMBER is needed"))?;
    let now = app.now();
    let erased = app.store.erase(caller.act(&repository, &now), path, version).await?;
    if !erased {
        return Err(Refused::missing("there is no such former version; the present one is replaced or deleted first"));
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}
