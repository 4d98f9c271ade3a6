//! Networks of KataGo's by our own code: blocks that add to a trunk, and the heads on it.

mod activation;
mod attention;
mod convolution;
mod dense;
mod feedforward;
mod heads;
mod norm;
mod plan;
mod pointwise;
mod product;
mod sheet;
mod squares;
mod tile_attention;
mod window;

use self::attention::Angles;
use self::convolution::ConvolutionRoom;
use self::dense::{Linear, Third, pool};
use self::heads::{Maps, ResidualHeads};
use self::plan::{Place, Planner, ResidualStep};
use self::sheet::{Activate, Norm, Sheet, SheetShape};
use self::window::{Gather, Sparse, Window};
use super::instructions::Instructions;
use super::rooms::Rooms;
use crate::eval::Wanted;
use crate::eval::net::contract::Output;
use crate::eval::net::katago;
use crate::eval::net::katago::net::{self, Activation, Net};
use crate::eval::net::runtime::{Batch, RunError, Runtime};

/// Planes of a position, and numbers of it, each of which fills a plane after those.
const PLANES: usize = 22;
const NUMBERS: usize = 19;
/// Positions that are worth handing over at once.
const BATCH: usize = 8;
/// Points that are calculated together, at most, where there are several boards: what they need stays near the processor.
const TOGETHER: usize = 361;

/// A network, ready to run.
#[derive(Debug)]
pub(in crate::eval::net) struct Residual {
    planes: Window,
    numbers: Linear,
    /// Reader of what is known of a player, in networks that imitate people.
    player: Option<[Linear; 3]>,
    /// Channels of the trunk.
    trunk: Place,
    steps: Vec<ResidualStep>,
    tip: Tip,
    /// Channels of each sheet of a room.
    sheets: Vec<usize>,
    heads: ResidualHeads,
    /// Outputs that are wanted, of those that are calculated.
    wanted: Vec<bool>,
    instructions: Instructions,
    /// Memory that no run uses now; as much for each shape of boards as there were runs at once.
    rooms: Rooms<SheetShape, Room>,
}

/// Norm at the end of the trunk.
#[derive(Debug)]
struct Tip {
    norm: Norm,
    to: Place,
    squares: Option<Squares>,
}

/// Numbers of which the mean of squares is taken.
#[derive(Clone, Copy, Debug)]
struct Squares {
    epsilon: f32,
    channels: usize,
    over_points: bool,
}

/// Memory that a run writes to, kept for the next one on such boards.
#[derive(Debug)]
struct Room {
    boards: SheetShape,
    sheets: Vec<Sheet>,
    angles: Vec<Option<Angles>>,
    scratch: ConvolutionRoom,
    attention: attention::AttentionRoom,
    scales: Vec<f32>,
    hidden: Sheet,
    sparse: Sparse,
    heads: Maps,
}

impl Residual {
    /// A network with those of its outputs. Fails where parts of it do not fit together.
    pub(in crate::eval::net) fn new(net: &Net, wanted: &[Output], instructions: Instructions) -> Result<Self, String> {
        let trunk = &net.trunk;
        let channels = trunk.planes.outputs;
        if trunk.planes.inputs != PLANES || trunk.numbers.inputs != NUMBERS || trunk.numbers.outputs != channels {
            return Err(format!("a network of {PLANES} planes and {NUMBERS} numbers was expected"));
        }
        let mut planner = Planner::new(instructions);
        let place = planner.trunk(0, channels);
        planner.blocks(&trunk.blocks, 0, place);
        let to = planner.normed(channels);
        let (norm, squares) = match &trunk.tip {
            net::Norm::Affine(norm) => (norm.clone(), None),
            net::Norm::RootMeanSquare { norm, bias, over_points } => {
                let squares = Squares { epsilon: norm.epsilon, channels, over_points: *over_points };
                (net::Affine { factor: norm.factor.clone(), bias: bias.clone() }, Some(squares))
            }
        };
        Ok(Self {
            planes: Window::new(&trunk.planes),
            numbers: Linear::new(&trunk.numbers, None, Activation::Identity),
            player: trunk.player.as_ref().map(|by| {
                let first = Linear::new(&by.first, Some(&by.first_bias), by.first_activation);
                let second = Linear::new(&by.second, Some(&by.second_bias), by.second_activation);
                [first, second, Linear::new(&by.out, None, Activation::Identity)]
            }),
            trunk: place,
            tip: Tip { norm: Norm::new(&norm, trunk.activation), to, squares },
            steps: planner.steps,
            sheets: planner.sheets,
            heads: ResidualHeads::new(net, instructions),
            wanted: katago::outputs(net).iter().map(|output| wanted.contains(output)).collect(),
            instructions,
            rooms: Rooms::default(),
        })
    }

    fn room(&self, boards: SheetShape) -> Room {
        self.rooms.take(boards).unwrap_or_else(|| {
            let angles = self.steps.iter().filter_map(|step| match step {
                ResidualStep::Attend { by, .. } => Some(by.angles(boards.rows, boards.columns)),
                _ => None,
            });
            Room {
                boards,
                sheets: self.sheets.iter().map(|&channels| Sheet::new(boards.points(), channels)).collect(),
                angles: angles.collect(),
                scratch: ConvolutionRoom::default(),
                attention: attention::AttentionRoom::default(),
                scales: Vec::new(),
                hidden: Sheet::default(),
                sparse: Sparse::default(),
                heads: Maps::default(),
            }
        })
    }

