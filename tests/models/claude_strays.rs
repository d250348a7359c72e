//! What the command `claude` changes beside its working copy: named, given back where it can be, and kept.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use crate::bench::{Bench, topic};
use crate::common::contents;
use crate::stand_in::{BEGIN, GOES_ON, bench, journal, result, stand_in, told, written};

#[test]
fn a_run_whose_command_changes_stores_or_settings_fails_and_says_the_way_back() {
    let evil = "echo pwned >> \"$CLAUDE_CONFIG_DIR/projects/-work-other/memory/project_a.md\"\necho '{}' > \"$CLAUDE_CONFIG_DIR/settings.json\"\n";
    let bench = bench(&format!("{}{evil}{}", written(), result("success", false, "Stored one fact.")));
    let text = topic("a", "project", "a fact", "The other project's fact.");
    let other = bench.machine.write("claude/projects/-work-other/memory/project_a.md", &text);
    let before = contents(&bench.machine.path("m"));
    let (code, run) = bench.dream();
    let reason = run["reason"].as_str().unwrap();
    assert_eq!((code, run["outcome"].as_str()), (5, Some("failed")), "{run:#}");
    assert!(reason.contains("-work-other/memory") && reason.contains("claude/settings.json"), "{reason}");
    assert_eq!(contents(&bench.machine.path("m")), before, "its work is dropped");
    let back = reason.split("undo ").nth(1).unwrap().split(')').next().unwrap();
    let dir = bench.machine.path("claude/projects/-work-other/memory");
    let answer = bench.machine.run(&["--memory-dir", dir.to_str().unwrap(), "undo", back]);
    assert_eq!((answer.code(), fs::read_to_string(&other).unwrap()), (0, text), "{}", answer.err());

    // A session that goes on writes into its own store: that is told, and no failure.
    let live = "echo x >> \"$CLAUDE_CONFIG_DIR/projects/-work-other/memory/project_a.md\"\n";
    stand_in(&bench, &format!("{BEGIN}{}{live}{GOES_ON}{}", written(), result("success", false, "Stored one fact.")));
    let (code, run) = bench.dream();
    assert_eq!(code, 0, "{run:#}");
    assert!(journal(&bench, &run).contains("-work-other/memory"), "{}", journal(&bench, &run));
}

/// What a person has in Claude Code's directory, a part of it in a directory of their own that is linked.
pub fn furnish(bench: &Bench) {
    for (file, text) in [
        ("settings.json", "{ \"model\": \"opus\" }\n"),
        ("CLAUDE.md", "Be brief.\n"),
        ("rules/tone.md", "Be kind.\n"),
        ("agents/reviewer.md", "You review.\n"),
        ("plugins/installed_plugins.json", "{}\n"),
        (".claude.json", "{\n  \"mcpServers\": { \"docs\": { \"command\": \"docs\" } },\n  \"n\": 1\n}\n"),
    ] {
        bench.machine.write(&format!("claude/{file}"), text);
    }
    fs::set_permissions(bench.machine.path("claude/agents/reviewer.md"), fs::Permissions::from_mode(0o600)).unwrap();
    let skill = bench.machine.write("claude/own/skills/mine/SKILL.md", "Mine.\n");
    let skills = skill.parent().unwrap().parent().unwrap();
    std::os::unix::fs::symlink(skills, bench.machine.path("claude/skills")).unwrap();
}

/// Everything there but what the stand-in notes, and what a file of links leads to.
fn furniture(bench: &Bench) -> Vec<(PathBuf, Vec<u8>)> {
    let notes = ["pid", "arguments", "environment", "task", "own/tone/tone.md"];
    let all = contents(&bench.machine.path("claude")).into_iter();
    all.filter(|(path, _)| !notes.iter().any(|note| path.ends_with(note))).collect()
}

/// It writes wherever sessions look for what to do.
const STRAYS: &str = r#"cd "$CLAUDE_CONFIG_DIR"
mkdir -p commands/deep skills/evil plugins/cache/evil
for file in commands/deep/evil.md agents/evil.md rules/evil.md skills/evil/SKILL.md plugins/cache/evil/run.sh statusline.sh; do echo pwned > $file; done
echo '{"hooks":{}}' > settings.json
echo pwned >> CLAUDE.md
rm rules/tone.md
echo pwned > skills/mine/SKILL.md
chmod 777 agents/reviewer.md
echo '{"plugins":{"evil":1}}' > plugins/installed_plugins.json
rm skills; mkdir -p skills/evil; echo pwned > skills/evil/SKILL.md
mkdir own/tone; echo 'Be kind.' > own/tone/tone.md; rm -r rules; ln -s own/tone rules
printf '{\n  "mcpServers": { "docs": { "command": "docs" }, "evil": { "command": "sh" } },\n  "n": 2\n}\n' > .claude.json
"#;

