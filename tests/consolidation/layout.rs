//! Lays a labelled store out on a machine of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use crate::common::Machine;
use crate::label::{File, Label, Series, neighbours};

/// A store on disk, and the machine around it.
pub struct LaidOut {
    pub machine: Machine,
    pub store: PathBuf,
    pub checkout: PathBuf,
}

/// Writes the store with its index and its sessions.
pub fn lay_out(label: &Label) -> LaidOut {
    let machine = Machine::new();
    let checkout = machine.path(&format!("checkouts/{}", label.name));
    fs::create_dir_all(&checkout).unwrap();
    let project = machine.path("claude/projects").join(dreamtop::project::slug(&checkout.to_string_lossy()));
    let store = project.join("memory");
    fs::create_dir_all(&store).unwrap();

    let mut beside = BTreeMap::new();
    for language in label.neighbours.split_whitespace().filter(|language| *language != "none") {
        beside.extend(neighbours(language));
    }
    let mut files = label.files.clone();
    let mut lines = String::new();
    if let Some(series) = &label.series {
        for (file, memory, line) in series.members() {
            lines.push_str(&line);
            files.insert(file, memory);
        }
    }
    for (file, memory) in &label.files {
        lines.push_str(&memory.index_line(file));
    }
    let beside_lines: String = beside.iter().map(|(file, memory)| memory.index_line(file)).collect();
    let mut index = match &label.index {
        Some(text) => text.replace("{neighbours}\n", &beside_lines),
        None => format!("# Memory Index\n\n{lines}{beside_lines}"),
    };
    if label.index_crlf {
        index = index.replace('\n', "\r\n");
    }
    files.extend(beside);

    let mut newest = None;
    for (file, memory) in &files {
        let path = store.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, memory.text(file)).unwrap();
        let day = memory.touched.or(memory.modified).unwrap_or(NaiveDate::from_ymd_opt(2026, 11, 20).unwrap());
        set_time(&path, day);
        newest = newest.max(Some(day));
    }
    fs::write(store.join("MEMORY.md"), index).unwrap();
    set_time(&store.join("MEMORY.md"), newest.unwrap_or(NaiveDate::from_ymd_opt(2026, 11, 20).unwrap()));

    for (number, session) in label.sessions.iter().enumerate() {
        let id = format!("00000000-0000-4000-8000-{number:012}");
        let path = project.join(format!("{id}.jsonl"));
        fs::write(&path, transcript(&id, &checkout.to_string_lossy(), &session.when, &session.turns)).unwrap();
        set_time(&path, session.when.parse::<DateTime<Utc>>().unwrap().date_naive());
    }
    LaidOut { machine, store, checkout }
}

impl Series {
    fn members(&self) -> Vec<(String, File, String)> {
        let fill = |text: &str, number: usize| text.replace("{n}", &format!("{number:03}"));
        (1..=self.count)
            .map(|number| {
                let file = fill(&self.file, number);
                let memory = File {
                    modified: Some(self.modified),
                    kind: self.kind.clone(),
                    description: fill(&self.description, number),
                    body: fill(&self.body, number),
                    ..File::default()
                };
                let line = match &self.line {
                    Some(line) => format!("{}\n", fill(line, number)),
                    None => memory.index_line(&file),
                };
                (file, memory, line)
            })
            .collect()
    }
}

impl File {
    fn index_line(&self, file: &str) -> String {
        if self.unlisted {
            return String::new();
        }
        let stem = file.trim_end_matches(".md").replace('_', " ");
        if self.description.is_empty() {
            format!("- [{stem}]({file})\n")
        } else {
            format!("- [{stem}]({file}) — {}\n", self.description)
        }
    }

    fn text(&self, file: &str) -> Vec<u8> {
        let mut text = self.raw.clone().unwrap_or_else(|| self.with_frontmatter(file));
        if self.crlf {
            text = text.replace('\n', "\r\n");
        }
        let mut bytes = if self.mark { "\u{feff}".as_bytes().to_vec() } else { Vec::new() };
        bytes.extend(text.into_bytes());
        bytes
    }

    fn with_frontmatter(&self, file: &str) -> String {
        let name = file.trim_end_matches(".md").replace('_', "-");
        let Self { description, kind, keys, .. } = self;
        let body = fill_lines(&self.body);
        if self.shape == "flat" {
            return format!("---\nname: {name}\ndescription: {description}\ntype: {kind}\n{keys}---\n\n{body}");
        }
        let modified = self.modified.map(|day| format!("  modified: {day}T12:00:00.000Z\n")).unwrap_or_default();
        format!(
            "---\nname: {name}\ndescription: \"{description}\"\n{keys}metadata:\n  node_type: memory\n  type: {kind}\n{modified}---\n\n{body}"
        )
    }
}

/// Replaces a line `{lines 3: text {n}}` by three lines.
fn fill_lines(body: &str) -> String {
    let mut out = String::new();
    for line in body.split_inclusive('\n') {
        let inner = line.trim_end().strip_prefix("{lines ").and_then(|rest| rest.strip_suffix('}'));
        match inner.and_then(|inner| inner.split_once(": ")) {
            Some((count, pattern)) => {
                for number in 1..=count.parse::<usize>().expect("a count of lines") {
                    out.push_str(&pattern.replace("{n}", &number.to_string()));
                    out.push('\n');
                }
            }
            None => out.push_str(line),
        }
    }
    out
}

fn set_time(path: &std::path::Path, day: NaiveDate) {
    let at = day.and_time(NaiveTime::from_hms_opt(12, 0, 0).unwrap()).and_utc();
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::from(at)).unwrap();
}

fn transcript(id: &str, cwd: &str, when: &str, turns: &[BTreeMap<String, String>]) -> String {
    let start: DateTime<Utc> = when.parse().unwrap();
    let mut out = String::new();
    for (number, turn) in turns.iter().enumerate() {
        let (who, text) = turn.first_key_value().expect("a turn says who speaks");
        let at = (start + chrono::Duration::minutes(i64::try_from(number).unwrap())).format("%Y-%m-%dT%H:%M:%S.000Z");
        let (kind, content) = match who.as_str() {
            "user" => ("user", serde_json::json!(text)),
            "assistant" => ("assistant", serde_json::json!([{ "type": "text", "text": text }])),
            "tool" => ("user", serde_json::json!([{ "type": "tool_result", "tool_use_id": "t1", "content": text }])),
            other => panic!("nobody is called {other}"),
        };
        let line = serde_json::json!({
            "type": kind, "uuid": format!("{id}-{number}"), "parentUuid": null, "sessionId": id, "cwd": cwd, "version": "2.1.214",
            "isSidechain": false, "userType": "external", "timestamp": at.to_string(), "message": { "role": kind, "content": content },
        });
        out.push_str(&format!("{line}\n"));
    }
    out
}
