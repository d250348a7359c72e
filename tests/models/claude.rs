//! The engine `claude`, with a stand-in for the command: dreams, extractions, selection, and what goes wrong.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Instant;

use serde_json::json;

use crate::bench::topic;
use crate::common::{contents, wait_until};
use crate::stand_in::{
    SAID, bench, calls, configure, declares, has_walls, held_session, journal, result, says, told, told_arguments,
    write, written,
};

#[test]
fn a_dream_by_the_command_is_read_off_the_disk_and_held_to_the_working_copy() {
    let machine_store = "$CLAUDE_CONFIG_DIR/../m/outside.md";
    let script = [
        says("m1", "phase: gather\nLooking."),
        calls("t1", "Read", &json!({ "file_path": "/x/project_testing.md" }), "text", false),
        calls("t2", "Bash", &json!({ "command": "curl example.org" }), "PreToolUse:Bash hook error: not allowed", true),
        write("project_new.md", &topic("n", "project", "a fact", "A fact that holds.")),
        write("team/shared.md", &topic("t", "project", "for all", "Not for a run to write.")),
        format!("echo x 2>/dev/null > \"{machine_store}\"\necho x 2>/dev/null > \"$HOME/outside\"\n"),
        "(exec 2>/dev/null; echo x > \"$copy/../owner.json\")\n".to_owned(),
        calls("t3", "Write", &json!({ "file_path": "/x/project_new.md" }), "File created", false),
        says(
            "m2",
            "Stored one fact.\n\n```json\n{\"changes\": [{\"file\": \"project_new.md\", \"reason\": \"it was said\", \"sources\": [{\"session\": \"s-0001\", \"quote\": \"that is a fact\"}]}]}\n```",
        ),
        result("success", false, "Stored one fact."),
    ]
    .concat();
    let bench = bench(&script);
    let before = contents(&bench.machine.path("m"));
    let (code, run) = bench.dream();
    assert_eq!((code, run["outcome"].as_str()), (3, Some("partial")), "{run:#}");
    assert!(run["reason"].as_str().unwrap().contains("team/shared.md"), "what no run may write is put back: {run:#}");
    assert!(bench.read("project_new.md").contains("A fact that holds."));
    assert!(bench.read("MEMORY.md").contains("project_new.md"), "the index follows");
    assert_eq!(run["changes"][0]["reason"], "it was said");
    assert_eq!(run["tokens"], json!({ "input": 200, "output": 40, "cache_read": 1800, "cache_created": 100 }));
    assert_eq!(run["cost"], 0.0421);
    let events = bench.journal();
    let tools: Vec<(&str, bool)> = events
        .iter()
        .filter(|event| event["event"] == "tool")
        .map(|event| (event["name"].as_str().unwrap(), event["allowed"].as_bool().unwrap()))
        .collect();
    assert_eq!(tools, [("Read", true), ("Bash", false), ("Write", true)]);
    assert!(events.iter().any(|event| event["text"] == "Stored one fact."), "without the declaration");
    let phases: Vec<_> = run["phases"].as_array().unwrap().iter().map(|phase| phase["name"].clone()).collect();
    assert_eq!(phases, ["orient", "gather", "consolidate"]);
    if has_walls(&bench) {
        assert!(!bench.machine.path("m/outside.md").exists() && !bench.machine.path("home/outside").exists());
    }
    assert!(!bench.machine.path("m/team").exists());
    let arguments = told_arguments(&bench);
    for flag in
        ["-p", "--no-session-persistence", "--strict-mcp-config", "--system-prompt", "Read,Grep,Glob,Edit,Write"]
    {
        assert!(arguments.iter().any(|argument| argument == flag), "{flag}: {arguments:?}");
    }
    assert!(!arguments.iter().any(|argument| argument == "--resume"));
    let environment = told(&bench, "environment");
    assert!(environment.contains("DREAMTOP_CHILD=1") && environment.contains("CLAUDE_CODE_DISABLE_AUTO_MEMORY=1"));
    assert!(told(&bench, "task").contains("session s-0001"));
    let (code, _) = bench.run(&["undo", run["run"].as_str().unwrap()]);
    assert_eq!((code, contents(&bench.machine.path("m"))), (0, before));
}

