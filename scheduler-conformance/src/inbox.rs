//! What others have written under live posts.

use std::sync::Arc;

use scheduler_core::ids::CommentId;
use scheduler_core::inbox::{CommentChange, InboxCursor, InboxQuery, Marked, ReceivedComment};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Comment, LivePost, ReadingsTaken, Store, TakenComments};
use scheduler_core::post::Post;
use scheduler_core::webhook::{Event, EventKind};

use crate::fixtures::{World, add_webhook, at, webhook};
use crate::readings_support::{FAR, reading, state, taken};

const ALL: InboxQuery =
    InboxQuery { unread: None, account_id: None, platform: None, limit: 100, before: None };

fn comment(id: &str, seconds: i64) -> Comment {
    Comment {
        id: id.to_owned(),
        author: Some("ann".to_owned()),
        text: format!("{id} said"),
        created_at: Some(at(seconds)),
        own: false,
        hidden: false,
        like_count: None,
    }
}

impl World {
    /// What a reading of the only target of a post finds.
    async fn found(&self, post: &Post, comments: Vec<Comment>, now: i64) -> TakenComments {
        let target = &post.targets[0];
        let account = self.store.account(self.workspace, target.account_id).await.unwrap().unwrap();
        let live = LivePost::of(post, target.id).unwrap();
        let received = comments.into_iter().filter_map(|comment| {
            let comment = ReceivedComment::of(&account, post.id, &live, comment, at(now))?;
            let event = Event::comment_received(&comment, at(now));
            Some((comment, event))
        });
        let received: Vec<_> = received.collect();
        TakenComments { target_id: target.id, seen: received.len() as u64, received }
    }

    /// Records what the reading that is due then has found; the next is due an hour later.
    async fn record_found(&self, post: &Post, comments: Vec<Comment>, now: i64) {
        let claim = self.claim_reading(at(now)).await;
        let readings = vec![taken(post.targets[0].id, reading(now, 1), Some(now + 3_600))];
        let comments = vec![self.found(post, comments, now).await];
        let nothing = ReadingsTaken::nothing(state(FAR));
        self.record(&claim, &ReadingsTaken { readings, comments, ..nothing }).await;
    }

    async fn inbox(&self, query: InboxQuery) -> Vec<ReceivedComment> {
        self.store.inbox(self.workspace, &query).await.unwrap()
    }

    async fn names(&self, query: InboxQuery) -> String {
        let found = self.inbox(query).await;
        found.into_iter().map(|comment| comment.remote_id).collect::<Vec<_>>().join(" ")
    }

    async fn unread(&self) -> u64 {
        self.store.unread_comments(self.workspace).await.unwrap()
    }
}

/// A post with comments `a`, `b` and `c`, written in this order; `b` and `c` at one instant.
async fn with_comments(store: Arc<dyn Store>) -> (World, Post) {
    let world = World::new(store).await;
    let account = world.looked_at().await;
    let post = world.go_live(account, 60).await;
    let own = Comment { own: true, ..comment("own", 4) };
    let comments = vec![comment("a", 1), comment("b", 2), comment("c", 2), own];
    world.record_found(&post, comments, 3_660).await;
    (world, post)
}

pub(crate) async fn is_told_of_each_comment_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let hook = webhook(world.workspace, &[EventKind::CommentReceived]);
    add_webhook(store.as_ref(), &hook).await;
    let account = world.looked_at().await;
    let post = world.go_live(account, 60).await;
    let claim = world.claim_reading(at(3_660)).await;
    assert_eq!(world.reading_context(&claim, 3_660).await.due[0].comments_seen, None);
    assert_eq!(world.reading_context(&claim, 3_660).await.due[0].post_id, post.id);
    let released = store.release(&claim, at(3_660)).await.unwrap();
    assert_eq!(released, scheduler_core::ports::Recorded::Stored);

    let silent = Comment { created_at: None, like_count: Some(3), ..comment("b", 0) };
    world.record_found(&post, vec![comment("a", 90), silent.clone()], 3_660).await;
    let told = async || store.deliveries(world.workspace, None, 10).await.unwrap().len();
    assert_eq!((told().await, world.unread().await), (2, 2));
    let stored = world.inbox(ALL).await;
    assert_eq!(stored[0].at, at(3_660), "when it was found");
    let want = world.found(&post, vec![silent.clone(), comment("a", 90)], 3_660).await;
    assert_eq!(stored, want.received.into_iter().map(|(one, _)| one).collect::<Vec<_>>());

    // What is known takes what has changed, stays read, and is not told of again.
    let ids = Marked::These(vec![stored[0].id]);
    assert_eq!(store.mark_comments(world.workspace, &ids, Some(at(4_000))).await.unwrap(), 1);
    let changed = Comment { text: "else".to_owned(), hidden: true, author: None, ..silent };
    world.record_found(&post, vec![changed, comment("new", 91)], 7_260).await;
    assert_eq!((told().await, world.unread().await), (3, 2));
    let stored = world.inbox(ALL).await;
    let b = &stored[0];
    assert_eq!((b.text.as_str(), b.hidden, &b.author, b.at), ("else", true, &None, at(3_660)));
    assert_eq!((b.read_at, b.like_count), (Some(at(4_000)), Some(3)));
    assert_eq!(world.names(ALL).await, "b new a", "what a reading leaves out stays");
    let claim = world.claim_reading(at(10_860)).await;
    assert_eq!(world.reading_context(&claim, 10_860).await.due[0].comments_seen, Some(2));
}

