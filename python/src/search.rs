//! Searches and their reports.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use losange::any::{self, Terms};
use losange::players::Kind;
use losange::search::{self, Budget, Decision, Stop};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::game::{Game, State, kind, player};
use crate::model::Model;
use crate::wrong;

/// How often a search that runs looks whether the user has interrupted it.
const LOOK: Duration = Duration::from_millis(50);
/// Most threads and memory of a search.
const MOST_THREADS: usize = 1024;
pub(crate) const MOST_MEMORY: usize = 1 << 20;

#[pyclass(frozen, module = "losange")]
pub(crate) struct Search {
    kind: Kind,
    search: Mutex<any::AnySearch>,
    seed: u64,
}

/// The game of a search: itself, or its word.
#[derive(FromPyObject)]
enum Which {
    Game(Py<Game>),
    Word(String),
}

/// The model of a search.
#[derive(FromPyObject)]
enum Choice {
    Model(Py<Model>),
    Word(String),
}

/// Message of a search that runs: a report on its way, or its end.
enum Told {
    Report(Box<search::Report<usize>>),
    End(Result<Box<Decision<usize>>, any::SearchError>),
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(
        signature = (game, *, model=Some(Choice::Word("builtin".to_owned())), threads=1, memory=256, seed=1, **params),
        text_signature = "(game, *, model='builtin', threads=1, memory=256, seed=1, **params)"
    )]
    fn new(
        py: Python<'_>,
        game: Which,
        model: Option<Choice>,
        threads: usize,
        memory: usize,
        seed: u64,
        params: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let kind = match game {
            Which::Game(game) => game.get().kind(),
            Which::Word(word) => kind(&word)?,
        };
        if !(1..=MOST_THREADS).contains(&threads) || !(1..=MOST_MEMORY).contains(&memory) {
            return Err(wrong(format!("threads are 1 to {MOST_THREADS}, memory is 1 to {MOST_MEMORY} MiB")));
        }
        let model = match model {
            None => None,
            Some(Choice::Model(model)) => Some(model.get().model.clone()),
            Some(Choice::Word(word)) if word == "builtin" => {
                py.detach(|| any::AnyModel::shipped(kind, &losange::eval::net::Options::default())).map_err(wrong)?
            }
            Some(Choice::Word(word)) => {
                return Err(wrong(format!("model is \"builtin\", None or a Model, not \"{word}\"")));
            }
        };
        if let Some(other) = model.as_ref().map(any::AnyModel::kind).filter(|&other| other != kind) {
            return Err(wrong(format!("the model is for {other}, and the search is for {kind}")));
        }
        let search = py.detach(|| any::AnySearch::new(kind, model.as_ref(), threads, memory));
        let made = Self { kind, search: Mutex::new(search), seed };
        for (name, value) in params.into_iter().flatten() {
            made.set(py, &name.extract::<String>()?, &value)?;
        }
        Ok(made)
    }

    #[getter]
    fn game_name(&self) -> &'static str {
        self.kind.word()
    }

    fn set(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        // True and False are 1 and 0 in the table of parameters.
        let text = match value.cast::<PyBool>() {
            Ok(value) => u8::from(value.is_true()).to_string(),
            Err(_) => value.str()?.to_string(),
        };
        py.detach(|| self.held().set(name, &text)).map_err(wrong)
    }

    fn clear(&self, py: Python<'_>) {
        py.detach(|| self.held().clear());
    }

    #[pyo3(signature = (state, *, seconds=None, playouts=None, early_stop=false, ownership=false, on_report=None, every=0.1))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keywords")]
    fn run(
        &self,
        py: Python<'_>,
        state: Py<State>,
        seconds: Option<f64>,
        playouts: Option<u64>,
        early_stop: bool,
        ownership: bool,
        on_report: Option<Py<PyAny>>,
        every: f64,
    ) -> PyResult<Report> {
        let time = seconds.map(|seconds| duration(seconds, "seconds")).transpose()?;
        if time.is_none() && playouts.is_none() {
            return Err(PyTypeError::new_err("a search wants seconds, playouts or both"));
        }
        if playouts == Some(0) {
            return Err(wrong("playouts are 1 or more"));
        }
        let report_every = on_report.as_ref().map(|_| duration(every, "every")).transpose()?;
        let budget = Budget { time, nodes: playouts, early_stop };
        let terms = Terms { budget, seed: self.seed, report_every, ownership };
        // The state may be played on meanwhile, which copies it.
        let (state, stop) = (Arc::clone(&state.borrow(py).state), Stop::new());
        let decision = py.detach(|| {
            let (tell, told) = mpsc::channel();
            // Whether a report has still to be heard: a slow listener misses some, and does not hold up the end.
            let unheard = AtomicBool::new(false);
            thread::scope(|scope| {
                let (state, stop, terms, unheard) = (&state, &stop, &terms, &unheard);
                let worker = scope.spawn(move || {
                    // Nobody may listen any more.
                    let mut on_report = |report: &_| {
                        if !unheard.swap(true, Ordering::Relaxed) {
                            _ = tell.send(Told::Report(Box::new(search::Report::clone(report))));
                        }
                    };
                    let end = self.held().run(state, terms, stop, &mut on_report).map(Box::new);
                    let _ = tell.send(Told::End(end));
                });
                let end = listen(&told, state, on_report.as_ref(), unheard);
                stop.set();
                // Why it panicked stands on standard error.
                let _ = worker.join();
                end
            })
        })?;
        Python::attach(|py| Report::new(py, &state, decision.report, Some(decision.mv)))
    }

    fn __repr__(&self) -> String {
        format!("<losange.Search of {}>", self.game_name())
    }
}

