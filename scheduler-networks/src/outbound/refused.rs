//! The table of addresses that are refused, however they are written, and of those that are not.

/// An address that must never be called: its name, how it is written, and what is said of it.
pub(super) struct Form {
    pub(super) name: &'static str,
    pub(super) url: &'static str,
    pub(super) told: Told,
}

/// What is said of an address.
#[derive(Clone, Copy)]
pub(super) enum Told {
    /// That this host is not public.
    Inner(&'static str),
    /// That it is no address.
    Unreadable,
    /// That it must begin with https.
    NotHttps,
}

const fn inner(name: &'static str, url: &'static str, host: &'static str) -> Form {
    Form { name, url, told: Told::Inner(host) }
}

const fn unreadable(name: &'static str, url: &'static str) -> Form {
    Form { name, url, told: Told::Unreadable }
}

const fn not_https(name: &'static str, url: &'static str) -> Form {
    Form { name, url, told: Told::NotHttps }
}

/// Absolute addresses only, so that each means the same behind a redirect.
pub(super) const REFUSED: [Form; 128] = [
    // Names.
    inner("localhost", "https://localhost/", "localhost"),
    inner("localhost with a port", "https://localhost:8443/", "localhost"),
    inner("localhost with a dot", "https://LOCALHOST./", "localhost."),
    inner("below localhost", "https://a.localhost/", "a.localhost"),
    inner("below localhost with a dot", "https://a.localhost./", "a.localhost."),
    inner("localhost in full-width letters", "https://ｌｏｃａｌｈｏｓｔ/", "localhost"),
    inner("localhost in circled letters", "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", "localhost"),
    inner("localhost with a soft hyphen", "https://local\u{ad}host/", "localhost"),
    inner("localhost, percent-encoded", "https://%6c%6f%63alhost/", "localhost"),
    inner("localhost with an ideographic dot", "https://localhost。/", "localhost."),
    inner("local domain", "https://localhost.localdomain/", "localhost.localdomain"),
    inner("mDNS", "https://printer.local/", "printer.local"),
    inner("mDNS with a dot", "https://printer.local./", "printer.local."),
    inner("metadata by name", "https://metadata.google.internal/", "metadata.google.internal"),
    inner("with a dot", "https://metadata.google.internal./", "metadata.google.internal."),
    inner("metadata by the name of another cloud", "https://a.ec2.internal/", "a.ec2.internal"),
    inner("home network", "https://nas.home.arpa/", "nas.home.arpa"),
    inner("never a name", "https://a.invalid/", "a.invalid"),
    // Loopback.
    inner("loopback", "https://127.0.0.1/", "127.0.0.1"),
    inner("loopback with a port", "https://127.0.0.1:8080/", "127.0.0.1"),
    inner("loopback with a dot", "https://127.0.0.1./", "127.0.0.1"),
    inner("another loopback", "https://127.255.255.254/", "127.255.255.254"),
    inner("decimal", "https://2130706433/", "127.0.0.1"),
    inner("decimal with a dot", "https://2130706433./", "127.0.0.1"),
    inner("octal", "https://0177.0.0.1/", "127.0.0.1"),
    inner("octal with many zeros", "https://00000177.0.0.01/", "127.0.0.1"),
    inner("one octal number", "https://017700000001/", "127.0.0.1"),
    inner("hexadecimal", "https://0x7f.0x0.0x0.0x1/", "127.0.0.1"),
    inner("upper case hexadecimal", "https://0X7F.0.0.1/", "127.0.0.1"),
    inner("one hexadecimal number", "https://0x7f000001/", "127.0.0.1"),
    inner("a digit that is none", "https://127.0x.0.1/", "127.0.0.1"),
    inner("mixed", "https://0x7f.0.0.01/", "127.0.0.1"),
    inner("short", "https://127.1/", "127.0.0.1"),
    inner("hexadecimal and short", "https://0x7f.1/", "127.0.0.1"),
    inner("octal and short", "https://0177.1/", "127.0.0.1"),
    inner("two numbers", "https://127.65535/", "127.0.255.255"),
    inner("three numbers", "https://127.0.257/", "127.0.1.1"),
    inner("percent-encoded", "https://%31%32%37.0.0.1/", "127.0.0.1"),
    inner("percent-encoded dots", "https://127%2e0%2e0%2e1/", "127.0.0.1"),
    inner("full-width digits", "https://１２７.０.０.１/", "127.0.0.1"),
    inner(
        "full-width digits, percent-encoded",
        "https://%EF%BC%91%EF%BC%92%EF%BC%97.1/",
        "127.0.0.1",
    ),
    inner("circled digits", "https://①②⑦.⓪.⓪.①/", "127.0.0.1"),
    inner("superscript digits", "https://¹²⁷.0.0.1/", "127.0.0.1"),
    inner("bold digits", "https://𝟏𝟐𝟕.𝟎.𝟎.𝟏/", "127.0.0.1"),
    inner("ideographic dots", "https://127。0。0。1/", "127.0.0.1"),
    inner("full-width dots", "https://127．0．0．1/", "127.0.0.1"),
    inner("half-width dots", "https://127｡0｡0｡1/", "127.0.0.1"),
    inner("a line end in it", "https://127.0\n.0.1/", "127.0.0.1"),
    inner("a tab in it", "https://127.\t0.0.1/", "127.0.0.1"),
    inner("backslashes", "https:\\\\127.0.0.1\\", "127.0.0.1"),
    inner("many slashes", "https:////127.0.0.1/", "127.0.0.1"),
    // What stands around the host.
    inner("a user that looks public", "https://example.com@10.0.0.1/", "10.0.0.1"),
    inner("a password that looks public", "https://a:example.com@127.0.0.1/", "127.0.0.1"),
    inner("two at signs", "https://a@example.com@127.0.0.1/", "127.0.0.1"),
    inner("a user with a port", "https://example.com:443@[::1]/", "[::1]"),
    inner("a fragment that looks public", "https://127.0.0.1#@example.com/", "127.0.0.1"),
    inner("a query that looks public", "https://127.0.0.1?@example.com/", "127.0.0.1"),
    inner("a backslash before a public one", "https://127.0.0.1\\@example.com/", "127.0.0.1"),
    // Unspecified and this network.
    inner("unspecified", "https://0.0.0.0/", "0.0.0.0"),
    inner("unspecified, short", "https://0/", "0.0.0.0"),
    inner("unspecified, no digit", "https://0x/", "0.0.0.0"),
    inner("this network", "https://0.1.2.3/", "0.1.2.3"),
    // Private.
    inner("private 10", "https://10.0.0.1/", "10.0.0.1"),
    inner("private 10, three numbers", "https://10.1.257/", "10.1.1.1"),
    inner("private 10, decimal", "https://167772161/", "10.0.0.1"),
    inner("private 172", "https://172.16.0.1/", "172.16.0.1"),
    inner("private 172, end", "https://172.31.255.255/", "172.31.255.255"),
    inner("private 192", "https://192.168.1.1/", "192.168.1.1"),
    inner("private 192, octal", "https://0300.0250.0.1/", "192.168.0.1"),
    inner("private 192, hexadecimal", "https://0xc0a80001/", "192.168.0.1"),
    inner("carriers' block", "https://100.64.0.1/", "100.64.0.1"),
    inner("carriers' block, decimal", "https://1681915905/", "100.64.0.1"),
    // Link-local, and what clouds answer at.
    inner("link-local", "https://169.254.0.1/", "169.254.0.1"),
    inner("metadata", "https://169.254.169.254/latest", "169.254.169.254"),
    inner("metadata, decimal", "https://2852039166/", "169.254.169.254"),
    inner("metadata, octal", "https://0251.0376.0251.0376/", "169.254.169.254"),
    inner("metadata, hexadecimal", "https://0xa9fea9fe/", "169.254.169.254"),
    inner("metadata, short", "https://169.254.43518/", "169.254.169.254"),
    inner("metadata, circled", "https://①⑥⑨.②⑤④.①⑥⑨.②⑤④/", "169.254.169.254"),
    inner("metadata of containers", "https://169.254.170.2/", "169.254.170.2"),
    inner("metadata in the carriers' block", "https://100.100.100.200/", "100.100.100.200"),
    inner("metadata among the assignments", "https://192.0.0.192/", "192.0.0.192"),
    inner("a cloud's host agent", "https://168.63.129.16/", "168.63.129.16"),
    inner("a cloud's host agent, decimal", "https://2822734096/", "168.63.129.16"),
    // Not one host's.
    inner("documentation 1", "https://192.0.2.1/", "192.0.2.1"),
    inner("documentation 2", "https://198.51.100.1/", "198.51.100.1"),
    inner("documentation 3", "https://203.0.113.1/", "203.0.113.1"),
    inner("6to4 relay", "https://192.88.99.1/", "192.88.99.1"),
    inner("benchmarks", "https://198.19.255.255/", "198.19.255.255"),
    inner("multicast", "https://224.0.0.1/", "224.0.0.1"),
    inner("reserved", "https://240.0.0.1/", "240.0.0.1"),
    inner("broadcast", "https://255.255.255.255/", "255.255.255.255"),
    inner("broadcast, decimal", "https://4294967295/", "255.255.255.255"),
    // IPv6.
    inner("v6 loopback", "https://[::1]/", "[::1]"),
    inner("v6 loopback with a port", "https://[::1]:8443/", "[::1]"),
    inner("v6 loopback written out", "https://[0:0:0:0:0:0:0:1]/", "[::1]"),
    inner("v6 unspecified", "https://[::]/", "[::]"),
    inner("v4-mapped", "https://[::ffff:127.0.0.1]/", "[::ffff:7f00:1]"),
    inner("v4-mapped, in hexadecimal", "https://[::FFFF:7F00:1]/", "[::ffff:7f00:1]"),
    inner("v4-mapped metadata", "https://[::ffff:169.254.169.254]/", "[::ffff:a9fe:a9fe]"),
    inner("v4-compatible", "https://[::127.0.0.1]/", "[::7f00:1]"),
    inner("v4-translated", "https://[::ffff:0:10.0.0.1]/", "[::ffff:0:a00:1]"),
    inner("NAT64 of metadata", "https://[64:ff9b::a9fe:a9fe]/", "[64:ff9b::a9fe:a9fe]"),
    inner("NAT64 of loopback", "https://[64:ff9b::127.0.0.1]/", "[64:ff9b::7f00:1]"),
    inner("NAT64 for local use", "https://[64:ff9b:1::8.8.8.8]/", "[64:ff9b:1::808:808]"),
    inner("6to4 of loopback", "https://[2002:7f00:1::]/", "[2002:7f00:1::]"),
    inner("Teredo", "https://[2001:0:7f00:1::]/", "[2001:0:7f00:1::]"),
    inner("unique local", "https://[fd00::1]/", "[fd00::1]"),
    inner("metadata, unique local", "https://[fd00:ec2::254]/", "[fd00:ec2::254]"),
    inner("metadata, of another cloud", "https://[fd20:ce::254]/", "[fd20:ce::254]"),
    inner("link-local v6", "https://[fe80::1]/", "[fe80::1]"),
    inner("site-local", "https://[fec0::1]/", "[fec0::1]"),
    inner("v6 multicast", "https://[ff02::1]/", "[ff02::1]"),
    inner("v6 documentation", "https://[2001:db8::1]/", "[2001:db8::1]"),
    inner("discard only", "https://[100::1]/", "[100::1]"),
    // What is no address here, and must not become one elsewhere.
    unreadable("link-local with a zone", "https://[fe80::1%25eth0]/"),
    unreadable("loopback with a bare zone", "https://[::1%lo]/"),
    unreadable("a number out of range", "https://4294967296/"),
    unreadable("a part out of range", "https://127.0.0.256/"),
    unreadable("five parts", "https://127.0.0.0.1/"),
    unreadable("a digit that is not octal", "https://0178.0.0.1/"),
    unreadable("a NUL", "https://127.0.0.1%00.example.com/"),
    unreadable("a slash in the host", "https://127.0.0.1%2f.example.com/"),
    not_https("http", "http://127.0.0.1/"),
    not_https("http to a public host", "http://example.com/"),
    not_https("a file", "file:///etc/passwd"),
    not_https("gopher", "gopher://127.0.0.1:6379/_INFO"),
    not_https("a page in itself", "data:text/plain,x"),
];

/// Addresses that look like refused ones, and are public.
pub(super) const PUBLIC: [(&str, &str); 24] = [
    ("a name", "https://example.com/hook?a=1"),
    ("a name with a dot", "https://example.com./"),
    ("a port", "https://example.com:8443/"),
    ("upper case", "HTTPS://EXAMPLE.COM"),
    ("an international name", "https://bücher.example/"),
    ("not below localhost", "https://localhost.example.com/"),
    ("ends like localhost", "https://mylocalhost/"),
    ("ends like a local name", "https://notlocal/"),
    ("begins like an inner name", "https://internal.example.com/"),
    ("a loopback in a name", "https://127.0.0.1.example.com/"),
    ("an address in a query", "https://example.com/?url=https://127.0.0.1/"),
    ("an address in a fragment", "https://example.com/#@127.0.0.1"),
    ("an address behind a backslash", "https://example.com\\@127.0.0.1/"),
    ("public v4", "https://8.8.8.8/"),
    ("public v4, decimal", "https://134744072/"),
    ("public v4, hexadecimal", "https://0x08080808/"),
    ("before private 10", "https://9.255.255.255/"),
    ("after private 172", "https://172.32.0.1/"),
    ("before the carriers' block", "https://100.63.255.255/"),
    ("after link-local", "https://169.255.0.1/"),
    ("beside a cloud's host agent", "https://168.63.129.17/"),
    ("public v6", "https://[2606:4700:4700::1111]/"),
    ("NAT64 of a public host", "https://[64:ff9b::8.8.8.8]/"),
    ("the last before multicast", "https://223.255.255.255/"),
];
