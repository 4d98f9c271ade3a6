use std::collections::BTreeSet;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;

use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::*;
use crate::rng::Rng;

/// Files, their versions, and the numbers of weights by which Python's reader agrees.
const FIXTURES: &[(&str, u32, u64)] = &[
    ("v8.bin.gz", 8, 7267),
    ("v9.txt.gz", 9, 2379),
    ("v10.bin", 10, 3041),
    ("v11.bin.gz", 11, 4461),
    ("v12.txt", 12, 1531),
    ("v12.bin.gz", 12, 1531),
    ("v13.bin.gz", 13, 4089),
    ("v14.bin.gz", 14, 3813),
    ("v15.bin.gz", 15, 6607),
    ("v15-player.bin.gz", 15, 6209),
    ("v16.bin.gz", 16, 3293),
    ("v17.bin.gz", 17, 4407),
    ("v17-keys.bin.gz", 17, 3873),
];

fn fixture(name: &str) -> Vec<u8> {
    fs::read(Path::new("tests/fixtures/katago").join(name)).unwrap()
}

fn inflated(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
    plain
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Piece and words of an error that is not of the version.
fn fault(bytes: &[u8]) -> (String, String) {
    match read(bytes) {
        Err(ReadError::Fault { piece, fault, .. }) => (piece, fault),
        other => panic!("{other:?}"),
    }
}

fn kinds(blocks: &[Block], found: &mut BTreeSet<&'static str>) {
    for block in blocks {
        let kind = match block {
            Block::Ordinary(_) => "ordinary",
            Block::Pooling(_) => "pooling",
            Block::Attention(attention) => match attention.turn {
                None => "attention",
                Some(Turn::Fixed(_)) => "attention, fixed",
                Some(Turn::Learned(_)) => "attention, learned",
            },
            Block::FeedForward(_) => "feed forward",
            Block::Nested(nested) => {
                kinds(&nested.blocks, found);
                "nested"
            }
        };
        found.insert(kind);
    }
}

#[test]
fn all_versions_and_kinds_of_blocks_are_read() {
    let (mut versions, mut found) = (BTreeSet::new(), BTreeSet::new());
    for &(name, version, parameters) in FIXTURES {
        let bytes = fixture(name);
        assert!(looks_like(&bytes), "{name}");
        let net = read(&bytes).unwrap();
        assert_eq!((net.name.as_str(), net.version, net.parameters), ("random", version, parameters), "{name}");
        assert_eq!(net.trunk.player.is_some(), name.contains("player"), "{name}");
        assert_eq!(net.alive_under_suicide, name.contains("player"), "{name}");
        assert_eq!(net.policy.hidden_pass.is_some(), version >= 15, "{name}");
        assert_eq!(net.value.scores.outputs, if version == 8 { 4 } else { 6 }, "{name}");
        versions.insert(version);
        kinds(&net.trunk.blocks, &mut found);
    }
    assert!(versions.into_iter().eq(Net::VERSIONS));
    assert_eq!(found.len(), 7, "{found:?}");
}

/// Some numbers as Python reads them, the second row with its norms.
#[test]
fn numbers_are_those_of_the_file() {
    let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-6, "{a} {b}");
    for (name, second, late, owner, [factor, bias]) in [
        ("v8.bin.gz", 0.03503418, 0.010528564, 0.5019531, [0.778874, -0.45303386]),
        ("v15.bin.gz", -0.0949707, 0.16601562, 0.5722656, [0.86234134, 0.61399937]),
        ("v17.bin.gz", 0.09667969, -0.032470703, 0.21972656, [0.88023424, 0.28430164]),
    ] {
        let net = read(&fixture(name)).unwrap();
        let first = &net.trunk.planes;
        near(first.weights[1], second);
        near(first.weights[first.weights.len() - first.outputs], late);
        near(*net.value.ownership.weights.last().unwrap(), owner);
        near(net.policy.pooling_norm.factor[0], factor);
        near(net.policy.pooling_norm.bias[0], bias);
    }
    let factors = read(&fixture("v17.bin.gz")).unwrap().factors;
    let wanted = Factors {
        score_mean: 21.0,
        score_deviation: 22.0,
        lead: 23.0,
        time_left: 41.0,
        result_error: 0.25,
        score_error: 150.0,
    };
    assert_eq!(factors, wanted);
}

