//! What the ranking makes of the labelled set, and the floors it may not fall below.

use std::collections::BTreeMap;

use dreamtop::memory::{ScanOptions, ShelfLife, Store};
use dreamtop::recall::{MOST, Question, Ranking, rank};

use crate::common::NOW;
use crate::labelled::{Labelled, Prompt, stores};

/// What was measured of some prompts.
#[derive(Default)]
struct Figures {
    wanting: usize,
    recall: f64,
    wanting_none: usize,
    empty: usize,
    picked: usize,
    right: usize,
}

impl Figures {
    fn add(&mut self, prompt: &Prompt, picked: &[String]) {
        assert!(picked.len() <= MOST, "{}", prompt.text);
        if prompt.wanted.is_empty() {
            self.wanting_none += 1;
            self.empty += usize::from(picked.is_empty());
        } else {
            let found = prompt.wanted.iter().filter(|wanted| picked.contains(wanted)).count();
            self.wanting += 1;
            self.recall += found as f64 / prompt.wanted.len() as f64;
            self.picked += picked.len();
            self.right += found;
        }
    }

    fn recall_at_5(&self) -> f64 {
        self.recall / self.wanting.max(1) as f64
    }

    fn empty_right(&self) -> f64 {
        self.empty as f64 / self.wanting_none.max(1) as f64
    }

    fn line(&self, what: &str) -> String {
        format!(
            "{what:<12} recall@5 {:.3} of {:>3} · empty right {:.3} of {:>3} · wanted among picked {:.2}",
            self.recall_at_5(),
            self.wanting,
            self.empty_right(),
            self.wanting_none,
            self.right as f64 / self.picked.max(1) as f64
        )
    }
}

fn options() -> ScanOptions {
    ScanOptions { now: NOW.parse().unwrap(), shelf_life: ShelfLife::default(), confirmed: Default::default() }
}

fn ask(store: &Store, prompt: &str) -> Ranking {
    let question = Question::new(prompt, std::slice::from_ref(store));
    let examined = question.examine(store, &options()).expect("the store can be read");
    rank(&question, &[examined])
}

fn measure(labelled: &Labelled, halves: &mut BTreeMap<(bool, String), Figures>) {
    let dir = tempfile::tempdir().unwrap();
    labelled.lay_down(dir.path());
    let store = Store::at(dir.path());
    let shows = std::env::var_os("RECALL_SHOW_DEVELOP").is_some();
    for prompt in &labelled.prompts {
        let ranking = ask(&store, &prompt.text);
        let picked: Vec<String> = ranking.picked.iter().map(|hit| hit.memory.file.clone()).collect();
        // Only the half that may be looked at.
        if shows && !prompt.is_held_out && !prompt.wanted.iter().all(|wanted| picked.contains(wanted)) {
            println!("- {}: {} wants {:?}", labelled.name, prompt.text, prompt.wanted);
            ranking.picked.iter().for_each(|hit| println!("     {:.2} {} {}", hit.score, hit.memory.file, hit.why));
            for missed in ranking.missed.iter().take(3) {
                let hit = &missed.hit;
                println!("     [{:.2}] {} {} [{}]", hit.score, hit.memory.file, hit.why, missed.because);
            }
        }
        if shows && !prompt.is_held_out && prompt.wanted.is_empty() && !picked.is_empty() {
            println!("+ {}: {}", labelled.name, prompt.text);
            ranking.picked.iter().for_each(|hit| println!("     {:.2} {} {}", hit.score, hit.memory.file, hit.why));
        }
        for group in ["all".to_owned(), labelled.language.clone()] {
            halves.entry((prompt.is_held_out, group)).or_default().add(prompt, &picked);
        }
    }
}

#[test]
fn the_labelled_set_is_recalled_and_nothing_is_picked_where_nothing_is_wanted() {
    let mut halves: BTreeMap<(bool, String), Figures> = BTreeMap::new();
    let all = stores();
    for labelled in &all {
        assert!((30..=400).contains(&labelled.memories.len()), "{}: {}", labelled.name, labelled.memories.len());
        measure(labelled, &mut halves);
    }
    let prompts: Vec<&Prompt> = all.iter().flat_map(|labelled| &labelled.prompts).collect();
    let none = prompts.iter().filter(|prompt| prompt.wanted.is_empty()).count();
    assert!(all.len() >= 12 && prompts.len() >= 150 && none * 3 >= prompts.len(), "{} {none}", prompts.len());
    for is_held_out in [false, true] {
        println!("{}", if is_held_out { "held-out half" } else { "develop half" });
        for ((_, group), figures) in halves.iter().filter(|((half, _), _)| *half == is_held_out) {
            println!("  {}", figures.line(group));
        }
    }
    let held_out = &halves[&(true, "all".to_owned())];
    assert!(held_out.recall_at_5() >= 0.8, "{}", held_out.line("held out"));
    assert!(held_out.empty_right() >= 0.9, "{}", held_out.line("held out"));
}
