//! Values that a model changes in what is stored (days, numbers, owners, versions, addresses, yes and no), and good work that
//! loses nothing: the same verdict whichever engine does it.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::faults::PROTOCOLS;
use crate::server::Server;
use crate::stand_in;

/// What a model does to a file: the text it would have, or none; why, and by which words of the person.
pub(crate) struct Work {
    file: &'static str,
    text: Option<String>,
    reason: &'static str,
    pub(crate) quote: Option<&'static str>,
}

pub(crate) fn write(file: &'static str, text: String, reason: &'static str, quote: Option<&'static str>) -> Work {
    Work { file, text: Some(text), reason, quote }
}

pub(crate) fn delete(file: &'static str, reason: &'static str) -> Work {
    Work { file, text: None, reason, quote: None }
}

pub(crate) fn memory(kind: &str, description: &str, body: &str) -> String {
    format!(
        "---\nname: \"note\"\ndescription: \"{description}\"\nmetadata:\n  node_type: memory\n  type: {kind}\n  \
         modified: \"2026-11-20T10:00:00.000Z\"\n---\n\n{body}\n"
    )
}

/// Every way a model works: the script engine, the two protocols, the command.
const ENGINES: [&str; 4] = ["script", "anthropic", "openai", "claude"];

impl Work {
    fn sources(&self) -> Value {
        self.quote.map_or_else(|| json!([]), |quote| json!([{ "session": "s-0001", "line": 1, "quote": quote }]))
    }

    fn call(&self) -> (&'static str, Value) {
        let mut input = json!({ "file_path": self.file, "reason": self.reason, "sources": self.sources() });
        self.text.iter().for_each(|text| input["content"] = Value::from(text.as_str()));
        (if self.text.is_some() { "Write" } else { "Delete" }, input)
    }
}

/// A dream of an engine over a store of these files, and one session; what became of it.
pub(crate) fn dream(engine: &'static str, store: &[(&str, String)], said: &str, works: &[Work]) -> (Bench, Value) {
    let calls: Vec<(&str, Value)> = works.iter().map(Work::call).collect();
    let (bench, arguments) = match engine {
        "script" => {
            let bench = Bench::new("anthropic", "http://127.0.0.1:9");
            let steps = works.iter().zip(&calls).flat_map(|(work, (tool, input))| {
                let why = json!({ "file": work.file, "reason": work.reason, "sources": work.sources() });
                [json!({ "rationale": why }), json!({ "tool": tool, "input": input })]
            });
            bench.machine.write("script.jsonl", steps.map(|step| format!("{step}\n")).collect::<String>());
            (bench, vec!["--engine", "script:script.jsonl"])
        }
        "claude" => {
            let declared = works.iter().map(|work| {
                json!({ "file": work.file, "delete": work.text.is_none(), "reason": work.reason, "sources": work.sources() })
            });
            let declared = json!({ "changes": declared.collect::<Vec<_>>() });
            let written = works.iter().filter_map(|work| Some((work.file, work.text.as_ref()?)));
            let mut script: String = written
                .map(|(file, text)| {
                    let input = json!({ "file_path": format!("/x/{file}") });
                    stand_in::write(file, text) + &stand_in::calls(file, "Write", &input, "written", false)
                })
                .collect();
            script.push_str(&stand_in::says("m1", &format!("Done.\n\n```json\n{declared}\n```")));
            script.push_str(&stand_in::result("success", false, "Done."));
            (stand_in::bench(&script), vec!["--engine", "claude"])
        }
        _ => {
            let (_, says, uses) = PROTOCOLS.into_iter().find(|(name, ..)| *name == engine).unwrap();
            let server = Server::playing(vec![uses(&calls), says("Done.")]);
            (Bench::new(engine, &server.url), vec!["--engine", engine])
        }
    };
    std::fs::remove_file(bench.machine.path("m/project_testing.md")).unwrap();
    let _ = std::fs::remove_file(bench.machine.path("s/s-0001.jsonl"));
    bench.machine.write("m/MEMORY.md", "# Memory Index\n");
    for (file, text) in store {
        bench.machine.write(&format!("m/{file}"), text);
    }
    bench.session("s-0001", &[said]);
    let mut all = vec!["--memory-dir", "m", "--sessions", "s", "--json"];
    all.extend(arguments);
    all.extend(["dream", "--force"]);
    let run = bench.machine.run(&all).json();
    (bench, run)
}

