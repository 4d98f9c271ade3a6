use std::path::Path;

use parking_lot::Mutex;

use super::*;
use crate::eval::net::{Backend, Options};
use crate::games::go;
use crate::players::{Models, Resources, models};
use crate::search::Share;

/// Answers in their order, with reports of searches that went on.
#[derive(Default)]
struct Heard(Mutex<Vec<Value>>);

impl Outlet for Heard {
    fn send(&self, line: String) {
        assert!(!line.contains('\n'));
        self.0.lock().push(serde_json::from_str(&line).unwrap());
    }

    fn send_report(&self, line: String) {
        self.send(line);
    }
}

struct Client {
    engine: JsonEngine,
    schedule: Arc<Schedule>,
    heard: Arc<Heard>,
}

impl Client {
    fn new() -> Self {
        Self::with(None)
    }

    fn with(limits: Option<QueryLimits>) -> Self {
        Self::with_models(limits, Models::default())
    }

    fn with_models(limits: Option<QueryLimits>, models: Models) -> Self {
        let resources = Resources { share: Arc::new(Share::new(1)), memory: 16, models };
        let (schedule, heard) = (Arc::new(Schedule::new(1)), Arc::<Heard>::default());
        let tuning = Tuning { visits: Some(20), ..Tuning::default() };
        let defaults = JsonDefaults { game: usual_game(), tuning, limits };
        let out: Arc<dyn Outlet> = Arc::clone(&heard) as _;
        let engine = JsonEngine::new(defaults, Arc::new(Analyst::new(resources, 1)), Arc::clone(&schedule), out);
        Self { engine, schedule, heard }
    }

    fn take(&self, line: &str) -> Vec<Value> {
        self.engine.take(line.as_bytes());
        std::mem::take(&mut *self.heard.0.lock())
    }

    /// Answers once all work is done.
    fn finish(&self) -> Vec<Value> {
        self.schedule.finish();
        self.schedule.work();
        std::mem::take(&mut *self.heard.0.lock())
    }
}

const QUERY: &str = r#"{"id":"q","boardXSize":5,"boardYSize":5,"rules":"chinese","moves":[["b","C3"],["w","B2"]],"#;

