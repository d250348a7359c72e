//! Two versions that met in one line, decided by a person from the command line, and sent.

use serde_json::json;

use crate::conflicts::changed;
use crate::desk::{Desk, files_of, memory};
use crate::server::Server;

const TEN: &str = "1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7\n\n8\n";

fn waiting(desk: &Desk) -> String {
    let held = desk.json(&["inbox"]).1["held"].clone();
    let held = held.as_array().unwrap();
    assert_eq!(held.len(), 1, "{held:#?}");
    held[0]["id"].as_str().unwrap().to_owned()
}

/// Both changed the second line, and each another one.
fn met(verb: &str) -> (Server, Desk) {
    let base = memory("a", TEN);
    let ours = base.replace("\n2\n", "\nOURS\n").replace("\n5\n", "\nFIVE\n");
    let theirs = base.replace("\n2\n", "\nTHEIRS\n").replace("\n8\n", "\nEIGHT\n");
    let (server, desk) = changed("a.md", &base, &ours, &theirs);
    let (code, report) = desk.json(&["team", verb]);
    assert_eq!((code, files_of(&report["conflicts"])), (3, vec!["a.md"]), "{report:#}");
    (server, desk)
}

/// What both sides have once the next sync is over, which asks nothing more.
fn after(server: &Server, desk: &Desk) -> String {
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["conflicts"], &report["set_aside"]), (0, &json!([]), &json!([])), "{report:#}");
    assert_eq!(desk.json(&["inbox"]).1["held"], json!([]));
    assert_eq!(desk.json(&["team", "status"]).1["entries"][0]["standing"], "same");
    assert_eq!(desk.read("a.md"), server.entry("a.md"));
    server.entry("a.md").unwrap()
}

#[test]
fn the_version_that_waits_is_accepted_with_the_other_sides_other_lines_and_sent() {
    for (verb, waits) in [("sync", "OURS"), ("pull", "OURS"), ("push", "THEIRS")] {
        let (server, desk) = met(verb);
        let answer = desk.run(&["inbox", "accept", &waiting(&desk)]);
        assert_eq!(answer.code(), 0, "{verb}: {} {}", answer.out(), answer.err());
        let both = memory("a", TEN).replace("\n2\n", &format!("\n{waits}\n"));
        let both = both.replace("\n5\n", "\nFIVE\n").replace("\n8\n", "\nEIGHT\n");
        assert_eq!(after(&server, &desk), both, "{verb}");
    }
}

#[test]
fn the_version_in_the_file_stays_when_the_other_is_rejected() {
    for (verb, kept) in [("sync", "THEIRS"), ("push", "OURS")] {
        let (server, desk) = met(verb);
        assert_eq!(desk.run(&["inbox", "reject", &waiting(&desk)]).code(), 0);
        assert!(after(&server, &desk).contains(kept), "{verb}");
    }
}

#[test]
fn both_are_brought_together_in_the_persons_editor_and_sent() {
    let own = memory("a", "OURS and THEIRS.");
    for verb in ["sync", "push"] {
        let (server, desk) = met(verb);
        let id = waiting(&desk);
        // Marks that are left in it land nowhere, and neither does what was not touched.
        let left = format!("{own}<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n");
        let answer = desk.run_editing(&left, &["inbox", "accept", &id, "--edit"]);
        assert!(answer.code() == 3 && answer.err().contains("your version is in"), "{}", answer.err());
        let seen = desk.seen_in_editor();
        let wanted = ["<<<<<<< waits in the inbox", "OURS", "THEIRS", ">>>>>>> in the file", "FIVE", "EIGHT"];
        assert!(wanted.iter().all(|word| seen.contains(word)), "{seen}");
        assert_eq!(desk.run_editing(&seen, &["inbox", "accept", &id, "--edit"]).code(), 3);
        assert_eq!(waiting(&desk), id);
        let answer = desk.run_editing(&own, &["inbox", "accept", &id, "team/a.md", "--edit"]);
        assert_eq!(answer.code(), 0, "{} {}", answer.out(), answer.err());
        assert_eq!(after(&server, &desk), own);
    }
}

#[test]
fn a_version_that_waits_while_the_file_goes_on_is_made_anew_on_what_is_there_now() {
    for own in [None, Some(memory("a", "OURS and THIRD."))] {
        let (server, desk) = met("sync");
        server.with(|state| state.set("a.md", &memory("a", &TEN.replace('2', "THIRD"))));
        assert_eq!(desk.run(&["team", "sync"]).code(), 3, "it waits still");
        let id = waiting(&desk);
        let answer = match &own {
            None => desk.run(&["inbox", "accept", &id]),
            Some(own) => desk.run_editing(own, &["inbox", "accept", &id, "--edit"]),
        };
        assert_eq!(answer.code(), 0, "{} {}", answer.out(), answer.err());
        if own.is_some() {
            let seen = desk.seen_in_editor();
            assert!(seen.contains("OURS") && seen.contains("THIRD") && !seen.contains("THEIRS\n\n3"), "{seen}");
        }
        let wanted = memory("a", TEN).replace("\n2\n", "\nOURS\n").replace("\n5\n", "\nFIVE\n");
        assert_eq!(after(&server, &desk), own.unwrap_or(wanted));
    }
}

