//! Reader of KataGo's model files, versions 8 to 17, as text or with binary arrays, compressed or not.
//!
//! Files are foreign: all sizes are bounded, and layers fit each other, so that who runs a [`Net`] need not look again.

use super::net::{
    Activation, Affine, Attention, Block, Convolution, Factors, FeedForward, HiddenPass, Matrix, Nested, Net, Norm,
    Ordinary, PlayerEncoder, PolicyHead, Pooling, RootMeanSquare, Trunk, Turn, ValueHead,
};
pub(in crate::eval::net) use super::tokens::ReadError;
use super::tokens::{GZIP, Tokens};
use crate::eval::net::protobuf::{Field, fields};

/// Most channels of a layer, and heads of an attention.
const MOST_CHANNELS: u32 = 1 << 14;
/// Most numbers of a point in an attention, where each head has a multiple of so many: that is how they are calculated.
const MOST_NUMBERS: usize = 1 << 16;
const WIDEST: usize = 32;
/// Numbers that layers may take in memory, where they are calculated, for each of the file's, and beside those.
const MOST_HELD: usize = 8;
const FREE: usize = 1 << 24;
/// Channels that are calculated together.
const TOGETHER: usize = 16;
/// Most blocks side by side.
const MOST_BLOCKS: u32 = 1 << 10;
/// Deepest nesting of blocks.
const DEEPEST: usize = 8;
/// Largest window of a convolution, and largest step between its points.
const LARGEST_WINDOW: u32 = 15;
const LARGEST_DILATION: u32 = 8;
/// Largest epsilon of a norm.
const LARGEST_EPSILON: f32 = 1.0;
/// Longest name of a network.
const LONGEST_NAME: usize = 96;
/// Bytes in which the name and the version stand.
const BEGINNING: usize = 256;

impl Net {
    /// Versions of the format that are read.
    pub(in crate::eval::net) const VERSIONS: std::ops::RangeInclusive<u32> = 8..=17;
    /// Planes and numbers of the input.
    pub(in crate::eval::net) const PLANES: usize = 22;
    pub(in crate::eval::net) const NUMBERS: usize = 19;
    /// Numbers that are known of a player.
    pub(in crate::eval::net) const PLAYER_NUMBERS: usize = 192;
}

/// Whether a file is to be read by [`read`]: it is compressed, or begins with a name and a version. ONNX files are not.
pub(in crate::eval::net) fn looks_like(bytes: &[u8]) -> bool {
    if bytes.starts_with(GZIP) {
        return true;
    }
    let beginning = &bytes[..bytes.len().min(BEGINNING)];
    let mut words = beginning.split(u8::is_ascii_whitespace);
    let Some(name) = words.next().filter(|name| is_name(name)) else { return false };
    let version = words.find(|word| !word.is_empty()).unwrap_or_default();
    let is_version = (1..=3).contains(&version.len()) && version.iter().all(u8::is_ascii_digit);
    !name.is_empty() && is_version && !is_onnx(bytes)
}

/// Whether it is a message with a graph.
fn is_onnx(bytes: &[u8]) -> bool {
    let mut has_graph = false;
    let whole = fields(bytes).all(|field| {
        has_graph |= matches!(field, Ok((7, Field::Bytes(_))));
        field.is_ok()
    });
    whole && has_graph
}

fn is_name(name: &[u8]) -> bool {
    name.len() <= LONGEST_NAME && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte))
}

/// Reads a file.
///
/// # Errors
/// [`ReadError`].
pub(in crate::eval::net) fn read(bytes: &[u8]) -> Result<Net, ReadError> {
    let mut tokens = Tokens::new(bytes);
    let name = tokens.name()?;
    if !is_name(name.as_bytes()) {
        return Err(tokens.fault(format!("a name of up to {LONGEST_NAME} letters, digits, '-' and '_' was expected")));
    }
    let version = tokens.number("the version", u32::MAX)?;
    if !Net::VERSIONS.contains(&version) {
        return Err(ReadError::Version(version));
    }
    let mut reader = Reader { tokens, version, norm_without_bias: false, read: 0, held: 0 };
    reader.same("planes", Net::PLANES)?;
    reader.same("numbers", Net::NUMBERS)?;
    let factors = reader.factors()?;
    let (mut is_of_players, mut alive_under_suicide) = (false, false);
    if version >= 15 {
        is_of_players = reader.tokens.flag("the encoder of players")?;
        alive_under_suicide = reader.tokens.flag("the rule for living areas")?;
        reader.tokens.zeros(6)?;
    }
    let trunk = reader.trunk(is_of_players)?;
    let channels = trunk.planes.outputs;
    let policy = reader.policy(channels)?;
    let value = reader.value(channels)?;
    reader.tokens.end()?;
    let Reader { tokens, norm_without_bias, .. } = reader;
    let parameters = tokens.weights;
    Ok(Net { name, version, parameters, factors, alive_under_suicide, norm_without_bias, trunk, policy, value })
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    version: u32,
    norm_without_bias: bool,
    /// Numbers of the convolutions so far, in the file and where they are calculated.
    read: usize,
    held: usize,
}

