#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use super::*;

fn read(text: &str) -> Result<Config, String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.yaml");
    std::fs::write(&path, text).unwrap();
    let read = Config::read(&path, true);
    assert!(read.as_ref().map_or(true, |config| config.dir.as_deref() == Some(dir.path())));
    read.map(|config| Config { dir: None, ..config })
        .map_err(|error| error.to_string().replace(&format!("{}/", dir.path().display()), ""))
}

#[test]
fn every_key_is_optional_and_every_key_is_read() {
    for empty in ["", "# only a comment\n", "---\n", "dream:\nkeys:\n"] {
        assert_eq!(read(empty), Ok(Config::default()), "{empty:?}");
    }
    let all = read(
        "\u{FEFF}engine: script:demo.jsonl\r\ndream: {enabled: false, min_hours: 12, min_sessions: 3, apply: ask, budget: {seconds: 60, tokens: 5, runs_a_day: 3, tokens_a_day: 9}}\nextract:\n  every_turns: 2\n  programs: true\n  apply: ask\n  budget:\n    seconds: 7\nshelf_life: {user: 1, feedback: 2, project: 3, reference: 4}\ntheme: mono\nmouse: false\nkeys:\n  kill: x\n  first: 1\n",
    )
    .unwrap();
    assert_eq!(all.engine, "script:demo.jsonl");
    assert_eq!((all.dream.enabled, all.dream.min_hours, all.dream.min_sessions), (false, 12, 3));
    assert_eq!(
        (all.dream.apply, all.dream.budget),
        (Apply::Ask, Budget { seconds: 60, tokens: 5, runs_a_day: 3, tokens_a_day: 9, usd: None, usd_a_day: None })
    );
    assert_eq!((all.extract.every_turns, all.extract.programs, all.extract.apply), (2, true, Apply::Ask));
    assert_eq!(all.extract.budget, Budget { seconds: 7, ..Config::default().extract.budget });
    assert_eq!(all.shelf_life, ShelfLife { user: 1, feedback: 2, reference: 4, project: 3 });
    assert_eq!((all.theme.as_str(), all.mouse), ("mono", false));
    assert_eq!(
        (all.lines["keys.kill"], all.lines["extract.budget.seconds"], all.lines["dream.budget.tokens"]),
        (13, 8, 2)
    );
    assert_eq!(all.keys, [("first".to_owned(), "1".to_owned()), ("kill".into(), "x".into())].into());
}

#[test]
fn unknown_keys_are_named_with_their_line_and_the_known_ones() {
    let error = read("# mine\n\nengine: embedded\ndreams:\n  enabled: true\n").unwrap_err();
    assert_eq!(
        error,
        "config.yaml:4: unknown key \"dreams\" (did you mean dream?); known: engine, claude_command, models, bash, dream, extract, recall, team, shelf_life, theme, mouse, cursor, keys"
    );
    let error = read("extract:\n  apply: ask\n\ndream:\n  # every\n  min-hours: 3\n").unwrap_err();
    assert_eq!(
        error,
        "config.yaml:6: unknown key \"min-hours\" in dream (did you mean min_hours?); known: enabled, min_hours, min_sessions, on_network, apply, budget"
    );
    let error = read("dream:\n  budget:\n    tokens: 1\n  tokens: 2\nenabled: true\n").unwrap_err();
    assert!(error.starts_with("config.yaml:5: unknown key \"enabled\""), "{error}");
    let error = read("dream:\n  budget:\n    tokens: 1\n  tokens: 2\n").unwrap_err();
    assert!(error.starts_with("config.yaml:4: unknown key \"tokens\" in dream;"), "{error}");
    // A section of a later version.
    assert!(read("teams_of: 1\n").unwrap_err().starts_with("config.yaml:1: unknown key \"teams_of\";"));
}

