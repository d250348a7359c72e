//! The labelled set of stores with planted problems, dreamed through the binary: what was planted is fixed, what was right is kept.
//!
//! `cargo test --test consolidation -- --nocapture` prints the figures. `DREAM_SET=develop` also lists each miss of that half;
//! the held-out half is never listed (see the set's README).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::string_slice)]
#![allow(unreachable_pub, clippy::missing_docs_in_private_items)]

#[path = "../common/mod.rs"]
mod common;
mod field_cases;
mod judge;
mod label;
mod layout;
mod properties;

use std::thread;

use judge::{Score, judge};
use label::{Half, Label};

/// The least share of planted problems that a dream has to fix, on either half.
const FLOOR_FIXED: f64 = 0.90;

#[test]
fn a_dream_fixes_what_is_planted_and_keeps_what_is_right() {
    let labels = label::load();
    assert!(labels.len() >= 60, "only {} stores", labels.len());
    let scores = judge_all(&labels);
    let listed = std::env::var("DREAM_SET").unwrap_or_default();
    for half in [Half::Develop, Half::HeldOut] {
        let of_half = || labels.iter().zip(&scores).filter(|(label, _)| label.half() == half);
        let total = of_half().fold(Score::default(), |total, (_, score)| total.plus(score));
        println!(
            "{half}: {} stores, {} of {} planted problems fixed ({:.3}), {} of {} kept right ({:.3}), {} of {} second dreams change nothing",
            of_half().count(),
            total.fixed,
            total.planted,
            total.share_fixed(),
            total.kept,
            total.right,
            total.share_kept(),
            total.stable,
            of_half().count(),
        );
        if listed == "develop" && half == Half::Develop {
            for (label, score) in of_half() {
                for miss in &score.misses {
                    println!("  {}: {miss}", label.name);
                }
            }
        }
        assert!(total.planted >= 30 && total.right >= 200, "too small a half to say anything: {total:?}");
        assert!(total.share_fixed() >= FLOOR_FIXED, "{half}: too few planted problems fixed");
        assert_eq!(total.kept, total.right, "{half}: something that was right was not kept");
        assert_eq!(total.stable, of_half().count(), "{half}: a second dream changed something");
    }
}

/// Judges every store, on two threads.
fn judge_all(labels: &[Label]) -> Vec<Score> {
    let half = labels.len().div_ceil(2);
    thread::scope(|scope| {
        let workers: Vec<_> =
            labels.chunks(half).map(|chunk| scope.spawn(move || chunk.iter().map(judge).collect::<Vec<_>>())).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a judge ends")).collect()
    })
}
