//! What setting up says and leaves: options, words, copies, older hooks, all or nothing.

use std::fs;
use std::time::{Duration, SystemTime};

use dreamtop::memory::ContentHash;
use serde_json::{Value, json};

use crate::common::{Machine, contents};

const KEY: &str = "sk-ant-api03-Zk3vQ9xWm2Lr8TnB5yHc7JdF1gPs6UaE4oKi0VqXw";

/// What the doctor says in one of its lines: level, message and what next.
fn said(machine: &Machine, of: &str) -> Vec<String> {
    let (_, doctor) = machine.json("acme-api", &["doctor"]);
    let checks = doctor["checks"].as_array().unwrap().iter().filter(|check| check["check"] == of);
    let word = |check: &Value, key: &str| check[key].as_str().unwrap_or_default().to_owned();
    checks
        .map(|check| format!("{} {} → {}", word(check, "level"), word(check, "message"), word(check, "next")))
        .collect()
}

fn stop_command(machine: &Machine) -> String {
    let settings: Value = serde_json::from_slice(&fs::read(machine.path("claude/settings.json")).unwrap()).unwrap();
    settings["hooks"]["Stop"][0]["hooks"][0]["command"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn an_engine_that_is_none_is_not_installed_and_a_script_is_named_by_its_whole_path() {
    let machine = Machine::with_sample();
    let before = contents(&machine.path("claude"));
    for engine in ["bogus", "script:nowhere.jsonl"] {
        let refused = machine.run(&["--engine", engine, "install", "--yes"]);
        assert_eq!(refused.code(), 2, "{engine}: {}", refused.err());
        assert_eq!(contents(&machine.path("claude")), before, "{engine}");
    }
    let script = machine.write("turns.jsonl", "");
    assert_eq!(machine.run(&["--engine", "script:turns.jsonl", "install", "--yes"]).code(), 0);
    let command = stop_command(&machine);
    assert!(command.contains(&format!("script:{}", script.display())), "{command}");
}

#[test]
fn options_that_stay_in_the_hooks_stay_in_the_commands_and_the_doctor_reads_what_the_hooks_read() {
    let machine = Machine::with_sample();
    machine.write("claude/settings.json", "{}\n");
    let config = machine.write("own.yaml", "engine: embedded\n");
    let options = ["--config", config.to_str().unwrap(), "--engine", "embedded"];
    assert_eq!(machine.run(&[&options[..], &["install", "--yes"]].concat()).code(), 0);
    let again = machine.run(&["install", "--yes"]);
    assert!(again.out().contains("go on calling dreamtop with --config"), "{}{}", again.out(), again.err());
    let dream = fs::read_to_string(machine.path("claude/commands/dream.md")).unwrap();
    assert!(dream.contains("--engine embedded dream --force"), "{dream}");
    let hooks = said(&machine, "hooks");
    assert!(hooks[0].starts_with("ok installed (user)") && hooks[0].contains("with --config"), "{hooks:?}");
    assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
    assert_eq!(machine.run(&["--config", config.to_str().unwrap(), "install", "--yes"]).code(), 0);
    assert!(said(&machine, "hooks").iter().all(|line| line.starts_with("ok ")));
    for (text, why) in [(Some("engine: bogus\n"), "bogus"), (Some("dream: 7\n"), "dream"), (None, "own.yaml")] {
        match text {
            Some(text) => fs::write(&config, text).unwrap(),
            None => fs::remove_file(&config).unwrap(),
        }
        let hooks = said(&machine, "hooks");
        let is_told = |line: &String| line.starts_with("fail the hooks (user) can start nothing") && line.contains(why);
        assert!(hooks.iter().any(is_told), "{why}: {hooks:?}");
    }
}

#[test]
fn what_the_doctor_advises_about_two_kinds_of_dreams_leaves_one_of_them() {
    let machine = Machine::with_sample();
    let enabled = || {
        let (_, gates) = machine.json("acme-api", &["gates"]);
        gates["dream"].as_array().unwrap().iter().find(|gate| gate["gate"] == "enabled").unwrap()["passed"].clone()
    };
    machine.write("claude/settings.json", "{}\n");
    assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
    let installed = fs::read_to_string(machine.path("claude/settings.json")).unwrap();
    machine.write("claude/settings.json", installed.replacen('{', "{\n  \"autoDreamEnabled\": true,", 1));
    let hooks = said(&machine, "hooks");
    let both = hooks.iter().find(|line| line.contains("own dreams are on too")).unwrap();
    assert!(both.contains("take autoDreamEnabled out of its settings") && enabled() == json!(true), "{both}");
    machine.write("claude/settings.json", &installed);
    assert_eq!(enabled(), json!(true), "as advised");
    machine.write("claude/settings.json", installed.replacen('{', "{\n  \"autoDreamEnabled\": false,", 1));
    let settings = said(&machine, "settings");
    let none = "no dream starts by itself, Claude Code's own or dreamtop's (settings.json, autoDreamEnabled)";
    assert!(settings[0].contains(none) && enabled() == json!(false), "{settings:?}");
}

#[test]
fn uninstalling_leaves_no_copy_of_a_key_behind_or_says_where_it_lies() {
    let machine = Machine::with_sample();
    let settings = format!("{{\n  \"env\": {{ \"ANTHROPIC_API_KEY\": \"{KEY}\" }}\n}}\n");
    let holds = || {
        let all = contents(&machine.path("state"));
        let with_key = all.into_iter().filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains(KEY));
        with_key.map(|(path, _)| path).collect::<Vec<_>>()
    };
    machine.write("claude/settings.json", &settings);
    assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
    assert_eq!(holds().len(), 1, "a copy while it is installed");
    // What a write that was killed left.
    let left = [machine.write("claude/.dreamtop-a.tmp", KEY), machine.write("claude/commands/.dreamtop-b.tmp", KEY)];
    let long_ago = SystemTime::now() - Duration::from_secs(600);
    left.iter().for_each(|path| fs::File::open(path).unwrap().set_modified(long_ago).unwrap());
    let (_, doctor) = machine.json("acme-api", &["doctor"]);
    assert!(doctor.to_string().contains("2 left-over files"), "{doctor}");
    assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
    assert_eq!(fs::read_to_string(machine.path("claude/settings.json")).unwrap(), settings);
    assert_eq!(holds(), Vec::<std::path::PathBuf>::new());
    assert!(left.iter().all(|path| !path.exists()));
    // The doctor takes them away too.
    machine.write("claude/.dreamtop-c.tmp", KEY);
    fs::File::open(machine.path("claude/.dreamtop-c.tmp")).unwrap().set_modified(long_ago).unwrap();
    machine.json("acme-api", &["doctor", "--fix"]);
    assert!(!machine.path("claude/.dreamtop-c.tmp").exists());
    // Whose writer is gone goes at once, also where there is nothing to install or to take out, and beside what a link
    // leads to; what is just being written stays.
    let mut writer = std::process::Command::new("true").spawn().unwrap();
    let gone = writer.id();
    writer.wait().unwrap();
    fs::remove_file(machine.path("claude/settings.json")).unwrap();
    let target = machine.write("dotfiles/settings.json", &settings);
    std::os::unix::fs::symlink(&target, machine.path("claude/settings.json")).unwrap();
    let running = machine.write(&format!("claude/.dreamtop-{}-d.tmp", std::process::id()), KEY);
    for arguments in [&["uninstall", "--yes"][..], &["install", "--yes"], &["install", "--yes"], &["doctor", "--fix"]] {
        let left = ["claude", "claude/commands", "dotfiles"]
            .map(|directory| machine.write(&format!("{directory}/.dreamtop-{gone}-d.tmp"), KEY));
        machine.json("acme-api", arguments);
        assert!(left.iter().all(|path| !path.exists()), "{arguments:?}: {left:?}");
    }
    assert!(running.exists());
    assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
    assert!(target.exists() && machine.path("claude/settings.json").is_symlink());
    // With an edit in between the copy may be wanted, and is named.
    assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
    let edited = fs::read_to_string(machine.path("claude/settings.json")).unwrap();
    machine.write("claude/settings.json", edited.replacen('{', "{\n  \"model\": \"opus\",", 1));
    let gone = machine.run(&["uninstall", "--yes"]);
    let copy = holds().pop().unwrap().display().to_string();
    assert!(gone.out().contains(copy.rsplit('/').next().unwrap()), "{copy}: {}", gone.out());
}

#[test]
fn installing_and_uninstalling_say_what_sessions_do_from_then_on() {
    let machine = Machine::with_sample();
    let project = machine.path("checkouts/acme-api");
    let run = |arguments: &[&str]| {
        let answer = machine.run(&[&["--project", project.to_str().unwrap()], arguments].concat());
        assert_eq!(answer.code(), 0, "{}", answer.err());
        answer.out()
    };
    run(&["install", "--yes"]);
    run(&["install", "--scope", "local", "--yes"]);
    let first = run(&["uninstall", "--yes"]);
    assert!(first.contains("go on calling dreamtop by the hooks in") && first.contains("--scope local"), "{first}");
    assert!(!first.contains("do not call dreamtop"), "{first}");
    let last = run(&["uninstall", "--scope", "local", "--yes"]);
    assert!(last.contains("do not call dreamtop"), "{last}");
    // In a project that is the home, the settings of two scopes are one file.
    fs::create_dir_all(project.join(".claude/projects")).unwrap();
    let home = project.join(".claude").display().to_string();
    run(&["--claude-dir", &home, "install", "--yes"]);
    let alone = run(&["--claude-dir", &home, "uninstall", "--yes"]);
    assert!(alone.contains("do not call dreamtop"), "{alone}");
    machine.write("claude/settings.json", "{\"disableAllHooks\": true}\n");
    let silenced = run(&["install", "--yes"]);
    assert!(silenced.contains("once its hooks are called, sessions call dreamtop"), "{silenced}");
}

#[test]
fn a_plugin_whose_program_path_does_not_find_is_no_good_installation() {
    let machine = Machine::with_sample();
    machine.write("claude/settings.json", "{\"enabledPlugins\": {\"dreamtop@tools\": true}}\n");
    let project = machine.path("checkouts/acme-api");
    let doctor = |path: &std::path::Path| {
        let mut command = machine.command();
        let answer = command.env("PATH", path).arg("--project").arg(&project).arg("doctor").output().unwrap();
        String::from_utf8(answer.stdout).unwrap()
    };
    let programs = machine.path("programs");
    fs::create_dir_all(&programs).unwrap();
    let said = doctor(&programs);
    let is_told = |line: &str| line.starts_with("fail") && line.contains("installed as the plugin dreamtop@tools, but");
    assert!(said.lines().any(is_told) && said.contains("first in PATH"), "{said}");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_dreamtop"), programs.join("dreamtop")).unwrap();
    let said = doctor(&programs);
    let is_good = |line: &str| {
        line.starts_with("ok") && line.contains("installed as the plugin dreamtop@tools: Claude Code calls")
    };
    assert!(said.lines().any(is_good), "{said}");
}

#[test]
fn a_refused_installation_is_no_half_of_one() {
    use dreamtop::hook::install::{Place, Scope, carry_out, install};
    use dreamtop::state::StateDir;
    let machine = Machine::new();
    let settings = machine.write("claude/settings.json", "{}\n");
    let state = StateDir::at(machine.path("state/dreamtop"));
    let place = Place::of(Scope::User, &machine.path("claude"), std::path::Path::new(""));
    let plan = install(&state, place, "dreamtop", &[]).unwrap();
    // Another program writes while the person is asked.
    fs::write(&settings, "{ \"model\": \"opus\" }\n").unwrap();
    let before = contents(&machine.path("claude"));
    carry_out(&state, &plan).unwrap_err();
    assert_eq!(contents(&machine.path("claude")), before);
    assert!(!machine.path("claude/commands").exists());
    // Where a command cannot be written, the settings are as they were. Whoever may write everywhere installs all of it.
    let commands = machine.path("claude/commands");
    fs::create_dir(&commands).unwrap();
    fs::set_permissions(&commands, <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o555)).unwrap();
    let is_done = machine.run(&["install", "--yes"]).code() == 0;
    assert_eq!(commands.join("dream.md").exists(), is_done);
    assert_eq!(fs::read_to_string(&settings).unwrap().contains("hook"), is_done);
}

