//! `/v1/team_memory` and `/v1/history`: deleting an entry, what entries were, and erasing what must not be kept.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::json as object;

use super::json;
use crate::team::server::App;
use crate::team::server::caller::Caller;
use crate::team::server::failure::Refused;
use crate::team::server::request::{self, Asked};
use crate::team::server::store::{Delete, Version};
use crate::team::server::token::Role;

/// The most versions in one answer.
const PAGE: u64 = 200;

/// `DELETE /v1/team_memory?repo=&key=` with `If-Match` of the entry's sum.
pub(super) async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Refused> {
    let asked = Asked::of(&uri)?;
    let repository = asked.repository()?;
    let path = asked.key()?;
    caller.may(Role::Write, &repository)?;
    let sums = request::matches(&headers)?;
    let delete = Delete {
        organization: &caller.organization,
        repository: &repository,
        author: &caller.author,
        now: &app.now(),
        path,
        sums: &sums,
    };
    let stored = app.store.delete(&delete).await??;
    app.metrics.changed();
    let etag = stored.checksum.as_ref().map(request::etag);
    Ok((StatusCode::OK, etag.map(|etag| [etag]), json(&stored)).into_response())
}

/// `GET /v1/history?repo=[&key=][&version=][&below=][&limit=]`.
pub(super) async fn history(State(app): State<Arc<App>>, caller: Caller, uri: Uri) -> Result<Response, Refused> {
    let asked = Asked::of(&uri)?;
    let repository = asked.repository()?;
    caller.may(Role::Read, &repository)?;
    let path = if asked.value("key")?.is_some() { asked.key()? } else { "" };
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    if let Some(version) = asked.number("version")? {
        if path.is_empty() {
            return Err(Refused::bad("bad_query", "a version is one of a key: ?key=NAME.md is needed"));
        }
        let found = app.store.version(&caller.organization, &repository, path, number(version)).await?;
        return found.map(|version| json(&version)).ok_or_else(|| Refused::missing("there is no such version"));
    }
    let below = asked.number("below")?.map_or(i64::MAX, number);
    let most = number(asked.number("limit")?.unwrap_or(PAGE).clamp(1, PAGE));
    let versions = app.store.versions(&caller.organization, &repository, path, below, most).await?;
    // What came with one version of the repository stays together: a page that is full leaves its last version to the next.
    let is_full = versions.len() as u64 == number_of(most);
    let last = versions.last().map(Version::number).filter(|_| is_full);
    let is_one = versions.first().map(Version::number) == last;
    let shown: Vec<Version> = versions.into_iter().filter(|version| is_one || Some(version.number()) != last).collect();
    let next = last.map(|last| if is_one { last } else { last + 1 });
    Ok(json(&object!({ "repo": repository.as_str(), "versions": shown, "below": next })))
}

fn number_of(most: i64) -> u64 {
    u64::try_from(most).unwrap_or_default()
}

/// `DELETE /v1/history?repo=&key=&version=`: the text of a former version is gone for good.
pub(super) async fn erase(State(app): State<Arc<App>>, caller: Caller, uri: Uri) -> Result<Response, Refused> {
    let asked = Asked::of(&uri)?;
    let repository = asked.repository()?;
    let path = asked.key()?;
    caller.may(Role::Admin, &repository)?;
    let version = asked.number("version")?.and_then(|version| i64::try_from(version).ok());
    let version = version.ok_or_else(|| Refused::bad("bad_query", "?version=NUMBER is needed"))?;
    let now = app.now();
    let erased = app.store.erase(&caller.organization, &repository, path, version, &caller.author, &now).await?;
    if !erased {
        return Err(Refused::missing("there is no such former version; the present one is replaced or deleted first"));
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}
