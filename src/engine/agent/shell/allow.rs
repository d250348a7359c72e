//! Which commands may run, with which flags: a list of what can only read, print and end.
//!
//! A flag that is not listed is refused, also when it would be harmless: abbreviations (`--out` for `--output`), flags in
//! clusters, flags of other versions. Not its job: whether a path may be read (the caller), and the sandbox around it all.

mod find;

use std::path::{Path, PathBuf};

/// Where programs are looked for, whatever the environment says.
const PLACES: [&str; 2] = ["/usr/bin", "/bin"];

/// What a command's operands are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operands {
    /// Paths, at most so many.
    Paths(usize),
    /// An expression, unless a flag gave it, then paths.
    ExpressionThenPaths,
    /// Text, at most so many words.
    Text(usize),
    /// Anything at all: it is only printed.
    Anything,
    /// A form that begins with `+`.
    Format,
    /// The little language of `find`.
    Find,
}

/// What one command may be given.
#[derive(Debug)]
pub(super) struct Rule {
    name: &'static str,
    /// Flags of one letter that stand alone.
    short: &'static str,
    /// Flags of one letter that take a value.
    with_value: &'static str,
    /// Long flags that stand alone.
    long: &'static [&'static str],
    /// Long flags that take a value, after `=` or as the next word.
    long_with_value: &'static [&'static str],
    /// `-5` for so many lines.
    number: bool,
    operands: Operands,
}

const fn rule_of(name: &'static str, short: &'static str, with_value: &'static str, operands: Operands) -> Rule {
    Rule { name, short, with_value, long: &[], long_with_value: &[], number: false, operands }
}

#[rustfmt::skip]
const RULES: &[Rule] = &[
    Rule { long: &["all", "almost-all", "human-readable", "recursive", "reverse", "inode", "size", "directory", "classify", "full-time", "group-directories-first", "no-group", "numeric-uid-gid"], long_with_value: &["sort", "time", "time-style", "color", "format"], ..rule_of("ls", "aAlhRrtSs1dFpinoguUXQkc", "", Operands::Paths(500)) },
    Rule { long: &["number", "number-nonblank", "show-all", "show-ends", "show-tabs", "show-nonprinting", "squeeze-blank"], ..rule_of("cat", "nbsvETAet", "", Operands::Paths(500)) },
    Rule { number: true, long: &["quiet", "silent", "verbose"], long_with_value: &["lines", "bytes"], ..rule_of("head", "qv", "nc", Operands::Paths(500)) },
    Rule { number: true, long: &["quiet", "silent", "verbose"], long_with_value: &["lines", "bytes"], ..rule_of("tail", "qv", "nc", Operands::Paths(500)) },
    Rule { long: &["bytes", "chars", "lines", "words", "max-line-length"], long_with_value: &["total"], ..rule_of("wc", "cmlwL", "", Operands::Paths(500)) },
    Rule { long: &["dereference", "file-system", "terse"], long_with_value: &["format", "printf"], ..rule_of("stat", "Lft", "c", Operands::Paths(500)) },
    Rule { long: &["extended-regexp", "fixed-strings", "basic-regexp", "perl-regexp", "ignore-case", "no-ignore-case", "invert-match", "word-regexp", "line-regexp", "count", "files-with-matches", "files-without-match", "only-matching", "quiet", "silent", "no-messages", "byte-offset", "with-filename", "no-filename", "line-number", "text", "null"], long_with_value: &["regexp", "max-count", "after-context", "before-context", "context", "color", "colour", "label"], number: true, ..rule_of("grep", "EFGPiyvwxclLoqsbHhnaZT", "emABC", Operands::ExpressionThenPaths) },
    rule_of("find", "", "", Operands::Find),
    Rule { long: &["ignore-leading-blanks", "dictionary-order", "ignore-case", "general-numeric-sort", "human-numeric-sort", "month-sort", "numeric-sort", "reverse", "version-sort", "stable", "unique", "zero-terminated", "check"], long_with_value: &["key", "field-separator", "sort"], ..rule_of("sort", "bdfgiMhnrVsuzcC", "kt", Operands::Paths(500)) },
    Rule { long: &["count", "repeated", "unique", "ignore-case", "zero-terminated"], long_with_value: &["skip-fields", "skip-chars", "check-chars"], ..rule_of("uniq", "cdDiuz", "fsw", Operands::Paths(1)) },
    Rule { long: &["complement", "only-delimited", "zero-terminated"], long_with_value: &["bytes", "characters", "fields", "delimiter", "output-delimiter"], ..rule_of("cut", "nsz", "bcfd", Operands::Paths(500)) },
    Rule { long: &["complement", "delete", "squeeze-repeats", "truncate-set1"], ..rule_of("tr", "cCdst", "", Operands::Text(2)) },
    rule_of("nl", "p", "abdfhilnsvw", Operands::Paths(500)),
    Rule { long: &["before", "regex"], long_with_value: &["separator"], ..rule_of("tac", "br", "s", Operands::Paths(500)) },
    Rule { long: &["multiple", "zero"], long_with_value: &["suffix"], ..rule_of("basename", "az", "s", Operands::Text(500)) },
    Rule { long: &["zero"], ..rule_of("dirname", "z", "", Operands::Text(500)) },
    Rule { long: &["canonicalize-existing", "canonicalize-missing", "logical", "physical", "quiet", "strip", "no-symlinks", "zero"], ..rule_of("realpath", "emLPqsz", "", Operands::Paths(500)) },
    Rule { long: &["canonicalize", "canonicalize-existing", "canonicalize-missing", "no-newline", "quiet", "silent", "verbose", "zero"], ..rule_of("readlink", "femnqsvz", "", Operands::Paths(500)) },
    Rule { long: &["logical", "physical"], ..rule_of("pwd", "LP", "", Operands::Text(0)) },
    rule_of("echo", "", "", Operands::Anything),
    rule_of("true", "", "", Operands::Text(0)),
    Rule { long: &["utc", "universal", "rfc-email"], long_with_value: &["date", "rfc-3339", "iso-8601"], ..rule_of("date", "uR", "dI", Operands::Format) },
    Rule { long: &["raw-output", "compact-output", "slurp", "null-input", "exit-status", "sort-keys", "monochrome-output", "join-output", "raw-input", "ascii-output", "tab"], ..rule_of("jq", "rcsneSMjRa", "", Operands::ExpressionThenPaths) },
];

