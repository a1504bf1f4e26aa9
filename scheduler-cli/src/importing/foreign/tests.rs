use serde_json::json;

use super::super::entry::ImportFile;
use super::*;

/// The first page of an answer of Buffer.
///
/// Source: the fields of <https://developers.buffer.com/types/Post.md>.
fn buffer() -> Value {
    let node = |id: &str, status: &str, service: &str, rest: Value| {
        let mut node = json!({
            "id": id, "text": "Hello\nthere & you", "status": status, "dueAt": null,
            "channelService": service, "channel": {"name": "bakery"}, "tags": [], "assets": [],
        });
        node.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        json!({"node": node})
    };
    json!({"data": {"posts": {
        "edges": [
            node("b1", "scheduled", "twitter", json!({
                "dueAt": "2031-03-10T15:00:00.000Z", "tags": [{"name": "spring"}],
                "assets": [
                    {"source": "https://a.example/1.jpg", "mimeType": "image/jpeg",
                     "image": {"altText": "A cake", "width": 1, "height": 1}},
                    {"source": "https://a.example/2.mp4", "mimeType": "video/mp4"},
                ],
            })),
            node("b2", "needs_approval", "bluesky", json!({"dueAt": "2031-03-11T15:00:00.000Z"})),
            node("b3", "sent", "twitter", json!({})),
            node("b4", "scheduled", "googlebusiness", json!({"dueAt": "2031-03-10T15:00:00.000Z"})),
        ],
        "pageInfo": {"hasNextPage": false, "endCursor": "x"},
    }}})
}

/// What Postiz answers.
///
/// Source: what `getPosts` of its `posts.repository.ts` selects.
fn postiz() -> Value {
    let post = |id: &str, state: &str, network: &str, rest: Value| {
        let mut post = json!({
            "id": id, "content": "<p>Fresh <strong>bread</strong></p><p>at eight</p>",
            "publishDate": "2031-04-01T08:00:00.000Z", "releaseURL": null, "releaseId": null,
            "state": state, "intervalInDays": null, "group": "g", "creationMethod": "WEB",
            "settings": "{\"__type\":\"youtube\",\"title\":\"Bread\",\"type\":\"unlisted\"}",
            "tags": [{"tag": {"id": "t", "name": "bread", "color": "#fff"}}],
            "integration": {"id": "i", "providerIdentifier": network, "name": "Bakery", "picture": null},
        });
        post.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        post
    };
    let at = |date: &str| json!({"intervalInDays": 7, "publishDate": date});
    json!({"posts": [
        post("p1", "QUEUE", "x", json!({})),
        post("p2", "QUEUE", "linkedin-page", json!({"content": "no tag: a < b"})),
        post("p3", "DRAFT", "youtube", json!({})),
        post("p4", "QUEUE", "mastodon", at("2031-04-01T08:00:00.000Z")),
        post("p4", "QUEUE", "mastodon", at("2031-04-08T08:00:00.000Z")),
        post("p5", "ERROR", "x", json!({})),
    ]})
}

/// What Mixpost answers.
///
/// Source: <https://docs.inovector.com/books/api-reference/page/posts>.
fn mixpost() -> Value {
    let account = |id: i64, provider: &str, username: &str| json!({"id": id, "uuid": "u", "name": "Bakery", "username": username, "provider": provider, "authorized": true});
    let content = |body: &str, media: &[&str]| {
        let media = media.iter().map(
            |name| json!({"id": 1, "url": format!("https://m.example/{name}"), "is_video": false}),
        );
        json!({"body": body, "media": media.collect::<Vec<_>>(), "url": ""})
    };
    let accounts = [
        account(1, "mastodon", "bakery"),
        account(2, "facebook_page", "Bakery"),
        account(3, "instagram", "bakery.ig"),
        account(4, "facebook_group", "Neighbours"),
    ];
    json!({
        "data": [
            {
                "id": 3, "uuid": "m1", "status": "scheduled", "accounts": accounts,
                "versions": [
                    {
                        "account_id": 0, "is_original": true,
                        "content": [
                            content("<div>Cakes</div><div>today</div>", &["1.jpg"]),
                            content("<div>and bread</div>", &["2.jpg"]),
                        ],
                        "options": {
                            "mastodon": {"sensitive": false},
                            "facebook_page": {"type": "reel"},
                            "linkedin": {"visibility": "PUBLIC"},
                        },
                    },
                    {
                        "account_id": 2, "is_original": false,
                        "content": [content("<div>Cakes!</div>", &["1.jpg"])],
                        "options": {"facebook_page": {"type": "post"}},
                    },
                    {
                        "account_id": 3, "is_original": false,
                        "content": [content("<div>Look</div>", &["3.jpg"])],
                        "options": {"instagram": {"type": "story"}},
                    },
                ],
                "tags": [{"id": 2, "uuid": "t", "name": "release", "hex_color": "#111827"}],
                "scheduled_at": "2031-05-01 09:30:00", "trashed": false,
            },
            {
                "id": 4, "uuid": "m2", "status": "draft", "accounts": [], "tags": [],
                "versions": [{"account_id": 0, "is_original": true, "content": [content("", &[])], "options": []}],
                "scheduled_at": null,
            },
        ],
        "links": {}, "meta": {"last_page": 1},
    })
}

