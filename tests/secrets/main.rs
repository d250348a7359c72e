//! The scanner for credentials, measured on a corpus that is drawn anew at every run: `cargo test --test secrets --
//! --nocapture` prints what it finds of each group. No credential is stored here, none was ever issued.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::string_slice)]

mod corpus;

use std::collections::BTreeMap;
use std::time::Instant;

use corpus::{Dice, Group, Sample};
use dreamtop::secret::{redacted, scan};

/// What of each group must be found, in hundredths. For `Nothing` it is what may be: none.
const FLOORS: [(Group, usize); 5] =
    [(Group::Token, 99), (Group::Worded, 95), (Group::Block, 100), (Group::Hidden, 80), (Group::Nothing, 0)];

fn seeds() -> Vec<u64> {
    let given = std::env::var("DREAMTOP_SECRETS_SEED").ok().and_then(|word| word.parse().ok());
    given.map_or_else(|| vec![1, 2026, 77_777], |seed| vec![seed])
}

#[test]
fn credentials_are_found_by_group_and_what_only_looks_like_one_is_not() {
    for seed in seeds() {
        let samples = corpus::draw(&mut Dice::new(seed), 4_000);
        let bytes: usize = samples.iter().map(|sample| sample.text.len()).sum();
        let started = Instant::now();
        let verdicts: Vec<bool> = samples.iter().map(|sample| !scan(sample.text.as_bytes()).is_empty()).collect();
        let seconds = started.elapsed().as_secs_f64();
        let mut groups: BTreeMap<Group, (usize, usize)> = BTreeMap::new();
        let mut wrong: BTreeMap<String, usize> = BTreeMap::new();
        for (sample, is_found) in samples.iter().zip(verdicts) {
            let score = groups.entry(sample.group).or_default();
            score.1 += 1;
            score.0 += usize::from(is_found);
            if is_found == (sample.group == Group::Nothing) {
                *wrong.entry(format!("{:?} {} in {}", sample.group, sample.kind, sample.place)).or_default() += 1;
            }
        }
        println!("seed {seed}: {} texts, {bytes} bytes in {seconds:.2} s", samples.len());
        for (group, floor) in FLOORS {
            let (found, all) = groups[&group];
            println!("  {group:?}: {found} of {all}");
            let holds = if group == Group::Nothing { found == 0 } else { found * 100 >= all * floor };
            assert!(holds, "seed {seed}, {group:?}: {found} of {all}, wanted {floor} %: {wrong:#?}");
        }
        println!("  wrong: {wrong:?}");
    }
}

#[test]
fn what_is_found_names_its_line_and_is_taken_out_whole() {
    let samples = corpus::draw(&mut Dice::new(9), 1_500);
    let plain = samples.iter().filter(|sample| matches!(sample.group, Group::Token | Group::Worded | Group::Block));
    for Sample { text, secret, kind, place, .. } in plain {
        let hits = scan(text.as_bytes());
        let Some(hit) = hits.first() else { continue };
        let line = text[..text.find(secret.as_str()).unwrap()].matches('\n').count() + 1;
        assert_eq!(hit.line, line, "{kind} in {place}");
        let clean = redacted(text);
        assert!(!clean.contains(secret.as_str()), "{kind} in {place}: {clean}");
        // No long piece of it stays either.
        let piece = &secret[secret.len() / 2..];
        assert!(piece.len() < 8 || !clean.contains(piece), "{kind} in {place}: {clean}");
        assert!(scan(clean.as_bytes()).is_empty(), "{kind} in {place}: what is left is clean: {clean}");
        let (before, after) = (text.lines().next().unwrap(), text.lines().last().unwrap());
        assert!(
            clean.starts_with(before) && clean.trim_end().ends_with(after),
            "{kind} in {place}: the rest stays: {clean}"
        );
    }
}

#[test]
fn no_bytes_at_all_stop_the_scanner_and_redacting_twice_changes_nothing() {
    let mut dice = Dice::new(5);
    let samples = corpus::draw(&mut dice, 400);
    for sample in &samples {
        let mut bytes = sample.text.clone().into_bytes();
        for _ in 0..4 {
            let at = dice.roll(bytes.len());
            match dice.roll(3) {
                0 => bytes[at] = u8::try_from(dice.roll(256)).unwrap(),
                1 => bytes.truncate(at + 1),
                _ => drop(bytes.splice(at..at, "\u{200B}ｇ日\r\n".bytes())),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let clean = redacted(&text);
        assert_eq!(redacted(&clean), clean);
        assert!(!scan(&bytes).is_empty() || clean == text, "nothing found, nothing changed");
    }
}
