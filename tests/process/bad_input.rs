//! Odd places and odd files: a clear message or a marked row, the right exit code, nothing lost.

use std::fs;

use crate::common::{Machine, picture};

#[test]
fn without_a_terminal_the_screen_says_so_and_names_ls() {
    let machine = Machine::with_sample();
    for arguments in [[].as_slice(), &["demo"]] {
        let answer = machine.run(arguments);
        assert_eq!(answer.code(), 2);
        assert!(answer.err().contains("terminal"), "{}", answer.err());
    }
    assert!(machine.run(&[]).err().contains("dreamtop ls"));
}

#[test]
fn without_a_home_the_message_says_what_to_set() {
    let machine = Machine::new();
    let mut command = machine.command();
    command.env_remove("HOME").env_remove("CLAUDE_CONFIG_DIR").arg("ls");
    let answer = command.output().expect("the binary starts");
    assert_eq!(answer.status.code(), Some(2));
    let message = String::from_utf8_lossy(&answer.stderr);
    assert!(message.contains("HOME") && message.contains("--memory-dir"), "{message}");
}

#[test]
fn a_missing_store_is_nothing_found_and_a_file_in_its_place_is_a_usage_error() {
    let machine = Machine::new();
    let missing = machine.run(&["--memory-dir", "nowhere", "ls"]);
    assert_eq!(missing.code(), 1, "{}", missing.err());
    assert!(missing.err().contains("nowhere"), "{}", missing.err());
    machine.write("file", "x");
    let file = machine.run(&["--memory-dir", "file", "ls"]);
    assert_eq!(file.code(), 2, "{}", file.err());
    assert!(file.err().contains("file"), "{}", file.err());
}

#[test]
fn an_empty_store_lists_nothing_and_a_first_memory_can_be_written_into_a_missing_one() {
    let machine = Machine::new();
    fs::create_dir(machine.path("m")).expect("a directory");
    let empty = machine.run(&["--memory-dir", "m", "ls"]);
    assert_eq!(empty.code(), 1);
    assert!(empty.out().contains("0 memories"), "{}", empty.out());
    let first =
        machine.run(&["--memory-dir", "fresh", "new", "Short answers", "-t", "user", "-d", "Wants short answers"]);
    assert_eq!(first.code(), 0, "{}{}", first.out(), first.err());
    let listing = machine.run(&["--memory-dir", "fresh", "--json", "ls"]).json();
    assert_eq!(listing["memories"][0]["description"], "Wants short answers");
    assert_eq!(listing["memories"][0]["indexed"], true);
}

#[test]
fn odd_files_are_rows_with_a_mark_and_hide_nothing() {
    let machine = Machine::new();
    machine.write("m/ok.md", "---\nname: ok\ndescription: fine\ntype: user\n---\n\nFine.\n");
    machine.write("m/zero.md", "");
    machine.write("m/junk.md", [0u8, 159, 146, 150, 255, 0, 1, 2, 10, 13].repeat(50));
    machine.write(
        "m/large.md",
        format!("---\nname: large\ndescription: big\ntype: reference\n---\n\n{}", "A line of text.\n".repeat(20_000)),
    );
    machine.write("m/broken.md", "---\nname: [unclosed\ndescription: \"half\n---\nBody.\n");
    let before = picture(&machine.path("m"));
    let listing = machine.run(&["--memory-dir", "m", "--json", "ls"]).json();
    let memories = listing["memories"].as_array().expect("memories");
    assert_eq!(memories.len(), 5);
    let problems = |file: &str| {
        let row = memories.iter().find(|memory| memory["file"] == file).expect("a row");
        row["problems"]
            .as_array()
            .expect("problems")
            .iter()
            .map(|problem| problem["code"].as_str().unwrap_or("").to_owned())
            .collect::<Vec<_>>()
    };
    assert!(problems("junk.md").contains(&"unreadable".to_owned()), "{:?}", problems("junk.md"));
    assert!(problems("large.md").contains(&"large".to_owned()));
    assert!(problems("broken.md").contains(&"frontmatter-unreadable".to_owned()), "{:?}", problems("broken.md"));
    assert!(!problems("zero.md").is_empty(), "an empty file is marked");
    for file in ["zero", "junk", "large", "broken"] {
        assert_eq!(machine.run(&["--memory-dir", "m", "show", file]).code(), 0, "{file} can be looked at");
    }
    assert_eq!(picture(&machine.path("m")), before);
}

