//! Lanes: one thing at a time in each, and what may wait.
//!
//! In a lane of questions the newest waiting one replaces the others, because only its answer is wanted. In a lane of deeds
//! all wait their turn.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{World, find, perform};
use crate::change::unsaved::Unsaved;
use crate::project::Choice;
use crate::tui::effect::Effect;
use crate::tui::event::AppEvent;

/// What must not happen at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Lane {
    Scan,
    Check,
    Branch,
    Gates,
    Pause,
    Runs,
    Page,
    Difference,
    Review,
    Turn,
    Glance,
    Find,
    Tail,
    Stats,
    Foreign,
    Explain,
    Recall,
    Inbox,
    History,
    Views,
    Unsaved,
    Projects,
    Settings,
    Team,
    Sync,
    SyncByItself,
    Topic,
    Lint,
    Rename,
    Deeds,
    Kill,
}

impl Lane {
    fn of(effect: &Effect) -> Self {
        match effect {
            Effect::Rescan | Effect::OpenProject(_) => Self::Scan,
            Effect::Check => Self::Check,
            Effect::ReadBranch => Self::Branch,
            Effect::RefreshGates => Self::Gates,
            Effect::Pause { .. } => Self::Pause,
            Effect::RefreshRuns => Self::Runs,
            Effect::ReadPreview(_) => Self::Page,
            Effect::ReadRunDiff(_) | Effect::ReadImages(_) => Self::Difference,
            Effect::ReadReview { .. } => Self::Review,
            // What stands beside a list is asked for anew with every step: it must not keep a session waiting.
            Effect::ReadTurn(question) if question.is_glance => Self::Glance,
            Effect::ReadTurn(_) => Self::Turn,
            Effect::Find(_) | Effect::StopFind(_) => Self::Find,
            Effect::ReadTail(_) => Self::Tail,
            Effect::ReadStats => Self::Stats,
            Effect::RefreshForeign => Self::Foreign,
            Effect::Explain(_) => Self::Explain,
            Effect::Recall(_) => Self::Recall,
            Effect::ReadInbox => Self::Inbox,
            Effect::ReadHistory => Self::History,
            Effect::ListProjects | Effect::SurveyProjects { .. } => Self::Projects,
            Effect::ReadTeam => Self::Team,
            Effect::SyncTeam { .. } | Effect::HideEntry { .. } => Self::Sync,
            Effect::SyncTeamIfDue => Self::SyncByItself,
            Effect::ReadSettings | Effect::ChangeSetting { .. } | Effect::RestoreSettings { .. } => Self::Settings,
            Effect::KeepUnsaved { .. } | Effect::ReadUnsaved | Effect::DropUnsaved(_) | Effect::PartUnsaved { .. } => {
                Self::Unsaved
            }
            Effect::ReadViews | Effect::SaveView(_) | Effect::ForgetView(_) => Self::Views,
            Effect::ReadPromotion(_) | Effect::ReadTopic(_) | Effect::ReadForIndex(_) | Effect::ReadUnion { .. } => {
                Self::Topic
            }
            Effect::Lint(_) => Self::Lint,
            Effect::PreviewRename(_) => Self::Rename,
            Effect::Kill(_) => Self::Kill,
            Effect::Recover
            | Effect::Do(_)
            | Effect::Dream { .. }
            | Effect::Quit
            | Effect::Suspend
            | Effect::CaptureMouse(_)
            | Effect::Repaint
            | Effect::Copy(_)
            | Effect::OpenExternalEditor(_)
            | Effect::EditSettings { .. } => Self::Deeds,
        }
    }

    /// Whether all that wait are done, or only the newest.
    const fn keeps_all(self) -> bool {
        matches!(self, Self::Deeds | Self::Kill | Self::Pause | Self::Settings | Self::Views | Self::Unsaved)
    }

