//! What two sessions say of one thing never stands side by side unseen: the later value takes the place of the earlier, or
//! `check` names the pair; and two things that only look alike stay two.

use std::collections::HashMap;

use dreamtop::health::{self, Grounds};
use dreamtop::memory::{ProblemCode, ScanOptions, ShelfLife, Store};
use serde::Deserialize;

use crate::bench::Bench;

/// What is said in one session and then in another, each pair to a store of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pairs {
    /// The later takes the place of the earlier, which stays below it.
    replaced: Vec<[String; 2]>,
    /// Both stay, and `check` names them.
    named: Vec<[String; 2]>,
    /// Two things: both stay as they are, and nothing is wrong with them.
    apart: Vec<[String; 2]>,
}

/// What became of a pair.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Replaced,
    Named,
    Apart,
    Other(Vec<String>),
}

/// What stands in the store after both were said, on two days, and what stood there between.
fn outcome(bench: &Bench, before: &[(String, String)]) -> Outcome {
    let bodies: Vec<String> = bench.topics().iter().map(|file| bench.read(file)).collect();
    let is_replaced = |body: &String| body.lines().any(|line| line.starts_with("**Before 2026-11-18:** "));
    let is_untouched = before.iter().all(|(file, body)| bench.files().contains_key(file) && bench.read(file) == *body);
    match (bodies.as_slice(), before) {
        ([one], [_]) if is_replaced(one) && one.matches("Source: ").count() == 2 => Outcome::Replaced,
        (_, [_]) if is_untouched => {
            let options = ScanOptions { now: bench.now, shelf_life: ShelfLife::default(), confirmed: HashMap::new() };
            let snapshot = Store::at(bench.copy()).scan(&options).unwrap();
            let found = health::check(&snapshot, &Grounds::default());
            let is_named = found.iter().any(|finding| finding.code == ProblemCode::Conflict);
            if is_named { Outcome::Named } else { Outcome::Apart }
        }
        _ => Outcome::Other(bodies),
    }
}

fn faults(pairs: &[[String; 2]], expected: &Outcome) -> Vec<String> {
    let mut faults = Vec::new();
    for [earlier, later] in pairs {
        let bench = Bench::new();
        bench.extract(vec![bench.session_of("2026-11-16", "first", &[earlier])]);
        let before: Vec<_> = bench.topics().into_iter().map(|file| (file.clone(), bench.read(&file))).collect();
        bench.extract(vec![bench.session_of("2026-11-18", "second", &[later])]);
        // What extraction was sure of a dream leaves alone, and so it does with what is left to a person.
        for when in ["extracted", "dreamed"] {
            let outcome = outcome(&bench, &before);
            if outcome != *expected {
                faults.push(format!("{earlier:?} / {later:?} {when} should be {expected:?}, is {outcome:#?}"));
                break;
            }
            bench.dream(Vec::new());
        }
    }
    faults
}

#[test]
fn two_values_of_one_thing_never_stand_side_by_side_unseen() {
    let pairs: Pairs = serde_yaml::from_str(include_str!("two_values.yaml")).unwrap();
    let mut all = faults(&pairs.replaced, &Outcome::Replaced);
    all.extend(faults(&pairs.named, &Outcome::Named));
    all.extend(faults(&pairs.apart, &Outcome::Apart));
    assert!(all.is_empty(), "{} faults\n{}", all.len(), all.join("\n"));
}

#[test]
fn of_two_values_of_one_session_only_the_later_is_stored_and_of_one_day_the_earlier_stands_below() {
    for ([earlier, later], new) in [
        (["We deploy on Fridays.", "Actually we deploy on Mondays now."], "Mondays"),
        (["Lena signs off all copy changes.", "Lena left, Omar signs off copy changes now."], "Omar"),
    ] {
        let bench = Bench::new();
        bench.extract(vec![bench.session("one", &[earlier, "thanks, looks good", later])]);
        let [file] = bench.topics().try_into().unwrap();
        assert!(bench.read(&file).contains(new) && !bench.read(&file).contains("**Before"), "{}", bench.read(&file));

        let bench = Bench::new();
        bench.extract(vec![bench.session("first", &[earlier])]);
        bench.extract(vec![bench.session("second", &["hello", later])]);
        let [file] = bench.topics().try_into().unwrap();
        assert!(bench.read(&file).contains(&format!("**Before 2026-11-28:** {earlier}")), "{}", bench.read(&file));
    }
}