pub(crate) async fn is_listed_newest_first(store: Arc<dyn Store>) {
    let (world, post) = with_comments(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    assert_eq!((other.names(ALL).await.as_str(), other.unread().await), ("", 0));
    let all = world.inbox(ALL).await;
    assert_eq!(all.len(), 3, "one's own is not there");
    assert!(all.is_sorted_by_key(|comment| std::cmp::Reverse(InboxCursor::of(comment))));
    for (page, rest) in [(1, 2), (2, 1), (3, 0)] {
        let first = world.inbox(InboxQuery { limit: page, ..ALL }).await;
        assert_eq!(first, all[..page as usize]);
        let before = first.last().map(InboxCursor::of);
        let rest_of_it = world.inbox(InboxQuery { before, ..ALL }).await;
        assert_eq!(rest_of_it, all[page as usize..], "{rest} are left");
    }
    let ids = Marked::These(vec![all[1].id]);
    store.mark_comments(world.workspace, &ids, Some(at(9_000))).await.unwrap();
    let stored = world.inbox(ALL).await;
    let account = post.targets[0].account_id;
    let nobody = scheduler_core::ids::AccountId(world.workspace.0);
    for unread in [None, Some(true), Some(false)] {
        for account_id in [None, Some(account), Some(nobody)] {
            for platform in [None, Some(post.targets[0].platform), Some(Platform::Discord)] {
                let query = InboxQuery { unread, account_id, platform, ..ALL };
                let want: Vec<_> = stored.iter().filter(|one| query.takes(one)).cloned().collect();
                assert_eq!(world.inbox(query).await, want, "{query:?}");
            }
        }
    }
}

pub(crate) async fn is_marked(store: Arc<dyn Store>) {
    let (world, _) = with_comments(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let all: Vec<CommentId> = world.inbox(ALL).await.iter().map(|comment| comment.id).collect();
    let mark = async |of: &World, marked: Marked, read_at: Option<i64>| {
        store.mark_comments(of.workspace, &marked, read_at.map(at)).await.unwrap()
    };
    let two = || Marked::These(all[..2].to_vec());
    for (name, of, marked, read_at, changed, unread) in [
        ("another workspace", &other, two(), Some(8), 0, 3),
        ("all of another workspace", &other, Marked::All, Some(8), 0, 3),
        ("two", &world, two(), Some(9), 2, 1),
        ("the same", &world, two(), Some(10), 0, 1),
        ("all", &world, Marked::All, Some(11), 1, 0),
        ("one is unread again", &world, Marked::These(vec![all[0]]), None, 1, 1),
        (
            "what is not there",
            &world,
            Marked::These(vec![CommentId(world.workspace.0)]),
            None,
            0,
            1,
        ),
        ("all are unread again", &world, Marked::All, None, 2, 3),
    ] {
        assert_eq!(mark(of, marked, read_at).await, changed, "{name}");
        assert_eq!(world.unread().await, unread, "{name}");
    }
    mark(&world, two(), Some(9)).await;
    mark(&world, Marked::All, Some(11)).await;
    let read_at: Vec<_> = world.inbox(ALL).await.iter().map(|one| one.read_at).collect();
    assert_eq!(read_at, [Some(at(9)), Some(at(9)), Some(at(11))], "what is read keeps its instant");
}

pub(crate) async fn follows_what_is_done(store: Arc<dyn Store>) {
    let (world, _) = with_comments(store.clone()).await;
    let all = world.inbox(ALL).await;
    let change = async |id, change| store.change_comment(id, change).await.unwrap();
    change(all[0].id, CommentChange::Answered(at(9))).await;
    change(all[0].id, CommentChange::Answered(at(10))).await;
    change(all[1].id, CommentChange::Hidden(true)).await;
    change(all[2].id, CommentChange::Deleted).await;
    change(CommentId(world.workspace.0), CommentChange::Deleted).await;
    let left = world.inbox(ALL).await;
    assert_eq!(left.len(), 2);
    assert_eq!((left[0].read_at, left[0].hidden), (Some(at(9)), false));
    assert_eq!((left[1].read_at, left[1].hidden), (None, true));
    change(all[1].id, CommentChange::Hidden(false)).await;
    assert!(!world.inbox(ALL).await[1].hidden);
}

pub(crate) async fn goes_with_the_post(store: Arc<dyn Store>) {
    let (world, post) = with_comments(store.clone()).await;
    let claim = world.claim_reading(at(7_260)).await;
    let late = world.found(&post, vec![comment("late", 9)], 7_260).await;
    store.remove_post(world.workspace, post.id, post.version).await.unwrap();
    assert_eq!((world.names(ALL).await.as_str(), world.unread().await), ("", 0));
    let nothing = ReadingsTaken::nothing(state(FAR));
    world.record(&claim, &ReadingsTaken { comments: vec![late], ..nothing }).await;
    assert_eq!(world.names(ALL).await, "", "nothing is left behind");
}
