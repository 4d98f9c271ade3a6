//! Networks by their definition: loops, in double precision.

use crate::eval::net::katago::net::{
    Activation, Affine, Attention, Block, Convolution, FeedForward, Matrix, Net, Norm, Pooling, RootMeanSquare, Turn,
};

/// Channels, points.
type Maps = Vec<Vec<f64>>;

/// A board's shape.
#[derive(Clone, Copy)]
pub(super) struct PlainBoard {
    pub(super) rows: usize,
    pub(super) columns: usize,
}

fn activate(activation: Activation, x: f64) -> f64 {
    match activation {
        Activation::Identity => x,
        Activation::Relu => x.max(0.0),
        Activation::Mish => x * (1.0 + x.exp()).ln().tanh(),
        Activation::Silu => x / (1.0 + (-x).exp()),
    }
}

fn normed(norm: &Affine, activation: Activation, x: &Maps) -> Maps {
    let channel = |(channel, numbers): (usize, &Vec<f64>)| {
        let number = |&x| activate(activation, x * f64::from(norm.factor[channel]) + f64::from(norm.bias[channel]));
        numbers.iter().map(number).collect()
    };
    x.iter().enumerate().map(channel).collect()
}

fn product(matrix: &Matrix, x: &[f64]) -> Vec<f64> {
    assert_eq!(matrix.inputs, x.len());
    let weight = |input: usize, output: usize| f64::from(matrix.weights[input * matrix.outputs + output]);
    (0..matrix.outputs).map(|output| (0..matrix.inputs).map(|input| weight(input, output) * x[input]).sum()).collect()
}

fn biased(numbers: Vec<f64>, bias: &[f32], activation: Activation) -> Vec<f64> {
    numbers.iter().zip(bias).map(|(number, &bias)| activate(activation, number + f64::from(bias))).collect()
}

fn shift(x: &mut Maps, by: &[f64]) {
    x.iter_mut().zip(by).for_each(|(numbers, by)| numbers.iter_mut().for_each(|number| *number += by));
}

fn add(x: &mut Maps, y: &Maps) {
    x.iter_mut().zip(y).for_each(|(x, y)| x.iter_mut().zip(y).for_each(|(x, y)| *x += y));
}

/// A layer of the points: what `by` makes of the channels of each.
fn each_point(x: &Maps, by: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    (0..x[0].len()).map(|point| by(&x.iter().map(|channel| channel[point]).collect::<Vec<_>>())).collect()
}

/// The other way round.
fn turned(x: &[Vec<f64>]) -> Maps {
    (0..x[0].len()).map(|channel| x.iter().map(|point| point[channel]).collect()).collect()
}

fn root_mean_square(norm: &RootMeanSquare, x: &[f64]) -> Vec<f64> {
    let mean = x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64;
    let scale = 1.0 / (mean + f64::from(norm.epsilon)).sqrt();
    x.iter().zip(&norm.factor).map(|(x, &factor)| x * scale * f64::from(factor)).collect()
}

impl PlainBoard {
    fn convolve(self, by: &Convolution, x: &Maps) -> Maps {
        assert_eq!(by.inputs, x.len());
        let (rows, columns) = (self.rows as isize, self.columns as isize);
        let [height, width] = by.window.map(|side| side as isize);
        let [down, right] = by.dilation.map(|step| step as isize);
        let mut y = vec![vec![0.0; self.rows * self.columns]; by.outputs];
        for (output, y) in y.iter_mut().enumerate() {
            for (point, y) in y.iter_mut().enumerate() {
                let (row, column) = (point as isize / columns, point as isize % columns);
                for place in 0..height * width {
                    let (i, j) = (place / width - height / 2, place % width - width / 2);
                    let (row, column) = (row + i * down, column + j * right);
                    if !(0..rows).contains(&row) || !(0..columns).contains(&column) {
                        continue;
                    }
                    for (input, x) in x.iter().enumerate() {
                        let weight = by.weights[(place as usize * by.inputs + input) * by.outputs + output];
                        *y += f64::from(weight) * x[(row * columns + column) as usize];
                    }
                }
            }
        }
        y
    }

