//! Whole sessions with boards to 25×25, searches, limits of a move and parameters from the input.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| losange::protocol::replay::set_up_session(bytes));