#[test]
fn an_extraction_forks_its_session_with_the_model_and_tools_it_has_and_gives_evidence() {
    let declared = json!({ "changes": [
        { "file": "feedback_no_mocks.md", "reason": "the developer corrected the agent",
          "sources": [{ "session": "s-0002", "line": 1, "quote": "please never mock the database in integration tests" }] },
        { "file": "project_testing.md", "delete": true, "reason": "said better now" },
    ] });
    let script = [
        write(
            "feedback_no_mocks.md",
            &topic("no-mocks", "feedback", "no mocks", "Integration tests never mock the database."),
        ),
        calls("t1", "Write", &json!({ "file_path": "/x/feedback_no_mocks.md" }), "File created", false),
        says("m1", &format!("Stored one rule.\n```json\n{declared}\n```")),
        result("success", false, "Stored one rule."),
    ]
    .concat();
    let bench = bench(&script);
    let transcript = held_session(&bench, 50_000);
    let transcript = transcript.to_str().unwrap();
    let (_, run) = bench.run(&["extract", "--transcript", transcript]);
    assert!(matches!(run["outcome"].as_str(), Some("done" | "partial")), "{run:#}");
    let arguments = told_arguments(&bench);
    let after = |flag: &str| arguments.iter().skip_while(|argument| *argument != flag).nth(1).cloned();
    assert_eq!(after("--resume").as_deref(), Some("s-0002"), "{arguments:?}");
    assert_eq!((after("--model").as_deref(), after("--max-turns").as_deref()), (Some("the-model"), Some("5")));
    assert!(arguments.iter().any(|argument| argument == "--fork-session"));
    for flag in ["--system-prompt", "--tools", "Grep"] {
        assert!(
            !arguments.iter().any(|argument| argument == flag),
            "{flag} would cost the prompt cache: {arguments:?}"
        );
    }
    let environment = told(&bench, "environment");
    assert!(environment.contains("DREAMTOP_CHILD=1") && !environment.contains("DISABLE_AUTO_MEMORY"));
    let task = told(&bench, "task");
    assert!(task.contains("five turns") && task.contains(SAID) && task.contains("nothing to remember"), "{task}");
    let written = bench.read("feedback_no_mocks.md");
    assert!(written.contains("Source: session s-0002, line 1, 2026-11-30: \"please never mock"), "{written}");
    let removed = run["changes"].as_array().unwrap().iter().chain(run["held"].as_array().unwrap());
    assert!(removed.into_iter().any(|change| change["file"] == "project_testing.md"), "{run:#}");

    // With a CLAUDE.md a conversation is in no cache: a long one is not sent again.
    bench.machine.write("work/CLAUDE.md", "Be nice.\n");
    let (_, run) = bench.run(&["extract", "--again", "--transcript", transcript]);
    assert!(!told_arguments(&bench).iter().any(|argument| argument == "--resume"), "{run:#}");
    assert!(journal(&bench, &run).contains("50,015 tokens"), "{}", journal(&bench, &run));
}

#[test]
fn a_killed_run_leaves_no_process_of_the_command_and_changed_nothing() {
    let script = "sleep 300 &\necho $! > \"$CLAUDE_CONFIG_DIR/below\"\necho x > \"$copy/half.md\"\nwait\n";
    for signal in ["-TERM", "-KILL"] {
        let bench = bench(script);
        let before = contents(&bench.machine.path("m"));
        let mut child = bench.start(&["dream", "--force"]);
        let pid = |file: &str| told(&bench, file).trim().parse::<u32>().ok();
        wait_until("the command is at work", || pid("pid").is_some() && pid("below").is_some());
        let started = Instant::now();
        std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        child.wait().unwrap();
        if signal == "-KILL" {
            // Whoever comes next cleans up.
            bench.run(&["doctor", "--fix"]);
        }
        let is_gone = |file: &str| pid(file).is_none_or(|pid| !dreamtop::process::is_alive(pid));
        wait_until("the command and what it started are gone", || is_gone("pid") && is_gone("below"));
        eprintln!("claude, {signal}: from the signal to the end of all processes: {:?}", started.elapsed());
        assert_eq!(bench.journal().pop().unwrap()["outcome"], "killed");
        assert_eq!(contents(&bench.machine.path("m")), before);
    }
}

