//! Who did what: one line for each change, never the text.

use sqlx::AnyConnection;

use super::StoreError;
use super::write::Note;
use crate::team::server::token::random_hex;

/// Writes a line down, in the transaction of what it tells of.
pub(super) async fn note(connection: &mut AnyConnection, note: &Note<'_>) -> Result<(), StoreError> {
    let micros = chrono::DateTime::parse_from_rfc3339(note.now).map_or(0, |at| at.timestamp_micros());
    sqlx::query(
        "INSERT INTO audit (organization, id, moment, action, repository, version, token, actor, details) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(note.organization)
    // Digits and small letters only: they have one order in every database's language.
    .bind(format!("{micros:016}{}", random_hex(4)))
    .bind(note.now)
    .bind(note.action)
    .bind(note.repository.to_ascii_lowercase())
    .bind(note.version)
    .bind(note.author.token.as_str())
    .bind(note.author.actor.as_str())
    .bind(note.details.as_str())
    .execute(connection)
    .await?;
    Ok(())
}
