//! Games by the bare model from many openings: who wins them says what the moves of early positions are worth.
//!
//! A game explores for some plies: moves are drawn, the more evenly the earlier they are. In the last of these positions several
//! moves are drawn, and after each of them both sides play the best move that the model sees, to the end. So the result is the
//! value of a move under the play that there is, without a guess of the model in it (Monte Carlo control with exploring starts,
//! R. Sutton and A. Barto, *Reinforcement learning*, 2018, 5.3). Searches from early positions end in guesses instead.

use super::selfplay::{Lesson, Machine, Wants};
use crate::eval::net::{Answers, Network, Output};
use crate::game::{Bounded, Planes, Verdict};
use crate::rng::Rng;

/// How games are played, and what of them is learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutcomeSettings {
    /// Most plies that are explored; each game has from one to so many.
    pub explored: u32,
    /// Moves that are drawn in the last explored position, if there are as many.
    pub branches: usize,
    /// Temperature of the draw of the first move, over logarithms of the odds of winning.
    pub temperature: f32,
    /// Factor of the temperature from each ply to the next.
    pub cooling: f32,
    /// Plies of a game whose moves are learned, if they come after the exploration or are the last of it.
    pub plies: usize,
    /// Share of the positions after the exploration that is kept: those of a line have one result in common.
    pub keep: f32,
    /// Plies from which the game's knowledge is asked: it ends lines, keeps both sides from moves that it calls lost, and its
    /// verdicts are learned.
    pub known: usize,
    /// After the exploration: best moves whose replies are valued too before one of them is played; 1 for the best at a glance.
    pub looks: usize,
    /// How much a result counts.
    pub weight: f32,
    /// Share of what came later in a target, from each ply to the next; the rest is what the model said there. With 1 the result
    /// alone is learned (the λ of temporal differences).
    pub trace: f32,
}

/// A position of a line, and what is learned of its moves.
struct Stop<G> {
    position: G,
    /// Places of the moves whose results are known, and those, seen by the side to move.
    exact: Vec<(usize, f32)>,
    /// Place of the move that was played, and its number among the moves of the line.
    played: Option<(usize, usize)>,
}

/// A move that is looked at before one is played.
struct Look<G: Planes> {
    mv: G::Move,
    after: G,
    /// Its value, seen by `First`, where the game ends with it; else it is to be asked for.
    value: Option<f32>,
    /// Outputs of the model for the moves after it, once it was asked.
    said: Vec<f32>,
}

/// The game from its last explored position on, by one of the moves drawn there.
struct Line<G: Planes> {
    position: G,
    /// Positions that are learned from.
    stops: Vec<Stop<G>>,
    /// Moves that are looked at before the next one is played, and the exact lesson of their position.
    looks: Vec<Look<G>>,
    exact: Vec<(usize, f32)>,
    /// Output of the model for the best move after each move of the line, seen by `First`; none after the last.
    seen: Vec<f32>,
    /// Moves of the line.
    moves: usize,
    /// The result, seen by `First`, once it is known.
    end: Option<f32>,
}

impl<G: Planes> Line<G> {
    fn new(position: G) -> Self {
        Self {
            position,
            stops: Vec::new(),
            looks: Vec::new(),
            exact: Vec::new(),
            seen: Vec::new(),
            moves: 0,
            end: None,
        }
    }

    /// The result of a position, seen by `First`, where it is certain.
    fn result(position: &G) -> Option<f32> {
        let outcome = position.outcome().map(|outcome| outcome.value);
        outcome.or_else(|| position.proven().map(|(side, _)| side.sign()))
    }

    fn play(&mut self, mv: G::Move, exact: Vec<(usize, f32)>, settings: &OutcomeSettings) {
        let played = self.position.action_index(mv, 0).map(|place| (place, self.moves));
        if self.position.plies() < settings.plies || !exact.is_empty() {
            self.stops.push(Stop { position: self.position.clone(), exact, played });
        }
        self.moves += 1;
        self.position.play(mv);
        self.end = Self::result(&self.position);
    }

    /// Adds the positions that are to be valued before the line goes on.
    fn ask(&self, asked: &mut Vec<G>) {
        if self.looks.is_empty() {
            asked.push(self.position.clone());
        }
        asked.extend(self.looks.iter().filter(|look| look.value.is_none()).map(|look| look.after.clone()));
    }

