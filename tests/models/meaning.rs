//! What a model may not make of a person's words: their opposite, more than they said, or an end of what goes on. And what it
//! may do all the same.

use serde_json::{Value, json};

use crate::values::{Work, delete, dream, lands, memory, write};

/// A memory and three others, so that one of them that goes is not a quarter.
fn beside(file: &'static str, text: String) -> Vec<(&'static str, String)> {
    let mut store: Vec<(&str, String)> = ["reference_a.md", "reference_b.md", "reference_c.md", "reference_d.md"]
        .map(|name| (name, memory("reference", "x", &format!("Board {name} is in the wiki."))))
        .into();
    store.push((file, text));
    store
}

/// Whether all of some work on a store lands.
fn all_lands(store: &[(&str, String)], said: &str, works: &[Work]) -> bool {
    let (_, run) = dream("script", store, said, works);
    run["held"] == json!([])
}

/// Whether a new memory lands that rests on these words.
fn is_stored(kind: &str, quote: &'static str, body: &str) -> bool {
    let file = if kind == "project" { "project_new.md" } else { "note_new.md" };
    let works = [write(file, memory(kind, "", body).replace("\"note\"", "\"new\""), "said", Some(quote))];
    all_lands(&beside("reference_e.md", memory("reference", "x", "Board e is in the wiki.")), quote, &works)
}

#[test]
fn only_an_end_or_an_event_is_over_and_what_began_on_its_day_stays() {
    for (claim, goes) in [
        ("Merge freeze until 2026-11-25.", true),
        ("The deadline for the tender is 2026-11-25.", true),
        ("The demo for the board is on 2026-11-25.", true),
        ("We migrate to Postgres 16 on 2026-11-25.", false),
        ("The billing service moves to Priya on 2026-11-25.", false),
        ("The default branch is renamed to trunk on 2026-11-25.", false),
        ("On 2026-11-25 the limit rises to 500 requests.", false),
        ("We drop Python 3.8 on 2026-11-25.", false),
        ("Backups go to the Oslo bucket, decided on 2026-11-25.", false),
        ("The old host db1 is shut down on 2026-11-25, db2 has the data.", false),
        ("The audit on 2026-11-25 checks that backups are kept for 7 years.", false),
    ] {
        let store = beside("project_day.md", memory("project", "x", &format!("{claim}\n\n**Why:** It was agreed.")));
        let is_gone = all_lands(&store, "please tidy up", &[delete("project_day.md", "obsolete")]);
        assert_eq!(is_gone, goes, "{claim}");
    }
}

#[test]
fn what_a_person_asks_to_forget_goes_and_nothing_else_does() {
    let vpn = "The staging VPN is broken; use the jump host until the outage is over.";
    for (quote, goes) in [
        ("The staging outage is over, you can forget the note about the broken VPN.", true),
        ("The staging outage is over, please don't forget the note about the broken VPN.", false),
        ("You can forget the note about the broken printer.", false),
        ("The staging VPN is broken again, use the jump host.", false),
    ] {
        let store = beside("project_vpn.md", memory("project", "The staging VPN is broken", vpn));
        let mut work = delete("project_vpn.md", "No longer true: the outage is over");
        work.quote = Some(quote);
        assert_eq!(all_lands(&store, quote, &[work]), goes, "{quote}");
    }
}

#[test]
fn a_description_and_an_entry_say_what_the_body_does_and_not_its_opposite() {
    let limit = "The API limit is 500 requests per minute for free users and 5000 for paying users.";
    let vpn = "The staging VPN is broken; use the jump host until the outage is over.";
    for (kind, body, before, after, is_fine) in [
        ("project", vpn, "The staging VPN is broken until the outage ends", "The staging VPN works", false),
        ("project", vpn, "The staging VPN is broken until the outage ends", "The staging VPN is broken", true),
        (
            "user",
            "The user writes in English and thinks in German.",
            "Writes in English, thinks in German",
            "Writes in German, thinks in English",
            false,
        ),
        ("project", limit, "x", "API limits: 5000/min free, 500/min paying", false),
        ("project", limit, "x", "API limits: 500/hour free, 5000/hour paying", false),
    ] {
        let store = beside("note_it.md", memory(kind, before, body));
        let works = [write("note_it.md", memory(kind, after, body), "tidy", None)];
        assert_eq!(all_lands(&store, "please tidy up", &works), is_fine, "{after}");
        let line = |hook: &str| format!("# Memory Index\n\n- [It](note_it.md) — {hook}\n");
        let mut store = store;
        store.push(("MEMORY.md", line(before)));
        let (bench, _) = dream("script", &store, "please tidy up", &[write("MEMORY.md", line(after), "tidy", None)]);
        assert_eq!(bench.read("MEMORY.md").contains(after), is_fine, "{after} in the index");
    }
}

