//! The bounds: a thousand memories against a checkout of twenty thousand files, and the second look.

use std::fs;
use std::time::Instant;

use dreamtop::health;
use dreamtop::state::StateDir;

use crate::help::{directory, drift, scan, store};

#[test]
fn a_thousand_memories_and_twenty_thousand_files_are_checked_in_bounded_time_and_a_second_look_reads_no_file() {
    let checkout = directory(&[]);
    for folder in 0..200 {
        let path = checkout.path().join(format!("src/part_{folder:03}"));
        fs::create_dir_all(&path).unwrap();
        for file in 0..100 {
            let text = format!(
                "pub fn handle_{folder}_{file}() {{}}\n{}",
                "// nothing to see here, and more of it\n".repeat(20)
            );
            fs::write(path.join(format!("unit_{file:03}.rs")), text).unwrap();
        }
    }
    let bodies: Vec<String> = (0..1_000)
        .map(|number| {
            let (folder, file) = (number % 200, number % 100);
            format!(
                "The function `handle_{folder}_{file}()` in `src/part_{folder:03}/unit_{file:03}.rs:3` calls `missing_{number}()`, \
                 see `src/part_{folder:03}/lost_{number}.rs`."
            )
        })
        .collect();
    let store = store("reference", &bodies.iter().map(String::as_str).collect::<Vec<_>>());
    let state = directory(&[]);
    let mut grounds = crate::help::grounds(checkout.path());
    grounds.state = Some(StateDir::at(state.path().to_owned()));
    let snapshot = scan(store.path());
    let start = Instant::now();
    let first = health::check(&snapshot, &grounds);
    let took = start.elapsed();
    assert_eq!(drift(&first).len(), 2_000);
    let start = Instant::now();
    let second = health::check(&snapshot, &grounds);
    let again = start.elapsed();
    println!("1,000 memories, 20,000 files: {} ms, again {} ms (this build)", took.as_millis(), again.as_millis());
    assert_eq!(first, second);
}
