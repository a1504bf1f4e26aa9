//! Which posts a page of a list has, in its order.
//!
//! A page is read by walking indexes from a place to the end of the page, so that it costs the same
//! wherever it lies and however many posts there are. Of what a list asks for, the rarest is
//! walked – a state, words that few posts have, an open status, a label, an account – and the rest
//! is looked up for each post that is met. Several walks of one page are merged.

use scheduler_core::ids::AccountId;
use scheduler_core::platform::Platform;
use scheduler_core::post::{Facet, ListFilter, ListOrder, ListQuery, PostStatus, Window};
use sqlx::QueryBuilder;
use uuid::Uuid;

use super::super::{Connection, dialect};
use super::list::place;
use crate::error::Failure;
use crate::instant::{EARLIEST, Instant, LATEST};
use crate::rows::row;
use crate::rows::words::within;

type Select = QueryBuilder<<Connection as sqlx::Connection>::Database>;

/// What never grows too old to be listed.
const OPEN: [PostStatus; 3] = [PostStatus::Draft, PostStatus::Scheduled, PostStatus::Publishing];

const ACCOUNTS_OF: &str = "SELECT id FROM accounts WHERE workspace_id = $1 AND platform = $2";
const UNUSABLE: &str = "SELECT id FROM accounts WHERE workspace_id = $1 \
    AND (needs_reconnect OR disconnected_at IS NOT NULL)";

row! {
    /// The place of a post in a list.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    struct Place {
        moment: Instant,
        id: Uuid,
    }
}

/// Which posts of a range are listed, by their status.
#[derive(Clone, Copy, Debug)]
enum Chosen {
    All,
    /// Those of a status.
    Of(PostStatus),
    /// Those that went out or will.
    GoingOut,
}

/// A range of a list: `[from, to)`, without the page's cursor.
#[derive(Clone, Copy, Debug)]
struct Range {
    from: Instant,
    to: Instant,
}

impl Range {
    const ALL: Self = Self { from: EARLIEST, to: LATEST };
}

/// What is walked.
#[derive(Clone, Debug)]
enum Source {
    /// All posts of the workspace, or those of one status.
    Posts,
    /// Those that are found by this.
    Facet(Vec<u8>),
    /// Those with the words of the list.
    Words,
    /// Those of a status with a target that waits for one of the accounts that cannot be used.
    Waiting(PostStatus),
}

/// What every post has to have besides.
#[derive(Clone, Debug)]
enum Condition {
    /// One of these; or, where it says so, a target that waits for an unusable account.
    AnyOf { facets: Vec<Vec<u8>>, or_waits: bool },
    /// The words of the list.
    Words,
}

impl Condition {
    /// True when every post of a source fulfils it.
    fn holds_for(&self, source: &Source) -> bool {
        match (self, source) {
            (Self::Words, Source::Words) => true,
            (Self::AnyOf { facets, .. }, Source::Facet(walked)) => facets.contains(walked),
            _ => false,
        }
    }
}

/// What a list asks for, as far as the store has to be asked for it.
#[derive(Debug)]
struct Plan<'a> {
    query: &'a ListQuery,
    sources: Vec<Source>,
    conditions: Vec<Condition>,
    /// The words, as the store keeps them.
    words: Vec<String>,
    unusable: Vec<Uuid>,
}

/// The ids of the posts of a page, in their order.
pub(super) async fn places(
    connection: &mut Connection,
    query: &ListQuery,
) -> Result<Vec<Uuid>, Failure> {
    places_with(connection, query, dialect::FEW).await
}

/// The same, with another bound on the posts that words are looked up for.
async fn places_with(
    connection: &mut Connection,
    query: &ListQuery,
    few: i64,
) -> Result<Vec<Uuid>, Failure> {
    let Some(plan) = Plan::of(connection, query, few).await? else { return Ok(Vec::new()) };
    let found = match query.order {
        ListOrder::Recent => plan.recent(connection).await?,
        ListOrder::Due => {
            let range = match query.window {
                Window::Since(_) => Range::ALL,
                Window::Between { from, to } => Range { from: Instant(from), to: Instant(to) },
            };
            plan.walk_all(connection, range, Chosen::All).await?
        }
    };
    Ok(found.into_iter().map(|place| place.id).collect())
}

