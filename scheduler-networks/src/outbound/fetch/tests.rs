use std::net::{IpAddr, Ipv4Addr};

use scheduler_core::ports::{EventSender, FilesError, Request};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use super::super::refused::{Form, REFUSED, Told};
use super::super::{WebhookSender, address};
use super::testing::{NAME, Names, PUBLIC, Reply, Site, strict};
use super::*;

const INNER: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

const MAX_BYTES: u64 = 100_000;

/// How a fetch ended.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Bytes(Vec<u8>),
    Refused(String),
    Temporary(String),
}

/// Long enough for this machine, short enough to be waited for.
const BRIEF: Timeouts = Timeouts {
    connect: Duration::from_secs(5),
    head: Duration::from_millis(300),
    idle: Duration::from_millis(300),
    slack: Duration::from_millis(300),
    slowest: 10_000_000,
    whole: Duration::from_secs(60),
};

fn lax() -> MediaFetcher {
    MediaFetcher::new(Guard::new(true)).unwrap()
}

/// Fetches to the end, with a secret in the query that no message may tell.
async fn fetch(fetcher: &MediaFetcher, url: &str) -> End {
    let end = match fetcher.fetch(&format!("{url}?token=secret"), MAX_BYTES).await {
        Err(FetchError::Refused(reason)) => End::Refused(reason),
        Err(FetchError::Temporary(reason)) => End::Temporary(reason),
        Ok(fetched) => match fetched.bytes.collect().await {
            Ok(bytes) => End::Bytes(bytes.to_vec()),
            Err(FilesError::Refused(reason)) => End::Refused(reason),
            Err(FilesError::Interrupted(reason)) => End::Temporary(reason),
            Err(error) => panic!("{error:?}"),
        },
    };
    if let End::Refused(told) | End::Temporary(told) = &end {
        assert!(!told.contains("secret") && told.ends_with('.'), "{told}");
    }
    end
}

async fn fetch_reply(fetcher: &MediaFetcher, reply: Reply) -> End {
    let site = Site::plain(&[("/f", reply)]).await;
    fetch(fetcher, &format!("http://{}/f", site.address)).await
}

/// Asserts how a fetch ended: `=` and the bytes, `!` and part of the refusal, or `~` and part of
/// what may pass.
fn assert_end(name: &str, end: &End, want: &str) {
    let holds = match (end, want.split_at(1)) {
        (End::Bytes(bytes), ("=", want)) => bytes == want.as_bytes(),
        (End::Refused(told), ("!", want)) | (End::Temporary(told), ("~", want)) => {
            told.contains(want)
        }
        _ => false,
    };
    assert!(holds, "{name}: {end:?}, not {want}");
}

#[tokio::test]
async fn answers_by_status() {
    for (status, want) in [
        ("200 OK", "=file"),
        ("203 Changed", "=file"),
        ("204 No Content", "!status 204, which brings no file"),
        ("206 Partial Content", "!status 206"),
        ("300 Multiple Choices", "!status 300"),
        ("302 Found", "!status 302, but not where the file is"),
        ("304 Not Modified", "!status 304"),
        ("400 Bad Request", "!status 400"),
        ("401 Unauthorized", "!status 401; the file is not public there"),
        ("403 Forbidden", "!status 403; the file is not public there"),
        ("404 Not Found", "!status 404; there is no such file"),
        ("408 Request Timeout", "~status 408"),
        ("410 Gone", "!status 410"),
        ("425 Too Early", "~status 425"),
        ("429 Too Many Requests", "~status 429"),
        ("451 Legal", "!status 451"),
        ("500 Internal", "~status 500"),
        ("503 Unavailable", "~status 503"),
        ("599 Unknown", "~status 599"),
    ] {
        let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 4\r\n\r\nfile");
        let end = fetch_reply(&lax(), Reply::Bytes(answer.into_bytes())).await;
        assert_end(status, &end, want);
    }
}

