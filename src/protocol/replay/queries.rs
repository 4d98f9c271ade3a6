//! Lines of JSON queries, and what must hold of their answers.

use std::sync::Arc;

use std::thread;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};
use parking_lot::Mutex;
use serde_json::Value;

use crate::players::{Models, Resources};
use crate::protocol::json::settings::Tuning;
use crate::protocol::json::{JsonDefaults, JsonEngine, Outlet, usual_game};
use crate::search::Share;
use crate::session::analysis::Analyst;
use crate::session::analysis::schedule::Schedule;

/// Lines that are taken; more say nothing new.
const MOST_QUERIES: usize = 10;
/// Time for all searches, after which they are broken off.
const PATIENCE: Duration = Duration::from_millis(50);

/// Collects answers.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Outlet for Heard {
    fn send(&self, line: String) {
        self.0.lock().push(line);
    }

    fn send_report(&self, line: String) {
        self.send(line);
    }
}

/// Takes lines of queries, works on them for a moment, and checks that each is answered by objects in JSON.
///
/// # Panics
/// If one is not, or if anything inside panics.
pub fn queries(bytes: &[u8]) {
    let resources = Resources { share: Arc::new(Share::new(1)), memory: 1 << 20, models: Models::default() };
    let (schedule, heard) = (Arc::new(Schedule::new(1)), Arc::<Heard>::default());
    let defaults =
        JsonDefaults { game: usual_game(), tuning: Tuning { visits: Some(5), ..Tuning::default() }, limits: None };
    let out: Arc<dyn Outlet> = Arc::clone(&heard) as _;
    let engine = JsonEngine::new(defaults, Arc::new(Analyst::new(resources, 1)), Arc::clone(&schedule), out);
    let mut taken = 0;
    for line in bytes.split(|&byte| byte == b'\n').take(MOST_QUERIES) {
        engine.take(line);
        taken += usize::from(!line.trim_ascii().is_empty());
    }
    schedule.finish();
    let (done, is_done) = bounded(1);
    let broken_off = thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let late = is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
            if late {
                schedule.close();
            }
            late
        });
        schedule.work();
        // The watch may be over.
        _ = done.send(());
        watch.join().is_ok_and(|late| late)
    });
    let answers = heard.0.lock();
    for answer in answers.iter() {
        let value = serde_json::from_str(answer);
        assert!(matches!(&value, Ok(Value::Object(_))), "{answer}");
        assert!(!answer.contains('\n') && !answer.contains("internal error"), "{answer}");
    }
    assert!(broken_off || answers.len() >= taken, "{taken} lines, {} answers", answers.len());
}
