//! True and false citations of generated repositories: how many of the false are found, and how many findings are right.

use std::collections::BTreeMap;

use dreamtop::health;

use crate::help::{directory, grounds, scan, store};
use crate::repositories::{Claim, REPOSITORIES};

/// Right findings, false alarms, missed ones.
#[derive(Default)]
struct Tally {
    right: usize,
    wrong: usize,
    missed: usize,
}

impl Tally {
    fn precision(&self) -> f64 {
        ratio(self.right, self.right + self.wrong)
    }

    fn recall(&self) -> f64 {
        ratio(self.right, self.right + self.missed)
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

#[test]
fn findings_on_labelled_repositories_are_right_and_most_of_what_is_gone_is_found() {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut wrong = Vec::new();
    let (mut claims_in_all, mut true_ones) = (0, 0);
    for (name, files, claims) in REPOSITORIES {
        let checkout = directory(files);
        // A repository without commits: its branches are known, its history is not.
        std::fs::create_dir_all(checkout.path().join(".git/refs/heads/feature")).unwrap();
        std::fs::write(checkout.path().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        std::fs::write(checkout.path().join(".git/refs/heads/feature/importer"), format!("{}\n", "1".repeat(40)))
            .unwrap();
        let bodies: Vec<&str> = claims.iter().map(|Claim(body, _)| *body).collect();
        let store = store("project", &bodies);
        let snapshot = scan(store.path());
        let mut of_repository = grounds(checkout.path());
        of_repository.git = None;
        let findings = health::check(&snapshot, &of_repository);
        for (number, Claim(body, expected)) in claims.iter().enumerate() {
            claims_in_all += 1;
            true_ones += usize::from(expected.is_none());
            let file = format!("project_{number:03}.md");
            let is_evidence = |code: &str| code.ends_with("-gone") || code.starts_with("date-");
            let found: Vec<_> =
                findings.iter().filter(|one| one.file == file && is_evidence(one.code.word())).collect();
            for one in &found {
                let tally = tallies.entry(one.code.word().to_owned()).or_default();
                if *expected == Some(one.code.word()) {
                    tally.right += 1;
                } else {
                    tally.wrong += 1;
                    wrong.push(format!("{name}: {body:?}: {} {:?}", one.code, one.message));
                }
                assert!(one.line.is_some() && one.evidence.is_some(), "{one:?}");
            }
            if let Some(code) = expected.filter(|code| found.iter().all(|one| one.code.word() != *code)) {
                tallies.entry(code.to_owned()).or_default().missed += 1;
                wrong.push(format!("{name}: {body:?}: missed {code}"));
            }
        }
    }
    println!("{claims_in_all} citing memories, {true_ones} of them true");
    println!("{:<14} {:>5} {:>5} {:>6} {:>9} {:>7}", "code", "right", "wrong", "missed", "precision", "recall");
    for (code, tally) in &tallies {
        println!(
            "{code:<14} {:>5} {:>5} {:>6} {:>9.3} {:>7.3}",
            tally.right,
            tally.wrong,
            tally.missed,
            tally.precision(),
            tally.recall()
        );
    }
    wrong.iter().for_each(|line| println!("{line}"));
    for (code, tally) in &tallies {
        assert!(tally.precision() >= 0.95, "{code}: precision {:.3}", tally.precision());
        assert!(tally.recall() >= 0.80, "{code}: recall {:.3}", tally.recall());
    }
}
