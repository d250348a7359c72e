//! Our own files: private, and readable as what they say they are.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use super::{Check, Examination, NEXT_FIX};
use crate::change::journal::{self, Damage};
use crate::change::{let_go, rewrite, stored};
use crate::memory::ContentHash;
use crate::run::journal::has_event;
use crate::run::pause::Pause;
use crate::run::schedule::{Cursor, Record, Scan};
use crate::run::working_copy::Owner;
use crate::run::{files, halt, lock, quiet, seen};
use crate::state::read_file;

/// No more files than this are looked at: a state directory of years has fewer.
const MOST: usize = 200_000;

/// Without `--fix` no more kept copies than this are read and compared with their names, the newest.
const MOST_VERIFIED: usize = 200;

/// Nor more bytes of them.
const MOST_VERIFIED_BYTES: u64 = 20 * 1024 * 1024;

/// Every file and directory of ours, links not followed.
fn walk(root: &Path) -> Vec<(PathBuf, fs::Metadata)> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(path) = open.pop() {
        let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
        if metadata.is_dir() {
            // What a live run works on is its own, and copied with the modes of the store.
            let is_copy = path.file_name().is_some_and(|name| name == "work" || name == "pristine");
            if !is_copy {
                open.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
            }
        }
        found.push((path, metadata));
        if found.len() >= MOST {
            break;
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// Directories 0700, files 0600: nobody else reads what a person's sessions said.
#[cfg(unix)]
pub(super) fn modes(examination: Examination<'_>) -> Option<Check> {
    use std::os::unix::fs::PermissionsExt;
    let root = examination.state.root();
    if !root.is_dir() {
        return None;
    }
    let (mut wrong, mut repaired, mut first) = (0, 0, None);
    // A directory that is closed to us hides what is in it: look again after each repair of one.
    for _ in 0..8 {
        let before = wrong;
        for (path, metadata) in walk(root) {
            let wanted = if metadata.is_dir() { 0o700 } else { 0o600 };
            let mode = metadata.permissions().mode() & 0o777;
            let is_right = metadata.is_symlink() || (mode & 0o077 == 0 && mode & wanted == wanted);
            if is_right {
                continue;
            }
            wrong += 1;
            if examination.fix && fs::set_permissions(&path, fs::Permissions::from_mode(wanted)).is_ok() {
                repaired += 1;
            }
            first.get_or_insert((path, mode));
        }
        if !examination.fix || wrong == before {
            break;
        }
    }
    let Some((path, mode)) = first else {
        return Some(Check::ok("modes", "our files are readable by you only").at(root));
    };
    let things = crate::text::count(wrong, "file or directory of ours has", "files and directories of ours have");
    let message = format!("{things} another mode than 0600 and 0700; the first has {mode:04o}");
    Some(Check::warn("modes", message, NEXT_FIX).at(&path).repaired(repaired == wrong))
}

#[cfg(not(unix))]
pub(super) fn modes(_examination: Examination<'_>) -> Option<Check> {
    None
}

/// What is wrong with a file.
enum Wrong {
    /// It cannot be read as what it is: set aside, begun anew.
    Broken(String),
    /// A later version of dreamtop wrote it.
    Later(String),
    /// The record of what landed in a store is damaged: set aside, begun anew with what can be read.
    History(Damage),
    /// Some of its lines are damaged; they are skipped whenever it is read.
    Lines(usize),
}

/// Every file of ours, read as what it is.
pub(super) fn contents(examination: Examination<'_>) -> Vec<Check> {
    let root = examination.state.root();
    let (mut checks, mut read, mut damaged) = (Vec::new(), 0, 0);
    let found = walk(root);
    let spoilt = spoilt_copies(root, &found, examination.fix);
    for (path, metadata) in found {
        let inside = path.strip_prefix(root).unwrap_or(&path);
        let is_spoilt = || spoilt.contains(&path).then(|| Wrong::Broken(spoilt_message(&path)));
        let Some(wrong) = look(&path, inside, &metadata).or_else(is_spoilt) else {
            read += usize::from(metadata.is_file());
            continue;
        };
        match wrong {
            Wrong::Lines(lines) => damaged += lines,
            Wrong::Later(why) => {
                let next = "update dreamtop; until then this file counts as missing";
                checks.push(Check::warn("state-files", why, next).at(&path));
            }
            Wrong::History(damage) => {
                let aside = aside(&path, examination);
                let fixed = examination.fix && rewrite::mend(&path, &aside).is_ok();
                let name = aside.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let kept = if fixed {
                    format!("; it is kept as {name}, and all that could be read goes on")
                } else {
                    String::new()
                };
                let lines = crate::text::count(damage.lines, "line", "lines");
                let message = format!("of what landed, {lines} from line {} on cannot be read{kept}", damage.from_line);
                checks.push(Check::fail("state-files", message, NEXT_FIX).at(&path).repaired(fixed));
            }
            Wrong::Broken(why) => {
                let aside = aside(&path, examination);
                let fixed = examination.fix && fs::rename(&path, &aside).is_ok();
                let name = aside.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let message = if fixed { format!("{why}; set aside as {name} and begun anew") } else { why };
                checks.push(Check::fail("state-files", message, NEXT_FIX).at(&path).repaired(fixed));
            }
        }
    }
    if checks.is_empty() {
        let lines = match damaged {
            0 => String::new(),
            damaged => {
                format!("; {} skipped when read", crate::text::count(damaged, "damaged line is", "damaged lines are"))
            }
        };
        let message = format!("{} can be read{lines}", crate::text::count(read, "file of ours", "files of ours"));
        checks.push(Check::ok("state-files", message).at(root));
    }
    checks
}

/// Where a file is set aside: beside itself, and what lies among the kept copies beside all of them.
fn aside(path: &Path, examination: Examination<'_>) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".broken-{}", examination.clock.now().format("%Y%m%dT%H%M%SZ")));
    let inside = path.strip_prefix(examination.state.root()).unwrap_or(path);
    match shelved(inside) {
        Some(_) => examination.state.root().join(inside.iter().take(2).collect::<PathBuf>()).join(name),
        None => path.with_file_name(name),
    }
}

/// Kept copies that no longer hold what their name, the hash of their content, says: of the newest ones only, within a
/// bound, unless all are asked for.
fn spoilt_copies(root: &Path, found: &[(PathBuf, fs::Metadata)], all: bool) -> BTreeSet<PathBuf> {
    let is_copy = |path: &Path| matches!(path.strip_prefix(root).ok().and_then(shelved), Some(Shelved::Copy));
    let mut copies: Vec<(SystemTime, u64, &PathBuf)> = found
        .iter()
        .filter(|(path, metadata)| metadata.is_file() && is_copy(path))
        .map(|(path, metadata)| (metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), metadata.len(), path))
        .collect();
    copies.sort_by(|one, other| other.cmp(one));
    let (mut files, mut bytes) = (0, 0);
    let newest = copies.into_iter().take_while(|(_, length, _)| {
        files += 1;
        bytes += length;
        all || (files <= MOST_VERIFIED && bytes <= MOST_VERIFIED_BYTES)
    });
    newest
        .filter(|(_, _, path)| {
            let named: Option<ContentHash> =
                path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok());
            read_file(path).is_ok_and(|bytes| named.is_some_and(|hash| ContentHash::of(&bytes) != hash))
        })
        .map(|(_, _, path)| path.clone())
        .collect()
}

