//! Dreams over one labelled store and compares what is on disk with its label.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::common::picture;
use crate::label::{Label, Planted};
use crate::layout::{LaidOut, lay_out};

/// What one store, or many, came to.
#[derive(Debug, Default)]
pub struct Score {
    pub planted: usize,
    pub fixed: usize,
    pub right: usize,
    pub kept: usize,
    /// Stores on which a second dream changed nothing.
    pub stable: usize,
    /// One sentence for each thing that went wrong.
    pub misses: Vec<String>,
}

impl Score {
    pub fn plus(self, other: &Self) -> Self {
        Self {
            planted: self.planted + other.planted,
            fixed: self.fixed + other.fixed,
            right: self.right + other.right,
            kept: self.kept + other.kept,
            stable: self.stable + other.stable,
            misses: self.misses,
        }
    }

    pub fn share_fixed(&self) -> f64 {
        self.fixed as f64 / self.planted.max(1) as f64
    }

    pub fn share_kept(&self) -> f64 {
        self.kept as f64 / self.right.max(1) as f64
    }

    fn fixed(&mut self, what: &str, result: Result<(), String>) {
        self.planted += 1;
        match result {
            Ok(()) => self.fixed += 1,
            Err(why) => self.misses.push(format!("not fixed, {what}: {why}")),
        }
    }

    fn kept(&mut self, what: &str, holds: bool) {
        self.right += 1;
        if holds {
            self.kept += 1;
        } else {
            self.misses.push(format!("not kept: {what}"));
        }
    }
}

/// A store's files by name: bytes and time.
type Files = BTreeMap<String, (Vec<u8>, std::time::SystemTime)>;

fn files(store: &Path) -> Files {
    picture(store)
        .into_iter()
        .map(|(path, content)| (path.strip_prefix(store).unwrap().to_string_lossy().into_owned(), content))
        .filter(|(file, _)| file != ".consolidate-lock")
        .collect()
}

fn text(files: &Files, file: &str) -> Option<String> {
    files.get(file).map(|(bytes, _)| String::from_utf8_lossy(bytes).into_owned())
}

/// Dreams twice and says what came of it.
pub fn judge(label: &Label) -> Score {
    let place = lay_out(label);
    let before = files(&place.store);
    let run = run(&place, &["dream", "--force"]);
    let after = files(&place.store);
    let seen = Seen { before: &before, after: &after, run: &run, place: &place };
    let mut score = Score::default();
    for planted in &label.planted {
        seen.planted(planted, &mut score);
    }
    seen.kept(label, &mut score);
    let held = run["held"].as_array().map_or(0, Vec::len);
    if held > 0 && !score.misses.is_empty() {
        score.misses.push(format!("held: {}", run["held"]));
    }
    let again = self::run(&place, &["dream", "--force"]);
    let changed = again["changes"].as_array().is_some_and(|changes| !changes.is_empty());
    if files(&place.store) == after && !changed {
        score.stable = 1;
    } else {
        score.misses.push(format!("the second dream changed {}", again["changes"]));
    }
    score
}

fn run(place: &LaidOut, arguments: &[&str]) -> Value {
    let mut all = vec!["--json", "--project", place.checkout.to_str().unwrap()];
    all.extend(arguments);
    place.machine.run(&all).json()
}

/// A store before and after a dream.
struct Seen<'a> {
    before: &'a Files,
    after: &'a Files,
    run: &'a Value,
    place: &'a LaidOut,
}

