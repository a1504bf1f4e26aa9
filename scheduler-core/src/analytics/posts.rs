//! The figures of posts, in a table for each network.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use crate::error::Refusal;
use crate::ids::{AccountId, PostId, TargetId};
use crate::platform::{Metric, Platform};
use crate::post::Post;
use crate::reading::Reading;

/// A post on one account, with what was read of it last.
#[derive(Clone, Debug, PartialEq)]
pub struct PostFigures {
    /// The post.
    pub post_id: PostId,
    /// Its target.
    pub target_id: TargetId,
    /// The account.
    pub account_id: AccountId,
    /// The network.
    pub platform: Platform,
    /// The first [`WORDS_MAX`] characters of its text there, or of its title where it has no text.
    pub text: String,
    /// When it went live.
    pub published_at: DateTime<Utc>,
    /// What was read last; `None` when nothing was.
    pub reading: Option<Reading>,
}

/// Characters of a post's text that its figures show.
///
/// Source: our decision.
pub const WORDS_MAX: usize = 200;

impl PostFigures {
    /// The targets of a post that are live, with their figures.
    #[must_use]
    pub fn of(post: &Post) -> Vec<Self> {
        let live = post.targets.iter().filter_map(|target| Some((target, target.published_at()?)));
        live.map(|(target, published_at)| {
            let option = |name| target.options.get(name).and_then(serde_json::Value::as_str);
            let texts = [option("caption"), Some(post.content.as_str()), option("title")];
            let text = texts.into_iter().flatten().find(|text| !text.trim().is_empty());
            Self {
                post_id: post.id,
                target_id: target.id,
                account_id: target.account_id,
                platform: target.platform,
                text: text.unwrap_or_default().chars().take(WORDS_MAX).collect(),
                published_at,
                reading: target.reading.clone(),
            }
        })
        .collect()
    }

    /// One of its figures; `None` when it was not read.
    #[must_use]
    pub fn figure(&self, metric: Metric) -> Option<f64> {
        self.reading.as_ref()?.figures.0.get(&metric).copied()
    }
}

/// What posts are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostOrder {
    /// A figure, the one after the other; `None` for when they went live.
    pub by: Option<Metric>,
    /// The least or the earliest first.
    pub is_ascending: bool,
}

impl PostOrder {
    /// Reads the parameters of a list: by the measure unless something else is named, the most
    /// first.
    ///
    /// # Errors
    /// `invalid_request` naming `sort` or `order`.
    pub fn parse(
        sort: Option<&str>,
        order: Option<&str>,
        measure: Option<Metric>,
    ) -> Result<Self, Refusal> {
        let by = match sort {
            None => measure,
            Some("date") => None,
            Some(name) => {
                let found = Metric::ALL.into_iter().find(|metric| metric.as_str() == name);
                let message =
                    || format!("{name:?} sorts nothing; send date or the name of a figure.");
                Some(found.ok_or_else(|| Refusal::invalid("sort", message()))?)
            }
        };
        let is_ascending = match order {
            None | Some("desc") => false,
            Some("asc") => true,
            Some(_) => return Err(Refusal::invalid("order", "order must be desc or asc.")),
        };
        Ok(Self { by, is_ascending })
    }

    /// The order of two posts of one network; what has no such figure comes last either way.
    fn compare(self, one: &PostFigures, other: &PostFigures) -> Ordering {
        let directed = |order: Ordering| if self.is_ascending { order } else { order.reverse() };
        let by_time = || {
            let place = |of: &PostFigures| (of.published_at, of.target_id);
            place(one).cmp(&place(other))
        };
        let Some(metric) = self.by else { return directed(by_time()) };
        match (one.figure(metric), other.figure(metric)) {
            (Some(one), Some(other)) => {
                directed(one.total_cmp(&other)).then_with(|| by_time().reverse())
            }
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => by_time().reverse(),
        }
    }
}

/// The posts of one network: figures of several are not compared.
#[derive(Clone, Debug, PartialEq)]
pub struct PostTable {
    /// The network.
    pub platform: Platform,
    /// The figures that it reports.
    pub metrics: &'static [Metric],
    /// Its posts in order.
    pub posts: Vec<PostFigures>,
}

