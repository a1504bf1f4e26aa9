//! Files and addresses that a process may reach, by Landlock.

use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, LandlockStatus,
    PathBeneath, PathFd, RestrictionStatus, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _,
    RulesetError, RulesetStatus, Scope,
};

/// The newest level that is known here: the level of the kernel, where it is lower, is used.
const NEWEST: ABI = ABI::V6;

/// Where systems keep libraries, and what tells a loader of them. Source: `ld.so(8)`, and the
/// loader of musl.
const LIBRARIES: [&str; 12] = [
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/ld-musl-x86_64.path",
    "/etc/ld-musl-aarch64.path",
];

/// Devices that hold nothing.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/// Allows to read one file and libraries, to write one that is there, and to execute one program,
/// and nothing else; the level by which that holds, `None` where the kernel has no Landlock.
pub(super) fn restrict(
    file: Option<&Path>,
    made: Option<&Path>,
    program: Option<&Path>,
) -> Option<u32> {
    let status = enforce(file, made, program).ok()?;
    let LandlockStatus::Available { effective_abi, .. } = status.landlock else { return None };
    (status.ruleset != RulesetStatus::NotEnforced).then_some(effective_abi as u32)
}

fn enforce(
    file: Option<&Path>,
    made: Option<&Path>,
    program: Option<&Path>,
) -> Result<RestrictionStatus, RulesetError> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let read: BitFlags<AccessFs> = AccessFs::ReadFile.into();
    let look = read | AccessFs::ReadDir;
    let execute = read | AccessFs::Execute;
    let mut rules: Vec<(PathBuf, BitFlags<AccessFs>)> = Vec::new();
    rules.extend(file.map(|file| (file.to_owned(), read)));
    let write = read | AccessFs::WriteFile | AccessFs::Truncate;
    rules.extend(made.map(|made| (made.to_owned(), write)));
    for program in program.into_iter().flat_map(programs) {
        rules.push((program, execute));
    }
    rules.extend(LIBRARIES.map(|path| (path.into(), look)));
    rules.extend(DEVICES.map(|path| (path.into(), read)));
    for (path, access) in rules {
        // What is not there cannot be reached either.
        let Ok(place) = PathFd::new(&path) else { continue };
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
        ruleset = ruleset.add_rule(PathBeneath::new(place, access))?;
    }
    ruleset.restrict_self()
}

/// A program, and what the kernel executes to run it: the interpreter of a script, and the loader
/// of both.
fn programs(program: &Path) -> Vec<PathBuf> {
    let mut found = vec![program.to_owned()];
    // A script may name one interpreter, which has a loader.
    for _ in 0..2 {
        let next = found.last().and_then(|last| head(last)).and_then(|head| interpreter(&head));
        found.extend(next);
    }
    found
}

/// Bytes at the beginning of a program that are looked at.
const HEAD_MAX: u64 = 16 * 1024;

fn head(program: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    File::open(program).ok()?.take(HEAD_MAX).read_to_end(&mut head).ok()?;
    Some(head)
}

/// What the beginning of a program names as its interpreter or loader.
fn interpreter(head: &[u8]) -> Option<PathBuf> {
    if let Some(rest) = head.strip_prefix(b"#!") {
        let line = rest.split(|byte| *byte == b'\n').next()?;
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        return words.next().map(path);
    }
    // Source: elf(5), programs of 64 bits, least significant byte first.
    let is_elf = head.starts_with(&[0x7f, b'E', b'L', b'F', 2, 1]);
    let (start, size) = (number(head, 32, 8)?, number(head, 54, 2)?);
    let headers = if is_elf { number(head, 56, 2)? } else { 0 };
    (0..headers).find_map(|index| {
        let at = start.checked_add(index.checked_mul(size)?)?;
        // PT_INTERP
        if number(head, at, 4)? != 3 {
            return None;
        }
        let (from, length) = (number(head, at + 8, 8)?, number(head, at + 32, 8)?);
        let name = head.get(from..from.checked_add(length)?)?;
        name.split(|byte| *byte == 0).next().filter(|name| !name.is_empty()).map(path)
    })
}

fn path(bytes: &[u8]) -> PathBuf {
    std::ffi::OsString::from_vec(bytes.to_vec()).into()
}

fn number(head: &[u8], at: usize, bytes: usize) -> Option<usize> {
    let mut whole = [0; 8];
    whole.get_mut(..bytes)?.copy_from_slice(head.get(at..at.checked_add(bytes)?)?);
    usize::try_from(u64::from_le_bytes(whole)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_executes_to_run_a_program() {
        let none: Option<&str> = None;
        for (name, head, want) in [
            ("a script", &b"#!/bin/sh\nexec true\n"[..], Some("/bin/sh")),
            ("with an argument", b"#! /usr/bin/env  sh\n", Some("/usr/bin/env")),
            ("without a line", b"#!/bin/sh", Some("/bin/sh")),
            ("a script of nobody", b"#!\n", none),
            ("empty", b"", none),
            ("half a header", b"\x7fELF\x02\x01", none),
            ("a text", &[b'x'; 100], none),
        ] {
            assert_eq!(interpreter(head).as_deref(), want.map(Path::new), "{name}");
        }
        let this = std::env::current_exe().unwrap();
        let found = programs(&this);
        assert_eq!(found[0], this);
        assert!(found.len() < 2 || found[1].exists(), "{found:?}");
        let huge = [&b"\x7fELF\x02\x01"[..], &[0xff; 200]].concat();
        assert_eq!(interpreter(&huge), None, "numbers that lead nowhere");
    }
}
