//! Models, and what they say of states.

use std::path::PathBuf;
use std::sync::Arc;

use losange::any;
use losange::eval::net::{Backend, ModelError, Options};
use losange::players::LoadError;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::game::{State, kind};
use crate::search::MOST_MEMORY;
use crate::wrong;

#[pyclass(frozen, module = "losange")]
pub(crate) struct Model {
    pub(crate) model: any::AnyModel,
}

/// How a model is to be run: results are kept by searches only.
fn options(backend: &str, cache: usize) -> PyResult<Options> {
    let named = Backend::ALL.iter().copied().find(|other| other.name() == backend);
    let names = || Backend::ALL.iter().map(|other| other.name()).collect::<Vec<_>>().join(", ");
    let backend = named.ok_or_else(|| wrong(format!("unknown back end '{backend}'; known are {}", names())))?;
    if cache > MOST_MEMORY {
        return Err(wrong(format!("cache is 0 to {MOST_MEMORY} MiB")));
    }
    Ok(Options { backend, cache: cache << 20, ..Options::default() })
}

fn unloaded(error: LoadError) -> PyErr {
    match error {
        LoadError::Model(ModelError::File { .. }) => PyOSError::new_err(error.to_string()),
        _ => wrong(error),
    }
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (path, *, game=None, backend="auto", cache=0))]
    fn new(py: Python<'_>, path: PathBuf, game: Option<&str>, backend: &str, cache: usize) -> PyResult<Self> {
        let (game, options) = (game.map(kind).transpose()?, options(backend, cache)?);
        let model = py.detach(|| any::AnyModel::load(&path, game, &options)).map_err(unloaded)?;
        Ok(Self { model })
    }

    #[classmethod]
    #[pyo3(signature = (game, *, backend="auto", cache=0))]
    fn builtin(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        game: &str,
        backend: &str,
        cache: usize,
    ) -> PyResult<Option<Self>> {
        let (game, options) = (kind(game)?, options(backend, cache)?);
        let model = py.detach(|| any::AnyModel::shipped(game, &options)).map_err(unloaded)?;
        Ok(model.map(|model| Self { model }))
    }

    #[getter]
    fn game_name(&self) -> &'static str {
        self.model.kind().word()
    }

    #[getter]
    fn runtime(&self) -> String {
        self.model.runtime()
    }

    #[getter]
    fn outputs(&self) -> Vec<&'static str> {
        self.model.file().outputs.iter().map(|output| output.name()).collect()
    }

    fn serves(&self, width: usize, height: usize) -> bool {
        self.model.file().serves(height, width)
    }

    fn evaluate(&self, py: Python<'_>, states: States) -> PyResult<Evaluation> {
        let states: Vec<Arc<any::AnyState>> = match states {
            States::One(state) => vec![Arc::clone(&state.borrow(py).state)],
            States::Many(states) => states.iter().map(|state| Arc::clone(&state.borrow(py).state)).collect(),
        };
        let (width, height) = states.first().map_or((0, 0), |state| (state.size().width, state.size().height));
        let count = states.len();
        let valued = py.detach(|| self.model.value(&states.iter().map(Arc::as_ref).collect::<Vec<_>>()));
        let any::Valuation { actions, values, policy, action_values, scores, ownership, .. } =
            valued.map_err(|error| match error {
                any::ValuationError::Model(error) => PyRuntimeError::new_err(error.to_string()),
                other => wrong(other),
            })?;
        let some = |numbers: Vec<f32>| (!numbers.is_empty()).then_some(numbers);
        let table = |numbers| -> PyResult<_> {
            let array = some(numbers).map(|numbers| numbers.into_pyarray(py).reshape([count, actions])).transpose()?;
            Ok(array.map(Bound::unbind))
        };
        let owners = some(ownership).map(|numbers| numbers.into_pyarray(py).reshape([count, height, width]));
        Ok(Evaluation {
            value: values.into_pyarray(py).unbind(),
            policy: table(policy)?,
            action_values: table(action_values)?,
            score: some(scores).map(|scores| scores.into_pyarray(py).unbind()),
            ownership: owners.transpose()?.map(Bound::unbind),
        })
    }

    fn __repr__(&self) -> String {
        format!("<losange.Model of {} giving {} on {}>", self.game_name(), self.outputs().join(", "), self.runtime())
    }
}

/// One state or several.
#[derive(FromPyObject)]
enum States {
    One(Py<State>),
    Many(Vec<Py<State>>),
}

#[pyclass(frozen, get_all, module = "losange")]
pub(crate) struct Evaluation {
    value: Py<PyArray1<f32>>,
    policy: Option<Py<PyArray2<f32>>>,
    action_values: Option<Py<PyArray2<f32>>>,
    score: Option<Py<PyArray1<f32>>>,
    ownership: Option<Py<PyArray3<f32>>>,
}
