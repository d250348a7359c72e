//! Looks whether what memories cite is in the checkout, and says of what is not where it is or when it went.
//!
//! All citations of all memories together, so that the checkout is listed once and read at most once. What nobody can say
//! for sure is no finding. Not its job: telling what is cited (see [`super::cite`]).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::cite::{Citation, Cited, Tie};
use super::command::Script;
use super::git::{Git, Went};
use super::memo::Memo;
use super::place;
use super::scripts::{Found, Scripts};
use super::tree::{Tree, count_lines};
use crate::health::{Finding, Grounds, Severity};
use crate::memory::ProblemCode;
use crate::project::refs::Refs;

/// So many words are looked for in the history at most: each costs a walk through it.
const MOST_WORDS: usize = 12;

/// A citation of a memory.
pub(super) type Of<'a> = (&'a str, &'a Citation);

/// What the checkout lacks, before git is asked.
struct Lack {
    code: ProblemCode,
    /// What was looked for.
    wanted: String,
    /// The path in the checkout that git can be asked for.
    path: Option<String>,
    /// The word git can be asked for, and what says that it is the project's when git does not.
    word: Option<(String, Tie)>,
    /// What else is known, in words.
    hint: Option<String>,
    /// The whole message, when git has nothing to say about it.
    message: Option<String>,
}

impl Lack {
    fn of(code: ProblemCode, wanted: &str) -> Self {
        Self { code, wanted: wanted.to_owned(), path: None, word: None, hint: None, message: None }
    }

    fn hinting(mut self, hint: String) -> Self {
        self.hint = Some(hint);
        self
    }
}

/// Looks at one checkout.
struct Look<'a> {
    grounds: &'a Grounds,
    root: &'a Path,
    tree: Tree,
    memo: Memo,
    scripts: Scripts,
    refs: Option<Refs>,
    git: Option<Git>,
}

