use serde_json::json;

use super::super::settings::Perspective;
use super::*;
use crate::game::Side;
use crate::games::go::Position;

fn read(more: &Value) -> Result<Query<Position>, Fault> {
    let moves = json!([["b", "A1"], ["w", "B2"], ["b", "C3"]]);
    let mut query = json!({"id": "q", "boardXSize": 5, "boardYSize": 5, "rules": "chinese", "moves": moves});
    let object = query.as_object_mut().unwrap();
    for (name, value) in more.as_object().unwrap() {
        object.insert(name.clone(), value.clone());
    }
    object.retain(|_, value| !value.is_null());
    Query::read("q", object, Notation::Gtp, Tuning::default(), Setup::default())
}

fn fault(more: &Value) -> (String, String) {
    let fault = read(more).err().unwrap_or_else(|| panic!("{more} is refused"));
    (fault.field, fault.text)
}

#[test]
fn the_last_turn_is_analysed_unless_others_are_asked_for() {
    assert_eq!(read(&json!({"priority": 7})).unwrap().turns, [(3, 7)]);
    let query = read(&json!({"analyzeTurns": [2, 0, 2], "priorities": [1, -5, 9]})).unwrap();
    assert_eq!(query.turns, [(0, -5), (2, 9)]);
    assert_eq!(read(&json!({"analyzeTurns": [3, 1], "priority": 2})).unwrap().turns, [(1, 2), (3, 2)]);
    assert_eq!(read(&json!({"analyzeTurns": []})).unwrap().turns, []);
}

#[test]
fn faults_name_their_field_and_say_what_is_wanted() {
    let list = "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'";
    let seconds = "Must be number of seconds from 0.001 to 1000000.0";
    let avoid = |more: Value| json!({ "avoidMoves": [more] });
    for (more, field, text) in [
        (json!({"boardXSize": null}), "boardXSize", "Must provide an integer from 2 to 25"),
        (json!({"boardYSize": 29}), "boardYSize", "Must provide an integer from 2 to 25"),
        (json!({"boardYSize": 9.0}), "boardYSize", "Must provide an integer from 2 to 25"),
        (json!({"moves": null}), "moves", "Must specify an array of [player,location] pairs"),
        (json!({"moves": [["b", "Z5"]]}), "moves", "Could not parse board location: Z5"),
        (json!({"moves": [["b", "E5"], ["w", "E5"]]}), "moves", "Illegal move 1: E5"),
        (json!({"rules": "foo"}), "rules", "Could not parse rules: foo"),
        (json!({"komi": 0.25}), "komi", "Must be a integer or half-integer from -400.0 to 400.0"),
        (json!({"analyzeTurns": [1, 5]}), "analyzeTurns", "Invalid turn number: 5"),
        (json!({"analyzeTurns": [-1]}), "analyzeTurns", "Invalid turn number: -1"),
        (json!({"analyzeTurns": 1}), "analyzeTurns", "Must specify an array of integers indicating turns to analyze"),
        (json!({"priorities": [1]}), "priorities", "Can only specify when also specifying analyzeTurns"),
        (json!({"priorities": "x"}), "priorities", "Must specify an array of integers indicating priorities"),
        (json!({"analyzeTurns": [1], "priorities": []}), "priorities", "Must be of matching length to analyzeTurns"),
        (
            json!({"analyzeTurns": [1], "priorities": [1], "priority": 1}),
            "priority",
            "Cannot specify both priority and priorities",
        ),
        (json!({"priority": 1.5}), "priority", "Must be a number between -2^62 and 2^62"),
        (json!({"maxVisits": 0}), "maxVisits", "Must be an integer from 1 to 2^50"),
        (json!({"analysisPVLen": 0}), "analysisPVLen", "Must be an integer from 1 to 1000"),
        (json!({"includePolicy": 1}), "includePolicy", "Must be a boolean"),
        (json!({"reportDuringSearchEvery": 0}), "reportDuringSearchEvery", seconds),
        (json!({"firstReportDuringSearchAfter": "1"}), "firstReportDuringSearchAfter", seconds),
        (json!({"rootPolicyTemperature": 0}), "rootPolicyTemperature", "Must be a number from 0.01 to 100.0"),
        (json!({"overrideSettings": []}), "overrideSettings", "Must be an object"),
        (
            json!({"overrideSettings": {"maxVisits": -1}}),
            "overrideSettings",
            "Could not set settings: '-1' is no value of maxVisits",
        ),
        (json!({"avoidMoves": 3}), "avoidMoves", list),
        (avoid(json!("A1")), "avoidMoves", list),
        (avoid(json!({"player": "b", "moves": ["A1"]})), "avoidMoves", list),
        (avoid(json!({"player": "x", "moves": [], "untilDepth": 1})), "player", "Must be \"b\" or \"w\""),
        (
            avoid(json!({"player": "b", "moves": "A1", "untilDepth": 1})),
            "moves",
            "Must be an array of GTP board vertices",
        ),
        (avoid(json!({"player": "b", "moves": ["A1"], "untilDepth": 0})), "untilDepth", "Must be a positive integer"),
        (json!({"avoidMoves": [], "allowMoves": []}), "allowMoves", "Cannot specify both allowMoves and avoidMoves"),
    ] {
        assert_eq!(fault(&more), (field.to_owned(), text.to_owned()), "{more}");
    }
    let allow = json!({"player": "b", "moves": ["A2"], "untilDepth": 1});
    let twice = fault(&json!({"allowMoves": [allow, allow]})).1;
    assert_eq!(twice, "Cannot specify allowMoves more than once for the same player");
    let three = fault(&json!({"allowMoves": [allow, allow, allow]})).1;
    assert_eq!(three, "Currently allowMoves only allows at most one entry per player");
}

