//! `team share`: say which repository what lies in `memory/team/` belongs to.

use serde_json::json;

use super::super::args::TeamShare;
use super::super::context::Context;
use super::super::exit;
use super::super::output::Failure;
use super::open;
use crate::team::repository::Repository;
use crate::text::visible;

/// Notes it. The name has to be the one that the checkout and the configuration come to: typed, it is no slip.
pub(super) fn run(context: &Context, arguments: &TeamShare) -> Result<u8, Failure> {
    let shared = open(context)?;
    let settings = &shared.settings;
    let meant: Repository = arguments.repository.parse().map_err(Failure::usage)?;
    if meant != settings.repository {
        return Err(Failure::usage(format!(
            "from here memories are shared with {}, not with {meant}: that is what the remote origin of this checkout, team.repository and team.repositories in config.yaml come to",
            settings.repository
        )));
    }
    shared.share.confirm(settings)?;
    let answer = json!({ "shares": settings.repository.as_str(), "url": settings.url });
    context.output.answer(&answer, |page| {
        page.line(format!(
            "what lies in memory/team/ of this store is shared with {} on {} from now on; `dreamtop team sync` does it",
            settings.repository,
            visible(&settings.url)
        ))
    })?;
    Ok(exit::DONE)
}