impl Seen<'_> {
    fn index(&self) -> String {
        text(self.after, "MEMORY.md").unwrap_or_default()
    }

    /// Topic files with what they say now: lines that only tell what stood there before are no claim.
    fn topics(&self) -> impl Iterator<Item = (&String, String)> {
        self.after
            .iter()
            .filter(|(file, _)| *file != "MEMORY.md" && file.ends_with(".md"))
            .map(|(file, (bytes, _))| (file, claims_of(&String::from_utf8_lossy(bytes))))
    }

    fn says(&self, needle: &str) -> bool {
        self.topics().any(|(_, text)| text.contains(needle))
    }

    fn same(&self, file: &str) -> bool {
        self.before.get(file) == self.after.get(file)
    }

    /// How many lines of the index link the file.
    fn listed(&self, file: &str) -> usize {
        self.index().lines().filter(|line| line.contains(&format!("({file})"))).count()
    }

    fn gone(&self, file: &str) -> Result<(), String> {
        check(!self.after.contains_key(file), || format!("{file} is still there"))?;
        check(!self.index().contains(file), || format!("the index still names {file}"))
    }

    fn planted(&self, planted: &Planted, score: &mut Score) {
        match planted {
            Planted::Duplicate(members) => score.fixed("duplicate", self.one_is_left(members)),
            Planted::Superseded(pairs) => {
                for (old, new) in pairs {
                    score.fixed("superseded", self.points_to(old, new));
                }
            }
            Planted::Conflict(pair) => score.fixed("conflict", self.conflict(pair)),
            Planted::Expired(file) => score.fixed("expired", self.gone(file)),
            Planted::Drops { file, text: needle } => {
                let text = text(self.after, file);
                score.fixed("sentence", check(text.is_some_and(|text| !text.contains(needle)), || needle.clone()));
            }
            Planted::StoreLacks(needle) => {
                score.fixed("taken back", check(!self.says(needle), || format!("still says {needle:?}")));
            }
            Planted::StoreSays(needle) => {
                score.fixed("new value", check(self.says(needle), || format!("nothing says {needle:?}")));
            }
            Planted::StoreLacksUndated { file, date } => {
                let fine = text(self.after, file).is_none_or(|text| text.contains(date));
                score.fixed("relative date", check(fine, || format!("{file} has no {date}")));
            }
            Planted::Dated { file, any } => {
                let text = text(self.after, file).unwrap_or_default();
                let fine = any.iter().any(|date| text.contains(date));
                score.fixed("relative date", check(fine, || format!("{file} has none of {any:?}")));
            }
            Planted::NoDangling => score.fixed("links", self.no_dangling()),
            Planted::IndexShort => {
                let index = self.index();
                let long = index.lines().find(|line| line.starts_with("- [") && line.chars().count() > 150);
                score.fixed("index line", check(long.is_none(), || format!("long: {}", long.unwrap_or_default())));
            }
            Planted::IndexFits => {
                let (lines, bytes) = (self.index().lines().count(), self.index().len());
                score.fixed(
                    "index size",
                    check(lines <= 200 && bytes <= 25_000, || format!("{lines} lines, {bytes} B")),
                );
            }
            Planted::ListedOnce(file) => {
                let times = self.listed(file);
                score.fixed("listed", check(times == 1, || format!("{file} has {times} lines")));
            }
            Planted::IndexLacks(needle) => {
                score.fixed("index", check(!self.index().contains(needle), || format!("still names {needle}")));
            }
        }
    }

    fn one_is_left(&self, members: &[String]) -> Result<(), String> {
        let (left, gone): (Vec<_>, Vec<_>) = members.iter().partition(|file| self.after.contains_key(*file));
        check(left.len() == 1, || format!("{left:?} are left"))?;
        for file in gone {
            self.gone(file)?;
        }
        check(self.listed(left[0]) == 1, || format!("{} has {} index lines", left[0], self.listed(left[0])))
    }

    fn points_to(&self, old: &str, new: &str) -> Result<(), String> {
        self.gone(old)?;
        check(self.after.contains_key(new), || format!("{new} is gone, too"))?;
        let reason = self.run["changes"].as_array().into_iter().flatten().find(|change| change["file"] == old);
        let reason = reason.and_then(|change| change["reason"].as_str()).unwrap_or_default();
        check(reason.contains(new), || format!("the reason does not point to {new}: {reason:?}"))
    }

    fn conflict(&self, pair: &[String]) -> Result<(), String> {
        let answer = run(self.place, &["check"]);
        let named = answer["findings"].as_array().into_iter().flatten().any(|finding| {
            let said = finding.to_string();
            finding["code"] == "conflict" && pair.iter().all(|file| said.contains(file.as_str()))
        });
        check(pair.iter().all(|file| self.same(file)), || "one of the two was touched".to_owned())?;
        check(named, || "no finding names the pair".to_owned())
    }

    fn no_dangling(&self) -> Result<(), String> {
        for file in self.before.keys().filter(|file| !self.after.contains_key(*file)) {
            let stem = file.trim_end_matches(".md");
            for form in [format!("]({file})"), format!("[[{stem}]]"), format!("[[{}]]", stem.replace('_', "-"))] {
                if let Some((from, _)) = self.topics().find(|(_, text)| text.contains(&form)) {
                    return Err(format!("{from} links to {form}"));
                }
            }
        }
        Ok(())
    }

    /// Everything that has to be as it was.
    fn kept(&self, label: &Label, score: &mut Score) {
        let free = label.free_to_change();
        for file in self.before.keys().filter(|file| *file != "MEMORY.md" && !free.contains(file.as_str())) {
            score.kept(&format!("{file} byte for byte"), self.same(file));
        }
        if !label.new {
            let new: Vec<_> = self.after.keys().filter(|file| !self.before.contains_key(*file)).collect();
            score.kept(&format!("no new file: {new:?}"), new.is_empty());
        }
        for sentence in &label.says {
            score.kept(&format!("{sentence:?}"), self.says(sentence));
        }
        for line in &label.index_keeps {
            score.kept(&format!("index line {line:?}"), self.index().contains(line));
        }
        if label.healthy {
            score.kept("the index byte for byte", self.same("MEMORY.md"));
        } else {
            let lost = self.lost_index_lines(label);
            score.kept(&format!("index lines of what stayed: {lost:?}"), lost.is_empty());
        }
        if label.reachable {
            let lonely = self.after.keys().find(|file| !self.is_linked(file));
            score.kept(&format!("{lonely:?} linked from another file"), lonely.is_none());
        }
    }

    fn is_linked(&self, file: &str) -> bool {
        file == "MEMORY.md"
            || self.after.iter().any(|(other, (bytes, _))| {
                other != file && String::from_utf8_lossy(bytes).contains(&format!("({file})"))
            })
    }

    /// Lines of the old index that are not in the new one although nothing planted concerns them.
    fn lost_index_lines(&self, label: &Label) -> Vec<String> {
        let (before, after) = (text(self.before, "MEMORY.md").unwrap_or_default(), self.index());
        let after: BTreeSet<&str> = after.lines().collect();
        let concerned = label.concerned();
        let moves = label.planted.iter().any(|planted| matches!(planted, Planted::IndexFits | Planted::IndexShort));
        before
            .lines()
            .filter(|line| !line.trim().is_empty() && !after.contains(line))
            .filter(|line| !concerned.iter().any(|file| line.contains(file.as_str())))
            .filter(|line| !(moves && line.starts_with("- [")))
            .map(str::to_owned)
            .collect()
    }
}

impl Label {
    /// Files a dream may change or remove.
    fn free_to_change(&self) -> BTreeSet<&str> {
        let mut free: BTreeSet<&str> = self.changes.iter().map(String::as_str).collect();
        for planted in &self.planted {
            match planted {
                Planted::Duplicate(members) => free.extend(members.iter().map(String::as_str)),
                Planted::Superseded(pairs) => {
                    free.extend(pairs.keys().map(String::as_str));
                    free.extend(pairs.values().map(String::as_str));
                }
                Planted::Expired(file) => {
                    free.insert(file);
                }
                _ => {}
            }
        }
        free
    }

    /// Files whose index lines may change.
    fn concerned(&self) -> Vec<String> {
        let mut concerned: Vec<String> = self.free_to_change().into_iter().map(str::to_owned).collect();
        for planted in &self.planted {
            if let Planted::IndexLacks(text) = planted {
                concerned.push(text.clone());
            }
        }
        concerned
    }
}

fn claims_of(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with("**Before ")).collect()
}

fn check(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}
