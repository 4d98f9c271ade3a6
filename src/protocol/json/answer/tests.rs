use std::time::Duration;

use super::*;
use crate::games::Size;
use crate::games::go::{Move, Position, Rules};
use crate::games::hex;

const FORM: AnswerForm = AnswerForm {
    notation: Notation::Gtp,
    perspective: Perspective::SideToMove,
    variation: 15,
    ownership: false,
    ownership_stdev: false,
    moves_ownership: false,
    moves_ownership_stdev: false,
    policy: false,
    pv_visits: false,
    no_result: false,
};

fn position() -> Position {
    let mut position = Position::new(Size::square(2), Rules::CHINESE, 0.5);
    position.play(Move::at(0));
    position
}

fn report() -> Report<Move> {
    let ownership = Some(vec![-1.0, 0.6, 0.0, 0.5]);
    let entry = |point, visits, winrate| MoveReport {
        lcb: winrate - 0.125,
        prior: 0.25,
        score: Some(1.5),
        pv: vec![Move::at(point), Move::PASS],
        pv_visits: vec![visits, visits / 2],
        ownership: ownership.clone(),
        ..MoveReport::plain(Move::at(point), visits, winrate)
    };
    let moves = vec![entry(3, 100, 0.75), entry(2, 0, 0.5), entry(1, 20, 0.5)];
    let plain = Report::plain(Side::Second, 120, Duration::ZERO, 0.75, moves);
    Report { score: Some(1.0), score_stdev: Some(4.0), ownership, ..plain }
}

fn told(form: AnswerForm) -> Value {
    serde_json::from_str(&form.line(("a", 1, false), &position(), &report(), None)).unwrap()
}

