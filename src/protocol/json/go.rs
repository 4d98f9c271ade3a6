//! Fields that only Go has: rules, komi, and the stones of a handicap.

use serde_json::{Map, Value};

use super::fields::{Fault, Fields};
use crate::game::Side;
use crate::players::{GoRules, Kind, Setup};
use crate::protocol::go::{change_rule, rules_from_json};

const NO_RULES: &str = "Must specify rules string, such as \"chinese\" or \"tromp-taylor\", or a JSON object with detailed rules \
                        parameters.";
const NO_KOMI: &str = "Must be a integer or half-integer from -400.0 to 400.0";

/// The game of queries that name none, unless the client's user wants another one.
pub fn usual_game() -> Kind {
    Kind::Go
}

/// Whether the game has rules to choose from, komi and handicap.
pub(super) fn has_rules(kind: Kind) -> bool {
    kind == Kind::Go
}

/// Rules by name, or as text that is an object, which may have a komi.
fn by_name(name: &str) -> Option<(GoRules, Option<f32>)> {
    let name = name.trim();
    if !name.starts_with('{') {
        return Some((GoRules::by_name(name).ok()?, None));
    }
    let mut object: Map<String, Value> = serde_json::from_str(name).ok()?;
    let komi =
        object.remove("komi").map(|komi| komi.as_f64().filter(|&komi| is_komi(komi)).ok_or(())).transpose().ok()?;
    Some((rules_from_json(&Value::Object(object).to_string()).ok()?, komi.map(|komi| komi as f32)))
}

/// Whether so many points are a komi.
fn is_komi(points: f64) -> bool {
    points.abs() <= 400.0 && (2.0 * points).fract() == 0.0
}

/// Reads rules and komi.
pub(super) fn read(fields: Fields<'_>, setup: &mut Setup) -> Result<(), Fault> {
    let value = fields.get("rules").filter(|value| value.is_string() || value.is_object());
    let value = value.ok_or_else(|| Fault::new("rules", NO_RULES))?;
    let text = super::fields::text_of(value);
    let (rules, rules_komi) =
        by_name(&text).ok_or_else(|| Fault::new("rules", format!("Could not parse rules: {text}")))?;
    setup.rules = rules;
    let komi = fields.number("komi", -400.0, 400.0, NO_KOMI)?;
    if komi.is_some_and(|komi| !is_komi(komi)) {
        return Err(Fault::new("komi", NO_KOMI));
    }
    setup.komi = komi.map(|komi| komi as f32).or(rules_komi).unwrap_or_else(|| rules.usual_komi());
    if let Some(bonus) = fields.get("whiteHandicapBonus") {
        let bonus = bonus.as_str().ok_or_else(|| Fault::new("whiteHandicapBonus", "Must be a string"))?;
        let wrong = |_| Fault::new("whiteHandicapBonus", format!("Could not parse whiteHandicapBonus: {bonus}"));
        change_rule(&mut setup.rules, "whiteHandicapBonus", bonus).map_err(wrong)?;
    }
    Ok(())
}

/// Number of handicap stones among those that the game begins with: two or more of Black's alone.
pub(super) fn handicap(stones: &[(Side, usize)]) -> usize {
    let handicap = stones.len() > 1 && stones.iter().all(|(side, _)| *side == Side::First);
    if handicap { stones.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn setup(value: &Value) -> Result<Setup, Fault> {
        let mut setup = Setup::default();
        read(Fields(value.as_object().unwrap()), &mut setup).map(|()| setup)
    }

    #[test]
    fn rules_have_names_and_fields() {
        for (name, rules) in [
            ("Japanese", GoRules::JAPANESE),
            ("new zealand", GoRules::NEW_ZEALAND),
            ("stone_scoring", GoRules::STONE_SCORING),
            ("tromp-taylor", GoRules::TROMP_TAYLOR),
            ("aga", GoRules::AGA),
        ] {
            assert_eq!(setup(&json!({"rules": name})).unwrap().rules, rules, "{name}");
        }
        let fields = json!({"ko": "SIMPLE", "scoring": "TERRITORY", "suicide": false, "friendlyPassOk": false,
                            "hasButton": false, "whiteHandicapBonus": "0"});
        assert_eq!(setup(&json!({ "rules": fields })).unwrap().rules, GoRules::JAPANESE);
        assert_eq!(setup(&json!({ "rules": fields.to_string() })).unwrap().rules, GoRules::JAPANESE);
        let changed = json!({"ko": "POSITIONAL", "rules": "chinese", "score": "AREA"});
        assert_eq!(Ok(setup(&json!({ "rules": changed })).unwrap().rules), GoRules::by_name("chinese-ogs"));
        let fault = setup(&json!({"rules": {"ko": "NONE"}})).unwrap_err();
        assert_eq!(fault, Fault::new("rules", r#"Could not parse rules: {"ko":"NONE"}"#));
        assert_eq!(setup(&json!({"rules": 3})).unwrap_err().text, NO_RULES);
    }

    #[test]
    fn komi_is_half_a_point_or_whole_and_has_a_usual_value() {
        assert_eq!(setup(&json!({"rules": "chinese"})).unwrap().komi, 7.5);
        assert_eq!(setup(&json!({"rules": "korean"})).unwrap().komi, 6.5);
        assert_eq!(setup(&json!({"rules": "korean", "komi": -3})).unwrap().komi, -3.0);
        let object = json!({"ko": "SIMPLE", "scoring": "AREA", "komi": 5.5});
        assert_eq!(setup(&json!({ "rules": object })).unwrap().komi, 5.5);
        assert_eq!(setup(&json!({ "rules": object, "komi": 6 })).unwrap().komi, 6.0);
        assert!(setup(&json!({"rules": {"komi": 5.3}})).is_err());
        for komi in [json!(0.3), json!("7"), json!(401), json!(null)] {
            assert_eq!(setup(&json!({"rules": "aga", "komi": komi})), Err(Fault::new("komi", NO_KOMI)));
        }
    }

    #[test]
    fn the_bonus_of_a_handicap_stands_above_the_rules() {
        let bonus = |bonus: Value| setup(&json!({"rules": "chinese", "whiteHandicapBonus": bonus}));
        assert_eq!(bonus(json!("N-1")).unwrap().rules.handicap_compensation(3), 2.0);
        assert_eq!(bonus(json!("2")).unwrap_err().text, "Could not parse whiteHandicapBonus: 2");
        assert_eq!(bonus(json!(0)).unwrap_err().text, "Must be a string");
        assert_eq!((handicap(&[(Side::First, 3), (Side::First, 5)]), handicap(&[(Side::First, 3)])), (2, 0));
        assert_eq!(handicap(&[(Side::First, 3), (Side::Second, 5)]), 0);
    }
}