#[test]
fn a_query_has_an_answer_for_each_turn() {
    let client = Client::new();
    assert!(client.take(&format!(r#"{QUERY}"analyzeTurns":[0,2,1],"priorities":[1,2,3]}}"#)).is_empty());
    let answers = client.finish();
    let turns: Vec<_> = answers.iter().map(|answer| answer["turnNumber"].as_u64().unwrap()).collect();
    assert_eq!(turns, [1, 2, 0]);
    let players: Vec<_> = answers.iter().map(|answer| answer["rootInfo"]["currentPlayer"].as_str().unwrap()).collect();
    assert_eq!(players, ["W", "B", "B"]);
    assert!(answers.iter().all(|answer| answer["rootInfo"]["visits"].as_u64().unwrap() >= 20));
}

#[test]
fn analyses_are_at_full_strength() {
    let answer = |settings: &str| {
        let client = Client::new();
        client.take(&format!(r#"{QUERY}"overrideSettings":{settings}}}"#));
        client.finish().pop().unwrap()
    };
    let full = answer("{}");
    assert_eq!(full["rootInfo"]["visits"].as_u64(), Some(20));
    assert_eq!(answer(r#"{"level":1}"#)["moveInfos"], full["moveInfos"]);
}

#[test]
fn lines_that_are_no_queries_are_refused_word_by_word() {
    let client = Client::new();
    let refused = |line: &str| client.take(line).pop().unwrap()["error"].as_str().unwrap().to_owned();
    assert!(client.take("").is_empty() && client.take(" \t\r").is_empty());
    assert_eq!(refused("{}"), "Request must have a string \"id\" field");
    assert_eq!(refused(r#"{"id":3}"#), "Request must have a string \"id\" field");
    let text = refused("{\"id\":");
    assert!(text.ends_with(" - could not parse input line as json request: {\"id\":"), "{text}");
    assert_eq!(refused("[1]"), "Request line was valid json but was not an object, ignoring: [1]");
    let action =
        "'action' field must be 'query_version' or 'query_models' or 'clear_cache' or 'terminate' or 'terminate_all'";
    let expected = json!({"id": "x", "field": "action", "error": action});
    assert_eq!(client.take(r#"{"id":"x","action":"dance"}"#), [expected]);
    assert!(refused(&"[".repeat(60_000)).contains("recursion limit"));
    assert!(refused(r#"{"id":"x","game":"chess"}"#).starts_with("Must be one of go, hex"));
    assert!(client.finish().is_empty());
}

#[test]
fn actions_are_sent_back() {
    let client = Client::new();
    let version = client.take(r#"{"id":"v","action":"query_version","more":[1]}"#);
    let expected = json!({"id": "v", "action": "query_version", "more": [1], "version": env!("CARGO_PKG_VERSION"), "git_hash": "<omitted>"});
    assert_eq!(version, [expected]);
    assert_eq!(client.take(r#"{"id":"m","action":"query_models"}"#)[0]["models"], json!([]));
    let clear = r#"{"action":"clear_cache","id":"c"}"#;
    assert_eq!(client.take(clear), [serde_json::from_str::<Value>(clear).unwrap()]);
}

/// A client of a server must not take from the others the results that its models keep.
#[test]
fn only_a_client_alone_empties_the_models_caches() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/go-policy.onnx");
    let options = Options { backend: Backend::Embedded, ..Options::default() };
    let evaluations_of_the_second_query = |limits: Option<QueryLimits>| {
        let network = Arc::new(models::load::<go::Position>(&path, &options).unwrap());
        let client = Client::with_models(limits, Models::one(Arc::clone(&network)));
        let ask = || {
            client.take(&format!("{QUERY}\"maxVisits\":3}}"));
            client.finish();
            network.work().0
        };
        let first = ask();
        client.take(r#"{"action":"clear_cache","id":"c"}"#);
        let second = ask() - first;
        (first, second)
    };
    let limits = QueryLimits { report_every: Duration::from_millis(100), waiting: 1 << 20 };
    let (first, again) = evaluations_of_the_second_query(Some(limits));
    assert!(first > 0 && again == 0, "{first} {again}");
    let (first, again) = evaluations_of_the_second_query(None);
    assert!(first > 0 && again > 0, "{first} {again}");
}

#[test]
fn work_that_is_terminated_before_it_begins_has_no_results() {
    let client = Client::new();
    client.take(&format!(r#"{QUERY}"analyzeTurns":[0,1,2]}}"#));
    let some = r#"{"id":"t","action":"terminate","terminateId":"q","turnNumbers":[1,7]}"#;
    let none = |turn: u64| json!({"id": "q", "isDuringSearch": false, "noResults": true, "turnNumber": turn});
    assert_eq!(client.take(some), [serde_json::from_str(some).unwrap(), none(1)]);
    let other = r#"{"id":"t","action":"terminate","terminateId":"other"}"#;
    assert_eq!(client.take(other).len(), 1);
    let wrong = client.take(r#"{"id":"t","action":"terminate"}"#);
    assert_eq!(wrong[0]["error"], "Requests for a terminate action must have a string \"terminateId\" field");
    let wrong = client.take(r#"{"id":"t","action":"terminate_all","turnNumbers":["x"]}"#);
    assert_eq!(wrong[0]["error"], "If provided, must be an array of integers indicating turns to terminate");
    let all = client.take(r#"{"id":"t","action":"terminate_all"}"#);
    assert_eq!(all[1..], [none(0), none(2)]);
    assert!(client.finish().is_empty());
}

#[test]
fn other_games_are_asked_for_by_name() {
    let client = Client::new();
    client.take(r#"{"id":"h","game":"hex","boardXSize":3,"boardYSize":3,"moves":[["b","a1"]],"includePolicy":true}"#);
    client.take(r#"{"id":"a","game":"avalam","boardXSize":9,"boardYSize":9,"moves":[],"maxVisits":5}"#);
    let answers = client.finish();
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert_eq!(answers[0]["rootInfo"]["currentPlayer"], "W");
    assert_eq!(answers[0]["policy"].as_array().unwrap().len(), 10);
    assert!(answers[1]["moveInfos"][0]["move"].as_str().unwrap().contains('-'));
}

#[test]
fn who_may_not_have_much_waiting_is_told_so() {
    let client = Client::with(Some(QueryLimits { report_every: Duration::from_millis(50), waiting: 100_000 }));
    let query = format!(r#"{QUERY}"maxVisits":5}}"#);
    let waiting = (0..100).take_while(|_| client.take(&query).is_empty()).count();
    assert!((5..30).contains(&waiting), "{waiting}");
    let refused = client.take(&query);
    assert_eq!((&refused[0]["id"], &refused[0]["error"]), (&json!("q"), &json!(FULL)));
    assert_eq!(client.take(r#"{"id":"x","action":"terminate_all"}"#).len(), 1 + waiting);
    assert!(client.take(&query).is_empty());
    assert_eq!(client.finish().len(), 1);
    assert_eq!(client.engine.held.load(Relaxed), 0);
}
