//! The figures of posts.
//!
//! A page's figures come for many posts at once; a member's one by one. Without the permission for
//! either, whoever may read posts is told their likes and comments.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/share-statistics>,
//! <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/members/post-statistics>
//! and <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/social-metadata-api>.

use std::slice::Iter;

use scheduler_core::ports::{Access, Figures, LivePost, Metric, NetworkError};
use serde_json::Value;

use super::after::PAGE_ADMIN;
use super::api::{Api, encoded, list};
use super::errors::{failure, unreadable};
use super::wire::{Elements, author, is_page, may_read};
use crate::conversation::{Answer, Request, Session, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// Posts of one conversation: a member's take up to eight calls each, and a conversation has at
/// most 64.
pub(super) const AT_ONCE: usize = 7;

const UGC_POST: &str = "urn:li:ugcPost:";

const OF_PAGE: [(Metric, &str); 6] = [
    (Metric::Impressions, "impressionCount"),
    (Metric::Reach, "uniqueImpressionsCount"),
    (Metric::Likes, "likeCount"),
    (Metric::Comments, "commentCount"),
    (Metric::Shares, "shareCount"),
    (Metric::Clicks, "clickCount"),
];

const OF_MEMBER: [(Metric, &str); 7] = [
    (Metric::Impressions, "IMPRESSION"),
    (Metric::Reach, "MEMBERS_REACHED"),
    (Metric::Likes, "REACTION"),
    (Metric::Comments, "COMMENT"),
    (Metric::Shares, "RESHARE"),
    (Metric::Clicks, "LINK_CLICKS"),
    (Metric::Saves, "POST_SAVE"),
];

/// The next turn of reading the figures of posts, in their order.
pub(super) fn figures(
    api: &Api,
    session: &Session<'_, Tokens>,
    posts: &[LivePost],
    answers: &[Answer],
) -> TurnResult<Vec<Option<Figures>>> {
    let mut reader =
        Reader { api, tokens: &session.credentials, access: session, answers: answers.iter() };
    let author = author(&session.account);
    let read = if is_page(author) {
        match session.credentials.may(PAGE_ADMIN) {
            true => reader.of_page(author, posts),
            false => Ok(None),
        }
    } else {
        match session.credentials.may(&["r_member_postAnalytics"]) {
            true => reader.of_member(posts),
            false => Ok(None),
        }
    };
    let read = match read {
        // The permission was not given, or not after all.
        Ok(None) => reader.of_everybody(posts, may_read(&session.credentials, author)),
        Ok(Some(figures)) => Ok(figures),
        Err(halt) => Err(halt),
    };
    match read {
        Ok(figures) => Ok(Turn::Done(figures)),
        Err(Halt::Ask(request)) => Ok(Turn::Send(*request)),
        Err(Halt::Failed(error)) => Err(error),
    }
}

/// Why reading stops here.
enum Halt {
    /// This has to be asked first.
    Ask(Box<Request>),
    Failed(NetworkError),
}

/// Reads answer after answer; the same answers are read the same way each time.
struct Reader<'a> {
    api: &'a Api,
    tokens: &'a Tokens,
    access: &'a Access,
    answers: Iter<'a, Answer>,
}

