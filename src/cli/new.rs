//! `new`: writes a new memory.

use std::io::Read;

use super::args::New;
use super::context::{Context, store_failure};
use super::landing;
use super::output::Failure;
use crate::change::{Consent, verbs};
use crate::memory::{Draft, Kind, Snapshot, StoreError};

/// Creates.
pub(super) fn run(context: &Context, arguments: &New) -> Result<u8, Failure> {
    let kind = parse_kind(&arguments.kind)?;
    let choice = context.choose()?;
    context.recover(&choice);
    let snapshot = match choice.store.scan(&context.scan_options()) {
        // The first memory makes the store.
        Err(StoreError::Missing(_)) => Snapshot::empty(choice.store.clone(), context.clock.now()),
        scanned => scanned.map_err(store_failure)?,
    };
    let body = match arguments.body.as_deref() {
        Some("-") => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text)?;
            text
        }
        Some(body) => body.to_owned(),
        None => arguments.description.clone(),
    };
    let draft = Draft {
        name: arguments.name.clone(),
        description: arguments.description.clone(),
        kind,
        body,
        origin_session: None,
        modified: context.clock.now(),
    };
    let landed = context
        .door()
        .land(&choice.store, &verbs::create(&snapshot, &draft), Consent::Person)
        .map_err(landing::failure)?;
    landing::conclude(context, &landed)
}

/// The type a word names, or a failure that names the four.
pub(super) fn parse_kind(word: &str) -> Result<Kind, Failure> {
    Kind::from_word(word)
        .ok_or_else(|| Failure::usage(format!("--type {word}: there are user, feedback, project and reference")))
}
