//! Links that follow a rename and a merge, from wherever they stand, and an index that begins with a byte-order mark.

use dreamtop::change::Consent;
use dreamtop::change::verbs::{self, SaveKind};
use dreamtop::change::verdicts::{self, Union};
use dreamtop::health::{Grounds, check};
use dreamtop::memory::ProblemCode;

use crate::help::{Place, memory, noon};

fn linked() -> Place {
    let place = Place::new();
    place.write("MEMORY.md", "- [A](a.md) — a\n- [B](sub/b.md) — b\n- [C](c.md) — c\n");
    place.write("a.md", &memory("user", "alpha", "The first."));
    place.write("c.md", &memory("user", "gamma", "See [[a#Why]], [[a#S|al]] and [[alpha]].\n\n[x]: ./a.md#y \"T\""));
    place.write("sub/b.md", &memory("user", "beta", "See [x](../a.md), [y](../a.md#Why) and [d](d.md)."));
    place.write("sub/d.md", &memory("user", "delta", "See [b](b.md), [c](../c.md) and [[c]]."));
    place
}

fn codes(place: &Place) -> Vec<(ProblemCode, String)> {
    check(&place.scan(), &Grounds::default()).into_iter().map(|finding| (finding.code, finding.file)).collect()
}

#[test]
fn a_rename_is_followed_by_every_link_from_where_it_stands_with_its_anchor_and_its_alias() {
    let place = linked();
    let before = place.everything();
    assert_eq!(codes(&place), [], "all is well before");
    place.land(&verbs::rename(&place.scan(), "a.md", "zed.md").unwrap(), Consent::Person).unwrap();
    assert!(
        place.read("sub/b.md").contains("[x](../zed.md), [y](../zed.md#Why) and [d](d.md)."),
        "{}",
        place.read("sub/b.md")
    );
    let c = place.read("c.md");
    assert!(c.contains("See [[zed#Why]], [[zed#S|al]] and [[alpha]].\n\n[x]: ./zed.md#y \"T\""), "{c}");
    assert_eq!(codes(&place), [], "and after");
    let entry = place.door.history(&place.store).unwrap()[0].id.clone();
    place.door.undo(&place.store, &entry).unwrap();
    assert_eq!(place.everything(), before);
}

#[test]
fn a_memory_that_changes_its_folder_keeps_what_its_own_links_lead_to() {
    let place = linked();
    place.land(&verbs::rename(&place.scan(), "sub/d.md", "e.md").unwrap(), Consent::Person).unwrap();
    assert!(place.read("e.md").contains("See [b](sub/b.md), [c](c.md) and [[c]]."), "{}", place.read("e.md"));
    assert!(place.read("sub/b.md").contains("[d](../e.md)"));
    assert_eq!(codes(&place), []);
}

#[test]
fn the_index_of_a_folder_follows_as_the_stores_own_does() {
    let place = linked();
    place.write("sub/MEMORY.md", "# Here\n\n- [D](d.md) — d\n- [A](../a.md) — a\n");
    place.land(&verbs::rename(&place.scan(), "sub/d.md", "sub/new.md").unwrap(), Consent::Person).unwrap();
    place.land(&verbs::rename(&place.scan(), "a.md", "sub/a.md").unwrap(), Consent::Person).unwrap();
    assert_eq!(place.read("sub/MEMORY.md"), "# Here\n\n- [D](new.md) — d\n- [A](a.md) — a\n");
    assert_eq!(codes(&place), []);
}

#[test]
fn what_led_to_the_partner_of_a_merge_leads_to_the_one_that_stays() {
    let place = linked();
    let snapshot = place.scan();
    let bytes = |file: &str| place.read(file).into_bytes();
    let union = Union {
        keep: "c.md".to_owned(),
        keep_base: bytes("c.md"),
        partner: "a.md".to_owned(),
        partner_base: bytes("a.md"),
        content: bytes("c.md"),
        kind: SaveKind::KeepAge,
    };
    place.land(&verdicts::merge(&snapshot, &union, noon()).unwrap(), Consent::Person).unwrap();
    assert!(place.read("sub/b.md").contains("[x](../c.md), [y](../c.md#Why)"), "{}", place.read("sub/b.md"));
    assert!(place.read("c.md").contains("See [[c#Why]], [[c#S|al]] and [[gamma]]."), "{}", place.read("c.md"));
    assert_eq!(place.read("MEMORY.md"), "- [B](sub/b.md) — b\n- [C](c.md) — c\n");
    assert_eq!(codes(&place), []);
}