/// The rule of a command.
///
/// # Errors
/// When it may not run, with what may.
pub(super) fn rule(name: &str) -> Result<&'static Rule, String> {
    if name.contains('/') {
        return Err(format!("{name}: name the command without its path"));
    }
    if name.contains('=') {
        return Err(format!("{name}: there are no variables here"));
    }
    RULES.iter().find(|rule| rule.name == name).ok_or_else(|| {
        let hint = match name {
            "cd" => "it changes nothing here: give paths instead",
            "rg" | "ag" | "ack" | "fd" => "use the tools Grep and Glob",
            "rm" | "mv" | "cp" | "tee" | "touch" | "mkdir" | "sed" | "awk" => {
                "use Edit, Write and Delete in the memory directory"
            }
            "git" => "it can run programs of the repository; read the files instead",
            _ => "only commands that read may run",
        };
        let all: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        format!("{name} may not run: {hint}. Allowed: {}", all.join(", "))
    })
}

/// The absolute path of a command's program.
///
/// # Errors
/// When it is not on this machine.
pub(super) fn program(name: &str) -> Result<PathBuf, String> {
    PLACES
        .iter()
        .map(|place| Path::new(place).join(name))
        .find(|path| path.is_file())
        .ok_or_else(|| format!("{name} is not on this machine"))
}

impl Rule {
    /// Whether the command looks at the disk; the others print what they are told.
    pub(super) fn looks(&self) -> bool {
        !matches!(self.operands, Operands::Text(_) | Operands::Anything | Operands::Format)
    }

    /// Whether a pattern after these arguments stands for names of files, and is no expression or text.
    pub(super) fn expands(&self, before: &[String]) -> bool {
        match self.operands {
            Operands::Paths(_) => true,
            Operands::ExpressionThenPaths => self.judge(before).is_ok() && self.has_expression(before),
            Operands::Find => !before.iter().any(|argument| find::begins_expression(argument)),
            Operands::Text(_) | Operands::Anything | Operands::Format => false,
        }
    }

    fn has_expression(&self, arguments: &[String]) -> bool {
        let Ok((operands, expression)) = self.operands(arguments) else { return false };
        expression || !operands.is_empty()
    }

