//! What an operator sets of the pages on which accounts are connected.

use std::collections::BTreeMap;

use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::platform::{Platform, RedirectRefused};
use url::Url;

/// What the pages on which accounts are connected have to know.
#[derive(Clone, Debug)]
pub struct ConnectPages {
    /// How browsers reach this server.
    pub server: Url,
    /// Whether networks send browsers back to whichever address, as those of a sandbox do.
    pub any_redirect: bool,
    /// The networks whose own pages cannot be opened, each with a sentence that says why.
    pub unregistered: BTreeMap<Platform, String>,
}

impl ConnectPages {
    /// Pages of a server that browsers reach at this address; every network's page can be opened.
    #[must_use]
    pub const fn at(server: Url) -> Self {
        Self { server, any_redirect: false, unregistered: BTreeMap::new() }
    }

    /// The address of the server as a network has to be told it, without a slash at its end.
    ///
    /// # Errors
    /// [`RedirectRefused`] when the network does not send browsers there.
    pub fn address(&self, platform: Platform) -> Result<String, RedirectRefused> {
        if self.any_redirect {
            return Ok(self.server.as_str().trim_end_matches('/').to_owned());
        }
        platform.sheet().connecting.redirect.address(&self.server)
    }

    /// Where a network sends browsers back to.
    ///
    /// # Errors
    /// `unsupported` when it would not send them here, or its page needs what is not set.
    pub fn redirect_uri(&self, platform: Platform) -> Result<String, Refusal> {
        let unsupported = |reason: String| Refusal::new(ErrorCode::Unsupported, reason);
        if let Some(reason) = self.unregistered.get(&platform) {
            return Err(unsupported(reason.clone()));
        }
        let address = self.address(platform).map_err(|error| {
            let name = platform.sheet().name;
            unsupported(format!(
                "{name}: {error}. The operator can set the public URL of this server to one."
            ))
        })?;
        Ok(format!("{address}/connect/{platform}/callback"))
    }

    /// True when browsers reach the server by https.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.server.scheme() == "https"
    }
}