    /// Calculates the trunk from the positions that follow one another in `planes`, so many planes each, and the heads.
    fn calculate(&self, planes: &[f32], count: usize, room: &mut Room, outputs: &mut [Vec<f32>]) {
        let (boards, by) = (room.boards, self.instructions);
        let area = boards.area();
        let mut trunk = std::mem::take(&mut room.sheets[self.trunk]);
        room.sparse.clear();
        for position in planes.chunks_exact(count * area) {
            room.sparse.planes(&position[..PLANES * area], area);
        }
        by.run(Gather { by: &self.planes, boards, from: &room.sparse, add: false, to: &mut trunk });
        for (number, position) in planes.chunks_exact(count * area).enumerate() {
            let numbers: Vec<f32> = position[PLANES * area..].iter().step_by(area).copied().collect();
            let (numbers, player) = numbers.split_at(NUMBERS);
            trunk.shift(boards.range(number), &self.numbers.run(numbers));
            if let (Some([first, second, out]), false) = (&self.player, player.is_empty()) {
                trunk.shift(boards.range(number), &out.run(&second.run(&first.run(player))));
            }
        }
        room.sheets[self.trunk] = trunk;
        self.steps.iter().for_each(|step| room.take(step, by));
        let mut tip = std::mem::take(&mut room.sheets[self.tip.to]);
        self.end(room, &mut tip);
        self.heads.run(boards, &tip, &mut room.heads, &mut room.scratch, outputs);
        room.sheets[self.tip.to] = tip;
    }

    /// The norm at the end of the trunk.
    fn end(&self, room: &mut Room, to: &mut Sheet) {
        let Room { boards, sheets, scales, .. } = room;
        let from = &sheets[self.trunk];
        if let Some(Squares { epsilon, channels, over_points }) = self.tip.squares {
            norm::squares(from, scales, self.instructions);
            let scale = |sum: f32, count: usize| 1.0 / (sum / count as f32 + epsilon).sqrt();
            if over_points {
                for own in scales.chunks_exact_mut(boards.area()) {
                    let all = scale(own.iter().sum(), channels * own.len());
                    own.fill(all);
                }
            } else {
                scales.iter_mut().for_each(|sum| *sum = scale(*sum, channels));
            }
        }
        let scales = self.tip.squares.map(|_| scales.as_slice());
        self.instructions.run(Activate { from, norm: &self.tip.norm, scales, to });
    }
}

impl Runtime for Residual {
    fn name(&self) -> String {
        self.instructions.backend().to_owned()
    }

    fn provider(&self) -> String {
        "own code on the processor".to_owned()
    }

    fn batches(&self) -> (usize, usize) {
        (BATCH, 1)
    }

    fn run(&self, batch: Batch<'_>, outputs: &mut Vec<Vec<f32>>, wanted: Wanted<'_>) -> Result<(), RunError> {
        let [positions, count, rows, columns] = batch.shape;
        let area = rows * columns;
        let of_player = self.player.is_some() && count == PLANES + NUMBERS + Net::PLAYER_NUMBERS;
        if !(count == PLANES + NUMBERS || of_player) || area == 0 || batch.planes.len() != positions * count * area {
            let expected = PLANES + NUMBERS;
            return Err(RunError::Failed(format!("{count} planes of {rows}x{columns} where {expected} are expected")));
        }
        outputs.clear();
        outputs.resize(self.wanted.len(), Vec::new());
        for planes in batch.planes.chunks((TOGETHER / area).max(1) * count * area) {
            if !wanted() {
                return Err(RunError::Cancelled);
            }
            let positions = planes.len() / (count * area);
            let mut room = self.room(SheetShape { positions, rows, columns });
            self.calculate(planes, count, &mut room, outputs);
            self.rooms.keep(room.boards, room);
        }
        let mut wanted = self.wanted.iter();
        outputs.retain(|_| wanted.next() == Some(&true));
        Ok(())
    }
}

impl Room {
    fn take(&mut self, step: &ResidualStep, instructions: Instructions) {
        let boards = self.boards;
        match step {
            ResidualStep::Activate { from, by, to } => {
                let mut sheet = std::mem::take(&mut self.sheets[*to]);
                let (from, scales) = (&self.sheets[*from], None);
                instructions.run(Activate { from, norm: by, scales, to: &mut sheet });
                self.sheets[*to] = sheet;
            }
            ResidualStep::Convolve { from, by, add, to } => {
                let mut sheet = std::mem::take(&mut self.sheets[*to]);
                by.run(boards, &self.sheets[*from], *add, &mut sheet, &mut self.scratch);
                self.sheets[*to] = sheet;
            }
            ResidualStep::Pool { from, norm, channels, by, to } => {
                let from = &self.sheets[*from];
                self.hidden.reshape(from.points, from.blocks);
                instructions.run(Activate { from, norm, scales: None, to: &mut self.hidden });
                for position in 0..boards.positions {
                    let own = boards.range(position);
                    let sums = pool(&self.hidden, own.clone(), *channels, Third::Maximum);
                    self.sheets[*to].shift(own, &by.run(&sums));
                }
            }
            ResidualStep::Attend { by, angles, to } => {
                by.run(boards, self.angles[*angles].as_ref(), &mut self.sheets[*to], &mut self.attention);
            }
            ResidualStep::Feed { by, to } => {
                by.run(&mut self.sheets[*to], &mut self.scales, &mut self.hidden, &mut self.scratch.tiled);
            }
        }
    }
}

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