    /// The arguments that are paths, when all of them are allowed.
    ///
    /// # Errors
    /// What is not allowed.
    pub(super) fn judge<'a>(&self, arguments: &'a [String]) -> Result<Vec<&'a str>, String> {
        match self.operands {
            Operands::Find => return find::judge(arguments),
            Operands::Anything => return Ok(Vec::new()),
            _ => {}
        }
        let (mut operands, expression) = self.operands(arguments)?;
        let too_many = |most: usize| format!("{}: at most {most} operands", self.name);
        match self.operands {
            Operands::Paths(most) if operands.len() > most => Err(too_many(most)),
            Operands::Paths(_) => Ok(operands),
            Operands::ExpressionThenPaths => {
                if !expression && !operands.is_empty() {
                    let expression = operands.remove(0);
                    // Its modules are files that no operand names.
                    if self.name == "jq" && ["import", "include"].iter().any(|word| expression.contains(word)) {
                        return Err("jq: modules are not read; an expression without import and include".to_owned());
                    }
                }
                Ok(operands)
            }
            Operands::Text(most) if operands.len() > most => Err(too_many(most)),
            Operands::Text(_) | Operands::Anything | Operands::Find => Ok(Vec::new()),
            Operands::Format => match operands.iter().find(|operand| !operand.starts_with('+')) {
                Some(operand) => Err(format!("{}: {operand} could set the clock; only a form like +%F", self.name)),
                None => Ok(Vec::new()),
            },
        }
    }

    /// The operands, and whether a flag gave the expression; every flag is checked.
    fn operands<'a>(&self, arguments: &'a [String]) -> Result<(Vec<&'a str>, bool), String> {
        let (mut operands, mut expression) = (Vec::new(), false);
        let mut left = arguments.iter().map(String::as_str);
        let mut flags = true;
        while let Some(argument) = left.next() {
            if !flags || argument == "-" || !argument.starts_with('-') {
                operands.push(argument);
                continue;
            }
            if argument == "--" {
                flags = false;
            } else if let Some(long) = argument.strip_prefix("--") {
                expression |= self.long_flag(long, &mut left)?;
            } else {
                expression |= self.short_flags(argument, &mut left)?;
            }
        }
        Ok((operands, expression))
    }

    /// Whether the flag gave the expression.
    fn long_flag<'a>(&self, flag: &str, left: &mut impl Iterator<Item = &'a str>) -> Result<bool, String> {
        let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
        if self.long.contains(&name) && value.is_none() {
            return Ok(false);
        }
        // Some take their value only after `=` (`--color`), and none of those would swallow an operand as a path.
        if self.long_with_value.contains(&name) {
            if value.is_none() && !matches!(name, "color" | "colour" | "iso-8601") && left.next().is_none() {
                return Err(format!("{} --{name} needs a value", self.name));
            }
            return Ok(name == "regexp");
        }
        Err(self.refused(&format!("--{name}")))
    }

    fn short_flags<'a>(&self, cluster: &str, left: &mut impl Iterator<Item = &'a str>) -> Result<bool, String> {
        let letters: Vec<char> = cluster.chars().skip(1).collect();
        if self.number && letters.iter().all(char::is_ascii_digit) {
            return Ok(false);
        }
        for (at, letter) in letters.iter().enumerate() {
            if self.short.contains(*letter) {
                continue;
            }
            if !self.with_value.contains(*letter) {
                return Err(self.refused(&format!("-{letter}")));
            }
            // The value is the rest of the cluster, or the next word; `date -I` may stand without.
            let is_last = at + 1 == letters.len();
            if is_last && !(self.name == "date" && *letter == 'I') && left.next().is_none() {
                return Err(format!("{} -{letter} needs a value", self.name));
            }
            return Ok(self.name == "grep" && *letter == 'e');
        }
        Ok(false)
    }

    fn refused(&self, flag: &str) -> String {
        let hint = match (self.name, flag) {
            ("grep", "-r" | "-R" | "--recursive" | "--dereference-recursive") => {
                "; search directories with the tool Grep"
            }
            ("tail", "-f" | "-F" | "--follow") => "; it would not end",
            ("sort", "-o" | "--output") => "; it writes",
            _ => "",
        };
        format!("{} {flag} is not allowed{hint}", self.name)
    }
}