impl<'a> Plan<'a> {
    /// Chooses what is walked; `None` when no post can have what is asked for.
    async fn of(
        connection: &mut Connection,
        query: &'a ListQuery,
        few: i64,
    ) -> Result<Option<Self>, Failure> {
        let filter = &query.filter;
        let workspace = query.workspace_id;
        let words = within(workspace, filter.words.iter().cloned());
        let mut plan = Self {
            query,
            sources: vec![Source::Posts],
            conditions: vec![],
            words,
            unusable: vec![],
        };
        if filter.is_none() {
            return Ok(Some(plan));
        }
        let facets = |facets: Vec<Facet>| facets.iter().map(Facet::key).collect::<Vec<_>>();
        // What is asked for last is what the fewest posts have, and so is what is walked.
        if !filter.accounts.is_empty() {
            let accounts = filter.accounts.iter().map(|id| Facet::Account(*id)).collect();
            plan.ask_for(facets(accounts), false);
        }
        if !filter.platforms.is_empty() {
            let accounts = accounts_of(connection, filter, query).await?;
            if accounts.is_empty() {
                return Ok(None);
            }
            plan.ask_for(facets(accounts), false);
        }
        if !filter.labels.is_empty() {
            let labels = filter.labels.iter().map(|label| Facet::Label(label.clone())).collect();
            plan.ask_for(facets(labels), false);
        }
        if query.status.is_some_and(|status| OPEN.contains(&status)) {
            plan.sources = vec![Source::Posts];
        }
        if !plan.words.is_empty() {
            plan.conditions.push(Condition::Words);
            if dialect::are_few(connection, &plan.words, few).await? {
                plan.sources = vec![Source::Words];
            }
        }
        if let Some(state) = filter.state {
            if state.counts_unusable_accounts() {
                let unusable = sqlx::query_scalar(UNUSABLE).bind(workspace.0);
                plan.unusable = unusable.fetch_all(&mut *connection).await?;
            }
            let waits = !plan.unusable.is_empty();
            plan.ask_for(facets(state.facets().into_iter().collect()), waits);
            if waits {
                plan.sources.push(Source::Waiting(PostStatus::Scheduled));
                plan.sources.push(Source::Waiting(PostStatus::Publishing));
            }
        }
        if query.order == ListOrder::Due && !matches!(plan.sources[..], [Source::Words]) {
            // What is to come is walked by its time, since no other index has it.
            plan.sources = vec![Source::Posts];
        }
        Ok(Some(plan))
    }

    /// Walks posts by any of these facets, and asks every post for one of them.
    fn ask_for(&mut self, facets: Vec<Vec<u8>>, or_waits: bool) {
        self.sources = facets.iter().cloned().map(Source::Facet).collect();
        self.conditions.push(Condition::AnyOf { facets, or_waits });
    }

    async fn recent(&self, connection: &mut Connection) -> Result<Vec<Place>, Failure> {
        match (self.query.window, self.query.status) {
            (Window::Since(_), Some(status)) if OPEN.contains(&status) => {
                self.walk_all(connection, Range::ALL, Chosen::Of(status)).await
            }
            (Window::Since(since), Some(status)) => {
                let range = Range { from: Instant(since), ..Range::ALL };
                self.walk_all(connection, range, Chosen::Of(status)).await
            }
            (Window::Since(since), None) => self.since_and_open(connection, Instant(since)).await,
            (Window::Between { .. }, Some(PostStatus::Draft)) => Ok(Vec::new()),
            (Window::Between { from, to }, status) => {
                let range = Range { from: Instant(from), to: Instant(to) };
                let chosen = status.map_or(Chosen::GoingOut, Chosen::Of);
                self.walk_all(connection, range, chosen).await
            }
        }
    }

