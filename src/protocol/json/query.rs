//! A query: positions of one game, and what is wanted of each.

use std::time::Duration;

use serde_json::{Map, Value};

use super::answer::AnswerForm;
use super::course::{Course, moves};
use super::fields::{Fault, Fields, text_of};
use super::go;
use super::settings::Tuning;
use crate::eval::net::HumanProfile;
use crate::players::{Played, Setup};
use crate::protocol::vertex::Notation;
use crate::search::{Budget, Params, Restriction};
use crate::session::SearchOptions;

/// Fields that queries of Go have beside those of all games.
const GO_FIELDS: [&str; 2] = ["komi", "whiteHandicapBonus"];
/// Fields that queries have.
const FIELDS: [&str; 29] = [
    "id",
    "game",
    "action",
    "moves",
    "boardXSize",
    "boardYSize",
    "rules",
    "initialStones",
    "initialPlayer",
    "analyzeTurns",
    "maxVisits",
    "priority",
    "priorities",
    "includeOwnership",
    "includeOwnershipStdev",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includePolicy",
    "includePVVisits",
    "includeNoResultValue",
    "analysisPVLen",
    "rootPolicyTemperature",
    "rootFpuReductionMax",
    "avoidMoves",
    "allowMoves",
    "overrideSettings",
    "reportDuringSearchEvery",
    "firstReportDuringSearchAfter",
    "warnUnusedFields",
];
const UNUSED: &str = "Unexpected or unused field, do you have a typo? (set warnUnusedFields=false in the config to disable this warning)";
const NO_LISTS: &str = "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'";
const NO_SECONDS: &str = "Must be number of seconds from 0.001 to 1000000.0";
/// Largest priority, and of the opposite sign the smallest.
const MOST_PRIORITY: i64 = 0x3FFF_FFFF_FFFF_FFFF;

/// A query that can be answered.
pub(super) struct Query<G: Played> {
    pub(super) id: String,
    pub(super) course: Course<G>,
    /// Turns to be analysed and their priorities, in order.
    pub(super) turns: Vec<(usize, i64)>,
    pub(super) form: AnswerForm,
    pub(super) budget: Budget,
    pub(super) options: SearchOptions<G::Move>,
    pub(super) first_report: Option<Duration>,
    pub(super) params: Params,
    /// People whom a network imitates.
    pub(super) people: Option<HumanProfile>,
    /// Most search threads of a position.
    pub(super) threads: usize,
    pub(super) warnings: Vec<Fault>,
}

impl<G: Played> Query<G> {
    /// Reads a query; `tuning` and `setup` hold where it says nothing.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub(super) fn read(
        id: &str,
        query: &Map<String, Value>,
        notation: Notation,
        mut tuning: Tuning,
        setup: Setup,
    ) -> Result<Self, Fault> {
        let (fields, mut warnings) = (Fields(query), Vec::new());
        let course = Course::<G>::read(fields, notation, setup)?;
        let turns = turns(fields, course.length())?;
        override_settings::<G>(fields, &mut tuning, &mut warnings)?;
        limits(fields, &mut tuning)?;
        let form = form(fields, notation, &tuning)?;
        let seconds = |field| -> Result<Option<Duration>, Fault> {
            Ok(fields.number(field, 0.001, 1e6, NO_SECONDS)?.map(Duration::from_secs_f64))
        };
        let report_every = seconds("reportDuringSearchEvery")?;
        let first_report = seconds("firstReportDuringSearchAfter")?;
        let priority =
            fields.integer("priority", -MOST_PRIORITY, MOST_PRIORITY, "Must be a number between -2^62 and 2^62");
        let turns = priorities(fields, turns, priority?.unwrap_or(0))?;
        let restrictions = restrictions::<G>(fields, notation, course.size())?;
        course.check(notation)?;
        if tuning.warns {
            let is_used = |key: &str| FIELDS.contains(&key) || go::has_rules(G::KIND) && GO_FIELDS.contains(&key);
            let unused = query.keys().filter(|key| !is_used(key));
            warnings.extend(unused.map(|key| Fault::new(key, UNUSED)));
        }
        let (ownership, moves_ownership) = (form.wants_ownership(), form.wants_moves_ownership());
        Ok(Self {
            id: id.to_owned(),
            course,
            turns,
            form,
            budget: tuning.budget(),
            options: SearchOptions {
                report_every,
                ownership,
                moves_ownership,
                restrictions,
                full_strength: true,
                ponders: false,
            },
            first_report,
            params: tuning.params,
            people: tuning.people,
            threads: tuning.threads.unwrap_or(usize::MAX),
            warnings,
        })
    }
}

