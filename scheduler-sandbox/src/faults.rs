//! Failures that a test arms and requests run into.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::network::Operation;

/// Wait that a rate limit names unless the fault says otherwise.
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// How long a request without an answer is held unless the fault says otherwise.
const HOLD: Duration = Duration::from_secs(60);
/// How long a slow request waits unless the fault says otherwise.
const SLOW: Duration = Duration::from_secs(3);
/// Largest wait that a fault may ask for.
const LONGEST_WAIT_MS: u64 = 3_600_000;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The network answers 500 and does nothing.
    Error500,
    /// The network answers that there were too many calls and does nothing.
    RateLimited,
    /// Nothing is done and nothing answered; the connection closes after the wait.
    Timeout,
    /// The connection closes, after the wait if there is one; nothing is done.
    ResetBefore,
    /// The request is done, and the connection closes before the answer, after the wait if there
    /// is one.
    ResetAfter,
    /// The network's typical refusal for good.
    Permanent,
    /// The account's tokens have expired.
    ExpiredToken,
    /// The request is done after the wait.
    Slow,
    /// Of several things that the request asks for, the first half is done, and the answer is that
    /// to the next. A request for one thing is done.
    Partial,
}

impl FaultKind {
    /// Every kind.
    pub(crate) const ALL: [Self; 9] = [
        Self::Error500,
        Self::RateLimited,
        Self::Timeout,
        Self::ResetBefore,
        Self::ResetAfter,
        Self::Permanent,
        Self::ExpiredToken,
        Self::Slow,
        Self::Partial,
    ];

    /// Returns the name that the control uses.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Error500 => "error500",
            Self::RateLimited => "rate_limited",
            Self::Timeout => "timeout",
            Self::ResetBefore => "reset_before",
            Self::ResetAfter => "reset_after",
            Self::Permanent => "permanent",
            Self::ExpiredToken => "expired_token",
            Self::Slow => "slow",
            Self::Partial => "partial",
        }
    }
}

/// A fault that waits for its requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Network, or `None` for any.
    platform: Option<String>,
    /// Operation, or `None` for any.
    operation: Option<Operation>,
    /// What the body of the request says, in one piece; anything where it is empty.
    containing: String,
    kind: FaultKind,
    /// Requests that it still lets pass.
    skip: u64,
    /// Requests that it still hits.
    times: u64,
    after: Option<Duration>,
    retry_after: Duration,
}

/// What a request has run into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) kind: FaultKind,
    /// How long the request is held first, for the kinds that wait.
    pub(crate) wait: Duration,
    /// What a rate limit says.
    pub(crate) retry_after: Duration,
}

impl Fault {
    /// Reads the body of a control call.
    ///
    /// # Errors
    /// A sentence that names the member that is missing, unknown or out of range.
    pub(crate) fn parse(body: &Value, platforms: &[&str]) -> Result<Self, String> {
        let body = body.as_object().ok_or("The body must be a JSON object.")?;
        const MEMBERS: [&str; 8] = [
            "platform",
            "operation",
            "containing",
            "kind",
            "skip",
            "times",
            "afterMs",
            "retryAfterSeconds",
        ];
        if let Some(unknown) = body.keys().find(|key| !MEMBERS.contains(&key.as_str())) {
            return Err(format!("Unknown member {unknown}; known are {}.", MEMBERS.join(", ")));
        }
        let platforms: Vec<&str> = ["any"].iter().chain(platforms).copied().collect();
        let operations: Vec<&str> =
            ["any"].into_iter().chain(Operation::NAMED.map(Operation::name)).collect();
        let platform = word(body, "platform", &platforms)?;
        let operation = word(body, "operation", &operations)?;
        let kind = word(body, "kind", &FaultKind::ALL.map(FaultKind::name))?;
        let kind = FaultKind::ALL.into_iter().find(|known| known.name() == kind);
        Ok(Self {
            platform: (platform != "any").then(|| platform.to_owned()),
            operation: Operation::NAMED.into_iter().find(|known| known.name() == operation),
            containing: match body.get("containing") {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(_) => return Err("containing must be a text.".to_owned()),
            },
            kind: kind.ok_or("kind is unknown.")?,
            skip: number(body, "skip", 0, u64::from(u32::MAX))?.unwrap_or(0),
            times: number(body, "times", 1, u64::from(u32::MAX))?.unwrap_or(1),
            after: number(body, "afterMs", 0, LONGEST_WAIT_MS)?.map(Duration::from_millis),
            retry_after: number(body, "retryAfterSeconds", 0, 86_400)?
                .map_or(RETRY_AFTER, Duration::from_secs),
        })
    }

