//! A project's store and what is shared of it: settings, door, and where the record of its syncs lies.
//!
//! Not its job: what a sync does (see [`super::sync`]), and telling a person of it.

use super::http::HttpRemote;
use super::local::Local;
use super::record::RecordPlace;
use super::report::{Report, SyncError};
use super::settings::{NotSet, Settings};
use super::share::{Doubt, SharePlace};
use super::status::has_to_send;
use super::sync::{Client, Rest, Wish};
use crate::change::Door;
use crate::config::{TeamConfig, TeamSync};
use crate::environment::Environment;
use crate::memory::Store;
use crate::project::Choice;

/// A store that is shared.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The door.
    pub door: Door,
    /// The project's store.
    pub store: Store,
    /// The server, the repository, the token's source.
    pub settings: Settings,
    /// Where the record lies.
    pub place: RecordPlace,
    /// Whose `memory/team/` is.
    pub share: SharePlace,
}

impl Shared {
    /// Of a project.
    ///
    /// # Errors
    /// When no team is set up, or in a way that cannot be right.
    pub fn of(door: Door, choice: &Choice, config: &TeamConfig, environment: &Environment) -> Result<Self, NotSet> {
        let settings = Settings::of(config, environment, choice.checkout.as_deref())?;
        let place = RecordPlace::of(door.state(), choice.store.root(), &settings.url, &settings.repository);
        let share = SharePlace::of(door.state(), choice, config, &settings);
        Ok(Self { door, store: choice.store.clone(), settings, place, share })
    }

    /// What speaks against sharing what lies here with this repository; `None`: nothing does.
    #[must_use]
    pub fn doubt(&self) -> Option<Doubt> {
        self.share.doubt(&self.settings)
    }

    /// The server. The token is read for it.
    ///
    /// # Errors
    /// In words, when there is no token.
    pub fn remote(&self) -> Result<HttpRemote, String> {
        HttpRemote::open(&self.settings, self.door.clock())
    }

    /// Does what is wished.
    ///
    /// # Errors
    /// As [`SyncError`] says.
    pub fn sync(&self, wish: &Wish, rest: Rest<'_>) -> Result<Report, SyncError> {
        // Before a token is asked for, and so before anything leaves.
        self.share.claim(&self.settings)??;
        let remote = self.remote().map_err(SyncError::NotSet)?;
        let credential = self.settings.credential(remote.token());
        let Self { door, store, settings, place, .. } = self;
        let (repository, credential) = (&settings.repository, credential.as_str());
        Client { door, store, remote: &remote, repository, place, credential, rest }.run(wish)
    }

    /// Whether a sync is to start by itself: that is switched on, something here is to be sent that was not tried in vain,
    /// and the server did not refuse the token.
    #[must_use]
    pub fn is_due(&self, sync: TeamSync) -> bool {
        let Ok(local) = Local::read(self.store.root()) else { return false };
        let record = self.place.read().0;
        let source = self.settings.source();
        let is_refused = record.refused.as_ref().is_some_and(|refusal| refusal.credential.starts_with(&source));
        let is_news = record.tried.as_ref() != Some(&local.picture());
        sync == TeamSync::AfterLanding
            && is_news
            && !is_refused
            && self.doubt().is_none()
            && has_to_send(&local, &record, &self.door.inbox(&self.store).unwrap_or_default())
    }
}
