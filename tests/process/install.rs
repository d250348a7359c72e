//! `install` and `uninstall`: the settings of Claude Code, before, with us, and after.

use std::fs;

use serde_json::{Value, json};

use crate::common::{Machine, contents};

const SETTINGS: &str = "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }] }\n    ]\n  },\n  \"env\": { \"A\": \"1\" }\n}\n";

fn commands(settings: &Value, event: &str) -> Vec<String> {
    let groups = settings["hooks"][event].as_array().cloned().unwrap_or_default();
    let hooks = groups.iter().flat_map(|group| group["hooks"].as_array().cloned().unwrap_or_default());
    hooks.map(|hook| hook["command"].as_str().unwrap_or_default().to_owned()).collect()
}

fn read(machine: &Machine, path: &str) -> Value {
    serde_json::from_slice(&fs::read(machine.path(path)).unwrap()).unwrap()
}

fn is_ours(command: &str) -> bool {
    command.ends_with("dreamtop hook")
}

#[test]
fn installing_adds_our_hooks_beside_others_and_uninstalling_gives_back_every_byte() {
    let machine = Machine::new();
    machine.write("claude/settings.json", SETTINGS);
    let before = contents(&machine.path("claude"));

    let dry = machine.run(&["install", "--dry-run"]);
    assert_eq!(dry.code(), 0, "{}", dry.err());
    assert!(dry.out().contains("+") && dry.out().contains("nothing was changed"), "{}", dry.out());
    assert_eq!(contents(&machine.path("claude")), before);

    let unasked = machine.run(&["install"]);
    assert_eq!((unasked.code(), unasked.err().contains("--yes")), (2, true), "{}", unasked.err());
    assert_eq!(contents(&machine.path("claude")), before);

    let installed = machine.run(&["--json", "install", "--yes"]).json();
    assert_eq!((&installed["written"], &installed["scope"]), (&true.into(), &"user".into()));
    let backup = installed["backup"].as_str().unwrap();
    assert_eq!(fs::read_to_string(backup).unwrap(), SETTINGS);
    let settings = read(&machine, "claude/settings.json");
    assert_eq!(commands(&settings, "Stop").first().map(String::as_str), Some("say done"));
    for event in ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop", "SessionEnd"] {
        assert_eq!(commands(&settings, event).iter().filter(|command| is_ours(command)).count(), 1, "{event}");
    }
    let keys: Vec<_> = settings.as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys.len(), 3, "{keys:?}");
    let text = fs::read_to_string(machine.path("claude/settings.json")).unwrap();
    assert!(text.find("\"model\"") < text.find("\"hooks\"") && text.find("\"hooks\"") < text.find("\"env\""), "{text}");
    assert!(machine.path("claude/commands/dream.md").is_file());
    assert!(machine.path("claude/commands/memory-health.md").is_file());

    let with_us = contents(&machine.path("claude"));
    let again = machine.run(&["--json", "install", "--yes"]).json();
    assert_eq!((&again["written"], again["files"].as_array().map(Vec::len)), (&false.into(), Some(0)), "twice is once");
    assert_eq!(contents(&machine.path("claude")), with_us);

    assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
    assert_eq!(contents(&machine.path("claude")), before);
    let nothing = machine.run(&["uninstall", "--yes"]);
    assert_eq!((nothing.code(), nothing.out().contains("nothing of dreamtop")), (0, true), "{}", nothing.out());
}

#[test]
fn settings_that_were_not_there_are_gone_again_and_those_changed_since_keep_the_change() {
    let machine = Machine::new();
    fs::create_dir_all(machine.path("claude")).unwrap();
    assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
    assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
    assert_eq!(contents(&machine.path("claude")).len(), 0);
    assert!(!machine.path("claude/commands").exists(), "nor the directory made for the commands");

    assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
    let mut settings = read(&machine, "claude/settings.json");
    settings["theme"] = "dark".into();
    machine.write("claude/settings.json", serde_json::to_string_pretty(&settings).unwrap());
    machine.write("claude/commands/dream.md", "my own\n");
    let gone = machine.run(&["uninstall", "--yes"]);
    assert!(gone.out().contains("dream.md was changed"), "{}", gone.out());
    let left = read(&machine, "claude/settings.json");
    assert_eq!(left, serde_json::json!({ "theme": "dark" }));
    assert_eq!(fs::read_to_string(machine.path("claude/commands/dream.md")).unwrap(), "my own\n");
    assert!(!machine.path("claude/commands/memory-health.md").exists());
}

