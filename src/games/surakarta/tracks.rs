//! The two closed tracks of the board, and captures along them.
//!
//! A track is four lines of six points, joined at their ends by arcs around the corners: 24 places in a ring. The points where lines of
//! one track cross have two places.

use crate::games::bits::bits;

/// Lines of the board.
pub(super) const LINES: usize = 6;
/// Points of the board.
pub(super) const POINTS: usize = LINES * LINES;
/// Number of tracks: the outer one first.
const TRACKS: usize = 2;
/// Places of a track.
const PLACES: usize = 4 * LINES;
const ALL: u32 = (1 << PLACES) - 1;

/// Points of each track by their place.
static RINGS: [[u8; PLACES]; TRACKS] = rings();
/// Places of each point on each track, as bits.
static BITS: [[u32; TRACKS]; POINTS] = bits_of_points();
/// Neighbours of each point in eight directions.
pub(super) static NEIGHBOURS: [u64; POINTS] = neighbours();

/// To the right along a line in the upper half, down, to the left and up again.
const fn rings() -> [[u8; PLACES]; TRACKS] {
    let mut rings = [[0; PLACES]; TRACKS];
    let (mut track, last) = (0, LINES - 1);
    while track < TRACKS {
        let (line, mut place) = (track + 1, 0);
        while place < PLACES {
            let far = place % LINES;
            let (x, y) = match place / LINES {
                0 => (far, line),
                1 => (last - line, far),
                2 => (last - far, last - line),
                _ => (line, last - far),
            };
            rings[track][place] = (y * LINES + x) as u8;
            place += 1;
        }
        track += 1;
    }
    rings
}

const fn bits_of_points() -> [[u32; TRACKS]; POINTS] {
    let (rings, mut bits) = (rings(), [[0; TRACKS]; POINTS]);
    let mut number = 0;
    while number < TRACKS * PLACES {
        let (track, place) = (number / PLACES, number % PLACES);
        bits[rings[track][place] as usize][track] |= 1 << place;
        number += 1;
    }
    bits
}

const fn neighbours() -> [u64; POINTS] {
    let mut neighbours = [0; POINTS];
    let mut pair = 0;
    while pair < POINTS * POINTS {
        let (a, b) = (pair / POINTS, pair % POINTS);
        let near = (a % LINES).abs_diff(b % LINES) <= 1 && (a / LINES).abs_diff(b / LINES) <= 1;
        if near && a != b {
            neighbours[a] |= 1 << b;
        }
        pair += 1;
    }
    neighbours
}

/// Whether some track has both points.
pub(super) fn share_track(a: usize, b: usize) -> bool {
    (0..TRACKS).any(|track| BITS[a][track] != 0 && BITS[b][track] != 0)
}

/// Pieces of some points on both tracks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rings([u32; TRACKS]);

/// Ways of a piece along the tracks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ways {
    /// Points with the first piece met behind an arc, whose ever it is.
    pub(super) met: u64,
    /// Places behind an arc that it comes to, that of the piece met among them.
    pub(super) swept: u32,
}

impl Rings {
    pub(super) fn of(set: u64) -> Self {
        let mut rings = [0; TRACKS];
        for point in bits(set) {
            for (ring, bits) in rings.iter_mut().zip(BITS[point]) {
                *ring |= bits;
            }
        }
        Self(rings)
    }

    /// Ways of the piece on a point among all of these.
    pub(super) fn ways(&self, point: usize) -> Ways {
        let mut ways = Ways::default();
        for (track, ring) in self.0.iter().enumerate() {
            let own = BITS[point][track];
            let others = ring & !own;
            for place in bits(own.into()) {
                // Seen from the piece, clockwise from the bit 0; that bit is empty.
                let seen = (others >> place | others << (PLACES - place)) & ALL;
                let (ahead, back) = match seen {
                    0 => (PLACES, PLACES),
                    _ => (seen.trailing_zeros() as usize, PLACES - seen.ilog2() as usize),
                };
                // Steps to the first place behind an arc, in either direction.
                let along = place % LINES;
                for (steps, arc, met) in [
                    (ahead, LINES - along, (place + ahead) % PLACES),
                    (back, along + 1, (place + PLACES - back) % PLACES),
                ] {
                    if steps >= arc && seen != 0 {
                        ways.met |= 1 << RINGS[track][met];
                    }
                    ways.swept += (steps + 1).saturating_sub(arc) as u32;
                }
            }
        }
        ways
    }
}
