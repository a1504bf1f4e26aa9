//! Places: how much of what a process does at once, and how workspaces share that.

use std::collections::BTreeMap;

use super::WorkKind;
use crate::ids::WorkspaceId;
use crate::media::MediaStatus;
use crate::platform::Platform;

/// What there are places for: publishes to one network, or work of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Publishes to this network.
    Publish(Platform),
    /// Deliveries.
    Deliver,
    /// Files that are fetched.
    Fetch,
    /// Files that are examined.
    Examine,
    /// Files that are given up or erased.
    Erase,
    /// Readings.
    Read,
}

impl Place {
    /// Those of everything but publishes.
    pub const BESIDE_PUBLISHES: [Self; 5] =
        [Self::Deliver, Self::Fetch, Self::Examine, Self::Erase, Self::Read];

    /// Every place.
    pub fn all() -> impl Iterator<Item = Self> {
        Platform::known().map(Self::Publish).chain(Self::BESIDE_PUBLISHES)
    }

    /// The place of work; `None` for a publish that names no network.
    #[must_use]
    pub const fn of(kind: WorkKind, platform: Option<Platform>) -> Option<Self> {
        match (kind, platform) {
            (WorkKind::Publish, Some(platform)) => Some(Self::Publish(platform)),
            (WorkKind::Publish, None) => None,
            (WorkKind::Deliver, _) => Some(Self::Deliver),
            (WorkKind::Fetch, _) => Some(Self::Fetch),
            (WorkKind::Examine, _) => Some(Self::Examine),
            (WorkKind::Erase, _) => Some(Self::Erase),
            (WorkKind::Read, _) => Some(Self::Read),
        }
    }

    /// The name: that of the network or of the kind of work.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Publish(platform) => platform.as_str(),
            Self::Deliver => WorkKind::Deliver.as_str(),
            Self::Fetch => WorkKind::Fetch.as_str(),
            Self::Examine => WorkKind::Examine.as_str(),
            Self::Erase => WorkKind::Erase.as_str(),
            Self::Read => WorkKind::Read.as_str(),
        }
    }
}

impl WorkKind {
    /// The kinds of work on files.
    pub const OF_FILES: [Self; 3] = [Self::Fetch, Self::Examine, Self::Erase];

    /// The work on a file of this status.
    #[must_use]
    pub const fn of_file(status: MediaStatus) -> Self {
        match status {
            MediaStatus::Ingesting => Self::Fetch,
            MediaStatus::Processing => Self::Examine,
            MediaStatus::AwaitingUpload
            | MediaStatus::Ready
            | MediaStatus::Failed
            | MediaStatus::Deleted => Self::Erase,
        }
    }
}

/// So many places, and who has them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pool {
    count: u32,
    taken: u32,
    of: BTreeMap<WorkspaceId, u32>,
}

impl Pool {
    const fn new(count: u32) -> Self {
        Self { count, taken: 0, of: BTreeMap::new() }
    }

    const fn free(&self) -> u32 {
        self.count.saturating_sub(self.taken)
    }

    /// The rule of sharing.
    fn has_room(&self, workspace: WorkspaceId) -> bool {
        self.of.get(&workspace).copied().unwrap_or_default() < self.free()
    }

    fn take(&mut self, workspace: WorkspaceId) {
        self.taken += 1;
        *self.of.entry(workspace).or_default() += 1;
    }

    fn give_back(&mut self, workspace: WorkspaceId) {
        let Some(held) = self.of.get_mut(&workspace) else { return };
        self.taken = self.taken.saturating_sub(1);
        *held = held.saturating_sub(1);
        if *held == 0 {
            self.of.remove(&workspace);
        }
    }
}

/// What has no place at the moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Full {
    /// For no workspace.
    pub places: Vec<Place>,
    /// For these workspaces only.
    pub shares: Vec<(WorkspaceId, Place)>,
}

