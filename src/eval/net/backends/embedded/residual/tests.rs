use super::reference::PlainBoard;
use super::*;
use crate::eval::net::katago::net::{
    Affine, Attention, Block, Convolution, Factors, FeedForward, HiddenPass, Matrix, Nested, Ordinary, PolicyHead,
    Pooling, RootMeanSquare, Trunk, Turn, ValueHead,
};
use crate::rng::Rng;

/// Random parts of networks.
struct Random(Rng);

impl Random {
    fn numbers(&mut self, count: usize, size: f32) -> Vec<f32> {
        (0..count).map(|_| (self.0.unit() - 0.5) * size).collect()
    }

    fn matrix(&mut self, inputs: usize, outputs: usize) -> Matrix {
        Matrix { inputs, outputs, weights: self.numbers(inputs * outputs, 3.0 / (inputs as f32).sqrt()) }
    }

    fn convolution(&mut self, inputs: usize, outputs: usize, window: [usize; 2]) -> Convolution {
        let count = window[0] * window[1] * inputs;
        let weights = self.numbers(count * outputs, 4.0 / (count as f32).sqrt());
        Convolution { window, dilation: [1, 1], inputs, outputs, weights }
    }

    fn affine(&mut self, channels: usize) -> Affine {
        let factor = self.numbers(channels, 1.0).iter().map(|x| x + 1.0).collect();
        Affine { factor, bias: self.numbers(channels, 1.0) }
    }

    fn norm(&mut self, channels: usize) -> RootMeanSquare {
        RootMeanSquare { epsilon: 1e-3, factor: self.affine(channels).factor }
    }

    fn activation(&mut self) -> Activation {
        [Activation::Relu, Activation::Mish, Activation::Silu, Activation::Identity][self.0.below(4) as usize]
    }

    fn ordinary(&mut self, channels: usize, window: [usize; 2], dilation: [usize; 2]) -> Block {
        let middle = channels + 3;
        let mut first = self.convolution(channels, middle, window);
        first.dilation = dilation;
        Block::Ordinary(Ordinary {
            first_norm: self.affine(channels),
            first_activation: self.activation(),
            first,
            second_norm: self.affine(middle),
            second_activation: self.activation(),
            second: self.convolution(middle, channels, [3, 3]),
        })
    }

    fn pooling(&mut self, channels: usize) -> Block {
        Block::Pooling(Pooling {
            first_norm: self.affine(channels),
            first_activation: self.activation(),
            first: self.convolution(channels, 9, [3, 3]),
            pooling: self.convolution(channels, 7, [3, 3]),
            pooling_norm: self.affine(7),
            pooling_activation: self.activation(),
            pooled: self.matrix(21, 9),
            second_norm: self.affine(9),
            second_activation: self.activation(),
            second: self.convolution(9, channels, [3, 3]),
        })
    }

    fn nested(&mut self, channels: usize, blocks: Vec<Block>, inner: usize) -> Block {
        Block::Nested(Nested {
            first_norm: self.affine(channels),
            first_activation: self.activation(),
            first: self.convolution(channels, inner, [1, 1]),
            blocks,
            last_norm: self.affine(inner),
            last_activation: self.activation(),
            last: self.convolution(inner, channels, [1, 1]),
        })
    }

    /// ResidualHeads, heads of keys, channels of queries and of values.
    fn attention(&mut self, channels: usize, sizes: [usize; 4], turn: Option<Turn>) -> Block {
        let [heads, key_heads, query_channels, value_channels] = sizes;
        Block::Attention(Attention {
            norm: self.norm(channels),
            heads,
            key_heads,
            query_channels,
            value_channels,
            queries: self.matrix(channels, heads * query_channels),
            keys: self.matrix(channels, key_heads * query_channels),
            values: self.matrix(channels, key_heads * value_channels),
            out: self.matrix(heads * value_channels, channels),
            turn,
        })
    }

    fn learned(&mut self, pairs: usize) -> Option<Turn> {
        Some(Turn::Learned((0..pairs).map(|_| [self.0.unit() - 0.5, self.0.unit()]).collect()))
    }

    fn feed(&mut self, channels: usize, hidden: usize) -> Block {
        Block::FeedForward(FeedForward {
            norm: self.norm(channels),
            first: self.matrix(channels, hidden),
            gate: self.matrix(channels, hidden),
            second: self.matrix(hidden, channels),
        })
    }

