#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;

use super::cite::{Cited, Tie, citations};
use super::memo::Memo;
use crate::state::StateDir;

fn cited(body: &str) -> Vec<String> {
    citations(body)
        .into_iter()
        .map(|one| match one.what {
            Cited::Path { path, line } => line.map_or(path.clone(), |line| format!("{path}:{line}")),
            Cited::Symbol { parts, tie } => {
                format!("{}{}", parts.join("::"), if tie == Tie::Nothing { "?" } else { "" })
            }
            Cited::Script(script) => script.shown(),
            Cited::Branch(name) => format!("branch {name}"),
            Cited::Workflow(name) => format!("workflow {name}"),
        })
        .collect()
}

#[test]
fn what_a_sentence_says_is_there_is_cited_and_what_it_says_is_gone_planned_or_only_an_example_is_not() {
    for (body, expected) in [
        ("Retries live in `src/retry.rs:12-20`.", vec!["src/retry.rs:20"]),
        ("The old `src/retry.rs` was removed.", vec![]),
        ("`src/a.rs` was renamed; see `src/b.rs#L4`.", vec!["src/b.rs:4"]),
        ("We will create `src/new.rs`.", vec![]),
        ("Files such as `src/some.rs`.", vec![]),
        ("Früher lag das in `src/alt.rs`.", vec![]),
        ("以前在 `src/old.rs`。现在在 `src/new.rs`。", vec!["src/new.rs"]),
        ("Logs are in `/var/log/acme/api.log` on the production host.", vec![]),
        (
            "The vault is `/srv/notes/vault`, its key `~/.config/vault/key`.",
            vec!["/srv/notes/vault", "~/.config/vault/key"],
        ),
        ("`POST /refunds/{id}` and `/refunds` and `https://a.example/b.html`", vec![]),
        ("The helper `retry_with_jitter()` caps it.", vec!["retry_with_jitter"]),
        ("`LedgerClient::settle` is the only way.", vec!["LedgerClient::settle"]),
        ("API calls of the partner send `customer_ref`.", vec!["customer_ref?"]),
        ("Handled by the `toProblem` middleware.", vec!["toProblem"]),
        ("由函数 `load_rates` 负责。", vec!["load_rates"]),
        ("Never call `panic_now()`.", vec![]),
        ("The merchant `m_test_harbour` has a limit.", vec!["m_test_harbour?"]),
        ("The constant `RETRY_LIMIT` is 5.", vec!["RETRY_LIMIT"]),
        ("Set the variable `RETRY_LIMIT`.", vec!["RETRY_LIMIT?"]),
        ("`GITHUB_TOKEN` comes from the vault.", vec![]),
        ("Work happens on branch `feature/ledger`.", vec!["branch feature/ledger"]),
        ("Branches are named `feature/<ticket>`; a `fix/` branch is short.", vec![]),
        ("The `Nightly` workflow runs it.", vec!["workflow Nightly"]),
        ("Run `npm run lint` first, then npm run check:types.", vec!["npm run lint", "npm run check:types"]),
        ("`main.py` starts it; `Next.js` serves it; `docs.rs` has the rest.", vec!["main.py"]),
        ("Version `1.2.3`, address `10.0.0.1:8080`, ratio `16/9`.", vec!["16/9"]),
    ] {
        assert_eq!(cited(body), expected, "{body}");
    }
}

#[test]
fn a_line_and_its_words_go_with_a_citation() {
    let found = citations("One.\n\nSee\n`src/a.rs` for it.\n");
    assert_eq!((found[0].line, found[0].quote.as_str()), (4, "`src/a.rs` for it."));
}

#[test]
fn a_damaged_record_and_one_of_other_files_say_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let state = StateDir::at(dir.path().join("state"));
    let checkout = Path::new("/nowhere/app");
    let mut memo = Memo::read(Some(&state), checkout, "one", "refs");
    memo.names.insert("Ledger".to_owned(), true);
    memo.paths.insert("a.rs".to_owned(), None);
    memo.write(Some(&state), checkout);
    assert_eq!(Memo::read(Some(&state), checkout, "one", "refs"), memo);
    let other = Memo::read(Some(&state), checkout, "two", "refs");
    assert!(other.names.is_empty() && other.paths.len() == 1);
    assert!(Memo::read(Some(&state), checkout, "one", "other").paths.is_empty());
    let file = fs::read_dir(state.root().join("evidence")).unwrap().next().unwrap().unwrap().path();
    fs::write(&file, b"{\"version\":1,\"tree\":").unwrap();
    assert!(Memo::read(Some(&state), checkout, "one", "refs").names.is_empty());
}
