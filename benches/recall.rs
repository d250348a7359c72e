//! `recall` over 1,000 and 10,000 memories beside `cat` of the same files, in one run.
//!
//! `cargo bench --bench recall`. The peer is `cat`, because without an index every file has to be read once. Each recall is a
//! process of its own that finds nothing kept from the one before; the page cache is warm for both. Prints medians of five
//! pairs and their ratio; asserts nothing, for machines differ.
#![allow(clippy::expect_used, clippy::print_stdout)]

mod timing;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use timing::{median, run};

const PAIRS: usize = 5;

const WORDS: &str = "service queue cache ledger invoice customer token branch commit deploy staging cluster replica shard index \
query migration schema column release rollback feature flag review comment coverage fixture latency budget alert runbook pager \
incident board ticket sprint backlog owner vendor contract region bucket object stream batch worker retry timeout circuit limit \
header cookie session login password scope role policy audit export import parser lexer socket buffer thread mutex channel";

fn main() {
    println!("{:>9}  {:>22}  {:>10}  {:>10}  {:>6}", "memories", "prompt", "recall", "cat", "ratio");
    for count in [1_000, 10_000] {
        let dir = tempfile::tempdir().expect("a temp directory");
        let store = dir.path().join("memory");
        lay_out(&store, count);
        for (name, prompt) in [
            ("words most files have", "the deploy of the customer service fails on staging after the schema migration"),
            ("words few files have", "who owns the quetzal exporter"),
        ] {
            let recall = || {
                let binary = env!("CARGO_BIN_EXE_dreamtop");
                run(Command::new(binary).arg("--memory-dir").arg(&store).args(["--json", "recall", prompt]), dir.path())
            };
            // `find … -exec cat {} +` because no command line takes ten thousand names.
            let cat =
                || run(Command::new("find").arg(&store).args(["-type", "f", "-exec", "cat", "{}", "+"]), dir.path());
            let (_, _) = (recall(), cat());
            let pairs: Vec<(Duration, Duration)> = (0..PAIRS).map(|_| (recall(), cat())).collect();
            let (recall, cat) = (median(pairs.iter().map(|pair| pair.0)), median(pairs.iter().map(|pair| pair.1)));
            let ratio = recall.as_secs_f64() / cat.as_secs_f64();
            println!("{count:>9}  {name:>22}  {recall:>10.1?}  {cat:>10.1?}  {ratio:>6.2}");
        }
    }
}

/// A store of `count` memories of about 3 KB each, all in the index, of words that differ from file to file.
fn lay_out(store: &Path, count: usize) {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut word = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        words[(seed % words.len() as u64) as usize]
    };
    fs::create_dir_all(store).expect("the store is made");
    let mut index = String::from("# Memory Index\n\n");
    for number in 0..count {
        let kind = ["user", "feedback", "project", "reference"][number % 4];
        let file = format!("{kind}_{number:05}.md");
        let mut body = String::new();
        while body.len() < 2_800 {
            body.push_str(&format!("The {} of the {} needs a {} before the {}.\n\n", word(), word(), word(), word()));
        }
        let about = if number == count / 2 { "quetzal exporter".to_owned() } else { format!("{} {}", word(), word()) };
        let text = format!(
            "---\nname: note-{number}\ndescription: \"What to know about the {about}\"\nmetadata:\n  node_type: memory\n  type: {kind}\n  \
             modified: 2026-11-{:02}T09:00:00.000Z\n---\n\n{body}",
            1 + number % 28
        );
        fs::write(store.join(&file), text).expect("a memory is written");
        index.push_str(&format!("- [Note {number}]({file}) — the {about}\n"));
    }
    fs::write(store.join("MEMORY.md"), index).expect("the index is written");
}
