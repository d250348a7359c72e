//! This very repository: memories that cite what it has give no finding, and each one with a slip gives one.

use std::fs;
use std::path::Path;

use dreamtop::health;

use crate::help::{drift, grounds, scan, store};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// True sentences, each with one thing to get wrong: what stands between the last two backticks.
const TRUE: &[&str] = &[
    "The floors are held by `tests/architecture.rs`.",
    "House rules: `CONTRIBUTING.md`, the crate's shape: `src/lib.rs`.",
    "The one door is `src/change/door.rs`.",
    "Landing is in `src/change/commit.rs`.",
    "Undo is in `src/change/undo.rs:10`.",
    "The inbox is read in `src/change/inbox.rs`.",
    "Guards lie in `src/change/guard/`.",
    "Secrets are found in `src/change/guard/secrets.rs`.",
    "Scans begin in `src/memory/store/scan.rs:1-20`.",
    "A snapshot is made in `store/mod.rs`.",
    "Frontmatter is edited in `src/memory/frontmatter/edit.rs`.",
    "Index limits are measured in `src/memory/index/mod.rs`.",
    "Ages come from `src/memory/freshness.rs`.",
    "The four types are in `memory/kind.rs`.",
    "Slugs are made in `src/project/slug.rs`.",
    "Work trees are read in `src/project/git.rs`.",
    "Transcripts are streamed by `src/session/reader.rs#L1`.",
    "Human turns come from `src/session/human.rs`.",
    "Engines are named in `src/engine/mod.rs`.",
    "The embedded rules are under `src/engine/embedded/`.",
    "Gates are in `src/run/gates.rs`.",
    "The lock is in `src/run/lock.rs`.",
    "The kill is in `src/run/kill.rs`.",
    "The loop of the screen is `src/tui/app.rs`.",
    "Commands are a table in `src/tui/command/table.rs`.",
    "The footer is drawn by `src/tui/view/footer.rs`.",
    "The grammar of the command line is `src/cli/args.rs`.",
    "`ls` is `src/cli/ls.rs`.",
    "The sample is explained in `assets/sample/README.md`.",
    "The JSON is documented in `docs/json.md`.",
    "Formats are written down in `docs/formats.md`.",
    "Safety is argued in `docs/safety.md`.",
    "The bench is `benches/ls.rs`.",
    "The slow dream of the demo is `assets/demo/slow-dream.jsonl`.",
    "`Cargo.toml` forbids unsafe code; lints are tuned in `clippy.toml`, formatting in `rustfmt.toml`, words in `_typos.toml`, see `tests/screen.rs`.",
    "The struct `ChangeSet` is what every writer hands over.",
    "The struct of a reason is `Consent`.",
    "The trait is `Engine`; the struct of a request is `ChooseError`.",
    "A scan gives the struct `ScanOptions`.",
    "The function is `write_atomic()`.",
    "The function is `git_root()`.",
    "The function is `create_private_dir()`.",
    "The function is `human_turns()`.",
    "The function is `list_sessions()`.",
    "The method is `Door::note_foreign`.",
    "The method is `Store::rescan`.",
    "The method is `ContentHash::of`.",
    "The type is `ProblemCode::PathGone`.",
    "The struct `GateReport` says why nothing starts.",
    "The enum `SaveKind` has two kinds.",
    "The constant `INDEX_FILE` names the index.",
    "The constant `MAX_LINE` bounds a line.",
    "The constant `LARGE_BYTES` is 40,000.",
    "The macro-free function `text_lines()` skips fences.",
    "The function `store_key()` names our directory for a store.",
    "The function `file_time()` takes any time.",
    "The function `local_day()` uses the person's own zone.",
    "Run `cargo test --test architecture`.",
    "Run `cargo test --test reading`.",
    "Run `cargo test --test process`.",
    "Run `cargo bench --bench ls`.",
    "Run `cargo run --bin dreamtop`.",
    "`dreamtop dream --dry-run`",
    "`dreamtop extract --transcript FILE`",
    "`dreamtop ls --memory-dir DIR`",
];

/// The same sentence with a letter too many in what its last code span names.
fn mutated(body: &str) -> String {
    let last = body.rfind('`').unwrap();
    let first = body[..last].rfind('`').unwrap();
    let span = &body[first + 1..last];
    let slipped = if let Some(stem) = span.strip_suffix('/') {
        format!("{stem}qx/")
    } else if let Some((head, rest)) = span.split_once(" --").filter(|_| span.starts_with("dreamtop")) {
        let flag = rest.split(' ').next().unwrap();
        format!("{head} --{flag}-qx{}", &rest[flag.len()..])
    } else if span.contains(' ') {
        format!("{span}_qx")
    } else if span.contains('/') || span.ends_with(".rs") {
        let (stem, end) = span.rsplit_once('.').unwrap();
        format!("{stem}_qx.{end}")
    } else if let Some(name) = span.strip_suffix("()") {
        format!("{name}_qx()")
    } else if span.chars().all(|c| c.is_uppercase() || c == '_') {
        format!("{span}_QX")
    } else {
        format!("{span}Qx")
    };
    format!("{}{slipped}{}", &body[..=first], &body[last..])
}

#[test]
fn true_memories_of_this_repository_give_no_finding_and_each_slip_gives_one() {
    assert!(TRUE.len() >= 60);
    // The sentences stand in this file: what they name must not be found here.
    let checkout = tempfile::tempdir().unwrap();
    copy(here(), checkout.path());
    fs::remove_dir_all(checkout.path().join("tests/evidence")).unwrap();
    let whole = store("project", TRUE);
    let findings = health::check(&scan(whole.path()), &grounds(checkout.path()));
    assert_eq!(drift(&findings), []);
    let slips: Vec<String> = TRUE.iter().map(|body| mutated(body)).collect();
    let slipped = store("project", &slips.iter().map(String::as_str).collect::<Vec<_>>());
    let findings = health::check(&scan(slipped.path()), &grounds(checkout.path()));
    let missed: Vec<&String> = slips
        .iter()
        .enumerate()
        .filter(|(number, _)| findings.iter().all(|one| one.file != format!("project_{number:03}.md")))
        .map(|(_, body)| body)
        .collect();
    println!("{} true memories: 0 findings; with a slip each: {} found", TRUE.len(), TRUE.len() - missed.len());
    assert!(missed.len() * 20 <= TRUE.len(), "missed: {missed:#?}");
    assert!(drift(&findings).len() <= TRUE.len(), "{:?}", drift(&findings));
}

/// The sources, without what is built and without the history.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let name = entry.file_name();
        if ["target", ".git"].iter().any(|skipped| name == *skipped) {
            continue;
        }
        let (path, copied) = (entry.path(), to.join(&name));
        if path.is_dir() {
            copy(&path, &copied);
        } else {
            fs::copy(&path, &copied).unwrap();
        }
    }
}
