//! Each operation of each port, passed on to the part that has it.

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::super::{
    AccountSetStore, AccountStore, AddOutcome, ApprovalStore, ApprovalsOf, AssistantStore,
    AuditStore, Backlog, Budget, CalendarStore, Claim, ClaimRequest, ConnectOutcome,
    ConnectingStore, CreateOutcome, DeliveryContext, DeliveryRecord, EraseOutcome, EventsRemoved,
    FeedStore, FigureQuery, FigureReading, Followers, GrantStore, Heartbeat, Held,
    IdempotencyStore, InboxStore, KeyStore, LinkStore, LoginOf, MediaContext, MediaStore,
    NotifierStore, PasskeyStore, PendingConnectionOf, PostStore, PublishContext, ReadingContext,
    ReadingStore, ReadingsTaken, Recorded, RecurrenceStore, RedeliverOutcome, RefreshClaim,
    RefreshOutcome, RemoveOutcome, RenameOutcome, SaveOutcome, SessionStore, SetOutcome,
    SnippetStore, Spending, StoreError, StoredCredentials, UploadLinkStore, WebhookStore,
    WorkAfter, WorkQueue, WorkspaceStore,
};
use super::Stores;
use crate::account::{Account, AccountSet, AccountSetChange, Credentials};
use crate::assistant::{AssistantCall, Reviewed};
use crate::audit::{AuditCursor, AuditEntry, AuditFilter};
use crate::calendar::{CalendarEntry, CalendarFeed};
use crate::changes::Changes;
use crate::connecting::{PassHash, PendingConnection};
use crate::feeds::{Feed, FeedState};
use crate::idempotency::{KeyScope, KeyUse};
use crate::ids::{
    AccountId, AccountSetId, CommentId, DeliveryId, FeedId, GrantId, KeyId, MediaId, NotifierId,
    PasskeyId, PostId, PostVersionId, RecurrenceId, SessionId, TargetId, WebhookId, WorkId,
    WorkspaceId,
};
use crate::inbox::{CommentChange, InboxQuery, Marked, ReceivedComment};
use crate::key::{Key, KeyHash};
use crate::links::{Clicks, ShortLink};
use crate::media::{Media, MediaCursor, UploadLink};
use crate::notification::{Notifier, NotifierState};
use crate::oauth::{Grant, GrantToken, TokenHash};
use crate::passkey::{Challenge, Passkey};
use crate::post::{Approval, LastChange, ListQuery, Month, PageQuery, Post, PostVersion};
use crate::reading::Reading;
use crate::recurrence::{EntryUse, Progress, Recurrence, UseOutcome};
use crate::session::{Login, Person, Session, SessionHash};
use crate::snippet::{Snippet, SnippetName};
use crate::target::Target;
use crate::webhook::{Delivery, DeliveryAttempt, DeliveryStatus, Event, EventPlace, Webhook};
use crate::workspace::Workspace;

/// Passes the operations of a port on.
macro_rules! pass_on {
    ($field:ident: $port:ident { $(fn $name:ident($($argument:ident: $of:ty),*) -> $answer:ty;)* }) => {
        #[async_trait]
        impl $port for Stores {
            $(async fn $name(&self, $($argument: $of),*) -> Result<$answer, StoreError> {
                let Some(line) = &self.line else { return self.$field.$name($($argument),*).await };
                let mut answer = None;
                let run = async {
                    let answered = self.$field.$name($($argument),*).await;
                    answer.insert(answered).is_ok()
                };
                line.carry(stringify!($name), Box::pin(run)).await?;
                // A line that runs nothing says why.
                answer.unwrap_or(Err(StoreError::Unsupported))
            })*
        }
    };
}

pass_on!(workspaces: WorkspaceStore {
    fn create_first_workspace(workspace: &Workspace, key: &Key) -> bool;
    fn create_workspace(workspace: &Workspace) -> bool;
    fn workspace(id: WorkspaceId) -> Option<Workspace>;
    fn workspaces() -> Vec<Workspace>;
    fn update_workspace(workspace: &Workspace) -> RenameOutcome;
});

pass_on!(keys: KeyStore {
    fn create_key(key: &Key) -> ();
    fn keys(workspace: WorkspaceId) -> Vec<Key>;
    fn key_by_hash(hash: KeyHash) -> Option<(Key, Workspace)>;
    fn revoke_key(id: KeyId) -> bool;
});

