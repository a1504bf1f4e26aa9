//! The one list of the imitated networks.

use crate::bluesky::Bluesky;
use crate::linkedin::Linkedin;
use crate::mastodon::Mastodon;
use crate::network::Network;

/// Makes every network, empty.
pub(crate) fn networks() -> Vec<Box<dyn Network>> {
    vec![Box::new(Bluesky::default()), Box::new(Linkedin::default()), Box::new(Mastodon::default())]
}