    fn net(&mut self, channels: usize, version: u32, window: usize, blocks: Vec<Block>, tip: net::Norm) -> Net {
        let outputs = if version == 16 { 4 } else { 1 + usize::from(version > 11) };
        let hidden = self.matrix(12, outputs);
        let (bias, activation) = (self.numbers(12, 1.0), self.activation());
        let last = if version < 9 { 4 } else { 6 };
        Net {
            name: "random".to_owned(),
            version,
            parameters: 0,
            factors: Factors {
                score_mean: 20.0,
                score_deviation: 19.0,
                lead: 18.0,
                time_left: 40.0,
                result_error: 0.25,
                score_error: 30.0,
            },
            alive_under_suicide: false,
            norm_without_bias: false,
            trunk: Trunk {
                planes: self.convolution(PLANES, channels, [window, window]),
                numbers: self.matrix(NUMBERS, channels),
                player: None,
                blocks,
                tip,
                activation: self.activation(),
            },
            policy: PolicyHead {
                points: self.convolution(channels, 10, [1, 1]),
                pooling: self.convolution(channels, 11, [1, 1]),
                pooling_norm: self.affine(11),
                pooling_activation: self.activation(),
                pooled: self.matrix(33, 10),
                norm: self.affine(10),
                activation: self.activation(),
                out: self.convolution(10, outputs, [1, 1]),
                pass: self.matrix(33, if version < 15 { outputs } else { 12 }),
                hidden_pass: (version >= 15).then_some(HiddenPass { bias, activation, out: hidden }),
            },
            value: ValueHead {
                points: self.convolution(channels, 13, [1, 1]),
                norm: self.affine(13),
                activation: self.activation(),
                hidden: self.matrix(39, 14),
                hidden_bias: self.numbers(14, 1.0),
                hidden_activation: self.activation(),
                outcome: self.matrix(14, 3),
                outcome_bias: self.numbers(3, 1.0),
                scores: self.matrix(14, last),
                scores_bias: self.numbers(last, 1.0),
                ownership: self.convolution(13, 1, [1, 1]),
            },
        }
    }

    /// Mostly zeros, as planes are; the numbers fill theirs.
    fn positions(&mut self, positions: usize, area: usize) -> Vec<f32> {
        let mut planes = Vec::new();
        for plane in 0..positions * (PLANES + NUMBERS) {
            let number = self.0.unit() - 0.5;
            let is_number = plane % (PLANES + NUMBERS) >= PLANES;
            planes.extend((0..area).map(|_| if is_number { number } else { (self.0.below(4) / 3) as f32 }));
        }
        planes
    }
}

/// Compares a network's outputs with those of its definition.
fn check(random: &mut Random, net: &Net, boards: &[[usize; 2]]) {
    for instructions in [Instructions::Fastest, Instructions::Portable, Instructions::Tiles] {
        let residual = Residual::new(net, &katago::outputs(net), instructions).unwrap();
        for &[rows, columns] in boards {
            let (positions, area) = (2, rows * columns);
            let planes = random.positions(positions, area);
            let mut outputs = Vec::new();
            let shape = [positions, PLANES + NUMBERS, rows, columns];
            residual.run(Batch { planes: &planes, shape }, &mut outputs, &|| true).unwrap();
            for (position, planes) in planes.chunks_exact((PLANES + NUMBERS) * area).enumerate() {
                let wanted = PlainBoard { rows, columns }.run(net, planes);
                assert_eq!(outputs.len(), wanted.len());
                for (number, (found, wanted)) in outputs.iter().zip(&wanted).enumerate() {
                    assert_eq!(found.len(), positions * wanted.len());
                    let found = &found[position * wanted.len()..][..wanted.len()];
                    let at = format!("output {number} on {rows}x{columns} by {instructions:?}");
                    if instructions == Instructions::Tiles {
                        // Single numbers of a random network may be far off.
                        let square = |numbers: &mut dyn Iterator<Item = f64>| numbers.map(|x| x * x).sum::<f64>();
                        let mut far = found.iter().zip(wanted).map(|(found, wanted)| f64::from(*found) - wanted);
                        let (far, all) = (square(&mut far), square(&mut wanted.iter().copied()));
                        assert!(far < 1e-3 * (all + wanted.len() as f64), "{far} of {all}: {at}");
                        continue;
                    }
                    for (found, wanted) in found.iter().zip(wanted) {
                        let far = (f64::from(*found) - wanted).abs();
                        assert!(far < 2e-4 * (1.0 + wanted.abs()), "{found} for {wanted}: {at}");
                    }
                }
            }
        }
    }
}

