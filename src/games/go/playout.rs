//! Go's playout policy. Near the last move first: take or save chains in atari, then 3x3 patterns, then a uniform
//! move that fills no eye of its own and does not throw away stones. Knows no tree.

use super::board::{Board, NOWHERE, Point, Stone};
use super::patterns::{self, Table};
use super::position::{Move, Position};
use super::rules::Scoring;
use super::score;
use super::tactics::{after, breathes, saving_capture};
use crate::game::{Game, Outcome, PlayoutEnd, PlayoutPolicy, Side};
use crate::games::Size;
use crate::rng::Rng;

/// How much the policy knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// Any legal move that does not fill an own eye.
    Uniform,
    /// Answers to the last moves: chains in atari and 3x3 patterns.
    Sequence,
    /// Also the vital points of small eye spaces.
    Nakade,
    /// Also fights of chains with two liberties.
    Fighter,
}

/// Chances of each kind of move being looked for, out of 256 (MoGo and its heirs look nearly always; a little chance
/// keeps every line of play possible).
const SAVE_CHANCE: u64 = 230;
const CAPTURE_CHANCE: u64 = 230;
const PATTERN_CHANCE: u64 = 243;
const NAKADE_CHANCE: u64 = 230;
const FIGHT_CHANCE: u64 = 150;
/// Chains with more sides towards liberties than that are taken to have more than two of them.
const FEW_SIDES: usize = 4;
/// Places of the largest board with its border.
const PLACES: usize = 26 * 27 + 1;
/// Points of the largest eye space that one move inside can spoil.
const LARGEST_EYE: usize = 6;
/// Own chains of at least so many stones are not put into atari by a random move.
const LOST_STONES: usize = 3;
/// A playout is given up as decided once one side has so many stones more, as a share of the board.
const MERCY: f32 = 0.4;
/// Longest playout, in moves per point of the board: only repeated captures come near it.
const LONGEST: usize = 3;

/// A playout in progress. Kept by a thread and used again and again.
#[derive(Debug)]
pub struct Playout {
    board: Board,
    style: Style,
    table: Table,
    to_move: Side,
    passes: u8,
    length: u32,
    last: [Point; 2],
    compensation: f32,
    virtual_komi: f32,
    /// The point that alone decides the game, if there is one.
    stake: Point,
    mercy: i32,
    longest: u32,
    over: bool,
}

impl Playout {
    /// A policy for boards like that of `position`.
    pub fn new(position: &Position, style: Style) -> Self {
        let mut playout = Self {
            board: position.board().clone(),
            style,
            table: Table::get(),
            to_move: Side::First,
            passes: 0,
            length: 0,
            last: [NOWHERE; 2],
            compensation: 0.0,
            virtual_komi: 0.0,
            stake: NOWHERE,
            mercy: 0,
            longest: 0,
            over: false,
        };
        playout.start(position);
        playout
    }

    fn place(&self, mv: Move) -> Point {
        mv.point().map_or(NOWHERE, |index| self.board.point(index))
    }

    /// A reply to the last moves, if there is one that the policy likes.
    #[inline]
    fn reply(&self, rng: &mut Rng) -> Option<Point> {
        let last = self.last[0];
        let (side, chances) = (self.to_move, rng.next_u64());
        if last != NOWHERE && self.board.stone(last) == Stone::of(side.opponent()) {
            if chances & 255 < CAPTURE_CHANCE && self.board.in_atari(last) {
                let liberty = self.board.last_liberty(last);
                if self.board.is_playable(liberty, side) && self.worth_taking(last, liberty) {
                    return Some(liberty);
                }
            }
            if chances >> 8 & 255 < SAVE_CHANCE
                && let Some(point) = self.save(last)
            {
                return Some(point);
            }
            if self.style >= Style::Nakade
                && chances >> 24 & 255 < NAKADE_CHANCE
                && let Some(point) = self.nakade(last)
            {
                return Some(point);
            }
            if self.style >= Style::Fighter
                && chances >> 32 & 255 < FIGHT_CHANCE
                && let Some(point) = self.fight(last)
            {
                return Some(point);
            }
        }
        if chances >> 16 & 255 < PATTERN_CHANCE {
            return self.pattern(rng);
        }
        None
    }

