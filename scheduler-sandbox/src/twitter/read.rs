//! Reading posts: by their ids, and those of an account.
//!
//! The parameter of the fields has two names; each gives the names of its time in answers.
//!
//! Source: <https://docs.x.com/x-api/posts/get-posts-by-ids>,
//! <https://docs.x.com/x-api/users/get-posts>,
//! <https://docs.x.com/x-api/fundamentals/data-dictionary>.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::Twitter;
use super::error::{ApiError, kind_of};
use super::limits::COST_OF_POST_READ;
use super::media::File;
use super::posts::Post;
use super::text::{length, shortened};
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::timestamp;
use crate::request::Request;

/// Most posts of one call.
const MAX_IDS: usize = 100;
/// Characters after which a long text is cut.
const CUT: usize = 280;
/// Fewest, usual and most posts of a page.
const PAGE: (usize, usize, usize) = (5, 10, 100);

/// How often each post was shown, and what people did with it; invented.
const IMPRESSIONS: u32 = 240;
const LIKES: u32 = 12;
const REPOSTS: u32 = 3;
const QUOTES: u32 = 1;
const BOOKMARKS: u32 = 2;

/// What can be asked for of a post.
const FIELDS: [&str; 13] = [
    "attachments",
    "author_id",
    "conversation_id",
    "created_at",
    "edit_controls",
    "entities",
    "id",
    "in_reply_to_user_id",
    "lang",
    "note_tweet",
    "public_metrics",
    "reply_settings",
    "text",
];

/// What can be asked for under the older parameter alone; by the newer names the post that one
/// answers is an expansion.
///
/// Source: <https://api.x.com/2/openapi.json>, 2.167, `post.fields` and `expansions`.
const OLDER_FIELD: &str = "referenced_tweets";
const EXPANSION: &str = "referenced_posts";

/// Returns the fields that a parameter asks for.
///
/// # Errors
/// 400 for one that is not known.
pub(super) fn wanted<'a>(
    request: &'a Request,
    parameter: &str,
    known: &[&str],
) -> Result<Vec<&'a str>, ApiError> {
    let fields = request.query(parameter).unwrap_or_default();
    let fields: Vec<&str> = fields.split(',').filter(|field| !field.is_empty()).collect();
    match fields.iter().find(|field| !known.contains(*field)) {
        Some(unknown) => {
            let message = format!(
                "The `{parameter}` query parameter value [{unknown}] is not one of [{}]",
                known.join(",")
            );
            Err(ApiError::invalid(parameter, &json!(unknown), &message))
        }
        None => Ok(fields),
    }
}

/// How a call wants posts to be shown.
struct Shown<'a> {
    fields: Vec<&'a str>,
    /// The newer names.
    is_newer: bool,
}

impl<'a> Shown<'a> {
    fn read(request: &'a Request) -> Result<Self, ApiError> {
        let is_newer = request.query("post.fields").is_some();
        let parameter = if is_newer { "post.fields" } else { "tweet.fields" };
        let mut known = FIELDS.to_vec();
        known.extend((!is_newer).then_some(OLDER_FIELD));
        let mut fields = wanted(request, parameter, &known)?;
        let expansions = request.query("expansions").unwrap_or_default();
        fields.extend(expansions.split(',').filter(|name| is_newer && *name == EXPANSION));
        Ok(Self { fields, is_newer })
    }
}

/// Refuses parameters that a call does not have.
fn check_parameters(request: &Request, own: &[&str]) -> Result<(), ApiError> {
    const COMMON: [&str; 4] = ["expansions", "post.fields", "tweet.fields", "user.fields"];
    let is_known = |name: &str| COMMON.contains(&name) || own.contains(&name);
    match request.query_pairs().iter().find(|(name, _)| !is_known(name)) {
        Some((name, value)) => {
            let message = format!("The query parameter [{name}] is not one of the known ones");
            Err(ApiError::invalid(name, &json!(value), &message))
        }
        None => Ok(()),
    }
}

