//! Where an address leads.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

/// An address of this machine itself in place of one that stands for all of its addresses.
pub(crate) fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}
