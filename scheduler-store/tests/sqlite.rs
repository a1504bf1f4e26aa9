//! What only a database in a file has to keep.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::FutureExt as _;
use futures_util::future::join_all;
use scheduler_core::account::{Account, Credentials};
use scheduler_core::ids::{AccountId, KeyId, MediaId, NotifierId, WebhookId, WorkspaceId};
use scheduler_core::key::{AgentPolicy, Key, KeyValue, Preset, WebhookSecret};
use scheduler_core::media::{Media, MediaKind, Transfer};
use scheduler_core::notification::{Channel, Notifier, NotifierState, TOLD};
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{AddOutcome, Store, StoreError};
use scheduler_core::webhook::{EventKind, WEBHOOKS_MAX, Webhook};
use scheduler_core::workspace::Workspace;
use scheduler_store::{Database, OpenError, SealingKey};
use secrecy::{ExposeSecret as _, SecretString};
use sqlx::Connection as _;
use uuid::Uuid;

fn noon() -> DateTime<Utc> {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

fn key(byte: u8) -> SealingKey {
    SealingKey::from_bytes([byte; 32])
}

fn url(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("scheduler.db").display())
}

fn workspace(number: u128) -> Workspace {
    Workspace {
        id: WorkspaceId(Uuid::from_u128(number)),
        name: format!("workspace {number}"),
        plan: Plan::Pro,
        timezone: None,
        picture: None,
        second_pair: false,
        links: Default::default(),
        created_at: noon(),
    }
}

fn account(workspace: WorkspaceId) -> Account {
    Account::new(
        AccountId(Uuid::from_u128(7)),
        workspace,
        Platform::Bluesky,
        "did:plc:example",
        noon(),
    )
}

fn webhook(workspace: WorkspaceId, secret: WebhookSecret) -> Webhook {
    Webhook {
        id: WebhookId(Uuid::from_u128(8)),
        workspace_id: workspace,
        url: "https://receiver.example".to_owned(),
        events: EventKind::UNNAMED.to_vec(),
        secret,
        created_at: noon(),
        disabled_at: None,
    }
}

fn fetched(workspace: WorkspaceId, source_url: &str) -> Media {
    let transfer = Transfer::Ingest { source_url: source_url.to_owned() };
    Media::declared(MediaId(Uuid::from_u128(10)), workspace, MediaKind::Image, transfer, noon())
}

fn notifier(workspace: WorkspaceId, number: u128) -> Notifier {
    Notifier {
        id: NotifierId(Uuid::from_u128(number)),
        workspace_id: workspace,
        channel: Channel::Slack,
        address: SecretString::from("https://hooks.example/T0/B0/0123456789"),
        events: TOLD.to_vec(),
        quiet: None,
        created_at: noon(),
    }
}

/// Stores a workspace, an account, a webhook, a file and a notifier; their secrets are what is given
/// back.
async fn fill(store: &Arc<dyn Store>) -> (WorkspaceId, [String; 5]) {
    let workspace = workspace(1);
    let value = KeyValue::from_random([5; 32]);
    let api_key = Key {
        id: KeyId(Uuid::from_u128(9)),
        workspace_id: workspace.id,
        name: "test".to_owned(),
        hash: value.hash(),
        hint: value.hint(),
        scopes: Preset::Full.scopes(),
        agents: AgentPolicy::default(),
        created_at: noon(),
        expires_at: noon(),
    };
    assert!(store.create_first_workspace(&workspace, &api_key).await.unwrap());
    let token = "token-of-the-network-0123456789";
    let credentials = Credentials::new(token.to_owned(), None);
    store.connect_account(&account(workspace.id), &credentials, 9).await.unwrap();
    let secret = WebhookSecret::from_random([6; 32]);
    let source_url = "https://files.example/a.png?signature=0123456789";
    let media = fetched(workspace.id, source_url);
    assert_eq!(store.create_media(&media, 9, None).await.unwrap(), AddOutcome::Stored);
    let told = notifier(workspace.id, 11);
    let address = told.address.expose_secret();
    assert!(store.create_notifier(&told, &NotifierState::new(noon()), 9).await.unwrap());
    let secrets = [token, secret.expose().unwrap(), value.expose(), source_url, address];
    let secrets = secrets.map(str::to_owned);
    let added =
        store.create_webhook(&webhook(workspace.id, secret), WEBHOOKS_MAX, None).await.unwrap();
    assert_eq!(added, AddOutcome::Stored);
    (workspace.id, secrets)
}

