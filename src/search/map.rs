//! Maps whose keys are numbers: of states, of games.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::rng::mix;

/// For keys that are numbers, several times as fast as what the standard library protects itself with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mix(self.0.rotate_left(5) ^ number);
    }

    fn write_u128(&mut self, number: u128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

/// A map by such keys.
pub(crate) type KeyMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;
