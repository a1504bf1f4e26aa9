//! A workspace with a calendar.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use futures_util::FutureExt as _;
use scheduler_core::account::{Account, Credentials};
use scheduler_core::app::{Caller, Scheduler, Settings};
use scheduler_core::ids::{AccountId, MediaId, PostId, TargetId};
use scheduler_core::media::{Media, MediaKind, MediaStatus, Transfer, VideoCodec};
use scheduler_core::memory::{ManualClock, MemoryStore, test_ports};
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    AccountStore as _, Clock as _, MediaStore as _, Networks, PostStore as _, WorkspaceStore as _,
};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::rehearsal::Rehearsal;
use scheduler_core::target::Target;
use scheduler_core::workspace::Workspace;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::network::Counting;

pub(crate) fn done<T>(future: impl Future<Output = T>) -> T {
    // A rehearsal lets others have a turn, and nothing else waits.
    let mut future = Box::pin(future);
    loop {
        if let Some(done) = future.as_mut().now_or_never() {
            return done;
        }
    }
}

pub(crate) fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// When the tests begin.
pub(crate) const BEGIN: &str = "2026-12-01T00:00:00Z";

pub(crate) struct World {
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) caller: Caller,
    pub(crate) settings: Settings,
    networks: BTreeMap<Platform, Counting>,
    last_id: u128,
    picture: MediaId,
    pub(crate) video: MediaId,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::on(Plan::Studio)
    }

    pub(crate) fn on(plan: Plan) -> Self {
        let clock = Arc::new(ManualClock::at(at(BEGIN)));
        let store = Arc::new(MemoryStore::new());
        let ports =
            scheduler_core::app::Ports { store: store.clone(), ..test_ports(clock.clone()) };
        let scheduler = Scheduler::new(ports, Settings::default());
        let first = done(scheduler.first_start()).unwrap().unwrap();
        let id = first.workspace.id;
        let workspace = done(store.workspace(id)).unwrap().unwrap();
        let workspace = Workspace { plan, ..workspace };
        done(store.update_workspace(&workspace)).unwrap();
        let caller = Caller::for_workspace(workspace);
        let settings = Settings { connect_twitter: true, ..Settings::default() };
        let networks =
            Platform::ALL.into_iter().map(|of| (of, Counting::new(of))).collect::<BTreeMap<_, _>>();
        let none = MediaId(Uuid::nil());
        let mut world = Self {
            store,
            clock,
            caller,
            settings,
            networks,
            last_id: 0,
            picture: none,
            video: none,
        };
        world.picture = world.file(MediaKind::Image);
        world.video = world.file(MediaKind::Video);
        world
    }

    /// How many accounts are connected.
    pub(crate) fn connected(&self) -> u64 {
        done(self.store.accounts(self.caller.workspace.id)).unwrap().len() as u64
    }

    fn id(&mut self) -> Uuid {
        self.last_id += 1;
        Uuid::from_u128(self.last_id)
    }

    fn file(&mut self, kind: MediaKind) -> MediaId {
        let id = MediaId(self.id());
        let workspace = self.caller.workspace.id;
        let declared = Media::declared(id, workspace, kind, Transfer::Single, self.clock.now());
        let is_video = kind == MediaKind::Video;
        let media = Media {
            status: MediaStatus::Ready,
            mime_type: Some(if is_video { "video/mp4" } else { "image/jpeg" }.to_owned()),
            size_bytes: Some(100_000),
            duration_seconds: is_video.then_some(30.0),
            fps: is_video.then_some(30.0),
            video_codec: is_video.then_some(VideoCodec::H264),
            width: Some(1_080),
            height: Some(if is_video { 1_920 } else { 1_080 }),
            due_at: None,
            ..declared
        };
        done(self.store.create_media(&media, u64::MAX, None)).unwrap();
        id
    }

    pub(crate) fn network(&mut self, platform: Platform) -> &mut Counting {
        self.networks.get_mut(&platform).unwrap()
    }

    /// The server does not publish to the network.
    pub(crate) fn does_not_offer(&mut self, platform: Platform) {
        self.networks.remove(&platform);
    }

    pub(crate) fn ends(&mut self, platform: Platform, day: &str) {
        self.network(platform).version_ends = Some(day.parse::<NaiveDate>().unwrap());
    }

    pub(crate) fn connect(&mut self, platform: Platform, name: &str) -> Account {
        self.connect_with(platform, name, None, |_| {})
    }

    pub(crate) fn connect_with(
        &mut self,
        platform: Platform,
        name: &str,
        expires_at: Option<DateTime<Utc>>,
        change: impl FnOnce(&mut Account),
    ) -> Account {
        let id = AccountId(self.id());
        let mut account = Account {
            username: Some(name.to_owned()),
            ..Account::new(
                id,
                self.caller.workspace.id,
                platform,
                format!("{name}-{id}"),
                at("2026-11-01T00:00:00Z") + TimeDelta::seconds(self.last_id as i64),
            )
        };
        change(&mut account);
        let token = Credentials::new(format!("token {id}"), expires_at);
        done(self.store.connect_account(&account, &token, 1_000)).unwrap();
        account
    }

    /// A post of one account, as it is stored.
    pub(crate) fn post(&mut self, account: &Account, due_at: DateTime<Utc>) -> TargetId {
        self.post_as(account, due_at, |_| {})
    }

    pub(crate) fn post_as(
        &mut self,
        account: &Account,
        due_at: DateTime<Utc>,
        change: impl FnOnce(&mut Post),
    ) -> TargetId {
        let (media_ids, options) = self.needed(account.platform);
        let id = TargetId(self.id());
        let target = Target::new(id, account.platform, account.id, options, Some(due_at), None);
        let post_id = PostId(self.id());
        let mut post = Post {
            status: PostStatus::Scheduled,
            content: format!("Post {}", self.last_id),
            media_ids,
            alt_texts: Vec::new(),
            scheduled_at: Some(due_at),
            targets: vec![target],
            ..Post::new(post_id, account.workspace_id, self.clock.now())
        };
        change(&mut post);
        done(self.store.create_post(&post, u64::MAX)).unwrap();
        id
    }

    /// What a post of a network needs beside its text.
    fn needed(&self, platform: Platform) -> (Vec<MediaId>, Map<String, Value>) {
        let (files, options) = match platform {
            Platform::Youtube => (vec![self.video], json!({"title": "Bread", "privacy": "public"})),
            Platform::Tiktok => (vec![self.video], json!({"privacy": "SELF_ONLY"})),
            Platform::Instagram => (vec![self.picture], json!({})),
            Platform::Pinterest => {
                (vec![self.picture], json!({"boardId": "1001", "title": "Cake"}))
            }
            _ => (Vec::new(), json!({})),
        };
        let Value::Object(options) = options else { unreachable!() };
        (files, options)
    }

    /// The scheduler over the world's store and networks, which keep their counts with it.
    pub(crate) fn scheduler(&self) -> Scheduler {
        let mut ports = test_ports(self.clock.clone());
        ports.store = self.store.clone();
        let networks = self.networks.values().map(|network| Counting {
            platform: network.platform,
            unrenewed: network.unrenewed.clone(),
            version_ends: network.version_ends,
            published: std::sync::Mutex::default(),
        });
        ports.networks = networks.fold(Networks::default(), |all, network| {
            all.with(network.platform, Arc::new(network))
        });
        Scheduler::new(ports, self.settings)
    }

    pub(crate) fn rehearse(&self, days: i64) -> Rehearsal {
        done(self.scheduler().rehearse(&self.caller, Some(&days.to_string()))).unwrap()
    }
}
