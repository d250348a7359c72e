//! Reading the labelled set: see `README.md` beside it.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// A memory to lay down.
pub struct Written {
    pub file: String,
    pub description: String,
    pub body: String,
}

/// A prompt with the files wanted; none wanted: empty.
pub struct Prompt {
    pub text: String,
    pub wanted: Vec<String>,
    pub is_held_out: bool,
}

/// One invented store.
pub struct Labelled {
    pub name: String,
    pub language: String,
    pub memories: Vec<Written>,
    pub prompts: Vec<Prompt>,
}

pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recall")
}

/// All of them, by name.
pub fn stores() -> Vec<Labelled> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory().join("stores")).unwrap().flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.iter().map(|file| store(file)).collect()
}

fn store(file: &Path) -> Labelled {
    let name = file.file_stem().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(file).unwrap();
    let mut labelled = Labelled { name, language: String::new(), memories: Vec::new(), prompts: Vec::new() };
    let mut generated = 0;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(language) = line.strip_prefix("language: ") {
            labelled.language = language.to_owned();
        } else if let Some(number) = line.strip_prefix("generated: ") {
            generated = number.parse().unwrap();
        } else if let Some(rest) = line.strip_prefix("? ") {
            let (prompt, wanted) = rest.split_once(" => ").unwrap_or_else(|| panic!("{line}"));
            let wanted = wanted.split_whitespace().map(|stem| format!("{stem}.md")).collect();
            labelled.prompts.push(labelled.prompt(prompt, wanted));
        } else if let Some(prompt) = line.strip_prefix("! ") {
            labelled.prompts.push(labelled.prompt(prompt, Vec::new()));
        } else {
            labelled.memories.push(written(line));
        }
    }
    labelled.memories.extend(fillers(&labelled.language, generated));
    for wanted in labelled.prompts.iter().flat_map(|prompt| &prompt.wanted) {
        assert!(labelled.memories.iter().any(|memory| memory.file == *wanted), "{}: no {wanted}", labelled.name);
    }
    labelled
}

impl Labelled {
    fn prompt(&self, text: &str, wanted: Vec<String>) -> Prompt {
        let hash = Sha256::digest(format!("{}/{text}", self.name));
        Prompt { text: text.to_owned(), wanted, is_held_out: hash[0] % 2 == 1 }
    }

    /// Lays the store down in a directory.
    pub fn lay_down(&self, directory: &Path) {
        fs::create_dir_all(directory).unwrap();
        let mut index = String::from("# Memory Index\n\n");
        for (at, memory) in self.memories.iter().enumerate() {
            let stem = memory.file.trim_end_matches(".md");
            let kind = stem.split('_').next().unwrap();
            let name = stem.split_once('_').unwrap().1.replace('_', "-");
            let text = format!(
                "---\nname: {name}\ndescription: \"{}\"\nmetadata:\n  node_type: memory\n  type: {kind}\n  modified: 2026-11-{:02}T09:00:00.000Z\n---\n\n{}\n",
                memory.description.replace('"', "'"),
                1 + at % 28,
                memory.body
            );
            fs::write(directory.join(&memory.file), text).unwrap();
            index.push_str(&format!("- [{name}]({}) — {}\n", memory.file, memory.description));
        }
        fs::write(directory.join("MEMORY.md"), index).unwrap();
    }
}

fn written(line: &str) -> Written {
    let mut parts = line.splitn(3, " | ");
    let mut next = || parts.next().unwrap_or_else(|| panic!("not three parts: {line}")).trim();
    let (file, description, body) = (next(), next(), next());
    Written {
        file: format!("{file}.md"),
        description: description.to_owned(),
        body: body.split(" // ").collect::<Vec<_>>().join("\n\n"),
    }
}

/// The first `number` combinations of the language's patterns and components.
fn fillers(language: &str, number: usize) -> Vec<Written> {
    let text = fs::read_to_string(directory().join("generated.txt")).unwrap();
    let section = |title: &str| -> Vec<&str> {
        let rest = text.split_once(&format!("[{title}]\n")).unwrap_or_else(|| panic!("no [{title}]")).1;
        rest.lines().take_while(|line| !line.starts_with('[')).collect()
    };
    let people: Vec<&str> = section("people")[0].split("; ").collect();
    let patterns = section(&format!("{language} patterns"));
    let components = section(&format!("{language} components"));
    let components: Vec<&str> = components[0].split("; ").collect();
    assert!(patterns.len() * components.len() >= number, "too few patterns for {language}");
    (0..number)
        .map(|at| {
            let (component, pattern) = (components[at / patterns.len()], patterns[at % patterns.len()]);
            let filled = pattern
                .replace("{c}", component)
                .replace("{f}", &component.to_lowercase().replace(' ', "_"))
                .replace("{p}", people[at * 7 % people.len()])
                .replace("{n}", &(7000 + at * 13).to_string())
                .replace("{d}", &format!("2027-01-{:02}", 1 + at % 28));
            written(&filled)
        })
        .collect()
}