#[test]
fn an_answer_has_the_names_that_clients_read() {
    let answer = told(FORM);
    assert_eq!(answer["id"], "a");
    assert_eq!((&answer["turnNumber"], &answer["isDuringSearch"]), (&json!(1), &json!(false)));
    let infos = answer["moveInfos"].as_array().unwrap();
    assert_eq!(infos.len(), 2, "moves without visits are left out");
    assert_eq!(
        infos[0],
        json!({
            "move": "B1", "order": 0, "visits": 100, "edgeVisits": 100, "weight": 100.0, "edgeWeight": 100.0,
            "playSelectionValue": 100.0, "winrate": 0.75, "lcb": 0.625, "utility": 0.5, "utilityLcb": 0.25, "prior": 0.25,
            "scoreLead": 1.5, "scoreMean": 1.5, "scoreSelfplay": 1.5, "scoreStdev": 4.0, "pv": ["B1", "pass"],
        })
    );
    let mut root = answer["rootInfo"].clone();
    let (this, sym) = (root["thisHash"].take(), root["symHash"].take());
    assert!([&this, &sym].iter().all(|hash| hash.as_str().is_some_and(|hash| hash.len() == 32)));
    assert_eq!(
        root,
        json!({
            "visits": 120, "weight": 120.0, "winrate": 0.75, "utility": 0.5, "scoreLead": 1.0, "scoreSelfplay": 1.0,
            "scoreStdev": 4.0, "currentPlayer": "W", "thisHash": null, "symHash": null,
        })
    );
    assert!(answer.get("ownership").is_none() && answer.get("policy").is_none());
    let text = FORM.line(("a", 1, true), &position(), &report(), None);
    assert!(
        text.starts_with(r#"{"id":"a","isDuringSearch":true,"moveInfos":[{"edgeVisits":100,"#) && !text.contains('\n')
    );
}

#[test]
fn values_are_turned_for_the_other_side() {
    let answer = told(AnswerForm { perspective: Perspective::Fixed(Side::First), ownership: true, ..FORM });
    let (first, root) = (&answer["moveInfos"][0], &answer["rootInfo"]);
    assert_eq!((&first["winrate"], &first["lcb"], &first["utility"]), (&json!(0.25), &json!(0.375), &json!(-0.5)));
    assert_eq!((&first["scoreLead"], &root["winrate"], &root["scoreLead"]), (&json!(-1.5), &json!(0.25), &json!(-1.0)));
    assert_eq!(root["scoreStdev"], 4.0);
    assert_eq!(answer["ownership"], json!([1.0, -0.6, 0.0, -0.5]));
    let own = told(AnswerForm { perspective: Perspective::Fixed(Side::Second), ..FORM });
    assert_eq!(own["rootInfo"]["winrate"], 0.75);
}

#[test]
fn more_is_told_on_request() {
    let form = AnswerForm {
        ownership_stdev: true,
        moves_ownership: true,
        moves_ownership_stdev: true,
        policy: true,
        pv_visits: true,
        no_result: true,
        variation: 1,
        ..FORM
    };
    let answer = told(form);
    assert!(answer.get("ownership").is_none());
    assert_eq!(answer["ownershipStdev"], json!([0.0, 0.8, 1.0, 0.866025]));
    let first = &answer["moveInfos"][0];
    assert_eq!(
        (&first["ownership"], &first["ownershipStdev"]),
        (&json!([-1.0, 0.6, 0.0, 0.5]), &answer["ownershipStdev"])
    );
    assert_eq!((&first["pvVisits"], &first["pvEdgeVisits"]), (&json!([100, 50]), &json!([100, 50])));
    assert_eq!(first["noResultValue"], 0.0);
    assert_eq!(answer["policy"], json!([-1.0, 0.25, 0.25, 0.25, 0.0]));
    let short = told(AnswerForm { variation: 0, pv_visits: true, ..form });
    assert_eq!((&short["moveInfos"][0]["pv"], &short["moveInfos"][0]["pvVisits"]), (&json!(["B1"]), &json!([100])));
}

#[test]
fn positions_that_are_turned_have_one_name() {
    let with = |point: usize| {
        let mut position = Position::new(Size::square(5), Rules::CHINESE, 0.5);
        position.play(Move::at(point));
        hashes(&position)
    };
    let symmetric = |hashes: &[u128]| hashes.iter().min().copied();
    assert_ne!(with(0)[0], with(4)[0]);
    assert_eq!(symmetric(&with(0)), symmetric(&with(4)));
    assert_ne!(symmetric(&with(0)), symmetric(&with(1)));
    let mut turn = Position::new(Size::square(5), Rules::CHINESE, 0.5);
    let first = hashes(&turn);
    turn.set_to_move(Side::Second);
    assert_ne!(first[0], hashes(&turn)[0]);
}

#[test]
fn games_without_points_have_no_scores_and_results_that_are_proved() {
    let mv = hex::Move::at(4);
    let resolution = Some(Side::First);
    let entry = MoveReport { resolution, ..MoveReport::plain(mv, 3, 1.0) };
    let report = Report { resolution, ..Report::plain(Side::First, 4, Duration::ZERO, 1.0, vec![entry]) };
    let position = hex::Position::new(Size::square(3));
    let form = AnswerForm { notation: Notation::Htp, ownership: true, ..FORM };
    let answer: Value = serde_json::from_str(&form.line(("h", 0, false), &position, &report, None)).unwrap();
    assert_eq!((&answer["moveInfos"][0]["move"], &answer["moveInfos"][0]["provenWinner"]), (&json!("b2"), &json!("B")));
    assert!(answer["moveInfos"][0].get("scoreLead").is_none() && answer["rootInfo"].get("scoreStdev").is_none());
    assert!(answer.get("ownership").is_none());
}

#[test]
fn numbers_have_seven_digits() {
    assert_eq!(number(0.512_34).to_string(), "0.51234");
    assert_eq!(number(-123.456).to_string(), "-123.456");
    assert_eq!(number(1.0).to_string(), "1.0");
    assert_eq!(number(1.5e-7).to_string(), "1.5e-7");
    assert_eq!((number(f32::NAN).to_string(), number(0.0).to_string()), ("0.0".to_owned(), "0.0".to_owned()));
    assert_eq!(owner(0.123_456_78).to_string(), "0.123457");
}
