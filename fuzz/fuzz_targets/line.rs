//! Command lines from any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| losange::protocol::replay::line(bytes));