/// Whether one memory that stands beside three others is changed as a model wants it.
pub(crate) fn lands(
    engine: &'static str,
    kind: &str,
    (before, after): (&str, &str),
    quote: Option<&'static str>,
) -> bool {
    let others = ["a", "b", "c"].map(|name| {
        (format!("reference_{name}.md"), memory("reference", "x", &format!("Board {name} is in the wiki.")))
    });
    let mut store: Vec<(&str, String)> = others.iter().map(|(file, text)| (file.as_str(), text.clone())).collect();
    store.push(("note.md", memory(kind, "about the service", before)));
    let wanted = memory(kind, "about the service", after);
    let (bench, run) =
        dream(engine, &store, quote.unwrap_or("please fix it"), &[write("note.md", wanted, "put right", quote)]);
    let has_landed = bench.read("note.md").contains(after);
    assert_eq!(has_landed, run["held"] == json!([]), "{before} -> {after}: {run:#}");
    has_landed
}

const LAUNCH: &str = "The beta launch is on 2026-12-11.";

#[test]
fn a_value_of_what_is_stored_changes_by_a_quote_that_bears_it_and_by_no_reason() {
    for (before, after) in [
        (LAUNCH, "The beta launch is on 2026-12-25."),
        (LAUNCH, "The beta launch is on December 25."),
        (LAUNCH, "The beta launch is on 2027-12-11."),
        ("Tom owns the billing service.", "Bob owns the billing service."),
        ("Tom owns the billing service.", "Tom owns the billing service and the search."),
        ("Ask Tom about the bills, as he wrote the service.", "Ask Tom about the bills, as she wrote the service."),
        ("Tom owns the billing service, the mails and the reports.", "Bob owns the billing service and the mails."),
        ("The billing service is owned by Tom.", "The billing service is owned by Bob."),
        ("Der Dienst gehört Tom und seinem Team.", "Der Dienst gehört Bob und seinem Team."),
        ("The keys change their prefix to v2.", "The keys change their prefix to v3."),
        ("The service needs version 1.2.3 of the client.", "The service needs version 3.2.1 of the client."),
        ("The client tries three times before it gives up.", "The client tries five times before it gives up."),
        ("The client tries 3 times before it gives up.", "The client tries five times before it gives up."),
        ("The client waits 30 seconds for the service.", "The client waits 30 minutes for the service."),
        ("The client waits 30s for the service.", "The client waits 30m for the service."),
        ("The service may use 5 GB of memory.", "The service may use 5 TB of memory."),
        ("The plan costs $5 a month for us.", "The plan costs €5 a month for us."),
        ("The runbook is at https://wiki.test/12 for all.", "The runbook is at https://wiki.test/1 for all."),
        ("The settings are in conf/prod.yaml of the service.", "The settings are in conf/test.yaml of the service."),
        ("Mails go to ops@acme.test when it breaks.", "Mails go to dev@acme.test when it breaks."),
        ("Run `make check` before the service starts.", "Run `make clean` before the service starts."),
        ("Never merge the service on a Friday evening.", "Always merge the service on a Friday evening."),
        ("Deploys of the service must be reviewed first.", "Deploys of the service may be reviewed first."),
        ("The service is not encrypted at rest today.", "The service is encrypted at rest today."),
        (
            "The service runs on the blue cluster behind the proxy.",
            "The service runs on the green cluster behind the proxy.",
        ),
    ] {
        assert!(!lands("script", "project", (before, after), None), "{before} -> {after}");
    }
    for (before, after, quote) in [
        (LAUNCH, "The beta launch is on 2026-12-25.", "The beta launch moved to December 18."),
        (
            "Tom owns the billing service.",
            "Bob takes over the billing service.",
            "Priya takes over the billing service.",
        ),
        ("The keys begin with v2.", "The keys begin with v4.", "The keys begin with v3 now."),
        ("The client waits 30 seconds.", "The client waits 45 minutes.", "The client waits 45 seconds from now on."),
        (
            "Tests hit a real database.",
            "Tests hit the in-memory database.",
            "No, do not hit the in-memory database in tests.",
        ),
        (
            "The service is up.",
            "The service moved because legal asks for a review.",
            "The service did not move, because legal asks for a review.",
        ),
    ] {
        assert!(!lands("script", "project", (before, after), Some(quote)), "{quote}: {after}");
    }
    let rule = ("Integration tests must hit a real database.", "Integration tests must hit the in-memory database.");
    let no = "The in-memory database is not fine, real people never use it in tests";
    assert!(!lands("script", "feedback", rule, Some(no)));
    for (before, after, quote) in [
        (LAUNCH, "The beta launch is on 2026-12-18.", "The beta launch moved to December 18."),
        (
            "Tom owns the billing service.",
            "Priya takes over the billing service.",
            "Priya takes over the billing service.",
        ),
        ("The keys begin with v2.", "The keys begin with v3.", "The keys begin with v3 now."),
        (
            "The client waits 30 seconds.",
            "The client waits 45 seconds.",
            "The client waits forty-five seconds from now on.",
        ),
        ("Tests hit a real database.", "Tests hit the in-memory database.", "Tests can hit the in-memory database."),
    ] {
        assert!(lands("script", "project", (before, after), Some(quote)), "{quote}: {after}");
    }
    for (before, after) in [
        ("The beta launch is tomorrow.", "The beta launch is on 2026-11-21."),
        ("The launch was on December 11 for the beta.", "The launch was on 2026-12-11 for the beta."),
        ("The client tries three times.", "The client tries 3 times."),
        ("The release is cut on 2026-12-11.", "On 2026-12-11 the release is cut."),
    ] {
        assert!(lands("script", "project", (before, after), None), "{before} -> {after}");
    }
}

