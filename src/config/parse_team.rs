//! The `team` section.

use super::catalog::REPOSITORY;
use super::kinds::{command, proxy, text, url};
use super::section::{Problem, Section, scalar};
use super::team::{TeamConfig, TeamSync};

const TEAM: [&str; 9] =
    ["url", "repository", "repositories", "token_file", "token_command", "token_env", "sync", "proxy", "insecure"];

/// Understands the section.
pub(super) fn team(section: &Section<'_>, into: &mut TeamConfig) -> Result<(), Problem> {
    if section.value("token").is_some() {
        let message =
            "team.token: a token does not belong in this file; say where it is: token_env, token_file or token_command";
        return Err(Problem { line: section.line("token"), message: message.to_owned() });
    }
    section.known(&TEAM)?;
    url(section, "url", "https://…", &mut into.url)?;
    text(section, "repository", REPOSITORY, &mut into.repository)?;
    if let (Some(value), Some(name)) = (section.value("repository"), &into.repository)
        && !is_repository(name)
    {
        return Err(section.bad("repository", value, REPOSITORY));
    }
    if let Some(repositories) = section.section("repositories")? {
        for (of, is) in repositories.map {
            let of = scalar(of).unwrap_or_default();
            let name = scalar(is).filter(|name| is_repository(name) && !of.is_empty());
            let name = name.ok_or_else(|| repositories.bad(&of, is, "what origin names: owner/name"))?;
            into.repositories.insert(of.to_ascii_lowercase(), name);
        }
    }
    text(section, "token_env", "the name of a variable", &mut into.token_env)?;
    text(section, "token_file", "the path of a file", &mut into.token_file)?;
    command(section, "token_command", "`pass show token`, or [pass, show, token]", &mut into.token_command)?;
    section.choice("sync", &["off", "after-landing"], |word| {
        into.sync = if word == "after-landing" { TeamSync::AfterLanding } else { TeamSync::Off };
    })?;
    proxy(section, &mut into.proxy)?;
    section.switch("insecure", &mut into.insecure)
}

/// Whether a text could be a repository; what exactly one is, the team's floor knows.
fn is_repository(text: &str) -> bool {
    text.split_once('/').is_some_and(|(owner, name)| !owner.is_empty() && !name.is_empty() && !name.contains('/'))
}
