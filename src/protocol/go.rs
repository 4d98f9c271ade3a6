//! The commands of Go.

mod raw;
mod stones;

use serde_json::Value;

use super::analysis::Writer;
use super::call::{Call, Command, Dialect, expected, rows};
use super::reply::{Answer, Refusal};
use super::talk::{OwnDialect, talker};
use super::{board, play, time, vertex};
use crate::game::{Game, Side};
use crate::games::go::rules::{HandicapBonus, Ko, Scoring, Tax};
use crate::games::go::{LARGEST_KOMI, Rules};
use crate::players::Kind;
use crate::session::go::HandicapError;
use crate::session::verdict::Status;
use crate::session::{Asked, GoSession, SearchOptions, Session};

/// The dialect of the game.
pub(super) const DIALECT: OwnDialect =
    OwnDialect::of::<GoSession>(|settings, control| talker(GoSession::new(settings, control)));

impl Dialect for GoSession {
    const KIND: Kind = Kind::Go;
    const KNOWN_TO_GOGUI: bool = true;

    fn commands() -> Vec<Command<Self>> {
        commands()
    }
}

type Go<'a> = Call<'a, GoSession>;

fn commands() -> Vec<Command<GoSession>> {
    rows![
        "boardsize" "WIDTH [HEIGHT]" "Begins a new game on a board of 2 to 25 lines." boardsize;
        "rectangular_boardsize" "WIDTH HEIGHT" "As boardsize with two numbers." rectangular_boardsize;
        "komi" "POINTS" "Sets komi." komi;
        "get_komi" "" "Komi as it is." |call| Ok(call.session.core().position().komi().to_string());
        "fixed_handicap" "STONES" "Places handicap stones on their usual points." fixed_handicap;
        "place_free_handicap" "STONES" "Places handicap stones of the engine's choice." place_free_handicap;
        "set_free_handicap" "POINT ..." "Places handicap stones there." set_free_handicap;
        "loadsgf" "FILE [NUMBER]" "Loads a game, up to before move NUMBER." |call| play::load_sgf(call, false);
        "printsgf" "[FILE]" "The game as SGF, or writes it to a file." play::print_sgf;
        "showboard" "" "The board for people." showboard;
        "final_score" "" "The score if the game ends here." |call| Ok(show_score(call.session.final_score().map_err(Refusal::new)?));
        "final_status_list" "alive|dead|seki" "The stones of that fate, one chain a line." final_status_list;
        "final_status" "POINT" "The fate of a stone or point." final_status;
        "time_left" "COLOUR SECONDS STONES" "What a side has left; stones or periods are 0 in main time."
            |call| play::set_time_left(call, true);
        "kgs-time_settings" "none|absolute|canadian|byoyomi [SECONDS ...]" "Sets the clock in the words of KGS." time::kgs_time;
        "kgs-rules" "NAME" "Sets the rules, in the words of KGS." set_kgs_rules;
        "kata-set-rules" "NAME|JSON" "Sets the rules by name, or field by field." set_rules;
        "kata-get-rules" "" "The rules as JSON." |call| Ok(rules_json(call.session.core().position().rules()));
        "kata-set-rule" "FIELD VALUE" "Changes one field of the rules." set_rule;
        "kata-raw-nn" "[COLOUR] SYMMETRY|all [OPTIMISM]" "What the model alone says of the position." raw::raw_evaluation;
        "kata-raw-human-nn" "[COLOUR] SYMMETRY|all" "What the network of --human-model alone says of the position, as the people of humanSLProfile would."
            raw::raw_imitation;
        "set_position" "[COLOUR POINT ...]" "Begins a game with those stones and no others, Black to move." stones::set_position;
        "is_legal" "COLOUR MOVE" "Whether a move is legal: 1 or 0." stones::is_legal;
        "all_legal" "COLOUR" "All legal moves but the pass." stones::all_legal;
        "list_stones" "COLOUR" "The stones of that colour." stones::list_stones;
        "kgs-genmove_cleanup" "COLOUR" "As genmove, and takes dead stones of the opponent off before passing."
            genmove_cleanup;
        "kgs-game_over" "" "Says that the game has ended or is adjourned." game_over;
        "cgos-genmove_analyze" "COLOUR" "As genmove, with a report in JSON." cgos_genmove;
        "cgos-opponent_name" "NAME" "Says who the opponent is." |_| Ok(String::new());
        "cgos-opponent_rating" "RATING" "Says how strong the opponent is." |_| Ok(String::new());
        "cgos-gameover" "RESULT" "Says how the game ended." game_over;
        "gogui-rules_board_size" "" "The size of the board." rules_board_size;
        "gogui-rules_legal_moves" "" "All legal moves." legal_moves;
        "gogui-rules_captured_count" "" "Stones that Black and White have lost." captured;
        "gogui-setup" "[COLOUR POINT ...]" "Begins a game with those stones." stones::set_position;
        "gogui-setup_player" "COLOUR" "Gives the turn to that colour." setup_player;
        "gogui-analyze_commands" "" "The analysis menu of GoGui." analyze_commands;
        "losange-analyze" "[COLOUR]" "Draws what the search thinks in GoGui until the next line of input, then answers the last picture."
            play::live_analysis;
        "losange-ownership" "" "Who owns each point, from -1 for White to 1 for Black." ownership;
    ]
}

