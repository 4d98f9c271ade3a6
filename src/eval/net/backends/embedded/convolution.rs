//! Convolutions, each in the way that is fastest for it.

use super::aligned::Aligned;
use super::direct::Direct;
use super::instructions::Instructions;
use super::map::Map;
use super::tiled::{MapTiled, TiledRoom};
use super::winograd::Winograd;

/// Channels from which on fewer multiplications are worth the additions that they take.
const FEW: usize = 16;

/// A convolution of three by three points, or of one.
#[derive(Clone, Debug)]
pub(super) enum Convolution {
    Direct(Direct),
    Winograd(Winograd),
    Tiled(MapTiled),
}

/// Memory of convolutions between their steps. What stands there means nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct MapRoom {
    numbers: Aligned,
    tiled: TiledRoom,
}

impl Convolution {
    /// From weights in the order of ONNX (output, input, row, column of the window) and a number to add for each output.
    pub(super) fn new(
        outputs: usize,
        inputs: usize,
        window: usize,
        weights: &[f32],
        bias: &[f32],
        by: Instructions,
    ) -> Self {
        let wide = inputs >= FEW && outputs >= FEW;
        if by.has_tiles() && (window == 3 || wide) {
            Self::Tiled(MapTiled::new(outputs, inputs, window, weights, bias, by))
        } else if window == 3 && wide {
            Self::Winograd(Winograd::new(outputs, inputs, weights, bias, by))
        } else {
            Self::Direct(Direct::new(outputs, inputs, window, weights, bias, by))
        }
    }

    /// Calculates `to`, which has the same size as `from`. `plus` is added before what is negative becomes zero.
    pub(super) fn run(&self, from: &Map, plus: Option<&Map>, rectify: bool, to: &mut Map, room: &mut MapRoom) {
        match self {
            Self::Direct(direct) => direct.run(from, plus, rectify, to),
            Self::Winograd(winograd) => winograd.run(from, plus, rectify, to, &mut room.numbers),
            Self::Tiled(tiled) => tiled.run(from, plus, rectify, to, &mut room.tiled),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rng::Rng;

    fn random(count: usize, rng: &mut Rng) -> Vec<f32> {
        (0..count).map(|_| rng.unit() - 0.5).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]

        /// As by the definition, for all widths of a board and numbers of channels.
        #[test]
        fn convolutions_are_as_defined(
            seed: u64, rows in 1..20_usize, columns in 1..28_usize, inputs in 1..40_usize, outputs in 1..70_usize,
            rectify: bool, residual: bool, point: bool, way in 0..3, portable: bool,
        ) {
            let mut rng = Rng::new(seed);
            let window = if point { 1 } else { 3 };
            let size = window * window;
            let (weights, bias) = (random(outputs * inputs * size, &mut rng), random(outputs, &mut rng));
            let (input, plus) = (random(inputs * rows * columns, &mut rng), random(outputs * rows * columns, &mut rng));
            let map = |channels, numbers: &[f32]| {
                let mut map = Map::new(rows, columns, channels);
                map.read(numbers);
                map
            };
            let (from, plus_map, mut to) = (map(inputs, &input), map(outputs, &plus), Map::new(rows, columns, outputs));
            let by = if portable { Instructions::Portable } else { Instructions::Fastest };
            let (convolution, near) = match way {
                0 if !point => (Convolution::Winograd(Winograd::new(outputs, inputs, &weights, &bias, by)), 1e-4),
                1 => (Convolution::Tiled(MapTiled::new(outputs, inputs, window, &weights, &bias, by)), 3e-2),
                _ => (Convolution::Direct(Direct::new(outputs, inputs, window, &weights, &bias, by)), 1e-4),
            };
            let mut room = MapRoom::default();
            for _ in 0..2 {
                convolution.run(&from, residual.then_some(&plus_map), rectify, &mut to, &mut room);
            }
            let mut found = Vec::new();
            to.write(outputs, &mut found);
            let number = |channel: usize, row: isize, column: isize| {
                let inside = (0..rows as isize).contains(&row) && (0..columns as isize).contains(&column);
                if inside { input[(channel * rows + row as usize) * columns + column as usize] } else { 0.0 }
            };
            for (index, &found) in found.iter().enumerate() {
                let (output, row, column) = (index / columns / rows, index / columns % rows, index % columns);
                let mut sum = bias[output] + if residual { plus[index] } else { 0.0 };
                for (index, weight) in weights[output * inputs * size..][..inputs * size].iter().enumerate() {
                    let (input, place) = (index / size, index % size);
                    let at = |point: usize, offset: usize| (point + offset) as isize - (window / 2) as isize;
                    sum += weight * number(input, at(row, place / window), at(column, place % window));
                }
                let wanted = if rectify { sum.max(0.0) } else { sum };
                prop_assert!((found - wanted).abs() < near, "{found} for {wanted}");
            }
            // The border is still one of zeros.
            let inside: f32 = found.iter().map(|number| number.abs()).sum();
            let all: f32 = to.numbers.iter().map(|number| number.abs()).sum();
            prop_assert!((inside - all).abs() < 1e-3 * (1.0 + all));
        }
    }
}