#[test]
fn a_link_whose_memory_went_is_named_with_its_line_and_a_file_of_the_checkout_is_none() {
    let place = linked();
    place.land(&verbs::remove(&place.scan(), &["a.md".to_owned()]).unwrap(), Consent::Person).unwrap();
    place.write(
        "sub/d.md",
        &memory("user", "delta", "See [guide](docs/guide.md) and [b](b.md).\n\n    x\n\n`[no](link.md)`"),
    );
    let checkout = place.root.join("checkout");
    std::fs::create_dir_all(checkout.join("docs")).unwrap();
    std::fs::write(checkout.join("docs/guide.md"), "x").unwrap();
    let grounds = Grounds { checkout: Some(checkout), ..Grounds::default() };
    let found: Vec<(String, Option<usize>, String)> = check(&place.scan(), &grounds)
        .into_iter()
        .filter(|finding| finding.code == ProblemCode::LinkDangling)
        .map(|finding| (finding.file, finding.line, finding.evidence.unwrap()))
        .collect();
    let expected = [("c.md", 10), ("sub/b.md", 8), ("sub/b.md", 8)];
    assert_eq!(found, expected.map(|(file, line)| (file.to_owned(), Some(line), "a.md".to_owned())));
}

#[test]
fn an_entry_right_behind_a_byte_order_mark_is_seen_renamed_removed_and_brought_back() {
    const INDEX: &str = "\u{FEFF}- [A](a.md) — about a\n- [B](b.md) — b\n";
    let place = Place::new();
    place.write("MEMORY.md", INDEX);
    place.write("a.md", &memory("user", "alpha", "The first."));
    place.write("b.md", &memory("user", "beta", "The second."));
    assert_eq!(codes(&place), []);
    let land = |set| place.land(&set, Consent::Person).unwrap();
    land(verbs::rename(&place.scan(), "a.md", "zed.md").unwrap());
    assert_eq!(place.read("MEMORY.md"), INDEX.replace("a.md", "zed.md"));
    let set = verbs::remove(&place.scan(), &["zed.md".to_owned()]).unwrap();
    // Another program adds a line meanwhile: the removal is replayed, and the mark stays the file's.
    place.write("MEMORY.md", &format!("{}by hand\n", INDEX.replace("a.md", "zed.md")));
    land(set);
    assert_eq!(place.read("MEMORY.md"), "\u{FEFF}- [B](b.md) — b\nby hand\n");
    assert_eq!(codes(&place), []);
    let entry = place.door.history(&place.store).unwrap();
    let removal = entry.iter().find(|entry| entry.title.starts_with("remove")).unwrap().id.clone();
    place.door.undo(&place.store, &removal).unwrap();
    assert_eq!(place.read("MEMORY.md"), format!("{}by hand\n", INDEX.replace("a.md", "zed.md")));
}

#[test]
fn where_the_index_cannot_be_read_no_memory_is_moved_whose_line_would_stay() {
    let place = linked();
    std::fs::File::options().write(true).open(place.path("MEMORY.md")).unwrap().set_len(20_000_000).unwrap();
    let before = place.everything();
    let snapshot = place.scan();
    let removed = verbs::remove(&snapshot, &["a.md".to_owned()]).unwrap_err().to_string();
    let renamed = verbs::rename(&snapshot, "a.md", "zed.md").unwrap_err().to_string();
    for refused in [removed, renamed] {
        assert!(refused.contains("MEMORY.md") && refused.contains("too much"), "{refused}");
    }
    assert_eq!(place.everything(), before);
}

#[test]
fn no_memory_is_renamed_into_a_place_where_it_would_be_none() {
    let place = linked();
    let before = place.everything();
    for (to, word) in [
        ("team/a.md", "team promote"),
        ("Team/a.md", "team promote"),
        ("logs/2026/a.md", "daily log"),
        ("sub/MEMORY.md", "index"),
        ("sub/memory.md", "index"),
    ] {
        let refused = verbs::rename(&place.scan(), "a.md", to).unwrap_err().to_string();
        assert!(refused.contains(word), "{to}: {refused}");
    }
    assert_eq!(place.everything(), before);
}