fn boardsize(call: &mut Go<'_>) -> Answer {
    let size = play::board_size(call)?;
    play::begin_on(call, size)
}

fn rectangular_boardsize(call: &mut Go<'_>) -> Answer {
    call.arg(1, "a height")?;
    boardsize(call)
}

fn komi(call: &mut Go<'_>) -> Answer {
    let komi = call.float(0, "komi in points").ok().filter(|k| k.abs() <= f64::from(LARGEST_KOMI));
    let found = call.line.args.first().map_or("nothing", String::as_str);
    let komi = komi
        .ok_or_else(|| Refusal::new(format_args!("unacceptable komi: expected a number of points, found {found}")))?;
    call.session.set_komi(komi as f32);
    Ok(String::new())
}

fn handicap_refused(error: HandicapError) -> Refusal {
    match error {
        HandicapError::BoardNotEmpty => "board not empty",
        HandicapError::Number => "invalid number of stones",
        HandicapError::Points => "bad vertex list",
    }
    .into()
}

fn fixed_handicap(call: &mut Go<'_>) -> Answer {
    let stones = call.number(0, "a number of stones")?;
    let points = call.session.fixed_handicap(stones).map_err(handicap_refused)?;
    Ok(show_points(call, &points))
}

fn place_free_handicap(call: &mut Go<'_>) -> Answer {
    let stones = call.number(0, "a number of stones")?;
    let points = call.session.place_free_handicap(stones).map_err(handicap_refused)?;
    Ok(show_points(call, &points))
}

fn set_free_handicap(call: &mut Go<'_>) -> Answer {
    let points: Result<Vec<_>, _> = (0..call.count()).map(|i| call.point(i)).collect();
    let points = points.map_err(|_| handicap_refused(HandicapError::Points))?;
    call.session.set_free_handicap(&points).map_err(handicap_refused)?;
    Ok(String::new())
}

fn show_points(call: &Go<'_>, points: &[usize]) -> String {
    points.iter().map(|&p| call.show_point(p)).collect::<Vec<_>>().join(" ")
}

