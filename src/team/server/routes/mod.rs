//! What can be asked: one file a subject. Not its job: limits that hold for every request (`super::observe`).

mod memory;

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::App;
use super::failure::Refused;
use crate::team::wire;

/// All of it.
pub(super) fn all() -> Router<Arc<App>> {
    Router::new()
        .route(wire::PATH, get(memory::get).put(memory::put))
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
