//! A client of the API of a scheduler, for programs that post.
//!
//! Bodies and answers are the types of [`scheduler_core`]; [`Call`] asks for whatever has no method
//! here. What makes something takes an idempotency key, and is sent again where an answer is lost:
//! the server makes it once. The client waits where the server says so ([`Retries`]).
//!
//! ```no_run
//! use scheduler_client::Client;
//! use scheduler_core::platform::Platform;
//! use scheduler_core::post::NewPost;
//!
//! # async fn example() -> Result<(), scheduler_client::Error> {
//! let client = Client::builder("https://scheduler.example.com").key("sk_…").build()?;
//! let post = NewPost::text("Version 2.0 is out").to(Platform::Mastodon).now();
//! // Named by what the post is about: a run that is repeated posts nothing again.
//! let made = client.create_post(&post.into(), "release-2.0").await?;
//! let post = client.follow(made.value.id).until_ended().await?;
//! for target in &post.targets {
//!     println!("{}: {}", target.platform, target.status.as_str());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! | module | what it has |
//! |---|---|
//! | [`upload`] | files of this machine, in parts, and going on with what was interrupted |
//! | [`transport`] | how calls come to a server: over a connection, or as a program says itself |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod accounts;
mod answer;
mod call;
mod client;
mod error;
mod following;
mod media;
mod pages;
mod pauses;
mod posts;
mod retries;
mod targets;
pub mod transport;
pub mod upload;
mod webhooks;

pub use answer::{Answer, Made};
pub use call::{Call, segment};
pub use client::{Builder, Client};
pub use error::{Error, Refused, UploadError};
pub use following::{Following, SeenPost};
pub use media::StoredFile;
pub use pages::Pages;
pub use pauses::Pauses;
pub use retries::Retries;
