//! Counts for Prometheus, in its text format. No label ever holds a repository, a name or a token.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the classes of times, in seconds.
const BOUNDS: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.0, 10.0];

/// What is counted since the start.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    requests: Mutex<BTreeMap<(String, &'static str, u16), u64>>,
    times: Mutex<BTreeMap<String, Times>>,
    /// Requests at work.
    pub(super) at_work: AtomicI64,
    /// Bytes of bodies that were sent, where they are known before.
    pub(super) sent: AtomicU64,
    /// Changes that were written.
    changes: AtomicU64,
    /// Writes refused because the repository had changed.
    conflicts: AtomicU64,
    /// Writes refused because of a secret.
    secrets: AtomicU64,
    /// Requests refused because of their number.
    limited: AtomicU64,
}

/// How long requests of one kind took.
#[derive(Debug, Default)]
struct Times {
    classes: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// Counts an answer.
    pub(super) fn answered(&self, route: &str, method: &'static str, status: u16, took: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((route.to_owned(), method, status)).or_default() += 1;
        drop(requests);
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let times = times.entry(route.to_owned()).or_default();
        let seconds = took.as_secs_f64();
        for (class, bound) in times.classes.iter_mut().zip(BOUNDS) {
            *class += u64::from(seconds <= bound);
        }
        times.count += 1;
        times.seconds += seconds;
        let counter = match status {
            412 => &self.conflicts,
            422 => &self.secrets,
            429 => &self.limited,
            _ => return,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a change that was written.
    pub(super) fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    /// All of it as text.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        head(out, "requests_total", "counter", "Requests answered.")?;
        for ((route, method, status), count) in self.requests.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
            writeln!(out, "dreamtop_requests_total{{{labels}}} {count}")?;
        }
        head(out, "request_seconds", "histogram", "How long answers took.")?;
        for (route, times) in self.times.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let name = "dreamtop_request_seconds";
            for (count, bound) in times.classes.iter().zip(BOUNDS) {
                writeln!(out, "{name}_bucket{{route=\"{route}\",le=\"{bound}\"}} {count}")?;
            }
            writeln!(out, "{name}_bucket{{route=\"{route}\",le=\"+Inf\"}} {}", times.count)?;
            writeln!(out, "{name}_sum{{route=\"{route}\"}} {}", times.seconds)?;
            writeln!(out, "{name}_count{{route=\"{route}\"}} {}", times.count)?;
        }
        head(out, "requests_at_work", "gauge", "Requests at work now.")?;
        writeln!(out, "dreamtop_requests_at_work {}", self.at_work.load(Ordering::Relaxed))?;
        for (name, value, help) in [
            ("sent_bytes_total", &self.sent, "Bytes of unpacked answers."),
            ("changes_total", &self.changes, "Changes written."),
            ("conflicts_total", &self.conflicts, "Writes refused because the repository had changed."),
            ("secrets_total", &self.secrets, "Writes refused because of what looks like a secret."),
            ("rate_limited_total", &self.limited, "Requests refused because of their number."),
        ] {
            head(out, name, "counter", help)?;
            writeln!(out, "dreamtop_{name} {}", value.load(Ordering::Relaxed))?;
        }
        head(out, "build_info", "gauge", "Which version this is.")?;
        writeln!(out, "dreamtop_build_info{{version=\"{}\"}} 1", env!("CARGO_PKG_VERSION"))
    }
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(out, "# HELP dreamtop_{name} {help}\n# TYPE dreamtop_{name} {kind}")
}