pass_on!(sessions: SessionStore {
    fn create_login(login: &Login) -> bool;
    fn login(of: &LoginOf) -> Option<Login>;
    fn open_session(session: &Session) -> bool;
    fn session_by_hash(hash: SessionHash) -> Option<(Session, Workspace)>;
    fn sessions(workspace: WorkspaceId) -> Vec<Session>;
    fn name_session(workspace: WorkspaceId, id: SessionId, person: &Person) -> bool;
    fn extend_session(workspace: WorkspaceId, id: SessionId, until: DateTime<Utc>) -> bool;
    fn remove_session(workspace: WorkspaceId, id: SessionId) -> bool;
    fn remove_expired_sessions(until: DateTime<Utc>) -> u64;
});

pass_on!(accounts: AccountStore {
    fn connect_account(account: &Account, credentials: &Credentials, limit: u64) -> ConnectOutcome;
    fn account(workspace: WorkspaceId, id: AccountId) -> Option<Account>;
    fn accounts(workspace: WorkspaceId) -> Vec<Account>;
    fn accounts_expiring(until: DateTime<Utc>, limit: u32) -> Vec<Account>;
    fn update_account(account: &Account) -> bool;
    fn disconnect_account(workspace: WorkspaceId, id: AccountId, at: DateTime<Utc>) -> bool;
    fn mark_needs_reconnect(id: AccountId, version: i64, event: Option<&Event>) -> bool;
    fn credentials(id: AccountId) -> Option<StoredCredentials>;
    fn claim_refresh(
        id: AccountId,
        version: i64,
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>
    ) -> RefreshClaim;
    fn replace_credentials(of: &[(AccountId, i64)], credentials: &Credentials) -> Vec<AccountId>;
});

pass_on!(connecting: ConnectingStore {
    fn create_pending_connection(pending: &PendingConnection) -> ();
    fn pending_connection(of: PendingConnectionOf) -> Option<PendingConnection>;
    fn save_pending_connection(pending: &PendingConnection) -> bool;
    fn remove_pending_connections(until: DateTime<Utc>) -> u64;
});

pass_on!(posts: PostStore {
    fn create_post(post: &Post, posts_a_month: u64) -> CreateOutcome;
    fn post(workspace: WorkspaceId, id: PostId) -> Option<Post>;
    fn post_ids(workspace: WorkspaceId, from: PostId, to: PostId, limit: u32) -> Vec<PostId>;
    fn post_by_key(workspace: WorkspaceId, key: &str) -> Option<Post>;
    fn list_posts(query: &ListQuery) -> Vec<Post>;
    fn save_post(post: &Post, posts_a_month: u64) -> SaveOutcome;
    fn last_change(workspace: WorkspaceId, post: PostId) -> Option<LastChange>;
    fn last_changes(workspace: WorkspaceId, since: DateTime<Utc>, limit: u32) -> Vec<LastChange>;
    fn keep_version(version: &PostVersion, replaced: &[PostVersionId]) -> ();
    fn versions(workspace: WorkspaceId, post: PostId) -> Vec<PostVersion>;
    fn changes(workspace: WorkspaceId, since: DateTime<Utc>) -> Changes;
    fn remove_post(workspace: WorkspaceId, id: PostId, version: i64) -> RemoveOutcome;
    fn taken_instants(account: AccountId, from: DateTime<Utc>) -> BTreeSet<DateTime<Utc>>;
    fn held_instants(accounts: &[AccountId], from: DateTime<Utc>, to: DateTime<Utc>) -> Vec<Held>;
    fn posts_in_month(workspace: WorkspaceId, month: Month) -> u64;
});

pass_on!(approvals: ApprovalStore {
    fn save_approvals(changes: &[(Post, Option<Approval>)], event: Option<&Event>) -> SaveOutcome;
    fn approvals(of: ApprovalsOf) -> Vec<(Approval, Post)>;
});

pass_on!(webhooks: WebhookStore {
    fn create_webhook(webhook: &Webhook, limit: u32, key_use: Option<&KeyUse>) -> AddOutcome;
    fn webhooks(workspace: WorkspaceId) -> Vec<Webhook>;
    fn set_webhook_disabled(
        workspace: WorkspaceId,
        id: WebhookId,
        at: Option<DateTime<Utc>>
    ) -> bool;
    fn remove_webhook(workspace: WorkspaceId, id: WebhookId) -> bool;
    fn delivery(id: DeliveryId) -> Option<DeliveryRecord>;
    fn deliveries(
        workspace: WorkspaceId,
        status: Option<DeliveryStatus>,
        limit: u32
    ) -> Vec<DeliveryRecord>;
    fn redeliver(workspace: WorkspaceId, id: DeliveryId, at: DateTime<Utc>) -> RedeliverOutcome;
    fn remove_ended_deliveries(before: DateTime<Utc>, limit: u32) -> u64;
    fn remove_unnamed_events(
        before: DateTime<Utc>,
        after: Option<EventPlace>,
        limit: u32
    ) -> EventsRemoved;
});

