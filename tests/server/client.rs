//! The client of `scheduler-client`, against the built server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::TryStreamExt as _;
use scheduler_client::upload::Uploader;
use scheduler_client::{Client, Error};
use scheduler_core::app::{CheckInput, WebhookInput};
use scheduler_core::error::ErrorCode;
use scheduler_core::media::{MediaInput, MediaKind, MediaListInput, MediaStatus};
use scheduler_core::platform::Platform;
use scheduler_core::post::{ListInput, NewPost, PostInput, PostStatus};
use scheduler_core::target::TargetStatus;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::files::picture;
use crate::support::{Networks, Receiver, Service, Setup};

fn client_of(service: &Service, url: &str) -> Client {
    let key = service.first_key.clone().expect("this was the first start");
    Client::builder(url).key(key).build().unwrap()
}

fn text(text: &str) -> NewPost {
    NewPost::text(text).to(Platform::Mastodon)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_with_a_file_is_made_followed_found_and_changed() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), networks.url()).serve();
    let client = client_of(&service, &service.url);

    let accounts = client.accounts().await.unwrap();
    assert!(accounts.iter().any(|account| account.platform == Platform::Mastodon));
    assert!(client.platforms().await.unwrap().contains_key("mastodon"));
    let long = CheckInput::from(text(&"x".repeat(600)));
    let report = client.check(&long).await.unwrap();
    assert!(!report.ok && report.issues[0].platform == Some(Platform::Mastodon));

    let cover = folder.path().join("cover.png");
    std::fs::write(&cover, picture(800, 600)).unwrap();
    let declared = MediaInput {
        kind: Some(MediaKind::Image),
        mime_type: Some("image/png".to_owned()),
        ..MediaInput::default()
    };
    let uploader = Uploader::new(&client).unwrap().remembering(folder.path().join("state"));
    let uploaded = uploader.upload(&cover, &declared).await.unwrap();
    let id = uploaded.file.media.id;
    let again = uploader.upload(&cover, &declared).await.unwrap();
    assert_eq!(again.file.media.id, id, "an upload that is remembered is found");
    uploaded.forget();
    let ready = client.settled_media(id, |_| ()).await.unwrap().media;
    assert_eq!((ready.status, ready.file_name.as_deref()), (MediaStatus::Ready, Some("cover.png")));

    let post = text("With a picture").file(id, None).now();
    let made = client.create_post(&post.clone().into(), "with-a-picture").await.unwrap();
    let repeat = client.create_post(&post.into(), "with-a-picture").await.unwrap();
    assert_eq!((made.is_new, repeat.is_new, made.value.id), (true, false, repeat.value.id));
    let other = client.create_post(&text("Another").now().into(), "with-a-picture").await.unwrap();
    assert!(other.is_of_other_body && other.value.id == made.value.id);
    let ended = client.follow(made.value.id).until_ended().await.unwrap();
    assert_eq!(ended.targets[0].status, TargetStatus::Published);
    let media: Vec<_> =
        client.media_list(&MediaListInput::default()).items().try_collect().await.unwrap();
    assert_eq!(media.len(), 1);

    for number in 0..3 {
        let draft = text(&format!("Draft {number}")).draft();
        client.create_post(&draft.into(), &format!("draft-number-{number}")).await.unwrap();
    }
    let list = ListInput { limit: Some("2".to_owned()), ..ListInput::default() };
    let all: Vec<_> = client.posts(&list).items().try_collect().await.unwrap();
    assert_eq!(all.len(), 4, "over two pages");
    let draft = all.iter().find(|post| post.status == PostStatus::Draft).unwrap();

    let change = PostInput { content: "Changed".to_owned().into(), ..PostInput::default() };
    let changed = client.change_post(draft.id, &change, Some(draft.revision)).await.unwrap();
    assert_eq!(changed.content, "Changed");
    let stale = client.change_post(draft.id, &change, Some(draft.revision)).await.unwrap_err();
    assert_eq!(stale.code(), Some(ErrorCode::Stale));
    client.delete_post(draft.id, Some(changed.revision)).await.unwrap();
    let gone = client.post(draft.id).await.unwrap_err();
    assert_eq!(gone.code(), Some(ErrorCode::NotFound));
    assert!(gone.request_id().is_some());
    let nothing = client.retry_post(made.value.id).await.unwrap_err();
    assert_eq!(nothing.code(), Some(ErrorCode::NothingToRetry));
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_are_made_tried_and_removed() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), networks.url()).serve();
    let client = client_of(&service, &service.url);
    let receiver = Receiver::start().await;
    let input = WebhookInput { url: Some(receiver.url()), ..WebhookInput::default() };
    let made = client.create_webhook(&input).await.unwrap();
    assert!(made.secret.is_some());
    assert_eq!(client.test_webhook(made.id).await.unwrap().status, Some(204));
    assert_eq!(client.webhooks().await.unwrap().len(), 1);
    client.delete_webhook(made.id).await.unwrap();
    assert!(client.webhooks().await.unwrap().is_empty());
    let nobody = Client::builder(&service.url).key("sk_nobody").build().unwrap();
    assert_eq!(nobody.webhooks().await.unwrap_err().code(), Some(ErrorCode::Unauthorized));
}

/// Stands before a server and breaks three of four connections: before anything is passed on, once
/// the server begins to answer, and in the middle of the answer.
async fn breaking(server: &str) -> String {
    let server: Arc<str> = server.strip_prefix("http://").unwrap().into();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let count = AtomicUsize::new(0);
    tokio::spawn(async move {
        while let Ok((mut near, _)) = listener.accept().await {
            let number = count.fetch_add(1, Ordering::Relaxed);
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                let place = number % 4;
                if place == 0 {
                    return;
                }
                let mut far = TcpStream::connect(&*server).await.unwrap();
                if place == 3 {
                    // Whichever side ends first ends both.
                    let _ = copy_bidirectional(&mut near, &mut far).await;
                    return;
                }
                let (mut reading, mut sending) = near.split();
                let (mut answering, mut taking) = far.split();
                let mut answer = [0; 64];
                tokio::select! {
                    _ = tokio::io::copy(&mut reading, &mut taking) => {}
                    read = answering.read(&mut answer) => {
                        if place == 2 {
                            let _ = sending.write_all(&answer[..read.unwrap_or(0)]).await;
                        }
                    }
                }
            });
        }
    });
    url
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_break_make_no_second_post() {
    const POSTS: usize = 20;
    const CALLERS: usize = 5;
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), networks.url()).serve();
    let through = breaking(&service.url).await;
    let mut callers = JoinSet::new();
    for number in 0..POSTS * CALLERS {
        // A client of its own, whose every call has a connection of its own.
        let client = client_of(&service, &through);
        callers.spawn(async move {
            let post = text(&format!("number {}", number % POSTS)).now();
            let key = format!("post-number-{}", number % POSTS);
            client.create_post(&post.into(), &key).await.map(|made| made.value.id)
        });
    }
    let made: Result<Vec<_>, Error> = callers.join_all().await.into_iter().collect();
    let mut ids = made.expect("every call ends well in the end");
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), POSTS);
    let client = client_of(&service, &service.url);
    for id in ids {
        client.follow(id).until_ended().await.unwrap();
    }
    let live = networks.live("mastodon").await;
    assert_eq!(live.len(), POSTS, "{live:?}");
    assert!(live.values().all(|times| *times == 1), "{live:?}");
}