    /// What it still does, with the members by which it was armed.
    fn to_json(&self) -> Value {
        json!({
            "platform": self.platform.as_deref().unwrap_or("any"),
            "operation": self.operation.map_or("any", Operation::name),
            "kind": self.kind.name(),
            "skip": self.skip,
            "times": self.times,
        })
    }

    fn hit(&self) -> Hit {
        let default = match self.kind {
            FaultKind::Timeout => HOLD,
            FaultKind::Slow => SLOW,
            FaultKind::Error500
            | FaultKind::RateLimited
            | FaultKind::ResetBefore
            | FaultKind::ResetAfter
            | FaultKind::Permanent
            | FaultKind::ExpiredToken
            | FaultKind::Partial => Duration::ZERO,
        };
        Hit { kind: self.kind, wait: self.after.unwrap_or(default), retry_after: self.retry_after }
    }

    fn is_for(&self, platform: &str, operation: Operation, body: &[u8]) -> bool {
        self.platform.as_deref().is_none_or(|wanted| wanted == platform)
            && self.operation.is_none_or(|wanted| wanted == operation)
            && (self.containing.is_empty()
                || body
                    .windows(self.containing.len())
                    .any(|part| part == self.containing.as_bytes()))
    }
}

fn word<'a>(body: &'a Map<String, Value>, name: &str, allowed: &[&str]) -> Result<&'a str, String> {
    body.get(name)
        .and_then(Value::as_str)
        .filter(|given| allowed.contains(given))
        .ok_or_else(|| format!("{name} must be one of {}.", allowed.join(", ")))
}

fn number(
    body: &Map<String, Value>,
    name: &str,
    least: u64,
    most: u64,
) -> Result<Option<u64>, String> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(given) => given
            .as_u64()
            .filter(|number| (least..=most).contains(number))
            .map(Some)
            .ok_or_else(|| format!("{name} must be a whole number from {least} to {most}.")),
    }
}

/// The armed faults, in the order in which they were armed.
#[derive(Debug, Default)]
pub(crate) struct Faults(VecDeque<Fault>);

impl Faults {
    /// Arms a fault behind those that are armed.
    pub(crate) fn arm(&mut self, fault: Fault) {
        self.0.push_back(fault);
    }

    /// All that are armed.
    pub(crate) fn to_json(&self) -> Value {
        self.0.iter().map(Fault::to_json).collect()
    }

