//! Model files: how they are found, read and told apart.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::ModelError;
use super::contract::{ContractError, ModelFile};
use super::katago::net::Net;
use super::katago::onnx::onnx;
use super::katago::{FormatUse, description, reader};

/// The game of files that do not say theirs, where nobody else does.
const GO: &str = "go";
/// Largest model file that is read.
pub(super) const LARGEST_FILE: u64 = 1 << 29;

/// A model in one of the formats that are read.
#[derive(Debug)]
pub(super) enum Content<'a> {
    /// An ONNX file.
    Onnx(&'a [u8]),
    /// A network in the format of KataGo, of Go or of another game.
    KataGo(Box<Net>),
}

/// A model file that was read.
#[derive(Debug)]
pub(super) struct Opened<'a> {
    pub(super) content: Content<'a>,
    pub(super) file: ModelFile,
}

impl<'a> Opened<'a> {
    /// Reads a file of either format. Those of KataGo's do not say what game they are for: it is the one named here, if networks of it
    /// come in that format, and Go otherwise.
    ///
    /// # Errors
    /// [`ContractError`].
    pub(super) fn of_game(bytes: &'a [u8], game: &str) -> Result<Self, ContractError> {
        if !reader::looks_like(bytes) {
            return Ok(Self { content: Content::Onnx(bytes), file: ModelFile::parse(bytes)? });
        }
        let net = reader::read(bytes).map_err(|why| ContractError::KataGo(why.to_string()))?;
        let file = description(&net, bytes.len(), FormatUse::of(game)).map_err(ContractError::KataGo)?;
        Ok(Self { content: Content::KataGo(Box::new(net)), file })
    }
}

/// Reads a model file's description of itself.
///
/// # Errors
/// [`ModelError`].
pub fn read(path: &Path) -> Result<ModelFile, ModelError> {
    read_for(path, GO)
}

/// Reads a model file's description of itself; of a file in KataGo's format as one for that game.
///
/// # Errors
/// [`ModelError`].
pub fn read_for(path: &Path, game: &str) -> Result<ModelFile, ModelError> {
    let opened = Opened::of_game(&bytes(path)?, game).map(|opened| opened.file);
    opened.map_err(|why| ModelError::Contract { path: path.to_owned(), why })
}

/// Reads the description out of a model file's bytes.
///
/// # Errors
/// [`ContractError`].
pub fn describe(bytes: &[u8]) -> Result<ModelFile, ContractError> {
    Opened::of_game(bytes, GO).map(|opened| opened.file)
}

/// Reads all of a model file.
///
/// # Errors
/// [`ModelError`].
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, ModelError> {
    let file = |why| ModelError::File { path: path.to_owned(), why };
    let metadata = fs::metadata(path).map_err(file)?;
    if metadata.is_dir() {
        return Err(file(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    if !metadata.is_file() {
        return Err(file(io::Error::new(io::ErrorKind::InvalidInput, "it is a device or a pipe, and no file")));
    }
    let too_large = |bytes| ModelError::TooLarge { path: path.to_owned(), bytes };
    if metadata.len() > LARGEST_FILE {
        return Err(too_large(metadata.len()));
    }
    // A file may grow while it is read, and some have more than they tell.
    let mut bytes = Vec::new();
    fs::File::open(path).and_then(|open| open.take(LARGEST_FILE + 1).read_to_end(&mut bytes)).map_err(file)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

/// The files that a path names: itself, or the `*.onnx` in that folder, which must be variants of one model.
///
/// # Errors
/// [`ModelError`].
pub fn variants(path: &Path) -> Result<Vec<PathBuf>, ModelError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = |why| ModelError::File { path: path.to_owned(), why };
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.extension().is_some_and(|extension| extension == "onnx") {
            files.push(file);
        }
    }
    files.sort();
    let folder = |found: &str| ModelError::Folder { path: path.to_owned(), found: found.to_owned() };
    let models = files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let first = models.first().ok_or_else(|| folder("no models"))?;
    if models.iter().any(|model| !model.is_variant_of(first)) {
        return Err(folder("different models"));
    }
    Ok(files)
}

/// Writes a network in KataGo's format as ONNX for that game, for boards of so many lines, or for all.
///
/// # Errors
/// [`ModelError`], also where it is ONNX already.
pub fn convert(path: &Path, game: &str, lines: Option<usize>) -> Result<Vec<u8>, ModelError> {
    let failed = |reason: String| ModelError::Conversion { path: path.to_owned(), reason };
    let bad = |why| ModelError::Contract { path: path.to_owned(), why };
    as_onnx(&bytes(path)?, game, lines).map_err(bad)?.map_err(failed)
}

/// Writes the bytes of a network in KataGo's format as ONNX; the inner error says why such a file cannot be written.
///
/// # Errors
/// [`ContractError`] where the bytes are no model.
pub fn as_onnx(bytes: &[u8], game: &str, lines: Option<usize>) -> Result<Result<Vec<u8>, String>, ContractError> {
    let Opened { content, file } = Opened::of_game(bytes, game)?;
    Ok(match content {
        Content::Onnx(_) => Err("it is an ONNX file".to_owned()),
        Content::KataGo(net) => onnx(&net, &file, lines).map_err(|why| why.to_string()),
    })
}
