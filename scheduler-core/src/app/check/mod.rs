//! The dry run: what creating a post would say, without creating it.

mod counts;
mod input;
mod links;
mod times;

use std::iter;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::account::Account;
use crate::error::{AppError, ErrorCode, Invalid, Refusal};
use crate::media::MediaFacts;
use crate::platform::AccountLimits;
use crate::post::{Bounds, MEDIA_MAX_COUNT, Month, TargetInput, check_described, check_labels};
use crate::rules::{
    Context, Cost, Detail, Draft, DraftTarget, PlanUnit, RuleSet, Severity, Uploads,
    ValidationIssue, costs,
};

use super::media::{NamedFiles, TargetFacts, named};
use super::posts::{Missing, refuse_repeated};
use super::{Caller, Scheduler};
use crate::timing::Timing;

pub use counts::TextCount;
pub use input::{CheckInput, MediaItem};
pub use links::TargetLink;
pub use times::TargetTime;

/// Targets that a dry run takes at most without a usable account.
///
/// Ours: those with one are as many as there are accounts, for each may be named once. Without a
/// bound, a body of 1 MiB could have its text checked forty thousand times.
const TARGETS_WITHOUT_ACCOUNT_MAX: usize = 100;

/// The answer of a dry run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CheckReport {
    /// False when any issue is an error.
    pub ok: bool,
    /// Everything that was found.
    pub issues: Vec<ValidationIssue>,
    /// What the networks that charge for posts would charge, target by target.
    ///
    /// An addition to the contract, left out where it is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<Cost>,
    /// How long each text is, target by target.
    ///
    /// An addition to the contract, as is `times`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<TextCount>,
    /// What each target's network would get in place of its links, where that is something else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<TargetLink>,
    /// When each target with an account would go out; empty where no time is asked for, and without
    /// a server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<TargetTime>,
}

/// What the rules make of a draft.
struct Look {
    issues: Vec<ValidationIssue>,
    costs: Vec<Cost>,
    counts: Vec<TextCount>,
}

impl CheckReport {
    fn of(look: Look, times: Vec<TargetTime>) -> Self {
        let Look { issues, costs, counts } = look;
        let ok = issues.iter().all(|issue| issue.severity != Severity::Error);
        Self { ok, issues, costs, counts, links: Vec::new(), times }
    }
}

impl CheckInput {
    /// Checks the post by the capability sheets alone: without accounts, their limits and the plan.
    ///
    /// Accounts that targets name are not looked at; several targets may be of one network.
    ///
    /// ```
    /// use scheduler_core::app::CheckInput;
    ///
    /// let input: CheckInput = serde_json::from_str(
    ///     r#"{"content": "Hi", "targets": [{"platform": "bluesky"}, {"platform": "pinterest"}]}"#,
    /// )?;
    /// let report = input.check_by_sheets().unwrap();
    /// assert!(!report.ok, "Pinterest needs a board and a file");
    /// assert!(report.issues.iter().all(|issue| issue.target == Some(1)));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// `invalid_request` naming the field, also for `mediaIds`: a sheet knows no uploaded file.
    pub fn check_by_sheets(&self) -> Result<CheckReport, Refusal> {
        self.check_with(&RuleSet::new(), &[])
    }

