//! Records that a review reads, and the files that answer them.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::protocol::linked_sgf;
use crate::protocol::record::{text_from, text_of};
use anyhow::{Context, bail};

/// Name that stands for standard input.
const STANDARD: &str = "-";
/// Beginnings of links.
const LINKS: [&str; 2] = ["http://", "https://"];

/// A record, and where its answer goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecordFile {
    /// Name for people.
    pub(super) name: String,
    source: Source,
    /// File of the answer; standard output without one.
    pub(super) output: Option<PathBuf>,
}

/// Place of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    File(PathBuf),
    Input,
    /// The game itself, in a link.
    Link(String),
}

impl RecordFile {
    /// The record as SGF. Files may hold a link, too.
    pub(super) fn text(&self) -> Result<String, String> {
        let text = match &self.source {
            Source::File(path) => text_of(path)?,
            Source::Input => text_from(io::stdin().lock())?,
            Source::Link(link) => link.clone(),
        };
        match (linked_sgf(&text), &self.source) {
            (Some(read), _) => read,
            (None, Source::Link(_)) => {
                Err("a link is read if it is one to HexWorld's board and has the game in it, behind #".to_owned())
            }
            (None, _) => Ok(text),
        }
    }

    fn file(&self) -> Option<&Path> {
        if let Source::File(path) = &self.source { Some(path) } else { None }
    }
}

/// The records of files and folders, with answers of that extension in the folder `out` where one is given; and the number of those
/// that are left out because their answers are there, unless they are reviewed `again`.
pub(super) fn all(
    files: &[PathBuf],
    out: Option<&Path>,
    extension: &str,
    again: bool,
) -> anyhow::Result<(Vec<RecordFile>, usize)> {
    let standard = [PathBuf::from(STANDARD)];
    let files = if files.is_empty() { &standard[..] } else { files };
    let mut inputs = Vec::new();
    for path in files {
        let text = path.to_string_lossy();
        let is_link = LINKS.iter().any(|link| text.starts_with(link));
        if is_link || text == STANDARD {
            let name = if is_link { &text } else { "standard input" };
            if out.is_some() {
                bail!("--out names answers as the files are named, and {name} has no name");
            }
            let source = if is_link { Source::Link(text.clone().into_owned()) } else { Source::Input };
            inputs.push(RecordFile { name: name.to_owned(), source, output: None });
        } else if path.is_dir() {
            let before = inputs.len();
            folder(path, Path::new(""), out, &mut inputs)?;
            if inputs.len() == before {
                bail!("{text} has no files that end in .sgf");
            }
        } else {
            let output = out.zip(path.file_name()).map(|(out, name)| out.join(name));
            inputs.push(RecordFile { name: text.into_owned(), source: Source::File(path.clone()), output });
        }
    }
    if out.is_none() {
        return Ok((inputs, 0));
    }
    let count = inputs.len();
    let inputs = to_do(inputs, extension, again)?;
    let left = count - inputs.len();
    Ok((inputs, left))
}

/// Adds the records below a folder in the order of their names. `below` is the way there from the folder that was named.
fn folder(root: &Path, below: &Path, out: Option<&Path>, inputs: &mut Vec<RecordFile>) -> anyhow::Result<()> {
    let here = root.join(below);
    let read = || format!("{} cannot be read", here.display());
    let mut entries = fs::read_dir(&here).with_context(read)?.collect::<Result<Vec<_>, _>>().with_context(read)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, below) = (entry.path(), below.join(entry.file_name()));
        if entry.file_type().with_context(read)?.is_dir() {
            // Answers are no records to be reviewed.
            if out.is_none_or(|out| !same(out, &path)) {
                folder(root, &below, out, inputs)?;
            }
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf")) {
            let output = out.map(|out| out.join(&below));
            inputs.push(RecordFile { name: path.display().to_string(), source: Source::File(path), output });
        }
    }
    Ok(())
}

fn same(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// Whether a file was written by a review. Records that lie there by the same name are none, files of other formats are not looked at.
fn is_answer(path: &Path) -> io::Result<bool> {
    if path.extension().is_none_or(|extension| extension != "sgf") {
        return Ok(true);
    }
    let bytes = fs::read(path)?;
    let has = |mark: &str| bytes.windows(mark.len()).any(|part| part == mark.as_bytes());
    Ok(has("Losange:") || has("LOSANGE["))
}

/// The records that are to be reviewed, with the names of their answers.
fn to_do(inputs: Vec<RecordFile>, extension: &str, again: bool) -> anyhow::Result<Vec<RecordFile>> {
    let (mut names, mut left) = (BTreeSet::new(), Vec::new());
    for mut input in inputs {
        let Some(output) = input.output.as_mut() else { continue };
        output.set_extension(extension);
        let output = output.clone();
        let shown = output.display();
        if input.file().is_some_and(|file| same(file, &output)) {
            bail!("{shown} would be written over: name another folder by --out");
        }
        if !names.insert(output.clone()) {
            bail!("two files would be answered in {shown}: give each a folder of its own by --out");
        }
        if output.exists() && !is_answer(&output).with_context(|| shown.to_string())? {
            bail!("{shown} is no answer of a review and would be written over: name another folder by --out");
        }
        if again || !output.exists() {
            left.push(input);
        }
    }
    Ok(left)
}
