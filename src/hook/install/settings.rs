//! The text of a settings file of Claude Code's with our hooks in it, and without them; every other byte stays.
//!
//! Comments and trailing commas are kept where somebody wrote them. Not its job: reading and writing the file.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};

use super::hooks::{self, EVENTS, Event, is_ours};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Why a text cannot be edited; the file is left alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotEditable {
    /// No JSON, or not what settings are made of.
    #[error("it is not what settings look like: {0}")]
    Odd(String),
}

fn odd(what: impl Into<String>) -> NotEditable {
    NotEditable::Odd(what.into())
}

/// The text with `command` as the hook for each of our events: once each, in the place of older ones of ours, whose options
/// stay. `recorded` is what we wrote last, which is ours under any name.
///
/// # Errors
/// When the text is no JSON object, or its `hooks` are no hooks.
pub fn with_hooks(text: &str, command: &str, recorded: Option<&str>) -> Result<String, NotEditable> {
    // Windows' editors put it there, and it stays.
    if let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) {
        return with_hooks(rest, command, recorded).map(|edited| format!("{BYTE_ORDER_MARK}{edited}"));
    }
    let root = parse(if text.trim().is_empty() { "{}" } else { text })?;
    let settings = object(&root)?;
    let hooks = match one(&settings, "hooks")? {
        None => settings.append("hooks", CstInputValue::Object(Vec::new())).object_value(),
        Some(found) => found.object_value(),
    };
    let hooks = hooks.ok_or_else(|| odd("\"hooks\" is not an object"))?;
    let mut is_changed = false;
    for event in EVENTS {
        is_changed |= ensure(&hooks, event, command, recorded)?;
    }
    if !is_changed {
        return Ok(text.to_owned());
    }
    let mut edited = root.to_string();
    if text.trim().is_empty() {
        edited.push('\n');
    }
    Ok(edited)
}

/// The text without any hook of ours. What only held ours goes too.
///
/// # Errors
/// When the text is no JSON object, or its `hooks` are no hooks.
pub fn without_hooks(text: &str, recorded: Option<&str>) -> Result<String, NotEditable> {
    if let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) {
        return without_hooks(rest, recorded).map(|edited| format!("{BYTE_ORDER_MARK}{edited}"));
    }
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let root = parse(text)?;
    let Some(hooks_property) = one(&object(&root)?, "hooks")? else { return Ok(text.to_owned()) };
    let hooks = hooks_property.object_value().ok_or_else(|| odd("\"hooks\" is not an object"))?;
    let mut is_changed = false;
    for property in hooks.properties() {
        // What is no list of hooks holds none of ours.
        let Some(groups) = property.array_value() else { continue };
        let found = ours(&groups, recorded);
        if found.is_empty() {
            continue;
        }
        is_changed = true;
        found.into_iter().for_each(take_out);
        if groups.elements().is_empty() {
            property.remove();
        }
    }
    if !is_changed {
        return Ok(text.to_owned());
    }
    if hooks.properties().is_empty() {
        hooks_property.remove();
    }
    Ok(root.to_string())
}

/// The commands of ours in a text, each once.
#[must_use]
pub fn installed(text: &str, recorded: Option<&str>) -> Vec<String> {
    commands(text, &|command| is_ours(command) || recorded == Some(command))
}

/// The options of the first command of ours in a text that has any.
#[must_use]
pub fn options(text: &str, recorded: Option<&str>) -> Vec<String> {
    let options = installed(text, recorded).into_iter().filter_map(|command| Some(hooks::parts(&command)?.1));
    options.into_iter().find(|options| !options.is_empty()).unwrap_or_default()
}

/// The commands in a text that are not ours and seem to call us within more, each once.
#[must_use]
pub fn by_hand(text: &str, recorded: Option<&str>) -> Vec<String> {
    commands(text, &|command| !is_ours(command) && recorded != Some(command) && hooks::seems_ours(command))
}

