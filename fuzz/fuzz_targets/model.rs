//! Model files from any bytes: refused, or run.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    losange::protocol::replay::model(bytes);
});
