//! What a planted tool does.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, ExitCode};

use rustix::process::{Pid, Resource, getrlimit, test_kill_process};

/// Does the deed that the words name; succeeds when it could be done.
pub(super) fn planted(mut words: impl Iterator<Item = OsString>) -> ExitCode {
    let mut word = || words.next().unwrap().into_string().unwrap();
    let (deed, on) = (word(), word());
    match done(&deed, &on) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{deed}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn done(deed: &str, on: &str) -> io::Result<()> {
    match deed {
        "connect" => TcpStream::connect(on).map(drop),
        "listen" => TcpListener::bind("127.0.0.1:0").map(drop),
        "datagram" => UdpSocket::bind("127.0.0.1:0")?.send_to(b"x", on).map(drop),
        "pair" => UnixStream::pair().map(drop),
        "read" => File::open(on)?.read_exact(&mut [0]),
        "list" => {
            std::fs::read_dir(on)?.next().unwrap_or(Err(io::ErrorKind::NotFound.into())).map(drop)
        }
        "make" => File::create(on)?.write_all(b"x"),
        "append" => OpenOptions::new().append(true).open(on)?.write_all(b"x"),
        "remove" => std::fs::remove_file(on),
        "rename" => std::fs::rename(on, format!("{on}.moved")),
        "link" => std::os::unix::fs::symlink("/", on),
        "folder" => std::fs::create_dir(on),
        "mode" => std::fs::set_permissions(on, std::fs::Permissions::from_mode(0o777)),
        "execute" => Command::new(on).status().map(drop),
        "signal" => {
            let process = on.parse().ok().and_then(Pid::from_raw).unwrap();
            test_kill_process(process).map_err(Into::into)
        }
        "memory" => {
            let mut held: Vec<u8> = Vec::new();
            held.try_reserve(on.parse().unwrap()).map_err(|_| io::ErrorKind::OutOfMemory.into())
        }
        "thread" => std::thread::Builder::new()
            .spawn(|| ())?
            .join()
            .map_err(|_| io::ErrorKind::Other.into()),
        "open" => opened(on.parse().unwrap()),
        "limits" => told(),
        other => panic!("{other}"),
    }
}

fn opened(count: usize) -> io::Result<()> {
    let files: io::Result<Vec<File>> =
        (0..count).map(|_| File::open(Path::new("/dev/null"))).collect();
    files.map(drop)
}

fn told() -> io::Result<()> {
    for limit in [Resource::As, Resource::Cpu, Resource::Nofile, Resource::Fsize, Resource::Core] {
        let most = getrlimit(limit).maximum;
        write!(io::stdout(), "{} ", most.map_or("none".to_owned(), |most| most.to_string()))?;
    }
    Ok(())
}