    fn pool(self, x: &Maps, value: bool) -> Vec<f64> {
        let points = (self.rows * self.columns) as f64;
        let side = points.sqrt() - 14.0;
        let mean = |x: &Vec<f64>| x.iter().sum::<f64>() / points;
        let third = |x: &Vec<f64>| {
            if value { mean(x) * (side * side / 100.0 - 0.1) } else { x.iter().copied().fold(f64::MIN, f64::max) }
        };
        let all = x.iter().map(mean).chain(x.iter().map(|x| mean(x) * side / 10.0));
        all.chain(x.iter().map(third)).collect()
    }

    fn blocks(self, blocks: &[Block], x: &mut Maps) {
        for block in blocks {
            let y = match block {
                Block::Ordinary(block) => {
                    let y = self.convolve(&block.first, &normed(&block.first_norm, block.first_activation, x));
                    self.convolve(&block.second, &normed(&block.second_norm, block.second_activation, &y))
                }
                Block::Pooling(block) => self.pooling(block, x),
                Block::Nested(block) => {
                    let mut y = self.convolve(&block.first, &normed(&block.first_norm, block.first_activation, x));
                    self.blocks(&block.blocks, &mut y);
                    self.convolve(&block.last, &normed(&block.last_norm, block.last_activation, &y))
                }
                Block::Attention(block) => self.attention(block, x),
                Block::FeedForward(block) => feed(block, x),
            };
            add(x, &y);
        }
    }

    fn pooling(self, block: &Pooling, x: &Maps) -> Maps {
        let y = normed(&block.first_norm, block.first_activation, x);
        let pooled = normed(&block.pooling_norm, block.pooling_activation, &self.convolve(&block.pooling, &y));
        let mut z = self.convolve(&block.first, &y);
        shift(&mut z, &product(&block.pooled, &self.pool(&pooled, false)));
        self.convolve(&block.second, &normed(&block.second_norm, block.second_activation, &z))
    }

    fn attention(self, block: &Attention, x: &Maps) -> Maps {
        let n = each_point(x, |x| root_mean_square(&block.norm, x));
        let all = |matrix| n.iter().map(|n| product(matrix, n)).collect::<Vec<_>>();
        let (mut queries, mut keys, values) = (all(&block.queries), all(&block.keys), all(&block.values));
        let (size, share) = (block.query_channels, block.heads / block.key_heads);
        for point in 0..n.len() {
            for head in 0..block.heads {
                self.turn(block, point, head / share, &mut queries[point][head * size..][..size]);
            }
            for head in 0..block.key_heads {
                self.turn(block, point, head, &mut keys[point][head * size..][..size]);
            }
        }
        let mut out = Vec::new();
        for query in &queries {
            let mut joined = Vec::new();
            for head in 0..block.heads {
                let own = &query[head * size..][..size];
                let score = |key: &Vec<f64>| {
                    let key = &key[head / share * size..][..size];
                    own.iter().zip(key).map(|(q, k)| q * k).sum::<f64>() / (size as f64).sqrt()
                };
                let powers: Vec<f64> = keys.iter().map(|key| score(key).exp()).collect();
                let sum: f64 = powers.iter().sum();
                for channel in 0..block.value_channels {
                    let place = head / share * block.value_channels + channel;
                    joined.push(powers.iter().zip(&values).map(|(p, value)| p / sum * value[place]).sum());
                }
            }
            out.push(product(&block.out, &joined));
        }
        turned(&out)
    }

    fn turn(self, block: &Attention, point: usize, key_head: usize, channels: &mut [f64]) {
        let (row, column) = ((point / self.columns) as f64, (point % self.columns) as f64);
        let pairs = channels.len() / 2;
        for pair in 0..pairs {
            let angle = match &block.turn {
                None => 0.0,
                Some(Turn::Learned(frequencies)) => {
                    let [by_column, by_row] = frequencies[key_head * pairs + pair].map(f64::from);
                    column * by_column + row * by_row
                }
                Some(Turn::Fixed(theta)) => {
                    let frequency = |number: usize| f64::from(*theta).powf(-2.0 * number as f64 / pairs as f64);
                    if pair < pairs / 2 { row * frequency(pair) } else { column * frequency(pair - pairs / 2) }
                }
            };
            let (a, b) = (channels[2 * pair], channels[2 * pair + 1]);
            channels[2 * pair] = a * angle.cos() - b * angle.sin();
            channels[2 * pair + 1] = a * angle.sin() + b * angle.cos();
        }
    }

