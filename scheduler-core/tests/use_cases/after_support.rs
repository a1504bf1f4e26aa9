//! A network's side after publishing that does as a test tells it, and posts that are live.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures_util::lock::{Mutex as Gate, OwnedMutexGuard};
use scheduler_core::app::{Ports, Scheduler};
use scheduler_core::ids::TargetId;
use scheduler_core::media::{MediaKind, MediaStatus};
use scheduler_core::platform::{AccountLimits, Metric, Platform};
use scheduler_core::ports::{
    Access, After, AfterPublishing, Board, Comment, CommentAction, CommentRights, Comments,
    Creator, Figures, Insights, LivePost, Mention, NetworkError, NewPlaylist, Playlist,
    PlaylistPrivacy, RemoteEdit,
};
use scheduler_core::post::Post;
use serde_json::json;

use crate::support::{World, body, statuses};

/// A network that answers what it is given, and remembers what it was asked.
#[derive(Default)]
pub(crate) struct ScriptedAfter {
    /// Every call, such as `edit live New text`.
    pub(crate) calls: Mutex<Vec<String>>,
    /// How many requests each call takes; one where this is 0.
    pub(crate) requests: Mutex<u32>,
    /// Held while no call is answered.
    gate: Arc<Gate<()>>,
    /// Failures of the next calls.
    pub(crate) failures: Mutex<VecDeque<NetworkError>>,
    /// Happens while the next call is answered.
    pub(crate) meanwhile: Mutex<Option<Box<dyn FnOnce() + Send>>>,
    /// Posts of one call for figures; 0 stands for 1.
    pub(crate) at_once: Mutex<usize>,
    pub(crate) figures: Mutex<Option<Figures>>,
    pub(crate) followers: Mutex<Option<u64>>,
    pub(crate) insights: Mutex<Option<Insights>>,
    pub(crate) comments: Mutex<Option<Comments>>,
}

impl ScriptedAfter {
    /// Answers nothing until what it gives is dropped.
    pub(crate) fn hold(&self) -> OwnedMutexGuard<()> {
        self.gate.try_lock_owned().unwrap()
    }

    pub(crate) fn take_calls(&self) -> Vec<String> {
        std::mem::take(&mut *self.calls.lock().unwrap())
    }

    pub(crate) fn fail(&self, error: NetworkError) {
        self.failures.lock().unwrap().push_back(error);
    }

    async fn called(&self, access: &Access, call: String) -> Result<(), NetworkError> {
        let requests = *self.requests.lock().unwrap();
        for _ in 0..requests.max(1) {
            access.meter.before().await?;
        }
        self.calls.lock().unwrap().push(call);
        drop(self.gate.lock().await);
        let meanwhile = self.meanwhile.lock().unwrap().take();
        if let Some(meanwhile) = meanwhile {
            meanwhile();
        }
        self.failures.lock().unwrap().pop_front().map_or(Ok(()), Err)
    }
}

pub(crate) fn comment(id: &str, text: &str) -> Comment {
    Comment {
        id: id.to_owned(),
        author: Some("somebody".to_owned()),
        text: text.to_owned(),
        created_at: None,
        own: false,
        hidden: false,
        like_count: Some(2),
    }
}

pub(crate) fn figures(views: f64) -> Figures {
    Figures(BTreeMap::from([(Metric::Views, views)]))
}

#[async_trait]
impl AfterPublishing for ScriptedAfter {
    async fn edit(
        &self,
        access: &Access,
        post: &LivePost,
        edit: &RemoteEdit,
    ) -> Result<(), NetworkError> {
        let RemoteEdit { content, title } = edit;
        self.called(access, format!("edit {} {content:?} {title:?}", post.remote.id)).await
    }

    async fn take_down(&self, access: &Access, post: &LivePost) -> Result<(), NetworkError> {
        self.called(access, format!("take_down {}", post.remote.id)).await
    }

    fn figures_at_once(&self) -> usize {
        (*self.at_once.lock().unwrap()).max(1)
    }