/// Sorts posts into tables, one for each network.
#[must_use]
pub fn tables(posts: Vec<PostFigures>, order: PostOrder) -> Vec<PostTable> {
    let mut by_network: BTreeMap<Platform, Vec<PostFigures>> = BTreeMap::new();
    for post in posts {
        by_network.entry(post.platform).or_default().push(post);
    }
    let table = |(platform, mut posts): (Platform, Vec<PostFigures>)| {
        posts.sort_by(|one, other| order.compare(one, other));
        PostTable { platform, metrics: platform.sheet().metric_fields, posts }
    };
    by_network.into_iter().map(table).filter(|table| !table.metrics.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::Figures;
    use chrono::TimeDelta;
    use proptest::prelude::*;
    use uuid::Uuid;

    fn post(number: u32, platform: Platform, likes: Option<u32>) -> PostFigures {
        let id = Uuid::from_u128(number.into());
        let published_at = DateTime::UNIX_EPOCH + TimeDelta::hours(number.into());
        let figures = likes.map(|likes| Figures([(Metric::Likes, f64::from(likes))].into()));
        PostFigures {
            post_id: PostId(id),
            target_id: TargetId(id),
            account_id: AccountId(Uuid::nil()),
            platform,
            text: String::new(),
            published_at,
            reading: figures.map(|figures| Reading { at: published_at, figures }),
        }
    }

    fn numbers(table: &PostTable) -> Vec<u128> {
        table.posts.iter().map(|post| post.post_id.0.as_u128()).collect()
    }

    #[test]
    fn posts_are_sorted_among_those_of_their_network() {
        use Platform::{Bluesky, Discord, Mastodon};
        let posts = vec![
            post(1, Mastodon, Some(5)),
            post(2, Bluesky, Some(50)),
            post(3, Mastodon, None),
            post(4, Mastodon, Some(9)),
            post(5, Mastodon, Some(5)),
            post(6, Discord, None),
        ];
        let likes = Some(Metric::Likes);
        for (sort, order, want) in [
            (None, None, [4, 5, 1, 3]),
            (Some("likes"), Some("asc"), [5, 1, 4, 3]),
            (Some("date"), None, [5, 4, 3, 1]),
            (Some("date"), Some("asc"), [1, 3, 4, 5]),
            (Some("saves"), None, [5, 4, 3, 1]),
        ] {
            let order = PostOrder::parse(sort, order, likes).unwrap();
            let tables = tables(posts.clone(), order);
            let networks: Vec<Platform> = tables.iter().map(|table| table.platform).collect();
            assert_eq!(networks.len(), 2, "Discord reports no figures");
            let table = tables.iter().find(|table| table.platform == Mastodon).unwrap();
            assert_eq!(numbers(table), want, "{sort:?} {order:?}");
        }
    }

    #[test]
    fn what_sorts_nothing_is_refused() {
        for (sort, order, field) in [(Some("worth"), None, "sort"), (None, Some("up"), "order")] {
            let refusal = PostOrder::parse(sort, order, None).unwrap_err();
            assert_eq!(refusal.field.as_deref(), Some(field));
        }
    }

    proptest! {
        #[test]
        fn no_post_is_lost_and_what_was_not_read_is_last(
            likes in prop::collection::vec(prop::option::of(0_u32..20), 0..60),
            is_ascending: bool,
        ) {
            let posts: Vec<PostFigures> =
                (0..).zip(&likes).map(|(number, likes)| post(number, Platform::Mastodon, *likes)).collect();
            let order = PostOrder { by: Some(Metric::Likes), is_ascending };
            let found: Vec<Option<f64>> = tables(posts, order)
                .iter()
                .flat_map(|table| &table.posts)
                .map(|post| post.figure(Metric::Likes))
                .collect();
            prop_assert_eq!(found.len(), likes.len());
            let read: Vec<f64> = found.iter().copied().flatten().collect();
            prop_assert!(found[..read.len()].iter().all(Option::is_some));
            let sorted = |pair: &[f64]| if is_ascending { pair[0] <= pair[1] } else { pair[0] >= pair[1] };
            prop_assert!(read.windows(2).all(sorted));
        }
    }
}
