//! Read: lines of a file, numbered.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read as _};

use serde::Deserialize;

use super::{MAX_ANSWER, Refusal, Toolbox, cut};

/// No more of a file than this is looked at in one call.
const MAX_READ: u64 = 32 * 1024 * 1024;
const MAX_LINES: usize = 2_000;
const MAX_LINE: usize = 2_000;

#[derive(Deserialize)]
pub(super) struct Input {
    file_path: String,
    /// The first line, from 1.
    offset: Option<usize>,
    limit: Option<usize>,
}

pub(super) fn read(tools: &Toolbox, input: &Input) -> Result<String, Refusal> {
    let path = tools.readable(Some(&input.file_path))?;
    let failed = |error: std::io::Error| Refusal::Failed(format!("cannot read {}: {error}", input.file_path));
    let found = fs::metadata(&path).map_err(failed)?;
    if !found.is_file() {
        return Err(Refusal::Failed(format!("{} is not a file; list directories with Glob", input.file_path)));
    }
    let mut lines = BufReader::new(File::open(&path).map_err(failed)?.take(MAX_READ));
    let first = input.offset.unwrap_or(1).max(1);
    let limit = input.limit.unwrap_or(MAX_LINES).min(MAX_LINES);
    let (mut text, mut number, mut bytes) = (String::new(), 0, Vec::new());
    loop {
        bytes.clear();
        if lines.read_until(b'\n', &mut bytes).map_err(failed)? == 0 {
            break;
        }
        number += 1;
        if number < first {
            continue;
        }
        if number - first >= limit || text.len() > MAX_ANSWER || tools.cancel.is_cancelled() {
            text.push_str("… more lines follow; give offset\n");
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        text.push_str(&format!("{number}\t{}\n", cut(line.trim_end_matches(['\n', '\r']), MAX_LINE)));
    }
    Ok(if text.is_empty() { "(nothing there)".to_owned() } else { text })
}
