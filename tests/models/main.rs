//! Models over HTTP, as the binary meets them: servers on loopback that speak each protocol, and go wrong in every way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, clippy::string_slice)]
#![allow(dead_code, missing_docs, unreachable_pub)]
#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/order.rs"]
mod order;

mod bench;
mod cases;
mod chat;
mod claude;
mod claude_left;
mod claude_reach;
mod claude_strays;
mod counts;
mod faults;
mod growth;
mod guards;
mod limits;
mod meaning;
mod messages;
mod proof;
mod runaway;
mod server;
mod stand_in;
mod values;
mod work;
