//! The one list of the imitated networks.

use crate::bluesky::Bluesky;
use crate::discord::Discord;
use crate::instagram::Instagram;
use crate::linkedin::Linkedin;
use crate::mastodon::Mastodon;
use crate::network::Network;
use crate::telegram::Telegram;
use crate::threads::Threads;
use crate::tumblr::Tumblr;

/// Makes every network, empty.
pub(crate) fn networks() -> Vec<Box<dyn Network>> {
    vec![
        Box::new(Bluesky::default()),
        Box::new(Discord::default()),
        Box::new(Instagram::default()),
        Box::new(Linkedin::default()),
        Box::new(Mastodon::default()),
        Box::new(Telegram::default()),
        Box::new(Threads::default()),
        Box::new(Tumblr::default()),
    ]
}
