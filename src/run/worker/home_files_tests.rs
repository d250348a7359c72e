#![allow(clippy::unwrap_used)]
use super::*;

#[test]
fn what_somebody_wrote_since_is_left_and_what_is_too_large_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let (base, kept) = (dir.path().join("claude"), dir.path().join("kept"));
    fs::create_dir_all(base.join("skills")).unwrap();
    let write = |file: &str, text: &str| fs::write(base.join(file), text).unwrap();
    write("settings.json", "before");
    write("CLAUDE.md", "before");
    write("skills/model.bin", &"x".repeat(usize::try_from(LARGEST).unwrap() + 1));
    let before = HomeFiles::look(Some(&base));
    assert!(before.changed().is_empty());
    write("settings.json", "the command's");
    write("CLAUDE.md", "the command's");
    write("skills/model.bin", "small");
    write("history.jsonl", "what every session writes");
    let found = before.changed();
    write("settings.json", "the person's");
    let mut changed = Changed::default();
    before.give_back(found, true, &kept, &mut changed);
    let read = |path: PathBuf| fs::read_to_string(path).unwrap();
    assert_eq!(read(base.join("settings.json")), "the person's", "nobody's work is lost");
    assert_eq!(read(base.join("CLAUDE.md")), "before");
    assert_eq!(read(kept.join("before/settings.json")), "before");
    assert_eq!(read(kept.join("after/settings.json")), "the command's");
    let said = changed.by_claude.join("\n");
    assert!(said.contains("settings.json: it was changed again since"), "{said}");
    assert!(said.contains("model.bin: it is too large to be kept") && !said.contains("history.jsonl"), "{said}");
}

#[cfg(unix)]
#[test]
fn what_lies_behind_a_link_that_was_not_there_is_nobodys_to_remove() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let (base, kept, far) = (dir.path().join("claude"), dir.path().join("kept"), dir.path().join("far"));
    for inside in [base.join("skills/own"), base.join("rules"), far.join("deep")] {
        fs::create_dir_all(inside).unwrap();
    }
    let theirs = [far.join("passwd"), far.join("deep/key.md"), far.join("settings.json")];
    theirs.iter().for_each(|path| fs::write(path, "of the machine").unwrap());
    fs::write(base.join("skills/own/SKILL.md"), "mine").unwrap();
    fs::write(base.join("rules/api.md"), "mine").unwrap();
    symlink(base.join("skills"), base.join("agents")).unwrap();
    let shapes: [(&str, &dyn Fn()); 4] = [
        ("a directory became a link", &|| {
            fs::remove_dir_all(base.join("rules")).unwrap();
            symlink(&far, base.join("rules")).unwrap();
        }),
        ("a new link beside the others", &|| symlink(&far, base.join("skills/more")).unwrap()),
        ("a link leads elsewhere", &|| {
            fs::remove_file(base.join("agents")).unwrap();
            symlink(&far, base.join("agents")).unwrap();
        }),
        ("one of a new directory", &|| {
            fs::create_dir(base.join("commands")).unwrap();
            symlink(far.join("deep"), base.join("commands/deep")).unwrap();
        }),
    ];
    for (what, change) in shapes {
        let before = HomeFiles::look(Some(&base));
        change();
        let mut changed = Changed::default();
        before.give_back(before.changed(), true, &kept, &mut changed);
        assert!(theirs.iter().all(|path| fs::read_to_string(path).unwrap() == "of the machine"), "{what}");
        assert!(!kept.join("after/elsewhere").exists(), "{what}");
        assert_eq!(fs::read_to_string(base.join("rules/api.md")).unwrap(), "mine", "{what}: {changed:?}");
        assert!(!base.join("skills/more").exists() && !base.join("commands").exists(), "{what}: {changed:?}");
        assert!(HomeFiles::look(Some(&base)).found == before.found, "{what}: {changed:?}");
    }
    // The whole directory.
    let before = HomeFiles::look(Some(&base));
    fs::rename(&base, dir.path().join("aside")).unwrap();
    symlink(&far, &base).unwrap();
    let mut changed = Changed::default();
    assert!(before.is_moved());
    before.give_back(before.changed(), true, &kept, &mut changed);
    assert!(theirs.iter().all(|path| path.exists()), "{changed:?}");
}

#[cfg(unix)]
#[test]
fn what_is_new_behind_a_link_that_was_there_is_told_and_left() {
    let dir = tempfile::tempdir().unwrap();
    let (base, kept, far) = (dir.path().join("claude"), dir.path().join("kept"), dir.path().join("dotfiles"));
    fs::create_dir_all(&base).unwrap();
    fs::create_dir_all(&far).unwrap();
    fs::write(far.join("own.md"), "mine").unwrap();
    std::os::unix::fs::symlink(&far, base.join("rules")).unwrap();
    let before = HomeFiles::look(Some(&base));
    fs::write(far.join("own.md"), "the command's").unwrap();
    fs::write(far.join("new.md"), "somebody's").unwrap();
    let mut changed = Changed::default();
    before.give_back(before.changed(), true, &kept, &mut changed);
    assert_eq!(fs::read_to_string(far.join("own.md")).unwrap(), "mine", "{changed:?}");
    assert_eq!(fs::read_to_string(far.join("new.md")).unwrap(), "somebody's", "{changed:?}");
    assert!(changed.by_claude.join("\n").contains("nothing outside is removed"), "{changed:?}");
}
