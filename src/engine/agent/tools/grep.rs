//! Grep: a regular expression over files.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;

use regex::bytes::RegexBuilder;
use serde::Deserialize;

use super::glob::{form, matches, walk};
use super::{MAX_ANSWER, Refusal, Toolbox, cut};

/// No more of one file than this is searched.
const MAX_SEARCH: u64 = 256 * 1024 * 1024;
/// A line is shown up to here.
const MAX_LINE: usize = 500;

#[derive(Deserialize)]
pub(super) struct Input {
    pattern: String,
    path: Option<String>,
    glob: Option<String>,
    #[serde(default)]
    output_mode: Mode,
    #[serde(rename = "-i", default)]
    ignore_case: bool,
    head_limit: Option<usize>,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Mode {
    #[default]
    FilesWithMatches,
    Content,
    Count,
}

pub(super) fn grep(tools: &Toolbox, input: &Input) -> Result<String, Refusal> {
    let expression = RegexBuilder::new(&input.pattern)
        .case_insensitive(input.ignore_case)
        .size_limit(1 << 20)
        .build()
        .map_err(|error| Refusal::Malformed(format!("{:?} is no regular expression: {error}", input.pattern)))?;
    let base = tools.readable(input.path.as_deref())?;
    let only = input.glob.as_deref().map(form).transpose()?;
    let limit = input.head_limit.unwrap_or(200).min(2_000);
    let (mut text, mut shown) = (String::new(), 0);
    walk(tools, &base, &mut |path, _| {
        let wanted = only.as_ref().is_none_or(|only| {
            matches(only, &base, path) || path.file_name().is_some_and(|name| only.is_match(&name.to_string_lossy()))
        });
        if wanted {
            search(tools, path, &expression, input.output_mode, &mut text, &mut shown, limit);
        }
        shown < limit && text.len() < MAX_ANSWER
    })?;
    Ok(if text.is_empty() { "no match".to_owned() } else { text })
}

fn search(
    tools: &Toolbox,
    path: &Path,
    expression: &regex::bytes::Regex,
    mode: Mode,
    text: &mut String,
    shown: &mut usize,
    limit: usize,
) {
    let Ok(file) = File::open(path) else { return };
    let mut lines = BufReader::new(file.take(MAX_SEARCH));
    let (mut bytes, mut number, mut count) = (Vec::new(), 0_u64, 0_u64);
    loop {
        bytes.clear();
        if tools.cancel.is_cancelled() || lines.read_until(b'\n', &mut bytes).map_or(true, |read| read == 0) {
            break;
        }
        number += 1;
        let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        if !expression.is_match(line) {
            continue;
        }
        count += 1;
        match mode {
            Mode::FilesWithMatches => break,
            Mode::Count => {}
            Mode::Content => {
                let line = String::from_utf8_lossy(line);
                text.push_str(&format!("{}:{number}:{}\n", tools.shown(path), cut(line.trim_end(), MAX_LINE)));
                *shown += 1;
                if *shown >= limit || text.len() > MAX_ANSWER {
                    break;
                }
            }
        }
    }
    if count > 0 && mode != Mode::Content {
        *shown += 1;
        let figure = if mode == Mode::Count { format!(":{count}") } else { String::new() };
        text.push_str(&format!("{}{figure}\n", tools.shown(path)));
    }
}