#[tokio::test]
async fn answers_by_their_headers() {
    let length = |length: u64| format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
    for (name, reply, want) in [
        ("no type", Reply::file("", b"x"), "=x"),
        ("a picture", Reply::file("content-type: image/png\r\n", b"x"), "=x"),
        ("any type", Reply::file("content-type: application/octet-stream\r\n", b"x"), "=x"),
        (
            "a page",
            Reply::file("content-type: Text/HTML; charset=utf-8\r\n", b"<html>"),
            "!127.0.0.1 answered with a web page (text/html), not with a picture or video",
        ),
        ("data", Reply::file("content-type: application/json\r\n", b"{}"), "!(application/json)"),
        ("compressed", Reply::file("content-encoding: gzip\r\n", b"x"), "!compressed"),
        ("not compressed", Reply::file("content-encoding: identity\r\n", b"x"), "=x"),
        ("empty", Reply::file("", b""), "!The file at 127.0.0.1 is empty."),
        (
            "too long by its header",
            Reply::Stuck(length(MAX_BYTES + 1).into_bytes()),
            "!is 100001 bytes; 100000 bytes are allowed at most",
        ),
        (
            "a length that is none",
            Reply::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n".to_vec()),
            "~no answer that is HTTP",
        ),
        (
            "two lengths",
            Reply::Bytes(
                b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab".to_vec(),
            ),
            "~no answer that is HTTP",
        ),
        ("no HTTP", Reply::Bytes(b"SSH-2.0-OpenSSH_9\r\n".to_vec()), "~no answer that is HTTP"),
        ("nothing", Reply::Bytes(Vec::new()), "~no answer that is HTTP"),
    ] {
        assert_end(name, &fetch_reply(&lax(), reply).await, want);
    }
}

#[tokio::test]
async fn bodies() {
    let limit = usize::try_from(MAX_BYTES).unwrap();
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let unframed = b"HTTP/1.1 200 OK\r\n\r\n";
    let over = "a".repeat(limit + 1);
    let whole = format!("={}", "a".repeat(limit));
    for (name, reply, want) in [
        ("at the limit", Reply::file("", "a".repeat(limit).as_bytes()), whole.as_str()),
        ("chunks", Reply::Bytes(format!("{chunked}2\r\nab\r\n1\r\nc\r\n0\r\n\r\n").into()), "=abc"),
        ("no chunk", Reply::Bytes(format!("{chunked}0\r\n\r\n").into()), "!is empty"),
        (
            "one byte over, in a chunk",
            Reply::Bytes(format!("{chunked}{:x}\r\n{over}\r\n0\r\n\r\n", over.len()).into()),
            "!longer than the 100000 bytes that are allowed",
        ),
        ("to the end of the connection", Reply::Bytes([unframed, &b"abc"[..]].concat()), "=abc"),
        ("without end", Reply::Endless(unframed.to_vec()), "!longer than the 100000 bytes"),
        (
            "cut off",
            Reply::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc".to_vec()),
            "~127.0.0.1 broke off after 3 bytes",
        ),
        ("cut off in chunks", Reply::Bytes(format!("{chunked}5\r\nab").into()), "~broke off"),
        ("before the last chunk", Reply::Bytes(format!("{chunked}1\r\na\r\n").into()), "~broke"),
        (
            "longer than its length",
            Reply::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nabc".to_vec()),
            "=ab",
        ),
    ] {
        assert_end(name, &fetch_reply(&lax(), reply).await, want);
    }
}

#[tokio::test]
async fn waiting_has_an_end() {
    let brief =
        MediaFetcher::within(Guard::new(true), BRIEF, Arc::new(SystemNames), |builder| builder)
            .unwrap();
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 90000\r\n\r\n".to_vec();
    for (name, reply, want) in [
        ("no answer", Reply::Stuck(Vec::new()), "~127.0.0.1 does not answer"),
        ("half a head", Reply::Stuck(b"HTTP/1.1 200 OK\r\n".to_vec()), "~does not answer"),
        ("a head that never ends", Reply::Drip(b"HTTP/1.1 200 ".to_vec()), "~does not answer"),
        ("no body", Reply::Stuck(head.clone()), "~too slowly: 0 bytes"),
        ("a body that stops", Reply::Stuck([&head[..], b"abc"].concat()), "~too slowly: 3 bytes"),
        ("a body that drips", Reply::Drip(head), "~too slowly"),
    ] {
        assert_end(name, &fetch_reply(&brief, reply).await, want);
    }
    // As fast as it must be, and without an end.
    let timeouts = Timeouts { slowest: 1, whole: Duration::from_millis(300), ..BRIEF };
    let brief =
        MediaFetcher::within(Guard::new(true), timeouts, Arc::new(SystemNames), |builder| builder)
            .unwrap();
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 90000\r\n\r\n".to_vec();
    let end = fetch_reply(&brief, Reply::Drip(head)).await;
    assert_end("a body that is never whole", &end, "!did not come within 0 minutes");
}

