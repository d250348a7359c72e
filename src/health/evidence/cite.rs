//! What a body cites of its project: paths, symbols, scripts, branches, workflows; each with its place and its words.
//!
//! Precise before complete: only what is plainly a citation counts, and only in a sentence that says it is there. Not its
//! job: looking whether it is (see [`super::look`]).

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::command;
use super::prose::Prose;
use super::tone::{self, Tone};

/// How many citations of one body are looked at.
const MOST: usize = 500;

/// One thing that is cited.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::health) enum Cited {
    /// A path, with the last line it is cited up to.
    Path {
        /// As it is written, without line numbers.
        path: String,
        /// The highest line that is cited.
        line: Option<usize>,
    },
    /// A name in the code.
    Symbol {
        /// Its parts, the outermost first: `Ledger`, `settle`.
        parts: Vec<String>,
        /// What makes it code of the project.
        tie: Tie,
    },
    /// A target or script of a task runner, or an option of a program of the project.
    Script(command::Script),
    /// A branch.
    Branch(String),
    /// A workflow of the continuous integration, by its name.
    Workflow(String),
}

/// What says that a name is code of the project: of a library's name nothing does but its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::health) enum Tie {
    /// Nothing in the sentence: only the history of git can say so.
    Nothing,
    /// It is written or called as code is; where git can be asked, its history has to know it.
    Form,
    /// A path stands beside it.
    Place,
}

/// A citation with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::health) struct Citation {
    pub(in crate::health) what: Cited,
    /// The line in the body, from 1.
    pub(super) line: usize,
    /// The text of that line.
    pub(super) quote: String,
}

/// A code span. Spans do not go over lines.
static SPAN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"`(?<code>[^`\n]{1,300})`").ok());

/// The characters of a path's part.
pub(super) const PART: &str = r"[\p{L}\p{N}_.+@\-]";

/// Line numbers behind a path: `:12`, `:12-20`, `:12:5`, `#L12-L20`.
pub(super) const LINES: &str = r"(?<lines>:\d+(?:-\d+)?(?::\d+)?|\#L\d+(?:-L?\d+)?)";

/// A whole span that is a path.
static PATH: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"^(?<path>(?:~/|\./|/)?(?:{PART}+/)*{PART}+/?){LINES}?$")).ok());

/// A path with a line number outside code spans.
static BARE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(r"(?:^|[\s(])(?<path>(?:~/|\./|/)?(?:{PART}+/)+{PART}*[\p{{L}}\p{{N}}_]\.[A-Za-z][A-Za-z0-9]{{0,9}})(?<lines>:\d+(?:-\d+)?)\b"))
        .ok()
});

/// A script of a package outside code spans.
static BARE_SCRIPT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)(?:^|[\s(])(?<code>(?:npm|pnpm|yarn|bun) run [A-Za-z][\w:.-]*)").ok());

/// An extension as files have them.
static EXTENSION: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^.+\.[A-Za-z][A-Za-z0-9]{0,9}$").ok());

/// Extensions by which a bare name is a file of code.
const SOURCES: &[&str] = &[
    "rs", "ts", "tsx", "jsx", "mjs", "cjs", "py", "pyi", "go", "rb", "java", "kt", "kts", "swift", "c", "cc", "cpp",
    "h", "hpp", "cs", "php", "scala", "ex", "exs", "sh", "bash", "vue", "svelte", "proto", "tf", "gradle",
];

/// Names that stand for any file.
const PLACEHOLDERS: &[&str] =
    &["foo", "bar", "baz", "example", "my", "your", "some", "xxx", "file", "filename", "name", "docs", "x", "a"];

/// Everything a body cites, each thing once.
pub(super) fn citations(body: &str) -> Vec<Citation> {
    let prose = Prose::of(body);
    let mut found = Gathering { prose: &prose, seen: HashSet::new(), citations: Vec::new() };
    if let Some(pattern) = SPAN.as_ref().filter(|_| body.contains('`')) {
        for captures in pattern.captures_iter(prose.text()) {
            if let (Some(whole), Some(code)) = (captures.get(0), captures.name("code")) {
                found.span(code.as_str().trim(), whole.range());
            }
        }
    }
    if let Some(pattern) = BARE.as_ref().filter(|_| body.contains('/')) {
        for captures in pattern.captures_iter(prose.text()) {
            let Some(path) = captures.name("path") else { continue };
            let tone = found.tone(&path.range());
            if tone.claims() && is_path(path.as_str(), tone) {
                let line = captures.name("lines").and_then(|lines| last_line(lines.as_str()));
                found.note(Cited::Path { path: path.as_str().to_owned(), line }, &path.range());
            }
        }
    }
    if let Some(pattern) = BARE_SCRIPT.as_ref().filter(|_| body.contains(" run ")) {
        for captures in pattern.captures_iter(prose.text()) {
            if let Some(code) = captures.name("code") {
                found.command(code.as_str().trim_end_matches(['.', ':', '-']), &code.range());
            }
        }
    }
    found.branches();
    found.citations
}

struct Gathering<'a> {
    prose: &'a Prose,
    seen: HashSet<Cited>,
    citations: Vec<Citation>,
}