fn showboard(call: &mut Go<'_>) -> Answer {
    let position = call.session.core().position();
    let moves = call.session.core().history().moves();
    let mut notes = vec![
        format!("Black (X) has lost {} stones", position.lost(Side::First)),
        format!("White (O) has lost {} stones", position.lost(Side::Second)),
        format!("{} to move, {} moves played", vertex::word(position.to_move()), moves.len()),
        format!("komi {}, {}", position.komi(), rules_name(position.rules())),
    ];
    if let Some(&(side, mv)) = moves.last() {
        notes.push(format!("last move {} {}", vertex::letter(side), call.show(mv)));
    }
    let last = moves.last().and_then(|(_, mv)| mv.point());
    Ok(board::go(position.size(), &|i| position.stone(i), last, &notes))
}

fn rules_name(rules: Rules) -> &'static str {
    Rules::NAMES.into_iter().find(|name| Rules::by_name(name) == Ok(rules)).unwrap_or("rules of your own")
}

/// A lead, to three decimals: more are the rounding of komi.
fn show_score(lead: f32) -> String {
    match (f64::from(lead) * 1000.0).round() / 1000.0 {
        lead if lead > 0.0 => format!("B+{lead}"),
        lead if lead < 0.0 => format!("W+{}", -lead),
        _ => "0".to_owned(),
    }
}

fn final_status_list(call: &mut Go<'_>) -> Answer {
    let status = match call.arg(0, "alive, dead or seki")? {
        "alive" => Status::Alive,
        "dead" => Status::Dead,
        "seki" => Status::Seki,
        other => return Err(expected("alive, dead or seki", other)),
    };
    let verdict = call.session.verdict().map_err(Refusal::new)?;
    let chains = verdict.chains(call.session.core().position(), status);
    Ok(chains.iter().map(|chain| show_points(call, chain)).collect::<Vec<_>>().join("\n"))
}

fn final_status(call: &mut Go<'_>) -> Answer {
    let point = call.point(0)?;
    let verdict = call.session.verdict().map_err(Refusal::new)?;
    Ok(match verdict.status(call.session.core().position(), point) {
        Status::Alive => "alive",
        Status::Dead => "dead",
        Status::Seki => "seki",
        Status::Territory(Side::First) => "black_territory",
        Status::Territory(Side::Second) => "white_territory",
        Status::Dame => "dame",
    }
    .to_owned())
}

fn set_rules(call: &mut Go<'_>) -> Answer {
    call.arg(0, "the name of rules")?;
    let text = call.line.rest.as_str();
    let rules = if text.starts_with('{') { rules_from_json(text)? } else { by_name(text)? };
    call.session.set_rules(rules);
    Ok(String::new())
}

fn set_kgs_rules(call: &mut Go<'_>) -> Answer {
    let rules = Rules::of_kgs(call.arg(0, "the name of rules")?).map_err(Refusal::new)?;
    call.session.set_rules(rules);
    Ok(String::new())
}

fn by_name(name: &str) -> Result<Rules, Refusal> {
    Rules::by_name(name.trim()).map_err(Refusal::new)
}

fn rules_json(rules: Rules) -> String {
    format!(
        r#"{{"friendlyPassOk":{},"hasButton":false,"ko":"{}","scoring":"{}","suicide":{},"tax":"{}","whiteHandicapBonus":"{}"}}"#,
        rules.friendly_pass, rules.ko, rules.scoring, rules.suicide, rules.tax, rules.handicap_bonus
    )
}

/// Rules from an object of their fields. Those that it does not name are those of its field `rules`, or else Tromp and Taylor's; the tax is
/// the usual one of the scoring.
pub(super) fn rules_from_json(text: &str) -> Result<Rules, Refusal> {
    let object: serde_json::Map<String, Value> =
        serde_json::from_str(text).map_err(|e| Refusal::new(format_args!("these rules are no JSON object: {e}")))?;
    let mut rules = Rules::TROMP_TAYLOR;
    // The name of a rule set comes first, whatever stands around it.
    let mut fields: Vec<_> = object.iter().collect();
    fields.sort_by_key(|(field, _)| *field != "rules");
    for (field, value) in fields {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        change_rule(&mut rules, field, &text)?;
    }
    if !["rules", "tax"].iter().any(|field| object.contains_key(*field)) {
        rules.tax = if rules.scoring == Scoring::Territory { Tax::Seki } else { Tax::None };
    }
    Ok(rules)
}

