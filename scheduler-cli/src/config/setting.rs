//! What a setting is: its key, what it does, how its value is written, and who reads it.

use super::keys::{FILE_SUFFIX, variable};

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
    Days(u32),
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

impl Setting {
    /// An open setting without a default.
    pub(crate) const fn new(key: &'static str, form: Form, meaning: &'static str) -> Self {
        Self {
            key,
            meaning,
            form,
            default: Fallback::Unset,
            example: "",
            secrecy: Secrecy::Open,
            option: None,
            readers: "",
        }
    }

    /// With a default that the code knows, which is its own example.
    pub(crate) const fn default(mut self, value: fn() -> String) -> Self {
        self.default = Fallback::Value(value);
        self
    }

    /// With a default that depends, in words, and an example.
    pub(crate) const fn or(mut self, words: &'static str, example: &'static str) -> Self {
        self.default = Fallback::Depends(words);
        self.example(example)
    }

    /// With an example.
    pub(crate) const fn example(mut self, example: &'static str) -> Self {
        self.example = example;
        self
    }

    /// As one of which nothing is shown.
    pub(crate) const fn secret(mut self) -> Self {
        self.secrecy = Secrecy::Secret;
        self
    }

    /// As an address that may hold a password.
    pub(crate) const fn guarded(mut self) -> Self {
        self.secrecy = Secrecy::Address;
        self
    }

    /// With the option that comes before it.
    pub(crate) const fn option(mut self, option: &'static str) -> Self {
        self.option = Some(option);
        self
    }

    /// With the commands that read it.
    pub(crate) const fn read_by(mut self, readers: &'static str) -> Self {
        self.readers = readers;
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
        self.form.literal(&text)
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

    fn literal(self, text: &str) -> String {
        match self {
            Self::Flag
            | Self::Count
            | Self::Amount
            | Self::Bytes(_)
            | Self::Seconds(_)
            | Self::Days(_) => text.to_owned(),
            Self::Waits => format!("[{}]", text.replace(',', ", ")),
            Self::Address | Self::Socket | Self::Folder | Self::File | Self::Text(_) => {
                toml::Value::String(text.to_owned()).to_string()
            }
        }
    }
}

/// A key with its explanation: the key of every network and every plan is one of its own.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// The whole key, such as `youtube_client_id` or `plans.free.channels`.
    pub(crate) key: String,
    /// The explanation.
    pub(crate) setting: Setting,
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
