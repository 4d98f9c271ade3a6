use std::sync::Arc;

use super::*;
use crate::game::{Game, Side};
use crate::games::hex;
use crate::search::params::Method;
use crate::search::solver::Solver;
use crate::search::{Budget, Decision, Params, Share, Stop, Task};

/// Resources without models.
fn resources(threads: usize) -> Resources {
    Resources { share: Arc::new(Share::new(threads)), memory: 64, models: Models::default() }
}

fn run<G: Played>(position: &G, search: Method, threads: usize, nodes: u64) -> Decision<G::Move> {
    let params = Params { search, ..Params::default() };
    let (budget, stop) = (Budget { nodes: Some(nodes), ..Budget::default() }, Stop::new());
    let task = Task { threads, ..Task::new(position, budget, &params, &stop) };
    G::recipe().searcher(&resources(threads)).run(&task, &mut |_| ())
}

/// On small boards every search finds a winning move where there is one, and claims no winner who does not win.
#[test]
fn every_search_wins_what_is_won() {
    let solver = Solver::new(64);
    let winner = |position: &hex::Position| match position.winner() {
        Some(winner) => winner,
        None => solver.solve(position, 2, None, None, &Stop::new(), &mut |_| ()).0.unwrap().winner,
    };
    for opening in 0..16 {
        let mut position = hex::Position::new(Size::square(4));
        position.play(hex::Move::at(opening));
        let expected = winner(&position);
        let recipe = hex::Position::recipe();
        let searches = Method::ALL.iter().map(|method| method.0).filter(|&method| recipe.has_method(method));
        for search in searches.filter(|&search| search != Method::Random) {
            let decision = run(&position, search, 2, 2_000);
            if let Some(claimed) = decision.report.resolution {
                assert_eq!(claimed, expected, "{search} after {opening}");
            }
            if expected == Side::Second {
                let mut child = position.clone();
                child.play(decision.mv);
                assert_eq!(winner(&child), expected, "{search} after {opening}: {:?}", decision.mv);
            }
        }
    }
}

/// Every search that a game has plays it to a legal end, and no search that it lacks can be set.
#[test]
fn games_have_the_searches_that_they_name() {
    struct Check;
    impl Visitor for Check {
        type Output = ();

        fn visit<G: Played>(self) {
            let (recipe, mut params) = (G::recipe(), Params::default());
            for &(method, name) in Method::ALL {
                let set = recipe.set(&mut params, "search", name);
                assert_eq!(set.is_ok(), recipe.has_method(method), "{}: {name}", G::KIND);
                match set {
                    Err(error) => assert!(error.to_string().contains("it has usual, "), "{error}"),
                    Ok(()) => {
                        let start = G::square(5);
                        let mv = run(&start, method, 1, 30).mv;
                        assert!(start.is_legal(mv), "{}: {name}", G::KIND);
                    }
                }
            }
        }
    }
    Kind::ALL.iter().for_each(|kind| kind.visit(Check));
}

#[test]
fn parameters_that_a_game_lacks_are_refused_with_those_that_it_has() {
    let mut params = Params::default();
    let error = games::go::Position::recipe().set(&mut params, "solver_share", "0.1").unwrap_err().to_string();
    assert!(error.starts_with("Go has no parameter 'solver_share'; it has search, replies, "), "{error}");
    assert!(hex::Position::recipe().set(&mut params, "solver_share", "0.1").is_ok());
    // A session of Go leaves out what was set for Hex.
    assert_eq!(games::go::Position::recipe().own(&params), Params::default());
    assert_eq!(hex::Position::recipe().own(&params), params);
}

#[test]
fn boards_and_openings_are_those_of_the_game() {
    struct Check;
    impl Visitor for Check {
        type Output = ();

        fn visit<G: Played>(self) {
            assert!(G::BOARDS.contains(G::USUAL) && G::BOARDS.contains(G::MEASURED));
            let setup = |size| Setup { size: Some(size), ..Setup::default() };
            let too_large = Size::square(G::BOARDS.most + 1);
            assert!(G::new_game(&setup(too_large)).is_err() && G::new_game(&setup(G::MEASURED)).is_ok());
            assert_eq!(G::first_game(&setup(too_large)).size(), G::USUAL);
            assert_eq!(Kind::of_word(G::KIND.word()), Some(G::KIND));
            assert_eq!(Kind::of_models(G::NAME), Some(G::KIND));
            let mut rng = Rng::stream(1, 0);
            for size in [G::BOARDS.nearest(3), G::BOARDS.nearest(5)].map(Size::square) {
                let openings: Vec<G> = (0..100).map(|_| G::opening(size, &mut rng)).collect();
                assert!(openings.iter().all(|position| position.outcome().is_none() && position.size() == size));
                let plies = |position: &G| position.plies();
                assert!(openings.iter().map(plies).min() < openings.iter().map(plies).max(), "{}", G::KIND);
                let start = G::on(size);
                let begun = G::match_opening(&start, &mut rng);
                assert!(begun.outcome().is_none() && begun.plies() <= G::RANDOM_MOVES);
            }
        }
    }
    Kind::ALL.iter().for_each(|kind| kind.visit(Check));
}
