//! Rules of one's own, and how a set of rules is changed.

use serde_json::{Map, json};

use super::issues::LISTED_MAX;
use super::*;
use crate::account::Account;
use crate::platform::{AccountLimits, Platform};

/// Says of everything what it sees.
struct Tells;

impl CustomRule for Tells {
    fn id(&self) -> &str {
        "house.tells"
    }

    fn check_post(&self, draft: &Draft<'_>, findings: &mut Findings<'_>) {
        findings.warning(draft.content);
    }

    fn check_target(&self, target: &OutgoingTarget<'_>, findings: &mut Findings<'_>) {
        findings.error(format!("{target:?}: {}", target.text()));
    }
}

/// Never stops.
struct Floods;

impl CustomRule for Floods {
    fn id(&self) -> &str {
        "house.floods"
    }

    fn check_post(&self, _: &Draft<'_>, findings: &mut Findings<'_>) {
        (0..=LISTED_MAX).for_each(|_| findings.error("again"));
    }
}

fn telling() -> RuleSet {
    RuleSet::new().with(Tells).unwrap()
}

fn found(rules: &RuleSet, content: &str) -> Vec<ValidationIssue> {
    let limits = AccountLimits::default();
    let plain = Map::new();
    let own = json!({"caption": "Its own"}).as_object().cloned().unwrap_or_default();
    let target = |platform, options| DraftTarget::new(platform, options, &limits);
    let targets = [target(Platform::Telegram, &plain), target(Platform::Tumblr, &own)];
    let draft = Draft {
        content,
        link_url: Some("https://a.example/"),
        media: &[],
        alt_texts: &[],
        targets: &targets,
    };
    let issues = rules.check(&draft, &Context::default());
    if !rules.has_own() {
        assert_eq!(issues, check(&draft, &Context::default()));
    }
    issues
}

#[test]
fn issues_have_the_rules_own_id_and_their_place() {
    let found = found(&telling(), "Shared");
    let found: Vec<_> = found
        .iter()
        .map(|issue| (&*issue.rule, issue.target, issue.severity, &*issue.message))
        .collect();
    let (error, warning) = (Severity::Error, Severity::Warning);
    assert_eq!(
        found,
        [
            ("post.house.tells", None, warning, "Shared"),
            (
                "telegram.house.tells",
                Some(0),
                error,
                "OutgoingTarget(Telegram): Shared\nhttps://a.example/"
            ),
            ("tumblr.house.tells", Some(1), error, "OutgoingTarget(Tumblr): Its own"),
        ]
    );
}

#[test]
fn built_in_rules_come_first_and_stay_as_they_are() {
    let long = "a".repeat(4_097);
    let without = found(&RuleSet::new(), &long);
    let with = found(&telling(), &long);
    assert_eq!(without.len(), 1, "{without:?}");
    let rules: Vec<_> = with.iter().map(|issue| &*issue.rule).collect();
    let want =
        ["post.house.tells", &*without[0].rule, "telegram.house.tells", "tumblr.house.tells"];
    assert_eq!(rules, want);
}

#[test]
fn a_rule_cannot_flood_an_answer() {
    assert_eq!(found(&RuleSet::new().with(Floods).unwrap(), "a").len(), LISTED_MAX);
}

