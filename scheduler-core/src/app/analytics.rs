//! Analytics: what the posts and accounts of a workspace have gained.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};

use super::{Caller, Scheduler};
use crate::account::AccountView;
use crate::analytics::{
    AnalyticsInput, BestTimes, COUNTED_WITHIN, Counter, FIRST_DAY, Line, LineOf, Measure,
    POSTS_MAX, Period, PostFigures, PostOrder, PostTable, READINGS_MAX, Sample, best_times,
    changes_between, default_measure, first_day, line, measures, tables,
};
use crate::error::{AppError, Refusal};
use crate::ids::AccountId;
use crate::key::Scope;
use crate::platform::{Metric, MetricChange, Platform};
use crate::ports::{FigureQuery, FigureReading};
use crate::post::{LIMIT_MAX, ListFilter, ListOrder, ListQuery, PageQuery, Window};
use crate::timing::Zone;

/// What is asked about, as all answers tell it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Asked {
    /// The days.
    pub period: Period,
    /// The connected accounts whose networks report anything, in the order of connection.
    pub accounts: Vec<AccountView>,
    /// Those that are chosen; none for all.
    pub chosen: BTreeSet<AccountId>,
    /// What can be measured of those that are shown.
    pub measures: Vec<Measure>,
    /// What is measured; `None` where no account reports anything.
    pub measure: Option<Measure>,
}

impl Asked {
    /// The accounts that are shown.
    pub fn shown(&self) -> impl Iterator<Item = &AccountView> {
        let is_shown = |id| self.chosen.is_empty() || self.chosen.contains(&id);
        self.accounts.iter().filter(move |account| is_shown(account.id))
    }

    fn platforms(&self) -> Vec<Platform> {
        self.shown().map(|account| account.platform).collect()
    }

    fn metric(&self) -> Option<Metric> {
        match self.measure {
            Some(Measure::Metric(metric)) => Some(metric),
            Some(Measure::Followers) | None => None,
        }
    }
}

/// What was gained in a period.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Gains {
    /// What was asked.
    pub asked: Asked,
    /// A line for each network of which anything was read, or for each account where only one
    /// network is shown; those that gained most come first.
    pub lines: Vec<Line>,
    /// The days within the period from which networks count in another way.
    pub changes: Vec<(Platform, MetricChange)>,
    /// True when nothing was ever read, as far as analytics reach back.
    pub is_empty: bool,
}

/// The posts of a period.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PostGains {
    /// What was asked.
    pub asked: Asked,
    /// What they are sorted by.
    pub order: PostOrder,
    /// A table for each network.
    pub tables: Vec<PostTable>,
    /// The days within the period from which networks count in another way.
    pub changes: Vec<(Platform, MetricChange)>,
    /// True when there are more posts than are listed.
    pub is_cut: bool,
}

/// When posts of an account do well.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GoodTimes {
    /// What was asked; the days are a year.
    pub asked: Asked,
    /// The account; `None` where none reports figures of posts.
    pub account: Option<AccountView>,
    /// The zone whose clocks tell the hours.
    pub zone: Zone,
    /// The times.
    pub times: BestTimes,
    /// The change of its network since which alone posts are compared.
    pub since: Option<MetricChange>,
}

impl Asked {
    /// The one account that was chosen.
    fn only(&self) -> Option<AccountId> {
        let mut chosen = self.chosen.iter();
        chosen.next().filter(|_| chosen.next().is_none()).copied()
    }
}

impl Scheduler {
    /// What the posts of the caller's workspace have gained in a period, or its accounts.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `invalid_request` naming the parameter, or `days` when
    /// there are more readings than are looked at.
    pub async fn analytics(
        &self,
        caller: &Caller,
        input: &AnalyticsInput,
    ) -> Result<Gains, AppError> {
        let asked = self.asked(caller, input).await?;
        let Some(measure) = asked.measure else {
            return Ok(Gains { asked, lines: Vec::new(), changes: Vec::new(), is_empty: true });
        };
        let mut counters = match measure {
            Measure::Metric(metric) => self.posts_read(caller, &asked, metric).await?,
            Measure::Followers => self.followers_read(caller, &asked).await?,
        };
        let is_empty = counters.values().all(|of| of.iter().all(|one| one.readings.is_empty()));
        let (period, platforms) = (asked.period, asked.platforms());
        let is_one_network = platforms.iter().collect::<BTreeSet<_>>().len() == 1;
        let reporting = asked.shown().filter(|account| measure.is_reported_by(account.platform));
        let mut of_lines: BTreeMap<LineOf, Vec<Counter>> = BTreeMap::new();
        for account in reporting {
            let of = if is_one_network {
                LineOf::Account(account.platform, account.id)
            } else {
                LineOf::Network(account.platform)
            };
            of_lines
                .entry(of)
                .or_default()
                .extend(counters.remove(&account.id).unwrap_or_default());
        }
        let broken = changes_between(&platforms, measure, period.first_before(), period.last());
        let broken_of = |of: LineOf| {
            let mut changes = broken.iter().filter(|(platform, _)| *platform == of.platform());
            changes.next_back().map(|(_, change)| *change)
        };
        let mut lines: Vec<Line> = of_lines
            .into_iter()
            .map(|(of, counters)| line(of, &counters, &period, broken_of(of)))
            .collect();
        // A count of followers stands at the noon of its day.
        for line in &mut lines {
            line.read_at = line.read_at.map(|at| at.min(period.now));
        }
        lines.retain(|line| line.read_at.is_some());
        lines.sort_by(|one, other| other.total.total_cmp(&one.total).then(one.of.cmp(&other.of)));
        // A change on the first day leaves nothing before it in the period.
        let changes = changes_between(&platforms, measure, period.first(), period.last());
        let is_empty = is_empty && !self.was_ever_read(caller, measure, &asked).await?;
        Ok(Gains { asked, lines, changes, is_empty })
    }