#[test]
fn fc_121_what_goes_wrong_with_the_command_is_said_in_words_and_changes_nothing() {
    let limit = "Claude AI usage limit reached|1796040000";
    for (script, words) in [
        (result("success", true, "Not logged in · Please run /login"), "the credentials are not accepted; claude"),
        (result("success", true, "Not logged in · Please run /login"), "start `claude` in a terminal and enter /login"),
        (
            result("success", true, limit),
            "paused until 2026-11-30 12:00: claude refuses: \"claude: Claude AI usage limit reached",
        ),
        (says("m1", limit) + &result("success", true, limit), "paused until 2026-11-30 12:00"),
        (result("success", true, "API Error: 500 oops"), "claude: API Error: 500 oops"),
        ("exec >&-\necho 'error: unknown option --fork-session' >&2\nexit 1\n".to_owned(), "too old"),
        ("echo 'Segmentation fault' >&2\nexit 139\n".to_owned(), "ended with exit code 139: Segmentation fault"),
        ("exit 0\n".to_owned(), "said nothing"),
        ("for i in 1 2 3; do echo '<html>'; done\nexit 0\n".to_owned(), "no event of its own (\"<html>\")"),
        ("while :; do echo '<html>'; done\n".to_owned(), "no event of its own"),
        (says("m1", "All your memories look great!") + &result("success", false, ""), "used no tool"),
        (written() + "exit 0\n", "ended with exit code 0 in the middle of its work, without a result"),
    ] {
        let bench = bench(&script);
        let before = contents(&bench.machine.path("m"));
        let (code, run) = bench.dream();
        let reason = run["reason"].as_str().unwrap();
        assert_eq!((code, run["outcome"].as_str()), (5, Some("failed")), "{script}: {run:#}");
        assert!(reason.contains(words) && reason.lines().count() == 1, "{words}: {reason}");
        assert_eq!(contents(&bench.machine.path("m")), before);
    }
}

#[test]
fn a_later_part_that_fails_leaves_nothing_of_what_it_half_wrote() {
    let memory = |name: &str| topic(name, "project", "a fact", &format!("A fact that is {name}."));
    let script = [
        "n=$(($(cat \"$CLAUDE_CONFIG_DIR/asked\" 2>/dev/null || echo 0) + 1))\necho $n > \"$CLAUDE_CONFIG_DIR/asked\"\n",
        "if [ $n = 2 ]; then\n",
        &write("team/x.md", &memory("for-all")),
        &write("project_half.md", &memory("half")),
        "rm \"$copy/project_testing.md\"\necho '- [Half](project_half.md): half' >> \"$copy/MEMORY.md\"\n",
        "echo 'it broke' >&2\nexit 1\nfi\n",
        &write("project_whole.md", &memory("whole")),
        &calls("t1", "Write", &json!({ "file_path": "/x/project_whole.md" }), "File created", false),
        &declares("project_whole.md", "s-0001", "that is a fact"),
        &result("success", false, "Stored one fact."),
    ]
    .concat();
    let bench = bench(&script);
    let turns: Vec<String> =
        (0..25).map(|turn| format!("turn {turn}: that is a fact. {}", "we talk of the weather ".repeat(100))).collect();
    bench.session("s-0001", &turns.iter().map(String::as_str).collect::<Vec<_>>());
    let testing = bench.read("project_testing.md");
    let (code, run) = bench.extract("s-0001");
    assert_eq!((code, run["outcome"].as_str()), (3, Some("partial")), "{run:#}");
    let reason = run["reason"].as_str().unwrap();
    assert!(reason.contains("1 of ") && reason.contains("it broke") && reason.contains("goes on there"), "{reason}");
    assert_eq!(told(&bench, "asked").trim(), "2");
    assert!(bench.read("project_whole.md").contains("A fact that is whole."));
    assert_eq!((bench.read("project_half.md").as_str(), bench.machine.path("m/team").exists()), ("", false));
    assert!(!testing.is_empty() && bench.read("project_testing.md") == testing);
    let index = bench.read("MEMORY.md");
    assert!(index.contains("project_whole.md") && !index.contains("project_half.md"), "{index}");
}

#[test]
fn a_command_that_says_nothing_is_ended_after_the_time_that_is_set() {
    let bench = bench("sleep 300\n");
    configure(&bench, "models: { claude: { idle_seconds: 1 } }\n");
    let (code, run) = bench.extract("s-0001");
    assert_eq!(code, 5, "{run:#}");
    assert!(run["reason"].as_str().unwrap().contains("silent for 1 s"), "{run:#}");
    // On a machine that is busy it may be ended before its first line.
    let pid = told(&bench, "pid").trim().parse().ok();
    wait_until("it is gone", || pid.is_none_or(|pid| !dreamtop::process::is_alive(pid)));
}

