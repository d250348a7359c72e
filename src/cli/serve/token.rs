//! `serve token`: makes, lists and revokes tokens, on the database itself.

use serde::Serialize;

use super::run::{database, runtime};
use crate::cli::args::{Serve, TokenNew, TokenVerb};
use crate::cli::context::Context;
use crate::cli::exit;
use crate::cli::output::{Failure, Meaning};
use crate::team::server::{Operator, OperatorError, TokenRow, Wanted};
use crate::text;

#[derive(Debug, Serialize)]
struct Tokens {
    tokens: Vec<TokenRow>,
}

/// Does what was asked for.
pub(super) fn run(context: &Context, arguments: &Serve, verb: &TokenVerb) -> Result<u8, Failure> {
    let database = database(context, arguments)?;
    runtime()?.block_on(async {
        let operator = Operator::open(&database, context.clock.clone()).await?;
        match verb {
            TokenVerb::New(new) => make(context, &operator, new).await,
            TokenVerb::List => list(context, operator.tokens(None).await?),
            TokenVerb::Revoke { id } => {
                let Some(row) = operator.revoke(id).await? else {
                    let id = text::visible(id);
                    return Err(Failure::not_found(format!(
                        "there is no token {id}; `dreamtop serve token list` names them by their ids"
                    )));
                };
                context.output.answer(&serde_json::json!({ "revoked": row.id, "at": row.revoked }), |page| {
                    page.line(format_args!("{} is revoked since {}", row.id, row.revoked))
                })?;
                Ok(exit::DONE)
            }
        }
    })
}

async fn make(context: &Context, operator: &Operator, new: &TokenNew) -> Result<u8, Failure> {
    let wanted = Wanted {
        organization: &new.organization,
        label: &new.label,
        role: &new.role,
        repositories: new.repositories.as_deref(),
        expires: new.expires.as_deref(),
    };
    let row = operator.new_token(wanted).await.map_err(|error| match error {
        OperatorError::Wrong(message) => Failure::usage(message),
        error => error.into(),
    })?;
    // Only this: it can be piped to where it is needed.
    context.output.answer(&row, |page| page.line(row.token.as_deref().unwrap_or_default()))?;
    Ok(exit::DONE)
}

fn list(context: &Context, tokens: Vec<TokenRow>) -> Result<u8, Failure> {
    let now = context.clock.now();
    let object = Tokens { tokens };
    context.output.answer(&object, |page| {
        for row in &object.tokens {
            let is_over = |at: &str| chrono::DateTime::parse_from_rfc3339(at).is_ok_and(|at| at <= now);
            let (state, meaning) = match () {
                () if !row.revoked.is_empty() => (format!("revoked {}", row.revoked), Meaning::Dim),
                () if is_over(&row.expires) => (format!("expired {}", row.expires), Meaning::Dim),
                () if row.expires.is_empty() => ("good".to_owned(), Meaning::Good),
                () => (format!("good until {}", row.expires), Meaning::Good),
            };
            let label = text::visible(&row.label);
            let state = page.paint(&state, meaning);
            page.line(format_args!(
                "{}  {:5}  {}  {}  {label}  {state}",
                row.id, row.role, row.organization, row.repositories
            ))?;
        }
        Ok(())
    })?;
    Ok(exit::DONE)
}