#[test]
fn a_day_that_a_person_named_in_any_words_is_the_day_that_is_filed() {
    // The session is of Monday, 2026-11-30.
    for (quote, day) in [
        ("The beta launch moved to December 17.", "2026-12-17"),
        ("The beta launch moved to the 17th of December.", "2026-12-17"),
        ("The beta launch moved to 17.12.2026.", "2026-12-17"),
        ("The beta launch moved to Dec 17, 2026.", "2026-12-17"),
        ("The beta launch moves to Friday.", "2026-12-04"),
        ("The beta launch is tomorrow.", "2026-12-01"),
        ("The beta launch is in two weeks.", "2026-12-14"),
        ("Der Start der Beta ist am 17. Dezember und nicht vorher.", "2026-12-17"),
        ("El lanzamiento de la beta es el 17 de diciembre.", "2026-12-17"),
        ("Le lancement de la beta est le 17 décembre.", "2026-12-17"),
    ] {
        let new = |day: &str| format!("The launch of the beta is on {day}.");
        for (day, is_right) in [(day, true), ("2026-12-19", false), ("2027-12-17", false)] {
            let before = "The launch of the beta is on 2026-12-11.";
            assert_eq!(lands("script", "project", (before, &new(day)), Some(quote)), is_right, "{quote}: {day}");
        }
    }
}

#[test]
fn a_claim_is_as_old_as_its_latest_quote_whatever_a_model_says_of_it() {
    let quote = "The beta launch moved to December 18.";
    for at in
        ["2026-11-30T08:30:00.000Z", "2026-11-30T09:00:00.000Z", "2026-11-29T10:00:00.000Z", "2020-01-01T00:00:00.000Z"]
    {
        let after = memory("project", "x", "The beta launch is on 2026-12-18.").replace("2026-11-20T10:00:00.000Z", at);
        let store = [("project_beta.md", memory("project", "x", LAUNCH))];
        for engine in ["script", "anthropic"] {
            let works = [write("project_beta.md", after.clone(), "moved", Some(quote))];
            let (bench, run) = dream(engine, &store, quote, &works);
            let landed = bench.read("project_beta.md");
            assert!(landed.contains("modified: \"2026-11-30T08:00:00.000Z\""), "{engine}, {at}: {landed} {run:#}");
        }
    }
}