impl<G: Played> Query<G> {
    /// Warns where people were to be imitated and no network can.
    pub(super) fn expect_people(&mut self, some: bool) {
        if self.people.is_some() && !some {
            let text = "humanSLProfile means nothing here: there is no network that imitates people (--human-model)";
            self.warnings.push(Fault::new("overrideSettings", text));
            self.people = None;
        }
    }

    /// Lets reports come no faster than that.
    pub(super) fn slow_down(&mut self, report_every: Duration) {
        let slow = |every: &mut Duration| *every = report_every.max(*every);
        self.options.report_every.as_mut().map(slow);
        self.first_report.as_mut().map(slow);
    }
}

/// The turns to be analysed, ascending, each with its place among those asked for.
fn turns(fields: Fields<'_>, last: usize) -> Result<Vec<(usize, usize)>, Fault> {
    const FIELD: &str = "analyzeTurns";
    let asked = fields.integers(FIELD, "Must specify an array of integers indicating turns to analyze")?;
    let Some(asked) = asked else { return Ok(vec![(last, 0)]) };
    let mut turns: Vec<(usize, usize)> = Vec::new();
    for (place, turn) in asked.into_iter().enumerate() {
        let known = usize::try_from(turn).ok().filter(|turn| *turn <= last);
        let known = known.ok_or_else(|| Fault::new(FIELD, format!("Invalid turn number: {turn}")))?;
        turns.push((known, place));
    }
    // Of a turn that is named twice the last priority holds.
    turns.sort_by_key(|&(turn, place)| (turn, std::cmp::Reverse(place)));
    turns.dedup_by_key(|(turn, _)| *turn);
    Ok(turns)
}

/// The turns with their priorities.
fn priorities(fields: Fields<'_>, turns: Vec<(usize, usize)>, all: i64) -> Result<Vec<(usize, i64)>, Fault> {
    const FIELD: &str = "priorities";
    let Some(each) = fields.integers(FIELD, "Must specify an array of integers indicating priorities")? else {
        return Ok(turns.into_iter().map(|(turn, _)| (turn, all)).collect());
    };
    let asked = fields.get("analyzeTurns").and_then(Value::as_array);
    let asked = asked.ok_or_else(|| Fault::new(FIELD, "Can only specify when also specifying analyzeTurns"))?;
    if each.len() != asked.len() {
        return Err(Fault::new(FIELD, "Must be of matching length to analyzeTurns"));
    }
    if let Some(wrong) = each.iter().find(|priority| priority.unsigned_abs() > MOST_PRIORITY as u64) {
        return Err(Fault::new(FIELD, format!("Invalid priority: {wrong}")));
    }
    if fields.get("priority").is_some() {
        return Err(Fault::new("priority", "Cannot specify both priority and priorities"));
    }
    Ok(turns.into_iter().map(|(turn, place)| (turn, each[place])).collect())
}

/// Settings for this query alone; those that mean nothing are named in a warning.
fn override_settings<G: Played>(
    fields: Fields<'_>,
    tuning: &mut Tuning,
    warnings: &mut Vec<Fault>,
) -> Result<(), Fault> {
    const FIELD: &str = "overrideSettings";
    let Some(settings) = fields.get(FIELD) else { return Ok(()) };
    let settings = settings.as_object().ok_or_else(|| Fault::new(FIELD, "Must be an object"))?;
    let mut unknown = Vec::new();
    for (name, value) in settings {
        let known = tuning.set_for::<G>(name, &text_of(value));
        if !known.map_err(|why| Fault::new(FIELD, format!("Could not set settings: {why}")))? {
            unknown.push(name.as_str());
        }
    }
    if !unknown.is_empty() {
        warnings.push(Fault::new(FIELD, format!("Unknown config params: {}", unknown.join(","))));
    }
    Ok(())
}

