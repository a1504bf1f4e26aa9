//! How far a publish to LinkedIn has come.

use chrono::{DateTime, Utc};
use scheduler_core::platform::{LinkCard, Platform, Poll};
use scheduler_core::ports::{Live, PublishJob};
use scheduler_core::target::Remote;
use scheduler_core::text::compose;
use scheduler_core::text::linkedin::{Mention, little_text, shared_post};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::api::Api;
use super::files::File;
use super::wire::author;
use crate::conversation::StoredProgress;

/// What is done and what is left, with every text as it will be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Progress {
    /// The name under which everything is done.
    pub(super) author: String,
    /// The comment that follows the post, where one is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) first_comment: Option<String>,
    /// What is being done.
    pub(super) stage: Stage,
}

/// What is being done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Stage {
    /// The post, with its files first.
    Post(Post),
    /// The comment that follows it.
    Comment(FirstComment),
}

/// The post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Post {
    /// Its text, in the little text format.
    pub(super) commentary: String,
    /// The link that it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) article: Option<Article>,
    /// The files that it shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<File>,
    /// Before this instant it was not sent; `None` while it is not about to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) not_sent_before: Option<DateTime<Utc>>,
    /// It may have been sent before, so a refusal as a duplicate names it.
    #[serde(default)]
    pub(super) is_repeat: bool,
    /// Set after a look that found nothing: when the next look is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) look_again_at: Option<DateTime<Utc>>,
    /// Since when it is refused because its files are not ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) refused_since: Option<DateTime<Utc>>,
    /// Before this instant the first call was not sent that was lost and whose post was not found;
    /// it may show late.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lost_since: Option<DateTime<Utc>>,
    /// The post that the refusal of a repeat names, until it is known whether it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) named: Option<Named>,
    /// What else is asked for.
    #[serde(default, skip_serializing_if = "Extras::is_none")]
    pub(super) extras: Extras,
}

/// What an option alone asks for; nothing unless it is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct Extras {
    /// Who sees it, in the network's word; everybody unless this says otherwise.
    visibility: Option<String>,
    /// Others may not share it.
    is_reshare_disabled: bool,
    /// The post that it shares.
    shared: Option<String>,
    /// Its poll.
    poll: Option<Question>,
}

/// A poll, as the network takes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Question {
    question: String,
    options: Vec<String>,
    /// How long it lasts, in the network's word.
    duration: String,
}

impl Question {
    /// A poll; the text of the post asks where no question is given.
    fn of(poll: Poll, text: &str) -> Self {
        let question = poll.question.filter(|question| !question.trim().is_empty());
        let question = question.unwrap_or_else(|| text.to_owned());
        let duration = match poll.duration_minutes {
            Some(4_320) => "THREE_DAYS",
            Some(10_080) => "SEVEN_DAYS",
            Some(20_160) => "FOURTEEN_DAYS",
            _ => "ONE_DAY",
        };
        let question = question.trim().to_owned();
        Self { question, options: poll.options, duration: duration.to_owned() }
    }

    /// What a post shows.
    ///
    /// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/poll-post-api>.
    fn shown(&self) -> Value {
        let options: Vec<Value> =
            self.options.iter().map(|option| json!({ "text": option.trim() })).collect();
        json!({ "poll": {
            "question": self.question,
            "options": options,
            "settings": {
                "duration": self.duration,
                "voteSelectionType": "SINGLE_VOTE",
                "isVoterVisibleToAuthor": true,
            },
        } })
    }
}

impl Extras {
    fn of(options: &Map<String, Value>, content: &str) -> Self {
        let text = |key| options.get(key).and_then(Value::as_str);
        let visibility = match text("visibility") {
            Some("connections") => Some("CONNECTIONS"),
            Some("loggedIn") => Some("LOGGED_IN"),
            _ => None,
        };
        Self {
            visibility: visibility.map(str::to_owned),
            is_reshare_disabled: options.get("allowReshare") == Some(&Value::Bool(false)),
            shared: text("quote").and_then(shared_post),
            poll: Poll::of(options).map(|poll| Question::of(poll, content)),
        }
    }

    fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// A post that the refusal of a repeat names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Named {
    /// What the network calls it.
    pub(super) urn: String,
    /// When it was named.
    pub(super) at: DateTime<Utc>,
    /// How often it was not there when it was asked for.
    #[serde(default)]
    pub(super) misses: usize,
}

/// The link that a post shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Article {
    source: String,
    title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

/// The comment that follows a post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct FirstComment {
    /// The post.
    pub(super) remote: Remote,
    /// What it says.
    pub(super) text: String,
    /// Before this instant it was not sent; `None` while it is not about to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) not_sent_before: Option<DateTime<Utc>>,
    /// Set after a look that found nothing: when the next look is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) look_again_at: Option<DateTime<Utc>>,
    /// Before this instant the first call was not sent that was lost and whose comment was not
    /// found; it may show late.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lost_since: Option<DateTime<Utc>>,
    /// How often the post was not known yet.
    #[serde(default)]
    pub(super) refusals: usize,
    /// The versioned interface has refused it, and the older one is tried.
    #[serde(default)]
    pub(super) is_older: bool,
}

