//! An export of this program, read as posts.

use std::collections::BTreeMap;

use scheduler_core::account::AccountView;
use scheduler_core::platform::Platform;
use serde_json::{Map, Value, json};

use super::entry::{Entry, NAMES};
use super::fault::Fault;
use super::lines;
use super::records::Record;

/// What the first line of an export says of itself.
pub(crate) const FORMAT: &str = "scheduler-export";

/// The version of exports that this release writes and reads.
pub(crate) const VERSION: u64 = 1;

/// The names of the accounts of an export, and how its posts are taken.
#[derive(Debug, Default)]
pub(super) struct Exported {
    /// Network and handle of each account, by its id.
    accounts: BTreeMap<String, (String, String)>,
    all_as_drafts: bool,
    /// How many lines of each kind are no post to be made.
    pub(super) left_out: BTreeMap<String, usize>,
}

impl Exported {
    /// Reads the accounts of an export and finds its posts; `None` for another file.
    pub(super) fn find(
        bytes: &[u8],
        records: &[Record],
        all_as_drafts: bool,
    ) -> Option<(Self, Vec<Fault>, Vec<Record>)> {
        let (first, rest) = records.split_first()?;
        let head = lines::object(first.line, &bytes[first.range()]).ok()?;
        if head.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return None;
        }
        let mut found = Self { all_as_drafts, ..Self::default() };
        if head.get("version").and_then(Value::as_u64) != Some(VERSION) {
            let fault = Fault::error(first.line, "version", "the export is of another version");
            let fault =
                fault.advised("read it with the release that has written it, or a newer one");
            return Some((found, vec![fault], Vec::new()));
        }
        let mut posts = Vec::new();
        for record in rest {
            // What is no object is told of as a line of its own.
            let line = lines::object(record.line, &bytes[record.range()]).unwrap_or_default();
            let text = |name: &str| line.get(name).and_then(Value::as_str).map(str::to_owned);
            let kind = text("type");
            match kind.as_deref() {
                Some("account") => {
                    if let (Some(id), Some(platform), Some(name)) =
                        (text("id"), text("platform"), text("username"))
                    {
                        found.accounts.insert(id, (platform, name));
                    }
                }
                Some("post") => {
                    let status = text("status").unwrap_or_default();
                    // Every line is checked first, and nothing is made while one has an error.
                    if line.get("unfinished") == Some(&json!(true)) {
                        *found.left_out.entry("unfinished draft".to_owned()).or_default() += 1;
                    } else if all_as_drafts || matches!(status.as_str(), "draft" | "scheduled") {
                        posts.push(*record);
                    } else {
                        *found.left_out.entry(format!("{status} post")).or_default() += 1;
                    }
                }
                Some(_) => {}
                None => posts.push(*record),
            }
        }
        Some((found, Vec::new(), posts))
    }

    /// Whether the export is of the workspace that has these accounts.
    pub(super) fn is_of(&self, accounts: &[AccountView]) -> bool {
        accounts.iter().any(|account| self.accounts.contains_key(&account.id.to_string()))
    }

    pub(super) fn entry(&self, line: u64, raw: &[u8]) -> Result<Entry, Vec<Fault>> {
        let post = lines::object(line, raw).map_err(|fault| vec![fault])?;
        let mut body = Map::new();
        for name in TAKEN_OVER {
            let value = post.get(name).filter(|value| !value.is_null() && **value != json!([]));
            body.extend(value.map(|value| (name.to_owned(), value.clone())));
        }
        let text = |name: &str| post.get(name).and_then(Value::as_str);
        // What waits for a client must not go out without them, and their link does not come along.
        let is_withheld = matches!(text("approvalState"), Some("pending" | "changes"));
        let is_scheduled = text("status") == Some("scheduled") && !is_withheld;
        let (field, value) = match text("scheduledAt") {
            Some(at) if is_scheduled && !self.all_as_drafts => ("scheduledAt", json!(at)),
            _ => ("saveAsDraft", json!(true)),
        };
        body.insert(field.to_owned(), value);
        let targets = post.get("targets").and_then(Value::as_array).into_iter().flatten();
        let targets: Vec<Value> = targets.map(|target| self.target(target)).collect();
        body.insert("targets".to_owned(), Value::Array(targets));
        // The id keeps two runs of an export apart from posts that say the same.
        let key = text("id").map(|id| format!("import-export-{id}"));
        Ok(Entry::of_body(line, key, body))
    }

    /// A target, with the handle of its account for a workspace that does not know its id.
    fn target(&self, target: &Value) -> Value {
        let mut fields = Map::new();
        for name in ["platform", "accountId", "options"] {
            if let Some(value) = target.get(name).filter(|value| !value.is_null()) {
                fields.insert(name.to_owned(), value.clone());
            }
        }
        for (name, of_export) in [("mediaIds", "/files/mediaIds"), ("files", "/files/details")] {
            if let Some(value) = target.pointer(of_export) {
                fields.insert(name.to_owned(), value.clone());
            }
        }
        let id = target.get("accountId").and_then(Value::as_str).unwrap_or_default();
        if let Some((platform, name)) = self.accounts.get(id)
            && platform.parse::<Platform>().is_ok()
        {
            fields.insert(NAMES.to_owned(), json!([name]));
        }
        Value::Object(fields)
    }
}

