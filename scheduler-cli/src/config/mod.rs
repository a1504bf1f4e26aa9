//! Settings: an option, else the environment, else `scheduler.toml`, else a default.
//!
//! Each is declared once, in `table`. The other files are one a concern: each reads what it needs
//! from [`Sources`].

mod assistant;
mod checked;
mod client;
mod error;
mod example;
mod file;
mod folders;
mod in_force;
mod keys;
mod logging;
mod mail;
mod media;
mod networks;
mod openid;
mod plans;
mod profiles;
mod redacted;
mod server;
mod setting;
mod sources;
mod state;
mod storage;
mod table;
#[cfg(test)]
pub(crate) mod tests;
mod value;

pub(crate) use assistant::assistant;
pub(crate) use checked::Checked;
pub(crate) use client::{ClientOptions, ClientSettings, Here, RemoteOptions};
pub(crate) use error::ConfigError;
pub(crate) use example::example;
pub(crate) use in_force::{InForce, in_force};
pub(crate) use keys::{every as every_setting, named as setting_named};
pub(crate) use logging::LogSettings;
pub(crate) use mail::mail;
pub(crate) use media::{CONFINED_TOOL, MediaSettings};
pub(crate) use networks::NetworkSettings;
pub(crate) use openid::{LettingIn, openid};
pub(crate) use plans::plans;
pub(crate) use profiles::{Profile, Profiles};
pub(crate) use redacted::Shown;
pub(crate) use server::{ServerOptions, ServerSettings, set_public_url};
pub(crate) use setting::{Group, Named, Secrecy, variable};
pub(crate) use sources::{Origin, Sources, UnknownVariable};
pub(crate) use state::state_folder;
pub(crate) use storage::{
    DATABASE_FILE, KEY_FILE, OfWorkspace, StorageOptions, StorageSettings, make_private_folder,
};
pub(crate) use table::{ALLOWED_GROUPS, GROUPS, KEYS, NETWORK_GROUPS, PLAN_GROUPS};
pub(crate) use value::LogFormat;
