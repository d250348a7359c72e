//! The names that a pattern stands for, as a shell would find them, each led by `./` so that none is taken for a flag.

use std::path::{Path, PathBuf};

use globset::GlobBuilder;

use super::lex::{Piece, Word};

/// A pattern that stands for more names than this is refused.
const MAX_NAMES: usize = 500;

/// The names; the word itself when there are none, as shells have it.
///
/// # Errors
/// When the pattern makes no sense or stands for too many names.
pub(super) fn expand(word: &Word, directory: &Path) -> Result<Vec<String>, String> {
    let written = word.text();
    let absolute = written.starts_with('/');
    let mut found = vec![(if absolute { PathBuf::from("/") } else { directory.to_owned() }, String::new())];
    for part in word.0.split(|piece| piece.character == '/').filter(|part| !part.is_empty()) {
        let mut next = Vec::new();
        for (base, shown) in &found {
            if is_pattern(part) {
                for name in names(base, part)? {
                    next.push((base.join(&name), format!("{shown}/{name}")));
                }
            } else {
                let name: String = part.iter().map(|piece| piece.character).collect();
                let path = base.join(&name);
                if path.symlink_metadata().is_ok() {
                    next.push((path, format!("{shown}/{name}")));
                }
            }
            if next.len() > MAX_NAMES {
                return Err(format!(
                    "{written} stands for more than {MAX_NAMES} names; use Glob, or a narrower pattern"
                ));
            }
        }
        found = next;
    }
    if found.is_empty() {
        return Ok(vec![written]);
    }
    Ok(found.into_iter().map(|(_, shown)| if absolute { shown } else { format!(".{shown}") }).collect())
}

fn is_pattern(part: &[Piece]) -> bool {
    part.iter().any(|piece| !piece.quoted && matches!(piece.character, '*' | '?' | '['))
}

/// The names of a directory that one part of a pattern fits, in order. A name that begins with a dot only when the
/// pattern does.
fn names(base: &Path, part: &[Piece]) -> Result<Vec<String>, String> {
    let mut pattern = String::new();
    for piece in part {
        let mut buffer = [0; 4];
        let character = piece.character.encode_utf8(&mut buffer);
        if piece.quoted || matches!(piece.character, '\\' | '{' | '}') {
            pattern.push_str(&globset::escape(character));
        } else {
            pattern.push_str(character);
        }
    }
    let glob = GlobBuilder::new(&pattern)
        .literal_separator(true)
        .backslash_escape(false)
        .build()
        .map_err(|error| format!("{pattern} is no pattern: {}", error.kind()))?
        .compile_matcher();
    let with_dots = part.first().is_some_and(|piece| piece.character == '.');
    let Ok(entries) = std::fs::read_dir(base) else { return Ok(Vec::new()) };
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| (with_dots || !name.starts_with('.')) && glob.is_match(name))
        .take(MAX_NAMES + 1)
        .collect();
    names.sort();
    Ok(names)
}
