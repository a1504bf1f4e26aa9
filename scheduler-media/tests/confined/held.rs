//! Each deed is done without the launcher and cannot be done under it.

use std::collections::BTreeMap;
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use scheduler_media::{Confinement, Launcher, Tools};
use seccompiler::{SeccompAction, SeccompFilter, apply_filter};

/// The tests of this file.
pub(super) const TESTS: [(&str, fn()); 5] = [
    (
        "a_planted_tool_reaches_neither_network_nor_files",
        a_planted_tool_reaches_neither_network_nor_files,
    ),
    ("a_tool_that_makes_a_file_writes_no_other", a_tool_that_makes_a_file_writes_no_other),
    ("limits_are_set_before_the_tool_begins", limits_are_set_before_the_tool_begins),
    (
        "what_the_kernel_lacks_is_told_and_the_rest_holds",
        what_the_kernel_lacks_is_told_and_the_rest_holds,
    ),
    ("a_launcher_that_cannot_start_a_tool_says_so", a_launcher_that_cannot_start_a_tool_says_so),
];

fn this() -> PathBuf {
    std::env::current_exe().unwrap()
}

pub(super) fn launcher() -> Launcher {
    Launcher::of_this_program("launch").unwrap()
}

/// What the launcher can use here.
pub(super) fn confinement() -> Confinement {
    let tools = Tools::default().confined(Some(launcher()));
    block_on(tools.confinement()).unwrap()
}

pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// The deed as the tool does it: free, or confined to reading a file.
fn deed(confined_to: Option<&Path>, deed: &str, on: &str) -> Output {
    let mut command = Command::new(this());
    if let Some(file) = confined_to {
        command.args(["launch", "run"]).arg(file).arg(this());
    }
    command.args(["planted", deed, on]).env_clear().output().unwrap()
}

/// What holds a deed back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Seccomp,
    Landlock,
    Limits,
    /// What decoding a film takes is never held back.
    Nothing,
}

