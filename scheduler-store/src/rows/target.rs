//! Rows of `targets`.

use scheduler_core::ids::{AccountId, TargetId};
use scheduler_core::ports::StoreError;
use scheduler_core::target::{
    AwaitingApproval, Failure, Progress, Remote, RetriesUsed, Stage, StageColumns, Target,
    TargetFiles, TargetStatus,
};
use uuid::Uuid;

use super::reading::read_reading;
use super::{find, from_json, from_name, narrow, parse, row, to_json, to_name, values};
use crate::error::corrupt;
use crate::instant::Instant;

/// Joins `reading_plans r` to `targets t`.
macro_rules! join_reading {
    () => {
        " LEFT JOIN reading_plans r ON r.target_id = t.id "
    };
}
pub(crate) use join_reading;

row! {
    /// A row of `targets`, with the latest reading of its figures.
    pub(crate) struct TargetRow by target_columns {
        t {
            id: Uuid,
            platform: String,
            account_id: Uuid,
            status: String,
            options: String,
            files: Option<String>,
            due_at: Option<Instant>,
            slot_at: Option<Instant>,
            remote_id: Option<String>,
            remote_url: Option<String>,
            remote_record: Option<String>,
            published_at: Option<Instant>,
            failure_message: Option<String>,
            failure_code: Option<String>,
            failure_permanent: Option<bool>,
            attempts: i64,
            spent_tries: i64,
            spent_rate_limits: i64,
            revision: i64,
            progress: Option<String>,
            failed_attempts: Option<String>,
            links: Option<String>,
        }
        r {
            taken_at: Option<Instant>,
            figures: Option<String>,
        }
    }
    with {
        pub(crate) post_id: Uuid,
    }
}

impl TargetRow {
    pub(crate) fn read(self) -> Result<Target, StoreError> {
        let (failure, awaiting_approval) =
            match (self.failure_message, self.failure_code, self.failure_permanent) {
                (None, None, None) => (None, None),
                (Some(message), Some(code), Some(permanent)) => {
                    let code = from_name("targets.failure_code", &code)?;
                    (Some(Failure { message, code, permanent }), None)
                }
                // Without a code nothing has failed, and the target waits for its client.
                (Some(reason), None, Some(_)) => (None, Some(AwaitingApproval { reason })),
                _ => return Err(corrupt("targets.failure_code", "the failure is not complete")),
            };
        let status =
            find("targets.status", TargetStatus::ALL, |status| status.as_str(), &self.status)?;
        let remote = self
            .remote_id
            .map(|id| read_remote(id, self.remote_url, self.remote_record))
            .transpose()?;
        let progress: Option<Progress> =
            self.progress.map(|text| from_json("targets.progress", &text)).transpose()?;
        let columns = StageColumns {
            status,
            due_at: self.due_at.map(|at| at.0),
            slot_at: self.slot_at.map(|at| at.0),
            remote: remote.as_ref(),
            published_at: self.published_at.map(|at| at.0),
            failure: failure.as_ref(),
            awaiting_approval: awaiting_approval.as_ref(),
            progress: progress.as_ref(),
        };
        let stage =
            Stage::try_from(columns).map_err(|_| corrupt("targets.status", "no stage is so"))?;
        Ok(Target {
            id: TargetId(self.id),
            platform: parse("targets.platform", &self.platform)?,
            account_id: AccountId(self.account_id),
            options: from_json("targets.options", &self.options)?,
            files: read_files(self.files.as_deref())?,
            links: self
                .links
                .map(|text| from_json("targets.links", &text))
                .transpose()?
                .unwrap_or_default(),
            attempts: narrow("targets.attempts", self.attempts)?,
            failed_attempts: self
                .failed_attempts
                .map(|text| from_json("targets.failed_attempts", &text))
                .transpose()?
                .unwrap_or_default(),
            spent: RetriesUsed {
                tries: narrow("targets.spent_tries", self.spent_tries)?,
                rate_limits: narrow("targets.spent_rate_limits", self.spent_rate_limits)?,
            },
            revision: narrow("targets.revision", self.revision)?,
            stage,
            reading: self
                .taken_at
                .zip(self.figures)
                .map(|(at, figures)| read_reading("reading_plans.figures", at, &figures))
                .transpose()?,
        })
    }
}

/// The files of a target as its row has them.
pub(crate) fn read_files(json: Option<&str>) -> Result<TargetFiles, StoreError> {
    json.map_or_else(|| Ok(TargetFiles::default()), |json| from_json("targets.files", json))
}

