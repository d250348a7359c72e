//! What can be asked: one file a subject. Not its job: limits that hold for every request (`super::observe`).

mod administration;
mod entries;
mod health;
mod memory;
mod transfer;

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};

use super::App;
use super::failure::Refused;
use crate::team::wire;

/// Where an export is read in: the one place that takes a large body.
pub(super) const IMPORT: &str = "/v1/import";

/// All of it.
pub(super) fn all() -> Router<Arc<App>> {
    Router::new()
        .route(wire::PATH, get(memory::get).put(memory::put))
        .route("/v1/team_memory", delete(entries::delete))
        .route("/v1/history", get(entries::history).delete(entries::erase))
        .route("/v1/audit", get(administration::audit))
        .route("/v1/tokens", get(administration::tokens).post(administration::new_token))
        .route("/v1/tokens/{id}", delete(administration::revoke))
        .route("/v1/export", get(transfer::export))
        .route(IMPORT, post(transfer::import))
        .route("/healthz", get(health::live))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .fallback(|| async { Refused::missing("there is nothing at this path") })
        .method_not_allowed_fallback(|| async { Refused::of_status(StatusCode::METHOD_NOT_ALLOWED) })
}

/// An answer's body.
fn json(value: &impl serde::Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(bytes) => ([(CONTENT_TYPE, "application/json")], bytes).into_response(),
        Err(_) => Refused::of_status(StatusCode::INTERNAL_SERVER_ERROR).into_response(),
    }
}