fn read_all(text: &str, as_drafts: bool) -> (Foreign, Vec<Fault>, Vec<Record>) {
    Foreign::read(text.as_bytes(), Path::new("folder"), as_drafts)
}

/// The key, the body and the number of files of a post.
type Made = (String, Value, usize);

/// The posts that are made of an answer, and what is left out.
fn made(answer: &Value, as_drafts: bool) -> (Vec<Made>, Vec<(String, usize)>) {
    let (foreign, head, records) = read_all(&answer.to_string(), as_drafts);
    assert_eq!(head, []);
    let entries = records.iter().map(|record| {
        let entry = foreign.entry(record).unwrap();
        (entry.key.unwrap(), Value::Object(entry.body), entry.files.len())
    });
    (entries.collect(), foreign.left_out.into_iter().collect())
}

#[test]
fn posts_of_buffer() {
    let (made, left_out) = made(&buffer(), false);
    assert_eq!(
        made,
        [
            (
                "import-buffer-b1".to_owned(),
                json!({
                    "scheduledAt": "2031-03-10T15:00:00.000Z", "content": "Hello\nthere & you",
                    "labels": ["spring"], "altTexts": ["A cake", null],
                    "targets": [{"platform": "twitter", "options": {}, "names": ["bakery"]}],
                }),
                2
            ),
            (
                "import-buffer-b2".to_owned(),
                json!({
                    "saveAsDraft": true, "content": "Hello\nthere & you",
                    "targets": [{"platform": "bluesky", "options": {}, "names": ["bakery"]}],
                }),
                0
            ),
        ]
    );
    assert_eq!(left_out, [("googlebusiness target".to_owned(), 1), ("sent post".to_owned(), 1)]);
}

#[test]
fn posts_of_postiz() {
    let (made, left_out) = made(&postiz(), false);
    let keys: Vec<&str> = made.iter().map(|(key, ..)| key.as_str()).collect();
    assert_eq!(
        keys,
        [
            "import-postiz-p1",
            "import-postiz-p2",
            "import-postiz-p3",
            "import-postiz-p4-2031-04-01T08:00:00.000Z",
            "import-postiz-p4-2031-04-08T08:00:00.000Z",
        ]
    );
    assert_eq!(
        made[0].1,
        json!({
            "scheduledAt": "2031-04-01T08:00:00.000Z", "content": "Fresh bread\nat eight",
            "labels": ["bread"],
            "targets": [{"platform": "twitter", "options": {}, "names": ["Bakery"]}],
        })
    );
    assert_eq!(made[1].1["content"], "no tag: a < b");
    assert_eq!(made[1].1["targets"][0]["platform"], "linkedin");
    assert_eq!(made[2].1["saveAsDraft"], true);
    let options = json!({"title": "Bread", "privacy": "unlisted"});
    assert_eq!(made[2].1["targets"][0]["options"], options);
    assert_eq!(left_out, [("error post".to_owned(), 1)]);
}

#[test]
fn posts_of_mixpost() {
    let (made, left_out) = made(&mixpost(), false);
    assert_eq!(
        made,
        [
            (
                "import-mixpost-m1".to_owned(),
                json!({
                    "scheduledAt": "2031-05-01T09:30:00Z", "content": "Cakes\ntoday",
                    "labels": ["release"],
                    "targets": [
                        {
                            "platform": "mastodon", "names": ["bakery", "Bakery"],
                            "options": {"sensitive": false, "thread": ["and bread"]},
                        },
                        {
                            "platform": "facebook", "names": ["Bakery", "Bakery"],
                            "options": {"placement": "feed", "caption": "Cakes!"},
                        },
                    ],
                }),
                1
            ),
            (
                "import-mixpost-m1-3".to_owned(),
                json!({
                    "scheduledAt": "2031-05-01T09:30:00Z", "content": "Look",
                    "labels": ["release"],
                    "targets": [{
                        "platform": "instagram", "names": ["bakery.ig", "Bakery"],
                        "options": {"placement": "story"},
                    }],
                }),
                1
            ),
        ]
    );
    assert_eq!(
        left_out,
        [
            ("facebook_group target".to_owned(), 1),
            ("mastodon thread file".to_owned(), 1),
            ("targetless post".to_owned(), 1),
        ]
    );
}