/// The places of a process. A workspace gets another one only while more are free than it holds:
/// so one workspace never holds more than half, and however many take what they can, some are left
/// for the next.
///
/// ```
/// use scheduler_core::ids::WorkspaceId;
/// use scheduler_core::ports::{Place, Places};
/// # let (one, two) = (WorkspaceId(uuid::Uuid::from_u128(1)), WorkspaceId(uuid::Uuid::from_u128(2)));
/// let mut places = Places::default().with(Place::Fetch, 4);
/// assert!(places.claim(Place::Fetch, one));
/// assert!(places.claim(Place::Fetch, one));
/// assert!(!places.claim(Place::Fetch, one), "two are free, and it holds two");
/// assert!(places.claim(Place::Fetch, two));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Of all networks together.
    publishes: Option<Pool>,
    pools: BTreeMap<Place, Pool>,
}

impl Places {
    /// The same with so many of these places. Without a number there is no bound.
    #[must_use]
    pub fn with(mut self, place: Place, count: u32) -> Self {
        self.pools.insert(place, Pool::new(count));
        self
    }

    /// The same with so many places for publishes to all networks together.
    #[must_use]
    pub fn with_publishes(self, count: u32) -> Self {
        Self { publishes: Some(Pool::new(count)), ..self }
    }

    /// Whether a workspace may take another place.
    #[must_use]
    pub fn has_room(&self, place: Place, workspace: WorkspaceId) -> bool {
        self.pools_of(place).all(|pool| pool.has_room(workspace))
    }

    /// Takes a place if the workspace may.
    pub fn claim(&mut self, place: Place, workspace: WorkspaceId) -> bool {
        let has_room = self.has_room(place, workspace);
        if has_room {
            self.take(place, workspace);
        }
        has_room
    }

    /// Takes a place, whether or not the workspace may: the work is held already.
    pub fn take(&mut self, place: Place, workspace: WorkspaceId) {
        self.pools_of_mut(place).for_each(|pool| pool.take(workspace));
    }

    /// Gives a place back.
    pub fn give_back(&mut self, place: Place, workspace: WorkspaceId) {
        self.pools_of_mut(place).for_each(|pool| pool.give_back(workspace));
    }

    /// True when no place is free.
    #[must_use]
    pub fn is_full(&self) -> bool {
        Place::all().all(|place| self.is_full_of(place))
    }

    /// What has no place at the moment.
    #[must_use]
    pub fn full(&self) -> Full {
        let mut full = Full::default();
        for place in Place::all() {
            if self.is_full_of(place) {
                full.places.push(place);
                continue;
            }
            // Who holds nothing has room for one.
            let mut holders: Vec<WorkspaceId> =
                self.pools_of(place).flat_map(|pool| pool.of.keys().copied()).collect();
            holders.sort_unstable();
            holders.dedup();
            holders.retain(|workspace| !self.has_room(place, *workspace));
            full.shares.extend(holders.into_iter().map(|workspace| (workspace, place)));
        }
        full
    }

    fn is_full_of(&self, place: Place) -> bool {
        self.pools_of(place).any(|pool| pool.free() == 0)
    }

    fn pools_of(&self, place: Place) -> impl Iterator<Item = &Pool> {
        let all = self.publishes.as_ref().filter(|_| matches!(place, Place::Publish(_)));
        all.into_iter().chain(self.pools.get(&place))
    }