    /// Taking a single stone that could be taken back at once is left to chance.
    #[inline]
    fn worth_taking(&self, chain: Point, liberty: Point) -> bool {
        self.board.chain_stones(chain) > 1 || breathes(&self.board, liberty, self.to_move)
    }

    /// Saves an own chain beside the last move that stands in atari: by taking an attacker or by running.
    #[inline]
    fn save(&self, last: Point) -> Option<Point> {
        let side = self.to_move;
        let own = Stone::of(side);
        for n in self.board.neighbours(last) {
            if self.board.stone(n) == own && self.board.in_atari(n) {
                if let Some(capture) = saving_capture(&self.board, n, side) {
                    return Some(capture);
                }
                let exit = self.board.last_liberty(n);
                if self.board.is_playable(exit, side) && breathes(&self.board, exit, side) {
                    return Some(exit);
                }
            }
        }
        None
    }

    /// The point inside of a small eye space beside the last move that keeps it from becoming two eyes.
    #[inline]
    fn nakade(&self, last: Point) -> Option<Point> {
        self.board.neighbours(last).into_iter().filter(|&n| self.board.is_empty(n)).find_map(|n| {
            let vital = self.vital_point(n)?;
            self.board.is_playable(vital, self.to_move).then_some(vital)
        })
    }

    /// The vital point of the eye space around an empty point, if only the opponent's stones surround it and its shape has
    /// one: three in a row or bent, a pyramid or bulky four to six (the middle has that many neighbours).
    fn vital_point(&self, from: Point) -> Option<Point> {
        let own = Stone::of(self.to_move);
        let mut space = [NOWHERE; LARGEST_EYE];
        space[0] = from;
        let (mut size, mut done) = (1, 0);
        while done < size {
            for n in self.board.neighbours(space[done]) {
                let stone = self.board.stone(n);
                if stone == own {
                    return None;
                }
                if stone == Stone::Empty && !space[..size].contains(&n) {
                    if size == LARGEST_EYE {
                        return None;
                    }
                    space[size] = n;
                    size += 1;
                }
            }
            done += 1;
        }
        if size < 3 {
            return None;
        }
        let degree = |p: Point| self.board.empty_around(p);
        let middle = space[..size].iter().copied().max_by_key(|&p| degree(p))?;
        let joints = space[..size].iter().map(|&p| degree(p)).sum::<usize>() / 2;
        let dies = match size {
            3 => true,
            4 => degree(middle) == 3,
            5 => degree(middle) == 4 || degree(middle) == 3 && joints == 5,
            _ => degree(middle) == 4 && joints == 6,
        };
        dies.then_some(middle)
    }

    /// A move in a fight of chains with two liberties beside the last move: run with an own one, or take a liberty of the
    /// opponent's.
    #[inline]
    fn fight(&self, last: Point) -> Option<Point> {
        let side = self.to_move;
        let own = Stone::of(side);
        let most = |liberties: &[Point], least: usize| {
            let after = |l: Point| after(&self.board, l, side).liberties;
            let playable = liberties.iter().copied().filter(|&l| self.board.is_playable(l, side));
            playable.map(|l| (after(l), l)).filter(|&(count, _)| count >= least).max_by_key(|&(count, _)| count)
        };
        for n in self.board.neighbours(last) {
            if self.board.stone(n) == own && self.board.liberty_sides(n) <= FEW_SIDES && !self.board.in_atari(n) {
                let (liberties, count) = self.board.liberties::<3>(n);
                if count == 2
                    && let Some((_, point)) = most(&liberties[..2], 3)
                {
                    return Some(point);
                }
            }
        }
        if self.board.chain_stones(last) == 1 || self.board.liberty_sides(last) > FEW_SIDES {
            return None;
        }
        let (liberties, count) = self.board.liberties::<3>(last);
        if count == 2 {
            // The liberty that leaves the chain with fewer ways out, by a stone that cannot be taken at once.
            let exits = |l: Point| after(&self.board, l, side.opponent()).liberties;
            let [a, b] = [liberties[0], liberties[1]];
            let (first, second) = if exits(a) >= exits(b) { (a, b) } else { (b, a) };
            return most(&[first], 2).or_else(|| most(&[second], 2)).map(|(_, point)| point);
        }
        None
    }

