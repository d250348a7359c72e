//! The screen.
//!
//! One loop ([`app`]) owns the terminal and the [`state::State`]. Whatever happens becomes an [`event::AppEvent`];
//! [`update::update`] is pure and answers with [`effect::Effect`]s; [`effects`] carries those out on other threads;
//! [`view::draw`] reads the state and draws it. Not its job: running engines (a run is a process, see [`crate::run`]) and
//! writing to stores (see [`crate::change`]).

pub mod command;
pub mod effect;
pub mod event;
mod external_editor;
pub mod keymap;
pub mod layer;
pub mod layout;
pub mod page;
pub mod sign;
mod signals;
pub mod state;
mod terminal;
pub mod theme;
pub mod update;
pub mod view;
mod watch;