#[tokio::test]
async fn an_end_comes_for_whoever_sends_fast_enough_for_ever() {
    let rate = TIMEOUT.slowest * TIMEOUT.whole.as_secs();
    assert!(rate < 10 * 1024 * 1024 * 1024, "the largest file would take longer");
    assert_eq!(TIMEOUT.whole, Duration::from_secs(1_800));
}

#[tokio::test]
async fn a_request_says_no_more_than_it_must() {
    let site = Site::plain(&[("/a", Reply::to("/b")), ("/b", Reply::file("", b"x"))]).await;
    let end = fetch(&lax(), &format!("http://{}/a", site.address)).await;
    assert_eq!(end, End::Bytes(b"x".to_vec()));
    let mut lines: Vec<String> = site.heads()[1].lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(
        lines,
        [
            "",
            "GET /b HTTP/1.1",
            "accept-encoding: identity",
            "accept: image/*, video/*, */*;q=0.1",
            &format!("host: {}", site.address),
            concat!("user-agent: scheduler/", env!("CARGO_PKG_VERSION")),
        ]
    );
}

#[tokio::test]
async fn redirects_are_followed_five_times() {
    let names = ["/0", "/1", "/2", "/3", "/4", "/5", "/6"];
    let mut replies: Vec<(&str, Reply)> =
        names.windows(2).map(|pair| (pair[0], Reply::to(pair[1]))).collect();
    replies.extend([("/6", Reply::file("", b"x")), ("/loop", Reply::to("?again"))]);
    let site = Site::secure(&replies).await;
    let fetcher = strict(&site, Names::new(&[]));
    for (name, path, want, requests) in [
        ("none", "/6", "=x", 1),
        ("five", "/1", "=x", 6),
        ("six", "/0", "!more than 5 times, at last from 127.0.0.2", 6),
        ("a loop", "/loop", "!more than 5 times", 6),
    ] {
        let before = site.heads().len();
        let end = fetch(&fetcher, &format!("https://{}{path}", site.address)).await;
        assert_end(name, &end, want);
        assert_eq!(site.heads().len() - before, requests, "{name}");
    }
}

#[tokio::test]
async fn a_page_is_read_from_its_beginning_and_no_further() {
    let html = "<title>Bread</title>";
    let long = [html.as_bytes(), &b" ".repeat(600_000)].concat();
    let typed = "content-type: text/html; charset=utf-8\r\n";
    let head = format!("HTTP/1.1 200 OK\r\n{typed}content-length: 900000\r\n\r\n{html}");
    let site = Site::secure(&[
        ("/a", Reply::file(typed, html.as_bytes())),
        ("/long", Reply::file(typed, &long)),
        ("/endless", Reply::Endless(head.clone().into_bytes())),
        ("/stuck", Reply::Stuck(head.into_bytes())),
        ("/file", Reply::file("content-type: image/png\r\n", html.as_bytes())),
        ("/untyped", Reply::file("", html.as_bytes())),
        ("/to", Reply::to("/a")),
        ("/0", Reply::to("/1")),
        ("/1", Reply::to("/2")),
        ("/2", Reply::to("/3")),
        ("/3", Reply::to("/a")),
        ("/inside", Reply::to("https://10.0.0.1/")),
    ])
    .await;
    let fetcher = strict(&site, Names::new(&[]));
    // What came of it, and how many requests it took.
    for (path, want, requests) in [
        ("/a", Ok("Bread"), 1),
        ("/long", Ok("Bread"), 1),
        ("/endless", Ok("Bread"), 1),
        ("/to", Ok("Bread"), 2),
        ("/1", Ok("Bread"), 4),
        ("/0", Err(Fault::Refused), 4),
        ("/stuck", Err(Fault::Temporary), 1),
        ("/file", Err(Fault::Refused), 1),
        ("/untyped", Err(Fault::Refused), 1),
        ("/inside", Err(Fault::Refused), 1),
        ("/missing", Err(Fault::Refused), 1),
    ] {
        let before = site.heads().len();
        let read = fetcher.page(&format!("https://{}{path}", site.address)).await;
        let read = read.map(|facts| facts.title.unwrap_or_default()).map_err(Fault::of);
        assert_eq!(read, want.map(str::to_owned), "{path}");
        assert_eq!(site.heads().len() - before, requests, "{path}");
    }
    let inside = fetcher.page("https://10.0.0.1/").await;
    assert_eq!(inside.map_err(Fault::of), Err(Fault::Refused));
}

