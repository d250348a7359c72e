//! Reading sessions and finding projects, by the library's front door: damaged and huge transcripts, who speaks, and
//! which store belongs to which place.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

mod choosing;
mod conversing;
mod damage;
mod heads;
mod identity;
mod speaking;
mod window;

use std::fs;
use std::path::{Path, PathBuf};

/// Writes a file and the directories above it.
fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = path.as_ref();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
    path.to_owned()
}

/// A line in which a person says something.
fn said(uuid: &str, text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    format!(
        r#"{{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/srv/app","sessionId":"s1","type":"user","message":{{"role":"user","content":{text}}},"uuid":"{uuid}","timestamp":"2026-04-09T12:00:00.000Z"}}"#
    )
}

/// A line in which the assistant says something.
fn answered(text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    format!(
        r#"{{"isSidechain":false,"sessionId":"s1","message":{{"id":"m","type":"message","role":"assistant","model":"claude","content":[{{"type":"text","text":{text}}}]}},"type":"assistant","uuid":"a"}}"#
    )
}
