//! Tables, from their header to each of their posts.

use super::*;
use scheduler_core::platform::Platform;

fn sheet(text: &[u8]) -> (Sheet, Vec<Record>, Vec<Fault>) {
    let (sheet, begin, faults) = Sheet::read(text, None);
    let records = sheet.records(text, begin);
    (sheet, records, faults)
}

fn entries(text: &str) -> Vec<Result<Entry, Vec<Fault>>> {
    let (sheet, records, faults) = sheet(text.as_bytes());
    assert_eq!(faults, [], "{text:?}");
    records.iter().map(|record| sheet.entry(text.as_bytes(), record, Path::new("/f"))).collect()
}

fn wrong(text: &str) -> Vec<(u64, String, String)> {
    let faults = entries(text).into_iter().filter_map(Result::err).flatten();
    faults.map(|fault| (fault.line, fault.field, fault.message)).collect()
}

#[test]
fn headers() {
    let short = |text: &str| {
        let (_, _, faults) = sheet(text.as_bytes());
        faults
            .into_iter()
            .map(|fault| (fault.line, fault.field, fault.advice.unwrap_or(fault.message)))
            .collect::<Vec<_>>()
    };
    for (name, text, want) in [
        ("comma", "content,to,at\n", vec![]),
        ("semicolon", "content;to;at\n", vec![]),
        ("tab", "content\tto\tat\n", vec![]),
        ("capitals and spaces", " Content , TO,At\n", vec![]),
        ("options", "to,at,option.pinterest.boardId,option.Bluesky.thread\n", vec![]),
        ("only one column", "to\n", vec![(1, "at", "add one of")]),
        ("no to", "content,at\n", vec![(1, "to", "says where")]),
        ("misspelt", "contnet,to,at\n", vec![(1, "contnet", "did you mean content?")]),
        (
            "a field of the API",
            "content,to,scheduledAt\n",
            vec![(1, "scheduledAt", "did you mean at?")],
        ),
        (
            "an option of none",
            "to,at,option.pinterest.boardid,option.blueski.thread\n",
            vec![
                (1, "option.pinterest.boardid", "option.pinterest.boardId?"),
                (1, "option.blueski.thread", "option.bluesky.thread?"),
            ],
        ),
        ("twice", "to,at,to\n", vec![(1, "to", "the column is there twice")]),
        ("no name", "to,,at\n", vec![(1, "line", "name it")]),
        ("lines above", "\r\n\nto,lokal\n", vec![(3, "lokal", "did you mean local?")]),
        ("nothing", "\n\n", vec![(3, "line", "begin it with")]),
    ] {
        let found = short(text);
        assert_eq!(found.len(), want.len(), "{name}: {found:?}");
        for ((line, field, said), (want_line, want_field, want_said)) in found.iter().zip(want) {
            assert_eq!((*line, field.as_str()), (want_line, want_field), "{name}");
            assert!(said.contains(want_said), "{name}: {said}");
        }
    }
}

#[test]
fn records_begin_where_a_person_sees_them() {
    for (name, text, want) in [
        ("one a line", "to,at\na,1\nb,2\n", vec![2, 3]),
        ("no end", "to,at\na,1\nb,2", vec![2, 3]),
        ("two signs", "to,at\r\na,1\r\nb,2\r\n", vec![2, 3]),
        ("old", "to,at\ra,1\rb,2\r", vec![2, 3]),
        ("empty lines", "to,at\n\n\na,1\n\r\n\nb,2\n\n", vec![4, 7]),
        ("empty cells", "to,at\n,\na,1\n , \n", vec![3]),
        ("lines in a cell", "to,at\n\"a\n\nb\",1\nc,2\n", vec![2, 5]),
        ("in two signs", "to,at\r\n\"a\r\nb\",1\r\nc,2\r\n", vec![2, 4]),
    ] {
        let (_, records, _) = sheet(text.as_bytes());
        assert_eq!(records.iter().map(|record| record.line).collect::<Vec<_>>(), want, "{name}");
    }
}

#[test]
fn what_a_post_discloses_is_a_list_of_words() {
    for (cell, want) in [
        ("aiGenerated", json!({"aiGenerated": true, "paidPartnership": false, "ownBrand": false})),
        (
            "\"paidPartnership, ownBrand\"",
            json!({"aiGenerated": false, "paidPartnership": true, "ownBrand": true}),
        ),
        ("", Value::Null),
    ] {
        let text = format!("to,draft,disclose\nbluesky,x,{cell}\n");
        let body = Value::Object(entries(&text).remove(0).unwrap().body);
        assert_eq!(body["disclosure"], want, "{cell}");
    }
}

