//! A network of KataGo's, as its file describes it: layers and their weights, nothing of how they are run.
//!
//! Maps are channels of the points of a board. All convolutions are padded with zeros to keep the size of the board.

/// A network. Its inputs are the 22 planes and 19 numbers of KataGo's version 7.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct Net {
    /// Name that the file gives it.
    pub(in crate::eval::net) name: String,
    /// Version of the format, 8 to 17.
    pub(in crate::eval::net) version: u32,
    /// Number of weights in the file.
    pub(in crate::eval::net) parameters: u64,
    pub(in crate::eval::net) factors: Factors,
    /// Whether suicide counts as legal where areas that are alive are looked for.
    pub(in crate::eval::net) alive_under_suicide: bool,
    /// Whether a batch norm has no bias in the file.
    pub(in crate::eval::net) norm_without_bias: bool,
    pub(in crate::eval::net) trunk: Trunk,
    pub(in crate::eval::net) policy: PolicyHead,
    pub(in crate::eval::net) value: ValueHead,
}

/// Factors of the raw outputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::eval::net) struct Factors {
    pub(in crate::eval::net) score_mean: f32,
    pub(in crate::eval::net) score_deviation: f32,
    pub(in crate::eval::net) lead: f32,
    pub(in crate::eval::net) time_left: f32,
    pub(in crate::eval::net) result_error: f32,
    pub(in crate::eval::net) score_error: f32,
}

/// All blocks, from the inputs to the heads.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct Trunk {
    pub(in crate::eval::net) planes: Convolution,
    /// From the 19 numbers; added to each point.
    pub(in crate::eval::net) numbers: Matrix,
    /// Reader of a player's 192 numbers, in networks that imitate people; added to each point.
    pub(in crate::eval::net) player: Option<PlayerEncoder>,
    pub(in crate::eval::net) blocks: Vec<Block>,
    pub(in crate::eval::net) tip: Norm,
    pub(in crate::eval::net) activation: Activation,
}

/// Reader of what is known of a player.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct PlayerEncoder {
    pub(in crate::eval::net) first: Matrix,
    pub(in crate::eval::net) first_bias: Vec<f32>,
    pub(in crate::eval::net) first_activation: Activation,
    pub(in crate::eval::net) second: Matrix,
    pub(in crate::eval::net) second_bias: Vec<f32>,
    pub(in crate::eval::net) second_activation: Activation,
    pub(in crate::eval::net) out: Matrix,
}

/// A block: what is added to its input.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) enum Block {
    Ordinary(Ordinary),
    Pooling(Pooling),
    Nested(Nested),
    Attention(Attention),
    FeedForward(FeedForward),
}

/// `second(act(norm(first(act(norm(x))))))`.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct Ordinary {
    pub(in crate::eval::net) first_norm: Affine,
    pub(in crate::eval::net) first_activation: Activation,
    pub(in crate::eval::net) first: Convolution,
    pub(in crate::eval::net) second_norm: Affine,
    pub(in crate::eval::net) second_activation: Activation,
    pub(in crate::eval::net) second: Convolution,
}

/// Block as [`Ordinary`]; `pooled(act(norm(pooling(y))))` is added to each point of `first(y)`, where y is the input after norm and activation.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct Pooling {
    pub(in crate::eval::net) first_norm: Affine,
    pub(in crate::eval::net) first_activation: Activation,
    pub(in crate::eval::net) first: Convolution,
    pub(in crate::eval::net) pooling: Convolution,
    pub(in crate::eval::net) pooling_norm: Affine,
    pub(in crate::eval::net) pooling_activation: Activation,
    /// From three numbers a channel: mean, mean · (√points − 14) / 10, maximum.
    pub(in crate::eval::net) pooled: Matrix,
    pub(in crate::eval::net) second_norm: Affine,
    pub(in crate::eval::net) second_activation: Activation,
    pub(in crate::eval::net) second: Convolution,
}

/// Blocks on fewer channels.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct Nested {
    pub(in crate::eval::net) first_norm: Affine,
    pub(in crate::eval::net) first_activation: Activation,
    pub(in crate::eval::net) first: Convolution,
    pub(in crate::eval::net) blocks: Vec<Block>,
    pub(in crate::eval::net) last_norm: Affine,
    pub(in crate::eval::net) last_activation: Activation,
    pub(in crate::eval::net) last: Convolution,
}

/// Attention of each point to all points.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct Attention {
    pub(in crate::eval::net) norm: RootMeanSquare,
    pub(in crate::eval::net) heads: usize,
    /// Heads of keys and values; `heads` is a multiple of it.
    pub(in crate::eval::net) key_heads: usize,
    /// Channels of a head's queries and keys; even where they are turned.
    pub(in crate::eval::net) query_channels: usize,
    pub(in crate::eval::net) value_channels: usize,
    pub(in crate::eval::net) queries: Matrix,
    pub(in crate::eval::net) keys: Matrix,
    pub(in crate::eval::net) values: Matrix,
    pub(in crate::eval::net) out: Matrix,
    pub(in crate::eval::net) turn: Option<Turn>,
}

