//! Go written down: points and passes; komi, rules and handicap in records.

use super::{Illegal, Move, Position, Rules};
use crate::game::{Game, Side};
use crate::games::{Grid, Piece, Size, Spelled, Spelling};

/// Largest komi, for either side.
pub const LARGEST_KOMI: f32 = 1000.0;

impl Spelled for Position {
    const POINTS: usize = 1;
    const SGF: Option<u32> = Some(1);
    const GRID: Grid = Grid::Lines;

    fn size(&self) -> Size {
        self.size()
    }

    fn spell(_: Size, mv: Move) -> Spelling {
        mv.point().map_or(Spelling::PASS, |point| [point].into())
    }

    fn unspell(_: Size, spelling: &Spelling) -> Option<Move> {
        match *spelling.points() {
            [point] => Some(Move::at(point)),
            _ => (*spelling == Spelling::PASS).then_some(Move::PASS),
        }
    }

    fn piece(&self, point: usize) -> Option<Piece> {
        self.stone(point).map(Piece::of)
    }

    fn fresh(&self, size: Size) -> Option<Self> {
        const BOARDS: std::ops::RangeInclusive<usize> = 2..=*Position::SIZES.end();
        let fits = BOARDS.contains(&size.width) && BOARDS.contains(&size.height);
        fits.then(|| Self::new(size, self.rules(), self.komi()))
    }

    /// White begins after a handicap.
    fn with_pieces(&self, pieces: &[(Side, usize)]) -> Result<Self, String> {
        let mut position = self.clone();
        position.set_up(pieces).map_err(|why| why.to_string())?;
        if position.handicap() > 0 {
            position.set_to_move(Side::Second);
        }
        Ok(position)
    }

    fn objection(&self, mv: Move) -> Option<String> {
        self.check(self.to_move(), mv).err().map(|why| why.to_string())
    }

    /// Takes what the stone takes, itself if nothing else; a stone that stands there is replaced.
    fn forced(&self, mv: Move) -> Option<Self> {
        let mut position = match self.check(self.to_move(), mv) {
            Err(Illegal::Outside) => return None,
            Err(Illegal::Occupied) => {
                let others = (0..self.points()).filter(|&point| Some(point) != mv.point());
                let others: Vec<_> = others.filter_map(|point| Some((self.stone(point)?, point))).collect();
                let mut position = self.with_pieces(&others).ok()?;
                position.set_to_move(self.to_move());
                position
            }
            _ => self.clone(),
        };
        position.play(mv);
        Some(position)
    }

    fn properties(&self) -> Vec<(&'static str, String)> {
        let name = Rules::NAMES.iter().find(|name| Rules::by_name(name).ok() == Some(self.rules()));
        let handicap = Some(self.handicap()).filter(|&stones| stones > 0);
        [
            ("KM", Some(self.komi().to_string())),
            ("RU", name.map(ToString::to_string)),
            ("HA", handicap.map(|n| n.to_string())),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
        .collect()
    }

    fn with_properties<'a>(mut self, property: &dyn Fn(&str) -> Option<&'a str>) -> Result<Self, String> {
        if let Some(rules) = property("RU").and_then(|name| Rules::by_name(&name.trim().replace(' ', "-")).ok()) {
            self.set_rules(rules);
        }
        if let Some(text) = property("KM").map(str::trim).filter(|text| !text.is_empty()) {
            let komi = text.parse().ok().filter(|komi: &f32| komi.abs() <= LARGEST_KOMI);
            self.set_komi(komi.ok_or_else(|| format!("komi '{text}' is no number of points up to {LARGEST_KOMI}"))?);
        }
        let handicap = property("HA").and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        self.set_handicap(self.points().min(handicap));
        Ok(self)
    }
}
