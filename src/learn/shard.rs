//! Files of lessons: one `.npz` archive each, which NumPy reads, written whole or not at all.
//!
//! | array | type and shape | holds |
//! | --- | --- | --- |
//! | `planes` | float32 \[n, planes, rows, columns\] | what a model sees |
//! | `targets` | float32 \[n, actions\] | of descent, the value of each action, seen by the side to move, in -1..=1; of search by policy, the share of visits that each had |
//! | `weights` | float32 \[n, actions\] | how much that value counts, 0 where nothing is known; of search by policy, 1 for legal moves |
//! | `values` | float32 \[n\] | of search by policy alone: the expected result, seen by the side to move, in -1..=1 |
//! | `scores` | float32 \[n\] | the same, in games of points: by how many the side to move was ahead at the end |
//! | `owners` | float32 \[n, points\] | the same: whose each point was at the end, 1 for the side to move, -1 for the other |

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Lessons about positions of one shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shard {
    /// Number of planes, rows and columns.
    pub shape: [usize; 3],
    /// Number of actions.
    pub actions: usize,
    /// All planes, position after position.
    pub planes: Vec<f32>,
    /// Values of all actions.
    pub targets: Vec<f32>,
    /// Their weights.
    pub weights: Vec<f32>,
    /// Values of the positions themselves, where they are learned.
    pub values: Vec<f32>,
    /// Lead at the end of the game, in games of points.
    pub scores: Vec<f32>,
    /// Owners of all points at the end, in games of points.
    pub owners: Vec<f32>,
}

impl Shard {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.targets.len().checked_div(self.actions).unwrap_or(0)
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Writes the file under another name first, so that whoever looks for it finds all of it.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let partial = path.with_extension("part");
        let mut archive = ZipWriter::new(BufWriter::new(File::create(&partial)?));
        let [planes, rows, columns] = self.shape;
        let (n, actions) = (self.len(), self.actions);
        let arrays: [(&str, &[usize], &[f32]); 6] = [
            ("planes", &[n, planes, rows, columns], &self.planes),
            ("targets", &[n, actions], &self.targets),
            ("weights", &[n, actions], &self.weights),
            ("values", &[n], &self.values),
            ("scores", &[n], &self.scores),
            ("owners", &[n, self.owners.len() / n.max(1)], &self.owners),
        ];
        for (name, shape, numbers) in arrays.into_iter().filter(|(_, _, numbers)| !numbers.is_empty()) {
            let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
            archive.start_file(format!("{name}.npy"), stored)?;
            archive.write_all(&header(shape))?;
            for number in numbers {
                archive.write_all(&number.to_le_bytes())?;
            }
        }
        let file = archive.finish()?.into_inner()?;
        file.sync_all()?;
        std::fs::rename(partial, path)
    }
}

/// The head of an array in NumPy's format, version 1.0: a dictionary as text, padded to a multiple of 64 bytes.
fn header(shape: &[usize]) -> Vec<u8> {
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    // A tuple of one has a comma too.
    let shape: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let mut text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}), }}", shape.trim_end());
    // Before the text stand the magic number and two bytes of its length, after it a line break.
    let length = (MAGIC.len() + 2 + text.len() + 1).next_multiple_of(64) - MAGIC.len() - 2;
    while text.len() + 1 < length {
        text.push(' ');
    }
    text.push('\n');
    [MAGIC, &(length as u16).to_le_bytes(), text.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn arrays_stand_in_the_archive() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.npz");
        let shard = Shard {
            shape: [1, 2, 3],
            actions: 2,
            planes: (0..12).map(|n| n as f32).collect(),
            targets: vec![0.5, -0.5, 1.0, -1.0],
            weights: vec![1.0, 0.0, 2.0, 3.0],
            ..Shard::default()
        };
        assert_eq!(shard.len(), 2);
        shard.write(&path).unwrap();
        let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, ["one.npz"]);
        let mut archive = zip::ZipArchive::new(File::open(&path).unwrap()).unwrap();
        let mut bytes = Vec::new();
        archive.by_name("targets.npy").unwrap().read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes.len(), 128 + 4 * 4);
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
        assert_eq!(u16::from_le_bytes([bytes[8], bytes[9]]), 118);
        let text = std::str::from_utf8(&bytes[10..128]).unwrap();
        assert!(
            text.starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2,), }") && text.ends_with('\n')
        );
        assert_eq!(&bytes[128..], [0.5_f32, -0.5, 1.0, -1.0].map(f32::to_le_bytes).concat());
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing_behind_under_the_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no/such/folder.npz");
        assert!(Shard::default().write(&path).is_err() && !path.exists());
    }
}
