//! A line of commands into words, fail-closed: what is not understood to the letter is refused with a hint.
//!
//! What is read here is what runs: no shell sees the line, so there is nothing to agree with but this file. Not its job:
//! which commands and flags are allowed (`allow`), and the names that a pattern stands for (`expand`).

/// A character of a word, and whether it was quoted: a quoted `*` is a star and no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) character: char,
    pub(super) quoted: bool,
}

/// A word as it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word(pub(super) Vec<Piece>);

impl Word {
    /// The word without its quotes.
    pub(super) fn text(&self) -> String {
        self.0.iter().map(|piece| piece.character).collect()
    }

    /// Whether it stands for names: an unquoted `*`, `?` or `[`.
    pub(super) fn is_pattern(&self) -> bool {
        self.0.iter().any(|piece| !piece.quoted && matches!(piece.character, '*' | '?' | '['))
    }
}

/// Where an output goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sink {
    /// On, to the next command or into the answer.
    #[default]
    On,
    /// Nowhere.
    Null,
    /// Errors: to where the output goes.
    WithOutput,
}

/// One command as it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) words: Vec<Word>,
    pub(super) output: Sink,
    pub(super) errors: Sink,
}

/// When a pipeline runs, seen from the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// `;`, and the first.
    Always,
    /// `&&`.
    AfterSuccess,
    /// `||`.
    AfterFailure,
}

/// Commands joined by `|`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pipeline {
    pub(super) join: Join,
    pub(super) commands: Vec<Written>,
}

/// No line is longer than this many characters.
const MAX_LINE: usize = 4_000;
/// No line has more commands than this.
const MAX_COMMANDS: usize = 16;

/// Reads a line.
///
/// # Errors
/// What was not understood, and what to write instead.
pub(super) fn lex(line: &str) -> Result<Vec<Pipeline>, String> {
    if line.chars().count() > MAX_LINE {
        return Err(format!("the command is longer than {MAX_LINE} characters; ask for less at a time"));
    }
    let mut lexer =
        Lexer { rest: line.chars().collect(), at: 0, done: Vec::new(), join: Join::Always, commands: vec![] };
    lexer.line()?;
    Ok(lexer.done)
}

