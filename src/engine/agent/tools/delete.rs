//! Delete: a file is taken out of the working copy; landing moves it to the trash.

use std::fs;

use serde::Deserialize;

use super::{Refusal, Toolbox};

#[derive(Deserialize)]
pub(super) struct Input {
    file_path: String,
}

pub(super) fn delete(tools: &Toolbox, input: &Input) -> Result<String, Refusal> {
    let path = tools.writable(&input.file_path)?;
    fs::remove_file(&path).map_err(|error| Refusal::Failed(format!("cannot delete {}: {error}", input.file_path)))?;
    Ok(format!("deleted {}", input.file_path))
}
