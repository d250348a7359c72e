//! The binary as a server of a test's own, in its own process.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Stdio};
use std::thread;

use serde_json::Value;

use crate::common::Machine;

/// A server as its own process.
pub struct Process {
    pub child: Child,
    pub address: SocketAddr,
    /// The object it printed when it listened.
    pub said: Value,
    /// What it says on standard error, read all the time: a full pipe would hold it up.
    log: Option<thread::JoinHandle<String>>,
}

impl Process {
    /// Starts it on a free port, and waits until it listens.
    pub fn start(machine: &Machine, arguments: &[&str]) -> Self {
        Self::start_at(machine, "127.0.0.1:0", arguments)
    }

    /// The same at an address.
    pub fn start_at(machine: &Machine, address: &str, arguments: &[&str]) -> Self {
        let mut command = machine.command();
        // A server lives in its own time.
        command.env_remove("DREAMTOP_NOW");
        command.args(["--json", "serve", "--listen", address, "--token-rate", "0", "--address-rate", "0"]);
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let log = thread::spawn(move || {
            let mut said = String::new();
            stderr.read_to_string(&mut said).unwrap();
            said
        });
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut object = String::new();
        while serde_json::from_str::<Value>(&object).is_err() {
            if out.read_line(&mut object).unwrap() == 0 {
                panic!("it does not listen: {object} {}", log.join().unwrap());
            }
        }
        let said: Value = serde_json::from_str(&object).unwrap();
        let address = said["listening"].as_str().unwrap().trim_start_matches("http://").parse().unwrap();
        Self { child, address, said, log: Some(log) }
    }

    pub fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    /// Ends it in good order; what it said on standard error.
    pub fn stop(mut self) -> String {
        self.signal("-TERM");
        let said = self.log.take().unwrap().join().unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0), "{said}");
        said
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first token, from the file it was written to.
pub fn token_of(machine: &Machine, process: &Process) -> String {
    let file = process.said["token_file"].as_str().expect("a first token");
    assert!(file.starts_with(machine.path("state").to_str().unwrap()), "{file}");
    fs::read_to_string(file).unwrap().trim().to_owned()
}
