//! What a setting is: its key, what it does, how its value is written, and who reads it.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

/// How the name of every variable begins.
pub(super) const PREFIX: &str = "SCHEDULER_";

/// What the name of a variable ends with whose value is the name of a file that holds a secret.
pub(super) const FILE_SUFFIX: &str = "_FILE";

/// A setting, explained.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// Its key in `scheduler.toml`. Of one that every network has, and of one of a plan, what
    /// follows the name of the network or the plan.
    pub(crate) key: &'static str,
    /// What it does, in whole sentences.
    pub(crate) meaning: &'static str,
    /// How its value is written.
    pub(crate) form: Form,
    /// What holds when it is not set.
    pub(crate) default: Fallback,
    /// A value, as text.
    pub(crate) example: &'static str,
    /// What of it may be shown.
    pub(crate) secrecy: Secrecy,
    /// The option that comes before it.
    pub(crate) option: Option<&'static str>,
    /// The commands that read it.
    pub(crate) readers: &'static str,
}

/// A setting whose value is read as a `T`.
pub(crate) struct Key<T> {
    /// The setting.
    pub(crate) setting: Setting,
    value: PhantomData<fn() -> T>,
}

/// Settings that belong together.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    /// Its heading.
    pub(crate) heading: &'static str,
    /// What there is to know of all of them; empty for nothing.
    pub(crate) words: &'static str,
    /// The settings.
    pub(crate) settings: &'static [&'static Setting],
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `true` or `false`.
    Flag,
    /// A whole number from 1 on.
    Count,
    /// A whole number from 0 on.
    Amount,
    /// A whole number of bytes, from this many on.
    Bytes(u64),
    /// A whole number of seconds from 1 on, up to the most where there is one.
    Seconds(Option<u64>),
    /// A whole number of days from 1 up to this many.
    Days(u64),
    /// Five numbers of seconds.
    Waits,
    /// An address with a scheme.
    Address,
    /// An address of this machine and a port.
    Socket,
    /// The name of a folder.
    Folder,
    /// The name of a file.
    File,
    /// A text of this kind.
    Text(&'static str),
}

/// What holds when a setting is not set.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fallback {
    /// Nothing.
    Unset,
    /// A value that the code knows.
    Value(fn() -> String),
    /// Something that depends on other settings or on the machine, in words.
    Depends(&'static str),
}

/// What of a value may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Secrecy {
    /// Everything.
    Open,
    /// An address that may hold a password.
    Address,
    /// Nothing.
    Secret,
}

impl<T> Key<T> {
    /// A setting of this name and meaning, and of the form and the readers of another.
    pub(super) const fn new(key: &'static str, meaning: &'static str, setting: Setting) -> Self {
        // What is written on several lines comes with a space before each.
        let meaning = meaning.trim_ascii_start();
        Self { setting: Setting { key, meaning, ..setting }, value: PhantomData }
    }
}

impl<T> AsRef<str> for Key<T> {
    fn as_ref(&self) -> &str {
        self.setting.key
    }
}

impl Setting {
    /// An open setting without a default, and the commands that read it.
    pub(super) const fn new(form: Form, readers: &'static str) -> Self {
        Self {
            key: "",
            meaning: "",
            form,
            default: Fallback::Unset,
            example: "",
            secrecy: Secrecy::Open,
            option: None,
            readers,
        }
    }

    /// One that is off unless it is set.
    pub(super) const fn flag(readers: &'static str) -> Self {
        Self::new(Form::Flag, readers).default(|| false.to_string())
    }

    /// A whole number from 1 on, with its default.
    pub(super) const fn count(readers: &'static str, default: fn() -> String) -> Self {
        Self::new(Form::Count, readers).default(default)
    }

    /// With a default that the code knows, which is its own example.
    pub(super) const fn default(mut self, value: fn() -> String) -> Self {
        self.default = Fallback::Value(value);
        self
    }

