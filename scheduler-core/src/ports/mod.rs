//! What the core needs from outside, as traits: stores, networks, the sender of events, time,
//! ids, randomness.
//!
//! Every method of a store is one business operation and one transaction: it happens whole or not
//! at all. Nothing of a store's inside crosses these traits. Each port has a mock under the feature
//! `mock`.

mod account_sets;
mod account_store;
mod after;
mod approvals;
mod assistant;
mod assistant_store;
mod audit;
mod calendar;
mod connect;
mod connecting;
mod feeds;
mod files;
mod grants;
mod idempotency;
mod identity;
mod inbox;
mod links;
mod media;
mod media_store;
mod meter;
mod network;
mod network_error;
mod notifiers;
mod observer;
mod passkeys;
mod places;
mod readings;
mod recurrences;
mod sender;
mod sessions;
mod signed_files;
mod snippets;
mod store;
mod stores;
mod surroundings;
mod tasks;
mod upload_links;
mod webhook_store;
mod work;

pub use crate::platform::Metric;
pub use account_sets::{AccountSetStore, SetOutcome};
pub use account_store::{AccountStore, ConnectOutcome, RefreshClaim, StoredCredentials};
pub use after::{
    Access, After, AfterPublishing, Board, Comment, CommentAction, CommentRights, Comments,
    Creator, Figures, Insights, LivePost, Mention, NewPlaylist, Playlist, PlaylistPrivacy,
    RemoteEdit, Retention, TrafficSource, unsupported,
};
pub use approvals::{ApprovalStore, ApprovalsOf};
pub use assistant::{Assistant, AssistantError, NoAssistant, Prompt};
pub use assistant_store::AssistantStore;
pub use audit::AuditStore;
pub use calendar::CalendarStore;
pub use connect::{Authorization, AuthorizeInput, ConnectInput, Connected};
pub use connecting::{ConnectingStore, PendingConnectionOf};
pub use feeds::FeedStore;
pub use files::{ByteStream, Files, FilesError, FinishError, UploadLink};
pub use grants::{ClientDocuments, DocumentError, GrantStore, NoDocuments};
pub use idempotency::{AddOutcome, IdempotencyStore};
pub use identity::{IdentityError, IdentityProvider, Returning};
pub use inbox::InboxStore;
pub use links::LinkStore;
pub use media::{
    Derived, ExamineError, Examined, Examiner, FetchError, Fetched, Fetcher, NoMedia, PageFacts,
    PageImage,
};
pub use media_store::{EraseOutcome, MediaStore};
pub use meter::{Meter, Metered};
pub use network::{
    ApiVersion, CALL_WITHIN, JobFile, Live, Located, Network, Networks, PublishJob, Step,
};
pub use network_error::{NetworkError, NetworkErrorKind};
pub use notifiers::{Mailer, NoMail, NotifierStore};
pub use observer::{CallClass, NetworkCall, Observer, StoreCall, Unobserved};
pub use passkeys::PasskeyStore;
pub use places::{Full, Place, Places};
pub use readings::{
    Budget, DueReading, FigureQuery, FigureReading, Followers, ReadMode, ReadingContext,
    ReadingState, ReadingStore, ReadingsTaken, RefreshOutcome, Spending, TakenComments,
    TakenReading,
};
pub use recurrences::RecurrenceStore;
pub use sender::{EventSender, Request, Response, SendError};
pub use sessions::{LoginOf, SessionStore};
pub use signed_files::{ByteRange, FoundBytes, OpenFile, OpenFileError, ReceiveError, SignedFiles};
pub use snippets::SnippetStore;
pub use store::{
    CreateOutcome, Held, KeyStore, PostStore, RemoveOutcome, RenameOutcome, SaveOutcome, Store,
    StoreError, WorkspaceStore,
};
pub use stores::{Line, Stores};
pub use surroundings::{Clock, Ids, Random, Wake};
pub use tasks::{Task, Tasks};
pub use upload_links::UploadLinkStore;
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
