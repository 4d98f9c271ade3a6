//! Every game on boards from the smallest to the largest, by each of its searches, under every kind of clock: a few moves
//! of some hundredths of a second each. Nothing may be refused, and nothing may be logged as an error.

mod support;

use std::thread;

use support::Program;

/// A game, its boards, its searches and models.
struct Game {
    name: &'static str,
    boards: &'static [&'static str],
    searches: &'static [&'static str],
}

const GAMES: &[Game] = &[
    Game {
        name: "go",
        boards: &["2", "3", "5 9", "7", "9", "13", "16 17", "19", "25", "2 25", "25 2", "20 13"],
        searches: &["usual", "mcts", "random", "--no-model"],
    },
    Game {
        name: "hex",
        boards: &[
            "1", "2", "3", "5 9", "7", "11", "13", "16", "16 17", "17", "19", "20 13", "25", "1 25", "25 1", "25 11",
        ],
        searches: &[
            "usual",
            "ubfm",
            "ubfm_s",
            "ubfm_uct",
            "descent",
            "alphabeta",
            "yopt",
            "mcts",
            "random",
            "--no-model",
        ],
    },
    Game {
        name: "clobber",
        boards: &["1", "2", "6 5", "10", "1 10", "10 1"],
        searches: &["usual", "ubfm", "ubfm_s", "ubfm_uct", "descent", "alphabeta", "yopt", "mcts", "random"],
    },
    Game {
        name: "solitaire",
        boards: &["1", "2", "6 5", "16", "20", "1 20", "20 1"],
        searches: &["usual", "beam", "yopt", "mcts", "random"],
    },
    Game {
        name: "avalam",
        boards: &["9"],
        searches: &[
            "usual",
            "ubfm",
            "ubfm_s",
            "ubfm_uct",
            "descent",
            "alphabeta",
            "yopt",
            "mcts",
            "random",
            "--no-model",
        ],
    },
];

/// Clocks that leave some hundredths of a second for a move, by the command that sets them. The first is no clock: then
/// `--time` holds.
const CLOCKS: &[&str] = &["time_settings 0 1 0", "time_settings 1 0 0", "time_settings 0 1 40"];
/// Clocks of Go alone.
const CLOCKS_OF_GO: &[&str] = &[
    "kgs-time_settings byoyomi 0 1 3",
    "kata-time_settings fischer 0.2 0.02",
    "kata-time_settings fischer-capped 0.2 0.02 1 0.05",
];

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
    let work: Vec<(&Game, &str)> =
        GAMES.iter().flat_map(|game| game.searches.iter().map(move |&search| (game, search))).collect();
    let (work, next) = (&work, &std::sync::atomic::AtomicUsize::new(0));
    let faults: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..2)
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
