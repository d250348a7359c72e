//! The instructions a model gets: ours, or the person's own from `prompts/NAME.md` beside the configuration file.
//!
//! Not its job: what a model is told about one run (the task, see [`super::extract`] and [`super::dream`]).

use std::path::Path;

use crate::engine::EngineError;

/// One of the prompts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Name {
    /// What an extraction is to do.
    Extraction,
    /// What a dream is to do.
    Dream,
    /// How memories are chosen for a request.
    Select,
    /// What is different for the `claude` command; comes after one of the first two.
    Claude,
}

impl Name {
    const fn file(self) -> &'static str {
        match self {
            Self::Extraction => "extraction.md",
            Self::Dream => "dream.md",
            Self::Select => "select.md",
            Self::Claude => "claude.md",
        }
    }

    const fn ours(self) -> &'static str {
        match self {
            Self::Extraction => include_str!("../../../../assets/prompts/extraction.md"),
            Self::Dream => include_str!("../../../../assets/prompts/dream.md"),
            Self::Select => include_str!("../../../../assets/prompts/select.md"),
            Self::Claude => include_str!("../../../../assets/prompts/claude.md"),
        }
    }
}

/// A prompt, and where it is from when it is not ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Prompt {
    pub(in crate::engine) text: String,
    pub(in crate::engine) from: Option<String>,
}

/// The prompt of a name. `dir` is where the configuration lies.
///
/// # Errors
/// When there is one of the person's own and it cannot be read, or is empty.
pub(in crate::engine) fn prompt(name: Name, dir: Option<&Path>) -> Result<Prompt, EngineError> {
    let Some(path) = dir.map(|dir| dir.join("prompts").join(name.file())).filter(|path| path.exists()) else {
        return Ok(Prompt { text: without_mark(name.ours()).to_owned(), from: None });
    };
    let place = path.display().to_string();
    let bytes = crate::state::read_file(&path)
        .map_err(|error| EngineError::Failed(format!("cannot read your own prompt {place}: {error}")))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| EngineError::Failed(format!("your own prompt {place} is not UTF-8; save it as UTF-8")))?;
    let text = without_mark(text.trim_start_matches('\u{FEFF}')).trim_end().to_owned();
    if text.trim().is_empty() {
        return Err(EngineError::Failed(format!(
            "your own prompt {place} is empty; remove it to use the one that comes along"
        )));
    }
    Ok(Prompt { text, from: Some(place) })
}

/// A prompt without the comment on its first line, which says its version and is for people.
fn without_mark(text: &str) -> &str {
    match text.split_once('\n') {
        Some((first, rest)) if first.starts_with("<!--") && first.trim_end().ends_with("-->") => rest,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn ours_are_versioned_and_the_version_is_not_sent() {
        for name in [Name::Extraction, Name::Dream, Name::Select, Name::Claude] {
            assert!(name.ours().lines().next().unwrap().contains(", version "), "{name:?}");
            let prompt = prompt(name, None).unwrap();
            assert!(!prompt.text.contains("version 1") && !prompt.text.is_empty(), "{name:?}");
        }
    }

    #[test]
    fn ones_own_prompt_takes_the_place_of_ours_and_an_empty_one_is_named() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(prompt(Name::Dream, Some(dir.path())).unwrap().from, None);
        std::fs::create_dir(dir.path().join("prompts")).unwrap();
        std::fs::write(dir.path().join("prompts/dream.md"), "Tidy up.\n").unwrap();
        let own = prompt(Name::Dream, Some(dir.path())).unwrap();
        assert_eq!(own.text, "Tidy up.");
        assert!(own.from.unwrap().ends_with("prompts/dream.md"));
        std::fs::write(dir.path().join("prompts/dream.md"), "<!-- mine -->\n \n").unwrap();
        assert!(prompt(Name::Dream, Some(dir.path())).unwrap_err().to_string().contains("dream.md"));
    }
}