    /// Checks the post by a set of rules, without accounts and the plan.
    ///
    /// `limits` are those of the targets' accounts, in the order of the targets; where there are
    /// none, the capability sheet holds.
    ///
    /// ```
    /// use scheduler_core::app::CheckInput;
    /// use scheduler_core::platform::{AccountLimits, Platform};
    /// use scheduler_core::post::NewPost;
    /// use scheduler_core::rules::RuleSet;
    ///
    /// let input = CheckInput::from(NewPost::text("a".repeat(501)).to(Platform::Mastodon));
    /// let roomy = AccountLimits { text_limit: Some(5_000), ..AccountLimits::default() };
    /// assert!(!input.check_with(&RuleSet::new(), &[]).unwrap().ok);
    /// assert!(input.check_with(&RuleSet::new(), &[roomy]).unwrap().ok);
    /// ```
    ///
    /// # Errors
    /// `invalid_request` naming the field, also for `mediaIds`: only a server knows uploaded files.
    pub fn check_with(
        &self,
        rules: &RuleSet,
        limits: &[AccountLimits],
    ) -> Result<CheckReport, Refusal> {
        let targets = bounded_targets(self)?;
        let of_post = named::of_post(self.media_ids.as_deref().unwrap_or_default());
        if let Some((field, _)) = of_post.chain(named::of_own(&targets)).next() {
            return Err(Refusal::invalid(
                field.field(),
                "Uploaded files are known to a server only; describe them in mediaItems.",
            ));
        }
        let media: Vec<MediaFacts> = self.item_facts().collect();
        let sheet = AccountLimits::default();
        let limits = limits.iter().chain(iter::repeat(&sheet));
        let no_options = Map::new();
        let of_targets = targets.iter();
        let of_targets =
            of_targets.map(|target| target_facts(self, target, &NamedFiles::default()));
        let of_targets: Vec<_> = of_targets.collect();
        let drafted = targets.iter().zip(limits).zip(&of_targets);
        let drafted = drafted.map(|((target, limits), facts)| {
            facts.add_to(target.drafted(&no_options, limits), &[])
        });
        let look = looked_at(self, &media, drafted.collect(), &Context::default(), rules);
        Ok(CheckReport::of(look, Vec::new()))
    }
}

impl Scheduler {
    /// Checks a post as creating it would, without creating anything.
    ///
    /// A network of which no account is connected is checked by its sheet, and a warning says
    /// that creating would be refused. An account beyond the plan is an error of its target.
    ///
    /// ```
    /// # use futures_util::FutureExt as _;
    /// # use std::sync::Arc;
    /// # use scheduler_core::app::{Scheduler, Settings};
    /// # use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
    /// # use scheduler_core::platform::Platform;
    /// # use scheduler_core::ports::{ConnectInput, Networks};
    /// # use serde_json::json;
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// # let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?));
    /// # let mut ports = test_ports(clock.clone());
    /// # ports.networks = Networks::default().with(Platform::Bluesky, Arc::new(MemoryNetwork::new()));
    /// # let scheduler = Scheduler::new(ports, Settings::default());
    /// # let first = scheduler.first_start().await?.ok_or("the store is not new")?;
    /// # let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
    /// # scheduler.connect_account(&caller.workspace, Platform::Bluesky, &ConnectInput::default()).await?;
    /// let body = json!({"content": "a".repeat(301), "targets": [{"platform": "bluesky"}]});
    /// let report = scheduler.check_post(&caller, serde_json::from_value(body)?).await?;
    /// assert!(!report.ok);
    /// assert_eq!(report.issues[0].rule, "bluesky.text.too_long");
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// `invalid_request` naming the field, also of a time as a create would.
    pub async fn check_post(
        &self,
        caller: &Caller,
        mut input: CheckInput,
    ) -> Result<CheckReport, AppError> {
        let mut targets = bounded_targets(&input)?;
        self.check_links("links", input.links.as_ref()).await?;
        let now = self.ports.clock.now();
        let timing = Timing::parse(&input.timing(), now)?;
        let of_post = named::of_post(input.media_ids.as_deref().unwrap_or_default());
        let named = of_post.chain(named::of_inputs(&targets));
        let files = self.named_files(caller.workspace.id, named).await;
        let files = files.map_err(as_invalid_request)?;
        files.describe_checked(&mut input, &mut targets);
        let roster = self.roster(caller).await?;
        let mut of_accounts = Vec::new();
        let mut accounts: Vec<Option<&Account>> = Vec::with_capacity(targets.len());
        for (index, target) in targets.iter().enumerate() {
            let account = match roster.choose(index, target) {
                Ok(account) => {
                    refuse_repeated(index, account, accounts.iter().copied().flatten())?;
                    Some(account)
                }
                Err(missing) => {
                    of_accounts.push(account_issue(index, target, missing)?);
                    if of_accounts.len() > TARGETS_WITHOUT_ACCOUNT_MAX {
                        return Err(too_many_without_account().into());
                    }
                    None
                }
            };
            accounts.push(account);
        }
        for (target, account) in targets.iter_mut().zip(&accounts) {
            if let Some(account) = account.filter(|account| !account.default_options.is_empty()) {
                account.add_defaults(target.options.get_or_insert_default());
            }
        }
        let times = match timing {
            Some(timing) => self.times(caller, timing, &accounts, now).await?,
            None => Vec::new(),
        };
        let of_targets: Vec<_> =
            targets.iter().map(|target| target_facts(&input, target, &files)).collect();
        let parts: Vec<_> = of_targets.iter().map(TargetFacts::parts).collect();
        let (sheet, no_options) = (self.limits_of_sheets(), Map::new());
        let changes = self.changed_links(caller, &input, &targets, now);
        let sent = targets.iter().zip(&changes);
        let sent = sent.map(|(target, changes)| input.sent(target, &no_options, changes));
        let sent: Vec<_> = sent.collect();
        let drafted = targets.iter().zip(&sent).zip(&accounts).zip(of_targets.iter().zip(&parts));
        let drafted =
            drafted.enumerate().map(|(index, (((target, sent), account), (facts, parts)))| {
                let drafted = DraftTarget::new(target.platform, &sent.options, &sheet);
                let drafted = facts.add_to(drafted.with_text(sent.text()), parts);
                let due_at =
                    times.iter().find(|time| time.target == index).map(|time| time.instant);
                let timezone = caller.workspace.timezone;
                let of_account = account.map(|account| drafted.of_account(account, timezone));
                of_account.unwrap_or(drafted).due_at(due_at)
            });
        let to_come = input.media_items.as_ref().map_or(0, Vec::len);
        let context = self.allowance(caller, to_come).await?;
        let mut media = files.facts(input.media_ids.as_deref().unwrap_or_default());
        media.extend(input.item_facts());
        let mut look = looked_at(&input, &media, drafted.collect(), &context, &self.rules);
        look.issues.extend(of_accounts);
        let links = changes.into_iter().enumerate().flat_map(|(target, changes)| {
            changes.into_iter().map(move |change| TargetLink { target, change })
        });
        Ok(CheckReport { links: links.collect(), ..CheckReport::of(look, times) })
    }

