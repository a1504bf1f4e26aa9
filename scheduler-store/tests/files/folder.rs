//! What only a folder can show: what lies in it, and what a crash leaves there.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use chrono::TimeDelta;
use futures_util::{StreamExt as _, stream};
use scheduler_core::media::link::{Action, Grant, LinkError, LinkSigner};
use scheduler_core::media::{FileKey, PartPlan, UploadedPart};
use scheduler_core::ports::{
    ByteStream, Files as _, FilesError, FinishError, FoundBytes, ReceiveError, SignedFiles,
};
use scheduler_store::{FolderFiles, FolderSettings};

use crate::stores::{
    Folder, PART_BYTES, broken, content, drop_midway, folder, hanging, length, of_link, part_of,
    pieces, settings,
};

/// Every file below a folder, as paths below it.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else {
                found.push(entry.path().strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Waits for what is done on other threads.
async fn until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..10_000 {
        if is_so() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    panic!("{what}");
}

impl Folder {
    fn files_in(&self) -> Vec<PathBuf> {
        files_below(&self.store.path())
    }

    /// Opens the folder as a server does that starts anew.
    async fn start_anew(&self) -> FolderFiles {
        FolderFiles::open(settings(&self.store.path()), self.store.clock.clone()).await.unwrap()
    }
}

/// A part sent, two to send, and the upload they belong to.
async fn upload_in_parts(
    folder: &Folder,
    key: &FileKey,
    file: &Bytes,
) -> (String, Vec<UploadedPart>) {
    let (upload, _, links) = folder.store.begin(key, file).await;
    let mut parts = Vec::new();
    for number in 1..=u32::try_from(links.len()).unwrap() {
        parts.push(folder.store.send_part(&links, file, number).await);
    }
    (upload, parts)
}

#[tokio::test]
async fn nothing_lies_there_but_what_is_kept() {
    let folder = folder().await;
    let store = &folder.store;
    let media = store.media(1);
    let file = content(1, 11 << 20);
    store.upload(&media.preview(), &file).await.unwrap();
    let plan = store.begin(&media.original(), &file).await.1;
    let (upload, parts) = upload_in_parts(&folder, &media.original(), &file).await;
    store.files.finish_parts(&media.original(), &upload, plan, &parts).await.unwrap();
    let kept = |key: &FileKey| PathBuf::from("kept").join(key.as_str());
    let mut found = folder.files_in();
    // The first upload is open still.
    found.retain(|path| path.starts_with("kept"));
    assert_eq!(found, [kept(&media.original()), kept(&media.preview())]);
    store.files.erase(&media).await.unwrap();
    assert_eq!(folder.files_in(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_transfer_that_ends_early_leaves_nothing() {
    let folder = folder().await;
    let store = &folder.store;
    let key = store.media(1).original();
    let size = 3_000_000;
    let link = store.files.upload_link(&key, size, store.soon()).await.unwrap();
    let (key, query) = of_link(&link.url);
    let receive = |bytes| folder.files.receive(&key, &query, None, bytes);
    let short = content(1, 2_000_000);
    let long = content(1, 3_000_001);
    let found = receive(pieces(&short)).await;
    let wrong = |found| Err(ReceiveError::WrongSize { expected_bytes: size, found });
    assert_eq!(found, wrong(FoundBytes::Exactly(2_000_000)));
    assert_eq!(receive(pieces(&long)).await, wrong(FoundBytes::TooMany));
    // One that is too long is not read on.
    let (endless, _taken) = hanging(&long);
    assert_eq!(receive(endless).await, wrong(FoundBytes::TooMany));
    let gone = FilesError::Refused("The sender went away.".to_owned());
    assert_eq!(receive(broken(&short)).await, Err(ReceiveError::Files(gone)));
    let (silent, all_taken) = hanging(&short);
    drop_midway(receive(silent), all_taken).await;
    until("something is left", || folder.files_in().is_empty()).await;
}

#[tokio::test]
async fn leftovers_of_a_crash_are_removed_at_the_next_start_and_open_uploads_are_not() {
    let folder = folder().await;
    let store = &folder.store;
    let key = store.media(1).original();
    let file = content(1, 11 << 20);
    let (upload, plan, links) = store.begin(&key, &file).await;
    let first = store.send_part(&links, &file, 1).await;
    let second = store.send_part(&links, &file, 2).await;
    let before = folder.files_in();

    // What a crash leaves: a file half written, a removal half done, a part half written.
    let partial = store.path().join("partial");
    let stem = key.as_str().replace('/', ".");
    std::fs::write(partial.join(format!("{stem}.{}", "0".repeat(32))), b"half").unwrap();
    let removed = partial.join(format!("x.{}.removed", "1".repeat(32)));
    std::fs::create_dir(&removed).unwrap();
    std::fs::write(removed.join("data"), b"half").unwrap();

    // Somebody else is writing meanwhile.
    let link = store.files.upload_link(&store.media(2).original(), 900_000, store.soon()).await;
    let (other, query) = of_link(&link.unwrap().url);
    let (slow, all_taken) = hanging(&content(2, 800_000));
    let receiving = folder.files.receive(&other, &query, None, slow);
    let anew = async {
        all_taken.await.unwrap();
        let files = folder.start_anew().await;
        let mut found = folder.files_in();
        let writing = found.iter().filter(|path| !before.contains(path)).count();
        assert_eq!(writing, 1, "what is being written stays: {found:?}");
        found.retain(|path| before.contains(path));
        assert_eq!(found, before, "an upload that is open stays");
        files
    };
    let files = tokio::select! {
        ended = receiving => panic!("{ended:?}"),
        files = anew => files,
    };
    // The upload goes on where it was.
    let third = store.send_part(&links, &file, 3).await;
    let parts = [first, second, third];
    files.finish_parts(&key, &upload, plan, &parts).await.unwrap();
    assert!(store.read(&key).await == Some(file));
}

#[tokio::test]
async fn an_upload_that_no_link_can_bring_further_is_removed() {
    let folder = folder().await;
    let key = folder.store.media(1).original();
    upload_in_parts(&folder, &key, &content(1, 6 << 20)).await;
    folder.store.clock.advance(TimeDelta::hours(25));
    folder.files.clean().await.unwrap();
    assert_ne!(folder.files_in(), Vec::<PathBuf>::new(), "a last part may still be coming");
    folder.store.clock.advance(TimeDelta::hours(2));
    folder.files.clean().await.unwrap();
    assert_eq!(folder.files_in(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn putting_together_goes_on_after_a_crash_at_any_point() {
    for crash in ["before", "named", "copied", "kept", "removed"] {
        let folder = folder().await;
        let store = &folder.store;
        let key = store.media(1).original();
        let file = content(1, 11 << 20);
        let (upload, plan, links) = store.begin(&key, &file).await;
        // The first part is sent twice, so that one has to be copied.
        store.send_part(&links, &content(2, 11 << 20), 1).await;
        let mut parts = Vec::new();
        for number in 1..=3 {
            parts.push(store.send_part(&links, &file, number).await);
        }
        let path = format!("partial/{}.{upload}.parts", key.as_str().replace('/', "."));
        let path = store.path().join(path);
        let kept = store.path().join("kept").join(key.as_str());
        let copy_half = || {
            let whole = std::fs::OpenOptions::new().write(true).open(path.join("whole")).unwrap();
            std::io::Write::write_all(&mut &whole, &file[..1_000_000]).unwrap();
        };
        let rename = |from: &Path, to: &Path| {
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::rename(from, to).unwrap();
        };
        match crash {
            "before" => {}
            "named" => rename(&path.join("data"), &path.join("whole")),
            "copied" => {
                rename(&path.join("data"), &path.join("whole"));
                copy_half();
            }
            "kept" | "removed" => {
                rename(&path.join("data"), &kept);
                std::fs::write(&kept, &file).unwrap();
                if crash == "removed" {
                    let away = store.path().join(format!("partial/x.{}.removed", "1".repeat(32)));
                    rename(&path, &away);
                }
            }
            other => panic!("{other}"),
        }
        let files = folder.start_anew().await;
        let finish = || files.finish_parts(&key, &upload, plan, &parts);
        for _ in 0..2 {
            assert_eq!(finish().await, Ok(()), "{crash}");
        }
        assert!(store.read(&key).await == Some(file), "{crash}");
        assert_eq!(folder.files_in().len(), 1, "{crash}: {:?}", folder.files_in());
    }
}

#[tokio::test]
async fn a_slow_sender_does_not_spoil_what_was_put_together_without_it() {
    let folder = folder().await;
    let store = &folder.store;
    let key = store.media(1).original();
    let (file, other) = (content(1, 6 << 20), content(2, 6 << 20));
    let (upload, plan, links) = store.begin(&key, &file).await;
    let part = part_of(&other, 1);
    let (go_on, wait) = tokio::sync::oneshot::channel::<()>();
    let rest = part.slice(2_000_000..);
    let tail = stream::once(async move {
        wait.await.unwrap();
        Ok(rest)
    });
    // The first 2 MB, a long silence, the rest.
    let slow = ByteStream(Box::pin(pieces(&part.slice(..2_000_000)).0.chain(tail)));
    let (link, query) = of_link(&links[0]);
    let sending = folder.files.receive(&link, &query, None, slow);
    let quicker = async {
        until("it takes its place", || {
            store
                .path()
                .join("partial")
                .read_dir()
                .unwrap()
                .any(|upload| upload.unwrap().path().join("slot-1").exists())
        })
        .await;
        let parts =
            [store.send_part(&links, &file, 1).await, store.send_part(&links, &file, 2).await];
        store.files.finish_parts(&key, &upload, plan, &parts).await.unwrap();
        // Fails where it was cut off with its first bytes.
        let _ = go_on.send(());
    };
    let (sent, ()) = tokio::join!(sending, quicker);
    assert_eq!(sent, Err(ReceiveError::Closed));
    assert!(store.read(&key).await == Some(file));
}

/// Bytes of the disk that everything below a folder takes.
fn bytes_on_disk(folder: &Path) -> u64 {
    let taken = |path: &PathBuf| {
        let metadata = std::fs::metadata(folder.join(path));
        metadata.map_or(0, |metadata| std::os::unix::fs::MetadataExt::blocks(&metadata) * 512)
    };
    files_below(folder).iter().map(taken).sum()
}

/// Sends to a link again and again, all but the last byte, and waits each time until all was taken;
/// gives the most bytes that lay on the disk, and ends what was sent last.
async fn send_often(folder: &Folder, url: &str, file: &Bytes) -> u64 {
    let (key, query) = of_link(url);
    let (mut sends, mut most) = (Vec::new(), 0);
    for number in 0..20 {
        let (end, ends) = tokio::sync::oneshot::channel::<()>();
        let (taken, is_taken) = tokio::sync::oneshot::channel::<()>();
        let last = file.slice(file.len() - 1..);
        let tail = stream::once(async move {
            taken.send(()).unwrap();
            let _ = ends.await;
            Ok(last)
        });
        let bytes = ByteStream(Box::pin(pieces(&file.slice(..file.len() - 1)).0.chain(tail)));
        let (files, key, query) = (folder.files.clone(), key.clone(), query.clone());
        let sent = tokio::spawn(async move { files.receive(&key, &query, None, bytes).await });
        if is_taken.await.is_err() {
            panic!("{number}: {:?}", sent.await);
        }
        sends.push((sent, end));
        most = most.max(bytes_on_disk(&folder.store.path()));
    }
    let (newest, end) = sends.pop().unwrap();
    end.send(()).unwrap();
    newest.await.unwrap().unwrap();
    for (older, end) in sends {
        let _ = end.send(());
        assert_eq!(older.await.unwrap(), Err(ReceiveError::Closed));
    }
    most
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_that_send_to_one_link_the_newest_counts_and_takes_room() {
    let folder = folder().await;
    let store = &folder.store;
    let key = store.media(1).original();
    let file = content(1, 2_000_000);
    let link = store.files.upload_link(&key, length(&file), store.soon()).await.unwrap();
    for (what, attempts) in [("a first time", 1), ("once more", 2)] {
        let most = send_often(&folder, &link.url, &file).await;
        // Whole blocks, and what is written while a draft is cut off.
        assert!(most <= attempts * 2_000_000 + (1 << 20), "{what}: {most} bytes");
        assert!(store.read(&key).await.as_ref() == Some(&file), "{what}");
    }
    assert_eq!(folder.files_in().len(), 1, "{:?}", folder.files_in());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_that_send_one_part_the_newest_counts_and_takes_room() {
    let folder = folder().await;
    let store = &folder.store;
    let key = store.media(1).original();
    let (old, file) = (content(1, 6 << 20), content(2, 6 << 20));
    let (upload, plan, links) = store.begin(&key, &old).await;
    // In its place, beside it, and in its place once more.
    for (what, attempts, file) in [("first", 1, &old), ("again", 2, &old), ("last", 2, &file)] {
        let most = send_often(&folder, &links[0], &part_of(file, 1)).await;
        assert!(most <= attempts * PART_BYTES + (1 << 20), "{what}: {most} bytes");
    }
    let first = store.send_part(&links, &file, 1).await;
    let last = store.send_part(&links, &file, 2).await;
    store.files.finish_parts(&key, &upload, plan, &[first, last]).await.unwrap();
    assert!(store.read(&key).await == Some(file));
}

#[tokio::test]
async fn some_of_the_disk_is_left_free() {
    let folder = folder().await;
    let store = &folder.store;
    let (media, file) = (store.media(1), content(1, 6 << 20));
    let link = store.files.upload_link(&media.sent(), 6 << 20, store.soon()).await.unwrap();
    let (_, _, links) = store.begin(&media.original(), &file).await;
    let settings = FolderSettings { free_bytes_min: 1 << 60, ..settings(&store.path()) };
    let files = FolderFiles::open(settings, store.clock.clone()).await.unwrap();
    let full = FilesError::Full;
    assert_eq!(files.check_room(0).await, Err(full.clone()));
    for (url, bytes) in [(&link.url, file.clone()), (&links[0], part_of(&file, 1))] {
        let (key, query) = of_link(url);
        let sent = files.receive(&key, &query, None, pieces(&bytes)).await;
        assert_eq!(sent, Err(ReceiveError::Files(full.clone())));
    }
    let fetched = files.write(&media.original(), "image/png", pieces(&file)).await;
    assert_eq!(fetched, Err(full));
    // What a publish needs is made all the same.
    for key in [media.preview(), media.derived("bluesky-image")] {
        files.write(&key, "image/png", pieces(&content(1, 9))).await.unwrap();
    }
}

#[tokio::test]
async fn what_comes_while_its_file_is_erased_is_not_kept() {
    let folder = folder().await;
    let store = &folder.store;
    let media = store.media(1);
    let link = store.files.upload_link(&media.original(), 900_000, store.soon()).await.unwrap();
    for is_part in [false, true] {
        let (_, _, links) = store.begin(&media.original(), &content(1, 6 << 20)).await;
        let url = if is_part { &links[0] } else { &link.url };
        let size = if is_part { usize::try_from(PART_BYTES).unwrap() } else { 900_000 };
        let (key, query) = of_link(url);
        let file = content(1, size);
        let (erased, wait) = tokio::sync::oneshot::channel::<()>();
        let (begun, has_begun) = tokio::sync::oneshot::channel::<()>();
        let last = file.slice(size - 1..);
        let tail = stream::once(async move {
            begun.send(()).unwrap();
            wait.await.unwrap();
            Ok(last)
        });
        let stream = ByteStream(Box::pin(pieces(&file.slice(..size - 1)).0.chain(tail)));
        let erase = async {
            has_begun.await.unwrap();
            store.files.erase(&media).await.unwrap();
            erased.send(()).unwrap();
        };
        let (sent, ()) = tokio::join!(folder.files.receive(&key, &query, None, stream), erase);
        assert_eq!(sent, Err(ReceiveError::Closed), "{url}");
        assert_eq!(folder.files_in(), Vec::<PathBuf>::new(), "{url}");
    }
}

#[tokio::test]
async fn no_link_leads_out_of_the_folder() {
    let folder = folder().await;
    let store = &folder.store;
    let secret = store.path().join("secret");
    std::fs::write(&secret, b"secret").unwrap();
    let key = store.media(1).original();
    let link = store.files.read_link(&key, "image/png", store.soon()).await.unwrap();
    let (_, query) = of_link(&link);
    for key in ["../secret", "../../secret", "/etc/passwd", "", "a/b/c", "kept/../../secret"] {
        let opened = SignedFiles::open(&folder.files, key, &query, None).await;
        assert_eq!(opened.unwrap_err(), LinkError::Forged.into(), "{key}");
    }
    // Not even with a name of an upload that was signed.
    let signer = LinkSigner::new([7; 32]);
    for upload in ["../../x", "", ".", &"A".repeat(32), &format!("{}/..", "0".repeat(29))] {
        let action = Action::PutPart {
            upload: upload.to_owned(),
            part_number: 1,
            offset_bytes: 0,
            size_bytes: 5,
        };
        let query = signer.query(&Grant { action, key: key.clone(), expires_at: store.soon() });
        let bytes = pieces(&content(1, 5));
        let sent = folder.files.receive(key.as_str(), &query, None, bytes).await;
        assert_eq!(sent, Err(ReceiveError::Closed), "{upload}");
        assert_eq!(store.files.abandon_parts(&key, upload).await, Ok(()), "{upload}");
        let plan = PartPlan { size_bytes: 5, part_bytes: 5 };
        let done = store.files.finish_parts(&key, upload, plan, &[]).await;
        assert!(matches!(done, Err(FinishError::Refused(_))), "{upload}");
    }
    assert_eq!(std::fs::read(&secret).unwrap(), b"secret");
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, b"").unwrap();
    let clock = crate::stores::clock();
    let error = FolderFiles::open(settings(&file), clock).await.unwrap_err();
    assert!(matches!(error, FilesError::Unavailable(_)), "{error}");
}

#[tokio::test]
async fn the_etag_of_a_file_is_the_same_until_it_is_replaced() {
    let folder = folder().await;
    let store = &folder.store;
    let key = store.media(1).original();
    let mut seen = Vec::new();
    for seed in 1..=2 {
        let file = content(seed, 1_000);
        let received = store.upload(&key, &file).await.unwrap();
        let link = store.files.read_link(&key, "image/png", store.soon()).await.unwrap();
        let (path, query) = of_link(&link);
        for _ in 0..2 {
            let opened = SignedFiles::open(&folder.files, &path, &query, None).await.unwrap();
            assert_eq!((opened.size_bytes, opened.range), (length(&file), 0..1_000));
            seen.push((received.clone(), opened.etag));
        }
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[2], seen[3]);
    assert_ne!(seen[0].0, seen[2].0);
    assert_ne!(seen[0].1, seen[2].1);
}

#[tokio::test]
async fn a_file_is_read_where_it_lies() {
    let store = folder().await.store;
    let key = store.media(1).original();
    let path = store.files.local_path(&key).unwrap();
    assert!(!path.exists(), "nothing is there before it has come");
    let file = content(1, 700_000);
    store.upload(&key, &file).await.unwrap();
    assert!(std::fs::read(&path).unwrap() == file);
    store.files.erase(&store.media(1)).await.unwrap();
    assert!(!path.exists());
}