    /// A 3x3 pattern around one of the last two moves, any of them with equal chance.
    #[inline]
    fn pattern(&self, rng: &mut Rng) -> Option<Point> {
        let mut found = [NOWHERE; 16];
        let mut count = 0;
        for last in self.last {
            if last == NOWHERE {
                break;
            }
            let (near, far) = (self.board.neighbours(last), self.board.diagonals(last));
            for p in near.into_iter().chain(far) {
                if self.board.is_empty(p)
                    && patterns::matches(&self.board, &self.table, p)
                    && self.board.is_playable(p, self.to_move)
                    && !self.throws_away(p)
                {
                    found[count] = p;
                    count += 1;
                }
            }
            // The second-to-last move's surroundings only where the last has none.
            if count > 0 {
                break;
            }
        }
        (count > 0).then(|| found[rng.below(count as u32) as usize])
    }

    /// Whether the move puts several own stones into atari.
    #[inline]
    fn throws_away(&self, point: Point) -> bool {
        !breathes(&self.board, point, self.to_move)
            && (self.board.empty_around(point) == 1 || after(&self.board, point, self.to_move).stones >= LOST_STONES)
    }

    /// A uniform choice among the sensible moves.
    #[inline]
    fn uniform(&mut self, rng: &mut Rng) -> Option<Point> {
        let side = self.to_move;
        let mut left = self.board.empty_points().len();
        while left > 0 {
            let i = rng.below(left as u32) as usize;
            let point = self.board.empty_points()[i];
            let sensible = self.board.is_playable(point, side)
                && !self.board.is_eye(point, side)
                && (self.style == Style::Uniform || !self.throws_away_many(point));
            if sensible {
                return Some(point);
            }
            left -= 1;
            self.board.swap_empty(i, left);
        }
        None
    }

    /// As [`Self::throws_away`], but lone stones may be thrown in.
    #[inline]
    fn throws_away_many(&self, point: Point) -> bool {
        self.board.around(point, self.to_move) > 0
            && !breathes(&self.board, point, self.to_move)
            && after(&self.board, point, self.to_move).stones >= LOST_STONES
    }

    #[inline]
    fn put(&mut self, point: Point) {
        self.length += 1;
        if point == NOWHERE {
            self.passes += 1;
            self.board.clear_ko();
            self.over = self.passes >= 2;
        } else {
            self.passes = 0;
            self.board.play(point, self.to_move);
            self.over = self.is_overwhelmed();
        }
        self.over |= self.length >= self.longest;
        self.last = [point, self.last[0]];
        self.to_move = self.to_move.opponent();
    }

    /// Whether one side has so many stones more that nothing else is played.
    #[inline]
    fn is_overwhelmed(&self) -> bool {
        let lead = self.board.on_board(Side::First) as i32 - self.board.on_board(Side::Second) as i32;
        lead.abs() > self.mercy
    }