    /// What the plan still allows this month; `to_come` files are yet to be uploaded.
    async fn allowance(&self, caller: &Caller, to_come: usize) -> Result<Context, AppError> {
        let month = Month::of(self.ports.clock.now());
        let used = self.store().posts_in_month(caller.workspace.id, month).await?;
        let plan = *self.allowances(caller);
        let uploads = if to_come == 0 {
            None
        } else {
            let used = self.store().bytes_in_month(caller.workspace.id, month).await?;
            Some(Uploads {
                to_come,
                bytes_left: plan.upload_bytes_a_month.saturating_sub(used),
                bytes_a_month: plan.upload_bytes_a_month,
                bytes_a_file: plan.file_bytes,
            })
        };
        let limit = plan.posts_a_month;
        Ok(Context {
            posts_left: Some(limit.saturating_sub(used)),
            posts_limit: Some(limit),
            uploads,
            decoding: self.decoding(),
        })
    }
}

/// The files that a target names itself.
fn target_facts(input: &CheckInput, target: &TargetInput, files: &NamedFiles) -> TargetFacts {
    let of_post = input.media_ids.as_deref().unwrap_or_default();
    let alt_texts = input.alt_texts.as_deref().unwrap_or_default();
    let (options, own) = (target.options.as_ref(), target.target_files());
    TargetFacts::new(target.platform, options, &own, (of_post, alt_texts), files)
}

/// A dry run knows no answer but that its own request is wrong.
///
/// Source: interface description, POST /platforms/validate: errors 400 and 401.
fn as_invalid_request(error: AppError) -> AppError {
    match error {
        AppError::Refused(refusal) => {
            AppError::Refused(refusal.with_code(ErrorCode::InvalidRequest))
        }
        AppError::Store(_) | AppError::Files(_) => error,
    }
}

/// What the rules say of the post with these files, for these targets, what it costs, and how long
/// its texts are.
fn looked_at(
    input: &CheckInput,
    media: &[MediaFacts],
    targets: Vec<DraftTarget<'_>>,
    context: &Context,
    rules: &RuleSet,
) -> Look {
    let disclosure = input.disclosure.unwrap_or_default();
    let targets: Vec<_> = targets.into_iter().map(|target| target.disclosing(disclosure)).collect();
    let draft = Draft {
        content: input.content.as_deref().unwrap_or_default(),
        link_url: input.link_url.as_deref(),
        media,
        alt_texts: input.alt_texts.as_deref().unwrap_or_default(),
        targets: &targets,
    };
    Look {
        issues: rules.check(&draft, context),
        costs: costs(&draft),
        counts: TextCount::all(&draft),
    }
}

