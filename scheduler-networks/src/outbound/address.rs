//! Which IP addresses are public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 blocks that are not globally reachable, or not one host's: network and prefix length.
///
/// Source: <https://www.iana.org/assignments/iana-ipv4-special-registry/>; multicast and the
/// reserved block above it from <https://www.iana.org/assignments/ipv4-address-space/>; the host
/// agent of Azure, which is given to each machine in it and to nobody outside, from
/// <https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16>.
const REFUSED_V4: [(Ipv4Addr, u32); 16] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),        // this network
    (Ipv4Addr::new(10, 0, 0, 0), 8),       // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),    // shared by carriers
    (Ipv4Addr::new(127, 0, 0, 0), 8),      // loopback
    (Ipv4Addr::new(168, 63, 129, 16), 32), // host agent of a cloud
    (Ipv4Addr::new(169, 254, 0, 0), 16),   // link-local, with the metadata services of clouds
    (Ipv4Addr::new(172, 16, 0, 0), 12),    // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),     // protocol assignments
    (Ipv4Addr::new(192, 0, 2, 0), 24),     // documentation
    (Ipv4Addr::new(192, 88, 99, 0), 24),   // 6to4 relays, withdrawn
    (Ipv4Addr::new(192, 168, 0, 0), 16),   // private
    (Ipv4Addr::new(198, 18, 0, 0), 15),    // benchmarks
    (Ipv4Addr::new(198, 51, 100, 0), 24),  // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),   // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),      // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),      // reserved, with broadcast
];

/// The one block from which public IPv6 addresses are given.
///
/// Source: <https://www.iana.org/assignments/ipv6-unicast-address-assignments/>.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Blocks within it that are not globally reachable, or reach an IPv4 host by another name.
///
/// Source: <https://www.iana.org/assignments/iana-ipv6-special-registry/>.
const REFUSED_V6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments, with Teredo
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16), // 6to4
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

/// NAT64: the last 32 bits are an IPv4 address, which is what is reached.
///
/// Source: RFC 6052, section 2.1.
const NAT64: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// True for an address that anybody on the internet reaches as the same host.
///
/// IPv4-mapped IPv6 addresses are never public: a resolver has no cause to answer with one.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !REFUSED_V4.iter().any(|(network, length)| {
        let shift = 32 - length;
        address.to_bits() >> shift == network.to_bits() >> shift
    })
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let is_in = |(network, length): &(Ipv6Addr, u32)| {
        let shift = 128 - length;
        address.to_bits() >> shift == network.to_bits() >> shift
    };
    if is_in(&NAT64) {
        let [.., a, b, c, d] = address.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    is_in(&GLOBAL_V6) && !REFUSED_V6.iter().any(is_in)
}

#[cfg(test)]
pub(in crate::outbound) mod tests {
    use super::*;