#[test]
fn text_and_binary_are_the_same() {
    let binary = fixture("v12.bin.gz");
    let net = read(&binary).unwrap();
    assert_eq!(read(&fixture("v12.txt")).unwrap(), net);
    assert_eq!(read(&inflated(&binary)).unwrap(), net);
}

/// Networks of other programs, which are not kept here.
#[test]
#[ignore = "needs networks of KataGo's in the folder that LOSANGE_NETS names"]
fn real_networks_are_read() {
    let folder = std::env::var_os("LOSANGE_NETS").expect("LOSANGE_NETS names the folder");
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let nets: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "gz")).collect();
    assert!(!nets.is_empty(), "{}", folder.display());
    for path in nets {
        let bytes = fs::read(&path).unwrap();
        let net = read(&bytes).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(looks_like(&bytes) && name.starts_with(&net.name), "{name} calls itself {}", net.name);
    }
}

#[test]
fn cut_files_are_errors() {
    for name in ["v10.bin", "v12.txt", "v15.bin.gz"] {
        let bytes = fixture(name);
        for part in 0..100 {
            let cut = &bytes[..(bytes.len() - 8) * part / 99];
            assert!(read(cut).is_err(), "{name}, {} of {} bytes", cut.len(), bytes.len());
        }
    }
}

/// Each is an error or a network, and each error names a place in the file.
#[test]
fn flipped_bits_do_no_harm() {
    let mut rng = Rng::new(5);
    for (name, plain) in [
        ("v10.bin", fixture("v10.bin")),
        ("v12.txt", fixture("v12.txt")),
        ("v15.bin", inflated(&fixture("v15.bin.gz"))),
        ("v17.bin.gz", fixture("v17.bin.gz")),
    ] {
        let mut refused = 0;
        for number in 0..1000 {
            let mut bytes = plain.clone();
            // Half of them at the beginning, where the sizes are.
            let most = if number % 2 == 0 { 300 } else { bytes.len() };
            bytes[rng.below(most as u32) as usize] ^= 1 << rng.below(8);
            match read(&bytes) {
                Ok(_) => {}
                Err(ReadError::Fault { offset, .. }) => {
                    assert!(name.ends_with("gz") || offset <= bytes.len() as u64, "{name}");
                    refused += 1;
                }
                Err(ReadError::Version(_)) => refused += 1,
            }
        }
        assert!((100..=1000).contains(&refused), "{name}: {refused}");
    }
}

/// Each whole number of a file stands for a size, and an absurd one is refused before memory is taken for it.
#[test]
fn absurd_sizes_are_errors() {
    let text = String::from_utf8(fixture("v12.txt")).unwrap();
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let places: Vec<usize> = (0..words.len()).filter(|&place| words[place].parse::<u32>().is_ok()).collect();
    assert!(places.len() > 80, "{}", places.len());
    for place in places {
        for absurd in ["-1", "1073741824", "4294967295", "18446744073709551616", "1e9", "x"] {
            let mut words = words.clone();
            words[place] = absurd;
            let changed = words.join("\n").into_bytes();
            assert!(read(&changed).is_err(), "{absurd} at {place}");
        }
    }
}

/// The largest sizes that a convolution may have, of which nothing is there: 324 MB in the place of some bytes.
#[test]
fn promises_are_not_believed() {
    let text = "big 8 22 19 trunk 1 16384 1 1 1 1 first 15 15 22 16384 1 1 0.5 0.5 0.5";
    let (piece, fault) = fault(text.as_bytes());
    assert_eq!(piece, "first");
    assert!(fault.contains("[15, 15, 22, 16384] numbers are promised"), "{fault}");
    let (_, fault) = self::fault(&compressed(text.as_bytes()));
    assert!(fault.contains("numbers are promised"), "{fault}");
}

