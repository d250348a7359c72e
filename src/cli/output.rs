//! Printing: one JSON object or lines for people, colours by meaning, failures with their exit code.
//!
//! The only place that writes to stdout and stderr. A closed pipe ends quietly.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Write};

use serde::Serialize;

use super::args::{Color, Global};
use super::exit;
use crate::environment::Environment;
use crate::secret;
use crate::text;

/// Why a command could not do its work, and the exit code that says so.
#[derive(Debug)]
pub(super) struct Failure {
    code: u8,
    error: anyhow::Error,
}

impl Failure {
    /// Something the person typed or configured is wrong.
    pub(super) fn usage(message: impl Display) -> Self {
        Self { code: exit::USAGE, error: anyhow::anyhow!("{message}") }
    }

    /// What was asked for is not there.
    pub(super) fn not_found(message: impl Display) -> Self {
        Self { code: exit::FINDINGS, error: anyhow::anyhow!("{message}") }
    }

    /// A person has to look.
    pub(super) fn person(message: impl Display) -> Self {
        Self { code: exit::PERSON, error: anyhow::anyhow!("{message}") }
    }

    /// It did not begin: something else is at it, or a gate is closed.
    pub(super) fn not_run(message: impl Display) -> Self {
        Self { code: exit::NOT_RUN, error: anyhow::anyhow!("{message}") }
    }

    /// What went wrong, without the exit code.
    pub(super) fn into_error(self) -> anyhow::Error {
        self.error
    }

    /// It did not work.
    pub(super) fn failed(message: impl Display) -> Self {
        Self { code: exit::FAILED, error: anyhow::anyhow!("{message}") }
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self { code: exit::FAILED, error: error.into() }
    }
}

/// Says a failure on stderr and gives its exit code.
pub(super) fn report(failure: &Failure) -> u8 {
    // It may quote what was typed, which may be a credential.
    let message = secret::redacted(&format!("{:#}", failure.error));
    for line in message.lines() {
        let _ = writeln!(io::stderr(), "dreamtop: {}", text::visible(line));
    }
    // A detached worker has nobody to read its stderr.
    if failure.code == exit::FAILED {
        tracing::error!("{}", text::visible(&message));
    }
    failure.code
}

/// Says what clap says: help, or what it did not understand. It quotes what was typed, and that may be a credential, or a
/// name that a script handed over from a directory: quoted as it is only when it is none and cannot move the terminal.
pub(super) fn not_understood(error: &clap::Error) {
    if error.use_stderr() {
        let plain = error.render().to_string();
        let clean = secret::redacted(&plain);
        if clean != plain || clean.chars().any(|c| c != '\n' && text::is_unsafe(c)) {
            let lines: Vec<_> = clean.lines().map(text::visible).collect();
            let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
            return;
        }
    }
    let _ = error.print();
}

/// What a colour means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Something is wrong.
    Bad,
    /// Look at this.
    Warn,
    /// As it should be.
    Good,
    /// Less important.
    Dim,
    /// More important.
    Strong,
}

/// Where a command's answer goes.
#[derive(Debug)]
pub(super) struct Output {
    json: bool,
    quiet: bool,
    colored: bool,
}

impl Output {
    /// The output the options ask for.
    pub(super) fn new(global: &Global, environment: &Environment) -> Self {
        let colored = match global.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => io::stdout().is_terminal() && environment.variable("NO_COLOR").is_none(),
        };
        Self { json: global.json, quiet: global.quiet, colored }
    }

    /// Whether JSON is asked for.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// Puts a question on stderr, without a line break.
    fn ask(&self, question: &str) -> io::Result<()> {
        let mut out = io::stderr();
        write!(out, "{}", text::visible(question))?;
        out.flush()
    }

    /// Whether a person is there to answer a question.
    pub(super) fn can_ask(&self) -> bool {
        !self.json && !self.quiet && io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Asks for yes or no where a person is there to answer; `None`: nobody is.
    pub(super) fn agrees(&self, question: &str) -> io::Result<Option<bool>> {
        if !self.can_ask() {
            return Ok(None);
        }
        let answer = self.answers(&format!("{question} [y/N] "))?;
        Ok(Some(matches!(answer.as_str(), "y" | "Y" | "yes")))
    }

    /// What a person answers to a question, without the blanks around it.
    pub(super) fn answers(&self, question: &str) -> io::Result<String> {
        self.ask(question)?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        Ok(answer.trim().to_owned())
    }

    /// Prints the answer: the object with `--json`, else what `lines` writes, nothing with `--quiet`.
    pub(super) fn answer<T: Serialize>(
        &self,
        object: &T,
        lines: impl FnOnce(&mut Page<'_>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if self.json {
            let mut text = serde_json::to_string_pretty(object)?;
            // A terminal must not see raw controls even inside JSON; serde escapes C0, these are the rest.
            if text.chars().any(|c| c != '\n' && text::is_unsafe(c)) {
                text = escape_controls(&text);
            }
            return finish(writeln!(io::stdout().lock(), "{text}"));
        }
        self.lines(lines)
    }

    /// Prints lines for people, nothing with `--quiet` or `--json`.
    pub(super) fn lines(&self, lines: impl FnOnce(&mut Page<'_>) -> io::Result<()>) -> Result<(), Failure> {
        if self.quiet || self.json {
            return Ok(());
        }
        let mut out = io::BufWriter::new(io::stdout().lock());
        let mut page = Page { out: &mut out, colored: self.colored };
        let written = lines(&mut page);
        finish(written.and_then(|()| out.flush()))
    }

    /// Prints raw bytes of our own making (completions, manual).
    pub(super) fn raw(bytes: &[u8]) -> Result<(), Failure> {
        finish(io::stdout().lock().write_all(bytes))
    }

    /// Says something on stderr that is no failure.
    pub(super) fn notice(&self, message: &str) {
        if !self.quiet {
            tell(message);
        }
    }

    /// What tells a notice as [`Output::notice`] does, while a run goes on; nothing when it is to be quiet.
    pub(super) fn tells_notices(&self) -> Option<fn(&str)> {
        (!self.quiet).then_some(tell as fn(&str))
    }
}

fn tell(message: &str) {
    let _ = writeln!(io::stderr(), "dreamtop: {}", text::visible(message));
}

fn finish(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::failed(format!("cannot write the answer: {error}")))
        }
        _ => Ok(()),
    }
}

fn escape_controls(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        if character != '\n' && text::is_unsafe(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(character);
        }
    }
    out
}

/// Lines for people.
pub(super) struct Page<'a> {
    out: &'a mut dyn Write,
    colored: bool,
}

impl Page<'_> {
    /// A line of our own words and of escaped text.
    pub(super) fn line(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// A text from a file on its own lines: line breaks stay, everything else unsafe is made visible.
    pub(super) fn text(&mut self, text: &str, indent: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| writeln!(self.out, "{indent}{}", text::visible(line)))
    }

    /// A text in the colour of its meaning, escaped.
    pub(super) fn paint(&self, text: &str, meaning: Meaning) -> String {
        let text = text::visible(text);
        if !self.colored {
            return text.into_owned();
        }
        let code = match meaning {
            Meaning::Bad => "31",
            Meaning::Warn => "33",
            Meaning::Good => "32",
            Meaning::Dim => "2",
            Meaning::Strong => "1",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}
