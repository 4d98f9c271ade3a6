//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The name under which this process writes a file.
fn part_of(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    part.into()
}

/// Fails where [`write_whole`] would, but for a full disk: so that hours of work do not end there.
pub(crate) fn check_writable(path: &Path) -> io::Result<()> {
    if path.exists() {
        return File::options().append(true).open(path).map(drop);
    }
    let part = part_of(path);
    File::create(&part).and_then(|_| fs::remove_file(part))
}

/// Writes a file so that what stood there before stays until all of the new one is on the disk.
pub(crate) fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let bytes = bytes.as_ref();
    // A link stays one.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let before = path.metadata().ok();
    if before.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::other("it is no ordinary file"));
    }
    let part = part_of(path);
    // Nothing that lies there already is written to.
    _ = fs::remove_file(&part);
    let written = File::create_new(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        if let Some(before) = &before {
            file.set_permissions(before.permissions())?;
        }
        file.sync_all()
    });
    let done = written.and_then(|()| fs::rename(&part, path));
    if done.is_err() {
        _ = fs::remove_file(&part);
    }
    match done {
        // Where no file can be made beside it, the file itself may still be written.
        Err(error) if error.kind() == ErrorKind::PermissionDenied && before.is_some() => fs::write(path, bytes),
        done => done,
    }
}
