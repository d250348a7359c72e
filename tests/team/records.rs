//! What is kept beside the present: history, tombstones, the audit, tokens, export and import.

use dreamtop::team::sum::Sum;
use serde_json::{Value, json};

use crate::http::{Reply, call};
use crate::world::{World, on_each, target};

fn import(world: &World, lines: &str) -> Reply {
    let bearer = format!("Bearer {}", world.admin);
    let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/x-ndjson")];
    call(world.address, "POST", "/v1/import", &headers, Some(lines.as_bytes()))
}

fn versions(world: &World, query: &str) -> Vec<(i64, String, String)> {
    let reply = world.ask("GET", &format!("/v1/history?repo=acme%2Fapp{query}"), &[], None);
    let of = |row: &Value| {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        assert!(!text("at").is_empty() && row.get("text").is_none(), "{row}");
        (row["version"].as_i64().unwrap(), text("key"), text("operation"))
    };
    reply.json()["versions"].as_array().unwrap().iter().map(of).collect()
}

/// An entry that is written twice, deleted, and written again.
fn lay_out(world: &World) -> String {
    let first = world.create("acme/app", &json!({ "a.md": "one", "b.md": "b" }));
    let second = world.put("acme/app", first.header("etag"), &json!({ "a.md": "two" }));
    let sum = Sum::of(b"two").etag();
    let entry = "/v1/team_memory?repo=acme%2Fapp&key=a.md";
    let deleted = world.ask("DELETE", entry, &[("If-Match", &sum)], None);
    assert_eq!((second.status, deleted.status), (200, 200), "{}", deleted.text());
    let last = world.put("acme/app", deleted.header("etag"), &json!({ "a.md": "three" }));
    assert_eq!(last.json()["version"], json!(4), "{}", last.text());
    last.header("etag").to_owned()
}

#[test]
fn every_version_of_an_entry_is_kept_with_who_and_when() {
    on_each(|world| {
        lay_out(world);
        let put = |version, key: &str| (version, key.to_owned(), "put".to_owned());
        let deleted = (3, "a.md".to_owned(), "delete".to_owned());
        assert_eq!(
            versions(world, "&key=a.md"),
            [put(4, "a.md"), deleted.clone(), put(2, "a.md"), put(1, "a.md")],
            "{}",
            world.name
        );
        assert_eq!(versions(world, ""), [put(4, "a.md"), deleted, put(2, "a.md"), put(1, "a.md"), put(1, "b.md")]);
        // Pages: nothing is twice or missing.
        let (mut all, mut below) = (Vec::new(), String::new());
        loop {
            let reply = world.ask("GET", &format!("/v1/history?repo=acme%2Fapp&limit=2{below}"), &[], None).json();
            all.extend(reply["versions"].as_array().unwrap().iter().map(|row| row["version"].as_i64().unwrap()));
            let Some(next) = reply["below"].as_i64() else { break };
            below = format!("&below={next}&after={}", reply["after"].as_str().unwrap());
        }
        assert_eq!(all, [4, 3, 2, 1, 1]);

        for (version, text) in [(1, json!("one")), (2, json!("two")), (3, Value::Null), (4, json!("three"))] {
            let target = format!("/v1/history?repo=acme%2Fapp&key=a.md&version={version}");
            let one = world.ask("GET", &target, &[], None).json();
            assert_eq!((&one["text"], &one["by"]), (&text, &json!("first")), "{one}");
        }
        let missing = world.ask("GET", "/v1/history?repo=acme%2Fapp&key=b.md&version=2", &[], None);
        assert_eq!((missing.status, missing.code().as_str()), (404, "not_found"));
    });
}

#[test]
fn a_tombstone_needs_the_entry_as_it_is() {
    on_each(|world| {
        let created = world.create("acme/app", &json!({ "a.md": "one", "b.md": "b" }));
        let delete = |key: &str, headers: &[(&str, &str)]| {
            world.ask("DELETE", &format!("/v1/team_memory?repo=acme%2Fapp&key={key}"), headers, None)
        };
        let without = delete("a.md", &[]);
        assert_eq!(without.status, 428);
        assert!(!without.text().contains("If-None-Match"), "no first write is meant: {}", without.text());
        assert_eq!(delete("a.md", &[("If-Match", "*")]).status, 400);
        assert_eq!(delete("a.md", &[("If-Match", created.header("etag"))]).status, 412, "that is the repository's");
        assert_eq!(delete("c.md", &[("If-Match", &Sum::of(b"c").etag())]).status, 404);
        assert_eq!(delete("..%2Fa.md", &[("If-Match", "\"x\"")]).code(), "bad_key");
        let before = world.get("acme/app");
        assert_eq!(before.header("etag"), created.header("etag"), "none of these changed anything");

        let gone = delete("a.md", &[("If-Match", &Sum::of(b"one").etag())]);
        assert_eq!((gone.status, &gone.json()["version"]), (200, &json!(2)), "{}", gone.text());
        let after = world.get("acme/app");
        assert_eq!(after.header("etag"), gone.header("etag"));
        assert_eq!(after.json()["content"]["entries"], json!({ "b.md": "b" }));
        // Whoever lost the answer asks again, and hears that it is gone.
        assert_eq!(delete("a.md", &[("If-Match", &Sum::of(b"one").etag())]).status, 404);
        // The last one leaves an empty repository, not none: its next write is based on something.
        let last = delete("b.md", &[("If-Match", &Sum::of(b"b").etag())]);
        let empty = world.get("acme/app");
        assert_eq!((empty.status, &empty.json()["content"]["entries"]), (200, &json!({})));
        assert_eq!(world.create("acme/app", &json!({ "c.md": "c" })).status, 412);
        assert_eq!(world.put("acme/app", last.header("etag"), &json!({ "c.md": "c" })).status, 200);
    });
}

