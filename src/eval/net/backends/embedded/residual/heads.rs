//! The heads: from the channels at the end of the trunk to the outputs.

use super::super::instructions::Instructions;
use super::convolution::{ConvolutionRoom, SheetConvolution};
use super::dense::{Linear, Third, pool};
use super::sheet::{Activate, Norm, Sheet, SheetShape};
use crate::eval::net::katago::net::{self, Activation, Factors};

/// All heads of a network.
#[derive(Clone, Debug)]
pub(super) struct ResidualHeads {
    policy: Policy,
    value: Value,
    version: u32,
    factors: Factors,
    instructions: Instructions,
}

#[derive(Clone, Debug)]
struct Policy {
    points: SheetConvolution,
    pooling: SheetConvolution,
    pooling_norm: Norm,
    pooled: Linear,
    norm: Norm,
    out: SheetConvolution,
    /// Layers from the pooled numbers to the pass.
    pass: Vec<Linear>,
}

#[derive(Clone, Debug)]
struct Value {
    points: SheetConvolution,
    norm: Norm,
    hidden: Linear,
    outcome: Linear,
    scores: Linear,
    ownership: SheetConvolution,
}

/// Maps of the heads, kept between runs. What stands there means nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Maps {
    sheets: [Sheet; 3],
}

impl ResidualHeads {
    pub(super) fn new(net: &net::Net, instructions: Instructions) -> Self {
        let (policy, value) = (&net.policy, &net.value);
        let convolution = |from: &net::Convolution| SheetConvolution::new(from, instructions);
        // The few last ones decide on digits that are shown.
        let last = |from: &net::Convolution| SheetConvolution::new(from, instructions.precise());
        let plain = |matrix: &net::Matrix| Linear::new(matrix, None, Activation::Identity);
        let pass = match &policy.hidden_pass {
            None => vec![plain(&policy.pass)],
            Some(hidden) => {
                vec![Linear::new(&policy.pass, Some(&hidden.bias), hidden.activation), plain(&hidden.out)]
            }
        };
        let biased = |matrix: &net::Matrix, bias: &[f32]| Linear::new(matrix, Some(bias), Activation::Identity);
        Self {
            policy: Policy {
                points: convolution(&policy.points),
                pooling: convolution(&policy.pooling),
                pooling_norm: Norm::new(&policy.pooling_norm, policy.pooling_activation),
                pooled: plain(&policy.pooled),
                norm: Norm::new(&policy.norm, policy.activation),
                out: last(&policy.out),
                pass,
            },
            value: Value {
                points: convolution(&value.points),
                norm: Norm::new(&value.norm, value.activation),
                hidden: Linear::new(&value.hidden, Some(&value.hidden_bias), value.hidden_activation),
                outcome: biased(&value.outcome, &value.outcome_bias),
                scores: biased(&value.scores, &value.scores_bias),
                ownership: last(&value.ownership),
            },
            version: net.version,
            factors: net.factors,
            instructions,
        }
    }

    /// Appends the outputs of all boards: outcomes, scores, policies, ownership.
    pub(super) fn run(
        &self,
        boards: SheetShape,
        from: &Sheet,
        maps: &mut Maps,
        scratch: &mut ConvolutionRoom,
        outputs: &mut [Vec<f32>],
    ) {
        let [outcomes, scores, policies @ .., ownership] = outputs else { return };
        self.value(boards, from, maps, scratch, [outcomes, scores, ownership]);
        self.policies(boards, from, maps, scratch, policies);
    }

    fn value(
        &self,
        boards: SheetShape,
        from: &Sheet,
        maps: &mut Maps,
        scratch: &mut ConvolutionRoom,
        [outcomes, scores, ownership]: [&mut Vec<f32>; 3],
    ) {
        let Value { points, norm, .. } = &self.value;
        let [raw, done, out] = &mut maps.sheets;
        self.convolve(points, boards, from, raw, scratch);
        self.activate(norm, raw, done);
        self.convolve(&self.value.ownership, boards, done, out, scratch);
        for position in 0..boards.positions {
            let own = boards.range(position);
            let hidden = self.value.hidden.run(&pool(done, own.clone(), points.outputs(), Third::Square));
            outcomes.extend(self.value.outcome.run(&hidden));
            scores.extend(self.scores(&self.value.scores.run(&hidden)));
            ownership.extend(out.plane(0, own).map(f32::tanh));
        }
    }

    fn policies(
        &self,
        boards: SheetShape,
        from: &Sheet,
        maps: &mut Maps,
        scratch: &mut ConvolutionRoom,
        outputs: &mut [Vec<f32>],
    ) {
        let Policy { points, pooling, pooling_norm, pooled, norm, out, pass } = &self.policy;
        let [raw, done, last] = &mut maps.sheets;
        self.convolve(pooling, boards, from, raw, scratch);
        self.activate(pooling_norm, raw, done);
        let sums = |position| pool(done, boards.range(position), pooling.outputs(), Third::Maximum);
        let sums: Vec<_> = (0..boards.positions).map(sums).collect();
        self.convolve(points, boards, from, raw, scratch);
        for (position, sums) in sums.iter().enumerate() {
            raw.shift(boards.range(position), &pooled.run(sums));
        }
        self.activate(norm, raw, done);
        self.convolve(out, boards, done, last, scratch);
        for (position, sums) in sums.into_iter().enumerate() {
            let passes = pass.iter().fold(sums, |numbers, layer| layer.run(&numbers));
            for ((channel, output), pass) in outputs.iter_mut().enumerate().zip(passes) {
                output.extend(last.plane(channel, boards.range(position)));
                output.push(pass);
            }
        }
    }

    fn convolve(
        &self,
        by: &SheetConvolution,
        boards: SheetShape,
        from: &Sheet,
        to: &mut Sheet,
        scratch: &mut ConvolutionRoom,
    ) {
        to.reshape(from.points, by.blocks());
        by.run(boards, from, false, to, scratch);
    }

    fn activate(&self, norm: &Norm, from: &Sheet, to: &mut Sheet) {
        to.reshape(from.points, from.blocks);
        self.instructions.run(Activate { from, norm, scales: None, to });
    }

    /// The six numbers in points and moves.
    fn scores(&self, raw: &[f32]) -> [f32; 6] {
        let factors = &self.factors;
        let error = |index: usize, factor: f32, first_factor: f32| match (self.version, raw.get(index)) {
            (_, None) | (..9, _) => -1.0,
            (9, Some(&raw)) => softplus(raw) * first_factor,
            (10..14, Some(&raw)) => (softplus(raw) * factor).sqrt(),
            (_, Some(&raw)) => softplus(raw / 2.0) * factor.sqrt(),
        };
        [
            raw[0] * factors.score_mean,
            softplus(raw[1]) * factors.score_deviation,
            raw[2] * factors.lead,
            softplus(raw[3]) * factors.time_left,
            error(4, factors.result_error, 1.0),
            error(5, factors.score_error, 10.0),
        ]
    }
}

/// `ln(1 + eˣ)`.
fn softplus(x: f32) -> f32 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
