//! Whole sessions: the first byte chooses the game, the rest is input.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| losange::protocol::replay::session(bytes));
