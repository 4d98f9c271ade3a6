//! The searches do what is recorded of them, with and without models.

mod support;

#[test]
fn searches_do_what_is_recorded() {
    let (success, told, why) = support::run(&["bench", "--threads", "1"]);
    assert!(success && told.contains("\nas recorded\n"), "{told}{why}");
}