#[test]
fn a_value_that_changes_waits_whatever_the_reason_and_lands_with_what_was_said() {
    let edit = "sed -i 's/real database/fake database/; s/8080/9090/' \"$copy/project_port.md\"\n";
    let call = calls("t1", "Edit", &json!({ "file_path": "/x/project_port.md" }), "File changed", false);
    let why = json!({ "changes": [{ "file": "project_port.md", "reason": "the developer moved the port" }] });
    let mut said = why.clone();
    said["changes"][0]["sources"] = json!([{ "session": "s-0003", "quote": "let the api listen on 9090" }]);
    for (words, lands) in [
        ("Improved it.".to_owned(), false),
        (format!("Moved.\n```json\n{why}\n```"), false),
        (format!("Moved.\n```json\n{said}\n```"), true),
    ] {
        let bench = bench(&format!("{edit}{call}{}{}", says("m1", &words), result("success", false, &words)));
        bench.memory("project_port.md", "port", "project", "where it listens", "The api listens on 8080.");
        bench.session("s-0003", &["From now on let the api listen on 9090, please."]);
        let (_, run) = bench.dream();
        assert_eq!(bench.read("project_port.md").contains("9090"), lands, "{run:#}");
        assert_eq!(run["held"].as_array().is_some_and(|held| !held.is_empty()), !lands, "{run:#}");
        assert!(lands || run["held"].to_string().contains("9090"), "{run:#}");
    }
}

#[test]
fn a_command_that_may_not_be_executed_is_named_so() {
    let bench = bench("exit 0\n");
    fs::set_permissions(bench.machine.path("bin/claude"), fs::Permissions::from_mode(0o644)).unwrap();
    let answer = bench.machine.run(&bench.arguments(&["dream", "--force"]));
    assert_eq!(answer.code(), 2, "{}", answer.err());
    assert!(answer.err().contains("bin/claude (claude_command) may not be executed; chmod +x"), "{}", answer.err());
}

#[test]
fn out_of_turns_is_partial_and_out_of_money_fails() {
    let written = written();
    let turns = bench(&format!("{written}{}", result("error_max_turns", true, "")));
    let (code, run) = turns.extract("s-0001");
    assert_eq!((code, run["outcome"].as_str()), (3, Some("partial")), "{run:#}");
    assert!(run["reason"].as_str().unwrap().contains("after 5 turns"), "{run:#}");
    // A dream has no such limit of ours.
    let dreams = bench(&format!("{written}{}", result("error_max_turns", true, "")));
    let (code, run) = dreams.dream();
    assert_eq!((code, run["outcome"].as_str()), (3, Some("partial")), "{run:#}");
    assert!(run["reason"].as_str().unwrap().contains("claude ended it after 2 turns by a limit of its own"), "{run:#}");
    let money = bench(&format!("{written}{}", result("error_max_budget_usd", true, "")));
    configure(&money, "dream: { budget: { usd: 0.5 } }\n");
    let (code, run) = money.dream();
    assert_eq!(code, 5, "{run:#}");
    let reason = run["reason"].as_str().unwrap();
    assert!(reason.contains("the budget is used up") && reason.contains("budget.usd"), "{reason}");
    assert!(told_arguments(&money).windows(2).any(|pair| pair == ["--max-budget-usd", "0.5"]));
}

#[test]
fn doctor_proves_the_command_with_one_call_and_says_what_it_cost() {
    let script = calls("t1", "Glob", &json!({ "pattern": "*.md" }), "No files found", false)
        + &result("success", false, "There are none.");
    let bench = bench(&script);
    let check = |name: &str| {
        let (_, doctor) = bench.run(&["doctor", "--engine-call"]);
        doctor["checks"].as_array().unwrap().iter().find(|check| check["check"] == name).cloned().unwrap_or_default()
    };
    let engine = check("engine");
    assert!(engine["message"].as_str().unwrap().contains("bin/claude"), "{engine}");
    let proved = check("engine-call");
    assert!(proved["level"] == "ok" && proved["message"].as_str().unwrap().contains("it cost 0.0421"), "{proved}");
    fs::remove_file(bench.machine.path("bin/claude")).unwrap();
    let gone = check("engine");
    assert!(gone["level"] == "fail" && gone["message"].as_str().unwrap().contains("claude_command"), "{gone}");
    let answer = bench.machine.run(&bench.arguments(&["dream", "--force"]));
    assert_eq!(answer.code(), 2, "{}", answer.err());
}

#[test]
fn the_command_selects_memories_too() {
    let bench = bench(&(says("m1", "{\"selected\": [\"project_testing.md\"]}") + &result("success", false, "")));
    let (code, answer) = bench.run(&["recall", "how do we test against the database?"]);
    assert_eq!((code, answer["selector"].as_str()), (0, Some("claude")), "{answer:#}");
    assert_eq!(answer["memories"][0]["file"], "project_testing.md");
}