fn commands(text: &str, is_meant: &dyn Fn(&str) -> bool) -> Vec<String> {
    let Ok(root) = parse(text.trim_start_matches(BYTE_ORDER_MARK)) else { return Vec::new() };
    let hooks = object(&root).ok().and_then(|settings| one(&settings, "hooks").ok().flatten());
    let Some(hooks) = hooks.and_then(|hooks| hooks.object_value()) else { return Vec::new() };
    let mut commands: Vec<String> = hooks
        .properties()
        .iter()
        .filter_map(CstObjectProp::array_value)
        .flat_map(|groups| those(&groups, is_meant))
        .filter_map(|hook| text_of(&hook.item, "command"))
        .collect();
    commands.sort();
    commands.dedup();
    commands
}

/// Whether two texts hold the same settings; an empty `hooks`, or an empty list of it, says nothing.
#[must_use]
pub fn say_the_same(one: &str, other: &str) -> bool {
    let meaning = |text: &str| {
        let mut value = parse(text.trim_start_matches(BYTE_ORDER_MARK)).ok()?.to_serde_value()?;
        let settings = value.as_object_mut()?;
        if let Some(hooks) = settings.get_mut("hooks").and_then(serde_json::Value::as_object_mut) {
            hooks.retain(|_, groups| groups.as_array().is_none_or(|groups| !groups.is_empty()));
            if hooks.is_empty() {
                settings.remove("hooks");
            }
        }
        Some(value)
    };
    let (one, other) = (meaning(one), meaning(other));
    one.is_some() && one == other
}

fn parse(text: &str) -> Result<CstRootNode, NotEditable> {
    let strict = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    CstRootNode::parse(text, &strict).map_err(|error| odd(error.to_string()))
}

fn object(root: &CstRootNode) -> Result<CstObject, NotEditable> {
    root.object_value().ok_or_else(|| odd("it is not an object"))
}

/// The property of a name. Two of them mean different things to different readers.
fn one(object: &CstObject, name: &str) -> Result<Option<CstObjectProp>, NotEditable> {
    let mut found = object.properties().into_iter().filter(|property| property.decoded_name().as_deref() == Some(name));
    let first = found.next();
    if found.next().is_some() {
        return Err(odd(format!("{name:?} is there twice")));
    }
    Ok(first)
}

/// A hook of ours: the group it is in, and itself.
struct Ours {
    group: CstObject,
    item: CstObject,
}

fn ours(groups: &CstArray, recorded: Option<&str>) -> Vec<Ours> {
    those(groups, &|command| is_ours(command) || recorded == Some(command))
}

/// The hooks whose command is meant.
fn those(groups: &CstArray, is_meant: &dyn Fn(&str) -> bool) -> Vec<Ours> {
    let mut found = Vec::new();
    for group in groups.elements().iter().filter_map(CstNode::as_object) {
        let items = group.array_value("hooks").map(|items| items.elements()).unwrap_or_default();
        for item in items.iter().filter_map(CstNode::as_object) {
            if text_of(&item, "command").is_some_and(|command| is_meant(&command)) {
                found.push(Ours { group: group.clone(), item });
            }
        }
    }
    found
}

fn text_of(object: &CstObject, name: &str) -> Option<String> {
    object.get(name)?.value()?.as_string_lit()?.decoded_value().ok()
}

fn take_out(hook: Ours) {
    hook.item.remove();
    let is_empty = hook.group.array_value("hooks").is_some_and(|items| items.elements().is_empty());
    if is_empty {
        hook.group.remove();
    }
}

