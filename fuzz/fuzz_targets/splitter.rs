//! Bytes of a connection in pieces.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| losange::server::replay::splitter(bytes));
