//! Which events we ask Claude Code for, and how a hook of ours is known among others.
//!
//! Not its job: the file they are written in (see [`super::settings`]).

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name in Claude Code.
    pub name: &'static str,
    /// Which tools it is about; `None`: the event knows no tools.
    pub matcher: Option<&'static str>,
    /// After how many seconds Claude Code goes on without us.
    pub timeout: u32,
}

/// After so many seconds Claude Code ends a hook of ours, whatever it is at: a bound for a broken machine.
pub const TIMEOUT: u32 = 10;

/// Every event we answer. What each does in milliseconds is in docs/hooks.md.
pub const EVENTS: [Event; 6] = [
    Event { name: "SessionStart", matcher: None, timeout: TIMEOUT },
    Event { name: "UserPromptSubmit", matcher: None, timeout: TIMEOUT },
    Event { name: "PostToolUse", matcher: Some("Read|Write|Edit|MultiEdit"), timeout: TIMEOUT },
    Event { name: "Stop", matcher: None, timeout: TIMEOUT },
    Event { name: "SubagentStop", matcher: None, timeout: TIMEOUT },
    Event { name: "SessionEnd", matcher: None, timeout: TIMEOUT },
];

/// Options of ours that take a value, and those that take none.
const WITH_VALUE: [&str; 7] =
    ["--project", "--memory-dir", "--sessions", "--claude-dir", "--config", "--engine", "--color"];
const ALONE: [&str; 3] = ["--json", "--quiet", "-q"];

/// A command of ours taken apart: the program as it is written there, and its options. `None`: it is somebody else's, or a
/// shell would do more with it than call us.
#[must_use]
pub fn parts(command: &str) -> Option<(String, Vec<String>)> {
    if command == SHARED_COMMAND {
        return Some(("dreamtop".to_owned(), Vec::new()));
    }
    let mut words = shlex::split(command)?.into_iter();
    let program = words.next()?;
    let mut options: Vec<String> = words.collect();
    if options.pop()? != "hook" {
        return None;
    }
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        let name = option.split('=').next().unwrap_or_default();
        let is_known = if WITH_VALUE.contains(&name) {
            option.contains('=') || rest.next().is_some()
        } else {
            ALONE.contains(&option.as_str())
        };
        if !is_known {
            return None;
        }
    }
    Some((program, options))
}

/// Whether a hook's command calls our `hook`, wherever the program lies and whatever options of ours it has.
#[must_use]
pub fn is_ours(command: &str) -> bool {
    parts(command).is_some_and(|(program, _)| {
        let name = program.rsplit(['/', '\\']).next().unwrap_or(&program);
        name.strip_suffix(".exe").unwrap_or(name) == "dreamtop"
    })
}

/// What stands before the program that a shell is to start: other programs that start it, and words of the shell.
const BEFORE: [&str; 19] = [
    "command",
    "do",
    "else",
    "env",
    "exec",
    "if",
    "ionice",
    "nice",
    "nohup",
    "setsid",
    "stdbuf",
    "sudo",
    "systemd-run",
    "then",
    "time",
    "timeout",
    "!",
    "{",
    "(",
];

/// Shells that take what to do as a word.
const SHELLS: [&str; 4] = ["bash", "dash", "sh", "zsh"];

/// Whether a command that is none of ours seems to call our `hook` all the same, within more that a shell does.
#[must_use]
pub fn seems_ours(command: &str) -> bool {
    let words = shlex::split(command).unwrap_or_default();
    let mut is_begun = false;
    let (mut is_us, mut is_shell) = (false, false);
    for word in words {
        let name = word.trim_end_matches(';').rsplit(['/', '\\']).next().unwrap_or_default();
        if is_us && name == "hook" || is_shell && word.contains(' ') && (is_ours(&word) || seems_ours(&word)) {
            return true;
        }
        if word.ends_with([';', '&', '|', '(']) {
            (is_begun, is_us, is_shell) = (false, false, false);
        } else if !is_begun {
            // Priorities, limits and variables belong to what stands before.
            let is_more = word.starts_with('-') || word.contains('=') || word.starts_with(|c: char| c.is_ascii_digit());
            is_begun = !(BEFORE.contains(&name) || is_more);
            is_us = is_begun && name == "dreamtop";
            is_shell = is_begun && SHELLS.contains(&name);
        }
    }
    false
}

