//! Orders.

pub mod repository;
