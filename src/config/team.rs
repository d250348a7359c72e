//! `team:`: where the team's server is, which repository is meant, and when anything is sent. Not its job: speaking to the
//! server (`crate::team`).

use std::collections::BTreeMap;

/// When a project's team memories are exchanged with the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TeamSync {
    /// When a person says so.
    #[default]
    Off,
    /// Also by itself, a little after they changed here.
    AfterLanding,
}

impl TeamSync {
    /// The word in the configuration.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::AfterLanding => "after-landing",
        }
    }
}

/// `team:`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamConfig {
    /// `url`: where the server is, without the path of the API. `None`: there is no team.
    pub url: Option<String>,
    /// `repository`: `owner/name`, for a checkout that has no other of its own.
    pub repository: Option<String>,
    /// `repositories`: the repository whose memories a checkout shares, by the one that its `origin` names.
    pub repositories: BTreeMap<String, String>,
    /// `token_file`: the file that holds the token.
    pub token_file: Option<String>,
    /// `token_command`: a program and its arguments, whose first line of output it is.
    pub token_command: Vec<String>,
    /// `token_env`: the variable that holds it; `DREAMTOP_TEAM_TOKEN` where nothing is said.
    pub token_env: Option<String>,
    /// `sync`.
    pub sync: TeamSync,
    /// `proxy`: an URL; `none` goes by none. Without it `HTTPS_PROXY` and `HTTP_PROXY` hold.
    pub proxy: Option<String>,
    /// `insecure`: whether http:// may lead to another machine, where anybody on the way can read all of it.
    pub insecure: bool,
}