    /// As [`PlayoutPolicy::add_ownership`], where large parts of the board are empty: each belongs to the one side around it.
    #[cold]
    fn add_surrounded(&self, owners: &mut [f32]) {
        // Empty points whose area is known already, and those of one area.
        let (mut seen, mut area) = ([false; PLACES], [NOWHERE; PLACES]);
        // By place: what `First` owns less what `Second` does.
        let mut owned = [0.0; PLACES];
        for &start in self.board.empty_points().iter() {
            if std::mem::replace(&mut seen[usize::from(start)], true) {
                continue;
            }
            let (mut done, mut length, mut beside) = (0, 1, [false; 2]);
            area[0] = start;
            while done < length {
                for n in self.board.neighbours(area[done]) {
                    match self.board.stone(n) {
                        Stone::Empty if !std::mem::replace(&mut seen[usize::from(n)], true) => {
                            area[length] = n;
                            length += 1;
                        }
                        Stone::First => beside[0] = true,
                        Stone::Second => beside[1] = true,
                        _ => {}
                    }
                }
                done += 1;
            }
            let owner = f32::from(beside[0]) - f32::from(beside[1]);
            area[..length].iter().for_each(|&point| owned[usize::from(point)] = owner);
        }
        for (index, owner) in owners.iter_mut().enumerate() {
            let point = self.board.point(index);
            *owner += self.board.stone(point).side().map_or(owned[usize::from(point)], Side::sign);
        }
    }

    /// Owner of a point of the final board: its stone, or the side that has it surrounded.
    #[inline]
    fn owner(&self, point: Point) -> Option<Side> {
        match self.board.stone(point) {
            Stone::Empty if self.board.around(point, Side::First) == 4 => Some(Side::First),
            Stone::Empty if self.board.around(point, Side::Second) == 4 => Some(Side::Second),
            stone => stone.side(),
        }
    }
}

/// Side of the parts of the board that are goals.
const ZONE: usize = 3;

/// Number of zones along so many lines: the last one is wider where they do not divide evenly.
fn zones_along(lines: usize) -> usize {
    (lines / ZONE).max(1)
}

/// Number of zones of a board.
pub(super) fn zones(size: Size) -> usize {
    zones_along(size.width) * zones_along(size.height)
}

/// The points of a zone.
fn zone(size: Size, number: usize) -> impl Iterator<Item = usize> {
    let range = |number: usize, lines: usize| {
        let last = number + 1 == zones_along(lines);
        number * ZONE..if last { lines } else { (number + 1) * ZONE }
    };
    let columns = range(number % zones_along(size.width), size.width);
    let rows = range(number / zones_along(size.width), size.height);
    rows.flat_map(move |row| columns.clone().map(move |column| size.index(column, row)))
}

impl PlayoutPolicy<Position> for Playout {
    fn start(&mut self, position: &Position) {
        self.board.clone_from(position.board());
        self.to_move = position.to_move();
        self.passes = position.passes() % 2;
        self.length = 0;
        self.last = position.last_moves().map(|mv| self.place(mv));
        self.compensation = position.compensation();
        if position.rules().scoring == Scoring::Territory {
            self.compensation += position.placed_more();
        }
        self.virtual_komi = position.virtual_komi();
        let points = self.board.size().points();
        self.stake = position.stake().map_or(NOWHERE, |index| self.board.point(index));
        // On the smallest boards a few stones decide nothing, and where one point decides no lead does.
        self.mercy = if self.stake == NOWHERE { ((points as f32 * MERCY) as i32).max(12) } else { i32::MAX };
        self.longest = (points * LONGEST) as u32 + 20;
        self.over = false;
    }

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn step(&mut self, rng: &mut Rng) -> Option<Move> {
        if self.over {
            return None;
        }
        let reply = if self.style == Style::Uniform { None } else { self.reply(rng) };
        let point = reply.or_else(|| self.uniform(rng)).unwrap_or(NOWHERE);
        self.put(point);
        Some(if point == NOWHERE { Move::PASS } else { Move::at(self.board.index(point)) })
    }

    #[inline]
    fn suits(&self, mv: Move) -> bool {
        let point = self.place(mv);
        !self.over
            && point != NOWHERE
            && self.board.is_empty(point)
            && self.board.is_playable(point, self.to_move)
            && !self.board.is_eye(point, self.to_move)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.put(self.place(mv));
    }

