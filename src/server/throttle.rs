//! Log lines at a bounded rate: what others can cause as often as they like must not fill a disk.

use std::time::Instant;

use super::limits::Bucket;

/// Lines in a burst, and lines a second after that.
const BURST: u32 = 20;
const PER_SECOND: u32 = 1;

/// Lets so many log lines of one kind pass, and counts the others.
#[derive(Debug)]
pub(crate) struct Throttle {
    bucket: Bucket,
    left_out: u64,
}

impl Throttle {
    /// Nothing left out yet.
    pub(crate) fn new(now: Instant) -> Self {
        Self { bucket: Bucket::new(PER_SECOND, BURST, now), left_out: 0 }
    }

    /// Whether a line may be written, and how many were left out since the last one.
    pub(crate) fn pass(&mut self, now: Instant) -> Option<u64> {
        if self.bucket.take(1.0, now) {
            return Some(std::mem::take(&mut self.left_out));
        }
        self.left_out += 1;
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn lines_are_bounded_and_none_is_uncounted() {
        let start = Instant::now();
        let mut throttle = Throttle::new(start);
        let (mut written, mut told) = (0, 0);
        for number in 0..100_000 {
            if let Some(left_out) = throttle.pass(start + Duration::from_millis(number)) {
                written += 1;
                told += left_out;
            }
        }
        assert!((100..=u64::from(BURST) + 100).contains(&written), "{written}");
        assert_eq!(written + told + throttle.left_out, 100_000);
    }
}
