//! How a rule is asked: what it can find, for the catalogue, and what it finds in a post.

use std::borrow::Cow;
use std::fmt::Display;

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Context, Detail, Draft, Severity};
use crate::platform::CapabilitySheet;

/// A rule being asked. It first names what it can find on the network, and then looks at what there
/// is to look at: for the catalogue, nothing.
pub(super) struct Inspection<'a, T, S = ()> {
    /// The sheet of the network, for a rule that looks at targets.
    pub(super) sheet: S,
    purpose: Purpose<'a, T>,
}

enum Purpose<'a, T> {
    List(&'a mut Catalogue),
    Look(&'a T, &'a mut Issues),
}

/// The rules that look at the post as a whole, being asked.
pub(super) type OfPost<'a, 'b> = Inspection<'a, PostView<'b>>;

/// The rules that look at each target, being asked.
pub(super) type OfTarget<'a, 'b> = Inspection<'a, TargetView<'b>, &'static CapabilitySheet>;

/// Something that a rule can find.
#[derive(Clone, Copy)]
pub(super) struct Finding {
    severity: Severity,
    id: Id,
}

/// The id of a finding without the network: what it looks at, and what is wrong with it.
pub(super) type Id = (&'static str, &'static str);

/// The post as a whole.
pub(super) struct PostView<'a> {
    pub(super) draft: &'a Draft<'a>,
    pub(super) context: &'a Context,
    /// Whether nothing is sent to any target.
    pub(super) is_empty: bool,
}

impl<'a, T, S> Inspection<'a, T, S> {
    /// Asks for what the rule can find.
    pub(super) const fn list(sheet: S, catalogue: &'a mut Catalogue) -> Self {
        Self { sheet, purpose: Purpose::List(catalogue) }
    }

    /// Asks for what the rule finds in a post or a target.
    pub(super) const fn look(sheet: S, subject: &'a T, issues: &'a mut Issues) -> Self {
        Self { sheet, purpose: Purpose::Look(subject, issues) }
    }

    /// Names an error that the rule can find, and when it does, as a sentence.
    pub(super) fn error(&mut self, id: Id, when: impl Display) -> Finding {
        self.name(Severity::Error, id, when)
    }

    /// Names a warning that the rule can find, and when it does, as a sentence.
    pub(super) fn warning(&mut self, id: Id, when: impl Display) -> Finding {
        self.name(Severity::Warning, id, when)
    }

    fn name(&mut self, severity: Severity, id: Id, when: impl Display) -> Finding {
        if let Purpose::List(catalogue) = &mut self.purpose {
            let (subject, wrong) = id;
            catalogue.add(severity, format_args!("{subject}.{wrong}"), &when.to_string());
        }
        Finding { severity, id }
    }

    /// What there is to look at; `None` for the catalogue.
    pub(super) const fn subject(&self) -> Option<&'a T> {
        match self.purpose {
            Purpose::List(_) => None,
            Purpose::Look(subject, _) => Some(subject),
        }
    }

    /// Reports something that was found.
    pub(super) fn report(&mut self, finding: Finding, detail: Detail) {
        self.report_with(finding, None, detail);
    }

    /// Reports something that was found, with a code of the interface description.
    pub(super) fn report_with(
        &mut self,
        Finding { severity, id }: Finding,
        code: Option<&'static str>,
        detail: Detail,
    ) {
        if let Purpose::Look(_, issues) = &mut self.purpose {
            issues.add(severity, id, code.map(Cow::Borrowed), detail);
        }
    }
}
