//! The documents name tests and files as their evidence; what they name has to be there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use std::fs;
use std::path::{Path, PathBuf};

/// A test and where it is: the segments of its file's path, `["tests", "reading", "cases"]`.
struct Test {
    place: Vec<String>,
    name: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn rust_files(directory: PathBuf) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| match path.extension() {
            _ if path.is_dir() => rust_files(path),
            Some(extension) if extension == "rs" => vec![path],
            _ => Vec::new(),
        })
        .collect()
}

/// Every function right after a `#[test]`.
fn tests() -> Vec<Test> {
    let mut tests = Vec::new();
    for path in rust_files(root().join("src")).into_iter().chain(rust_files(root().join("tests"))) {
        let relative = path.strip_prefix(root()).unwrap().with_extension("");
        // The tests of `line.rs` lie in `line_tests.rs` or `line/tests.rs`.
        let place: Vec<String> = relative
            .components()
            .map(|part| part.as_os_str().to_str().unwrap().trim_end_matches("_tests").to_owned())
            .collect();
        let mut is_test = false;
        for line in fs::read_to_string(&path).unwrap().lines().map(str::trim) {
            is_test |= line.starts_with("#[test]");
            if let Some(rest) = line.strip_prefix("fn ").filter(|_| is_test) {
                tests.push(Test { place: place.clone(), name: rest.split(['(', '<']).next().unwrap().to_owned() });
                is_test = false;
            }
        }
    }
    assert!(tests.len() > 500, "{} tests were found", tests.len());
    tests
}

/// Whether a test is where the documents say: `reading`, `change::verbs`.
fn is_in(test: &Test, place: &str) -> bool {
    let wanted: Vec<&str> = place.split("::").collect();
    let has = |from: &[String]| from.windows(wanted.len()).any(|part| part.iter().eq(wanted.iter()));
    match test.place.split_first() {
        // A word that names a directory of tests means that one and no module of the same name.
        Some((top, rest)) if top == "tests" => rest.first().is_some_and(|first| [place] == [first.as_str()]),
        Some((_, rest)) => !is_integration(place) && has(rest),
        None => false,
    }
}

fn is_integration(place: &str) -> bool {
    root().join("tests").join(place).is_dir() || root().join("tests").join(place).with_extension("rs").is_file()
}

/// The last column of the table's rows, by number.
fn rows(document: &str) -> Vec<(usize, String)> {
    let cells = document.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
        Some((cells.first()?.parse().ok()?, (*cells.last()?).to_owned()))
    });
    cells.collect()
}

/// How many tests `(two)` or `(all three)` promises.
fn promised(after: &str) -> usize {
    let word = after.trim_start().strip_prefix('(').and_then(|rest| rest.split(')').next()).unwrap_or_default();
    let count = ["one", "two", "three", "four", "five"].iter().position(|number| word.ends_with(number));
    count.map_or(1, |at| at + 1)
}

/// What is wrong with one `place …` of a row.
fn wrong(part: &str, tests: &[Test]) -> Vec<String> {
    let place = part.split([' ', ',']).next().unwrap();
    let there: Vec<&Test> = tests.iter().filter(|test| is_in(test, place)).collect();
    let mut wrong = Vec::new();
    if !part.contains('`') && there.len() != promised(part.strip_prefix(place).unwrap()) {
        wrong.push(format!("{part:?}: there are {}", there.len()));
    }
    let mut pieces = part.split('`').skip(1);
    while let Some(named) = pieces.next() {
        let after = pieces.next().unwrap_or_default();
        let (found, wanted) = if let Some(file) = named.strip_suffix(".rs") {
            (there.iter().filter(|test| test.place.last().is_some_and(|last| last == file)).count().min(1), 1)
        } else if let Some(start) = named.strip_suffix('…') {
            (there.iter().filter(|test| test.name.starts_with(start)).count(), promised(after))
        } else {
            (there.iter().filter(|test| test.name == named).count(), 1)
        };
        if found != wanted {
            wrong.push(format!("{place} `{named}`: {found} instead of {wanted}"));
        }
    }
    wrong
}

