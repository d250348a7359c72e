//! Transcript lines: splitting, parsing and hearing the person, with whatever bytes come.

#![no_main]

// Each target runs one of the checks.
#[allow(dead_code)]
#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::transcript(data));
