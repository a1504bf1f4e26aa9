//! What is said next, as tests choose it.

use std::collections::VecDeque;

use serde_json::Value;

/// Something else than a sensible answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    Refusal,
    Filtered,
    Prose,
    Other,
    Missing,
    Empty,
    Long,
    Cut,
    Broken,
    None,
}

impl Says {
    const ALL: [Self; 10] = [
        Self::Refusal,
        Self::Filtered,
        Self::Prose,
        Self::Other,
        Self::Missing,
        Self::Empty,
        Self::Long,
        Self::Cut,
        Self::Broken,
        Self::None,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Refusal => "refusal",
            Self::Filtered => "filtered",
            Self::Prose => "prose",
            Self::Other => "other",
            Self::Missing => "missing",
            Self::Empty => "empty",
            Self::Long => "long",
            Self::Cut => "cut",
            Self::Broken => "broken",
            Self::None => "none",
        }
    }
}

/// The answers to come, first in first out.
#[derive(Debug, Default)]
pub(super) struct Script(VecDeque<(Says, u64)>);

impl Script {
    /// Adds what a control call asks for.
    ///
    /// # Errors
    /// A sentence that names what is missing or unknown.
    pub(super) fn add(&mut self, body: Option<&Value>) -> Result<(), String> {
        let body = body.and_then(Value::as_object).ok_or("The body must be a JSON object.")?;
        if let Some(unknown) = body.keys().find(|key| !["kind", "times"].contains(&key.as_str())) {
            return Err(format!("Unknown member {unknown}; known are kind and times."));
        }
        let kind = body.get("kind").and_then(Value::as_str).unwrap_or_default();
        let says = Says::ALL.into_iter().find(|says| says.name() == kind).ok_or_else(|| {
            format!("kind must be one of {}.", Says::ALL.map(Says::name).join(", "))
        })?;
        let times = match body.get("times") {
            None => 1,
            Some(times) => {
                let times = times.as_u64().filter(|times| (1..=1_000_000).contains(times));
                times.ok_or("times must be a whole number from 1 to 1000000.")?
            }
        };
        self.0.push_back((says, times));
        Ok(())
    }

    /// Takes what is said next; `None` for a sensible answer.
    pub(super) fn next(&mut self) -> Option<Says> {
        let (says, times) = self.0.front_mut()?;
        let says = *says;
        *times -= 1;
        if *times == 0 {
            self.0.pop_front();
        }
        Some(says)
    }
}
