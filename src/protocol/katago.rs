//! Commands of KataGo's that every game has: parameters by KataGo's names, models, caches.
//!
//! A name of KataGo's is known where it means here what it means there. Parameters of the searches go by their own names too.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::call::{Call, Command, Dialect, rows};
use super::models::described;
use super::reply::{Answer, Refusal};
use crate::eval::net::{HumanProfile, Network};
use crate::game::Planes;
use crate::players::{Imitator, Played, Recipe};
use crate::session::Settings;

/// Number that stands for no limit of visits.
const ENDLESS: u64 = 1 << 50;
/// Seconds that stand for no limit of time, and from which on a time is none.
const FOR_EVER: f64 = 1e20;
const LONG: f64 = 1e9;
/// Largest noise at the root.
const MOST_NOISE: f32 = 5.0;

/// Names of KataGo's for parameters of the searches that are the same, and whether the values are true and false there.
const SAME: &[(&str, &str, bool)] = &[
    ("cpuctExploration", "exploration", false),
    ("cpuctExplorationLog", "exploration_log", false),
    ("cpuctUtilityStdevScale", "volatility_scale", false),
    ("dynamicScoreUtilityFactor", "dynamic_score_utility", false),
    ("fpuReductionMax", "unvisited_reduction", false),
    ("lcbStdevs", "bound_deviations", false),
    ("nnPolicyTemperature", "policy_temperature", false),
    ("policyOptimism", "policy_optimism", false),
    ("rootFpuReductionMax", "root_unvisited_reduction", false),
    ("rootPolicyOptimism", "root_policy_optimism", false),
    ("rootPolicyTemperature", "root_temperature", false),
    ("staticScoreUtilityFactor", "static_score_utility", false),
    ("subtreeValueBiasFactor", "subtree_bias", false),
    ("useGraphSearch", "graph_search", true),
    ("useNoisePruning", "noise_pruning", true),
    ("useUncertainty", "uncertainty_weights", true),
    ("valueWeightExponent", "value_weight_exponent", false),
    ("wideRootNoise", "wide_root_noise", false),
];

/// People whom a network imitates.
const PROFILE: &str = "humanSLProfile";

/// Names of KataGo's for settings of a session.
const OF_SESSION: &[&str] = &[
    "analysisWideRootNoise",
    PROFILE,
    "maxPlayouts",
    "maxTime",
    "maxVisits",
    "numSearchThreads",
    "playoutDoublingAdvantage",
    "ponderingEnabled",
];

/// The rows of these commands.
pub(super) fn commands<S: Dialect>() -> Vec<Command<S>> {
    rows![
        "kata-list-params" "" "Names for kata-get-param: those of KataGo's that mean something here, and those of losange-get."
            |call| Ok(names(call).join(" "));
        "kata-get-param" "NAME" "The value of a parameter." get_param;
        "kata-get-params" "" "The values of all parameters as JSON." get_params;
        "kata-set-param" "NAME VALUE" "Sets a parameter." set_param;
        "kata-set-params" "JSON" "Sets the parameters that an object names, all of them or none." set_params;
        "kata-get-models" "" "The models that the game is played with, as JSON." models;
        "clear_cache" "" "Forgets what searches and models have found; over the network, what the session's searches have." clear_cache;
    ]
}

/// Names that the game's searches and the session have.
fn names<S: Dialect>(call: &Call<'_, S>) -> Vec<&'static str> {
    with_those_of_the_session(&call.session.core().recipe().params())
}

/// The session's names before the game's own.
fn with_those_of_the_session(own: &[&'static str]) -> Vec<&'static str> {
    let same = SAME.iter().filter(|(_, name, _)| own.contains(name)).map(|&(name, ..)| name);
    let mut names: Vec<&'static str> = OF_SESSION.iter().copied().chain(same).collect();
    names.sort_unstable();
    names.extend(own);
    names
}

fn unknown(name: &str) -> Refusal {
    Refusal::new(format_args!("Invalid parameter: {name}; kata-list-params lists those that are known"))
}

/// A value as it is told in JSON: a number, true or false, or text.
fn value<S: Dialect>(call: &Call<'_, S>, name: &str) -> Result<Value, Refusal> {
    let settings = call.session.core().settings();
    let noise = settings.analysis_noise.unwrap_or(settings.params.wide_root_noise);
    Ok(match name {
        "analysisWideRootNoise" => json!(noise.to_string()),
        // Both limit the simulations of a move.
        "maxPlayouts" | "maxVisits" => json!(settings.playouts.unwrap_or(ENDLESS)),
        "maxTime" => json!(settings.most_time.map_or(FOR_EVER, |time| time.as_secs_f64())),
        "numSearchThreads" => json!(settings.threads),
        "playoutDoublingAdvantage" => json!(0.0),
        PROFILE => json!(settings.people.as_ref().map_or("", HumanProfile::name)),
        "ponderingEnabled" => json!(settings.ponder.to_string()),
        _ => {
            let same = SAME.iter().find(|(of_katago, ..)| *of_katago == name);
            let own = same.map_or(name, |&(_, own, _)| own);
            if !call.session.core().recipe().params().contains(&own) {
                return Err(unknown(name));
            }
            let text = settings.params.get(own).map_err(Refusal::new)?;
            match same {
                Some((_, _, true)) => json!(text == "1"),
                _ => text.parse::<f64>().map_or_else(|_| json!(text), |number| number_of(number, &text)),
            }
        }
    })
}

/// A whole number where the text is one.
fn number_of(number: f64, text: &str) -> Value {
    text.parse::<i64>().map_or_else(|_| json!(number), |whole| json!(whole))
}

fn get_param<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let name = call.arg(0, "the name of a parameter")?;
    Ok(match value(call, name)? {
        Value::String(text) => text,
        other => other.to_string(),
    })
}

fn get_params<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let mut all = Map::new();
    for name in names(call) {
        all.insert(name.to_owned(), value(call, name)?);
    }
    Ok(Value::Object(all).to_string())
}

fn set_param<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let name = call.arg(0, "the name of a parameter")?.to_owned();
    let value = call.arg(1, "its value")?.to_owned();
    set_all(call, &[(name, value)])
}

