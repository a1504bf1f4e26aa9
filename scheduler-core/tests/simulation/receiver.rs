//! A receiver of events that is often away.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use scheduler_core::ports::{Clock as _, EventSender, Request, Response, SendError};
use scheduler_core::signing::{ID_HEADER, SIGNATURE_V2_HEADER, verify_v2};

use crate::world::World;

pub(crate) struct Receiver {
    pub(crate) world: Arc<World>,
    pub(crate) secret: Mutex<Option<String>>,
    /// Bodies by event id.
    pub(crate) received: Mutex<BTreeMap<String, String>>,
}

#[async_trait]
impl EventSender for Receiver {
    async fn send(&self, request: &Request) -> Result<Response, SendError> {
        self.world.pause().await;
        if self.world.fault(4) {
            return Err(SendError::Timeout);
        }
        let header = |name| {
            let found = request.headers.iter().find(|(header, _)| *header == name);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let secret = self.secret.lock().expect("not poisoned").clone().unwrap_or_default();
        let signature = header(SIGNATURE_V2_HEADER);
        let now = self.world.now();
        // A clock may jump between signing and sending.
        if !self.world.hazards.hostile
            && let Err(error) = verify_v2(&secret, &signature, request.body.as_bytes(), now)
        {
            self.world.violated(format!("a delivery does not verify: {error}"));
        }
        let id = header(ID_HEADER);
        let earlier =
            self.received.lock().expect("not poisoned").insert(id.clone(), request.body.clone());
        if earlier.is_some_and(|earlier| earlier != request.body) {
            self.world.violated(format!("event {id} was sent with two bodies"));
        }
        self.world.pause().await;
        if self.world.fault(6) {
            return Err(SendError::Connection("broke".into()));
        }
        let status = if self.world.fault(6) { 500 } else { 204 };
        Ok(Response { status, body_start: String::new() })
    }

    fn check_address(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
}