#[tokio::test]
async fn everything_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&url(folder.path()), &key(1)).await.unwrap();
    let (workspace, _) = fill(&database.store()).await;
    database.close().await;

    let database = Database::open(&url(folder.path()), &key(1)).await.unwrap();
    database.ping().await.unwrap();
    let store = database.store();
    assert_eq!(store.workspaces().await.unwrap().len(), 1);
    assert_eq!(store.accounts(workspace).await.unwrap().len(), 1);
    assert_eq!(store.webhooks(workspace).await.unwrap().len(), 1);
    database.close().await;
}

#[tokio::test]
async fn what_was_answered_is_in_the_log_before_any_close() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&url(folder.path()), &key(1)).await.unwrap();
    fill(&database.store()).await;
    // What a process that dies now leaves behind, opened elsewhere.
    let other = tempfile::tempdir().unwrap();
    for file in ["scheduler.db", "scheduler.db-wal"] {
        std::fs::copy(folder.path().join(file), other.path().join(file)).unwrap();
    }
    let copy = Database::open(&url(other.path()), &key(1)).await.unwrap();
    assert_eq!(copy.store().workspaces().await.unwrap().len(), 1);
    assert_eq!(copy.store().webhooks(WorkspaceId(Uuid::from_u128(1))).await.unwrap().len(), 1);
}

#[tokio::test]
async fn no_secret_is_in_a_file_in_clear() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&url(folder.path()), &key(1)).await.unwrap();
    let (_, secrets) = fill(&database.store()).await;
    let mut bytes = Vec::new();
    for _ in 0..2 {
        for file in std::fs::read_dir(folder.path()).unwrap() {
            bytes.extend(std::fs::read(file.unwrap().path()).unwrap());
        }
        database.close().await;
    }
    let contains = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(contains("https://receiver.example"), "the search finds what is there");
    for secret in secrets {
        assert!(!contains(&secret));
    }
}

#[tokio::test]
async fn another_key_opens_no_secret_and_says_which() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&url(folder.path()), &key(1)).await.unwrap();
    let (workspace, secrets) = fill(&database.store()).await;
    database.close().await;
    let database = Database::open(&url(folder.path()), &key(2)).await.unwrap();
    let store = database.store();
    assert_eq!(store.accounts(workspace).await.unwrap().len(), 1, "the rest can be read");
    let credentials = store.credentials(AccountId(Uuid::from_u128(7))).await;
    let Err(StoreError::Corrupt { what, source }) = credentials else { panic!("opened") };
    assert_eq!(what, "accounts.credentials");
    assert!(secrets.iter().all(|secret| !source.to_string().contains(secret)));
    let webhooks = store.webhooks(workspace).await.unwrap();
    assert!(webhooks.iter().all(|webhook| webhook.secret.expose().is_none()), "they are listed");
    let told = store.notifiers(workspace).await.unwrap();
    assert!(told.iter().all(|(one, _)| one.address.expose_secret().is_empty()), "they are listed");
    let listed = store.list_media(workspace, 9, None).await.unwrap();
    assert_eq!(listed, [(fetched(workspace, ""), 0)], "listed, and to be fetched from nowhere");
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_open_a_new_file_at_once_share_it() {
    // Several times: they do not always meet while the file becomes one with a log.
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let url = Arc::new(url(folder.path()));
        let openers = (0..6_u128).map(|number| {
            let url = url.clone();
            tokio::spawn(async move {
                let database = Database::open(&url, &key(1)).await.unwrap();
                assert!(database.store().create_workspace(&workspace(number)).await.unwrap());
                database
            })
        });
        let opened = join_all(openers).await;
        for database in opened {
            assert_eq!(database.unwrap().store().workspaces().await.unwrap().len(), 6);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_act_that_fails_takes_no_other_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&url(folder.path()), &key(1)).await.unwrap();
    // A key of a workspace that is not there is refused; all are asked for at once, so that they
    // share transactions.
    let operations = (0..200_u128).map(|number| {
        let store = database.store();
        tokio::spawn(async move {
            if number % 3 > 0 {
                return store.create_workspace(&workspace(number)).await.unwrap();
            }
            let value = KeyValue::from_random([5; 32]);
            let orphan = Key {
                id: KeyId(Uuid::from_u128(number)),
                workspace_id: WorkspaceId(Uuid::from_u128(u128::MAX)),
                name: "orphan".to_owned(),
                hash: value.hash(),
                hint: value.hint(),
                scopes: Preset::Read.scopes(),
                agents: AgentPolicy::default(),
                created_at: noon(),
                expires_at: noon(),
            };
            let refused = store.create_key(&orphan).await;
            assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
            false
        })
    });
    let made =
        join_all(operations).await.into_iter().filter(|made| *made.as_ref().unwrap()).count();
    assert_eq!(made, 133);
    assert_eq!(database.store().workspaces().await.unwrap().len(), 133);
}

