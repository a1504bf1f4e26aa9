//! Networks, an assistant and files that do as a test tells them.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::media::{Edit, FileFolder, FileKey, MediaFacts, MediaKind, Recipe};
use scheduler_core::platform::{Metric, Platform};
use scheduler_core::ports::*;
use scheduler_core::target::Remote;
use serde_json::{Value, json};

/// A clock that stands still until it is told otherwise.
#[derive(Debug)]
pub(crate) struct ManualClock(Mutex<DateTime<Utc>>);

impl ManualClock {
    pub(crate) fn new() -> Self {
        Self(Mutex::new("2026-11-10T12:00:00Z".parse().unwrap()))
    }

    pub(crate) fn advance(&self, by: TimeDelta) {
        *self.0.lock().unwrap() += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }
}

/// A network: what a post says tells what becomes of it.
#[derive(Debug, Default)]
pub(crate) struct Everywhere {
    /// What the next act after publishing answers.
    pub(crate) next_error: Mutex<Option<NetworkError>>,
}

fn refused() -> NetworkError {
    NetworkError::new(NetworkErrorKind::Permanent, "No.")
}

#[async_trait]
impl Network for Everywhere {
    async fn connect(&self, input: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        let name = input.value("name").unwrap_or("someone");
        let credentials = Credentials::new("token".to_owned(), None);
        let connected = Connected::new(name, credentials);
        Ok(vec![Connected { username: Some(name.to_owned()), ..connected }])
    }

    async fn authorize(&self, _: &AuthorizeInput) -> Result<Authorization, NetworkError> {
        Err(refused())
    }

    fn begin(&self, _: &PublishJob) -> Value {
        json!("begin")
    }

    fn is_visible(&self, _: &Value) -> bool {
        true
    }

    /// `refuse`, `wait` and `later` are what they say; everything else is live.
    async fn advance(&self, job: &PublishJob, state: &Value) -> Result<Step, NetworkError> {
        match job.content.as_str() {
            "refuse" => Err(refused()),
            "later" => Err(NetworkError::new(NetworkErrorKind::Temporary, "Not now.")),
            "wait" => {
                Ok(Step::Wait { progress: state.clone(), until: job.now + TimeDelta::days(300) })
            }
            _ => {
                let url = format!("https://network.example/{}", job.target_id);
                Ok(Step::Live(Remote::new(job.target_id.to_string(), Some(url)).into()))
            }
        }
    }

    async fn locate(&self, _: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        Ok(Located::Continue(progress.clone()))
    }

    fn live_part(&self, _: &Value) -> Option<Remote> {
        None
    }

    async fn refresh(
        &self,
        _: &Account,
        credentials: &Credentials,
    ) -> Result<Credentials, NetworkError> {
        Ok(credentials.clone())
    }
}

impl Everywhere {
    fn may(&self) -> Result<(), NetworkError> {
        self.next_error.lock().unwrap().take().map_or(Ok(()), Err)
    }

    /// Refuses what another network offers.
    fn only(&self, access: &Access, platform: Platform) -> Result<(), NetworkError> {
        self.may()?;
        if access.account.platform == platform {
            return Ok(());
        }
        Err(unsupported(access.account.platform))
    }
}

/// The id of the one comment that every post has, as hostile to a path as an id can be.
pub(crate) const COMMENT_ID: &str = "did:plc:x~a/b%2Fc d👍🏽?#";

fn comment(id: &str, text: &str) -> Comment {
    Comment {
        id: id.to_owned(),
        author: Some("Ann 👩‍👩‍👧 100%/2".to_owned()),
        text: text.to_owned(),
        created_at: Some("2026-11-10T11:00:00Z".parse().unwrap()),
        own: false,
        hidden: false,
        like_count: Some(3),
    }
}

#[async_trait]
impl AfterPublishing for Everywhere {
    async fn edit(
        &self,
        access: &Access,
        _: &LivePost,
        _: &RemoteEdit,
    ) -> Result<(), NetworkError> {
        self.may()?;
        if access.account.platform.sheet().can_edit_remote {
            return Ok(());
        }
        Err(unsupported(access.account.platform))
    }

    async fn take_down(&self, access: &Access, _: &LivePost) -> Result<(), NetworkError> {
        self.may()?;
        if access.account.platform.sheet().can_delete_remote {
            return Ok(());
        }
        Err(unsupported(access.account.platform))
    }

    async fn figures(
        &self,
        _: &Access,
        posts: &[LivePost],
    ) -> Result<Vec<Option<Figures>>, NetworkError> {
        self.may()?;
        let figures = Figures([(Metric::Likes, 7.0), (Metric::Views, 100.0)].into());
        Ok(posts.iter().map(|_| Some(figures.clone())).collect())
    }

    async fn comments(
        &self,
        access: &Access,
        _: &LivePost,
    ) -> Result<Option<Comments>, NetworkError> {
        self.may()?;
        if !access.account.platform.sheet().can_read_comments {
            return Ok(None);
        }
        let rights =
            CommentRights { reply: true, edit: true, hide: false, like: true, delete: true };
        Ok(Some(Comments { comments: vec![comment(COMMENT_ID, "50% off? 🎉/🎉")], rights }))
    }

    async fn act_on_comment(
        &self,
        _: &Access,
        _: &LivePost,
        id: &str,
        act: &CommentAction,
    ) -> Result<Option<Comment>, NetworkError> {
        self.may()?;
        assert_eq!(id, COMMENT_ID, "the id arrives as it is");
        Ok(match act {
            CommentAction::Reply(text) => Some(Comment { own: true, ..comment("reply/1", text) }),
            CommentAction::Hide => return Err(refused()),
            CommentAction::Edit(_)
            | CommentAction::Unhide
            | CommentAction::Like
            | CommentAction::Unlike
            | CommentAction::Delete => None,
        })
    }

