//! Heads, which make values, policies and the like of the maps of a tower, by our own code and on the thread that asks. It is
//! little, but a library takes longer to begin with it than it takes, and hands it to a thread of its own.

use std::collections::{HashMap, HashSet};
use std::iter::repeat_n;

use parking_lot::Mutex;

use super::dense::Dense;
use super::graph::{Graph, Node, Tensor};
use super::instructions::Instructions;

/// Numbers of one position, where they are. The shape is that of ONNX without the batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Value<'a> {
    pub(super) shape: &'a [usize],
    pub(super) numbers: &'a [f32],
}

/// A value that is calculated. Its memory stays for the next one.
#[derive(Debug, Default)]
struct Made {
    shape: Vec<usize>,
    numbers: Vec<f32>,
}

/// One calculation, by the names of ONNX.
#[derive(Debug)]
enum Operation {
    Identity,
    Relu,
    Tanh,
    Flatten,
    /// A dimension of one behind the others: where it is said to be, the batch counted.
    Unsqueeze(i64),
    /// Mean of each channel over the board, with a board of one point or none.
    ReduceMean {
        keep: bool,
    },
    ReduceMax {
        keep: bool,
    },
    /// Convolution of one point: weights by output and input.
    Conv {
        weights: Vec<f32>,
        bias: Vec<f32>,
    },
    Gemm(Dense),
    Add,
    Scale(f32),
    Concat,
    /// A part of some dimensions: first, and what follows it, from the end where negative.
    Slice(Vec<(usize, i64, i64)>),
    Gather(Vec<usize>),
}

#[derive(Debug)]
struct Step {
    operation: Operation,
    from: Vec<usize>,
    to: usize,
}

/// A plan of all steps after a tower.
#[derive(Debug)]
pub(super) struct Heads {
    steps: Vec<Step>,
    values: usize,
    outputs: Vec<usize>,
    /// Values that no call uses now.
    rooms: Mutex<Vec<Vec<Made>>>,
}

impl Heads {
    /// The plan of what is left of a graph, from the values with those names to those others; `None` if it has anything that we do not
    /// know.
    pub(super) fn new(
        graph: &Graph,
        left: &[usize],
        given: &[&str],
        outputs: &[&str],
        by: Instructions,
    ) -> Option<Self> {
        let mut wanted: HashSet<&str> = outputs.iter().copied().collect();
        let mut nodes = Vec::new();
        for node in left.iter().rev().map(|&number| &graph.nodes[number]) {
            if node.kind != "Constant" && node.outputs.iter().any(|output| wanted.contains(output.as_str())) {
                wanted.extend(node.inputs.iter().map(String::as_str));
                nodes.push(node);
            }
        }
        let mut places: HashMap<&str, usize> = given.iter().copied().zip(0..).collect();
        let mut steps = Vec::new();
        for node in nodes.into_iter().rev() {
            let operation = Operation::new(graph, node, by)?;
            let [output] = node.outputs.as_slice() else { return None };
            let inputs = if matches!(operation, Operation::Concat | Operation::Add) { node.inputs.len() } else { 1 };
            let from = node.inputs.iter().take(inputs).map(|name| places.get(name.as_str()).copied());
            let from = from.collect::<Option<_>>()?;
            let to = places.len();
            places.insert(output, to);
            steps.push(Step { operation, from, to });
        }
        let outputs = outputs.iter().map(|output| places.get(output).copied()).collect::<Option<_>>()?;
        Some(Self { steps, values: places.len(), outputs, rooms: Mutex::default() })
    }