/// What a post is made of again, besides its time and its targets.
const TAKEN_OVER: [&str; 8] =
    ["content", "linkUrl", "mediaIds", "altTexts", "disclosure", "labels", "note", "metadata"];

#[cfg(test)]
mod tests {
    use super::*;

    const EXPORT: &str = r#"{"format":"scheduler-export","version":1}
{"type":"account","id":"00000000-0000-0000-0000-000000000001","platform":"bluesky","username":"ann.test"}
{"type":"post","id":"00000000-0000-0000-0000-000000000002","status":"scheduled","content":"a","linkUrl":null,"mediaIds":[],"altTexts":[],"disclosure":{"aiGenerated":true,"paidPartnership":false,"ownBrand":false},"labels":["spring"],"note":"n","metadata":{"a":"b"},"unfinished":false,"scheduledAt":"2026-12-01T09:00:00Z","targets":[{"id":"x","platform":"bluesky","accountId":"00000000-0000-0000-0000-000000000001","status":"pending","options":{},"files":{"mediaIds":["x"],"details":{"x":{"altText":"b"}}}}]}
{"type":"post","id":"00000000-0000-0000-0000-000000000003","status":"done","content":"b","targets":[]}
{"type":"post","id":"00000000-0000-0000-0000-000000000004","status":"draft","unfinished":true,"content":"c","targets":[]}
{"type":"reading","at":"x"}
"#;

    fn find(text: &str, all: bool) -> (Exported, Vec<Fault>, Vec<Record>) {
        Exported::find(text.as_bytes(), &lines::records(text.as_bytes()), all).unwrap()
    }

    #[test]
    fn posts_that_have_not_gone_out_are_taken() {
        let (exported, head, records) = find(EXPORT, false);
        assert_eq!((head.len(), records.len()), (0, 1));
        let left = [("done post".to_owned(), 1), ("unfinished draft".to_owned(), 1)];
        assert_eq!(exported.left_out, BTreeMap::from(left));
        let entry = exported.entry(3, &EXPORT.as_bytes()[records[0].range()]).unwrap();
        assert_eq!(
            Value::Object(entry.body),
            json!({
                "content": "a", "scheduledAt": "2026-12-01T09:00:00Z",
                "disclosure": {"aiGenerated": true, "paidPartnership": false, "ownBrand": false},
                "labels": ["spring"], "note": "n", "metadata": {"a": "b"},
                "targets": [{
                    "platform": "bluesky", "accountId": "00000000-0000-0000-0000-000000000001",
                    "options": {}, "names": ["ann.test"],
                    "mediaIds": ["x"], "files": {"x": {"altText": "b"}},
                }],
            })
        );
        assert_eq!(
            entry.key.as_deref(),
            Some("import-export-00000000-0000-0000-0000-000000000002")
        );
        let (exported, _, records) = find(EXPORT, true);
        assert_eq!(records.len(), 2);
        let entry = exported.entry(3, &EXPORT.as_bytes()[records[0].range()]).unwrap();
        assert_eq!(entry.body["saveAsDraft"], json!(true));
    }

    #[test]
    fn what_a_client_has_not_approved_is_a_draft() {
        let post = |state: &str| {
            format!(
                r#"{{"type":"post","id":"x","status":"scheduled","content":"a","scheduledAt":"2026-12-01T09:00:00Z","approvalState":{state},"targets":[]}}"#
            )
        };
        for (state, is_draft) in
            [("null", false), ("\"approved\"", false), ("\"pending\"", true), ("\"changes\"", true)]
        {
            let entry = Exported::default().entry(1, post(state).as_bytes()).unwrap();
            assert_eq!(entry.body.contains_key("saveAsDraft"), is_draft, "{state}");
            assert_eq!(entry.body.contains_key("scheduledAt"), !is_draft, "{state}");
        }
    }

    #[test]
    fn other_files_and_other_versions() {
        let text = "{\"content\":\"a\"}\n";
        assert!(Exported::find(text.as_bytes(), &lines::records(text.as_bytes()), false).is_none());
        let (_, head, records) = find(&EXPORT.replace("\"version\":1", "\"version\":2"), false);
        assert_eq!((head.len(), records.len()), (1, 0));
    }
}
