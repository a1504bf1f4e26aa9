//! Work that is counted, not timed: how often the program loads from memory.
//!
//! The compiler calls one of the functions below before each load of the instrumented crates
//! (`-sanitizer-coverage-trace-loads`, see scripts/fuzz.sh). A text that is walked again for each
//! of its characters shows as loads that grow with the square of its length, whatever the machine.

use std::cell::Cell;

thread_local! {
    static LOADS: Cell<u64> = const { Cell::new(0) };
}

/// Loads that any text may take: tables, sheets, and the networks one by one.
const BASE: u64 = 4_000_000;

/// Loads for each byte of a text.
const PER_BYTE: u64 = 4000;

/// Counts one load.
#[inline]
fn count() {
    LOADS.with(|loads| loads.set(loads.get() + 1));
}

/// Runs something over `bytes` of text.
///
/// # Panics
/// When it takes more work than grows with the length of the text.
pub fn bounded<T>(bytes: usize, run: impl FnOnce() -> T) -> T {
    LOADS.with(|loads| loads.set(0));
    let result = run();
    let loads = LOADS.with(Cell::get);
    let bound = BASE + PER_BYTE * bytes as u64;
    assert!(loads <= bound, "{loads} loads for {bytes} bytes, the bound is {bound}");
    if std::env::var_os("FUZZ_SHOWS_WORK").is_some() {
        eprintln!("{loads} loads for {bytes} bytes");
    }
    result
}

macro_rules! counted {
    ($($name:ident)*) => {$(
        /// Called before each load of its size.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(_address: *const u8) {
            count();
        }
    )*};
}

counted! {
    __sanitizer_cov_load1
    __sanitizer_cov_load2
    __sanitizer_cov_load4
    __sanitizer_cov_load8
    __sanitizer_cov_load16
}