fn a_planted_tool_reaches_neither_network_nor_files() {
    let has = confinement();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for name in ["film", "scheduler.db", "secret.key", "a", "b", "c", "d"] {
        std::fs::write(path(name), "bytes").unwrap();
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let receiver = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (tcp, udp) =
        (listener.local_addr().unwrap().to_string(), receiver.local_addr().unwrap().to_string());
    let parent = std::process::id().to_string();
    let too_much = (3_u64 << 30).to_string();
    let film = path("film");
    let mut left_out = Vec::new();
    let mut held = BTreeMap::new();
    for (name, on, by) in [
        ("connect", tcp.as_str(), By::Seccomp),
        ("listen", "", By::Seccomp),
        ("datagram", &udp, By::Seccomp),
        ("pair", "", By::Seccomp),
        ("read", "/etc/passwd", By::Landlock),
        ("read", &path("scheduler.db"), By::Landlock),
        ("read", &path("secret.key"), By::Landlock),
        ("read", &format!("/proc/{parent}/environ"), By::Landlock),
        ("list", &path(""), By::Landlock),
        ("make", &path("new"), By::Seccomp),
        ("make", "/dev/shm/scheduler-confined", By::Seccomp),
        ("append", &path("a"), By::Seccomp),
        ("append", &film, By::Seccomp),
        ("mode", &path("b"), By::Seccomp),
        ("rename", &path("c"), By::Seccomp),
        ("remove", &path("d"), By::Seccomp),
        ("link", &path("link"), By::Seccomp),
        ("folder", &path("folder"), By::Seccomp),
        ("execute", "/bin/true", By::Seccomp),
        ("signal", &parent, By::Seccomp),
        ("memory", &too_much, By::Limits),
        ("open", "100", By::Limits),
        ("read", &film, By::Nothing),
        ("thread", "", By::Nothing),
    ] {
        // First confined, so that what is there is still there.
        let confined = deed(Some(Path::new(&film)), name, on);
        let free = deed(None, name, on);
        assert!(free.status.success(), "{name} {on} fails without a launcher too: {free:?}");
        let is_held = match by {
            By::Seccomp => has.seccomp,
            By::Landlock => has.landlock.is_some(),
            By::Limits => true,
            By::Nothing => false,
        };
        if is_held {
            assert_eq!(confined.status.code(), Some(1), "{name} {on} was done: {confined:?}");
            *held.entry(name).or_insert(0) += 1;
        } else if by == By::Nothing {
            assert!(confined.status.success(), "{name} {on}: {confined:?}");
        } else {
            left_out.push(format!("{name} {on}"));
        }
    }
    let _ = std::fs::remove_file("/dev/shm/scheduler-confined");
    println!("{has}: held {held:?}");
    if !left_out.is_empty() {
        println!("LEFT OUT, for the kernel lacks what would hold it: {}", left_out.join(", "));
    }
}

fn a_tool_that_makes_a_file_writes_no_other() {
    let has = confinement();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["film", "made", "other"] {
        std::fs::write(path(name), "bytes").unwrap();
    }
    let making = |deed: &str, on: &Path| {
        let mut command = Command::new(this());
        command.args(["launch", "make"]).args([path("film"), path("made")]).arg(this());
        command.args(["planted", deed]).arg(on).env_clear().output().unwrap()
    };
    for (deed, on) in [("append", "made"), ("make", "made"), ("read", "film"), ("read", "made")] {
        let done = making(deed, &path(on));
        assert!(done.status.success(), "{deed} {on}: {done:?}");
    }
    if has.landlock.is_none() {
        println!("LEFT OUT, for the kernel has no Landlock: other files");
        return;
    }
    for (deed, on) in [
        ("append", path("film")),
        ("append", path("other")),
        ("make", path("new")),
        ("read", path("other")),
        ("read", "/etc/passwd".into()),
        ("remove", path("made")),
    ] {
        let done = making(deed, &on);
        assert_eq!(done.status.code(), Some(1), "{deed} {} was done: {done:?}", on.display());
    }
}

fn limits_are_set_before_the_tool_begins() {
    let said = deed(Some(Path::new("")), "limits", "");
    let said = String::from_utf8(said.stdout).unwrap();
    // Source: `confine/limits.rs`; a machine may allow less.
    let most = [2 << 30, 60, 64, 0, 0];
    let found: Vec<u64> = said.split_whitespace().map(|word| word.parse().unwrap()).collect();
    assert_eq!(found.len(), most.len(), "{said}");
    for (found, most) in found.iter().zip(most) {
        assert!(*found <= most, "{said}");
    }
    println!("memory, seconds, open files, written bytes, core: {said}");
}

/// Runs the launcher where a call does not exist.
fn without(call: i64, words: &[&str]) -> Output {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    // A filter holds for one thread, and for what it starts.
    std::thread::spawn(move || {
        let missing = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
        let arch = std::env::consts::ARCH.try_into().unwrap();
        let rules = [(call, Vec::new())].into_iter().collect();
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, missing, arch).unwrap();
        let filter: seccompiler::BpfProgram = filter.try_into().unwrap();
        apply_filter(&filter).unwrap();
        Command::new(this()).args(words).env_clear().output().unwrap()
    })
    .join()
    .unwrap()
}

fn what_the_kernel_lacks_is_told_and_the_rest_holds() {
    let has = confinement();
    let this = this().display().to_string();
    let tell = ["launch", "tell"];
    for (call, landlock, seccomp) in [
        (libc::SYS_landlock_create_ruleset, None, has.seccomp),
        (libc::SYS_seccomp, has.landlock, false),
    ] {
        let told = String::from_utf8(without(call, &tell).stdout).unwrap();
        assert_eq!(told.trim(), Confinement { landlock, seccomp }.to_string());
        let run = |deed, on| without(call, &["launch", "run", "", &this, "planted", deed, on]);
        assert_eq!(run("pair", "").status.success(), !seccomp, "sockets");
        assert_eq!(run("read", "/etc/passwd").status.success(), landlock.is_none(), "files");
        assert!(!run("memory", &(3_u64 << 30).to_string()).status.success(), "limits hold");
    }
}

fn a_launcher_that_cannot_start_a_tool_says_so() {
    for words in [&["launch"][..], &["launch", "run", "", "/nowhere/ffmpeg"], &["launch", "x"]] {
        let ran = Command::new(this()).args(words).output().unwrap();
        assert_eq!(ran.status.code(), Some(125), "{words:?}: {ran:?}");
        assert!(!ran.stderr.is_empty(), "{words:?}");
    }
}