fn spoilt_message(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("the kept copy {} is damaged; what it held cannot be put back", crate::text::brief(&name))
}

/// What a path among the kept copies of a store should be.
enum Shelved {
    /// `objects`, and a shelf in it.
    Directory,
    /// A copy, under the hash of its content.
    Copy,
}

fn shelved(inside: &Path) -> Option<Shelved> {
    let parts: Vec<&str> = inside.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    match parts.as_slice() {
        ["stores", _, "objects" | "current"] | ["stores", _, "objects" | "current", _] => Some(Shelved::Directory),
        ["stores", _, "objects" | "current", _, name] => name.parse::<ContentHash>().is_ok().then_some(Shelved::Copy),
        _ => None,
    }
}

/// What stands where a kept copy, or a shelf of them, should be.
fn misplaced(name: &str, shelved: &Shelved, metadata: &fs::Metadata) -> Option<Wrong> {
    let what = kind(metadata);
    match shelved {
        Shelved::Directory if metadata.is_dir() => None,
        Shelved::Directory => Some(Wrong::Broken(format!("{name}, where copies are kept, is {what}, not a directory"))),
        Shelved::Copy if metadata.is_file() => None,
        Shelved::Copy => {
            let short = crate::text::brief(name);
            Some(Wrong::Broken(format!("the kept copy {short} is {what}, not a file; what it held cannot be put back")))
        }
    }
}

fn kind(metadata: &fs::Metadata) -> &'static str {
    match metadata.file_type() {
        kind if kind.is_dir() => "a directory",
        kind if kind.is_file() => "a file",
        kind if kind.is_symlink() => "a link",
        _ => "a pipe or a device",
    }
}

