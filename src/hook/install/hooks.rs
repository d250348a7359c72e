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

/// Every event we answer. The times are bounds for a broken machine: what each does in milliseconds is in docs/hooks.md.
pub const EVENTS: [Event; 6] = [
    Event { name: "SessionStart", matcher: None, timeout: 10 },
    Event { name: "UserPromptSubmit", matcher: None, timeout: 10 },
    Event { name: "PostToolUse", matcher: Some("Read|Write|Edit|MultiEdit"), timeout: 10 },
    Event { name: "Stop", matcher: None, timeout: 10 },
    Event { name: "SubagentStop", matcher: None, timeout: 10 },
    Event { name: "SessionEnd", matcher: None, timeout: 10 },
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

/// The command that calls the program at a path with these options. A shell reads it.
#[must_use]
pub fn command(program: &str, options: &[String]) -> String {
    let words = std::iter::once(program).chain(options.iter().map(String::as_str)).map(quoted);
    let mut words: Vec<String> = words.collect();
    words.push("hook".to_owned());
    words.join(" ")
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
    fn a_path_with_odd_letters_is_quoted_for_the_shell() {
        assert_eq!(command("/opt/dreamtop", &[]), "/opt/dreamtop hook");
        for path in ["/opt/dreamtop", "/a b/dreamtop", "/a b/it's/dreamtop", "dreamtop"] {
            let options = vec!["--config".to_owned(), "/c d/x.yaml".to_owned()];
            assert_eq!(parts(&command(path, &options)), Some((path.to_owned(), options)));
        }
    }
}
