//! Files of lessons: one `.npz` archive each, which NumPy reads, written whole or not at all. Planes are mostly zeros, so arrays are
//! deflated: those of Go on 19×19 would be eleven times as large.
//!
//! | array | type and shape | holds |
//! | --- | --- | --- |
//! | `planes` | float32 \[n, planes, rows, columns\] | what a model sees |
//! | `targets` | float32 \[n, actions\] | of descent, the value of each action, seen by the side to move, in -1..=1; of search by policy, the share of visits that each had |
//! | `weights` | float32 \[n, actions\] | how much that value counts, 0 where nothing is known; of search by policy, 1 for legal moves |
//! | `values` | float32 \[n\] | of search by policy, and of descent by values of states: the expected result, seen by the side to move, in -1..=1 |
//! | `counts` | float32 \[n\] | of descent by values of states: how much that value counts |
//! | `scores` | float32 \[n\] | of search by policy, in games of points: by how many the side to move was ahead at the end |
//! | `owners` | float32 \[n, points\] | the same: whose each point was at the end, 1 for the side to move, -1 for the other |
//!
//! Descent by values of states leaves no `targets` and no `weights`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Values of actions that are not held back for more: 256 MiB, and their weights as much again.
const LARGE: usize = 1 << 26;

/// Lessons about positions of one shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shard {
    /// Number of planes, rows and columns.
    pub shape: [usize; 3],
    /// Number of actions, 0 where nothing is learned of them.
    pub actions: usize,
    /// All planes, position after position.
    pub planes: Vec<f32>,
    /// Values of all actions.
    pub targets: Vec<f32>,
    /// Their weights.
    pub weights: Vec<f32>,
    /// Values of the positions themselves, where they are learned.
    pub values: Vec<f32>,
    /// How much those values count, where that differs.
    pub counts: Vec<f32>,
    /// Lead at the end of the game, in games of points.
    pub scores: Vec<f32>,
    /// Owners of all points at the end, in games of points.
    pub owners: Vec<f32>,
}

impl Shard {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.targets.len().checked_div(self.actions).unwrap_or(self.values.len())
    }

    /// Whether it takes so much memory that it should be written, however few positions it holds: those of games with many moves are
    /// large until they are deflated.
    pub fn is_large(&self) -> bool {
        self.targets.len() >= LARGE
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the file under another name first, so that whoever looks for it finds all of it. Where that fails nothing is
    /// left.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let partial = path.with_extension(PARTIAL);
        let written =
            File::create(&partial).and_then(|file| self.write_to(file)).and_then(|()| fs::rename(&partial, path));
        if written.is_err() {
            // It may not exist.
            let _ = fs::remove_file(&partial);
        }
        written
    }

    fn write_to(&self, file: File) -> io::Result<()> {
        let mut archive = ZipWriter::new(Lasting { file: BufWriter::new(file), fault: None, at: 0 });
        let [planes, rows, columns] = self.shape;
        let (n, actions) = (self.len(), self.actions);
        let arrays: [(&str, &[usize], &[f32]); 7] = [
            ("planes", &[n, planes, rows, columns], &self.planes),
            ("targets", &[n, actions], &self.targets),
            ("weights", &[n, actions], &self.weights),
            ("values", &[n], &self.values),
            ("counts", &[n], &self.counts),
            ("scores", &[n], &self.scores),
            ("owners", &[n, self.owners.len() / n.max(1)], &self.owners),
        ];
        for (name, shape, numbers) in arrays.into_iter().filter(|(_, _, numbers)| !numbers.is_empty()) {
            let deflated = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
            archive.start_file(format!("{name}.npy"), deflated.compression_level(Some(LEVEL)))?;
            archive.write_all(&header(shape))?;
            let mut bytes = Vec::with_capacity(4 * CHUNK);
            for numbers in numbers.chunks(CHUNK) {
                bytes.clear();
                bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
                archive.write_all(&bytes)?;
            }
        }
        let Lasting { file, fault, .. } = archive.finish()?;
        match fault {
            Some(fault) => Err(fault),
            None => file.into_inner()?.sync_all(),
        }
    }

    /// Reads a file that [`Shard::write`] has made of lessons about actions.
    ///
    /// # Errors
    /// What the system says, or that it is no such file.
    pub fn read(path: &Path) -> io::Result<Self> {
        Self::read_from(File::open(path)?)
    }

    /// Reads such a file wherever it comes from. All arrays are of the numbers of positions that they should be.
    ///
    /// # Errors
    /// As [`Shard::read`].
    pub fn read_from(file: impl Read + Seek) -> io::Result<Self> {
        let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, format!("no lessons: {what}"));
        let mut archive = ZipArchive::new(file)?;
        let mut array = |name: &str| -> io::Result<Option<(Vec<usize>, Vec<f32>)>> {
            let file = match archive.by_name(&format!("{name}.npy")) {
                Ok(file) => file,
                Err(zip::result::ZipError::FileNotFound) => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            let bytes = whole(file, MOST_BYTES)?.ok_or_else(|| wrong(&format!("{name} is too large")))?;
            parse(&bytes).map(Some).ok_or_else(|| wrong(&format!("{name} is no array of float32")))
        };
        let needed = |name: &str| wrong(&format!("{name} is not there"));
        let (shape, planes) = array("planes")?.ok_or_else(|| needed("planes"))?;
        let (by_action, targets) = array("targets")?.ok_or_else(|| needed("targets"))?;
        let (also, weights) = array("weights")?.ok_or_else(|| needed("weights"))?;
        let (&[n, planes_each, rows, columns], &[positions, actions]) = (&shape[..], &by_action[..]) else {
            return Err(wrong("planes or targets have another number of dimensions"));
        };
        if n != positions || also != by_action {
            return Err(wrong("the arrays are of different numbers of positions"));
        }
        let each = [planes_each, rows, columns, actions];
        let size = each.iter().try_fold(1_usize, |product, &size| product.checked_mul(size));
        if size.is_none_or(|size| size == 0) {
            return Err(wrong("positions have no planes or no actions"));
        }
        let mut more = |name, each: usize| {
            let numbers = array(name)?.map(|(_, numbers)| numbers).unwrap_or_default();
            let fits = numbers.is_empty() || n.checked_mul(each) == Some(numbers.len());
            if fits { Ok(numbers) } else { Err(wrong(&format!("{name} is of another number of positions"))) }
        };
        let (values, counts) = (more("values", 1)?, more("counts", 1)?);
        let (scores, owners) = (more("scores", 1)?, more("owners", rows * columns)?);
        let shape = [planes_each, rows, columns];
        Ok(Self { shape, actions, planes, targets, weights, values, counts, scores, owners })
    }
}

