//! The one source of randomness: xoroshiro128++ (Blackman and Vigna, 2019), seeded by SplitMix64.
//!
//! Our own because a playout draws a number per move: it must inline to a few instructions and
//! give the same sequence on every platform for the same seed. Not for cryptography.

/// A small, fast, seedable generator. Equal seeds give equal sequences everywhere.
#[derive(Clone, Debug)]
pub struct Rng {
    a: u64,
    b: u64,
}

impl Rng {
    /// A generator whose whole sequence is determined by `seed`.
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mix(state)
        };
        let (a, b) = (next(), next());
        // The all-zero state is the one fixed point of the generator.
        Self { a, b: if a | b == 0 { 1 } else { b } }
    }

    /// A generator for stream number `stream` (a thread, a game) of the same seed.
    pub fn stream(seed: u64, stream: u64) -> Self {
        Self::new(mix(seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95)))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let (a, mut b) = (self.a, self.b);
        let result = a.wrapping_add(b).rotate_left(17).wrapping_add(a);
        b ^= a;
        self.a = a.rotate_left(49) ^ b ^ (b << 21);
        self.b = b.rotate_left(28);
        result
    }

    /// A number in `0..n`, by multiply and shift; the bias is below `n / 2^32`.
    ///
    /// `n` must not be 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0);
        (((self.next_u64() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// A number in `[0, 1)` with 24 random bits.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 * (1.0 / 16_777_216.0)
    }

    /// A place among weights, none of them negative, in proportion to them; `None` where all are 0, and where their sum was
    /// rounded up and the draw is beyond them all.
    pub fn weighted(&mut self, weights: &[f32]) -> Option<usize> {
        let mut left = self.unit() * weights.iter().sum::<f32>();
        weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        })
    }
}

/// SplitMix64's finaliser: a bijection of 64-bit numbers that looks random. Also makes Zobrist keys.
#[inline]
pub const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_uniform_enough() {
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        // Five standard deviations of a binomial with n = 70 000, p = 1/7.
        assert!(counts.iter().all(|&c| c.abs_diff(10_000) < 463), "{counts:?}");
    }

    #[test]
    fn a_place_is_drawn_in_proportion_to_its_weight() {
        let (mut rng, mut counts) = (Rng::new(1), [0u32; 4]);
        for _ in 0..70_000 {
            counts[rng.weighted(&[2.0, 0.0, 4.0, 1.0]).unwrap()] += 1;
        }
        // Five standard deviations of the greatest count.
        let near = |(count, due): (u32, u32)| count.abs_diff(due) < 655;
        assert!(counts[1] == 0 && counts.into_iter().zip([20_000, 0, 40_000, 10_000]).all(near), "{counts:?}");
        assert_eq!((rng.weighted(&[]), rng.weighted(&[0.0, 0.0])), (None, None));
    }

    #[test]
    fn streams_differ_and_repeat() {
        let first = |seed, stream| Rng::stream(seed, stream).next_u64();
        assert_eq!(first(3, 4), first(3, 4));
        assert_ne!(first(3, 4), first(3, 5));
        assert_ne!(first(3, 4), first(4, 4));
    }
}