#[test]
fn settings_of_a_query_stand_above_the_usual_ones() {
    let settings =
        json!({"reportAnalysisWinratesAs": "BLACK", "maxTime": 8.0, "maxVisits": "12", "foo": 1, "bar": true});
    let query =
        read(&json!({"overrideSettings": settings, "maxVisits": 25, "typo": 1, "includePVVisits": true})).unwrap();
    assert_eq!((query.budget.nodes, query.budget.time), (Some(25), Some(Duration::from_secs(8))));
    assert_eq!(query.form.perspective, Perspective::Fixed(Side::First));
    assert!(query.form.pv_visits && !query.form.policy && !query.options.ownership);
    let warnings = query.warnings.iter().map(|fault| (fault.field.as_str(), fault.text.as_str())).collect::<Vec<_>>();
    assert_eq!(warnings, [("overrideSettings", "Unknown config params: bar,foo"), ("typo", UNUSED)]);
    let root = read(&json!({"rootPolicyTemperature": 1.5, "rootFpuReductionMax": 0})).unwrap();
    assert!(root.warnings.is_empty());
    assert_eq!((root.params.root_temperature, root.params.root_fpu_reduction), (1.5, 0.0));
    let quiet = read(&json!({"overrideSettings": {"warnUnusedFields": "false"}, "typo": 1})).unwrap();
    assert!(quiet.warnings.is_empty());
}

#[test]
fn moves_are_left_out_or_are_the_only_ones() {
    let lists = json!([
        {"player": "B", "moves": ["A2", "pass"], "untilDepth": 3},
        {"player": "W", "moves": ["(0,0)"], "untilDepth": 1},
    ]);
    let restrictions = read(&json!({ "avoidMoves": lists })).unwrap().options.restrictions;
    assert_eq!(restrictions.len(), 2);
    assert!(restrictions.iter().all(|restriction| !restriction.allow));
    assert_eq!((restrictions[0].side, restrictions[0].depth, restrictions[0].moves().len()), (Side::First, 3, 2));
    assert_eq!(restrictions[1].moves()[0].point(), Some(0));
    assert!(read(&json!({ "allowMoves": lists })).unwrap().options.restrictions[1].allow);
}
