//! A network's side after publishing that keeps what it was told, and hangs when told to.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use scheduler_core::platform::Metric;
use scheduler_core::ports::*;

/// Knows the comments that it was given. Every post has three likes, and every account seven
/// followers.
#[derive(Debug, Default)]
pub(crate) struct FakeAfter {
    /// Ids of comments.
    pub(crate) comments: Mutex<Vec<String>>,
    /// What was done, such as `Like on c1`.
    pub(crate) done: Mutex<Vec<String>>,
    pub(crate) is_down: Mutex<bool>,
    /// The failure of every call.
    pub(crate) fails: Mutex<Option<NetworkError>>,
    /// Readings hang, and so do changes.
    pub(crate) hangs: AtomicBool,
    /// Readings and changes that were answered.
    pub(crate) answered: AtomicUsize,
    pub(crate) in_flight: AtomicUsize,
    pub(crate) most_in_flight: AtomicUsize,
}

/// A call in flight, until it is dropped.
struct InFlight<'a>(&'a FakeAfter);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::SeqCst);
    }
}

impl FakeAfter {
    pub(crate) fn take_done(&self) -> Vec<String> {
        std::mem::take(&mut *self.done.lock().unwrap())
    }

    fn called(&self, call: String) -> Result<(), NetworkError> {
        self.done.lock().unwrap().push(call);
        self.fails.lock().unwrap().clone().map_or(Ok(()), Err)
    }

    async fn answer(&self) {
        let now = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_in_flight.fetch_max(now, Ordering::SeqCst);
        let _in_flight = InFlight(self);
        while self.hangs.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        self.answered.fetch_add(1, Ordering::SeqCst);
    }

    fn shown(id: &str, text: &str) -> Comment {
        Comment {
            id: id.to_owned(),
            author: None,
            text: text.to_owned(),
            created_at: None,
            own: false,
            hidden: false,
            like_count: None,
        }
    }
}

#[async_trait]
impl AfterPublishing for FakeAfter {
    async fn edit(&self, _: &Access, _: &LivePost, edit: &RemoteEdit) -> Result<(), NetworkError> {
        self.answer().await;
        self.called(format!("edit {:?} {:?}", edit.content, edit.title))
    }

    async fn take_down(&self, _: &Access, _: &LivePost) -> Result<(), NetworkError> {
        self.answer().await;
        self.called("take_down".to_owned())?;
        // Others get their turn meanwhile.
        tokio::task::yield_now().await;
        *self.is_down.lock().unwrap() = true;
        Ok(())
    }

    async fn figures(
        &self,
        _: &Access,
        posts: &[LivePost],
    ) -> Result<Vec<Option<Figures>>, NetworkError> {
        self.answer().await;
        self.called("figures".to_owned())?;
        let figures = Figures(BTreeMap::from([(Metric::Likes, 3.0)]));
        Ok(posts.iter().map(|_| Some(figures.clone())).collect())
    }

    async fn comments(&self, _: &Access, _: &LivePost) -> Result<Option<Comments>, NetworkError> {
        self.called("comments".to_owned())?;
        let ids = self.comments.lock().unwrap().clone();
        let comments = ids.iter().map(|id| Self::shown(id, id)).collect();
        let rights =
            CommentRights { reply: true, edit: true, hide: true, like: true, delete: true };
        Ok(Some(Comments { comments, rights }))
    }

    async fn act_on_comment(
        &self,
        _: &Access,
        _: &LivePost,
        id: &str,
        act: &CommentAction,
    ) -> Result<Option<Comment>, NetworkError> {
        if !self.comments.lock().unwrap().iter().any(|known| known == id) {
            return Err(NetworkError::not_found("There is no such comment."));
        }
        self.called(format!("{act:?} on {id}"))?;
        Ok(match act {
            CommentAction::Reply(text) => Some(Self::shown("new", text)),
            _ => None,
        })
    }

    async fn insights(&self, _: &Access, _: &LivePost) -> Result<Option<Insights>, NetworkError> {
        self.called("insights".to_owned())?;
        Ok(Some(Insights::default()))
    }

    async fn followers(&self, _: &Access) -> Result<Option<u64>, NetworkError> {
        self.answer().await;
        Ok(Some(7))
    }

    async fn boards(&self, _: &Access) -> Result<Vec<Board>, NetworkError> {
        self.called("boards".to_owned())?;
        Ok(vec![Board { id: "1".to_owned(), name: "Board".to_owned() }])
    }

    async fn playlists(&self, _: &Access) -> Result<Vec<Playlist>, NetworkError> {
        self.called("playlists".to_owned())?;
        let privacy = PlaylistPrivacy::Unlisted;
        Ok(vec![Playlist { id: "1".to_owned(), title: "Films".to_owned(), privacy }])
    }

    async fn create_playlist(
        &self,
        _: &Access,
        title: &str,
        privacy: PlaylistPrivacy,
    ) -> Result<NewPlaylist, NetworkError> {
        self.called(format!("create_playlist {title}"))?;
        let playlist = Playlist { id: "1".to_owned(), title: title.to_owned(), privacy };
        Ok(NewPlaylist { playlist, duplicate: title == "Films" })
    }

    async fn creator(&self, _: &Access) -> Result<Creator, NetworkError> {
        self.called("creator".to_owned())?;
        Ok(Creator {
            privacy_levels: vec!["SELF_ONLY".to_owned()],
            comment_disabled: false,
            duet_disabled: false,
            stitch_disabled: true,
            max_video_duration_seconds: 60,
            nickname: None,
            username: None,
            avatar_url: None,
        })
    }

    async fn mentions(&self, _: &Access, query: &str) -> Result<Vec<Mention>, NetworkError> {
        self.called(format!("mentions {query}"))?;
        Ok(vec![Mention { handle: format!("@{query}"), name: query.to_owned() }])
    }
}