#[test]
fn times_of_mixpost() {
    for (scheduled, field, want) in [
        (json!("2031-05-01 09:30:00"), "scheduledAt", json!("2031-05-01T09:30:00Z")),
        (json!("2031-05-01T09:30:00+02:00"), "scheduledAt", json!("2031-05-01T09:30:00+02:00")),
        (
            json!({"date": "2031-05-01", "time": "09:30", "human": "x"}),
            "scheduledLocal",
            json!("2031-05-01T09:30"),
        ),
        (json!({"date": null, "time": null, "human": null}), "saveAsDraft", json!(true)),
        (json!(null), "saveAsDraft", json!(true)),
    ] {
        let mut answer = mixpost();
        answer["data"][0]["scheduled_at"] = scheduled.clone();
        assert_eq!(made(&answer, false).0[0].1[field], want, "{scheduled}");
    }
}

#[test]
fn pages_behind_one_another_and_every_post_as_a_draft() {
    let text = format!("{}\n{}", buffer(), postiz());
    let (foreign, head, records) = read_all(&text, true);
    assert_eq!((head, records.len()), (vec![], 9));
    assert_eq!(records.last().unwrap().line, 10, "the fourth of Buffer goes to no network");
    for record in &records {
        assert_eq!(foreign.entry(record).unwrap().body["saveAsDraft"], true);
    }
}

#[test]
fn other_files_make_another_post() {
    let digest = |answer: &Value| {
        let (foreign, _, records) = read_all(&answer.to_string(), false);
        let entry = foreign.entry(&records[0]).unwrap();
        (entry.digest, entry.files)
    };
    let (first, files) = digest(&buffer());
    let address = "https://a.example/1.jpg".parse().unwrap();
    assert_eq!(files[0], ImportFile::Address(address));
    let mut other = buffer();
    other["data"]["posts"]["edges"][0]["node"]["assets"][1]["source"] =
        json!("https://a.example/9.mp4");
    assert_ne!(digest(&other).0, first);
}

#[test]
fn what_is_no_file_of_posts() {
    for (name, text, is_so) in [
        ("nothing", "", (|it| matches!(it, Unreadable::Empty)) as fn(&Unreadable) -> bool),
        ("no post", "{\"posts\": []}", |it| matches!(it, Unreadable::Empty)),
        ("no JSON", "{\"posts\": [", |it| matches!(it, Unreadable::NotJson(_))),
        ("no JSON behind a page", "[{}] x", |it| matches!(it, Unreadable::NotJson(_))),
        ("no posts", "{\"error\": \"x\"}", |it| matches!(it, Unreadable::NoList)),
    ] {
        let unreadable = answers(text.as_bytes()).unwrap_err();
        assert!(is_so(&unreadable), "{name}: {unreadable:?}");
        let (_, head, records) = read_all(text, false);
        assert_eq!((head, records.len()), (vec![unreadable.fault(1)], 0), "{name}");
    }
}

#[test]
fn what_is_no_post() {
    let other = posts(json!({"id": 1})).unwrap_err();
    assert!(matches!(other, Unreadable::OtherSystem), "{other:?}");
    let lacking = json!({"channelService": "x"});
    let unreadable = posts(lacking.clone()).unwrap_err();
    assert!(matches!(unreadable, Unreadable::OtherForm(_)), "{unreadable:?}");
    // The others are read, so that all faults are told at once.
    let (foreign, head, records) = read_all(&json!([{"id": 1}, lacking]).to_string(), false);
    assert_eq!((head, records.len()), (vec![], 2));
    assert_eq!(foreign.entry(&records[0]).unwrap_err(), [other.fault(1)]);
    assert_eq!(foreign.entry(&records[1]).unwrap_err(), [unreadable.fault(2)]);
}

#[test]
fn a_file_without_https() {
    let mut answer = buffer();
    let source = &mut answer["data"]["posts"]["edges"][0]["node"]["assets"][0]["source"];
    *source = json!("http://a.example/1.jpg");
    let (foreign, _, records) = read_all(&answer.to_string(), false);
    let faults = foreign.entry(&records[0]).unwrap_err();
    assert_eq!((faults.len(), faults[0].field.as_str()), (1, "mediaIds"));
    assert!(faults[0].is_error());
}
