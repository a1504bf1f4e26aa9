//! Files that come in parts.

use bytes::Bytes;
use scheduler_core::media::UploadedPart;
use scheduler_core::ports::FinishError;

use crate::stores::{
    PART_BYTES, broken, content, drop_midway, hanging, length, part_of, pieces, stores,
};

fn file_of(parts: u64, seed: u64) -> Bytes {
    // The last part is shorter, as it usually is.
    content(seed, usize::try_from((parts - 1) * PART_BYTES + 70_001).unwrap())
}

#[tokio::test]
async fn parts_in_any_order_are_put_together() {
    for store in stores().await {
        for (number, order) in
            [(1, vec![1, 2]), (2, vec![3, 1, 2]), (3, vec![1]), (4, vec![2, 3, 1])]
        {
            let key = store.media(number).original();
            let file = file_of(u64::try_from(order.len()).unwrap(), 1);
            let (upload, plan, links) = store.begin(&key, &file).await;
            let mut parts = Vec::new();
            for number in &order {
                parts.push(store.send_part(&links, &file, *number).await);
            }
            parts.sort_by_key(|part| part.part_number);
            assert_eq!(store.files.size(&key).await, Ok(None), "{}", store.name);
            store.files.finish_parts(&key, &upload, plan, &parts).await.unwrap();
            assert_eq!(store.files.size(&key).await, Ok(Some(length(&file))), "{}", store.name);
            assert!(store.read(&key).await == Some(file), "{} {order:?}", store.name);
            // The answer was lost: the caller asks once more.
            let repeated = store.files.finish_parts(&key, &upload, plan, &parts).await;
            assert_eq!(repeated, Ok(()), "{}", store.name);
        }
    }
}

#[tokio::test]
async fn parts_at_once_and_twice_are_put_together() {
    for store in stores().await {
        let key = store.media(1).original();
        let file = file_of(4, 1);
        let (upload, plan, links) = store.begin(&key, &file).await;
        // Of those that send a part at once, the folder keeps the newest.
        let send = async |number| {
            let (part, url) = (part_of(&file, number), &links[number as usize - 1]);
            let etag = store.serving.send(url, Some(length(&part)), pieces(&part)).await;
            etag.ok().map(|etag| UploadedPart { part_number: number, etag })
        };
        let sent = tokio::join!(send(4), send(1), send(3), send(2), send(3), send(1), send(4));
        for (one, other) in [(&sent.0, &sent.6), (&sent.1, &sent.5), (&sent.2, &sent.4)] {
            let both = one.as_ref().zip(other.as_ref());
            assert!(
                both.is_none_or(|(one, other)| one == other),
                "{}: the same bytes have the same ETag",
                store.name
            );
        }
        let parts = [sent.1.or(sent.5), sent.3, sent.2.or(sent.4), sent.0.or(sent.6)];
        let parts = parts.map(|part| part.unwrap_or_else(|| panic!("{}: none came", store.name)));
        store.files.finish_parts(&key, &upload, plan, &parts).await.unwrap();
        assert!(store.read(&key).await == Some(file), "{}", store.name);
    }
}

#[tokio::test]
async fn the_last_whole_write_of_a_part_counts() {
    for store in stores().await {
        let key = store.media(1).original();
        let (old, new) = (file_of(2, 1), file_of(2, 2));
        let (upload, plan, links) = store.begin(&key, &old).await;
        let stale = store.send_part(&links, &old, 1).await;
        let last = store.send_part(&links, &new, 2).await;
        for _ in 0..2 {
            store.send_part(&links, &old, 1).await;
        }
        let first = store.send_part(&links, &new, 1).await;
        // One that breaks off, and one whose sender goes silent, change nothing.
        let broken = broken(&part_of(&old, 1).slice(..2_000_000));
        store.serving.send(&links[0], None, broken).await.unwrap_err();
        let (silent, all_taken) = hanging(&part_of(&old, 1).slice(..2_000_000));
        drop_midway(store.serving.send(&links[0], Some(PART_BYTES), silent), all_taken).await;

        let refused = store.files.finish_parts(&key, &upload, plan, &[stale, last.clone()]).await;
        assert!(matches!(refused, Err(FinishError::Refused(_))), "{}: {refused:?}", store.name);
        store.files.finish_parts(&key, &upload, plan, &[first, last]).await.unwrap();
        assert!(store.read(&key).await == Some(new), "{}", store.name);
    }
}

