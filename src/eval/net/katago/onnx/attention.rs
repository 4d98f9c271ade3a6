//! Transformers' blocks as nodes, on tensors of positions, points and channels.

use super::board::BoardValues;
use super::graph::{GraphWriter, Setting};
use crate::eval::net::katago::net::{Activation, Attention, FeedForward, RootMeanSquare, Turn};

impl GraphWriter {
    /// The norm of each point by itself.
    fn point_norm(&mut self, x: &str, norm: &RootMeanSquare) -> String {
        let scaled = self.scaled_by_root(x, norm, &[-1]);
        let factor = self.numbers(&[1, 1, norm.factor.len()], &norm.factor);
        self.node("Mul", &[&scaled, &factor], &[])
    }

    pub(super) fn feed_forward(&mut self, x: &str, block: &FeedForward) -> String {
        let normed = self.point_norm(x, &block.norm);
        let first = self.product(&normed, &block.first, 1.0);
        let first = self.activated(&first, Activation::Silu);
        let gate = self.product(&normed, &block.gate, 1.0);
        let gated = self.node("Mul", &[&first, &gate], &[]);
        let out = self.product(&gated, &block.second, 1.0);
        self.node("Add", &[x, &out], &[])
    }

    pub(super) fn attention(&mut self, x: &str, block: &Attention, board: &mut BoardValues) -> String {
        let Attention { heads, key_heads, query_channels, value_channels, .. } = *block;
        let normed = self.point_norm(x, &block.norm);
        let queries = self.product(&normed, &block.queries, 1.0 / (query_channels as f32).sqrt());
        let mut queries = self.by_heads(&queries, heads, query_channels);
        let keys = self.product(&normed, &block.keys, 1.0);
        let mut keys = self.by_heads(&keys, key_heads, query_channels);
        let values = self.product(&normed, &block.values, 1.0);
        let mut values = self.by_heads(&values, key_heads, value_channels);
        let list: Vec<i64> = (0..heads).map(|head| (head * key_heads / heads) as i64).collect();
        if let Some(turn) = &block.turn {
            let table = self.table(turn, key_heads, query_channels, board);
            keys = self.turned(&keys, query_channels, &table);
            let table = table.map(|part| self.of_heads(part, heads, table_heads(turn, key_heads), &list));
            queries = self.turned(&queries, query_channels, &table);
        }
        keys = self.of_heads(keys, heads, key_heads, &list);
        values = self.of_heads(values, heads, key_heads, &list);
        let keys = self.node("Transpose", &[&keys], &[("perm", Setting::Integers(&[0, 1, 3, 2]))]);
        let scores = self.node("MatMul", &[&queries, &keys], &[]);
        let shares = self.node("Softmax", &[&scores], &[("axis", Setting::Integer(3))]);
        let mixed = self.node("MatMul", &[&shares, &values], &[]);
        let mixed = self.node("Transpose", &[&mixed], &[("perm", Setting::Integers(&[0, 2, 1, 3]))]);
        let joined = self.integers(&[0, 0, (heads * value_channels) as i64]);
        let joined = self.node("Reshape", &[&mixed, &joined], &[]);
        let out = self.product(&joined, &block.out, 1.0);
        self.node("Add", &[x, &out], &[])
    }

    /// Channels taken apart by heads: positions, heads, points, channels.
    fn by_heads(&mut self, x: &str, heads: usize, channels: usize) -> String {
        let shape = self.integers(&[0, 0, heads as i64, channels as i64]);
        let apart = self.node("Reshape", &[x, &shape], &[]);
        self.node("Transpose", &[&apart], &[("perm", Setting::Integers(&[0, 2, 1, 3]))])
    }

    /// A tensor of fewer heads, each for several of those of the queries.
    fn of_heads(&mut self, x: String, heads: usize, fewer: usize, list: &[i64]) -> String {
        if fewer == heads || fewer == 1 {
            return x;
        }
        let list = self.integers(list);
        self.node("Gather", &[&x, &list], &[("axis", Setting::Integer(1))])
    }

    /// Cosines and sines by which channels are turned, by heads, points and channels. The first channel of a pair has the negative
    /// angle, since it loses what the second wins.
    fn table(&mut self, turn: &Turn, key_heads: usize, channels: usize, board: &mut BoardValues) -> [String; 2] {
        let heads = table_heads(turn, key_heads);
        let frequency = |axis: usize, place: usize| {
            let sign = if place.is_multiple_of(2) { -1.0 } else { 1.0 };
            sign * frequency(turn, place / 2, channels / 2)[axis]
        };
        let frequencies: Vec<f32> = (0..2)
            .flat_map(|axis| (0..heads * channels).map(move |place| (axis, place)))
            .map(|(a, p)| frequency(a, p))
            .collect();
        let frequencies = self.numbers(&[2, heads * channels], &frequencies);
        let places = board.places(self);
        let angles = self.node("MatMul", &[&places, &frequencies], &[]);
        ["Cos", "Sin"].map(|function| {
            let all = self.node(function, &[&angles], &[]);
            self.by_heads(&all, heads, channels)
        })
    }

    /// Pairs of channels turned by a table.
    fn turned(&mut self, x: &str, channels: usize, [cosines, sines]: &[String; 2]) -> String {
        let other: Vec<i64> = (0..channels as i64).map(|channel| channel ^ 1).collect();
        let other = self.integers(&other);
        let swapped = self.node("Gather", &[x, &other], &[("axis", Setting::Integer(3))]);
        let along = self.node("Mul", &[x, cosines], &[]);
        let across = self.node("Mul", &[&swapped, sines], &[]);
        self.node("Add", &[&along, &across], &[])
    }
}

/// Heads that turn in their own way.
fn table_heads(turn: &Turn, key_heads: usize) -> usize {
    match turn {
        Turn::Learned(_) => key_heads,
        Turn::Fixed(_) => 1,
    }
}

/// Angles of a pair for each column and each row; pairs are counted through all heads.
fn frequency(turn: &Turn, pair: usize, pairs: usize) -> [f32; 2] {
    match turn {
        Turn::Learned(frequencies) => frequencies[pair],
        Turn::Fixed(theta) => {
            let half = pairs / 2;
            let of = |number: usize| f64::from(*theta).powf(-2.0 * number as f64 / pairs as f64) as f32;
            if pair < half { [0.0, of(pair)] } else { [of(pair - half), 0.0] }
        }
    }
}
