//! `/api/claude_code/team_memory`: reading a repository and writing to it, as every client of the contract does it.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use super::json;
use crate::secret;
use crate::team::server::App;
use crate::team::server::body::Unread;
use crate::team::server::caller::Caller;
use crate::team::server::failure::Refused;
use crate::team::server::request::{self, Asked};
use crate::team::server::store::{Put, Read, Written};
use crate::team::server::token::Role;
use crate::team::wire::{Content, Repo, SecretFound};

/// `GET`.
pub(super) async fn get(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    asked: Asked,
) -> Result<Response, Refused> {
    let repository = asked.repository()?;
    let with_texts = match asked.value("view")? {
        None | Some("full") => true,
        Some("hashes") => false,
        Some(_) => return Err(Refused::bad("bad_query", "view is hashes, or not given")),
    };
    caller.may(Role::Read, &repository)?;
    let nothing = || Refused::missing(format!("{repository} has no data yet; the first write takes If-None-Match: *"));
    // Most of what is asked has not changed: that answer needs no more than the sum.
    let sum = app.store.checksum(caller.place(&repository)).await?.ok_or_else(nothing)?;
    if request::has_already(&headers, &sum) {
        return Ok((StatusCode::NOT_MODIFIED, [request::etag(&sum)]).into_response());
    }
    // The texts are there twice while the answer is made of them.
    let bytes = if with_texts { 2 * app.store.bytes(caller.place(&repository)).await? } else { 0 };
    let taken = app.room.take(bytes).await?;
    let read = app.store.read(caller.place(&repository), with_texts).await?.ok_or_else(nothing)?;
    let etag = request::etag(&read.checksum);
    let body = body(caller.organization, read, with_texts);
    let head = [etag, (CACHE_CONTROL, "private, no-cache".to_owned())];
    let mut response = (StatusCode::OK, head, json(&body)).into_response();
    // Until it was sent: see `observe`.
    response.extensions_mut().insert(taken);
    Ok(response)
}

fn body(organization: String, read: Read, with_texts: bool) -> Repo {
    let (entries, at_top) = if with_texts { (Some(read.texts), None) } else { (None, Some(read.sums.clone())) };
    Repo {
        organization_id: organization,
        repo: read.spelled,
        version: read.version,
        last_modified: read.modified,
        checksum: Some(read.checksum),
        entry_checksums: at_top,
        content: Some(Content { entries, entry_checksums: Some(read.sums) }),
    }
}

/// `PUT`.
pub(super) async fn put(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    asked: Asked,
    Extension(body): Extension<Unread>,
) -> Result<Response, Refused> {
    let repository = asked.repository()?;
    caller.may(Role::Write, &repository)?;
    let precondition = request::precondition(&headers)?;
    request::is_json(&headers)?;
    let bytes = body.read(app.limits.body, app.limits.read).await?;
    let limits = app.limits.clone();
    // Parsing and scanning two megabytes would keep others waiting on this thread.
    let read = move || {
        let entries = request::entries(&bytes, &limits)?;
        let findings = secrets(entries.iter().map(|(key, text)| (key.as_str(), text.as_str())));
        if findings.is_empty() { Ok(entries) } else { Err(Refused::secrets(findings)) }
    };
    let entries = tokio::task::spawn_blocking(read)
        .await
        .map_err(|_| Refused::of_status(StatusCode::INTERNAL_SERVER_ERROR))??;
    let now = app.now();
    let put = Put { act: caller.act(&repository, &now), precondition: &precondition, entries: &entries };
    let Written { stored, is_change } = app.store.put(&put, &app.limits).await??;
    if is_change {
        app.metrics.changed();
    }
    let etag = stored.checksum.as_ref().map(request::etag);
    Ok((StatusCode::OK, etag.map(|etag| [etag]), json(&stored)).into_response())
}

/// What looks like a secret, by entry. A name that holds one is not repeated.
pub(super) fn secrets<'a>(entries: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<SecretFound> {
    let mut findings = Vec::new();
    for (key, text) in entries {
        if let Some(rule) = secret::in_name(key) {
            findings.push(SecretFound { key: secret::redacted_name(key), rule_id: rule.to_owned(), line: 0 });
        }
        let found = |hit: secret::SecretHit| SecretFound {
            key: secret::redacted_name(key),
            rule_id: hit.rule.to_owned(),
            line: hit.line as u64,
        };
        findings.extend(secret::scan(text.as_bytes()).into_iter().map(found));
    }
    findings
}
