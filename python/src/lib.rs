//! Losange in Python: games, states, models and searches, with arrays of NumPy. `losange/_losange.pyi` says what each means.

mod game;
mod model;
mod search;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

#[pymodule]
mod _losange {
    use losange::players::Kind;
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::game::{Game, State};
    #[pymodule_export]
    const TERMINAL: i32 = super::game::TERMINAL;
    #[pymodule_export]
    use super::model::{Evaluation, Model};
    #[pymodule_export]
    use super::search::{MoveReport, Report, Search};

    /// Words of all games.
    #[pyfunction]
    fn games() -> Vec<&'static str> {
        Kind::ALL.iter().map(|kind| kind.word()).collect()
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// An error of Python's for input that does not fit.
fn wrong(why: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(why.to_string())
}
