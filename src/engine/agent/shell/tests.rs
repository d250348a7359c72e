#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice, clippy::print_stderr)]
//! The tables of commands are judged as they should be, and the walls behind them hold.

#[path = "tests/tables.rs"]
mod tables;

use std::fs;

use super::*;
use tables::{ALLOWED, REFUSED};

struct Stage {
    dir: tempfile::TempDir,
    reach: Reach,
}

impl Stage {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("work/MEMORY.md", "# Memory Index\n- [A](a.md) — x marks\n"),
            ("work/a.md", "one\ntwo x\nthree\n"),
            ("work/b b.md", "b\n"),
            ("work/-delete", "a trap\n"),
            ("work/data.json", "{\"a\":[1,2]}\n"),
            ("work/.env", "KEY=1\n"),
            ("work/logs/2026/11/2026-11-30.md", "day\n"),
            ("project/src/main.rs", "fn main() {}\n"),
            ("project/.env", "KEY=1\n"),
            ("home/.ssh/id_ed25519", "key\n"),
            ("home/notes.txt", "notes\n"),
        ] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        std::os::unix::fs::symlink(dir.path().join("home/.ssh/id_ed25519"), dir.path().join("work/link.md")).unwrap();
        std::os::unix::fs::symlink(dir.path().join("home/notes.txt"), dir.path().join("work/out.md")).unwrap();
        let reach =
            Reach { roots: vec![dir.path().join("project")], policy: ShellPolicy::Sandboxed, ..Reach::default() };
        Self { dir, reach }
    }

    fn work(&self) -> PathBuf {
        self.dir.path().join("work").canonicalize().unwrap()
    }

    fn judge(&self, line: &str) -> Result<Vec<(Join, Vec<Command>)>, String> {
        judge(&line.replace("$PROJECT", self.dir.path().join("project").to_str().unwrap()), &self.work(), &self.reach)
    }

    fn run(&self, line: &str) -> Ran {
        let line = line.replace("$PROJECT", self.dir.path().join("project").to_str().unwrap());
        run(&line, &self.work(), &self.reach, &CancellationToken::new())
    }
}

/// Says so where there is no sandbox, and lets nobody call that passed where there has to be one.
fn no_sandbox() -> bool {
    let Some(why) = sandbox::unavailable() else { return false };
    assert!(std::env::var_os("CI").is_none(), "no sandbox: {why}");
    eprintln!("skipped: no sandbox here: {why}");
    true
}

#[test]
fn fc_064_every_command_of_the_tables_is_judged_as_it_should_be() {
    let stage = Stage::new();
    // `*.md` meets the two links, so it is asked for where there are none.
    fs::remove_file(stage.work().join("link.md")).unwrap();
    fs::remove_file(stage.work().join("out.md")).unwrap();
    let refused: Vec<String> =
        ALLOWED.iter().filter_map(|line| Some(format!("{line}: {}", stage.judge(line).err()?))).collect();
    assert!(refused.is_empty(), "refused and harmless:\n{}", refused.join("\n"));
    let stage = Stage::new();
    let allowed: Vec<&str> = REFUSED.iter().copied().filter(|line| stage.judge(line).is_ok()).collect();
    assert!(allowed.is_empty(), "allowed and not harmless:\n{}", allowed.join("\n"));
    assert!(ALLOWED.len() + REFUSED.len() > 300, "{} + {}", ALLOWED.len(), REFUSED.len());
}

/// The page with all of them and why each is refused; `UPDATE_DOCS=1 cargo test --lib page_of_denials` writes it anew.
#[test]
fn the_page_of_denials_says_what_the_tables_say() {
    let stage = Stage::new();
    let place = stage.dir.path().canonicalize().unwrap().display().to_string();
    let shown = |text: &str| {
        // What cannot be seen, and nothing else, is written as an escape.
        let seen = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
        text.replace(&place, "…").chars().map(seen).collect::<String>()
    };
    let cell = |text: &str| shown(text).replace('|', "\\|");
    // The list that ends so many reasons stands once, above the table.
    let list = stage.judge("tee a.md").unwrap_err();
    let (_, list) = list.split_once(" Allowed: ").unwrap();
    let mut page = "# Commands of a model: what runs and what does not\n\nMade by a test from the tables it judges \
         (`UPDATE_DOCS=1 cargo test --lib page_of_denials`).\nThe three walls behind it: [safety.md](safety.md#commands-of-a-model).\n\n\
         ## Refused\n\nWho is told that a command may not run is told too which may: "
        .to_owned();
    page.push_str(&format!("{list}.\n\n| Command | Why |\n|---|---|\n"));
    for line in REFUSED {
        let why = stage.judge(line).unwrap_err();
        let why = why.strip_suffix(&format!(". Allowed: {list}")).unwrap_or(&why);
        page.push_str(&format!("| `` {} `` | {} |\n", cell(line), cell(why)));
    }
    page.push_str("\n## Allowed\n\n");
    for line in ALLOWED {
        page.push_str(&format!("- `` {} ``\n", shown(line)));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/denials.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/denials.md is not what the tables say; UPDATE_DOCS=1 writes it anew");
}

#[test]
fn every_allowed_command_that_is_installed_runs_and_changes_nothing() {
    if no_sandbox() {
        return;
    }
    let stage = Stage::new();
    fs::remove_file(stage.work().join("link.md")).unwrap();
    fs::remove_file(stage.work().join("out.md")).unwrap();
    let before = listing(stage.dir.path());
    for line in ALLOWED {
        match stage.run(line) {
            Ran::Done { .. } => {}
            Ran::Denied(why) => assert!(why.contains("not on this machine"), "{line}: {why}"),
            Ran::Failed(why) => panic!("{line}: {why}"),
        }
    }
    assert_eq!(listing(stage.dir.path()), before);
}

/// Every file with its content and time.
fn listing(root: &Path) -> Vec<(PathBuf, Option<Vec<u8>>, std::time::SystemTime)> {
    let mut all = Vec::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let found = path.symlink_metadata().unwrap();
            if found.is_dir() {
                waiting.push(path.clone());
            }
            all.push((path.clone(), fs::read(&path).ok(), found.modified().unwrap()));
        }
    }
    all.sort();
    all
}