#[test]
fn what_the_command_changes_of_settings_instructions_and_programs_is_given_back_and_kept() {
    let bench = bench(&format!("{}{STRAYS}{}", written(), result("success", false, "Stored one fact.")));
    furnish(&bench);
    let (store, before) = (contents(&bench.machine.path("m")), furniture(&bench));
    let (code, run) = bench.dream();
    let reason = run["reason"].as_str().unwrap();
    assert_eq!((code, run["outcome"].as_str()), (5, Some("failed")), "{run:#}");
    assert!(reason.contains("given back as it was") && !reason.contains("cannot"), "{reason}");
    assert!(reason.contains("mcpServers in ") && reason.contains(" more file"), "{reason}");
    assert_eq!(contents(&bench.machine.path("m")), store, "its work is dropped");
    let after: Vec<_> = furniture(&bench)
        .into_iter()
        .map(|(path, bytes)| {
            // What Claude Code writes there all the time is left.
            let text = String::from_utf8(bytes).unwrap();
            (path, text.replace("\"n\": 2", "\"n\": 1"))
        })
        .collect();
    let plain = |all: Vec<(PathBuf, Vec<u8>)>| -> Vec<_> {
        all.into_iter().map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap())).collect()
    };
    let spaceless = |all: Vec<(PathBuf, String)>| -> Vec<_> {
        let is_json = |path: &PathBuf| path.ends_with(".claude.json");
        all.into_iter()
            .map(|(path, text)| if is_json(&path) { (path, text.split_whitespace().collect()) } else { (path, text) })
            .collect()
    };
    assert_eq!(spaceless(after), spaceless(plain(before)));
    let mode = fs::metadata(bench.machine.path("claude/agents/reviewer.md")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(bench.machine.path("claude/skills").is_symlink() && !bench.machine.path("claude/commands").exists());
    // What it wrote can be looked at, and what was there before too.
    let kept = bench.machine.path("state/dreamtop/strayed").join(run["run"].as_str().unwrap());
    assert!(reason.contains(kept.to_str().unwrap()), "{reason}");
    for (file, text) in [
        ("after/settings.json", "hooks"),
        ("before/settings.json", "opus"),
        ("after/commands/deep/evil.md", "pwned"),
        ("before/rules/tone.md", "kind"),
        ("after/registered.json", "evil"),
    ] {
        assert!(fs::read_to_string(kept.join(file)).unwrap_or_default().contains(text), "{file}");
    }
}

#[test]
fn what_a_session_may_have_changed_stays_and_what_was_there_before_is_named() {
    let edits = "echo '{ \"model\": \"haiku\" }' > \"$CLAUDE_CONFIG_DIR/settings.json\"\nmkdir -p \"$CLAUDE_CONFIG_DIR/plugins/marketplaces/x\"\necho new > \"$CLAUDE_CONFIG_DIR/plugins/marketplaces/x/plugin.json\"\n";
    let bench = bench(&format!("{}{GOES_ON}{edits}{}", written(), result("success", false, "Stored one fact.")));
    furnish(&bench);
    bench.machine.write("claude/projects/-work-other/memory/a.md", "A.\n");
    let (code, run) = bench.dream();
    let reason = run["reason"].as_str().unwrap();
    assert_eq!(code, 5, "{run:#}");
    assert!(reason.contains("settings.json (left as it is, because a session went on"), "{reason}");
    assert!(!reason.contains("marketplaces"), "{reason}");
    assert!(
        bench.notices().iter().any(|notice| notice.contains("marketplaces/x/plugin.json")),
        "{:?}",
        bench.notices()
    );
    assert!(told(&bench, "settings.json").contains("haiku"), "it may be the person's");
    let kept = bench.machine.path("state/dreamtop/strayed").join(run["run"].as_str().unwrap());
    assert!(fs::read_to_string(kept.join("before/settings.json")).unwrap().contains("opus"));
    assert!(reason.contains(kept.join("before").to_str().unwrap()), "{reason}");
}

#[test]
fn what_claude_code_renews_by_itself_is_no_failure() {
    let renews = "mkdir -p \"$CLAUDE_CONFIG_DIR/plugins\" \"$CLAUDE_CONFIG_DIR/statsig\"\necho '{}' > \"$CLAUDE_CONFIG_DIR/plugins/known_marketplaces.json\"\necho x > \"$CLAUDE_CONFIG_DIR/statsig/cache\"\necho x > \"$CLAUDE_CONFIG_DIR/.credentials.json\"\n";
    let bench = bench(&format!("{}{renews}{}", written(), result("success", false, "Stored one fact.")));
    furnish(&bench);
    let (code, run) = bench.dream();
    assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{run:#}");
    assert!(bench.read("project_new.md").contains("A fact that holds."));
}