impl StoredProgress for Progress {
    const REMEDY: &'static str = "Look on LinkedIn; if the post is missing, make it anew.";

    fn begin(job: &PublishJob) -> Self {
        let link = job.link_url.as_deref();
        let has_files = !job.files.is_empty();
        let composed = compose(&job.content, link, has_files, Platform::Linkedin, &job.options);
        let extras = Extras::of(&job.options, composed.text());
        let card_image = job.thumbnail.as_ref().filter(|_| composed.link_card.is_some());
        let document_title = job.options.get("documentTitle").and_then(Value::as_str);
        let files = match File::of_images(job, document_title) {
            Some(document) => vec![document],
            None => job.files.iter().map(|file| File::new(file, document_title)).collect(),
        };
        let first_comment = job.options.get("firstComment").and_then(Value::as_str);
        let first_comment = first_comment.filter(|text| !text.trim().is_empty());
        Self {
            author: author(&job.account).to_owned(),
            first_comment: first_comment.map(|text| text.replace("\r\n", "\n")),
            stage: Stage::Post(Post {
                commentary: little_text(composed.text(), &Mention::all(&job.options)).into_owned(),
                article: composed.link_card.map(|link| Article::of(link, &job.options)),
                files: files.into_iter().chain(card_image.map(File::of_card)).collect(),
                not_sent_before: None,
                is_repeat: false,
                look_again_at: None,
                refused_since: None,
                lost_since: None,
                named: None,
                extras,
            }),
        }
    }

    fn is_visible(&self) -> bool {
        match &self.stage {
            Stage::Post(post) => post.is_ready() && post.not_sent_before.is_some(),
            Stage::Comment(comment) => comment.not_sent_before.is_some(),
        }
    }

    fn live_part(&self) -> Option<Remote> {
        match &self.stage {
            Stage::Comment(comment) => Some(comment.remote.clone()),
            Stage::Post(_) => None,
        }
    }
}

impl Progress {
    /// The same with the post as it has become.
    pub(super) fn with_post(&self, post: Post) -> Self {
        Self { stage: Stage::Post(post), ..self.clone() }
    }

    /// The same with the first comment as it has become.
    pub(super) fn with_comment(&self, comment: FirstComment) -> Self {
        Self { stage: Stage::Comment(comment), ..self.clone() }
    }

    /// The post once it is live, and what follows.
    pub(super) fn live(&self, api: &Api, urn: &str) -> Live<Progress> {
        let remote = Remote::new(urn, Some(api.page(urn)));
        let then = self.first_comment.clone().map(|text| {
            self.with_comment(FirstComment {
                remote: remote.clone(),
                text,
                not_sent_before: None,
                look_again_at: None,
                lost_since: None,
                refusals: 0,
                is_older: false,
            })
        });
        Live { remote: Some(remote), then }
    }
}

impl Post {
    /// True when all of its files can be shown.
    pub(super) fn is_ready(&self) -> bool {
        self.files.iter().all(File::is_ready)
    }

    /// The body of the call that makes it: the same bytes whenever it is asked for.
    ///
    /// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>.
    pub(super) fn body(&self, author: &str) -> Value {
        let mut body = json!({
            "author": author,
            "commentary": self.commentary,
            "visibility": self.extras.visibility.as_deref().unwrap_or("PUBLIC"),
            "distribution": {
                "feedDistribution": "MAIN_FEED",
                "targetEntities": [],
                "thirdPartyDistributionChannels": [],
            },
            "lifecycleState": "PUBLISHED",
            "isReshareDisabledByAuthor": self.extras.is_reshare_disabled,
        });
        if let Some(shared) = &self.extras.shared {
            body["reshareContext"] = json!({ "parent": shared });
        }
        let mut files: Vec<Value> = self.files.iter().filter_map(File::shown).collect();
        let poll = self.extras.poll.as_ref().map(Question::shown);
        let content = match (files.len(), &self.article) {
            (0, None) if poll.is_some() => poll,
            (0, None) => None,
            (0, Some(article)) => Some(article.shown(self.files.iter().find_map(File::card_image))),
            (1, _) => Some(json!({ "media": files.remove(0) })),
            (2.., _) => Some(json!({ "multiImage": { "images": files } })),
        };
        if let Some(content) = content {
            body["content"] = content;
        }
        body
    }
}

impl Article {
    /// A link by what is given of its card, with its host as its title otherwise.
    fn of(source: String, options: &Map<String, Value>) -> Self {
        let card = LinkCard::of(options).unwrap_or_default();
        Self { title: card.title_of(&source), source, description: card.description }
    }

    /// What a post shows, with the name of the picture.
    fn shown(&self, image: Option<&str>) -> Value {
        let mut shown = json!({ "source": self.source, "title": self.title });
        for (field, text) in [("description", self.description.as_deref()), ("thumbnail", image)] {
            if let Some(text) = text {
                shown[field] = text.into();
            }
        }
        json!({ "article": shown })
    }
}