#[cfg(unix)]
#[test]
fn a_fifo_in_the_store_does_not_hang_anything() {
    let machine = Machine::new();
    machine.write("m/ok.md", "---\nname: ok\ndescription: fine\ntype: user\n---\n\nFine.\n");
    let made = std::process::Command::new("mkfifo").arg(machine.path("m/pipe.md")).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo is part of every Unix");
    assert_eq!(machine.run(&["--memory-dir", "m", "ls"]).code(), 0);
    assert_eq!(machine.run(&["--memory-dir", "m", "dream", "--force"]).code(), 0);
    for arguments in [["show", "pipe"].as_slice(), &["edit", "pipe", "--name", "x"], &["rm", "pipe"]] {
        let answer = machine.run(&[["--memory-dir", "m"].as_slice(), arguments].concat());
        assert_eq!(answer.code(), 5, "{arguments:?}: {}", answer.err());
        assert!(answer.err().contains("pipe.md"), "{arguments:?}: {}", answer.err());
    }
    let renamed = machine.run(&["--memory-dir", "m", "mv", "ok", "user_fine"]);
    assert_eq!(renamed.code(), 0, "what cannot be read does not stand in the way: {}", renamed.err());
}

#[test]
fn a_wrong_pattern_and_half_a_name_are_answered_in_one_plain_line() {
    let machine = Machine::new();
    machine.write("m/project_deploy_day.md", "---\nname: Deploys\ndescription: d\ntype: project\n---\n\nThursdays.\n");
    let pattern = machine.run(&["--memory-dir", "m", "find", "a("]);
    assert!(pattern.err().contains("unclosed group") && !pattern.err().contains('␤'), "{}", pattern.err());
    let name = machine.run(&["--memory-dir", "m", "snooze", "deploy_day"]);
    assert!(name.err().contains("did you mean project_deploy_day?"), "{}", name.err());
}

#[test]
fn a_bad_configuration_is_named_with_its_line_and_what_is_accepted() {
    let machine = Machine::new();
    machine.write("config/dreamtop/config.yaml", "engine: embedded\ndreams:\n  min_hours: 3\n");
    let answer = machine.run(&["ls"]);
    assert_eq!(answer.code(), 2);
    assert!(answer.err().contains("config.yaml:2") && answer.err().contains("dream"), "{}", answer.err());
}

#[test]
fn all_wrong_lines_of_a_configuration_are_named_at_once() {
    let machine = Machine::new();
    let text = "engine: none\ndreams:\n  min_hours: 3\ndream:\n  min_hours: many\n  apply: ask\nmouse: maybe\n";
    machine.write("config/dreamtop/config.yaml", text);
    let answer = machine.run(&["ls"]);
    assert_eq!(answer.code(), 2);
    let lines: Vec<String> = answer.err().lines().map(str::to_owned).collect();
    for (line, word) in [(1, "engine"), (2, "dreams"), (5, "min_hours"), (7, "mouse")] {
        let is_it = |said: &&String| said.contains(&format!("config.yaml:{line}:")) && said.contains(word);
        assert_eq!(lines.iter().filter(is_it).count(), 1, "{line}: {}", answer.err());
    }
    assert_eq!(lines.len(), 4, "{}", answer.err());
}

#[test]
fn a_wrong_engine_is_a_usage_error_before_anything_runs() {
    let machine = Machine::with_sample();
    let before = picture(&machine.path("claude"));
    let answer = machine.run(&[
        "--engine",
        "quantum",
        "--memory-dir",
        machine.sample_store("acme-api").to_str().expect("UTF-8"),
        "dream",
        "--force",
    ]);
    assert_eq!(answer.code(), 2, "{}", answer.err());
    assert!(answer.err().contains("embedded") && answer.err().contains("script:FILE"), "{}", answer.err());
    assert_eq!(picture(&machine.path("claude")), before);
}