type Read<T> = Result<T, ReadError>;

impl Reader<'_> {
    /// A number of channels or the like.
    fn count(&mut self, what: &str) -> Read<usize> {
        match self.tokens.number(what, MOST_CHANNELS)? {
            0 => Err(self.tokens.fault(format!("{what}: 0"))),
            count => Ok(count as usize),
        }
    }

    /// A number that is known beforehand.
    fn same(&mut self, what: &str, wanted: usize) -> Read<()> {
        let found = self.count(what)?;
        self.equal(what, found, wanted)
    }

    fn equal(&self, what: &str, found: usize, wanted: usize) -> Read<()> {
        if found == wanted {
            return Ok(());
        }
        Err(self.tokens.fault(format!("{what}: {found}, where {wanted} were expected")))
    }

    fn factors(&mut self) -> Read<Factors> {
        let mut factors = [20.0, 20.0, 20.0, 20.0, 40.0, 0.25, 30.0];
        if self.version >= 13 {
            for factor in &mut factors {
                *factor = self.tokens.positive("a factor", f32::MAX)?;
            }
        }
        let [_, score_mean, score_deviation, lead, time_left, result_error, score_error] = factors;
        Ok(Factors { score_mean, score_deviation, lead, time_left, result_error, score_error })
    }

    fn trunk(&mut self, is_of_players: bool) -> Read<Trunk> {
        self.tokens.name()?;
        let blocks = self.tokens.number("the number of blocks", MOST_BLOCKS)?;
        let channels = self.count("channels")?;
        // Sizes that the layers say again.
        for what in ["inner channels", "regular channels", "dilated channels", "pooled channels"] {
            self.tokens.number(what, MOST_CHANNELS)?;
        }
        let mut is_root_mean_square = false;
        if self.version >= 15 {
            is_root_mean_square = self.tokens.flag("the kind of the norm")?;
            self.tokens.zeros(5)?;
        }
        Ok(Trunk {
            planes: self.convolution_to(Net::PLANES, channels)?,
            numbers: self.matrix_to(Net::NUMBERS, channels)?,
            player: if is_of_players { Some(self.player(channels)?) } else { None },
            blocks: self.blocks(blocks, channels, 0)?,
            tip: if is_root_mean_square { self.tip(channels)? } else { Norm::Affine(self.affine(channels)?) },
            activation: self.activation()?,
        })
    }

    fn player(&mut self, channels: usize) -> Read<PlayerEncoder> {
        self.tokens.name()?;
        self.same("numbers of a player", Net::PLAYER_NUMBERS)?;
        let first = self.matrix(Net::PLAYER_NUMBERS)?;
        let (first_bias, first_activation) = (self.bias(first.outputs)?, self.activation()?);
        let second = self.matrix(first.outputs)?;
        let (second_bias, second_activation) = (self.bias(second.outputs)?, self.activation()?);
        let out = self.matrix_to(second.outputs, channels)?;
        Ok(PlayerEncoder { first, first_bias, first_activation, second, second_bias, second_activation, out })
    }

    /// The norm at the end of a trunk with transformers.
    fn tip(&mut self, channels: usize) -> Read<Norm> {
        self.tokens.name()?;
        self.same("channels", channels)?;
        let epsilon = self.tokens.positive("epsilon", LARGEST_EPSILON)?;
        let over_points = self.tokens.flag("whether the mean is that of all points")?;
        // Groups of channels, which nothing has.
        self.tokens.zeros(1)?;
        let norm = RootMeanSquare { epsilon, factor: self.tokens.array(&[channels])? };
        Ok(Norm::RootMeanSquare { norm, bias: self.tokens.array(&[channels])?, over_points })
    }

    fn blocks(&mut self, count: u32, channels: usize, depth: usize) -> Read<Vec<Block>> {
        if count == 0 || depth > DEEPEST {
            return Err(self.tokens.fault(format!("{count} blocks at depth {depth}; at most {DEEPEST} deep are read")));
        }
        (0..count).map(|_| self.block(channels, depth)).collect()
    }

    fn block(&mut self, channels: usize, depth: usize) -> Read<Block> {
        let kind = self.tokens.token()?;
        self.tokens.name()?;
        match kind.as_str() {
            "ordinary_block" => self.ordinary(channels).map(Block::Ordinary),
            "gpool_block" => self.pooling(channels).map(Block::Pooling),
            "nested_bottleneck_block" => self.nested(channels, depth).map(Block::Nested),
            "transformer_attention_block" => self.attention(channels).map(Block::Attention),
            "transformer_ffn_block" => self.feed_forward(channels).map(Block::FeedForward),
            _ => Err(self.tokens.fault(format!("the block is of an unknown kind, '{kind}'"))),
        }
    }

    fn ordinary(&mut self, channels: usize) -> Read<Ordinary> {
        let (first_norm, first_activation) = (self.affine(channels)?, self.activation()?);
        let first = self.convolution(channels)?;
        let (second_norm, second_activation) = (self.affine(first.outputs)?, self.activation()?);
        let second = self.convolution_to(first.outputs, channels)?;
        Ok(Ordinary { first_norm, first_activation, first, second_norm, second_activation, second })
    }

    fn pooling(&mut self, channels: usize) -> Read<Pooling> {
        let (first_norm, first_activation) = (self.affine(channels)?, self.activation()?);
        let first = self.convolution(channels)?;
        let pooling = self.convolution(channels)?;
        let (pooling_norm, pooling_activation) = (self.affine(pooling.outputs)?, self.activation()?);
        let pooled = self.matrix_to(3 * pooling.outputs, first.outputs)?;
        let (second_norm, second_activation) = (self.affine(first.outputs)?, self.activation()?);
        let second = self.convolution_to(first.outputs, channels)?;
        Ok(Pooling {
            first_norm,
            first_activation,
            first,
            pooling,
            pooling_norm,
            pooling_activation,
            pooled,
            second_norm,
            second_activation,
            second,
        })
    }

    fn nested(&mut self, channels: usize, depth: usize) -> Read<Nested> {
        let count = self.tokens.number("the number of blocks", MOST_BLOCKS)?;
        let (first_norm, first_activation) = (self.affine(channels)?, self.activation()?);
        let first = self.convolution(channels)?;
        let blocks = self.blocks(count, first.outputs, depth + 1)?;
        let (last_norm, last_activation) = (self.affine(first.outputs)?, self.activation()?);
        let last = self.convolution_to(first.outputs, channels)?;
        Ok(Nested { first_norm, first_activation, first, blocks, last_norm, last_activation, last })
    }

    fn attention(&mut self, channels: usize) -> Read<Attention> {
        let [heads, key_heads] = [self.count("heads")?, self.count("heads of keys")?];
        let [query_channels, value_channels] = [self.count("channels of queries")?, self.count("channels of values")?];
        let [turns, learned] =
            [self.tokens.flag("whether pairs turn")?, self.tokens.flag("whether turns are learned")?];
        if heads % key_heads != 0 || turns && query_channels % 2 != 0 {
            let fault = format!("{heads} heads with {key_heads} heads of keys, of {query_channels} channels");
            return Err(self.tokens.fault(fault));
        }
        // Heads of few channels take as much memory as wider ones, and no weights in the file.
        let numbers =
            (heads + key_heads) * (query_channels.next_multiple_of(WIDEST) + value_channels.next_multiple_of(WIDEST));
        if numbers > MOST_NUMBERS {
            return Err(self
                .tokens
                .fault(format!("attention with {numbers} numbers a point, of at most {MOST_NUMBERS}")));
        }
        Ok(Attention {
            norm: self.root_mean_square(channels)?,
            heads,
            key_heads,
            query_channels,
            value_channels,
            queries: self.matrix_to(channels, heads * query_channels)?,
            keys: self.matrix_to(channels, key_heads * query_channels)?,
            values: self.matrix_to(channels, key_heads * value_channels)?,
            out: self.matrix_to(heads * value_channels, channels)?,
            turn: if turns { Some(self.turn(learned, key_heads, query_channels / 2)?) } else { None },
        })
    }

    fn turn(&mut self, learned: bool, key_heads: usize, pairs: usize) -> Read<Turn> {
        self.tokens.name()?;
        if !learned {
            return Ok(Turn::Fixed(self.tokens.positive("theta", f32::MAX)?));
        }
        self.same("heads", key_heads)?;
        self.same("pairs", pairs)?;
        self.same("directions", 2)?;
        Ok(Turn::Learned(self.tokens.array(&[key_heads, pairs, 2])?.as_chunks().0.to_vec()))
    }

    fn feed_forward(&mut self, channels: usize) -> Read<FeedForward> {
        self.same("channels", channels)?;
        let hidden = self.count("hidden channels")?;
        if !self.tokens.flag("whether there is a gate")? {
            return Err(self.tokens.fault("a block without a gate, which is not known"));
        }
        Ok(FeedForward {
            norm: self.root_mean_square(channels)?,
            first: self.matrix_to(channels, hidden)?,
            gate: self.matrix_to(channels, hidden)?,
            second: self.matrix_to(hidden, channels)?,
        })
    }

    fn policy(&mut self, channels: usize) -> Read<PolicyHead> {
        self.tokens.name()?;
        let mut policies = match self.version {
            ..12 => 1,
            12..16 => 2,
            _ => 4,
        };
        if self.version >= 17 {
            policies = self.count("policies")?;
            if ![2, 4].contains(&policies) {
                return Err(self.tokens.fault(format!("{policies} policies, where 2 or 4 were expected")));
            }
            self.tokens.zeros(3)?;
        }
        let points = self.convolution(channels)?;
        let pooling = self.convolution(channels)?;
        let (pooling_norm, pooling_activation) = (self.affine(pooling.outputs)?, self.activation()?);
        let pooled = self.matrix_to(3 * pooling.outputs, points.outputs)?;
        let (norm, activation) = (self.affine(points.outputs)?, self.activation()?);
        let out = self.convolution_to(points.outputs, policies)?;
        let pass = self.matrix(3 * pooling.outputs)?;
        let hidden_pass = if self.version >= 15 {
            let (bias, activation) = (self.bias(pass.outputs)?, self.activation()?);
            Some(HiddenPass { bias, activation, out: self.matrix_to(pass.outputs, policies)? })
        } else {
            self.equal("logits of the pass", pass.outputs, policies)?;
            None
        };
        Ok(PolicyHead {
            points,
            pooling,
            pooling_norm,
            pooling_activation,
            pooled,
            norm,
            activation,
            out,
            pass,
            hidden_pass,
        })
    }

    fn value(&mut self, channels: usize) -> Read<ValueHead> {
        self.tokens.name()?;
        if self.version >= 17 {
            self.tokens.zeros(3)?;
        }
        let points = self.convolution(channels)?;
        let (norm, activation) = (self.affine(points.outputs)?, self.activation()?);
        let hidden = self.matrix(3 * points.outputs)?;
        let (hidden_bias, hidden_activation) = (self.bias(hidden.outputs)?, self.activation()?);
        let outcome = self.matrix_to(hidden.outputs, 3)?;
        let outcome_bias = self.bias(3)?;
        let raw = if self.version >= 9 { 6 } else { 4 };
        let scores = self.matrix_to(hidden.outputs, raw)?;
        let scores_bias = self.bias(raw)?;
        let ownership = self.convolution_to(points.outputs, 1)?;
        Ok(ValueHead {
            points,
            norm,
            activation,
            hidden,
            hidden_bias,
            hidden_activation,
            outcome,
            outcome_bias,
            scores,
            scores_bias,
            ownership,
        })
    }

    fn convolution(&mut self, inputs: usize) -> Read<Convolution> {
        self.tokens.name()?;
        let window = [self.side()?, self.side()?];
        self.same("input channels", inputs)?;
        let outputs = self.count("output channels")?;
        let mut dilation = [0; 2];
        for step in &mut dilation {
            *step = self.tokens.number("the dilation", LARGEST_DILATION)? as usize;
        }
        if dilation.contains(&0) {
            return Err(self.tokens.fault("the dilation is 0"));
        }
        let weights = self.tokens.array(&[window[0], window[1], inputs, outputs])?;
        let together = |channels: usize| channels.next_multiple_of(TOGETHER);
        // Windows of 3x3 are calculated as products over tiles of 6x6.
        let numbers = if window == [3; 2] { 36 } else { window[0] * window[1] };
        self.read += weights.len();
        self.held += numbers * together(inputs) * together(outputs);
        if self.held > MOST_HELD * self.read + FREE {
            let (held, read) = (self.held, self.read);
            return Err(self.tokens.fault(format!("layers of few channels take {held} numbers of memory for {read}")));
        }
        Ok(Convolution { window, dilation, inputs, outputs, weights })
    }

    fn convolution_to(&mut self, inputs: usize, outputs: usize) -> Read<Convolution> {
        let convolution = self.convolution(inputs)?;
        self.equal("output channels", convolution.outputs, outputs)?;
        Ok(convolution)
    }

    /// A side of a window.
    fn side(&mut self) -> Read<usize> {
        let side = self.tokens.number("a side of the window", LARGEST_WINDOW)? as usize;
        if side.is_multiple_of(2) {
            return Err(self.tokens.fault(format!("a side of the window is {side}, which is even")));
        }
        Ok(side)
    }

    fn matrix(&mut self, inputs: usize) -> Read<Matrix> {
        self.tokens.name()?;
        let found = self.tokens.number("inputs", 3 * MOST_CHANNELS)? as usize;
        self.equal("inputs", found, inputs)?;
        let outputs = self.count("outputs")?;
        Ok(Matrix { inputs, outputs, weights: self.tokens.array(&[inputs, outputs])? })
    }

    fn matrix_to(&mut self, inputs: usize, outputs: usize) -> Read<Matrix> {
        let matrix = self.matrix(inputs)?;
        self.equal("outputs", matrix.outputs, outputs)?;
        Ok(matrix)
    }

    fn bias(&mut self, channels: usize) -> Read<Vec<f32>> {
        self.tokens.name()?;
        self.same("channels", channels)?;
        self.tokens.array(&[channels])
    }

    /// A batch norm.
    fn affine(&mut self, channels: usize) -> Read<Affine> {
        self.tokens.name()?;
        self.same("channels", channels)?;
        let epsilon = self.tokens.positive("epsilon", f32::MAX)?;
        let [has_factor, has_bias] = [self.tokens.flag("whether it has factors")?, self.tokens.flag("or a bias")?];
        let (means, variances) = (self.tokens.array(&[channels])?, self.tokens.array(&[channels])?);
        let mut factor = if has_factor { self.tokens.array(&[channels])? } else { vec![1.0; channels] };
        self.norm_without_bias |= !has_bias;
        let mut bias = if has_bias { self.tokens.array(&[channels])? } else { vec![0.0; channels] };
        for (channel, (mean, variance)) in means.into_iter().zip(variances).enumerate() {
            factor[channel] /= (variance + epsilon).sqrt();
            bias[channel] -= factor[channel] * mean;
            if !factor[channel].is_finite() || !bias[channel].is_finite() {
                return Err(self.tokens.fault(format!("channel {channel} has the variance {variance}")));
            }
        }
        Ok(Affine { factor, bias })
    }

    fn root_mean_square(&mut self, channels: usize) -> Read<RootMeanSquare> {
        self.tokens.name()?;
        self.same("channels", channels)?;
        let epsilon = self.tokens.positive("epsilon", LARGEST_EPSILON)?;
        Ok(RootMeanSquare { epsilon, factor: self.tokens.array(&[channels])? })
    }

    fn activation(&mut self) -> Read<Activation> {
        self.tokens.name()?;
        if self.version < 11 {
            return Ok(Activation::Relu);
        }
        match self.tokens.token()?.as_str() {
            "ACTIVATION_IDENTITY" => Ok(Activation::Identity),
            "ACTIVATION_RELU" => Ok(Activation::Relu),
            "ACTIVATION_MISH" => Ok(Activation::Mish),
            "ACTIVATION_SILU" => Ok(Activation::Silu),
            other => Err(self.tokens.fault(format!("the activation '{other}' is not known"))),
        }
    }
}

#[cfg(test)]
mod tests;
