//! How the cost of a thing grows with its input: a bound that holds on any machine, however busy. One in seconds does not.
#![allow(dead_code)]

use std::time::{Duration, Instant};

/// How much longer the larger input is.
pub(crate) const TIMES: usize = 8;

/// How often is tried before work counts as out of proportion. On a busy machine most tries are disturbed.
const TRIES: usize = 24;

/// What eight times the input may cost: well over eight times as much, well under sixty-four times.
const MOST: u32 = 24;

/// What work on an input of a size has cost, at best.
struct Cost<F> {
    size: usize,
    work: F,
    least: Duration,
}

impl<F: Fn(usize)> Cost<F> {
    fn try_again(&mut self) {
        let before = spent();
        (self.work)(self.size);
        self.least = self.least.min(spent().saturating_sub(before));
    }
}

/// Fails when `work` on an input of `size` costs out of proportion more than on an eighth of it. Other programs only ever
/// make it cost more, so the best of several tries is what counts, and the first good one is enough.
pub(crate) fn in_proportion(what: &str, size: usize, work: impl Fn(usize)) {
    let mut small = Cost { size: size / TIMES, work: &work, least: Duration::MAX };
    let mut large = Cost { size, work: &work, least: Duration::MAX };
    for _ in 0..TRIES {
        for _ in 0..3 {
            small.try_again();
        }
        large.try_again();
        // What is too short to be measured is in proportion.
        if large.least <= small.least.max(Duration::from_millis(1)) * MOST {
            return;
        }
    }
    panic!("{what}: {TIMES} times the input cost {:?} instead of {:?}", large.least, small.least);
}

/// Fails when `cheap`, done so many `times`, costs more than `dear` done once.
pub(crate) fn cheaper(what: &str, times: usize, cheap: &mut dyn FnMut(), dear: &mut dyn FnMut()) {
    let cost = |work: &mut dyn FnMut(), times: usize| {
        let before = spent();
        (0..times).for_each(|_| work());
        spent().saturating_sub(before)
    };
    let most = cost(dear, 1);
    let least = (0..12).map(|_| cost(cheap, times)).find(|least| *least <= most);
    assert!(least.is_some(), "{what}: {times} of it cost more than {most:?}");
}

/// What this thread has cost until now: its time on a processor where the system tells, else what has passed.
fn spent() -> Duration {
    // The system brings its figure up to date when the thread steps aside, else only at the next tick of its clock.
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.as_deref().and_then(|text| text.split(' ').next()).and_then(|first| first.parse().ok());
    told.map_or_else(|| started().elapsed(), Duration::from_nanos)
}

fn started() -> Instant {
    static STARTED: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    *STARTED.get_or_init(Instant::now)
}
