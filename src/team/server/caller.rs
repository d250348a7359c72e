//! Who asks: the token of a request, and what it allows.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use super::App;
use super::failure::Refused;
use super::observe::Seen;
use super::store::{Act, Author, Place};
use super::token::{self, Role, Scope};
use crate::team::repository::Repository;

/// Who asks.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    /// Whose data it is about; nobody sees another one's.
    pub(super) organization: String,
    pub(super) role: Role,
    pub(super) scope: Scope,
    pub(super) author: Author,
}

impl Caller {
    /// Lets pass who may do this with this repository.
    ///
    /// # Errors
    /// 403.
    pub(super) fn may(&self, role: Role, repository: &Repository) -> Result<(), Refused> {
        if !self.scope.holds(repository) {
            return Err(Refused::forbidden(format!("this token is not for {repository}")));
        }
        self.has(role)
    }

    /// Lets pass who has this role.
    ///
    /// # Errors
    /// 403.
    pub(super) fn has(&self, role: Role) -> Result<(), Refused> {
        if self.role < role {
            return Err(Refused::forbidden(format!("this needs a token with the role {role}; yours is {}", self.role)));
        }
        Ok(())
    }

    /// A repository of theirs.
    pub(super) fn place<'a>(&'a self, repository: &'a Repository) -> Place<'a> {
        Place { organization: &self.organization, repository }
    }

    /// What they do there at an instant (RFC 3339).
    pub(super) fn act<'a>(&'a self, repository: &'a Repository, now: &'a str) -> Act<'a> {
        Act { place: self.place(repository), author: &self.author, now }
    }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Refused> {
        let text = bearer(parts).ok_or_else(Refused::unauthorized)?;
        let id = token::id_of(text).ok_or_else(Refused::unauthorized)?;
        let kept = app.store.token(id).await?.ok_or_else(Refused::unauthorized)?;
        if !token::is_same(&token::digest(text), &kept.digest) || !kept.is_good(app.clock.now()) {
            return Err(Refused::unauthorized());
        }
        if let Some(seen) = parts.extensions.get::<Seen>() {
            seen.token(&kept.id);
        }
        app.rates.token(&kept.id)?;
        let author = Author { token: kept.id, actor: kept.label };
        Ok(Self { organization: kept.organization, role: kept.role, scope: kept.scope, author })
    }
}

/// The one bearer token of a request; two are none.
fn bearer(parts: &Parts) -> Option<&str> {
    let mut values = parts.headers.get_all(AUTHORIZATION).iter();
    let value = values.next()?.to_str().ok()?;
    if values.next().is_some() {
        return None;
    }
    let (scheme, text) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| text.trim())
}
