//! `ls --json` of 1,000 and 10,000 memories beside `cat` of the same files, warm, in one run.
//!
//! `cargo bench --bench ls`. The peer is `cat`, because listing has to read every file once. Prints medians of five pairs
//! and their ratio; asserts nothing, for machines differ.
#![allow(clippy::expect_used, clippy::print_stdout)]

mod timing;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use timing::{median, run};

const PAIRS: usize = 5;

fn main() {
    println!("{:>9}  {:>10}  {:>10}  {:>6}", "memories", "ls --json", "cat", "ratio");
    for count in [1_000, 10_000] {
        let dir = tempfile::tempdir().expect("a temp directory");
        let store = dir.path().join("memory");
        lay_out(&store, count);
        let list = || {
            run(
                Command::new(env!("CARGO_BIN_EXE_dreamtop")).arg("--memory-dir").arg(&store).args(["--json", "ls"]),
                dir.path(),
            )
        };
        // `find … -exec cat {} +` because no command line takes ten thousand names.
        let cat = || run(Command::new("find").arg(&store).args(["-type", "f", "-exec", "cat", "{}", "+"]), dir.path());
        let (_, _) = (list(), cat());
        let pairs: Vec<(Duration, Duration)> = (0..PAIRS).map(|_| (list(), cat())).collect();
        let (list, cat) = (median(pairs.iter().map(|pair| pair.0)), median(pairs.iter().map(|pair| pair.1)));
        println!("{count:>9}  {list:>10.1?}  {cat:>10.1?}  {:>6.2}", list.as_secs_f64() / cat.as_secs_f64());
    }
}

/// A store of `count` memories of about 3 KB each, all in the index.
fn lay_out(store: &Path, count: usize) {
    fs::create_dir_all(store).expect("the store is made");
    let mut index = String::from("# Memory Index\n\n");
    for number in 0..count {
        let kind = ["user", "feedback", "project", "reference"][number % 4];
        let file = format!("{kind}_{number:05}.md");
        let body = format!("Fact {number} of many, said in passing.\n\n**Why:** it came up in review.\n\n").repeat(36);
        let text = format!(
            "---\nname: fact-{number}\ndescription: \"Fact {number} of many\"\nmetadata: \n  node_type: memory\n  type: {kind}\n  \
             modified: 2026-11-{:02}T09:00:00.000Z\n---\n\n{body}",
            1 + number % 28
        );
        fs::write(store.join(&file), text).expect("a memory is written");
        index.push_str(&format!("- [Fact {number}]({file}) — one of many\n"));
    }
    fs::write(store.join("MEMORY.md"), index).expect("the index is written");
}