    /// Edges of every block, from the registries named above.
    pub(in crate::outbound) const CASES: [(&str, &str, bool); 86] = [
        ("unspecified", "0.0.0.0", false),
        ("this network, end", "0.255.255.255", false),
        ("first public", "1.0.0.0", true),
        ("a public resolver", "8.8.8.8", true),
        ("before private 10", "9.255.255.255", true),
        ("private 10", "10.0.0.1", false),
        ("private 10, end", "10.255.255.255", false),
        ("after private 10", "11.0.0.0", true),
        ("before carriers' block", "100.63.255.255", true),
        ("carriers' block", "100.64.0.0", false),
        ("carriers' block, end", "100.127.255.255", false),
        ("metadata of one cloud in the carriers' block", "100.100.100.200", false),
        ("after carriers' block", "100.128.0.0", true),
        ("before loopback", "126.255.255.255", true),
        ("loopback", "127.0.0.1", false),
        ("loopback, another", "127.1.2.3", false),
        ("loopback, end", "127.255.255.255", false),
        ("after loopback", "128.0.0.0", true),
        ("before a cloud's host agent", "168.63.129.15", true),
        ("a cloud's host agent", "168.63.129.16", false),
        ("after a cloud's host agent", "168.63.129.17", true),
        ("NAT64 of a cloud's host agent", "64:ff9b::168.63.129.16", false),
        ("before link-local", "169.253.255.255", true),
        ("link-local", "169.254.0.1", false),
        ("metadata", "169.254.169.254", false),
        ("container metadata", "169.254.170.2", false),
        ("link-local, end", "169.254.255.255", false),
        ("after link-local", "169.255.0.0", true),
        ("before private 172", "172.15.255.255", true),
        ("private 172", "172.16.0.1", false),
        ("container bridge", "172.17.0.1", false),
        ("private 172, end", "172.31.255.255", false),
        ("after private 172", "172.32.0.0", true),
        ("protocol assignments", "192.0.0.1", false),
        ("metadata of another cloud", "192.0.0.192", false),
        ("between the blocks of 192.0", "192.0.1.0", true),
        ("documentation 1", "192.0.2.1", false),
        ("after documentation 1", "192.0.3.0", true),
        ("6to4 relay", "192.88.99.1", false),
        ("before private 192", "192.167.255.255", true),
        ("private 192", "192.168.0.1", false),
        ("private 192, end", "192.168.255.255", false),
        ("after private 192", "192.169.0.0", true),
        ("before benchmarks", "198.17.255.255", true),
        ("benchmarks", "198.18.0.1", false),
        ("benchmarks, end", "198.19.255.255", false),
        ("after benchmarks", "198.20.0.0", true),
        ("documentation 2", "198.51.100.7", false),
        ("after documentation 2", "198.51.101.0", true),
        ("documentation 3", "203.0.113.255", false),
        ("after documentation 3", "203.0.114.0", true),
        ("last public", "223.255.255.255", true),
        ("multicast", "224.0.0.1", false),
        ("multicast, end", "239.255.255.255", false),
        ("reserved", "240.0.0.1", false),
        ("broadcast", "255.255.255.255", false),
        ("v6 unspecified", "::", false),
        ("v6 loopback", "::1", false),
        ("v4-compatible", "::127.0.0.1", false),
        ("v4-compatible, public", "::8.8.8.8", false),
        ("v4-mapped loopback", "::ffff:127.0.0.1", false),
        ("v4-mapped metadata", "::ffff:a9fe:a9fe", false),
        ("v4-mapped, public", "::ffff:8.8.8.8", false),
        ("v4-translated", "::ffff:0:10.0.0.1", false),
        ("NAT64 of a private host", "64:ff9b::10.0.0.1", false),
        ("NAT64 of loopback", "64:ff9b::7f00:1", false),
        ("NAT64 of metadata", "64:ff9b::169.254.169.254", false),
        ("NAT64 of a public host", "64:ff9b::8.8.8.8", true),
        ("NAT64 for local use", "64:ff9b:1::8.8.8.8", false),
        ("discard only", "100::1", false),
        ("before global unicast", "1fff:ffff::1", false),
        ("Teredo", "2001::1", false),
        ("v6 benchmarks", "2001:2::1", false),
        ("ORCHID", "2001:20::1", false),
        ("protocol assignments, end", "2001:1ff:ffff::1", false),
        ("after protocol assignments", "2001:200::1", true),
        ("v6 documentation", "2001:db8::1", false),
        ("6to4 of a private host", "2002:a00:1::1", false),
        ("a public v6 resolver", "2606:4700:4700::1111", true),
        ("v6 documentation 2", "3fff:fff::1", false),
        ("after v6 documentation 2", "3fff:1000::1", true),
        ("after global unicast", "4000::1", false),
        ("unique local", "fd00:ec2::254", false),
        ("link-local v6", "fe80::1", false),
        ("site-local", "fec0::1", false),
        ("v6 multicast", "ff02::1", false),
    ];

    #[test]
    fn addresses_inside_and_at_the_edges_of_every_block() {
        for (name, text, want) in CASES {
            assert_eq!(is_public(text.parse().unwrap()), want, "{name}: {text}");
        }
    }

    #[test]
    fn no_block_has_bits_beyond_its_prefix() {
        for (network, length) in REFUSED_V4 {
            assert_eq!(network.to_bits().unbounded_shl(length), 0, "{network}/{length}");
        }
        for (network, length) in REFUSED_V6.into_iter().chain([GLOBAL_V6, NAT64]) {
            assert_eq!(network.to_bits() << length, 0, "{network}/{length}");
        }
    }
}