#[test]
fn a_secret_that_got_in_can_be_erased_from_the_history() {
    on_each(|world| {
        lay_out(world);
        let erase = |version: i64| {
            world.ask("DELETE", &format!("/v1/history?repo=acme%2Fapp&key=a.md&version={version}"), &[], None).status
        };
        assert_eq!((erase(4), erase(3), erase(9)), (404, 404, 404), "the present one, a tombstone, none");
        assert_eq!(erase(1), 204);
        let one = world.ask("GET", "/v1/history?repo=acme%2Fapp&key=a.md&version=1", &[], None).json();
        assert_eq!((&one["operation"], one.get("text"), &one["checksum"]), (&json!("erased"), None, &json!("")));
        assert!(!world.ask("GET", "/v1/export", &[], None).text().contains("\"one\""));
        let audit = || world.ask("GET", "/v1/audit?repo=acme%2Fapp", &[], None).text();
        let (one, two) = (Sum::of(b"one").to_string(), Sum::of(b"two").to_string());
        assert!(!audit().contains(&one), "{}: a short secret could be guessed by its sum", world.name);
        assert!(audit().contains(&two) && audit().contains("\"a.md\":\"erased\""), "{}", audit());
        assert_eq!(erase(2), 204);
        assert!(!audit().contains(&two), "that of the tombstone goes, too: {}", audit());
    });
}

#[test]
fn the_audit_says_who_did_what_with_which_sums_and_never_the_text() {
    on_each(|world| {
        let writer = world.token("write", "acme/*");
        let id = writer.split('_').nth(1).unwrap().to_owned();
        let put = world.ask_as(
            &writer,
            "PUT",
            &target("Acme/App"),
            &[("If-None-Match", "*")],
            Some(&json!({ "entries": { "a.md": "the very text" } })),
        );
        assert_eq!(put.status, 200);
        world.ask("GET", "/v1/export", &[], None);
        world.ask("DELETE", &format!("/v1/tokens/{id}"), &[], None);
        let audit = world.ask("GET", "/v1/audit", &[], None);
        let rows = audit.json()["audit"].as_array().unwrap().clone();
        let actions: Vec<&str> = rows.iter().map(|row| row["action"].as_str().unwrap()).collect();
        assert_eq!(actions, ["token-revoke", "export", "put", "token-new", "token-new"]);
        let row = &rows[2];
        assert_eq!((&row["token"], &row["by"], &row["version"]), (&json!(id), &json!("a write"), &json!(1)));
        assert_eq!(row["repository"], json!("acme/app"));
        assert_eq!(row["details"], json!({ "a.md": Sum::of(b"the very text") }));
        assert!(!audit.text().contains("the very text") && !audit.text().contains(&writer));
        let here = world.ask("GET", "/v1/audit?repo=ACME%2Fapp", &[], None).json();
        assert_eq!(here["audit"].as_array().unwrap().len(), 1);
        let page = world.ask("GET", "/v1/audit?limit=2", &[], None).json();
        let next = world.ask("GET", &format!("/v1/audit?below={}", page["below"].as_str().unwrap()), &[], None).json();
        assert_eq!(next["audit"].as_array().unwrap().len(), 3);
    });
}

