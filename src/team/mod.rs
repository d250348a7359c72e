//! Team memory: one set of memories for everybody who works on a repository, kept by a server.
//!
//! What both ends have to agree on lies here: which names an entry may have ([`key`]), how contents are told apart
//! ([`sum`]), and the bodies that travel ([`wire`]); and the end that lies beside a store ([`client`]). Not its job: writing
//! to a store (`crate::change` does).

pub mod client;
pub mod key;
pub mod repository;
pub mod sum;
pub mod wire;