    /// Takes what the model says of the positions that the line has asked about.
    fn take<'a>(
        &mut self,
        values: &mut impl Iterator<Item = &'a Vec<f32>>,
        findings: &G::Findings,
        settings: &OutcomeSettings,
    ) {
        if self.looks.is_empty() {
            if let Some(values) = values.next() {
                self.go_on(values, findings, settings);
            }
            return;
        }
        for look in self.looks.iter_mut().filter(|look| look.value.is_none()) {
            let Some(values) = values.next() else { return };
            let replies = valued(&look.after, values);
            let best = replies.iter().map(|reply| reply.1).max_by(f32::total_cmp).unwrap_or_default();
            look.value = Some(best * look.after.to_move().sign());
            look.said.clone_from(values);
        }
        if let Some(said) = self.play_the_best(settings) {
            self.go_on(&said, findings, settings);
        }
    }

    /// Plays the best of the moves that were looked at. What the model has said of the position after it goes on from there.
    fn play_the_best(&mut self, settings: &OutcomeSettings) -> Option<Vec<f32>> {
        let sign = self.position.to_move().sign();
        // A certain win is above one that the model is as sure of.
        let worth = |look: &Look<G>| (look.value.unwrap_or_default() * sign, look.said.is_empty());
        let best = self.looks.drain(..).max_by(|a, b| {
            let (a, b) = (worth(a), worth(b));
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        })?;
        self.seen.push(best.value.unwrap_or_default());
        let exact = std::mem::take(&mut self.exact);
        self.play(best.mv, exact, settings);
        Some(best.said).filter(|said| self.end.is_none() && !said.is_empty())
    }

    /// Plays the best move by what the model says, of those that knowledge does not call lost, or looks at the best ones first; or takes
    /// the end that knowledge tells.
    fn go_on(&mut self, values: &[f32], findings: &G::Findings, settings: &OutcomeSettings) {
        let mut moves = valued(&self.position, values);
        let (side, sign) = (self.position.to_move(), self.position.to_move().sign());
        let mut exact = Vec::new();
        if self.position.plies() >= settings.known {
            let (all, mut verdicts): (Vec<G::Move>, _) = (moves.iter().map(|&(mv, _)| mv).collect(), Vec::new());
            self.position.solved(findings, &all, &mut verdicts);
            let mut lost =
                verdicts.iter().map(|verdict| matches!(verdict, Verdict::Decided(winner, _) if *winner != side));
            for (mv, verdict) in all.iter().zip(&verdicts) {
                if let (&Verdict::Decided(winner, _), Some(place)) = (verdict, self.position.action_index(*mv, 0)) {
                    exact.push((place, if winner == side { 1.0 } else { -1.0 }));
                }
            }
            moves.retain(|_| !lost.next().unwrap_or(false));
            let won = exact.iter().any(|(_, value)| *value > 0.0);
            if won || moves.is_empty() {
                self.end = Some(if won { sign } else { -sign });
                self.stops.push(Stop { position: self.position.clone(), exact, played: None });
                return;
            }
        }
        if settings.looks > 1 && moves.len() > 1 {
            let keys: Vec<f32> = moves.iter().map(|mv| mv.1).collect();
            let look = |mv: G::Move| {
                let mut after = self.position.clone();
                after.play(mv);
                Look { mv, value: Self::result(&after), after, said: Vec::new() }
            };
            self.looks = largest(&keys, settings.looks).into_iter().map(|place| look(moves[place].0)).collect();
            self.exact = exact;
            // A win is played at once, without a question about the others.
            let wins = self.looks.iter().any(|look| look.value == Some(sign));
            if wins || self.looks.iter().all(|look| look.value.is_some()) {
                self.play_the_best(settings);
            }
        } else if let Some(&(mv, best)) = moves.iter().max_by(|a, b| a.1.total_cmp(&b.1)) {
            self.seen.push(best * sign);
            self.play(mv, exact, settings);
        }
    }

    /// Value of each move of the line, seen by `First`, once its end is known: the result, mixed with what the model said on
    /// the way there.
    fn worths(&self, end: f32, trace: f32) -> Vec<f32> {
        let mut worths = vec![end; self.moves];
        for number in (0..self.seen.len()).rev() {
            worths[number] = trace * worths[number + 1] + (1.0 - trace) * self.seen[number];
        }
        worths
    }
}

/// A game with its branches.
pub struct Outcomes<G: Planes> {
    /// One line while the game explores, and then those of the branches.
    lines: Vec<Line<G>>,
    /// Positions that are to be valued: those of the lines without an end.
    asked: Vec<G>,
    /// Outputs of the model for the moves of each, seen by the side to move, in the order of their places.
    values: Vec<Vec<f32>>,
    /// Plies that are still explored; unknown before the first.
    left: Option<u32>,
    /// Findings about the positions that knowledge was asked about.
    findings: Option<G::Findings>,
}

/// Moves of a position with what the model says of them, those that it says nothing of left out.
fn valued<G: Planes>(position: &G, values: &[f32]) -> Vec<(G::Move, f32)> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let value = |mv: G::Move| position.action_index(mv, 0).map(|place| (mv, values[place]));
    moves.into_iter().filter_map(value).collect()
}

