//! What the core needs from outside, as traits: stores, networks, the sender of events, time,
//! ids, randomness.
//!
//! Every method of a store is one business operation and one transaction: it happens whole or not
//! at all. Nothing of a store's inside crosses these traits. Each port has a mock under the feature
//! `mock`.

mod after;
mod approvals;
mod assistant;
mod assistant_store;
mod audit;
mod connecting;
mod files;
mod idempotency;
mod inbox;
mod media;
mod media_store;
mod meter;
mod network;
mod network_error;
mod notifiers;
mod observer;
mod places;
mod readings;
mod sender;
mod sessions;
mod signed_files;
mod snippets;
mod store;
mod stores;
mod surroundings;
mod tasks;
mod webhook_store;
mod work;

pub use crate::platform::Metric;
pub use after::{
    Access, After, AfterPublishing, Board, Comment, CommentAction, CommentRights, Comments,
    Creator, Figures, Insights, LivePost, Mention, NewPlaylist, Playlist, PlaylistPrivacy,
    RemoteEdit, Retention, TrafficSource, unsupported,
};
pub use approvals::{ApprovalStore, ApprovalsOf};
pub use assistant::{Assistant, AssistantError, NoAssistant, Prompt};
pub use assistant_store::AssistantStore;
pub use audit::AuditStore;
pub use connecting::{ConnectingStore, PendingConnectionOf};
pub use files::{ByteStream, Files, FilesError, FinishError, UploadLink};
pub use idempotency::{AddOutcome, IdempotencyStore};
pub use inbox::InboxStore;
pub use media::{
    Derived, ExamineError, Examined, Examiner, FetchError, Fetched, Fetcher, NoMedia, PageFacts,
    PageImage,
};
pub use media_store::{EraseOutcome, MediaStore};
pub use meter::{Meter, Metered};
pub use network::{
    ApiVersion, Authorization, AuthorizeInput, CALL_WITHIN, ConnectInput, Connected, JobFile, Live,
    Located, Network, Networks, PublishJob, Step,
};
pub use network_error::{NetworkError, NetworkErrorKind};
pub use notifiers::{Mailer, NoMail, NotifierStore};
pub use observer::{CallClass, NetworkCall, Observer, StoreCall, Unobserved};
pub use places::{Full, Place, Places};
pub use readings::{
    Budget, DueReading, FigureQuery, FigureReading, Followers, ReadMode, ReadingContext,
    ReadingState, ReadingStore, ReadingsTaken, RefreshOutcome, Spending, TakenComments,
    TakenReading,
};
pub use sender::{EventSender, Request, Response, SendError};
pub use sessions::{LoginOf, SessionStore};
pub use signed_files::{ByteRange, FoundBytes, OpenFile, OpenFileError, ReceiveError, SignedFiles};
pub use snippets::SnippetStore;
pub use store::{
    AccountStore, ConnectOutcome, CreateOutcome, KeyStore, PostStore, RefreshClaim, RemoveOutcome,
    RenameOutcome, SaveOutcome, Store, StoreError, StoredCredentials, WorkspaceStore,
};
pub use stores::{Line, Stores};
pub use surroundings::{Clock, Ids, Random, Wake};
pub use tasks::{Task, Tasks};
pub use webhook_store::{DeliveryRecord, EventsRemoved, RedeliverOutcome, WebhookStore};
pub use work::{
    BACKLOG_MAX, Backlog, Claim, ClaimRequest, DeliveryContext, Heartbeat, MediaContext,
    PublishContext, Recorded, SET_BACK_MIN, WorkAfter, WorkKind, WorkQueue,
};
#[cfg(feature = "mock")]
pub use {
    media::MockExaminer, media::MockFetcher, network::MockNetwork, sender::MockEventSender,
    surroundings::MockClock, surroundings::MockIds, surroundings::MockRandom,
    surroundings::MockWake,
};