#[test]
fn files_that_inflate_to_too_much_are_refused() {
    for filling in [b' ', b'7'] {
        let mut bomb = b"bomb 8 22 19 ".to_vec();
        bomb.resize(32 << 20, filling);
        let small = compressed(&bomb);
        assert!(small.len() < bomb.len() / 100);
        let (_, fault) = fault(&small);
        assert!(fault.contains("bytes follow, which is too much") || fault.contains("a word"), "{fault}");
    }
}

/// Processors calculate with denormal numbers many times slower.
#[test]
fn denormal_numbers_are_zeros() {
    let text = String::from_utf8(fixture("v12.txt")).unwrap();
    for (number, wanted) in [("1e-40", 0.0), ("-1e-45", 0.0), ("1.5e-38", 1.5e-38)] {
        let net = read(text.replacen("-0.0570068359375", number, 1).as_bytes()).unwrap();
        assert_eq!(net.trunk.planes.weights[0], wanted);
    }
}

#[test]
fn what_is_no_number_is_refused() {
    let text = String::from_utf8(fixture("v12.txt")).unwrap();
    for bad in ["nan", "inf", "-inf", "1e40", "0.5x"] {
        let changed = text.replacen("-0.0570068359375", bad, 1);
        let (piece, fault) = fault(changed.as_bytes());
        assert_eq!((piece.as_str(), fault), ("trunk.planes", format!("weight 0 of 792 is '{bad}'")));
    }
    let mut binary = fixture("v10.bin");
    let array = binary.windows(5).position(|bytes| bytes == b"@BIN@").unwrap() + 5;
    binary[array + 8..array + 12].copy_from_slice(&f32::NAN.to_le_bytes());
    let (piece, fault) = fault(&binary);
    assert_eq!((piece.as_str(), fault.as_str()), ("trunk.planes", "weight 2 of 1188 is NaN"));
    // A variance below -epsilon makes a factor that is no number.
    let norm = read(text.as_bytes()).unwrap().policy.pooling_norm;
    assert!(norm.factor.iter().all(|factor| factor.is_finite()));
    let place = text.find("policy.pool.norm").unwrap();
    let variance = text[place..].lines().nth(6).unwrap();
    let first = variance.split(' ').next().unwrap();
    let changed = text.replacen(&format!("{first} "), "-1.0 ", 1);
    assert_eq!(self::fault(changed.as_bytes()).0, "policy.pool.norm");
}

#[test]
fn other_versions_are_named() {
    let text = String::from_utf8(fixture("v12.txt")).unwrap();
    for version in [0, 3, 7, 18, 99] {
        let changed = text.replacen("12", &version.to_string(), 1);
        let error = read(changed.as_bytes()).unwrap_err();
        assert_eq!(error, ReadError::Version(version));
        assert_eq!(error.to_string(), format!("its format is KataGo's version {version}; versions 8 to 17 are read"));
    }
}

/// Layers that do not fit each other, and words that are not known: the error names the piece and the place.
#[test]
fn faults_are_named() {
    let text = String::from_utf8(fixture("v12.txt")).unwrap();
    for (from, to, piece, wanted) in [
        ("random", "ran/dom", "ran/dom", "a name of up to 96"),
        ("\n22\n", "\n23\n", "random", "planes: 23, where 22 were expected"),
        ("conv1\n3\n3\n4\n", "conv1\n3\n3\n5\n", "trunk.0.conv1", "input channels: 5, where 4 were expected"),
        ("conv1\n3\n", "conv1\n4\n", "trunk.0.conv1", "a side of the window is 4, which is even"),
        ("conv1\n3\n", "conv1\n17\n", "trunk.0.conv1", "a number up to 15"),
        ("gpool_block", "other_block", "trunk.0", "unknown kind, 'other_block'"),
        ("ACTIVATION_MISH", "ACTIVATION_TANH", "trunk.0.act1", "'ACTIVATION_TANH' is not known"),
        ("policy.conv2\n1\n1\n4\n2\n", "policy.conv2\n1\n1\n4\n4\n", "policy.conv2", ""),
    ] {
        assert_ne!(text.replacen(from, to, 1), text, "{from:?}");
        let (found, fault) = fault(text.replacen(from, to, 1).as_bytes());
        assert!(found == piece && fault.contains(wanted), "{found}: {fault}");
    }
    let begins = text.find("gpool_block").unwrap();
    match read(&text.as_bytes()[..begins]) {
        Err(ReadError::Fault { offset, .. }) => assert_eq!(offset, begins as u64),
        other => panic!("{other:?}"),
    }
    let more = format!("{text} more");
    assert!(fault(more.as_bytes()).1.contains("goes on"));
}