pass_on!(media: MediaStore {
    fn create_media(
        media: &Media,
        upload_bytes_a_month: u64,
        key_use: Option<&KeyUse>
    ) -> AddOutcome;
    fn save_media(media: &Media) -> bool;
    fn erase_media(workspace: WorkspaceId, id: MediaId, at: DateTime<Utc>) -> EraseOutcome;
    fn list_media(workspace: WorkspaceId, limit: u32, before: Option<MediaCursor>) -> Vec<(Media, u64)>;
    fn posts_of_media(workspace: WorkspaceId, id: MediaId, page: PageQuery) -> Vec<Post>;
    fn bytes_in_month(workspace: WorkspaceId, month: Month) -> u64;
    fn media(workspace: WorkspaceId, ids: &[MediaId]) -> Vec<Media>;
});

pass_on!(readings: ReadingStore {
    fn reading_context(claim: &Claim, now: DateTime<Utc>, limit: u32) -> Option<ReadingContext>;
    fn record_readings(claim: &Claim, taken: &ReadingsTaken) -> Recorded;
    fn add_reading(target: TargetId, reading: &Reading, superfluous: &[DateTime<Utc>]) -> ();
    fn readings(target: TargetId, since: Option<DateTime<Utc>>, limit: u32) -> Vec<Reading>;
    fn figure_readings(workspace: WorkspaceId, query: &FigureQuery) -> Vec<FigureReading>;
    fn refresh_readings(
        workspace: WorkspaceId,
        now: DateTime<Utc>,
        published_since: DateTime<Utc>,
        every: TimeDelta
    ) -> RefreshOutcome;
    fn followers(workspace: WorkspaceId, from: NaiveDate) -> Vec<Followers>;
    fn spend(budgets: &[Budget], amount: u32) -> Spending;
    fn spent(budgets: &[Budget]) -> Vec<u32>;
});

pass_on!(assistant: AssistantStore {
    fn take_call(workspace: WorkspaceId, month: Month, call: AssistantCall, limit: u64) -> bool;
    fn give_back_call(workspace: WorkspaceId, month: Month, call: AssistantCall) -> ();
    fn calls_in_month(workspace: WorkspaceId, month: Month, call: AssistantCall) -> u64;
    fn post_of_target(workspace: WorkspaceId, target: TargetId) -> Option<Post>;
    fn save_review(workspace: WorkspaceId, post: PostId, reviewed: &Reviewed) -> bool;
    fn review(workspace: WorkspaceId, target: TargetId) -> Option<Reviewed>;
});

pass_on!(notifiers: NotifierStore {
    fn create_notifier(notifier: &Notifier, state: &NotifierState, limit: u32) -> bool;
    fn notifiers(workspace: WorkspaceId) -> Vec<(Notifier, NotifierState)>;
    fn remove_notifier(workspace: WorkspaceId, id: NotifierId) -> bool;
    fn claim_notifier(
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>
    ) -> Option<(Notifier, NotifierState)>;
    fn news(
        notifier: &Notifier,
        after: EventPlace,
        until: DateTime<Utc>,
        limit: u32
    ) -> Vec<Event>;
    fn record_notified(
        id: NotifierId,
        lease_until: DateTime<Utc>,
        state: &NotifierState
    ) -> Recorded;
});

pass_on!(audit: AuditStore {
    fn add_audit(entries: &[AuditEntry]) -> ();
    fn audit(workspace: WorkspaceId, limit: u32, before: Option<AuditCursor>, filter: AuditFilter) -> Vec<AuditEntry>;
    fn remove_audit(before: DateTime<Utc>, limit: u32) -> u64;
});

pass_on!(inbox: InboxStore {
    fn inbox(workspace: WorkspaceId, query: &InboxQuery) -> Vec<ReceivedComment>;
    fn unread_comments(workspace: WorkspaceId) -> u64;
    fn mark_comments(
        workspace: WorkspaceId,
        marked: &Marked,
        read_at: Option<DateTime<Utc>>
    ) -> u64;
    fn change_comment(id: CommentId, change: CommentChange) -> ();
});

