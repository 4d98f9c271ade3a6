//! Keys of sums: equal for sums of the same parts, whichever way they came about.

use crate::game::Side;
use crate::rng::mix;

/// A key of 128 bits, of which the table compares 63 with the eight that may be meant: of 10^9 states asked for one is taken for another
/// with a chance of about 10^-9.
///
/// The key of a sum is the sum of its parts' keys, and that of the opposite of a part is its opposite, so that both together
/// leave nothing. Parts that are their own opposites are kept apart, in what is added without carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Key {
    signed: u128,
    own_opposites: u128,
}

/// A bijection of 128-bit numbers that looks random.
pub(super) fn scramble(number: u128) -> u128 {
    let (low, high) = (number as u64, (number >> 64) as u64);
    let low = mix(low ^ mix(high));
    let high = mix(high ^ low.rotate_left(29));
    u128::from(high) << 64 | u128::from(mix(low ^ high.rotate_left(17)))
}

impl Key {
    /// The key of a part with this name, whose opposite has that one.
    pub(super) fn new([name, opposite]: [u128; 2]) -> Self {
        if name == opposite {
            return Self { signed: 0, own_opposites: name };
        }
        let signed = if name < opposite { name } else { opposite.wrapping_neg() };
        Self { signed, own_opposites: 0 }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { signed: self.signed.wrapping_add(other.signed), own_opposites: self.own_opposites ^ other.own_opposites }
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self { signed: self.signed.wrapping_sub(other.signed), own_opposites: self.own_opposites ^ other.own_opposites }
    }

    /// The key of the sum together with the side to move. Sums with sides exchanged have equal ones.
    pub(super) fn to_move(self, side: Side) -> u128 {
        let signed = if side == Side::First { self.signed } else { self.signed.wrapping_neg() };
        scramble(signed ^ scramble(self.own_opposites))
    }
}