impl<'a> Reader<'a> {
    fn ask(&mut self, path: &str, query: &str) -> Result<&'a Answer, Halt> {
        let asked = || Halt::Ask(Box::new(self.api.read(&self.tokens.access_token, path, query)));
        self.answers.next().ok_or_else(asked)
    }

    fn failed(&self, answer: &Answer) -> Halt {
        Halt::Failed(failure(answer, false, Some(self.access.now)))
    }

    /// What a page is told of its posts; `None` when it may not ask. A post of which nothing is
    /// told has not been seen.
    fn of_page(
        &mut self,
        page: &str,
        posts: &[LivePost],
    ) -> Result<Option<Vec<Option<Figures>>>, Halt> {
        let mut found = vec![Some(zeros()); posts.len()];
        for (is_ugc, parameter, member) in
            [(false, "shares", "share"), (true, "ugcPosts", "ugcPost")]
        {
            let names: Vec<&str> = posts
                .iter()
                .map(|post| post.remote.id.as_str())
                .filter(|urn| urn.starts_with(UGC_POST) == is_ugc)
                .collect();
            if names.is_empty() {
                continue;
            }
            let query = format!(
                "q=organizationalEntity&organizationalEntity={}&{parameter}={}",
                encoded(page),
                list(names)
            );
            let answer = self.ask("organizationalEntityShareStatistics", &query)?;
            if answer.status == 403 {
                return Ok(None);
            }
            let read: Elements<Value> =
                answer.taken(|| self.failed(answer), || Halt::Failed(unreadable()))?;
            for element in read.elements {
                let Some(urn) = element.get(member).and_then(Value::as_str) else { continue };
                let Some(at) = posts.iter().position(|post| post.remote.id == urn) else {
                    continue;
                };
                let figure = |name: &str| element.pointer(&format!("/totalShareStatistics/{name}"));
                let figures = OF_PAGE
                    .iter()
                    .map(|(metric, name)| {
                        (*metric, figure(name).and_then(Value::as_f64).unwrap_or_default())
                    })
                    .collect();
                found[at] = Some(Figures(figures));
            }
        }
        Ok(Some(found))
    }

    /// What a member is told of posts; `None` when the member may not ask. A figure that this
    /// version does not know is left out.
    fn of_member(&mut self, posts: &[LivePost]) -> Result<Option<Vec<Option<Figures>>>, Halt> {
        let mut found = Vec::new();
        for post in posts {
            let urn = &post.remote.id;
            let is_ugc = urn.starts_with(UGC_POST);
            let mut kind = if is_ugc { "ugc" } else { "share" };
            let mut figures = Figures::default();
            let mut is_gone = false;
            for (metric, name) in OF_MEMBER {
                let query = |kind: &str| {
                    format!(
                        "q=entity&entity=({kind}:{})&queryType={name}&aggregation=TOTAL",
                        encoded(urn)
                    )
                };
                let mut answer = self.ask("memberCreatorPostAnalytics", &query(kind))?;
                // The documentation has either name.
                if answer.status == 400 && is_ugc && kind == "ugc" && figures.0.is_empty() {
                    answer = self.ask("memberCreatorPostAnalytics", &query("ugcPost"))?;
                    if answer.status != 400 {
                        kind = "ugcPost";
                    }
                }
                match answer.status {
                    403 => return Ok(None),
                    404 => {
                        is_gone = true;
                        break;
                    }
                    400 => continue,
                    _ if answer.is_success() => {}
                    _ => return Err(self.failed(answer)),
                }
                let body: Value = answer.json().ok_or_else(|| Halt::Failed(unreadable()))?;
                let count = body.pointer("/elements/0/count").and_then(Value::as_f64);
                figures.0.insert(metric, count.unwrap_or_default());
            }
            found.push(Some(figures).filter(|figures| !is_gone && !figures.0.is_empty()));
        }
        Ok(Some(found))
    }

    /// The likes and comments that whoever may read posts is told.
    fn of_everybody(
        &mut self,
        posts: &[LivePost],
        may_read: bool,
    ) -> Result<Vec<Option<Figures>>, Halt> {
        let mut found = Vec::new();
        for post in posts {
            if !may_read {
                found.push(None);
                continue;
            }
            let answer = self.ask(&format!("socialMetadata/{}", encoded(&post.remote.id)), "")?;
            if matches!(answer.status, 403 | 404) {
                found.push(None);
                continue;
            }
            let body: Value =
                answer.taken(|| self.failed(answer), || Halt::Failed(unreadable()))?;
            let comments = body.pointer("/commentSummary/count").and_then(Value::as_f64);
            let reactions = body.get("reactionSummaries").and_then(Value::as_object);
            let likes = reactions.map(|reactions| {
                let counts = reactions.values().filter_map(|kind| kind.get("count"));
                counts.filter_map(Value::as_f64).sum::<f64>()
            });
            let known = [(Metric::Likes, likes), (Metric::Comments, comments)];
            let known = known.into_iter().filter_map(|(metric, count)| Some((metric, count?)));
            found.push(Some(Figures(known.collect())));
        }
        Ok(found)
    }
}

fn zeros() -> Figures {
    Figures(OF_PAGE.iter().map(|(metric, _)| (*metric, 0.0)).collect())
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