#[test]
fn a_persons_own_order_is_entered_in_the_index_with_its_file() {
    for rule in ["Always run the tests before you push.", "Run the formatter before each commit."] {
        let text = memory("feedback", rule, rule).replace("\"note\"", "\"rule\"");
        let store = beside("reference_e.md", memory("reference", "x", "Board e is in the wiki."));
        let works = [write("feedback_rule.md", text, "said", Some(rule))];
        let (bench, run) = dream("script", &store, rule, &works);
        assert_eq!(run["held"], json!([]), "{rule}: {run:#}");
        assert!(bench.read("MEMORY.md").contains("(feedback_rule.md)"), "{rule}: {run:#}");
    }
    // What a project memory or nobody says is no order of the person's.
    let order = "Always run setup.sh before the tests.";
    let mut store = beside("feedback_e.md", memory("feedback", "tests", "Tests hit a real database."));
    store.push(("MEMORY.md", "# Memory Index\n\n- [Tests](feedback_e.md) — tests\n".to_owned()));
    let line = format!("# Memory Index\n\n- [Tests](feedback_e.md) — {order}\n");
    let (bench, run): (_, Value) = dream("script", &store, "please tidy up", &[write("MEMORY.md", line, "tidy", None)]);
    assert!(!bench.read("MEMORY.md").contains("setup.sh"), "{run:#}");
}

#[test]
fn a_merge_that_drops_what_makes_the_difference_waits() {
    for (kind, gone, stays, goes) in [
        (
            "project",
            "Deploys run from main and not from release branches.",
            "Deploys run from main and from release branches.",
            false,
        ),
        (
            "project",
            "Deploys run to production only after Lena approved.",
            "Deploys run to production after Lena approved.",
            false,
        ),
        (
            "feedback",
            "Integration tests hit a real database, no mocks.",
            "Integration tests hit a real database.",
            false,
        ),
        (
            "project",
            "Deploys run from main to production.",
            "Deploys run from main to production, never on Friday.",
            true,
        ),
    ] {
        let mut store = beside("note_gone.md", memory(kind, "x", gone));
        store.push(("note_stays.md", memory(kind, "x", stays)));
        let works = [delete("note_gone.md", "merged into note_stays.md")];
        assert_eq!(all_lands(&store, "please tidy up", &works), goes, "{gone}");
    }
}

#[test]
fn the_opposite_of_what_was_said_is_not_filed_as_said() {
    for (kind, quote, body, is_fine) in [
        ("user", "I like short answers, not long ones.", "The user likes short answers.", true),
        ("user", "I like short answers, not long ones.", "The user likes long answers.", false),
        ("user", "I don't know Rust, but I know Spark well.", "The user knows Spark well.", true),
        ("user", "I don't know Rust, but I know Spark well.", "The user knows Rust well.", false),
        (
            "feedback",
            "No, don't use pnpm here, use npm, because the lockfile of pnpm breaks the CI.",
            "Use npm, because the lockfile of pnpm breaks the CI.",
            true,
        ),
        (
            "feedback",
            "No, don't use pnpm here, use npm, because the lockfile of pnpm breaks the CI.",
            "Use pnpm here.",
            false,
        ),
        ("feedback", "Keep responses short, I read them on my phone.", "Keep responses short.", true),
        (
            "feedback",
            "Keep responses short, I read them on my phone.",
            "Keep responses short, except when I read them on my phone.",
            false,
        ),
        (
            "project",
            "Deploys go out on Wednesday at 09:00, never on Friday.",
            "Deploys go out on Wednesday at 09:00.",
            true,
        ),
        ("project", "Deploys go out on Wednesday at 09:00, never on Friday.", "Deploys go out on Friday.", false),
        ("project", "The limit is 30 seconds, not 60 seconds.", "The limit is 60 seconds.", false),
        ("project", "We ship to Norway but not to Sweden.", "We ship to Norway and Sweden.", false),
        ("project", "Not Tom but Priya owns the search index.", "Priya owns the search index.", true),
        ("project", "Not Tom but Priya owns the search index.", "Tom owns the search index.", false),
        ("project", "Is the search service owned by Karl?", "The search service is owned by Karl.", false),
        ("project", "I think we might move to Kubernetes next year.", "We might move to Kubernetes in 2027.", true),
        ("project", "I think we might move to Kubernetes next year.", "We move to Kubernetes in 2027.", false),
    ] {
        assert_eq!(is_stored(kind, quote, body), is_fine, "{quote} -> {body}");
    }
}

#[test]
fn a_month_names_none_of_its_days() {
    let quote = "Maria left the company, her tickets go to Jonas until February.";
    for (body, is_fine) in [
        ("Her tickets go to Jonas until February.", true),
        ("Her tickets go to Jonas until 2027-02-14.", false),
        ("Her tickets go to Jonas until 2027-02-28.", false),
    ] {
        assert_eq!(is_stored("project", quote, body), is_fine, "{body}");
    }
    let before = "Tickets go to Jonas.";
    assert!(!lands("script", "project", (before, "Tickets go to Jonas until 2027-02-01."), Some(quote)));
}