/// Limits and settings of the root that are fields of their own.
fn limits(fields: Fields<'_>, tuning: &mut Tuning) -> Result<(), Fault> {
    let visits = fields.integer("maxVisits", 1, 1 << 50, "Must be an integer from 1 to 2^50")?;
    tuning.visits = visits.map(|visits| visits as u64).or(tuning.visits);
    let moves = fields.integer("analysisPVLen", 1, 1000, "Must be an integer from 1 to 1000")?;
    tuning.variation = moves.map_or(tuning.variation, |moves| moves as usize);
    if let Some(reduction) = fields.number("rootFpuReductionMax", 0.0, 2.0, "Must be a number from 0.0 to 2.0")? {
        tuning.set_root_reduction(reduction as f32);
    }
    let temperature = fields.number("rootPolicyTemperature", 0.01, 100.0, "Must be a number from 0.01 to 100.0")?;
    let params = &mut tuning.params;
    params.root_temperature = temperature.map_or(params.root_temperature, |temperature| temperature as f32);
    Ok(())
}

fn form(fields: Fields<'_>, notation: Notation, tuning: &Tuning) -> Result<AnswerForm, Fault> {
    Ok(AnswerForm {
        notation,
        perspective: tuning.perspective,
        variation: tuning.variation,
        ownership: fields.truth("includeOwnership")?,
        ownership_stdev: fields.truth("includeOwnershipStdev")?,
        moves_ownership: fields.truth("includeMovesOwnership")?,
        moves_ownership_stdev: fields.truth("includeMovesOwnershipStdev")?,
        policy: fields.truth("includePolicy")?,
        pv_visits: fields.truth("includePVVisits")?,
        no_result: fields.truth("includeNoResultValue")?,
    })
}

/// Moves that are not to be searched, or are the only ones to be.
fn restrictions<G: Played>(
    fields: Fields<'_>,
    notation: Notation,
    size: crate::games::Size,
) -> Result<Vec<Restriction<G::Move>>, Fault> {
    let (field, lists, allow) = match (fields.get("allowMoves"), fields.get("avoidMoves")) {
        (None, None) => return Ok(Vec::new()),
        (Some(_), Some(_)) => return Err(Fault::new("allowMoves", "Cannot specify both allowMoves and avoidMoves")),
        (Some(allowed), None) => ("allowMoves", allowed, true),
        (None, Some(avoided)) => ("avoidMoves", avoided, false),
    };
    let wrong = || Fault::new(field, NO_LISTS);
    let lists = lists.as_array().ok_or_else(wrong)?;
    if allow && lists.len() > 2 {
        return Err(Fault::new(field, "Currently allowMoves only allows at most one entry per player"));
    }
    let mut restrictions: Vec<Restriction<G::Move>> = Vec::new();
    for list in lists {
        let list = Fields(list.as_object().ok_or_else(wrong)?);
        if ["player", "moves", "untilDepth"].iter().any(|part| list.get(part).is_none()) {
            return Err(wrong());
        }
        let side = list.side("player")?.ok_or_else(wrong)?;
        let mut moves = moves::<G>(notation, size, "moves", list.get("moves"))?;
        // Pieces that are put down may be named in any order.
        let mut start = G::on(size);
        start.set_to_move(side);
        moves.extend_from_within(..);
        let half = moves.len() / 2;
        moves[half..].iter_mut().for_each(|mv| *mv = start.in_order(*mv));
        let depth = list.integer("untilDepth", 1, 1_000_000_000, "Must be a positive integer")?.ok_or_else(wrong)?;
        if allow && restrictions.iter().any(|other| other.side == side) {
            return Err(Fault::new(field, "Cannot specify allowMoves more than once for the same player"));
        }
        restrictions.push(Restriction::new(side, moves, allow, depth as usize));
    }
    Ok(restrictions)
}

#[cfg(test)]
mod tests;
