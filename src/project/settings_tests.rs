#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use super::*;

struct Place {
    dir: tempfile::TempDir,
    environment: Environment,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().to_str().unwrap();
        let policy = dir.path().join("managed.json");
        let environment =
            Environment::of(dir.path(), &[("HOME", home)]).with("DREAMTOP_MANAGED_SETTINGS", policy.to_str().unwrap());
        Self { dir, environment }
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.dir.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read_with(&self, variables: &[(&str, &str)]) -> Settings {
        let with = |environment: Environment, (key, value): &(&str, &str)| environment.with(key, value);
        let environment = variables.iter().fold(self.environment.clone(), with);
        read(&environment, Some(&self.dir.path().join("base")), &[&self.dir.path().join("project")])
    }

    fn read(&self) -> Settings {
        self.read_with(&[])
    }
}

#[test]
fn without_any_settings_memory_is_on_by_default() {
    let settings = Place::new().read();
    assert_eq!((settings.auto_memory.value, settings.auto_memory.by.as_str()), (true, "the default"));
    assert!(settings.auto_dream.is_none() && settings.memory_directory.is_none() && settings.notices.is_empty());
}

#[test]
fn what_decides_is_named() {
    let place = Place::new();
    place.write("base/settings.json", r#"{"autoMemoryEnabled":false,"autoDreamEnabled":true}"#);
    let by = |variables: &[(&str, &str)]| {
        let decided = place.read_with(variables).auto_memory;
        (decided.value, decided.by)
    };
    assert_eq!(by(&[]), (false, "settings.json, autoMemoryEnabled".into()));
    assert_eq!(by(&[("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "0")]), (true, "CLAUDE_CODE_DISABLE_AUTO_MEMORY".into()));
    assert_eq!(by(&[("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")]), (false, "CLAUDE_CODE_DISABLE_AUTO_MEMORY".into()));
    assert_eq!(by(&[("CLAUDE_CODE_SIMPLE", "1")]), (false, "CLAUDE_CODE_SIMPLE".into()));
    assert_eq!(by(&[("CLAUDE_CODE_SAFE_MODE", "1")]), (false, "CLAUDE_CODE_SAFE_MODE".into()));
    assert!(by(&[("CLAUDE_CODE_SIMPLE", "1"), ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "0")]).0);
    assert_eq!(by(&[("CLAUDE_CODE_REMOTE", "true")]), (false, "CLAUDE_CODE_REMOTE".into()));
    let dream = place.read().auto_dream.unwrap();
    assert_eq!((dream.value, dream.by.as_str()), (true, "settings.json, autoDreamEnabled"));
    place.write("managed.json", r#"{"autoMemoryEnabled":true}"#);
    assert_eq!(by(&[]), (true, "managed-settings.json, autoMemoryEnabled".into()));
}

#[test]
fn unreadable_settings_are_told_and_never_stop_anything() {
    for text in ["{\"autoMemoryEnabled\":", "[1]", "\u{0}\u{1}", "{\"autoMemoryEnabled\":\"no\"}"] {
        let place = Place::new();
        place.write("base/settings.json", text);
        let settings = place.read();
        assert!(settings.auto_memory.value, "{text}");
        assert_eq!(settings.notices.len(), 1, "{text}: {:?}", settings.notices);
        assert!(settings.notices[0].contains("settings.json"));
    }
    let place = Place::new();
    place.write("base/settings.json/inside", "a directory where a file should be");
    assert_eq!(place.read().notices.len(), 1);
    let place = Place::new();
    place.write("base/settings.json", "\u{FEFF}{\"autoMemoryEnabled\":false}");
    assert!(!place.read().auto_memory.value);
}

#[test]
fn the_memory_directory_must_be_a_place_one_can_mean() {
    let of = |value: &str| {
        let place = Place::new();
        place.write("base/settings.json", &format!(r#"{{"autoMemoryDirectory":{value}}}"#));
        let home = place.dir.path().to_owned();
        let settings = place.read();
        let directory = settings.memory_directory.map(|decided| decided.value);
        (
            directory.map(|path| path.strip_prefix(&home).map(Path::to_owned).unwrap_or(path)),
            settings.notices.join("\n"),
        )
    };
    assert_eq!(of(r#""~/notes/memory/""#), (Some("notes/memory".into()), String::new()));
    assert_eq!(of(r#""/srv/memory""#), (Some("/srv/memory".into()), String::new()));
    for (value, why) in [
        (r#""memory""#, "relative"),
        (r#""./memory""#, "relative"),
        (r#""""#, "relative"),
        (r#""/""#, "root"),
        (r#""/.//""#, "root"),
        (r#""/a""#, "too short"),
        (r#""//host/share""#, "network"),
        (r#""\\\\host\\share""#, "network"),
        (r#""~""#, "home"),
        (r#""~/../other""#, "climbs"),
        (r#""/srv/\u0000x""#, "NUL"),
        ("7", "not a path"),
    ] {
        let (directory, notice) = of(value);
        assert_eq!(directory, None, "{value}");
        assert!(notice.contains(why) && notice.contains("autoMemoryDirectory"), "{value}: {notice}");
    }
}

#[test]
fn a_repository_cannot_redirect_the_memory() {
    let place = Place::new();
    place.write("project/.claude/settings.json", r#"{"autoMemoryDirectory":"/tmp/elsewhere"}"#);
    place.write("project/.claude/settings.local.json", r#"{"autoMemoryDirectory":"~/x","autoMemoryEnabled":true}"#);
    let settings = place.read();
    assert!(settings.memory_directory.is_none() && settings.auto_memory.value);
    assert_eq!(settings.notices.len(), 2);
    assert!(settings.notices.iter().all(|notice| notice.contains("a repository cannot redirect the memory")));
}

#[test]
fn a_project_switches_the_memory_off_and_never_on() {
    for file in ["settings.json", "settings.local.json"] {
        let place = Place::new();
        place.write(&format!("project/.claude/{file}"), r#"{"autoMemoryEnabled":false}"#);
        let decided = |variables: &[(&str, &str)]| {
            let decided = place.read_with(variables).auto_memory;
            (decided.value, decided.by)
        };
        let off = (false, format!(".claude/{file}, autoMemoryEnabled"));
        assert_eq!(decided(&[]), off);
        place.write("base/settings.json", r#"{"autoMemoryEnabled":true}"#);
        assert_eq!(decided(&[]), off);
        // Whoever stands above it says otherwise.
        assert!(decided(&[("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "0")]).0);
        place.write("managed.json", r#"{"autoMemoryEnabled":true}"#);
        assert!(decided(&[]).0);

        let place = Place::new();
        place.write(&format!("project/.claude/{file}"), r#"{"autoMemoryEnabled":true}"#);
        place.write("base/settings.json", r#"{"autoMemoryEnabled":false}"#);
        assert_eq!(place.read().auto_memory.by, "settings.json, autoMemoryEnabled");
        assert!(!place.read().auto_memory.value);
    }
}
