//! The connections that a server holds: how many, of whom, and which one goes when there is no
//! place for another.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::activity::{Activity, Worth};

/// How long to wait before it is looked again whether a connection has come to rest.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// How many connections a server holds at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// In all. Each may take two handles of files: its own, and that of a file it sends or gets.
    pub all: NonZeroU32,
    /// Of one address at the other end, or of one network of IPv6 with 64 bits. Addresses of this
    /// machine, where a proxy may stand for everybody, may take all.
    pub per_address: NonZeroU32,
}

impl ConnectionLimits {
    /// Source: our decision; each takes some 20 KiB.
    const ALL: NonZeroU32 = NonZeroU32::new(1_000).unwrap();

    /// So many in all, of which one address may take a quarter.
    #[must_use]
    pub fn of(all: NonZeroU32) -> Self {
        Self { all, per_address: NonZeroU32::new(all.get() / 4).unwrap_or(NonZeroU32::MIN) }
    }

    /// How many an address may have; `None` for as many as there are.
    fn share_of(&self, peer: IpAddr) -> Option<usize> {
        let is_part = !peer.is_loopback() && self.per_address < self.all;
        is_part.then(|| count(self.per_address))
    }

    /// In all, as a number to count with.
    pub(crate) fn all(&self) -> usize {
        count(self.all)
    }
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self::of(Self::ALL)
    }
}

fn count(number: NonZeroU32) -> usize {
    usize::try_from(number.get()).unwrap_or(usize::MAX)
}

/// The connections that are held.
#[derive(Debug)]
pub(super) struct Connections {
    limits: ConnectionLimits,
    held: Mutex<Held>,
    ended: Notify,
}

#[derive(Debug, Default)]
struct Held {
    next: u64,
    places: HashMap<u64, Occupied>,
}

#[derive(Debug)]
struct Occupied {
    activity: Arc<Activity>,
    closing: CancellationToken,
}

/// Whether there is a place for a connection.
#[derive(Debug)]
pub(super) enum Admission {
    Taken(Place),
    /// Every connection is being answered; one may end at any time.
    Full,
    /// The address has its share, and each of its connections is being answered.
    Refused,
}

impl Connections {
    pub(super) fn new(limits: ConnectionLimits) -> Arc<Self> {
        Arc::new(Self { limits, held: Mutex::default(), ended: Notify::new() })
    }

    /// Gives a connection a place. Where there is none left, the one goes that matters least, of
    /// several the one that has been so for longest: of the same address where that has its share.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> Admission {
        let peer = peer.to_canonical();
        let mut held = self.held();
        let network = network_of(peer);
        let is_neighbour = |place: &Occupied| network_of(place.activity.peer()) == network;
        let of_peer = held.places.values().filter(|place| is_neighbour(place)).count();
        if self.limits.share_of(peer).is_some_and(|share| of_peer >= share) {
            if !held.close_one(is_neighbour) {
                return Admission::Refused;
            }
        } else if held.places.len() >= self.limits.all() && !held.close_one(|_| true) {
            return Admission::Full;
        }
        held.next += 1;
        let number = held.next;
        let (activity, closing) = (Arc::new(Activity::of(peer)), CancellationToken::new());
        let place = Occupied { activity: Arc::clone(&activity), closing: closing.clone() };
        held.places.insert(number, place);
        Admission::Taken(Place { connections: Arc::clone(self), number, activity, closing })
    }

    /// Closes the connection that matters least; for when handles of files have run out.
    pub(super) fn close_one(&self) {
        self.held().close_one(|_| true);
    }

    /// Waits until there may be a place again.
    pub(super) async fn freed(&self) {
        // Nobody says when a connection comes to rest.
        let _ = timeout(LOOK_AGAIN, self.ended.notified()).await;
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// False when each of these connections is being answered.
    fn close_one(&mut self, of: impl Fn(&Occupied) -> bool) -> bool {
        let places = self.places.iter().filter(|(_, place)| of(place));
        let worths = places.map(|(number, place)| (place.activity.worth(), *number));
        let least: Option<((Worth, Instant), u64)> = worths.min();
        let Some(((worth, _), number)) = least.filter(|((worth, _), _)| *worth < Worth::Busy)
        else {
            return false;
        };
        if let Some(place) = self.places.remove(&number) {
            tracing::debug!(?worth, "a connection makes room for another");
            place.closing.cancel();
        }
        true
    }
}