#[test]
fn hooks_that_an_older_version_wrote_in_another_shape_are_brought_up_to_date() {
    let machine = Machine::with_sample();
    let before = "{\n  \"model\": \"opus\"\n}\n";
    let path = machine.write("claude/settings.json", before);
    assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
    let fresh = fs::read_to_string(&path).unwrap();
    let older = fresh.replace("Read|Write|Edit|MultiEdit", "Read").replace("\"timeout\": 10", "\"timeout\": 5");
    assert_ne!(older, fresh);
    fs::write(&path, &older).unwrap();
    let record = fs::read_dir(machine.path("state/dreamtop/install")).unwrap().map(|entry| entry.unwrap().path());
    let record = record.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "json")).unwrap();
    let mut known: Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    known["after"] = json!(ContentHash::of(older.as_bytes()).to_string());
    known["version"] = json!("0.0.9");
    fs::write(&record, known.to_string()).unwrap();
    let hooks = said(&machine, "hooks");
    assert!(hooks[0].starts_with("warn the hooks (user) are as another version"), "{hooks:?}");
    assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), fresh);
    assert!(said(&machine, "hooks").iter().all(|line| line.starts_with("ok ")));
    assert_eq!(machine.run(&["uninstall", "--yes"]).code(), 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    // A hook that a person put otherwise is theirs.
    assert_eq!(machine.run(&["install", "--yes"]).code(), 0);
    fs::write(&path, &older).unwrap();
    machine.run(&["install", "--yes"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), older);
}
