//! Counting: a written memory is true when it meets an expectation that nothing before it met, false otherwise.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::cases::{Case, Label, Origin};
use crate::run::Written;

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    pub true_memories: usize,
    pub false_memories: usize,
    pub expected: usize,
    pub met: usize,
}

impl Count {
    /// The share of written memories that are true.
    pub fn precision(self) -> f64 {
        share(self.true_memories, self.true_memories + self.false_memories)
    }

    /// The share of expectations that are met.
    pub fn recall(self) -> f64 {
        share(self.met, self.expected)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// The counts of a half.
#[derive(Default)]
pub struct Score {
    pub total: Count,
    rows: BTreeMap<(&'static str, String), Count>,
    /// Each false memory, and each expectation that nothing meets.
    pub faults: Vec<String>,
}

fn meets(written: &Written, label: &Label) -> bool {
    let says = written.says.to_lowercase();
    label.kinds.has(&written.kind)
        && label.words.iter().all(|word| says.contains(&word.to_lowercase()))
        && label.date.as_ref().is_none_or(|date| says.contains(date.as_str()))
        && label.file.as_ref().is_none_or(|file| *file == written.file)
}

impl Score {
    fn count(&mut self, origin: &Origin, kind: &str, change: impl Fn(&mut Count)) {
        change(&mut self.total);
        change(self.rows.entry(("batch", origin.batch.clone())).or_default());
        change(self.rows.entry(("language", origin.language.clone())).or_default());
        change(self.rows.entry(("type", kind.to_owned())).or_default());
    }

    /// Counts a case.
    pub fn add(&mut self, origin: &Origin, case: &Case, written: &[Written]) {
        let mut met = vec![false; case.expect.len()];
        for memory in written {
            let fits: Vec<usize> = (0..met.len()).filter(|at| meets(memory, &case.expect[*at])).collect();
            if fits.iter().any(|at| !met[*at]) {
                self.count(origin, &memory.kind, |count| count.true_memories += 1);
                fits.iter().for_each(|at| met[*at] = true);
            } else if fits.is_empty() && case.allow.iter().any(|label| meets(memory, label)) {
            } else {
                self.count(origin, &memory.kind, |count| count.false_memories += 1);
                self.faults.push(format!("FALSE  {}: {} {:?}", case.name, memory.kind, memory.says));
            }
        }
        for (label, met) in case.expect.iter().zip(met) {
            self.count(origin, label.kinds.first(), |count| {
                count.expected += 1;
                count.met += usize::from(met);
            });
            if !met {
                self.faults.push(format!("MISSED {}: {:?} {:?}", case.name, label.kinds, label.words));
            }
        }
    }

    /// The counts of one batch.
    pub fn batch(&self, name: &str) -> Count {
        self.rows.get(&("batch", name.to_owned())).copied().unwrap_or_default()
    }

    /// The counts of all batches but one.
    pub fn batches_after(&self, first: &str) -> Count {
        let batches = self.rows.iter().filter(|((by, name), _)| *by == "batch" && name != first);
        batches.fold(Count::default(), |sum, (_, count)| Count {
            true_memories: sum.true_memories + count.true_memories,
            false_memories: sum.false_memories + count.false_memories,
            expected: sum.expected + count.expected,
            met: sum.met + count.met,
        })
    }

    /// The table.
    pub fn table(&self, title: &str) -> String {
        let mut table = format!("{title:<22} true false precision   met   of recall\n");
        let mut row = |name: &str, count: &Count| {
            let _ = writeln!(
                table,
                "{name:<22} {:>4} {:>5} {:>9.3} {:>5} {:>4} {:>6.3}",
                count.true_memories,
                count.false_memories,
                count.precision(),
                count.met,
                count.expected,
                count.recall()
            );
        };
        for ((by, name), count) in &self.rows {
            row(&format!("  {by} {name}"), count);
        }
        row("  all", &self.total);
        table
    }
}