const BOARDS: &[[usize; 2]] = &[[1, 1], [1, 6], [2, 2], [5, 3], [4, 11], [9, 9], [19, 18]];

#[test]
fn convolutions_are_as_defined() {
    let mut random = Random(Rng::new(1));
    for (channels, version, window) in [(5, 8, 5), (20, 9, 3), (40, 11, 3), (33, 12, 1)] {
        let blocks = vec![
            random.ordinary(channels, [3, 3], [1, 1]),
            random.ordinary(channels, [5, 3], [1, 1]),
            random.pooling(channels),
            random.ordinary(channels, [3, 3], [2, 3]),
            random.pooling(channels),
        ];
        let tip = net::Norm::Affine(random.affine(channels));
        let net = random.net(channels, version, window, blocks, tip);
        check(&mut random, &net, BOARDS);
    }
}

#[test]
fn nested_blocks_are_as_defined() {
    let mut random = Random(Rng::new(2));
    for (channels, inner, version) in [(24, 12, 13), (18, 35, 14)] {
        let inmost = vec![random.ordinary(9, [3, 3], [1, 1]), random.feed(9, 20)];
        let blocks = vec![
            random.ordinary(inner, [3, 3], [1, 1]),
            random.nested(inner, inmost, 9),
            random.pooling(inner),
            random.ordinary(inner, [1, 1], [1, 1]),
        ];
        let blocks = vec![random.nested(channels, blocks, inner), random.ordinary(channels, [3, 3], [1, 1])];
        let tip = net::Norm::Affine(random.affine(channels));
        let net = random.net(channels, version, 3, blocks, tip);
        check(&mut random, &net, BOARDS);
    }
}

#[test]
fn transformers_are_as_defined() {
    let mut random = Random(Rng::new(3));
    for (channels, version, over_points) in [(20, 15, true), (33, 16, false), (16, 17, true)] {
        let learned = random.learned(2 * 6);
        let many = random.learned(20);
        let blocks = vec![
            random.attention(channels, [4, 2, 12, 5], learned),
            random.feed(channels, 24),
            random.attention(channels, [3, 3, 32, 40], Some(Turn::Fixed(100.0))),
            random.attention(channels, [2, 1, 7, 16], None),
            random.feed(channels, 50),
        ];
        let inner = vec![random.attention(32, [2, 1, 40, 33], many), random.feed(32, 32)];
        let blocks = [blocks, vec![random.nested(channels, inner, 32)]].concat();
        let tip =
            net::Norm::RootMeanSquare { norm: random.norm(channels), bias: random.numbers(channels, 1.0), over_points };
        let net = random.net(channels, version, 3, blocks, tip);
        check(&mut random, &net, BOARDS);
    }
}

#[test]
fn calls_end_early_or_fail() {
    let mut random = Random(Rng::new(4));
    let tip = net::Norm::Affine(random.affine(8));
    let mut net = random.net(8, 8, 3, Vec::new(), tip);
    let residual = Residual::new(&net, &katago::outputs(&net), Instructions::Fastest).unwrap();
    let planes = random.positions(2, 9);
    let run = |shape, wanted: bool| residual.run(Batch { planes: &planes, shape }, &mut Vec::new(), &|| wanted);
    assert_eq!(run([2, 41, 3, 3], true), Ok(()));
    assert_eq!(run([2, 41, 3, 3], false), Err(RunError::Cancelled));
    for shape in [[2, 22, 3, 3], [2, 41, 3, 2], [2, 41, 0, 3], [1, 41, 3, 3]] {
        assert!(matches!(run(shape, true), Err(RunError::Failed(_))), "{shape:?}");
    }
    net.trunk.numbers.outputs = 7;
    assert!(Residual::new(&net, &katago::outputs(&net), Instructions::Fastest).is_err());
}