#[test]
fn a_token_is_shown_once_and_what_it_says_must_be_right() {
    on_each(|world| {
        for (body, why) in [
            (json!({ "label": "", "role": "read" }), "label"),
            (json!({ "label": "a\u{1b}[2J", "role": "read" }), "label"),
            (json!({ "label": "a\u{202e}b", "role": "read" }), "label"),
            (json!({ "label": "a\u{200b}b", "role": "read" }), "label"),
            (json!({ "label": " ", "role": "read" }), "label"),
            (json!({ "label": "x", "role": "root" }), "role"),
            (json!({ "label": "x", "role": "read", "repositories": "acme" }), "pattern"),
            (json!({ "label": "x", "role": "admin", "repositories": "acme/*" }), "administrator"),
            (json!({ "label": "x", "role": "read", "expires": "tomorrow" }), "instant"),
            (json!({ "label": "x", "role": "read", "expires": "2020-01-01T00:00:00Z" }), "expired"),
        ] {
            let refused = world.ask("POST", "/v1/tokens", &[], Some(&body));
            assert_eq!((refused.status, refused.code().as_str()), (400, "bad_token"), "{body}");
            assert!(refused.text().contains(why), "{}", refused.text());
        }
        let odd = world.ask(
            "POST",
            "/v1/tokens",
            &[],
            Some(&json!({ "label": "x", "role": "read", "organization": "other" })),
        );
        assert_eq!((odd.status, odd.code().as_str()), (400, "bad_json"), "nobody makes tokens of another tenant");
        let body =
            json!({ "label": "Ann", "role": "read", "repositories": "Acme/*", "expires": "2999-01-31T02:00:00+02:00" });
        let made = world.ask("POST", "/v1/tokens", &[], Some(&body)).json();
        assert_eq!(made["expires"], json!("2999-01-31T00:00:00Z"));
        let text = made["token"].as_str().unwrap();
        assert!(text.len() > 60 && !world.ask("GET", "/v1/tokens", &[], None).text().contains(text));
        assert_eq!(world.ask_as(text, "GET", &target("acme/app"), &[], None).status, 404);
        let id = made["id"].as_str().unwrap();
        let revoke = || world.ask("DELETE", &format!("/v1/tokens/{id}"), &[], None).status;
        assert_eq!((revoke(), revoke()), (204, 404));
        assert_eq!(world.ask_as(text, "GET", &target("acme/app"), &[], None).status, 401);
    });
}

#[test]
fn an_export_comes_back_byte_for_byte_on_either_database() {
    on_each(|world| {
        lay_out(world);
        world.create("acme/odd", &json!({ "Übersicht.md": "\u{1f600} \u{7f} \u{2028} \t\r\n\"\\" }));
        world.create("acme/empty", &json!({}));
        let export = world.ask("GET", "/v1/export", &[], None).text();
        assert_eq!(import(world, &export).json()["imported"], json!([]), "what is there stays");

        on_each(|other| {
            let imported = import(other, &export).json();
            let names = ["default/acme/app", "default/acme/empty", "default/acme/odd"];
            assert_eq!((&imported["imported"], &imported["skipped"]), (&json!(names), &json!([])));
            for repo in ["acme/app", "acme/odd", "acme/empty"] {
                assert_eq!(other.get(repo).text(), world.get(repo).text(), "{} to {}", world.name, other.name);
            }
            assert_eq!(versions(other, ""), versions(world, ""));
            let without_first = |text: String| text.split_once('\n').unwrap().1.to_owned();
            let again = other.ask("GET", "/v1/export", &[], None).text();
            assert_eq!(without_first(again), without_first(export.clone()));
        });
    });
}

#[test]
fn an_import_that_is_cut_off_or_damaged_or_holds_a_secret_writes_nothing() {
    on_each(|world| {
        lay_out(world);
        let export = world.ask("GET", "/v1/export", &[], None).text().replace("acme/app", "acme/copy");
        let lines: Vec<&str> = export.lines().collect();
        let without = |at: usize| {
            let mut lines = lines.clone();
            lines.remove(at);
            lines.join("\n")
        };
        let mut wrong: Vec<String> = (0..lines.len()).map(without).collect();
        // A version of the history may be missing: what was erased elsewhere is no damage.
        wrong.retain(|text| text.matches("\"kind\":\"history\"").count() == 3);
        wrong.extend([
            export.replace("three", "four"),
            export.replace("a.md", "../a.md"),
            export.replace("\"one\"", "\"\\u0000\""),
            export.replacen("\"by\":\"", "\"by\":\"\\u0000", 1),
            // Versions that no repository has, or that are above its own: the next write would meet them.
            export.replacen("\"version\":4", "\"version\":3", 1),
            export.replacen("\"version\":4", "\"version\":0", 1),
            export.replacen("\"version\":4", "\"version\":-4", 1),
            export.replacen("\"version\":4", &format!("\"version\":{}", i64::MAX), 1),
            export.replacen("\"version\":1", "\"version\":0", 1),
        ]);
        wrong.extend([
            String::new(),
            "{}".to_owned(),
            format!("{export}{export}"),
            export.replace("\"format\":1", "\"format\":2"),
        ]);
        assert!(wrong.len() >= 10, "{}", wrong.len());
        for text in wrong {
            let refused = import(world, &text);
            assert_eq!((refused.status, refused.code().as_str()), (400, "bad_export"), "{text}: {}", refused.text());
        }
        assert_eq!(world.get("acme/copy").status, 404);
        // A token that only a scanner takes for one.
        let secret = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
        let text = format!("the key is {secret} here");
        let with_secret = export
            .replace("\"text\":\"one\"", &format!("\"text\":\"{text}\""))
            .replace(Sum::of(b"one").as_str(), Sum::of(text.as_bytes()).as_str());
        let refused = import(world, &with_secret);
        assert_eq!((refused.status, refused.code().as_str()), (422, "secret_detected"), "{}", refused.text());
        assert!(!refused.text().contains(&secret));
        assert_eq!(world.get("acme/copy").status, 404);
        assert_eq!(import(world, &export).status, 200);
    });
}
