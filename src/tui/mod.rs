//! The screen.
//!
//! One loop owns the terminal and the state; `update` is pure and returns effects; `view` draws from `&State`. Not its job:
//! running engines (a run is a process, see `crate::run`) and writing to stores (see `crate::change`).

mod external_editor;
mod signals;
mod terminal;
mod theme;
mod view;
mod watch;