#[tokio::test]
async fn the_picture_of_a_page_is_read_where_it_can_be() {
    let page = |image: &str| {
        let html = format!("<title>Bread</title><meta property='og:image' content='{image}'>");
        Reply::file("content-type: text/html\r\n", html.as_bytes())
    };
    let site = Site::secure(&[
        ("/own", page("bread.png")),
        ("/moved", page("/to")),
        ("/inside", page("https://10.0.0.1/a.png")),
        ("/plain", page("http://example.com/a.png")),
        ("/wrong", page("data:image/png;base64,AAAA")),
        ("/none", page("/nothing.png")),
        ("/text", page("/own")),
        ("/slow", page("/stuck")),
        ("/bread.png", Reply::file("content-type: image/png\r\n", b"picture")),
        ("/to", Reply::to("/bread.png")),
        ("/stuck", Reply::Stuck(b"HTTP/1.1 200 OK\r\n".to_vec())),
    ])
    .await;
    let fetcher = strict(&site, Names::new(&[]));
    let at = |path: &str| format!("https://{}{path}", site.address);
    for (path, want) in [
        ("/own", Some(at("/bread.png"))),
        ("/moved", Some(at("/to"))),
        ("/inside", None),
        ("/plain", None),
        ("/wrong", None),
        ("/none", None),
        ("/text", None),
        ("/slow", None),
    ] {
        let read = fetcher.page(&at(path)).await.unwrap();
        assert_eq!(read.title.as_deref(), Some("Bread"), "{path}");
        let image = read.image.map(|image| {
            assert_eq!(image.bytes, &b"picture"[..], "{path}");
            image.url
        });
        assert_eq!(image, want, "{path}");
    }
}

/// What kind of failure came of reading a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Refused,
    Temporary,
}

impl Fault {
    #[expect(clippy::needless_pass_by_value, reason = "it stands in map_err")]
    fn of(error: FetchError) -> Self {
        match error {
            FetchError::Refused(_) => Self::Refused,
            FetchError::Temporary(_) => Self::Temporary,
        }
    }
}

