//! Models through the real program.

mod support;

use std::process::Command;

use support::Program;

fn losange(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_losange")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_game_is_played_with_each_kind_of_model() {
    for model in ["hex-value", "hex-actions"] {
        let play = || {
            let file = format!("tests/fixtures/{model}.onnx");
            let mut hex = Program::start(&[
                "hex",
                "--size",
                "6",
                "--threads",
                "1",
                "--playouts",
                "60",
                "--seed",
                "4",
                "--backend",
                "embedded",
                "--model",
                &file,
            ]);
            let mut moves = Vec::new();
            for number in 0..36 {
                let answer = hex.ask(&format!("genmove {}", ["b", "w"][number % 2]));
                moves.push(answer.clone());
                if answer.contains("resign") {
                    break;
                }
            }
            assert!(hex.ask("final_score").contains('+'), "{moves:?}");
            moves
        };
        assert_eq!(play(), play(), "{model}");
    }
}

#[test]
fn a_model_that_does_not_fit_ends_the_program_with_a_reason() {
    for (model, reason) in [("go-value", "its game is go"), ("hex-nan", "NaN"), ("nothing", "cannot be read")] {
        let file = format!("tests/fixtures/{model}.onnx");
        let (success, stdout, stderr) = losange(&["hex", "--backend", "embedded", "--model", &file]);
        assert!(!success && stdout.is_empty());
        assert!(stderr.contains(&file) && stderr.matches(reason).count() == 1, "{stderr}");
    }
}

#[test]
fn go_says_that_it_takes_no_model() {
    let (success, _, stderr) = losange(&["go", "--model", "tests/fixtures/go-value.onnx"]);
    assert!(!success && stderr.contains("models are for Hex"), "{stderr}");
}

#[test]
fn a_model_is_inspected() {
    let (success, stdout, _) = losange(&["model", "inspect", "tests/fixtures/hex-actions.onnx"]);
    assert!(success);
    for expected in
        ["game         hex", "sizes        3-13", "a value for each move", "works with   losange hex --model"]
    {
        assert!(stdout.contains(expected), "{stdout}");
    }
    let (success, stdout, _) = losange(&["model", "inspect", "tests/fixtures/go-value.onnx"]);
    assert!(success && stdout.contains("nothing here: its game is go"), "{stdout}");
}

#[test]
fn a_model_is_checked_on_what_there_is() {
    let missing = ["--ort-lib", "/nonexistent/libonnxruntime.so"];
    let (success, stdout, _) = losange(&[&["model", "check", "tests/fixtures/hex-value.onnx"], &missing[..]].concat());
    assert!(success && stdout.contains("embedded: 64 values"), "{stdout}");
    assert!(stdout.contains("ONNX Runtime was not found"), "{stdout}");
}

/// Needs the library that `scripts/get-onnxruntime.sh` installs.
#[test]
#[ignore = "needs ONNX Runtime; scripts/test.sh installs it and runs this"]
fn onnx_runtime_agrees_with_the_embedded_runtime() {
    for model in ["hex-value", "hex-actions"] {
        let (success, stdout, stderr) = losange(&["model", "check", &format!("tests/fixtures/{model}.onnx")]);
        assert!(success, "{stdout}{stderr}");
        assert!(stdout.contains("ort-cpu") && stdout.contains("all back ends agree"), "{stdout}");
    }
    // A demanded back end is used, and the same search gives the same move twice.
    let play = || {
        let mut hex = Program::start(&[
            "hex",
            "--size",
            "7",
            "--threads",
            "1",
            "--playouts",
            "80",
            "--seed",
            "4",
            "--backend",
            "ort-cpu",
            "--model",
            "tests/fixtures/hex-value.onnx",
        ]);
        (0..6).map(|n| hex.ask(&format!("genmove {}", ["b", "w"][n % 2]))).collect::<Vec<_>>()
    };
    assert_eq!(play(), play());
}
