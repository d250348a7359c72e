//! Edit: one piece of text replaced by another.

use serde::Deserialize;

use super::{Refusal, Toolbox};

#[derive(Deserialize)]
pub(super) struct Input {
    file_path: String,
    old_string: String,
    new_string: String,
    #[serde(default)]
    replace_all: bool,
}

pub(super) fn edit(tools: &Toolbox, input: &Input) -> Result<String, Refusal> {
    let path = tools.writable(&input.file_path)?;
    if input.old_string == input.new_string {
        return Err(Refusal::Failed("old_string and new_string are the same".to_owned()));
    }
    if input.old_string.is_empty() {
        return Err(Refusal::Failed("old_string is empty; use Write to make a file".to_owned()));
    }
    let text = tools.text_of(&path)?;
    match text.matches(&input.old_string).count() {
        0 => return Err(Refusal::Failed(format!("old_string is not in {}", input.file_path))),
        1 => {}
        _ if input.replace_all => {}
        times => {
            return Err(Refusal::Failed(format!(
                "old_string is {times} times in {}; give more of its surroundings, or replace_all",
                input.file_path
            )));
        }
    }
    tools.put(&path, text.replace(&input.old_string, &input.new_string).as_bytes())?;
    Ok(format!("edited {}", input.file_path))
}