#[test]
fn bad_values_are_named_with_their_line_and_what_is_accepted() {
    for (text, message) in [
        ("bash: always\n", "config.yaml:1: bash is \"always\"; accepted: sandboxed, anywhere, off"),
        ("theme: pink\n", "config.yaml:1: theme is \"pink\"; accepted: auto, dark, light, contrast, mono"),
        ("\nmouse: on\n", "config.yaml:2: mouse is \"on\"; accepted: true or false"),
        (
            "engine: 'script:'\n",
            "config.yaml:1: engine is \"script:\"; accepted: embedded, anthropic, openai, claude (these three also with the model, anthropic:MODEL), script:FILE",
        ),
        (
            "extract:\n  every_turns: 0\n",
            "config.yaml:2: extract.every_turns is \"0\"; accepted: a whole number, 1 or more",
        ),
        (
            "extract:\n  apply: ask\ndream:\n  apply: never\n",
            "config.yaml:4: dream.apply is \"never\"; accepted: auto, ask",
        ),
        (
            "dream:\n  budget:\n    tokens: -5\n",
            "config.yaml:3: dream.budget.tokens is \"-5\"; accepted: a whole number, 1 or more",
        ),
        (
            "shelf_life:\n  user: 99999999999\n",
            "config.yaml:2: shelf_life.user is \"99999999999\"; accepted: a whole number, 1 or more",
        ),
        (
            "dream: yes please\n",
            "config.yaml:1: dream is \"yes please\"; accepted: a section of its own: indented `key: value` lines",
        ),
        ("keys:\n  kill: [x]\n", "config.yaml:2: keys.kill is a list; accepted: a key, like `x` or `shift-down`"),
        ("dream: {enabled: 3}\n", "config.yaml:1: dream.enabled is \"3\"; accepted: true or false"),
    ] {
        assert_eq!(read(text).unwrap_err(), message);
    }
}

#[test]
fn what_is_no_yaml_is_told_with_its_line() {
    assert!(read("engine: embedded\ndream: [1\n").unwrap_err().starts_with("config.yaml:"));
    assert!(read("- a\n- b\n").unwrap_err().contains("expected `key: value` lines"));
    assert!(read("mouse: true\nmouse: false\n").unwrap_err().contains("mouse"));
    assert!(read("\u{0}\u{1}\u{2}").is_err());
}

#[test]
fn a_missing_file_is_the_default_unless_it_was_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("none.yaml");
    let default = Config { dir: Some(dir.path().to_owned()), ..Config::default() };
    assert_eq!(Config::read(&path, false).unwrap(), default);
    assert!(Config::read(&path, true).unwrap_err().to_string().contains("none.yaml"));
    assert!(matches!(Config::read(dir.path(), false), Err(ConfigError::Unreadable { .. })));
}

#[test]
fn the_catalog_has_every_key_with_its_default_and_what_it_accepts_is_accepted() {
    for known in CATALOG {
        assert!(known.says.ends_with('.'));
        let value = (known.value)(&Config::default());
        if value.is_empty() {
            // The engine's own default holds; any that is accepted is read back.
            let value = match known.accepted {
                Accepted::Number(_) => "7",
                _ if known.path.contains(&"prices") => "0.25",
                Accepted::Text(super::catalog::AN_AMOUNT) => "2.25",
                Accepted::Text(super::catalog::REPOSITORY) => "acme/app",
                _ => "http://127.0.0.1:9",
            };
            let text = changed("", known.path, Some(value)).unwrap();
            assert_eq!((known.value)(&read(&text).unwrap()), value, "{text}");
            continue;
        }
        let text = changed("", known.path, Some(&value)).unwrap();
        assert_eq!(Config { lines: BTreeMap::new(), ..read(&text).unwrap() }, Config::default(), "{text}");
        for choice in known.accepted.choices() {
            let config = read(&changed("", known.path, Some(choice)).unwrap()).unwrap();
            assert_eq!((known.value)(&config), *choice);
        }
        if let Accepted::Number(least) = known.accepted {
            let below = format!("{}", least as i64 - 1);
            assert!(changed("", known.path, Some(&below)).is_err(), "{}", known.name());
        }
    }
    // A key that the parser knows and the catalog does not would be named by this error; one of free names has no row.
    let error = read("nothing: 1\n").unwrap_err();
    let sections: Vec<&str> = error.split("known: ").nth(1).unwrap().split(", ").collect();
    for section in sections.into_iter().filter(|section| *section != "keys") {
        assert!(CATALOG.iter().any(|known| known.path[0] == section), "{section}");
        let Err(error) = read(&format!("{section}: {{nothing: 1}}\n")) else { continue };
        let Some(names) = error.split("known: ").nth(1) else { continue };
        for name in names.split(", ").filter(|name| *name != "repositories") {
            assert!(CATALOG.iter().any(|known| known.path.starts_with(&[section, name])), "{section}.{name}");
        }
    }
}

