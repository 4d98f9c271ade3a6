//! Go written down: points and passes; komi, rules and handicap in records.

use super::{Illegal, Move, Position, Rules, SetUpError};
use crate::game::{Game, Side};
use crate::games::{Boards, Grid, Piece, Size, Spelled, Spelling};

/// Letters of the columns.
const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";
/// Largest komi, for either side.
pub const LARGEST_KOMI: f32 = 1000.0;

impl Spelled for Position {
    const BOARDS: Boards = Boards::from_to(2, *Self::SIZES.end());
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

    fn on(size: Size) -> Self {
        Self::new(size, Rules::CHINESE, Rules::CHINESE.usual_komi())
    }

    fn fresh(&self, size: Size) -> Option<Self> {
        Self::BOARDS.contains(size).then(|| Self::new(size, self.rules(), self.komi()))
    }

    /// White begins after a handicap.
    fn with_pieces(&self, pieces: &[(Side, usize)]) -> Result<Self, String> {
        let mut position = self.clone();
        position.set_up(pieces).map_err(|why| match why {
            SetUpError::NoLiberty(point) => {
                let (x, y) = self.size().xy(point);
                format!("the chain at {}{} has no liberty", char::from(COLUMNS[x]), self.size().height - y)
            }
            why => why.to_string(),
        })?;
        if position.handicap() > 0 {
            position.set_to_move(Side::Second);
        }
        Ok(position)
    }

    fn objection(&self, mv: Move) -> Option<String> {
        self.check(self.to_move(), mv).err().map(|why| why.to_string())
    }

    /// Chains may be given up and positions come back where the rules here forbid it. Nobody may take back in a ko at once, or give
    /// up a single stone.
    fn tolerates(&self, mv: Move) -> bool {
        match self.check(self.to_move(), mv) {
            Err(Illegal::Superko) => true,
            Err(Illegal::Suicide) => !mv.point().is_some_and(|point| self.stands_alone(self.to_move(), point)),
            _ => false,
        }
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
        let handicap = Some(self.handicap()).filter(|&stones| stones > 0);
        [
            ("KM", Some(self.komi().to_string())),
            ("RU", Some(self.rules().name().map_or_else(|| self.rules().spelled_out(), str::to_owned))),
            ("HA", handicap.map(|n| n.to_string())),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
        .collect()
    }

    fn with_properties<'a>(mut self, property: &dyn Fn(&str) -> Option<&'a str>) -> Result<Self, String> {
        let told = |key| property(key).map(str::trim).filter(|text| !text.is_empty());
        if let Some(name) = told("RU") {
            match Rules::by_name(name) {
                Ok(rules) => self.set_rules(rules),
                Err(why) => tracing::warn!("the record's rules are passed over: {why}"),
            }
        }
        let is_fox = told("AP").is_some_and(|program| program.contains("foxwq"));
        if let Some(text) = told("KM") {
            let komi = number(text).map(|komi| if is_fox { fox_komi(komi) } else { komi });
            match komi.filter(|komi| komi.abs() <= LARGEST_KOMI) {
                Some(komi) => self.set_komi(komi),
                None => tracing::warn!("the record's komi is passed over: '{text}' is no number up to {LARGEST_KOMI}"),
            }
        }
        let handicap = told("HA").and_then(number).map_or(0, |stones| stones as usize);
        // Fox writes no stones of its handicaps, which stand on the usual points.
        if is_fox
            && property("AB").is_none()
            && let Some(points) = self.fixed_handicap(handicap)
        {
            let stones: Vec<_> = points.into_iter().map(|point| (Side::First, point)).collect();
            self.set_up(&stones).map_err(|why| why.to_string())?;
            self.set_to_move(Side::Second);
        }
        self.set_handicap(self.points().min(handicap));
        Ok(self)
    }
}

/// The number that a text begins with; some programs write a comma in it, or words behind it.
fn number(text: &str) -> Option<f32> {
    let text = text.replace(',', ".");
    let end = text.find(|c: char| !matches!(c, '0'..='9' | '.' | '-' | '+')).unwrap_or(text.len());
    text.parse().or_else(|_| text[..end].parse()).ok()
}

/// Komi of records of Fox Weiqi, which counts in hundredths of a point, or of half a point as players of Chinese rules do.
fn fox_komi(komi: f32) -> f32 {
    const HUNDREDTHS: [(f32, f32); 4] = [(275.0, 5.5), (325.0, 6.5), (350.0, 7.0), (375.0, 7.5)];
    let known = HUNDREDTHS.iter().find(|(half, whole)| komi == *half || komi == whole * 100.0);
    known.map_or(komi, |(_, whole)| *whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(properties: &[(&str, &'static str)]) -> Position {
        let property = |key: &str| properties.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
        Position::new(Size::square(19), Rules::CHINESE, 7.5).with_properties(&property).unwrap()
    }

    #[test]
    fn properties_that_cannot_be_read_are_passed_over() {
        for (text, komi) in
            [("6.5", 6.5), ("6,5", 6.5), ("6.5 pts", 6.5), ("-3", -3.0), ("six", 7.5), ("1e9", 7.5), ("", 7.5)]
        {
            assert_eq!(read(&[("KM", text)]).komi(), komi, "{text}");
        }
        assert_eq!(read(&[("RU", "NZ")]).rules(), Rules::NEW_ZEALAND);
        assert_eq!(read(&[("RU", "of the house")]).rules(), Rules::CHINESE);
    }

    #[test]
    fn records_of_fox_have_their_own_komi_and_no_stones() {
        for (text, komi) in [("375", 7.5), ("650", 6.5), ("0", 0.0), ("275", 5.5), ("700", 7.0), ("100", 100.0)] {
            assert_eq!(read(&[("AP", "foxwq"), ("KM", text)]).komi(), komi, "{text}");
        }
        assert_eq!(read(&[("KM", "375")]).komi(), 375.0);
        let handicap = read(&[("AP", "foxwq"), ("HA", "2")]);
        assert_eq!((handicap.stones(Side::First), handicap.handicap(), handicap.to_move()), (2, 2, Side::Second));
        assert_eq!(read(&[("AP", "foxwq"), ("HA", "0")]).stones(Side::First), 0);
        assert_eq!(read(&[("AP", "other"), ("HA", "2")]).stones(Side::First), 0);
    }
}