impl Gathering<'_> {
    fn note(&mut self, what: Cited, place: &Range<usize>) {
        if self.citations.len() < MOST && self.seen.insert(what.clone()) {
            let line = self.prose.line_of(place.start);
            self.citations.push(Citation { what, line, quote: self.prose.line(line).to_owned() });
        }
    }

    fn tone(&self, place: &Range<usize>) -> Tone {
        Tone::of(self.prose.sentence(place))
    }

    /// One code span. What looks like a credential is looked for nowhere and kept in no record.
    fn span(&mut self, code: &str, place: Range<usize>) {
        if crate::secret::redacted(code) != code {
            return;
        }
        if code.contains(char::is_whitespace) {
            return self.command(code, &place);
        }
        let tone = self.tone(&place);
        if !tone.claims() {
            return;
        }
        if let Some(captures) = PATH.as_ref().and_then(|pattern| pattern.captures(code)) {
            // `old.ts` -> `new.ts`: what became another is not said to be there.
            let (_, after) = self.prose.around(&place);
            if ["->", "→", "=>", "⇒"].iter().any(|arrow| after.trim_start().starts_with(arrow)) && code.contains('.')
            {
                return;
            }
            let path = captures.name("path").map_or("", |path| path.as_str());
            let lines = captures.name("lines").map(|lines| lines.as_str());
            if is_path(path, tone) || lines.is_some() && path.contains('.') && !path.contains("..") && !is_number(path)
            {
                let what = Cited::Path { path: path.to_owned(), line: lines.and_then(last_line) };
                return self.note(what, &place);
            }
        }
        if tone.is_forbidden {
            return;
        }
        let (before, after) = self.prose.around(&place);
        let is_called_code = tone::is_called_code(before, after);
        if let Some(symbol) = symbol(code, is_called_code, tone, self.prose.sentence(&place)) {
            self.note(symbol, &place);
        }
    }

    /// A code span with several words: what it would run.
    fn command(&mut self, code: &str, place: &Range<usize>) {
        let tone = self.tone(place);
        if !tone.claims() || tone.is_elsewhere && tone.is_foreign {
            return;
        }
        for needed in command::needs(code) {
            match needed {
                command::Needed::Script(script) if !tone.is_forbidden => self.note(Cited::Script(script), place),
                command::Needed::Path(path) if is_path(&path, tone) => {
                    self.note(Cited::Path { path, line: None }, place);
                }
                command::Needed::Script(_) | command::Needed::Path(_) => {}
            }
        }
    }

    /// Branches and workflows: told by the word beside them.
    fn branches(&mut self) {
        let text = self.prose.text();
        let found: Vec<(Cited, Range<usize>)> = NAMED
            .as_ref()
            .filter(|_| text.contains('`'))
            .into_iter()
            .flat_map(|pattern| pattern.captures_iter(text))
            .filter_map(|captures| {
                let of = |name: &str| captures.name(name);
                let (hit, is_workflow) = match (of("before").or(of("after")), of("flow_before").or(of("flow_after"))) {
                    (Some(branch), _) => (branch, false),
                    (None, workflow) => (workflow?, true),
                };
                let name = hit.as_str().trim().to_owned();
                let what = if is_workflow { Cited::Workflow(name) } else { Cited::Branch(name) };
                Some((what, hit.range()))
            })
            .collect();
        for (what, place) in found {
            let tone = self.tone(&place);
            let is_named = match &what {
                Cited::Branch(name) => is_branch_name(name) && !tone.is_forbidden,
                _ => true,
            };
            if tone.claims() && is_named {
                self.note(what, &place);
            }
        }
    }
}

