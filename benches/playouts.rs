//! Playouts of both games from the empty board, one thread: playouts per second are what search strength lives on.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use losange::game::PlayoutPolicy;
use losange::games::Size;
use losange::games::{go, hex};
use losange::rng::Rng;

fn playouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("go");
    for n in [9, 19] {
        for (name, style) in [("uniform", go::Style::Uniform), ("sequence", go::Style::Sequence)] {
            let position = go::Position::new(Size::square(n), go::Rules::CHINESE, 7.5);
            let mut playout = go::Playout::new(&position, style);
            let mut rng = Rng::new(1);
            let mut trace = Vec::new();
            group.throughput(Throughput::Elements(1));
            group.bench_function(format!("{name}/{n}x{n}"), |b| {
                b.iter(|| playout.run(&position, &mut rng, &mut trace));
            });
        }
    }
    group.finish();

    let mut group = c.benchmark_group("hex");
    for (name, style) in [
        ("uniform", hex::Style::Uniform),
        ("bridges", hex::Style::Bridges),
        ("edges", hex::Style::Edges),
        ("ziggurats", hex::Style::Ziggurats),
    ] {
        let position = hex::Position::new(Size::square(11));
        let mut playout = hex::Playout::new(&position, style);
        let mut rng = Rng::new(1);
        let mut trace = Vec::new();
        group.throughput(Throughput::Elements(1));
        group.bench_function(format!("{name}/11x11"), |b| {
            b.iter(|| playout.run(&position, &mut rng, &mut trace));
        });
    }
    group.finish();
}

criterion_group!(benches, playouts);
criterion_main!(benches);
