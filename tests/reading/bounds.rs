//! Directories that are no stores: read as far as makes sense, and what was not read is said.

use std::fs;

use dreamtop::memory::store::MOST_ENTRIES;
use dreamtop::memory::{INDEX_FILE, ProblemCode};

use crate::help::{check, fix, of_code, scan, store};

/// Fills a folder with more than a walk looks at.
fn fill(folder: &std::path::Path) {
    fs::create_dir_all(folder).unwrap();
    for number in 0..MOST_ENTRIES {
        fs::File::create(folder.join(format!("{number}.txt"))).unwrap();
    }
}

#[test]
fn a_directory_too_large_for_a_store_is_read_in_part_and_says_from_where_on_it_was_not() {
    let memory = "---\nname: a\ndescription: d\ntype: user\n---\n\nText.\n";
    let index = "- [A](user_a.md)\n- [Far](sub/deep/user_far.md)\n- [Gone](user_gone.md)\n- [Out](../user_out.md)\n";
    let directory = store(&[(INDEX_FILE, index), ("user_a.md", memory), ("sub/deep/user_far.md", memory)]);
    fill(&directory.path().join("large"));
    let findings = check(&directory);
    let unread = of_code(&findings, ProblemCode::Unreadable);
    assert_eq!(unread.len(), 1, "{findings:?}");
    let said = &unread[0].message;
    assert!(said.contains("large") && said.contains("not read") && said.contains("--memory-dir"), "{said}");
    let memories: Vec<String> = scan(directory.path()).memories.into_iter().map(|memory| memory.file).collect();
    assert_eq!(memories, ["user_a.md"]);
    // What was not looked at is not gone, so no repair drops its line.
    let dangling = of_code(&findings, ProblemCode::IndexDangling);
    assert_eq!(dangling.iter().map(|one| one.evidence.as_deref()).collect::<Vec<_>>(), [Some("user_gone.md")]);
    fix(&directory);
    let after = fs::read_to_string(directory.path().join(INDEX_FILE)).unwrap();
    assert!(after.contains("sub/deep/user_far.md") && !after.contains("user_gone.md"), "{after}");

    // The index is read wherever it comes in the listing.
    let flat = store(&[(INDEX_FILE, "# Index\n")]);
    fill(flat.path());
    let snapshot = scan(flat.path());
    assert!(snapshot.has_index && snapshot.index.lines[0].text == "# Index");
    assert_eq!(snapshot.problems.iter().filter(|(_, one)| one.code == ProblemCode::Unreadable).count(), 1);
}

#[test]
fn folders_of_packages_and_hidden_ones_are_named_and_not_entered() {
    let memory = "---\nname: a\ndescription: d\ntype: user\n---\n\nText.\n";
    let directory = store(&[
        (INDEX_FILE, "- [A](sub/user_a.md)\n"),
        ("sub/user_a.md", memory),
        ("sub/node_modules/x/README.md", memory),
        ("node_modules/y/README.md", memory),
        (".git/hooks/z.md", memory),
    ]);
    let snapshot = scan(directory.path());
    assert_eq!(snapshot.memories.iter().map(|memory| memory.file.as_str()).collect::<Vec<_>>(), ["sub/user_a.md"]);
    let others: Vec<(&str, &str)> = snapshot.others.iter().map(|other| (other.file.as_str(), other.what)).collect();
    let packages = "folder of packages";
    assert_eq!(others, [(".git", "hidden"), ("node_modules", packages), ("sub/node_modules", packages)]);
    assert_eq!(check(&directory), []);
}