    /// What is recent, then what is older but still open: the second only once the first is used
    /// up, and without passing over the old posts that are done.
    async fn since_and_open(
        &self,
        connection: &mut Connection,
        since: Instant,
    ) -> Result<Vec<Place>, Failure> {
        let recent = Range { from: since, ..Range::ALL };
        let mut found = self.walk_all(connection, recent, Chosen::All).await?;
        if found.len() < self.limit() {
            let earlier = Range { to: since, ..Range::ALL };
            let mut older = Vec::new();
            for status in OPEN {
                let walked = self.walk(connection, &Source::Posts, earlier, Chosen::Of(status));
                older.extend(walked.await?);
            }
            found.extend(self.merged(older));
            found.truncate(self.limit());
        }
        Ok(found)
    }

    fn limit(&self) -> usize {
        usize::try_from(self.query.page.limit).unwrap_or(usize::MAX)
    }

    /// Places of several walks in the order of the list, each once.
    fn merged(&self, mut places: Vec<Place>) -> Vec<Place> {
        places.sort_unstable();
        places.dedup();
        if self.query.order == ListOrder::Recent {
            places.reverse();
        }
        places.truncate(self.limit());
        places
    }

    async fn walk_all(
        &self,
        connection: &mut Connection,
        range: Range,
        chosen: Chosen,
    ) -> Result<Vec<Place>, Failure> {
        let mut found = Vec::new();
        for source in &self.sources {
            found.extend(self.walk(connection, source, range, chosen).await?);
        }
        Ok(self.merged(found))
    }

    /// Walks one index from the cursor on, to the end of the range or of the page.
    async fn walk(
        &self,
        connection: &mut Connection,
        source: &Source,
        range: Range,
        chosen: Chosen,
    ) -> Result<Vec<Place>, Failure> {
        if let (Source::Waiting(own), Some(asked)) = (source, self.query.status)
            && *own != asked
        {
            return Ok(Vec::new());
        }
        let mut select = self.statement(source, range, chosen);
        Ok(select.build_query_as().fetch_all(connection).await?)
    }

    /// The statement of a walk.
    fn statement(&self, source: &Source, range: Range, chosen: Chosen) -> Select {
        let mut select = self.select(source);
        let key = match (self.query.order, source) {
            (ListOrder::Recent, Source::Facet(_)) => ("f.moment", "f.post_id"),
            (ListOrder::Recent, Source::Words) => (dialect::FOUND_MOMENT, "found.post_id"),
            (ListOrder::Recent, _) => ("p.moment", "p.id"),
            (ListOrder::Due, _) => ("p.due_at", "p.id"),
        };
        self.push_range(&mut select, key, range);
        match (chosen, source) {
            (_, Source::Waiting(status)) => push_status(&mut select, *status),
            (Chosen::All, _) => {}
            (Chosen::Of(status), _) => push_status(&mut select, status),
            (Chosen::GoingOut, _) => {
                select.push(" AND p.status <> 'draft' AND (p.status <> 'canceled' OR p.went_out)");
            }
        }
        // Due posts are not walked by their status, which has an index of another order.
        if let (ListOrder::Due, Some(status)) = (self.query.order, self.query.status) {
            push_status(&mut select, status);
        }
        for condition in self.conditions.iter().filter(|condition| !condition.holds_for(source)) {
            self.push_condition(&mut select, condition);
        }
        let direction = match self.query.order {
            ListOrder::Recent => "DESC",
            ListOrder::Due => "ASC",
        };
        let (moment, id) = key;
        select.push(format_args!(" ORDER BY {moment} {direction}, {id} {direction} LIMIT "));
        select.push_bind(i64::from(self.query.page.limit));
        select
    }

    /// Selects the places of all posts of a source.
    fn select(&self, source: &Source) -> Select {
        let workspace = self.query.workspace_id.0;
        let shown = match self.query.order {
            ListOrder::Recent => "SELECT p.moment AS moment, p.id AS id",
            ListOrder::Due => "SELECT p.due_at AS moment, p.id AS id",
        };
        let mut select = Select::new("");
        match source {
            Source::Posts | Source::Waiting(_) => {
                select.push(shown).push(" FROM posts p WHERE p.workspace_id = ");
                select.push_bind(workspace);
            }
            Source::Facet(facet) => {
                select.push(shown).push(" FROM post_facets f ");
                select.push(dialect::WALKED_JOIN).push(" posts p ON p.id = f.post_id");
                select.push(" WHERE f.workspace_id = ").push_bind(workspace);
                select.push(" AND f.facet = ").push_bind(facet.clone());
            }
            Source::Words => {
                select.push(shown).push(" FROM ");
                dialect::push_found_with_words(&mut select, &self.words);
                select.push(" ").push(dialect::WALKED_JOIN);
                select.push(" posts p ON p.id = found.post_id WHERE p.workspace_id = ");
                select.push_bind(workspace);
            }
        }
        if let Source::Waiting(_) = source {
            self.push_waits(select.push(" AND "));
        }
        select
    }

