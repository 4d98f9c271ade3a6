//! Layers as nodes of a graph.

use super::board::BoardValues;
use super::graph::{GraphWriter, Setting};
use crate::eval::net::katago::net::{Activation, Affine, Convolution, Matrix, RootMeanSquare};

impl GraphWriter {
    /// A convolution, with an affine function after it where there is one.
    pub(super) fn convolution(
        &mut self,
        x: &str,
        layer: &Convolution,
        factor: Option<&[f32]>,
        bias: Option<&[f32]>,
    ) -> String {
        let Convolution { window: [height, width], dilation, inputs, outputs, ref weights } = *layer;
        let points = height * width;
        let at = |output: usize, input: usize, point: usize| {
            weights[(point * inputs + input) * outputs + output] * factor.map_or(1.0, |factor| factor[output])
        };
        let turned: Vec<f32> = (0..outputs * inputs * points)
            .map(|place| at(place / points / inputs, place / points % inputs, place % points))
            .collect();
        let weights = self.numbers(&[outputs, inputs, height, width], &turned);
        let bias = bias.map(|bias| self.numbers(&[outputs], bias));
        let pads = [(height / 2 * dilation[0]) as i64, (width / 2 * dilation[1]) as i64];
        let settings = [
            ("dilations", Setting::Integers(&dilation.map(|step| step as i64))),
            ("group", Setting::Integer(1)),
            ("kernel_shape", Setting::Integers(&[height as i64, width as i64])),
            ("pads", Setting::Integers(&[pads[0], pads[1], pads[0], pads[1]])),
            ("strides", Setting::Integers(&[1, 1])),
        ];
        let inputs: Vec<&str> = [x, &weights].into_iter().chain(bias.as_deref()).collect();
        self.node("Conv", &inputs, &settings)
    }

    /// A convolution and its norm.
    pub(super) fn normed(&mut self, x: &str, layer: &Convolution, norm: &Affine) -> String {
        self.convolution(x, layer, Some(&norm.factor), Some(&norm.bias))
    }

    /// A product of rows, with an affine function after it.
    pub(super) fn dense(&mut self, x: &str, layer: &Matrix, factor: Option<&[f32]>, bias: &[f32]) -> String {
        let factors = |place: usize| factor.map_or(1.0, |factor| factor[place % layer.outputs]);
        let weights: Vec<f32> =
            layer.weights.iter().enumerate().map(|(place, weight)| weight * factors(place)).collect();
        let weights = self.numbers(&[layer.inputs, layer.outputs], &weights);
        let bias = self.numbers(&[layer.outputs], bias);
        let settings = [
            ("alpha", Setting::Float(1.0)),
            ("beta", Setting::Float(1.0)),
            ("transA", Setting::Integer(0)),
            ("transB", Setting::Integer(0)),
        ];
        self.node("Gemm", &[x, &weights, &bias], &settings)
    }

    /// A product of the last dimension, without bias.
    pub(super) fn product(&mut self, x: &str, layer: &Matrix, factor: f32) -> String {
        let weights: Vec<f32> = layer.weights.iter().map(|weight| weight * factor).collect();
        let weights = self.numbers(&[layer.inputs, layer.outputs], &weights);
        self.node("MatMul", &[x, &weights], &[])
    }

    /// A factor and a bias for each channel, with sizes of 1 as far as that shape says.
    pub(super) fn affine(&mut self, x: &str, shape: &[usize], factor: &[f32], bias: &[f32]) -> String {
        let (factor, bias) = (self.numbers(shape, factor), self.numbers(shape, bias));
        let scaled = self.node("Mul", &[x, &factor], &[]);
        self.node("Add", &[&scaled, &bias], &[])
    }

    /// A batch norm of a map.
    pub(super) fn norm(&mut self, x: &str, norm: &Affine) -> String {
        self.affine(x, &[1, norm.factor.len(), 1, 1], &norm.factor, &norm.bias)
    }

    /// `x / √(mean of squares over axes + epsilon)`.
    pub(super) fn scaled_by_root(&mut self, x: &str, norm: &RootMeanSquare, axes: &[i64]) -> String {
        let (axes, epsilon) = (self.integers(axes), self.numbers(&[1], &[norm.epsilon]));
        let squares = self.node("Mul", &[x, x], &[]);
        let mean = self.node("ReduceMean", &[&squares, &axes], &[("keepdims", Setting::Integer(1))]);
        let sum = self.node("Add", &[&mean, &epsilon], &[]);
        let root = self.node("Sqrt", &[&sum], &[]);
        self.node("Div", &[x, &root], &[])
    }

    pub(super) fn activated(&mut self, x: &str, activation: Activation) -> String {
        match activation {
            Activation::Identity => x.to_owned(),
            Activation::Relu => self.node("Relu", &[x], &[]),
            Activation::Silu => {
                let gate = self.node("Sigmoid", &[x], &[]);
                self.node("Mul", &[x, &gate], &[])
            }
            Activation::Mish => {
                let soft = self.node("Softplus", &[x], &[]);
                let gate = self.node("Tanh", &[&soft], &[]);
                self.node("Mul", &[x, &gate], &[])
            }
        }
    }

    /// The three numbers of each channel; the third is the maximum, or by the square of the board's width.
    pub(super) fn pooled(&mut self, x: &str, board: &BoardValues, by_square: bool) -> String {
        let axes = self.integers(&[2, 3]);
        let whole = [("keepdims", Setting::Integer(0))];
        let mean = self.node("ReduceMean", &[x, &axes], &whole);
        let linear = self.node("Mul", &[&mean, &board.linear], &[]);
        let third = if by_square {
            self.node("Mul", &[&mean, &board.square], &[])
        } else {
            self.node("ReduceMax", &[x, &axes], &whole)
        };
        self.node("Concat", &[&mean, &linear, &third], &[("axis", Setting::Integer(1))])
    }

    /// A row of numbers added to each point of a map.
    pub(super) fn spread(&mut self, map: &str, row: &str) -> String {
        let axes = self.integers(&[2, 3]);
        let wide = self.node("Unsqueeze", &[row, &axes], &[]);
        self.node("Add", &[map, &wide], &[])
    }
}