/// The place of a connection; free again when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    connections: Arc<Connections>,
    number: u64,
    pub(super) activity: Arc<Activity>,
    /// Cancelled when another connection is given the place.
    pub(super) closing: CancellationToken,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.held().places.remove(&self.number);
        self.connections.ended.notify_one();
    }
}

/// The address, or of one of IPv6 the network: whoever has one address has all of these.
fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => Ipv6Addr::from_bits(six.to_bits() >> 64 << 64).into(),
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use tokio::time::advance;

    use super::super::activity::{Connection, Open};
    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn limits(all: u32, per_address: u32) -> ConnectionLimits {
        let [all, per_address] = [all, per_address].map(|n| NonZeroU32::new(n).unwrap());
        ConnectionLimits { all, per_address }
    }

    fn taken(connections: &Arc<Connections>, peer: IpAddr) -> Place {
        match connections.admit(peer) {
            Admission::Taken(place) => place,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_one_that_matters_least_goes_first() {
        let connections = Connections::new(limits(5, 5));
        let mut places = Vec::new();
        for _ in 0..5 {
            places.push(taken(&connections, HERE));
            advance(Duration::from_millis(1)).await;
        }
        let [known, stranger, slow, first_silent, second_silent] = &places[..] else { panic!() };
        drop(Open::new(&known.activity));
        Connection::new(&known.activity).is_known();
        drop(Open::new(&stranger.activity));
        let _waits = Open::new(&slow.activity);
        slow.activity.awaits_body(true);
        advance(Duration::from_secs(1)).await;
        let mut busy = Vec::new();
        for (name, goes) in [
            ("silent, the older one", first_silent),
            ("silent", second_silent),
            ("resting", stranger),
            ("slow", slow),
            ("of somebody known", known),
        ] {
            assert!(!goes.closing.is_cancelled(), "{name}");
            let next = taken(&connections, HERE);
            assert!(goes.closing.is_cancelled(), "{name}");
            busy.push((Open::new(&next.activity), next));
        }
        assert!(matches!(connections.admit(HERE), Admission::Full));
        // The end of one that had lost its place frees none.
        places.clear();
        assert!(matches!(connections.admit(HERE), Admission::Full));
        busy.pop();
        drop(taken(&connections, HERE));
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_has_a_share_and_this_machine_all() {
        let connections = Connections::new(limits(6, 2));
        let [one, other]: [IpAddr; 2] = ["192.0.2.1", "192.0.2.2"].map(|it| it.parse().unwrap());
        let six = |last: u16| IpAddr::from([0x2001, 0xdb8, 0, 0, 0, 0, 0, last]);
        let mut held = Vec::new();
        for peer in [one, six(1), one, six(2)] {
            held.push(taken(&connections, peer));
            advance(Duration::from_millis(1)).await;
        }
        held.push(taken(&connections, other));
        let places: Vec<Place> = vec![taken(&connections, one), taken(&connections, six(3))];
        let closed: Vec<bool> = held.iter().map(|place| place.closing.is_cancelled()).collect();
        assert_eq!(closed, [true, true, false, false, false], "each makes room for its own");
        let open: Vec<Open> =
            held.iter().chain(&places).map(|place| Open::new(&place.activity)).collect();
        assert!(matches!(connections.admit(one), Admission::Refused));
        assert!(matches!(connections.admit(six(4)), Admission::Refused));
        drop((open, places, held));
        let mapped = "::ffff:127.0.0.1".parse().unwrap();
        let here: Vec<Place> = (0..6).map(|_| taken(&connections, mapped)).collect();
        assert!(here.iter().all(|place| !place.closing.is_cancelled()));
    }
}