    fn push_range(&self, select: &mut Select, (moment, id): (&str, &str), range: Range) {
        let before = self.query.page.before;
        match self.query.order {
            ListOrder::Recent => {
                let (upper, upper_id) = place(before).min((range.to, Uuid::nil()));
                select.push(format_args!(" AND {moment} >= ")).push_bind(range.from);
                select.push(format_args!(" AND ({moment}, {id}) < (")).push_bind(upper);
                select.push(", ").push_bind(upper_id).push(")");
            }
            ListOrder::Due => {
                let cursor = before.map(|place| (Instant(place.sort_at), place.id.0));
                let (lower, lower_id) = cursor.unwrap_or((EARLIEST, Uuid::nil()));
                let from = lower.max(range.from);
                select.push(format_args!(" AND {moment} IS NOT NULL AND {moment} >= "));
                select.push_bind(from);
                select.push(format_args!(" AND ({moment}, {id}) > (")).push_bind(lower);
                select.push(", ").push_bind(lower_id);
                select.push(format_args!(") AND {moment} < ")).push_bind(range.to);
            }
        }
    }

    /// Conditions count what they look for: of `EXISTS` PostgreSQL may make a hash of a whole table,
    /// where a page looks at a few posts.
    fn push_condition(&self, select: &mut Select, condition: &Condition) {
        match condition {
            Condition::AnyOf { facets, or_waits } => {
                select.push(
                    " AND (0 < (SELECT count(*) FROM post_facets x \
                     WHERE x.workspace_id = p.workspace_id AND x.moment = p.moment \
                     AND x.post_id = p.id AND x.facet IN (",
                );
                push_list(select, facets.iter().cloned());
                select.push("))");
                if *or_waits {
                    select.push(" OR p.status IN ('scheduled', 'publishing') AND ");
                    self.push_waits(select);
                }
                select.push(")");
            }
            Condition::Words => {
                select.push(" AND 0 < (");
                dialect::push_words_of_post(select, &self.words);
                select.push(")");
            }
        }
    }

    /// That a target waits for an account that cannot be used.
    fn push_waits(&self, select: &mut Select) {
        select.push(
            "0 < (SELECT count(*) FROM targets t WHERE t.post_id = p.id \
             AND t.status = 'pending' AND t.account_id IN (",
        );
        push_list(select, self.unusable.iter().copied());
        select.push("))");
    }
}

/// Binds values with commas between.
fn push_list<T>(select: &mut Select, values: impl Iterator<Item = T>)
where
    T: for<'t> sqlx::Encode<'t, <Connection as sqlx::Connection>::Database>
        + sqlx::Type<<Connection as sqlx::Connection>::Database>,
{
    let mut list = select.separated(", ");
    for value in values {
        list.push_bind(value);
    }
}

fn push_status(select: &mut Select, status: PostStatus) {
    select.push(" AND p.status = ").push_bind(status.as_str());
}

/// The accounts of the networks that are asked for, those that are disconnected too.
async fn accounts_of(
    connection: &mut Connection,
    filter: &ListFilter,
    query: &ListQuery,
) -> Result<Vec<Facet>, Failure> {
    let mut accounts = Vec::new();
    for platform in &filter.platforms {
        let found = sqlx::query_scalar(ACCOUNTS_OF)
            .bind(query.workspace_id.0)
            .bind(Platform::as_str(*platform));
        let found: Vec<Uuid> = found.fetch_all(&mut *connection).await?;
        accounts.extend(found.into_iter().map(|id| Facet::Account(AccountId(id))));
    }
    Ok(accounts)
}

#[cfg(test)]
#[path = "places_tests.rs"]
mod tests;