    /// By area, which territory rules nearly equal once everything is played out, but for the stones that one side had placed
    /// more; `step` fills all but eyes.
    fn end(&self) -> PlayoutEnd {
        let mut lead = self.board.on_board(Side::First) as i32 - self.board.on_board(Side::Second) as i32;
        for &point in self.board.empty_points() {
            lead += self.owner(point).map_or(0, |side| side.sign() as i32);
        }
        let score = lead as f32 - self.compensation;
        let winner = match self.stake {
            NOWHERE => score::winner(score - self.virtual_komi),
            stake => self.owner(stake),
        };
        PlayoutEnd { outcome: Outcome::of(winner, score), length: self.length }
    }

    /// The share of a part of the board that `First` owns, an empty point counting half.
    fn goal(&self, goal: usize) -> f32 {
        let (mut owned, mut points) = (0.0, 0);
        for index in zone(self.board.size(), goal) {
            points += 1;
            owned += self.owner(self.board.point(index)).map_or(0.5, |owner| 0.5 + 0.5 * owner.sign());
        }
        owned / points as f32
    }

    fn add_ownership(&self, owners: &mut [f32]) {
        if self.is_overwhelmed() {
            return self.add_surrounded(owners);
        }
        for (index, owner) in owners.iter_mut().enumerate() {
            if let Some(side) = self.owner(self.board.point(index)) {
                *owner += side.sign();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rules;
    use super::super::position::testing::position;
    use super::*;

    /// What the fighter thinks of the point beside the last move at `last`, `First` to move.
    fn vital(diagram: &str, from: usize) -> Option<usize> {
        let go = position(diagram, Rules::CHINESE, 0.0);
        let mut playout = Playout::new(&go, Style::Fighter);
        playout.start(&go);
        playout.to_move = Side::First;
        let board = &playout.board;
        playout.vital_point(board.point(from)).map(|point| board.index(point))
    }

    #[test]
    fn small_eyes_have_their_vital_points() {
        // Three in a row and bent, the pyramid and the bulky five die in the middle; the square, four in a row and a bent
        // four do not.
        let of = |rows: [&str; 4]| vital(&rows.join("  "), 0);
        assert_eq!(of([". . . O", "O O O O", "O O O O", "O O . O"]), Some(1));
        assert_eq!(of([". . O O", "O O O O", "O O O O", "O O . O"]), None);
        assert_eq!(of([". . O O", ". O O O", "O O O O", "O O . O"]), Some(0));
        assert_eq!(of([". . . O", "O . O O", "O O O O", "O O . O"]), Some(1));
        assert_eq!(of([". . O O", ". . O O", "O O O O", "O O . O"]), None);
        assert_eq!(of([". . . .", "O O O O", "O O O O", "O O . O"]), None);
        assert_eq!(of([". . . O", "O O . O", "O O O O", "O O . O"]), None);
        assert_eq!(of([". . . O", ". . O O", "O O O O", "O O . O"]), Some(1));
        // A space that touches an own stone is no eye of the opponent's.
        assert_eq!(of([". . X O", ". O O O", "O O O O", "O O . O"]), None);
    }

    #[test]
    fn a_handicap_is_not_defended_but_played_for() {
        let size = Size::square(9);
        let mut go = Position::new(size, Rules::CHINESE, 0.5);
        let wins = |go: &Position| {
            let (mut playout, mut rng, mut trace) = (Playout::new(go, Style::Sequence), Rng::new(1), Vec::new());
            let runs = (0..1_000).map(|_| playout.run(go, &mut rng, &mut trace).outcome);
            runs.filter(|outcome| outcome.winner == Some(Side::First)).count()
        };
        let stones: Vec<_> = go.fixed_handicap(4).unwrap().into_iter().map(|point| (Side::First, point)).collect();
        go.set_up(&stones).unwrap();
        go.set_to_move(Side::Second);
        let certain = wins(&go);
        go.set_handicap(4);
        let even = wins(&go);
        assert!(certain > even + 200 && (250..750).contains(&even), "{certain} {even}");
        // Once the board is half full the score alone counts.
        for mv in (0..size.points()).map(Move::at) {
            if go.is_legal(mv) && go.virtual_komi() > 0.0 {
                go.play(mv);
            }
        }
        assert_eq!((go.virtual_komi(), go.plies()), (0.0, 45));
    }

    /// Who has placed more stones has not won by that where territory is counted.
    #[test]
    fn territory_counts_as_the_rules_do() {
        let mut go = Position::new(Size::square(9), Rules::JAPANESE, 0.5);
        let stones: Vec<_> = go.fixed_handicap(9).unwrap().into_iter().map(|point| (Side::First, point)).collect();
        go.set_up(&stones).unwrap();
        go.set_to_move(Side::Second);
        let (mut playout, mut rng, mut trace) = (Playout::new(&go, Style::Sequence), Rng::new(1), Vec::new());
        let (mut more, mut games) = (0.0, 0);
        for _ in 0..300 {
            let end = playout.run(&go, &mut rng, &mut trace);
            let mut end_of_game = go.clone();
            trace.iter().for_each(|&mv| end_of_game.play(mv));
            if end_of_game.passes() >= 2 {
                more += end.outcome.score - score::score(&end_of_game, &[]);
                games += 1;
            }
        }
        // Nine stones of handicap; what is left is whose move fills the last neutral points.
        assert!(games > 30 && (more / games as f32).abs() < 2.0, "{more} in {games}");
    }

    /// In the middle of playouts, against the areas that a score rests on.
    #[test]
    fn empty_areas_belong_to_the_one_side_around_them() {
        let mut rng = Rng::new(5);
        for (side, moves) in [(2, 3), (9, 40), (19, 60), (25, 400)] {
            let go = Position::new(Size::square(side), Rules::CHINESE, 0.0);
            let mut playout = Playout::new(&go, Style::Uniform);
            playout.start(&go);
            for _ in 0..moves {
                playout.step(&mut rng);
            }
            let stones: Vec<_> = (0..go.points()).map(|i| playout.board.stone(playout.board.point(i)).side()).collect();
            let regions = score::chains(go.size(), &stones);
            let owner = |i: usize| stones[i].or_else(|| regions.surrounded_by(regions.of(i))).map_or(0.0, Side::sign);
            let mut owners = vec![1.0; go.points()];
            playout.add_surrounded(&mut owners);
            assert!(owners.iter().enumerate().all(|(i, &owned)| owned == 1.0 + owner(i)), "{side}");
            assert!(owners.iter().any(|&owned| owned != 1.0));
        }
    }

    /// Also where one side has so many stones more that nothing else is played.
    #[test]
    fn all_of_a_board_that_is_won_has_an_owner() {
        let diagram = "
            . X . X . X .
            X X X X X X X
            . X . X . X .
            X X X X X X X
            . X . X . X .
            X X X O X X X
            . X . . . X .";
        let mut go = position(diagram, Rules::CHINESE, 0.0);
        for side in Side::BOTH {
            go.set_to_move(side);
            let (mut playout, mut rng, mut trace) = (Playout::new(&go, Style::Sequence), Rng::new(1), Vec::new());
            let mut owners = vec![0.0; go.points()];
            for _ in 0..100 {
                playout.run(&go, &mut rng, &mut trace);
                playout.add_ownership(&mut owners);
            }
            let empty = (0..go.points()).filter(|&point| go.stone(point).is_none() && point < 35);
            assert!(empty.clone().count() > 8 && empty.into_iter().all(|point| owners[point] > 95.0), "{owners:?}");
        }
    }

    #[test]
    fn zones_cover_the_board_once() {
        for (width, height) in [(9, 9), (13, 13), (19, 19), (2, 5), (7, 10)] {
            let size = Size { width, height };
            let mut points: Vec<usize> = (0..zones(size)).flat_map(|number| zone(size, number)).collect();
            points.sort_unstable();
            assert!(points.into_iter().eq(0..size.points()), "{width}x{height}");
        }
        assert_eq!(zones(Size::square(9)), 9);
    }
}
