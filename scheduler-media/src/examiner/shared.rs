//! What examinations share, such as memory, of which one workspace never holds everything.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// So much of something, given out in the order in which it is asked for. A workspace holds at most
/// its share; while it waits for that, others go before it.
#[derive(Clone)]
pub(super) struct Shared(Arc<Mutex<State>>);

struct State {
    free: u64,
    /// The share of one workspace.
    share: u64,
    held: BTreeMap<String, u64>,
    waiting: VecDeque<Waiting>,
}

struct Waiting {
    owner: String,
    amount: u64,
    given: oneshot::Sender<Part>,
}

/// A part that is held, and free again when this is dropped.
pub(super) struct Part {
    shared: Shared,
    owner: String,
    amount: u64,
}

impl Shared {
    pub(super) fn new(all: u64, share: u64) -> Self {
        let (held, waiting) = (BTreeMap::new(), VecDeque::new());
        Self(Arc::new(Mutex::new(State { free: all, share: share.min(all), held, waiting })))
    }

    /// The most that one workspace can be given.
    pub(super) fn share(&self) -> u64 {
        self.state().share
    }

    /// Waits for a part, which must not be larger than a share.
    pub(super) async fn part(&self, owner: &str, amount: u64) -> Option<Part> {
        let (given, part) = oneshot::channel();
        self.state().waiting.push_back(Waiting { owner: owner.to_owned(), amount, given });
        self.give_out();
        part.await.ok()
    }

    /// Gives out what can be given.
    fn give_out(&self) {
        let given = self.state().next();
        for Waiting { owner, amount, given } in given {
            // One that nobody waits for any more is dropped here, and so given back.
            drop(given.send(Part { shared: self.clone(), owner, amount }));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn next(&mut self) -> Vec<Waiting> {
        let mut given = Vec::new();
        let mut index = 0;
        while let Some(waiting) = self.waiting.get(index) {
            let held = self.held.get(&waiting.owner).copied().unwrap_or_default();
            if waiting.given.is_closed() {
                self.waiting.remove(index);
            } else if held.saturating_add(waiting.amount) > self.share {
                index += 1;
            } else if waiting.amount > self.free {
                // Nobody goes before it, or it might wait for ever.
                break;
            } else if let Some(waiting) = self.waiting.remove(index) {
                self.free -= waiting.amount;
                *self.held.entry(waiting.owner.clone()).or_default() += waiting.amount;
                given.push(waiting);
            }
        }
        given
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.free += self.amount;
        if let Some(held) = state.held.get_mut(&self.owner) {
            *held -= self.amount;
            if *held == 0 {
                state.held.remove(&self.owner);
            }
        }
        drop(state);
        self.shared.give_out();
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    /// Somebody who waits for a part, and holds it.
    enum Holder<'a> {
        Waits(Pin<Box<dyn Future<Output = Option<Part>> + 'a>>),
        Holds { _part: Part },
    }

    impl<'a> Holder<'a> {
        fn new(shared: &'a Shared, owner: &'a str, amount: u64) -> Self {
            let mut holder = Self::Waits(Box::pin(shared.part(owner, amount)));
            holder.holds();
            holder
        }

        fn holds(&mut self) -> bool {
            if let Self::Waits(part) = self
                && let Poll::Ready(part) =
                    part.as_mut().poll(&mut Context::from_waker(Waker::noop()))
            {
                *self = Self::Holds { _part: part.unwrap() };
            }
            matches!(self, Self::Holds { .. })
        }
    }

    fn holding(holders: &mut [Option<Holder<'_>>]) -> Vec<usize> {
        let held = holders.iter_mut().enumerate();
        held.filter_map(|(at, holder)| holder.as_mut()?.holds().then_some(at)).collect()
    }

    #[test]
    fn a_workspace_waits_for_its_own_share_and_holds_up_nobody() {
        for (name, all, share, asked, want) in [
            ("turns", 4, 2, vec![("a", 1), ("a", 1), ("a", 1), ("b", 1)], vec![0, 1, 3]),
            ("memory", 768, 512, vec![("a", 512), ("a", 300), ("b", 100)], vec![0, 2]),
            ("in order", 768, 512, vec![("a", 512), ("b", 512), ("c", 1)], vec![0]),
            ("a share is no more than all", 1, 9, vec![("a", 1), ("a", 1)], vec![0]),
        ] {
            let shared = Shared::new(all, share);
            let mut holders: Vec<_> = asked
                .iter()
                .map(|(owner, amount)| Some(Holder::new(&shared, owner, *amount)))
                .collect();
            assert_eq!(holding(&mut holders), want, "{name}");
            // Whoever ends or gives up lets the next have it, until everybody has had it.
            let mut had = want.clone();
            for _ in 0..asked.len() {
                let first = holding(&mut holders).first().copied();
                if let Some(first) = first {
                    holders[first] = None;
                }
                had.extend(holding(&mut holders));
            }
            had.sort_unstable();
            had.dedup();
            assert_eq!(had.len(), asked.len(), "{name}");
            let state = shared.state();
            assert_eq!((state.free, state.held.len(), state.waiting.len()), (all, 0, 0), "{name}");
        }
    }

    #[test]
    fn whoever_waits_no_longer_holds_up_nobody() {
        let shared = Shared::new(2, 2);
        let first = Holder::new(&shared, "a", 2);
        let gone = Holder::new(&shared, "b", 2);
        let mut next = Holder::new(&shared, "c", 1);
        drop(gone);
        assert!(!next.holds());
        drop(first);
        assert!(next.holds());
    }
}