fn text(ran: Ran) -> String {
    match ran {
        Ran::Done { text, .. } => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn pipes_joins_and_redirections_do_what_a_shell_does() {
    if no_sandbox() {
        return;
    }
    let stage = Stage::new();
    for (line, says) in [
        ("cat a.md | grep -c o", "2\n"),
        ("grep -c zzz a.md || echo none", "0\nnone\n"),
        ("grep -q one a.md && echo some || echo none", "some\n"),
        ("grep -q zzz a.md && echo some; echo after", "after\n"),
        ("ls nothing.md 2>/dev/null", ""),
        ("ls nothing.md 2>&1 | wc -l", "1\n"),
        ("ls nothing.md | wc -l 2>/dev/null", "ls: cannot access 'nothing.md': No such file or directory\n0\n"),
        ("echo gone >/dev/null; echo kept", "kept\n"),
        ("echo gone >/dev/null 2>&1", ""),
        ("echo 'a  b' \"c;d\" e\\ f ''", "a  b c;d e f \n"),
        ("ls ?.md [!b].md", "./a.md\n./a.md\n"),
        ("ls logs/*/*/*.md", "./logs/2026/11/2026-11-30.md\n"),
        ("echo *", "*\n"),
        ("cat -n 'b b.md'", "     1\tb\n"),
        ("find . -name '-delete'", "./-delete\n"),
        ("cat -- -delete", "a trap\n"),
    ] {
        let got = text(stage.run(line));
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&got), sorted(says), "{line}");
    }
}

#[test]
fn a_command_that_gets_through_still_meets_the_walls() {
    if no_sandbox() {
        return;
    }
    let stage = Stage::new();
    let home = stage.dir.path().join("home/notes.txt");
    let target = stage.work().join("new.md");
    let (target, home) = (target.to_str().unwrap(), home.to_str().unwrap());
    let pipe = |program: &str, arguments: &[&str]| {
        let command = Command {
            program: allow::program(program).unwrap(),
            arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
            looks: true,
            output: lex::Sink::On,
            errors: lex::Sink::On,
        };
        let mut kept = pipeline::Kept::new(4_096);
        let until = Instant::now() + LIMIT;
        let cancel = CancellationToken::new();
        let success = pipeline::run(&[command], &stage.work(), &stage.reach, until, &cancel, &mut kept).unwrap();
        (success, kept.text())
    };
    let before = listing(stage.dir.path());
    for (program, arguments) in [
        ("touch", vec![target]),
        ("touch", vec!["a.md"]),
        ("rm", vec!["a.md"]),
        ("mv", vec!["a.md", target]),
        ("cp", vec!["a.md", target]),
        ("ln", vec!["-s", "a.md", target]),
        ("mkdir", vec![target]),
        ("chmod", vec!["600", "a.md"]),
        ("tee", vec![target]),
        ("sort", vec!["-o", target, "a.md"]),
        ("find", vec![".", "-delete"]),
        ("cat", vec![home]),
        ("cat", vec!["/etc/hosts"]),
        ("ls", vec!["/"]),
        ("sh", vec!["-c", "echo x > new.md"]),
        ("sh", vec!["-c", "cat ../home/notes.txt"]),
        ("bash", vec!["-c", "echo x > /dev/udp/127.0.0.1/9"]),
        ("bash", vec!["-c", "echo x > /dev/tcp/127.0.0.1/9"]),
        ("sh", vec!["-c", "kill -0 1"]),
    ] {
        let (success, said) = pipe(program, &arguments);
        assert!(!success, "{program} {arguments:?} got through: {said}");
    }
    assert_eq!(listing(stage.dir.path()), before);
    assert!(pipe("cat", &["a.md"]).0, "what may be read can be read");
}

#[test]
fn what_does_not_end_is_killed_and_what_is_endless_is_cut() {
    if no_sandbox() {
        return;
    }
    let stage = Stage::new();
    fs::write(stage.work().join("big.md"), "a line of words\n".repeat(100_000)).unwrap();
    let big = text(stage.run("cat big.md big.md big.md"));
    assert!(big.len() < MAX_OUTPUT + 100 && big.contains("cut after"), "{}", big.len());
    let cancel = CancellationToken::new();
    cancel.cancel();
    assert_eq!(run("cat big.md", &stage.work(), &stage.reach, &cancel), Ran::Failed("the run was killed".to_owned()));
}

#[test]
fn switched_off_it_runs_nothing_and_says_so() {
    let mut stage = Stage::new();
    stage.reach.policy = ShellPolicy::Off;
    let Ran::Denied(why) = stage.run("ls") else { panic!("it ran") };
    assert!(why.contains("configuration") && why.contains("Grep"), "{why}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 2_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_line_is_too_odd_to_be_judged(line in "[ -~\\n\\t\u{a0}é]{0,60}") {
        let _ = lex::lex(&line);
    }

    #[test]
    fn words_come_out_as_they_were_quoted(words in proptest::collection::vec("[^\\p{C}']{1,12}", 1..5)) {
        let line = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
        let read = lex::lex(&line).unwrap();
        let read: Vec<String> = read[0].commands[0].words.iter().map(lex::Word::text).collect();
        proptest::prop_assert_eq!(read, words);
    }
}
