//! Actions: objects that ask for something else than an analysis.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::super::models::described;
use super::fields::{Fault, Fields};
use super::{JsonEngine, answer};
use crate::players::Imitator;

const NO_ACTION: &str =
    "'action' field must be 'query_version' or 'query_models' or 'clear_cache' or 'terminate' or 'terminate_all'";
const NO_ID: &str = "Requests for a terminate action must have a string \"terminateId\" field";
const NO_TURNS: &str = "If provided, must be an array of integers indicating turns to terminate";

impl JsonEngine {
    /// Does what an object asks for, and sends it back with what was asked about.
    pub(super) fn act(&self, id: &str, action: &Value, object: &Map<String, Value>) {
        let mut echo = object.clone();
        match action.as_str() {
            Some("query_version") => {
                echo.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
                echo.insert("git_hash".to_owned(), json!("<omitted>"));
            }
            Some("query_models") => {
                let all = &self.analyst.resources().models;
                let people = all.people().map(Imitator::network);
                let models = all.iter().flat_map(|model| model.all()).chain(people).map(described).collect();
                echo.insert("models".to_owned(), models);
            }
            // Other clients of a server share the models.
            Some("clear_cache") if self.defaults.limits.is_some() => {}
            Some("clear_cache") => self.analyst.resources().models.iter().for_each(|model| model.clear_cache()),
            Some("terminate" | "terminate_all") => return self.terminate(id, action, object),
            _ => return self.out.send(Fault::new("action", NO_ACTION).line("error", id)),
        }
        self.out.send(Value::Object(echo).to_string());
    }

    /// Stops jobs by their id, or all, of these turns or of all; says so, and then that those which had not begun have no results.
    fn terminate(&self, id: &str, action: &Value, object: &Map<String, Value>) {
        let meant = match object.get("terminateId").and_then(Value::as_str) {
            None if action == "terminate" => return self.out.send(Fault::new("terminateId", NO_ID).line("error", id)),
            meant => meant.filter(|_| action == "terminate"),
        };
        let turns = match Fields(object).integers("turnNumbers", NO_TURNS) {
            Ok(turns) => turns.map(|turns| turns.into_iter().collect::<BTreeSet<i64>>()),
            Err(fault) => return self.out.send(fault.line("error", id)),
        };
        let is_meant = |id: &str, turn: usize| {
            meant.is_none_or(|meant| meant == id) && turns.as_ref().is_none_or(|turns| turns.contains(&(turn as i64)))
        };
        let cancelled = self.schedule.terminate(is_meant);
        self.out.send(Value::Object(object.clone()).to_string());
        cancelled.iter().for_each(|job| self.out.send(answer::without_results(job.id(), job.turn())));
    }
}