#[test]
fn every_point_of_the_formats_page_names_tests_that_exist_where_it_says() {
    let (document, tests) = (read("docs/formats.md"), tests());
    let rows = rows(&document);
    assert_eq!(rows.iter().map(|(number, _)| *number).collect::<Vec<_>>(), (1..=25).collect::<Vec<_>>());
    let wrong: Vec<String> = rows
        .iter()
        .flat_map(|(number, cell)| {
            let parts = cell.split("; ").flat_map(|part| wrong(part.trim(), &tests));
            parts.map(move |what| format!("row {number}, {what}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Outside the table, and on the page about safety, a name is enough.
    let outside = document.lines().filter(|line| !line.starts_with('|'));
    let prose = [outside.collect::<Vec<_>>().join("\n"), read("docs/safety.md")].join("\n");
    for named in
        prose.split('`').skip(1).step_by(2).filter(|word| word.matches('_').count() > 2 || word.ends_with("_…"))
    {
        let start = named.trim_end_matches('…');
        let is_test = |test: &Test| if start == named { test.name == named } else { test.name.starts_with(start) };
        assert!(tests.iter().any(is_test), "{named}");
    }
}

#[test]
fn a_name_that_is_nowhere_or_elsewhere_is_noticed() {
    let tests = tests();
    for part in [
        "reading `no_such_test`",
        "door `what_is_written_new_survives_the_normaliser`",
        "reading `fc_001_…`",
        "reading `fc_001_…` (three)",
        "sessions, all of `nothing.rs`",
        "secrets (two)",
    ] {
        assert_eq!(wrong(part, &tests).len(), 1, "{part}");
    }
    assert_eq!(wrong("reading `fc_001_…` (two), `fc_006_…`", &tests), Vec::<String>::new());
}

/// Every document for people, by its path in the repository.
fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.extend(["README.md", "CONTRIBUTING.md"].map(|file| root().join(file)));
    let sets = fs::read_dir(root().join("tests")).unwrap().map(|entry| entry.unwrap().path().join("README.md"));
    found.extend(sets.filter(|readme| readme.is_file()));
    found
}

#[test]
fn every_file_of_ours_that_a_document_names_is_there() {
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let is_invented = document.ends_with("docs/health.md");
        for named in text.split('`').skip(1).step_by(2) {
            let mut ours = ["src/", "tests/", "docs/", "fuzz/", "assets/"].iter();
            // The page about findings cites files of an invented project.
            let is_ours = ours.any(|start| named.starts_with(start)) && !(is_invented && named.starts_with("src/"));
            if is_ours && !named.contains([' ', '*', '<']) {
                assert!(root().join(named).exists(), "{} names {named}", document.display());
            }
        }
        let prose: String = text.split('`').step_by(2).collect();
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let is_file = !link.is_empty() && !link.contains("://") && !link.contains([' ', '…', '<']);
            let there = document.parent().unwrap().join(link);
            assert!(!is_file || there.exists(), "{} links to {link}", document.display());
        }
    }
}

/// Every `dreamtop …` in a text that stands in backticks, with its words.
fn commands_in(text: &str) -> Vec<Vec<String>> {
    // A string of the source goes on after a backslash at the end of a line.
    let mut joined = String::new();
    // Notes to whoever reads the source are no hints.
    for line in text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("//")) {
        match line.trim_end().strip_suffix('\\') {
            Some(head) => joined.push_str(head),
            None => joined.push_str(line),
        }
    }
    let parts = joined.split("`dreamtop ").skip(1).filter_map(|rest| rest.split(['`', '\n']).next());
    parts.map(|words| words.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
fn fc_053_every_command_and_flag_named_in_messages_help_and_documents_exists() {
    let help_of = |words: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dreamtop"));
        let output = command.arg("help").args(words.split(' ')).output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    let documents = ["README.md".to_owned()].into_iter().chain(
        fs::read_dir(root().join("docs"))
            .unwrap()
            .map(|entry| format!("docs/{}", entry.unwrap().file_name().to_str().unwrap())),
    );
    let texts: Vec<(String, String)> = rust_files(root().join("src"))
        .into_iter()
        .map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap()))
        .chain(documents.filter(|name| name.ends_with(".md")).map(|name| (name.clone(), read(&name))))
        .collect();
    let mut known = std::collections::BTreeMap::new();
    let (mut count, mut wrong) = (0, Vec::new());
    for (place, text) in &texts {
        for words in commands_in(text) {
            let Some(word) = words.iter().find(|word| word.chars().all(|c| c.is_ascii_lowercase())) else { continue };
            count += 1;
            let (exists, help) = &*known.entry(word.clone()).or_insert_with(|| help_of(word));
            if !*exists {
                wrong.push(format!("{place}: there is no `dreamtop {word}`"));
            }
            let flags = words
                .iter()
                .filter(|word| word.starts_with("--"))
                .map(|flag| flag.split(['=', '|', ']', '…', ',']).next().unwrap().to_owned());
            let unknown: Vec<String> = flags.filter(|flag| !help.contains(flag.as_str())).collect();
            // A flag may also be one of a subcommand of it.
            let verb = words.iter().skip_while(|other| *other != word).nth(1).map(|verb| format!("{word} {verb}"));
            for flag in unknown {
                let is_known = verb.as_ref().is_some_and(|verb| {
                    known.entry(verb.clone()).or_insert_with(|| help_of(verb)).1.contains(flag.as_str())
                });
                if !is_known {
                    wrong.push(format!("{place}: `dreamtop {word}` knows no {flag}"));
                }
            }
        }
    }
    assert!(count > 40, "{count} commands were found");
    assert_eq!(wrong, Vec::<String>::new());
}
