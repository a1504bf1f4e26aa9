//! Rows of `post_facets`.

use std::collections::BTreeSet;

use scheduler_core::post::Post;

use crate::instant::Instant;

/// What a post is found by, as its rows in `post_facets` say it.
#[derive(Debug)]
pub(crate) struct FacetRows {
    pub(crate) moment: Instant,
    pub(crate) facets: BTreeSet<Vec<u8>>,
}

impl FacetRows {
    pub(crate) fn of(post: &Post) -> Self {
        Self {
            moment: Instant(post.sort_at()),
            facets: post.facets().iter().map(|facet| facet.key()).collect(),
        }
    }

    /// The facets of rows that are not among others: what a change adds, or takes away.
    pub(crate) fn beyond(&self, others: &Self) -> Vec<Vec<u8>> {
        let is_kept = self.moment == others.moment;
        let beyond =
            self.facets.iter().filter(|facet| !(is_kept && others.facets.contains(*facet)));
        beyond.cloned().collect()
    }
}