/// Effort of the compressor: the least, which finds nearly all zeros.
const LEVEL: i64 = 1;
/// Numbers that are handed to it at once.
const CHUNK: usize = 4096;
/// Largest array that is read. What inflates to more was not written by us.
const MOST_BYTES: u64 = 1 << 29;

/// All bytes of a file; `None` if there are more than so many.
fn whole(file: impl Read, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = file.take(most + 1).read_to_end(&mut bytes)?;
    Ok((read as u64 <= most).then_some(bytes))
}

/// Extension of files that are being written.
const PARTIAL: &str = "part";
/// Time after which nobody writes on at such a file.
const ABANDONED: Duration = Duration::from_secs(600);

/// Process of a run that writes a file in its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunWriter {
    /// The one that asks.
    Own,
    /// Another one of the run.
    Other,
}

/// Removes what writers that were killed have left in a folder: own files, and those of others that have not grown for ten minutes.
/// `writer` knows them by their names without the last extension; what it does not know stays. A folder that is not there holds none.
///
/// # Errors
/// If the folder cannot be read.
pub fn sweep(folder: &Path, writer: &dyn Fn(&str) -> Option<RunWriter>) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        let age = || fs::metadata(&path).and_then(|file| file.modified()).ok()?.elapsed().ok();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let left = path.extension().is_some_and(|extension| extension == PARTIAL)
            && match writer(&name) {
                Some(RunWriter::Own) => true,
                Some(RunWriter::Other) => age().is_some_and(|age| age >= ABANDONED),
                None => false,
            };
        // Whoever else has removed it has done the same work.
        if left && fs::remove_file(&path).is_ok() {
            tracing::info!(file = %path.display(), "removed: a writer was killed there");
        }
    }
    Ok(())
}

/// A file that remembers its first fault and takes the rest in silence: an archive that cannot be finished would tell standard
/// error of it.
struct Lasting {
    file: BufWriter<File>,
    fault: Option<io::Error>,
    at: u64,
}

impl Lasting {
    fn attempt<R>(&mut self, otherwise: R, act: impl FnOnce(&mut BufWriter<File>) -> io::Result<R>) -> R {
        if self.fault.is_some() {
            return otherwise;
        }
        act(&mut self.file).unwrap_or_else(|fault| {
            self.fault = Some(fault);
            otherwise
        })
    }
}

impl Write for Lasting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt((), |file| file.write_all(bytes));
        self.at += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt((), Write::flush);
        Ok(())
    }
}

impl Seek for Lasting {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let here = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) | SeekFrom::End(by) => self.at.saturating_add_signed(by),
        };
        self.at = self.attempt(here, |file| file.seek(to));
        Ok(self.at)
    }
}