#[test]
fn a_version_of_ours_whose_entry_the_team_deleted_is_accepted_as_a_new_file() {
    for own in [None, Some(memory("a", "OURS, put anew."))] {
        let (server, desk) = met("sync");
        let ours = memory("a", TEN).replace("\n2\n", "\nOURS\n").replace("\n5\n", "\nFIVE\n");
        server.with(|state| {
            state.entries.remove("a.md");
            state.version += 1;
        });
        assert_eq!(desk.run(&["team", "sync", "--accept-shrink"]).code(), 3, "it waits still");
        assert_eq!(desk.read("a.md"), None);
        let id = waiting(&desk);
        let shown = desk.run(&["inbox", "show", &id]).out();
        assert!(
            shown.contains("new file") && shown.contains("OURS") && !shown.contains("reject the change"),
            "{shown}"
        );
        let answer = match &own {
            None => desk.run(&["inbox", "accept", &id]),
            Some(own) => desk.run_editing(own, &["inbox", "accept", &id, "--edit"]),
        };
        assert_eq!(answer.code(), 0, "{} {}", answer.out(), answer.err());
        let both = after(&server, &desk);
        // The team's other line came together with ours when the two met.
        assert_eq!(both, own.unwrap_or_else(|| ours.replace("\n8\n", "\nEIGHT\n")));
    }
}

#[test]
fn versions_of_one_entry_that_wait_do_not_pile_up_and_lose_no_word_of_ours() {
    let (server, desk) = met("sync");
    for round in ["one", "two", "three"] {
        desk.write("a.md", &memory("a", &TEN.replace('2', &format!("OURS {round}"))));
        server.with(|state| state.set("a.md", &memory("a", &TEN.replace('2', &format!("THEIRS {round}")))));
        assert_eq!(desk.run(&["team", "sync"]).code(), 3);
        assert_eq!(desk.json(&["inbox"]).1["held"].as_array().unwrap().len(), 2, "{round}");
    }
    // A push that asks, and the team went on: what waited of the team's waits no more.
    desk.write("a.md", &memory("a", &TEN.replace('2', "OURS four")));
    server.with(|state| state.set("a.md", &memory("a", &TEN.replace('2', "THEIRS four"))));
    assert_eq!(desk.run(&["team", "push"]).code(), 3);
    server.with(|state| state.set("a.md", &memory("a", &TEN.replace('2', "THEIRS five"))));
    let (_, report) = desk.json(&["team", "sync"]);
    assert!(report["notices"].to_string().contains("waits no more"), "{report:#}");
    let id = waiting(&desk);
    assert_eq!(desk.run(&["inbox", "accept", &id]).code(), 0);
    let all = after(&server, &desk);
    assert!(["\nOURS\n", "OURS one", "OURS two", "OURS three"].iter().all(|word| all.contains(word)), "{all}");
    assert_eq!(all.matches("name: a").count(), 1, "{all}");
}

#[test]
fn a_push_alone_asks_or_is_told_which_one_to_keep() {
    for (keep, code, word) in [("both", 3, "Ours."), ("local", 0, "Ours."), ("server", 0, "Theirs.")] {
        let texts = ["Base.", "Ours.", "Theirs."].map(|word| memory("a", word));
        let (server, desk) = changed("a.md", &texts[0], &texts[1], &texts[2]);
        let (exit, report) = desk.json(&["team", "push", "--keep", keep]);
        assert_eq!((exit, files_of(&report["conflicts"])), (code, vec!["a.md"]), "{keep} {report:#}");
        assert_eq!((desk.read("a.md"), server.entry("a.md")), (Some(memory("a", word)), Some(memory("a", word))));
    }
}

#[test]
fn one_line_of_the_teams_index_that_both_changed_is_told_and_kept_and_its_other_lines_come_together() {
    let base = "# Team\n- [A](a.md) — one\n- [B](b.md) — two\n- [C](c.md) — three\n";
    let ours = base.replace("— one", "— OURS") + "- [D](d.md) — mine\n";
    let theirs = base.replace("— one", "— THEIRS").replace("- [C]", "- [E](e.md) — new\n- [C]");
    for (verb, kept, waits) in [("sync", "THEIRS", "OURS"), ("push", "OURS", "THEIRS")] {
        for is_accepted in [true, false] {
            let (server, desk) = changed("MEMORY.md", base, &ours, &theirs);
            let (code, report) = desk.json(&["team", verb]);
            assert_eq!((code, files_of(&report["conflicts"])), (3, vec!["MEMORY.md"]), "{report:#}");
            let index = desk.read("MEMORY.md").unwrap();
            assert!(index.contains(kept) && !index.contains(waits), "{index}");
            assert!(index.contains("(d.md)") && index.contains("(e.md)"), "other lines are not kept back: {index}");
            let decision = if is_accepted { "accept" } else { "reject" };
            let answer = desk.run(&["inbox", decision, &waiting(&desk)]);
            assert_eq!(answer.code(), 0, "{} {}", answer.out(), answer.err());
            assert_eq!(desk.run(&["team", "sync"]).code(), 0);
            let index = server.entry("MEMORY.md").unwrap();
            let word = if is_accepted { waits } else { kept };
            assert!(index.contains(word) && index.contains("(d.md)") && index.contains("(e.md)"), "{index}");
            assert_eq!(index.matches("(a.md)").count(), 1, "{index}");
        }
    }
    // A line that one side took out and the other one changed.
    let (gone, edited) =
        ("# Team\n- [B](b.md) — two\n".to_owned(), "# Team\n- [A](a.md) — NEW\n- [B](b.md) — two\n".to_owned());
    let base = "# Team\n- [A](a.md) — one\n- [B](b.md) — two\n";
    for (ours, theirs) in [(&gone, &edited), (&edited, &gone)] {
        let (_server, desk) = changed("MEMORY.md", base, ours, theirs);
        let (code, report) = desk.json(&["team", "sync"]);
        assert_eq!((code, files_of(&report["conflicts"])), (3, vec!["MEMORY.md"]), "{report:#}");
    }
}