/// Sees to it that an event has our command once; whether something had to change.
fn ensure(hooks: &CstObject, event: Event, command: &str, recorded: Option<&str>) -> Result<bool, NotEditable> {
    let groups = match one(hooks, event.name)? {
        None => {
            hooks.append(event.name, CstInputValue::Array(vec![group(event, command)]));
            return Ok(true);
        }
        Some(found) => found.array_value().ok_or_else(|| odd(format!("hooks.{} is not a list", event.name)))?,
    };
    let mut found = ours(&groups, recorded).into_iter();
    let Some(first) = found.next() else {
        groups.append(group(event, command));
        return Ok(true);
    };
    let mut is_changed = false;
    for second in found {
        take_out(second);
        is_changed = true;
    }
    let written = text_of(&first.item, "command").unwrap_or_default();
    let command = keeping_options(&written, command);
    if written != command
        && let Some(property) = first.item.get("command")
    {
        property.set_value(CstInputValue::String(command));
        is_changed = true;
    }
    Ok(is_changed)
}

/// A command that calls the program of `command` with the options that a person gave the one that is there, unless it has
/// options of its own.
fn keeping_options(written: &str, command: &str) -> String {
    match (hooks::parts(written), hooks::parts(command)) {
        (Some((_, options)), Some((program, new)))
            if !options.is_empty() && new.is_empty() && command != hooks::SHARED_COMMAND =>
        {
            hooks::command(&program, &options)
        }
        _ => command.to_owned(),
    }
}