pass_on!(links: LinkStore {
    fn short_link(code: &str) -> Option<ShortLink>;
    fn count_click(code: &str, day: NaiveDate) -> ();
    fn short_links(workspace: WorkspaceId, before: Option<ShortLink>, limit: u32) -> Vec<ShortLink>;
    fn clicks(codes: &[String], since: NaiveDate) -> Vec<Clicks>;
});

pass_on!(passkeys: PasskeyStore {
    fn create_passkey(passkey: &Passkey) -> bool;
    fn passkeys(workspace: WorkspaceId) -> Vec<Passkey>;
    fn passkey_by_credential(credential: &[u8]) -> Option<(Passkey, Workspace)>;
    fn use_passkey(read: &Passkey, state: &[u8], at: DateTime<Utc>) -> bool;
    fn remove_passkey(workspace: WorkspaceId, id: PasskeyId) -> bool;
    fn keep_challenge(challenge: &Challenge, now: DateTime<Utc>, most: u32) -> bool;
    fn take_challenge(pass: PassHash) -> Option<Challenge>;
});

pass_on!(grants: GrantStore {
    fn create_grant(grant: &Grant, code: &GrantToken, now: DateTime<Utc>, most: u32) -> bool;
    fn grant_token(hash: TokenHash) -> Option<(GrantToken, Grant, Workspace)>;
    fn exchange_token(shown: TokenHash, grant: &Grant, next: &[GrantToken]) -> bool;
    fn grants(workspace: WorkspaceId) -> Vec<Grant>;
    fn name_grants(workspace: WorkspaceId, session: SessionId, person: &Person) -> ();
    fn remove_grants_of_session(workspace: WorkspaceId, session: SessionId) -> ();
    fn remove_grant(workspace: WorkspaceId, id: GrantId) -> bool;
    fn remove_expired_grants(now: DateTime<Utc>, limit: u32) -> u64;
});

pass_on!(upload_links: UploadLinkStore {
    fn keep_upload_link(link: &UploadLink, now: DateTime<Utc>, most: u32) -> bool;
    fn upload_link(pass: PassHash) -> Option<(UploadLink, Workspace)>;
    fn take_upload_link(pass: PassHash) -> bool;
});

pass_on!(recurrences: RecurrenceStore {
    fn create_recurrence(recurrence: &Recurrence, limit: u32) -> bool;
    fn recurrences(workspace: WorkspaceId) -> Vec<(Recurrence, Progress)>;
    fn recurrence(workspace: WorkspaceId, id: RecurrenceId) -> Option<(Recurrence, Progress)>;
    fn save_recurrence(recurrence: &Recurrence) -> bool;
    fn remove_recurrence(recurrence: &Recurrence, now: DateTime<Utc>) -> bool;
    fn claim_recurrence(
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>
    ) -> Option<(Recurrence, Progress)>;
    fn record_planned(
        id: RecurrenceId,
        lease_until: DateTime<Utc>,
        progress: &Progress,
        renewed: Option<DateTime<Utc>>,
        event: Option<&Event>
    ) -> Recorded;
    fn use_entry(
        workspace: WorkspaceId,
        used: &EntryUse,
        forbidden_from: Option<DateTime<Utc>>
    ) -> UseOutcome;
    fn entry_uses(id: RecurrenceId) -> Vec<EntryUse>;
});

pass_on!(account_sets: AccountSetStore {
    fn create_account_set(set: &AccountSet, limit: u32) -> SetOutcome;
    fn account_sets(workspace: WorkspaceId) -> Vec<AccountSet>;
    fn update_account_set(
        workspace: WorkspaceId,
        id: AccountSetId,
        change: &AccountSetChange
    ) -> SetOutcome;
    fn remove_account_set(workspace: WorkspaceId, id: AccountSetId) -> bool;
});

pass_on!(snippets: SnippetStore {
    fn save_snippet(snippet: &Snippet, limit: u32) -> bool;
    fn snippets(workspace: WorkspaceId) -> Vec<Snippet>;
    fn remove_snippet(workspace: WorkspaceId, name: &SnippetName) -> bool;
});

pass_on!(calendar: CalendarStore {
    fn save_calendar_feed(feed: &CalendarFeed) -> ();
    fn calendar_feed(workspace: WorkspaceId) -> Option<CalendarFeed>;
    fn remove_calendar_feed(workspace: WorkspaceId) -> bool;
    fn workspace_of_calendar(hash: PassHash) -> Option<Workspace>;
    fn calendar_entries(
        workspace: WorkspaceId,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
        limit: u32
    ) -> Vec<CalendarEntry>;
});