    /// With a default that depends, in words, and an example.
    pub(super) const fn or(mut self, words: &'static str, example: &'static str) -> Self {
        self.default = Fallback::Depends(words);
        self.example(example)
    }

    /// With an example.
    pub(super) const fn example(mut self, example: &'static str) -> Self {
        self.example = example;
        self
    }

    /// As one of which nothing is shown.
    pub(super) const fn secret(mut self) -> Self {
        self.secrecy = Secrecy::Secret;
        self
    }

    /// As an address that may hold a password.
    pub(super) const fn guarded(mut self) -> Self {
        self.secrecy = Secrecy::Address;
        self
    }

    /// With the option that comes before it.
    pub(super) const fn option(mut self, option: &'static str) -> Self {
        self.option = Some(option);
        self
    }

    /// What holds when it is not set, where the code knows it.
    pub(crate) fn default_text(&self) -> Option<String> {
        match self.default {
            Fallback::Value(value) => Some(value()),
            Fallback::Unset | Fallback::Depends(_) => None,
        }
    }

    /// A value as it stands in `scheduler.toml`: the default where the code knows it, else the
    /// example.
    pub(crate) fn literal(&self) -> String {
        let text = self.default_text().unwrap_or_else(|| self.example.to_owned());
        match self.form {
            Form::Waits => format!("[{}]", text.replace(',', ", ")),
            Form::Flag => text,
            form if form.range().is_some() => text,
            _ => toml::Value::String(text).to_string(),
        }
    }

    /// Whether the value may stand in a file that a variable names.
    pub(crate) const fn may_be_in_file(&self) -> bool {
        !matches!(self.secrecy, Secrecy::Open)
    }
}

impl Form {
    /// How a value is written, in words.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Flag => "true or false".to_owned(),
            Self::Count => "a whole number from 1 on".to_owned(),
            Self::Amount => "a whole number from 0 on".to_owned(),
            Self::Bytes(least) => format!("a whole number of bytes from {least} on"),
            Self::Seconds(None) => "a whole number of seconds from 1 on".to_owned(),
            Self::Seconds(Some(most)) => format!("a whole number of seconds from 1 to {most}"),
            Self::Days(most) => format!("a whole number of days from 1 to {most}"),
            Self::Waits => "five whole numbers of seconds".to_owned(),
            Self::Address => "an http or https address".to_owned(),
            Self::Socket => "an IP address and a port".to_owned(),
            Self::Folder => "a folder".to_owned(),
            Self::File => "a file".to_owned(),
            Self::Text(kind) => kind.to_owned(),
        }
    }

    /// From which number to which; `None` for what is no number.
    pub(super) fn range(self) -> Option<RangeInclusive<u64>> {
        Some(match self {
            Self::Count | Self::Seconds(None) => 1..=u32::MAX.into(),
            Self::Seconds(Some(most)) | Self::Days(most) => 1..=most,
            Self::Amount => 0..=u64::MAX,
            Self::Bytes(least) => least..=u64::MAX,
            _ => return None,
        })
    }
}

/// A key with its explanation: the key of every network and every plan is one of its own.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// The whole key, such as `youtube_client_id` or `plans.free.channels`.
    pub(crate) key: String,
    /// The explanation.
    pub(crate) setting: &'static Setting,
    /// Whether it stands in a table of the file, where no variable reaches it.
    pub(crate) is_nested: bool,
}

impl Named {
    /// Its variable; `None` for one that only the file can hold.
    pub(crate) fn variable(&self) -> Option<String> {
        (!self.is_nested).then(|| variable(&self.key))
    }

    /// The variable that names a file which holds its value; `None` where there is none.
    pub(crate) fn file_variable(&self) -> Option<String> {
        let variable = self.variable().filter(|_| self.setting.may_be_in_file())?;
        Some(format!("{variable}{FILE_SUFFIX}"))
    }
}

/// The variable of a key.
pub(crate) fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.to_ascii_uppercase())
}