#[tokio::test]
async fn every_redirect_is_checked() {
    // A connection here would be a hole in the guard.
    let trap = TcpListener::bind((INNER, 0)).await.unwrap();
    let port = trap.local_addr().unwrap().port();
    let mut hops: Vec<(String, String, String)> = Vec::new();
    // Names and the addresses that they lead to.
    let mut led: Vec<(String, Vec<IpAddr>)> = Vec::new();
    // A line end cannot stand in a header.
    for Form { name, url, told } in REFUSED.iter().filter(|form| !form.url.contains('\n')) {
        let want = match told {
            Told::Inner(host) => format!("!{host} is not a public host"),
            Told::Unreadable => "!it is not a complete URL".to_owned(),
            Told::NotHttps => "!it must begin with https://".to_owned(),
        };
        hops.push(((*name).to_owned(), (*url).to_owned(), want));
    }
    for (name, address, _) in address::tests::CASES.into_iter().filter(|case| !case.2) {
        let is_v6 = address.contains(':');
        let host = if is_v6 { format!("[{address}]") } else { address.to_owned() };
        hops.push((name.to_owned(), format!("https://{host}/"), "!is not a public host".into()));
        let (alone, mixed) =
            (format!("{}.example", led.len()), format!("{}.example", led.len() + 1));
        let address: IpAddr = address.parse().unwrap();
        for (lead, answer) in [(alone, vec![address]), (mixed, vec![PUBLIC, address])] {
            let want = format!("!{lead} leads to an address that is not public");
            hops.push((format!("a name of {name}"), format!("https://{lead}:{port}/"), want));
            led.push((lead, answer));
        }
    }
    for (name, location, want) in [
        ("this machine", format!("https://127.0.0.1:{port}/"), "!127.0.0.1 is not a public host"),
        ("without encryption", format!("http://{PUBLIC}/"), "!it must begin with https://"),
        ("another scheme", "file:///etc/passwd".into(), "!it must begin with https://"),
        ("no address", "https://".into(), "!it is not a complete URL"),
        ("the same scheme, inner host", format!("//127.0.0.1:{port}/"), "!is not a public host"),
        ("credentials", format!("https://a:b@{PUBLIC}/"), "!a user name or password"),
    ] {
        hops.push((name.to_owned(), location, want.to_owned()));
    }
    assert!(hops.len() > 250, "{}", hops.len());
    let paths: Vec<String> = (0..hops.len()).map(|index| format!("/{index}")).collect();
    let replies: Vec<(&str, Reply)> =
        paths.iter().zip(&hops).map(|(path, hop)| (path.as_str(), Reply::to(&hop.1))).collect();
    let site = Site::secure(&replies).await;
    let answers: Vec<[&[IpAddr]; 1]> = led.iter().map(|(_, answer)| [answer.as_slice()]).collect();
    let leads: Vec<(&str, &[&[IpAddr]])> =
        led.iter().zip(&answers).map(|((lead, _), answer)| (lead.as_str(), &answer[..])).collect();
    let fetcher = strict(&site, Names::new(&leads));
    for (path, (name, location, want)) in paths.iter().zip(&hops) {
        let end = fetch(&fetcher, &format!("https://{}{path}", site.address)).await;
        assert_end(&format!("{name}: {location}"), &end, want);
    }
    assert_eq!(site.heads().len(), hops.len());
    assert!(tokio::time::timeout(Duration::ZERO, trap.accept()).await.is_err(), "connected");
}

#[tokio::test]
async fn names_are_looked_up_once_and_all_they_lead_to_must_be_public() {
    let site = Site::secure(&[("/f", Reply::file("", b"x"))]).await;
    let port = site.address.port();
    let trap = TcpListener::bind((INNER, port)).await.unwrap();
    for (name, answers, want) in [
        ("public", &[&[PUBLIC][..]][..], "=x"),
        ("inner", &[&[INNER]], "!files.example leads to an address that is not public"),
        ("one of two", &[&[PUBLIC, INNER]], "!files.example leads to an address that is not"),
        ("the other of two", &[&[INNER, PUBLIC]], "!files.example leads to an address that is"),
        // Whoever asked a second time, to connect, would come out inside.
        ("another later", &[&[PUBLIC], &[INNER]], "=x"),
    ] {
        let names = Names::new(&[(NAME, answers)]);
        let fetcher = strict(&site, Arc::clone(&names));
        let end = fetch(&fetcher, &format!("https://{NAME}:{port}/f")).await;
        assert_end(name, &end, want);
        assert_eq!(names.left(NAME), 1, "{name}");
    }
    // The next fetch asks anew, and uses no connection of the last.
    let names = Names::new(&[(NAME, &[&[PUBLIC], &[INNER]])]);
    let fetcher = strict(&site, names);
    let url = format!("https://{NAME}:{port}/f");
    assert_end("first", &fetch(&fetcher, &url).await, "=x");
    assert_end("then", &fetch(&fetcher, &url).await, "!leads to an address that is not public");
    let nobody = fetch(&fetcher, "https://nobody.example/f").await;
    assert_end("no address", &nobody, "~No connection to nobody.example can be made: ");
    assert!(tokio::time::timeout(Duration::ZERO, trap.accept()).await.is_err(), "connected");
}

