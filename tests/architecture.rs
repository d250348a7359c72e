//! The floors: a module imports only from floors below its own. Reads the `crate::` paths of every source file.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The floor of each top-level module, as the crate's documentation draws it.
fn floors() -> BTreeMap<&'static str, u8> {
    BTreeMap::from([
        ("memory", 0),
        ("config", 0),
        ("state", 0),
        ("clock", 0),
        ("text", 0),
        ("secret", 0),
        ("difference", 0),
        ("environment", 0),
        ("editor", 0),
        ("log", 0),
        ("persons_file", 0),
        ("process", 0),
        ("lock_file", 0),
        ("lanes", 0),
        ("net", 0),
        ("project", 1),
        ("session", 1),
        ("change", 2),
        ("health", 3),
        ("recall", 3),
        ("engine", 4),
        ("filter", 4),
        ("run", 5),
        ("hook", 6),
        ("mcp", 6),
        ("team", 6),
        ("cli", 7),
        ("tui", 7),
        ("main", 8),
    ])
}

fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).expect("src can be listed").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The top-level module a file belongs to.
fn module_of(path: &Path) -> String {
    let relative = path.strip_prefix(src()).expect("a file of src");
    let first = relative.iter().next().expect("a name").to_string_lossy().into_owned();
    first.trim_end_matches(".rs").trim_end_matches("_tests").to_owned()
}

/// Every top-level module a source text names through `crate::` (or `dreamtop::` in the binary), tests left in.
fn named_modules(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = lines.join("\n");
    let mut named = Vec::new();
    for prefix in ["crate::", "dreamtop::"] {
        for (at, _) in code.match_indices(prefix) {
            let rest = &code[at + prefix.len()..];
            match rest.strip_prefix('{') {
                Some(group) => named.extend(heads_of(group)),
                None => named.extend(word_of(rest)),
            }
        }
    }
    named
}

/// The first word of each item of a `use` group, which may go over several lines and hold groups of its own.
fn heads_of(group: &str) -> Vec<String> {
    let mut heads = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                heads.extend(word_of(&group[start..at]));
                start = at + 1;
                if character == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    heads
}

fn word_of(path: &str) -> Option<String> {
    let word: String = path.trim().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    (!word.is_empty()).then_some(word)
}

/// A file's code without the tests written in it. `mod tests;` alone cuts nothing off.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

#[test]
fn imports_are_seen_in_whatever_form_they_are_written() {
    let text = "use crate::{\n    memory::{self, Kind},\n    run::Outcome,\n};\n// use crate::cli;\nfn x() { crate::text::fit(y) }\n";
    assert_eq!(named_modules(text), ["memory", "run", "text"]);
    assert_eq!(named_modules("use dreamtop::{cli, tui};"), ["cli", "tui"]);
    assert_eq!(without_tests("#[cfg(test)]\nmod tests;\nfn x() {}\n#[cfg(test)]\nmod tests {\n").lines().count(), 3);
}

#[test]
fn a_floor_imports_only_from_floors_below() {
    let floors = floors();
    let mut wrong = Vec::new();
    for path in sources(&src()) {
        let own = module_of(&path);
        if own == "lib" {
            continue;
        }
        let floor = floors
            .get(own.as_str())
            .unwrap_or_else(|| panic!("{own} has no floor: give it one in tests/architecture.rs"));
        let text = fs::read_to_string(&path).expect("a readable source file");
        for named in named_modules(&text) {
            let Some(other) = floors.get(named.as_str()) else { continue };
            // A project's path is what its transcripts say: the one look sideways, and sessions never look back.
            let looks_at_sessions = own == "project" && named == "session";
            if named != own && !(other < floor || (*other == 0 && *floor == 0) || looks_at_sessions) {
                wrong.push(format!("{} (floor {floor}) names {named} (floor {other})", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "imports that point up or sideways:\n{}", wrong.join("\n"));
}

/// A name has one path: whoever needs it names the module it is in.
#[test]
fn no_module_hands_on_what_another_one_has() {
    let is_handed_on = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("pub") && (line.contains(" use crate::") || line.contains(" use super::"))
    };
    let mut wrong = Vec::new();
    for path in sources(&src()) {
        let text = fs::read_to_string(&path).expect("a readable source file");
        wrong.extend(text.lines().filter(is_handed_on).map(|line| format!("{}: {line}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_source_file_is_longer_than_800_lines_and_every_module_says_what_it_is() {
    let mut wrong = Vec::new();
    for path in sources(&src()) {
        let text = fs::read_to_string(&path).expect("a readable source file");
        if text.lines().count() > 800 {
            wrong.push(format!("{}: {} lines", path.display(), text.lines().count()));
        }
        let is_test = path.file_name().is_some_and(|name| name.to_string_lossy().contains("test"));
        if !is_test && !text.starts_with("//!") {
            wrong.push(format!("{}: no module documentation", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_door_writes_to_stores_and_only_the_screen_touches_the_terminal() {
    let mut wrong = Vec::new();
    for path in sources(&src()) {
        let own = module_of(&path);
        let text = fs::read_to_string(&path).expect("a readable source file");
        let code = without_tests(&text);
        let is_test = path.file_name().is_some_and(|name| name.to_string_lossy().contains("test"));
        if own != "tui" && !is_test && (code.contains("crossterm::") || code.contains("ratatui::")) {
            wrong.push(format!("{} touches the terminal", path.display()));
        }
        // These floors know stores but must leave their files alone.
        if ["memory", "project", "session", "health", "recall", "tui"].contains(&own.as_str()) && !is_test {
            for call in ["fs::write(", "fs::rename(", "fs::remove_file(", "File::create("] {
                if code.contains(call) {
                    wrong.push(format!("{} calls {call}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
