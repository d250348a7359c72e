//! `find --sessions` beside ripgrep (else `grep`) with the same pattern on the same transcripts, in one run.
//!
//! `cargo bench --bench find`; `DREAMTOP_BENCH_MB` sets how much text is made (200). The peer counts matching lines; we also
//! understand them, take credentials out and print them. Prints medians of five pairs and their ratio; asserts nothing.
#![allow(clippy::expect_used, clippy::print_stdout)]

mod timing;

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use timing::{median, run};

const PAIRS: usize = 5;
const FILES: usize = 50;

fn main() {
    let megabytes: u64 = std::env::var("DREAMTOP_BENCH_MB").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let dir = tempfile::tempdir().expect("a temp directory");
    let (store, sessions) = (dir.path().join("memory"), dir.path().join("sessions"));
    fs::create_dir_all(&store).expect("the store is made");
    let bytes = lay_out(&sessions, megabytes * 1_000_000 / FILES as u64);
    let has_ripgrep =
        Command::new("rg").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    let peer = if has_ripgrep { "rg" } else { "grep" };
    if !has_ripgrep {
        println!("ripgrep is not installed: the peer is grep, which is slower");
    }
    println!("{:.0} MB in {FILES} transcripts", bytes as f64 / 1e6);
    println!("{:>28}  {:>10}  {:>10}  {:>6}", "pattern", "find", peer, "ratio");
    for pattern in ["quetzal", "Quetzal exporter", "retry the (payout|refund) job", "said \"never\""] {
        let find = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_dreamtop"));
            command.arg("--memory-dir").arg(&store).arg("--sessions").arg(&sessions).args(["find", pattern]);
            run(&mut command, dir.path())
        };
        let other = || {
            // What a person would have to type to find the same in the raw file.
            let raw = pattern.replace('"', r#"\\""#);
            let mut command = Command::new(peer);
            if has_ripgrep {
                command.args(["-S", "-c", "--no-ignore"])
            } else {
                command.args(["-r", "-c", "-i", "-E"])
            };
            run(command.arg(raw).arg(&sessions), dir.path())
        };
        let (_, _) = (find(), other());
        let pairs: Vec<(Duration, Duration)> = (0..PAIRS).map(|_| (find(), other())).collect();
        let (find, other) = (median(pairs.iter().map(|pair| pair.0)), median(pairs.iter().map(|pair| pair.1)));
        let ratio = find.as_secs_f64() / other.as_secs_f64();
        println!("{pattern:>28}  {find:>10.1?}  {other:>10.1?}  {ratio:>6.2}");
    }
}

/// Transcripts of `each` bytes: prose, code in tool results, few lines that the patterns match.
fn lay_out(sessions: &Path, each: u64) -> u64 {
    fs::create_dir_all(sessions).expect("the directory is made");
    let mut total = 0;
    for file in 0..FILES {
        let path = sessions.join(format!("{file:04}.jsonl"));
        let mut out = BufWriter::new(fs::File::create(&path).expect("a transcript is made"));
        let (mut written, mut number) = (0, 0_u64);
        while written < each {
            let text = match number % 997 {
                13 => "look at the quetzal exporter again".to_owned(),
                101 => "retry the payout job once more".to_owned(),
                503 => "the reviewer said \"never\" and meant it".to_owned(),
                rest => format!(
                    "fn step_{rest}(state: &State) -> Result<(), Error> {{\n    let value = \"{number}\";\n    state.apply(value)?;\n    Ok(())\n}}\n"
                )
                .repeat(1 + (rest as usize % 40)),
            };
            let content = serde_json::to_string(&text).expect("a string");
            let kind = if number % 2 == 0 { "user" } else { "assistant" };
            let line = format!(
                "{{\"type\":\"{kind}\",\"uuid\":\"{file}-{number}\",\"sessionId\":\"{file}\",\"timestamp\":\"2026-11-20T09:00:00Z\",\
                 \"message\":{{\"role\":\"{kind}\",\"content\":{content}}}}}\n"
            );
            out.write_all(line.as_bytes()).expect("a line is written");
            written += line.len() as u64;
            number += 1;
        }
        total += written;
    }
    total
}
