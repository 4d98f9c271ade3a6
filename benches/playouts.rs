//! Go playouts from the empty board, one thread: playouts per second are what search strength lives on.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use losange::game::PlayoutPolicy;
use losange::games::Size;
use losange::games::go::{Playout, Position, Rules, Style};
use losange::rng::Rng;

fn playouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("go");
    for n in [9, 19] {
        for (name, style) in [("uniform", Style::Uniform), ("sequence", Style::Sequence)] {
            let position = Position::new(Size::square(n), Rules::CHINESE, 7.5);
            let mut playout = Playout::new(&position, style);
            let mut rng = Rng::new(1);
            let mut trace = Vec::new();
            group.throughput(Throughput::Elements(1));
            group.bench_function(format!("{name}/{n}x{n}"), |b| {
                b.iter(|| playout.run(&position, &mut rng, &mut trace));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, playouts);
criterion_main!(benches);
