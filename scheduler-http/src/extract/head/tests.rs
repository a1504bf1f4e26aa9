use super::*;

fn head(headers: &[(&str, &str)]) -> Head {
    let mut request = Request::builder();
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Head::take(&mut request.body(()).unwrap())
}

#[test]
fn keys() {
    for (name, headers, want) in [
        ("a key", &[("authorization", "Bearer sk_1")][..], Some("sk_1")),
        ("another case", &[("authorization", "bEARER sk_1")], Some("sk_1")),
        ("another scheme", &[("authorization", "Basic sk_1")], None),
        ("no scheme", &[("authorization", "sk_1")], None),
        ("twice", &[("authorization", "Bearer a"), ("authorization", "Bearer b")], None),
        ("none", &[], None),
    ] {
        assert_eq!(head(headers).bearer(), want, "{name}");
    }
}

#[test]
fn requests_of_this_machine() {
    for (name, peer, headers, want) in [
        ("a scraper", "127.0.0.1", &[("host", "127.0.0.1:8080")][..], true),
        ("by name", "::1", &[("host", "LocalHost:8080")], true),
        ("by the other kind of address", "::ffff:127.0.0.1", &[("host", "[::1]:8080")], true),
        ("from elsewhere", "192.0.2.1", &[("host", "127.0.0.1")], false),
        ("a proxy", "127.0.0.1", &[("host", "a"), ("x-forwarded-for", "192.0.2.1")], false),
        ("another proxy", "127.0.0.1", &[("host", "::1"), ("forwarded", "for=a")], false),
        ("a proxy that says so", "::1", &[("host", "localhost"), ("via", "1.1 p")], false),
        ("for another host", "127.0.0.1", &[("host", "scheduler.example.com")], false),
        ("for a host like it", "127.0.0.1", &[("host", "127.0.0.1.example.com")], false),
        ("for no host", "127.0.0.1", &[], false),
    ] {
        let mut request = Request::builder();
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(()).unwrap();
        request.extensions_mut().insert(Connection::of(peer.parse().unwrap()));
        assert_eq!(Head::take(&mut request).is_of_this_machine(), want, "{name}");
    }
    assert!(!head(&[("host", "localhost")]).is_of_this_machine(), "from nowhere");
}

#[test]
fn json_types() {
    for (name, headers, want) in [
        ("json", &[("content-type", "application/json")][..], true),
        ("charset", &[("content-type", "Application/JSON; charset=utf-8")], true),
        ("a kind of json", &[("content-type", "application/problem+json")], true),
        ("form", &[("content-type", "application/x-www-form-urlencoded")], false),
        ("text", &[("content-type", "text/json")], false),
        ("nothing", &[], false),
    ] {
        assert_eq!(head(headers).is_json(), want, "{name}");
    }
}

#[test]
fn cookies() {
    for (name, headers, want) in [
        ("the only one", &[("cookie", "a=1")][..], Some("1")),
        ("one of several", &[("cookie", "b=2; a=1; c=3")], Some("1")),
        ("of another header", &[("cookie", "b=2"), ("cookie", "a=1")], Some("1")),
        ("the first", &[("cookie", "a=1; a=2")], Some("1")),
        ("a longer name", &[("cookie", "aa=1")], None),
        ("none", &[], None),
    ] {
        let mut request = Request::builder();
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let head = Head::take(&mut request.body(()).unwrap());
        assert_eq!(head.cookie("a"), want, "{name}");
    }
}

#[test]
fn sites() {
    let server = Url::parse("https://s.example/scheduler").unwrap();
    for (name, headers, want) in [
        ("no browser", &[][..], false),
        ("a form of ours", &[("sec-fetch-site", "same-origin"), ("origin", "null")], false),
        ("the person", &[("sec-fetch-site", "none")], false),
        ("another site", &[("sec-fetch-site", "cross-site"), ("origin", "null")], true),
        ("a neighbour", &[("sec-fetch-site", "same-site")], true),
        ("two sites", &[("sec-fetch-site", "none"), ("sec-fetch-site", "none")], true),
        ("an older browser, without a referrer", &[("origin", "null")], false),
        ("an older browser", &[("origin", "https://s.example")], false),
        ("by another name", &[("origin", "http://[::1]:80"), ("host", "[::1]:80")], false),
        ("another origin", &[("origin", "https://x.example"), ("host", "s.example")], true),
        ("another port", &[("origin", "https://s.example:1")], true),
        ("not secure", &[("origin", "http://s.example")], true),
        ("two origins", &[("origin", "null"), ("origin", "null")], true),
    ] {
        assert_eq!(head(headers).is_of_other_site(&server), want, "{name}");
    }
}

#[test]
fn hosts_of_the_server() {
    let server = Url::parse("https://S.example/scheduler").unwrap();
    for (host, want) in [
        ("s.example", true),
        ("S.EXAMPLE:8443", true),
        ("localhost:8080", true),
        ("127.0.0.1:8080", true),
        ("[::1]:8080", true),
        ("x.example", false),
        ("s.example.x.example", false),
        ("127.0.0.1.x.example", false),
        ("192.0.2.1", false),
    ] {
        assert_eq!(head(&[("host", host)]).is_for(&server), want, "{host}");
    }
    assert!(!head(&[]).is_for(&server), "for nobody");
}

#[test]
fn origins_of_programs() {
    let server = Url::parse("https://s.example/scheduler").unwrap();
    let allowed = [HeaderValue::from_static("https://tools.example")];
    for (name, headers, want) in [
        ("no page", &[][..], true),
        ("its own", &[("origin", "https://s.example")], true),
        ("of the host", &[("origin", "http://[::1]:80"), ("host", "[::1]:80")], true),
        ("allowed", &[("origin", "https://tools.example")], true),
        ("another", &[("origin", "https://x.example"), ("host", "s.example")], false),
        ("another port", &[("origin", "https://s.example:1")], false),
        ("not secure", &[("origin", "http://s.example"), ("host", "127.0.0.1")], false),
        ("nobody's", &[("origin", "null")], false),
        ("two", &[("origin", "https://s.example"), ("origin", "https://s.example")], false),
    ] {
        assert_eq!(head(headers).is_of_origin(&server, &allowed), want, "{name}");
    }
}

#[test]
fn ranges() {
    let from = |first, last| Some(ByteRange::From { first, last });
    for (text, want) in [
        ("bytes=0-4", from(0, Some(4))),
        ("Bytes=7-", from(7, None)),
        ("bytes=-3", Some(ByteRange::Last(3))),
        ("bytes=0-99999999999999999999999", from(0, Some(u64::MAX))),
        ("bytes=4-0", None),
        ("bytes=-", None),
        ("bytes=0-1,4-5", None),
        ("bytes=+1-2", None),
        ("bytes=a-b", None),
        ("lines=0-4", None),
        ("bytes", None),
    ] {
        assert_eq!(head(&[("range", text)]).range(), want, "{text}");
    }
    assert_eq!(head(&[]).range(), None);
}

#[test]
fn versions() {
    for (name, value, want) in [
        ("the same", "\"abc\"", true),
        ("weak", "W/\"abc\"", true),
        ("one of several", "\"x\", \"abc\"", true),
        ("any", "*", true),
        ("another", "\"abd\"", false),
    ] {
        assert_eq!(head(&[("if-none-match", value)]).has_version("\"abc\""), want, "{name}");
    }
}