#[test]
fn a_record_is_a_post() {
    let text = "content;link;media;alt;to;at;option.mastodon.visibility;option.bluesky.thread;key\n\
        \"Two\nlines; \"\"quoted\"\"\";https://a.example;a.png|sub/b.png;A|;bluesky, mastodon:@me;2026-12-01T09:00:00Z;unlisted;\"[\"\"2\"\",\"\"3\"\"]\";my-own-key\n";
    let entry = entries(text).remove(0).unwrap();
    assert_eq!(
        Value::Object(entry.body),
        json!({
            "content": "Two\nlines; \"quoted\"", "linkUrl": "https://a.example",
            "altTexts": ["A", null], "scheduledAt": "2026-12-01T09:00:00Z",
        })
    );
    assert_eq!(
        entry.files,
        [
            ImportFile::Local("a.png".into(), "/f/a.png".into()),
            ImportFile::Local("sub/b.png".into(), "/f/sub/b.png".into())
        ]
    );
    assert_eq!(entry.key.as_deref(), Some("my-own-key"));
    let ImportTarget::Specs(to, options) = entry.target else { panic!("a table has specs") };
    assert_eq!(
        to,
        [
            TargetSpec::Network(Platform::Bluesky),
            TargetSpec::Account(Platform::Mastodon, "me".into())
        ]
    );
    let mut targets = [Platform::Bluesky.into(), Platform::Mastodon.into()];
    options.add_to(&mut targets);
    assert_eq!(
        json!(targets),
        json!([
            {"platform": "bluesky", "options": {"thread": ["2", "3"]}},
            {"platform": "mastodon", "options": {"visibility": "unlisted"}},
        ])
    );
}

#[test]
fn what_a_line_says_makes_its_hash() {
    let of = |text: &str| entries(text).remove(0).unwrap().digest;
    let one = of("content,to,at\na,bluesky,2026-12-01T09:00:00Z\n");
    for (name, text, is_same) in [
        ("another order", "to,at,content\nbluesky,2026-12-01T09:00:00Z,a\n", true),
        ("another delimiter", "content;to;at\r\na;bluesky;2026-12-01T09:00:00Z\r\n", true),
        ("an empty cell", "content,to,at,alt\na,bluesky,2026-12-01T09:00:00Z,\n", true),
        ("a key", "content,to,at,key\na,bluesky,2026-12-01T09:00:00Z,12345678\n", true),
        ("another text", "content,to,at\nb,bluesky,2026-12-01T09:00:00Z\n", false),
        ("another time", "content,to,at\na,bluesky,2026-12-01T09:00:01Z\n", false),
    ] {
        assert_eq!(of(text) == one, is_same, "{name}");
    }
}

#[test]
fn what_is_wrong_with_a_line() {
    for (name, text, field, message) in [
        ("too few cells", "content,to,at\na,bluesky\n", "line", "2 cells, but the header has 3"),
        ("too many cells", "to,at\nbluesky,x,y\n", "line", "3 cells, but the header has 2"),
        ("a network", "to,draft\nblusky,x\n", "to", "blusky"),
        ("no network", "content,to,draft\na,,x\n", "to", "the cell is empty"),
        ("a flag", "to,queue\nbluesky,maybe\n", "queue", "\"maybe\" is neither true nor false"),
        ("a key", "to,draft,key\nbluesky,x,short\n", "key", "8 to 200"),
        ("a label", "to,draft,disclose\nbluesky,x,ai\n", "disclose", "none of aiGenerated"),
        ("a file twice", "to,draft,media\nbluesky,x,a.png|a.png\n", "media", "twice"),
        ("an address", "to,draft,media\nbluesky,x,http://a.example/a.png\n", "media", "https"),
        ("a kind", "to,draft,media\nbluesky,x,https://a.example/a\n", "media", "--kind"),
        (
            "a setting",
            "to,draft,option.instagram.shareToFeed\ninstagram,x,perhaps\n",
            "option.instagram.shareToFeed",
            "true or false",
        ),
        (
            "elsewhere",
            "to,draft,option.mastodon.visibility\nbluesky,x,public\n",
            "option.mastodon",
            "does not go to mastodon",
        ),
        ("open", "to,draft,content\nbluesky,x,\"a\nb,c\nd\n", "line", "never closed"),
        ("open at the end", "to,draft,content\nbluesky,x,\"a \"\"b\"\"", "line", "never closed"),
    ] {
        let found = wrong(text);
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        let (line, of, said) = &found[0];
        assert_eq!((*line, of.as_str()), (2, field), "{name}");
        assert!(said.contains(message), "{name}: {said}");
    }
    let bytes = b"to,draft,content\nbluesky,x,ok\nbluesky,x,caf\xe9\n";
    let (sheet, records, _) = sheet(bytes);
    let faults = sheet.entry(bytes, &records[1], Path::new("")).unwrap_err();
    assert_eq!(
        (faults[0].line, faults[0].message.as_str()),
        (3, "byte 4 of the cell is not UTF-8")
    );
    assert!(sheet.entry(bytes, &records[0], Path::new("")).is_ok());
}
