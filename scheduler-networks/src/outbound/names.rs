//! Looking names up.

use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::Guard;

/// Looks names up as the system does.
pub(crate) struct SystemNames;

impl Resolve for SystemNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            // The client replaces port 0 by the one of the URL.
            let addresses = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let addresses: Addrs = Box::new(addresses.collect::<Vec<_>>().into_iter());
            Ok(addresses)
        })
    }
}

/// Looks names up once, and passes on what they lead to when the guard lets through all of it.
pub(crate) struct GuardedNames {
    guard: Guard,
    names: Arc<dyn Resolve>,
}

impl GuardedNames {
    pub(crate) fn new(guard: Guard, names: Arc<dyn Resolve>) -> Self {
        Self { guard, names }
    }
}

impl Resolve for GuardedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.guard.clone();
        let asked = name.as_str().to_owned();
        let found = self.names.resolve(name);
        Box::pin(async move {
            let addresses: Vec<SocketAddr> = found.await?.collect();
            guard.check_resolved(&asked, &addresses)?;
            let addresses: Addrs = Box::new(addresses.into_iter());
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Refusal;
    use super::*;

    #[tokio::test]
    async fn the_resolver_refuses_what_a_name_leads_to() {
        // Every machine has this name; a guard that skipped the look-up would let it pass.
        let names = |allow_private| {
            GuardedNames::new(Guard::new(allow_private), Arc::new(SystemNames))
                .resolve("localhost".parse().unwrap())
        };
        let refused = names(false).await.err().unwrap();
        assert_eq!(
            refused.downcast_ref(),
            Some(&Refusal::LeadsInside("localhost".to_owned())),
            "{refused}"
        );
        let found = names(true).await.unwrap();
        assert!(found.map(|address| address.ip()).all(|ip| ip.is_loopback()));
    }
}
