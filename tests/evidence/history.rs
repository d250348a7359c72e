//! What git adds: on which branch something is, and when it went. Without git the finding stays and says so.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use dreamtop::health::{self, Finding, Grounds, Severity};

use crate::help::{check, directory, lay, scan, store};

/// A repository with a history; `false` when this machine has no git.
fn repository(root: &Path) -> bool {
    let git = |day: &str, arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(root).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        for (key, value) in [("NAME", "Ann"), ("EMAIL", "ann@host.example")] {
            command.env(format!("GIT_AUTHOR_{key}"), value).env(format!("GIT_COMMITTER_{key}"), value);
        }
        let at = format!("{day}T12:00:00Z");
        command.env("GIT_AUTHOR_DATE", &at).env("GIT_COMMITTER_DATE", &at);
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    lay(root, &[("src/auth.rs", "fn sign_token() {}\n"), ("src/main.rs", "fn main() {}\n"), ("old/a.rs", "x\n")]);
    if !git("2026-01-05", &["init", "-q", "-b", "main"]) {
        return false;
    }
    assert!(git("2026-01-05", &["add", "-A"]) && git("2026-01-05", &["commit", "-qm", "begin"]));
    assert!(git("2026-02-01", &["checkout", "-qb", "feature/totp"]));
    lay(root, &[("src/totp.rs", "fn totp() {}\n")]);
    assert!(git("2026-02-01", &["add", "-A"]) && git("2026-02-01", &["commit", "-qm", "totp"]));
    assert!(git("2026-03-02", &["checkout", "-q", "main"]));
    assert!(
        git("2026-03-02", &["rm", "-q", "-r", "src/auth.rs", "old"]) && git("2026-03-02", &["commit", "-qm", "out"])
    );
    true
}

fn of<'a>(findings: &'a [Finding], wanted: &str) -> &'a Finding {
    findings
        .iter()
        .find(|one| one.evidence.as_deref() == Some(wanted))
        .unwrap_or_else(|| panic!("{wanted}: {findings:#?}"))
}

const BODY: &str = "Tokens are signed in `src/auth.rs`.\n\nThe helper `sign_token()` does it. Codes: `src/totp.rs`.\n\n\
                    The vault is in `src/vault/keys.rs`. The merchant is `m_harbour_7`. More in `old/`. See `src/old/deep/`.";

#[test]
fn fc_081_what_is_only_on_another_branch_is_not_in_this_checkout_and_what_went_says_when() {
    let checkout = directory(&[]);
    let has_git = repository(checkout.path());
    let store = store("project", &[BODY]);
    let findings = check(store.path(), checkout.path());
    let auth = of(&findings, "src/auth.rs");
    assert_eq!((auth.severity, auth.line), (Severity::Warning, Some(9)));
    assert_eq!(auth.quote.as_deref(), Some("Tokens are signed in `src/auth.rs`."));
    if !has_git {
        assert!(!auth.message.contains("commit"), "{}", auth.message);
        return;
    }
    assert!(auth.message.contains("it went on 2026-03-02 with commit "), "{}", auth.message);
    assert!(auth.message.ends_with("; branch feature/totp still has it"), "{}", auth.message);
    let totp = of(&findings, "src/totp.rs");
    assert_eq!(totp.message, "src/totp.rs is not in this checkout, but in branch feature/totp");
    assert_eq!(totp.severity, Severity::Note, "it contradicts nothing: it is there");
    assert!(!totp.contradicts() && auth.contradicts());
    assert!(of(&findings, "src/vault/keys.rs").message.contains("never was in its history"));
    assert!(of(&findings, "sign_token").message.contains("2026-03-02"), "{findings:#?}");
    assert!(of(&findings, "src/old/deep/").message.contains("never was"), "{findings:#?}");
    assert!(findings.iter().all(|one| one.evidence.as_deref() != Some("m_harbour_7")), "nothing says that it is code");
    // A second look takes the answers from our record, and gives the same.
    let state = tempfile::tempdir().unwrap();
    let mut grounds = crate::help::grounds(checkout.path());
    grounds.state = Some(dreamtop::state::StateDir::at(state.path().to_owned()));
    let snapshot = scan(store.path());
    let first = health::check(&snapshot, &grounds);
    grounds.git = Some("/nowhere/git".into());
    assert_eq!(health::check(&snapshot, &grounds), first);
    assert_eq!(first, findings);
}