    /// The posts of the caller's workspace that went out in a period, with the figures that were
    /// read of them last.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `invalid_request` naming the parameter.
    pub async fn analytics_of_posts(
        &self,
        caller: &Caller,
        input: &AnalyticsInput,
    ) -> Result<PostGains, AppError> {
        let asked = self.asked(caller, input).await?;
        let (sort, direction) = (input.sort.as_deref(), input.order.as_deref());
        let order = PostOrder::parse(sort, direction, asked.metric())?;
        let period = asked.period;
        let mut query = ListQuery {
            workspace_id: caller.workspace.id,
            status: None,
            filter: ListFilter { accounts: asked.chosen.clone(), ..ListFilter::default() },
            window: Window::Between { from: period.from(), to: period.to() },
            order: ListOrder::Recent,
            page: PageQuery { limit: LIMIT_MAX, before: None },
        };
        let shown: BTreeSet<AccountId> = asked.shown().map(|account| account.id).collect();
        let (mut posts, mut read, mut is_cut) = (Vec::new(), 0, false);
        loop {
            let page = self.store().list_posts(&query).await?;
            let Some(last) = page.last() else { break };
            is_cut = read >= POSTS_MAX;
            if is_cut {
                break;
            }
            read += page.len();
            query.page.before = query.order.place(last);
            posts.extend(page.iter().flat_map(PostFigures::of));
        }
        posts.retain(|post| shown.contains(&post.account_id));
        let metrics = order.by.or(asked.metric()).map(Measure::Metric);
        let changes = metrics.map(|measure| {
            changes_between(&asked.platforms(), measure, period.first(), period.last())
        });
        let tables = tables(posts, order);
        Ok(PostGains { asked, order, tables, changes: changes.unwrap_or_default(), is_cut })
    }

    /// When posts of one account do well, by what they had in their first day, over a year. Where
    /// its network has begun to count in another way since, only posts from then on are compared.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `invalid_request` naming the parameter.
    pub async fn best_times(
        &self,
        caller: &Caller,
        input: &AnalyticsInput,
    ) -> Result<GoodTimes, AppError> {
        let input = AnalyticsInput { days: Some("365".to_owned()), ..input.clone() };
        let mut asked = self.asked(caller, &input).await?;
        asked.accounts.retain(|account| !account.platform.sheet().metric_fields.is_empty());
        let account = asked.shown().next().cloned();
        asked.chosen = account.iter().map(|account| account.id).collect();
        asked.measures = measures(&asked.platforms());
        asked.measures.retain(|measure| *measure != Measure::Followers);
        let is_offered = |measure: &Measure| asked.measures.contains(measure);
        asked.measure =
            asked.measure.filter(is_offered).or_else(|| default_measure(&asked.platforms()));
        let zone = account.as_ref().and_then(|account| account.timezone);
        let zone = zone.unwrap_or(asked.period.zone);
        let (Some(account), Some(metric)) = (account, asked.metric()) else {
            let times = best_times(&[], zone);
            return Ok(GoodTimes { asked, account: None, zone, times, since: None });
        };
        let period = asked.period;
        let platform = [account.platform];
        let changes =
            changes_between(&platform, Measure::Metric(metric), period.first(), period.last());
        let since = changes.last().map(|(_, change)| *change);
        let begins = since.map(|change| zone.instant(change.on.and_time(chrono::NaiveTime::MIN)));
        let query = FigureQuery {
            metric,
            account_id: Some(account.id),
            from: begins.unwrap_or_else(|| period.from()),
            to: period.to(),
            // Twice a day leaves room for what is nearest to one.
            within: FIRST_DAY * 2,
            limit: READINGS_MAX,
        };
        let readings = self.figure_readings(caller, &query).await?;
        let samples: Vec<Sample> = by_target(&readings)
            .filter_map(|of| first_day(of.published_at, &of.readings))
            .collect();
        let times = best_times(&samples, zone);
        Ok(GoodTimes { asked, account: Some(account), zone, times, since })
    }

