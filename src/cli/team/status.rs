//! `team status`: how each entry stands, as of the last look at the server.

use serde_json::json;

use super::super::context::Context;
use super::super::exit;
use super::super::output::{Failure, Meaning};
use super::open;
use crate::change::InboxEntry;
use crate::team::client::local::Local;
use crate::team::client::status::{Standing, rows};
use crate::text::visible;

/// Lists the entries. Asks nobody.
pub(super) fn run(context: &Context) -> Result<u8, Failure> {
    let shared = open(context)?;
    let local = Local::read(shared.store.root())?;
    let (record, damage) = shared.place.read();
    damage.iter().for_each(|damage| context.output.notice(damage));
    let inbox: Vec<InboxEntry> = shared.door.inbox(&shared.store).unwrap_or_default();
    let rows = rows(&local, &record, &inbox, context.clock.today());
    let doubt = shared.doubt();
    let repository = shared.settings.repository.as_str();
    let object = json!({
        "url": shared.settings.url, "repository": repository, "version": record.version, "sync": context.config.team.sync.word(),
        "entries": rows, "last": record.last, "doubt": doubt.as_ref().map(ToString::to_string), "refused": record.refused.as_ref().map(|refusal| &refusal.words),
    });
    context.output.answer(&object, |page| {
        page.line(page.paint(&format!("{repository} on {}", shared.settings.url), Meaning::Strong))?;
        if let Some(doubt) = &doubt {
            page.line(page.paint(&doubt.to_string(), Meaning::Warn))?;
        } else if rows.is_empty() {
            page.line(
                "no entries yet: offer one with `dreamtop team promote`, or take the team's with `dreamtop team pull`",
            )?;
        }
        for row in &rows {
            let meaning = match row.standing {
                Standing::Same | Standing::Rejected | Standing::Hidden => Meaning::Dim,
                Standing::Conflict | Standing::Waiting | Standing::Blocked => Meaning::Warn,
                _ => Meaning::Strong,
            };
            let words: Vec<&str> = row.reason.iter().chain(&row.review).map(String::as_str).collect();
            let reason = if words.is_empty() { String::new() } else { format!(": {}", visible(&words.join("; "))) };
            page.line(format!("{:<26} {}{reason}", page.paint(row.standing.words(), meaning), visible(&row.file)))?;
        }
        if let Some(last) = &record.last {
            let at = last.at.format("%Y-%m-%d %H:%M");
            page.line(format!("last sync {at} UTC, by {}: {}", visible(&last.by), visible(&last.words)))?;
        }
        if let Some(refusal) = &record.refused {
            let line = format!("the server refused the token: {}", refusal.words);
            page.line(page.paint(&line, Meaning::Bad))?;
        }
        Ok(())
    })?;
    let codes = rows.iter().map(|row| match row.standing {
        Standing::Same | Standing::Rejected | Standing::Hidden => exit::DONE,
        Standing::ToSend | Standing::ToReceive | Standing::ToRestore | Standing::Gone => exit::FINDINGS,
        Standing::Conflict | Standing::Waiting | Standing::Blocked => exit::PERSON,
    });
    Ok(codes.chain(doubt.map(|_| exit::PERSON)).max().unwrap_or(exit::DONE))
}