impl TargetInput {
    /// What the rules read of it, without an account; `none` are the options that it does not have.
    fn drafted<'a>(
        &'a self,
        none: &'a Map<String, Value>,
        limits: &'a AccountLimits,
    ) -> DraftTarget<'a> {
        DraftTarget::new(self.platform, self.options.as_ref().unwrap_or(none), limits)
    }
}

/// The targets with the card of the post, once their bounds were checked.
fn bounded_targets(input: &CheckInput) -> Result<Vec<TargetInput>, Refusal> {
    let targets = input.targets.as_deref().unwrap_or_default();
    let bounds = Bounds {
        content: input.content.as_deref(),
        link_url: input.link_url.as_deref(),
        media_ids: input.media_ids.as_deref().filter(|ids| !ids.is_empty()),
        alt_texts: input.alt_texts.as_deref(),
        targets: Some(targets),
        may_lack_targets: false,
    };
    bounds.check()?;
    input.labels.as_deref().map_or(Ok(()), check_labels)?;
    check_items(input)?;
    let of_post = input.media_ids.as_deref().unwrap_or_default();
    for (index, target) in targets.iter().enumerate() {
        check_described(index, &target.target_files(), of_post)?;
    }
    let card = input.link_card.as_ref();
    Ok(targets.iter().cloned().map(|target| target.carded(card)).collect())
}

/// Checks how many files there are, uploaded or not, and that no length is below nothing.
///
/// # Errors
/// `invalid_request` naming the field.
fn check_items(input: &CheckInput) -> Result<(), Refusal> {
    let items = input.media_items.as_deref().unwrap_or_default();
    let files = items.len() + input.media_ids.as_ref().map_or(0, Vec::len);
    if files > MEDIA_MAX_COUNT {
        let message = format!("The post has {files} files, the limit is {MEDIA_MAX_COUNT}.");
        return Err(Refusal::invalid("mediaItems", message));
    }
    for (index, item) in items.iter().enumerate() {
        for (field, value) in [("durationSeconds", item.duration_seconds), ("fps", item.fps)] {
            if value.is_some_and(|value| value < 0.0) {
                let field = format!("mediaItems[{index}].{field}");
                return Err(Refusal::invalid(field, "This cannot be less than 0."));
            }
        }
    }
    Ok(())
}

fn too_many_without_account() -> Refusal {
    Refusal::invalid(
        "targets",
        format!(
            "A dry run takes at most {TARGETS_WITHOUT_ACCOUNT_MAX} targets of which no account is connected."
        ),
    )
}

/// What a dry run says of a target whose account cannot be chosen.
///
/// # Errors
/// `invalid_request` where the request itself is wrong.
fn account_issue(
    index: usize,
    target: &TargetInput,
    missing: Missing,
) -> Result<ValidationIssue, Refusal> {
    let platform = target.platform;
    let refusal = match missing {
        Missing::NotConnected(id) => {
            let field = format!("targets[{index}].accountId");
            return Err(Refusal::invalid(field, Invalid::NotConnected(id)));
        }
        Missing::Refused(refusal) if refusal.code == ErrorCode::InvalidRequest => {
            return Err(refusal);
        }
        Missing::Refused(refusal) => refusal,
    };
    let issue = |severity, rule: &str, detail| {
        ValidationIssue::of_target(index, platform, severity, rule, detail)
    };
    if refusal.code != ErrorCode::ChannelLimit {
        return Ok(issue(Severity::Warning, "account.not_connected", Detail::NotConnected));
    }
    let detail = Detail::PlanLimit {
        unit: PlanUnit::Accounts,
        found: None,
        most: refusal.limit(),
        file: None,
        a_month: None,
    };
    Ok(ValidationIssue {
        code: Some("channel_limit".into()),
        message: refusal.message(),
        ..issue(Severity::Error, "plan.channels", detail)
    })
}
