//! Whose `memory/team/` is: the repository and the server that a store shares with, as it first was or as a person said.
//!
//! A folder's name is no proof of a project, a remote can be set to another address, and one line of the configuration
//! serves every project: what lies in a store goes to no other repository, and to no other server, before a person says so.
//! Not its job: which repository a checkout names (see [`super::settings`]).

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::record::{RecordPlace, records_beside};
use super::settings::Settings;
use crate::config::TeamConfig;
use crate::lock_file;
use crate::project::git::{git_root, physical};
use crate::project::{Choice, recorded_paths};
use crate::state::{StateDir, files};
use crate::team::repository::Repository;

/// The name of the format.
const FORMAT: &str = "team-share";

/// What a store shares with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Share {
    /// The server.
    url: String,
    /// The repository.
    repository: String,
    /// Other projects of the same folder, which a person knew of when they said so.
    others: BTreeSet<PathBuf>,
}

/// Why nothing is shared before a person says whose `memory/team/` is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// It went to another repository, or another server, before.
    #[error(
        "nothing was sent or taken: memory/team/ of this store is shared with {was}, and here it would be shared with {repository} on {url}. If all that lies there belongs to {repository} on {url}, say `dreamtop team share {repository}`; else put the remote origin or the configuration right"
    )]
    Other {
        /// What it was shared with, in words.
        was: String,
        /// What it would be shared with.
        repository: String,
        /// On which server.
        url: String,
    },
    /// Other projects keep their memory in the same folder.
    #[error(
        "nothing was sent or taken: {} keep their memory in the same folder as this project, and whose memory/team/ is cannot be told by it. If all that lies there, and what their sessions write there, may go to {repository}, say `dreamtop team share {repository}`",
        .others.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
    )]
    Twins {
        /// Where they are.
        others: Vec<PathBuf>,
        /// What it would be shared with.
        repository: String,
    },
    /// Nothing but one line of the configuration, which counts for every folder without a remote, says whose it is.
    #[error(
        "nothing was sent or taken: this folder has no remote origin, and team.repository names {repository} for every folder without one. If this one belongs to it, say `dreamtop team share {repository}` here"
    )]
    Unnamed {
        /// What it would be shared with.
        repository: String,
    },
}

/// Where that is kept for a store.
#[derive(Clone, Debug)]
pub struct SharePlace {
    state: StateDir,
    store: PathBuf,
    /// Other projects whose transcripts lie in the folder of this store, of another repository or of none that is known.
    others: Vec<PathBuf>,
}

impl SharePlace {
    /// Of a project's store.
    #[must_use]
    pub fn of(state: &StateDir, choice: &Choice, config: &TeamConfig, settings: &Settings) -> Self {
        let others = others(choice, config, &settings.repository);
        Self { state: state.clone(), store: choice.store.root().to_owned(), others }
    }

    fn dir(&self) -> PathBuf {
        self.state.store(&self.store).join("team")
    }

    fn path(&self) -> PathBuf {
        self.dir().join("share.json")
    }

    /// What speaks against sharing with this repository on this server; `None`: nothing does.
    #[must_use]
    pub fn doubt(&self, settings: &Settings) -> Option<Doubt> {
        self.doubt_of(files::read_known(&self.path()).as_ref(), settings)
    }

    fn doubt_of(&self, known: Option<&Share>, settings: &Settings) -> Option<Doubt> {
        let (repository, url) = (settings.repository.as_str().to_owned(), settings.url.clone());
        let own = RecordPlace::of(&self.state, &self.store, &url, &settings.repository);
        let is_same = |share: &&Share| share.url == url && share.repository == settings.repository.folded();
        // An address at which nobody ever answered was no team's.
        let before = known.filter(|share| !is_same(share) && self.has_met(share));
        if let Some(Share { url: at, repository: of, .. }) = before {
            return Some(Doubt::Other { was: format!("{of} on {at}"), repository, url });
        }
        let same = known.filter(is_same);
        // Syncs of a time when nothing was noted.
        let earlier = if known.is_none() { records_beside(&own) } else { Vec::new() };
        if let Some(was) = earlier.into_iter().next() {
            return Some(Doubt::Other { was, repository, url });
        }
        let told = same.map(|share| share.others.clone()).unwrap_or_default();
        if self.others.iter().any(|other| !told.contains(other)) {
            return Some(Doubt::Twins { others: self.others.clone(), repository });
        }
        (!settings.is_proven && same.is_none() && !own.has_met()).then_some(Doubt::Unnamed { repository })
    }

    fn has_met(&self, share: &Share) -> bool {
        share
            .repository
            .parse::<Repository>()
            .map_or(true, |repository| RecordPlace::of(&self.state, &self.store, &share.url, &repository).has_met())
    }

    /// Notes what the store shares with from now on, unless something speaks against it.
    ///
    /// # Errors
    /// When the state directory cannot be written, or another process is at it.
    pub fn claim(&self, settings: &Settings) -> io::Result<Result<(), Doubt>> {
        let _lock = self.lock()?;
        let known: Option<Share> = files::read_known(&self.path());
        if let Some(doubt) = self.doubt_of(known.as_ref(), settings) {
            return Ok(Err(doubt));
        }
        self.write(known.as_ref(), settings, BTreeSet::new()).map(Ok)
    }

    /// Notes what a person said: all that lies there belongs to this repository, on this server.
    ///
    /// # Errors
    /// As [`SharePlace::claim`].
    pub fn confirm(&self, settings: &Settings) -> io::Result<()> {
        let _lock = self.lock()?;
        let known: Option<Share> = files::read_known(&self.path());
        self.write(known.as_ref(), settings, self.others.iter().cloned().collect())
    }

    fn write(&self, known: Option<&Share>, settings: &Settings, more: BTreeSet<PathBuf>) -> io::Result<()> {
        let (url, repository) = (settings.url.clone(), settings.repository.folded());
        let mut others = more;
        if let Some(known) = known
            && (&known.url, &known.repository) == (&url, &repository)
        {
            others.extend(known.others.iter().cloned());
        }
        let share = Share { url, repository, others };
        if known == Some(&share) { Ok(()) } else { files::write(&self.path(), FORMAT, &share) }
    }

    fn lock(&self) -> io::Result<lock_file::Lock> {
        let busy = || io::Error::other("another process is just looking whose memory/team/ is; try again");
        lock_file::try_take(&self.dir().join("share.lock"))?.ok_or_else(busy)
    }
}

/// The other projects of the folder in which a store lies, but for checkouts of the same repository.
fn others(choice: &Choice, config: &TeamConfig, repository: &Repository) -> Vec<PathBuf> {
    let Some(home) = &choice.home else { return Vec::new() };
    let folder =
        choice.store.root().parent().and_then(Path::file_name).map(|name| home.folder(&name.to_string_lossy()));
    let Some(project) = folder.filter(|folder| folder.store == choice.store) else { return Vec::new() };
    let place = |path: &Path| git_root(path).unwrap_or_else(|| physical(path));
    let own = choice.checkout.as_deref().map(place);
    let is_other = |path: &PathBuf| {
        let is_own = Some(place(path)) == own;
        let is_same = || super::settings::named_by_origin(config, path).is_some_and(|other| other == *repository);
        !is_own && !is_same()
    };
    recorded_paths(&project).into_iter().filter(is_other).collect()
}
