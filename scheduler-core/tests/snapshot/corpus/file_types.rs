//! Media types, codecs and animations.

use scheduler_core::media::{Decoding, VideoCodec};
use scheduler_core::rules::{Context, MediaFacts, MediaKind};
use serde_json::json;

use crate::case::{Case, document, files, image, video};

pub(super) fn cases() -> Vec<Case> {
    let typed = |media_type: &str, file: MediaFacts| MediaFacts {
        mime_type: Some(media_type.to_owned()),
        ..file
    };
    let mut cases = Vec::new();
    for media_type in [
        "image/jpeg",
        "image/png",
        "image/webp",
        "image/gif",
        "image/avif",
        "image/heic",
        "image/bmp",
        "image/tiff",
        "image/svg+xml",
        "IMAGE/JPEG",
        "image/tif",
        "",
        "application/pdf",
    ] {
        cases.push(files(format!("an image of type {media_type}"), [typed(media_type, image())]));
    }
    for media_type in [
        "video/mp4",
        "video/quicktime",
        "video/webm",
        "video/x-m4v",
        "video/mpeg",
        "video/ogg",
        "video/x-msvideo",
        "video/x-matroska",
        "video/mp4; codecs=avc1",
        "video/x-ms-wmv",
        "video/3gp",
        "",
    ] {
        cases.push(files(format!("a video of type {media_type}"), [typed(media_type, video())]));
    }
    for media_type in [
        "application/pdf",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/msword",
        "",
    ] {
        cases.push(files(
            format!("a document of type {media_type}"),
            [typed(media_type, document())],
        ));
    }
    cases.extend([
        files("two documents", [document(), document()]),
        files("a document beside an image", [document(), image()]),
        files("a document beside a video", [document(), video()]),
        files("a document beside an image and a video", [document(), image(), video()]),
        files("a document with an alternative text", [document()]).alt_texts(&[Some("Slides")]),
        files("a document of 100 MB", [MediaFacts { size_bytes: Some(100_000_000), ..document() }]),
        files("a document of more", [MediaFacts { size_bytes: Some(100_000_001), ..document() }]),
    ]);
    for (name, title, file) in [
        ("a title of 400 characters", json!("t".repeat(400)), document()),
        ("a title of 401 characters", json!("t".repeat(401)), document()),
        ("an empty title", json!(" "), document()),
        ("a title that is a number", json!(5), document()),
        ("a title and an image", json!("Slides"), image()),
    ] {
        let case = files(format!("documents: {name}"), [file]);
        cases.push(case.with_wherever_known(&json!({ "documentTitle": title })));
    }
    let huge = MediaFacts { width: Some(10_000), height: Some(10_000), ..image() };
    let animation =
        MediaFacts { mime_type: Some("image/gif".to_owned()), frame_count: Some(9), ..image() };
    for flag in [json!("yes"), json!(1)] {
        let case = files(format!("images as a document: {flag}"), [image()]);
        cases.push(case.with_wherever_known(&json!({ "imagesAsDocument": flag })));
    }
    for (name, media) in [
        ("one", vec![image()]),
        ("35", vec![image(); 35]),
        ("an animation", vec![animation]),
        ("too many pixels", vec![huge]),
        ("a video too", vec![image(), video()]),
        ("a document alone", vec![document()]),
    ] {
        let options = json!({ "imagesAsDocument": true });
        let case = files(format!("images as a document: {name}"), media).alt_texts(&[Some("A")]);
        cases.push(case.with_wherever_known(&options));
    }
    for codec in [
        VideoCodec::H264,
        VideoCodec::Hevc,
        VideoCodec::Vp8,
        VideoCodec::Vp9,
        VideoCodec::Av1,
        VideoCodec::ProRes,
        VideoCodec::Mpeg4,
        VideoCodec::Other,
    ] {
        let coded = MediaFacts { video_codec: Some(codec), ..video() };
        cases.push(files(format!("a video coded as {}", codec.name()), [coded]));
    }
    let animation =
        |frames| MediaFacts { frame_count: Some(frames), ..typed("image/gif", image()) };
    cases.extend([
        files("a GIF of one picture", [animation(1)]),
        files("a GIF of 2 pictures", [animation(2)]),
        files("two GIFs", [animation(2), animation(2)]),
        files("a GIF of 250 pictures", [animation(250)]),
        files("a GIF of 251 pictures", [animation(251)]),
        files("an image of which nothing is known", [MediaFacts::of_kind(MediaKind::Image)]),
        files("a video of which nothing is known", [MediaFacts::of_kind(MediaKind::Video)]),
    ]);
    let seen_by = |decoding| Context { decoding, ..Context::default() };
    let bare = seen_by(Decoding::NOTHING);
    let no_tools = seen_by(Decoding { pictures: true, heif: false, films: false });
    let large = MediaFacts { size_bytes: Some(60_000_000), ..typed("image/tiff", image()) };
    let many = MediaFacts { width: Some(7_000), height: Some(7_000), ..image() };
    let more = MediaFacts { width: Some(9_000), height: Some(9_000), ..large.clone() };
    cases.extend([
        files("a HEIC on a server without ffmpeg", [typed("image/heic", image())])
            .context(no_tools),
        files("a TIFF of 60 MB", [large.clone()]),
        files("a TIFF of 60 MB and 81 million pixels", [more]),
        files("a TIFF of 60 MB on a server without pictures", [large.clone()]).context(bare),
        files("49 million pixels on a server without pictures", [many]).context(bare),
        files("a cover that is a TIFF of 60 MB on a server without pictures", [video()])
            .thumbnail(large.clone())
            .context(bare),
        files("a cover that is a TIFF of 60 MB", [video()]).thumbnail(large.clone()),
        files("a cover that is a HEIC on a server without ffmpeg", [video()])
            .thumbnail(typed("image/heic", large))
            .context(no_tools),
        files("a video with a video as its cover", [video()]).thumbnail(video()),
    ]);
    let converts = |case: Case| case.context(Context::default());
    let coded = |codec| MediaFacts { video_codec: Some(codec), ..video() };
    let large = |bytes, seconds| MediaFacts {
        size_bytes: Some(bytes),
        duration_seconds: Some(seconds),
        width: Some(3_840),
        height: Some(2_160),
        fps: Some(120.0),
        ..video()
    };
    for (name, file) in [
        ("a video in HEVC", coded(VideoCodec::Hevc)),
        ("a video in ProRes", coded(VideoCodec::ProRes)),
        ("a QuickTime film", typed("video/quicktime", video())),
        ("a Windows Media film", typed("video/x-ms-wmv", video())),
        ("a film of another type", typed("video/x-another", video())),
        ("a film of an unknown type", MediaFacts { mime_type: None, ..video() }),
        ("a film of 4K, 120 frames a second and 5 GB", large(5_000_000_000, 60.0)),
        ("a film of an hour and 300 GB", large(300_000_000_000, 3_600.0)),
        ("a film of two hours and 20 GB", large(20_000_000_000, 7_200.0)),
    ] {
        cases.push(converts(files(format!("{name} that is converted"), [file.clone()])));
        cases.push(files(format!("{name} without ffmpeg"), [file]));
    }
    cases
}
