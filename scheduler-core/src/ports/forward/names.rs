//! What the signatures of the stores name, for [`forward_store`](crate::forward_store).

pub use crate::account::{Account, Credentials};
pub use crate::assistant::{AssistantCall, Reviewed};
pub use crate::connecting::{PassHash, PendingConnection};
pub use crate::idempotency::{KeyScope, KeyUse};
pub use crate::ids::{
    AccountId, ConnectionId, DeliveryId, KeyId, MediaId, PostId, TargetId, WebhookId, WorkId,
    WorkspaceId,
};
pub use crate::key::{Key, KeyHash};
pub use crate::media::Media;
pub use crate::ports::{
    AccountStore, AddOutcome, ApprovalStore, AssistantStore, Backlog, CallBudget, Claim,
    ClaimRequest, ConnectOutcome, ConnectingStore, CreateOutcome, DeliveryContext, DeliveryRecord,
    EraseOutcome, EventsRemoved, Followers, Heartbeat, IdempotencyStore, KeyStore, MediaContext,
    MediaStore, PostStore, PublishContext, ReadingContext, ReadingStore, ReadingsTaken, Recorded,
    RedeliverOutcome, RefreshClaim, RefreshOutcome, RemoveOutcome, SaveOutcome, Spending,
    StoreError, StoredCredentials, WebhookStore, WorkAfter, WorkQueue, WorkspaceStore,
};
pub use crate::post::{Approval, ListQuery, Month, PageQuery, Post};
pub use crate::reading::Reading;
pub use crate::target::Target;
pub use crate::webhook::{Delivery, DeliveryAttempt, DeliveryStatus, Event, EventPlace, Webhook};
pub use crate::workspace::Workspace;
pub use async_trait::async_trait;
pub use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
pub use std::collections::BTreeSet;