impl Search {
    /// The search, when no other thread uses it. A panic of one search does not disable those after it.
    fn held(&self) -> std::sync::MutexGuard<'_, any::AnySearch> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for the end of a search, hands on its reports and lets Python interrupt it.
fn listen(
    told: &mpsc::Receiver<Told>,
    state: &any::AnyState,
    on_report: Option<&Py<PyAny>>,
    unheard: &AtomicBool,
) -> PyResult<Decision<usize>> {
    loop {
        match told.recv_timeout(LOOK) {
            Ok(Told::End(end)) => return end.map(|decision| *decision).map_err(wrong),
            Ok(Told::Report(report)) => Python::attach(|py| -> PyResult<()> {
                let Some(listener) = on_report else { return Ok(()) };
                listener.call1(py, (Report::new(py, state, *report, None)?,))?;
                unheard.store(false, Ordering::Relaxed);
                py.check_signals()
            })?,
            Err(mpsc::RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the search failed; the reason stands on standard error"));
            }
        }
    }
}

/// A time from Python.
fn duration(seconds: f64, name: &str) -> PyResult<Duration> {
    const MOST: f64 = 1e7;
    let fits = (0.0..=MOST).contains(&seconds);
    if fits { Ok(Duration::from_secs_f64(seconds)) } else { Err(wrong(format!("{name} is a number from 0 to {MOST}"))) }
}

#[pyclass(frozen, get_all, module = "losange")]
pub(crate) struct Report {
    action: usize,
    #[pyo3(name = "move")]
    mv: String,
    player: usize,
    winrate: f32,
    score: Option<f32>,
    score_stdev: Option<f32>,
    winner: Option<usize>,
    visits: u64,
    playouts: u64,
    seconds: f64,
    moves: Vec<Py<MoveReport>>,
    ownership: Option<Py<PyArray2<f32>>>,
}

#[pyclass(frozen, get_all, module = "losange")]
pub(crate) struct MoveReport {
    action: usize,
    #[pyo3(name = "move")]
    mv: String,
    visits: u64,
    winrate: f32,
    lcb: f32,
    prior: f32,
    score: Option<f32>,
    winner: Option<usize>,
    pv: Vec<usize>,
}

impl Report {
    /// A report on a state. The move is that of the decision, or the first of the report on the way there.
    fn new(
        py: Python<'_>,
        state: &any::AnyState,
        report: search::Report<usize>,
        decided: Option<usize>,
    ) -> PyResult<Self> {
        let name = |action| state.name(action).map_err(wrong);
        let first =
            decided.or_else(|| report.moves.first().map(|mv| mv.mv)).or_else(|| state.legal_actions().first().copied());
        let action = first.ok_or_else(|| PyRuntimeError::new_err("a report without moves"))?;
        let moves = report.moves.into_iter().map(|it| {
            let search::MoveReport { mv, visits, winrate, lcb, prior, score, resolution, pv, .. } = it;
            let (winner, text) = (resolution.map(player), name(mv)?);
            Py::new(py, MoveReport { action: mv, mv: text, visits, winrate, lcb, prior, score, winner, pv })
        });
        let size = state.size();
        let ownership = report.ownership.map(|owners| owners.into_pyarray(py).reshape([size.height, size.width]));
        Ok(Self {
            action,
            mv: name(action)?,
            player: player(report.to_move),
            winrate: report.winrate,
            score: report.score,
            score_stdev: report.score_stdev,
            winner: report.resolution.map(player),
            visits: report.visits,
            playouts: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
            moves: moves.collect::<PyResult<_>>()?,
            ownership: ownership.transpose()?.map(Bound::unbind),
        })
    }
}

#[pymethods]
impl Report {
    fn __repr__(&self) -> String {
        format!("<losange.Report {} {:.1} % after {} visits>", self.mv, 100.0 * self.winrate, self.visits)
    }
}

#[pymethods]
impl MoveReport {
    fn __repr__(&self) -> String {
        format!("<losange.MoveReport {} {:.1} % of {} visits>", self.mv, 100.0 * self.winrate, self.visits)
    }
}
