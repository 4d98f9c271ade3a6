//! Shards that are changed: the reader of shards gives an error or lessons of the sizes that it tells.

use std::io::{Cursor, Read, Write};
use std::panic::catch_unwind;

use losange::games::go::Position;
use losange::learn::features::samples;
use losange::learn::shard::Shard;
use losange::rng::Rng;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// A good shard as bytes.
fn good() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("0.npz");
    let (positions, actions) = (3, 26);
    let numbers = |count: usize| (0..count).map(|number| (number % 3) as f32 / 2.0).collect::<Vec<f32>>();
    let shard = Shard {
        shape: [21, 5, 5],
        actions,
        planes: numbers(positions * 21 * 25),
        targets: numbers(positions * actions),
        weights: numbers(positions * actions),
        values: numbers(positions),
        scores: numbers(positions),
        owners: numbers(positions * 25),
        ..Shard::default()
    };
    shard.write(&path).unwrap();
    assert_eq!(Shard::read(&path).unwrap(), shard);
    std::fs::read(path).unwrap()
}

/// An archive of the same arrays without compression, as NumPy writes it: what is changed there is read as it stands.
fn stored(deflated: &[u8]) -> Vec<u8> {
    let mut from = ZipArchive::new(Cursor::new(deflated)).unwrap();
    let mut to = ZipWriter::new(Cursor::new(Vec::new()));
    for number in 0..from.len() {
        let mut file = from.by_index(number).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        to.start_file(file.name().unwrap(), options).unwrap();
        to.write_all(&bytes).unwrap();
    }
    to.finish().unwrap().into_inner()
}

fn mutated(good: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = good.to_vec();
    // Heads of the archive and of its arrays are text or lie at the end; half of the changes go there.
    let heads: Vec<usize> = (0..bytes.len())
        .filter(|&at| bytes[at..].starts_with(b"PK") || bytes[at..].starts_with(b"\x93NUMPY"))
        .collect();
    for _ in 0..=rng.below(4) {
        let length = bytes.len() as u32;
        let near = heads[rng.below(heads.len() as u32) as usize] as u32 + rng.below(90);
        let at = if rng.below(2) == 0 { rng.below(length) } else { near.min(length - 1) } as usize;
        match rng.below(4) {
            0 => bytes[at] = rng.below(256) as u8,
            1 => bytes[at] ^= 1 << rng.below(8),
            2 => bytes[at] = [b'0', b'9', b',', b'(', 0xff][rng.below(5) as usize],
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes
}

#[test]
fn mutated_shards_are_refused_or_read() {
    let deflated = good();
    let stored = stored(&deflated);
    let (mut refused, mut read) = (0, 0);
    for number in 0..if super::is_long() { 500 } else { 200 } {
        let good = if number % 4 == 0 { &deflated } else { &stored };
        let bytes = mutated(good, &mut Rng::stream(36, number));
        let result = catch_unwind(|| {
            let shard = Shard::read_from(Cursor::new(bytes)).ok()?;
            assert_eq!(shard.planes.len(), shard.len() * shard.shape.iter().product::<usize>());
            _ = samples::<Position>(&shard);
            Some(())
        });
        match result {
            Ok(Some(())) => read += 1,
            Ok(None) => refused += 1,
            Err(_) => panic!("shard {number}"),
        }
    }
    println!("{refused} refused, {read} read");
    // Sums over the arrays find most changes.
    assert!(refused > 20 && read > 4, "{refused} refused, {read} read");
}
