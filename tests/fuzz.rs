//! The fuzz targets as a plain loop, so that they run on any toolchain: `DREAMTOP_FUZZ_SECONDS=600 cargo test --test
//! fuzz`. Inputs are the corpus and what a small deterministic mutator makes of it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice, clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[path = "../fuzz/checks.rs"]
mod checks;

/// A small generator of its own (xorshift): the same seed gives the same inputs everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(below.max(1)).unwrap()).unwrap()
    }
}

/// Pieces that mean something to one of the readers.
const PIECES: [&[u8]; 44] = [
    b"---\n",
    b"---",
    b"--- \r\n",
    b"\xEF\xBB\xBF",
    b"\r\n",
    b"\n",
    b"\n\n",
    b"name: ",
    b"name: x\n",
    b"description: ",
    b"metadata: \n  type: user\n",
    b"metadata: {type: user}\n",
    b"type: ",
    b"  ",
    b"\t",
    b" #",
    b"# ",
    b": ",
    b"\"",
    b"'",
    b"|\n  ",
    b">-\n",
    b"- ",
    b"&a ",
    b"*a",
    b"[",
    b"](",
    b")",
    b"[[",
    b"]]",
    b"a.md",
    b"`",
    b"```\n",
    b"<!--",
    b"-->",
    b"| ",
    b"\\",
    b"{",
    b"}",
    b"\0",
    b"\xFF",
    "日".as_bytes(),
    " — ".as_bytes(),
    b"{\"type\":\"user\",\"message\":{\"content\":\"x\"}}\n",
];

fn mutated(corpus: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = corpus[dice.roll(corpus.len())].clone();
    for _ in 0..=dice.roll(6) {
        let at = dice.roll(bytes.len() + 1);
        let end = (at + dice.roll(12)).min(bytes.len());
        match dice.roll(7) {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.splice(at..at, PIECES[dice.roll(PIECES.len())].iter().copied())),
            2 => drop(bytes.splice(at..end, PIECES[dice.roll(PIECES.len())].iter().copied())),
            3 if at < bytes.len() => bytes[at] = u8::try_from(dice.roll(256)).unwrap(),
            4 => {
                let part = bytes[at..end].to_vec();
                let to = dice.roll(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
            5 => bytes.truncate(at),
            _ => {
                let other = &corpus[dice.roll(corpus.len())];
                let from = dice.roll(other.len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
        }
        bytes.truncate(4_000);
    }
    bytes
}

fn fuzz(target: &str, check: fn(&[u8])) {
    let seconds = std::env::var("DREAMTOP_FUZZ_SECONDS").ok().and_then(|word| word.parse().ok()).unwrap_or(2);
    let seed =
        std::env::var("DREAMTOP_FUZZ_SEED").ok().and_then(|word| word.parse().ok()).unwrap_or(0x9E37_79B9_7F4A_7C15);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let corpus: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
    assert!(corpus.len() >= 3);
    corpus.iter().for_each(|bytes| check(bytes));
    let mut dice = Dice(seed);
    let (started, mut inputs) = (Instant::now(), 0_u64);
    while started.elapsed() < Duration::from_secs(seconds) {
        let bytes = mutated(&corpus, &mut dice);
        let outcome = std::panic::catch_unwind(|| check(&bytes));
        assert!(outcome.is_ok(), "input {inputs} of {target} breaks a promise: {:?}", String::from_utf8_lossy(&bytes));
        inputs += 1;
    }
    println!("{target}: {inputs} inputs in {seconds} s");
    assert!(inputs > 0);
}

#[test]
fn fuzz_frontmatter_keeps_its_promises() {
    fuzz("frontmatter", checks::frontmatter);
}

#[test]
fn fuzz_index_keeps_its_promises() {
    fuzz("index", checks::index);
}

#[test]
fn fuzz_transcript_lines_keep_their_promises() {
    fuzz("transcript", checks::transcript);
}