/// A rule that is nothing but its name.
struct Named(&'static str);

impl CustomRule for Named {
    fn id(&self) -> &str {
        self.0
    }
}

#[test]
fn ids_are_words_of_ones_own() {
    let error = |id: &'static str| RuleSet::new().with(Named(id)).err();
    for id in ["house.words", "house.at_night", "a1.b.c2"] {
        assert_eq!(error(id), None, "{id}");
    }
    for id in
        ["", "house", "house.", ".words", "house..words", "House.words", "house.wörter", "1.a"]
    {
        assert_eq!(error(id), Some(RuleSetError::Id(id.to_owned())), "{id}");
    }
    for id in ["text.too_long", "media.mine", "post.mine", "bluesky.mine", "board_id.mine"] {
        assert_eq!(error(id), Some(RuleSetError::Reserved(id.to_owned())), "{id}");
    }
    let twice = RuleSet::new().with(Named("house.a")).unwrap().with(Named("house.a"));
    assert_eq!(twice.err(), Some(RuleSetError::Taken("house.a".to_owned())));
}

/// Finds an empty text, as data.
struct Typed;

impl CustomRule for Typed {
    fn id(&self) -> &str {
        "house.typed"
    }

    fn check_target(&self, target: &OutgoingTarget<'_>, findings: &mut Findings<'_>) {
        let detail = Detail::Empty { place: Place::Text };
        findings.error(detail.clone());
        findings.warning(Finding::from(detail).saying(target.text()));
    }

    fn describe(&self, listing: &mut Listing<'_>) {
        match listing.platform() {
            Some(Platform::Telegram) => listing.error("On Telegram."),
            Some(_) => {}
            None => listing.warning("Of posts."),
        }
    }
}

#[test]
fn findings_carry_data() {
    let found = found(&RuleSet::new().with(Typed).unwrap(), "Hi");
    let detail = Some(Detail::Empty { place: Place::Text });
    assert!(found.iter().all(|issue| issue.detail == detail), "{found:?}");
    assert_eq!(found[0].message, "Text is empty.");
    assert_eq!(found[1].message, "Hi\nhttps://a.example/");
}

#[test]
fn described_rules_stand_in_the_catalogue() {
    let rules = RuleSet::new().with(Typed).unwrap();
    let own: Vec<_> = rules
        .catalogue()
        .into_iter()
        .filter(|entry| !catalogue().contains(entry))
        .map(|entry| (entry.rule, entry.platform, entry.severity, entry.sentence))
        .collect();
    let line = |rule: &str, platform, severity, sentence: &str| {
        (rule.to_owned(), platform, severity, sentence.to_owned())
    };
    let telegram = Some(Platform::Telegram);
    assert_eq!(
        own,
        [
            line("post.house.typed", None, Severity::Warning, "Of posts."),
            line("telegram.house.typed", telegram, Severity::Error, "On Telegram."),
        ]
    );
}

#[test]
fn warnings_can_be_made_errors_or_left_out() {
    let severities = |rules: &RuleSet| -> Vec<(String, Severity)> {
        let found = found(rules, "Hi");
        found.into_iter().map(|issue| (issue.rule.into_owned(), issue.severity)).collect()
    };
    let both = || RuleSet::new().with(Tells).unwrap().with(Typed).unwrap();
    let of = |rules: &RuleSet, rule: &str| -> Vec<Severity> {
        let found = severities(rules).into_iter();
        found.filter(|(found, _)| found == rule).map(|(_, severity)| severity).collect()
    };
    let (error, warning) = (Severity::Error, Severity::Warning);
    let plain = both();
    assert_eq!(of(&plain, "post.house.tells"), [warning]);
    assert_eq!(of(&plain, "tumblr.house.typed"), [error, warning]);
    let denied = both().deny_warnings("tumblr.*").unwrap();
    assert_eq!(of(&denied, "tumblr.house.typed"), [error, error]);
    assert_eq!(of(&denied, "telegram.house.typed"), [error, warning]);
    assert_eq!(of(&denied, "post.house.tells"), [warning]);
    let without = both().without("*.house.typed").unwrap();
    assert_eq!(of(&without, "tumblr.house.typed"), [error], "an error stays");
    assert_eq!(of(&without, "post.house.tells"), [warning]);
}

#[test]
fn built_in_warnings_obey_and_errors_do_not() {
    let changed = RuleSet::new().without("youtube.media.fps_low").unwrap();
    let listed = |rules: &RuleSet, rule: &str| {
        rules.catalogue().into_iter().find(|entry| entry.rule == rule).map(|entry| entry.severity)
    };
    assert_eq!(listed(&RuleSet::new(), "youtube.media.fps_low"), Some(Severity::Warning));
    assert_eq!(listed(&changed, "youtube.media.fps_low"), None);
    let denied = RuleSet::new().deny_warnings("youtube.*").unwrap();
    assert_eq!(listed(&denied, "youtube.media.fps_low"), Some(Severity::Error));
    for (pattern, want) in [
        ("bluesky.text.too_long", RuleSetError::IsError("bluesky.text.too_long".to_owned())),
        ("bluesky.text.to_long", RuleSetError::Unknown("bluesky.text.to_long".to_owned())),
        ("friendster.*", RuleSetError::Unknown("friendster.*".to_owned())),
        ("house.*", RuleSetError::Unknown("house.*".to_owned())),
    ] {
        assert_eq!(RuleSet::new().without(pattern).err(), Some(want.clone()), "{pattern}");
        assert_eq!(RuleSet::new().deny_warnings(pattern).err(), Some(want), "{pattern}");
    }
    let everything = RuleSet::new().without("*").unwrap();
    let limits = AccountLimits::default();
    let options = Map::new();
    let draft = Draft {
        content: &"a".repeat(301),
        link_url: None,
        media: &[],
        alt_texts: &[],
        targets: &[DraftTarget::new(Platform::Bluesky, &options, &limits)],
    };
    let issues = everything.check(&draft, &Context::default());
    assert_eq!(issues, check(&draft, &Context::default()), "the network refuses it all the same");
}

/// Nothing goes out at night; the brand's account is the brand's.
struct Knows;

impl CustomRule for Knows {
    fn id(&self) -> &str {
        "house.knows"
    }

    fn check_target(&self, target: &OutgoingTarget<'_>, findings: &mut Findings<'_>) {
        let account = target.account().map(|account| {
            (account.workspace_id, account.id, account.username, account.zone.name())
        });
        findings.warning(format!("{account:?} {:?}", target.due_at()));
    }
}

#[test]
fn a_rule_knows_who_posts_and_when() {
    let account = Account {
        username: Some("brand".to_owned()),
        limits: AccountLimits { text_limit: Some(1), ..AccountLimits::default() },
        ..Account::new(
            crate::ids::AccountId(uuid::Uuid::nil()),
            crate::ids::WorkspaceId(uuid::Uuid::nil()),
            Platform::Bluesky,
            "",
            chrono::DateTime::UNIX_EPOCH,
        )
    };
    let (options, limits) = (Map::new(), AccountLimits::default());
    let unknown = DraftTarget::new(Platform::Bluesky, &options, &limits);
    let berlin = "Europe/Berlin".parse().ok();
    let known = unknown.of_account(&account, berlin).due_at(Some(chrono::DateTime::UNIX_EPOCH));
    let draft = Draft {
        content: "Hi",
        link_url: None,
        media: &[],
        alt_texts: &[],
        targets: &[unknown, known],
    };
    let issues = RuleSet::new().with(Knows).unwrap().check(&draft, &Context::default());
    let said: Vec<&str> = issues.iter().map(|issue| &*issue.message).collect();
    assert_eq!(said[0], "None None");
    assert_eq!(issues[1].rule, "bluesky.text.too_long", "the limits are those of the account");
    for part in ["brand", "Europe/Berlin", "1970-01-01T00:00:00Z"] {
        assert!(said[2].contains(part), "{part}: {}", said[2]);
    }
}
