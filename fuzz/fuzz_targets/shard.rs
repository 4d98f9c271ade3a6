//! Shards from any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| losange::protocol::replay::shard(bytes));
