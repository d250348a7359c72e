//! Settings that a project shares: what is written into them says nothing of this machine, and nothing is written through a
//! link that leads out.

use std::fs;

use crate::common::{Machine, contents};
use crate::install::{SETTINGS, commands, read};

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
