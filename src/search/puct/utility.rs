//! Result and score of a position as the one number that the search maximises, for `First`.

use std::f32::consts::FRAC_2_PI;

use super::settings::PuctConstants;

/// Score at which half of a score's worth is reached, in root of the board's points: by the score itself, and around the centre.
const SCALES: [f32; 2] = [2.0, 0.75];
/// Share by which the centre is nearer to zero than the expected score.
const TO_ZERO: f32 = 0.2;
/// Middles of sixteen equally likely parts of a normal distribution; the other half is their negatives.
const QUANTILES: [f32; 8] = [0.078_411, 0.237_202, 0.402_250, 0.579_132, 0.776_422, 1.009_99, 1.318_011, 1.862_732];

/// Worth of results and scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Utility {
    weights: [f32; 2],
    centre: f32,
    /// Root of the board's points.
    side: f32,
}

impl Utility {
    /// On a board of so many points, where `First` expects that score at the root.
    pub(super) fn new(settings: &PuctConstants, points: usize, expected: f32) -> Self {
        let side = (points.max(1) as f32).sqrt();
        let pull = (TO_ZERO * expected).abs().min(SCALES[1] * side);
        let centre = expected - pull * expected.signum();
        Self { weights: [settings.static_score, settings.dynamic_score], centre, side }
    }

    /// Largest worth there is.
    pub(super) fn radius(&self) -> f32 {
        1.0 + self.weights.iter().sum::<f32>()
    }

    /// Worth of an expected result in -1..=1 and of a normally distributed score.
    pub(super) fn of(&self, value: f32, score: f32, deviation: f32) -> f32 {
        let centres = [0.0, self.centre];
        let parts = (0..2).map(|part| {
            let weight = self.weights[part];
            if weight == 0.0 { 0.0 } else { weight * bent(score - centres[part], deviation, SCALES[part] * self.side) }
        });
        value + parts.sum::<f32>()
    }

    /// Growth of the worth with the score.
    pub(super) fn slope(&self, score: f32, deviation: f32) -> f32 {
        (self.of(0.0, score + 0.5, deviation) - self.of(0.0, score - 0.5, deviation)).max(0.0)
    }
}

/// Mean of `2/π · atan(x / scale)` for a normally distributed x.
fn bent(mean: f32, deviation: f32, scale: f32) -> f32 {
    let at = |x: f32| (x / scale).atan();
    let sum: f32 =
        QUANTILES.iter().map(|quantile| at(mean + quantile * deviation) + at(mean - quantile * deviation)).sum();
    FRAC_2_PI * sum / (2 * QUANTILES.len()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utility(expected: f32) -> Utility {
        Utility::new(&PuctConstants::default(), 361, expected)
    }

    #[test]
    fn the_quantiles_are_those_of_a_normal_distribution() {
        // Their mean square is nearly that of the whole distribution, of which the tails are cut.
        let square = QUANTILES.iter().map(|quantile| quantile * quantile).sum::<f32>() / 8.0;
        assert!((0.9..1.0).contains(&square), "{square}");
        // By numerical integration of the density.
        let mean: f64 = {
            let (step, mut sum) = (1e-3, 0.0);
            for index in -8000..8000 {
                let x = f64::from(index) * step;
                let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
                sum += density * step * 2.0 / std::f64::consts::PI * ((5.0 + 20.0 * x) / 14.25).atan();
            }
            sum
        };
        assert!((f64::from(bent(5.0, 20.0, 14.25)) - mean).abs() < 3e-3);
    }

    #[test]
    fn points_are_worth_most_around_what_is_expected() {
        let (even, ahead) = (utility(0.0), utility(30.0));
        assert!(even.slope(0.0, 5.0) > even.slope(30.0, 5.0));
        assert!(ahead.slope(24.0, 5.0) > ahead.slope(0.0, 5.0));
        assert_eq!(even.of(0.0, 0.0, 5.0), 0.0);
        assert!((even.radius() - 1.4).abs() < 1e-6);
        assert!(even.of(1.0, 300.0, 5.0) < even.radius());
    }

    #[test]
    fn the_centre_is_pulled_to_zero() {
        assert_eq!(utility(10.0).centre, 8.0);
        assert_eq!(utility(-10.0).centre, -8.0);
        // By three quarters of the board's side at most.
        assert_eq!(utility(200.0).centre, 200.0 - 0.75 * 19.0);
    }
}