    async fn asked(&self, caller: &Caller, input: &AnalyticsInput) -> Result<Asked, AppError> {
        caller.require(Scope::PostsRead)?;
        let zone = caller.workspace.timezone.unwrap_or(Zone::UTC);
        let period = Period::parse(input.days.as_deref(), zone, self.ports.clock.now())?;
        let mut accounts = self.account_views(caller).await?;
        accounts.retain(|account| !measures(&[account.platform]).is_empty());
        let mut chosen = BTreeSet::new();
        for text in &input.account_id {
            let found = accounts.iter().find(|account| account.id.to_string() == *text);
            let message =
                || format!("No connected account that reports figures has the id {text:?}.");
            chosen.insert(found.ok_or_else(|| Refusal::invalid("account", message()))?.id);
        }
        let mut asked = Asked { period, accounts, chosen, measures: Vec::new(), measure: None };
        let platforms = asked.platforms();
        asked.measures = measures(&platforms);
        let named = input.measure.as_deref();
        // What was chosen among other accounts gives way.
        let all: Vec<Platform> = asked.accounts.iter().map(|account| account.platform).collect();
        let named = named.map(|name| Measure::parse(name, &measures(&all))).transpose()?;
        let named = named.filter(|measure| asked.measures.contains(measure));
        asked.measure = named.or_else(|| default_measure(&platforms));
        Ok(asked)
    }

    /// The readings of the posts that count in the period or in the days before.
    async fn posts_read(
        &self,
        caller: &Caller,
        asked: &Asked,
        metric: Metric,
    ) -> Result<BTreeMap<AccountId, Vec<Counter>>, AppError> {
        let period = asked.period;
        let query = FigureQuery {
            metric,
            account_id: asked.only(),
            from: period.before().0 - COUNTED_WITHIN,
            to: period.to(),
            within: COUNTED_WITHIN,
            limit: READINGS_MAX,
        };
        let readings = self.figure_readings(caller, &query).await?;
        let mut counters: BTreeMap<AccountId, Vec<Counter>> = BTreeMap::new();
        for of in by_target(&readings) {
            let counter = Counter { start: Some(0.0), readings: of.readings };
            counters.entry(of.account_id).or_default().push(counter);
        }
        Ok(counters)
    }

    /// How many follow each account, each count at the noon of its day.
    async fn followers_read(
        &self,
        caller: &Caller,
        asked: &Asked,
    ) -> Result<BTreeMap<AccountId, Vec<Counter>>, AppError> {
        let from = asked.period.before().0 - TimeDelta::days(2);
        let followers = self.store().followers(caller.workspace.id, from.date_naive()).await?;
        let mut counters: BTreeMap<AccountId, Vec<Counter>> = BTreeMap::new();
        for count in followers {
            let noon = count.day.and_hms_opt(12, 0, 0).unwrap_or_default().and_utc();
            let of = counters.entry(count.account_id).or_default();
            if of.is_empty() {
                of.push(Counter { start: None, readings: Vec::new() });
            }
            #[expect(clippy::cast_precision_loss, reason = "fewer follow than a float counts")]
            of[0].readings.push((noon, count.count as f64));
        }
        Ok(counters)
    }

    /// Whether anything was read in the last two years, when nothing was in a shorter period.
    async fn was_ever_read(
        &self,
        caller: &Caller,
        measure: Measure,
        asked: &Asked,
    ) -> Result<bool, AppError> {
        let (to, within) = (asked.period.to(), COUNTED_WITHIN);
        let from = to - TimeDelta::days(730);
        let Measure::Metric(metric) = measure else {
            let followers = self.store().followers(caller.workspace.id, from.date_naive()).await?;
            return Ok(!followers.is_empty());
        };
        let query = FigureQuery { metric, account_id: None, from, to, within, limit: 1 };
        Ok(!self.store().figure_readings(caller.workspace.id, &query).await?.is_empty())
    }

    async fn figure_readings(
        &self,
        caller: &Caller,
        query: &FigureQuery,
    ) -> Result<Vec<FigureReading>, AppError> {
        let more = FigureQuery { limit: query.limit + 1, ..*query };
        let readings = self.store().figure_readings(caller.workspace.id, &more).await?;
        if readings.len() > query.limit as usize {
            let message =
                "There are more readings in this time than are looked at. Choose fewer days.";
            return Err(Refusal::invalid("days", message).into());
        }
        Ok(readings)
    }
}

/// The readings of a target.
struct OfTarget {
    account_id: AccountId,
    published_at: DateTime<Utc>,
    readings: Vec<(DateTime<Utc>, f64)>,
}

/// The readings of each target, which follow each other.
fn by_target(readings: &[FigureReading]) -> impl Iterator<Item = OfTarget> {
    readings.chunk_by(|one, next| one.target_id == next.target_id).filter_map(|of| {
        let first = of.first()?;
        Some(OfTarget {
            account_id: first.account_id,
            published_at: first.published_at,
            readings: of.iter().map(|reading| (reading.at, reading.value)).collect(),
        })
    })
}