    /// The channels at the end of the trunk.
    fn trunk(self, net: &Net, planes: &[f32]) -> Maps {
        let points = self.rows * self.columns;
        let planes: Maps = planes.chunks(points).map(|plane| plane.iter().map(|&x| f64::from(x)).collect()).collect();
        let mut x = self.convolve(&net.trunk.planes, &planes[..22].to_vec());
        let numbers: Vec<f64> = planes[22..].iter().map(|plane| plane[0]).collect();
        shift(&mut x, &product(&net.trunk.numbers, &numbers));
        self.blocks(&net.trunk.blocks, &mut x);
        let (norm, bias, over_points) = match &net.trunk.tip {
            Norm::Affine(norm) => return normed(norm, net.trunk.activation, &x),
            Norm::RootMeanSquare { norm, bias, over_points } => (norm, bias, *over_points),
        };
        if over_points {
            let factor = norm.factor.iter().flat_map(|&factor| vec![factor; points]).collect();
            let all = root_mean_square(&RootMeanSquare { epsilon: norm.epsilon, factor }, &x.concat());
            x = all.chunks(points).map(<[f64]>::to_vec).collect();
        } else {
            x = turned(&each_point(&x, |x| root_mean_square(norm, x)));
        }
        normed(&Affine { factor: vec![1.0; bias.len()], bias: bias.clone() }, net.trunk.activation, &x)
    }

    /// The outputs of a position.
    pub(super) fn run(self, net: &Net, planes: &[f32]) -> Vec<Vec<f64>> {
        let x = self.trunk(net, planes);
        let (value, policy) = (&net.value, &net.policy);
        let y = normed(&value.norm, value.activation, &self.convolve(&value.points, &x));
        let hidden = product(&value.hidden, &self.pool(&y, true));
        let hidden = biased(hidden, &value.hidden_bias, value.hidden_activation);
        let mut outputs = vec![biased(product(&value.outcome, &hidden), &value.outcome_bias, Activation::Identity)];
        outputs.push(scores(net, &biased(product(&value.scores, &hidden), &value.scores_bias, Activation::Identity)));
        let pooling = self.convolve(&policy.pooling, &x);
        let pooled = self.pool(&normed(&policy.pooling_norm, policy.pooling_activation, &pooling), false);
        let mut points = self.convolve(&policy.points, &x);
        shift(&mut points, &product(&policy.pooled, &pooled));
        let logits = self.convolve(&policy.out, &normed(&policy.norm, policy.activation, &points));
        let mut pass = product(&policy.pass, &pooled);
        if let Some(hidden) = &policy.hidden_pass {
            pass = product(&hidden.out, &biased(pass, &hidden.bias, hidden.activation));
        }
        for (mut logits, pass) in logits.into_iter().zip(pass).take(2) {
            logits.push(pass);
            outputs.push(logits);
        }
        outputs.push(self.convolve(&value.ownership, &y)[0].iter().map(|owner| owner.tanh()).collect());
        outputs
    }
}

fn feed(block: &FeedForward, x: &Maps) -> Maps {
    turned(&each_point(x, |x| {
        let n = root_mean_square(&block.norm, x);
        let gate = product(&block.gate, &n);
        let hidden: Vec<f64> =
            product(&block.first, &n).iter().zip(gate).map(|(&a, gate)| activate(Activation::Silu, a) * gate).collect();
        product(&block.second, &hidden)
    }))
}

fn scores(net: &Net, raw: &[f64]) -> Vec<f64> {
    let softplus = |x: f64| (1.0 + x.exp()).ln();
    let factors = &net.factors;
    let [mean, deviation, lead, time_left, result, score] = [
        factors.score_mean,
        factors.score_deviation,
        factors.lead,
        factors.time_left,
        factors.result_error,
        factors.score_error,
    ]
    .map(f64::from);
    let mut all = vec![raw[0] * mean, softplus(raw[1]) * deviation, raw[2] * lead, softplus(raw[3]) * time_left];
    match net.version {
        8 => all.extend([-1.0, -1.0]),
        9 => all.extend([softplus(raw[4]), 10.0 * softplus(raw[5])]),
        10..=13 => all.extend([(softplus(raw[4]) * result).sqrt(), (softplus(raw[5]) * score).sqrt()]),
        _ => all.extend([
            (softplus(raw[4] / 2.0).powi(2) * result).sqrt(),
            (softplus(raw[5] / 2.0).powi(2) * score).sqrt(),
        ]),
    }
    all
}
