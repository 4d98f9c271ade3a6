//! KataGo's networks through the real program.

mod support;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use losange::games::go;
use losange::players::Played;
use losange::search::params::Method;
use serde_json::Value;
use support::Program;

/// Files made at random by `scripts/katago-net.py`.
fn fixtures() -> Vec<PathBuf> {
    let files = fs::read_dir("tests/fixtures/katago").unwrap().map(|entry| entry.unwrap().path());
    let mut nets: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end != "md")).collect();
    nets.sort();
    nets
}

fn start(net: &Path, more: &[&str]) -> Program {
    let fixed = ["go", "--threads", "1", "--seed", "3", "--backend", "embedded", "--model", net.to_str().unwrap()];
    Program::start(&[&fixed[..], more].concat())
}

/// The numbers of `kata-raw-nn` by their names; maps row by row, NaN where there is none.
struct Raw(Vec<(String, Vec<f64>)>);

impl Raw {
    fn parse(text: &str) -> Self {
        let mut rows: Vec<(String, Vec<f64>)> = Vec::new();
        for line in text.trim_start_matches("= ").lines() {
            let mut words = line.split_whitespace().peekable();
            if let Some(name) = words.next_if(|word| word.parse::<f64>().is_err() && *word != "NAN") {
                rows.push((name.to_owned(), Vec::new()));
            }
            let numbers = words.map(|word| word.parse().unwrap_or(f64::NAN));
            rows.last_mut().unwrap().1.extend(numbers);
        }
        Self(rows)
    }

    fn get(&self, name: &str) -> &[f64] {
        &self.0.iter().find(|row| row.0 == name).unwrap_or_else(|| panic!("{name} is missing")).1
    }
}

#[test]
fn they_are_searched_as_katago_does() {
    for net in fixtures() {
        let model = losange::eval::net::read(&net).unwrap();
        assert_eq!(go::Position::recipe().usual(Some(&model)), Method::Puct, "{}", net.display());
    }
    let mut program =
        start(&fixtures()[0], &["--playouts", "20", "--set", "graph_search=0", "--set", "subtree_bias=0"]);
    assert!(program.ask("genmove b").starts_with("= "));
}

#[test]
fn each_kind_of_network_plays() {
    let nets = fixtures();
    assert!(nets.len() >= 10, "{nets:?}");
    for net in nets {
        let mut program = start(&net, &["--playouts", "12"]);
        for size in ["5", "9 7"] {
            program.ask(&format!("boardsize {size}"));
            for colour in ["b", "w", "b", "w"] {
                let answer = program.ask(&format!("genmove {colour}"));
                assert!(answer.starts_with("= "), "{}: {answer}", net.display());
            }
        }
        let raw = Raw::parse(&program.ask("kata-raw-nn 0"));
        let points = 63;
        assert_eq!([raw.get("policy").len(), raw.get("whiteOwnership").len()], [points; 2]);
        let policy: f64 =
            raw.get("policy").iter().filter(|share| share.is_finite()).sum::<f64>() + raw.get("policyPass")[0];
        assert!((policy - 1.0).abs() < 1e-4, "{}: {policy}", net.display());
        let chances = ["whiteWin", "whiteLoss", "noResult"].map(|name| raw.get(name)[0]);
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{chances:?}");
        let all = program.ask("kata-raw-nn all");
        assert_eq!(all.matches("symmetry").count(), 4);
        assert!(program.ask("kata-raw-nn 4").starts_with('?'));
    }
}

/// Differences from the answers of KataGo to `kata-raw-nn 0 0` in a position of its vectors, set up by commands.
/// `None` where the programs count otherwise: KataGo plays suicides that the rules forbid when it is told to, and takes Black's first
/// moves, with White passing between them, for a handicap.
fn differences(program: &mut Program, position: &Value) -> Option<[f64; 4]> {
    let text = |key: &str| position[key].as_str().unwrap().to_owned();
    program.ask(&format!("rectangular_boardsize {} {}", position["width"], position["height"]));
    assert!(program.ask(&format!("kata-set-rules {}", text("rules"))).starts_with('='), "{}", text("rules"));
    program.ask(&format!("komi {}", position["komi"]));
    let moves = position["moves"].as_array().unwrap();
    let begun = moves.iter().take_while(|mv| mv[0] != "w" || mv[1] == "pass");
    if begun.filter(|mv| mv[0] == "b" && mv[1] != "pass").count() > 1 && moves[0][0] != "handicap" {
        return None;
    }
    for mv in moves {
        let (first, second) = (mv[0].as_str().unwrap(), mv[1].to_string());
        let command = match first {
            "b" | "w" => format!("play {first} {}", mv[1].as_str().unwrap()),
            "handicap" => format!("set_free_handicap {}", second.trim_matches('"')),
            _ => panic!("{mv}"),
        };
        let answer = program.ask(&command);
        if answer.contains("suicide") {
            return None;
        }
        assert!(answer.starts_with('='), "{command}: {answer}");
    }
    let raw = Raw::parse(&program.ask("kata-raw-nn 0 0"));
    let number = |key: &str| position[key].as_f64().unwrap();
    let width = position["width"].as_u64().unwrap() as usize;
    let height = position["height"].as_u64().unwrap() as usize;
    let place = |vertex: &str| {
        let column = "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(&vertex[..1]).unwrap();
        (height - vertex[1..].parse::<usize>().unwrap()) * width + column
    };
    let largest = |key: &str, map: &str| {
        let pairs = position[key].as_array().unwrap().iter();
        let gap = |pair: &Value| (raw.get(map)[place(pair[0].as_str().unwrap())] - pair[1].as_f64().unwrap()).abs();
        pairs.filter(|pair| pair[0] != "pass").map(gap).fold(0.0, f64::max)
    };
    let illegal = raw.get("policy").iter().filter(|share| share.is_nan()).count();
    assert_eq!(illegal as u64, position["illegal"].as_u64().unwrap(), "{position}");
    Some([
        (raw.get("whiteWin")[0] - number("whiteWin")).abs(),
        largest("policy", "policy"),
        largest("ownership", "whiteOwnership"),
        (raw.get("whiteLead")[0] - number("whiteLead")).abs(),
    ])
}

#[test]
fn evaluations_are_katagos() {
    let Some(folder) = env::var_os("LOSANGE_NETS").map(PathBuf::from) else {
        eprintln!("NOT CHECKED against KataGo: LOSANGE_NETS names no folder with its networks and vectors");
        return;
    };
    let vectors: Value = serde_json::from_slice(&fs::read(folder.join("vectors-b6c96.json")).unwrap()).unwrap();
    let net = folder.join("g170-b6c96-s175395328-d26788732.bin.gz");
    let mut program = start(&net, &[]);
    let positions = vectors["positions"].as_array().unwrap();
    let (mut worst, mut compared) = ([0.0_f64; 4], 0);
    for position in positions {
        let Some(gaps) = differences(&mut program, position) else { continue };
        compared += 1;
        worst = std::array::from_fn(|number| worst[number].max(gaps[number]));
        assert!(gaps[..3].iter().all(|gap| *gap < 1e-4) && gaps[3] < 0.01, "{gaps:?} in {position}");
    }
    assert!(compared >= positions.len() * 4 / 5, "{compared} of {}", positions.len());
    eprintln!("{compared} positions; largest differences of win rate, policy, ownership, lead: {worst:?}");
}
