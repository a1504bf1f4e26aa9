//! Short links, and how often they were followed.

use async_trait::async_trait;
use chrono::NaiveDate;

use super::{MemoryStore, Tables};
use crate::ids::WorkspaceId;
use crate::links::{Clicks, DayClicks, ShortLink};
use crate::ports::{LinkStore, StoreError};
use crate::post::Post;

impl Tables {
    /// The short links of a post, once none of their codes is found to lead elsewhere.
    pub(super) fn links_to_keep(&self, post: &Post) -> Result<Vec<ShortLink>, StoreError> {
        let links = post.short_links();
        match links
            .iter()
            .find(|link| self.short_links.get(&link.code).is_some_and(|kept| !kept.is_same(link)))
        {
            Some(link) => Err(link.refused()),
            None => Ok(links),
        }
    }

    /// Keeps short links; those that are there stay as they are.
    pub(super) fn keep_links(&mut self, links: Vec<ShortLink>) {
        for link in links {
            self.short_links.entry(link.code.clone()).or_insert(link);
        }
    }
}

#[async_trait]
impl LinkStore for MemoryStore {
    async fn short_link(&self, code: &str) -> Result<Option<ShortLink>, StoreError> {
        Ok(self.tables().short_links.get(code).cloned())
    }

    async fn count_click(&self, code: &str, day: NaiveDate) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if tables.short_links.contains_key(code) {
            *tables.clicks.entry((code.to_owned(), day)).or_default() += 1;
        }
        Ok(())
    }

    async fn short_links(
        &self,
        workspace: WorkspaceId,
        before: Option<ShortLink>,
        limit: u32,
    ) -> Result<Vec<ShortLink>, StoreError> {
        let place = |link: &ShortLink| (link.created_at, link.code.clone());
        let before = before.as_ref().map(place);
        let tables = self.tables();
        let theirs = tables.short_links.values().filter(|link| link.workspace_id == workspace);
        let mut links: Vec<_> = theirs
            .filter(|link| before.as_ref().is_none_or(|before| place(link) < *before))
            .cloned()
            .collect();
        links.sort_by_key(place);
        Ok(links.into_iter().rev().take(limit as usize).collect())
    }

    async fn clicks(&self, codes: &[String], since: NaiveDate) -> Result<Vec<Clicks>, StoreError> {
        let tables = self.tables();
        let of_code = |code: &String| {
            let days = tables
                .clicks
                .range((code.clone(), NaiveDate::MIN)..=(code.clone(), NaiveDate::MAX));
            let days: Vec<_> =
                days.map(|((_, day), clicks)| DayClicks { day: *day, clicks: *clicks }).collect();
            Clicks {
                total: days.iter().map(|day| day.clicks).sum(),
                days: days.into_iter().rev().filter(|day| day.day >= since).collect(),
            }
        };
        Ok(codes.iter().map(of_code).collect())
    }
}
