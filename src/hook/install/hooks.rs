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

/// The program that a command of ours calls, as it is written there.
#[must_use]
pub fn program(command: &str) -> Option<String> {
    if command == SHARED_COMMAND {
        return Some("dreamtop".to_owned());
    }
    let program = command.strip_suffix(" hook")?;
    let quoted = program.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    Some(quoted.map_or_else(|| program.to_owned(), |inside| inside.replace(r"'\''", "'")))
}

/// Whether a hook's command calls our `hook`, wherever the program lies and whatever options it has.
#[must_use]
pub fn is_ours(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().map(|word| word.trim_matches(['"', '\'', ';'])).collect();
    let program = |word: &&str| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        name.strip_suffix(".exe").unwrap_or(name) == "dreamtop"
    };
    // The last one: a guard may ask first whether the program is there.
    let after = words.iter().rposition(program).map(|at| at + 1);
    after.and_then(|at| words.get(at..)).is_some_and(|rest| rest.contains(&"hook"))
}

/// The command that calls the program at a path. A shell reads it.
#[must_use]
pub fn command(program: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+@%:,~".contains(letter);
    if program.chars().all(is_plain) {
        return format!("{program} hook");
    }
    format!("'{}' hook", program.replace('\'', r"'\''"))
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
            command("/usr/local/bin/dreamtop"),
            command("/home/me/my tools/it's/dreamtop"),
            "\"C:\\Program Files\\dreamtop.exe\" hook".to_owned(),
            "dreamtop --config /etc/dreamtop.yaml hook".to_owned(),
            SHARED_COMMAND.to_owned(),
        ] {
            assert!(is_ours(&ours), "{ours}");
        }
        for other in
            ["", "dreamtop", "dreamtop doctor", "mydreamtop hook", "echo hook dreamtop", "hook", "dreamtop.sh hook"]
        {
            assert!(!is_ours(other), "{other}");
        }
    }

    #[test]
    fn a_path_with_odd_letters_is_quoted_for_the_shell() {
        for path in ["/opt/dreamtop", "/a b/it's/dreamtop", "dreamtop"] {
            assert_eq!(program(&command(path)).as_deref(), Some(path));
        }
        assert_eq!(command("/opt/dreamtop"), "/opt/dreamtop hook");
        assert_eq!(command("/a b/dreamtop"), "'/a b/dreamtop' hook");
        assert_eq!(command("/it's/dreamtop"), r"'/it'\''s/dreamtop' hook");
    }
}