pass_on!(feeds: FeedStore {
    fn create_feed(feed: &Feed, state: &FeedState, limit: u32) -> bool;
    fn feeds(workspace: WorkspaceId) -> Vec<(Feed, FeedState)>;
    fn feed(workspace: WorkspaceId, id: FeedId) -> Option<(Feed, FeedState)>;
    fn update_feed(feed: &Feed, next_at: Option<DateTime<Utc>>) -> bool;
    fn hurry_feed(workspace: WorkspaceId, id: FeedId, next_at: DateTime<Utc>) -> bool;
    fn remove_feed(workspace: WorkspaceId, id: FeedId) -> bool;
    fn claim_feed(now: DateTime<Utc>, lease_until: DateTime<Utc>) -> Option<(Feed, FeedState)>;
    fn record_poll(
        id: FeedId,
        lease_until: DateTime<Utc>,
        state: &FeedState,
        event: Option<&Event>
    ) -> Recorded;
});

pass_on!(idempotency: IdempotencyStore {
    fn key_use(workspace: WorkspaceId, scope: &KeyScope, key: &str) -> Option<KeyUse>;
    fn begin_key_use(new: &KeyUse) -> Option<KeyUse>;
    fn settle_key_use(settled: &KeyUse) -> bool;
    fn forget_key_use(of: &KeyUse) -> bool;
});

pass_on!(work: WorkQueue {
    fn heartbeat(at: DateTime<Utc>) -> Heartbeat;
    fn claim(request: &ClaimRequest) -> Vec<Claim>;
    fn renew(claims: &[Claim], lease_until: DateTime<Utc>) -> Vec<WorkId>;
    fn release(claim: &Claim, due_at: DateTime<Utc>) -> Recorded;
    fn next_due(now: DateTime<Utc>) -> Option<DateTime<Utc>>;
    fn next_due_after(now: DateTime<Utc>) -> Option<DateTime<Utc>>;
    fn backlog(now: DateTime<Utc>) -> Vec<Backlog>;
    fn publish_context(claim: &Claim) -> Option<PublishContext>;
    fn record_publish(
        claim: &Claim,
        target: &Target,
        event: Option<&Event>,
        after: WorkAfter,
        at: DateTime<Utc>
    ) -> Recorded;
    fn delivery_context(claim: &Claim) -> Option<DeliveryContext>;
    fn record_delivery(
        claim: &Claim,
        delivery: &Delivery,
        attempt: &DeliveryAttempt,
        after: WorkAfter
    ) -> Recorded;
    fn media_context(claim: &Claim) -> Option<MediaContext>;
    fn record_media(claim: &Claim, media: &Media, event: Option<&Event>) -> Recorded;
});

#[cfg(test)]
mod tests {
    /// A method with a body of its own would else be absent without a word.
    #[test]
    fn every_operation_is_passed_on() {
        let table = include_str!("operations.rs");
        let ports = [
            include_str!("../store.rs"),
            include_str!("../account_store.rs"),
            include_str!("../account_sets.rs"),
            include_str!("../approvals.rs"),
            include_str!("../assistant_store.rs"),
            include_str!("../audit.rs"),
            include_str!("../calendar.rs"),
            include_str!("../connecting.rs"),
            include_str!("../grants.rs").split("pub enum DocumentError").next().unwrap(),
            include_str!("../feeds.rs"),
            include_str!("../idempotency.rs"),
            include_str!("../inbox.rs"),
            include_str!("../links.rs"),
            include_str!("../media_store.rs"),
            include_str!("../notifiers.rs").split("pub trait Mailer").next().unwrap(),
            include_str!("../passkeys.rs"),
            include_str!("../readings.rs"),
            include_str!("../recurrences.rs"),
            include_str!("../sessions.rs"),
            include_str!("../snippets.rs"),
            include_str!("../upload_links.rs"),
            include_str!("../webhook_store.rs"),
            include_str!("../work.rs"),
        ];
        let operations = ports.iter().flat_map(|port| port.split("    async fn ").skip(1));
        let mut count = 0;
        for operation in operations {
            let name = operation.split('(').next().unwrap();
            assert!(table.contains(&format!("    fn {name}(")), "{name}");
            count += 1;
        }
        let of_this_test = 1;
        assert_eq!(table.matches("\n    fn ").count(), count + of_this_test, "each once");
    }
}
