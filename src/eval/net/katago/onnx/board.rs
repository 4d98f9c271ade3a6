//! Numbers of the board that a graph calculates with: constants where its size is known, or else calculated from the input.

use super::graph::{GraphWriter, Setting};

/// Largest side of a board.
pub(super) const LARGEST_SIDE: usize = 32;

/// Values that depend on the size of the board alone.
#[derive(Debug)]
pub(super) struct BoardValues {
    size: Option<[usize; 2]>,
    /// (√points − 14) / 10, and its square less 0.1: a number for each position.
    pub(super) linear: String,
    pub(super) square: String,
    /// Column and row of each point, and the list of both sides, once something has asked for them.
    places: Option<String>,
    sides: Option<String>,
}

impl BoardValues {
    /// Values of a board of known size, or of that which the input has.
    pub(super) fn new(graph: &mut GraphWriter, size: Option<[usize; 2]>) -> Self {
        let [linear, square] = match size {
            Some([rows, columns]) => {
                let linear = (((rows * columns) as f32).sqrt() - 14.0) / 10.0;
                [linear, linear * linear - 0.1].map(|number| graph.numbers(&[1, 1], &[number]))
            }
            None => graph.widths(),
        };
        Self { size, linear, square, places: None, sides: None }
    }

    /// Column and row of each point, from 0.
    pub(super) fn places(&mut self, graph: &mut GraphWriter) -> String {
        let size = self.size;
        self.places.get_or_insert_with(|| graph.places(size)).clone()
    }

    /// The shape of a map of so many channels.
    fn shape(&mut self, graph: &mut GraphWriter, channels: usize) -> String {
        if let Some([rows, columns]) = self.size {
            return graph.integers(&[0, channels as i64, rows as i64, columns as i64]);
        }
        let before = graph.integers(&[0, channels as i64]);
        let sides = self.sides.get_or_insert_with(|| graph.sides());
        graph.node("Concat", &[&before, sides], &[("axis", Setting::Integer(0))])
    }
}

impl GraphWriter {
    /// The first plane, which is 1 at all points.
    fn plane(&mut self) -> String {
        let [zero, one] = [0, 1].map(|number| self.integers(&[number]));
        self.node("Slice", &["input", &zero, &one, &one], &[])
    }

    fn widths(&mut self) -> [String; 2] {
        let (plane, both) = (self.plane(), self.integers(&[2, 3]));
        let points = self.node("ReduceSum", &[&plane, &both], &[("keepdims", Setting::Integer(0))]);
        let side = self.node("Sqrt", &[&points], &[]);
        let [shift, factor, less] = [-14.0, 0.1, -0.1].map(|number| self.numbers(&[1, 1], &[number]));
        let above = self.node("Add", &[&side, &shift], &[]);
        let linear = self.node("Mul", &[&above, &factor], &[]);
        let square = self.node("Mul", &[&linear, &linear], &[]);
        let square = self.node("Add", &[&square, &less], &[]);
        [linear, square]
    }

    /// Column and row of each point: the numbers of points to the left of it, and above.
    fn places(&mut self, size: Option<[usize; 2]>) -> String {
        if let Some([rows, columns]) = size {
            let place = |point: usize| [point % columns, point / columns].map(|place| place as f32);
            let places: Vec<f32> = (0..rows * columns).flat_map(place).collect();
            return self.numbers(&[1, rows * columns, 2], &places);
        }
        let (plane, [zero, one]) = (self.plane(), [0, 1].map(|number| self.integers(&[number])));
        // The board of one position is that of all.
        let first = self.node("Slice", &[&plane, &zero, &one, &zero], &[]);
        let before = LARGEST_SIDE as i64 - 1;
        let column = self.counted(&first, [1, LARGEST_SIDE], [0, before, 0, 0]);
        let row = self.counted(&first, [LARGEST_SIDE, 1], [before, 0, 0, 0]);
        let map = self.node("Concat", &[&column, &row], &[("axis", Setting::Integer(1))]);
        self.row(&map, 2)
    }

    /// Rows and columns of the input.
    fn sides(&mut self) -> String {
        let both = self.integers(&[2, 3]);
        let shape = self.node("Shape", &["input"], &[]);
        self.node("Gather", &[&shape, &both], &[("axis", Setting::Integer(0))])
    }

    /// The number of points before each point in a window whose last point is that one.
    fn counted(&mut self, plane: &str, window: [usize; 2], pads: [i64; 4]) -> String {
        let mut weights = vec![1.0; LARGEST_SIDE];
        weights[LARGEST_SIDE - 1] = 0.0;
        let weights = self.numbers(&[1, 1, window[0], window[1]], &weights);
        let settings = [
            ("dilations", Setting::Integers(&[1, 1])),
            ("group", Setting::Integer(1)),
            ("kernel_shape", Setting::Integers(&window.map(|side| side as i64))),
            ("pads", Setting::Integers(&pads)),
            ("strides", Setting::Integers(&[1, 1])),
        ];
        self.node("Conv", &[plane, &weights], &settings)
    }

    /// A map as a row of points: positions, points, channels.
    pub(super) fn row(&mut self, map: &str, channels: usize) -> String {
        let shape = self.integers(&[0, channels as i64, -1]);
        let flat = self.node("Reshape", &[map, &shape], &[]);
        self.node("Transpose", &[&flat], &[("perm", Setting::Integers(&[0, 2, 1]))])
    }

    /// A row of points as a map.
    pub(super) fn map(&mut self, row: &str, channels: usize, board: &mut BoardValues) -> String {
        let flat = self.node("Transpose", &[row], &[("perm", Setting::Integers(&[0, 2, 1]))]);
        let shape = board.shape(self, channels);
        self.node("Reshape", &[&flat, &shape], &[])
    }
}
