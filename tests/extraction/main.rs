//! The embedded extraction, judged on a labelled set of invented transcripts (see `README.md` beside this file).
//!
//! `cargo test --test extraction -- --nocapture` prints the tables. Faults are printed for the half that rules are tuned
//! on, and for that half only.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, unreachable_pub)]

mod anything;
#[path = "../common/bench.rs"]
mod bench;
mod cases;
mod later;
#[path = "../common/order.rs"]
mod order;
mod run;
mod score;
mod sessions;
mod taken_back;
mod turns;
mod two_values;
mod updates;

use std::collections::BTreeSet;

use cases::Half;
use score::Score;

/// The share of memories that have to be true.
const PRECISION: f64 = 0.90;
/// The share of expectations that have to be met in the first batch of cases.
const RECALL: f64 = 0.70;
/// And in the later ones, which were written against the rules as they were, in the manner of other people.
const RECALL_OF_OTHERS: f64 = 0.50;

#[test]
fn the_set_is_whole_half_of_it_are_traps_and_every_case_lies_in_its_half() {
    let mut names = BTreeSet::new();
    let (mut traps, mut worth) = (0, 0);
    for half in Half::ALL {
        for (_, case) in cases::load(half) {
            assert_eq!(Half::of(&case.name), half, "{} lies in the wrong half", case.name);
            if case.expect.is_empty() {
                traps += 1;
            } else {
                worth += 1;
            }
            assert!(names.insert(case.name.clone()), "{} is there twice", case.name);
        }
    }
    assert!(names.len() >= 300 && traps * 2 >= names.len(), "{traps} traps, {worth} others");
}

#[test]
fn extraction_is_right_first_and_mostly_complete_and_stores_no_secret_and_no_quote_that_nobody_said() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut leaks = Vec::new();
    for half in Half::ALL {
        let mut score = Score::default();
        for (origin, case) in cases::load(half) {
            let written = run::run(&case, &runtime);
            let said = run::said(&case);
            for memory in &written {
                let secrets = dreamtop::secret::scan(memory.bytes.as_bytes());
                if !secrets.is_empty() || memory.bytes.contains("hunter2") {
                    leaks.push(format!("{}: a secret is stored", case.name));
                }
                if memory.quotes.is_empty()
                    || !memory.quotes.iter().all(|quote| said.iter().any(|turn| turn.contains(quote)))
                {
                    leaks.push(format!("{}: nobody said {:?}", case.name, memory.quotes));
                }
            }
            score.add(&origin, &case, &written);
        }
        println!("{}", score.table(half.directory()));
        if half == Half::Develop {
            println!("{}\n", score.faults.join("\n"));
        } else {
            let (first, others) = (score.batch("first"), score.batches_after("first"));
            for (count, recall) in [(first, RECALL), (others, RECALL_OF_OTHERS)] {
                assert!(count.precision() >= PRECISION, "precision {:.3} {count:?}", count.precision());
                assert!(count.recall() >= recall, "recall {:.3} {count:?}", count.recall());
            }
        }
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
}
