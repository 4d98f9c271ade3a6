//! Every game on boards from the smallest to the largest, by each of its searches, under every kind of clock: a few moves
//! of some hundredths of a second each. Nothing may be refused, and nothing may be logged as an error.

mod support;

use std::thread;

use losange::games::{Boards, Size};
use losange::players::{Kind, Played, Visitor};
use losange::search::params::Method;
use support::Program;

/// Lines of the boards that are tried beside those at the corners of what a game is played on: those of them that it has.
const BOARDS: &[[usize; 2]] = &[
    [1, 1],
    [2, 2],
    [3, 3],
    [5, 9],
    [6, 5],
    [7, 7],
    [9, 9],
    [11, 11],
    [13, 13],
    [16, 16],
    [16, 17],
    [17, 17],
    [19, 19],
    [20, 13],
    [25, 11],
];

/// Games with boards of more lines are tried on all of these; the others at the corners and on the usual board alone, to save time.
const LARGE: usize = 20;

/// A game, its boards, its searches and `--no-model` where a model is compiled in.
struct Game {
    name: &'static str,
    boards: Vec<String>,
    searches: Vec<&'static str>,
}

/// Describes a game.
struct Describe;

impl Visitor for Describe {
    type Output = Game;

    fn visit<G: Played>(self) -> Game {
        let Boards { fewest, most } = G::BOARDS;
        let corners = [[fewest, fewest], [fewest, most], [most, fewest], [most, most]];
        let usual = [G::USUAL.width, G::USUAL.height];
        let others = if most > LARGE { BOARDS } else { &[usual] };
        let mut boards: Vec<[usize; 2]> = others.iter().copied().chain(corners).collect();
        boards.retain(|&[width, height]| G::BOARDS.contains(Size { width, height }));
        boards.sort_unstable();
        boards.dedup();
        let recipe = G::recipe();
        let searches = Method::ALL.iter().filter(|(method, _)| recipe.has_method(*method)).map(|(_, name)| *name);
        let without_model = (!G::BENCH_WITH_MODEL.is_empty()).then_some("--no-model");
        Game {
            name: G::KIND.word(),
            boards: boards.iter().map(|[width, height]| format!("{width} {height}")).collect(),
            searches: searches.chain(without_model).collect(),
        }
    }
}

/// Clocks that leave some hundredths of a second for a move, by the command that sets them. The first is no clock: then
/// `--time` holds.
const CLOCKS: &[&str] = &["time_settings 0 1 0", "time_settings 1 0 0", "time_settings 0 1 40"];
/// Clocks that are tried with Go alone, to save time.
const CLOCKS_OF_GO: &[&str] = &[
    "kgs-time_settings byoyomi 0 1 3",
    "kata-time_settings fischer 0.2 0.02",
    "kata-time_settings fischer-capped 0.2 0.02 1 0.05",
];

/// Programs at once: they mostly wait for their clocks.
const WORKERS: usize = 4;

/// Moves of each game.
const MOVES: usize = 3;

impl Game {
    /// Plays on each board under each clock by one search, and tells what went wrong.
    fn faults(&self, search: &str) -> Vec<String> {
        let named = format!("search={search}");
        let mut options = vec![self.name, "--time", "0.02", "--lag", "0", "--threads", "2", "--memory", "64"];
        match search.strip_prefix("--") {
            Some(_) => options.push(search),
            None => options.extend(["--set", &named]),
        }
        let mut program = Program::start(&options);
        let mut faults = Vec::new();
        for (number, board) in self.boards.iter().enumerate() {
            // Byo-yomi gives its whole period to a move: on one board in turn.
            let own = if self.name == "go" { CLOCKS_OF_GO } else { &[] };
            let clocks = CLOCKS.iter().chain(own).filter(|clock| !clock.contains("byoyomi") || number % 4 == 0);
            for clock in clocks {
                let mut ask = |command: &str| {
                    let answer = program.ask(command);
                    if answer.starts_with('?') {
                        faults.push(format!("{} {search}, {board}, {clock}: {command}: {answer}", self.name));
                    }
                    answer
                };
                ask(&format!("boardsize {board}"));
                ask("clear_board");
                ask(clock);
                for number in 0..MOVES {
                    let answer = ask(if number % 2 == 0 { "genmove b" } else { "genmove w" });
                    if answer.starts_with('?') || answer == "= " || answer.contains("resign") {
                        break;
                    }
                }
            }
        }
        program.send("quit");
        program.close();
        assert!(program.wait().success(), "{} {search}", self.name);
        faults.extend(
            program
                .errors()
                .lines()
                .filter(|line| line.contains("ERROR") || line.contains("panic"))
                .map(|line| format!("{} {search} logged {line}", self.name)),
        );
        faults
    }
}

#[test]
fn every_game_board_search_and_clock() {
    let games: Vec<Game> = Kind::ALL.iter().map(|kind| kind.visit(Describe)).collect();
    let work: Vec<(&Game, &str)> =
        games.iter().flat_map(|game| game.searches.iter().map(move |&search| (game, search))).collect();
    let (work, next) = (&work, &std::sync::atomic::AtomicUsize::new(0));
    let faults: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|_| {
                scope.spawn(move || {
                    let mut faults = Vec::new();
                    while let Some((game, search)) = work.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                        faults.extend(game.faults(search));
                    }
                    faults
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