/// A branch or workflow with the word for it beside it.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)
          (?: \b(?: branch | zweig | branche | rama | ветк\w+ )\s+(?: named \s+ | called \s+ )? | 分支\s* | ブランチ\s* ) `(?<before>[\w./+\#-]+)`
        | `(?<after>[\w./+\#-]+)` (?: [\s-]*\b(?: branch | zweig | branche )\b | \s*分支 | \s*ブランチ )
        | \bworkflow \s+ `(?<flow_before>[^`\n]{2,60})`
        | `(?<flow_after>[^`\n]{2,60})` \s+ (?: ci \s+ | github \s+ | actions \s+ )* workflow\b",
    )
    .ok()
});

/// Whether a name can be one branch: no pattern, no prefix, no commit.
fn is_branch_name(name: &str) -> bool {
    let is_commit = name.len() >= 7 && name.chars().all(|c| c.is_ascii_hexdigit());
    name.len() > 1
        && !is_commit
        && !name.ends_with(['/', '-', '.'])
        && !name.starts_with(['/', '.', '-'])
        && !name.contains("..")
        && name.chars().any(char::is_alphabetic)
        && !name.split(['/', '-']).any(|part| matches!(part, "xxx" | "XXX" | "NNN" | "ticket" | "name" | "id" | "x"))
}