fn group(event: Event, command: &str) -> CstInputValue {
    let text = |value: &str| CstInputValue::String(value.to_owned());
    let hook = CstInputValue::Object(vec![
        ("type".to_owned(), text("command")),
        ("command".to_owned(), text(command)),
        ("timeout".to_owned(), CstInputValue::Number(event.timeout.to_string())),
    ]);
    let mut fields = Vec::new();
    if let Some(matcher) = event.matcher {
        fields.push(("matcher".to_owned(), text(matcher)));
    }
    fields.push(("hooks".to_owned(), CstInputValue::Array(vec![hook])));
    CstInputValue::Object(fields)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    const COMMAND: &str = "/usr/bin/dreamtop hook";

    fn value(text: &str) -> Value {
        parse(text.trim_start_matches(BYTE_ORDER_MARK)).unwrap().to_serde_value().unwrap()
    }

    #[test]
    fn hooks_come_beside_what_is_there_and_going_leaves_it_byte_for_byte() {
        for text in [
            "{}",
            "{}\n",
            "{\n  \"model\": \"x\"\n}\n",
            "{\n\t\"model\": \"x\",\n\t\"env\": { \"A\": \"1\" }\n}",
            "{\r\n    \"model\": \"x\"\r\n}\r\n",
            "\u{feff}{\r\n  \"model\": \"x\"\r\n}\r\n",
            "{\n  // mine\n  \"model\": \"x\", /* end */\n}\n",
            "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"say done\"}]}]},\"z\":1}",
            "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      { \"matcher\": \"Bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"check\" }] }\n    ]\n  }\n}\n",
        ] {
            let with = with_hooks(text, COMMAND, None).unwrap();
            assert_eq!(installed(&with, None), [COMMAND], "{with}");
            for event in EVENTS {
                let groups = &value(&with)["hooks"][event.name];
                let last = groups.as_array().unwrap().last().unwrap();
                assert_eq!(last["hooks"][0]["command"], COMMAND);
                assert_eq!(last.get("matcher").and_then(Value::as_str), event.matcher);
            }
            assert_eq!(with_hooks(&with, COMMAND, None).unwrap(), with, "twice is once");
            let without = without_hooks(&with, None).unwrap();
            assert_eq!(value(&without), value(text), "{without}");
            for comment in ["// mine", "/* end */"].iter().filter(|comment| text.contains(**comment)) {
                assert!(with.contains(comment) && without.contains(comment), "{without}");
            }
        }
    }

    #[test]
    fn an_empty_file_becomes_settings_and_another_path_takes_the_place_of_the_old_one() {
        let with = with_hooks(" \n", COMMAND, None).unwrap();
        assert!(with.ends_with("}\n") && with.starts_with("{\n"), "{with}");
        let moved = with_hooks(&with, "/opt/dreamtop hook", None).unwrap();
        assert_eq!(installed(&moved, None), ["/opt/dreamtop hook"]);
        assert_eq!(moved.matches("hook\"").count(), with.matches("hook\"").count());
        let double = with.replacen(
            "\"SessionStart\": [",
            "\"SessionStart\": [{\"hooks\":[{\"type\":\"command\",\"command\":\"dreamtop hook\"},{\"type\":\"command\",\"command\":\"mine\"}]},",
            1,
        );
        let single = with_hooks(&double, COMMAND, None).unwrap();
        let groups = value(&single)["hooks"]["SessionStart"].clone();
        assert_eq!(
            groups[0],
            json!({"hooks":[{"type":"command","command":COMMAND},{"type":"command","command":"mine"}]})
        );
        assert_eq!(groups.as_array().unwrap().len(), 1, "{single}");
    }

    #[test]
    fn a_program_under_another_name_is_known_by_the_record_and_options_of_a_person_stay() {
        let with = with_hooks("{}", "/c/dt hook", None).unwrap();
        assert_eq!(with_hooks(&with, "/d/dt hook", Some("/c/dt hook")).unwrap().matches(" hook").count(), EVENTS.len());
        assert_eq!(without_hooks(&with, Some("/c/dt hook")).unwrap().replace(char::is_whitespace, ""), "{}");
        assert_eq!(without_hooks(&with, None).unwrap(), with, "without a record it is somebody else's");
        let own = with.replace("/c/dt hook", "dreamtop --config '/e f.yaml' hook");
        let moved = with_hooks(&own, "/opt/dreamtop hook", None).unwrap();
        assert_eq!(installed(&moved, None), ["/opt/dreamtop --config '/e f.yaml' hook"]);
    }

    #[test]
    fn what_is_not_settings_is_refused_in_words() {
        for (text, word) in [
            ("[]", "object"),
            ("{\"a\": }", "line 1"),
            ("{\"hooks\": []}", "hooks"),
            ("{\"hooks\": {\"Stop\": {}}}", "hooks.Stop"),
            ("{\"hooks\": {}, \"hooks\": {}}", "twice"),
            ("{'hooks': {}}", "quot"),
        ] {
            let error = with_hooks(text, COMMAND, None).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    fn any_settings() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[ -~äöü\\\\\"]{0,12}".prop_map(Value::from)
        ];
        let others = prop::collection::btree_map("[a-z]{1,6}", leaf, 0..4);
        let hook =
            "(echo|say|dreamtop doctor) [a-z]{0,5}".prop_map(|command| json!({"type": "command", "command": command}));
        let group = prop::collection::vec(hook, 0..3).prop_map(|hooks| json!({ "hooks": hooks }));
        let event = prop_oneof![Just("Stop"), Just("PreToolUse"), Just("SessionStart")];
        let events = prop::collection::btree_map(event, prop::collection::vec(group, 1..3), 0..3);
        (others, prop::option::of(events)).prop_map(|(others, events)| {
            let mut all = serde_json::Map::from_iter(others);
            if let Some(events) = events.filter(|events| !events.is_empty()) {
                all.insert("hooks".to_owned(), json!(events));
            }
            Value::Object(all)
        })
    }

    proptest! {
        #[test]
        fn whatever_was_set_stays_set(settings in any_settings(), is_pretty in any::<bool>()) {
            let text = if is_pretty { serde_json::to_string_pretty(&settings).unwrap() } else { settings.to_string() };
            let with = with_hooks(&text, COMMAND, None).unwrap();
            prop_assert!(serde_json::from_str::<Value>(&with).is_ok(), "strict readers read it too: {with}");
            prop_assert_eq!(&with_hooks(&with, COMMAND, None).unwrap(), &with);
            prop_assert_eq!(value(&without_hooks(&with, None).unwrap()), settings);
        }
    }
}
