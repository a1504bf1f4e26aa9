//! How many follow each account, day by day.

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::app::{Caller, Scheduler};
use crate::error::AppError;
use crate::ids::AccountId;
use crate::key::Scope;
use crate::platform::Platform;
use crate::post::parse_number;

/// Days in the answer when the caller names no number.
///
/// Source: interface description, GET /oauth/audience.
pub const AUDIENCE_DAYS_DEFAULT: i64 = 30;

/// Days in the answer at most.
///
/// Source: interface description, GET /oauth/audience.
pub const AUDIENCE_DAYS_MAX: i64 = 730;

/// How many follow an account, day by day.
///
/// Source: interface description, GET /oauth/audience; its fields are ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(extend("additionalProperties" = true)))]
#[serde(rename_all = "camelCase")]
pub struct AudienceSeries {
    /// The account.
    pub account_id: AccountId,
    /// Its network.
    pub platform: Platform,
    /// Its handle.
    pub username: Option<String>,
    /// Its display name.
    pub display_name: Option<String>,
    /// What was read, oldest day first; a day without a reading is left out.
    pub readings: Vec<AudienceReading>,
}

/// How many followed an account on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline, extend("additionalProperties" = true)))]
pub struct AudienceReading {
    /// The day, in UTC.
    pub date: NaiveDate,
    /// How many.
    pub followers: u64,
}

impl Scheduler {
    /// The followers of every connected account whose network reports them, of the last `days`
    /// days, today included.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `invalid_request` naming `days`.
    pub async fn audience(
        &self,
        caller: &Caller,
        days: Option<&str>,
    ) -> Result<Vec<AudienceSeries>, AppError> {
        caller.require(Scope::PostsRead)?;
        let days = parse_number("days", days, AUDIENCE_DAYS_DEFAULT, AUDIENCE_DAYS_MAX)?;
        let earlier = Days::new(u64::try_from(days - 1).unwrap_or_default());
        let today = self.ports.clock.now().date_naive();
        let from = today.checked_sub_days(earlier).unwrap_or(NaiveDate::MIN);
        let workspace = caller.workspace.id;
        let followers = self.store().followers(workspace, from).await?;
        let accounts = self.store().accounts(workspace).await?;
        let reporting =
            accounts.into_iter().filter(|account| account.platform.sheet().reports_followers);
        let series = reporting.map(|account| AudienceSeries {
            readings: followers
                .iter()
                .filter(|count| count.account_id == account.id)
                .map(|count| AudienceReading { date: count.day, followers: count.count })
                .collect(),
            account_id: account.id,
            platform: account.platform,
            username: account.username,
            display_name: account.display_name,
        });
        Ok(series.collect())
    }
}
