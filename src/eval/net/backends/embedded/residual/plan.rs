//! The steps of a trunk.

use super::super::instructions::Instructions;
use super::attention::Attention;
use super::convolution::SheetConvolution;
use super::dense::Linear;
use super::feedforward::FeedForward;
use super::sheet::Norm;
use crate::eval::net::katago::net::{self, Activation, Block};

/// Number of a sheet among those that a run needs.
pub(super) type Place = usize;

/// One calculation.
#[derive(Clone, Debug)]
pub(super) enum ResidualStep {
    Activate {
        from: Place,
        by: Norm,
        to: Place,
    },
    Convolve {
        from: Place,
        by: SheetConvolution,
        add: bool,
        to: Place,
    },
    /// Pools what `norm` gives, and adds the matrix' outputs to each point.
    Pool {
        from: Place,
        norm: Norm,
        channels: usize,
        by: Linear,
        to: Place,
    },
    /// With the number of its angles.
    Attend {
        by: Attention,
        angles: usize,
        to: Place,
    },
    Feed {
        by: FeedForward,
        to: Place,
    },
}

/// Use of a sheet. Blocks share their sheets, which so stay near the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Sums that blocks add to, by their depth.
    Trunk(usize),
    /// Input of a convolution.
    Normed,
    Middle,
    Pooled,
}

/// A plan under construction.
#[derive(Debug)]
pub(super) struct Planner {
    pub(super) steps: Vec<ResidualStep>,
    /// Channels of each sheet.
    pub(super) sheets: Vec<usize>,
    /// Layers of attention.
    pub(super) attentions: usize,
    uses: Vec<(Use, usize)>,
    instructions: Instructions,
}

impl Planner {
    pub(super) fn new(instructions: Instructions) -> Self {
        Self { steps: Vec::new(), sheets: Vec::new(), attentions: 0, uses: Vec::new(), instructions }
    }

    fn place(&mut self, used: Use, channels: usize) -> Place {
        let known = self.uses.iter().position(|&own| own == (used, channels));
        known.unwrap_or_else(|| {
            self.uses.push((used, channels));
            self.sheets.push(channels);
            self.sheets.len() - 1
        })
    }

    /// The sheet that the blocks of a depth add to.
    pub(super) fn trunk(&mut self, depth: usize, channels: usize) -> Place {
        self.place(Use::Trunk(depth), channels)
    }

    /// A sheet for what comes after a norm.
    pub(super) fn normed(&mut self, channels: usize) -> Place {
        self.place(Use::Normed, channels)
    }

    fn activate(&mut self, from: Place, norm: &net::Affine, activation: Activation) -> Place {
        let to = self.normed(norm.factor.len());
        self.steps.push(ResidualStep::Activate { from, by: Norm::new(norm, activation), to });
        to
    }

    fn convolve(&mut self, from: Place, by: &net::Convolution, add: bool, to: Place) {
        let by = SheetConvolution::new(by, self.instructions);
        self.steps.push(ResidualStep::Convolve { from, by, add, to });
    }

    /// Plans blocks that add to a sheet.
    pub(super) fn blocks(&mut self, blocks: &[Block], depth: usize, trunk: Place) {
        for block in blocks {
            match block {
                Block::Ordinary(block) => self.ordinary(block, trunk),
                Block::Pooling(block) => self.pooling(block, trunk),
                Block::Nested(block) => {
                    let normed = self.activate(trunk, &block.first_norm, block.first_activation);
                    let inner = self.trunk(depth + 1, block.first.outputs);
                    self.convolve(normed, &block.first, false, inner);
                    self.blocks(&block.blocks, depth + 1, inner);
                    let normed = self.activate(inner, &block.last_norm, block.last_activation);
                    self.convolve(normed, &block.last, true, trunk);
                }
                Block::Attention(block) => {
                    let by = Attention::new(block, self.instructions);
                    self.steps.push(ResidualStep::Attend { by, angles: self.attentions, to: trunk });
                    self.attentions += 1;
                }
                Block::FeedForward(block) => {
                    let by = FeedForward::new(block, self.instructions);
                    self.steps.push(ResidualStep::Feed { by, to: trunk });
                }
            }
        }
    }

    fn ordinary(&mut self, block: &net::Ordinary, trunk: Place) {
        let normed = self.activate(trunk, &block.first_norm, block.first_activation);
        let middle = self.place(Use::Middle, block.first.outputs);
        self.convolve(normed, &block.first, false, middle);
        let normed = self.activate(middle, &block.second_norm, block.second_activation);
        self.convolve(normed, &block.second, true, trunk);
    }

    fn pooling(&mut self, block: &net::Pooling, trunk: Place) {
        let normed = self.activate(trunk, &block.first_norm, block.first_activation);
        let middle = self.place(Use::Middle, block.first.outputs);
        self.convolve(normed, &block.first, false, middle);
        let channels = block.pooling.outputs;
        let pooled = self.place(Use::Pooled, channels);
        self.convolve(normed, &block.pooling, false, pooled);
        let norm = Norm::new(&block.pooling_norm, block.pooling_activation);
        let by = Linear::new(&block.pooled, None, Activation::Identity);
        self.steps.push(ResidualStep::Pool { from: pooled, norm, channels, by, to: middle });
        let normed = self.activate(middle, &block.second_norm, block.second_activation);
        self.convolve(normed, &block.second, true, trunk);
    }
}