/// Places of so many keys, the largest first.
fn largest(keys: &[f32], count: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by(|&a, &b| keys[b].total_cmp(&keys[a]));
    places.truncate(count);
    places
}

/// Draws so many of the moves without putting one back, by their odds of winning to the power of the inverse temperature.
fn draw<M: Copy>(valued: &[(M, f32)], count: usize, temperature: f32, rng: &mut Rng) -> Vec<M> {
    // The largest logarithms, each with noise after Gumbel.
    let noise = |rng: &mut Rng| -(-rng.unit().max(f32::MIN_POSITIVE).ln()).max(f32::MIN_POSITIVE).ln();
    let odds = |value: f32| 2.0 * value.clamp(-LARGEST, LARGEST).atanh();
    let keys: Vec<f32> = valued.iter().map(|&(_, value)| odds(value) / temperature.max(COLDEST) + noise(rng)).collect();
    largest(&keys, count).into_iter().map(|place| valued[place].0).collect()
}

/// Values nearer to 1 count as this one where odds are asked for.
const LARGEST: f32 = 0.9999;
/// So many results are what all verdicts on the moves of a position count together at most.
const EXACT: f32 = 4.0;
/// Memory for what is found of a game's positions in MiB, as that of a search of which it is a part.
const MEMORY: usize = 32;
/// A draw at a lower temperature takes the best move as well.
const COLDEST: f32 = 1e-3;

impl<G: Planes> Machine for Outcomes<G> {
    type G = G;
    type Settings = OutcomeSettings;

    fn new(start: G) -> Self {
        let asked = vec![start.clone()];
        Self { lines: vec![Line::new(start)], asked, values: Vec::new(), left: None, findings: None }
    }

    fn positions(&self) -> &[G] {
        &self.asked
    }

    fn advance(&mut self, settings: &OutcomeSettings, rng: &mut Rng) -> Wants {
        let left = *self.left.get_or_insert_with(|| 1 + rng.below(settings.explored.max(1)));
        if self.values.is_empty() {
            return Wants::Values;
        }
        let values = std::mem::take(&mut self.values);
        if left == 0 {
            let findings = self.findings.get_or_insert_with(|| G::Findings::within(MEMORY));
            let mut values = values.iter();
            for line in self.lines.iter_mut().filter(|line| line.end.is_none()) {
                line.take(&mut values, findings, settings);
            }
        } else {
            let from = self.lines[0].position.clone();
            let temperature = settings.temperature * settings.cooling.powi(from.plies() as i32);
            let count = if left == 1 { settings.branches.max(1) } else { 1 };
            let moves = draw(&valued(&from, &values[0]), count, temperature, rng);
            let after = |mv: G::Move| {
                let mut line = Line::new(from.clone());
                line.play(mv, Vec::new(), settings);
                line
            };
            self.lines = moves.into_iter().map(after).collect();
            self.left = Some(left - 1);
        }
        self.asked.clear();
        self.lines.iter().filter(|line| line.end.is_none()).for_each(|line| line.ask(&mut self.asked));
        if self.asked.is_empty() { Wants::Nothing } else { Wants::Values }
    }

    fn supply(&mut self, _: &OutcomeSettings, network: &Network, answers: &Answers, first: usize) {
        let values = |number| {
            let values = answers.get(number, Output::Actions);
            values.iter().map(|&value| network.centred(value)).collect()
        };
        self.values = (first..first + self.asked.len()).map(values).collect();
    }

    fn lessons(self, settings: &OutcomeSettings, rng: &mut Rng) -> Vec<Lesson<G>> {
        let mut lessons: Vec<Lesson<G>> = Vec::new();
        // The branches have one position in common, which is the first of each.
        let mut common: Option<usize> = None;
        for line in self.lines {
            let Some(end) = line.end else { continue };
            let worths = line.worths(end, settings.trace);
            for (number, stop) in line.stops.into_iter().enumerate() {
                let shared = number == 0 && stop.played.is_some_and(|(_, move_number)| move_number == 0);
                let last = stop.played.is_none();
                let sign = stop.position.to_move().sign();
                let played = stop.played.map(|(place, number)| (place, worths[number] * sign, settings.weight));
                if shared && let Some(lesson) = common {
                    lessons[lesson].actions.extend(played);
                } else if shared || last || rng.unit() < settings.keep {
                    common = common.or(shared.then_some(lessons.len()));
                    let weight = settings.weight * EXACT / (stop.exact.len() as f32).max(EXACT);
                    let mut actions: Vec<_> =
                        stop.exact.into_iter().map(|(place, value)| (place, value, weight)).collect();
                    actions.extend(played);
                    lessons.push(Lesson { position: stop.position, actions, value: None, weight: None, end: None });
                }
            }
        }
        lessons
    }
}

#[cfg(test)]
mod tests;