    /// Whether the program waits for it before it ends.
    const fn must_finish(self) -> bool {
        matches!(self, Self::Deeds | Self::Kill | Self::Pause | Self::Settings | Self::Views | Self::Unsaved)
    }
}

/// What came of an effect.
#[derive(Debug)]
pub struct Report {
    /// The lane that is free now; `None`: the effect goes on, these are its first news.
    lane: Option<Lane>,
    /// The events, in order.
    pub events: Vec<AppEvent>,
}

/// Gives effects to threads.
#[derive(Debug)]
pub struct Runner {
    world: Arc<World>,
    waiting: HashMap<Lane, VecDeque<(Choice, Effect)>>,
    sender: UnboundedSender<Report>,
}

impl Runner {
    /// A runner, and where its reports arrive. Needs a tokio runtime.
    #[must_use]
    pub fn new(world: Arc<World>) -> (Self, UnboundedReceiver<Report>) {
        let (sender, receiver) = unbounded_channel();
        (Self { world, waiting: HashMap::new(), sender }, receiver)
    }

    /// Does an effect on what is shown, now or when its lane is free.
    pub fn submit(&mut self, shown: &Choice, effect: Effect) {
        // A search that goes on ends as soon as another one, or none, is wanted.
        match &effect {
            Effect::Find(question) => self.world.wanted.is_now(question.id),
            Effect::StopFind(id) => self.world.wanted.is_now(*id),
            _ => {}
        }
        let lane = Lane::of(&effect);
        match self.waiting.get_mut(&lane) {
            // The lane is busy.
            Some(queue) => {
                // Opening a project is no question: the rescan that follows it must not replace it.
                let replaces =
                    !lane.keeps_all() && !queue.iter().any(|(_, waiting)| matches!(waiting, Effect::OpenProject(_)));
                if replaces {
                    queue.clear();
                }
                queue.push_back((shown.clone(), effect));
            }
            None => {
                self.waiting.insert(lane, VecDeque::new());
                self.start(lane, shown.clone(), effect);
            }
        }
    }

    /// Takes note of a report: its lane goes on with what waits.
    pub fn finished(&mut self, report: &Report) {
        let Some(lane) = report.lane else { return };
        match self.waiting.get_mut(&lane).and_then(VecDeque::pop_front) {
            Some((shown, effect)) => self.start(lane, shown, effect),
            None => {
                self.waiting.remove(&lane);
            }
        }
    }

    /// Whether something is under way that must not be cut off.
    #[must_use]
    pub fn must_finish(&self) -> bool {
        self.waiting.keys().any(|lane| lane.must_finish())
    }

    /// A file is opened in the person's own editor: what it leads to then is what they mean.
    pub fn opened(&self, path: &std::path::Path) {
        self.world.opened.note(path);
    }

    /// Keeps an unsaved text, or drops what was kept of it, before anything else, for the program ends;
    /// whether that was possible.
    pub fn keep_at_once(&self, shown: &Choice, text: Option<Unsaved>) -> bool {
        // Keeping says nothing unless it failed.
        let store = shown.store.root().to_owned();
        perform(&self.world, shown, Effect::KeepUnsaved { store, text: text.map(Box::new) }).is_empty()
    }

    fn start(&self, lane: Lane, shown: Choice, effect: Effect) {
        let (world, sender) = (Arc::clone(&self.world), self.sender.clone());
        tokio::spawn(async move {
            // A panic in an effect is logged by the hook and frees the lane like any other end.
            let news = sender.clone();
            let work = move || match effect {
                Effect::Find(question) => {
                    find::search(&world, &shown, &question, &mut |event| {
                        let _ = news.send(Report { lane: None, events: vec![event] });
                    });
                    Vec::new()
                }
                effect => perform(&world, &shown, effect),
            };
            let events = tokio::task::spawn_blocking(work).await.unwrap_or_default();
            let _ = sender.send(Report { lane: Some(lane), events });
        });
    }
}
