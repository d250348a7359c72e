//! The memory for agents that speak the Model Context Protocol: over stdin and stdout, in four tools.
//!
//! They search, read, ask how healthy the memory is, and propose; a proposal waits in the inbox and never lands by itself.
//! Each call looks at the store anew. Not its job: the protocol (the crate `rmcp`), ranking (`crate::recall`), and what may
//! land (`crate::change`).

mod arguments;
mod health;
mod propose;
mod read;
mod search;
mod server;
mod tools;
mod world;

pub use server::serve;
pub use world::World;
