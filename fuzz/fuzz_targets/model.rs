//! Model files from any bytes: refused, or run.
#![no_main]

use std::panic::{set_hook, take_hook};

libfuzzer_sys::fuzz_target!(
    init: {
        // The embedded runtime catches the panics of the library that it runs foreign graphs by, such as those of its checked sums.
        let abort = take_hook();
        set_hook(Box::new(move |panic| {
            if !panic.location().is_some_and(|place| place.file().contains("/rten-")) {
                abort(panic);
            }
        }));
    },
    |bytes: &[u8]| {
        losange::protocol::replay::model(bytes);
    }
);