/// The words a shell has to be given to call the program at a path with these options.
#[must_use]
pub fn call(program: &str, options: &[String]) -> String {
    let words = std::iter::once(program).chain(options.iter().map(String::as_str)).map(quoted);
    words.collect::<Vec<_>>().join(" ")
}

/// The command that calls the program at a path with these options. A shell reads it.
#[must_use]
pub fn command(program: &str, options: &[String]) -> String {
    format!("{} hook", call(program, options))
}

/// A word as a shell has to be given it.
#[must_use]
pub fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned)
}

/// The command for settings that others share: whoever has not installed us is not bothered.
pub const SHARED_COMMAND: &str = "if command -v dreamtop >/dev/null 2>&1; then dreamtop hook; fi";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_hook_is_known_in_every_form_and_nobody_elses() {
        for ours in [
            "dreamtop hook".to_owned(),
            command("/usr/local/bin/dreamtop", &[]),
            command("/home/me/my tools/it's/dreamtop", &[]),
            "\"/c/Program Files/dreamtop.exe\" hook".to_owned(),
            "dreamtop --config /etc/dreamtop.yaml hook".to_owned(),
            "dreamtop --engine=openai -q hook".to_owned(),
            SHARED_COMMAND.to_owned(),
        ] {
            assert!(is_ours(&ours), "{ours}");
        }
        for other in [
            "",
            "dreamtop",
            "dreamtop doctor",
            "mydreamtop hook",
            "echo hook dreamtop",
            "hook",
            "dreamtop.sh hook",
            "git -C ~/src/dreamtop hook run pre-push",
            "notify dreamtop hook ended",
            "/opt/x/dreamtop --x | tee hook",
            "dreamtop hook; afplay done.aiff",
            "dreamtop hook && say done",
            "dreamtop --config hook",
            "dreamtop 'hook",
        ] {
            assert!(!is_ours(other), "{other}");
        }
    }

    #[test]
    fn a_command_that_calls_us_within_more_is_seen_and_one_that_only_names_us_is_not() {
        for more in [
            "nice dreamtop hook || true",
            "dreamtop hook; afplay done.aiff",
            "dreamtop hook && say done",
            "timeout -k 1 5 /opt/bin/dreamtop --config /x.yaml hook",
            "cd /tmp && RUST_LOG=warn dreamtop hook",
            "sh -c 'nice -n 5 dreamtop hook; true'",
            "tee /tmp/x | dreamtop hook",
        ] {
            assert!(!is_ours(more) && seems_ours(more), "{more}");
        }
        for other in [
            "",
            "hook",
            "dreamtop doctor; echo hook",
            "echo hook dreamtop",
            "notify dreamtop hook ended",
            "git -C ~/src/dreamtop hook run pre-push",
            "mydreamtop hook",
            "sh -c 'echo dreamtop hook'",
            "dreamtop 'hook",
        ] {
            assert!(!seems_ours(other), "{other}");
        }
    }

    #[test]
    fn a_path_with_odd_letters_is_quoted_for_the_shell() {
        assert_eq!(command("/opt/dreamtop", &[]), "/opt/dreamtop hook");
        for path in ["/opt/dreamtop", "/a b/dreamtop", "/a b/it's/dreamtop", "dreamtop"] {
            let options = vec!["--config".to_owned(), "/c d/x.yaml".to_owned()];
            assert_eq!(parts(&command(path, &options)), Some((path.to_owned(), options)));
        }
    }
}
