//! Team memory: one set of memories for everybody who works on a repository, kept by a server.
//!
//! What both ends have to agree on lies here: which names an entry may have ([`key`]), how contents are told apart
//! ([`sum`]), and the bodies that travel ([`wire`]). The server is `server`, in a build with that feature. Not its job: writing to a store (`crate::change` does).

pub mod key;
pub mod repository;
#[cfg(feature = "server")]
pub mod server;
pub mod sum;
pub mod wire;
