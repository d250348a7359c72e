//! Links of memories through the commands: a dream leaves none dead, and `check` names those that are.

use crate::common::Machine;

const BODY: &str = "Integration tests must run against a real database, no mocks.\n\n**Why:** they lied to us once.\n";

fn memory(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: \"about {name}\"\ntype: feedback\n---\n\n{body}")
}

#[test]
fn a_dream_that_merges_lets_every_link_follow_also_from_a_folder_and_with_an_anchor() {
    let machine = Machine::new();
    let same = |name: &str, more: &str| {
        format!("---\nname: {name}\ndescription: \"how we test the ledger\"\ntype: feedback\n---\n\n{BODY}{more}")
    };
    machine.write("memory/feedback_a.md", same("database-tests", "\n**How to apply:** use the docker compose file.\n"));
    machine.write("memory/feedback_b.md", same("database-tests-again", ""));
    let links = "Neighbours of the kitchen: [[feedback_b]], [[feedback_b#Top]], [[feedback_b|al]]";
    machine
        .write("memory/project_t.md", memory("tea", &format!("{links}, [x](feedback_b.md), [y](feedback_b.md#q).\n")));
    machine.write("memory/sub/project_s.md", memory("soup", &format!("{links}, [x](../feedback_b.md#q).\n")));
    let index =
        "- [A](feedback_a.md) — a\n- [B](feedback_b.md) — b\n- [T](project_t.md) — t\n- [S](sub/project_s.md) — s\n";
    machine.write("memory/MEMORY.md", index);
    let store = machine.path("memory");
    let store = store.to_str().expect("UTF-8");
    let dream = machine.run(&["--json", "--memory-dir", store, "dream", "--force"]);
    assert_eq!(dream.code(), 0, "{} {}", dream.out(), dream.err());
    let read = |file: &str| std::fs::read_to_string(machine.path(&format!("memory/{file}"))).expect("there");
    assert!(!machine.path("memory/feedback_b.md").exists(), "{}", dream.out());
    let followed = links.replace("feedback_b", "feedback_a");
    let t = read("project_t.md");
    assert!(t.contains(&format!("{followed}, [x](feedback_a.md), [y](feedback_a.md#q).")), "{t}");
    let s = read("sub/project_s.md");
    assert!(s.contains(&format!("{followed}, [x](../feedback_a.md#q).")), "{s}");
    let checked = machine.run(&["--json", "--memory-dir", store, "check"]).json();
    assert!(!checked.to_string().contains("dangling"), "{checked:#}");
}

#[test]
fn a_dead_link_of_a_memory_is_a_finding_of_check() {
    let machine = Machine::new();
    machine.write("memory/project_t.md", memory("tea", "**Why:** see [x](gone.md).\n"));
    machine.write("memory/MEMORY.md", "- [T](project_t.md) — t\n");
    let store = machine.path("memory");
    let checked = machine.run(&["--memory-dir", store.to_str().expect("UTF-8"), "check"]);
    assert_eq!(checked.code(), 1);
    assert!(checked.out().contains("link-dangling") && checked.out().contains("gone.md"), "{}", checked.out());
}