impl Twitter {
    /// Returns the text as answers have it, and its links: links shortened, a few signs as in HTML,
    /// and a link for the files at the end.
    pub(super) fn shown_text(&self, post: &Post) -> (String, Vec<Value>) {
        let (mut text, mut urls) = shortened(&post.text, post.id);
        // A long text is cut, with a link to the whole behind it.
        if let Some((end, _)) = text.char_indices().nth(CUT).filter(|_| length(&post.text) > CUT) {
            text = format!("{}… https://t.co/{}", text[..end].trim_end(), base36(post.id));
        }
        let files: Vec<&File> = post.files.iter().filter_map(|id| self.files.get(id)).collect();
        if !files.is_empty() {
            let url = format!("https://t.co/{}", base36(post.id));
            let space = if text.is_empty() { "" } else { " " };
            let start = text.chars().count() + space.len();
            text = format!("{text}{space}{url}");
            let name = self.users.get(&post.author).map_or("i", |user| user.username.as_str());
            let page = format!("https://x.com/{name}/status/{}/photo/1", post.id);
            urls.extend(files.iter().map(|file| {
                json!({
                    "start": start,
                    "end": text.chars().count(),
                    "url": url,
                    "expanded_url": page,
                    "display_url": "pic.x.com",
                    "media_key": file.key(),
                })
            }));
        }
        (text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"), urls)
    }

    /// Answers posts by their ids, and which of them are not there.
    ///
    /// # Errors
    /// 400 for what cannot be an id, those of tokens and credits.
    pub(super) fn show_posts(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.caller(request, &["tweet.read", "users.read"], context)?;
        check_parameters(request, &["ids"])?;
        let shown = Shown::read(request)?;
        let ids: Vec<&str> = request
            .query("ids")
            .unwrap_or_default()
            .split(',')
            .filter(|id| !id.is_empty())
            .collect();
        let wrong = ids.iter().find(|id| id.parse::<u64>().is_err());
        if ids.is_empty() || ids.len() > MAX_IDS || wrong.is_some() {
            let value = json!(wrong.copied().unwrap_or_default());
            let message = "The `ids` query parameter has to hold 1 to 100 ids";
            return Err(ApiError::invalid("ids", &value, message));
        }
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        for id in ids {
            match self.found(id) {
                Some(post) => found.push(self.view(post, &shown)),
                None => errors.push(json!({
                    "value": id,
                    "detail": format!("Could not find tweet with ids: [{id}]."),
                    "title": "Not Found Error",
                    "resource_type": "tweet",
                    "parameter": "ids",
                    "resource_id": id,
                    "type": kind_of("resource-not-found"),
                })),
            }
        }
        self.spend(cost(found.len()), context)?;
        let mut body = json!({});
        if !found.is_empty() {
            body["data"] = Value::from(found);
        }
        if !errors.is_empty() {
            body["errors"] = Value::from(errors);
        }
        Ok(Answer::ok(&body))
    }

    /// Answers a post.
    ///
    /// # Errors
    /// 404 when it is not there, those of tokens and credits.
    pub(super) fn show_post(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.caller(request, &["tweet.read", "users.read"], context)?;
        check_parameters(request, &[])?;
        let shown = Shown::read(request)?;
        let post = self.found(id).ok_or_else(|| ApiError::not_found(id))?;
        let view = self.view(post, &shown);
        self.spend(COST_OF_POST_READ, context)?;
        Ok(Answer::ok(&json!({ "data": view })))
    }

    /// Answers the posts of an account, newest first.
    ///
    /// # Errors
    /// 400 for what is wrong, those of tokens and credits.
    pub(super) fn posts_of(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.caller(request, &["tweet.read", "users.read"], context)?;
        let own = ["max_results", "exclude", "start_time", "end_time", "pagination_token"];
        check_parameters(request, &own)?;
        let shown = Shown::read(request)?;
        let wrong = |name: &str, value: &str| {
            let message = format!("The `{name}` query parameter value [{value}] is not valid");
            ApiError::invalid(name, &json!(value), &message)
        };
        let (least, usual, most) = PAGE;
        let count = match request.query("max_results") {
            None => usual,
            Some(text) => text
                .parse()
                .ok()
                .filter(|count| (least..=most).contains(count))
                .ok_or_else(|| wrong("max_results", text))?,
        };
        let instant = |name: &str| -> Result<Option<DateTime<Utc>>, ApiError> {
            let Some(text) = request.query(name) else { return Ok(None) };
            let instant = DateTime::parse_from_rfc3339(text).map_err(|_| wrong(name, text))?;
            Ok(Some(instant.to_utc()))
        };
        let (from, to) = (instant("start_time")?, instant("end_time")?);
        let exclude = request.query("exclude").unwrap_or_default();
        let excludes: Vec<&str> = exclude.split(',').filter(|kind| !kind.is_empty()).collect();
        if excludes.iter().any(|kind| !matches!(*kind, "retweets" | "replies")) {
            return Err(wrong("exclude", exclude));
        }
        let before = match request.query("pagination_token") {
            None => None,
            Some(token) => {
                let id =
                    u64::from_str_radix(token, 36).map_err(|_| wrong("pagination_token", token))?;
                Some(id)
            }
        };
        let author = id.parse::<u64>().map_err(|_| wrong("id", id))?;
        let (views, meta) = {
            let mut posts = self
                .live_posts_of(author)
                .rev()
                .filter(|post| before.is_none_or(|before| post.id < before))
                .filter(|post| from.is_none_or(|from| post.created_at >= from))
                .filter(|post| to.is_none_or(|to| post.created_at < to))
                .filter(|post| post.parent.is_none() || !excludes.contains(&"replies"));
            let found: Vec<&Post> = posts.by_ref().take(count).collect();
            let has_more = posts.next().is_some();
            let mut meta = json!({ "result_count": found.len() });
            if let (Some(newest), Some(oldest)) = (found.first(), found.last()) {
                meta["newest_id"] = json!(newest.id.to_string());
                meta["oldest_id"] = json!(oldest.id.to_string());
                if has_more {
                    meta["next_token"] = json!(base36(oldest.id));
                }
            }
            let views: Vec<Value> = found.iter().map(|post| self.view(post, &shown)).collect();
            (views, meta)
        };
        self.spend(cost(views.len()), context)?;
        let mut body = json!({ "meta": meta });
        if !views.is_empty() {
            body["data"] = Value::from(views);
        }
        Ok(Answer::ok(&body))
    }

    fn found(&self, id: &str) -> Option<&Post> {
        let post = self.posts.get(&id.parse::<u64>().ok()?);
        post.filter(|post| !post.is_deleted)
    }

    fn view(&self, post: &Post, shown: &Shown<'_>) -> Value {
        let id = post.id.to_string();
        let history =
            if shown.is_newer { "edit_history_post_ids" } else { "edit_history_tweet_ids" };
        let (text, urls) = self.shown_text(post);
        let mut view = json!({ "id": id, "text": text, history: [id] });
        let parent = post.parent.and_then(|parent| self.posts.get(&parent));
        for field in &shown.fields {
            let value = match *field {
                "author_id" => json!(post.author.to_string()),
                "conversation_id" => json!(post.conversation.to_string()),
                "created_at" => json!(timestamp(post.created_at)),
                "attachments" if !post.files.is_empty() => {
                    let files = post.files.iter().filter_map(|id| self.files.get(id));
                    json!({ "media_keys": files.map(File::key).collect::<Vec<_>>() })
                }
                "entities" if !urls.is_empty() => json!({ "urls": urls }),
                "in_reply_to_user_id" => match parent {
                    Some(parent) => json!(parent.author.to_string()),
                    None => continue,
                },
                "lang" => json!("und"),
                "public_metrics" => self.metrics(post, shown.is_newer),
                OLDER_FIELD | EXPANSION => match post.parent {
                    Some(parent) => {
                        json!([{ "type": "replied_to", "id": parent.to_string() }])
                    }
                    None => continue,
                },
                "reply_settings" => json!(post.reply_settings),
                // Told already, or not there in these posts.
                _ => continue,
            };
            view[*field] = value;
        }
        view
    }

    fn metrics(&self, post: &Post, is_newer: bool) -> Value {
        let answers = |other: &&Post| other.parent == Some(post.id) && !other.is_deleted;
        let reposts = if is_newer { "repost_count" } else { "retweet_count" };
        json!({
            reposts: REPOSTS,
            "reply_count": self.posts.values().filter(answers).count(),
            "like_count": LIKES,
            "quote_count": QUOTES,
            "bookmark_count": BOOKMARKS,
            "impression_count": IMPRESSIONS,
        })
    }
}

fn cost(posts: usize) -> u32 {
    u32::try_from(posts).unwrap_or(u32::MAX).saturating_mul(COST_OF_POST_READ)
}

/// Writes an id as a token that reads back.
fn base36(mut id: u64) -> String {
    let mut digits = Vec::new();
    while id > 0 {
        let digit = u32::try_from(id % 36).unwrap_or(0);
        digits.extend(char::from_digit(digit, 36));
        id /= 36;
    }
    digits.iter().rev().collect()
}