/// A store of notes of one kind, an event that is over, and a long line of the index.
fn notes() -> Vec<(&'static str, String)> {
    let offsite = "The team is at the offsite from 2026-11-23 to 2026-11-25; no reviews happen then.\n\n**Why:** Everybody travels.";
    let runbook = |number: u8, what: &str| {
        format!("Runbook number {number} for the {what} service lies at https://wiki.test/{number}.")
    };
    vec![
        ("project_offsite.md", memory("project", "Team offsite in November", offsite)),
        ("project_keys.md", memory("project", "Signing keys", "The signing keys live in the vault.")),
        ("reference_r1.md", memory("reference", "The first runbook", &runbook(1, "mail"))),
        ("reference_r2.md", memory("reference", "The second runbook", &runbook(2, "queue"))),
        ("reference_r3.md", memory("reference", "The third runbook", &runbook(3, "proxy"))),
        ("reference_board.md", memory("reference", "The board of the service", "The board is at https://board.test/d.")),
        ("reference_x1.md", memory("reference", "The wiki", "The wiki is at https://wiki.test/start.")),
        ("reference_x2.md", memory("reference", "The chat", "The chat is at https://chat.test/room.")),
        (
            "MEMORY.md",
            "# Memory Index\n\n- [Board](reference_board.md) — The board of the service; the panels for latency are on the second row, \
             those for errors on the third\n"
                .to_owned(),
        ),
    ]
}

fn index(hook: &str) -> String {
    format!("# Memory Index\n\n- [Board](reference_board.md) — {hook}\n")
}

/// The verdict on some work over the notes: what landed and what waits, by name.
fn verdict(engine: &'static str, works: &[Work]) -> (Vec<String>, Vec<String>) {
    let (_, run) = dream(engine, &notes(), "please fix it", works);
    let named = |list: &Value| -> Vec<String> {
        let all = list.as_array().unwrap().iter().map(|one| one["file"].as_str().unwrap().to_owned());
        let mut all: Vec<String> = all.filter(|file| file != "MEMORY.md").collect();
        all.sort();
        all
    };
    (named(&run["changes"]), named(&run["held"]))
}

fn merged(bodies: &[&str], description: &str) -> String {
    memory("reference", description, &bodies.join("\n\n")).replace("\"note\"", "\"runbooks\"")
}

const MAIL: &str = "Runbook number 1 for the mail service lies at https://wiki.test/1.";
const QUEUE: &str = "Runbook number 2 for the queue service lies at https://wiki.test/2.";
const PROXY: &str = "Runbook number 3 for the proxy service lies at https://wiki.test/3.";

#[test]
fn what_is_over_by_its_own_dates_may_go_for_any_reason_and_what_is_not_waits() {
    for reason in [
        "Outdated: the offsite ended on 2026-11-25",
        "Stale",
        "obsolete",
        "superseded by events",
        "The event is past",
        "nothing in it is needed any more",
    ] {
        let (landed, held) = verdict("script", &[delete("project_offsite.md", reason)]);
        assert_eq!((landed, held), (vec!["project_offsite.md".to_owned()], Vec::new()), "{reason}");
        let (landed, held) = verdict("script", &[delete("project_keys.md", reason)]);
        assert_eq!((landed, held), (Vec::new(), vec!["project_keys.md".to_owned()]), "{reason}");
    }
    let (landed, _) = verdict("script", &[delete("project_offsite.md", "")]);
    assert!(landed.is_empty(), "without any reason it waits");
}

