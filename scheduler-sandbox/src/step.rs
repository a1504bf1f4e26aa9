//! What one step of the sandbox draws and begins, so that the same step can be done again.
//!
//! A step runs on one thread, under the lock of the state. Its random bytes come from a seed, and
//! the fetches that it begins are handed to whoever runs it.

use std::cell::RefCell;

use sha2::{Digest, Sha256};

use crate::fetch::Fetch;

/// Random bytes from which all others of a step follow.
pub(crate) type Seed = [u8; 16];

/// A link that a step wants fetched, and where its file goes.
pub(crate) type Begun = (String, Fetch);

struct Step {
    seed: Seed,
    drawn: u32,
    begun: Vec<Begun>,
}

thread_local! {
    static STEP: RefCell<Option<Step>> = const { RefCell::new(None) };
}

/// Ends the step of this thread even when what it does panics.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        STEP.take();
    }
}

/// Does something as a step, and returns the fetches that it has begun, in order.
pub(crate) fn run<T>(seed: Seed, act: impl FnOnce() -> T) -> (T, Vec<Begun>) {
    STEP.set(Some(Step { seed, drawn: 0, begun: Vec::new() }));
    let end = End;
    let done = act();
    let begun = STEP.take().map(|step| step.begun).unwrap_or_default();
    drop(end);
    (done, begun)
}

/// Returns the next bytes of the step that runs on this thread; `None` outside of one.
pub(crate) fn draw() -> Option<Seed> {
    STEP.with_borrow_mut(|step| {
        let step = step.as_mut()?;
        step.drawn += 1;
        let hash = Sha256::new().chain_update(step.seed).chain_update(step.drawn.to_le_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(hash.finalize().get(..16)?);
        Some(bytes)
    })
}

/// Leaves a fetch to whoever runs the step; gives it back outside of one.
pub(crate) fn leave(begun: Begun) -> Result<(), Begun> {
    STEP.with_borrow_mut(|step| match step {
        Some(step) => {
            step.begun.push(begun);
            Ok(())
        }
        None => Err(begun),
    })
}