#[tokio::test]
async fn a_missing_or_wrong_part_is_refused_and_can_be_tried_again() {
    for store in stores().await {
        let key = store.media(1).original();
        let file = file_of(3, 1);
        let (upload, plan, links) = store.begin(&key, &file).await;
        let first = store.send_part(&links, &file, 1).await;
        let third = store.send_part(&links, &file, 3).await;
        let made_up = UploadedPart { part_number: 2, etag: third.etag.clone() };
        let finish = async |parts: &[UploadedPart]| {
            store.files.finish_parts(&key, &upload, plan, parts).await
        };
        let refused = |done: Result<(), FinishError>, name: &str| {
            let Err(FinishError::Refused(why)) = done else { panic!("{}: {name}", store.name) };
            assert!(why.contains("art 2"), "{} {name}: {why}", store.name);
        };
        refused(finish(&[first.clone(), made_up.clone(), third.clone()]).await, "not sent");
        let second = store.send_part(&links, &file, 2).await;
        refused(finish(&[first.clone(), made_up, third.clone()]).await, "another ETag");
        refused(finish(&[first.clone(), third.clone()]).await, "not listed");
        assert_eq!(store.files.size(&key).await, Ok(None), "{}", store.name);
        // With quotes, as in the header, and without.
        let bare = |part: &UploadedPart| UploadedPart {
            etag: part.etag.trim_matches('"').to_owned(),
            ..part.clone()
        };
        let quoted = UploadedPart { etag: format!("\"{}\"", bare(&third).etag), ..third };
        assert_eq!(finish(&[bare(&first), second, quoted]).await, Ok(()), "{}", store.name);
        assert!(store.read(&key).await == Some(file), "{}", store.name);
    }
}

#[tokio::test]
async fn a_part_of_another_size_is_refused_at_once_or_in_the_end() {
    for store in stores().await {
        let key = store.media(1).original();
        let file = file_of(2, 1);
        let (upload, plan, links) = store.begin(&key, &file).await;
        let first = store.send_part(&links, &file, 1).await;
        for (name, size, declared) in [
            ("longer", 70_002, None),
            ("shorter", 70_000, Some(70_000)),
            ("much longer", 9_000_000, None),
        ] {
            // A bucket wants to know the length before.
            let declared = declared.or((store.name == "bucket").then_some(size));
            let part = content(1, usize::try_from(size).unwrap());
            let sent = store.serving.send(&links[1], declared, pieces(&part)).await;
            assert_eq!(sent.is_err(), store.binds_size, "{} {name}", store.name);
            if let Ok(etag) = sent {
                let parts = [first.clone(), UploadedPart { part_number: 2, etag }];
                let done = store.files.finish_parts(&key, &upload, plan, &parts).await;
                let Err(FinishError::Refused(why)) = done else { panic!("{name}: {done:?}") };
                assert!(why.starts_with("Part 2 "), "{} {name}: {why}", store.name);
            }
        }
        let second = store.send_part(&links, &file, 2).await;
        store.files.finish_parts(&key, &upload, plan, &[first, second]).await.unwrap();
        assert!(store.read(&key).await == Some(file), "{}", store.name);
    }
}

#[tokio::test]
async fn what_was_given_up_takes_no_parts_and_is_not_put_together() {
    for store in stores().await {
        let key = store.media(1).original();
        let file = file_of(2, 1);
        let (upload, plan, links) = store.begin(&key, &file).await;
        let first = store.send_part(&links, &file, 1).await;
        let second = store.send_part(&links, &file, 2).await;
        for _ in 0..2 {
            assert_eq!(store.files.abandon_parts(&key, &upload).await, Ok(()), "{}", store.name);
        }
        let sent = store.serving.send(&links[0], None, pieces(&part_of(&file, 1))).await;
        assert!(sent.is_err(), "{}", store.name);
        let done = store.files.finish_parts(&key, &upload, plan, &[first, second]).await;
        assert!(matches!(done, Err(FinishError::Refused(_))), "{}: {done:?}", store.name);
        assert_eq!(store.files.size(&key).await, Ok(None), "{}", store.name);
    }
}

#[tokio::test]
async fn two_uploads_in_parts_to_one_key_do_not_mix() {
    for store in stores().await {
        let key = store.media(1).original();
        let (one, other) = (file_of(2, 1), file_of(2, 2));
        let (first_upload, plan, first_links) = store.begin(&key, &one).await;
        let (second_upload, _, second_links) = store.begin(&key, &other).await;
        assert_ne!(first_upload, second_upload, "{}", store.name);
        let mut parts = (Vec::new(), Vec::new());
        for number in 1..=2 {
            parts.0.push(store.send_part(&first_links, &one, number).await);
            parts.1.push(store.send_part(&second_links, &other, number).await);
        }
        store.files.finish_parts(&key, &first_upload, plan, &parts.0).await.unwrap();
        assert!(store.read(&key).await == Some(one), "{}", store.name);
        store.files.finish_parts(&key, &second_upload, plan, &parts.1).await.unwrap();
        assert!(store.read(&key).await == Some(other), "{}", store.name);
    }
}
