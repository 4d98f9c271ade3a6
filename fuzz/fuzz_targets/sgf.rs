//! Game records from any bytes, read as every game.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| losange::protocol::replay::sgf(bytes));
