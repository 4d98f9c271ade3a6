//! Games and their states.

use std::sync::Arc;

use losange::any::{self, Begin};
use losange::game::Side;
use losange::games::Size;
use losange::players::{GoRules, Kind, Setup};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::wrong;

/// `current_player()` of a state that is over, as OpenSpiel has it.
pub(crate) const TERMINAL: i32 = -4;

/// The game of that word.
pub(crate) fn kind(word: &str) -> PyResult<Kind> {
    Kind::of_word(word).ok_or_else(|| wrong(format!("unknown game '{word}'; known are {}", Kind::words())))
}

/// The number of a player.
pub(crate) fn player(side: Side) -> usize {
    side.index()
}

/// A board: one number for a square one, or columns and rows.
#[derive(FromPyObject)]
pub(crate) enum Lines {
    Square(usize),
    Sides((usize, usize)),
}

impl From<Lines> for Size {
    fn from(lines: Lines) -> Self {
        match lines {
            Lines::Square(lines) => Self::square(lines),
            Lines::Sides((width, height)) => Self { width, height },
        }
    }
}

#[pyclass(frozen, module = "losange")]
pub(crate) struct Game {
    kind: Kind,
    start: Arc<any::AnyState>,
    /// Board, rules and swap, as they were given: for its text and for pickle.
    begin: Begin,
    rules: String,
}

impl Game {
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name, size=None, *, rules="chinese", komi=7.5, swap=false))]
    fn new(name: &str, size: Option<Lines>, rules: &str, komi: f32, swap: bool) -> PyResult<Self> {
        let kind = kind(name)?;
        if !komi.is_finite() || komi.abs() > 1000.0 {
            return Err(wrong("komi is a number of points"));
        }
        let own = GoRules::by_name(rules).map_err(wrong)?;
        let begin = Begin { setup: Setup { size: size.map(Size::from), rules: own, komi, swap }, swap };
        let start = Arc::new(any::AnyState::new(kind, &begin).map_err(wrong)?);
        Ok(Self { kind, start, begin, rules: rules.to_owned() })
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.kind.word()
    }

    #[getter]
    fn size(&self) -> (usize, usize) {
        let Size { width, height } = self.start.size();
        (width, height)
    }

    fn num_players(&self) -> usize {
        self.start.players()
    }

    fn num_distinct_actions(&self) -> usize {
        self.start.action_count()
    }

    fn observation_tensor_shape(&self) -> [usize; 3] {
        self.start.shape()
    }

    fn num_symmetries(&self) -> usize {
        self.start.symmetries()
    }

    fn new_initial_state(slf: Bound<'_, Self>) -> State {
        State { state: Arc::clone(&slf.get().start), game: Some(slf.unbind()) }
    }

    fn __repr__(&self) -> String {
        let (width, height) = self.size();
        let more = match self.kind {
            Kind::Go => format!(", rules='{}', komi={}", self.rules, self.begin.setup.komi),
            _ if self.begin.swap => ", swap=True".to_owned(),
            _ => String::new(),
        };
        format!("losange.Game('{}', ({width}, {height}){more})", self.kind.word())
    }

    fn __eq__(&self, other: &Self) -> bool {
        (self.kind, self.size()) == (other.kind, other.size()) && self.begin.swap == other.begin.swap && {
            let (a, b) = (self.begin.setup, other.begin.setup);
            self.kind != Kind::Go || (a.rules == b.rules && a.komi == b.komi)
        }
    }

    fn __hash__(&self) -> u64 {
        self.start.key()
    }

    fn __getnewargs_ex__(&self) -> ((&'static str, (usize, usize)), Keywords<'_>) {
        let Begin { setup, swap } = self.begin;
        ((self.name(), self.size()), Keywords { rules: &self.rules, komi: setup.komi, swap })
    }
}

/// Keyword arguments that a game is made with.
#[derive(IntoPyObject)]
struct Keywords<'a> {
    rules: &'a str,
    komi: f32,
    swap: bool,
}

/// A function and its arguments, which make a state again.
type Pickled = (Py<PyAny>, (Py<Game>, Vec<usize>));

#[pyclass(module = "losange")]
pub(crate) struct State {
    /// Shared with searches and valuations that run, and copied when it changes meanwhile.
    pub(crate) state: Arc<any::AnyState>,
    game: Option<Py<Game>>,
}