#[test]
fn notes_that_are_merged_into_a_new_one_land_together_when_nothing_is_lost() {
    let going = || {
        ["reference_r1.md", "reference_r2.md", "reference_r3.md"]
            .map(|file| delete(file, "merged into reference_runbooks.md"))
    };
    let with = |text: String| {
        let mut works = vec![write("reference_runbooks.md", text, "merged three notes", None)];
        works.extend(going());
        works
    };
    let whole = merged(&[MAIL, QUEUE, PROXY], "Runbooks for the mail, queue and proxy service");
    let (landed, held) = verdict("script", &with(whole));
    assert_eq!((landed.len(), held.len()), (4, 0), "{landed:?} {held:?}");
    // What stands in no note, or is left out, waits with the notes that it takes.
    let more = merged(&[MAIL, QUEUE, PROXY], "Runbooks for the mail service, which Bob wrote in 2024");
    let (landed, held) = verdict("script", &with(more));
    assert_eq!((landed.len(), held.len()), (0, 4), "{landed:?} {held:?}");
    let less = merged(&[MAIL, QUEUE], "Runbooks for the mail and queue service");
    let (landed, held) = verdict("script", &with(less));
    assert!(held.contains(&"reference_r3.md".to_owned()), "{landed:?} {held:?}");
}

#[test]
fn a_long_line_of_the_index_becomes_short_when_its_file_takes_what_it_says() {
    let body = |more: &str| {
        memory("reference", "The board of the service", &format!("The board is at https://board.test/d.{more}"))
    };
    let panels = "\n\nThe panels for latency are on the second row, those for errors on the third.";
    for (more, is_whole) in [(panels, true), ("", false), ("\n\nThe panels for latency are on the second row.", false)]
    {
        let works = [
            write("reference_board.md", body(more), "moved out of the index", None),
            write("MEMORY.md", index("The board of the service"), "shortened", None),
        ];
        let (bench, run) = dream("script", &notes(), "please fix it", &works);
        let is_short = bench.read("MEMORY.md").contains("— The board of the service\n");
        assert_eq!(is_short, is_whole, "{more:?}: {run:#}");
        assert!(bench.read("MEMORY.md").contains("latency") || bench.read("reference_board.md").contains("errors"));
    }
}

#[test]
fn an_entry_of_the_index_names_nobody_that_its_file_does_not() {
    for (hook, lands) in [("Bob runs the wiki of the team", false), ("Tom runs the wiki", true)] {
        let mut store = notes();
        store.retain(|(file, _)| *file != "MEMORY.md");
        store.push((
            "reference_t.md",
            memory("reference", "Tom runs the wiki of the team", "Tom runs the wiki of the team."),
        ));
        let line = |hook: &str| format!("# Memory Index\n\n- [Wiki](reference_t.md) — {hook}\n");
        store.push(("MEMORY.md", line("Tom runs the wiki of the team")));
        let (bench, run) = dream("script", &store, "please fix it", &[write("MEMORY.md", line(hook), "tidied", None)]);
        assert_eq!(bench.read("MEMORY.md").contains(hook), lands, "{hook}: {run:#}");
    }
}

#[test]
fn every_engine_comes_to_the_same_verdict() {
    for engine in ENGINES {
        let is_held = |after: &str, quote| !lands(engine, "project", (LAUNCH, after), quote);
        assert!(is_held("The beta launch is on 2026-12-25.", None), "{engine}");
        assert!(
            is_held("The beta launch is on 2026-12-25.", Some("The beta launch moved to December 18.")),
            "{engine}"
        );
        assert!(
            !is_held("The beta launch is on 2026-12-18.", Some("The beta launch moved to December 18.")),
            "{engine}"
        );
        let owner = ("Tom owns the billing service.", "Bob owns the billing service.");
        assert!(!lands(engine, "project", owner, None), "{engine}");
        let stale = verdict(engine, &[delete("project_offsite.md", "Stale"), delete("project_keys.md", "Stale")]);
        assert_eq!(stale, (vec!["project_offsite.md".to_owned()], vec!["project_keys.md".to_owned()]), "{engine}");
        let whole = merged(&[MAIL, QUEUE], "Runbooks for the mail and queue service");
        let mut works = vec![write("reference_runbooks.md", whole, "merged two notes", None)];
        works.extend(
            ["reference_r1.md", "reference_r2.md"].map(|file| delete(file, "merged into reference_runbooks.md")),
        );
        let (landed, held) = verdict(engine, &works);
        assert_eq!((landed.len(), held.len()), (3, 0), "{engine}: {held:?}");
    }
}
