//! Commands that run as somebody else, or on a disk of their own.
//!
//! What a machine does not allow is left out, loudly: nothing here needs more than the tests'
//! own user has.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;

/// A user that owns nothing.
const NOBODY: &str = "65534";

/// Whether a program is there and agrees to do this.
fn can(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

fn is_root(folder: &Path) -> bool {
    std::fs::metadata(folder).unwrap().uid() == 0
}

/// Whether commands can run as somebody who is not let into everything.
pub(super) fn can_be_unprivileged(folder: &Path) -> bool {
    let can = !is_root(folder)
        || can("setpriv", &["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "true"]);
    if !can {
        eprintln!("LEFT OUT: the tests run as root, and there is no setpriv");
    }
    can
}

/// Lets a command run as a user that owns the folder and is not let into everything.
pub(super) fn unprivileged(folder: &Path, command: &mut Command) {
    if is_root(folder) {
        let owned = Command::new("chown").args(["-R", "65534:65534"]).arg(folder).status();
        assert!(owned.unwrap().success());
        let program = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "--"];
        wrap(command, &program);
    }
}

/// Takes away what a path allows.
pub(super) fn mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// Words before a command that give it mounts of its own.
fn unshare(folder: &Path) -> Vec<&'static str> {
    if is_root(folder) {
        vec!["unshare", "--mount"]
    } else {
        vec!["unshare", "--user", "--map-root-user", "--mount"]
    }
}

/// Whether commands can have disks of their own.
pub(super) fn can_have_disks(folder: &Path) -> bool {
    let words = unshare(folder);
    let mount = "mount -t tmpfs -o size=1m none /mnt";
    let can = can(words[0], &[&words[1..], &["sh", "-c", mount]].concat());
    if !can {
        eprintln!("LEFT OUT: no disk can be mounted here");
    }
    can
}

/// Lets a command see its data folder on a disk of its own: of this size, with the same files,
/// after `then` was done in it.
pub(super) fn on_disk(folder: &Path, command: &mut Command, size: &str, then: &str) {
    let script = format!(
        "mount -t tmpfs -o size={size} none disk && cp -a data/. disk && mount --bind disk data && \
         cd data && {{ {then}; }} && cd .. && exec \"$@\""
    );
    std::fs::create_dir(folder.join("disk")).unwrap();
    let mut words = unshare(folder);
    words.extend(["sh", "-c", &script, "sh"]);
    wrap(command, &words);
}

/// Lets a command run as on a kernel that has no Landlock: its first call does not exist.
pub(super) fn without_landlock(command: &mut Command) {
    // Source: seccomp(2). The number is the same on every processor.
    let script = "\
import ctypes, os, struct, sys
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x50000 | 38), (0x06, 0, 0, 0x7fff0000)]
code = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *step) for step in steps))
class Program(ctypes.Structure):
    _fields_ = [('length', ctypes.c_ushort), ('code', ctypes.c_void_p)]
program = Program(len(steps), ctypes.addressof(code))
prctl = ctypes.CDLL(None).prctl
assert prctl(38, 1, 0, 0, 0) == 0 and prctl(22, 2, ctypes.byref(program), 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
";
    wrap(command, &["python3", "-c", script]);
}

/// The same command behind these words.
fn wrap(command: &mut Command, words: &[&str]) {
    let mut wrapped = Command::new(words[0]);
    wrapped.args(&words[1..]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => wrapped.env(name, value),
            None => wrapped.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        wrapped.current_dir(folder);
    }
    wrapped.stdin(std::process::Stdio::null());
    *command = wrapped;
}

/// Whether nothing is left out.
pub(super) fn can_do_everything(folder: &Path) -> bool {
    can_be_unprivileged(folder) && can_have_disks(folder)
}
