//! The screen.
//!
//! One loop ([`app`]) owns the terminal and the [`state::State`]. Whatever happens becomes an [`event::AppEvent`];
//! [`update::update`] is pure and answers with [`effect::Effect`]s; [`effects`] carries those out on other threads;
//! [`view::draw`] reads the state and draws it. Not its job: running engines (a run is a process, see [`crate::run`]) and
//! writing to stores (see [`crate::change`]).

pub mod command;
pub mod effect;
pub mod event;
pub mod keymap;
pub mod layer;
pub mod layout;
pub mod page;
pub mod sign;
pub mod state;
pub mod theme;
pub mod update;
pub mod view;