#[tokio::test]
async fn an_act_is_done_although_nobody_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&url(folder.path()), &key(1)).await.unwrap();
    let store = database.store();
    let first = workspace(1);
    let mut operation = Box::pin(store.create_workspace(&first));
    assert!((&mut operation).now_or_never().is_none(), "it has been asked for");
    drop(operation);
    database.close().await;
    let database = Database::open(&url(folder.path()), &key(1)).await.unwrap();
    assert_eq!(database.store().workspaces().await.unwrap(), [first]);
}

#[tokio::test]
async fn a_closed_store_is_unavailable() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&url(folder.path()), &key(1)).await.unwrap();
    database.close().await;
    let store = database.store();
    let outcomes = [
        store.workspaces().await.map(|_| ()),
        store.create_workspace(&workspace(1)).await.map(|_| ()),
        database.ping().await,
    ];
    for outcome in outcomes {
        assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
    }
    database.close().await;
}

#[tokio::test]
async fn a_database_in_memory_is_its_own() {
    let first = Database::open("sqlite::memory:", &key(1)).await.unwrap();
    let second = Database::open("sqlite::memory:", &key(1)).await.unwrap();
    fill(&first.store()).await;
    first.ping().await.unwrap();
    assert_eq!(first.store().workspaces().await.unwrap().len(), 1);
    assert!(second.store().workspaces().await.unwrap().is_empty());
}

#[tokio::test]
async fn what_cannot_be_opened_is_named_without_the_address() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("no.db");
    std::fs::write(&file, "this is a letter, and no database at all").unwrap();
    let open = async |url: String| {
        let error = Database::open(&url, &key(1)).await.unwrap_err();
        let mut words = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(error) = source {
            words.push_str(&error.to_string());
            source = error.source();
        }
        assert!(!words.contains("secret"), "{words}");
        error
    };
    assert!(matches!(open("mysql://user:secret@host/name".into()).await, OpenError::Kind));
    assert!(matches!(open("no url".into()).await, OpenError::Kind));
    assert!(matches!(open("postgres://user:secret@host:port/x".into()).await, OpenError::Address));
    let nowhere = format!("sqlite:{}/secret/x.db", folder.path().display());
    assert!(matches!(open(nowhere).await, OpenError::Unavailable(_)));
    let letter = format!("sqlite:{}", file.display());
    assert!(matches!(open(letter).await, OpenError::Unavailable(_)));
    let closed = "postgres://user:secret@127.0.0.1:1/x".to_owned();
    assert!(matches!(open(closed).await, OpenError::Unavailable(_)));
}

#[tokio::test]
async fn a_notifier_that_cannot_be_read_keeps_no_other_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&url(folder.path()), &key(1)).await.unwrap();
    let store = database.store();
    let (workspace, _) = fill(&store).await;
    let other = notifier(workspace, 12);
    assert!(store.create_notifier(&other, &NotifierState::new(noon()), 9).await.unwrap());
    let mut connection = sqlx::SqliteConnection::connect(&url(folder.path())).await.unwrap();
    let newer = "UPDATE notifiers SET events = '[\"post.later\"]' WHERE id = $1";
    sqlx::query(newer).bind(Uuid::from_u128(11)).execute(&mut connection).await.unwrap();
    let later = noon() + chrono::TimeDelta::minutes(2);
    let unread = store.claim_notifier(noon(), later).await;
    assert!(matches!(unread, Err(StoreError::Corrupt { .. })), "{unread:?}");
    let (claimed, _) = store.claim_notifier(noon(), later).await.unwrap().unwrap();
    assert_eq!(claimed, other);
    assert_eq!(store.claim_notifier(noon(), later).await.unwrap(), None);
}

#[tokio::test]
async fn a_database_of_a_newer_release_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&url(folder.path()), &key(1)).await.unwrap();
    database.close().await;
    let mut connection = sqlx::SqliteConnection::connect(&url(folder.path())).await.unwrap();
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'later', true, x'00', 1)",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    let error = Database::open(&url(folder.path()), &key(1)).await.unwrap_err();
    assert!(matches!(error, OpenError::Newer), "{error:?}");
}