#[test]
fn an_edit_after_the_installation_stays_and_every_other_byte_is_as_it_was_before() {
    for before in [
        "{\n  \"model\": \"opus\"\n}\n",
        "{\"model\":\"opus\"}",
        "{ \"model\": \"opus\", \"env\": { \"A\": \"1\" } }\n",
        SETTINGS,
        "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"say\" }] }]\n  }\n}\n",
        "{\n  \"model\": \"opus\",\n  \"hooks\": { \"Stop\": [] },\n  \"x\": 1\n}\n",
        "{\r\n  // mine\r\n  \"model\": \"opus\", /* end */\r\n}\r\n",
    ] {
        let machine = Machine::new();
        let path = machine.write("claude/settings.json", before);
        assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
        let edit = |text: &str| text.replace("\"opus\"", "\"sonnet\",\n \"theme\": \"dark\"");
        let installed = fs::read_to_string(&path).unwrap();
        fs::write(&path, edit(&installed)).unwrap();
        assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
        assert_eq!(fs::read_to_string(&path).unwrap(), edit(before));
    }
    // An edit within what is ours, or a file that another program wrote anew: ours goes, the rest means what it meant.
    let machine = Machine::new();
    let path = machine.write("claude/settings.json", SETTINGS);
    assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
    let mut settings = read(&machine, "claude/settings.json");
    settings["hooks"]["Stop"][1]["hooks"][0]["timeout"] = 60.into();
    fs::write(&path, settings.to_string()).unwrap();
    assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
    let left: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(left, serde_json::from_str::<Value>(SETTINGS).unwrap());
}

#[test]
fn a_directory_for_commands_that_was_there_before_stays_also_when_it_was_empty() {
    let machine = Machine::new();
    fs::create_dir_all(machine.path("claude/commands")).unwrap();
    for _ in 0..2 {
        assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
    }
    assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
    assert_eq!(contents(&machine.path("claude")).len(), 0);
    assert!(machine.path("claude/commands").is_dir());
    // One that was made goes, also after a second installation.
    fs::remove_dir(machine.path("claude/commands")).unwrap();
    for program in ["a", "b"] {
        let program = machine.path(&format!("{program}/dreamtop"));
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        // Another process copies: a file that this one has open for writing is busy while another test starts a program.
        let copied = std::process::Command::new("cp").arg(env!("CARGO_BIN_EXE_dreamtop")).arg(&program).status();
        assert!(copied.unwrap().success());
        let mut command = std::process::Command::new(&program);
        command.args(["install", "--yes"]).current_dir(machine.root()).env_clear().envs(machine.variables());
        assert!(command.status().unwrap().success());
    }
    assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
    assert!(machine.path("claude").is_dir() && !machine.path("claude/commands").exists());
}

#[test]
fn a_command_of_somebody_else_and_settings_that_cannot_be_read_stay_and_are_named() {
    let machine = Machine::new();
    machine.write("claude/commands/dream.md", "theirs\n");
    let installed = machine.run(&["install", "--yes"]);
    assert_eq!((installed.code(), installed.out().contains("somebody else's")), (0, true), "{}", installed.out());
    assert_eq!(fs::read_to_string(machine.path("claude/commands/dream.md")).unwrap(), "theirs\n");
    assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
    assert_eq!(fs::read_to_string(machine.path("claude/commands/dream.md")).unwrap(), "theirs\n");

    for broken in [&b"{ \"hooks\": "[..], b"[1]", b"{\"hooks\": 7}", b"{\"a\": \"\xff\"}"] {
        machine.write("claude/settings.json", broken);
        for verb in ["install", "uninstall"] {
            let refused = machine.run(&[verb, "--yes"]);
            assert_eq!(refused.code(), 2, "{verb}: {}", refused.out());
            assert!(refused.err().contains("settings.json") && refused.err().contains("by hand"), "{}", refused.err());
        }
        assert_eq!(fs::read(machine.path("claude/settings.json")).unwrap(), broken);
    }
}

