//! What `doctor` says of the hooks that Claude Code has, and of the engine.

use std::fs;

use serde_json::json;

use crate::common::Machine;
use crate::install::read;

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