/// Changes one field of the rules.
pub(super) fn change_rule(rules: &mut Rules, field: &str, value: &str) -> Result<(), Refusal> {
    let truth = || value.to_ascii_lowercase().parse::<bool>().map_err(|_| expected("true or false", value));
    match field {
        "ko" => rules.ko = Ko::by_name(value).map_err(Refusal::new)?,
        "scoring" | "score" => rules.scoring = Scoring::by_name(value).map_err(Refusal::new)?,
        "tax" => rules.tax = Tax::by_name(value).map_err(Refusal::new)?,
        "whiteHandicapBonus" => rules.handicap_bonus = HandicapBonus::by_name(value).map_err(Refusal::new)?,
        "suicide" => rules.suicide = truth()?,
        "hasButton" if truth()? => return Err(Refusal::new("rules with a button are not known")),
        "hasButton" => {}
        "friendlyPassOk" => rules.friendly_pass = truth()?,
        "rules" => *rules = by_name(value)?,
        _ => return Err(Refusal::new(format_args!("unknown rules field '{field}'"))),
    }
    Ok(())
}

fn set_rule(call: &mut Go<'_>) -> Answer {
    let mut rules = call.session.core().position().rules();
    change_rule(&mut rules, call.arg(0, "a field of the rules")?, call.arg(1, "its value")?)?;
    call.session.set_rules(rules);
    Ok(String::new())
}

fn genmove_cleanup(call: &mut Go<'_>) -> Answer {
    let side = call.side(0)?;
    play::choose_quietly(call, side, Asked::CleanUp)
}

fn game_over(call: &mut Go<'_>) -> Answer {
    call.session.core_mut().stop_pondering();
    Ok(String::new())
}

fn cgos_genmove(call: &mut Go<'_>) -> Answer {
    play::check_length(call)?;
    let side = call.side(0)?;
    let options = SearchOptions { ownership: true, ..SearchOptions::default() };
    let writer = Writer::of(call);
    let chosen = call.session.choose(side, Asked::Play, &options, &mut |_| ());
    call.begin_stream();
    if let Some(report) = &chosen.report {
        call.out.send(&(writer.cgos(report) + "\n"));
    }
    Ok(format!("play {}", play::show_choice(call, &chosen)))
}

fn rules_board_size(call: &mut Go<'_>) -> Answer {
    Ok(play::show_size(call))
}

fn legal_moves(call: &mut Go<'_>) -> Answer {
    let mut moves = Vec::new();
    call.session.core().position().legal_moves(&mut moves);
    Ok(moves.into_iter().map(|mv| call.show(mv)).collect::<Vec<_>>().join(" "))
}

fn captured(call: &mut Go<'_>) -> Answer {
    let position = call.session.core().position();
    Ok(format!("{} {}", position.lost(Side::First), position.lost(Side::Second)))
}

fn setup_player(call: &mut Go<'_>) -> Answer {
    let side = call.side(0)?;
    call.session.set_to_move(side);
    Ok(String::new())
}

fn analyze_commands(_: &mut Go<'_>) -> Answer {
    Ok("gfx/Analyze/losange-analyze %m\n\
        dboard/Ownership/losange-ownership\n\
        string/Final Score/final_score\n\
        plist/Dead Stones/final_status_list dead\n\
        string/Rules/kata-get-rules\n\
        param/Engine/losange-option\n\
        param/Search Parameters/losange-set\n\
        hstring/Show Board/showboard"
        .to_owned())
}

fn ownership(call: &mut Go<'_>) -> Answer {
    let owners = call.session.ownership().map_err(Refusal::new)?;
    Ok(board::rows(call.size(), &|i| format!("{:.2}", owners[i])))
}
