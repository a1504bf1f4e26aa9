//! Options that become fields of a container, and the comment that follows.

use super::*;

/// The forms of the containers of a post with these options.
fn forms(job: &PublishJob, parts: usize) -> Vec<Vec<String>> {
    let mut progress = threads().begin(job);
    let mut answers = vec![quota()];
    for part in 0..parts {
        let id = format!("18{part}");
        answers.extend([made("c"), is("FINISHED"), made(&id)]);
        answers.extend((part == 0).then(page));
    }
    let (asked, _) = steps(job, &mut progress, &answers);
    let containers = asked.iter().filter(|request| {
        request["request"].as_str().unwrap().ends_with(&format!("/{USER}/threads"))
    });
    let owned = |request: &Value| form(request).into_iter().map(str::to_owned).collect();
    containers.map(owned).collect()
}

#[test]
fn options_are_fields_of_the_first_part() {
    for (name, options, fields) in [
        ("none", json!({}), vec![]),
        ("a topic", json!({"topicTag": " #baking bread "}), vec!["topic_tag=baking bread"]),
        ("everyone", json!({"replyControl": "everyone"}), vec!["reply_control=everyone"]),
        (
            "following",
            json!({"replyControl": "following"}),
            vec!["reply_control=accounts_you_follow"],
        ),
        ("followers", json!({"replyControl": "followers"}), vec!["reply_control=followers_only"]),
        ("mentioned", json!({"replyControl": "mentioned"}), vec!["reply_control=mentioned_only"]),
        ("approvals", json!({"replyApprovals": true}), vec!["enable_reply_approvals=true"]),
        ("no approvals", json!({"replyApprovals": false}), vec![]),
        ("a quotation", json!({"quote": "17900"}), vec!["quote_post_id=17900"]),
        ("nothing to blur", json!({"spoilerMedia": true}), vec![]),
        ("a ghost", json!({"ghost": true}), vec!["is_ghost_post=true"]),
        (
            "a blurred passage",
            json!({"spoilers": ["#rust"]}),
            vec![r#"text_entities=[{"entity_type":"SPOILER","length":5,"offset":6}]"#],
        ),
        (
            "a text behind it",
            json!({"textAttachment": {
                "text": "Long\r\ntext",
                "link": "https://a.example",
                "styles": [{"offset": 0, "length": 4, "style": ["bold"]}],
            }}),
            vec![concat!(
                r#"text_attachment={"link_attachment_url":"https://a.example","#,
                r#""plaintext":"Long\ntext","#,
                r#""text_with_styling_info":[{"length":4,"offset":0,"styling_info":["bold"]}]}"#,
            )],
        ),
    ] {
        let job = with_options(threads_job(), options);
        let mut want = vec!["media_type=TEXT", "text=Hello #rust"];
        want.extend(fields);
        assert_eq!(forms(&job, 1), [want], "{name}");
    }
}

#[test]
fn files_are_blurred_as_a_whole() {
    let blurred = |count| {
        let job = with_images(threads_job(), count);
        with_options(job, json!({"spoilerMedia": true}))
    };
    let is_blurred = |form: &Vec<String>| form.contains(&"is_spoiler_media=true".to_owned());
    let one = forms(&blurred(1), 1);
    assert_eq!(one.iter().map(is_blurred).collect::<Vec<_>>(), [true]);
    let job = blurred(2);
    let mut progress = threads().begin(&job);
    let answers = [
        quota(),
        made("f1"),
        made("f2"),
        is("FINISHED"),
        is("FINISHED"),
        made("c1"),
        is("FINISHED"),
    ];
    let (asked, _) = steps(&job, &mut progress, &answers);
    let posts = asked.iter().filter(|it| it["request"].as_str().unwrap().starts_with("POST"));
    let blurred: Vec<bool> = posts.map(|it| form(it).contains(&"is_spoiler_media=true")).collect();
    assert_eq!(blurred, [false, false, true], "the carousel and not its children");
}

#[test]
fn who_may_reply_holds_for_every_part_and_the_rest_for_the_first() {
    let options = json!({"replyControl": "followers", "topicTag": "a", "thread": ["two"]});
    let forms = forms(&with_options(threads_job(), options), 2);
    assert_eq!(forms[0][2..], ["reply_control=followers_only", "topic_tag=a"]);
    assert_eq!(forms[1][1..], ["text=two", "reply_to_id=180", "reply_control=followers_only"]);
}

#[test]
fn the_first_comment_answers_the_first_part_after_all_others() {
    let options = json!({"thread": ["two", "three"], "firstComment": " Ask us\r\nanything "});
    let job = with_options(threads_job(), options);
    let forms = forms(&job, 4);
    let below: Vec<&[String]> = forms.iter().map(|form| &form[1..]).collect();
    assert_eq!(below[0], ["text=Hello #rust"]);
    assert_eq!(below[1], ["text=two", "reply_to_id=180"]);
    assert_eq!(below[2], ["text=three", "reply_to_id=181"]);
    assert_eq!(below[3], ["text=Ask us\nanything", "reply_to_id=180"]);
    assert_eq!(threads().part(&threads().begin(&job)), Some(Part { number: 1, of: 4 }));
    let blank = with_options(threads_job(), json!({"firstComment": " "}));
    assert_eq!(threads().begin(&blank), threads().begin(&threads_job()));
}
