//! The searches do what is recorded of them, with and without models.

use std::process::Command;

#[test]
fn searches_do_what_is_recorded() {
    let output = Command::new(env!("CARGO_BIN_EXE_losange")).args(["bench", "--threads", "1"]).output().unwrap();
    let (told, why) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && told.contains("\nas recorded\n"), "{told}{why}");
}