fn read_remote(
    id: String,
    url: Option<String>,
    record: Option<String>,
) -> Result<Remote, StoreError> {
    let record = record.map(|text| from_json("targets.remote_record", &text)).transpose()?;
    Ok(Remote { id, url, record: record.unwrap_or_default() })
}

values! {
    /// A target in the form of its row.
    pub(crate) struct TargetValues by target_values {
        pub(crate) id: Uuid,
        pub(crate) platform: &'static str,
        pub(crate) account_id: Uuid,
        pub(crate) status: &'static str,
        pub(crate) options: String,
        pub(crate) files: Option<String>,
        pub(crate) due_at: Option<Instant>,
        pub(crate) slot_at: Option<Instant>,
        pub(crate) remote_id: Option<String>,
        pub(crate) remote_url: Option<String>,
        pub(crate) remote_record: Option<String>,
        pub(crate) published_at: Option<Instant>,
        pub(crate) failure_message: Option<String>,
        pub(crate) failure_code: Option<String>,
        pub(crate) failure_permanent: Option<bool>,
        pub(crate) attempts: i64,
        pub(crate) spent_tries: i64,
        pub(crate) spent_rate_limits: i64,
        pub(crate) revision: i64,
        pub(crate) progress: Option<String>,
        pub(crate) failed_attempts: Option<String>,
        pub(crate) links: Option<String>,
    }
}

impl TargetValues {
    pub(crate) fn of(target: &Target) -> Result<Self, StoreError> {
        let StageColumns { status, due_at, slot_at, remote, published_at, failure, .. } =
            target.stage.columns();
        Ok(Self {
            id: target.id.0,
            platform: target.platform.as_str(),
            account_id: target.account_id.0,
            status: status.as_str(),
            options: to_json("targets.options", &target.options)?,
            files: (!target.files.are_those_of_the_post())
                .then(|| to_json("targets.files", &target.files))
                .transpose()?,
            due_at: due_at.map(Instant),
            slot_at: slot_at.map(Instant),
            remote_id: remote.map(|remote| remote.id.clone()),
            remote_url: remote.and_then(|remote| remote.url.clone()),
            remote_record: remote
                .map(|remote| &remote.record)
                .filter(|record| !record.is_null())
                .map(|record| to_json("targets.remote_record", record))
                .transpose()?,
            published_at: published_at.map(Instant),
            failure_message: target.message().map(str::to_owned),
            failure_code: failure
                .map(|failure| to_name("targets.failure_code", &failure.code))
                .transpose()?,
            failure_permanent: target
                .message()
                .map(|_| failure.is_some_and(|failure| failure.permanent)),
            attempts: i64::from(target.attempts),
            spent_tries: i64::from(target.spent.tries),
            spent_rate_limits: i64::from(target.spent.rate_limits),
            revision: i64::from(target.revision),
            progress: target
                .progress()
                .map(|progress| to_json("targets.progress", progress))
                .transpose()?,
            failed_attempts: (!target.failed_attempts.is_empty())
                .then(|| to_json("targets.failed_attempts", &target.failed_attempts))
                .transpose()?,
            links: (!target.links.is_empty())
                .then(|| to_json("targets.links", &target.links))
                .transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::DateTime;

    fn row(status: &str, published_at: Option<Instant>) -> TargetRow {
        TargetRow {
            id: Uuid::nil(),
            platform: "bluesky".to_owned(),
            account_id: Uuid::nil(),
            status: status.to_owned(),
            options: "{}".to_owned(),
            files: None,
            due_at: None,
            slot_at: None,
            remote_id: None,
            remote_url: None,
            remote_record: None,
            published_at,
            failure_message: None,
            failure_code: None,
            failure_permanent: None,
            attempts: 1,
            spent_tries: 0,
            spent_rate_limits: 0,
            revision: 0,
            progress: None,
            failed_attempts: None,
            links: None,
            taken_at: None,
            figures: None,
            post_id: Uuid::nil(),
        }
    }

    #[test]
    fn a_row_that_no_stage_has_is_unreadable() {
        let at = Some(Instant(DateTime::UNIX_EPOCH));
        for (status, published_at, is_read) in [
            ("published", at, true),
            ("published", None, false),
            ("pending", None, true),
            ("pending", at, false),
            ("failed", None, false),
        ] {
            let read = row(status, published_at).read();
            match read {
                Ok(target) => assert_eq!((target.status().as_str(), is_read), (status, true)),
                Err(StoreError::Corrupt { what, .. }) => {
                    assert_eq!((what, is_read), ("targets.status", false), "{status}");
                }
                Err(error) => panic!("{status}: {error}"),
            }
        }
    }
}