fn look(path: &Path, inside: &Path, metadata: &fs::Metadata) -> Option<Wrong> {
    let name = path.file_name()?.to_str()?;
    if let Some(shelved) = shelved(inside) {
        return misplaced(name, &shelved, metadata);
    }
    let ending = path.extension().and_then(|ending| ending.to_str());
    // What lies in one of these means nothing to doctor, only that it is a file.
    let is_opaque = matches!(ending, Some("lock" | "log")) || name == "retention";
    let is_ours = (is_opaque || matches!(ending, Some("json" | "jsonl"))) && !name.starts_with('.');
    if !is_ours || inside.starts_with("edit") {
        return None;
    }
    if !metadata.is_file() {
        return Some(Wrong::Broken(format!("{name} is {}, not a file", kind(metadata))));
    }
    if is_opaque {
        return None;
    }
    if inside.starts_with("stores") && name == "journal.jsonl" {
        return match journal::damage(path) {
            Ok(damage) => damage.map(Wrong::History),
            Err(error) => Some(Wrong::Broken(error.to_string())),
        };
    }
    let bytes = match read_file(path) {
        Ok(bytes) => bytes,
        Err(error) => return Some(Wrong::Broken(format!("{name} cannot be read: {error}"))),
    };
    let is_run = inside.starts_with("runs");
    match ending {
        Some("jsonl") if is_run && bytes.ends_with(b"\n") && !has_event(&bytes) => {
            Some(Wrong::Broken(format!("{name} has no line that could be read as one of a run")))
        }
        Some("jsonl") => lines(name, &bytes),
        _ => object(name, inside, &bytes),
    }
}

/// A journal: a line that cannot be read is skipped by whoever reads it, so only one without any good line is broken.
fn lines(name: &str, bytes: &[u8]) -> Option<Wrong> {
    let lines = || bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let damaged = lines().filter(|line| serde_json::from_slice::<Value>(line).is_err()).count();
    match damaged {
        0 => None,
        // A single torn line is what a worker leaves that was killed with its first word.
        _ if damaged == lines().count() && bytes.ends_with(b"\n") => {
            Some(Wrong::Broken(format!("{name} has no line that can be read")))
        }
        damaged => Some(Wrong::Lines(damaged)),
    }
}

/// Every field of these has a default, so an empty object would pass for one.
fn says_something(bytes: &[u8]) -> Result<(), String> {
    let fields = serde_json::from_slice::<serde_json::Map<String, Value>>(bytes).unwrap_or_default();
    if fields.keys().any(|field| field != "format") { Ok(()) } else { Err("it says nothing".to_owned()) }
}

/// A file of one object: of a known version, and for what runs keep also of the right form.
fn object(name: &str, inside: &Path, bytes: &[u8]) -> Option<Wrong> {
    let top = inside.iter().next().and_then(|part| part.to_str()).unwrap_or_default();
    let parent = inside.parent().and_then(Path::file_name).and_then(|part| part.to_str()).unwrap_or_default();
    let result = match (top, parent, name) {
        ("stores", _, "dream.json" | "extract.json") => files::understood::<Record>(bytes).map(drop),
        ("stores", _, "guard.json") => lock::understood(bytes),
        ("stores", _, "scan.json") => files::understood::<Scan>(bytes).map(drop),
        ("stores", _, "let-go.json") => let_go::understood(bytes),
        ("stores", _, "quiet.json") => quiet::understood(bytes),
        ("halts.json", ..) => halt::understood(bytes),
        ("stores", "inbox", _) => stored::understood_entry(bytes),
        ("stores", "sessions", _) if name.ends_with(seen::ENDING) => files::understood::<seen::Seen>(bytes).map(drop),
        ("stores", "sessions", _) => files::understood::<Cursor>(bytes).map(drop),
        ("runs", _, "owner.json") => files::understood::<Owner>(bytes).map(drop),
        ("paused", ..) => files::understood::<Pause>(bytes).map(drop),
        _ => files::understood::<Value>(bytes).map(drop),
    };
    let is_form_known = top == "paused"
        || parent == "sessions"
        || matches!(name, "dream.json" | "extract.json" | "scan.json" | "let-go.json" | "quiet.json" | "halts.json");
    let why = result.and_then(|()| if is_form_known { says_something(bytes) } else { Ok(()) }).err()?;
    let is_later = files::is_later(bytes);
    let why = format!("{name}: {why}");
    Some(if is_later { Wrong::Later(why) } else { Wrong::Broken(why) })
}