    fn pools_of_mut(&mut self, place: Place) -> impl Iterator<Item = &mut Pool> {
        let all = self.publishes.as_mut().filter(|_| matches!(place, Place::Publish(_)));
        all.into_iter().chain(self.pools.get_mut(&place))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn workspace(number: u128) -> WorkspaceId {
        WorkspaceId(Uuid::from_u128(number))
    }

    /// How many places each workspace gets when one after the other takes all that it may.
    fn greedy(count: u32, workspaces: u128) -> Vec<u32> {
        let mut places = Places::default().with(Place::Deliver, count);
        (0..workspaces)
            .map(|number| {
                let mut held = 0;
                while places.claim(Place::Deliver, workspace(number)) {
                    held += 1;
                }
                held
            })
            .collect()
    }

    #[test]
    fn one_takes_half_and_some_are_left_for_the_next() {
        for (count, workspaces, want) in [
            (0, 1, vec![0]),
            (1, 2, vec![1, 0]),
            (2, 3, vec![1, 1, 0]),
            (3, 3, vec![2, 1, 0]),
            (4, 4, vec![2, 1, 1, 0]),
            (16, 6, vec![8, 4, 2, 1, 1, 0]),
            (128, 9, vec![64, 32, 16, 8, 4, 2, 1, 1, 0]),
        ] {
            assert_eq!(greedy(count, workspaces), want, "{count} places");
        }
    }

    #[test]
    fn two_who_always_want_more_come_to_hold_the_same() {
        let mut places = Places::default().with(Place::Deliver, 15);
        let (one, two) = (workspace(1), workspace(2));
        let (mut held_by_one, mut held_by_two) = (0, 0);
        while places.claim(Place::Deliver, one) {
            held_by_one += 1;
        }
        for _ in 0..20 {
            // One of the first ends, and both want the place.
            places.give_back(Place::Deliver, one);
            held_by_one -= 1;
            held_by_one += i32::from(places.claim(Place::Deliver, one));
            held_by_two += i32::from(places.claim(Place::Deliver, two));
        }
        assert_eq!((held_by_one, held_by_two), (5, 5));
    }

    #[test]
    fn what_is_full_is_told() {
        let bluesky = Place::Publish(Platform::Bluesky);
        let mastodon = Place::Publish(Platform::Mastodon);
        let (one, two) = (workspace(1), workspace(2));
        let mut places = Places::default()
            .with_publishes(5)
            .with(bluesky, 4)
            .with(Place::Erase, 1)
            .with(Place::Read, 0);
        let full = |places: &Places| {
            let Full { places, shares } = places.full();
            (places, shares)
        };
        assert_eq!(full(&places), (vec![Place::Read], vec![]));
        places.take(bluesky, one);
        places.take(Place::Erase, one);
        assert_eq!(full(&places), (vec![Place::Erase, Place::Read], vec![]));
        places.give_back(Place::Erase, one);
        places.take(bluesky, one);
        assert_eq!(full(&places), (vec![Place::Read], vec![(one, bluesky)]));
        // Of five publishes in all, it holds three, whichever networks they go to.
        places.take(mastodon, one);
        let of_one = Platform::ALL.map(|platform| (one, Place::Publish(platform)));
        assert_eq!(full(&places), (vec![Place::Read], of_one.to_vec()));
        assert!(places.has_room(mastodon, two));
        places.take(mastodon, two);
        places.take(mastodon, two);
        let all: Vec<Place> =
            Platform::ALL.into_iter().map(Place::Publish).chain([Place::Read]).collect();
        assert_eq!(full(&places), (all, vec![]));
        assert!(!places.is_full(), "deliveries have no bound");
    }

    #[test]
    fn what_is_given_back_is_free_again() {
        let mut places = Places::default();
        for place in Place::all() {
            places = places.with(place, 2);
        }
        let empty = places.clone();
        for place in Place::all() {
            assert!(places.claim(place, workspace(1)), "{place:?}");
            places.take(place, workspace(2));
            assert!(!places.has_room(place, workspace(3)), "{place:?}");
        }
        assert!(places.is_full());
        for place in Place::all() {
            places.give_back(place, workspace(2));
            places.give_back(place, workspace(1));
            places.give_back(place, workspace(1));
        }
        assert_eq!(places, empty);
    }

    #[test]
    fn names_differ() {
        let names: std::collections::BTreeSet<&str> = Place::all().map(Place::as_str).collect();
        assert_eq!(names.len(), Place::all().count());
    }
}