#[tokio::test]
async fn connections_that_fail() {
    let site = Site::secure(&[("/f", Reply::file("", b"x"))]).await;
    let other = Site::secure(&[]).await;
    let unencrypted = TcpListener::bind((INNER, 0)).await.unwrap();
    let plain = unencrypted.local_addr().unwrap();
    let speaking = tokio::spawn(async move {
        let (mut stream, _) = unencrypted.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
    });
    let names = Names::new(&[(NAME, &[&[PUBLIC]]), ("wrong.example", &[&[PUBLIC]])]);
    let trusting = strict(&site, Arc::clone(&names));
    let port = site.address.port();
    let closed = TcpListener::bind((PUBLIC, 0)).await.unwrap().local_addr().unwrap();
    let lax = lax();
    for (name, fetcher, url, want) in [
        ("trusted", &trusting, format!("https://{NAME}:{port}/f"), "=x"),
        (
            "a certificate of another name",
            &trusting,
            format!("https://wrong.example:{port}/f"),
            "!No secure connection to wrong.example can be made: invalid peer certificate",
        ),
        (
            "a certificate that nobody vouches for",
            &strict(&other, names),
            format!("https://{NAME}:{port}/f"),
            "!No secure connection to files.example can be made: invalid peer certificate",
        ),
        (
            "no encryption",
            &lax,
            format!("https://{plain}/f"),
            "!No secure connection to 127.0.0.1 can be made",
        ),
        (
            "nobody there",
            &trusting,
            format!("https://{closed}/f"),
            "~No connection to 127.0.0.2 can be made: Connection refused",
        ),
    ] {
        assert_end(name, &fetch(fetcher, &url).await, want);
    }
    speaking.await.unwrap();
}

#[test]
fn addresses_that_are_refused_at_once() {
    let fetcher = MediaFetcher::new(Guard::new(false)).unwrap();
    let long = format!("https://a.example/{}", "a".repeat(URL_BYTES_MAX));
    for (name, url, want) in [
        ("fine", "https://a.example/f.mp4?x=1#y", ""),
        ("http", "http://a.example/", "must be https and public: it must begin with https://."),
        ("no address", "a.example/f", "must be https and public: it is not a complete URL."),
        ("a user name", "https://me@a.example/f", "must not hold a user name or password."),
        ("a password", "https://:word@a.example/f", "must not hold a user name or password."),
        ("inside", "https://10.0.0.1/f", "must be https and public: 10.0.0.1 is not a public"),
        ("long", &long, "is longer than 8192 bytes"),
    ] {
        let told = fetcher.check_address(url).err().unwrap_or_default();
        assert!(told.contains(want) && told.is_empty() == want.is_empty(), "{name}: {told}");
    }
}

/// Names the site to the test below when it runs as a process of its own.
const SITE: &str = "SCHEDULER_TEST_SITE";

#[tokio::test]
async fn what_a_process_with_a_proxy_does() {
    // Only the next test gives it the environment to run in.
    let Ok(site) = std::env::var(SITE) else { return };
    assert_end("a fetch", &fetch(&lax(), &format!("http://{site}/f")).await, "=x");
    let event = Request { url: format!("http://{site}/f"), headers: vec![], body: String::new() };
    let sent = WebhookSender::new(Guard::new(true)).unwrap().send(&event).await.unwrap();
    assert_eq!(sent.status, 200);
}

#[tokio::test]
async fn a_proxy_of_the_environment_is_not_used() {
    let site = Site::plain(&[("/f", Reply::file("", b"x"))]).await;
    // Nobody is there, so that whoever goes there fails at once.
    let proxy = TcpListener::bind((INNER, 0)).await.unwrap().local_addr().unwrap();
    let module = module_path!().split_once("::").unwrap().1;
    let mut child = tokio::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", &format!("{module}::what_a_process_with_a_proxy_does")]);
    for variable in ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"] {
        child.env(variable, format!("http://{proxy}"));
    }
    child.env_remove("no_proxy").env_remove("NO_PROXY").env(SITE, site.address.to_string());
    let ran = child.output().await.unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && said.contains("1 passed"), "{said}");
    assert_eq!(site.heads().len(), 2);
}