/// The findings of all citations.
pub(super) fn findings(cited: &[Of<'_>], grounds: &Grounds, root: &Path, store: &Path) -> Vec<Finding> {
    let refs = Refs::of(root);
    let tree = Tree::of(root, store);
    // Where nothing is, the project is somewhere else.
    if tree.is_complete && tree.files().is_empty() {
        return Vec::new();
    }
    let memo = Memo::read(grounds.state.as_ref(), root, &tree.fingerprint, &state_of(root, refs.as_ref()));
    let before = memo.clone();
    let git = grounds.git.as_deref().and_then(|program| Git::of(root, program));
    let mut look = Look { grounds, root, tree, memo, scripts: Scripts::default(), refs, git };
    let lacking = look.lacking(cited);
    look.ask_git(&lacking);
    let findings = lacking.iter().filter_map(|(of, lack)| look.finding(*of, lack)).collect();
    if look.memo != before {
        look.memo.write(grounds.state.as_ref(), root);
    }
    findings
}

/// A word for which branches there are and what they point to.
fn state_of(root: &Path, refs: Option<&Refs>) -> String {
    let Some(refs) = refs else { return String::new() };
    let mut digest = Sha256::new();
    for name in refs.heads.iter().chain(&refs.remotes).chain(&refs.tags) {
        digest.update(name.as_bytes());
        digest.update([0]);
    }
    let tree = crate::project::git::work_tree(root);
    if let Some(git) = tree.map(|tree| tree.join(".git")) {
        for file in ["HEAD", "packed-refs", "logs/HEAD", "index", "FETCH_HEAD"] {
            if let Ok(metadata) = fs::metadata(git.join(file)) {
                digest.update(format!("{file} {} {:?}", metadata.len(), metadata.modified().ok()).as_bytes());
            }
        }
    }
    digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

impl<'a> Look<'a> {
    /// What the checkout lacks, in the order it is cited.
    fn lacking<'b>(&mut self, cited: &[Of<'b>]) -> Vec<(Of<'b>, Lack)> {
        let occurring = self.names(cited);
        let mut lacking: Vec<(Of<'b>, Lack)> = Vec::new();
        let mut told: HashSet<(&str, String)> = HashSet::new();
        for of in cited.iter().copied() {
            let lack = match &of.1.what {
                Cited::Path { path, line } => self.path(path, *line),
                Cited::Symbol { parts, tie } => self.symbol(parts, *tie, &occurring),
                Cited::Script(script) => self.script(script, &occurring),
                Cited::Branch(name) => self.branch(name),
                Cited::Workflow(name) => self.workflow(name),
            };
            // Cited twice with different lines, it is gone once.
            let is_new = |lack: &Lack| told.insert((of.0, lack.wanted.clone()));
            lacking.extend(lack.filter(is_new).map(|lack| (of, lack)));
        }
        lacking
    }

    /// Which of the cited names occur in the checkout; read at most once, and not at all when it was read before.
    fn names(&mut self, cited: &[Of<'_>]) -> HashMap<String, bool> {
        let mut wanted: HashSet<String> = HashSet::new();
        for (_, citation) in cited {
            match &citation.what {
                Cited::Symbol { parts, .. } => wanted.extend(parts.iter().cloned()),
                Cited::Script(Script::Flag { program, flag }) if self.scripts.makes(program, &self.tree) => {
                    wanted.extend(spellings(flag));
                }
                _ => {}
            }
        }
        let unknown: HashSet<String> =
            wanted.iter().filter(|name| !self.memo.names.contains_key(*name)).cloned().collect();
        if !unknown.is_empty() {
            self.memo.names.extend(super::symbols::occurring(&self.tree, &unknown));
        }
        wanted.into_iter().filter_map(|name| Some((name.clone(), *self.memo.names.get(&name)?))).collect()
    }

    fn path(&self, path: &str, line: Option<usize>) -> Option<Lack> {
        // `/src/auth.ts` is how some people write a path from the project's root.
        let from_root = path.strip_prefix('/').filter(|inside| {
            let first = inside.split('/').next().unwrap_or_default();
            !Path::new(path).exists() && !first.is_empty() && self.root.join(first).exists()
        });
        if let Some(inside) = from_root {
            return self.path_inside(path, inside, line);
        }
        if let Some(full) = self.absolute(path) {
            let inside = full.strip_prefix(self.root).ok().map(|inside| inside.to_string_lossy().into_owned());
            return match inside {
                Some(inside) => self.path_inside(path, &inside, line),
                None => self.path_outside(path, &full, line),
            };
        }
        if path.starts_with(['/', '~']) {
            return None;
        }
        self.path_inside(path, path, line)
    }

    /// A path from the root of the machine or from the home of the person; `None` for a relative one and one whose place
    /// is not known here.
    fn absolute(&self, path: &str) -> Option<PathBuf> {
        match path.strip_prefix("~/") {
            Some(rest) => self.grounds.home.as_ref().map(|home| home.join(rest)),
            None => path.starts_with('/').then(|| PathBuf::from(path)),
        }
    }

    fn path_outside(&self, shown: &str, full: &Path, line: Option<usize>) -> Option<Lack> {
        if fs::symlink_metadata(full).is_ok() {
            return past_the_end(shown, line, count_lines(full));
        }
        // A home that is the root of the machine is nobody's.
        let home = self.grounds.home.as_deref().filter(|home| home.parent().is_some());
        let is_of_elsewhere = match home.and_then(|home| Some((home, full.strip_prefix(home).ok()?))) {
            Some((home, inside)) => place::begins_elsewhere(home, inside),
            None => place::is_of_elsewhere(full),
        };
        if is_of_elsewhere {
            return None;
        }
        let mut lack = Lack::of(ProblemCode::PathGone, shown);
        lack.message = Some(super::quick::missing_here(shown));
        Some(lack)
    }

    fn path_inside(&self, shown: &str, path: &str, line: Option<usize>) -> Option<Lack> {
        let clean = path.trim_start_matches("./").trim_end_matches('/');
        let first = clean.split('/').next().unwrap_or_default();
        let there = self.root.join(first).exists();
        if !place::is_of_project(self.root, clean) {
            return None;
        }
        let last = clean.rsplit('/').next().unwrap_or_default();
        let has_extension = last.trim_start_matches('.').contains('.');
        // `feature/login`, `and/or`: only below a folder that is there can it be nothing but a path.
        let is_plain_folder = path.ends_with('/') && clean.contains('/');
        if !(has_extension || there || is_plain_folder) {
            return None;
        }
        let places = self.tree.places(path);
        match places.as_slice() {
            [] => {}
            [one] => return past_the_end(shown, line, self.tree.lines(one)),
            _ => return None,
        }
        if !self.tree.is_complete || self.tree.is_ignored(path) || self.in_parent(clean) {
            return None;
        }
        let mut found = Lack::of(ProblemCode::PathGone, shown);
        found.path = Some(clean.to_owned());
        // A file's name is telling enough to say where it may have gone; `mod.rs` is not.
        let same = self.tree.named(last);
        if let ([one], true) = (same, has_extension && clean.contains('/')) {
            found.hint = Some(format!("a file of that name is {one}"));
        }
        Some(found)
    }

    /// A checkout inside a larger work tree, or a path that starts with the project's own folder.
    fn in_parent(&self, clean: &str) -> bool {
        let above = self.root.parent();
        let name = self.root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let own = clean.strip_prefix(&format!("{name}/")).is_some_and(|rest| !self.tree.places(rest).is_empty());
        let tree = crate::project::git::work_tree(self.root).filter(|tree| tree != self.root);
        let in_work_tree = tree.is_some_and(|tree| self.root.starts_with(&tree) && tree.join(clean).exists());
        own || in_work_tree || above.is_some_and(|above| clean.contains('/') && above.join(clean).exists())
    }

    fn symbol(&mut self, parts: &[String], tie: Tie, occurring: &HashMap<String, bool>) -> Option<Lack> {
        let occurs = |part: &String| occurring.get(part).copied();
        // One that nobody could look for is no evidence.
        let absent: Vec<&String> = parts.iter().filter(|part| occurs(part) == Some(false)).collect();
        if absent.is_empty() || parts.iter().any(|part| occurs(part).is_none()) {
            return None;
        }
        let head = parts.first()?;
        if parts.len() > 1 && head.chars().next().is_some_and(char::is_lowercase) {
            let is_own = self.tree.has_folder(head)
                || SOURCE_ENDS.iter().any(|end| !self.tree.named(&format!("{head}{end}")).is_empty());
            if !is_own || self.scripts.is_foreign(head, &self.tree) {
                return None;
            }
        }
        let shown = parts.join("::");
        let word = absent.last().map(|part| (*part).clone())?;
        let mut found = Lack::of(ProblemCode::SymbolGone, if parts.len() > 1 { &shown } else { &word });
        found.hint = (parts.len() > 1).then(|| format!("{word} occurs in no file"));
        // Of a type that is the project's the method is, too.
        let is_of_own = tie == Tie::Form && parts.len() > 1 && occurs(head) == Some(true);
        found.word = Some((word, if is_of_own { Tie::Place } else { tie }));
        Some(found)
    }

    fn script(&mut self, script: &Script, occurring: &HashMap<String, bool>) -> Option<Lack> {
        if let Script::Flag { program, flag } = script {
            let is_absent = spellings(flag).iter().all(|word| occurring.get(word) == Some(&false));
            if !is_absent || !self.scripts.makes(program, &self.tree) {
                return None;
            }
            let hint = format!("no file of the checkout has an option {flag}");
            return Some(Lack::of(ProblemCode::SymbolGone, &script.shown()).hinting(hint));
        }
        match self.scripts.find(script, &self.tree) {
            Found::There => None,
            Found::Gone(why) => Some(Lack::of(ProblemCode::ScriptGone, &script.shown()).hinting(why)),
        }
    }

    fn branch(&self, name: &str) -> Option<Lack> {
        let refs = self.refs.as_ref().filter(|refs| !refs.heads.is_empty())?;
        if refs.knows(name) {
            return None;
        }
        let known = crate::text::count(refs.heads.len() + refs.remotes.len(), "branch", "branches");
        let hint = format!("the repository knows {known}, none of them this one");
        Some(Lack::of(ProblemCode::BranchGone, name).hinting(hint))
    }

    fn workflow(&mut self, name: &str) -> Option<Lack> {
        if name.contains('/') || self.scripts.has_workflow(name, &self.tree)? {
            return None;
        }
        let hint = "no file of the continuous integration has a workflow or job of that name";
        Some(Lack::of(ProblemCode::ScriptGone, name).hinting(hint.to_owned()))
    }

    /// Asks git for everything it was not asked for before, in as few questions as may be.
    fn ask_git(&mut self, lacking: &[(Of<'_>, Lack)]) {
        let Some(git) = self.git.as_mut() else { return };
        let paths: BTreeSet<String> = lacking
            .iter()
            .filter_map(|(_, lack)| lack.path.clone())
            .filter(|path| !self.memo.elsewhere.contains_key(path) || !self.memo.paths.contains_key(path))
            .collect();
        let paths: Vec<String> = paths.into_iter().collect();
        if !paths.is_empty() {
            let refs = self.refs.clone().unwrap_or_default();
            let heads = refs.heads.iter().map(|name| format!("refs/heads/{name}"));
            let remotes = refs.remotes.iter().map(|name| format!("refs/remotes/{name}"));
            let branches: Vec<String> = heads.chain(remotes).collect();
            let elsewhere = git.elsewhere(&paths, &branches);
            if let Some(went) = git.gone(&paths) {
                for path in &paths {
                    self.memo.elsewhere.insert(path.clone(), elsewhere.get(path).cloned());
                    self.memo.paths.insert(path.clone(), went.get(path).cloned());
                }
            }
        }
        let words: BTreeSet<&String> = lacking.iter().filter_map(|(_, lack)| Some(&lack.word.as_ref()?.0)).collect();
        let unknown = words.into_iter().filter(|word| !self.memo.words.contains_key(*word)).take(MOST_WORDS);
        for word in unknown.cloned().collect::<Vec<_>>() {
            let Some(went) = git.word_gone(&word) else { break };
            self.memo.words.insert(word, went);
        }
    }

    /// The finding of something that is lacking; `None` when git's answer makes it none.
    fn finding(&self, (file, citation): Of<'_>, lack: &Lack) -> Option<Finding> {
        let on_branch = lack.path.as_ref().and_then(|path| self.memo.elsewhere.get(path).cloned().flatten());
        let elsewhere = on_branch.or_else(|| self.in_other_work_tree(lack.path.as_deref()?));
        let went = match (&lack.path, &lack.word) {
            (Some(path), _) => self.memo.paths.get(path),
            (None, Some((word, _))) => self.memo.words.get(word),
            (None, None) => None,
        };
        // An old branch keeps what was taken out of this one: only what never was here is merely elsewhere.
        let (elsewhere, kept) = if matches!(went, Some(Some(_))) { (None, elsewhere) } else { (elsewhere, None) };
        let needs_history = lack.word.as_ref().is_some_and(|(_, tie)| match tie {
            Tie::Nothing => true,
            Tie::Form => self.git.is_some(),
            Tie::Place => false,
        });
        if needs_history && !matches!(went, Some(Some(_))) {
            return None;
        }
        let wanted = &lack.wanted;
        let mut message = match (&lack.message, &elsewhere, lack.code) {
            (Some(message), _, _) => message.clone(),
            (None, Some(place), _) => format!("{wanted} is not in this checkout, but in {place}"),
            (None, None, ProblemCode::BranchGone) => format!("there is no branch {wanted} any more"),
            (None, None, _) => super::quick::missing(wanted) + &self.when(lack, went),
        };
        if matches!(went, Some(None)) && elsewhere.is_none() {
            message = format!("{wanted} is not in the project, and never was in its history");
        }
        if let Some(place) = kept {
            message.push_str(&format!("; {place} still has it"));
        }
        if let Some(hint) = &lack.hint {
            message.push_str(&format!("; {hint}"));
        }
        let mut finding = Finding::new(lack.code, file, Some(citation.line), message);
        if elsewhere.is_some() {
            finding.severity = Severity::Note;
        }
        finding.evidence = Some(wanted.clone());
        finding.quote = Some(citation.quote.clone());
        Some(finding)
    }

    /// When it went, in words; or why nobody can say.
    fn when(&self, lack: &Lack, went: Option<&Option<Went>>) -> String {
        let can_be_asked = (lack.path.is_some() || lack.word.is_some()) && self.refs.is_some();
        match (went, can_be_asked) {
            (Some(Some(went)), _) => format!(": it went on {} with commit {}", went.day, went.commit),
            (None, true) if self.git.is_none() => " (no git to ask when it went)".to_owned(),
            (None, true) => " (git did not say in time when it went)".to_owned(),
            (Some(None), _) | (None, false) => String::new(),
        }
    }

    /// Another work tree of the repository that has the path.
    fn in_other_work_tree(&self, path: &str) -> Option<String> {
        let tree = crate::project::git::work_tree(self.root)?;
        let main = crate::project::git::git_root(&tree)?;
        let inside = self.root.strip_prefix(&tree).ok()?.to_owned();
        let mut others = crate::project::git::linked_work_trees(&main);
        others.push(main);
        let other = others.into_iter().find(|other| *other != tree && other.join(&inside).join(path).exists())?;
        Some(format!("the work tree {}", other.display()))
    }
}

/// Ends of the names of source files.
const SOURCE_ENDS: &[&str] =
    &[".rs", ".py", ".ts", ".tsx", ".js", ".go", ".rb", ".java", ".kt", ".swift", ".cs", ".php", ".c", ".cpp", ".h"];

/// How an option may be written in the code that takes it.
fn spellings(flag: &str) -> [String; 3] {
    let mut words = flag.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    let camel = words.fold(first, |text, word| {
        let mut letters = word.chars();
        let head: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        text + &head + letters.as_str()
    });
    [flag.to_owned(), flag.replace('-', "_"), camel]
}

/// A file that is there, cited beyond its last line.
fn past_the_end(shown: &str, line: Option<usize>, lines: Option<usize>) -> Option<Lack> {
    let (line, lines) = (line?, lines?);
    let mut lack = Lack::of(ProblemCode::PathGone, &format!("{shown}:{line}"));
    lack.message = Some(format!("{shown} ends at line {lines} now, before the cited line {line}"));
    (line > lines).then_some(lack)
}