    async fn insights(
        &self,
        access: &Access,
        _: &LivePost,
    ) -> Result<Option<Insights>, NetworkError> {
        self.may()?;
        if access.account.platform != Platform::Youtube {
            return Ok(None);
        }
        Ok(Some(Insights {
            retention: vec![Retention {
                elapsed_ratio: 0.01,
                watch_ratio: 1.0,
                relative_performance: None,
            }],
            traffic_sources: vec![TrafficSource {
                source: "EXT_URL".to_owned(),
                views: 5,
                watch_time_minutes: 2.5,
            }],
            days: None,
        }))
    }

    async fn followers(&self, _: &Access) -> Result<Option<u64>, NetworkError> {
        Ok(Some(1_000))
    }

    async fn boards(&self, access: &Access) -> Result<Vec<Board>, NetworkError> {
        self.only(access, Platform::Pinterest)?;
        Ok(vec![Board { id: "1".to_owned(), name: "Cakes".to_owned() }])
    }

    async fn playlists(&self, access: &Access) -> Result<Vec<Playlist>, NetworkError> {
        self.only(access, Platform::Youtube)?;
        Ok(vec![playlist("News", PlaylistPrivacy::Unlisted)])
    }

    async fn create_playlist(
        &self,
        access: &Access,
        title: &str,
        privacy: PlaylistPrivacy,
    ) -> Result<NewPlaylist, NetworkError> {
        self.only(access, Platform::Youtube)?;
        let duplicate = title == "News";
        let privacy = if duplicate { PlaylistPrivacy::Unlisted } else { privacy };
        Ok(NewPlaylist { playlist: playlist(title, privacy), duplicate })
    }

    async fn creator(&self, access: &Access) -> Result<Creator, NetworkError> {
        self.only(access, Platform::Tiktok)?;
        Ok(Creator {
            privacy_levels: vec!["SELF_ONLY".to_owned()],
            comment_disabled: false,
            duet_disabled: true,
            stitch_disabled: true,
            max_video_duration_seconds: 600,
            nickname: None,
            username: None,
            avatar_url: None,
        })
    }

    async fn mentions(&self, access: &Access, query: &str) -> Result<Vec<Mention>, NetworkError> {
        self.may()?;
        if access.account.platform != Platform::Mastodon {
            return Ok(Vec::new());
        }
        Ok(vec![Mention { handle: format!("@{query}"), name: "Ann".to_owned() }])
    }
}

fn playlist(title: &str, privacy: PlaylistPrivacy) -> Playlist {
    Playlist { id: "PL1".to_owned(), title: title.to_owned(), privacy }
}

/// An assistant that answers as scripted, and fails without a script.
#[derive(Debug, Default)]
pub(crate) struct Scripted {
    pub(crate) is_missing: AtomicBool,
    pub(crate) answers: Mutex<VecDeque<Result<String, AssistantError>>>,
}

impl Scripted {
    pub(crate) fn will(&self, answer: Result<String, AssistantError>) {
        self.answers.lock().unwrap().push_back(answer);
    }
}

#[async_trait]
impl Assistant for Scripted {
    fn is_configured(&self) -> bool {
        !self.is_missing.load(Ordering::SeqCst)
    }

    async fn answer(&self, _: &Prompt) -> Result<String, AssistantError> {
        let scripted = self.answers.lock().unwrap().pop_front();
        scripted.unwrap_or_else(|| Err(AssistantError::Unavailable("no script".to_owned())))
    }
}

/// Finds a picture in files of the type `image/png`, a video in others.
#[derive(Debug, Default)]
pub(crate) struct Measures {
    pub(crate) is_video: AtomicBool,
}

#[async_trait]
impl Examiner for Measures {
    async fn examine(&self, _: &FileKey) -> Result<Examined, ExamineError> {
        let facts = if self.is_video.load(Ordering::SeqCst) {
            MediaFacts {
                mime_type: Some("video/mp4".to_owned()),
                width: Some(1_920),
                height: Some(1_080),
                duration_seconds: Some(30.0),
                fps: Some(30.0),
                ..MediaFacts::of_kind(MediaKind::Video)
            }
        } else {
            MediaFacts {
                mime_type: Some("image/jpeg".to_owned()),
                width: Some(1_080),
                height: Some(1_080),
                ..MediaFacts::of_kind(MediaKind::Image)
            }
        };
        Ok(Examined { facts, preview: Some("a preview".into()) })
    }

    async fn derive(&self, folder: &FileFolder, _: &Recipe) -> Result<Derived, ExamineError> {
        Ok(Derived { key: folder.original(), facts: MediaFacts::of_kind(MediaKind::Image) })
    }

    async fn edit(&self, _: &FileKey, _: &FileKey, _: &Edit) -> Result<u64, ExamineError> {
        Ok(4)
    }
}

/// Takes every https address, and sends nothing.
#[derive(Debug)]
pub(crate) struct Outside;

fn only_https(url: &str) -> Result<(), String> {
    if url.starts_with("https://") {
        return Ok(());
    }
    Err("The address must be https and public.".to_owned())
}

#[async_trait]
impl Fetcher for Outside {
    fn check_address(&self, url: &str) -> Result<(), String> {
        only_https(url)
    }

    async fn fetch(&self, _: &str, _: u64) -> Result<Fetched, FetchError> {
        Ok(Fetched { bytes: ByteStream::once("four".into()) })
    }
}

#[async_trait]
impl EventSender for Outside {
    async fn send(&self, _: &Request) -> Result<Response, SendError> {
        Ok(Response { status: 204, body_start: String::new() })
    }

    fn check_address(&self, url: &str) -> Result<(), String> {
        only_https(url)
    }
}
