//! How long a controller waits for the program: start, a trivial command, the end of an analysis, `quit` while thinking.

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use support::Program;

const RUNS: usize = 50;
const ROUND_TRIPS: usize = 10_000;

fn report(what: &str, limit: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{what:34} median {:8.3} ms   99 % {:8.3} ms   most {:8.3} ms   wanted {limit}",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn measure(runs: usize, mut run: impl FnMut() -> Duration) -> Vec<Duration> {
    (0..runs).map(|_| run()).collect()
}

fn main() {
    for game in ["go", "hex"] {
        let start = measure(RUNS, || {
            let start = Instant::now();
            let mut engine = Program::start(&[game]);
            engine.ask("name");
            start.elapsed()
        });
        report(&format!("{game}: start to first answer"), "< 100 ms", start);

        let mut engine = Program::start(&[game, "--threads", "2"]);
        let trips = measure(ROUND_TRIPS, || {
            let start = Instant::now();
            engine.ask("protocol_version");
            start.elapsed()
        });
        report(&format!("{game}: round trip"), "p99 < 1 ms", trips);

        let stop = measure(RUNS, || {
            engine.send("lz-analyze b 5");
            engine.line();
            engine.line();
            engine.send("name");
            let start = Instant::now();
            while !engine.line().is_empty() {}
            engine.answer();
            start.elapsed()
        });
        report(&format!("{game}: analysis to next answer"), "< 20 ms", stop);

        let quit = measure(RUNS, || {
            let mut engine = Program::start(&[game, "--threads", "2", "--time", "600"]);
            engine.ask("name");
            engine.send("genmove b");
            std::thread::sleep(Duration::from_millis(200));
            let start = Instant::now();
            engine.send("quit");
            engine.wait();
            start.elapsed()
        });
        report(&format!("{game}: quit while thinking to exit"), "< 100 ms", quit);
    }
}