#[test]
fn a_copy_that_is_gone_or_damaged_is_not_written_back_and_a_read_only_file_or_a_lost_link_stays() {
    for damage in [None, Some("garbage")] {
        let machine = Machine::new();
        machine.write("claude/settings.json", SETTINGS);
        let backup = machine.run(&["--json", "install", "--yes"]).json()["backup"].as_str().unwrap().to_owned();
        match damage {
            None => fs::remove_file(&backup).unwrap(),
            Some(text) => fs::write(&backup, text).unwrap(),
        }
        assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
        let left = read(&machine, "claude/settings.json");
        assert_eq!(left, serde_json::from_str::<Value>(SETTINGS).unwrap());
    }
    let machine = Machine::new();
    let path = machine.write("claude/settings.json", SETTINGS);
    fs::set_permissions(&path, <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o444)).unwrap();
    let refused = machine.run(&["install", "--yes"]);
    assert_eq!((refused.code(), refused.err().contains("read-only")), (5, true), "{}", refused.err());
    assert_eq!(fs::read_to_string(&path).unwrap(), SETTINGS);
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(machine.path("unmounted/settings.json"), &path).unwrap();
    let refused = machine.run(&["install", "--yes"]);
    assert_eq!(refused.code(), 5);
    let target = machine.path("unmounted/settings.json").display().to_string();
    assert!(refused.err().contains(&format!("it is a link to {target}, which is not there")), "{}", refused.err());
    assert!(path.is_symlink(), "the link stays");
    // A dead link on the way to a command is named too.
    fs::remove_file(&path).unwrap();
    fs::remove_dir_all(machine.path("claude/commands")).ok();
    std::os::unix::fs::symlink(machine.path("unmounted/commands"), machine.path("claude/commands")).unwrap();
    let refused = machine.run(&["install", "--yes"]);
    let said = refused.err();
    assert_eq!((refused.code(), said.contains("claude/commands is a link to ")), (5, true), "{said}");
    assert!(!path.exists(), "nothing is half done");
}

#[test]
fn a_hook_of_somebody_else_that_names_us_is_theirs() {
    let machine = Machine::new();
    let theirs = "git -C ~/src/dreamtop hook run pre-push";
    let before = SETTINGS.replace("say done", theirs);
    machine.write("claude/settings.json", &before);
    assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
    assert_eq!(fs::read_to_string(machine.path("claude/settings.json")).unwrap(), before);
    assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
    assert!(commands(&read(&machine, "claude/settings.json"), "Stop").contains(&theirs.to_owned()));
}

#[test]
fn a_key_in_the_settings_is_never_printed() {
    let machine = Machine::new();
    let key = format!("sk-ant-api03-{}", "A1b2C3d4E5f6G7h8".repeat(6));
    machine.write("claude/settings.json", format!("{{\n  \"env\": {{ \"ANTHROPIC_API_KEY\": \"{key}\" }}\n}}\n"));
    for arguments in [&["install", "--dry-run"][..], &["--json", "install", "--yes"], &["uninstall", "--dry-run"]] {
        let answer = machine.run(arguments);
        assert!(!answer.out().contains(&key) && !answer.err().contains(&key), "{}", answer.out());
    }
}

