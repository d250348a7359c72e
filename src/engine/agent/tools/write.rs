//! Write: a file with exactly this content.

use serde::Deserialize;

use super::{MAX_EDIT, Refusal, Toolbox};

#[derive(Deserialize)]
pub(super) struct Input {
    file_path: String,
    content: String,
}

pub(super) fn write(tools: &Toolbox, input: &Input) -> Result<String, Refusal> {
    let path = tools.writable(&input.file_path)?;
    if input.content.len() as u64 > MAX_EDIT {
        return Err(Refusal::Failed(format!("{} bytes are too many for a memory", input.content.len())));
    }
    tools.put(&path, input.content.as_bytes())?;
    Ok(format!("wrote {}", input.file_path))
}
