//! Servers that stand where another should.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

/// Answers whatever is asked; its address.
fn serve(answer: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let _ = stream.read(&mut [0; 4096]);
            answer(&mut stream);
        }
    });
    address
}

/// Answers every request over HTTP with this status and body.
pub(super) fn answering(status: &'static str, headers: String, body: &'static str) -> String {
    let answer = format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let address = serve(move |stream| {
        let _ = stream.write_all(answer.as_bytes());
    });
    format!("http://{address}")
}

/// A web server that knows nothing of what is asked.
pub(super) fn stranger() -> String {
    answering("404 Not Found", String::new(), "{}")
}

/// A server whose clock is ahead by so many seconds.
pub(super) fn ahead_by(seconds: i64) -> String {
    let now = chrono_now() + chrono::TimeDelta::seconds(seconds);
    let date = now.format("date: %a, %d %b %Y %H:%M:%S GMT\r\n").to_string();
    answering("200 OK", date, "{}")
}

#[expect(clippy::disallowed_methods, reason = "the clock of the command is the system's")]
pub(super) fn chrono_now() -> chrono::DateTime<chrono::Utc> {
    chrono::Utc::now()
}

/// Takes connections, and never says anything; its address.
pub(super) fn silent() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming().map_while(Result::ok) {
            held.push(stream);
        }
    });
    address
}