#[test]
fn a_projects_shared_settings_bother_nobody_who_has_not_installed_us() {
    let machine = Machine::with_sample();
    let project = machine.path("checkouts/acme-api");
    let project = project.to_str().unwrap();
    let run = |arguments: &[&str]| machine.run(&[&["--project", project], arguments].concat());
    assert_eq!(run(&["install", "--scope", "project", "--yes"]).code(), 0);
    let settings = read(&machine, "checkouts/acme-api/.claude/settings.json");
    let command = commands(&settings, "Stop").pop().unwrap();
    let shell = std::process::Command::new("/bin/sh").args(["-c", &command]).env("PATH", "/nowhere").output().unwrap();
    assert!(shell.status.success() && shell.stderr.is_empty(), "{}", String::from_utf8_lossy(&shell.stderr));
    assert_eq!(run(&["install", "--scope", "local", "--yes"]).code(), 0);
    assert!(machine.path("checkouts/acme-api/.claude/settings.local.json").is_file());
    let doctor = run(&["--json", "doctor"]).json();
    let hooks: Vec<String> = doctor["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|check| check["check"] == "hooks")
        .map(|check| check["message"].as_str().unwrap().to_owned())
        .collect();
    assert!(hooks.iter().any(|message| message.contains("installed 2 times")), "{hooks:?}");
}

#[test]
fn the_doctor_says_whether_claude_code_calls_us_and_what_keeps_it_from_that() {
    let machine = Machine::with_sample();
    let hooks = || {
        let (_, answer) = machine.json("acme-api", &["doctor"]);
        let checks = answer["checks"].as_array().unwrap().clone();
        let hooks = checks.into_iter().filter(|check| check["check"] == "hooks");
        hooks
            .map(|check| format!("{} {}", check["level"].as_str().unwrap(), check["message"].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    assert!(hooks()[0].starts_with("ok not installed"), "{:?}", hooks());
    assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
    assert!(hooks()[0].starts_with("ok installed (user)"), "{:?}", hooks());
    let path = "claude/settings.json";
    let installed = fs::read_to_string(machine.path(path)).unwrap();
    let told = |settings: &str, word: &str| {
        machine.write(path, settings);
        assert!(hooks().iter().any(|line| line.starts_with("warn") && line.contains(word)), "{word}: {:?}", hooks());
    };
    told(&installed.replacen('{', "{\n  \"disableAllHooks\": true,", 1), "disableAllHooks");
    told(&installed.replacen('{', "{\n  \"autoDreamEnabled\": true,", 1), "own dreams are on too");
    machine.write(path, &installed);
    // The plugin has the same hooks.
    let shared = "checkouts/acme-api/.claude/settings.json";
    let plugin =
        |is_on: bool| format!("{{\"enabledPlugins\": {{\"dreamtop@tools\": {is_on}, \"dreamtopper@tools\": true}}}}");
    machine.write(shared, plugin(true));
    let said = hooks();
    assert!(said.iter().any(|line| line.contains("installed as the plugin dreamtop@tools")), "{said:?}");
    assert!(said.iter().any(|line| line.starts_with("warn installed 2 times")), "{said:?}");
    let project = machine.path("checkouts/acme-api");
    let install = || machine.run(&["--project", project.to_str().unwrap(), "install", "--yes"]).err();
    assert!(install().contains("the plugin dreamtop@tools is on too"), "{}", install());
    machine.write("checkouts/acme-api/.claude/settings.local.json", plugin(false));
    assert!(!hooks().iter().any(|line| line.contains("plugin")), "{:?}", hooks());
    assert!(!install().contains("plugin"), "{}", install());
    fs::remove_file(machine.path("checkouts/acme-api/.claude/settings.local.json")).unwrap();
    fs::remove_file(machine.path(shared)).unwrap();
    machine.write("managed-settings.json", "{\"allowManagedHooksOnly\": true}");
    assert!(hooks().iter().any(|line| line.contains("allowManagedHooksOnly")), "{:?}", hooks());
    fs::remove_file(machine.path("managed-settings.json")).unwrap();
    machine.write(path, installed.replace("dreamtop hook", "gone/dreamtop hook"));
    assert!(hooks().iter().any(|line| line.starts_with("fail") && line.contains("not there")), "{:?}", hooks());
}

#[cfg(unix)]
#[test]
fn linked_settings_stay_a_link_and_keep_their_mode() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let machine = Machine::new();
    let dotfiles = machine.write("dotfiles/settings.json", SETTINGS);
    fs::set_permissions(&dotfiles, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir_all(machine.path("claude")).unwrap();
    symlink(&dotfiles, machine.path("claude/settings.json")).unwrap();
    assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
    let link = fs::symlink_metadata(machine.path("claude/settings.json")).unwrap();
    assert!(link.is_symlink());
    assert!(fs::read_to_string(&dotfiles).unwrap().contains("dreamtop hook"));
    assert_eq!(fs::metadata(&dotfiles).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
    assert_eq!(fs::read_to_string(&dotfiles).unwrap(), SETTINGS);
}

#[test]
fn the_plugin_folder_has_what_install_writes() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/plugin");
    let machine = Machine::with_sample();
    let project = machine.path("checkouts/acme-api");
    let project = project.to_str().unwrap();
    assert_eq!(machine.run(&["--project", project, "install", "--scope", "project", "--yes"]).code(), 0);
    let written = read(&machine, "checkouts/acme-api/.claude/settings.json")["hooks"].clone();
    let plugin: Value = serde_json::from_slice(&fs::read(root.join("hooks/hooks.json")).unwrap()).unwrap();
    assert_eq!(plugin["hooks"], written);
    let about: Value = serde_json::from_slice(&fs::read(root.join(".claude-plugin/plugin.json")).unwrap()).unwrap();
    assert_eq!(about["version"], env!("CARGO_PKG_VERSION"));
    for name in ["dream.md", "memory-health.md"] {
        assert!(root.join("commands").join(name).is_file());
    }
    // The list that Claude Code installs it from, and what the documents call both.
    let list = root.join("../.claude-plugin/marketplace.json");
    let list: Value = serde_json::from_slice(&fs::read(list).unwrap()).unwrap();
    assert_eq!(list["plugins"][0]["name"], about["name"]);
    assert_eq!(root.join("..").join(list["plugins"][0]["source"].as_str().unwrap()).canonicalize().unwrap(), root);
    let id = format!("{}@{}", about["name"].as_str().unwrap(), list["name"].as_str().unwrap());
    for document in ["README.md", "docs/hooks.md"] {
        let text = fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(document)).unwrap();
        assert!(text.contains(&format!("claude plugin install {id}")), "{document}");
    }
}

#[test]
fn a_pause_closes_the_gates_of_what_starts_by_itself_until_it_ends_and_nothing_else() {
    let mut machine = Machine::with_sample();
    let waits = |machine: &Machine| {
        let (_, gates) = machine.json("acme-api", &["gates"]);
        ["dream", "extract"].map(|kind| gates[kind].to_string().contains("you paused everything"))
    };
    assert_eq!(waits(&machine), [false; 2]);
    let paused = machine.run(&["--json", "pause", "2h"]).json();
    assert_eq!((&paused["paused"], &paused["until"]), (&true.into(), &"2026-11-30T11:00:00Z".into()));
    assert_eq!(waits(&machine), [true; 2]);
    let (code, dream) = machine.json("acme-api", &["dream", "--force"]);
    assert!([0, 3].contains(&code), "what a person starts starts: {dream}");
    machine.now = "2026-11-30T11:00:01Z";
    assert_eq!(waits(&machine), [false; 2], "it is over by itself");
    assert_eq!(machine.run(&["pause"]).code(), 0);
    machine.now = "2027-11-30T11:00:01Z";
    assert_eq!(waits(&machine), [true; 2], "until it is lifted");
    assert_eq!(machine.run(&["--json", "pause", "--off"]).json()["was_paused"], true);
    assert_eq!(waits(&machine), [false; 2]);
    assert_eq!(machine.run(&["--json", "pause", "--off"]).json()["was_paused"], false);
    assert_eq!(machine.run(&["pause", "soon"]).code(), 2);
}

/// A directory with the binary under its name, for PATH.
#[cfg(unix)]
fn with_path(machine: &Machine) -> String {
    let directory = machine.path("programs");
    fs::create_dir_all(&directory).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_dreamtop"), directory.join("dreamtop")).unwrap();
    format!("{}:/usr/bin:/bin", directory.display())
}

#[cfg(unix)]
#[test]
fn what_a_project_shares_names_no_place_of_this_machine_and_can_be_read_by_others() {
    use std::os::unix::fs::PermissionsExt;
    for is_in_path in [false, true] {
        let machine = Machine::with_sample();
        let path = if is_in_path { with_path(&machine) } else { "/usr/bin:/bin".to_owned() };
        let project = machine.path("checkouts/acme-api");
        let run = |arguments: &[&str]| {
            let mut command = machine.command();
            command.env("PATH", &path).args(["--project", project.to_str().unwrap()]).args(arguments);
            crate::common::Answer::of(command.output().unwrap())
        };
        let installed = run(&["install", "--scope", "project", "--yes"]);
        assert_eq!(installed.code(), 0, "{}", installed.err());
        let is_told = installed.err().contains("no directory of PATH has this one");
        assert_eq!(is_told, !is_in_path, "{}", installed.err());
        for (file, bytes) in contents(&project.join(".claude")) {
            let text = String::from_utf8(bytes).unwrap();
            assert!(!text.contains(env!("CARGO_BIN_EXE_dreamtop")) && !text.contains("programs"), "{file:?}: {text}");
            assert!(text.contains("dreamtop"), "{file:?}: {text}");
            let mode = fs::metadata(&file).unwrap().permissions().mode();
            assert_eq!(mode & 0o444, 0o444, "{file:?} is for others to read: {mode:o}");
        }
        // The doctor says what helps, and that it is not installing again.
        let doctor = run(&["--json", "doctor"]).json();
        let checks = doctor["checks"].as_array().unwrap().clone();
        let hooks = checks.iter().find(|check| check["check"] == "hooks").unwrap();
        let message = hooks["message"].as_str().unwrap();
        if is_in_path {
            assert_eq!(hooks["level"], "ok", "{hooks}");
        } else {
            assert_eq!(hooks["level"], "fail", "{hooks}");
            assert!(message.contains("but dreamtop, which it calls, is in no directory of PATH"), "{message}");
            let next = hooks["next"].as_str().unwrap();
            assert!(next.contains("PATH") && !next.contains("install"), "{next}");
        }
        assert!(!message.contains("command -v"), "{message}");
        assert_eq!(run(&["uninstall", "--scope", "project", "--yes"]).code(), 0);
        assert!(!project.join(".claude").exists() || contents(&project.join(".claude")).is_empty());
        // What is the person's alone stays so.
        assert_eq!(run(&["install", "--yes"]).code(), 0);
        let mode = fs::metadata(machine.path("claude/commands/dream.md")).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
}

#[cfg(unix)]
#[test]
fn a_projects_links_lead_no_writing_out_of_it_and_a_persons_own_are_named() {
    use std::os::unix::fs::symlink;
    for (file, target) in
        [("settings.json", "outside/settings.json"), ("commands", "outside/commands"), ("", "outside")]
    {
        for scope in ["project", "local"] {
            let machine = Machine::with_sample();
            machine.write("outside/settings.json", SETTINGS);
            machine.write("outside/settings.local.json", SETTINGS);
            fs::create_dir_all(machine.path("outside/commands")).unwrap();
            let inside = machine.path("checkouts/acme-api/.claude");
            let _ = fs::remove_dir_all(&inside);
            let link = if file.is_empty() { inside.clone() } else { inside.join(file) };
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(machine.path(target), &link).unwrap();
            if scope == "local" && !file.is_empty() {
                continue;
            }
            let before = contents(&machine.path("outside"));
            let project = machine.path("checkouts/acme-api");
            for verb in ["install", "uninstall"] {
                let arguments = ["--project", project.to_str().unwrap(), verb, "--scope", scope, "--yes"];
                let refused = machine.run(&arguments);
                assert_eq!(refused.code(), 2, "{verb} {file}: {}", refused.out());
                let said = refused.err();
                assert!(
                    said.contains("outside of the project") && said.contains(machine.path(target).to_str().unwrap()),
                    "{said}"
                );
            }
            assert_eq!(contents(&machine.path("outside")), before, "{file}");
        }
    }
    // Within the project they are its own business.
    let machine = Machine::with_sample();
    let inside = machine.path("checkouts/acme-api/.claude");
    machine.write("checkouts/acme-api/config/settings.json", "{}\n");
    fs::create_dir_all(&inside).unwrap();
    symlink("../config/settings.json", inside.join("settings.json")).unwrap();
    let project = machine.path("checkouts/acme-api");
    let run = |arguments: &[&str]| machine.run(&[&["--project", project.to_str().unwrap()], arguments].concat());
    assert_eq!(run(&["install", "--scope", "project", "--yes"]).code(), 0);
    assert!(fs::read_to_string(project.join("config/settings.json")).unwrap().contains("dreamtop hook"));
    // A person's own may lead anywhere, and it is said where.
    let dotfiles = machine.write("dotfiles/settings.json", SETTINGS);
    let _ = fs::remove_file(machine.path("claude/settings.json"));
    symlink(&dotfiles, machine.path("claude/settings.json")).unwrap();
    let shown = machine.run(&["install", "--dry-run"]);
    assert!(shown.out().contains(&format!("claude/settings.json → {}", dotfiles.display())), "{}", shown.out());
    let json = machine.run(&["--json", "install", "--dry-run"]).json();
    assert!(
        json["files"].as_array().unwrap().iter().any(|file| file["target"] == dotfiles.to_str().unwrap()),
        "{json}"
    );
}

#[test]
fn the_doctor_says_what_an_engine_lacks_and_how_it_comes_by_it() {
    let engine = |machine: &Machine, arguments: &[&str]| {
        let answer = machine.run(&[arguments, &["--json", "doctor"]].concat()).json();
        let checks = answer["checks"].as_array().unwrap().clone();
        let check = checks.into_iter().find(|check| check["check"] == "engine").unwrap();
        [&check["level"], &check["message"], &check["next"]].map(|text| text.as_str().unwrap_or_default().to_owned())
    };
    let config = "config/dreamtop/config.yaml";
    let machine = Machine::with_sample();
    machine.write(config, "engine: anthropic\nmodels: { anthropic: { model: m } }\n");
    let [level, message, next] = engine(&machine, &[]);
    assert!(
        level == "fail" && message.contains("ANTHROPIC_API_KEY") && next.contains("set that variable"),
        "{message}: {next}"
    );
    machine.write(config, "engine: anthropic\nmodels: { anthropic: { model: m, api_key_env: MY_KEY } }\n");
    let [_, message, next] = engine(&machine, &[]);
    assert!(
        message.contains("MY_KEY") && next.contains("set that variable") && next.contains(config),
        "{message}: {next}"
    );
    machine.write(config, "engine: anthropic\nmodels: { anthropic: { base_url: \"http://127.0.0.1:1\" } }\n");
    let [_, message, next] = engine(&machine, &[]);
    assert!(message.contains("needs a model") && next.contains("models.anthropic"), "{message}: {next}");
    machine.write(config, "engine: openai\nmodels: { openai: { model: m, base_url: \"http://127.0.0.1:1/v1\" } }\n");
    fs::create_dir_all(machine.path("config/dreamtop/prompts/dream.md")).unwrap();
    let [level, message, next] = engine(&machine, &[]);
    assert!(level == "fail" && message.contains("dream.md") && next.contains("remove it"), "{message}: {next}");
    fs::remove_dir_all(machine.path("config/dreamtop/prompts")).unwrap();
    machine.write(config, "engine: anthropic\nnonsense: [\n");
    let [level, message, next] = engine(&machine, &[]);
    assert!(level == "warn" && message.contains("cannot be told") && next.contains("config.yaml"), "{message}: {next}");
    let [level, message, _] = engine(&machine, &["--engine", "embedded"]);
    assert!(level == "ok" && message.contains("embedded"), "{message}");
    let [_, _, next] = engine(&machine, &["--engine", "nobody"]);
    assert!(next.contains("name another with --engine"), "{next}");
}

/// What the doctor says of the hooks.
fn said_of_hooks(machine: &Machine) -> Vec<String> {
    let (_, doctor) = machine.json("acme-api", &["doctor"]);
    let checks = doctor["checks"].as_array().unwrap().clone();
    let hooks = checks.into_iter().filter(|check| check["check"] == "hooks");
    hooks.map(|check| format!("{} {}", check["level"].as_str().unwrap(), check["message"].as_str().unwrap())).collect()
}

#[test]
fn a_hook_that_is_set_up_by_hand_within_more_is_seen_by_the_doctor_and_named_by_install() {
    let machine = Machine::with_sample();
    let command = "nice dreamtop hook || true";
    let settings = json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}});
    machine.write("claude/settings.json", settings.to_string());
    let said = said_of_hooks(&machine);
    assert_eq!(said, [format!("ok set up by hand (user): Claude Code calls dreamtop in {command}")]);
    let installed = machine.run(&["--json", "install", "--yes"]).json();
    assert!(installed["notices"].to_string().contains("answered twice"), "{installed}");
    assert!(said_of_hooks(&machine).iter().any(|said| said.contains("installed 2 times")));
    assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
    assert_eq!(read(&machine, "claude/settings.json"), settings);
}

#[test]
fn the_options_that_install_is_given_stand_in_the_hooks_and_those_that_are_there_stay() {
    let machine = Machine::new();
    fs::create_dir_all(machine.path("claude")).unwrap();
    let config = machine.write("my config.yaml", "engine: embedded\n");
    let options = ["--config", config.to_str().unwrap(), "--engine", "embedded"];
    let install = |options: &[&str]| {
        assert_eq!(machine.run(&[options, &["install", "--yes"]].concat()).code(), 0);
        commands(&read(&machine, "claude/settings.json"), "Stop")
    };
    let end = format!(" --config '{}' --engine embedded hook", config.display());
    let written = install(&options);
    assert!(written.len() == 1 && written[0].ends_with(&end), "{written:?}");
    let dream = fs::read_to_string(machine.path("claude/commands/dream.md")).unwrap();
    assert!(dream.contains("--engine embedded dream --force"), "{dream}");
    assert_eq!(install(&[]), written, "who installs anew without any keeps them");
    let other = install(&["--engine", "openai"]);
    assert!(other.len() == 1 && other[0].ends_with("dreamtop --engine openai hook"), "{other:?}");
    let shared = Machine::with_sample();
    let project = shared.path("checkouts/acme-api");
    let arguments =
        ["--project", project.to_str().unwrap(), "--engine", "embedded", "install", "--scope", "project", "--yes"];
    let answer = shared.run(&arguments);
    assert!(answer.out().contains("--engine embedded is not written into hooks that others share"), "{}", answer.out());
}

#[test]
fn the_doctor_names_settings_that_install_would_refuse() {
    for (text, why) in
        [(r#"{"hooks": null}"#, "is not an object"), (r#"{"hooks": {"Stop": {}}}"#, "hooks.Stop is not a list")]
    {
        let machine = Machine::with_sample();
        machine.write("claude/settings.json", text);
        let refused = machine.run(&["install", "--yes"]);
        assert!(refused.code() == 2 && refused.err().contains(why), "{}", refused.err());
        let said = said_of_hooks(&machine);
        assert!(said.iter().any(|said| said.starts_with("warn ") && said.contains(why)), "{said:?}");
        assert!(!said.iter().any(|said| said.contains("`dreamtop install`")), "{said:?}");
    }
}

#[test]
fn a_dream_that_a_person_types_into_a_session_asks_only_the_lock() {
    let machine = Machine::with_sample();
    let text = include_str!("../../assets/plugin/commands/dream.md");
    assert!(text.contains("`dreamtop dream --force $ARGUMENTS`"), "{text}");
    // Who is used to say it says it twice.
    let (code, run) = machine.json("acme-api", &["dream", "--force", "--force", "--dry-run"]);
    assert_eq!((code, &run["kind"]), (0, &"dream".into()), "{run}");
}