#[pymethods]
impl State {
    /// The end of the main line of a record.
    #[classmethod]
    fn from_sgf(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        Ok(Self { state: Arc::new(any::AnyState::from_sgf(text).map_err(wrong)?), game: None })
    }

    #[getter]
    fn game_name(&self) -> &'static str {
        self.state.kind().word()
    }

    #[getter]
    fn size(&self) -> (usize, usize) {
        let Size { width, height } = self.state.size();
        (width, height)
    }

    fn current_player(&self) -> i32 {
        if self.is_terminal() { TERMINAL } else { player(self.state.to_move()) as i32 }
    }

    fn is_terminal(&self) -> bool {
        self.state.outcome().is_some()
    }

    fn returns(&self) -> Vec<f32> {
        let value = self.state.outcome().map_or(0.0, |outcome| outcome.value);
        if self.state.players() == 1 { vec![value] } else { vec![value, -value] }
    }

    fn winner(&self) -> Option<usize> {
        self.state.outcome()?.winner.map(player)
    }

    fn score(&self) -> Option<f32> {
        self.state.outcome().map(|outcome| outcome.score)
    }

    fn legal_actions(&self) -> Vec<usize> {
        self.state.legal_actions()
    }

    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; self.state.action_count()];
        self.state.legal_actions().into_iter().for_each(|action| mask[action] = true);
        mask.into_pyarray(py)
    }

    fn num_distinct_actions(&self) -> usize {
        self.state.action_count()
    }

    fn apply_action(&mut self, action: usize) -> PyResult<()> {
        Arc::make_mut(&mut self.state).play(action).map_err(wrong)
    }

    fn play(&mut self, text: &str) -> PyResult<()> {
        let action = self.state.named(text).map_err(wrong)?;
        self.apply_action(action)
    }

    fn child(&self, py: Python<'_>, action: usize) -> PyResult<Self> {
        let mut child = self.clone(py);
        child.apply_action(action)?;
        Ok(child)
    }

    #[pyo3(signature = (count=1))]
    fn undo(&mut self, count: usize) -> PyResult<()> {
        let undone = Arc::make_mut(&mut self.state).undo(count);
        if undone { Ok(()) } else { Err(wrong("there are not so many moves to take back")) }
    }

    fn history(&self) -> Vec<usize> {
        self.state.actions()
    }

    fn action_to_string(&self, action: usize) -> PyResult<String> {
        self.state.name(action).map_err(wrong)
    }

    fn string_to_action(&self, text: &str) -> PyResult<usize> {
        self.state.named(text).map_err(wrong)
    }

    fn observation_tensor_shape(&self) -> [usize; 3] {
        self.state.shape()
    }

    #[pyo3(signature = (symmetry=0))]
    fn observation_tensor<'py>(&self, py: Python<'py>, symmetry: usize) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let count = self.state.symmetries();
        if symmetry >= count {
            return Err(wrong(format!("the board has symmetries 0 to {}", count - 1)));
        }
        let mut planes = Vec::new();
        self.state.write_planes(symmetry, &mut planes);
        planes.into_pyarray(py).reshape(self.state.shape())
    }

    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let Size { width, height } = self.state.size();
        self.state.stones().into_pyarray(py).reshape([height, width])
    }

    #[getter]
    fn key(&self) -> u64 {
        self.state.key()
    }

    fn to_sgf(&self) -> String {
        self.state.sgf()
    }

    fn clone(&self, py: Python<'_>) -> Self {
        Self { state: Arc::clone(&self.state), game: self.game.as_ref().map(|game| game.clone_ref(py)) }
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.clone(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone(py)
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<Pickled> {
        let game = self.game.as_ref().ok_or_else(|| {
            pyo3::exceptions::PyTypeError::new_err(
                "a state that was read from a record cannot be pickled: keep its to_sgf()",
            )
        })?;
        let restore = py.get_type::<Self>().getattr("_restored")?.unbind();
        Ok((restore, (game.clone_ref(py), self.history())))
    }

    #[staticmethod]
    fn _restored(game: Bound<'_, Game>, actions: Vec<usize>) -> PyResult<Self> {
        let mut state = Game::new_initial_state(game);
        actions.into_iter().try_for_each(|action| state.apply_action(action))?;
        Ok(state)
    }

    fn __str__(&self) -> String {
        self.state.drawn()
    }

    fn __repr__(&self) -> String {
        let (width, height) = self.size();
        let moves = self.state.actions().len();
        format!("<losange.State of {} on {width}x{height} after {moves} moves>", self.game_name())
    }
}
