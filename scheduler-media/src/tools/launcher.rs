//! The program that confines itself and then becomes a video tool.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// How a program is started that calls [`launch`](crate::launch) with the words after its own
/// arguments: itself, mostly.
///
/// Without one the tools run with bounds on time, output and memory alone, and may reach the
/// network and every file that the program itself may reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// The program.
    pub program: PathBuf,
    /// Words that have it call [`launch`](crate::launch) with all that follow them.
    pub arguments: Vec<OsString>,
}

impl Launcher {
    /// This very program, which calls [`launch`](crate::launch) when its first argument is `word`;
    /// `None` where tools cannot be confined.
    ///
    /// It is found even after its file was replaced by that of a newer release.
    #[must_use]
    pub fn of_this_program(word: &str) -> Option<Self> {
        let program = Path::new("/proc/self/exe");
        let is_there = cfg!(target_os = "linux") && program.exists();
        is_there.then(|| Self { program: program.to_owned(), arguments: vec![word.into()] })
    }

    /// The words that make it a program, confined to reading one file.
    pub(super) fn words_for(&self, program: &Path, file: Option<&Path>) -> Vec<OsString> {
        let mut words = self.arguments.clone();
        words.push(super::RUN.into());
        words.push(file.map_or_else(OsString::new, |file| file.as_os_str().to_owned()));
        words.push(program.into());
        words
    }

    /// The words that make it a program, confined to reading one file and writing another.
    pub(super) fn words_to_make(&self, program: &Path, file: &Path, made: &Path) -> Vec<OsString> {
        let mut words = self.arguments.clone();
        words.push(super::MAKE.into());
        words.extend([file.into(), made.into(), program.into()]);
        words
    }

    /// The words that make it say how far it can confine itself.
    pub(super) fn words_to_tell(&self) -> Vec<OsString> {
        let told = std::iter::once(OsStr::new(super::TELL).to_owned());
        self.arguments.iter().cloned().chain(told).collect()
    }
}