#[test]
fn a_name_that_only_looks_like_code_and_never_was_in_the_history_is_a_librarys() {
    let checkout = directory(&[]);
    if !repository(checkout.path()) {
        return;
    }
    let bodies = [
        "The function `useEffect()` must not be async.",
        "Long lists go through the hook `useVirtualizer`.",
        "The helper `sign_token()` does it.",
        "`mint_token()` in `src/main.rs` does it.",
    ];
    let store = store("project", &bodies);
    let findings = check(store.path(), checkout.path());
    let gone = findings.iter().filter(|one| one.code.word() == "symbol-gone");
    let mut gone: Vec<&str> = gone.filter_map(|one| one.evidence.as_deref()).collect();
    gone.sort_unstable();
    // What went is known by the history, and what stands beside a path of the project by that path.
    assert_eq!(gone, ["mint_token", "sign_token"], "{findings:#?}");
}

#[test]
fn without_git_a_finding_stays_and_says_that_nobody_could_be_asked() {
    let checkout = directory(&[("src/main.rs", "")]);
    fs::create_dir_all(checkout.path().join(".git/refs/heads")).unwrap();
    fs::write(checkout.path().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    let store = store("project", &["It is in `src/gone.rs`."]);
    let findings = health::check(&scan(store.path()), &Grounds::at(checkout.path()));
    assert_eq!(
        of(&findings, "src/gone.rs").message,
        "src/gone.rs is not in the project any more (no git to ask when it went)"
    );
    // Outside git there is nothing to say about it.
    fs::remove_dir_all(checkout.path().join(".git")).unwrap();
    let findings = health::check(&scan(store.path()), &Grounds::at(checkout.path()));
    assert_eq!(of(&findings, "src/gone.rs").message, "src/gone.rs is not in the project any more");
}

#[cfg(unix)]
#[test]
fn nothing_that_a_repository_brings_along_is_run() {
    use std::os::unix::fs::PermissionsExt;
    let checkout = directory(&[]);
    if !repository(checkout.path()) {
        return without_git_a_finding_stays_and_says_that_nobody_could_be_asked();
    }
    let mark = checkout.path().join("was-run");
    let script = checkout.path().join("trap.sh");
    fs::write(&script, format!("#!/bin/sh\ntouch '{}'\n", mark.display())).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let trap = script.display();
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = {trap}\n\thooksPath = {root}\n\tpager = {trap}\n\tsshCommand = {trap}\n\
         [diff]\n\texternal = {trap}\n[diff \"x\"]\n\ttextconv = {trap}\n\tcommand = {trap}\n[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {trap}\n\
         [alias]\n\tlog = !{trap}\n\tcat-file = !{trap}\n[remote \"o\"]\n\turl = ext::{trap}\n\tpromisor = true\n[extensions]\n\tpartialClone = o\n",
        root = checkout.path().display()
    );
    fs::write(checkout.path().join(".git/config"), config).unwrap();
    fs::write(checkout.path().join(".gitattributes"), "* diff=x\n").unwrap();
    let store = store("project", &[BODY, "Run `./trap.sh` and `make all`."]);
    // A `git` that the checkout brings along is none, also when its folder stands in PATH.
    fs::copy(&script, checkout.path().join("git")).unwrap();
    let path = format!("{}:{}", checkout.path().display(), std::env::var("PATH").unwrap_or_default());
    let findings = health::check(&scan(store.path()), &Grounds::at(checkout.path()).with_git(&path));
    assert!(!findings.is_empty());
    assert!(!mark.exists(), "something of the repository was run");
}
