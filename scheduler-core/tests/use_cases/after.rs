//! A network's side after publishing that answers as told and remembers what it was asked.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

use async_trait::async_trait;
use scheduler_core::platform::{AccountLimits, Metric};
use scheduler_core::ports::{Access, AfterPublishing, Figures, LivePost, NetworkError};

/// An answer to a call for figures.
pub(crate) type FiguresAnswer = Result<Vec<Option<Figures>>, NetworkError>;

/// Every post has as many likes as calls for figures were made, and the account seven followers,
/// unless told otherwise.
#[derive(Default)]
pub(crate) struct ScriptedAfter {
    /// Every call, such as `figures token-1 2`, which names two posts.
    pub(crate) calls: Mutex<Vec<String>>,
    /// Posts of one call; 0 stands for 1.
    pub(crate) at_once: Mutex<usize>,
    pub(crate) figures: Mutex<VecDeque<FiguresAnswer>>,
    pub(crate) followers: Mutex<VecDeque<Result<Option<u64>, NetworkError>>>,
    pub(crate) limits: Mutex<VecDeque<Result<Option<AccountLimits>, NetworkError>>>,
    /// Every post that figures were asked of, call by call.
    pub(crate) asked: Mutex<Vec<Vec<LivePost>>>,
}

pub(crate) fn likes(count: usize) -> Figures {
    let count = u32::try_from(count).unwrap();
    Figures(BTreeMap::from([(Metric::Likes, f64::from(count))]))
}

impl ScriptedAfter {
    pub(crate) fn take_calls(&self) -> Vec<String> {
        std::mem::take(&mut *self.calls.lock().unwrap())
    }

    pub(crate) fn script_figures(&self, answers: impl IntoIterator<Item = FiguresAnswer>) {
        self.figures.lock().unwrap().extend(answers);
    }

    fn called(&self, call: String) {
        self.calls.lock().unwrap().push(call);
    }
}

#[async_trait]
impl AfterPublishing for ScriptedAfter {
    fn figures_at_once(&self) -> usize {
        (*self.at_once.lock().unwrap()).max(1)
    }

    async fn figures(&self, access: &Access, posts: &[LivePost]) -> FiguresAnswer {
        self.called(format!("figures {} {}", access.credentials.expose(), posts.len()));
        let count = {
            let mut asked = self.asked.lock().unwrap();
            asked.push(posts.to_vec());
            asked.len()
        };
        let scripted = self.figures.lock().unwrap().pop_front();
        scripted.unwrap_or_else(|| Ok(vec![Some(likes(count)); posts.len()]))
    }

    async fn followers(&self, access: &Access) -> Result<Option<u64>, NetworkError> {
        self.called(format!("followers {}", access.credentials.expose()));
        self.followers.lock().unwrap().pop_front().unwrap_or(Ok(Some(7)))
    }

    async fn limits(&self, access: &Access) -> Result<Option<AccountLimits>, NetworkError> {
        self.called(format!("limits {}", access.credentials.expose()));
        self.limits.lock().unwrap().pop_front().unwrap_or(Ok(None))
    }
}
