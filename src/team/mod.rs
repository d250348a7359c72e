//! Team memory: one set of memories for everybody who works on a repository, kept by a server.
//!
//! What both ends have to agree on lies here: which names an entry may have ([`key`]), how contents are told apart
//! ([`sum`]), and the bodies that travel ([`wire`]). The end beside a store is [`client`]; the other one is `server`, in a
//! build with that feature. Not its job: writing to a store (`crate::change` does).

pub mod client;
pub mod key;
pub mod repository;
#[cfg(feature = "server")]
pub mod server;
pub mod sum;
pub mod wire;