#[test]
fn a_lock_held_by_a_live_process_is_respected_and_said() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    // The holder is this test: alive, and started before the lock was written.
    let lock = store.join(".consolidate-lock");
    fs::write(&lock, std::process::id().to_string()).expect("the lock is written");
    let mtime = fs::metadata(&lock).expect("a lock").modified().expect("a time");
    let mut command = machine.command();
    // Real time: the lock's age is measured against the file system's clock.
    command.env_remove("DREAMTOP_NOW").args([
        "--json",
        "--memory-dir",
        store.to_str().expect("UTF-8"),
        "dream",
        "--force",
    ]);
    let answer = command.output().expect("the binary starts");
    let run: serde_json::Value = serde_json::from_slice(&answer.stdout).expect("JSON");
    assert_eq!(answer.status.code(), Some(4), "{run}");
    assert_eq!(run["outcome"], "skipped");
    assert!(run["reason"].as_str().is_some_and(|reason| reason.contains(&std::process::id().to_string())), "{run}");
    assert_eq!(
        fs::metadata(&lock).expect("a lock").modified().expect("a time"),
        mtime,
        "the holder's lock is not touched"
    );
}

/// A place where writing fails although we are root: a read-only mount, made in a mount namespace of its own.
#[cfg(target_os = "linux")]
fn in_namespace(machine: &Machine, mount: &str, arguments: &str) -> Option<std::process::Output> {
    let script = format!("{mount} && {} {arguments}", env!("CARGO_BIN_EXE_dreamtop"));
    let mut command = std::process::Command::new("unshare");
    command.args(["-m", "sh", "-c", &script]).current_dir(machine.root()).env_clear();
    for (key, value) in machine.variables() {
        command.env(key, value);
    }
    let probe = std::process::Command::new("unshare").args(["-m", "true"]).status();
    if !probe.is_ok_and(|status| status.success()) {
        assert!(std::env::var_os("CI").is_none(), "CI must be able to mount");
        eprintln!("skipped: this user may not make a mount namespace");
        return None;
    }
    Some(command.output().expect("unshare starts"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_store_can_be_looked_at_and_refuses_changes_in_words() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("harbor-ios");
    let mount = format!("mount --bind {0} {0} && mount -o remount,ro,bind {0}", store.display());
    let before = picture(&store);
    let Some(look) = in_namespace(&machine, &mount, &format!("--memory-dir {} ls", store.display())) else { return };
    assert_eq!(look.status.code(), Some(0), "{}", String::from_utf8_lossy(&look.stderr));
    let remove = in_namespace(&machine, &mount, &format!("--memory-dir {} rm user_backend_visitor", store.display()))
        .expect("a namespace");
    assert_eq!(remove.status.code(), Some(5));
    let message = String::from_utf8_lossy(&remove.stderr);
    assert!(
        message.contains("nothing was changed") && message.contains("Read-only") && message.contains("/memory/"),
        "{message}"
    );
    let dream = in_namespace(&machine, &mount, &format!("--memory-dir {} --json dream --force", store.display()))
        .expect("a namespace");
    assert!(matches!(dream.status.code(), Some(4 | 5)), "{}", String::from_utf8_lossy(&dream.stdout));
    assert_eq!(picture(&store), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_in_words_and_loses_nothing() {
    let machine = Machine::new();
    fs::create_dir(machine.path("disk")).expect("a directory");
    let disk = machine.path("disk");
    let mount = format!(
        "mount -t tmpfs -o size=48k tmpfs {0} && printf -- '---\\nname: a\\ndescription: b\\ntype: user\\n---\\n\\nOld.\\n' > {0}/user_a.md && \
         (dd if=/dev/zero of={0}/filler bs=1k count=100 2>/dev/null; true) && cat {0}/user_a.md > before",
        disk.display()
    );
    let edit = format!(
        "--memory-dir {0} edit user_a --description {1}; code=$?; cmp before {0}/user_a.md || code=77; ls {0} | grep tmp && code=78; exit $code",
        disk.display(),
        "x".repeat(9000)
    );
    let Some(answer) = in_namespace(&machine, &mount, &edit) else { return };
    let message = String::from_utf8_lossy(&answer.stderr);
    assert_eq!(answer.status.code(), Some(5), "{message}");
    assert!(message.contains("space") && message.contains("nothing was changed"), "{message}");
}

#[test]
fn a_transcript_that_is_none_is_called_what_it_is() {
    let machine = Machine::with_sample();
    machine.write("notes/one.jsonl", "");
    for (name, expected) in
        [("notes", "that is a directory; name one of the transcripts"), ("nowhere", "there is no such file")]
    {
        let said = machine.run(&["--memory-dir", "m", "extract", "--transcript", name]);
        assert_eq!(said.code(), 2, "{}", said.err());
        assert!(said.err().contains(expected), "{name}: {}", said.err());
    }
}
