//! The one list of the imitated networks, and of the text model beside them.

use crate::assistant::Assistant;
use crate::bluesky::Bluesky;
use crate::discord::Discord;
use crate::facebook::Facebook;
use crate::instagram::Instagram;
use crate::linkedin::Linkedin;
use crate::mastodon::Mastodon;
use crate::network::Network;
use crate::pinterest::Pinterest;
use crate::telegram::Telegram;
use crate::threads::Threads;
use crate::tiktok::Tiktok;
use crate::tumblr::Tumblr;
use crate::twitter::Twitter;
use crate::youtube::Youtube;

/// Makes every network, empty.
pub(crate) fn networks() -> Vec<Box<dyn Network>> {
    vec![
        Box::new(Bluesky::default()),
        Box::new(Discord::default()),
        Box::new(Facebook::default()),
        Box::new(Instagram::default()),
        Box::new(Linkedin::default()),
        Box::new(Mastodon::default()),
        Box::new(Pinterest::default()),
        Box::new(Telegram::default()),
        Box::new(Threads::default()),
        Box::new(Tiktok::default()),
        Box::new(Tumblr::default()),
        Box::new(Twitter::default()),
        Box::new(Youtube::default()),
        Box::new(Assistant::default()),
    ]
}
