//! The contract, letter by letter, on both databases.

use dreamtop::team::sum::Sum;
use dreamtop::team::wire::{Repo, Stored};
use serde_json::json;

use crate::world::{on_each, target};

#[test]
fn what_was_written_is_read_with_its_sums_and_unchanged_it_is_not_sent_again() {
    on_each(|world| {
        let missing = world.get("acme/app");
        assert_eq!((missing.status, missing.code().as_str()), (404, "not_found"), "{}", world.name);

        let texts = json!({ "MEMORY.md": "- [A](a.md)\n", "a.md": "Grüße \"x\" \\ \u{1f600}\n" });
        let created = world.create("acme/app", &texts);
        assert_eq!(created.status, 200, "{}", created.text());
        let stored: Stored = serde_json::from_slice(&created.body).unwrap();
        let sums = [("MEMORY.md", "- [A](a.md)\n"), ("a.md", "Grüße \"x\" \\ \u{1f600}\n")]
            .map(|(key, text)| (key, Sum::of(text.as_bytes())));
        let whole = Sum::of_all(sums.iter().map(|(key, sum)| (*key, sum)));
        assert_eq!((stored.version, stored.checksum.as_ref()), (1, Some(&whole)));
        assert_eq!(stored.entry_checksums, sums.iter().map(|(key, sum)| ((*key).to_owned(), sum.clone())).collect());
        assert_eq!(created.header("etag"), whole.etag());

        let full = world.get("ACME/App");
        assert_eq!((full.status, full.header("etag")), (200, whole.etag().as_str()));
        let repo: Repo = serde_json::from_slice(&full.body).unwrap();
        assert_eq!((repo.organization_id.as_str(), repo.repo.as_str(), repo.version), ("default", "acme/app", 1));
        assert_eq!((repo.checksum.as_ref(), &repo.last_modified), (Some(&whole), &stored.last_modified));
        let content = repo.content.unwrap();
        assert_eq!(json!(content.entries.unwrap()), texts);
        assert_eq!(content.entry_checksums.unwrap(), stored.entry_checksums);

        let hashes = world.ask("GET", &format!("{}&view=hashes", target("acme/app")), &[], None);
        let hashes_json = hashes.json();
        assert_eq!(hashes_json["entryChecksums"], json!(stored.entry_checksums));
        assert_eq!(hashes_json["content"], json!({ "entryChecksums": stored.entry_checksums }), "no texts");

        for tag in [whole.etag(), format!("W/{}", whole.etag()), format!("\"other\", {}", whole.etag()), "*".into()] {
            let same = world.ask("GET", &target("acme/app"), &[("If-None-Match", &tag)], None);
            assert_eq!((same.status, same.body.len(), same.header("etag")), (304, 0, whole.etag().as_str()), "{tag}");
        }
        let other = world.ask("GET", &target("acme/app"), &[("If-None-Match", "\"sha256:0\"")], None);
        assert_eq!(other.status, 200);
    });
}

#[test]
fn a_write_needs_the_present_state_and_each_change_is_one_version() {
    on_each(|world| {
        let without = world.ask("PUT", &target("a/b"), &[], Some(&json!({ "entries": { "a.md": "1" } })));
        assert_eq!((without.status, without.code().as_str()), (428, "precondition_required"));
        let too_early = world.put("a/b", &Sum::of(b"0").etag(), &json!({ "a.md": "1" }));
        assert_eq!((too_early.status, too_early.code().as_str()), (412, "precondition_failed"));
        assert_eq!(world.get("a/b").status, 404, "a refused write leaves nothing");

        let first = world.create("a/b", &json!({ "a.md": "1", "b.md": "1" }));
        let again = world.create("a/b", &json!({ "a.md": "2" }));
        assert_eq!((again.status, again.code().as_str()), (412, "precondition_failed"));

        let second = world.put("a/b", first.header("etag"), &json!({ "a.md": "2" }));
        assert_eq!((second.status, &second.json()["version"]), (200, &json!(2)));
        assert_ne!(second.header("etag"), first.header("etag"));
        let stale = world.put("a/b", first.header("etag"), &json!({ "a.md": "3" }));
        assert_eq!(stale.status, 412);

        // Nothing new: the same tag, and no version.
        let before = world.get("a/b").json();
        let same = world.put("a/b", second.header("etag"), &json!({ "a.md": "2", "b.md": "1" }));
        assert_eq!((same.status, same.header("etag")), (200, second.header("etag")));
        let (stored, after) = (same.json(), world.get("a/b").json());
        assert_eq!((&stored["version"], &stored["lastModified"]), (&json!(2), &before["lastModified"]));
        assert_eq!(after, before);
        assert_eq!(after["content"]["entries"], json!({ "a.md": "2", "b.md": "1" }), "what was not sent stays");
    });
}

#[test]
fn fc_090_a_tag_that_a_proxy_rewrote_still_names_the_state() {
    on_each(|world| {
        let first = world.create("a/b", &json!({ "a.md": "0" }));
        let mut etag = first.header("etag").to_owned();
        for (number, rewritten) in ["W/TAG", "TAG-gzip", "\"x\", TAG"].iter().enumerate() {
            let bare = etag.trim_matches('"').to_owned();
            let header = match *rewritten {
                "TAG-gzip" => format!("\"{bare}-gzip\""),
                pattern => pattern.replace("TAG", &etag),
            };
            let put = world.put("a/b", &header, &json!({ "a.md": format!("{}", number + 1) }));
            assert_eq!(put.status, 200, "{header}: {}", put.text());
            etag = put.header("etag").to_owned();
        }
        for (name, value) in
            [("If-Match", "*"), ("If-Match", "junk"), ("If-Match", "\"a\", \"b\""), ("If-None-Match", "\"x\"")]
        {
            let put = world.ask("PUT", &target("a/b"), &[(name, value)], Some(&json!({ "entries": {} })));
            assert_eq!((put.status, put.code().as_str()), (400, "bad_precondition"), "{name}: {value}");
        }
        // What would not be looked at is not passed over: the one that holds may be among it.
        let many: Vec<String> = (0..17).map(|number| Sum::of(&[number]).etag()).collect();
        let put = world.ask("PUT", &target("a/b"), &[("If-Match", &many.join(", "))], Some(&json!({ "entries": {} })));
        assert_eq!((put.status, put.code().as_str()), (400, "bad_precondition"), "{}", put.text());
    });
}