    /// Disarms all.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Uses up one hit of the first fault that is for the request; those that let it pass count it.
    pub(crate) fn take(
        &mut self,
        platform: &str,
        operation: Operation,
        body: &[u8],
    ) -> Option<Hit> {
        let at = self.0.iter_mut().position(|fault| {
            let is_for = fault.is_for(platform, operation, body);
            let passes = is_for && fault.skip > 0;
            fault.skip -= u64::from(passes);
            is_for && !passes
        })?;
        let fault = self.0.get_mut(at)?;
        let hit = fault.hit();
        fault.times -= 1;
        if fault.times == 0 {
            self.0.remove(at);
        }
        Some(hit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(body: Value) -> Fault {
        Fault::parse(&body, &["bluesky", "mastodon"]).unwrap()
    }

    #[test]
    fn the_first_armed_fault_that_fits_is_used_up_first() {
        let mut faults = Faults::default();
        faults.arm(fault(json!({"platform":"mastodon","operation":"upload","kind":"error500"})));
        faults.arm(fault(
            json!({"platform":"any","operation":"publish","kind":"permanent","times":2}),
        ));
        faults.arm(fault(json!({"platform":"bluesky","operation":"any","kind":"slow"})));
        let mut take =
            |platform, operation| faults.take(platform, operation, b"").map(|hit| hit.kind);
        for (name, platform, operation, want) in [
            ("other operation is spared", "mastodon", Operation::Poll, None),
            ("any network", "bluesky", Operation::Publish, Some(FaultKind::Permanent)),
            ("second of two", "mastodon", Operation::Publish, Some(FaultKind::Permanent)),
            ("used up", "mastodon", Operation::Publish, None),
            ("then the next in line", "bluesky", Operation::Publish, Some(FaultKind::Slow)),
            (
                "the one for uploads was left",
                "mastodon",
                Operation::Upload,
                Some(FaultKind::Error500),
            ),
            ("nothing left", "mastodon", Operation::Upload, None),
        ] {
            assert_eq!(take(platform, operation), want, "{name}");
        }
    }

    #[test]
    fn requests_pass_before_a_fault_that_skips_them() {
        let mut faults = Faults::default();
        faults.arm(fault(
            json!({"platform":"any","operation":"publish","kind":"slow","skip":2,"times":2}),
        ));
        let publish = Operation::Publish;
        let hits: Vec<bool> = [publish, Operation::Poll, publish, publish, publish, publish]
            .into_iter()
            .map(|operation| faults.take("bluesky", operation, b"").is_some())
            .collect();
        assert_eq!(hits, [false, false, false, true, true, false]);
    }

    #[test]
    fn a_fault_for_a_text_spares_what_says_something_else() {
        let mut faults = Faults::default();
        let text = json!({"platform":"any","operation":"any","containing":"ab","kind":"slow"});
        faults.arm(fault(text));
        let hits: Vec<bool> = ["", "b", "a b", "xaby", "ab"]
            .into_iter()
            .map(|body| faults.take("bluesky", Operation::Publish, body.as_bytes()).is_some())
            .collect();
        assert_eq!(hits, [false, false, false, true, false]);
    }

    #[test]
    fn any_operation_reaches_what_has_no_name() {
        let mut faults = Faults::default();
        faults.arm(fault(json!({"platform":"any","operation":"any","kind":"timeout"})));
        let hit = faults.take("bluesky", Operation::Other, b"").unwrap();
        assert_eq!((hit.kind, hit.wait), (FaultKind::Timeout, HOLD));
    }

    #[test]
    fn bodies_that_say_too_little_or_too_much_are_refused() {
        for (name, body, want) in [
            ("no object", json!([]), "The body must be a JSON object."),
            (
                "platform",
                json!({"operation":"any","kind":"slow"}),
                "platform must be one of any, bluesky.",
            ),
            (
                "operation",
                json!({"platform":"any","operation":"x","kind":"slow"}),
                "operation must be one of any, publish, upload, poll, comment, metrics, token.",
            ),
            (
                "kind",
                json!({"platform":"any","operation":"any","kind":1}),
                "kind must be one of error500, rate_limited, timeout, reset_before, reset_after, permanent, expired_token, slow, partial.",
            ),
            (
                "times",
                json!({"platform":"any","operation":"any","kind":"slow","times":0}),
                "times must be a whole number from 1 to 4294967295.",
            ),
            (
                "afterMs",
                json!({"platform":"any","operation":"any","kind":"slow","afterMs":-1}),
                "afterMs must be a whole number from 0 to 3600000.",
            ),
            (
                "typo",
                json!({"platform":"any","operation":"any","kind":"slow","time":1}),
                "Unknown member time; known are platform, operation, containing, kind, skip, times, afterMs, retryAfterSeconds.",
            ),
        ] {
            assert_eq!(Fault::parse(&body, &["bluesky"]), Err(want.to_owned()), "{name}");
        }
    }
}