fn set_params<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    call.arg(0, "an object of names and values")?;
    let object: Map<String, Value> = serde_json::from_str(&call.line.rest)
        .map_err(|error| Refusal::new(format_args!("Could not set params: this is no JSON object: {error}")))?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let pairs: Vec<_> = object.iter().map(|(name, value)| (name.clone(), text(value))).collect();
    set_all(call, &pairs)
}

fn set_all<S: Dialect>(call: &mut Call<'_, S>, pairs: &[(String, String)]) -> Answer {
    let changed = call.session.core_mut().change_settings(|recipe, settings| {
        pairs.iter().try_for_each(|(name, value)| set(recipe, settings, name, value))
    });
    changed.map_err(|why: String| Refusal::new(format_args!("Could not set params: {why}")))?;
    Ok(String::new())
}

fn set<G: Played>(recipe: &Recipe<G>, settings: &mut Settings, name: &str, value: &str) -> Result<(), String> {
    let wrong = |wanted: &str| format!("'{value}' is no value of {name}: expected {wanted}");
    match name {
        "analysisWideRootNoise" => {
            let noise = value.parse().ok().filter(|noise| (0.0..=MOST_NOISE).contains(noise));
            settings.analysis_noise = Some(noise.ok_or_else(|| wrong("a number from 0 to 5"))?);
        }
        "maxPlayouts" | "maxVisits" => {
            let number = value.parse().ok().filter(|number| (1..=ENDLESS).contains(number));
            let number = number.ok_or_else(|| wrong("a whole number from 1"))?;
            settings.playouts = Some(number).filter(|number| *number < ENDLESS);
        }
        "maxTime" => {
            let seconds = value.parse().ok().filter(|seconds| (0.0..=FOR_EVER).contains(seconds));
            let seconds: f64 = seconds.ok_or_else(|| wrong("a number of seconds"))?;
            settings.most_time = (seconds < LONG).then(|| Duration::from_secs_f64(seconds));
        }
        "numSearchThreads" => {
            let most = settings.share.threads();
            let number = value.parse().ok().filter(|number| (1..=most).contains(number));
            settings.threads =
                number.ok_or_else(|| wrong(&format!("a number from 1 to {most}, which --threads allows")))?;
        }
        "playoutDoublingAdvantage" => {
            let none = value.parse::<f64>().is_ok_and(|advantage| advantage == 0.0);
            return if none { Ok(()) } else { Err(wrong("0, since there is no play at a handicap of playouts")) };
        }
        PROFILE => {
            if settings.models.people().is_none() {
                return Err(format!("{PROFILE} needs a network that imitates people: --human-model FILE"));
            }
            settings.people = HumanProfile::read(value).map_err(|why| why.to_string())?;
        }
        "ponderingEnabled" => settings.ponder = truth(value).ok_or_else(|| wrong("true or false"))?,
        _ => return set_same(recipe, settings, name, value),
    }
    Ok(())
}

fn set_same<G: Played>(recipe: &Recipe<G>, settings: &mut Settings, name: &str, value: &str) -> Result<(), String> {
    let Some((_, own, is_truth)) = SAME.iter().find(|(of_katago, ..)| *of_katago == name) else {
        return recipe.set(&mut settings.params, name, value).map_err(|error| error.to_string());
    };
    if !recipe.params().contains(own) {
        return Err(unknown(name).0);
    }
    let value = match is_truth {
        true => {
            let truth =
                truth(value).ok_or_else(|| format!("'{value}' is no value of {name}: expected true or false"))?;
            u8::from(truth).to_string()
        }
        false => value.to_owned(),
    };
    recipe.set(&mut settings.params, own, &value).map_err(|error| format!("{name}: {error}"))
}

fn truth(value: &str) -> Option<bool> {
    value.to_ascii_lowercase().parse().ok()
}

fn models<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    let models = call.session.core().settings().resources().models;
    let own = models.of::<S::G>().map(AsRef::as_ref);
    let own = own.into_iter().flat_map(Network::all);
    let people =
        models.people().map(Imitator::network).filter(|network| network.model().game == <S::G as Planes>::NAME);
    Ok(Value::Array(own.chain(people).map(described).collect()).to_string())
}

fn clear_cache<S: Dialect>(call: &mut Call<'_, S>) -> Answer {
    call.session.core_mut().forget();
    // Other sessions of a server share the models.
    if call.desk.files {
        call.session
            .core()
            .settings()
            .models
            .iter()
            .for_each(|network: &std::sync::Arc<Network>| network.clear_cache());
    }
    Ok(String::new())
}
