//! What a statement is about, a repository of an organisation, and who acts on it.
//!
//! Not its job: whether they may (see `super::super::caller`).

use sqlx::Any;
use sqlx::any::AnyArguments;
use sqlx::query::Query;

use super::write::{Author, Note};
use crate::team::repository::Repository;

/// A statement with what is bound to it so far.
pub(super) type Statement = Query<'static, Any, AnyArguments>;

/// A repository of an organisation: the columns that every key begins with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) organization: &'a str,
    pub(crate) repository: &'a Repository,
}

impl Place<'_> {
    /// A statement whose `$1` and `$2` are this place; what it asks for beside is bound from `$3` on.
    pub(super) fn query(self, statement: &'static str) -> Statement {
        sqlx::query(statement).bind(self.organization).bind(self.repository.folded())
    }

    /// The same about one entry: `$3` is its key.
    pub(super) fn query_entry(self, statement: &'static str, path: &str) -> Statement {
        self.query(statement).bind(path)
    }
}

/// Binds when something was written (RFC 3339), with which token and by whom: the columns that a row of an entry or of its
/// history ends with.
pub(super) fn written(query: Statement, at: &str, token: &str, actor: &str) -> Statement {
    query.bind(at).bind(token).bind(actor)
}

/// Somebody changes a repository.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Act<'a> {
    pub(crate) place: Place<'a>,
    pub(crate) author: &'a Author,
    /// RFC 3339.
    pub(crate) now: &'a str,
}

impl<'a> Act<'a> {
    /// Its line for the audit.
    pub(super) fn note(self, action: &'a str, version: i64, details: String) -> Note<'a> {
        let Self { place: Place { organization, repository }, author, now } = self;
        Note { organization, repository: repository.as_str(), author, now, action, version, details }
    }
}