/// Shape and numbers of an array in NumPy's format, if it is one of float32 in the usual order.
fn parse(bytes: &[u8]) -> Option<(Vec<usize>, Vec<f32>)> {
    let length = usize::from(u16::from_le_bytes(bytes.get(8..10)?.try_into().ok()?));
    let text = std::str::from_utf8(bytes.get(10..10 + length)?).ok()?;
    if !bytes.starts_with(MAGIC) || !text.contains("'descr': '<f4'") || !text.contains("'fortran_order': False") {
        return None;
    }
    let (_, shape) = text.split_once("'shape': (")?;
    let (shape, _) = shape.split_once(')')?;
    let numbers = shape.split(',').map(str::trim).filter(|number| !number.is_empty());
    let shape: Vec<usize> = numbers.map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let values =
        bytes[10 + length..].chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    let values: Vec<f32> = values.collect();
    let count = shape.iter().try_fold(1usize, |product, &n| product.checked_mul(n))?;
    (count == values.len()).then_some((shape, values))
}

/// How arrays of NumPy's format, version 1.0, begin.
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

/// The head of an array in NumPy's format, version 1.0: a dictionary as text, padded to a multiple of 64 bytes.
fn header(shape: &[usize]) -> Vec<u8> {
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
        assert_eq!(Shard::read(&path).unwrap(), shard);
    }

    #[test]
    fn what_holds_no_lessons_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            Shard::read(&path).unwrap_err().to_string()
        };
        assert!(Shard::read(&folder.path().join("none.npz")).is_err());
        assert!(!refused("empty.npz", b"").is_empty());
        assert!(!refused("text.npz", b"no archive at all").is_empty());
        let whole = folder.path().join("whole.npz");
        let shard = Shard {
            shape: [1, 1, 1],
            actions: 1,
            planes: vec![1.0],
            targets: vec![0.5],
            weights: vec![1.0],
            ..Shard::default()
        };
        shard.write(&whole).unwrap();
        let bytes = std::fs::read(&whole).unwrap();
        assert!(!refused("cut.npz", &bytes[..bytes.len() / 2]).is_empty());
        let mut array = header(&[3]);
        assert_eq!(parse(&array), None);
        array.extend([0; 12]);
        assert_eq!(parse(&array), Some((vec![3], vec![0.0; 3])));
        assert_eq!(parse(&header(&[usize::MAX, 2])), None);
        for length in 0..array.len() {
            assert_eq!(parse(&array[..length]), None);
        }
        // An archive of something else.
        let path = folder.path().join("other.npz");
        let mut archive = ZipWriter::new(File::create(&path).unwrap());
        archive
            .start_file("planes.npy", SimpleFileOptions::default().compression_method(CompressionMethod::Stored))
            .unwrap();
        archive.write_all(&[header(&[1]), vec![0; 4]].concat()).unwrap();
        archive.finish().unwrap();
        assert!(Shard::read(&path).unwrap_err().to_string().contains("targets is not there"));
    }

    #[test]
    fn zeros_take_no_room_and_inflation_has_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("zeros.npz");
        let planes = vec![0.0; 1 << 18];
        let shard = Shard {
            shape: [1 << 18, 1, 1],
            actions: 1,
            planes,
            targets: vec![0.5],
            weights: vec![1.0],
            ..Shard::default()
        };
        shard.write(&path).unwrap();
        assert!(fs::metadata(&path).unwrap().len() < 1 << 14);
        assert_eq!(Shard::read(&path).unwrap(), shard);
        assert_eq!(whole(&[1; 5][..], 5).unwrap(), Some(vec![1; 5]));
        assert_eq!(whole(io::repeat(1), 5).unwrap(), None);
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no/such/folder.npz");
        assert!(Shard::default().write(&path).is_err() && !path.exists());
        // All of it can be written, but not under its name.
        let path = folder.path().join("one.npz");
        fs::create_dir(&path).unwrap();
        assert!(Shard::default().write(&path).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_and_nothing_else() {
        let numbers = vec![1.0; 1 << 16];
        let shard = Shard { shape: [1, 1, 1], values: numbers.clone(), planes: numbers, ..Shard::default() };
        let full = File::options().write(true).open("/dev/full").unwrap();
        assert_eq!(shard.write_to(full).unwrap_err().kind(), io::ErrorKind::StorageFull);
    }

    #[test]
    fn what_killed_writers_left_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let old = std::time::SystemTime::now() - ABANDONED;
        for name in ["1-0-2-3.part", "1-other-2-3.part", "1-left-2-3.part", "1-0-2-3.npz", "film.part"] {
            File::create(folder.path().join(name)).unwrap();
        }
        for name in ["1-left-2-3.part", "film.part"] {
            File::options().write(true).open(folder.path().join(name)).unwrap().set_modified(old).unwrap();
        }
        let writer = |name: &str| {
            let own = if name.contains("-0-") { RunWriter::Own } else { RunWriter::Other };
            name.starts_with('1').then_some(own)
        };
        sweep(folder.path(), &writer).unwrap();
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        assert_eq!(names, ["1-0-2-3.npz", "1-other-2-3.part", "film.part"]);
        sweep(&folder.path().join("none"), &|_| Some(RunWriter::Own)).unwrap();
    }
}