struct Lexer {
    rest: Vec<char>,
    at: usize,
    done: Vec<Pipeline>,
    join: Join,
    commands: Vec<Written>,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.rest.get(self.at + ahead).copied()
    }

    /// Whether the text that follows is this, and steps over it.
    fn takes(&mut self, text: &str) -> bool {
        let is = text.chars().enumerate().all(|(ahead, character)| self.peek(ahead) == Some(character));
        if is {
            self.at += text.chars().count();
        }
        is
    }

    fn line(&mut self) -> Result<(), String> {
        let mut command = Written::default();
        loop {
            while self.peek(0).is_some_and(|character| matches!(character, ' ' | '\t')) {
                self.at += 1;
            }
            let Some(character) = self.peek(0) else {
                // A `;` at the end joins nothing.
                if command == Written::default() && self.commands.is_empty() && !self.done.is_empty() {
                    return if self.join == Join::Always {
                        Ok(())
                    } else {
                        Err("a command is missing at the end".to_owned())
                    };
                }
                self.end_command(&mut command)?;
                self.end_pipeline(Join::Always);
                return Ok(());
            };
            if self.redirect(&mut command)? {
                continue;
            }
            match character {
                '|' if self.takes("||") => {
                    self.end_command(&mut command)?;
                    self.end_pipeline(Join::AfterFailure);
                }
                '|' => {
                    self.at += 1;
                    if self.peek(0) == Some('&') {
                        return Err("`|&` is not understood; write `2>&1 |`".to_owned());
                    }
                    self.end_command(&mut command)?;
                }
                '&' if self.takes("&&") => {
                    self.end_command(&mut command)?;
                    self.end_pipeline(Join::AfterSuccess);
                }
                ';' => {
                    self.at += 1;
                    self.end_command(&mut command)?;
                    self.end_pipeline(Join::Always);
                }
                '#' => return Err("comments are not understood; leave the `#` out, or quote it".to_owned()),
                '~' => return Err("`~` is not understood; write the whole path".to_owned()),
                _ => {
                    let word = self.word()?;
                    command.words.push(word);
                }
            }
        }
    }

    fn end_command(&mut self, command: &mut Written) -> Result<(), String> {
        let command = std::mem::take(command);
        if command.words.is_empty() {
            return Err("a command is missing: there is nothing to run before or after an operator".to_owned());
        }
        let all = self.commands.len() + self.done.iter().map(|pipeline| pipeline.commands.len()).sum::<usize>();
        if all >= MAX_COMMANDS {
            return Err(format!("more than {MAX_COMMANDS} commands on one line; ask for less at a time"));
        }
        self.commands.push(command);
        Ok(())
    }

    fn end_pipeline(&mut self, next: Join) {
        self.done.push(Pipeline { join: self.join, commands: std::mem::take(&mut self.commands) });
        self.join = next;
    }

    /// The redirections that change nothing: errors to the output, either to nowhere.
    fn redirect(&mut self, command: &mut Written) -> Result<bool, String> {
        let begun = self.at;
        let (errors, output) = if self.takes("2>&1") {
            (Some(Sink::WithOutput), None)
        } else if self.takes("2>/dev/null") || self.takes("2> /dev/null") {
            (Some(Sink::Null), None)
        } else if self.takes("&>/dev/null") || self.takes("&> /dev/null") {
            (Some(Sink::Null), Some(Sink::Null))
        } else if self.takes(">/dev/null") || self.takes("> /dev/null") || self.takes("1>/dev/null") {
            (None, Some(Sink::Null))
        } else {
            return Ok(false);
        };
        if self.peek(0).is_some_and(|next| !matches!(next, ' ' | '\t' | ';' | '|' | '&')) {
            self.at = begun;
            return Err("only `2>/dev/null`, `>/dev/null` and `2>&1` may be redirected to".to_owned());
        }
        command.errors = errors.unwrap_or(command.errors);
        command.output = output.unwrap_or(command.output);
        Ok(true)
    }

    fn word(&mut self) -> Result<Word, String> {
        let mut word = Word::default();
        while let Some(character) = self.peek(0) {
            match character {
                ' ' | '\t' | '|' | ';' => break,
                '&' if self.peek(1) == Some('&') => break,
                '\'' => self.single(&mut word)?,
                '"' => self.double(&mut word)?,
                '\\' => {
                    self.at += 1;
                    let next = self.peek(0).filter(|next| !next.is_control());
                    let next = next.ok_or("a backslash must stand before a character of the same line")?;
                    self.take(&mut word, next, true);
                }
                _ => {
                    if let Some(why) = refused(character) {
                        return Err(why);
                    }
                    self.take(&mut word, character, false);
                }
            }
        }
        // A number before `>` is a redirection to a shell and would be a word here.
        if matches!(self.peek(0), Some('>' | '<')) {
            return Err(REDIRECTION.to_owned());
        }
        Ok(word)
    }

    fn take(&mut self, word: &mut Word, character: char, quoted: bool) {
        self.at += 1;
        word.0.push(Piece { character, quoted });
    }

    fn single(&mut self, word: &mut Word) -> Result<(), String> {
        self.at += 1;
        loop {
            match self.peek(0) {
                Some('\'') => break,
                Some(character) if character.is_control() && character != '\t' => return Err(control(character)),
                Some(character) => self.take(word, character, true),
                None => return Err("a quote is not closed".to_owned()),
            }
        }
        self.at += 1;
        Ok(())
    }

    fn double(&mut self, word: &mut Word) -> Result<(), String> {
        self.at += 1;
        loop {
            match self.peek(0) {
                Some('"') => break,
                Some(character @ ('$' | '`')) => return Err(substitution(character)),
                Some('!') if self.peek(1) == Some('!') => return Err("`!!` is not understood".to_owned()),
                Some('\\') => {
                    self.at += 1;
                    match self.peek(0) {
                        Some(next @ ('"' | '\\' | '$' | '`')) => self.take(word, next, true),
                        Some(next) if !next.is_control() => word.0.push(Piece { character: '\\', quoted: true }),
                        _ => return Err("a backslash must stand before a character of the same line".to_owned()),
                    }
                }
                Some(character) if character.is_control() && character != '\t' => return Err(control(character)),
                Some(character) => self.take(word, character, true),
                None => return Err("a quote is not closed".to_owned()),
            }
        }
        self.at += 1;
        Ok(())
    }
}

const REDIRECTION: &str = "nothing is redirected here but `2>/dev/null`, `>/dev/null` and `2>&1`; use Write for files of the memory directory";

fn substitution(character: char) -> String {
    format!(
        "`{character}` is not understood: there are no variables and no substitutions; quote it with '…' to mean itself"
    )
}

fn control(character: char) -> String {
    match character {
        '\n' | '\r' => "one line at a time: a line break is not understood".to_owned(),
        _ => format!("the control character U+{:04X} is not understood", u32::from(character)),
    }
}

/// Why a character may not stand outside quotes.
fn refused(character: char) -> Option<String> {
    Some(match character {
        '$' | '`' => substitution(character),
        '>' | '<' => REDIRECTION.to_owned(),
        '&' => "`&` is not understood: nothing runs in the background".to_owned(),
        '(' | ')' | '{' | '}' => format!("`{character}` is not understood; quote it to mean itself"),
        character if character.is_control() => control(character),
        character if character.is_whitespace() => {
            format!("the blank U+{:04X} is not understood; write a plain space", u32::from(character))
        }
        _ => return None,
    })
}
