//! What the command `claude` leaves running behind it ends with the run, and keeps no answer waiting.

use crate::bench::Bench;
use crate::common::wait_until;
use crate::stand_in::{bench, result, told, written};

#[test]
fn a_result_counts_although_something_in_the_background_holds_the_output() {
    let more = "echo $$ > \"$CLAUDE_CONFIG_DIR/pid\"\nsleep 300 &\necho $! > \"$CLAUDE_CONFIG_DIR/below\"\n";
    let bench = bench(&format!("{}{more}{}", written(), result("success", false, "Stored one fact.")));
    let (code, run) = bench.dream();
    assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{run:#}");
    assert!(bench.read("project_new.md").contains("A fact that holds."));
    for file in ["pid", "below"] {
        let pid = told(&bench, file).trim().parse().unwrap();
        wait_until("it is gone", || !dreamtop::process::is_alive(pid));
    }
}

/// A stand-in that leaves something behind in a session and a group of its own, which holds nothing of it.
const LEAVES: &str = "setsid sh -c 'echo $$ > \"$CLAUDE_CONFIG_DIR/stray\"; exec sleep 300' >/dev/null 2>&1 </dev/null &\nwhile [ ! -s \"$CLAUDE_CONFIG_DIR/stray\" ]; do sleep 0.01; done\n";

/// The same without anything of its environment, and with a parent that ends at once.
const LEAVES_BARE: &str = "(env -i /bin/sh -c \"PATH=$PATH; setsid sh -c 'echo \\$\\$ > $CLAUDE_CONFIG_DIR/stray; exec sleep 300' &\" >/dev/null 2>&1 </dev/null)\nwhile [ ! -s \"$CLAUDE_CONFIG_DIR/stray\" ]; do sleep 0.01; done\n";

#[cfg(target_os = "linux")]
#[test]
fn what_left_the_command_with_neither_its_group_nor_its_environment_ends_with_the_run() {
    let stray = |bench: &Bench| told(bench, "stray").trim().parse::<u32>().ok();
    let is_gone = |bench: &Bench| stray(bench).is_some_and(|pid| !dreamtop::process::is_alive(pid));
    let done = bench(&format!("{LEAVES_BARE}{}{}", written(), result("success", false, "Stored one fact.")));
    let (code, run) = done.dream();
    assert_eq!(code, 0, "{run:#}");
    wait_until("no child outlives its run", || is_gone(&done));
    let killed = bench(&format!("{LEAVES_BARE}sleep 300\n"));
    let mut child = killed.start(&["dream", "--force"]);
    wait_until("what it leaves is there", || stray(&killed).is_some());
    std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    child.wait().unwrap();
    wait_until("nor a killed one", || is_gone(&killed));
}

#[cfg(target_os = "linux")]
#[test]
fn what_left_the_commands_group_ends_with_the_run_however_it_ends() {
    let stray = |bench: &Bench| told(bench, "stray").trim().parse::<u32>().ok();
    let is_gone = |bench: &Bench| stray(bench).is_some_and(|pid| !dreamtop::process::is_alive(pid));
    let done = bench(&format!("{LEAVES}{}{}", written(), result("success", false, "Stored one fact.")));
    let (code, run) = done.dream();
    assert_eq!(code, 0, "{run:#}");
    wait_until("what a run left is gone", || is_gone(&done));

    for signal in ["-TERM", "-KILL"] {
        let bench = bench(&format!("{LEAVES}sleep 300\n"));
        let mut child = bench.start(&["dream", "--force"]);
        wait_until("what it leaves is there", || stray(&bench).is_some());
        std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        child.wait().unwrap();
        if signal == "-KILL" {
            assert!(!is_gone(&bench), "nobody was left to end it");
            bench.run(&["doctor", "--fix"]);
        }
        wait_until(&format!("what a run killed with {signal} left is gone"), || is_gone(&bench));
    }
}