/// The highest line of `:12-20`, `#L3`.
fn last_line(lines: &str) -> Option<usize> {
    let lines = lines.trim_start_matches([':', '#', 'L']);
    // `:12:5` is a line and a column.
    let lines = lines.split(':').next()?;
    lines.split('-').filter_map(|line| line.trim_start_matches('L').parse().ok()).max()
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Whether a span of path characters is a path that a checkout or a machine can be asked for.
fn is_path(path: &str, tone: Tone) -> bool {
    if path.split('/').any(|part| part == "..") || path.contains("...") {
        return false;
    }
    let is_folder = path.ends_with('/');
    let bare = path.trim_end_matches('/');
    let last = bare.rsplit('/').next().unwrap_or_default();
    let has_extension = EXTENSION.as_ref().is_some_and(|pattern| pattern.is_match(last))
        && !last.rsplit('.').next().is_some_and(|end| end.chars().all(|c| c.is_ascii_digit()));
    if bare.starts_with('/') || bare.starts_with('~') {
        // A route of a web service looks the same; which it is, only the machine can say.
        return bare.matches('/').count() >= 2 - usize::from(bare.starts_with('~')) && !tone.is_elsewhere;
    }
    let stem = last.split('.').next().unwrap_or_default();
    let is_placeholder = PLACEHOLDERS.contains(&stem) && !bare.contains('/');
    match bare.contains('/') {
        true if tone.is_branch && !has_extension => false,
        // Without an extension and without a closing slash only a known folder above it makes it one: `super::look` asks.
        true => has_extension || is_folder || !bare.contains(['@', '+']),
        false => {
            let extension = last.rsplit('.').next().unwrap_or_default();
            has_extension && SOURCES.contains(&extension) && !is_placeholder && !tone.is_forbidden
        }
    }
}

/// A name that is plainly code: `settle_batch()`, `Ledger::settle`, `LedgerClient`, `RETRY_LIMIT`.
static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?<name>&?[A-Za-z_][A-Za-z0-9_]*(?:(?:::|\.|\#|->)[A-Za-z_][A-Za-z0-9_]*)*)(?<call>!?\([^()]{0,60}\)|!|<[A-Za-z_, ]+>)?$").ok()
});

/// The beginnings of names that belong to tools and services, not to a project.
const TOOLS: &[&str] = &[
    "AWS_",
    "GITHUB_",
    "GH_",
    "CI_",
    "NODE_",
    "NPM_",
    "RUST_",
    "CARGO_",
    "PG",
    "PYTHON",
    "PIP_",
    "DOCKER_",
    "KUBE",
    "GOOGLE_",
    "GCP_",
    "AZURE_",
    "CLAUDE_",
    "ANTHROPIC_",
    "OPENAI_",
    "HTTP_",
    "HTTPS_",
    "XDG_",
    "LC_",
    "GIT_",
    "SSH_",
    "VITE_",
    "NEXT_",
    "REACT_APP_",
    "POSTGRES_",
    "MYSQL_",
    "REDIS_",
    "SENTRY_",
    "OTEL_",
    "JAVA_",
    "GRADLE_",
    "ANDROID_",
    "TERM",
    "HOME",
    "NO_COLOR",
];

fn symbol(code: &str, is_called_code: bool, tone: Tone, sentence: &str) -> Option<Cited> {
    let captures = NAME.as_ref()?.captures(code)?;
    let name = captures.name("name")?.as_str().trim_start_matches('&');
    let is_call = captures.name("call").is_some_and(|call| call.as_str().starts_with('('));
    let parts: Vec<String> = name
        .split([':', '.', '#'])
        .flat_map(|part| part.split("->"))
        .filter(|part| !part.is_empty() && !matches!(*part, "self" | "this" | "cls" | "crate" | "super"))
        .map(str::to_owned)
        .collect();
    let last = parts.last()?;
    let is_qualified = parts.len() > 1;
    // `github.com`, `example.org`, `package.json` are no code; neither is `e.g`.
    if is_qualified && !name.contains("::") && !is_call && !parts.iter().all(|part| part.len() > 2) {
        return None;
    }
    let is_capitals = last.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    if is_capitals {
        let is_telling = last.contains('_') && last.len() > 4 && !TOOLS.iter().any(|tool| last.starts_with(tool));
        let tie = if is_called_code && !tone.is_variable { Tie::Form } else { Tie::Nothing };
        return is_telling.then_some(Cited::Symbol { parts: vec![last.clone()], tie });
    }
    let has_form = is_call || is_called_code || name.contains("::");
    let is_long = |part: &String| part.len() > 4 && (is_compound(part) || has_form && is_numbered(part));
    if !parts.iter().any(is_long) {
        return None;
    }
    let names_a_file = sentence.split('`').skip(1).step_by(2).any(|span| span != code && names_file(span));
    let tie = match has_form {
        _ if names_a_file => Tie::Place,
        true => Tie::Form,
        false => Tie::Nothing,
    };
    Some(Cited::Symbol { parts, tie })
}

/// Whether a name has several words in it, as names in code do: `next_delay`, `nextDelay`, `NextDelay`.
fn is_compound(name: &str) -> bool {
    let inner = name.trim_matches('_');
    let has_joint = inner.contains('_');
    let humps = inner
        .as_bytes()
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    has_joint || humps
}

/// Whether a name is a word with a number, as a project counts its own: `seal2`, `Gate77`. What everybody's names look like
/// is none.
fn is_numbered(name: &str) -> bool {
    const COMMON: &[&str] =
        &["base", "http", "float", "double", "uint", "oauth", "python", "node", "java", "sha", "ipv", "utf"];
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = name.len() - word.len();
    let letters = word.trim_matches('_');
    (1..=3).contains(&digits)
        && letters.len() >= 4
        && letters.chars().all(|c| c.is_ascii_alphabetic())
        && !COMMON.contains(&letters.to_lowercase().as_str())
}

fn names_file(span: &str) -> bool {
    let path = span.split([':', '#']).next().unwrap_or_default();
    path.contains('/') && EXTENSION.as_ref().is_some_and(|pattern| pattern.is_match(path))
}
