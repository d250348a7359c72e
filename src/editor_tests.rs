#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use super::*;

fn program(dir: &Path, name: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = dir.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "#!/bin/sh\nexit 0\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn environment(dir: &Path, variables: &[(&str, &str)]) -> Environment {
    Environment::of(dir, variables).with("PATH", dir.join("bin").to_str().unwrap())
}

#[test]
fn fc_102_editor_commands_with_arguments_quotes_and_spaces_start() {
    let dir = tempfile::tempdir().unwrap();
    let code = program(dir.path(), "bin/code");
    let spaced = program(dir.path(), "my editor/ed");
    let quoted = format!("\"{}\" -n 'a b'", spaced.display());
    let cases: [(&str, &Path, &[&str]); 5] = [
        ("code --wait", &code, &["--wait"]),
        (&quoted, &spaced, &["-n", "a b"]),
        (spaced.to_str().unwrap(), &spaced, &[]),
        ("  code\t--wait  ", &code, &["--wait"]),
        ("my\\ editor/ed -x", &spaced, &["-x"]),
    ];
    for (value, program, arguments) in cases {
        let chosen = choose(&environment(dir.path(), &[("EDITOR", value)])).unwrap();
        assert_eq!((chosen.program.as_path(), chosen.notice), (program, None), "{value}");
        assert_eq!(chosen.arguments, arguments, "{value}");
    }
}

#[test]
fn fc_102_visual_wins_and_what_cannot_start_falls_back_with_a_word() {
    let dir = tempfile::tempdir().unwrap();
    let (vi, nano, code) =
        (program(dir.path(), "bin/vi"), program(dir.path(), "bin/nano"), program(dir.path(), "bin/code"));
    let choose = |variables: &[(&str, &str)]| choose(&environment(dir.path(), variables)).unwrap();
    assert_eq!(choose(&[("VISUAL", "code"), ("EDITOR", "nano")]).program, code);
    assert_eq!(choose(&[("VISUAL", ""), ("EDITOR", "nano")]).program, nano);
    assert_eq!(choose(&[("EDITOR", "   ")]).program, vi);
    let missing = choose(&[("VISUAL", "nowhere --wait"), ("EDITOR", "nano")]);
    assert_eq!(missing.program, nano);
    assert!(missing.notice.unwrap().contains("VISUAL is \"nowhere --wait\": there is no program \"nowhere\""));
    let unclosed = choose(&[("EDITOR", "code 'x")]);
    assert_eq!(unclosed.program, vi);
    assert!(unclosed.notice.unwrap().contains("a ' is not closed"));
}

#[test]
fn without_any_editor_the_message_names_the_way_out() {
    let dir = tempfile::tempdir().unwrap();
    let message = choose(&environment(dir.path(), &[("EDITOR", "gone")])).unwrap_err();
    assert!(message.contains("EDITOR is \"gone\"") && message.contains("edit in the screen with e"), "{message}");
}

#[test]
fn the_copy_is_private_absolute_and_named_like_the_memory() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let copy = WorkingFile::new(dir.path(), "team/-rf my notes.md", b"text").unwrap();
    assert!(copy.path().is_absolute() && copy.path().ends_with("-rf my notes.md"));
    assert_eq!(fs::metadata(copy.path()).unwrap().permissions().mode() & 0o777, 0o600);
    let kept = copy.path().to_owned();
    assert_eq!(copy.take(None).unwrap(), Edited::Unchanged);
    assert!(!kept.exists(), "an unchanged copy is removed");
}

fn edited(before: &[u8], failure: Option<&str>, edit: impl FnOnce(&Path)) -> (Edited, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let copy = WorkingFile::new(dir.path(), "a.md", before).unwrap();
    edit(copy.path());
    (copy.take(failure.map(str::to_owned)).unwrap(), dir)
}

#[test]
fn fc_103_a_failing_editor_is_no_success_and_loses_nothing() {
    let (outcome, dir) = edited(b"old", Some("exit status 1"), |path| fs::write(path, "new").unwrap());
    let Edited::Failed { how, kept: Some(kept) } = &outcome else { panic!("{outcome:?}") };
    assert_eq!((how.as_str(), fs::read(kept).unwrap().as_slice()), ("exit status 1", b"new".as_slice()));
    assert!(outcome.message("a.md").unwrap().contains("keeps its old text"));
    assert_eq!(left(dir.path()), std::slice::from_ref(kept), "doctor finds it");
    let (outcome, _dir) = edited(b"old", Some("signal 9"), |_| {});
    assert_eq!(outcome, Edited::Failed { how: "signal 9".to_owned(), kept: None });
}

#[test]
fn fc_103_emptied_broken_and_changed_are_told_apart() {
    assert_eq!(edited(b"old", None, |path| fs::write(path, " \n").unwrap()).0, Edited::Emptied);
    assert_eq!(edited(b"old", None, |path| fs::remove_file(path).unwrap()).0, Edited::Emptied);
    let (outcome, _dir) = edited(b"old", None, |path| fs::write(path, b"\xff\xfe").unwrap());
    let Edited::NotUtf8(kept) = outcome else { panic!("{outcome:?}") };
    assert_eq!(fs::read(kept).unwrap(), b"\xff\xfe");
    assert_eq!(edited(b"old", None, |path| fs::write(path, "new").unwrap()).0, Edited::Changed(b"new".to_vec()));
    let latin = edited(b"caf\xe9", None, |path| fs::write(path, b"caf\xe9 noir").unwrap()).0;
    assert_eq!(latin, Edited::Changed(b"caf\xe9 noir".to_vec()), "a file that never was UTF-8 can be edited");
}

#[test]
fn an_editor_that_renames_over_the_copy_is_read_as_well() {
    let outcome = edited(b"old", None, |path| {
        let aside = path.with_extension("new");
        fs::write(&aside, "renamed").unwrap();
        fs::rename(aside, path).unwrap();
    });
    assert_eq!(outcome.0, Edited::Changed(b"renamed".to_vec()));
}
