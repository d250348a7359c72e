//! Memories of a team: the binary against a server on loopback that speaks the contract and fails as it is told.
#![allow(unreachable_pub, missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, clippy::string_slice)]

#[path = "../common/mod.rs"]
mod common;

mod acts;
mod alone;
mod answers;
mod between;
mod conflicts;
mod converges;
mod desk;
mod faults;
mod overtaken;
mod plain;
mod resolved;
mod safety;
mod server;
mod told;
mod waits;
mod whose;
