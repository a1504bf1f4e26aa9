//! Which items of a feed need nothing any more.

use std::collections::{BTreeSet, HashSet};
use std::fmt;

use sha2::{Digest as _, Sha256};

use super::ITEMS_MAX;

/// Bytes of a hash.
const HASH_BYTES: usize = 16;

/// The most items that are remembered of a feed. Those that stand in it are among them, of which
/// there are no more than [`ITEMS_MAX`](super::ITEMS_MAX).
///
/// Source: our decision; 104 KB, of a feed with as many items.
const KNOWN_MAX: usize = ITEMS_MAX + 1_500;

/// The first half of the SHA-256 of an item's id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemHash([u8; HASH_BYTES]);

impl ItemHash {
    /// That of an id.
    #[must_use]
    pub fn of(id: &str) -> Self {
        let whole: [u8; 32] = Sha256::digest(id.as_bytes()).into();
        let mut half = [0; HASH_BYTES];
        half.copy_from_slice(&whole[..HASH_BYTES]);
        Self(half)
    }
}

impl fmt::Display for ItemHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for ItemHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// The items of a feed that need nothing any more, those first that were seen longest ago. Bounded:
/// beyond 6 500, what was seen longest ago is forgotten.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownItems(Vec<ItemHash>);

impl KnownItems {
    /// None.
    pub const NONE: Self = Self(Vec::new());

    /// All of them, for whoever looks for many.
    #[must_use]
    pub fn to_set(&self) -> HashSet<ItemHash> {
        self.0.iter().copied().collect()
    }

    /// The same with these items, which stand in the feed now, as those that were seen last.
    #[must_use]
    pub fn seen(&self, now: &[ItemHash]) -> Self {
        let again: BTreeSet<ItemHash> = now.iter().copied().collect();
        let others = self.0.iter().filter(|item| !again.contains(item)).copied();
        let mut all: Vec<ItemHash> = others.collect();
        all.extend(again);
        all.drain(..all.len().saturating_sub(KNOWN_MAX));
        Self(all)
    }

    /// As a store keeps them.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|item| item.0).collect()
    }

    /// As a store has kept them; `None` for what are none.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (items, rest) = bytes.as_chunks::<HASH_BYTES>();
        rest.is_empty().then(|| Self(items.iter().map(|bytes| ItemHash(*bytes)).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(numbers: std::ops::Range<usize>) -> Vec<ItemHash> {
        numbers.map(|number| ItemHash::of(&number.to_string())).collect()
    }

    #[test]
    fn what_stands_in_the_feed_is_never_forgotten() {
        let standing = items(0..ITEMS_MAX);
        let mut known = KnownItems::NONE.seen(&standing);
        for round in 1..20 {
            let others = items(round * 10_000..round * 10_000 + ITEMS_MAX / 2);
            let now = [&standing[..ITEMS_MAX / 2], &others[..]].concat();
            known = known.seen(&now);
            let held: BTreeSet<ItemHash> = known.0.iter().copied().collect();
            assert!(now.iter().all(|item| held.contains(item)), "{round}");
            assert!(known.0.len() <= KNOWN_MAX, "{round}");
        }
        assert!(!known.to_set().contains(&standing[ITEMS_MAX - 1]), "it has long gone");
    }

    #[test]
    fn they_are_kept_as_bytes() {
        let known = KnownItems::NONE.seen(&items(0..3));
        assert_eq!(KnownItems::from_bytes(&known.to_bytes()), Some(known.clone()));
        assert_eq!(KnownItems::from_bytes(&[]), Some(KnownItems::NONE));
        assert_eq!(KnownItems::from_bytes(&known.to_bytes()[1..]), None);
        assert_eq!(ItemHash::of("a").to_string(), "ca978112ca1bbdcafac231b39a23dc4d");
    }
}
