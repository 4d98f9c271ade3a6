//! Game records from any bytes, read as Go and as Hex.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| losange::protocol::replay::sgf(bytes));
