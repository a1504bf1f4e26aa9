//! What a video tool can do under the launcher, and without it.
//!
//! This program is all three: it looks (without arguments), it is the launcher (`launch …`), and it
//! is a planted tool that does one harmful deed (`planted DEED ON`).
#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]
#![expect(clippy::print_stdout, reason = "it has no harness that would say what was tested")]

#[cfg(target_os = "linux")]
#[path = "confined/deeds.rs"]
mod deeds;
#[cfg(target_os = "linux")]
#[path = "confined/films.rs"]
mod films;
#[cfg(target_os = "linux")]
#[path = "confined/held.rs"]
mod held;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    match words.next().as_deref().and_then(std::ffi::OsStr::to_str) {
        Some("launch") => scheduler_media::launch(words),
        #[cfg(target_os = "linux")]
        Some("planted") => deeds::planted(words),
        // What a harness is asked for, such as a filter, changes nothing here.
        #[cfg(target_os = "linux")]
        _ => {
            let mut passed = 0;
            for (name, test) in held::TESTS.into_iter().chain(films::TESTS) {
                test();
                println!("test {name} ... ok");
                passed += 1;
            }
            println!("test result: ok. {passed} passed; 0 failed");
            ExitCode::SUCCESS
        }
        #[cfg(not(target_os = "linux"))]
        _ => {
            println!("LEFT OUT: tools are confined on Linux alone");
            ExitCode::SUCCESS
        }
    }
}