    /// Appends each output of one position, for the values that were said to be given, in their order.
    ///
    /// # Errors
    /// Where shapes do not fit together.
    pub(super) fn run(&self, given: &[Value<'_>], outputs: &mut [Vec<f32>]) -> Result<(), String> {
        let mut room = self.rooms.lock().pop().unwrap_or_default();
        room.resize_with(self.values - given.len(), Made::default);
        for step in &self.steps {
            // Steps make values behind those that they read.
            let (known, rest) = room.split_at_mut(step.to - given.len());
            let value = |place: usize| given.get(place).copied().unwrap_or_else(|| known[place - given.len()].value());
            let done = match step.from[..] {
                [one] => step.operation.run(&[value(one)], &mut rest[0]),
                [one, other] => step.operation.run(&[value(one), value(other)], &mut rest[0]),
                ref many => {
                    step.operation.run(&many.iter().map(|&place| value(place)).collect::<Vec<_>>(), &mut rest[0])
                }
            };
            done.ok_or_else(|| {
                let shapes: Vec<&[usize]> = step.from.iter().map(|&place| value(place).shape).collect();
                format!("{:?} does not go with {shapes:?}", step.operation)
            })?;
        }
        for (to, &place) in outputs.iter_mut().zip(&self.outputs) {
            match given.get(place) {
                Some(value) => to.extend_from_slice(value.numbers),
                None => to.extend_from_slice(&room[place - given.len()].numbers),
            }
        }
        self.rooms.lock().push(room);
        Ok(())
    }
}

impl Operation {
    fn new(graph: &Graph, node: &Node, by: Instructions) -> Option<Self> {
        let tensor = |input: usize| graph.tensors.get(node.inputs.get(input)?);
        let integers = |input: usize| tensor(input).map(|tensor| tensor.integers.as_slice());
        let over_board = || {
            let axes = node.integers("axes");
            let keep = node.integers("keepdims") != [0];
            (axes == [2, 3] || axes == [-2, -1] || integers(1) == Some(&[2, 3])).then_some(keep)
        };
        let first_axis = || (node.integers("axis") == [1]).then_some(());
        Some(match node.kind.as_str() {
            "Identity" => Self::Identity,
            "Relu" => Self::Relu,
            "Tanh" => Self::Tanh,
            "Flatten" => first_axis().map(|()| Self::Flatten)?,
            "Unsqueeze" => match integers(1)? {
                &[axis] => Self::Unsqueeze(axis),
                _ => return None,
            },
            "ReduceMean" => Self::ReduceMean { keep: over_board()? },
            "ReduceMax" => Self::ReduceMax { keep: over_board()? },
            "GlobalAveragePool" => Self::ReduceMean { keep: true },
            "Gemm" => Self::Gemm(Dense::new(graph, node, by)?),
            "Conv" => {
                let (weights, bias) = (tensor(1)?, tensor(2)?);
                let &[outputs, inputs, 1, 1] = weights.shape.as_slice() else { return None };
                let plain = [("pads", 0), ("strides", 1), ("dilations", 1), ("group", 1)];
                let plain = plain.into_iter().all(|(name, usual)| node.integers(name).iter().all(|&n| n == usual));
                let whole = weights.floats.len() == outputs.saturating_mul(inputs) && bias.floats.len() == outputs;
                (plain && whole && inputs > 0).then_some(())?;
                Self::Conv { weights: weights.floats.clone(), bias: bias.floats.clone() }
            }
            "Add" => Self::Add,
            "Mul" => match tensor(1)? {
                Tensor { floats, .. } if floats.len() == 1 => Self::Scale(floats[0]),
                _ => return None,
            },
            "Concat" => first_axis().map(|()| Self::Concat)?,
            "Slice" => {
                let (starts, ends, axes) = (integers(1)?, integers(2)?, integers(3)?);
                let steps = node.inputs.get(4).map_or(Some(&[][..]), |_| integers(4))?;
                let fits =
                    starts.len() == axes.len() && ends.len() == axes.len() && steps.iter().all(|&step| step == 1);
                let axis = |&axis: &i64| usize::try_from(axis).ok()?.checked_sub(1);
                let axes = axes.iter().map(axis).collect::<Option<Vec<_>>>().filter(|_| fits)?;
                Self::Slice(axes.into_iter().zip(starts.iter().zip(ends)).map(|(a, (&s, &e))| (a, s, e)).collect())
            }
            "Gather" => {
                first_axis()?;
                let indices = tensor(1).filter(|tensor| tensor.shape.len() == 1)?;
                Self::Gather(indices.integers.iter().map(|&index| usize::try_from(index).ok()).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    /// Calculates a value from others. `None` where the shapes do not fit.
    fn run(&self, from: &[Value<'_>], to: &mut Made) -> Option<()> {
        let &value = from.first()?;
        let Value { shape, numbers } = value;
        match self {
            Self::Identity => to.set(shape, numbers.iter().copied()),
            // What is no number stays none, as below.
            Self::Relu => to.set(shape, numbers.iter().map(|&number| if number < 0.0 { 0.0 } else { number })),
            Self::Tanh => to.set(shape, numbers.iter().map(|number| number.tanh())),
            Self::Scale(by) => to.set(shape, numbers.iter().map(|number| number * by)),
            Self::Flatten => to.set(&[numbers.len()], numbers.iter().copied()),
            Self::Unsqueeze(axis) => {
                (*axis == -1 || *axis == shape.len() as i64 + 1).then_some(())?;
                to.set(shape, numbers.iter().copied());
                to.shape.push(1);
            }
            Self::ReduceMean { keep } => {
                to.reduce(value, *keep, |plane| reduce(plane, 0.0, |sum, number| sum + number) / plane.len() as f32)?;
            }
            Self::ReduceMax { keep } => {
                let larger = |most: f32, number: f32| if number > most || number.is_nan() { number } else { most };
                to.reduce(value, *keep, |plane| reduce(plane, f32::NEG_INFINITY, larger))?;
            }
            Self::Gemm(dense) => {
                (shape == [dense.inputs()]).then_some(())?;
                to.set(&[dense.outputs()], repeat_n(0.0, dense.outputs()));
                dense.run(numbers, &mut to.numbers);
            }
            Self::Conv { weights, bias } => {
                let &[channels, rows, columns] = shape else { return None };
                (weights.len() == channels * bias.len()).then_some(())?;
                let points = rows * columns;
                to.set(&[bias.len(), rows, columns], bias.iter().flat_map(|&bias| repeat_n(bias, points)));
                let sums = to.numbers.chunks_exact_mut(points.max(1));
                for (weights, sums) in weights.chunks_exact(channels).zip(sums) {
                    for (weight, plane) in weights.iter().zip(numbers.chunks_exact(points.max(1))) {
                        sums.iter_mut().zip(plane).for_each(|(sum, number)| *sum += weight * number);
                    }
                }
            }
            Self::Add => {
                let &[a, b] = from else { return None };
                let (large, small) = if a.numbers.len() >= b.numbers.len() { (a, b) } else { (b, a) };
                // A number to each of a row, one to all of a row, or one to each of a channel.
                let channel = match (large.shape, small.shape) {
                    (large, small) if large == small => 1,
                    (&[all], &[1]) => all,
                    (&[channels, rows, columns], &[of, 1, 1]) if of == channels => rows * columns,
                    _ => return None,
                };
                to.set(large.shape, large.numbers.iter().copied());
                for (plane, by) in to.numbers.chunks_exact_mut(channel.max(1)).zip(small.numbers) {
                    plane.iter_mut().for_each(|number| *number += by);
                }
            }
            Self::Concat => {
                from.iter().all(|value| value.shape.get(1..) == shape.get(1..)).then_some(())?;
                to.set(shape, from.iter().flat_map(|value| value.numbers).copied());
                *to.shape.first_mut()? = from.iter().map(|value| value.shape[0]).sum();
            }
            Self::Slice(parts) => {
                to.set(shape, numbers.iter().copied());
                parts.iter().try_for_each(|&part| to.cut(part))?;
            }
            Self::Gather(indices) => {
                (shape.len() == 1 && indices.iter().all(|&index| index < numbers.len())).then_some(())?;
                to.set(&[indices.len()], indices.iter().map(|&index| numbers[index]));
            }
        }
        Some(())
    }
}

/// All numbers taken together, eight at once: the order in which they are does not matter but for rounding.
fn reduce(numbers: &[f32], start: f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    let (whole, rest) = numbers.as_chunks::<8>();
    let mut lanes = [start; 8];
    for eight in whole {
        lanes = std::array::from_fn(|lane| join(lanes[lane], eight[lane]));
    }
    lanes.into_iter().chain(rest.iter().copied()).fold(start, join)
}

impl Made {
    fn value(&self) -> Value<'_> {
        Value { shape: &self.shape, numbers: &self.numbers }
    }

    fn set(&mut self, shape: &[usize], numbers: impl Iterator<Item = f32>) {
        self.shape.clear();
        self.shape.extend_from_slice(shape);
        self.numbers.clear();
        self.numbers.extend(numbers);
    }

    /// A number for each channel of a map, as a board of one point or without one.
    fn reduce(&mut self, map: Value<'_>, keep: bool, function: impl Fn(&[f32]) -> f32) -> Option<()> {
        let &[channels, rows, columns] = map.shape else { return None };
        let shape = if keep { &[channels, 1, 1][..] } else { &[channels] };
        self.set(shape, map.numbers.chunks_exact((rows * columns).max(1)).map(function));
        Some(())
    }

    /// Keeps a part of one dimension.
    fn cut(&mut self, (axis, first, end): (usize, i64, i64)) -> Option<()> {
        let size = *self.shape.get(axis)?;
        let place = |at: i64| (if at < 0 { at.saturating_add(size as i64) } else { at }).clamp(0, size as i64) as usize;
        let (first, end) = (place(first), place(end).max(place(first)));
        let inner: usize = self.shape[axis + 1..].iter().product();
        let (line, kept) = (size * inner, (end - first) * inner);
        let lines = self.numbers.len().checked_div(line).unwrap_or(0);
        for number in 0..lines {
            let begin = number * line + first * inner;
            self.numbers.copy_within(begin..begin + kept, number * kept);
        }
        self.numbers.truncate(lines * kept);
        self.shape[axis] = end - first;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<'a>(shape: &'a [usize], numbers: &'a [f32]) -> Value<'a> {
        assert_eq!(shape.iter().product::<usize>(), numbers.len());
        Value { shape, numbers }
    }

    /// As the definitions of ONNX say, where the first dimension is that of the batch.
    #[test]
    fn operations_are_as_defined() {
        let map = value(&[2, 2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, -1.0, -2.0, -3.0, -4.0, -5.0, -6.0]);
        let wide = [[1.0, 9.0, 2.0, 8.0, 3.0, 7.0, 4.0, 6.0, 5.0, 12.0, 11.0, 10.0], [-1.0; 12]].concat();
        let wide = value(&[2, 3, 4], &wide);
        let pair = value(&[2], &[10.0, 20.0]);
        let single = value(&[1], &[7.0]);
        let column = value(&[2, 1, 1], &[10.0, 20.0]);
        let last = |first, end| Operation::Slice(vec![(2, first, end)]);
        for (operation, from, wanted) in [
            (Operation::ReduceMean { keep: false }, vec![map], Some(value(&[2], &[3.5, -3.5]))),
            (Operation::ReduceMax { keep: true }, vec![map], Some(value(&[2, 1, 1], &[6.0, -1.0]))),
            (Operation::ReduceMean { keep: false }, vec![wide], Some(value(&[2], &[6.5, -1.0]))),
            (Operation::ReduceMax { keep: false }, vec![wide], Some(value(&[2], &[12.0, -1.0]))),
            (Operation::Unsqueeze(2), vec![pair], Some(value(&[2, 1], &[10.0, 20.0]))),
            (Operation::Unsqueeze(-1), vec![pair], Some(value(&[2, 1], &[10.0, 20.0]))),
            (Operation::Unsqueeze(1), vec![pair], None),
            (Operation::Scale(0.5), vec![pair], Some(value(&[2], &[5.0, 10.0]))),
            (Operation::Slice(vec![(0, 1, i64::MAX)]), vec![pair], Some(value(&[1], &[20.0]))),
            (last(1, -1), vec![map], Some(value(&[2, 2, 1], &[2.0, 5.0, -2.0, -5.0]))),
            (last(2, 1), vec![map], Some(value(&[2, 2, 0], &[]))),
            (Operation::Slice(vec![(3, 0, 1)]), vec![map], None),
            (Operation::Slice(vec![(1, -1, 9), (2, 0, 1)]), vec![map], Some(value(&[2, 1, 1], &[4.0, -4.0]))),
            (Operation::Gather(vec![1, 1, 0]), vec![pair], Some(value(&[3], &[20.0, 20.0, 10.0]))),
            (Operation::Gather(vec![2]), vec![pair], None),
            (Operation::Concat, vec![pair, pair], Some(value(&[4], &[10.0, 20.0, 10.0, 20.0]))),
            (Operation::Concat, vec![map, pair], None),
            (Operation::Add, vec![pair, pair], Some(value(&[2], &[20.0, 40.0]))),
            (Operation::Add, vec![pair, single], Some(value(&[2], &[17.0, 27.0]))),
            (Operation::Add, vec![single, pair], Some(value(&[2], &[17.0, 27.0]))),
            (Operation::Add, vec![map, pair], None),
            (Operation::Flatten, vec![column], Some(value(&[2], &[10.0, 20.0]))),
            (Operation::Conv { weights: vec![1.0, 1.0, 2.0], bias: vec![0.5] }, vec![map], None),
            (
                Operation::Conv { weights: vec![2.0, 1.0], bias: vec![0.5] },
                vec![map],
                Some(value(&[1, 2, 3], &[1.5, 2.5, 3.5, 4.5, 5.5, 6.5])),
            ),
        ] {
            let name = format!("{operation:?} of {from:?}");
            // Where another value was before.
            let mut made = Made { shape: vec![3, 1], numbers: vec![7.0; 3] };
            assert_eq!(operation.run(&from, &mut made).map(|()| made.value()), wanted, "{name}");
        }
        // A number to each channel, on whichever side it stands.
        let shifted = [11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 19.0, 18.0, 17.0, 16.0, 15.0, 14.0];
        for from in [[map, column], [column, map]] {
            let mut made = Made::default();
            Operation::Add.run(&from, &mut made).unwrap();
            assert_eq!(made.numbers, shifted);
        }
    }

    #[test]
    fn what_is_no_number_stays_none() {
        let map = value(&[1, 1, 3], &[f32::NAN, -1.0, 2.0]);
        for operation in [Operation::Relu, Operation::Tanh, Operation::ReduceMax { keep: false }] {
            let mut made = Made::default();
            operation.run(&[map], &mut made).unwrap();
            assert!(made.numbers[0].is_nan(), "{operation:?}");
        }
        let mut numbers = [3.0; 20];
        numbers[9] = f32::NAN;
        let mut largest = Made::default();
        Operation::ReduceMax { keep: false }.run(&[value(&[1, 4, 5], &numbers)], &mut largest).unwrap();
        assert!(largest.numbers[0].is_nan());
    }
}