    async fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
    ) -> Result<Vec<Option<Figures>>, NetworkError> {
        self.called(access, "figures".to_owned()).await?;
        Ok(posts.iter().map(|_| self.figures.lock().unwrap().clone()).collect())
    }

    async fn comments(
        &self,
        access: &Access,
        _: &LivePost,
    ) -> Result<Option<Comments>, NetworkError> {
        self.called(access, "comments".to_owned()).await?;
        Ok(self.comments.lock().unwrap().clone())
    }

    async fn act_on_comment(
        &self,
        access: &Access,
        _: &LivePost,
        id: &str,
        act: &CommentAction,
    ) -> Result<Option<Comment>, NetworkError> {
        self.called(access, format!("{act:?} on {id}")).await?;
        Ok(match act {
            CommentAction::Reply(text) => Some(comment("reply", text)),
            _ => None,
        })
    }

    async fn insights(
        &self,
        access: &Access,
        _: &LivePost,
    ) -> Result<Option<Insights>, NetworkError> {
        self.called(access, "insights".to_owned()).await?;
        Ok(self.insights.lock().unwrap().clone())
    }

    async fn followers(&self, _: &Access) -> Result<Option<u64>, NetworkError> {
        Ok(*self.followers.lock().unwrap())
    }

    async fn limits(&self, _: &Access) -> Result<Option<AccountLimits>, NetworkError> {
        Ok(None)
    }

    async fn boards(&self, access: &Access) -> Result<Vec<Board>, NetworkError> {
        self.called(access, "boards".to_owned()).await?;
        Ok(vec![Board { id: "1".to_owned(), name: "Board".to_owned() }])
    }

    async fn playlists(&self, access: &Access) -> Result<Vec<Playlist>, NetworkError> {
        self.called(access, "playlists".to_owned()).await?;
        Ok(vec![])
    }

    async fn create_playlist(
        &self,
        access: &Access,
        title: &str,
        privacy: PlaylistPrivacy,
    ) -> Result<NewPlaylist, NetworkError> {
        self.called(access, format!("create_playlist {title} {privacy:?}")).await?;
        let playlist = Playlist { id: "1".to_owned(), title: title.to_owned(), privacy };
        Ok(NewPlaylist { playlist, duplicate: false })
    }

    async fn creator(&self, access: &Access) -> Result<Creator, NetworkError> {
        self.called(access, "creator".to_owned()).await?;
        Ok(Creator {
            privacy_levels: vec!["SELF_ONLY".to_owned()],
            comment_disabled: false,
            duet_disabled: true,
            stitch_disabled: false,
            max_video_duration_seconds: 300,
            nickname: None,
            username: None,
            avatar_url: Some("https://a.example/me.gif".to_owned()),
        })
    }

    async fn mentions(&self, access: &Access, query: &str) -> Result<Vec<Mention>, NetworkError> {
        self.called(access, format!("mentions {query}")).await?;
        Ok(vec![Mention { handle: format!("@{query}"), name: "Somebody".to_owned() }])
    }
}

/// A world whose networks do as told once a post is live.
pub(crate) fn world_after() -> (World, Arc<ScriptedAfter>) {
    let mut world = World::empty();
    let after = Arc::new(ScriptedAfter {
        comments: Mutex::new(Some(Comments {
            comments: vec![comment("c1", "First")],
            rights: CommentRights { reply: true, ..CommentRights::default() },
        })),
        ..ScriptedAfter::default()
    });
    let add = |all: After, platform| all.with(platform, after.clone());
    let after_ports = Platform::ALL.into_iter().fold(After::default(), add);
    let ports = Ports { after: after_ports, ..world.scheduler.ports().clone() };
    world.scheduler = Scheduler::new(ports, *world.scheduler.settings());
    (world, after)
}

/// A post that is live on a network, on an account of its own; its only target.
pub(crate) fn live_on(world: &World, platform: Platform) -> (Post, TargetId) {
    if !world.accounts().iter().any(|account| account.platform == platform) {
        world.connect(platform, "me");
    }
    let mut fields = json!({"publishNow": true});
    let sheet = platform.sheet();
    let kinds = [MediaKind::Video, MediaKind::Image];
    if let Some(kind) = kinds.into_iter().find(|kind| sheet.takes(*kind)) {
        let file = world.file_of(&world.caller, kind, MediaStatus::Ready);
        fields["mediaIds"] = json!([file]);
    }
    let options = match platform {
        Platform::Tiktok => json!({"privacy": "SELF_ONLY"}),
        Platform::Pinterest => json!({"boardId": "1"}),
        _ => json!({}),
    };
    let mut body = body(&[platform.as_str()], fields);
    body["targets"][0]["options"] = options;
    let post = world.create(body);
    world.work();
    let post = world.post(post.id);
    assert_eq!(statuses(&post), "done: published", "{platform}");
    let target = post.targets[0].id;
    (post, target)
}