/// Angles by which pairs of channels of queries and keys are turned at a point (RoPE).
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) enum Turn {
    /// Angle of a pair by column and row, both from 0: key head, pair, (column's frequency, row's frequency).
    Learned(Vec<[f32; 2]>),
    /// The first half of the pairs by row, the rest by column, with `theta^(-2j / pairs)` for the j-th of a half.
    Fixed(f32),
}

/// `second(silu(first(n)) · gate(n))`, n the input after its norm.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct FeedForward {
    pub(in crate::eval::net) norm: RootMeanSquare,
    pub(in crate::eval::net) first: Matrix,
    pub(in crate::eval::net) gate: Matrix,
    pub(in crate::eval::net) second: Matrix,
}

/// Head of the policy: logits of all points, then of the pass.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct PolicyHead {
    pub(in crate::eval::net) points: Convolution,
    pub(in crate::eval::net) pooling: Convolution,
    pub(in crate::eval::net) pooling_norm: Affine,
    pub(in crate::eval::net) pooling_activation: Activation,
    /// From three numbers a channel, as in [`Pooling`]; added to each point.
    pub(in crate::eval::net) pooled: Matrix,
    pub(in crate::eval::net) norm: Affine,
    pub(in crate::eval::net) activation: Activation,
    /// To one channel, or more: the policy, the optimistic policy, and two that nobody uses.
    pub(in crate::eval::net) out: Convolution,
    /// From three numbers a channel to the pass's logit in each channel, or to a hidden layer.
    pub(in crate::eval::net) pass: Matrix,
    pub(in crate::eval::net) hidden_pass: Option<HiddenPass>,
}

/// Hidden layer before the pass's logits.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct HiddenPass {
    pub(in crate::eval::net) bias: Vec<f32>,
    pub(in crate::eval::net) activation: Activation,
    pub(in crate::eval::net) out: Matrix,
}

/// Head of values.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct ValueHead {
    pub(in crate::eval::net) points: Convolution,
    pub(in crate::eval::net) norm: Affine,
    pub(in crate::eval::net) activation: Activation,
    /// From three numbers a channel: mean, mean · (√points − 14) / 10, mean · ((√points − 14)² / 100 − 0.1).
    pub(in crate::eval::net) hidden: Matrix,
    pub(in crate::eval::net) hidden_bias: Vec<f32>,
    pub(in crate::eval::net) hidden_activation: Activation,
    /// To the logits of win, loss and no result.
    pub(in crate::eval::net) outcome: Matrix,
    pub(in crate::eval::net) outcome_bias: Vec<f32>,
    /// To 4 (version 8) or 6 raw numbers: mean score, its deviation, lead, time left, errors of result and score.
    pub(in crate::eval::net) scores: Matrix,
    pub(in crate::eval::net) scores_bias: Vec<f32>,
    /// To the owner of each point, before tanh.
    pub(in crate::eval::net) ownership: Convolution,
}

/// A convolution without bias.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct Convolution {
    /// Rows and columns of the window, odd.
    pub(in crate::eval::net) window: [usize; 2],
    /// Steps between the points of the window, by rows and columns; usually 1.
    pub(in crate::eval::net) dilation: [usize; 2],
    pub(in crate::eval::net) inputs: usize,
    pub(in crate::eval::net) outputs: usize,
    /// Row, column, input, output; the output's number changes fastest.
    pub(in crate::eval::net) weights: Vec<f32>,
}

/// A product without bias.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct Matrix {
    pub(in crate::eval::net) inputs: usize,
    pub(in crate::eval::net) outputs: usize,
    /// Input, output; the output's number changes fastest.
    pub(in crate::eval::net) weights: Vec<f32>,
}

/// A factor and a number to add for each channel: a batch norm.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct Affine {
    pub(in crate::eval::net) factor: Vec<f32>,
    pub(in crate::eval::net) bias: Vec<f32>,
}

/// Norm at the end of the trunk.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) enum Norm {
    Affine(Affine),
    /// `x / √(mean of squares + epsilon) · factor + bias`; the mean is that of a point's channels, or of all points and channels.
    RootMeanSquare {
        norm: RootMeanSquare,
        bias: Vec<f32>,
        over_points: bool,
    },
}

/// `x / √(mean of the point's squares + epsilon) · factor`.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::eval::net) struct RootMeanSquare {
    pub(in crate::eval::net) epsilon: f32,
    pub(in crate::eval::net) factor: Vec<f32>,
}

/// A function of each number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::eval::net) enum Activation {
    Identity,
    Relu,
    /// `x · tanh(ln(1 + eˣ))`.
    Mish,
    /// `x / (1 + e⁻ˣ)`.
    Silu,
}
