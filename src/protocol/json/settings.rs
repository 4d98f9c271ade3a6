//! Settings of analyses by the names that KataGo's clients know, and by those of this engine's parameters.

use std::time::Duration;

use crate::eval::net::HumanProfile;
use crate::game::Side;
use crate::players::Played;
use crate::search::{Budget, Params};

/// Most moves of a variation after the first, where nothing else is said.
const VARIATION: usize = 15;

/// Side that values are seen by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Perspective {
    /// Always that one.
    Fixed(Side),
    /// The side to move in the position.
    #[default]
    SideToMove,
}

impl Perspective {
    /// The side, where that one is to move.
    pub(super) fn side(self, to_move: Side) -> Side {
        match self {
            Self::Fixed(side) => side,
            Self::SideToMove => to_move,
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text.trim().to_ascii_uppercase().as_str() {
            "B" | "BLACK" => Some(Self::Fixed(Side::First)),
            "W" | "WHITE" => Some(Self::Fixed(Side::Second)),
            "SIDETOMOVE" => Some(Self::SideToMove),
            _ => None,
        }
    }
}

/// Settings of an analysis, which a query may override.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// Most visits.
    pub visits: Option<u64>,
    /// Most visits by another name.
    pub playouts: Option<u64>,
    /// Most time.
    pub time: Option<Duration>,
    /// Time where there is no limit otherwise.
    pub usual_time: Duration,
    /// Side that values are seen by.
    pub perspective: Perspective,
    /// Most moves of a variation after the first.
    pub variation: usize,
    /// Most search threads of a position.
    pub threads: Option<usize>,
    /// Whether to warn of fields that no query has.
    pub warns: bool,
    /// People whom a network imitates.
    pub people: Option<HumanProfile>,
    /// Tunables of the searches.
    pub params: Params,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            visits: None,
            playouts: None,
            time: None,
            usual_time: Duration::from_secs(5),
            perspective: Perspective::default(),
            variation: VARIATION,
            threads: None,
            warns: true,
            people: None,
            params: Params::default(),
        }
    }
}

fn number<T: std::str::FromStr + PartialOrd>(name: &str, value: &str, low: T, high: T) -> Result<T, String> {
    let wrong = || format!("'{value}' is no value of {name}");
    value.trim().parse().ok().filter(|number| (low..=high).contains(number)).ok_or_else(wrong)
}

impl Tuning {
    /// Sets what a name of KataGo's stands for; `false` if it stands for nothing here.
    ///
    /// # Errors
    /// The value that cannot be.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        match name {
            "reportAnalysisWinratesAs" => {
                let wrong = || format!("{name} is BLACK, WHITE or SIDETOMOVE, not '{value}'");
                self.perspective = Perspective::read(value).ok_or_else(wrong)?;
            }
            "maxVisits" => self.visits = Some(number(name, value, 1, 1 << 50)?),
            "maxPlayouts" => self.playouts = Some(number(name, value, 1, 1 << 50)?),
            "maxTime" => {
                let seconds = number(name, value, 0.0, 1e20)?;
                self.time = Duration::try_from_secs_f64(seconds).ok().filter(|_| seconds < 1e9);
            }
            "analysisPVLen" => self.variation = number(name, value, 1, 1000)?,
            "numSearchThreads" | "numSearchThreadsPerAnalysisThread" => {
                self.threads = Some(number(name, value, 1, 4096)?);
            }
            "wideRootNoise" => self.params.wide_root_noise = number(name, value, 0.0, 5.0)?,
            "rootPolicyTemperature" => self.params.root_temperature = number(name, value, 0.01, 100.0)?,
            "rootFpuReductionMax" => self.set_root_reduction(number(name, value, 0.0, 2.0)?),
            "humanSLProfile" => {
                self.people = HumanProfile::read(value).map_err(|why| why.to_string())?;
            }
            "warnUnusedFields" => self.warns = number(name, value, false, true)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Sets first-play urgency's reduction at the root, for values in -1..=1. Those of the searches are in 0..=1.
    pub(super) fn set_root_reduction(&mut self, reduction: f32) {
        self.params.root_fpu_reduction = reduction / 2.0;
    }

    /// As [`Tuning::set`], or a parameter of the game's searches.
    ///
    /// # Errors
    /// As there.
    pub(super) fn set_for<G: Played>(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let recipe = G::recipe();
        if recipe.params().contains(&name) {
            recipe.set(&mut self.params, name, value).map_err(|error| error.to_string())?;
            return Ok(true);
        }
        self.set(name, value)
    }

    /// Limits of a search.
    pub(super) fn budget(&self) -> Budget {
        let nodes = [self.visits, self.playouts].into_iter().flatten().min();
        let unlimited = nodes.is_none() && self.time.is_none();
        let time = if unlimited { Some(self.usual_time) } else { self.time };
        Budget { time, nodes, early_stop: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{go, hex};

    #[test]
    fn names_that_mean_something_are_heeded() {
        let mut tuning = Tuning::default();
        for (name, value) in [
            ("reportAnalysisWinratesAs", "white"),
            ("maxVisits", "500"),
            ("maxPlayouts", "300"),
            ("maxTime", "8.0"),
            ("analysisPVLen", "3"),
            ("numSearchThreads", "8"),
            ("rootPolicyTemperature", "1.25"),
            ("rootFpuReductionMax", "0.5"),
            ("wideRootNoise", "0.04"),
            ("warnUnusedFields", "false"),
        ] {
            assert_eq!(tuning.set(name, value), Ok(true), "{name}");
        }
        assert_eq!(tuning.budget(), Budget { time: Some(Duration::from_secs(8)), nodes: Some(300), early_stop: false });
        assert_eq!((tuning.perspective, tuning.variation), (Perspective::Fixed(Side::Second), 3));
        assert_eq!((tuning.threads, tuning.warns), (Some(8), false));
        let root = [tuning.params.root_temperature, tuning.params.root_fpu_reduction, tuning.params.wide_root_noise];
        assert_eq!(root, [1.25, 0.25, 0.04]);
        assert_eq!(tuning.set("nnMaxBatchSize", "96"), Ok(false));
        assert!(tuning.set("maxVisits", "0").unwrap_err().contains("'0' is no value of maxVisits"));
        assert!(tuning.set("reportAnalysisWinratesAs", "ME").is_err() && tuning.set("maxTime", "NaN").is_err());
        tuning.set("maxTime", "1e20").unwrap();
        assert_eq!(tuning.budget().time, None);
    }

    #[test]
    fn a_game_has_parameters_of_its_own() {
        let mut tuning = Tuning::default();
        assert_eq!(tuning.set_for::<go::Position>("wideRootNoise", "0.04"), Ok(true));
        assert_eq!(tuning.params.wide_root_noise, 0.04);
        assert_eq!(tuning.set_for::<hex::Position>("wideRootNoise", "0.04"), Ok(true));
        assert!(tuning.set_for::<hex::Position>("wideRootNoise", "wide").is_err());
        assert_eq!(tuning.set_for::<go::Position>("puct_constant", "1.5"), Ok(true));
        assert_eq!(tuning.params.puct_constant, 1.5);
        assert!(tuning.set_for::<go::Position>("puct_constant", "many").is_err());
        assert_eq!(tuning.set_for::<hex::Position>("no_such_thing", "1"), Ok(false));
        assert_eq!(Tuning::default().budget().time, Some(Duration::from_secs(5)));
    }
}
