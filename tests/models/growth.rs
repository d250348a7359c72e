//! What a long session costs: every question bounded, all of them together as much as was said.

use std::fs;
use std::time::Duration;

use dreamtop::clock::Clock;
use dreamtop::config::Config;
use dreamtop::environment::Environment;
use dreamtop::run::Outcome;
use dreamtop::run::lock::Patience;
use dreamtop::run::worker::{Task, run_until};
use dreamtop::state::StateDir;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::bench::{Bench, topic};
use crate::faults::PROTOCOLS;
use crate::order::order;
use crate::server::Server;

/// Both protocols are asked the same; one is asked to the end.
const TURNS: [usize; 2] = [300, 30];
const EVERY: usize = 10;

#[test]
fn fc_058_and_fc_123_three_hundred_turns_cost_what_was_said_in_them_and_no_fact_is_stored_twice() {
    for ((engine, says, calls), turns) in PROTOCOLS.into_iter().zip(TURNS) {
        let server = Server::answering(move |request, _| {
            let text = request.text();
            let said = text.split("# What was said").nth(1).unwrap_or_default();
            let fact = said.split("fact number ").nth(1).and_then(|rest| rest.split('.').next());
            match fact.filter(|_| !text.contains("wrote project_")) {
                Some(number) => {
                    let content = topic(
                        &format!("fact-{number}"),
                        "project",
                        "a fact",
                        &format!("This is fact number {number}."),
                    );
                    calls(&[(
                        "Write",
                        json!({ "file_path": format!("project_{number}.md"), "content": content, "reason": "said",
                            "sources": [{ "session": "s-0001", "quote": format!("this is fact number {number}") }] }),
                    )])
                }
                None => says("nothing to remember"),
            }
        });
        let bench = Bench::new(engine, &server.url);
        let mut config = Config::default();
        let section = if engine == "anthropic" { &mut config.models.anthropic } else { &mut config.models.openai };
        section.model = Some("some-model".to_owned());
        section.base_url = Some(server.url.clone());
        let state = StateDir::at(bench.machine.path("state/dreamtop"));
        let environment = Environment::of(&bench.machine.root(), &[]);
        let clock = Clock::Fixed(crate::common::NOW.parse().unwrap());
        let patience = Patience { settle: Duration::from_millis(1), unfinished: Duration::from_millis(1) };
        let mut ends = Vec::new();
        for turn in 0..turns {
            let news = if turn % EVERY == 0 {
                format!("this is fact number {turn}.")
            } else {
                "go on with it please".to_owned()
            };
            let transcript = bench.session("s-0001", &[&format!("{news} {}", "and some more talk ".repeat(20))]);
            let task = Task::Extract { transcript, again: false };
            let mut order = order(bench.machine.path("m"), &bench.machine.path("s"), task, engine, "hand");
            order.config = config.clone();
            let view = run_until(&order, &state, &clock, &environment, &CancellationToken::new(), patience).unwrap();
            assert_eq!(view.outcome, Some(Outcome::Done), "{}", view.reason);
            ends.push(server.asked().len());
        }
        let sizes: Vec<usize> = server.asked().iter().map(|request| request.bytes).collect();
        let sum = |from: usize, to: usize| sizes[from..to].iter().sum::<usize>();
        let third = |number: usize| if number == 0 { 0 } else { ends[turns / 3 * number - 1] };
        let thirds = [0, 1, 2].map(|number| sum(third(number), third(number + 1)));
        for from in (0..turns).step_by(50) {
            let to = (from + 50).min(turns);
            let (first, last) = (if from == 0 { 0 } else { ends[from - 1] }, ends[to - 1]);
            let largest = sizes[first..last].iter().max().unwrap();
            eprintln!("| {engine} | {} to {to} | {} | {} | {largest} |", from + 1, last - first, sum(first, last));
        }
        eprintln!(
            "{engine}: {} questions, largest {} bytes, thirds {thirds:?}",
            sizes.len(),
            sizes.iter().max().unwrap()
        );
        assert!(sizes.iter().all(|size| *size < 32_000), "none above the limit: {:?}", sizes.iter().max());
        // The list of what is stored grows until it is full; nothing else does.
        assert!(thirds[2] * 2 < thirds[1] * 3, "linear: {thirds:?}");
        let stored = fs::read_dir(bench.machine.path("m"))
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name().into_string().unwrap());
        let facts = stored.filter(|name| name.starts_with("project_") && name != "project_testing.md").count();
        assert_eq!(facts, turns / EVERY, "each fact once");
    }
}
