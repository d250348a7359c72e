//! What every request to a server needs, whoever asks: the key, the way there, what went wrong on it, when to ask again.
//!
//! Not its job: what is asked (`crate::engine` asks models, `crate::team` a team's server).

pub mod advice;
pub mod client;
pub mod credential;
pub mod failure;
