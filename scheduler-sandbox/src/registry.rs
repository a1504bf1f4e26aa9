//! The one list of the imitated networks.

use crate::bluesky::Bluesky;
use crate::mastodon::Mastodon;
use crate::network::Network;
use crate::threads::Threads;

/// Makes every network, empty.
pub(crate) fn networks() -> Vec<Box<dyn Network>> {
    vec![Box::new(Bluesky::default()), Box::new(Mastodon::default()), Box::new(Threads::default())]
}