#[test]
fn a_model_is_described_by_its_section_and_its_prices_are_exact() {
    let all = read(
        "engine: anthropic:some-model\nmodels:\n  anthropic:\n    model: m-1\n    base_url: http://127.0.0.1:9\n    api_key_command: pass show 'key'\n    headers: {X-Team: a b, anthropic-beta: one}\n    proxy: none\n    max_tokens: 100\n    context_tokens: 1000\n    connect_seconds: 2\n    idle_seconds: 3\n    prices: {input: 3, output: 15, cache_read: 0.3}\n  openai:\n    model: 7\n    api_key_command: [secret-tool, lookup, a b]\n    prices: {input: 0.123456}\n",
    )
    .unwrap();
    assert_eq!(all.engine, "anthropic:some-model");
    let model = &all.models.anthropic;
    assert_eq!((model.model.as_deref(), model.base_url.as_deref()), (Some("m-1"), Some("http://127.0.0.1:9")));
    assert_eq!(model.api_key_command, ["pass", "show", "key"]);
    assert_eq!(model.headers.0.get("x-team").map(String::as_str), Some("a b"));
    assert_eq!(
        (model.max_tokens, model.context_tokens, model.connect_seconds, model.idle_seconds),
        (Some(100), Some(1_000), Some(2), Some(3))
    );
    let prices = Prices { input: 3_000_000, output: 15_000_000, cache_read: 300_000, cache_write: 3_000_000 };
    assert_eq!((model.prices, model.proxy.as_deref()), (Some(prices), Some("none")));
    assert_eq!(all.models.openai.model.as_deref(), Some("7"));
    assert_eq!(all.models.openai.api_key_command, ["secret-tool", "lookup", "a b"]);
    assert_eq!(
        all.models.openai.prices.unwrap().cache_read,
        123_456,
        "what is not priced apart costs what input costs"
    );
}

#[test]
fn what_is_wrong_in_a_models_section_is_named_with_its_line_and_no_header_is_repeated() {
    for (text, message) in [
        ("engine: gpt\n", "config.yaml:1: engine is \"gpt\"; accepted: embedded, anthropic, openai"),
        ("engine: 'anthropic:'\n", "config.yaml:1: engine is"),
        ("models:\n  mistral: {}\n", "config.yaml:2: unknown key \"mistral\" in models"),
        (
            "models:\n  anthropic:\n    api_key: sk-x\n",
            "config.yaml:3: models.anthropic.api_key: a key does not belong in this file",
        ),
        ("models:\n  openai:\n    base_url: localhost:1\n", "config.yaml:3: models.openai.base_url is"),
        ("models:\n  openai:\n    proxy: yes\n", "config.yaml:3: models.openai.proxy is"),
        (
            "models:\n  openai:\n    max_tokens: 0\n",
            "config.yaml:3: models.openai.max_tokens is \"0\"; accepted: a whole",
        ),
        ("models:\n  openai:\n    api_key_command: []\n", "config.yaml:3: models.openai.api_key_command is a list"),
        ("models:\n  openai:\n    prices:\n      input: -1\n", "config.yaml:4: models.openai.prices.input is \"-1\""),
        ("models:\n  openai:\n    prices: {input: cheap}\n", "config.yaml:3: models.openai.prices.input is"),
        (
            "models:\n  openai:\n    headers:\n      x-a: \"hush\\nhush\"\n",
            "config.yaml:4: models.openai.headers.x-a is",
        ),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.starts_with(message), "{text}: {error}");
        assert!(!error.contains("hush") && !error.contains("sk-x"), "{error}");
    }
}

#[test]
fn the_teams_section_is_read_and_what_is_wrong_in_it_is_named_with_its_line() {
    let team = read(
        "team:\n  url: https://memory.acme.test\n  repository: acme/app\n  repositories:\n    Me/App: acme/app\n  token_command: pass show team\n  sync: after-landing\n",
    )
    .unwrap()
    .team;
    assert_eq!((team.url.as_deref(), team.repository.as_deref()), (Some("https://memory.acme.test"), Some("acme/app")));
    assert_eq!(team.repositories, [("me/app".to_owned(), "acme/app".to_owned())].into());
    assert_eq!((team.token_command.len(), team.sync, team.insecure), (3, TeamSync::AfterLanding, false));
    for (text, said) in [
        ("team:\n  token: hush\n", "config.yaml:2: team.token: a token does not belong in this file"),
        ("team:\n  url: ftp://x\n", "config.yaml:2: team.url is \"ftp://x\""),
        (
            "team:\n  repository: acme\n",
            "config.yaml:2: team.repository is \"acme\"; accepted: a repository, owner/name",
        ),
        ("team:\n  sync: always\n", "config.yaml:2: team.sync is \"always\"; accepted: off, after-landing"),
        ("team:\n  tokenfile: x\n", "config.yaml:2: unknown key \"tokenfile\" in team (did you mean token_file?)"),
        ("team:\n  repositories:\n    a/b: c\n", "config.yaml:3: team.repositories.a/b"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.starts_with(said) && !error.contains("hush"), "{error}");
    }
}