#[test]
fn nesting_is_bounded() {
    let mut text = "deep 11 22 19 trunk 1 1 1 1 1 1 planes 1 1 22 1 1 1".to_owned();
    text += &" 0.5".repeat(22);
    text += " numbers 19 1";
    text += &" 0.5".repeat(19);
    for _ in 0..100_000 {
        text += " nested_bottleneck_block b 1 n 1 0.1 0 0 0 1 a ACTIVATION_RELU c 1 1 1 1 1 1 0.5";
    }
    let fault = fault(text.as_bytes()).1;
    assert!(fault.contains("at depth 9; at most 8 deep are read"), "{fault}");
}

/// Layers are calculated by 16 channels at a time, so one of a single channel takes many times its size.
#[test]
fn layers_of_few_channels_are_bounded() {
    let (channels, numbers) = (2048, |count: usize| " 0.5".repeat(count));
    let mut text = format!("thin 11 22 19 trunk 20 {channels} 1 1 1 1 planes 1 1 22 {channels} 1 1");
    text += &numbers(22 * channels);
    text += &format!(" numbers 19 {channels}{}", numbers(19 * channels));
    let norm = |channels: usize| format!(" n {channels} 0.1 0 0{} a ACTIVATION_RELU", numbers(2 * channels));
    let window = |from: usize, to: usize| format!(" c 3 3 {from} {to} 1 1{}", numbers(9 * from * to));
    for _ in 0..20 {
        text +=
            &format!(" ordinary_block b{}{}{}{}", norm(channels), window(channels, 1), norm(1), window(1, channels));
    }
    let fault = fault(text.as_bytes()).1;
    assert!(fault.starts_with("layers of few channels take "), "{fault}");
}

#[test]
fn other_files_are_not_taken_for_one() {
    let folder = |path| fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let models = folder("models").chain(folder("tests/fixtures"));
    let onnx: Vec<_> = models.filter(|path| path.extension().is_some_and(|end| end == "onnx")).collect();
    assert!(onnx.len() > 10);
    for path in onnx {
        let bytes = fs::read(&path).unwrap();
        assert!(!looks_like(&bytes), "{}", path.display());
        // A description in front, which begins as a name and a version do.
        let description = format!("a 12 22 19 {}", " ".repeat(37));
        let described = [&[0x32, 48], description.as_bytes(), &bytes].concat();
        assert!(described.starts_with(b"20a 12 22 19"));
        assert!(!looks_like(&described), "{}", path.display());
    }
    for other in ["", "#!/bin/sh 8", "name", "name eight", "name 1234", " name 8", "PK\u{3}\u{4} 8"] {
        assert!(!looks_like(other.as_bytes()), "{other}");
    }
    assert!(looks_like(b"name 3 22 19 "));
}

/// Heads of one channel have hardly any weights, and as much memory as others.
#[test]
fn attention_of_absurd_width_is_an_error() {
    let plain = inflated(&fixture("v17.bin.gz"));
    let word = b"transformer_attention_block\n";
    let begin = plain.windows(word.len()).position(|part| part == word).unwrap() + word.len();
    let name = plain[begin..].iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let lines = plain[begin + name..].split_inclusive(|&byte| byte == b'\n').take(2).map(<[u8]>::len).sum::<usize>();
    let rest = &plain[begin + name + lines..];
    let changed = [&plain[..begin + name], b"16384\n16384\n", rest].concat();
    let fault = read(&changed).unwrap_err().to_string();
    assert!(fault.contains("numbers a point"), "{fault}");
}
