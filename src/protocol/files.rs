//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Writes a file so that what stood there before stays until all of the new one is on the disk.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    // A link stays one.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let before = path.metadata().ok();
    if before.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::other("it is no ordinary file"));
    }
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    // Nothing that lies there already is written to.
    _ = fs::remove_file(&part);
    let written = File::create_new(&part).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
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
        Err(error) if error.kind() == ErrorKind::PermissionDenied && before.is_some() => fs::write(path, text),
        done => done,
    }
}
